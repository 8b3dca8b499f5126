//! The input of a decision: one failed command, its node in the plan, and the history before it.

use crate::repair::{FailedTask, PlanContext};
use crate::{Cooldown, RepoPath, Timestamp, null_as_default};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One failed command or tool call. Only `exit_code` is required; unknown fields are ignored.
///
/// ```
/// use recovery_types::FailureEvent;
/// let event = FailureEvent::new(101, "error[E0308]: mismatched types").with_tool("cargo").with_action("cargo build");
/// assert_eq!((event.exit_code, event.tool.as_deref()), (101, Some("cargo")));
///
/// let event: FailureEvent = serde_json::from_str(r#"{"exit_code":1,"stderr_tail":"boom"}"#).unwrap();
/// assert_eq!(event.stderr_tail, "boom");
/// assert!(event.node.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureEvent {
    /// The id of the delivery (for example a tool-use id). Two events with one id are the same event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool or command that failed.
    #[serde(default)]
    pub tool: Option<String>,
    /// The exit code; 0 is not a failure.
    pub exit_code: i64,
    /// The end of the output.
    #[serde(default, deserialize_with = "null_as_default")]
    pub stderr_tail: String,
    /// The duration in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// SHA-256 of the output in hexadecimal, if the caller has it: over the raw text or as an earlier answer gave it,
    /// with or without `sha256:`, complete or its first 12 or more digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_hash: Option<String>,
    /// The name of an error type, if the caller knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// The number of similar actions in a row, this one included, if the caller counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar: Option<u32>,
    /// The model that worked on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The agent that worked on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The output of the failed test, if the test runner gives it separately.
    #[serde(default)]
    pub test_output: Option<String>,
    /// Files this attempt changed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files_touched: Vec<RepoPath>,
    /// The cause, if the caller knows it: `conflict` if two tasks collided, `time_limit` if the command was stopped
    /// because it exceeded its limit.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub cause: Option<FailureCause>,
    /// The conflict it belongs to.
    #[serde(default)]
    pub conflict_id: Option<String>,
    /// The approach, in the words of the caller.
    #[serde(default)]
    pub approach: Option<String>,
    /// The action itself (a command line, a tool with its arguments), which loop detection compares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Whether repeating the identical action is safe; safe by default.
    #[serde(default)]
    pub idempotent: Option<bool>,
    /// Completed steps of the task.
    #[serde(default, deserialize_with = "null_as_default")]
    pub completed_steps: Vec<String>,
    /// The step that failed.
    #[serde(default)]
    pub step: Option<String>,
    /// The last commit known to be good.
    #[serde(default)]
    pub last_good_commit: Option<String>,
    /// The time zone of the machine that printed the output (an IANA name or an offset), for reset times without a
    /// zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// A judge's verdict on the work.
    #[serde(default)]
    pub judge: Option<Judge>,
    /// The task's node in the plan.
    #[serde(default)]
    pub node: Option<Node>,
    /// Earlier events, oldest first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub history: Vec<HistoryEntry>,
    /// The T1 ancestor with the constraints of the mission.
    #[serde(default)]
    pub ancestor: Option<Ancestor>,
    /// The task of the plan with its done-criteria, for node repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<FailedTask>,
    /// The plan around the task, for node repair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanContext>,
    /// Paths, scripts and targets that exist in the project, candidates for the intended name where one was wrong.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The shared wait for the resource of this failure, if the caller or the store states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown: Option<Cooldown>,
}

/// Why an action failed, where the caller knows it; any text in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum FailureCause {
    /// `conflict`: two tasks collided.
    Conflict,
    /// `time_limit`: the command was stopped because it exceeded its limit.
    TimeLimit,
    /// `retried_inside`: the command contains a `recovery run` that gave up on the same kind of failure.
    RetriedInside,
    /// Any other word, which decides nothing.
    Other(String),
}

impl From<String> for FailureCause {
    fn from(text: String) -> Self {
        match text.as_str() {
            "conflict" => Self::Conflict,
            "time_limit" => Self::TimeLimit,
            "retried_inside" => Self::RetriedInside,
            _ => Self::Other(text),
        }
    }
}

