//! Which backend holds the journal, chosen at run time.
//!
//! In: a state directory, or a store's address from trusted settings. Out: an open [`AnyJournal`]. Everything above this
//! crate works over any [`Journal`]; this is the one place that knows which backends are built in. A new one passes
//! `recovery_store::conformance`, gets a variant of [`Store`] and a row in each `match` below.

use crate::chain::Verification;
use crate::error::StoreError;
use crate::journal::{Adopted, Journal, Snapshot, TaskQuery, TaskSummary, TaskTransaction};
#[cfg(feature = "postgres")]
use crate::postgres::{Address, PostgresJournal};
use crate::record::{ContentId, Record, TaskId};
use crate::spool::Shipped;
#[cfg(feature = "postgres")]
use crate::spool::{SpoolingJournal, ship};
use crate::sqlite::{SetAside, SqliteJournal};
#[cfg(feature = "postgres")]
use crate::state_dir::StateDir;
use recovery_types::Timestamp;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A journal of any backend.
pub type AnyJournal = Box<dyn Journal + Send>;

/// Where the journal is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Store {
    /// The file of a state directory of this machine.
    Directory(PathBuf),
    /// A file of this machine by its own name.
    File(PathBuf),
    /// A PostgreSQL server that many machines share.
    #[cfg(feature = "postgres")]
    Postgres {
        /// Where it is.
        address: Box<Address>,
        /// What happens while it cannot be reached; without it, that is an error.
        spool: Option<Spool>,
    },
}

/// Where records are kept while a shared journal cannot be reached.
#[derive(Clone, Debug)]
pub struct Spool {
    /// The state directory that its file is in.
    pub state_dir: PathBuf,
    /// Called once when the server is found to be away.
    pub warn: fn(&str),
    /// For so long a process that found the server away does not try again: each try may take all the time that a hook has.
    pub retry_after: Duration,
}

impl Spool {
    /// In `state_dir`, with the default of the rest.
    #[must_use]
    pub const fn new(state_dir: PathBuf, warn: fn(&str)) -> Self {
        Self { state_dir, warn, retry_after: Duration::from_secs(5) }
    }

    /// Its file, one for each server: what was meant for one is never shipped to another.
    #[cfg(feature = "postgres")]
    fn path(&self, server: &Address) -> PathBuf {
        self.file_of(server, "spool", "db")
    }

    /// The file of what this machine recorded on the server.
    #[cfg(feature = "postgres")]
    fn anchors(&self, server: &Address) -> PathBuf {
        self.file_of(server, "server", "heads")
    }

    #[cfg(feature = "postgres")]
    fn file_of(&self, server: &Address, kind: &str, extension: &str) -> PathBuf {
        let hash = recovery_types::digest::sha256_hex(server.to_string().as_bytes());
        self.state_dir.join(format!("{kind}-{}.{extension}", hash.get(..12).unwrap_or(&hash)))
    }
}

/// A journal, open for writing.
pub struct Opened {
    /// The journal.
    pub journal: AnyJournal,
    /// What was found lost when it was opened.
    pub set_aside: Option<SetAside>,
}

/// A journal, open for reading.
pub struct Existing {
    /// The journal; none where nothing was recorded yet.
    pub journal: Option<AnyJournal>,
    /// What is missing of it, in words, as far as the last anchor shows.
    pub loss: Option<String>,
}

impl Store {
    /// The store at `address`: `sqlite:PATH`, a file or a state directory, or `postgres://user@host/database`. What that
    /// leaves out comes from the usual libpq variables and the password file.
    ///
    /// # Errors
    /// Where it is no address, or of a backend that is not built in.
    pub fn parse(address: &str) -> Result<Self, StoreError> {
        let (scheme, rest) = address.split_once(':').unwrap_or_default();
        match scheme {
            "sqlite" if !rest.is_empty() => {
                let path = PathBuf::from(rest);
                Ok(if path.is_dir() { Self::Directory(path) } else { Self::File(path) })
            }
            #[cfg(feature = "postgres")]
            "postgres" | "postgresql" => {
                Ok(Self::Postgres { address: Box::new(Address::parse(address)?), spool: None })
            }
            #[cfg(not(feature = "postgres"))]
            "postgres" | "postgresql" => Err(StoreError::InvalidStore {
                reason: "this recovery was built without PostgreSQL; build it with `--features postgres`".to_owned(),
            }),
            // The text is not repeated: it may hold a password.
            _ => Err(StoreError::InvalidStore { reason: "it must begin with postgres:// or sqlite:".to_owned() }),
        }
    }

