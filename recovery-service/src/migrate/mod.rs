//! The files of other recovery systems, taken in and written back.
//!
//! | format | file | becomes | module |
//! |---|---|---|---|
//! | attempt history | `attempt_history.json` | attempts, successes and who is stuck, by subtask | `attempts.rs` |
//! | build commits | `build_commits.json` | good commits of the whole project; `last_good_commit` comes last and wins | `commits.rs` |
//! | history | `history.jsonl` | attempts, replans, freezes and thaws of a node; other verbs are kept and change nothing | `history.rs` |
//! | conflicts | `conflicts.jsonl` | tasks that wait for the arbiter, and its verdicts | `conflicts.rs` |
//! | plan | `active.json`, or a node's Markdown with frontmatter | the node with its tier, parent, budget and deviation; which one is active; the mission | `plan.rs` |
//! | updates | TaskUpdate records, one per line | the ladder's level | `updates.rs` |
//! | notes | `issues.md`, `learnings.md`, `decisions.md` | sections added to the notes of the same name | [`notes`] |
//!
//! Each module parses its format into [`Parsed`] entries and writes it back. Import is tolerant: an entry that makes no
//! sense is skipped with the reason, the rest is imported. It is idempotent: each record's content id comes from its text, so
//! a file that has grown can be imported again. What was imported is exported as it was found; what this program recorded
//! itself is written in the same shapes.

mod attempts;
mod commits;
mod conflicts;
mod fields;
mod files;
mod history;
mod plan;
mod updates;

pub use files::files_in;

use crate::ledger::{Ledger, PROJECT, cache_and_list, entry_of, fold, is_users, load};
use crate::status::lists;
use crate::{ServiceError, notes};
use escalation::Input;
use fields::{lines_out, pretty};
use recovery_engine::{Engine, Entry, PackName, TaskState, admit};
use recovery_redact::redact;
use recovery_store::{ContentId, Journal, JournalExt as _, NewRecord, Record, RecordKind, StoreError, TaskId};
use recovery_types::terminal::escaped_json;
use recovery_types::{FailureEvent, HistoryEntry, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A format of another system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// `attempt_history.json`.
    AttemptHistory,
    /// `build_commits.json`.
    BuildCommits,
    /// `history.jsonl`.
    #[serde(alias = "history_lines")]
    History,
    /// `conflicts.jsonl`.
    Conflicts,
    /// `active.json`, or a node's Markdown.
    Plan,
    /// TaskUpdate records.
    Updates,
    /// Markdown that people and agents read.
    Notes,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Records stored now.
    pub new: u64,
    /// Records that were there already.
    pub known: u64,
    /// What could not be mapped, and why.
    pub skipped: Vec<Skipped>,
}

/// An entry that could not be mapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Where it is in its file.
    pub place: String,
    /// Why.
    pub why: String,
}

