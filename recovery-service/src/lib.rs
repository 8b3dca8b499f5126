//! Decide and record: the one place that joins the engine, the journal, the clock and the notes that people read. The
//! command line, the hooks and the MCP server are adapters of this crate.
//!
//! A failure comes in as a [`Question`], which redacts it ([`recovery_engine::Admitted`]); [`Service::decide`] makes the
//! decision durable, appends to the notes and returns it. A task's [`Status`] and [`Hints`] are read back from the same
//! records; [`Service::resolve`] and [`Service::reset`] record what a person decided about it.
//!
//! | to change | look in |
//! |---|---|
//! | what callers can ask for | `service.rs`, `service/` |
//! | how `journal show` words a record | `summary.rs` |
//! | how a decision is made durable, and how a task's state is read back | `ledger.rs`, `ledger/` |
//! | what `status` and `hints` show | `status.rs`, `hints.rs` |
//! | `issues.md` and `learnings.md` | [`notes`] |
//! | which spellings of an event or request are read | `accept.rs` |
//! | the words that people read about a failure | [`answer`] |
//! | the pages of `recovery explain` | [`explain`] |
//! | how a mistake in JSON is named | [`json`] |
//! | what other programs can watch | [`events`] |
//! | the files of other recovery systems | [`migrate`] |
//! | what a coding agent's hook answers | [`hook`] |
//! | how text from outside is shown to a model | [`quote`], [`outside`] |
//! | when a rollback is due | [`rollback`] |
//! | deciding everything again with today's rules | [`mod@replay`] |
//! | a script of failures in virtual time | [`script`] |
//! | facts about a node from a task's commits | [`revisions`] |
//! | which scripts, targets and lock files exist | [`names`] |

mod accept;
pub mod answer;
mod body;
mod classified;
pub mod clock;
mod error;
pub mod events;
pub mod explain;
mod hints;
pub mod hook;
pub mod json;
pub mod ledger;
pub mod migrate;
pub mod names;
pub mod notes;
pub mod outside;
pub mod quote;
mod record_schema;
pub mod replay;
pub mod revisions;
pub mod rollback;
pub mod script;
mod service;
mod status;
mod summary;

pub use accept::{Accept, Accepted};
pub use classified::Classified;
pub use clock::{Clock, SystemClock};
pub use error::{NoteError, ServiceError};
pub use hints::Hints;
pub use ledger::{Ledger, Question, RecordRef, Recorded};
pub use record_schema::JournalRecord;
pub use recovery_agents::Agent;
pub use recovery_engine::reconcile::Verb;
pub use recovery_engine::{
    Admitted, Assessment, Breaker, Decision, Engine, Entry, LadderView, PackName, Policy, TaskState, Waiting,
};
pub use recovery_git::{Repo, Rollback, RollbackLock};
pub use recovery_store::{Journal, Record, RecordKind, Store, StoreError, TaskId, Verification};
pub use recovery_types::{
    Adjustment, Classification, Cooldown, Diagnosis, ErrorType, FailureEvent, GateOption, HistoryEntry, Level, Node,
    Repair, RepairRequest, RepoPath, TaskUpdate, Timestamp, Transition,
};
pub use service::{Listed, MAX_COUNTED, Page, Service, Settled, Setup, at_least};
pub use status::Status;
pub use summary::{held_summary, record_summary};