impl From<FailureCause> for String {
    fn from(cause: FailureCause) -> Self {
        cause.to_string()
    }
}

impl std::fmt::Display for FailureCause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Conflict => "conflict",
            Self::TimeLimit => "time_limit",
            Self::RetriedInside => "retried_inside",
            Self::Other(text) => text,
        })
    }
}

impl FailureEvent {
    /// A command with this exit code and output.
    #[must_use]
    pub fn new(exit_code: i64, stderr_tail: impl Into<String>) -> Self {
        Self { exit_code, stderr_tail: stderr_tail.into(), ..Self::default() }
    }

    /// With the tool or command that failed.
    #[must_use]
    pub fn with_tool(self, tool: impl Into<String>) -> Self {
        Self { tool: Some(tool.into()), ..self }
    }

    /// With the action itself: a command line, or a tool with its arguments.
    #[must_use]
    pub fn with_action(self, action: impl Into<String>) -> Self {
        Self { action: Some(action.into()), ..self }
    }

    /// With the approach, in the words of the caller.
    #[must_use]
    pub fn with_approach(self, approach: impl Into<String>) -> Self {
        Self { approach: Some(approach.into()), ..self }
    }

    /// With the node of the task in the plan.
    #[must_use]
    pub fn with_node(self, node: Node) -> Self {
        Self { node: Some(node), ..self }
    }

    /// With earlier events, oldest first.
    #[must_use]
    pub fn with_history(self, history: Vec<HistoryEntry>) -> Self {
        Self { history, ..self }
    }
}

/// The scores that a judge gave to finished work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judge {
    /// The strength of the evidence that the work is done.
    #[serde(default)]
    pub evidence_of_completion: Option<u32>,
    /// How well the work matches the goal.
    #[serde(default)]
    pub goal_alignment: Option<u32>,
    /// The verdict on the work as a whole; FAIL is a failure whatever the scores are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A judge's verdict on the work as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Verdict {
    /// The work is done.
    #[serde(alias = "pass", alias = "Pass", alias = "passed", alias = "PASSED")]
    Pass,
    /// The work is not done.
    #[serde(alias = "fail", alias = "Fail", alias = "failed", alias = "FAILED")]
    Fail,
}

/// A level of the plan: initiative, feature, story, task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Tier {
    /// Initiative: the mission and its constraints.
    T1,
    /// Feature.
    T2,
    /// Story.
    T3,
    /// Task: what an agent works on.
    T4,
}

/// The node of the failed task in the plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Node {
    /// The id of the node.
    pub id: String,
    /// The id of the parent.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// The id of the feature that the story belongs to; all stories of a feature share its replans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature_id: Option<String>,
    /// The level in the plan.
    #[serde(default)]
    pub tier: Option<Tier>,
    /// The status, in the words of the plan.
    #[serde(default)]
    pub status: Option<String>,
    /// Failed attempts, this one included.
    #[serde(default)]
    pub failed_attempts: Option<u32>,
    /// Remaining replans.
    #[serde(default)]
    pub replan_budget_remaining: Option<u32>,
    /// How far the work has drifted from the plan, 0 to 1; computed where not given.
    #[serde(default, deserialize_with = "score")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub deviation_score: Option<f64>,
    /// Revisions since planning, cosmetic ones excluded.
    #[serde(default, deserialize_with = "null_as_default")]
    pub revisions_since_planning: u32,
    /// Tokens used.
    #[serde(default)]
    pub actual_tokens: Option<u64>,
    /// Planned tokens.
    #[serde(default)]
    pub context_budget: Option<u64>,
    /// The number of edits of each test in the revision history.
    #[serde(default, deserialize_with = "null_as_default")]
    pub test_edits: BTreeMap<String, u32>,
}

