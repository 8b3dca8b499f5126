//! The repair of a failed task: the request; the answer is in `repair/answer.rs`.

mod answer;

pub use answer::{Adjustment, AdjustmentKind, Gate, GateOption, Repair, SubTask};

use crate::diagnosis::{IndicatorHit, Location, Missing};
use crate::{Class, ErrorType, Problem, Timestamp, null_as_default};
use serde::{Deserialize, Serialize};

/// The strategy for a failed task. A closed set, matched without `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Strategy {
    /// The approach is right, its execution failed: the same task with one adjustment.
    Retry,
    /// The task is too coarse: replace it by two or three sub-tasks.
    Decompose,
    /// The task is impossible under the present plan: remove it.
    Prune,
    /// A person has to decide.
    Escalate,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 4] = [Self::Retry, Self::Decompose, Self::Prune, Self::Escalate];

    /// The name as directives, log lines and JSON spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "RETRY",
            Self::Decompose => "DECOMPOSE",
            Self::Prune => "PRUNE",
            Self::Escalate => "ESCALATE",
        }
    }

    /// Whether the strategy uses up one of the repair attempts of the task.
    #[must_use]
    pub const fn spends_budget(self) -> bool {
        match self {
            Self::Retry | Self::Decompose => true,
            Self::Prune | Self::Escalate => false,
        }
    }
}

impl std::fmt::Display for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A task that failed its verification, and what is known about it. Only `task` is required in JSON.
///
/// ```
/// use recovery_types::RepairRequest;
/// let json = r#"{"task":{"number":"3","name":"Add login"},"error":{"text":"boom"}}"#;
/// let request: RepairRequest = serde_json::from_str(json).unwrap();
/// assert_eq!(request.task.number, "3");
/// assert_eq!(request.budget, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairRequest {
    /// The task.
    pub task: FailedTask,
    /// The result of the verification.
    #[serde(default, deserialize_with = "null_as_default")]
    pub error: VerificationError,
    /// The plan around the task.
    #[serde(default, deserialize_with = "null_as_default")]
    pub plan: PlanContext,
    /// Remaining repair attempts; by default the configured budget less the attempts listed here.
    #[serde(default)]
    pub budget: Option<u32>,
    /// Earlier repairs, oldest first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub attempts: Vec<RepairAttempt>,
    /// How far the failure reaches, if a classifier determined it.
    #[serde(default)]
    pub class: Option<Class>,
    /// The error type, if a diagnosis determined it.
    #[serde(default)]
    pub error_type: Option<ErrorType>,
    /// The wait that the server asked for.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
    /// Paths that exist in the project: candidates for a wrong path, and lock files that identify the package manager.
    #[serde(default, deserialize_with = "null_as_default")]
    pub candidates: Vec<String>,
    /// The missing thing, if a diagnosis named it.
    #[serde(default)]
    pub missing: Option<Missing>,
    /// The place of the first error, if a diagnosis found it.
    #[serde(default)]
    pub location: Option<Location>,
    /// The root cause among the reported problems, if a diagnosis found it.
    #[serde(default)]
    pub problem: Option<Problem>,
    /// The indicators of the diagnosis: their lines are the evidence.
    #[serde(default, deserialize_with = "null_as_default")]
    pub indicators: Vec<IndicatorHit>,
    /// The indicator that decided the diagnosis, by its stable id.
    #[serde(default)]
    pub row: Option<String>,
    /// The time at which a quota is renewed.
    #[serde(default)]
    pub resets_at: Option<Timestamp>,
    /// The command that failed, if it is known.
    #[serde(default)]
    pub action: Option<String>,
    /// Whether repeating the action unchanged is allowed.
    #[serde(default)]
    pub repeating: Repeating,
}

/// Whether repeating the action unchanged is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Repeating {
    /// It is allowed.
    #[default]
    Allowed,
    /// The retries are used up, or the ladder is at a higher level.
    Spent,
    /// It may have taken effect, and repeating it is not safe.
    Unsafe,
}

/// The task that failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"number\":\"3\",\"name\":\"...\",\"done_criteria\":[\"...\"]}")]
pub struct FailedTask {
    /// The number in the plan (`3`, `3.1`); a JSON number is accepted.
    #[serde(default, deserialize_with = "text_or_number")]
    #[cfg_attr(feature = "schema", schemars(with = "TextOrNumber"))]
    pub number: String,
    /// The work to do.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// The done-criteria; a single text is accepted as a list of one.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "OneOrMany"))]
    pub done_criteria: Vec<String>,
    /// Whether the task is a decision that only a person can take.
    #[serde(default, deserialize_with = "null_as_default")]
    pub decision: bool,
    /// Numbers of the tasks that it depends on.
    #[serde(default, deserialize_with = "texts_or_numbers")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TextOrNumber>"))]
    pub depends_on: Vec<String>,
}

