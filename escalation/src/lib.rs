//! How hard to push and until when: a sans-io, five-level escalation ladder.
//!
//! | level | does | until |
//! |---|---|---|
//! | 1 retry | the same action after 1, 2 and 4 s | 3 retries or 30 s |
//! | 2 nudge | the same approach, other parameters | 3 variants or 5 min |
//! | 3 replan | a new approach; the old one is known-bad | 1 plan or 15 min |
//! | 4 fallback | another agent or model | 1 failure a target, or 20 min |
//! | 5 force-done | partial results with an explanation | a person resets the task |
//!
//! [`Ladder`] is the machine, [`next`] its rules, [`Policy`] its numbers. [`LoopDetector`] finds runs and cycles of
//! similar actions and can be used alone. Nothing here reads a clock, sleeps or writes: time is an argument,
//! transitions are answers.

mod dot;
mod input;
mod ladder;
mod loops;
mod policy;
mod record;
mod rules;

pub use input::{Failure, Input};
pub use ladder::Ladder;
pub use loops::{Action, LoopDetector, Outcome, normalise};
pub use policy::{Fallback, JudgeThresholds, LoopPolicy, Nudge, Policy, PolicyError, Replan, Retry};
pub use rules::{Move, Position, Trigger, next};
