//! A journal on a server that may be away: what cannot be stored there is stored on this machine and shipped later.
//!
//! In: a way to connect to the server, and the file of a spool. Out: a [`Journal`] that answers within the caller's time.
//! The spool is an ordinary SQLite journal with the same tasks;
//! it also keeps the last known states of tasks, so that a decision without the server goes on from there.
//!
//! Nothing is lost and nothing is stored twice: a record is in the spool until the server has acknowledged it, and every
//! record has a content id, which the server stores once. Where the caller brings none, the transaction makes one up and
//! keeps it when it runs again over the spool: a commit whose acknowledgement got lost is recognised when the spool is
//! shipped. Records are shipped in the order in which they were made, before anything else is asked of the server.

mod identified;
mod kept_state;

use crate::archive::Archive;
use crate::chain::{Head, Verification};
use crate::error::StoreError;
use crate::journal::{
    Adopted, Journal, JournalExt as _, Snapshot, TaskLabels, TaskQuery, TaskSummary, TaskTransaction,
};
use crate::record::{ContentId, NewRecord, Record, TaskId};
use crate::sqlite::SqliteJournal;
use crate::store::{AnyJournal, Spool};
use identified::{Identified, Seen, unique_id};
use kept_state::{KeptState, STATE_PREFIX, prune, state_name};
use recovery_types::Timestamp;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// States of the server's tasks are written to the spool when there are so many, when it goes away, and at the end.
const STATE_BATCH: usize = 256;

/// When this process last found the server of a spool away.
static UNREACHABLE: Mutex<BTreeMap<PathBuf, Instant>> = Mutex::new(BTreeMap::new());

/// How the server is connected to.
pub type Connect = Box<dyn Fn() -> Result<AnyJournal, StoreError> + Send>;

/// A server's journal with a spool on this machine.
pub struct SpoolingJournal {
    connect: Connect,
    server: Option<AnyJournal>,
    /// Whether the server did not answer: then everything goes to the spool.
    is_away: Cell<bool>,
    path: PathBuf,
    wait: Duration,
    /// Opened when it is needed.
    spool: OnceCell<SqliteJournal>,
    /// Whether the group under way is the spool's.
    in_spool_group: bool,
    /// States as they are on the server, not yet in the spool.
    states: BTreeMap<TaskId, KeptState>,
    warn: fn(&str),
    retry_after: Duration,
}

/// What shipping a spool did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shipped {
    /// Records stored on the server.
    pub new: u64,
    /// Records that the server had already.
    pub known: u64,
}

impl SpoolingJournal {
    /// Connects to the server and ships what the file at `path` holds. A server that cannot be reached is no error; it is
    /// reported as `settings` says. `wait` is how long a step waits for other writers of the file.
    ///
    /// # Errors
    /// Where the server refuses, or is away and the spool cannot be opened either.
    pub fn open(connect: Connect, path: PathBuf, wait: Duration, settings: &Spool) -> Result<Self, StoreError> {
        let (spool, is_away) = (OnceCell::new(), Cell::new(true));
        let (server, in_spool_group, states) = (None, false, BTreeMap::new());
        let Spool { warn, retry_after, .. } = *settings;
        let mut journal =
            Self { connect, server, is_away, path, wait, spool, in_spool_group, states, warn, retry_after };
        journal.reconnect()?;
        if journal.is_away.get() {
            journal.spool()?;
        }
        Ok(journal)
    }

    /// Whether records go to the spool.
    #[must_use]
    pub fn is_away(&self) -> bool {
        self.is_away.get()
    }

