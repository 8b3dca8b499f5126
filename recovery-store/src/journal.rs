//! The interface of every journal backend.

use crate::chain::{ChainHash, Head, Verification, fault_after};
use crate::error::{ConflictReason, StoreError};
use crate::record::{Appended, ContentId, NewRecord, Record, RecordKind, TaskId};
use recovery_types::Timestamp;

/// A durable, append-only record of events and decisions: one chain of hashes per task.
///
/// A write that returned `Ok` survives the death of the process. A backend is correct if it passes the suite in
/// `recovery_store::conformance`.
pub trait Journal {
    /// Runs `work` with exclusive access to the chain of the task: no other writer appends meanwhile, and either all
    /// writes of `work` are stored or, if it returns an error, none. A backend may run it again.
    /// [`JournalExt::transact`] is the convenient way to call it.
    ///
    /// # Errors
    /// What `work` returns, or why the backend could not start or store it.
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// From here to [`Journal::commit_group`] nothing is durable: one sync then stores the transactions of the whole
    /// group (group commit). Each of them is still atomic by itself. Other writers wait meanwhile, so a group has to be
    /// short. A backend whose commits do not wait for each other may ignore the call and store each transaction at
    /// once. Returns whether the group has exclusive access to the journal, so that nothing it has read can change.
    ///
    /// # Errors
    /// Where the backend could not start it.
    fn begin_group(&mut self) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Stores the transactions of the group, all or none.
    ///
    /// # Errors
    /// Where they could not be stored: then none of them is.
    fn commit_group(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The records of the task from number `from` on, in order.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError>;

    /// The record of the task with that content id.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError>;

    /// The cached state of the task, if one is stored under `tag` and still belongs to the chain.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError>;

    /// The row of the task in the list of tasks.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError>;

    /// Up to `limit` tasks in order of their names, after the name `after`.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError>;

    /// The tasks that match `query`, most recently changed first. The cost of a page does not depend on the number of
    /// tasks.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError>;

    /// Up to `limit` tasks whose [`TaskLabels::due_at`] is not after `by`, earliest first.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError>;

    /// Up to `limit` tasks with `part` in their name, in any case, among the [`NAMES_SEARCHED`] most recently changed
    /// ones.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError>;

    /// How many tasks there are.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn task_count(&self) -> Result<u64, StoreError>;

    /// The stored state of a shared resource.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Every stored state of a shared resource, by name.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// Passes every record to `visit`, in the order in which they were stored.
    ///
    /// # Errors
    /// The first error of `visit`, or why the backend cannot be read.
    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError>;

    /// The last `limit` records of all tasks, oldest first.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError>;

    /// Stores records that were numbered in another journal: all of them or none. A record that the journal has, with
    /// the same hash, is skipped.
    ///
    /// # Errors
    /// A record that does not follow what is stored, or a failed write.
    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError>;

    /// Checks everything and names the first fault of each task.
    ///
    /// # Errors
    /// Where the backend cannot be read at all. Damage is not an error but the result.
    fn verify(&self) -> Result<Verification, StoreError>;
}

/// The chain of one task, with exclusive access. Reads include the transaction's own writes.
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

    /// The cached state, if one is stored under `tag` and still belongs to the chain.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError>;

    /// Appends a record, or returns the one that has its content id.
    ///
    /// # Errors
    /// Where the body is not one JSON value on one line, or the write failed.
    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError>;

    /// Caches the state after the last record, replacing any earlier one. `tag` names the format of `state`; a state
    /// with another tag is ignored.
    ///
    /// # Errors
    /// Where the task has no record yet, or the write failed.
    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError>;

    /// Reports the state after the last record to a backend that may be unreachable the next time. Other backends cache
    /// it only through [`TaskTransaction::put_snapshot`].
    fn remember(&mut self, _tag: &str, _state: &mut dyn FnMut() -> Option<Vec<u8>>) {}

    /// Lists the task under `labels`; one without records is not listed.
    ///
    /// # Errors
    /// Where the write failed.
    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError>;

    /// The clock of the store, if it differs from the caller's: the clocks of machines differ, and shared data needs
    /// one time.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn clock(&self) -> Result<Option<Timestamp>, StoreError>;

    /// The stored state of a shared resource, locked until this transaction ends. A transaction uses one resource only,
    /// so that two of them never deadlock.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Replaces the stored state of a resource.
    ///
    /// # Errors
    /// Where the write failed.
    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError>;
}

/// The cached state of a task: the fold of its records up to `seq`. The records are authoritative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last record that is part of the state; continue with `seq + 1`.
    pub seq: u64,
    /// The state, in the format that its tag names.
    pub state: Vec<u8>,
}

/// One row of the list of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSummary {
    /// The task.
    pub task: TaskId,
    /// The number of records, which is the number of the last one.
    pub records: u64,
    /// The time of the first record.
    pub first_at: Timestamp,
    /// The time of the last record.
    pub last_at: Timestamp,
    /// The kind of the last record.
    pub last_kind: RecordKind,
    /// The hash of the last record.
    pub hash: ChainHash,
    /// The labels of the task.
    pub labels: TaskLabels,
}

