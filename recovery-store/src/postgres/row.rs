//! The rows that statements give, as values of this crate; what does not fit is told with its record.

use crate::chain::ChainHash;
use crate::error::StoreError;
use crate::record::{ContentId, Record, RecordKind, TaskId};
use recovery_types::Timestamp;
use tokio_postgres::Row;

/// The columns that [`record_of`] reads.
pub(super) const COLUMNS: &str = "task, seq, at, kind, content_id, body, prev, hash";

pub(super) fn record_of(row: &Row) -> Result<Record, StoreError> {
    let record = || -> Result<Record, String> {
        let content_id: Option<String> = column(row, 4)?;
        Ok(Record {
            task: task_of(row, 0)?,
            seq: number_of(row, 1)?,
            at: time_of(row, 2)?,
            kind: kind_of(row, 3)?,
            content_id: content_id.map(ContentId::new).transpose().map_err(|error| error.to_string())?,
            body: column(row, 5)?,
            prev: hash_of(row, 6)?,
            hash: hash_of(row, 7)?,
        })
    };
    record().map_err(|reason| bad_record(row, reason))
}

pub(super) fn bad_record(row: &Row, reason: String) -> StoreError {
    StoreError::BadRecord { task: row.try_get(0).unwrap_or_default(), seq: row.try_get(1).unwrap_or_default(), reason }
}

pub(super) fn column<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, String> {
    row.try_get(index).map_err(|error| error.to_string())
}

pub(super) fn task_of(row: &Row, index: usize) -> Result<TaskId, String> {
    TaskId::new(column::<String>(row, index)?).map_err(|error| error.to_string())
}

pub(super) fn number_of(row: &Row, index: usize) -> Result<u64, String> {
    u64::try_from(column::<i64>(row, index)?).map_err(|_| "its number is negative".to_owned())
}

pub(super) fn time_of(row: &Row, index: usize) -> Result<Timestamp, String> {
    let ms = column::<i64>(row, index)?;
    let at = Timestamp::from_ms(ms);
    if at.ms() == ms { Ok(at) } else { Err(format!("its time {ms} is out of range")) }
}

pub(super) fn kind_of(row: &Row, index: usize) -> Result<RecordKind, String> {
    let name: String = column(row, index)?;
    RecordKind::from_name(&name).ok_or_else(|| format!("no recovery writes records of the kind {name:?}"))
}

pub(super) fn hash_of(row: &Row, index: usize) -> Result<ChainHash, String> {
    let bytes: &[u8] = column(row, index)?;
    bytes.try_into().map(ChainHash::from_bytes).map_err(|_| "its hash has not 32 bytes".to_owned())
}
