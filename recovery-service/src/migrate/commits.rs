//! `build_commits.json`: `{"commits": [{"hash", "subtask_id", "timestamp"}], "last_good_commit": ...}`.
//!
//! In: the file's text. Out: each good commit as a checkpoint of the project, `last_good_commit` last, because the last
//! checkpoint is the one that a rollback goes to. Commits serve the whole project, not the subtask that made them: a broken
//! build of another subtask goes back to the same commit. Back, the same file from the journal's checkpoints.

use super::fields::{json_of, text_of, time_of};
use super::{ImportReport, Owner, Parsed, Recorded, What};
use crate::ledger::is_users;
use recovery_engine::Entry;
use recovery_types::Timestamp;
use serde_json::{Value, json};

/// Each good commit as a checkpoint of the project; the one that the file calls the last comes last.
pub(super) fn parse(text: &str, report: &mut ImportReport) -> Result<Vec<Parsed>, String> {
    let file = json_of(text)?;
    let mut parsed = Vec::new();
    if file.get("commits").is_none() && file.get("last_good_commit").is_none() {
        report.skip("the file".to_owned(), "it has neither `commits` nor `last_good_commit`");
    }
    let mut good = |commit: String, at: Timestamp, original: Value| {
        let entry = Entry::Checkpoint { at, commit };
        parsed.push(Parsed { owner: Owner::Project, at, what: What::Entry(Box::new(entry)), original });
    };
    for (n, commit) in file["commits"].as_array().into_iter().flatten().enumerate() {
        let place = format!("commits[{n}]");
        let Some(hash) = text_of(commit, &["hash", "commit", "sha"]) else {
            report.skip(place, "it has no hash");
            continue;
        };
        if !is_hash(&hash) {
            report.skip(place, NO_HASH);
            continue;
        }
        let Some(at) = time_of(commit, &["timestamp"], &place, report) else { continue };
        good(hash, at, commit.clone());
    }
    let last = text_of(&file, &["last_good_commit"]);
    if last.as_deref().is_some_and(|last| !is_hash(last)) {
        report.skip("last_good_commit".to_owned(), NO_HASH);
    } else if let Some(last) = last {
        good(last.clone(), Timestamp::default(), json!({"last_good_commit": last}));
    }
    Ok(parsed)
}

const NO_HASH: &str = "it is no commit hash";

/// Whether a text may be the name of a commit: a rollback goes there.
fn is_hash(text: &str) -> bool {
    (4..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Every good commit.
pub(super) fn write(entries: &[Recorded]) -> Value {
    let mut commits: Vec<Value> = Vec::new();
    let mut last = Value::Null;
    for Recorded { record, original, entry } in entries {
        let Entry::Checkpoint { at, commit } = entry else { continue };
        last = json!(commit);
        match original {
            Some(original) if original.get("last_good_commit").is_some() => {}
            Some(original) => commits.push(original.clone()),
            None => {
                let task = Some(&record.task).filter(|task| is_users(task));
                commits.push(json!({"hash": commit, "subtask_id": task, "timestamp": at}));
            }
        }
    }
    json!({"commits": commits, "last_good_commit": last, "metadata": {}})
}
