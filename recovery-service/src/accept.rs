//! Accepted spellings of input fields. JSON from outside is parsed with the names of its type's schema; what other systems write is
//! accepted beside them, and an unknown name is a warning, so that a misspelt field is never a silent success.
//!
//! Names are tried in this order: as they are; in `snake_case` (`evidenceOfCompletion`, `FAILED_TASK`, `done-criteria`);
//! by [`ALIASES`]. A number written as text (`"2"`) is read as a number where the schema has one, and a text where an
//! object is expected is the field of it that [`TEXT_FIELDS`] names. A judge's verdict without an exit code is about work
//! that ended: its exit code is 0.

use recovery_types::ErrorType;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// Names that are not ours only in their spelling: theirs in `snake_case`, and ours.
const ALIASES: [(&str, &str); 14] = [
    ("failed_task", "task"),
    ("plan_context", "plan"),
    ("repair_budget", "budget"),
    ("stderr", "stderr_tail"),
    ("stderr", "output"),
    ("stderr_tail", "output"),
    ("timestamp", "ts"),
    ("node_id", "node"),
    ("node_id", "id"),
    ("parent_node_id", "parent"),
    ("parent_node_id", "parent_id"),
    ("parent_id", "parent"),
    ("task_number", "number"),
    ("task_name", "name"),
];

/// Which field a text is taken as where an object is expected, by the object's own fields.
const TEXT_FIELDS: [(&str, &str); 4] =
    [("done_criteria", "name"), ("phase_goal", "phase_goal"), ("actual", "text"), ("goal_alignment", "verdict")];

/// Reads values of one type from JSON of any accepted spelling.
pub struct Accept<T> {
    schema: Value,
    of: PhantomData<fn() -> T>,
}

impl<T: JsonSchema + DeserializeOwned> Default for Accept<T> {
    fn default() -> Self {
        let schema: Schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
        Self { schema: schema.to_value(), of: PhantomData }
    }
}

/// A value in our own spelling.
#[derive(Debug)]
pub struct Accepted {
    /// The value.
    pub value: Value,
    /// Whether anything of it was spelt differently.
    pub changed: bool,
    /// Fields and error types that nothing reads, one sentence each.
    pub warnings: Vec<String>,
}

impl<T: JsonSchema + DeserializeOwned> Accept<T> {
    /// `value` in our own spelling.
    ///
    /// ```
    /// use recovery_service::Accept;
    /// use recovery_types::FailureEvent;
    /// let theirs = serde_json::json!({"exitCode": "1", "judge": {"goalAlignment": 12}, "excuse": "none"});
    /// let accepted = Accept::<FailureEvent>::default().spell(theirs);
    /// assert_eq!(accepted.value, serde_json::json!({"exit_code": 1, "judge": {"goal_alignment": 12}, "excuse": "none"}));
    /// assert_eq!(accepted.warnings, ["field `excuse` is not known here and was not read"]);
    /// ```
    #[must_use]
    pub fn spell(&self, mut value: Value) -> Accepted {
        let mut pass = Pass { root: &self.schema, changed: false, warnings: Vec::new() };
        pass.value(&self.schema, &mut value, "");
        Accepted { changed: pass.changed, warnings: pass.warnings, value }
    }
}

struct Pass<'s> {
    root: &'s Value,
    changed: bool,
    warnings: Vec<String>,
}

