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
use crate::error::{StoreError, json_reason};
use crate::journal::{Journal, JournalExt as _};
use crate::record::{ContentId, NewRecord, RecordKind, TaskId};
use recovery_types::terminal::escaped_json;
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
#[error("line {line}, column {column}: {}{reason}", field.as_ref().map(|field| format!("{field}: ")).unwrap_or_default())]
pub struct ForeignError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The field, like `subtasks.a.attempts[0].success`.
    pub field: Option<String>,
    /// What is wrong with it.
    pub reason: String,
}

/// A record and the task it belongs to.
pub type Entry = (TaskId, NewRecord);

impl Source {
    /// The shape of `text`, by its first value; where that breaks off, by the names in it, so that the reader of that
    /// shape can say where.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Keys {
            subtasks: Option<serde::de::IgnoredAny>,
            stuck_subtasks: Option<serde::de::IgnoredAny>,
            commits: Option<serde::de::IgnoredAny>,
            body: Option<serde::de::IgnoredAny>,
            hash: Option<serde::de::IgnoredAny>,
        }
        let Ok(first) = serde_json::Deserializer::from_str(text).into_iter::<Keys>().next()? else {
            let names = [
                ("\"subtasks\"", Self::AttemptHistory),
                ("\"commits\"", Self::BuildCommits),
                ("\"prev\"", Self::Export),
            ];
            let named =
                names.into_iter().find(|(name, _)| text.contains(name)).map_or(Self::HistoryLines, |(_, shape)| shape);
            return text.trim_start().starts_with('{').then_some(named);
        };
        Some(if first.subtasks.is_some() || first.stuck_subtasks.is_some() {
            Self::AttemptHistory
        } else if first.commits.is_some() {
            Self::BuildCommits
        } else if first.body.is_some() || first.hash.is_some() {
            Self::Export
        } else {
            Self::HistoryLines
        })
    }
}

/// Reads `attempt_history.json`: each subtask's attempts in their order, then who is stuck.
///
/// # Errors
/// The place of the first field that is not what it should be.
pub fn attempt_history(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    let file: AttemptHistory<'_> = Found::whole(text).read()?;
    let mut entries = Entries::new(Source::AttemptHistory, defaults);
    for (id, subtask) in file.subtasks {
        for (n, raw) in subtask.attempts.into_iter().enumerate() {
            let found = Found::part(text, raw, format!("subtasks.{id}.attempts[{n}]"));
            let attempt: Attempt = found.read()?;
            let event = if attempt.success { "execution_succeeded" } else { "execution_failed" };
            let entry = HistoryEntry {
                node: Some(id.clone()),
                event: Some(event.to_owned()),
                exit_code: attempt.success.then_some(0),
                stderr_tail: attempt.error,
                approach: attempt.approach,
                ..HistoryEntry::default()
            };
            entries.import(&found, attempt.timestamp.as_deref(), entry)?;
        }
    }
    for (n, raw) in file.stuck_subtasks.into_iter().enumerate() {
        let found = Found::part(text, raw, format!("stuck_subtasks[{n}]"));
        // Older files name the subtask only.
        let stuck = if raw.get().starts_with('"') {
            Stuck { subtask_id: found.read()?, reason: None, escalated_at: None }
        } else {
            found.read()?
        };
        let entry = HistoryEntry {
            node: Some(stuck.subtask_id),
            event: Some("stuck".to_owned()),
            stderr_tail: stuck.reason,
            ..HistoryEntry::default()
        };
        entries.import(&found, stuck.escalated_at.as_deref(), entry)?;
    }
    Ok(entries.done)
}

/// Reads `build_commits.json`: each good commit becomes a checkpoint `{"commit": ..., "source": "build_commits"}`.
///
/// # Errors
/// The place of the first field that is not what it should be.
pub fn build_commits(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    #[derive(Serialize)]
    struct Checkpoint<'a> {
        commit: &'a str,
        source: Source,
    }
    let file: BuildCommits<'_> = Found::whole(text).read()?;
    let mut entries = Entries::new(Source::BuildCommits, defaults);
    for (n, raw) in file.commits.into_iter().enumerate() {
        let found = Found::part(text, raw, format!("commits[{n}]"));
        let good: GoodCommit = found.read()?;
        let body = found.json(&Checkpoint { commit: &good.hash, source: entries.source })?;
        let at = entries.time(&found, good.timestamp.as_deref())?;
        entries.push(&found, good.subtask_id, at, RecordKind::Checkpoint, body)?;
    }
    Ok(entries.done)
}

