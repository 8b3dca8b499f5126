//! What was tried so far, for the command that has to find another way.

use recovery_engine::{Decision, Entry, TaskState};
use recovery_types::repair::Repair;
use recovery_types::terminal::one_line;
use recovery_types::{Class, Classification, Diagnosis, ErrorType, FailureEvent, Level, Timestamp};
use serde::Serialize;

/// Every attempt and the last failure, as JSON: on the standard input of a `--replan` command, and in the file that
/// `RECOVERY_STORY` names for every command from level 2 on.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Story"))]
pub struct AttemptHistory {
    /// The task.
    pub task: String,
    /// The command that is to work.
    pub command: String,
    /// What was being tried, in the user's words.
    pub approach: Option<String>,
    /// What the step is called.
    pub step: Option<String>,
    /// The level that this is written at.
    pub level: Level,
    /// Which attempt at this level is under way, from 1.
    pub attempt: u32,
    /// When this level's time is up.
    pub deadline: Option<Timestamp>,
    /// Approaches that must not be tried again.
    pub known_bad: Vec<String>,
    /// Every failed attempt, oldest first.
    pub attempts: Vec<FailedAttempt>,
    /// The last failure, in full.
    pub last: Option<LastFailure>,
}

/// One failed attempt.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Tried"))]
pub struct FailedAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// The command.
    pub action: Option<String>,
    /// What was being tried, where it was stated.
    pub approach: Option<String>,
    /// What went wrong.
    pub error_type: ErrorType,
    /// How far it reached.
    pub class: Class,
    /// The level it led to.
    pub level: Option<Level>,
    /// The exit code.
    pub exit_code: i64,
}

/// The last failure.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Last"))]
pub struct LastFailure {
    /// The exit code.
    pub exit_code: i64,
    /// The end of what it printed.
    pub output: String,
    /// How far it reached.
    pub classification: Option<Classification>,
    /// What kind it was.
    pub diagnosis: Option<Diagnosis>,
    /// How the task could be repaired.
    pub repair: Option<Repair>,
}

impl LastFailure {
    /// Of the last decision's entry.
    pub fn of(entry: Entry) -> Option<Self> {
        let Entry::Decided { event, decision, .. } = entry else { return None };
        let FailureEvent { exit_code, stderr_tail, .. } = event.into_inner();
        let Decision { classification, diagnosis, repair, .. } = *decision;
        Some(Self { exit_code, output: stderr_tail, classification, diagnosis, repair })
    }
}

/// The failed attempts that the state remembers.
pub(crate) fn failed_attempts(state: &TaskState) -> Vec<FailedAttempt> {
    let attempts = state.attempts.iter().map(|attempt| FailedAttempt {
        at: attempt.at,
        action: attempt.action.clone(),
        approach: attempt.stated.then(|| one_line(&attempt.approach, 1000)),
        error_type: attempt.error_type,
        class: attempt.class,
        level: attempt.level,
        exit_code: attempt.exit_code,
    });
    attempts.collect()
}
