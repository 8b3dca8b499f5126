//! The list of tasks in the tables: one row per task, kept by [`ChainBackend::insert`] and
//! [`TaskTransaction::put_labels`].
//!
//! In: a question about tasks. Out: their rows, read along an index in the order of the answer, so that a page costs the same
//! in a journal of ten tasks and of a million.
//!
//! [`ChainBackend::insert`]: crate::journal::ChainBackend
//! [`TaskTransaction::put_labels`]: crate::TaskTransaction::put_labels

use super::row::{bad_record, column, hash_of, kind_of, number_of, task_of, time_of};
use super::{PostgresJournal, Value};
use crate::error::StoreError;
use crate::journal::{NAMES_SEARCHED, TaskLabels, TaskList, TaskQuery, TaskSummary};
use crate::record::TaskId;
use recovery_types::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// The columns of a [`TaskSummary`].
const LIST: &str = "SELECT task, records, last_at, last_kind, hash, first_at, list, parent, due_at FROM $schema.tasks";

impl PostgresJournal {
    pub(super) fn listed_task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        let found = self.summaries("WHERE task = $1", &[(&task.as_str(), Type::TEXT)])?;
        Ok(found.into_iter().next())
    }

    pub(super) fn listed_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        // No name is empty.
        let values: [Value<'_>; 2] = [(&after.map_or("", TaskId::as_str), Type::TEXT), (&rows(limit), Type::INT8)];
        self.summaries("WHERE task > $1 ORDER BY task LIMIT $2", &values)
    }

    pub(super) fn listed(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        let (since, until) = (query.since.map_or(i64::MIN, Timestamp::ms), query.until.map_or(i64::MAX, Timestamp::ms));
        let (after_at, after) = query.after.map_or((i64::MAX, ""), |after| (after.last_at.ms(), after.task.as_str()));
        let until = until.min(after_at);
        let bounds =
            "last_at > $1 AND last_at <= $2 AND (last_at < $3 OR task > $4) ORDER BY last_at DESC, task LIMIT $5";
        let mut tasks = Vec::new();
        let mut page = |first: &str, key: Value<'_>, limit: usize| -> Result<(), StoreError> {
            let limit = rows(limit);
            let values: [Value<'_>; 6] = [
                (&since, Type::INT8),
                (&until, Type::INT8),
                (&after_at, Type::INT8),
                (&after, Type::TEXT),
                (&limit, Type::INT8),
                key,
            ];
            tasks.extend(self.summaries(&format!("WHERE {first} = $6 AND {bounds}"), &values)?);
            Ok(())
        };
        if let Some(parent) = query.parent {
            // All children, where some lists only are wanted: one node has not that many.
            let limit = if query.lists == TaskList::ALL { query.limit } else { usize::MAX };
            page("parent", (&parent, Type::TEXT), limit)?;
        } else {
            for list in query.lists {
                page("list", (&i16::from(list.0), Type::INT2), query.limit)?;
            }
        }
        Ok(query.of(tasks))
    }

    pub(super) fn listed_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        let sql = "SELECT task FROM $schema.tasks WHERE due_at <= $1 ORDER BY due_at, task LIMIT $2";
        self.names(sql, &[(&by.ms(), Type::INT8), (&rows(limit), Type::INT8)])
    }

    pub(super) fn listed_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        // Searched where the names are; the newest of each list are a few more than the newest of all.
        let newest = TaskList::ALL.map(|list| {
            let list = list.0;
            format!(
                "(SELECT task, last_at FROM $schema.tasks WHERE list = {list} ORDER BY last_at DESC, task LIMIT $3)"
            )
        });
        let sql = format!(
            "SELECT task FROM ({}) AS newest WHERE position(lower($1) IN lower(task)) > 0
             ORDER BY last_at DESC, task LIMIT $2",
            newest.join(" UNION ALL ")
        );
        let searched = rows(NAMES_SEARCHED);
        self.names(&sql, &[(&part, Type::TEXT), (&rows(limit), Type::INT8), (&searched, Type::INT8)])
    }

    pub(super) fn listed_count(&self) -> Result<u64, StoreError> {
        let found = self.query("SELECT count(*) FROM $schema.tasks", &[])?;
        let count = found.first().map(|row| number_of(row, 0).map_err(|reason| bad_record(row, reason)));
        Ok(count.transpose()?.unwrap_or(0))
    }

    fn names(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<TaskId>, StoreError> {
        let found = self.query(sql, values)?;
        found.iter().map(|row| task_of(row, 0).map_err(|reason| bad_record(row, reason))).collect()
    }

    fn summaries(&self, rest: &str, values: &[Value<'_>]) -> Result<Vec<TaskSummary>, StoreError> {
        let found = self.query(&format!("{LIST} {rest}"), values)?;
        let summary = |row: &Row| -> Result<TaskSummary, String> {
            let list: i16 = column(row, 6)?;
            Ok(TaskSummary {
                task: task_of(row, 0)?,
                records: number_of(row, 1)?,
                last_at: time_of(row, 2)?,
                last_kind: kind_of(row, 3)?,
                hash: hash_of(row, 4)?,
                first_at: time_of(row, 5)?,
                labels: TaskLabels {
                    list: TaskList(u8::try_from(list).map_err(|error| error.to_string())?),
                    parent: column(row, 7)?,
                    due_at: column::<Option<i64>>(row, 8)?.map(Timestamp::from_ms),
                },
            })
        };
        found.iter().map(|row| summary(row).map_err(|reason| bad_record(row, reason))).collect()
    }
}

fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
