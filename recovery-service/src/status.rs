//! The status of a task: its state, failures, ladder and last error, as `status`, `stuck` and the MCP server show it.
//!
//! In: a `TaskState` and the time. Out: a [`Status`]. A failure that a hook reported and that was not repeated
//! expires after a while, because agents move on without saying so. Tasks are indexed by labels (open, waiting for a
//! person, ...), so that a list reads only the tasks that it shows.

use recovery_engine::{Engine, LadderView, TaskState};
use recovery_store::TaskId;
use recovery_types::ladder::Command;
use recovery_types::{Level, Timestamp};
use serde::Serialize;

/// A failure that a hook saw once and that was not repeated within this time is of the past.
const EXPIRES_AFTER_MS: u64 = 30 * 60_000;
/// The same for one that was repeated, or that only a person can do something about.
const LONG_EXPIRES_AFTER_MS: u64 = 24 * 3_600_000;

/// How far a task is.
#[derive(Serialize, schemars::JsonSchema)]
pub struct Status {
    /// The task.
    pub task: String,
    /// `ok`, `failing`, `failed` (a run of it ended so), `waiting` (for a conflict), `stuck`, `frozen`, `skipped`,
    /// `resolved` or `expired` (an agent failed and did not repeat it).
    pub state: &'static str,
    /// Why it is stuck, frozen, skipped or waiting.
    pub reason: Option<String>,
    /// Failures since it last worked.
    pub failures: u32,
    /// Failures ever.
    pub failures_ever: u32,
    /// How often it worked after having failed: flaky, or fixed.
    pub recoveries: u32,
    /// How often a hook held an identical call back.
    pub held: u32,
    /// Until when the last of them is held back, where nothing changed since.
    pub held_until: Option<Timestamp>,
    /// The level that the ladder is at now.
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
            _ if has_expired(state, now) => "expired",
            Some(Level::ForceDone) if state.run_ended || state.is_run => "failed",
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
            reason: state
                .frozen
                .clone()
                .or(report)
                .or_else(|| state.given_up_reason.clone())
                .or(waiting)
                .or_else(|| state.skipped.clone()),
            task: task.as_str().to_owned(),
            state: word,
            failures: state.failures,
            failures_ever: state.failures_ever,
            recoveries: state.recoveries,
            held: state.held,
            held_until: state.held_until.filter(|until| *until > now),
            ladder,
            last_error: state.attempts.last().map(|attempt| attempt.error_type.name().to_owned()),
            good_commit: state.good_commit.clone(),
            last_at: state.last_at,
            unreadable: state.unreadable,
        }
    }
}

/// Whether a failure that a hook saw is of the past: the agent went on without repeating it.
fn has_expired(state: &TaskState, now: Timestamp) -> bool {
    let idle_ms = state.last_at.map_or(0, |last| now.since(last));
    expires_after_ms(state).is_some_and(|after_ms| idle_ms > after_ms)
}

/// After how long without anything new the failure is of the past; none where it waits for somebody. One that was repeated
/// until nothing was left to try waits for a person, however long that takes.
fn expires_after_ms(state: &TaskState) -> Option<u64> {
    let is_open = state.failures > 0 && !state.resolved && state.waiting.is_none() && !state.given_up;
    let is_quick = state.failures == 1 && !state.is_stuck();
    let is_given_up = state.failures > 1 && state.is_stuck();
    let after_ms = if is_quick { EXPIRES_AFTER_MS } else { LONG_EXPIRES_AFTER_MS };
    (state.is_watched && is_open && !is_given_up).then_some(after_ms)
}

/// The lists that tasks are kept in, so that neither `status` nor `stuck` reads a task that it does not show. A task moves to
/// another one with a record only; that a failure is of the past follows from its list and its time.
pub(crate) mod lists {
    use super::{EXPIRES_AFTER_MS, LONG_EXPIRES_AFTER_MS, expires_after_ms};
    use recovery_engine::TaskState;
    use recovery_store::TaskList;
    use recovery_types::Timestamp;

    /// Open otherwise: frozen, waiting for a conflict, or of a run that ended. Also what was never labelled.
    pub(crate) const OTHER: TaskList = TaskList::OPEN;
    /// It fails.
    pub(crate) const FAILING: TaskList = TaskList(2);
    /// An agent failed once.
    pub(crate) const FAILING_BRIEFLY: TaskList = TaskList(3);
    /// An agent failed and repeated it.
    pub(crate) const FAILING_FOR_LONG: TaskList = TaskList(4);
    /// It waits for a person.
    pub(crate) const STUCK: TaskList = TaskList(5);
    /// It waits for a person, until the failure is of the past.
    pub(crate) const STUCK_FOR_LONG: TaskList = TaskList(6);

    /// The list that the task belongs to.
    pub(crate) fn of(state: &TaskState) -> TaskList {
        if !state.is_open() {
            return TaskList::CLOSED;
        }
        let expires = expires_after_ms(state);
        match (state.is_stuck(), expires) {
            _ if state.frozen.is_some() => OTHER,
            (true, None) => STUCK,
            (true, Some(_)) => STUCK_FOR_LONG,
            _ if state.waiting.is_some() || state.is_run_over() => OTHER,
            (false, None) => FAILING,
            (false, Some(EXPIRES_AFTER_MS)) => FAILING_BRIEFLY,
            (false, Some(_)) => FAILING_FOR_LONG,
        }
    }

    /// Until when something must have happened for a failure in this list to be of the past at `now`.
    pub(crate) fn expired_until(list: TaskList, now: Timestamp) -> Option<Timestamp> {
        let after_ms = match list {
            FAILING_BRIEFLY => EXPIRES_AFTER_MS,
            FAILING_FOR_LONG | STUCK_FOR_LONG => LONG_EXPIRES_AFTER_MS,
            _ => return None,
        };
        Some(Timestamp::from_ms(now.ms() - after_ms.cast_signed() - 1))
    }
}
