//! The histories that other systems keep, read as records.
//!
//! | shape | what it is |
//! |---|---|
//! | attempt history | `attempt_history.json`: `{"subtasks": {id: {"attempts": [...], "status": ...}}, "stuck_subtasks": [...]}` |
//! | good commits | `build_commits.json`: `{"commits": [{"hash", "subtask_id", "timestamp"}], "last_good_commit": ...}` |
//! | history lines | `history.jsonl`: one [`HistoryEntry`] a line |
//!
//! Each entry becomes one [`RecordKind::Import`] record whose body is [`Imported`] (a good commit becomes a
//! [`RecordKind::Checkpoint`]). Its content id comes from its text, so a file that has grown since can be imported
//! again. A time without a zone is taken as UTC.

use crate::Adopted;
use crate::error::StoreError;
use crate::journal::{Journal, JournalExt as _};
use crate::record::{ContentId, NewRecord, RecordKind, TaskId};
use recovery_types::{HistoryEntry, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What stands in where an entry does not say it.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The task of entries that name none.
    pub task: Option<TaskId>,
    /// The time of entries that have none.
    pub at: Timestamp,
}

/// The body of a [`RecordKind::Import`] record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Imported {
    /// Which shape it was read from.
    pub source: Source,
    /// The entry in our words. `event` is `execution_failed`, `execution_succeeded` or `stuck` for an attempt history.
    pub entry: HistoryEntry,
    /// The entry as it was found.
    pub original: Box<RawValue>,
}

/// A shape that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// `attempt_history.json`.
    AttemptHistory,
    /// `build_commits.json`.
    BuildCommits,
    /// `history.jsonl`.
    HistoryLines,
    /// Our own [export](crate::export).
    Export,
}

/// Why a foreign file could not be read. Nothing of it is stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ForeignError {
    /// The line, or the path of the field.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A record and the task it belongs to.
pub type Entry = (TaskId, NewRecord);

impl Source {
    /// The shape of `text`, by its first value.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Keys {
            subtasks: Option<serde::de::IgnoredAny>,
            stuck_subtasks: Option<serde::de::IgnoredAny>,
            commits: Option<serde::de::IgnoredAny>,
            prev: Option<serde::de::IgnoredAny>,
            hash: Option<serde::de::IgnoredAny>,
        }
        let first = serde_json::Deserializer::from_str(text).into_iter::<Keys>().next()?.ok()?;
        Some(if first.subtasks.is_some() || first.stuck_subtasks.is_some() {
            Self::AttemptHistory
        } else if first.commits.is_some() {
            Self::BuildCommits
        } else if first.prev.is_some() && first.hash.is_some() {
            Self::Export
        } else {
            Self::HistoryLines
        })
    }
}

/// Reads `attempt_history.json`. Attempts come in the file's order, then who is stuck.
///
/// # Errors
/// The path of the first field that is not what it should be.
pub fn attempt_history(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    let file: AttemptHistory<'_> = document(text)?;
    let mut entries = Entries::new(Source::AttemptHistory, defaults);
    for (id, subtask) in file.subtasks {
        for (n, raw) in subtask.attempts.into_iter().enumerate() {
            let place = format!("subtasks.{id}.attempts[{n}]");
            let attempt: Attempt = value(raw, &place)?;
            let event = if attempt.success { "execution_succeeded" } else { "execution_failed" };
            entries.import(
                &place,
                raw,
                attempt.timestamp.as_deref(),
                HistoryEntry {
                    node: Some(id.clone()),
                    event: Some(event.to_owned()),
                    exit_code: attempt.success.then_some(0),
                    stderr_tail: attempt.error,
                    approach: attempt.approach,
                    ..HistoryEntry::default()
                },
            )?;
        }
    }
    for (n, raw) in file.stuck_subtasks.into_iter().enumerate() {
        let place = format!("stuck_subtasks[{n}]");
        let stuck = match value(raw, &place)? {
            StuckShape::Id(subtask_id) => Stuck { subtask_id, reason: None, escalated_at: None },
            StuckShape::Full(stuck) => stuck,
        };
        entries.import(
            &place,
            raw,
            stuck.escalated_at.as_deref(),
            HistoryEntry {
                node: Some(stuck.subtask_id),
                event: Some("stuck".to_owned()),
                stderr_tail: stuck.reason,
                ..HistoryEntry::default()
            },
        )?;
    }
    Ok(entries.done)
}

/// Reads `build_commits.json`: each good commit becomes a checkpoint `{"commit": ..., "source": "build_commits"}`.
///
/// # Errors
/// The path of the first field that is not what it should be.
pub fn build_commits(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    #[derive(Serialize)]
    struct Checkpoint<'a> {
        commit: &'a str,
        source: Source,
    }
    let file: BuildCommits<'_> = document(text)?;
    let mut entries = Entries::new(Source::BuildCommits, defaults);
    for (n, raw) in file.commits.into_iter().enumerate() {
        let place = format!("commits[{n}]");
        let good: GoodCommit = value(raw, &place)?;
        let body = json(&Checkpoint { commit: &good.hash, source: entries.source }, &place)?;
        let at = entries.time(&place, good.timestamp.as_deref())?;
        entries.push(&place, raw, good.subtask_id, at, RecordKind::Checkpoint, body)?;
    }
    Ok(entries.done)
}

