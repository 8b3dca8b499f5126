//! What is recorded about a task in addition to its transitions: the task record of the escalation document, and the
//! notes for the memory files.

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
    /// The outcome.
    pub status: UpdateStatus,
    /// The level entered or ended.
    pub metadata: TaskMetadata,
}

/// The outcome of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TaskStatus"))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UpdateStatus {
    /// A level was entered.
    InProgress,
    /// The task ended: with success, or with partial results.
    Completed,
    /// A person reset the task.
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
    /// The error type.
    pub error_type: ErrorType,
    /// Completed levels, lowest first.
    pub previous_levels: Vec<Level>,
    /// The time of entry.
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
    /// Completed steps.
    pub completed_steps: Vec<String>,
    /// The step that failed.
    pub failed_at: String,
    /// The reason of the failure.
    pub failure_reason: String,
    /// What a person should do to finish.
    pub recommendation: String,
    /// A summary in one line.
    pub summary: String,
}

/// A note about the task, as data for the writer of the memory files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "file")]
pub enum MemoryNote {
    /// A task was force-done: a known blocker until it is resolved.
    #[serde(rename = "issues.md")]
    Issue {
        /// The time of the note.
        at: Timestamp,
        /// The task.
        task_id: String,
        /// The error type.
        error_type: ErrorType,
        /// The reason of the failure.
        root_cause: String,
        /// The step that failed.
        failed_at: String,
        /// What a person should do.
        recommendation: String,
    },
    /// An error that no rule recognised: material for a new rule.
    #[serde(rename = "learnings.md")]
    Learning {
        /// The time of the note.
        at: Timestamp,
        /// The task.
        task_id: String,
        /// The error in the words of the tool.
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
