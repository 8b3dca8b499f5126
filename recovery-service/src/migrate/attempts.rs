//! `attempt_history.json`: `{"subtasks": {id: {"attempts": [...], "status": ...}}, "stuck_subtasks": [...]}`. The
//! subtasks may also be a list of objects with an id.
//!
//! In: the file's text. Out: each subtask's attempts in their order, and who waits for a person; back, the same file from the
//! journal. An attempt that worked ends what failed before it. A subtask's status counts where its attempts do not show it. An entry that cannot be read is skipped with its place and
//! reason, and the rest is imported. What was imported is written back as it was found, with fields that nothing here reads.

use super::fields::{flag_of, json_of, text_of, time_of, words_of};
use super::{ImportReport, Owner, Parsed, Recorded, What};
use crate::ServiceError;
use crate::ledger::{Ledger, is_users};
use recovery_engine::Entry;
use recovery_store::{Journal, Record, TaskId};
use recovery_types::{HistoryEntry, Timestamp};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Each subtask's attempts in their order, then who is stuck.
pub(super) fn parse(text: &str, report: &mut ImportReport) -> Result<Vec<Parsed>, String> {
    let file = json_of(text)?;
    let mut parsed = Vec::new();
    let listed: Vec<String> = file["stuck_subtasks"].as_array().into_iter().flatten().filter_map(stuck_id).collect();
    if file.get("subtasks").is_none() && file.get("stuck_subtasks").is_none() {
        report.skip("the file".to_owned(), "it has neither `subtasks` nor `stuck_subtasks`");
    }
    for (id, subtask) in subtasks(&file, report) {
        let attempts = subtask["attempts"].as_array();
        let status = parse_status(&id, &subtask, listed.contains(&id));
        if attempts.is_none_or(Vec::is_empty) && status.is_none() {
            report.skip(format!("subtasks.{id}"), "it has no attempts");
        }
        for (n, attempt) in attempts.into_iter().flatten().enumerate() {
            let place = format!("subtasks.{id}.attempts[{n}]");
            parsed.extend(parse_attempt(&id, attempt, &place, report));
        }
        parsed.extend(status);
    }
    for (n, stuck) in file["stuck_subtasks"].as_array().into_iter().flatten().enumerate() {
        let place = format!("stuck_subtasks[{n}]");
        let Some(id) = stuck_id(stuck) else {
            report.skip(place, "it names no subtask");
            continue;
        };
        let Some(at) = time_of(stuck, &["escalated_at", "timestamp"], &place, report) else { continue };
        let entry = HistoryEntry {
            node: Some(id.clone()),
            event: Some("stuck".to_owned()),
            stderr_tail: words_of(stuck, "reason"),
            ..HistoryEntry::default()
        };
        parsed.push(Parsed {
            owner: Owner::Task(id),
            at,
            what: What::Attempt(Box::new(entry)),
            original: stuck.clone(),
        });
    }
    Ok(parsed)
}

/// The subtask that an entry of `stuck_subtasks` names; older files have nothing but the name.
fn stuck_id(stuck: &Value) -> Option<String> {
    text_of(stuck, &["subtask_id"]).or_else(|| stuck.as_str().map(str::to_owned))
}

/// An entry for the status of a subtask, where neither its last attempt nor `stuck_subtasks` says the same.
fn parse_status(id: &str, subtask: &Value, is_listed: bool) -> Option<Parsed> {
    let last = subtask["attempts"].as_array().and_then(|attempts| attempts.last());
    let has_worked = last.is_some_and(|last| flag_of(&last["success"]) == Some(true));
    let event = match subtask["status"].as_str() {
        Some("completed") if !has_worked => "execution_succeeded",
        Some("stuck") if !is_listed => "stuck",
        _ => return None,
    };
    // The time of the last attempt is skipped and counted there, where it is none.
    let at = last.map_or(Some(Timestamp::default()), |last| {
        time_of(last, &["timestamp", "ts"], id, &mut ImportReport::default())
    })?;
    let entry = HistoryEntry {
        node: Some(id.to_owned()),
        event: Some(event.to_owned()),
        exit_code: (event != "stuck").then_some(0),
        ..HistoryEntry::default()
    };
    let attempts = subtask["attempts"].as_array().map_or(0, Vec::len);
    let original = json!({"status": subtask["status"], "after": attempts});
    Some(Parsed { owner: Owner::Task(id.to_owned()), at, what: What::Attempt(Box::new(entry)), original })
}

/// Whether an entry was read from a subtask's status, and is no attempt.
fn is_status(original: &Value) -> bool {
    original.get("after").is_some()
}

/// The subtasks with their ids.
fn subtasks(file: &Value, report: &mut ImportReport) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> =
        file["subtasks"].as_object().into_iter().flatten().map(|(id, subtask)| (id.clone(), subtask.clone())).collect();
    for (n, subtask) in file["subtasks"].as_array().into_iter().flatten().enumerate() {
        match text_of(subtask, &["subtask_id", "id"]) {
            Some(id) => all.push((id, subtask.clone())),
            None => report.skip(format!("subtasks[{n}]"), "it has no id"),
        }
    }
    all
}

fn parse_attempt(id: &str, attempt: &Value, place: &str, report: &mut ImportReport) -> Option<Parsed> {
    if !attempt.is_object() {
        report.skip(place.to_owned(), "an attempt is an object");
        return None;
    }
    let at = time_of(attempt, &["timestamp", "ts"], place, report)?;
    let ok = flag_of(&attempt["success"]).unwrap_or(false);
    let entry = HistoryEntry {
        node: Some(id.to_owned()),
        event: Some(if ok { "execution_succeeded" } else { "execution_failed" }.to_owned()),
        exit_code: ok.then_some(0),
        stderr_tail: words_of(attempt, "error"),
        approach: words_of(attempt, "approach"),
        ..HistoryEntry::default()
    };
    let what = What::Attempt(Box::new(entry));
    Some(Parsed { owner: Owner::Task(id.to_owned()), at, what, original: attempt.clone() })
}

/// The attempts of every task, and who is stuck.
pub(super) fn write<J: Journal>(ledger: &Ledger<J>, entries: &[Recorded]) -> Result<Value, ServiceError> {
    let mut subtasks: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut stuck = Vec::new();
    // Their status is kept though there is no attempt that shows it.
    let mut statuses = BTreeMap::new();
    for Recorded { record, original, entry } in entries.iter().filter(|one| is_users(&one.record.task)) {
        let attempts = subtasks.entry(record.task.as_str().to_owned()).or_default();
        if let Some(status) = original.as_ref().filter(|original| is_status(original)) {
            statuses.insert(record.task.as_str(), status["status"].as_str());
            continue;
        }
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
    for (task, attempts) in subtasks {
        if attempts.is_empty() && !statuses.contains_key(task.as_str()) {
            continue;
        }
        let state = ledger.state(&TaskId::new(&task)?)?;
        let listed = stuck.iter().any(|stuck| stuck["subtask_id"] == *task || *stuck == *task);
        let is_stuck = state.is_stuck();
        if is_stuck && !listed && statuses.get(task.as_str()) != Some(&Some("stuck")) {
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
    // A status without an attempt has the time of its import.
    let is_attempt = |one: &&Recorded| is_users(&one.record.task) && !one.original.as_ref().is_some_and(is_status);
    let times = || entries.iter().filter(is_attempt).map(|one| one.record.at);
    let metadata = json!({"created_at": times().min(), "last_updated": times().max()});
    Ok(json!({"subtasks": shown, "stuck_subtasks": stuck, "metadata": metadata}))
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
