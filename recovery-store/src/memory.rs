//! The journal in memory.

use crate::chain::{ChainCheck, ChainHash, Head, Verification};
use crate::error::StoreError;
use crate::journal::{
    Adopted, ChainBackend, Journal, NAMES_SEARCHED, Snapshot, TaskLabels, TaskQuery, TaskSummary, TaskTransaction,
};
use crate::record::{Appended, ContentId, NewRecord, Record, TaskId};
use recovery_types::Timestamp;
use std::collections::BTreeMap;

/// A journal that lives as long as the process: for dry runs and for tests of its users.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    /// In the order in which they were stored.
    records: Vec<Record>,
    snapshots: BTreeMap<TaskId, (String, Head, Vec<u8>)>,
    resources: BTreeMap<String, Vec<u8>>,
    labels: BTreeMap<TaskId, TaskLabels>,
}

impl MemoryJournal {
    fn chain<'a>(&'a self, task: &'a TaskId) -> impl DoubleEndedIterator<Item = &'a Record> {
        self.records.iter().filter(move |record| record.task == *task)
    }

    fn head(&self, task: &TaskId) -> Option<Head> {
        self.chain(task).next_back().map(Record::head)
    }

    /// The list of tasks, by name.
    fn summaries(&self) -> Vec<TaskSummary> {
        let mut tasks: BTreeMap<&TaskId, TaskSummary> = BTreeMap::new();
        for record in &self.records {
            let first_at = tasks.get(&record.task).map_or(record.at, |task| task.first_at);
            let summary = TaskSummary {
                task: record.task.clone(),
                records: record.seq,
                first_at,
                last_at: record.at,
                last_kind: record.kind.clone(),
                hash: record.hash,
                labels: self.labels.get(&record.task).cloned().unwrap_or_default(),
            };
            tasks.insert(&record.task, summary);
        }
        tasks.into_values().collect()
    }

    /// Runs `work` and undoes its writes if it fails.
    fn all_or_nothing<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let (length, snapshots, labels) = (self.records.len(), self.snapshots.clone(), self.labels.clone());
        let resources = self.resources.clone();
        let answer = work(self);
        if answer.is_err() {
            self.records.truncate(length);
            self.snapshots = snapshots;
            self.labels = labels;
            self.resources = resources;
        }
        answer
    }
}

impl Journal for MemoryJournal {
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.all_or_nothing(|journal| work(&mut Chain { journal, task }))
    }

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        Ok(self.chain(task).filter(|record| record.seq >= from).cloned().collect())
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        Ok(self.chain(task).find(|record| record.content_id.as_ref() == Some(id)).cloned())
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        Ok(self
            .snapshots
            .get(task)
            .filter(|(its_tag, head, _)| its_tag == tag && self.chain(task).any(|record| record.head() == *head))
            .map(|(_, head, state)| Snapshot { seq: head.seq, state: state.clone() }))
    }

    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        Ok(self.summaries().into_iter().find(|summary| summary.task == *task))
    }

    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        let is_after = |summary: &TaskSummary| after.is_none_or(|after| summary.task > *after);
        Ok(self.summaries().into_iter().filter(is_after).take(limit).collect())
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        Ok(query.of(self.summaries()))
    }

    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        Ok(due(self.summaries(), by, limit))
    }

    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        let newest = TaskQuery { limit: NAMES_SEARCHED, ..TaskQuery::default() }.of(self.summaries());
        Ok(named_like(newest.into_iter().map(|summary| summary.task), part, limit))
    }

    fn task_count(&self) -> Result<u64, StoreError> {
        Ok(self.summaries().len() as u64)
    }

    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.resources.get(name).cloned())
    }

    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        Ok(self.resources.clone().into_iter().collect())
    }

    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.records.iter().cloned().try_for_each(visit)
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(self.records[self.records.len().saturating_sub(limit)..].to_vec())
    }

    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError> {
        self.all_or_nothing(|journal| {
            let mut adopted = Adopted::default();
            for record in records {
                if (Chain { journal, task: &record.task }).adopt(&record)? {
                    adopted.new += 1
                } else {
                    adopted.known += 1
                }
            }
            Ok(adopted)
        })
    }

    fn verify(&self) -> Result<Verification, StoreError> {
        let mut check = ChainCheck::default();
        self.records.iter().for_each(|record| check.record(record, None));
        Ok(check.finish())
    }
}

/// The tasks of `list` that are due, the earliest first.
pub(crate) fn due(list: Vec<TaskSummary>, by: Timestamp, limit: usize) -> Vec<TaskId> {
    let due_at = |summary: TaskSummary| Some((summary.labels.due_at?, summary.task));
    let mut due: Vec<_> = list.into_iter().filter_map(due_at).filter(|(at, _)| *at <= by).collect();
    due.sort();
    due.into_iter().map(|(_, task)| task).take(limit).collect()
}

/// Those of `names` that contain `part`, whatever its case.
pub(crate) fn named_like(names: impl Iterator<Item = TaskId>, part: &str, limit: usize) -> Vec<TaskId> {
    let part = part.to_lowercase();
    names.filter(|task| task.as_str().to_lowercase().contains(&part)).take(limit).collect()
}

struct Chain<'a> {
    journal: &'a mut MemoryJournal,
    task: &'a TaskId,
}

impl TaskTransaction for Chain<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        Ok(self.journal.head(self.task))
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        self.journal.records(self.task, from)
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.journal.find(self.task, id)
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        self.journal.snapshot(self.task, tag)
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.append_next(new)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError> {
        let Some(head) = self.head()? else {
            return Err(StoreError::NothingToCache { task: self.task.clone() });
        };
        self.journal.snapshots.insert(self.task.clone(), (tag.to_owned(), head, state.to_vec()));
        Ok(())
    }

    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError> {
        self.journal.labels.insert(self.task.clone(), labels.clone());
        Ok(())
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.journal.resources.get(name).cloned())
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        self.journal.resources.insert(name.to_owned(), state.to_vec());
        Ok(())
    }
}

impl ChainBackend for Chain<'_> {
    fn task(&self) -> &TaskId {
        self.task
    }

    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError> {
        Ok(self.journal.chain(self.task).find(|record| record.seq == seq).map(|record| record.hash))
    }

    fn insert(&mut self, record: &Record) -> Result<(), StoreError> {
        self.journal.records.push(record.clone());
        Ok(())
    }
}
