//! One task's chain in the file: the reads and writes of a transaction.
//!
//! In: a connection that holds whatever lock is needed. Out: [`TaskTransaction`]. The rules of adding to a chain are those
//! of every backend ([`ChainBackend`]); here are the statements, each prepared once per connection.

use super::db_file::DbFile;
use super::deflated;
use super::row::{column, hash_of, number_of, record_of, select};
use crate::chain::{ChainHash, Head};
use crate::error::StoreError;
use crate::journal::{ChainBackend, Snapshot, TaskLabels, TaskTransaction};
use crate::record::{Appended, ContentId, NewRecord, Record, TaskId};
use crate::schema;
use recovery_types::Timestamp;
use rusqlite::{Connection, params};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One task's records, read and written through a connection that holds whatever lock is needed.
pub(super) struct Chain<'a> {
    pub(super) conn: &'a Connection,
    pub(super) place: &'a DbFile,
    pub(super) format: i64,
    pub(super) task: &'a TaskId,
    /// The ends of the chains that the step under way has changed.
    pub(super) changed: &'a RefCell<BTreeMap<TaskId, Head>>,
}

impl TaskTransaction for Chain<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        let sql = "SELECT seq, hash FROM records WHERE task = ?1 ORDER BY seq DESC LIMIT 1";
        self.place.optional(self.conn, sql, [self.task.as_str()], |row| {
            Ok(Head { seq: number_of(row, 0)?, hash: hash_of(row, 1)? })
        })
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let sql = select(self.format, "WHERE task = ?1 AND seq >= ?2 ORDER BY seq");
        self.place.collect(self.conn, &sql, params![self.task.as_str(), from])
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        let sql = select(self.format, "WHERE task = ?1 AND content_id = ?2");
        self.place.optional(self.conn, &sql, [self.task.as_str(), id.as_str()], record_of)
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        if self.format < schema::WITH_SNAPSHOTS {
            return Ok(None);
        }
        let sql = "SELECT seq, state FROM snapshots JOIN records USING (task, seq, hash) WHERE task = ?1 AND tag = ?2";
        self.place.optional(self.conn, sql, [self.task.as_str(), tag], |row| {
            Ok(Snapshot { seq: number_of(row, 0)?, state: column(row, 1)? })
        })
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.append_next(new)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError> {
        let Some(head) = self.head()? else {
            return Err(StoreError::NothingToCache { task: self.task.clone() });
        };
        let sql = "INSERT OR REPLACE INTO snapshots (task, tag, seq, hash, state) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![self.task.as_str(), tag, head.seq.cast_signed(), head.hash.as_bytes(), state];
        self.place.execute(self.conn, sql, values)
    }

    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError> {
        let sql = "UPDATE tasks SET list = ?2, parent = ?3, due_at = ?4
            WHERE task = ?1 AND (list IS NOT ?2 OR parent IS NOT ?3 OR due_at IS NOT ?4)";
        let due_at = labels.due_at.map(Timestamp::ms);
        self.place.execute(self.conn, sql, params![self.task.as_str(), labels.list.0, labels.parent, due_at])
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        // A file has no clock but this machine's.
        Ok(None)
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT state FROM resources WHERE name = ?1";
        self.place.optional(self.conn, sql, [name], |row| column(row, 0))
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO resources (name, state) VALUES (?1, ?2)";
        self.place.execute(self.conn, sql, params![name, state])
    }
}

impl ChainBackend for Chain<'_> {
    fn task(&self) -> &TaskId {
        self.task
    }

    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError> {
        // A number that no stored record can have finds nothing.
        let key = params![self.task.as_str(), i64::try_from(seq).unwrap_or(-1)];
        let sql = "SELECT hash FROM records WHERE task = ?1 AND seq = ?2";
        self.place.optional(self.conn, sql, key, |row| hash_of(row, 0))
    }

    fn insert(&mut self, record: &Record) -> Result<(), StoreError> {
        let sql = "INSERT INTO records (task, seq, at, kind, content_id, body, prev, hash, deflated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let deflated = deflated::deflate(&record.body);
        let values = params![
            record.task.as_str(),
            record.seq.cast_signed(),
            record.at.ms(),
            record.kind.as_str(),
            record.content_id.as_ref().map(ContentId::as_str),
            if deflated.is_some() { "" } else { &record.body },
            record.prev.as_bytes(),
            record.hash.as_bytes(),
            deflated,
        ];
        self.place.execute(self.conn, sql, values)?;
        self.changed.borrow_mut().insert(record.task.clone(), record.head());
        Ok(())
    }
}
