//! The durable, hash-chained journal of the recovery engine.
//!
//! One file, many short-lived processes writing at once. What [`Journal`] has acknowledged survives `kill -9`; every
//! task's records form a chain of SHA-256 hashes, so that a change to any of them shows.
//!
//! | module | subject |
//! |---|---|
//! | [`record`] | what is stored: task, kind, body, and the ids that make a second delivery harmless |
//! | [`chain`] | the hash over a record, and finding the first fault of each task |
//! | [`journal`] | what any backend can do: append, decide-and-append in one step, read, verify |
//! | [`store`] | which backend, chosen at run time |
//! | [`sqlite`] | the journal file |
//! | [`spool`] | what is kept on this machine while a shared journal cannot be reached |
//! | [`state_dir`] | the directory it is in, opened so that nobody can redirect a write |
//! | [`memory`] | the same without a file, for dry runs and tests |
//! | [`export`] | JSON lines out, in, and checked |
//!
//! ```
//! use recovery_store::{ContentId, Journal, JournalExt, MemoryJournal, NewRecord, RecordKind, TaskId};
//! use recovery_types::Timestamp;
//!
//! let mut journal = MemoryJournal::default();
//! let task = TaskId::new("TASK-1").unwrap();
//! let seen = |body: &str| NewRecord {
//!     at: Timestamp::from_ms(0),
//!     kind: RecordKind::Event,
//!     content_id: Some(ContentId::new("toolu_01").unwrap()),
//!     body: body.to_owned(),
//! };
//! let first = journal.append(&task, seen(r#"{"exit_code":1}"#)).unwrap();
//! let again = journal.append(&task, seen(r#"{"exit_code":1}"#)).unwrap();
//! assert!(first.new && !again.new);
//! assert_eq!(first.record, again.record);
//! assert!(journal.verify().unwrap().is_sound());
//! ```

// The state directory's owners, modes and links are Unix's; `state_dir` is where another system would be added.
#[cfg(not(unix))]
compile_error!("recovery-store and what is built on it run on Linux and macOS; on Windows, build in WSL");

mod anchors;
pub mod archive;
pub mod chain;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
pub mod export;
pub mod journal;
pub mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod record;
mod schema;
pub mod spool;
pub mod sqlite;
pub mod state_dir;
pub mod store;

pub use archive::Archive;
pub use chain::{ChainHash, Fault, FaultKind, Head, Verification};
pub use error::{ConflictReason, StoreError, UntrustedReason};
pub use journal::{
    Adopted, Journal, JournalExt, NAMES_SEARCHED, Snapshot, TaskLabels, TaskList, TaskQuery, TaskSummary,
    TaskTransaction,
};
pub use memory::MemoryJournal;
pub use record::{Appended, ContentId, NewRecord, Record, RecordKind, TaskId};
pub use recovery_types::Timestamp;
pub use spool::{Shipped, SpoolingJournal};
pub use sqlite::{DEFAULT_WAIT, SetAside, SqliteJournal};
pub use state_dir::StateDir;
pub use store::{AnyJournal, Existing, Opened, Spool, Store};