    /// Connects again where the server was away, unless that was a moment ago.
    fn reconnect(&mut self) -> Result<(), StoreError> {
        let was_tried = |at: &Instant| at.elapsed() < self.retry_after;
        let is_too_early = away().get(&self.path).is_some_and(was_tried);
        if !self.is_away.get() || self.in_spool_group || is_too_early {
            return Ok(());
        }
        let connected = (self.connect)().and_then(|mut server| {
            if self.path.exists() {
                ship(self.spool_mut()?, server.as_mut())?;
            }
            Ok(server)
        });
        match connected {
            Ok(server) => {
                self.server = Some(server);
                self.is_away.set(false);
                away().remove(&self.path);
                Ok(())
            }
            Err(error) if error.is_retryable() => {
                self.note_away(&error);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn note_away(&self, error: &StoreError) {
        self.is_away.set(true);
        let is_first = away().insert(self.path.clone(), Instant::now()).is_none();
        if is_first {
            let why = match error {
                StoreError::Unavailable { store, reason } => {
                    format!("{store}: the shared journal cannot be reached: {reason}")
                }
                other => other.to_string(),
            };
            (self.warn)(&format!(
                "{why}; records are kept on this machine and shipped by a later call or `recovery journal push`"
            ));
        }
    }

    /// Keeps the states of the server's tasks for the time that it is away.
    fn keep_states(&mut self) -> Result<(), StoreError> {
        let states = std::mem::take(&mut self.states);
        let Some(any) = states.keys().next().cloned() else { return Ok(()) };
        self.spool_mut()?.transaction(&any, &mut |chain| {
            states.iter().try_for_each(|(task, state)| chain.put_resource(&state_name(task), &state.to_bytes()))
        })?;
        prune(self.spool()?)
    }

    fn spool_mut(&mut self) -> Result<&mut SqliteJournal, StoreError> {
        self.spool()?;
        self.spool.get_mut().ok_or(StoreError::Abandoned)
    }

    fn spool(&self) -> Result<&SqliteJournal, StoreError> {
        if self.spool.get().is_none() {
            // Nobody else can have set it meanwhile.
            let _ = self.spool.set(open_spool(&self.path, self.wait)?);
        }
        self.spool.get().ok_or(StoreError::Abandoned)
    }

    /// The journal that is in use.
    fn current(&self) -> Result<&dyn Journal, StoreError> {
        match &self.server {
            Some(server) if !self.is_away.get() => Ok(server.as_ref()),
            _ => Ok(self.spool()?),
        }
    }

    /// Reads from the server, and from the spool where the server does not answer.
    fn read<T>(&self, ask: impl Fn(&dyn Journal) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match ask(self.current()?) {
            Err(error) if error.is_retryable() && !self.is_away.get() => {
                self.note_away(&error);
                ask(self.current()?)
            }
            answer => answer,
        }
    }
}

fn away() -> std::sync::MutexGuard<'static, BTreeMap<PathBuf, Instant>> {
    UNREACHABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the spool at `path`, in a state directory that is made where it is missing.
fn open_spool(path: &Path, wait: Duration) -> Result<SqliteJournal, StoreError> {
    match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
        (Some(dir), Some(name)) => SqliteJournal::open_named(dir, name, wait),
        _ => SqliteJournal::open(path, wait),
    }
}

/// Ships what the spool holds, in order. What the server has acknowledged leaves the spool, also where a later record
/// fails. Two processes may ship the same records at once: the server stores each once.
///
/// # Errors
/// Where the server does not take a record, or the spool cannot be read or written.
pub fn ship(spool: &mut SqliteJournal, server: &mut dyn Journal) -> Result<Shipped, StoreError> {
    let mut shipped = Shipped::default();
    let mut heads: BTreeMap<TaskId, Head> = BTreeMap::new();
    let mut labels: BTreeMap<TaskId, TaskLabels> = BTreeMap::new();
    let done = spool.scan(&mut |record| {
        if !labels.contains_key(&record.task) {
            // The server's task may have gone on elsewhere: it is looked at again before it is listed.
            let known = spool.task(&record.task)?.map(|summary| summary.labels).unwrap_or_default();
            labels.insert(record.task.clone(), TaskLabels { due_at: Some(Timestamp::from_ms(0)), ..known });
        }
        let head = record.head();
        let content_id = record.content_id.unwrap_or_else(|| ContentId::of(record.hash.as_bytes()));
        let is_new = server.transact(&record.task, |chain| {
            let (kind, content_id) = (record.kind.clone(), Some(content_id.clone()));
            let appended = chain.append(NewRecord { at: record.at, kind, content_id, body: record.body.clone() })?;
            if let (true, Some(labels)) = (appended.new, labels.get(&record.task)) {
                chain.put_labels(labels)?;
            }
            Ok::<_, StoreError>(appended.new)
        })?;
        if is_new {
            shipped.new += 1
        } else {
            shipped.known += 1
        }
        heads.insert(record.task.clone(), head);
        Ok(())
    });
    if !heads.is_empty() {
        spool.forget(&Archive::of(heads))?;
    }
    done.map(|()| shipped)
}

impl Journal for SpoolingJournal {
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.reconnect()?;
        let id = unique_id();
        if let Some(server) = self.server.as_mut().filter(|_| !self.is_away.get()) {
            let seen = Seen::default();
            let stored = server.transaction(task, &mut |chain| work(&mut Identified::new(chain, None, &id, &seen)));
            // `work` may have wrapped the server's error in one of its own.
            let lost = match (stored, seen.failed.into_inner()) {
                (Err(error), _) if error.is_retryable() => error,
                (Err(_), Some(error)) => error,
                (stored, _) => {
                    if let (Ok(()), Some(state)) = (&stored, seen.state.into_inner()) {
                        self.states.insert(task.clone(), state);
                    }
                    if self.states.len() >= STATE_BATCH {
                        // Without them a decision would go on from less; this one is stored.
                        let _ = self.keep_states();
                    }
                    return stored;
                }
            };
            self.note_away(&lost);
        }
        self.keep_states()?;
        self.spool_mut()?.transaction(task, &mut |chain| {
            let (seen, name) = (Seen::default(), state_name(task));
            let kept = chain.resource(&name)?.and_then(|bytes| KeptState::of_bytes(&bytes));
            work(&mut Identified::new(chain, kept, &id, &seen))?;
            match seen.state.into_inner() {
                Some(state) => {
                    let seq = chain.head()?.map_or(0, |head| head.seq);
                    chain.put_resource(&name, &KeptState { seq, ..state }.to_bytes())
                }
                None => Ok(()),
            }
        })
    }

    fn begin_group(&mut self) -> Result<bool, StoreError> {
        self.reconnect()?;
        if let Some(server) = self.server.as_mut().filter(|_| !self.is_away.get()) {
            return server.begin_group();
        }
        let is_alone = self.spool_mut()?.begin_group()?;
        self.in_spool_group = true;
        Ok(is_alone)
    }

    fn commit_group(&mut self) -> Result<(), StoreError> {
        match (&mut self.server, self.spool.get_mut()) {
            (_, Some(spool)) if std::mem::take(&mut self.in_spool_group) => spool.commit_group(),
            (Some(server), _) if !self.is_away.get() => server.commit_group(),
            // The transactions of the server's group that it did not take are stored one by one.
            _ => Ok(()),
        }
    }

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        self.read(|journal| journal.records(task, from))
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.read(|journal| journal.find(task, id))
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        let found = self.read(|journal| journal.snapshot(task, tag))?;
        if !self.is_away.get() {
            return Ok(found);
        }
        let kept = match self.states.get(task) {
            Some(state) => Some(state.clone()),
            None => self.spool()?.resource(&state_name(task))?.and_then(|bytes| KeptState::of_bytes(&bytes)),
        };
        Ok(kept.filter(|state| state.tag == tag).map(KeptState::into_snapshot).or(found))
    }

    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        self.read(|journal| journal.task(task))
    }

    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        self.read(|journal| journal.tasks_by_name(after, limit))
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        self.read(|journal| journal.tasks_where(query))
    }

    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        self.read(|journal| journal.tasks_due(by, limit))
    }

    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        self.read(|journal| journal.tasks_named_like(part, limit))
    }

    fn task_count(&self) -> Result<u64, StoreError> {
        self.read(|journal| journal.task_count())
    }

    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|journal| journal.resource(name))
    }

    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let mut resources = self.read(|journal| journal.resources())?;
        resources.retain(|(name, _)| !name.starts_with(STATE_PREFIX));
        Ok(resources)
    }

    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.current()?.scan(visit)
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        self.read(|journal| journal.latest(limit))
    }

    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError> {
        // Records with a place of their own can only get it where the chain is.
        let away = || StoreError::Unavailable { store: String::new(), reason: "the server is away".to_owned() };
        self.server.as_mut().filter(|_| !self.is_away.get()).ok_or_else(away)?.adopt(records)
    }

    fn verify(&self) -> Result<Verification, StoreError> {
        self.current()?.verify()
    }
}

impl Drop for SpoolingJournal {
    fn drop(&mut self) {
        // Nobody is left to be told; what is recorded does not depend on it.
        let _ = self.keep_states();
    }
}
