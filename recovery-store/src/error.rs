//! The errors of the store, each with its place and a remedy.

use crate::chain::FaultKind;
use crate::record::TaskId;
use std::path::{Path, PathBuf};

/// Why an operation on the journal failed. Nothing of the failed step is stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process held the lock of the file for longer than the timeout.
    #[error(
        "{path}: another process has been writing to the journal for more than {waited_ms} ms; try again, and if it \
         lasts, look for a stopped `recovery` process or a database tool that has the file open"
    )]
    Busy {
        /// The file of the journal.
        path: PathBuf,
        /// The timeout.
        waited_ms: u64,
    },
    /// No space left on the device.
    #[error("{path}: no space left to write the journal; free some space and run it again (nothing stored is lost)")]
    DiskFull {
        /// The file of the journal.
        path: PathBuf,
    },
    /// The file or its directory is not writable.
    #[error(
        "{path}: the journal cannot be written; make the file and its directory writable, or choose another place \
         with --state-dir"
    )]
    ReadOnly {
        /// The file of the journal.
        path: PathBuf,
    },
    /// The journal does not exist yet.
    #[error("{path}: there is no journal here yet; it is made when the first record is written")]
    Missing {
        /// Its path.
        path: PathBuf,
    },
    /// The file exists but is damaged.
    #[error(
        "{path}: the journal is damaged ({detail}); `recovery journal verify` names the records concerned, and the \
         file can be moved away and replaced by importing an export"
    )]
    Corrupt {
        /// The file of the journal.
        path: PathBuf,
        /// SQLite's message.
        detail: String,
    },
    /// The file is not a journal.
    #[error("{path}: this is not a recovery journal ({what}); move it away or choose another place with --state-dir")]
    NotAJournal {
        /// The path.
        path: PathBuf,
        /// What the file is.
        what: &'static str,
    },
    /// The format of the file is newer than this program.
    #[error(
        "{path}: written by a newer recovery (journal format {found}, this one knows up to {supported}); upgrade \
         recovery"
    )]
    NewerFile {
        /// The file of the journal.
        path: PathBuf,
        /// The format of the file.
        found: i64,
        /// The newest supported format.
        supported: i64,
    },
    /// The path of a directory is taken by something else.
    #[error(
        "{path}: this is no directory, but the journal should be kept in it; move it away or choose another place with \
         --state-dir"
    )]
    NotADirectory {
        /// What is at the path.
        path: PathBuf,
    },
    /// The state directory could be controlled by another user.
    #[error("{path}: this state directory is not used: {reason}")]
    Untrusted {
        /// The directory.
        path: PathBuf,
        /// The reason.
        reason: UntrustedReason,
    },
    /// The file or its directory cannot be opened or created.
    #[error("{path}: the journal cannot be opened: {reason}; check that it and its directory exist and may be read")]
    CannotOpen {
        /// The file or its directory.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// The operating system failed to read or write.
    #[error("{path}: reading or writing the journal failed: {reason}; check the disk and its free space")]
    Io {
        /// The file of the journal.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// A stored record that this program cannot parse.
    #[error("record {seq} of task {task} cannot be read: {reason}")]
    BadRecord {
        /// The task, as stored.
        task: String,
        /// The number of the record.
        seq: i64,
        /// The reason.
        reason: String,
    },
    /// Not the name of a task.
    #[error("this is not a task's name: {reason}")]
    InvalidTask {
        /// The reason.
        reason: String,
    },
    /// Not a content id.
    #[error("this is not a content id: {reason}")]
    InvalidContentId {
        /// The reason.
        reason: String,
    },
    /// Not the body of a record.
    #[error("a record's body is one JSON value on one line, but {reason}")]
    InvalidBody {
        /// The reason.
        reason: String,
    },
    /// A snapshot for a task without records.
    #[error("task {task} has no records, so there is no state to cache")]
    NothingToCache {
        /// The task.
        task: TaskId,
    },
    /// A record from another journal does not follow what is stored.
    #[error("record {seq} of task {task} does not fit this journal: {reason}")]
    Conflict {
        /// The task of the record.
        task: TaskId,
        /// The number of the record.
        seq: u64,
        /// The reason.
        reason: ConflictReason,
    },
    /// A line that cannot be imported; nothing was imported.
    #[error("line {line}: {reason}; nothing was imported")]
    Import {
        /// The line, from 1.
        line: u64,
        /// The fault.
        reason: String,
    },
    /// Reading or writing an export failed.
    #[error("the export could not be read or written: {0}")]
    Export(#[from] std::io::Error),
    /// The server of the store is unreachable, or does not answer in time.
    #[error(
        "{store}: the shared journal cannot be reached: {reason}; nothing of this step is known to be stored, and it can \
         be tried again"
    )]
    Unavailable {
        /// The address of the store, without secrets.
        store: String,
        /// The error of the operating system or of the server.
        reason: String,
    },
    /// The server of the store denies the access, or this side does not trust the server.
    #[error(
        "{store}: the shared journal cannot be used: {reason}; docs/fleet.md names the settings and rights it needs"
    )]
    Refused {
        /// The address of the store, without secrets.
        store: String,
        /// The server's message.
        reason: String,
    },
    /// Not the address of a store.
    #[error("this is not the address of a store: {reason}")]
    InvalidStore {
        /// The reason.
        reason: String,
    },
    /// The caller gave the operation up; its own error has the reason.
    #[error("the step was given up, nothing was stored")]
    Abandoned,
}

/// Why a state directory is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UntrustedReason {
    /// It is a link.
    #[error("it is a symbolic link; remove it, or choose another place with --state-dir")]
    Link,
    /// Another user could have filled it.
    #[error("it belongs to user {owner}, not to you; remove it, or choose another place with --state-dir")]
    Owner {
        /// The id of the user who owns it.
        owner: u32,
    },
    /// It is part of the repository.
    #[error(
        "git tracks it, so it came with the repository and not from you; take it out (git rm -r --cached -- NAME, then \
         delete it), or choose another place with --state-dir"
    )]
    Tracked,
}

/// Why a record from another journal is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConflictReason {
    /// The journal has a different record with that number.
    #[error(
        "another record has that number here; the two journals went separate ways; to read it, import it into a \
         journal of its own (--state-dir DIR)"
    )]
    Diverged,
    /// It breaks the chain.
    #[error("{0}")]
    Chain(FaultKind),
    /// Its content id belongs to another record.
    #[error("its content id belongs to another record of the task")]
    ContentIdTaken,
}

impl StoreError {
    /// Whether a retry may succeed although nothing was changed: another process was writing, or the server was away.
    #[must_use]
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Unavailable { .. })
    }

    /// The meaning of SQLite's error for the journal at `path`.
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
            // On a full disk, growing the shared index fails this way.
            Code::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => Self::DiskFull { path },
            Code::SystemIoFailure => Self::Io { path, reason: detail },
            _ if detail.contains("no such table") || detail.contains("no such column") => {
                Self::NotAJournal { path, what: "its tables are missing" }
            }
            _ => Self::Io { path, reason: detail },
        }
    }
}

/// serde_json's message without its position, which is relative to its part of the file.
pub(crate) fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned()
}