/// Reads `history.jsonl`. Blank lines are passed over.
///
/// # Errors
/// The first line that is not a history entry.
pub fn history_lines(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    let mut entries = Entries::new(Source::HistoryLines, defaults);
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", n + 1);
        let raw: &RawValue = serde_json::from_str(line).map_err(|e| wrong(&place, &e))?;
        let mut fields: Value = value(raw, &place)?;
        let ts = match fields.get_mut("ts").map(Value::take) {
            None | Some(Value::Null) => None,
            Some(Value::String(ts)) => Some(ts),
            Some(other) => return Err(wrong(&place, &format_args!("ts: expected a time, found {other}"))),
        };
        let entry: HistoryEntry = serde_path_to_error::deserialize(fields).map_err(|e| wrong(&place, &e))?;
        entries.import(&place, raw, ts.as_deref(), entry)?;
    }
    Ok(entries.done)
}

/// Stores what was read. Each task's entries are stored together; those that are there already are passed over, so
/// after an interruption the same call completes the work.
///
/// # Errors
/// Where a write failed.
pub fn store(journal: &mut dyn Journal, entries: Vec<Entry>) -> Result<Adopted, StoreError> {
    let mut by_task: BTreeMap<TaskId, Vec<NewRecord>> = BTreeMap::new();
    for (task, record) in entries {
        by_task.entry(task).or_default().push(record);
    }
    let mut stored = Adopted::default();
    for (task, records) in by_task {
        journal.transact(&task, |chain| {
            for record in records {
                if chain.append(record)?.new { stored.new += 1 } else { stored.known += 1 }
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(stored)
}

#[derive(Deserialize)]
struct AttemptHistory<'a> {
    #[serde(default, borrow)]
    subtasks: BTreeMap<String, Subtask<'a>>,
    #[serde(default, borrow)]
    stuck_subtasks: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Subtask<'a> {
    #[serde(default, borrow)]
    attempts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Attempt {
    timestamp: Option<String>,
    approach: Option<String>,
    #[serde(default)]
    success: bool,
    error: Option<String>,
}

/// Older files name the subtask only.
#[derive(Deserialize)]
#[serde(untagged)]
enum StuckShape {
    Id(String),
    Full(Stuck),
}

#[derive(Deserialize)]
struct Stuck {
    subtask_id: String,
    reason: Option<String>,
    escalated_at: Option<String>,
}

#[derive(Deserialize)]
struct BuildCommits<'a> {
    #[serde(default, borrow)]
    commits: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct GoodCommit {
    hash: String,
    subtask_id: Option<String>,
    timestamp: Option<String>,
}

/// The entries read so far.
struct Entries<'a> {
    source: Source,
    defaults: &'a Defaults,
    done: Vec<Entry>,
    /// How often each entry's text came already: equal entries are separate attempts.
    seen: BTreeMap<String, u64>,
}

impl<'a> Entries<'a> {
    const fn new(source: Source, defaults: &'a Defaults) -> Self {
        Self { source, defaults, done: Vec::new(), seen: BTreeMap::new() }
    }

    fn import(
        &mut self,
        place: &str,
        raw: &RawValue,
        ts: Option<&str>,
        mut entry: HistoryEntry,
    ) -> Result<(), ForeignError> {
        let at = self.time(place, ts)?;
        entry.ts = Some(at);
        let task = entry.node.clone();
        let body = json(&Imported { source: self.source, entry, original: on_one_line(raw, place)? }, place)?;
        self.push(place, raw, task, at, RecordKind::Import, body)
    }

    fn time(&self, place: &str, text: Option<&str>) -> Result<Timestamp, ForeignError> {
        let Some(text) = text else { return Ok(self.defaults.at) };
        text.parse().or_else(|error| format!("{text}Z").parse().map_err(|_| wrong(place, &error)))
    }

    fn push(
        &mut self,
        place: &str,
        raw: &RawValue,
        task: Option<String>,
        at: Timestamp,
        kind: RecordKind,
        body: String,
    ) -> Result<(), ForeignError> {
        let task = match (task, &self.defaults.task) {
            (Some(name), _) => TaskId::new(name).map_err(|e| wrong(place, &e))?,
            (None, Some(task)) => task.clone(),
            (None, None) => return Err(wrong(place, &"it names no task; give one with --task")),
        };
        let text = raw.get();
        let key = json(&(self.source, &task, text), place)?;
        let nth = self.seen.entry(key.clone()).or_default();
        let content_id = Some(ContentId::of(format!("{nth} {key}").as_bytes()));
        *nth += 1;
        self.done.push((task, NewRecord { at, kind, content_id, body }));
        Ok(())
    }
}

fn document<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, ForeignError> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
        .map_err(|e| ForeignError { place: e.path().to_string(), reason: e.inner().to_string() })
}

fn value<'a, T: Deserialize<'a>>(raw: &'a RawValue, place: &str) -> Result<T, ForeignError> {
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(raw.get())).map_err(|e| wrong(place, &e))
}

fn json(value: &impl Serialize, place: &str) -> Result<String, ForeignError> {
    serde_json::to_string(value).map_err(|e| wrong(place, &e))
}

/// A value from an indented file, fit for a body.
fn on_one_line(raw: &RawValue, place: &str) -> Result<Box<RawValue>, ForeignError> {
    let text = if raw.get().contains(['\n', '\r']) {
        json(&value::<Value>(raw, place)?, place)?
    } else {
        raw.get().to_owned()
    };
    RawValue::from_string(text).map_err(|e| wrong(place, &e))
}

fn wrong(place: &str, reason: &dyn std::fmt::Display) -> ForeignError {
    ForeignError { place: place.to_owned(), reason: reason.to_string() }
}
