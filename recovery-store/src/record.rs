//! The records of the journal.

use crate::chain::{ChainHash, Head, record_hash};
use crate::error::StoreError;
use recovery_types::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

/// A task's name: not blank, at most 200 characters, no control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct TaskId(String);

/// The id by which a repeated delivery is recognised; not empty, at most 200 characters, no control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ContentId(String);

/// The kind of a record. The names are stored and exported, so they never change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RecordKind {
    /// A failure event.
    Event,
    /// A decision, with its input.
    Decision,
    /// The task succeeded.
    Success,
    /// A person answered an escalation.
    Resolve,
    /// A person reset the task.
    Reset,
    /// A commit known to be good.
    Checkpoint,
    /// The working tree was rolled back to a good commit.
    Rollback,
    /// A change of the state without an event: time passed, an action was denied, a node was frozen.
    Change,
    /// Information that changes no state. Versions before 0.2 wrote changes as notes too.
    Note,
    /// An entry of another system's history.
    Import,
    /// A kind of a newer version, by its name. It is part of the chain like any other.
    Unknown(Box<str>),
}

/// A record without a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecord {
    /// The time of the event, by the clock of the caller.
    pub at: Timestamp,
    /// The kind.
    pub kind: RecordKind,
    /// The content id: an append with the same id, in the same task, returns the same record.
    pub content_id: Option<ContentId>,
    /// One JSON value on one line, stored unchanged.
    pub body: String,
}

/// A record with its number and hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The task.
    pub task: TaskId,
    /// Its number within the task, from 1 without gaps.
    pub seq: u64,
    /// The time of the event.
    pub at: Timestamp,
    /// The kind.
    pub kind: RecordKind,
    /// The id by which a repeated delivery is recognised.
    pub content_id: Option<ContentId>,
    /// One JSON value on one line.
    pub body: String,
    /// The hash of the record before it; [`ChainHash::START`] for the first.
    pub prev: ChainHash,
    /// The hash over all of the above.
    pub hash: ChainHash,
}

/// The result of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The record: the one stored earlier if its content id was known.
    pub record: Record,
    /// Whether it was stored by this append.
    pub new: bool,
}

impl TaskId {
    /// The task called `name`.
    ///
    /// # Errors
    /// Where the name is blank, longer than 200 characters or holds control characters.
    pub fn new(name: impl Into<String>) -> Result<Self, StoreError> {
        let name = name.into();
        // A name of blanks could neither be distinguished from others nor typed.
        let checked = if name.trim().is_empty() { Err("it is blank".to_owned()) } else { checked(name) };
        checked.map(Self).map_err(|reason| StoreError::InvalidTask { reason })
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ContentId {
    /// The id `text`, such as an agent's tool-use id.
    ///
    /// # Errors
    /// Where the text is empty, longer than 200 characters or holds control characters.
    pub fn new(text: impl Into<String>) -> Result<Self, StoreError> {
        checked(text.into()).map(Self).map_err(|reason| StoreError::InvalidContentId { reason })
    }

    /// The id of content without an id of its own: its SHA-256.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self(recovery_types::digest::sha256_hex(content))
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl RecordKind {
    /// Every kind that this version supports.
    pub const ALL: [Self; 10] = [
        Self::Event,
        Self::Decision,
        Self::Success,
        Self::Resolve,
        Self::Reset,
        Self::Checkpoint,
        Self::Rollback,
        Self::Change,
        Self::Note,
        Self::Import,
    ];

    /// The name in the journal and in exports.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Event => "event",
            Self::Decision => "decision",
            Self::Success => "success",
            Self::Resolve => "resolve",
            Self::Reset => "reset",
            Self::Checkpoint => "checkpoint",
            Self::Rollback => "rollback",
            Self::Change => "change",
            Self::Note => "note",
            Self::Import => "import",
            Self::Unknown(name) => name,
        }
    }

    /// The kind with that name; `None` for a name that no version writes: it has 1 to 32 lower-case letters and `_`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_name = (1..=32).contains(&name.len()) && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
        let known = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        known.or_else(|| is_name.then(|| Self::Unknown(name.into())))
    }
}

impl Record {
    /// The record `new` as the successor of `head`.
    ///
    /// # Errors
    /// Where the body is not one JSON value on one line.
    pub(crate) fn seal(task: &TaskId, head: Option<&Head>, new: NewRecord) -> Result<Self, StoreError> {
        check_body(&new.body).map_err(|reason| StoreError::InvalidBody { reason })?;
        let mut record = Self {
            task: task.clone(),
            seq: head.map_or(1, |head| head.seq + 1),
            at: new.at,
            kind: new.kind,
            content_id: new.content_id,
            body: new.body,
            prev: head.map_or(ChainHash::START, |head| head.hash),
            hash: ChainHash::START,
        };
        record.hash = record_hash(&record);
        Ok(record)
    }

    /// The number and hash, which the next record refers to.
    #[must_use]
    pub const fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }
}

/// Whether the text is one JSON value without surrounding space and without a line break, so that an export line
/// contains it unchanged.
fn check_body(body: &str) -> Result<(), String> {
    if body.contains(['\n', '\r']) {
        return Err("it has line breaks; write it on one line".to_owned());
    }
    let value: &serde_json::value::RawValue = serde_json::from_str(body).map_err(|e| e.to_string())?;
    if value.get().len() == body.len() { Ok(()) } else { Err("it has white space around it".to_owned()) }
}

fn checked(text: String) -> Result<String, String> {
    const MAX_CHARS: usize = 200;
    let length = text.chars().take(MAX_CHARS + 1).count();
    if length == 0 {
        Err("it is empty".to_owned())
    } else if length > MAX_CHARS {
        Err(format!("it is longer than {MAX_CHARS} characters"))
    } else if let Some(control) = text.chars().find(|c| c.is_control()) {
        Err(format!("it holds the control character {control:?}"))
    } else {
        Ok(text)
    }
}

impl std::fmt::Display for TaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for ContentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for RecordKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for TaskId {
    type Err = StoreError;

    fn from_str(name: &str) -> Result<Self, StoreError> {
        Self::new(name)
    }
}

impl Serialize for RecordKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for ContentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for RecordKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::from_name(&name)
            .ok_or_else(|| serde::de::Error::custom(format_args!("no recovery writes records of the kind {name:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        for bad in ["", "a\nb", "a\u{1b}[31mb", "\u{9b}", "\u{7f}", &"x".repeat(201)] {
            assert!(TaskId::new(bad).is_err(), "{bad:?}");
            assert!(ContentId::new(bad).is_err(), "{bad:?}");
        }
        assert!(TaskId::new(" ").is_err() && TaskId::new("\u{2003}\u{a0}").is_err());
        assert!(TaskId::new("é".repeat(200)).is_ok());
    }

    #[test]
    fn bodies_are_one_value_on_one_line() {
        for bad in ["", " {}", "{} ", "{}{}", "{\n}", "{", "nul", "{\"a\":\"\u{1}\"}"] {
            assert!(check_body(bad).is_err(), "{bad:?}");
        }
        for good in ["{}", "[1, 2]", "\"x\"", "null", r#"{ "a" : 1.50e3 }"#] {
            assert_eq!(check_body(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn kinds_read_back() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::from_name(kind.as_str()), Some(kind));
        }
        assert_eq!(RecordKind::from_name("Event"), None);
    }
}
