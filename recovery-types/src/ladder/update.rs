//! What is recorded about a task beside the transitions: the task record of the escalation document, and the notes for the
//! memory files.

use super::Level;
use crate::{ErrorType, Timestamp};
use serde::{Deserialize, Serialize};

/// A task record, in the escalation document's shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TaskUpdate {
    /// The task.
    pub task_id: String,
    /// What became of it.
    pub status: UpdateStatus,
    /// The level entered or ended.
    pub metadata: TaskMetadata,
}

/// What became of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TaskStatus"))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UpdateStatus {
    /// A level was entered.
    InProgress,
    /// It ended: with success, or with partial results.
    Completed,
    /// A person reset it, to be worked on again.
    Pending,
}

/// The two documented kinds of metadata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum TaskMetadata {
    /// A level was entered, or left by success or reset.
    Level(LevelMetadata),
    /// Level 5 was reached and completed.
    ForceDone(ForceDoneMetadata),
}

/// Metadata of a level that was entered, or left by success or reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LevelMetadata {
    /// The level.
    pub recovery_level: Level,
    /// Its action ([`Level::action`]).
    pub recovery_action: String,
    /// What went wrong.
    pub error_type: ErrorType,
    /// Levels completed before it, lowest first.
    pub previous_levels: Vec<Level>,
    /// When it was entered.
    pub entered_at: Timestamp,
}

/// Metadata of a task that was force-done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ForceDoneMetadata {
    /// Always true.
    pub partial: bool,
    /// Always 5.
    pub escalation_level: Level,
    /// The levels visited, lowest first.
    pub escalation_path: Vec<Level>,
    /// What was completed.
    pub completed_steps: Vec<String>,
    /// Where it failed.
    pub failed_at: String,
    /// Why it failed.
    pub failure_reason: String,
    /// What a person should do to finish.
    pub recommendation: String,
    /// The whole in one line.
    pub summary: String,
}

/// Something to remember beyond the task, as data for whoever keeps the memory files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "file")]
pub enum MemoryNote {
    /// A task was force-done: a known blocker until someone resolves it.
    #[serde(rename = "issues.md")]
    Issue {
        /// When.
        at: Timestamp,
        /// The task.
        task_id: String,
        /// What went wrong.
        error_type: ErrorType,
        /// Why it failed.
        root_cause: String,
        /// Where it failed.
        failed_at: String,
        /// What a person should do.
        recommendation: String,
    },
    /// An error that no rule knew: material for a new rule.
    #[serde(rename = "learnings.md")]
    Learning {
        /// When.
        at: Timestamp,
        /// The task.
        task_id: String,
        /// The error in the tool's words.
        message: String,
        /// The step that failed.
        step: Option<String>,
    },
}

impl MemoryNote {
    /// The file it belongs to.
    #[must_use]
    pub const fn file(&self) -> &'static str {
        match self {
            Self::Issue { .. } => "issues.md",
            Self::Learning { .. } => "learnings.md",
        }
    }
}
