//! What can go wrong, with the place and the way out.

use crate::chain::FaultKind;
use crate::record::TaskId;
use std::path::{Path, PathBuf};

/// Why the journal could not do what was asked. Nothing of the failed step is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process held the file for longer than the caller would wait.
    #[error(
        "{path}: another process has been writing to the journal for more than {waited_ms} ms; try again, and if it \
         lasts, look for a stopped `recovery` process or a database tool that has the file open"
    )]
    Busy {
        /// The journal.
        path: PathBuf,
        /// How long was waited.
        waited_ms: u64,
    },
    /// No space left.
    #[error("{path}: no space left to write the journal; free some space and run it again (nothing stored is lost)")]
    DiskFull {
        /// The journal.
        path: PathBuf,
    },
    /// The file or its directory cannot be written.
    #[error(
        "{path}: the journal cannot be written; make the file and its directory writable, or choose another place \
         with --state-dir"
    )]
    ReadOnly {
        /// The journal.
        path: PathBuf,
    },
    /// There is no journal yet.
    #[error("{path}: there is no journal here yet; it is made when the first record is written")]
    Missing {
        /// Where it would be.
        path: PathBuf,
    },
    /// The file is there but damaged.
    #[error(
        "{path}: the journal is damaged ({detail}); `recovery journal verify` names the records concerned, and the \
         file can be moved away and replaced by importing an export"
    )]
    Corrupt {
        /// The journal.
        path: PathBuf,
        /// What SQLite says.
        detail: String,
    },
    /// The file is something else.
    #[error("{path}: this is not a recovery journal ({what}); move it away or choose another place with --state-dir")]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// The file's format is newer than this program.
    #[error(
        "{path}: written by a newer recovery (journal format {found}, this one knows up to {supported}); upgrade \
         recovery"
    )]
    NewerFile {
        /// The journal.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        supported: i64,
    },
    /// Something else is where a directory should be.
    #[error(
        "{path}: this is no directory, but the journal should be kept in it; move it away or choose another place with \
         --state-dir"
    )]
    NotADirectory {
        /// What is there.
        path: PathBuf,
    },
    /// The state directory could be a stranger's trap.
    #[error("{path}: this state directory is not used: {reason}")]
    Untrusted {
        /// The directory.
        path: PathBuf,
        /// Why not.
        reason: UntrustedReason,
    },
    /// The file or its directory cannot be opened or made.
    #[error("{path}: the journal cannot be opened: {reason}; check that it and its directory exist and may be read")]
    CannotOpen {
        /// The journal or its directory.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The system failed to read or write.
    #[error("{path}: reading or writing the journal failed: {reason}; check the disk and its free space")]
    Io {
        /// The journal.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A stored record that this program cannot read.
    #[error("record {seq} of task {task} cannot be read: {reason}")]
    BadRecord {
        /// Its task, as stored.
        task: String,
        /// Its number.
        seq: i64,
        /// Why not.
        reason: String,
    },
    /// Not a task's name.
    #[error("this is not a task's name: {reason}")]
    InvalidTask {
        /// Why not.
        reason: String,
    },
    /// Not a content id.
    #[error("this is not a content id: {reason}")]
    InvalidContentId {
        /// Why not.
        reason: String,
    },
    /// Not a body.
    #[error("a record's body is one JSON value on one line, but {reason}")]
    InvalidBody {
        /// Why not.
        reason: String,
    },
    /// A snapshot of a task without records.
    #[error("task {task} has no records, so there is no state to cache")]
    NothingToCache {
        /// The task.
        task: TaskId,
    },
    /// A record from another journal does not follow what is stored.
    #[error("record {seq} of task {task} does not fit this journal: {reason}")]
    Conflict {
        /// Its task.
        task: TaskId,
        /// Its number.
        seq: u64,
        /// Why not.
        reason: ConflictReason,
    },
    /// A line that cannot be imported; nothing was.
    #[error("line {line}: {reason}; nothing was imported")]
    Import {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Reading or writing an export failed.
    #[error("the export could not be read or written: {0}")]
    Export(#[from] std::io::Error),
    /// The store's server cannot be reached, or does not answer in time.
    #[error(
        "{store}: the shared journal cannot be reached: {reason}; nothing of this step is known to be stored, and it can \
         be tried again"
    )]
    Unavailable {
        /// The store, without secrets.
        store: String,
        /// What the system or the server says.
        reason: String,
    },
    /// The store's server does not let this user in, or not do this; or this side does not trust the server.
    #[error(
        "{store}: the shared journal cannot be used: {reason}; docs/fleet.md names the settings and rights it needs"
    )]
    Refused {
        /// The store, without secrets.
        store: String,
        /// What the server says.
        reason: String,
    },
    /// Not a store's address.
    #[error("this is not the address of a store: {reason}")]
    InvalidStore {
        /// Why not.
        reason: String,
    },
    /// The caller gave the step up; its own error says why.
    #[error("the step was given up, nothing was stored")]
    Abandoned,
}

/// Why a state directory is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UntrustedReason {
    /// It leads somewhere else.
    #[error("it is a symbolic link; remove it, or choose another place with --state-dir")]
    Link,
    /// Somebody else could have filled it.
    #[error("it belongs to user {owner}, not to you; remove it, or choose another place with --state-dir")]
    Owner {
        /// The user id it belongs to.
        owner: u32,
    },
    /// It was handed out with the project.
    #[error(
        "git tracks it, so it came with the repository and not from you; take it out (git rm -r --cached -- NAME, then \
         delete it), or choose another place with --state-dir"
    )]
    Tracked,
}

/// Why a record from another journal does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConflictReason {
    /// The same number holds something else here.
    #[error("another record has that number here; the two journals went separate ways")]
    Diverged,
    /// It breaks the chain.
    #[error("{0}")]
    Chain(FaultKind),
    /// Its content id belongs to another record.
    #[error("its content id belongs to another record of the task")]
    ContentIdTaken,
}

impl StoreError {
    /// Whether the same step may work a little later although nothing was changed: somebody else was writing, or the
    /// server was away.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Unavailable { .. })
    }

    /// What SQLite's answer means for the journal at `path`.
    pub(crate) fn from_sqlite(error: &rusqlite::Error, path: &Path, waited_ms: u64) -> Self {
        use rusqlite::ErrorCode as Code;
        use rusqlite::ffi;
        let path = path.to_owned();
        let detail = error.to_string();
        let rusqlite::Error::SqliteFailure(failure, _) = error else {
            return Self::Corrupt { path, detail };
        };
        match failure.code {
            Code::DatabaseBusy | Code::DatabaseLocked | Code::FileLockingProtocolFailed => {
                Self::Busy { path, waited_ms }
            }
            Code::DiskFull => Self::DiskFull { path },
            Code::ReadOnly | Code::PermissionDenied => Self::ReadOnly { path },
            Code::NotADatabase => Self::NotAJournal { path, what: "no SQLite database" },
            Code::DatabaseCorrupt => Self::Corrupt { path, detail },
            Code::CannotOpen => Self::CannotOpen { path, reason: detail },
            // Growing the shared index fails this way on a full disk.
            Code::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::DiskFull { path },
            Code::SystemIoFailure => Self::Io { path, reason: detail },
            _ if detail.contains("no such table") || detail.contains("no such column") => {
                Self::NotAJournal { path, what: "its tables are missing" }
            }
            _ => Self::Io { path, reason: detail },
        }
    }
}

/// What serde_json says, without the place it thinks it is at: it knows only its part of the file.
pub(crate) fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned()
}
