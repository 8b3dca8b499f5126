//! `history.jsonl`: one event of a node per line.
//!
//! In: the lines. Out: attempts, replans, freezes and thaws of each node. The kind of an event is the classifier's reading of
//! its name (`classifier_core::entry_kind`), so an imported event and one in a caller's own history mean the same; a verb that
//! is none of these is kept and changes nothing. Back, one line per decision, with a second one where it replanned.

use super::fields::time_of;
use super::{ImportReport, Owner, Parsed, Recorded, What};
use classifier_core::{EntryKind, entry_kind};
use recovery_engine::Entry;
use recovery_types::{HistoryEntry, Level};
use serde_json::{Value, json};

/// One line. Some writers call the event `verb` and the node `target`.
pub(super) fn parse_line(line: &Value, place: &str, report: &mut ImportReport) -> Vec<Parsed> {
    let Some(at) = time_of(line, &["ts", "timestamp", "at"], place, report) else { return Vec::new() };
    let mut fields = crate::Accept::<HistoryEntry>::default().spell(line.clone()).value;
    if let Some(fields) = fields.as_object_mut() {
        fields.remove("ts");
        for (theirs, ours) in [("verb", "event"), ("target", "node"), ("task_id", "node"), ("task", "node")] {
            if let Some(value) = fields.get(theirs).filter(|value| value.is_string()).cloned() {
                fields.entry(ours).or_insert(value);
            }
        }
    }
    let entry: HistoryEntry = match serde_json::from_value(fields) {
        Ok(entry) => entry,
        Err(error) => {
            report.skip(place.to_owned(), &crate::json::plain(&error.to_string()));
            return Vec::new();
        }
    };
    // Anything would read as an entry with nothing in it.
    if entry.event.is_none() && entry.exit_code.is_none() {
        report.skip(place.to_owned(), "this is no history entry: it has neither `event` nor `exit_code`");
        return Vec::new();
    }
    let changes_nothing = entry_kind(&entry) == EntryKind::Other;
    if let (None, Some(event), true) = (&entry.node, &entry.event, changes_nothing) {
        report.skip(place.to_owned(), &format!("`{event}` is about no task"));
        return Vec::new();
    }
    // `conflict_arbitrated` with a target is about the conflict, which is no task.
    let is_of_conflict =
        line.get("target").is_some() && entry.event.as_deref().is_some_and(|verb| verb.starts_with("conflict"));
    let owner = match is_of_conflict && changes_nothing {
        true => Owner::Project,
        false => Owner::Task(entry.node.clone().unwrap_or_default()),
    };
    vec![Parsed { owner, at, what: What::Attempt(Box::new(entry)), original: line.clone() }]
}

/// The lines of a record; none where the format has no word for it.
pub(super) fn write(Recorded { record, original, entry }: &Recorded) -> Vec<Value> {
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
