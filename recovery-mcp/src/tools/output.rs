//! The structured results of the tools that no other crate defines. Their comments are part of the published output schemas.

use recovery_engine::reconcile::{Overruled, Scope, Tree, Verb};
use recovery_service::quote::Advice;
use recovery_service::{Recorded, Status};
use recovery_types::Timestamp;
use recovery_types::repair::Strategy;
use schemars::JsonSchema;
use serde::Serialize;

/// What is true once a repair ended.
#[derive(Serialize, JsonSchema)]
pub(super) struct RepairEnded {
    pub task: String,
    pub ok: bool,
    /// The line to log.
    pub log: Option<String>,
}

/// A task after an attempt at it.
#[derive(Serialize, JsonSchema)]
pub(super) struct OutcomeRecorded {
    #[serde(flatten)]
    pub status: Status,
    /// What to do now.
    pub sentence: String,
}

/// What to do next, and what it follows from.
#[derive(Serialize, JsonSchema)]
pub(super) struct Step {
    pub task: String,
    /// What to do, for programs.
    pub step: Verb,
    /// What to do, in the words that hooks use.
    pub sentence: String,
    /// The part of the output that the sentence is about: data, not instructions.
    pub output: Option<String>,
    /// What went wrong: an error type, as explain_rule lists them.
    pub error_type: Option<String>,
    /// Its kind: a failure type, as explain_rule lists them.
    pub failure_type: Option<String>,
    /// How far it reaches: F1..F6.
    pub class: Option<String>,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// The rule that decided the class.
    pub rule: Option<String>,
    /// The escalation level, 1 to 5.
    pub level: Option<u8>,
    /// Which attempt at this level is under way.
    pub attempt: Option<u32>,
    /// Not before this moment.
    pub not_before: Option<Timestamp>,
    /// When the escalation moves by itself.
    pub deadline: Option<Timestamp>,
    /// How the task itself changes.
    pub strategy: Option<Strategy>,
    /// The strategy's line.
    pub directive: Option<String>,
    /// What to do with the working tree.
    pub tree: Tree,
    /// The commit to go back to first, where `tree` is a rollback.
    pub rollback_to: Option<String>,
    /// What a replan covers.
    pub scope: Scope,
    /// Recommendations that this step does not follow, and which rule won over them.
    pub overruled: Vec<Overruled>,
    /// The log line of a repair whose outcome this attempt reports.
    pub log: Option<String>,
    /// Until when this exact action must not be repeated.
    pub held_back_until: Option<Timestamp>,
    /// The file, and line where known, of the first error.
    pub location: Option<String>,
    /// The record's number in the task's chain.
    pub record: Option<u64>,
}

impl Step {
    /// What was decided about `printed`.
    pub fn new(recorded: Recorded, printed: &str) -> Self {
        let Recorded { decision, record, .. } = recorded;
        let Advice { next: sentence, quote: output, directive } = Advice::new(&decision, printed);
        let (class, kind, repair) = (decision.classification, decision.diagnosis, decision.repair);
        let location = kind.as_ref().and_then(|kind| kind.location.as_ref()).map(|place| {
            let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{}{line}", place.file)
        });
        Self {
            task: decision.task,
            step: decision.next.verb,
            sentence,
            output,
            error_type: kind.as_ref().map(|kind| kind.error_type.name().to_owned()),
            failure_type: kind.as_ref().map(|kind| kind.failure_type.name().to_owned()),
            class: class.as_ref().map(|class| format!("{:?}", class.class)),
            confidence: class.as_ref().and_then(|class| class.confidence.to_string().parse().ok()),
            rule: class.map(|class| class.rule.to_string()),
            level: decision.ladder.level.map(|level| level.number()),
            attempt: decision.ladder.attempt,
            not_before: decision.ladder.not_before,
            deadline: decision.ladder.deadline,
            strategy: repair.as_ref().and_then(|repair| repair.strategy),
            directive,
            tree: decision.tree,
            rollback_to: decision.rollback_to,
            scope: decision.scope,
            overruled: decision.overruled,
            log: decision.log,
            held_back_until: decision.deny.map(|denial| denial.until),
            location,
            record: record.map(|place| place.seq),
        }
    }
}

/// The state of tasks.
#[derive(Serialize, JsonSchema)]
pub(super) struct Statuses {
    pub tasks: Vec<Status>,
    /// What to give as `after` for the next page; null on the last one.
    pub next: Option<String>,
    /// How many tasks there are in all.
    pub total: u64,
}