    /// The same store; what a shared one cannot take is kept in `spool`.
    #[must_use]
    pub fn with_spool(self, spool: Spool) -> Self {
        match self {
            #[cfg(feature = "postgres")]
            Self::Postgres { address, .. } => Self::Postgres { address, spool: Some(spool) },
            local => {
                let _ = spool;
                local
            }
        }
    }

    /// The spool, where it has been used.
    fn spool(&self, wait: Duration) -> Result<Option<SqliteJournal>, StoreError> {
        match self {
            #[cfg(feature = "postgres")]
            Self::Postgres { address, spool: Some(spool) } => {
                let path = spool.path(address);
                path.exists().then(|| SqliteJournal::open(&path, wait)).transpose()
            }
            _ => {
                let _ = wait;
                Ok(None)
            }
        }
    }

    /// Whether nothing waits on this machine for the server.
    ///
    /// # Errors
    /// Where the spool cannot be read.
    pub fn is_spool_empty(&self, wait: Duration) -> Result<bool, StoreError> {
        self.spool(wait)?.map_or(Ok(true), |spool| Ok(spool.latest(1)?.is_empty()))
    }

    /// Ships what was recorded on this machine while the server was away; `None` where the journal is not shared.
    ///
    /// # Errors
    /// Where the server still cannot be reached, or does not take it.
    pub fn push(&self, wait: Duration) -> Result<Option<Shipped>, StoreError> {
        match (self, self.spool(wait)?) {
            #[cfg(feature = "postgres")]
            (Self::Postgres { address, spool: Some(settings) }, Some(mut spool)) if !spool.latest(1)?.is_empty() => {
                let server = PostgresJournal::open(address, wait)?;
                ship(&mut spool, &mut server.with_anchors(settings.anchors(address))).map(Some)
            }
            (store, _) => Ok(store.is_shared().then(Shipped::default)),
        }
    }

    /// Whether other machines write to it too.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        !matches!(self, Self::Directory(_) | Self::File(_))
    }

    /// Opens the journal, making it where there is none. `wait` bounds how long any step waits for other writers.
    ///
    /// # Errors
    /// Where it cannot be made or opened, is no journal, or was written by a newer program.
    pub fn open(&self, wait: Duration) -> Result<Opened, StoreError> {
        match self {
            Self::Directory(dir) => {
                let journal = SqliteJournal::open_in(dir, wait)?;
                Ok(Opened { set_aside: journal.set_aside().cloned(), journal: Box::new(journal) })
            }
            Self::File(path) => {
                let journal = SqliteJournal::open(path, wait)?;
                Ok(Opened { set_aside: journal.set_aside().cloned(), journal: Box::new(journal) })
            }
            #[cfg(feature = "postgres")]
            Self::Postgres { address, spool: None } => {
                Ok(Opened { journal: Box::new(PostgresJournal::open(address, wait)?), set_aside: None })
            }
            #[cfg(feature = "postgres")]
            Self::Postgres { address, spool: Some(spool) } => {
                let (path, anchors, server) = (spool.path(address), spool.anchors(address), address.clone());
                // Where it cannot be made, nothing is noted in it; whoever needs it reports that.
                let _ = StateDir::create(&spool.state_dir).and_then(|dir| dir.hide_from_git());
                // One half of the caller's time to connect, the other for the step, or for the spool in its place.
                let connect = move || -> Result<AnyJournal, StoreError> {
                    let journal = PostgresJournal::open_within(&server, wait, wait / 2)?;
                    Ok(Box::new(journal.with_anchors(anchors.clone())))
                };
                let journal = SpoolingJournal::open(Box::new(connect), path, wait, spool)?;
                Ok(Opened { journal: Box::new(journal), set_aside: None })
            }
        }
    }

    /// Opens the journal to read it; none where there is none yet. A shared one that cannot be reached is an error: what
    /// the spool holds is not the journal. What the spool holds is shipped first.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open_existing(&self, wait: Duration) -> Result<Existing, StoreError> {
        let file = |path: &Path| {
            let journal = missing_is_none(SqliteJournal::open_read_only(path, wait))?;
            let loss = SqliteJournal::loss_at(path, journal.as_ref());
            Ok(Existing { journal: journal.map(|journal| Box::new(journal) as AnyJournal), loss })
        };
        match self {
            Self::Directory(dir) => file(&SqliteJournal::path_in(dir)),
            Self::File(path) => file(path),
            #[cfg(feature = "postgres")]
            Self::Postgres { address, .. } => {
                // A reader need not be allowed to write; whoever writes next is told why it is not possible.
                let _ = self.push(wait);
                let journal = missing_is_none(PostgresJournal::open_read_only(address, wait))?;
                Ok(Existing { journal: journal.map(|journal| Box::new(journal) as AnyJournal), loss: None })
            }
        }
    }

    /// Checks every hash, also of a journal that is too damaged to be opened; `None` where there is none yet.
    ///
    /// # Errors
    /// Where it cannot be read at all.
    pub fn verify(&self, wait: Duration) -> Result<Option<Verification>, StoreError> {
        missing_is_none(match self {
            Self::Directory(dir) => SqliteJournal::verify_at(&SqliteJournal::path_in(dir), wait),
            Self::File(path) => SqliteJournal::verify_at(path, wait),
            #[cfg(feature = "postgres")]
            Self::Postgres { address, spool } => {
                let anchors = spool.as_ref().map(|spool| spool.anchors(address));
                PostgresJournal::verify_at(address, anchors, wait)
            }
        })
    }
}

