//! What was tried, what to try differently, and what the notes contain about such errors.

use crate::notes;
use crate::outside::Outside;
use recovery_engine::{Engine, TaskState};
use recovery_store::TaskId;
use recovery_types::Timestamp;
use recovery_types::ladder::Command;
use recovery_types::terminal::one_line;
use recovery_types::time::span;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// What to know before the next attempt.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
pub struct Hints {
    /// The task.
    pub task: String,
    /// What was tried, oldest first, with what went wrong.
    pub tried: Vec<String>,
    /// What to do differently.
    pub instead: Vec<String>,
    /// What issues.md and learnings.md say about it.
    pub known: Vec<String>,
    /// What keeps the task from going on: a wait, a freeze, a new approach that is due.
    #[serde(skip)]
    pub conditions: Vec<String>,
    /// Whether the journal knows the task.
    #[serde(skip)]
    pub is_known: bool,
}

impl Hints {
    /// Whether there are no hints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tried.is_empty() && self.instead.is_empty() && self.known.is_empty()
    }

    /// What is known of `task` at `now`; `output` is that of its last failure.
    #[must_use]
    pub fn of(
        engine: &Engine,
        memory_dir: &Path,
        task: &TaskId,
        state: &TaskState,
        output: &str,
        now: Timestamp,
    ) -> Self {
        let outside = Outside { output, ..Outside::default() };
        let quoted = |text: &str| one_line(&outside.quoted(text), 200);
        let tried = state.attempts.iter().map(|attempt| {
            let what = if attempt.stated { attempt.approach.as_str() } else { attempt.action.as_deref().unwrap_or("") };
            match what {
                "" => attempt.error_type.to_string(),
                what => format!("{}: {}", one_line(what, 120), attempt.error_type),
            }
        });
        let ladder = engine.ladder_at(task.as_str(), state, now);
        let proposal = state.open_proposal();
        let mut instead: Vec<String> = proposal.map(|repair| quoted(&repair.approach)).into_iter().collect();
        let mut conditions = Vec::new();
        match &ladder.command {
            Some(Command::Replan { .. }) => {
                conditions.push("a new approach; what was tried is known not to work".to_owned())
            }
            Some(Command::Fallback { .. }) => conditions.push("another agent or model".to_owned()),
            Some(Command::ForceDone { report }) => {
                instead.push(format!("{} ({})", report.recommendation, quoted(&report.failure_reason)))
            }
            Some(Command::WaitUntil { until, .. }) => {
                conditions.push(format!("nothing for another {}: the server asked to wait", span(until.since(now))))
            }
            Some(Command::Retry { .. } | Command::Nudge { .. }) | None => {}
        }
        for waiting in state.open_conflicts() {
            conditions.push(format!("wait for {}: {}", waiting.conflict, quoted(&waiting.reason)));
        }
        conditions.extend(state.given_up_reason.as_ref().map(|why| format!("given up: {}", quoted(why))));
        let because = |what: &str, why: &String| format!("nothing: {what}, {}", one_line(why, 200));
        conditions.extend(state.frozen.as_ref().map(|why| because("the plan froze it", why)));
        conditions.extend(state.skipped.as_ref().map(|why| because("it was left out", why)));
        instead.extend(conditions.iter().cloned());
        let error = state.attempts.last().map_or("", |attempt| attempt.error_type.name());
        let mut known = notes::recall(memory_dir, "issues.md", task.as_str(), error);
        known.extend(notes::recall(memory_dir, "learnings.md", task.as_str(), error));
        // Each end of a run leaves a note: of those that differ in their time only, the latest is enough.
        let mut stated = BTreeSet::new();
        known.retain(|note| stated.insert(note.split_once(' ').map_or(note.clone(), |(_, rest)| rest.to_owned())));
        known.truncate(5);
        let known = known.iter().map(|note| outside.quoted(note)).collect();
        Self {
            task: task.as_str().to_owned(),
            tried: tried.collect(),
            instead,
            known,
            conditions,
            is_known: crate::service::is_known(state),
        }
    }
}