/// What is taken where an entry does not state it.
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
    /// The format it was read from.
    pub source: Format,
    /// The entry in our terms. `event` is `execution_failed`, `execution_succeeded` or `stuck` for an attempt history.
    pub entry: HistoryEntry,
    /// The entry as it was found.
    pub original: Value,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] = [
        Self::AttemptHistory,
        Self::BuildCommits,
        Self::History,
        Self::Conflicts,
        Self::Plan,
        Self::Updates,
        Self::Notes,
    ];

    /// The file it usually is.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::AttemptHistory => "attempt_history.json",
            Self::BuildCommits => "build_commits.json",
            Self::History => "history.jsonl",
            Self::Conflicts => "conflicts.jsonl",
            Self::Plan => "active.json",
            Self::Updates => "updates.jsonl",
            Self::Notes => "issues.md",
        }
    }

    /// The format of `text`, by the file's name and else by its first value; none where it is none of them.
    #[must_use]
    pub fn of(path: Option<&Path>, text: &str) -> Option<Self> {
        let text = text.trim_start_matches(fields::BYTE_ORDER_MARK);
        let name = path.and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(known) = Self::ALL.into_iter().find(|format| format.file() == name) {
            return Some(known);
        }
        if plan::has_frontmatter(text) {
            return Some(Self::Plan);
        }
        if notes::FILES.contains(&name) {
            return Some(Self::Notes);
        }
        let first = serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok()?;
        let first = first.as_array().and_then(|all| all.first()).unwrap_or(&first);
        let has = |names: &[&str]| names.iter().any(|name| first.get(*name).is_some());
        /// Which fields identify a format, first match wins.
        const SIGNATURES: [(&[&str], Format); 8] = [
            (&["subtasks", "stuck_subtasks"], Format::AttemptHistory),
            (&["commits", "last_good_commit"], Format::BuildCommits),
            (&["taskId"], Format::Updates),
            (&["event", "exit_code"], Format::History),
            (&["conflict_id", "conflictId", "resolution"], Format::Conflicts),
            (&["nodes", "path", "tier", "active", "active_task", "active_node"], Format::Plan),
            (&["node", "ts"], Format::History),
            (&["verb"], Format::History),
        ];
        SIGNATURES.into_iter().find(|(fields, _)| has(fields)).map(|(_, format)| format)
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let plain = name.replace('-', "_");
        let known = |format: &Self| format.file() == name || format.file().split('.').next() == Some(plain.as_str());
        Self::ALL.into_iter().find(known).or((plain == "plan").then_some(Self::Plan)).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|format| format.file()).collect();
            format!("it must be one of {}", names.join(", "))
        })
    }
}

/// One entry of a file.
struct Parsed {
    owner: Owner,
    at: Timestamp,
    what: What,
    original: Value,
}

/// Whose chain an entry belongs to.
enum Owner {
    /// The task with this name; the caller's default where it is empty.
    Task(String),
    /// What holds for every task.
    Project,
}

enum What {
    /// An entry that changes a task's state.
    Entry(Box<Entry>),
    /// An attempt that another system recorded.
    Attempt(Box<HistoryEntry>),
    /// The ladder is moved: lifted to a level, or ended; `before` are the levels that it had on its way.
    Ladder { before: Vec<Input>, input: Box<Input> },
}

/// Parses `text` and stores its content.
///
/// # Errors
/// Where the text is not JSON at all, or the journal or the notes cannot be written. Nothing of it is stored then.
pub fn import<J: Journal>(
    ledger: &mut Ledger<J>,
    engine: &Engine,
    notes_dir: &Path,
    format: Format,
    source: Option<&Path>,
    text: &str,
    defaults: &Defaults,
) -> Result<ImportReport, ServiceError> {
    let text = redact(text);
    let text = text.trim_start_matches(fields::BYTE_ORDER_MARK);
    let mut report = ImportReport::default();
    if format == Format::Notes {
        let name = source.and_then(Path::file_name).and_then(|name| name.to_str());
        let file = name.filter(|name| notes::FILES.contains(name)).unwrap_or("issues.md");
        (report.new, report.known) = notes::take_in(notes_dir, file, text)?;
        return Ok(report);
    }
    let parsed = match format {
        Format::AttemptHistory => attempts::parse(text, &mut report),
        Format::BuildCommits => commits::parse(text, &mut report),
        Format::History => fields::each_line(text, &mut report, history::parse_line),
        Format::Conflicts => conflicts::parse(text, &mut report),
        Format::Plan if plan::has_frontmatter(text) => Ok(plan::parse_frontmatter(text, &mut report)),
        Format::Plan => plan::parse(text, &mut report),
        Format::Updates => fields::each_line(text, &mut report, updates::parse_line),
        Format::Notes => Ok(Vec::new()),
    }
    .map_err(|reason| ServiceError::Foreign { reason })?;
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let mut settled = Vec::new();
    for (number, mut item) in parsed.into_iter().enumerate() {
        let task = match task_of(&item.owner, defaults) {
            Ok(task) => task,
            Err(why) => {
                report.skip(format!("entry {}", number + 1), why);
                continue;
            }
        };
        if item.at == Timestamp::default() {
            item.at = defaults.at;
        }
        let key = format!("{} {} {}", format.file(), task.as_str(), item.original);
        let nth = seen.entry(key.clone()).or_default();
        let content_id = ContentId::of(format!("{nth} {key}").as_bytes());
        *nth += 1;
        let verdict = match &item.what {
            What::Entry(entry) if matches!(**entry, Entry::Arbitrated { .. }) => Some((**entry).clone()),
            _ => None,
        };
        let mut item = Some(item);
        let appended = ledger.journal.transact(&task, |chain| {
            if chain.find(&content_id)?.is_some() {
                return Ok(false);
            }
            let mut state = load(&task, chain, &ledger.folded)?;
            // A second run of this step means that the server is away: the import can be repeated.
            let item = item.take().ok_or(StoreError::Abandoned)?;
            let (kind, body) = body(engine, &task, &state, item, format)?;
            let record = NewRecord { content_id: Some(content_id.clone()), ..record(kind, body) };
            fold(&mut state, &chain.append(record)?.record);
            cache_and_list(&task, chain, &state)?;
            Ok::<_, ServiceError>(true)
        })?;
        if appended {
            report.new += 1
        } else {
            report.known += 1
        }
        settled.extend(verdict.filter(|_| appended));
    }
    for verdict in settled {
        settle_others(ledger, &verdict, defaults.at)?;
    }
    Ok(report)
}

