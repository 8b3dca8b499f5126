//! The files of other recovery systems, taken in and written back.
//!
//! | format | file | becomes |
//! |---|---|---|
//! | attempt history | `attempt_history.json` | attempts, successes and who is stuck, by subtask |
//! | build commits | `build_commits.json` | good commits of the whole project; `last_good_commit` comes last and wins |
//! | history | `history.jsonl` | attempts, replans, freezes and thaws of a node; other verbs are kept and change nothing |
//! | conflicts | `conflicts.jsonl` | tasks that wait for the arbiter, and its verdicts |
//! | plan | `active.json`, or a node's Markdown with frontmatter | the node with its tier, parent, budget and deviation; which one is active; the mission |
//! | updates | TaskUpdate records, one per line | the ladder's level |
//! | notes | `issues.md`, `learnings.md`, `decisions.md` | sections added to the notes of the same name |
//!
//! Import is tolerant: an entry that makes no sense is skipped with the reason, the rest goes on. It is idempotent: each
//! record's content id comes from its text, so a file that has grown can be imported again. What was imported is exported
//! as it was found; what this program recorded itself is written in the same shapes.

use crate::ledger::{Ledger, PROJECT, entry_of, fold, keep, load};
use crate::{ServiceError, notes};
use escalation::{Failure, Input};
use recovery_engine::{Engine, Entry, PackName, TaskState, admit};
use recovery_redact::redact;
use recovery_store::foreign::{self, Defaults, Imported};
use recovery_store::{ContentId, Journal, JournalExt as _, NewRecord, Record, RecordKind, TaskId};
use recovery_types::terminal::escaped_json;
use recovery_types::{Ancestor, Constraint, ErrorType, FailureEvent, HistoryEntry, Level, Node, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A format of another system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// `attempt_history.json`.
    AttemptHistory,
    /// `build_commits.json`.
    BuildCommits,
    /// `history.jsonl`.
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
pub struct Report {
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
        let name = path.and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(known) = Self::ALL.into_iter().find(|format| format.file() == name) {
            return Some(known);
        }
        if text.trim_start().starts_with("---\n") {
            return Some(Self::Plan);
        }
        if notes::FILES.contains(&name) {
            return Some(Self::Notes);
        }
        let first = serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok()?;
        let has = |names: &[&str]| names.iter().any(|name| first.get(*name).is_some());
        /// Which fields identify a format, first match wins.
        const TELLING: [(&[&str], Format); 7] = [
            (&["subtasks", "stuck_subtasks"], Format::AttemptHistory),
            (&["commits", "last_good_commit"], Format::BuildCommits),
            (&["taskId"], Format::Updates),
            (&["event", "exit_code"], Format::History),
            (&["conflict_id", "conflictId", "resolution"], Format::Conflicts),
            (&["nodes", "path", "tier", "active", "active_task", "active_node"], Format::Plan),
            (&["node", "ts"], Format::History),
        ];
        TELLING.into_iter().find(|(fields, _)| has(fields)).map(|(_, format)| format)
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

/// One thing that was read.
struct Read {
    task: String,
    at: Timestamp,
    what: What,
    original: Value,
}

enum What {
    /// An entry that changes a task's state.
    Entry(Box<Entry>),
    /// An attempt that another system recorded.
    Attempt(Box<HistoryEntry>, foreign::Source),
    /// The ladder is lifted to a level, or ended.
    Level { level: Option<Level>, error: ErrorType, message: Option<String> },
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
) -> Result<Report, ServiceError> {
    let text = &*redact(text);
    let mut report = Report::default();
    if format == Format::Notes {
        let name = source.and_then(Path::file_name).and_then(|name| name.to_str());
        let file = name.filter(|name| notes::FILES.contains(name)).unwrap_or("issues.md");
        (report.new, report.known) = notes::take_in(notes_dir, file, text)?;
        return Ok(report);
    }
    let read = match format {
        Format::AttemptHistory => attempt_history(text, &mut report),
        Format::BuildCommits => build_commits(text, &mut report),
        Format::History => each_line(text, &mut report, history),
        Format::Conflicts => each_line(text, &mut report, conflict),
        Format::Plan if text.trim_start().starts_with("---") => Ok(frontmatter(text, &mut report)),
        Format::Plan => plan(text, &mut report),
        Format::Updates => each_line(text, &mut report, update),
        Format::Notes => Ok(Vec::new()),
    }
    .map_err(|reason| ServiceError::Foreign { reason })?;
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for (number, mut item) in read.into_iter().enumerate() {
        let name = if item.task.is_empty() { defaults.task.as_ref().map(TaskId::as_str) } else { Some(&*item.task) };
        let Some(task) = name.and_then(|name| TaskId::new(name).ok()) else {
            let why =
                if name.is_none() { "it names no task; give one with --task" } else { "its task has no usable name" };
            report.skip(format!("entry {}", number + 1), why);
            continue;
        };
        if item.at == Timestamp::default() {
            item.at = defaults.at;
        }
        let key = format!("{} {} {}", format.file(), task.as_str(), item.original);
        let nth = seen.entry(key.clone()).or_default();
        let content_id = ContentId::of(format!("{nth} {key}").as_bytes());
        *nth += 1;
        let appended = ledger.journal.transact(&task, |chain| {
            if chain.find(&content_id)?.is_some() {
                return Ok(false);
            }
            let mut state = load(chain)?;
            let (kind, body) = body(engine, &task, &state, item, format)?;
            let record = NewRecord { content_id: Some(content_id.clone()), ..record(kind, body) };
            fold(&mut state, &chain.append(record)?.record);
            keep(&task, chain, &state)?;
            Ok::<_, ServiceError>(true)
        })?;
        if appended { report.new += 1 } else { report.known += 1 }
    }
    Ok(report)
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
    item: Read,
    format: Format,
) -> Result<(RecordKind, Body), ServiceError> {
    let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
    let Read { at, what, original, .. } = item;
    let with_original = |entry: Value| match entry {
        Value::Object(mut fields) => {
            fields.insert("source".to_owned(), json!(format));
            fields.insert("original".to_owned(), original.clone());
            Value::Object(fields)
        }
        other => other,
    };
    let (kind, value) = match what {
        What::Attempt(mut attempt, source) => {
            attempt.ts = Some(at);
            diagnosed(engine, &mut attempt, at);
            let raw = serde_json::value::to_raw_value(&original).map_err(unwritable)?;
            let body =
                serde_json::to_string(&Imported { source, entry: *attempt, original: raw }).map_err(unwritable)?;
            return Ok((RecordKind::Import, Body { at, text: body }));
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
        What::Level { level, error, message } => {
            let input = match level {
                Some(level) => Input::Failure(Failure { entry_level: Some(level), message, ..Failure::new(error) }),
                None => Input::Success,
            };
            let transitions = engine.advance(task.as_str(), state, input, at);
            let reason = "another system recorded this level".to_owned();
            (RecordKind::Change, serde_json::to_value(Entry::Moved { at, reason, transitions }).map_err(unwritable)?)
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

impl Report {
    fn skip(&mut self, place: String, why: &str) {
        self.skipped.push(Skipped { place, why: why.to_owned() });
    }
}

fn json_of(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn attempt_history(text: &str, report: &mut Report) -> Result<Vec<Read>, String> {
    let file = json_of(text)?;
    let mut read = Vec::new();
    for (id, subtask) in file["subtasks"].as_object().into_iter().flatten() {
        for (n, attempt) in subtask["attempts"].as_array().into_iter().flatten().enumerate() {
            let place = format!("subtasks.{id}.attempts[{n}]");
            if !attempt.is_object() {
                report.skip(place, "an attempt is an object");
                continue;
            }
            let Some(at) = time_of(attempt, &["timestamp", "ts"], &place, report) else { continue };
            let ok = attempt["success"].as_bool().unwrap_or(false);
            let entry = HistoryEntry {
                node: Some(id.clone()),
                event: Some(if ok { "execution_succeeded" } else { "execution_failed" }.to_owned()),
                exit_code: ok.then_some(0),
                stderr_tail: text_of(attempt, &["error"]),
                approach: text_of(attempt, &["approach"]),
                ..HistoryEntry::default()
            };
            let what = What::Attempt(Box::new(entry), foreign::Source::AttemptHistory);
            read.push(Read { task: id.clone(), at, what, original: attempt.clone() });
        }
    }
    for (n, stuck) in file["stuck_subtasks"].as_array().into_iter().flatten().enumerate() {
        let place = format!("stuck_subtasks[{n}]");
        // Older files name the subtask only.
        let Some(id) = text_of(stuck, &["subtask_id"]).or_else(|| stuck.as_str().map(str::to_owned)) else {
            report.skip(place, "it names no subtask");
            continue;
        };
        let Some(at) = time_of(stuck, &["escalated_at", "timestamp"], &place, report) else { continue };
        let entry = HistoryEntry {
            node: Some(id.clone()),
            event: Some("stuck".to_owned()),
            stderr_tail: text_of(stuck, &["reason"]),
            ..HistoryEntry::default()
        };
        let what = What::Attempt(Box::new(entry), foreign::Source::AttemptHistory);
        read.push(Read { task: id, at, what, original: stuck.clone() });
    }
    Ok(read)
}

fn build_commits(text: &str, report: &mut Report) -> Result<Vec<Read>, String> {
    let file = json_of(text)?;
    let mut read = Vec::new();
    let mut good = |commit: String, at: Timestamp, original: Value| {
        let entry = Entry::Checkpoint { at, commit };
        read.push(Read { task: PROJECT.to_owned(), at, what: What::Entry(Box::new(entry)), original });
    };
    for (n, commit) in file["commits"].as_array().into_iter().flatten().enumerate() {
        let place = format!("commits[{n}]");
        let Some(hash) = text_of(commit, &["hash", "commit", "sha"]) else {
            report.skip(place, "it has no hash");
            continue;
        };
        let Some(at) = time_of(commit, &["timestamp"], &place, report) else { continue };
        good(hash, at, commit.clone());
    }
    if let Some(last) = text_of(&file, &["last_good_commit"]) {
        good(last.clone(), Timestamp::default(), json!({"last_good_commit": last}));
    }
    Ok(read)
}

/// Reads one line each; what is no JSON is skipped, unless nothing is.
fn each_line(
    text: &str,
    report: &mut Report,
    one: fn(&Value, &str, &mut Report) -> Vec<Read>,
) -> Result<Vec<Read>, String> {
    let mut read = Vec::new();
    let mut first_problem = None;
    let mut any = false;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", number + 1);
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => {
                any = true;
                read.extend(one(&value, &place, report));
            }
            Ok(_) => report.skip(place, "it is no JSON object"),
            Err(error) => {
                first_problem.get_or_insert_with(|| format!("{place}: {error}"));
                report.skip(place, &error.to_string());
            }
        }
    }
    match first_problem {
        Some(problem) if !any => Err(problem),
        _ => Ok(read),
    }
}

fn history(line: &Value, place: &str, report: &mut Report) -> Vec<Read> {
    let Some(at) = time_of(line, &["ts", "timestamp", "at"], place, report) else { return Vec::new() };
    let mut fields = crate::Accept::<HistoryEntry>::default().spell(line.clone()).value;
    if let Some(fields) = fields.as_object_mut() {
        fields.remove("ts");
    }
    let entry: HistoryEntry = match serde_json::from_value(fields) {
        Ok(entry) => entry,
        Err(error) => {
            report.skip(place.to_owned(), &error.to_string());
            return Vec::new();
        }
    };
    // Anything would read as an entry with nothing in it.
    if entry.event.is_none() && entry.exit_code.is_none() {
        report.skip(place.to_owned(), "this is no history entry: it has neither `event` nor `exit_code`");
        return Vec::new();
    }
    let task = entry.node.clone().unwrap_or_default();
    let what = What::Attempt(Box::new(entry), foreign::Source::HistoryLines);
    vec![Read { task, at, what, original: line.clone() }]
}

fn conflict(line: &Value, place: &str, report: &mut Report) -> Vec<Read> {
    let Some(id) = text_of(line, &["conflict_id", "conflictId", "id"]) else {
        report.skip(place.to_owned(), "it has no conflict id");
        return Vec::new();
    };
    let Some(at) = time_of(line, &["ts", "timestamp", "detected_at", "at"], place, report) else { return Vec::new() };
    let mut tasks: Vec<String> = ["tasks", "nodes", "task_ids"]
        .iter()
        .flat_map(|name| line[*name].as_array().into_iter().flatten())
        .filter_map(|task| task.as_str().map(str::to_owned).or_else(|| text_of(task, &["id", "node_id", "task_id"])))
        .collect();
    tasks.extend(text_of(line, &["node", "node_id", "task", "task_id", "taskId"]));
    if tasks.is_empty() {
        report.skip(place.to_owned(), "it names no task");
    }
    let status = text_of(line, &["status", "event"]).unwrap_or_default().to_ascii_lowercase();
    let is_settled = ["resol", "arbitrated", "settled", "closed"].iter().any(|word| status.contains(word))
        || !line["resolution"].is_null();
    let reason =
        text_of(line, &["resolution", "reason", "description", "summary"]).unwrap_or_else(|| format!("conflict {id}"));
    let entry = |_: &String| {
        let (conflict, reason) = (id.clone(), reason.clone());
        if is_settled {
            Entry::Arbitrated { at, conflict, reason }
        } else {
            Entry::ConflictOpened { at, conflict, reason }
        }
    };
    let read = |task: String| Read { at, what: What::Entry(Box::new(entry(&task))), original: line.clone(), task };
    tasks.into_iter().map(read).collect()
}

fn update(line: &Value, place: &str, report: &mut Report) -> Vec<Read> {
    let metadata = &line["metadata"];
    let Some(task) = text_of(line, &["taskId", "task_id"]) else {
        report.skip(place.to_owned(), "it has no taskId");
        return Vec::new();
    };
    let Some(at) = time_of(metadata, &["enteredAt", "entered_at"], place, report) else { return Vec::new() };
    let level = ["escalationLevel", "recoveryLevel"].iter().find_map(|name| number_of(&metadata[*name]));
    let level = level.and_then(|number| Level::ALL.into_iter().find(|level| u64::from(level.number()) == number));
    let error = text_of(metadata, &["errorType"]).as_deref().and_then(ErrorType::from_name).unwrap_or(ErrorType::Other);
    let message = text_of(metadata, &["failureReason", "explanation"]);
    let is_completed = line["status"].as_str() == Some("completed");
    if level.is_none() && !is_completed {
        report.skip(place.to_owned(), "it has neither a level nor the status completed");
        return Vec::new();
    }
    vec![Read { task, at, what: What::Level { level, error, message }, original: line.clone() }]
}

/// `active.json`: the nodes, the path to the active one, and which one that is.
fn plan(text: &str, report: &mut Report) -> Result<Vec<Read>, String> {
    let file = json_of(text)?;
    let mut read = Vec::new();
    let mut nodes: Vec<Value> = file["nodes"].as_array().cloned().unwrap_or_default();
    for (id, node) in file["nodes"].as_object().into_iter().flatten() {
        let mut node = node.clone();
        if let Some(fields) = node.as_object_mut() {
            fields.entry("id").or_insert_with(|| json!(id));
        }
        nodes.push(node);
    }
    if file["nodes"].is_null() && (file.get("tier").is_some() || file.get("parent_id").is_some()) {
        nodes.push(file.clone());
    }
    let names = ["active", "active_task", "active_node", "current", "current_task", "task_id", "node_id", "id"];
    let path: Vec<&str> = file["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let active = text_of(&file, &names).or_else(|| path.last().map(|id| (*id).to_owned()));
    for pair in path.windows(2) {
        if nodes.iter().all(|node| node["id"] != pair[1]) {
            nodes.push(json!({"id": pair[1], "parent_id": pair[0]}));
        }
    }
    if let Some(id) = active.as_ref().filter(|id| nodes.iter().all(|node| node["id"] != **id)) {
        nodes.push(json!({"id": id}));
    }
    for (n, node) in nodes.iter().enumerate() {
        let is_active = active.as_deref() == node["id"].as_str();
        read.extend(planned(node, is_active, &format!("node {}", n + 1), report));
    }
    if read.is_empty() && report.skipped.is_empty() {
        report.skip("the file".to_owned(), "it has neither nodes nor an active one");
    }
    Ok(read)
}

/// A node's Markdown: the text between two lines of `---`, `key: value` each, lists as `[a, b]` or `- a`.
fn frontmatter(text: &str, report: &mut Report) -> Vec<Read> {
    let mut fields = Map::new();
    let mut list: Option<String> = None;
    for line in text.trim_start().lines().skip(1).take_while(|line| line.trim() != "---") {
        if let (Some(item), Some(key)) = (line.trim().strip_prefix("- "), &list) {
            if let Some(items) = fields.get_mut(key).and_then(Value::as_array_mut) {
                items.push(scalar(item));
            }
            continue;
        }
        let Some((key, value)) = line.split_once(':').filter(|_| !line.starts_with([' ', '#'])) else { continue };
        let (key, value) = (key.trim().to_owned(), value.trim());
        list = value.is_empty().then(|| key.clone());
        let value = match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(items) => items.split(',').map(scalar).collect(),
            None if value.is_empty() => json!([]),
            None => scalar(value),
        };
        fields.insert(key, value);
    }
    planned(&Value::Object(fields), false, "the frontmatter", report)
}

fn scalar(text: &str) -> Value {
    let plain = text.trim().trim_matches(['"', '\'']);
    match plain {
        "null" | "~" => Value::Null,
        _ => plain
            .parse::<u64>()
            .map(Value::from)
            .or_else(|_| plain.parse::<f64>().map(Value::from))
            .unwrap_or_else(|_| json!(plain)),
    }
}

fn planned(node: &Value, is_active: bool, place: &str, report: &mut Report) -> Vec<Read> {
    let original = node.clone();
    let mut fields = crate::Accept::<Node>::default().spell(node.clone()).value;
    if let Some(fields) = fields.as_object_mut() {
        // The originals' shorter names.
        for (theirs, ours) in
            [("parent", "parent_id"), ("budget", "replan_budget_remaining"), ("deviation", "deviation_score")]
        {
            if let (Some(value), false) = (fields.get(theirs).cloned(), fields.contains_key(ours)) {
                fields.insert(ours.to_owned(), value);
            }
        }
    }
    let read: Node = match serde_json::from_value(fields) {
        Ok(read) => read,
        Err(error) => {
            report.skip(place.to_owned(), &error.to_string());
            return Vec::new();
        }
    };
    let at = Timestamp::default();
    let mission = mission(node, &read.id);
    let id = read.id.clone();
    let entry = |mission| Entry::Planned { at, node: Box::new(read.clone()), is_active, mission };
    let one = |task: &str, mission| Read {
        task: task.to_owned(),
        at,
        what: What::Entry(Box::new(entry(mission))),
        original: original.clone(),
    };
    let mut all = vec![one(&id, None)];
    // What holds for every task is the project's.
    if is_active || mission.is_some() {
        all.push(one(PROJECT, mission.map(Box::new)));
    }
    all
}

/// The constraints and features that a node states for everything below it.
fn mission(node: &Value, id: &str) -> Option<Ancestor> {
    let texts = |name: &str| -> Vec<String> {
        node[name].as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let mut constraints: Vec<Constraint> = serde_json::from_value(node["constraints"].clone()).unwrap_or_default();
    let own = Constraint { id: id.to_owned(), forbid: texts("forbid"), protect: texts("protect") };
    if !own.forbid.is_empty() || !own.protect.is_empty() {
        constraints.push(own);
    }
    let features = serde_json::from_value(node["features"].clone()).unwrap_or_default();
    let found = Ancestor { id: Some(id.to_owned()), intent: text_of(node, &["intent"]), constraints, features };
    (found.intent.is_some() || !found.constraints.is_empty() || !found.features.is_empty()).then_some(found)
}

fn text_of(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| value.get(*name)?.as_str()).map(str::to_owned)
}

fn number_of(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// The time that an entry names: a text, with or without a zone, or seconds since 1970. The default where it names none.
fn time_of(value: &Value, names: &[&str], place: &str, report: &mut Report) -> Option<Timestamp> {
    let Some(found) = names.iter().find_map(|name| value.get(*name).filter(|found| !found.is_null())) else {
        return Some(Timestamp::default());
    };
    let read = match found {
        Value::Number(number) => number.as_f64().map(|seconds| Timestamp::from_ms((seconds * 1000.0) as i64)),
        other => serde_json::from_value(other.clone()).ok(),
    };
    if read.is_none() {
        report.skip(place.to_owned(), &format!("{found} is no time"));
    }
    read
}

/// The journal in another system's format. What was imported from that format is written as it was found.
///
/// # Errors
/// Where the journal cannot be read.
pub fn export<J: Journal>(ledger: &Ledger<J>, format: Format) -> Result<String, ServiceError> {
    let records = ledger.journal.all()?;
    let one = |record: &Record| -> Option<(Record, Option<Value>, Entry)> {
        let body: Value = serde_json::from_str(&record.body).ok()?;
        let source = body["source"].as_str().unwrap_or_default();
        let is_same = source == json!(format) || (format == Format::History && source == "history_lines");
        let original = body.get("original").filter(|_| is_same).cloned();
        Some((record.clone(), original, entry_of(record).ok().flatten()?))
    };
    let entries: Vec<(Record, Option<Value>, Entry)> = records.iter().filter_map(one).collect();
    Ok(match format {
        Format::AttemptHistory => pretty(&attempts_out(ledger, &entries)?),
        Format::BuildCommits => pretty(&commits_out(&entries)),
        Format::History => lines_out(entries.iter().flat_map(history_out)),
        Format::Conflicts => conflicts_out(&entries),
        Format::Plan => pretty(&plan_out(ledger)?),
        Format::Updates => lines_out(entries.iter().flat_map(updates_out)),
        Format::Notes => String::new(),
    })
}

fn pretty(value: &Value) -> String {
    escaped_json(serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

fn lines_out(lines: impl Iterator<Item = Value>) -> String {
    lines.map(|line| escaped_json(line.to_string()) + "\n").collect()
}

type Out = (Record, Option<Value>, Entry);

fn attempts_out<J: Journal>(ledger: &Ledger<J>, entries: &[Out]) -> Result<Value, ServiceError> {
    let mut subtasks: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut stuck = Vec::new();
    for (record, original, entry) in entries.iter().filter(|(record, ..)| crate::ledger::is_users(&record.task)) {
        let attempts = subtasks.entry(record.task.as_str().to_owned()).or_default();
        match entry {
            Entry::Imported { attempt } if attempt.event.as_deref() == Some("stuck") => {
                let own = json!({"subtask_id": record.task, "reason": attempt.stderr_tail, "escalated_at": record.at});
                stuck.push(original.clone().unwrap_or(own));
            }
            Entry::Imported { attempt } => match original {
                Some(original) => attempts.push(original.clone()),
                None => attempts.extend(attempt_out(record, attempt)),
            },
            Entry::Decided { event, decision, .. } => attempts.push(json!({
                "timestamp": decision.at,
                "approach": event.approach.as_ref().or(event.action.as_ref()),
                "success": !decision.failure,
                "error": decision.failure.then_some(&event.stderr_tail),
            })),
            _ => {}
        }
    }
    let mut shown = Map::new();
    for (task, attempts) in subtasks.into_iter().filter(|(_, attempts)| !attempts.is_empty()) {
        let state = ledger.state(&TaskId::new(&task)?)?;
        let listed = stuck.iter().any(|stuck| stuck["subtask_id"] == *task || *stuck == *task);
        let is_stuck = state.is_stuck();
        if is_stuck && !listed {
            let reason = state.climb().and_then(|climb| climb.failure.message.clone());
            stuck.push(json!({"subtask_id": task, "reason": reason, "escalated_at": state.last_at}));
        }
        let status = if is_stuck {
            "stuck"
        } else if state.failures > 0 {
            "failed"
        } else {
            "completed"
        };
        shown.insert(task, json!({"attempts": attempts, "status": status}));
    }
    Ok(json!({"subtasks": shown, "stuck_subtasks": stuck}))
}

fn attempt_out(record: &Record, attempt: &HistoryEntry) -> Option<Value> {
    let failed = match classifier_core::entry_kind(attempt) {
        classifier_core::EntryKind::Failure => true,
        classifier_core::EntryKind::Success => false,
        classifier_core::EntryKind::Replan | classifier_core::EntryKind::Other => return None,
    };
    Some(
        json!({"timestamp": record.at, "approach": attempt.approach, "success": !failed, "error": attempt.stderr_tail}),
    )
}

fn commits_out(entries: &[Out]) -> Value {
    let mut commits: Vec<Value> = Vec::new();
    let mut last = Value::Null;
    for (record, original, entry) in entries {
        let Entry::Checkpoint { at, commit } = entry else { continue };
        last = json!(commit);
        match original {
            Some(original) if original.get("last_good_commit").is_some() => {}
            Some(original) => commits.push(original.clone()),
            None => {
                let task = Some(&record.task).filter(|task| crate::ledger::is_users(task));
                commits.push(json!({"hash": commit, "subtask_id": task, "timestamp": at}));
            }
        }
    }
    json!({"commits": commits, "last_good_commit": last})
}

fn history_out((record, original, entry): &Out) -> Vec<Value> {
    if let Some(original) = original {
        return vec![original.clone()];
    }
    let line = |event: &str, more: Value| {
        let mut line = json!({"ts": record.at, "node": record.task, "event": event});
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
        }
        line
    };
    match entry {
        Entry::Decided { event, decision, .. } => {
            let parent = event.node.as_ref().and_then(|node| node.parent_id.clone());
            let hash = decision.diagnosis.as_ref().map(|kind| kind.fingerprint.clone());
            let verb = if decision.failure { "execution_failed" } else { "execution_succeeded" };
            let mut lines = vec![line(
                verb,
                json!({"parent": parent, "exit_code": event.exit_code, "stderr_hash": hash,
                "approach": event.approach, "files_touched": event.files_touched, "conflict_id": event.conflict_id}),
            )];
            let replanned = decision.transitions.iter().any(|t| t.to == Some(Level::Replan) && t.from != t.to);
            let scope = serde_json::to_value(decision.scope).unwrap_or_default();
            if replanned && (scope == "story" || scope == "feature") {
                let verb = format!("replanned {}", scope.as_str().unwrap_or_default());
                lines.push(line(&verb, json!({"parent": parent})));
            }
            lines
        }
        Entry::Imported { attempt } => {
            let mut value = serde_json::to_value(attempt).unwrap_or_default();
            if let Some(fields) = value.as_object_mut() {
                fields.retain(|_, field| !field.is_null());
            }
            vec![value]
        }
        Entry::Frozen { reason, .. } => vec![line("frozen", json!({"reason": reason}))],
        Entry::Thawed { reason, budget, .. } => vec![line("thawed", json!({"reason": reason, "budget": budget}))],
        Entry::Reset { reason, .. } => vec![line("reset", json!({"reason": reason}))],
        Entry::Resolved { reason, .. } => vec![line("resolved", json!({"reason": reason}))],
        _ => Vec::new(),
    }
}

/// One line for each conflict and what became of it; a line that several tasks were read from is written once.
fn conflicts_out(entries: &[Out]) -> String {
    let mut lines: Vec<Value> = Vec::new();
    for entry in entries {
        let is_new = |line: &Value| entry.1.is_none() || !lines.contains(line);
        if let Some(line) = conflict_out(entry).filter(is_new) {
            lines.push(line);
        }
    }
    lines_out(lines.into_iter())
}

fn conflict_out((record, original, entry): &Out) -> Option<Value> {
    if let Some(original) = original {
        return Some(original.clone());
    }
    match entry {
        Entry::Decided { event, decision, .. } if decision.failure => {
            let id = event.conflict_id.as_ref()?;
            Some(json!({"conflict_id": id, "ts": decision.at, "tasks": [record.task], "status": "open",
                "files": event.files_touched}))
        }
        Entry::Arbitrated { at, conflict, reason } => Some(
            json!({"conflict_id": conflict, "ts": at, "tasks": [record.task], "status": "resolved", "resolution": reason}),
        ),
        _ => None,
    }
}

fn updates_out((_, original, entry): &Out) -> Vec<Value> {
    if let Some(original) = original {
        return vec![original.clone()];
    }
    entry.transitions().iter().filter_map(|moved| serde_json::to_value(moved.update.as_ref()?).ok()).collect()
}

fn plan_out<J: Journal>(ledger: &Ledger<J>) -> Result<Value, ServiceError> {
    let project = ledger.state(&TaskId::new(PROJECT)?)?;
    let mut nodes = Vec::new();
    for (task, state) in ledger.tasks()? {
        let Some(id) = state.node.clone().or_else(|| state.plan.as_ref().map(|node| node.id.clone())) else { continue };
        let mut node = state.plan.as_deref().cloned().unwrap_or_default();
        node.parent_id = state.parent.clone().or(node.parent_id);
        node.id = id;
        if state.frozen.is_some() {
            node.status = Some("frozen".to_owned());
        }
        let mut value = serde_json::to_value(&node).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|_, field| !field.is_null());
            if node.id != task.as_str() {
                fields.insert("task".to_owned(), json!(task));
            }
            if let Some(mission) =
                project.mission.as_deref().filter(|mission| mission.id.as_deref() == Some(node.id.as_str()))
            {
                fields.insert("intent".to_owned(), json!(mission.intent));
                fields.insert("constraints".to_owned(), json!(mission.constraints));
                fields.insert("features".to_owned(), json!(mission.features));
            }
        }
        nodes.push(value);
    }
    Ok(json!({"active": project.active, "nodes": nodes}))
}
