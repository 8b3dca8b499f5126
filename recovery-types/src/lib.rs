//! The shared types of the recovery engine.
//!
//! Five crates answer five questions about a failure and do not depend on each other; what they exchange are the types of
//! this crate. It holds no policy and does no I/O.
//!
//! | module | types for |
//! |---|---|
//! | [`event`] | the input: a failed command, its node in the plan, the history before it |
//! | [`diagnosis`] | what kind of failure it is |
//! | [`problem`] | an error or failing test that a tool reported: message, place, test |
//! | [`classification`] | how far it reaches |
//! | [`repair`] | how the task is repaired |
//! | [`ladder`] | how hard to push, and until when |
//! | [`cooldown`] | a wait shared by every task that uses the same resource |
//! | [`ansi`], [`ci_log`] | escape codes, and what CI systems print about their steps |
//! | [`time`], [`path`], [`similarity`], [`permille`], [`digest`], [`terminal`], [`neutral`] | values and text functions that all crates use |

pub mod ansi;
pub mod ci_log;
pub mod classification;
pub mod cooldown;
pub mod diagnosis;
pub mod digest;
mod display;
pub mod event;
pub mod ladder;
pub mod neutral;
pub mod path;
pub mod permille;
pub mod problem;
pub mod repair;
pub mod similarity;
pub mod terminal;
pub mod time;

pub use classification::{Action, Class, Classification};
pub use cooldown::{Cooldown, CooldownState};
pub use diagnosis::{Diagnosis, ErrorType, FailureType, IndicatorHit, RecoveryAction, RecoveryVerb};
pub use event::{Ancestor, Constraint, FailureCause, FailureEvent, HistoryEntry, Judge, Node, Tier, Verdict};
pub use ladder::{Cause, Climb, Command, ForceDoneReport, Level, TaskUpdate, Transition};
pub use path::RepoPath;
pub use permille::Permille;
pub use problem::{Problem, Severity};
pub use repair::{Adjustment, AdjustmentKind, Gate, GateOption, Repair, RepairRequest, Strategy, SubTask};
pub use time::Timestamp;

/// Deserialises JSON `null` as the default of the type, so that `"files_touched": null` means "none".
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Default + serde::Deserialize<'de>,
{
    use serde::Deserialize as _;
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