/// What else waits for a conflict that another system has settled goes on too.
fn settle_others<J: Journal>(ledger: &mut Ledger<J>, verdict: &Entry, at: Timestamp) -> Result<(), ServiceError> {
    let Entry::Arbitrated { conflict, reason, .. } = verdict else { return Ok(()) };
    for (task, state) in ledger.in_lists(&[lists::OTHER, lists::STUCK])? {
        if state.waits_for(conflict) {
            let (conflict, reason) = (conflict.clone(), reason.clone());
            ledger.record(&task, RecordKind::Resolve, at, |_| Entry::Arbitrated { at, conflict, reason })?;
        }
    }
    Ok(())
}

/// The task that an entry is recorded under, or why there is none.
fn task_of(owner: &Owner, defaults: &Defaults) -> Result<TaskId, &'static str> {
    const UNUSABLE: &str = "its task has no usable name";
    match owner {
        Owner::Project => TaskId::new(PROJECT).map_err(|_| UNUSABLE),
        Owner::Task(name) if name.is_empty() => defaults.task.clone().ok_or("it names no task; give one with --task"),
        // The project's own chain is no foreign file's to write.
        Owner::Task(name) => TaskId::new(name.as_str()).ok().filter(is_users).ok_or(UNUSABLE),
    }
}

/// A record's kind, time and body.
struct Body {
    at: Timestamp,
    text: String,
}

fn record(kind: RecordKind, Body { at, text }: Body) -> NewRecord {
    NewRecord { at, kind, content_id: None, body: escaped_json(text) }
}

