//! One task's chain in the tables: the reads and writes of a transaction.
//!
//! In: a journal whose transaction holds the task's lock. Out: [`TaskTransaction`]. The rules of adding to a chain are those
//! of every backend ([`ChainBackend`]); here is one statement, and one round trip, per step.

use super::row::{COLUMNS, bad_record, column, hash_of, number_of, record_of};
use super::{PostgresJournal, Value};
use crate::chain::{ChainHash, Head};
use crate::error::StoreError;
use crate::journal::{ChainBackend, Journal as _, Snapshot, TaskLabels, TaskTransaction};
use crate::record::{Appended, ContentId, NewRecord, Record, TaskId};
use recovery_types::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

/// One task's records, read and written within whatever transaction is under way.
pub(super) struct Chain<'a> {
    pub(super) journal: &'a PostgresJournal,
    pub(super) task: &'a TaskId,
}

impl TaskTransaction for Chain<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        let sql = "SELECT task, seq, hash FROM $schema.records WHERE task = $1 ORDER BY seq DESC LIMIT 1";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT)])?;
        let head = |row: &Row| Ok(Head { seq: number_of(row, 1)?, hash: hash_of(row, 2)? });
        rows.first().map(|row| head(row).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let sql = format!("SELECT {COLUMNS} FROM $schema.records WHERE task = $1 AND seq >= $2 ORDER BY seq");
        let values: [Value<'_>; 2] = [(&self.task.as_str(), Type::TEXT), (&from, Type::INT8)];
        self.journal.query(&sql, &values)?.iter().map(record_of).collect()
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM $schema.records WHERE task = $1 AND content_id = $2");
        let values: [Value<'_>; 2] = [(&self.task.as_str(), Type::TEXT), (&id.as_str(), Type::TEXT)];
        self.journal.query(&sql, &values)?.first().map(record_of).transpose()
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        let sql = "SELECT task, seq, state FROM $schema.snapshots JOIN $schema.records USING (task, seq, hash)
            WHERE task = $1 AND tag = $2";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT), (&tag, Type::TEXT)])?;
        let snapshot = |row: &Row| Ok(Snapshot { seq: number_of(row, 1)?, state: column(row, 2)? });
        rows.first().map(|row| snapshot(row).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.append_next(new)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError> {
        let sql = "WITH head AS (SELECT seq, hash FROM $schema.records WHERE task = $1 ORDER BY seq DESC LIMIT 1)
            INSERT INTO $schema.snapshots (task, tag, seq, hash, state) SELECT $1, $2, seq, hash, $3 FROM head
            ON CONFLICT (task) DO UPDATE
                SET tag = EXCLUDED.tag, seq = EXCLUDED.seq, hash = EXCLUDED.hash, state = EXCLUDED.state";
        let values: [Value<'_>; 3] = [(&self.task.as_str(), Type::TEXT), (&tag, Type::TEXT), (&state, Type::BYTEA)];
        let stored = self.journal.execute(sql, &values)?;
        if stored == 0 { Err(StoreError::NothingToCache { task: self.task.clone() }) } else { Ok(()) }
    }

    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError> {
        let sql = "UPDATE $schema.tasks SET list = $2, parent = $3, due_at = $4 WHERE task = $1
            AND (list, parent, due_at) IS DISTINCT FROM ($2, $3, $4)";
        let (list, due_at) = (i16::from(labels.list.0), labels.due_at.map(Timestamp::ms));
        let values: [Value<'_>; 4] = [
            (&self.task.as_str(), Type::TEXT),
            (&list, Type::INT2),
            (&labels.parent, Type::TEXT),
            (&due_at, Type::INT8),
        ];
        self.journal.execute(sql, &values).map(|_| ())
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";
        let rows = self.journal.query(sql, &[])?;
        let ms = rows.first().map(|row| row.try_get(0)).transpose().map_err(|error| self.journal.explain(&error))?;
        Ok(ms.map(Timestamp::from_ms))
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        // Not the row's own lock: there may be no row yet.
        let lock = format!("SELECT pg_advisory_xact_lock({})", self.journal.lock_key("resource", name));
        self.journal.ask(self.journal.client.batch_execute(&lock))?;
        self.journal.resource(name)
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT INTO $schema.resources (name, state) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET state = EXCLUDED.state";
        self.journal.execute(sql, &[(&name, Type::TEXT), (&state, Type::BYTEA)]).map(|_| ())
    }
}

impl ChainBackend for Chain<'_> {
    fn task(&self) -> &TaskId {
        self.task
    }

    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError> {
        // A number that no stored record can have finds nothing.
        let seq = i64::try_from(seq).unwrap_or(-1);
        let sql = "SELECT task, seq, hash FROM $schema.records WHERE task = $1 AND seq = $2";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT), (&seq, Type::INT8)])?;
        rows.first().map(|row| hash_of(row, 2).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn insert(&mut self, record: &Record) -> Result<(), StoreError> {
        // In one step with the task's line in the list.
        let sql = "WITH stored AS (
                INSERT INTO $schema.records (task, seq, at, kind, content_id, body, prev, hash)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
            INSERT INTO $schema.tasks (task, records, first_at, last_at, last_kind, hash) VALUES ($1, $2, $3, $3, $4, $8)
            ON CONFLICT (task) DO UPDATE SET records = EXCLUDED.records, last_at = EXCLUDED.last_at,
                last_kind = EXCLUDED.last_kind, hash = EXCLUDED.hash";
        self.journal.execute(
            sql,
            &[
                (&record.task.as_str(), Type::TEXT),
                (&record.seq.cast_signed(), Type::INT8),
                (&record.at.ms(), Type::INT8),
                (&record.kind.as_str(), Type::TEXT),
                (&record.content_id.as_ref().map(ContentId::as_str), Type::TEXT),
                (&record.body, Type::TEXT),
                (&record.prev.as_bytes().as_slice(), Type::BYTEA),
                (&record.hash.as_bytes().as_slice(), Type::BYTEA),
            ],
        )?;
        self.journal.changed.borrow_mut().insert(record.task.clone(), record.head());
        Ok(())
    }
}
