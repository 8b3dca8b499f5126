//! Deciding everything again with today's rules.
//!
//! In: a journal and an engine. Out: a [`Replay`] with every recorded decision that would be made differently now, and in
//! which fields. Each decision is compared on its own: the state before it is the one that was recorded.

use crate::ledger::entry_of;
use crate::{Ledger, ServiceError};
use recovery_engine::{Decision, Engine, Entry, TaskState};
use recovery_store::{Journal, TaskId};
use serde::Serialize;
use serde_json::Value;

/// A decision that today's rules would make differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The task.
    pub task: String,
    /// The number of the record within the task.
    pub seq: u64,
    /// The fields that differ, with what was decided and what would be.
    pub fields: Vec<(String, Value, Value)>,
}

/// What came of deciding everything again.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// How many decisions were made again.
    pub decisions: u64,
    /// Those that would differ.
    pub differences: Vec<Difference>,
}

/// Decides again what was decided about these tasks.
///
/// # Errors
///
/// When the records cannot be read.
pub fn replay<J: Journal>(ledger: &Ledger<J>, mut engine: Engine, tasks: &[TaskId]) -> Result<Replay, ServiceError> {
    let settings = engine.ladder.clone();
    let mut replay = Replay::default();
    for task in tasks {
        let mut state = TaskState::default();
        for record in ledger.journal.records(task, 1)? {
            // What a newer program wrote cannot be decided again by this one.
            let Some(entry) = entry_of(&record).ok().flatten() else { continue };
            if let Entry::Decided { event, observed, decision, policy, .. } = &entry {
                replay.decisions += 1;
                engine.ladder = policy.as_deref().unwrap_or(&settings).clone();
                let again = engine.decide(&decision.task, &state, event, observed.as_deref(), decision.at);
                let fields = differing(decision, &again)
                    .map_err(|source| ServiceError::Unwritable { task: task.clone(), source })?;
                if !fields.is_empty() {
                    let (task, seq) = (decision.task.clone(), record.seq);
                    replay.differences.push(Difference { task, seq, fields });
                }
            }
            state.apply(&entry);
        }
    }
    Ok(replay)
}

/// The top-level fields in which two decisions differ, and within `diagnosis` and `classification` the fields there.
fn differing(then: &Decision, now: &Decision) -> serde_json::Result<Vec<(String, Value, Value)>> {
    fn compare(path: &str, then: &Value, now: &Value, found: &mut Vec<(String, Value, Value)>) {
        match (then, now) {
            (Value::Object(a), Value::Object(b)) if path.split('.').count() < 3 => {
                for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    compare(&path, a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null), found);
                }
            }
            (then, now) if then != now => found.push((path.to_owned(), then.clone(), now.clone())),
            _ => {}
        }
    }
    let mut found = Vec::new();
    compare("", &serde_json::to_value(then)?, &serde_json::to_value(now)?, &mut found);
    Ok(found)
}