/// The result of the verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"text\":\"...\",\"expected\":\"...\",\"actual\":\"...\"}")]
pub struct VerificationError {
    /// The output.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
    /// The expected result.
    #[serde(default)]
    pub expected: Option<String>,
    /// The actual result.
    #[serde(default)]
    pub actual: Option<String>,
}

/// The plan around the failed task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"adjacent\":[...],\"decisions\":[\"...\"],\"out_of_scope\":[\"...\"]}")]
pub struct PlanContext {
    /// The objective of the phase.
    #[serde(default)]
    pub phase_goal: Option<String>,
    /// The tasks before and after it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub adjacent: Vec<AdjacentTask>,
    /// Earlier decisions, in their own words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub decisions: Vec<String>,
    /// What the phase excludes, in its own words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub out_of_scope: Vec<String>,
}

/// A task before or after the failed one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjacentTask {
    /// The number in the plan; a JSON number is accepted.
    #[serde(default, deserialize_with = "text_or_number")]
    #[cfg_attr(feature = "schema", schemars(with = "TextOrNumber"))]
    pub number: String,
    /// The work to do.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its state.
    #[serde(default)]
    pub status: TaskStatus,
}

/// The state of a task of the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Verified.
    #[serde(alias = "completed", alias = "complete")]
    Done,
    /// The verification failed.
    Failed,
    /// Removed from the plan.
    Skipped,
    /// Not started, in progress, or not given.
    #[default]
    #[serde(alias = "in_progress", alias = "active", alias = "planned")]
    Pending,
}

/// An earlier repair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairAttempt {
    /// The strategy; RETRY by default.
    #[serde(default)]
    pub strategy: Option<Strategy>,
    /// What was done, in the words of the caller.
    #[serde(default, deserialize_with = "null_as_default")]
    pub approach: String,
    /// Whether it succeeded; failed by default.
    #[serde(default, deserialize_with = "null_as_default")]
    pub ok: bool,
}

impl RepairAttempt {
    /// The strategy, with its default.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy.unwrap_or(Strategy::Retry)
    }
}

/// A task number as plans spell it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a task number as text or number")]
enum TextOrNumber {
    Text(String),
    Whole(u64),
    Decimal(f64),
    None(()),
}

impl From<TextOrNumber> for String {
    fn from(number: TextOrNumber) -> Self {
        match number {
            TextOrNumber::Text(text) => text,
            TextOrNumber::Whole(number) => number.to_string(),
            TextOrNumber::Decimal(number) => number.to_string(),
            TextOrNumber::None(()) => Self::new(),
        }
    }
}

fn text_or_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    TextOrNumber::deserialize(deserializer).map(Into::into)
}

fn texts_or_numbers<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let numbers: Vec<TextOrNumber> = null_as_default(deserializer)?;
    Ok(numbers.into_iter().map(Into::into).collect())
}

/// One text, or several.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum OneOrMany {
    Many(Vec<String>),
    One(String),
    None(()),
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(many) => many,
        OneOrMany::One(one) => vec![one],
        OneOrMany::None(()) => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_json_says() {
        for strategy in Strategy::ALL {
            assert_eq!(serde_json::to_value(strategy).unwrap(), strategy.name());
        }
        for option in GateOption::ALL {
            assert_eq!(serde_json::to_value(option).unwrap(), option.name());
        }
    }

    #[test]
    fn plans_may_write_numbers_and_single_texts() {
        let json = r#"{"task":{"number":3,"done_criteria":"it runs","depends_on":[1,"2"]},"error":null,"plan":{"adjacent":[{"number":2.1}]}}"#;
        let request: RepairRequest = serde_json::from_str(json).unwrap();
        assert_eq!(request.task.number, "3");
        assert_eq!(request.task.done_criteria, ["it runs"]);
        assert_eq!(request.task.depends_on, ["1", "2"]);
        assert_eq!(request.plan.adjacent[0].number, "2.1");
        assert_eq!(request.plan.adjacent[0].status, TaskStatus::Pending);
    }

    #[test]
    fn a_request_without_a_task_is_refused() {
        let error = serde_json::from_str::<RepairRequest>("{}").unwrap_err();
        assert!(error.to_string().contains("missing field `task`"), "{error}");
        let error = serde_json::from_str::<RepairRequest>(r#"{"task":{},"budget":-1}"#).unwrap_err();
        assert!(error.to_string().contains("-1"), "{error}");
    }
}