/// One earlier event of this node or of a sibling (another node with the same parent).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryEntry {
    /// The time of the event.
    #[serde(default)]
    pub ts: Option<Timestamp>,
    /// The node that the event belongs to.
    #[serde(default)]
    pub node: Option<String>,
    /// The parent of that node.
    #[serde(default)]
    pub parent: Option<String>,
    /// The name of the event: `execution_failed`, `replanned`, ...
    #[serde(default)]
    pub event: Option<String>,
    /// The exit code.
    #[serde(default)]
    pub exit_code: Option<i64>,
    /// SHA-256 of the output in hexadecimal.
    #[serde(default)]
    pub stderr_hash: Option<String>,
    /// The output, as an alternative to its hash.
    #[serde(default)]
    pub stderr_tail: Option<String>,
    /// The approach.
    #[serde(default)]
    pub approach: Option<String>,
    /// The test that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The name of an error type, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_type: Option<String>,
    /// The conflict it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict_id: Option<String>,
    /// The reason, for an event that is no attempt: a freeze, a replan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Files it changed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files_touched: Vec<RepoPath>,
}

/// The T1 ancestor: the purpose of the whole plan and what it must not do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ancestor {
    /// Its id.
    #[serde(default)]
    pub id: Option<String>,
    /// The mission, for people.
    #[serde(default)]
    pub intent: Option<String>,
    /// Constraints on the work.
    #[serde(default, deserialize_with = "null_as_default")]
    pub constraints: Vec<Constraint>,
    /// The features of the mission with their paths.
    #[serde(default, deserialize_with = "null_as_default")]
    pub features: BTreeMap<String, Vec<String>>,
}

/// One constraint of the mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constraint {
    /// The name, shown as evidence.
    pub id: String,
    /// Patterns that must not occur in the output, the approach or the tool.
    #[serde(default, deserialize_with = "null_as_default")]
    pub forbid: Vec<String>,
    /// Globs of paths that must not be changed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub protect: Vec<String>,
}

/// Deserialises a score. A score outside of 0 to 1 is an error: no rule could interpret it.
fn score<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    use serde::de::{Error as _, Unexpected};
    match Option::<f64>::deserialize(deserializer)? {
        Some(score) if !(0.0..=1.0).contains(&score) => {
            Err(D::Error::invalid_value(Unexpected::Float(score), &"a number from 0 to 1"))
        }
        fit => Ok(fit),
    }
}

#[cfg(test)]
mod tests {
    use super::FailureEvent;

    #[test]
    fn only_the_exit_code_is_required() {
        assert!(serde_json::from_str::<FailureEvent>("{}").is_err());
        let event: FailureEvent =
            serde_json::from_str(r#"{"exit_code":7,"stderr_tail":null,"files_touched":null,"new":1}"#).unwrap();
        assert_eq!(event, FailureEvent { exit_code: 7, ..FailureEvent::default() });
    }

    #[test]
    fn a_score_is_from_0_to_1() {
        let read = |score: &str| {
            let json = format!(r#"{{"exit_code":1,"node":{{"id":"n","deviation_score":{score}}}}}"#);
            serde_json::from_str::<FailureEvent>(&json)
        };
        for fit in ["0", "0.7", "1", "null"] {
            assert!(read(fit).is_ok(), "{fit}");
        }
        for unfit in ["-5", "-0.001", "1.001", "1e300", "1e999", "\"0.5\""] {
            assert!(read(unfit).is_err(), "{unfit}");
        }
        assert!(read("-5").unwrap_err().to_string().contains("expected a number from 0 to 1"));
    }

    #[test]
    fn events_read_back() {
        let json = r#"{"tool":"Bash","exit_code":1,"stderr_tail":"x","files_touched":["./src/a.rs"],
            "judge":{"evidence_of_completion":6,"goal_alignment":12},
            "node":{"id":"TASK-00101","tier":"T4","test_edits":{"t.ts":4}},
            "history":[{"ts":"2026-01-24T10:00:00Z","node":"TASK-00101","event":"execution_failed"}],
            "ancestor":{"constraints":[{"id":"no-new-deps","forbid":["npm install"]}],"features":{"auth":["src/auth/**"]}}}"#;
        let event: FailureEvent = serde_json::from_str(json).unwrap();
        let again = serde_json::from_str(&serde_json::to_string(&event).unwrap()).unwrap();
        assert_eq!(event, again);
        assert_eq!(event.files_touched[0].as_str(), "src/a.rs");
    }
}
