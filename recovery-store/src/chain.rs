//! The chain of hashes over a task's records.
//!
//! A record's hash is the SHA-256 of these eight fields, each preceded by its length in bytes as a 64-bit big-endian
//! number:
//!
//! 1. the text `recovery-journal/1`
//! 2. the previous record's hash, 32 bytes; 32 zero bytes for a task's first record
//! 3. the task's name, UTF-8
//! 4. the sequence number, 64-bit big-endian
//! 5. the time, milliseconds since 1970, 64-bit big-endian two's complement
//! 6. the kind's name
//! 7. the content id: the byte 0 where there is none, else the byte 1 and the id
//! 8. the body, byte for byte
//!
//! Nothing else is needed to check an export: the lines carry all of it.

use crate::error::StoreError;
use crate::journal::TaskSummary;
use crate::record::{Record, TaskId};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A SHA-256 hash, 64 lower-case hexadecimal digits in text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainHash([u8; 32]);

/// The end of a task's chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the last record.
    pub seq: u64,
    /// The hash of the last record.
    pub hash: ChainHash,
}

/// The result of checking a journal or an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The number of records read.
    pub records: u64,
    /// The number of tasks they belong to.
    pub tasks: u64,
    /// The faults: for each task only the first, because the records after it cannot be judged.
    pub faults: Vec<Fault>,
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The line of the export, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The task, if it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The number within the task, if it could be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The kind of fault.
    #[serde(flatten)]
    pub kind: FaultKind,
}

/// The kinds of faults of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// It cannot be parsed.
    Unreadable {
        /// The reason.
        reason: String,
    },
    /// It can be parsed, but an export would write different bytes.
    NotAsExported,
    /// A record before it is missing, or it occurs twice.
    OutOfSequence {
        /// The expected number.
        expected: u64,
    },
    /// It does not link to the record before it.
    WrongPrevious,
    /// Its content does not have its hash.
    WrongHash,
    /// It was acknowledged, but the journal no longer has it.
    Lost {
        /// The last record of the task in the journal; 0 if there is none.
        found: u64,
    },
    /// Another record was acknowledged with this number.
    Replaced,
    /// The row of the task in the list of tasks contradicts its records.
    WrongList,
    /// The cached state differs from the fold of the records.
    WrongSnapshot,
    /// The database file itself is damaged.
    DamagedFile {
        /// SQLite's message.
        detail: String,
    },
}

/// Follows the chains of all tasks at once, record by record.
#[derive(Debug, Default)]
pub(crate) struct ChainCheck {
    heads: BTreeMap<TaskId, Head>,
    broken: BTreeSet<TaskId>,
    found: Verification,
}

impl ChainHash {
    /// The previous hash of the first record of a task.
    pub const START: Self = Self([0; 32]);

    /// The hash with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The hash with these 64 lower-case hexadecimal digits.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        parse_hex(text.as_bytes()).map(Self)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Verification {
    /// Whether there is no fault.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

impl ChainCheck {
    /// Checks the next record; `line` is its place in an export.
    pub(crate) fn record(&mut self, record: &Record, line: Option<u64>) {
        self.found.records += 1;
        let head = self.heads.get(&record.task);
        if let Some(kind) = fault_after(head, record) {
            self.fault(&record.task, record.seq, line, kind);
        }
        self.heads.insert(record.task.clone(), record.head());
    }