impl std::fmt::Display for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Directory(path) | Self::File(path) => path.display().fmt(f),
            #[cfg(feature = "postgres")]
            Self::Postgres { address, .. } => address.fmt(f),
        }
    }
}

fn missing_is_none<T>(found: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Err(StoreError::Missing { .. }) => Ok(None),
        found => found.map(Some),
    }
}

impl<J: Journal + ?Sized> Journal for Box<J> {
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        (**self).transaction(task, work)
    }

    fn begin_group(&mut self) -> Result<bool, StoreError> {
        (**self).begin_group()
    }

    fn commit_group(&mut self) -> Result<(), StoreError> {
        (**self).commit_group()
    }

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        (**self).records(task, from)
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        (**self).find(task, id)
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        (**self).snapshot(task, tag)
    }

    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        (**self).task(task)
    }

    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        (**self).tasks_by_name(after, limit)
    }

    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        (**self).tasks_due(by, limit)
    }

    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        (**self).tasks_named_like(part, limit)
    }

    fn task_count(&self) -> Result<u64, StoreError> {
        (**self).task_count()
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        (**self).tasks_where(query)
    }

    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).resource(name)
    }

    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        (**self).resources()
    }

    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError> {
        (**self).scan(visit)
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        (**self).latest(limit)
    }

    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError> {
        (**self).adopt(records)
    }

    fn verify(&self) -> Result<Verification, StoreError> {
        (**self).verify()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_none_is_refused_without_repeating_it() {
        for address in ["", "sqlite:", "journal.db", "mysql://me:secret@host/db", "secret"] {
            let error = Store::parse(address).unwrap_err();
            assert!(matches!(error, StoreError::InvalidStore { .. }), "{error}");
            assert!(!error.to_string().contains("secret"), "{error}");
            assert!(!error.is_retryable());
        }
    }

    #[test]
    fn what_may_pass_by_itself_is_retryable() {
        let (path, store, reason) = (PathBuf::new(), String::new(), String::new());
        assert!(StoreError::Busy { path, waited_ms: 1 }.is_retryable());
        assert!(StoreError::Unavailable { store: store.clone(), reason: reason.clone() }.is_retryable());
        assert!(!StoreError::Refused { store, reason }.is_retryable());
        assert!(!StoreError::Abandoned.is_retryable());
    }

    #[test]
    fn a_directory_is_read_only_once_something_is_recorded() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::Directory(dir.path().join(".recovery"));
        let wait = Duration::from_secs(1);
        assert!(store.open_existing(wait).unwrap().journal.is_none() && store.verify(wait).unwrap().is_none());
        assert!(store.open(wait).unwrap().set_aside.is_none());
        let existing = store.open_existing(wait).unwrap();
        assert!(existing.journal.is_some() && existing.loss.is_none());
        assert!(store.verify(wait).unwrap().is_some_and(|found| found.is_sound()));
    }
}