impl<'s> Pass<'s> {
    fn value(&mut self, schema: &'s Value, value: &mut Value, path: &str) {
        let shape = self.shape(schema);
        if let (Some(properties), Value::String(text)) = (shape.properties, &*value)
            && !shape.takes("string")
            && let Some((_, field)) = TEXT_FIELDS.iter().find(|(known, _)| properties.contains_key(*known))
        {
            *value = Value::Object(Map::from_iter([((*field).to_owned(), Value::String(text.clone()))]));
            self.changed = true;
        }
        match value {
            Value::Object(fields) => {
                if let Some(properties) = shape.properties {
                    self.fields(properties, fields, path);
                } else if let Some(each) = shape.each {
                    for (name, field) in fields {
                        self.value(each, field, &format!("{path}{name}."));
                    }
                }
            }
            Value::Array(items) => {
                if let Some(each) = shape.items {
                    for (index, item) in items.iter_mut().enumerate() {
                        let within = format!("{}[{index}].", path.trim_end_matches('.'));
                        self.value(each, item, &within);
                    }
                }
            }
            Value::String(text) if !shape.takes("string") => {
                let text = text.trim();
                let number = if shape.takes("integer") || shape.takes("number") {
                    text.parse::<i64>()
                        .ok()
                        .map(Value::from)
                        .or_else(|| text.parse::<f64>().ok().filter(|_| shape.takes("number")).map(Value::from))
                } else if shape.takes("boolean") {
                    text.to_ascii_lowercase().parse::<bool>().ok().map(Value::from)
                } else {
                    None
                };
                if let Some(number) = number {
                    *value = number;
                    self.changed = true;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn fields(&mut self, properties: &'s Map<String, Value>, fields: &mut Map<String, Value>, path: &str) {
        for name in fields.keys().cloned().collect::<Vec<_>>() {
            if properties.contains_key(&name) {
                continue;
            }
            match ours(&name, properties, fields) {
                Some(own) => {
                    if let Some(field) = fields.remove(&name) {
                        fields.insert(own.to_owned(), field);
                        self.changed = true;
                    }
                }
                None if name == "verdict" && properties.contains_key("judge") => self.move_verdict(fields),
                None => self.warnings.push(format!("field `{path}{name}` is not known here and was not read")),
            }
        }
        let is_verdict = properties.contains_key("exit_code") && fields.get("judge").is_some_and(Value::is_object);
        if is_verdict && !fields.contains_key("exit_code") {
            fields.insert("exit_code".to_owned(), Value::from(0));
            self.changed = true;
        }
        let stated = fields.get("error_type").filter(|_| properties.contains_key("error_type"));
        if let Some(word) = stated.and_then(Value::as_str).filter(|word| ErrorType::from_words(word).is_none()) {
            self.warnings.push(format!("error type {word:?} is not known here and was not used"));
        }
        for (name, field) in fields {
            if let Some(schema) = properties.get(name) {
                self.value(schema, field, &format!("{path}{name}."));
            }
        }
    }

    /// A verdict beside the judge's scores is the judge's.
    fn move_verdict(&mut self, fields: &mut Map<String, Value>) {
        let Some(verdict) = fields.remove("verdict") else { return };
        self.changed = true;
        let judge = fields.entry("judge").or_insert_with(|| Value::Object(Map::new()));
        if judge.is_null() {
            *judge = Value::Object(Map::new());
        }
        if let Some(judge) = judge.as_object_mut() {
            judge.entry("verdict").or_insert(verdict);
        }
    }

    /// What a schema states about a value: references followed, the alternatives of an optional field taken together.
    fn shape(&self, schema: &'s Value) -> Shape<'s> {
        let mut shape = Shape::default();
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            if let Some(target) = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) {
                open.extend(self.root.pointer(target));
            }
            for several in ["anyOf", "oneOf", "allOf"] {
                open.extend(schema[several].as_array().into_iter().flatten());
            }
            shape.properties = shape.properties.or_else(|| schema["properties"].as_object());
            shape.items = shape.items.or_else(|| schema.get("items"));
            shape.each = shape.each.or_else(|| schema.get("additionalProperties").filter(|each| each.is_object()));
            match &schema["type"] {
                Value::String(name) => shape.types.push(name),
                Value::Array(names) => shape.types.extend(names.iter().filter_map(Value::as_str)),
                _ => {}
            }
        }
        shape
    }
}

#[derive(Default)]
struct Shape<'s> {
    properties: Option<&'s Map<String, Value>>,
    items: Option<&'s Value>,
    /// What every field of a map is.
    each: Option<&'s Value>,
    types: Vec<&'s str>,
}

impl Shape<'_> {
    fn takes(&self, name: &str) -> bool {
        self.types.contains(&name)
    }
}

/// Our name for a field, where it is one of ours and not given already.
fn ours<'s>(name: &str, properties: &'s Map<String, Value>, fields: &Map<String, Value>) -> Option<&'s str> {
    let plain = snake_case(name);
    let aliases = ALIASES.iter().filter(|(theirs, _)| *theirs == plain).map(|(_, own)| *own);
    std::iter::once(plain.as_str())
        .chain(aliases)
        .filter(|own| !fields.contains_key(*own))
        .find_map(|own| properties.get_key_value(own).map(|(known, _)| known.as_str()))
}

