//! The transition rules of the ladder: state and input in, next state out.
//!
//! In: a policy, a [`Position`] and a [`Trigger`]. Out: a [`Move`]. [`next`] is a pure, total function without wildcards over
//! states or triggers, so a new one does not compile until every pair has an answer; the whole table is a snapshot. Time and
//! records are the ladder's (`ladder.rs`); numbers are the policy's (`policy.rs`).

use crate::Policy;
use recovery_types::{ErrorType, Level};

/// The move that follows when `trigger` occurs at `position`. Pure and total; the whole table is a snapshot in the
/// tests.
///
/// ```
/// use escalation::{Move, Policy, Position, Trigger, next};
/// use recovery_types::{ErrorType, Level};
/// let at = Position::Climbing { level: Level::Retry, attempt: 3, error: ErrorType::NetworkTimeout };
/// assert_eq!(next(&Policy::default(), at, Trigger::Deadline), Move::Enter { wanted: Level::Nudge });
/// ```
#[must_use]
pub fn next(policy: &Policy, position: Position, trigger: Trigger) -> Move {
    use Position::{Climbing, Done, Idle};
    use Trigger::{Budget, Deadline, Failed, Looped, Paused, Reset, Skipped, Succeeded};
    match (position, trigger) {
        (Idle, Failed { entry, .. } | Looped { entry }) => Move::Enter { wanted: entry },
        (Idle, Deadline | Budget | Succeeded | Reset | Paused | Skipped) => Move::Stay,

        (Climbing { level, .. }, Failed { entry, .. } | Looped { entry }) if entry > level => {
            Move::Enter { wanted: entry }
        }
        (Climbing { level, attempt, .. }, Failed { .. }) if attempt < policy.attempts(level) => {
            Move::Attempt { level, attempt: attempt + 1 }
        }
        (Climbing { level, .. }, Failed { error, .. }) => Move::Enter { wanted: policy.after(level, error) },
        (Climbing { level, error, .. }, Deadline) => Move::Enter { wanted: policy.after(level, error) },
        (Climbing { .. }, Budget) => Move::Enter { wanted: Level::ForceDone },
        (Climbing { .. }, Looped { .. }) => Move::Stay,
        (Climbing { .. }, Paused) => Move::Hold,
        (Climbing { .. }, Succeeded | Reset | Skipped) => Move::End,

        (Done { .. }, Reset) => Move::End,
        // Only the time limit ended it, so a late success counts.
        (Done { ran_out_of_time: true }, Succeeded) => Move::End,
        (Done { ran_out_of_time: false }, Succeeded) => Move::Stay,
        (Done { .. }, Failed { .. } | Looped { .. } | Deadline | Budget | Paused | Skipped) => Move::Stay,
    }
}

/// The current state of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// No failure is being recovered from.
    Idle,
    /// At a level from 1 to 4.
    Climbing {
        /// The level.
        level: Level,
        /// The current attempt.
        attempt: u32,
        /// The last error type.
        error: ErrorType,
    },
    /// At level 5.
    Done {
        /// Whether it was reached because the time limit of a level passed, and not by a failure, a loop or a budget.
        ran_out_of_time: bool,
    },
}

/// The trigger of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An action failed, or a judge's score was below its threshold.
    Failed {
        /// The error type.
        error: ErrorType,
        /// Its entry level ([`Policy::entry_level`]).
        entry: Level,
    },
    /// Similar actions were repeated.
    Looped {
        /// The level that the loop lifts to.
        entry: Level,
    },
    /// The level's limit passed.
    Deadline,
    /// The session's limit passed.
    Budget,
    /// The action succeeded.
    Succeeded,
    /// A person reset the task.
    Reset,
    /// Another party has to decide first.
    Paused,
    /// The task is removed from the plan.
    Skipped,
}

/// The change of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// No change.
    Stay,
    /// Another attempt at the same level.
    Attempt {
        /// The level.
        level: Level,
        /// The number of the attempt, from 2.
        attempt: u32,
    },
    /// A level is entered, with its first attempt.
    Enter {
        /// The level; if it has no attempts, the first one above that has ([`Policy::at_or_above`]).
        wanted: Level,
    },
    /// The clock of the level is stopped.
    Hold,
    /// The ladder is idle again.
    End,
}