/// Reads `history.jsonl`. Blank lines are passed over.
///
/// # Errors
/// The first line that is not a history entry.
pub fn history_lines(text: &str, defaults: &Defaults) -> Result<Vec<Entry>, ForeignError> {
    let mut entries = Entries::new(Source::HistoryLines, defaults);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let found = Found { file: text, part: line, field: None };
        let mut fields: BTreeMap<String, Value> = found.read()?;
        // Read apart: a time without a zone is no `Timestamp`.
        let ts = match fields.remove("ts") {
            None | Some(Value::Null) => None,
            Some(Value::String(ts)) => Some(ts),
            Some(other) => return Err(found.wrong(&format_args!("ts: expected a time, found {other}"))),
        };
        let fields = Value::Object(fields.into_iter().collect());
        let entry: HistoryEntry = serde_path_to_error::deserialize(fields).map_err(|e| found.wrong(&e))?;
        // Anything would read as an entry with nothing in it.
        if entry.event.is_none() && entry.exit_code.is_none() {
            return Err(found.wrong(&"this is no history entry: it has neither `event` nor `exit_code`"));
        }
        entries.import(&found, ts.as_deref(), entry)?;
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

    fn import(&mut self, found: &Found<'_>, ts: Option<&str>, mut entry: HistoryEntry) -> Result<(), ForeignError> {
        let at = self.time(found, ts)?;
        entry.ts = Some(at);
        let task = entry.node.clone();
        let body = found.json(&Imported { source: self.source, entry, original: found.on_one_line()? })?;
        self.push(found, task, at, RecordKind::Import, body)
    }

    fn time(&self, found: &Found<'_>, text: Option<&str>) -> Result<Timestamp, ForeignError> {
        let Some(text) = text else { return Ok(self.defaults.at) };
        text.parse().or_else(|error| format!("{text}Z").parse().map_err(|_| found.wrong(&error)))
    }

    fn push(
        &mut self,
        found: &Found<'_>,
        task: Option<String>,
        at: Timestamp,
        kind: RecordKind,
        body: String,
    ) -> Result<(), ForeignError> {
        let task = match (task, &self.defaults.task) {
            (Some(name), _) => TaskId::new(name).map_err(|e| found.wrong(&e))?,
            (None, Some(task)) => task.clone(),
            (None, None) => return Err(found.wrong(&"it names no task; give one with --task")),
        };
        let key = found.json(&(self.source, &task, found.part))?;
        let nth = self.seen.entry(key.clone()).or_default();
        let content_id = Some(ContentId::of(format!("{nth} {key}").as_bytes()));
        *nth += 1;
        self.done.push((task, NewRecord { at, kind, content_id, body }));
        Ok(())
    }
}

/// A JSON value and where in the file it stands.
struct Found<'a> {
    file: &'a str,
    /// A part of `file`.
    part: &'a str,
    field: Option<String>,
}

impl<'a> Found<'a> {
    const fn whole(file: &'a str) -> Self {
        Self { file, part: file, field: None }
    }

    fn part(file: &'a str, raw: &'a RawValue, field: String) -> Self {
        Self { file, part: raw.get(), field: Some(field) }
    }

    fn read<T: Deserialize<'a>>(&self) -> Result<T, ForeignError> {
        let mut json = serde_json::Deserializer::from_str(self.part);
        let mut track = serde_path_to_error::Track::new();
        let path = serde_path_to_error::Deserializer::new(&mut json, &mut track);
        let read = T::deserialize(path).and_then(|value| json.end().map(|()| value));
        read.map_err(|error| {
            let field = match (&self.field, track.path().to_string()) {
                (outer, inner) if matches!(inner.as_str(), "." | "?") => outer.clone(),
                (None, inner) => Some(inner),
                (Some(outer), inner) => Some(format!("{outer}.{inner}")),
            };
            let line_start =
                self.part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
            self.error(line_start + error.column().saturating_sub(1), field, json_reason(&error))
        })
    }

    fn json(&self, value: &impl Serialize) -> Result<String, ForeignError> {
        serde_json::to_string(value).map(escaped_json).map_err(|e| self.wrong(&e))
    }

    /// The value as it stands in a body: one from an indented file loses its line breaks.
    fn on_one_line(&self) -> Result<Box<RawValue>, ForeignError> {
        let indented = self.part.contains(['\n', '\r']);
        let text = if indented { self.json(&self.read::<Value>()?)? } else { self.part.to_owned() };
        RawValue::from_string(text).map_err(|e| self.wrong(&e))
    }

    /// What is wrong with the value as a whole.
    fn wrong(&self, reason: &dyn std::fmt::Display) -> ForeignError {
        self.error(0, self.field.clone(), reason.to_string())
    }

    /// An error `offset` bytes into the value.
    fn error(&self, offset: usize, field: Option<String>, reason: String) -> ForeignError {
        let start = (self.part.as_ptr() as usize).saturating_sub(self.file.as_ptr() as usize);
        let before = &self.file.as_bytes()[..(start + offset).min(self.file.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        ForeignError { line, column, field, reason }
    }
}