fn snake_case(name: &str) -> String {
    let mut plain = String::with_capacity(name.len() + 4);
    let mut after_small = false;
    for c in name.trim().chars() {
        if c.is_ascii_uppercase() && after_small {
            plain.push('_');
        }
        plain.push(if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() });
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_types::{FailureEvent, RepairRequest};
    use serde_json::json;

    /// What each spelling of the documents is read as.
    #[test]
    fn the_documents_own_names() {
        let event = Accept::<FailureEvent>::default();
        let cases = [
            (
                json!({"exit_code": 0, "judge": {"evidenceOfCompletion": 6, "goalAlignment": "12"}}),
                json!({"exit_code": 0, "judge": {"evidence_of_completion": 6, "goal_alignment": 12}}),
            ),
            (
                json!({"exit_code": 0, "judge": {"verdict": "FAIL"}}),
                json!({"exit_code": 0, "judge": {"verdict": "FAIL"}}),
            ),
            (json!({"exit_code": 0, "judge": "FAIL"}), json!({"exit_code": 0, "judge": {"verdict": "FAIL"}})),
            (json!({"exit_code": 0, "verdict": "FAIL"}), json!({"exit_code": 0, "judge": {"verdict": "FAIL"}})),
            (json!({"verdict": "FAIL"}), json!({"exit_code": 0, "judge": {"verdict": "FAIL"}})),
            (
                json!({"exitCode": 1, "stderrTail": "x", "filesTouched": ["a"], "conflictId": "C-7"}),
                json!({"exit_code": 1, "stderr_tail": "x", "files_touched": ["a"], "conflict_id": "C-7"}),
            ),
            (
                json!({"exit_code": "1", "completedSteps": ["s"], "history": [{"timestamp": "t", "node_id": "A", "parent_node_id": "S", "exitCode": 1}]}),
                json!({"exit_code": 1, "completed_steps": ["s"], "history": [{"ts": "t", "node": "A", "parent": "S", "exit_code": 1}]}),
            ),
            (
                json!({"exit_code": 1, "node": {"node_id": "A", "parent_node_id": "S", "failedAttempts": "3", "test_edits": {"someTest.ts": 2}}}),
                json!({"exit_code": 1, "node": {"id": "A", "parent_id": "S", "failed_attempts": 3, "test_edits": {"someTest.ts": 2}}}),
            ),
        ];
        for (theirs, expected) in cases {
            let accepted = event.spell(theirs.clone());
            assert_eq!((accepted.value, accepted.warnings), (expected, vec![]), "{theirs}");
        }
        let request = Accept::<RepairRequest>::default();
        let theirs = json!({"FAILED_TASK": {"number": 3, "name": "Add login", "done-criteria": ["it runs"]}, "ERROR": "404",
            "PLAN_CONTEXT": {"phase-goal": "ship", "adjacent": [{"task_number": 2, "status": "completed"}]}, "REPAIR_BUDGET": "2"});
        let accepted = request.spell(theirs);
        assert!(accepted.changed && accepted.warnings.is_empty(), "{:?}", accepted.warnings);
        let read: RepairRequest = serde_json::from_value(accepted.value).unwrap();
        assert_eq!((read.task.name.as_str(), read.error.text.as_str(), read.budget), ("Add login", "404", Some(2)));
        assert_eq!(read.task.done_criteria, ["it runs"]);
        assert_eq!(read.plan.adjacent[0].status, recovery_types::repair::TaskStatus::Done);
    }

    #[test]
    fn our_own_name_wins_and_what_nobody_knows_is_said() {
        let accepted = Accept::<FailureEvent>::default()
            .spell(json!({"exit_code": 1, "exitCode": 2, "history": [{"evnt": "x"}], "node": {"id": "n", "mood": 1}}));
        assert_eq!(
            accepted.warnings,
            ["exitCode", "history[0].evnt", "node.mood"]
                .map(|field| format!("field `{field}` is not known here and was not read"))
        );
        assert_eq!(accepted.value["exit_code"], 1);
        let declared = |word: &str| Accept::<FailureEvent>::default().spell(json!({"error_type": word})).warnings;
        assert!(declared("rate_limit").is_empty() && declared("Rate limit").is_empty());
        assert_eq!(declared("odd"), ["error type \"odd\" is not known here and was not used"]);
    }
}
