//! The journal as JSON lines: export, import, check.
//!
//! One record per line, in the order in which they were stored, with the hashes of the [chain](crate::chain):
//!
//! ```json
//! {"v":1,"task":"TASK-1","seq":1,"at":"2026-01-24T10:00:00.000Z","kind":"event","content_id":null,"body":{},"prev":"00..","hash":"5e.."}
//! ```
//!
//! The body is exported as it was stored. Each line is complete, so lines of several exports or of a few tasks can be
//! combined with `cat` and `grep`, as long as each task starts with its first record. A file that was truncated between
//! two lines cannot be recognised from the file alone; compare the last hash of a task.

use crate::chain::{ChainCheck, ChainHash, FaultKind, Verification, record_hash};
use crate::error::{StoreError, json_reason};
use crate::journal::{Adopted, Journal};
use crate::record::{ContentId, Record, RecordKind, TaskId};
use recovery_types::Timestamp;
use recovery_types::terminal::escaped_json;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{BufRead, Write};

/// Writes every record of `journal`, or of `task` alone, to `out`.
///
/// # Errors
/// Where the journal cannot be read or the output not be written.
pub fn export(journal: &dyn Journal, task: Option<&TaskId>, out: &mut dyn Write) -> Result<(), StoreError> {
    let mut write = |record: Record| -> Result<(), StoreError> {
        out.write_all(line_of(&record)?.as_bytes())?;
        Ok(())
    };
    match task {
        None => journal.scan(&mut write)?,
        Some(task) => journal.records(task, 1)?.into_iter().try_for_each(write)?,
    }
    Ok(out.flush()?)
}

/// Imports an export into `journal`, with its numbers and hashes: all of it or nothing. Records that the journal has
/// are skipped, so importing twice has the same result as importing once.
///
/// # Errors
/// [`StoreError::Import`] with the line that does not read, is damaged, or does not fit the journal.
///
/// ```
/// use recovery_store::{MemoryJournal, export};
/// let error = export::import(&mut MemoryJournal::default(), &mut "{}\n".as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "line 1: cannot be read as a record: missing field `v` at column 2; nothing was imported");
/// ```
pub fn import(journal: &mut dyn Journal, input: &mut dyn BufRead) -> Result<Adopted, StoreError> {
    // Everything is read before the journal is locked: the input may be slow, and other processes would wait.
    let mut records = Vec::new();
    let mut lines = Lines { input, line: 0 };
    while let Some(read) = lines.next() {
        match read? {
            Read::Record(record) if record.hash == record_hash(&record) => records.push((lines.line, *record)),
            Read::Record(_) => return Err(at_line(lines.line, &FaultKind::WrongHash)),
            Read::Fault(_, kind) => return Err(at_line(lines.line, &kind)),
        }
    }
    let mut line = 0;
    let adopted = journal.adopt(&mut records.into_iter().map(|(at, record)| {
        line = at;
        record
    }));
    adopted.map_err(|error| match error {
        conflict @ StoreError::Conflict { .. } => at_line(line, &conflict),
        other => other,
    })
}

/// Checks an export and names the first fault of each task, with its line. Any changed byte is found.
///
/// # Errors
/// Where the input itself cannot be read.
pub fn verify_export(input: &mut dyn BufRead) -> Result<Verification, StoreError> {
    let mut lines = Lines { input, line: 0 };
    let mut check = ChainCheck::default();
    while let Some(read) = lines.next() {
        let line = Some(lines.line);
        match read? {
            Read::Record(record) => check.record(&record, line),
            Read::Fault(Some((task, seq)), kind) => check.fault(&task, seq, line, kind),
            Read::Fault(None, kind) => check.unplaced(line, kind),
        }
    }
    Ok(check.finish())
}

/// The export line of a record, with its line end.
///
/// # Errors
/// Where a stored body is not JSON, which no append lets in.
pub fn line_of(record: &Record) -> Result<String, StoreError> {
    let unfit = |e: serde_json::Error| StoreError::BadRecord {
        task: record.task.to_string(),
        seq: record.seq.cast_signed(),
        reason: e.to_string(),
    };
    let line = Line {
        v: FORMAT,
        task: record.task.clone(),
        seq: record.seq,
        at: record.at,
        kind: record.kind.clone(),
        content_id: record.content_id.clone(),
        body: serde_json::from_str(&record.body).map_err(unfit)?,
        prev: record.prev,
        hash: record.hash,
    };
    let text = serde_json::to_string(&line).map_err(unfit)?;
    // A name may contain control characters for a terminal. The body is written as it was stored.
    let body = text.find(r#","body":"#).unwrap_or(text.len());
    Ok(format!("{}{}\n", escaped_json(text[..body].to_owned()), &text[body..]))
}

/// Whether `text` is an export, or the beginning of one: its first object has the fields of a record.
#[must_use]
pub fn is_export(text: &str) -> bool {
    match serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>().next() {
        Some(Ok(first)) => ["seq", "body", "prev", "hash"].iter().filter(|name| first.get(name).is_some()).count() > 1,
        Some(Err(_)) => text.trim_start().starts_with('{') && text.contains("\"prev\""),
        None => false,
    }
}

const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    v: u32,
    task: TaskId,
    seq: u64,
    at: Timestamp,
    kind: RecordKind,
    content_id: Option<ContentId>,
    #[serde(borrow)]
    body: &'a RawValue,
    prev: ChainHash,
    hash: ChainHash,
}

/// The content of a line: a record, or the fault with the record that it names.
enum Read {
    Record(Box<Record>),
    Fault(Option<(TaskId, u64)>, FaultKind),
}

struct Lines<'a> {
    input: &'a mut dyn BufRead,
    /// The number of the line read last.
    line: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Option<Result<Read, StoreError>> {
        let mut bytes = Vec::new();
        match self.input.read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(_) => {
                self.line += 1;
                Some(Ok(read_line(&bytes)))
            }
            Err(error) => Some(Err(error.into())),
        }
    }
}

fn read_line(bytes: &[u8]) -> Read {
    let unreadable = |reason: String| Read::Fault(None, FaultKind::Unreadable { reason });
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return unreadable(error.to_string()),
    };
    let line: Line<'_> = match serde_json::from_str(text) {
        Ok(line) => line,
        Err(error) => return unreadable(format!("{} at column {}", json_reason(&error), error.column())),
    };
    let record = Record {
        task: line.task,
        seq: line.seq,
        at: line.at,
        kind: line.kind,
        content_id: line.content_id,
        body: line.body.get().to_owned(),
        prev: line.prev,
        hash: line.hash,
    };
    if line.v != FORMAT {
        return unreadable(format!("format {} is not known here, only {FORMAT}", line.v));
    }
    // Some bytes do not enter the hash (the `T` of a time may be a `t`), so the whole line has to be as written.
    match line_of(&record) {
        Ok(expected) if expected == text => Read::Record(Box::new(record)),
        _ => Read::Fault(Some((record.task, record.seq)), FaultKind::NotAsExported),
    }
}

fn at_line(line: u64, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Import { line, reason: reason.to_string() }
}
