//! The shapes of settings whose types live in crates that know no JSON Schema, for `recovery schema settings`. A test
//! compares their fields with those of the types.

use schemars::JsonSchema;

/// Which rules read output.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Pack {
    /// What real tools really print.
    Field,
    /// The plain table.
    Documented,
}

/// `[[indicator]]`: a row of the user's own.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Indicator {
    /// Stable name; no other row has it.
    id: String,
    /// What is looked for; ASCII case does not matter.
    text: String,
    /// One of the closed list of error types; `recovery explain NAME` has a page for each.
    error_type: recovery_types::ErrorType,
    /// How much it says on its own [default: decisive].
    #[serde(default)]
    strength: Option<Strength>,
    /// What it means for other indicators [default: report]; docs/verdict.md has the list.
    role: Option<String>,
    /// Counts only as whole words.
    #[serde(default)]
    word: bool,
    /// Counts only where a line begins.
    #[serde(default)]
    line_start: bool,
    /// Counts on warnings and log notes as well.
    #[serde(default)]
    aside: bool,
    /// A regular expression that the line must match as well, or a list of its alternatives; `(?&name)` is a fragment.
    pattern: Option<Pattern>,
    /// A regular expression that the line must not match; written like `pattern`.
    unless: Option<Pattern>,
    /// The tool that prints it.
    tool: Option<String>,
    /// A line that must hit.
    hits: Option<String>,
    /// A line that must not hit.
    misses: Option<String>,
}

/// A regular expression, or a list of alternatives.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Pattern {
    /// One.
    One(String),
    /// Any of them.
    AnyOf(Vec<String>),
}

/// How much an indicator says on its own.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Strength {
    /// The closing word of a run that failed.
    Summary,
    /// Only a failure of this kind prints it.
    Decisive,
    /// It points there, and gives way to a decisive one.
    Suggestive,
    /// The closing word of a run that went well.
    Success,
}

/// `[workflow]`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Workflow {
    /// Whether failed tasks are repaired [default: true]; off sends every failure to the gate.
    node_repair: Option<bool>,
    /// Repair attempts per task and per sub-task [default: 2].
    node_repair_budget: Option<u32>,
}

/// `[classifier]`.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct Classifier {
    /// Whether fixes may be proposed [default: true]; otherwise a local failure is retried once.
    self_heal: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn fields(schema: &schemars::Schema) -> BTreeSet<String> {
        schema.as_value()["properties"].as_object().unwrap().keys().cloned().collect()
    }

    fn keys(value: &impl serde::Serialize) -> BTreeSet<String> {
        serde_json::to_value(value).unwrap().as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_schemas_have_the_types_fields() {
        let indicator = schemars::schema_for!(Indicator);
        assert_eq!(fields(&indicator), keys(&failure_taxonomy::UserIndicator::default()));
        assert_eq!(fields(&schemars::schema_for!(Workflow)), keys(&node_repair::RepairConfig::default()));
    }
}
