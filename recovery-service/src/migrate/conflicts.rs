//! `conflicts.jsonl`: one conflict, or what became of it, per line.
//!
//! In: the lines. Out: a task that waits for the arbiter for each task of an open conflict, and the arbiter's verdict where a
//! line has one, which lets them go on; a verdict that names no task is about all that the lines before named. Conflicts are
//! no failures, so nothing is counted as an attempt. Back, the conflicts that are open or were settled, from the journal.

use super::fields::{each_line, lines_out, text_of, time_of};
use super::{ImportReport, Owner, Parsed, Recorded, What};
use recovery_engine::{Entry, conflict_of};
use recovery_types::Class;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tasks of each conflict, as far as the lines have named them.
type Opened = BTreeMap<String, Vec<String>>;

/// Words of a status that ends a conflict.
const SETTLED: [&str; 5] = ["resol", "arbitrated", "settled", "closed", "dismissed"];

/// Every line in its order.
pub(super) fn parse(text: &str, report: &mut ImportReport) -> Result<Vec<Parsed>, String> {
    let mut opened = Opened::new();
    each_line(text, report, |line, place, report| parse_line(line, place, &mut opened, report))
}

/// One line: an entry for each task that it names.
fn parse_line(line: &Value, place: &str, opened: &mut Opened, report: &mut ImportReport) -> Vec<Parsed> {
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
    tasks.sort();
    tasks.dedup();
    let status = text_of(line, &["status", "event"]).unwrap_or_default().to_ascii_lowercase();
    let is_settled = !line["resolution"].is_null()
        || SETTLED.iter().any(|word| status.contains(word)) && !status.contains("unresol");
    if is_settled && tasks.is_empty() {
        tasks = opened.get(&id).cloned().unwrap_or_default();
    }
    if tasks.is_empty() {
        report.skip(place.to_owned(), "it names no task");
    }
    opened.entry(id.clone()).or_default().extend(tasks.iter().cloned());
    let reason =
        text_of(line, &["resolution", "reason", "description", "summary"]).unwrap_or_else(|| format!("conflict {id}"));
    let entry = || {
        let (conflict, reason) = (id.clone(), reason.clone());
        if is_settled {
            Entry::Arbitrated { at, conflict, reason }
        } else {
            Entry::ConflictOpened { at, conflict, reason }
        }
    };
    let parsed = |task: String| Parsed {
        owner: Owner::Task(task),
        at,
        what: What::Entry(Box::new(entry())),
        original: line.clone(),
    };
    tasks.into_iter().map(parsed).collect()
}

/// One line for each conflict and what became of it; a line that several tasks were read from is written once.
pub(super) fn write(entries: &[Recorded]) -> String {
    let mut lines: Vec<Value> = Vec::new();
    for entry in entries {
        let is_new = |line: &Value| entry.original.is_none() || !lines.contains(line);
        if let Some(line) = conflict_out(entry).filter(is_new) {
            lines.push(line);
        }
    }
    lines_out(lines.into_iter())
}

fn conflict_out(Recorded { record, original, entry }: &Recorded) -> Option<Value> {
    if let Some(original) = original {
        return Some(original.clone());
    }
    match entry {
        Entry::Decided { event, decision, .. } if decision.failure => {
            decision.classification.as_ref().filter(|class| class.class == Class::F6)?;
            Some(json!({"conflict_id": conflict_of(event), "ts": decision.at, "tasks": [record.task],
                "status": "open", "files": event.files_touched}))
        }
        Entry::Arbitrated { at, conflict, reason } => Some(
            json!({"conflict_id": conflict, "ts": at, "tasks": [record.task], "status": "resolved", "resolution": reason}),
        ),
        _ => None,
    }
}
