//! What any backend of the journal can do.

use crate::chain::{ChainHash, Head, Verification, fault_after};
use crate::error::{ConflictReason, StoreError};
use crate::record::{Appended, ContentId, NewRecord, Record, RecordKind, TaskId};
use recovery_types::Timestamp;

/// A durable record of what happened and what was decided, one chain per task.
///
/// A write that returned `Ok` survives the death of the process. A backend is right when it passes the suite in
/// `recovery_store::conformance`.
pub trait Journal {
    /// Runs `work` with the task's chain to itself: nobody else appends to it meanwhile, and either all of its writes
    /// are stored or, where it returns an error, none. A backend may run it again. [`JournalExt::transact`] is the comfortable way to call it.
    ///
    /// # Errors
    /// What `work` returns, or why the backend could not start or store it.
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// From here to [`Journal::commit_group`] nothing is durable: one sync then stores the transactions of the whole group
    /// (group commit). Each of them is still all or nothing by itself. Others wait meanwhile, so a group is short. A
    /// backend whose commits do not wait for each other need not do anything here: it stores each transaction at once.
    /// The answer is whether the group has the journal to itself: then nothing that it has read can change.
    ///
    /// # Errors
    /// Where the backend could not start it.
    fn begin_group(&mut self) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Stores the group's transactions, all or none.
    ///
    /// # Errors
    /// Where they could not be stored: then none of them is.
    fn commit_group(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

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

    /// The task's line in the list of tasks.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError>;

    /// Up to `limit` tasks by name, those after `after`.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError>;

    /// The tasks that `query` asks for, the one that something happened to last first. A page costs no more in a journal
    /// of a million tasks.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError>;

    /// Up to `limit` tasks whose [`TaskLabels::due_at`] is not after `by`, the earliest first.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError>;

    /// Up to `limit` tasks with `part` in their name, whatever its case, among the [`NAMES_SEARCHED`] that something
    /// happened to last.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError>;

    /// How many tasks there are.
    ///
    /// # Errors
    /// Where the backend cannot be read.
    fn task_count(&self) -> Result<u64, StoreError>;

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

    /// Caches the state as it is after the last record, in place of any earlier one. `tag` names the format of `state`;
    /// another tag never sees it.
    ///
    /// # Errors
    /// Where the task has no record yet, or the write failed.
    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError>;

    /// Reports what the state is after the last record, for a store that may be out of reach the next time. Others cache it
    /// only where [`TaskTransaction::put_snapshot`] says so.
    fn remember(&mut self, _tag: &str, _state: &mut dyn FnMut() -> Option<Vec<u8>>) {}

    /// Lists the task under `labels`; one without records is not listed.
    ///
    /// # Errors
    /// Where the write failed.
    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError>;

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

/// How many names [`Journal::tasks_named_like`] looks at: a name is searched for by people, who wait.
pub const NAMES_SEARCHED: usize = 20_000;

/// A list that tasks are in, each in one. The caller chooses what its lists are for; two of them mean the same to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskList(pub u8);

impl TaskList {
    /// Nothing of the task needs anybody: an archive takes it.
    pub const CLOSED: Self = Self(0);
    /// It may need somebody; also a task that was never labelled.
    pub const OPEN: Self = Self(1);
    /// All lists that there can be, the closed one last.
    pub const ALL: [Self; 8] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(0)];

    /// Whether it holds tasks that may need somebody.
    #[must_use]
    pub fn is_open(self) -> bool {
        self != Self::CLOSED
    }
}

/// What a task is listed under, so that lists need not read every task's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLabels {
    /// The list that it is in.
    pub list: TaskList,
    /// The parent of its node in the plan.
    pub parent: Option<String>,
    /// When its state has to be looked at again although nothing happened.
    pub due_at: Option<Timestamp>,
}

impl Default for TaskLabels {
    /// Those of a task that was never labelled, an imported one say: open, and due at once.
    fn default() -> Self {
        Self { list: TaskList::OPEN, parent: None, due_at: Some(Timestamp::from_ms(0)) }
    }
}

/// Which tasks to list.
#[derive(Clone, Copy, Debug)]
pub struct TaskQuery<'a> {
    /// Only those in these lists.
    pub lists: &'a [TaskList],
    /// Only those that something happened to after this time.
    pub since: Option<Timestamp>,
    /// Only those that nothing has happened to after this time.
    pub until: Option<Timestamp>,
    /// Only children of this node.
    pub parent: Option<&'a str>,
    /// Only those after this one: the last of the page before.
    pub after: Option<&'a TaskSummary>,
    /// At most this many.
    pub limit: usize,
}

impl Default for TaskQuery<'_> {
    fn default() -> Self {
        Self { lists: &TaskList::ALL, since: None, until: None, parent: None, after: None, limit: usize::MAX }
    }
}

impl TaskQuery<'_> {
    /// The answer, made from tasks of which it may want all.
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
    /// Reads, decides and appends with the task's chain to itself: all of it is stored, or nothing. `work` may run again where
    /// nothing of its first run is known to be stored; the last run's answer counts.
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
