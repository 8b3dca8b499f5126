//! A stream for other programs: one JSON object per decision and per change of a ladder, appended to a file.

use recovery_engine::Decision;
use recovery_engine::reconcile::Verb;
use recovery_types::ladder::{TaskUpdate, Transition};
use recovery_types::terminal::escaped_json;
use recovery_types::{Level, Timestamp};
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;

/// Something that happened to a task.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Observation {
    /// When.
    pub ts: Timestamp,
    /// The task.
    pub task: String,
    /// `decision`, or `transition` of the ladder.
    pub event: &'static str,
    /// Whether it was a failure (decision).
    pub failure: Option<bool>,
    /// How far it reaches: F1..F6 (decision).
    pub class: Option<String>,
    /// What went wrong (decision).
    pub error_type: Option<String>,
    /// What kind of failure it is (decision).
    pub failure_type: Option<String>,
    /// What to do (decision).
    pub verb: Option<Verb>,
    /// The level before (transition).
    pub from: Option<Level>,
    /// The level after.
    pub to: Option<Level>,
    /// Why the ladder moved (transition).
    pub cause: Option<&'static str>,
    /// The TaskUpdate record (transition).
    pub update: Option<TaskUpdate>,
}

/// What a decision and the changes of its ladder are observed as.
#[must_use]
pub fn of(decision: &Decision) -> Vec<Observation> {
    let kind = decision.diagnosis.as_ref();
    let decided = Observation {
        ts: decision.at,
        task: decision.task.clone(),
        event: "decision",
        failure: Some(decision.failure),
        class: decision.classification.as_ref().map(|class| format!("{:?}", class.class)),
        error_type: kind.map(|kind| kind.error_type.name().to_owned()),
        failure_type: kind.map(|kind| kind.failure_type.name().to_owned()),
        verb: Some(decision.next.verb),
        from: None,
        to: decision.ladder.level,
        cause: None,
        update: None,
    };
    std::iter::once(decided).chain(of_transitions(&decision.task, &decision.transitions)).collect()
}

/// What changes of a ladder are observed as.
#[must_use]
pub fn of_transitions(task: &str, transitions: &[Transition]) -> Vec<Observation> {
    let one = |moved: &Transition| Observation {
        ts: moved.at,
        task: task.to_owned(),
        event: "transition",
        failure: None,
        class: None,
        error_type: None,
        failure_type: None,
        verb: None,
        from: moved.from,
        to: moved.to,
        cause: Some(moved.cause.name()),
        update: moved.update.clone(),
    };
    transitions.iter().map(one).collect()
}

/// Appends `observations` to `path`, one line each, in one write.
///
/// # Errors
/// Where the file cannot be written.
pub fn append(path: &Path, observations: &[Observation]) -> std::io::Result<()> {
    let mut lines = String::new();
    for observation in observations {
        lines.push_str(&escaped_json(serde_json::to_string(observation)?));
        lines.push('\n');
    }
    std::fs::OpenOptions::new().create(true).append(true).open(path)?.write_all(lines.as_bytes())
}