fn body(
    engine: &Engine,
    task: &TaskId,
    state: &TaskState,
    item: Parsed,
    format: Format,
) -> Result<(RecordKind, Body), ServiceError> {
    let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
    let Parsed { at, what, original, .. } = item;
    let with_original = |entry: Value| match entry {
        Value::Object(mut fields) => {
            fields.insert("source".to_owned(), json!(format));
            fields.insert("original".to_owned(), original.clone());
            Value::Object(fields)
        }
        other => other,
    };
    let (kind, value) = match what {
        What::Attempt(mut attempt) => {
            attempt.ts = Some(at);
            diagnosed(engine, &mut attempt, at);
            let imported = Imported { source: format, entry: *attempt, original };
            let text = serde_json::to_string(&imported).map_err(unwritable)?;
            return Ok((RecordKind::Import, Body { at, text }));
        }
        What::Entry(mut entry) => {
            // What names no time happened when it was imported.
            match &mut *entry {
                Entry::Checkpoint { at: when, .. }
                | Entry::Planned { at: when, .. }
                | Entry::ConflictOpened { at: when, .. }
                | Entry::Arbitrated { at: when, .. } => {
                    *when = at;
                }
                _ => {}
            }
            let kind =
                if matches!(*entry, Entry::Checkpoint { .. }) { RecordKind::Checkpoint } else { RecordKind::Change };
            (kind, serde_json::to_value(&*entry).map_err(unwritable)?)
        }
        What::Ladder { before, input } => {
            let before = if state.climb().is_none() { before } else { Vec::new() };
            let transitions = engine.advance_after(task.as_str(), state, before, (*input).clone(), at);
            let reason = "another system recorded it".to_owned();
            let (kind, entry) = match *input {
                Input::Success => (RecordKind::Resolve, Entry::Resolved { at, reason, transitions }),
                Input::Reset { .. } => (RecordKind::Reset, Entry::Reset { at, reason, transitions }),
                _ => (RecordKind::Change, Entry::Moved { at, reason, transitions }),
            };
            (kind, serde_json::to_value(entry).map_err(unwritable)?)
        }
    };
    Ok((kind, Body { at, text: serde_json::to_string(&with_original(value)).map_err(unwritable)? }))
}

/// What an imported failure printed is read like what a command prints now.
fn diagnosed(engine: &Engine, attempt: &mut HistoryEntry, at: Timestamp) {
    let Some(text) = attempt.stderr_tail.clone().filter(|_| attempt.exit_code != Some(0)) else { return };
    let event = FailureEvent { exit_code: 1, stderr_tail: text, ..FailureEvent::default() };
    if let Some(seen) = engine.assess(&admit(event), at) {
        attempt.error_type.get_or_insert_with(|| seen.diagnosis.error_type.name().to_owned());
        // The documented pack compares raw text.
        if engine.taxonomy.pack() == PackName::Field {
            attempt.stderr_hash.get_or_insert(seen.diagnosis.fingerprint);
        }
        attempt.test = attempt.test.take().or_else(|| seen.diagnosis.problem.and_then(|problem| problem.test));
    }
}

impl ImportReport {
    fn skip(&mut self, place: String, why: &str) {
        self.skipped.push(Skipped { place, why: why.to_owned() });
    }
}

/// A record of the journal on its way out.
struct Recorded {
    record: Record,
    /// What it was imported from, where that was the same format.
    original: Option<Value>,
    entry: Entry,
}

/// The journal in another system's format. What was imported from that format is written as it was found.
///
/// # Errors
/// Where the journal cannot be read.
pub fn export<J: Journal>(ledger: &Ledger<J>, format: Format) -> Result<String, ServiceError> {
    let records = ledger.journal.all()?;
    let one = |record: &Record| -> Option<Recorded> {
        let body: Value = serde_json::from_str(&record.body).ok()?;
        let source = body["source"].as_str().unwrap_or_default();
        let is_same = source == json!(format) || (format == Format::History && source == "history_lines");
        let original = body.get("original").filter(|_| is_same).cloned();
        Some(Recorded { record: record.clone(), original, entry: entry_of(record).ok().flatten()? })
    };
    let entries: Vec<Recorded> = records.iter().filter_map(one).collect();
    Ok(match format {
        Format::AttemptHistory => pretty(&attempts::write(ledger, &entries)?),
        Format::BuildCommits => pretty(&commits::write(&entries)),
        Format::History => lines_out(entries.iter().flat_map(history::write)),
        Format::Conflicts => conflicts::write(&entries),
        Format::Plan => pretty(&plan::write(ledger, &entries)?),
        Format::Updates => lines_out(entries.iter().flat_map(updates::write)),
        Format::Notes => String::new(),
    })
}
