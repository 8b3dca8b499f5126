//! What any backend of the journal can do.

use crate::chain::{ChainHash, Head, Verification, fault_after};
use crate::error::{ConflictReason, StoreError};
use crate::record::{Appended, ContentId, NewRecord, Record, RecordKind, TaskId};
use recovery_types::Timestamp;

/// A durable record of what happened and what was decided, one chain a task.
///
/// A write that returned `Ok` survives the death of the process. A backend is right when it passes the suite in
/// `recovery_store::conformance`.
pub trait Journal {
    /// Runs `work` with the task's chain to itself: nobody else appends to it meanwhile, and either all of its writes
    /// are stored or, where it returns an error, none. [`JournalExt::transact`] is the comfortable way to call it.
    ///
    /// # Errors
    /// What `work` returns, or why the backend could not start or store it.
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// The task's records from number `from` on, in order.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError>;

    /// The task's record with that content id.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError>;

    /// The task's cached state, where one is stored under `tag` and still belongs to the chain.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError>;

    /// Every task, by name.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks(&self) -> Result<Vec<TaskSummary>, StoreError>;

    /// The tasks that `query` asks for, the one that something happened to last first. A page costs no more in a journal
    /// of a million tasks.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError>;

    /// What is known of a resource that tasks share.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Every resource that something is known of, by name.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// Shows every record to `visit`, in the order in which they were stored.
    ///
    /// # Errors
    /// The first error of `visit`, or why the backend cannot be read.
    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError>;

    /// The last `limit` records of all tasks, oldest first.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError>;

    /// Takes in records that got their place in another journal: all of them or none. One that is here already, with
    /// the same hash, is passed over.
    ///
    /// # Errors
    /// A record that does not follow what is stored, or a failed write.
    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError>;

    /// Reads everything and names the first fault of each task.
    ///
    /// # Errors
    /// Where the backend cannot be read at all. Damage is not an error but the answer.
    fn verify(&self) -> Result<Verification, StoreError>;
}

/// One task's chain, held by one writer. What it reads includes what it has written.
pub trait TaskTransaction {
    /// The end of the chain.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn head(&self) -> Result<Option<Head>, StoreError>;

    /// The records from number `from` on, in order.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError>;

    /// The record with that content id.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError>;

    /// The cached state, where one is stored under `tag` and still belongs to the chain.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError>;

    /// Adds a record at the end, or finds the one that has its content id.
    ///
    /// # Errors
    /// Where the body is not one JSON value on one line, or the write failed.
    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError>;

    /// Caches the state as it is after the last record, in place of any earlier one, and lists the task under `labels`.
    /// `tag` names the format of `state`; another tag never sees it.
    ///
    /// # Errors
    /// Where the task has no record yet, or the write failed.
    fn put_snapshot(&mut self, tag: &str, state: &[u8], labels: &TaskLabels) -> Result<(), StoreError>;

    /// The clock of the store, where it has one that is not the caller's: clocks of machines differ, and what they share
    /// needs one time.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn clock(&self) -> Result<Option<Timestamp>, StoreError>;

    /// What is known of a resource that tasks share. Nobody else changes it before this transaction ends. A transaction asks
    /// for one resource only, so that two of them never wait for each other.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores what is known of a resource, in place of what was.
    ///
    /// # Errors
    /// Where the write failed.
    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError>;
}

/// A task's cached state: never the truth, only what the records up to `seq` once added up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last record that is part of it; continue with `seq + 1`.
    pub seq: u64,
    /// The state, in the format its tag names.
    pub state: Vec<u8>,
}

/// One task in a list of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSummary {
    /// The task.
    pub task: TaskId,
    /// How many records it has: the last one's number.
    pub records: u64,
    /// When the first was made.
    pub first_at: Timestamp,
    /// When the last was made.
    pub last_at: Timestamp,
    /// What the last is about.
    pub last_kind: RecordKind,
    /// The last one's hash.
    pub hash: ChainHash,
    /// What it is listed under.
    pub labels: TaskLabels,
}

/// What a task is listed under, so that lists need not read every task's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLabels {
    /// Whether it may still need somebody. A task that no state was stored for counts as open.
    pub is_open: bool,
    /// The parent of its node in the plan.
    pub parent: Option<String>,
}

impl Default for TaskLabels {
    fn default() -> Self {
        Self { is_open: true, parent: None }
    }
}

/// Which tasks to list.
#[derive(Clone, Copy, Debug)]
pub struct TaskQuery<'a> {
    /// Only open ones.
    pub open_only: bool,
    /// Only children of this node.
    pub parent: Option<&'a str>,
    /// Only those after this one: the last of the page before.
    pub after: Option<&'a TaskSummary>,
    /// At most this many.
    pub limit: usize,
}

impl Default for TaskQuery<'_> {
    fn default() -> Self {
        Self { open_only: false, parent: None, after: None, limit: usize::MAX }
    }
}

