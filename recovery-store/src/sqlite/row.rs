//! Statements, and the rows that they give as values of this crate.
//!
//! In: SQL with its values. Out: records and columns, or the error that names the record which cannot be read. Statements are
//! prepared once per connection.

use super::db_file::DbFile;
use super::deflated;
use crate::chain::ChainHash;
use crate::error::StoreError;
use crate::record::{ContentId, Record, RecordKind, TaskId};
use crate::schema;
use recovery_types::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Params, Row};

impl DbFile {
    pub(super) fn execute(&self, conn: &Connection, sql: &str, values: impl Params) -> Result<(), StoreError> {
        let done = conn.prepare_cached(sql).and_then(|mut statement| statement.execute(values));
        done.map(|_| ()).map_err(|e| self.explain(&e))
    }

    pub(super) fn optional<T>(
        &self,
        conn: &Connection,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T, RowError>,
    ) -> Result<Option<T>, StoreError> {
        let mut statement = conn.prepare_cached(sql).map_err(|e| self.explain(&e))?;
        let found = statement.query_row(values, |row| Ok(self.read(row, read))).optional();
        found.map_err(|e| self.explain(&e))?.transpose()
    }

    /// Shows each record that `sql` selects, readable or not, to `visit`.
    pub(super) fn each(
        &self,
        conn: &Connection,
        sql: &str,
        values: impl Params,
        mut visit: impl FnMut(Result<Record, StoreError>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = conn.prepare_cached(sql).map_err(|e| self.explain(&e))?;
        let mut rows = statement.query(values).map_err(|e| self.explain(&e))?;
        while let Some(row) = rows.next().map_err(|e| self.explain(&e))? {
            visit(self.read(row, record_of))?;
        }
        Ok(())
    }

    pub(super) fn collect(&self, conn: &Connection, sql: &str, values: impl Params) -> Result<Vec<Record>, StoreError> {
        let mut records = Vec::new();
        self.each(conn, sql, values, |record| {
            records.push(record?);
            Ok(())
        })?;
        Ok(records)
    }

    /// Reads a row whose first two columns are task and number, and names the record where that fails.
    pub(super) fn read<T>(
        &self,
        row: &Row<'_>,
        read: impl FnOnce(&Row<'_>) -> Result<T, RowError>,
    ) -> Result<T, StoreError> {
        read(row).map_err(|unfit| match unfit {
            RowError::Sqlite(error @ rusqlite::Error::SqliteFailure(..)) => self.explain(&error),
            RowError::Sqlite(error) => bad_record(row, error.to_string()),
            RowError::Value(reason) => bad_record(row, reason),
        })
    }
}

/// Why a row is not what it should be.
pub(super) enum RowError {
    Sqlite(rusqlite::Error),
    Value(String),
}

fn bad_record(row: &Row<'_>, reason: String) -> StoreError {
    StoreError::BadRecord { task: row.get(0).unwrap_or_default(), seq: row.get(1).unwrap_or_default(), reason }
}

/// The columns that [`record_of`] reads, from a file of this format.
pub(super) fn select(format: i64, rest: &str) -> String {
    let deflated = if format >= schema::WITH_DEFLATED { "deflated" } else { "NULL" };
    format!("SELECT task, seq, at, kind, content_id, body, prev, hash, {deflated} FROM records {rest}")
}

pub(super) fn record_of(row: &Row<'_>) -> Result<Record, RowError> {
    let content_id = column::<Option<String>>(row, 4)?;
    Ok(Record {
        task: task_of(row, 0)?,
        seq: number_of(row, 1)?,
        at: time_of(row, 2)?,
        kind: kind_of(row, 3)?,
        content_id: content_id.map(ContentId::new).transpose().map_err(|e| RowError::Value(e.to_string()))?,
        body: body_of(row, 5, 8)?,
        prev: hash_of(row, 6)?,
        hash: hash_of(row, 7)?,
    })
}

/// The body, from the column that has it.
fn body_of(row: &Row<'_>, plain: usize, deflated: usize) -> Result<String, RowError> {
    let text: String = column(row, plain)?;
    match column::<Option<Vec<u8>>>(row, deflated)? {
        None => Ok(text),
        Some(bytes) if text.is_empty() => deflated::inflate(&bytes).map_err(RowError::Value),
        Some(_) => Err(RowError::Value("it has two bodies".to_owned())),
    }
}

pub(super) fn column<T: rusqlite::types::FromSql>(row: &Row<'_>, index: usize) -> Result<T, RowError> {
    row.get(index).map_err(RowError::Sqlite)
}

pub(super) fn task_of(row: &Row<'_>, index: usize) -> Result<TaskId, RowError> {
    TaskId::new(column::<String>(row, index)?).map_err(|e| RowError::Value(e.to_string()))
}

pub(super) fn number_of(row: &Row<'_>, index: usize) -> Result<u64, RowError> {
    u64::try_from(column::<i64>(row, index)?).map_err(|_| RowError::Value("its number is negative".to_owned()))
}

pub(super) fn time_of(row: &Row<'_>, index: usize) -> Result<Timestamp, RowError> {
    let ms = column::<i64>(row, index)?;
    let at = Timestamp::from_ms(ms);
    if at.ms() == ms { Ok(at) } else { Err(RowError::Value(format!("its time {ms} is out of range"))) }
}

pub(super) fn kind_of(row: &Row<'_>, index: usize) -> Result<RecordKind, RowError> {
    let name = column::<String>(row, index)?;
    RecordKind::from_name(&name)
        .ok_or_else(|| RowError::Value(format!("its kind {name:?} is no name that any recovery writes")))
}

pub(super) fn hash_of(row: &Row<'_>, index: usize) -> Result<ChainHash, RowError> {
    column::<[u8; 32]>(row, index).map(ChainHash::from_bytes)
}