    /// Checks the next stored record, or reports why it cannot be read. Other errors are not faults of a record.
    pub(crate) fn stored(&mut self, read: Result<Record, StoreError>) -> Result<(), StoreError> {
        match read {
            Ok(record) => self.record(&record, None),
            Err(StoreError::BadRecord { task, seq, reason }) => {
                let kind = FaultKind::Unreadable { reason };
                match (TaskId::new(task), u64::try_from(seq)) {
                    (Ok(task), Ok(seq)) => self.fault(&task, seq, None, kind),
                    _ => self.unplaced(None, kind),
                }
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// A record that can be read but not followed.
    pub(crate) fn fault(&mut self, task: &TaskId, seq: u64, line: Option<u64>, kind: FaultKind) {
        if self.broken.insert(task.clone()) {
            self.found.faults.push(Fault { line, task: Some(task.clone()), seq: Some(seq), kind });
        }
    }

    /// A place that cannot be parsed as a record, so that no task can be named.
    pub(crate) fn unplaced(&mut self, line: Option<u64>, kind: FaultKind) {
        self.found.faults.push(Fault { line, task: None, seq: None, kind });
    }

    /// Finds tasks whose row in the list of tasks contradicts their records.
    pub(crate) fn list(&mut self, tasks: &[TaskSummary]) {
        let listed = tasks.iter().map(|task| (task.task.clone(), Head { seq: task.records, hash: task.hash }));
        let (listed, heads): (BTreeMap<TaskId, Head>, _) = (listed.collect(), self.heads.clone());
        for task in heads.keys().chain(listed.keys()).collect::<BTreeSet<_>>() {
            if heads.get(task) != listed.get(task) {
                self.fault(task, heads.get(task).map_or(0, |head| head.seq), None, FaultKind::WrongList);
            }
        }
    }

    /// The last record of each task so far.
    #[cfg(feature = "postgres")]
    pub(crate) const fn heads(&self) -> &BTreeMap<TaskId, Head> {
        &self.heads
    }

    pub(crate) fn finish(mut self) -> Verification {
        self.found.tasks = self.heads.len() as u64;
        self.found
    }
}

/// The hash that `record` should have.
#[must_use]
pub fn record_hash(record: &Record) -> ChainHash {
    let mut sha = Sha256::new();
    let mut field = |parts: &[&[u8]]| {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        sha.update((length as u64).to_be_bytes());
        parts.iter().for_each(|part| sha.update(part));
    };
    field(&[b"recovery-journal/1"]);
    field(&[&record.prev.0]);
    field(&[record.task.as_str().as_bytes()]);
    field(&[&record.seq.to_be_bytes()]);
    field(&[&record.at.ms().to_be_bytes()]);
    field(&[record.kind.as_str().as_bytes()]);
    match &record.content_id {
        None => field(&[&[0]]),
        Some(id) => field(&[&[1], id.as_str().as_bytes()]),
    }
    field(&[record.body.as_bytes()]);
    ChainHash(sha.finalize().into())
}

/// The fault of `record` as the successor of `head`.
#[must_use]
pub fn fault_after(head: Option<&Head>, record: &Record) -> Option<FaultKind> {
    let (expected, prev) = head.map_or((1, ChainHash::START), |head| (head.seq.saturating_add(1), head.hash));
    if record.seq != expected {
        Some(FaultKind::OutOfSequence { expected })
    } else if record.prev != prev {
        Some(FaultKind::WrongPrevious)
    } else if record.hash != record_hash(record) {
        Some(FaultKind::WrongHash)
    } else {
        None
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let (Some(task), Some(seq)) = (&self.task, self.seq) {
            write!(f, "record {seq} of task {task}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable { reason } => write!(f, "cannot be read as a record: {reason}"),
            Self::NotAsExported => f.write_str("not the bytes an export writes; it was edited or damaged"),
            Self::OutOfSequence { expected } => write!(f, "out of sequence, number {expected} should come here"),
            Self::WrongPrevious => f.write_str("does not link to the record before it"),
            Self::WrongHash => f.write_str("its content does not have its hash; it was changed"),
            Self::Lost { found } => write!(f, "acknowledged and lost: the journal ends at number {found}"),
            Self::Replaced => f.write_str("not the record that was acknowledged with this number"),
            Self::WrongList => f.write_str("the list of tasks differs from the task's records"),
            Self::WrongSnapshot => f.write_str("the cached state is not what the records add up to; it was changed"),
            Self::DamagedFile { detail } => write!(f, "the file is damaged: {detail}"),
        }
    }
}

impl std::fmt::Display for ChainHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for ChainHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl Serialize for ChainHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChainHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        parse_hex(text.as_bytes())
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("a hash has 64 lower-case hexadecimal digits"))
    }
}

fn parse_hex(text: &[u8]) -> Option<[u8; 32]> {
    let digit = |c: u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    if text.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}
