//! Runs a command under the escalation ladder: retried, varied, replanned, replaced by a fallback, or explained.
//!
//! A [`Plan`](plan::Plan) states what each level runs. The [`Driver`](driver::Driver) is the loop: run, decide, wait, climb. It does no
//! I/O of its own: the clock and the children are behind [`World`](world::World), what is decided is kept by a
//! [`Recorder`](recorder::Recorder), and what happens is passed to a [`Listener`](notice::Listener). Tests put virtual ones in
//! their place and run the whole ladder in virtual time. The feature `process` (on by default) brings real children.
//!
//! | to change | look in |
//! |---|---|
//! | what each level runs, the ladder's numbers under a run | [`plan`] |
//! | how commands and playbooks are written | [`playbook`] |
//! | the loop: run, decide, wait, climb | [`driver`] |
//! | how a judge command's output is read | [`judge`] |
//! | what is reported about a run | [`notice`] |
//! | what a replan command receives | [`history`] |
//! | where decisions are recorded, and what happens when that fails | [`recorder`]; in the journal: `journal.rs` (feature `journal`) |
//! | children: groups, limits, signals, terminals, locks | [`process`] |

pub mod driver;
pub mod exit;
pub mod history;
#[cfg(feature = "journal")]
pub mod journal;
pub mod judge;
pub mod notice;
pub mod plan;
pub mod playbook;
#[cfg(feature = "process")]
pub mod process;
pub mod recorder;
pub mod span;
pub mod watch;
pub mod world;

pub use escalation::{Input, Policy, Retry};
pub use recovery_engine::{Admitted, Decision, Engine, Entry, Observer, PackName, TaskState, Taxonomy};
#[cfg(feature = "journal")]
pub use recovery_service::Ledger;
#[cfg(feature = "journal")]
pub use recovery_store::TaskId;
pub use recovery_types::{
    Class, Classification, Cooldown, Diagnosis, ErrorType, FailureEvent, ForceDoneReport, Judge, Level, Repair,
    Timestamp, Transition,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
