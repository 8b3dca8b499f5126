//! The transition rules of the ladder: state and input in, next state out. Nothing else decides.
//!
//! In: a policy, a [`Position`] and a [`Trigger`]. Out: a [`Move`]. [`next`] is a pure, total function without wildcards over
//! states or triggers, so a new one does not compile until every pair has an answer; the whole table is a snapshot. Time and
//! records are the ladder's (`ladder.rs`); numbers are the policy's (`policy.rs`).

use crate::Policy;
use recovery_types::{ErrorType, Level};

/// What follows when `trigger` happens at `position`. Pure and total; the whole table is a snapshot in the tests.
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
        // Nothing was given up but time: what works late works.
        (Done { ran_out_of_time: true }, Succeeded) => Move::End,
        (Done { ran_out_of_time: false }, Succeeded) => Move::Stay,
        (Done { .. }, Failed { .. } | Looped { .. } | Deadline | Budget | Paused | Skipped) => Move::Stay,
    }
}

/// The current state of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Nothing is being recovered from.
    Idle,
    /// At a level from 1 to 4.
    Climbing {
        /// The level.
        level: Level,
        /// Which attempt is under way, from 1.
        attempt: u32,
        /// What went wrong, last.
        error: ErrorType,
    },
    /// At level 5.
    Done {
        /// Whether it got there because a level's limit passed, and not for a failure, a loop or a budget.
        ran_out_of_time: bool,
    },
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// An action failed, or a judge found it wanting.
    Failed {
        /// What went wrong.
        error: ErrorType,
        /// Where that enters ([`Policy::entry_level`]).
        entry: Level,
    },
    /// Similar actions followed one another.
    Looped {
        /// Where that lifts to.
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
    /// Someone else has to decide first.
    Paused,
    /// The task is left out.
    Skipped,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing.
    Stay,
    /// Another attempt at the same level.
    Attempt {
        /// That level.
        level: Level,
        /// Which attempt, from 2.
        attempt: u32,
    },
    /// A level is entered, with its first attempt.
    Enter {
        /// That level; where it has nothing to try, the first one above that has ([`Policy::at_or_above`]).
        wanted: Level,
    },
    /// The level's clock is stopped.
    Hold,
    /// The ladder is idle again.
    End,
}
