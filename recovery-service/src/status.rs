//! Where a task stands, for people and programs.

use recovery_engine::{Engine, LadderView, TaskState};
use recovery_store::TaskId;
use recovery_types::{Level, Timestamp};
use serde::Serialize;

/// Where a task stands.
#[derive(Serialize, schemars::JsonSchema)]
pub struct Status {
    /// The task.
    pub task: String,
    /// `ok`, `failing`, `stuck` or `resolved`.
    pub state: &'static str,
    /// Failures since it last worked.
    pub failures: u32,
    /// Failures ever.
    pub failures_ever: u32,
    /// How often it worked after having failed: flaky, or mended.
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
            Some(Level::ForceDone) => "stuck",
            _ if state.is_stuck() => "stuck",
            Some(_) => "failing",
            None if state.resolved => "resolved",
            None if state.failures > 0 => "failing",
            None => "ok",
        };
        Self {
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
