//! How hard to push and until when: a sans-io, five-level escalation ladder.
//!
//! | level | does | until |
//! |---|---|---|
//! | 1 retry | the same action after 1, 2 and 4 s | 3 retries or 30 s |
//! | 2 nudge | the same approach, other parameters | 3 variants or 5 min |
//! | 3 replan | a new approach; the old one is known-bad | 1 plan or 15 min |
//! | 4 fallback | another agent or model | 1 failure per target, or 20 min |
//! | 5 force-done | partial results with an explanation | a person resets the task |
//!
//! ```text
//!          what failed decides where it enters; a higher entry lifts at once; it never goes down
//! idle ───────┬───────────┬───────────┬─────────────┬──────────────┐
//!             ▼           ▼           ▼             ▼              ▼
//!          1 retry ──► 2 nudge ──► 3 replan ──► 4 fallback ──► 5 force-done
//!             │           │           │             │              │
//!             └───────────┴─ success ─┴─────────────┘              │ reset
//! idle ◄──────────────────────┴────────────────────────────────────┘
//! ```
//!
//! [`Ladder`] is the machine, [`next`] its rules, [`Policy`] its numbers. [`LoopDetector`] finds runs and cycles of
//! similar actions and can be used alone. Nothing here reads a clock, sleeps or writes: time is an argument,
//! transitions are answers.
//!
//! # Persist, then act
//!
//! A caller passes in what happened ([`Ladder::handle`]), drains the transitions ([`Ladder::poll_transition`]), makes them
//! durable, acts on the last one's command, and comes back at [`Ladder::poll_timeout`] or with the next input. After a
//! restart, the last transition is all that is needed:
//!
//! ```
//! use escalation::{LadderFailure, Input, Ladder, Policy};
//! use recovery_types::{ErrorType, Level, Timestamp};
//!
//! let mut ladder = Ladder::new(Policy::default(), "TASK-1");
//! ladder.handle(Input::Failure(LadderFailure::new(ErrorType::FileNotFound)), Timestamp::from_ms(0));
//! let last = ladder.poll_transition().unwrap();
//! drop(ladder);
//!
//! let mut ladder = Ladder::restore(Policy::default(), "TASK-1", Some(&last));
//! ladder.handle(Input::Success, Timestamp::from_ms(5000));
//! let ended = ladder.poll_transition().unwrap();
//! assert_eq!((ended.from, ended.to), (Some(Level::Nudge), None));
//! ```
//!
//! # Design decisions
//!
//! - The failure that enters a level is not one of its attempts. Another attempt at the same level is a transition from
//!   that level to itself, without a task record.
//! - A deadline takes effect at its own time, before an input of the same time.
//! - A server's wait stops the level's clock for as long as it really lasts; the session's budget runs on. A wait that
//!   the budget cannot outlast is force-done at once, with the time to resume in the recommendation.
//! - A quota with a known reset time is waited for; one without is force-done.
//! - A service that stays unavailable for the whole of level 1 is down: force-done.
//! - Level 5 is complete when it is entered: one transition, whose record carries the partial result.
//! - Success and reset end the ladder with a record of the level that ended: `completed` and `pending`.
//! - A level without attempts is passed over, and the transition records it.

pub mod breaker;
mod dot;
mod input;
mod ladder;
mod loops;
mod matrix;
mod policy;
mod record;
mod rules;

pub use breaker::{Breaker, BreakerPolicy};
pub use input::{Input, LadderFailure};
pub use ladder::Ladder;
pub use loops::{ActionOutcome, LoopDetector, ObservedAction, normalise};
pub use matrix::{MATRIX, entry_level, matrix_level};
pub use policy::{EntrySource, Fallback, JudgeThresholds, LoopPolicy, Nudge, Policy, PolicyError, Replan, Retry};
pub use recovery_types::ladder::{Blocked, Target};
pub use recovery_types::{Cause, Climb, CooldownState, ErrorType, Judge, Level, Timestamp, Transition};
pub use rules::{Move, Position, Trigger, next};
