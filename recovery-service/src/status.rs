//! Where a task stands, for people and programs.

use recovery_engine::{Engine, LadderView, TaskState};
use recovery_store::TaskId;
use recovery_types::ladder::Command;
use recovery_types::{Level, Timestamp};
use serde::Serialize;

/// Where a task stands.
#[derive(Serialize, schemars::JsonSchema)]
pub struct Status {
    /// The task.
    pub task: String,
    /// `ok`, `failing`, `waiting` (for a conflict), `stuck`, `frozen`, `skipped` or `resolved`.
    pub state: &'static str,
    /// Why it is stuck, frozen, skipped or waiting.
    pub reason: Option<String>,
    /// Failures since it last worked.
    pub failures: u32,
    /// Failures ever.
    pub failures_ever: u32,
    /// How often it worked after having failed: flaky, or fixed.
    pub recoveries: u32,
    /// Where the ladder stands now.
    pub ladder: LadderView,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// The last commit known to be good.
    pub good_commit: Option<String>,
    /// When anything last happened.
    pub last_at: Option<Timestamp>,
    /// Records that a newer program wrote and this one cannot read.
    pub unreadable: u32,
}

impl Status {
    /// The status of `task` at `now`.
    #[must_use]
    pub fn of(engine: &Engine, task: &TaskId, state: &TaskState, now: Timestamp) -> Self {
        let ladder = engine.ladder_at(task.as_str(), state, now);
        let word = match ladder.level {
            _ if state.frozen.is_some() => "frozen",
            Some(Level::ForceDone) => "stuck",
            _ if state.is_stuck() => "stuck",
            _ if state.waiting.is_some() => "waiting",
            None if state.skipped.is_some() => "skipped",
            Some(_) => "failing",
            None if state.resolved => "resolved",
            None if state.failures > 0 => "failing",
            None => "ok",
        };
        let waiting = state.waiting.as_ref().map(|waiting| waiting.reason.clone());
        let report = match &ladder.command {
            Some(Command::ForceDone { report }) => Some(report.failure_reason.clone()),
            _ => None,
        };
        Self {
            reason: state.frozen.clone().or(report).or(waiting).or_else(|| state.skipped.clone()),
            task: task.as_str().to_owned(),
            state: word,
            failures: state.failures,
            failures_ever: state.failures_ever,
            recoveries: state.recoveries,
            ladder,
            last_error: state.attempts.last().map(|attempt| attempt.error_type.name().to_owned()),
            good_commit: state.good_commit.clone(),
            last_at: state.last_at,
            unreadable: state.unreadable,
        }
    }
}
