//! The list of tasks in the file: one row per task, kept by a trigger and by [`TaskTransaction::put_labels`].
//!
//! In: a question about tasks. Out: their rows, read along an index in the order of the answer, so that a page costs the same
//! in a journal of ten tasks and of a million. A file of an older format that may only be read has no such indexes: there
//! all tasks are read and chosen from.
//!
//! [`TaskTransaction::put_labels`]: crate::TaskTransaction::put_labels

use super::SqliteJournal;
use super::row::{column, hash_of, kind_of, number_of, task_of, time_of};
use crate::error::StoreError;
use crate::journal::{NAMES_SEARCHED, TaskLabels, TaskList, TaskQuery, TaskSummary};
use crate::memory::{due, named_like};
use crate::record::TaskId;
use crate::schema;
use recovery_types::Timestamp;
use rusqlite::{Params, params};

/// The columns of a [`TaskSummary`].
const COLUMNS: &str = "task, records, last_at, last_kind, hash, first_at, list, parent, due_at";

/// The same from a file that has the list, but not the lists.
const OLDER_COLUMNS: &str = "task, records, last_at, last_kind, hash, first_at, is_open, parent, iif(is_open, 0, NULL)";

/// The same from a file without a list: steps from task to task along the index instead of reading every record.
const FROM_RECORDS: &str = "WITH RECURSIVE names (task) AS (
        SELECT min(task) FROM records
        UNION ALL SELECT (SELECT min(task) FROM records WHERE task > names.task) FROM names WHERE task NOTNULL
    )
    SELECT last.task, last.seq, last.at, last.kind, last.hash, first.at, 1, NULL, 0 FROM names
    JOIN records AS last ON last.task = names.task
        AND last.seq = (SELECT max(seq) FROM records WHERE task = names.task)
    JOIN records AS first ON first.task = names.task
        AND first.seq = (SELECT min(seq) FROM records WHERE task = names.task)
    ORDER BY names.task";

impl SqliteJournal {
    pub(super) fn listed_task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        if self.is_older() {
            return Ok(self.all_listed()?.into_iter().find(|summary| summary.task == *task));
        }
        let found = self.summaries(&format!("SELECT {COLUMNS} FROM tasks WHERE task = ?1"), [task.as_str()])?;
        Ok(found.into_iter().next())
    }

    pub(super) fn listed_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        if self.is_older() {
            let is_after = |summary: &TaskSummary| after.is_none_or(|after| summary.task > *after);
            return Ok(self.all_listed()?.into_iter().filter(is_after).take(limit).collect());
        }
        // No name is empty.
        let sql = format!("SELECT {COLUMNS} FROM tasks WHERE task > ?1 ORDER BY task LIMIT ?2");
        self.summaries(&sql, params![after.map_or("", TaskId::as_str), rows(limit)])
    }

    pub(super) fn listed(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        if self.is_older() {
            return Ok(query.of(self.all_listed()?));
        }
        let (since, until) = (query.since.map_or(i64::MIN, Timestamp::ms), query.until.map_or(i64::MAX, Timestamp::ms));
        let (after_at, after) = query.after.map_or((i64::MAX, ""), |after| (after.last_at.ms(), after.task.as_str()));
        // Written out for each question, so that each has an index that answers it in order.
        let wanted = |first: &str| {
            format!(
                "SELECT {COLUMNS} FROM tasks WHERE {first} = ?1 AND last_at > ?2 AND last_at <= ?3
                 AND (last_at < ?4 OR task > ?5) ORDER BY last_at DESC, task LIMIT ?6"
            )
        };
        if let Some(parent) = query.parent {
            // All children, where some lists only are wanted: one node has not that many.
            let limit = if query.lists == TaskList::ALL { query.limit } else { usize::MAX };
            let values = params![parent, since, until.min(after_at), after_at, after, rows(limit)];
            return Ok(query.of(self.summaries(&wanted("parent"), values)?));
        }
        let sql = wanted("list");
        let mut tasks = Vec::new();
        for list in query.lists {
            let values = params![list.0, since, until.min(after_at), after_at, after, rows(query.limit)];
            tasks.extend(self.summaries(&sql, values)?);
        }
        Ok(query.of(tasks))
    }

    pub(super) fn listed_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        if self.is_older() {
            return Ok(due(self.all_listed()?, by, limit));
        }
        let sql = "SELECT task FROM tasks WHERE due_at <= ?1 ORDER BY due_at, task LIMIT ?2";
        self.names(sql, params![by.ms(), rows(limit)])
    }

    pub(super) fn listed_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        let newest =
            if self.is_older() {
                let tasks = TaskQuery { limit: NAMES_SEARCHED, ..TaskQuery::default() }.of(self.all_listed()?);
                tasks.into_iter().map(|summary| summary.task).collect()
            } else {
                let mut newest: Vec<(i64, TaskId)> = Vec::new();
                for list in TaskList::ALL {
                    let sql = "SELECT task, last_at FROM tasks WHERE list = ?1 ORDER BY last_at DESC, task LIMIT ?2";
                    newest.extend(self.rows(sql, params![list.0, rows(NAMES_SEARCHED)], |row| {
                        Ok((column(row, 1)?, task_of(row, 0)?))
                    })?);
                }
                newest.sort_by_key(|(last_at, _)| std::cmp::Reverse(*last_at));
                newest.truncate(NAMES_SEARCHED);
                newest.into_iter().map(|(_, task)| task).collect::<Vec<_>>()
            };
        Ok(named_like(newest.into_iter(), part, limit))
    }

    pub(super) fn listed_count(&self) -> Result<u64, StoreError> {
        if self.format < schema::WITH_TASKS {
            return Ok(self.all_listed()?.len() as u64);
        }
        let count = self.rows("SELECT count(*) FROM tasks", [], |row| number_of(row, 0))?;
        Ok(count.into_iter().next().unwrap_or(0))
    }

    /// Every task of a file of an older format, by name.
    fn all_listed(&self) -> Result<Vec<TaskSummary>, StoreError> {
        if self.format < schema::WITH_TASKS {
            return self.summaries(FROM_RECORDS, []);
        }
        self.summaries(&format!("SELECT {OLDER_COLUMNS} FROM tasks ORDER BY task"), [])
    }

    const fn is_older(&self) -> bool {
        self.format < schema::WITH_LISTS
    }

    fn summaries(&self, sql: &str, values: impl Params) -> Result<Vec<TaskSummary>, StoreError> {
        self.rows(sql, values, |row| {
            Ok(TaskSummary {
                task: task_of(row, 0)?,
                records: number_of(row, 1)?,
                last_at: time_of(row, 2)?,
                last_kind: kind_of(row, 3)?,
                hash: hash_of(row, 4)?,
                first_at: time_of(row, 5)?,
                labels: TaskLabels {
                    list: TaskList(column(row, 6)?),
                    parent: column(row, 7)?,
                    due_at: column::<Option<i64>>(row, 8)?.map(Timestamp::from_ms),
                },
            })
        })
    }

    fn names(&self, sql: &str, values: impl Params) -> Result<Vec<TaskId>, StoreError> {
        self.rows(sql, values, |row| task_of(row, 0))
    }

    fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl Fn(&rusqlite::Row<'_>) -> Result<T, super::row::RowError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.conn.prepare_cached(sql).map_err(|e| self.explain(&e))?;
        let mut found = statement.query(values).map_err(|e| self.explain(&e))?;
        let mut answer = Vec::new();
        while let Some(row) = found.next().map_err(|e| self.explain(&e))? {
            answer.push(self.place.read(row, &read)?);
        }
        #[cfg(test)]
        {
            drop(found);
            let steps = statement.reset_status(rusqlite::StatementStatus::VmStep);
            tests::STEPS.with(|counted| counted.set(counted.get() + steps));
        }
        Ok(answer)
    }
}

fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Journal as _, JournalExt as _};
    use crate::record::{NewRecord, RecordKind};
    use std::cell::Cell;

    thread_local! {
        /// The steps of SQLite's virtual machine that lists have taken.
        pub(super) static STEPS: Cell<i32> = const { Cell::new(0) };
    }

    /// A journal with that many tasks, in turn in each list, some of them due.
    fn journal(tasks: u64) -> (tempfile::TempDir, SqliteJournal) {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = SqliteJournal::open_in(dir.path(), crate::DEFAULT_WAIT).unwrap();
        journal.begin_group().unwrap();
        for n in 0..tasks {
            let list = TaskList(u8::try_from(n % 7).unwrap());
            let labels = TaskLabels {
                list,
                parent: Some(format!("S-{}", n / 10)),
                due_at: Some(Timestamp::from_ms(1_000_000 + n.cast_signed())),
            };
            let new = NewRecord {
                at: Timestamp::from_ms(n.cast_signed()),
                kind: RecordKind::Note,
                content_id: None,
                body: "1".into(),
            };
            let stored = journal.transact(&TaskId::new(format!("task {n}")).unwrap(), |chain| {
                chain.append(new.clone())?;
                chain.put_labels(&labels)
            });
            stored.unwrap();
        }
        journal.commit_group().unwrap();
        (dir, journal)
    }

    /// The steps that each question takes in a journal with that many tasks.
    fn steps(tasks: u64) -> Vec<(&'static str, i32)> {
        type Question = fn(&SqliteJournal, Timestamp) -> usize;
        let questions: [(&str, Question); 7] = [
            ("one task", |journal, _| journal.task(&TaskId::new("task 5").unwrap()).unwrap().iter().count()),
            ("by name", |journal, _| journal.tasks_by_name(None, 10).unwrap().len()),
            ("newest", |journal, _| {
                journal.tasks_where(&TaskQuery { limit: 10, ..TaskQuery::default() }).unwrap().len()
            }),
            ("newest of one list", |journal, now| {
                let since = Some(Timestamp::from_ms(now.ms() - 50));
                let query = TaskQuery { lists: &[TaskList(5)], limit: 10, since, ..TaskQuery::default() };
                journal.tasks_where(&query).unwrap().len()
            }),
            ("the next page", |journal, _| {
                let first = journal.tasks_where(&TaskQuery { limit: 10, ..TaskQuery::default() }).unwrap();
                let next = TaskQuery { after: first.last(), limit: 10, ..TaskQuery::default() };
                journal.tasks_where(&next).unwrap().len()
            }),
            ("children", |journal, _| {
                journal.tasks_where(&TaskQuery { parent: Some("S-3"), ..TaskQuery::default() }).unwrap().len()
            }),
            ("due", |journal, _| journal.tasks_due(Timestamp::from_ms(1_000_009), 100).unwrap().len()),
        ];
        let (_dir, journal) = journal(tasks);
        let count = |question: Question| {
            STEPS.with(|counted| counted.set(0));
            assert_ne!(question(&journal, Timestamp::from_ms(tasks.cast_signed())), 0);
            STEPS.with(Cell::get)
        };
        questions.into_iter().map(|(name, question)| (name, count(question))).collect()
    }

    /// What reads a page must not read the rest: a scan of the table, or a sort, would take steps for each task.
    #[test]
    fn lists_take_the_same_steps_whatever_the_number_of_tasks() {
        let (few, many) = (steps(203), steps(4_004));
        assert_eq!(few, many);
        assert!(few.iter().all(|(_, steps)| *steps < 5_000), "{few:?}");
    }
}