/// The number of names that [`Journal::tasks_named_like`] searches, which bounds the wait of the person who searches.
pub const NAMES_SEARCHED: usize = 20_000;

/// A list of tasks; each task is in one. The caller defines the meaning of its lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskList(pub u8);

impl TaskList {
    /// The task needs no attention: an archive may take it.
    pub const CLOSED: Self = Self(0);
    /// The task may need attention; also the list of a task without labels.
    pub const OPEN: Self = Self(1);
    /// All lists, the closed one last.
    pub const ALL: [Self; 8] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(0)];

    /// Whether its tasks may need attention.
    #[must_use]
    pub fn is_open(self) -> bool {
        self != Self::CLOSED
    }
}

/// The labels of a task, so that listing tasks need not read their states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLabels {
    /// The list of the task.
    pub list: TaskList,
    /// The parent of the task's node in the plan.
    pub parent: Option<String>,
    /// The time at which the state has to be evaluated again, although nothing was recorded.
    pub due_at: Option<Timestamp>,
}

impl Default for TaskLabels {
    /// The labels of a task without any, for example an imported one: open, and due at once.
    fn default() -> Self {
        Self { list: TaskList::OPEN, parent: None, due_at: Some(Timestamp::from_ms(0)) }
    }
}

/// A query for tasks.
#[derive(Clone, Copy, Debug)]
pub struct TaskQuery<'a> {
    /// Only tasks in these lists.
    pub lists: &'a [TaskList],
    /// Only tasks that changed after this time.
    pub since: Option<Timestamp>,
    /// Only tasks that did not change after this time.
    pub until: Option<Timestamp>,
    /// Only children of this node.
    pub parent: Option<&'a str>,
    /// Only tasks after this one: the last of the page before.
    pub after: Option<&'a TaskSummary>,
    /// The length of the page.
    pub limit: usize,
}

impl Default for TaskQuery<'_> {
    fn default() -> Self {
        Self { lists: &TaskList::ALL, since: None, until: None, parent: None, after: None, limit: usize::MAX }
    }
}

impl TaskQuery<'_> {
    /// The answer for a list of all tasks.
    #[must_use]
    pub fn of(&self, mut tasks: Vec<TaskSummary>) -> Vec<TaskSummary> {
        let place = |summary: &TaskSummary| (std::cmp::Reverse(summary.last_at), summary.task.clone());
        let after = self.after.map(place);
        tasks.sort_by_cached_key(place);
        tasks.retain(|summary| {
            self.lists.contains(&summary.labels.list)
                && self.since.is_none_or(|since| summary.last_at > since)
                && self.until.is_none_or(|until| summary.last_at <= until)
                && self.parent.is_none_or(|parent| summary.labels.parent.as_deref() == Some(parent))
                && after.as_ref().is_none_or(|after| place(summary) > *after)
        });
        tasks.truncate(self.limit);
        tasks
    }
}

/// The result of [`Journal::adopt`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adopted {
    /// The number of records stored.
    pub new: u64,
    /// The number of records that the journal had.
    pub known: u64,
}

/// Convenience methods for every backend.
pub trait JournalExt: Journal {
    /// Reads, decides and appends with exclusive access to the chain of the task: all of it is stored, or nothing.
    /// `work` may run again if nothing of its first run is known to be stored; the result of the last run counts.
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
        mut work: impl FnMut(&mut dyn TaskTransaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut answer = None;
        let stored = self.transaction(task, &mut |chain| {
            let result = work(chain);
            let failed = result.is_err();
            answer = Some(result);
            if failed { Err(StoreError::Abandoned) } else { Ok(()) }
        });
        match (stored, answer) {
            // The caller's own error is more specific: the backend only reports that the work was given up.
            (_, Some(Err(own))) => Err(own),
            (Ok(()), Some(Ok(value))) => Ok(value),
            (Err(error), _) => Err(error.into()),
            (Ok(()), None) => Err(StoreError::Abandoned.into()),
        }
    }

    /// Appends one record to the chain of the task, or returns the one that has its content id.
    ///
    /// # Errors
    /// Where the body is not one JSON value on one line, or the write failed.
    fn append(&mut self, task: &TaskId, new: NewRecord) -> Result<Appended, StoreError> {
        self.transact(task, |chain| chain.append(new.clone()))
    }

    /// Every task, by name.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks(&self) -> Result<Vec<TaskSummary>, StoreError> {
        self.tasks_by_name(None, usize::MAX)
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

/// The storage of one task's chain in a backend of this crate. The rules for appending are the same for all.
pub(crate) trait ChainBackend: TaskTransaction {
    /// The task of the chain.
    fn task(&self) -> &TaskId;

    /// The hash of record `seq`.
    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError>;

    /// Stores a record that was checked as the next one.
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

    /// Stores a record that has a number; false if the backend has it.
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