impl TaskQuery<'_> {
    /// The answer, made from a list of all tasks.
    pub(crate) fn of(&self, mut tasks: Vec<TaskSummary>) -> Vec<TaskSummary> {
        let place = |summary: &TaskSummary| (std::cmp::Reverse(summary.last_at), summary.task.clone());
        let after = self.after.map(place);
        tasks.sort_by_key(place);
        tasks.retain(|summary| {
            (!self.open_only || summary.labels.is_open)
                && self.parent.is_none_or(|parent| summary.labels.parent.as_deref() == Some(parent))
                && after.as_ref().is_none_or(|after| place(summary) > *after)
        });
        tasks.truncate(self.limit);
        tasks
    }
}

/// What [`Journal::adopt`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adopted {
    /// Records stored.
    pub new: u64,
    /// Records that were here already.
    pub known: u64,
}

/// What follows from [`Journal`] for every backend.
pub trait JournalExt: Journal {
    /// Reads, decides and appends with the task's chain to itself: all of it is stored, or nothing.
    ///
    /// # Errors
    /// What `work` returns, or why the backend could not start or store it.
    ///
    /// ```
    /// use recovery_store::{JournalExt, MemoryJournal, NewRecord, RecordKind, StoreError, TaskId};
    /// # use recovery_types::Timestamp;
    /// let mut journal = MemoryJournal::default();
    /// let task = TaskId::new("TASK-1").unwrap();
    /// let attempt = journal
    ///     .transact(&task, |chain| {
    ///         let attempt = chain.records(1)?.len() + 1;
    ///         chain.append(NewRecord {
    ///             at: Timestamp::from_ms(0),
    ///             kind: RecordKind::Event,
    ///             content_id: None,
    ///             body: format!(r#"{{"attempt":{attempt}}}"#),
    ///         })?;
    ///         Ok::<_, StoreError>(attempt)
    ///     })
    ///     .unwrap();
    /// assert_eq!(attempt, 1);
    /// ```
    fn transact<T, E: From<StoreError>>(
        &mut self,
        task: &TaskId,
        work: impl FnOnce(&mut dyn TaskTransaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut work = Some(work);
        let mut answer = None;
        let stored = self.transaction(task, &mut |chain| {
            let result = match work.take() {
                Some(work) => work(chain),
                None => return Err(StoreError::Abandoned),
            };
            let failed = result.is_err();
            answer = Some(result);
            if failed { Err(StoreError::Abandoned) } else { Ok(()) }
        });
        match (stored, answer) {
            // The caller's own error is the better one: the backend only says that the work was given up.
            (_, Some(Err(own))) => Err(own),
            (Ok(()), Some(Ok(value))) => Ok(value),
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(StoreError::Abandoned.into()),
        }
    }

    /// Adds one record at the end of the task's chain, or finds the one that has its content id.
    ///
    /// # Errors
    /// Where the body is not one JSON value on one line, or the write failed.
    fn append(&mut self, task: &TaskId, new: NewRecord) -> Result<Appended, StoreError> {
        self.transact(task, |chain| chain.append(new))
    }

    /// Every record, in the order in which they were stored.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn all(&self) -> Result<Vec<Record>, StoreError> {
        let mut all = Vec::new();
        self.scan(&mut |record| {
            all.push(record);
            Ok(())
        })?;
        Ok(all)
    }
}

impl<J: Journal + ?Sized> JournalExt for J {}

/// Where a backend of this crate keeps one task's chain. The rules of adding to it are the same for all.
pub(crate) trait ChainBackend: TaskTransaction {
    /// Whose chain it is.
    fn task(&self) -> &TaskId;

    /// The hash of record `seq`.
    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError>;

    /// Stores a record that is fit to be the next.
    fn insert(&mut self, record: &Record) -> Result<(), StoreError>;

    /// [`TaskTransaction::append`].
    fn append_next(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        if let Some(id) = &new.content_id
            && let Some(record) = self.find(id)?
        {
            return Ok(Appended { record, new: false });
        }
        let record = Record::seal(self.task(), self.head()?.as_ref(), new)?;
        self.insert(&record)?;
        Ok(Appended { record, new: true })
    }

    /// Stores a record that has its place already; false where it is here.
    fn adopt(&mut self, record: &Record) -> Result<bool, StoreError> {
        let conflict = |reason| Err(StoreError::Conflict { task: record.task.clone(), seq: record.seq, reason });
        if let Some(here) = self.hash_at(record.seq)? {
            return if here == record.hash { Ok(false) } else { conflict(ConflictReason::Diverged) };
        }
        if let Some(fault) = fault_after(self.head()?.as_ref(), record) {
            return conflict(ConflictReason::Chain(fault));
        }
        if let Some(id) = &record.content_id
            && self.find(id)?.is_some()
        {
            return conflict(ConflictReason::ContentIdTaken);
        }
        self.insert(record).map(|()| true)
    }
}
