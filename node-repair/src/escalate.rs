//! The text of an ESCALATE: what was tried, and the decision that a person has to take.
//!
//! In: the rule that decided, the request and its facts. Out: the attempts in order as one line (`1. RETRY ... (failed); 2.
//! ...`), how many of them failed, and a question that can be answered without reading the log.
//!
//! The question names the task, its state, the next step from `step` and the choices. Its wording depends on the rule, by
//! an exhaustive `match`: a new rule has to choose its own. The lines that embed these texts are in `directive` and `log`.

use crate::RepairFacts;
use crate::directive::one_line;
use crate::log::task_label;
use crate::rules::RepairRuleId;
use recovery_types::Strategy;
use recovery_types::repair::{FailedTask, RepairRequest};

/// What was tried where no repair was.
pub const NOTHING_TRIED: &str = "nothing yet";

/// What was tried, oldest first.
#[must_use]
pub fn tried(request: &RepairRequest) -> String {
    if request.attempts.is_empty() {
        return NOTHING_TRIED.to_owned();
    }
    let mut steps = Vec::new();
    for (index, attempt) in request.attempts.iter().enumerate() {
        let approach = one_line(&attempt.approach);
        let approach = if approach.is_empty() { String::new() } else { format!(" {approach}") };
        let end = if attempt.ok { "worked" } else { "failed" };
        steps.push(format!("{}. {}{approach} ({end})", index + 1, attempt.strategy()));
    }
    steps.join("; ")
}

/// How many repair attempts failed, where a RETRY is among them: the documents have no line for a failed DECOMPOSE alone.
#[must_use]
pub fn failed_attempts(request: &RepairRequest) -> usize {
    let failed = || request.attempts.iter().filter(|a| !a.ok && a.strategy().spends_budget());
    if failed().any(|attempt| attempt.strategy() == Strategy::Retry) { failed().count() } else { 0 }
}

/// The decision that is needed, as a question a person can answer; it contains the next step.
#[must_use]
pub fn question(rule: RepairRuleId, request: &RepairRequest, facts: &RepairFacts) -> String {
    let step = facts.step.text.as_str();
    let (state, choice) = match rule {
        // The step is the request itself.
        RepairRuleId::NeedsPerson => return step.to_owned(),
        RepairRuleId::Architectural if request.task.decision => {
            ("is a decision for a person", "Which way should it go?")
        }
        RepairRuleId::Architectural => {
            ("reaches into the architecture", "Which constraint may change, or should the task be dropped?")
        }
        RepairRuleId::BudgetSpent => {
            ("has no repair attempt left", "Allow more attempts, take another approach, or skip it?")
        }
        RepairRuleId::RetriesFailed => {
            ("still fails after different approaches", "Which approach should be taken, or should it be skipped?")
        }
        RepairRuleId::NothingLeft if facts.all_tried => {
            ("still fails after every step that its output suggests", "What should change, or should it be skipped?")
        }
        RepairRuleId::Disabled
        | RepairRuleId::FixableHere
        | RepairRuleId::TooCoarse
        | RepairRuleId::Infeasible
        | RepairRuleId::FirstRetry
        | RepairRuleId::NothingLeft => ("still fails after a retry", "What should change, or should it be skipped?"),
    };
    // A step that was tried is no next one.
    let is_tried = rule == RepairRuleId::NothingLeft && facts.all_tried;
    let next = if is_tried { String::new() } else { format!(" Next step: {step}.") };
    format!("{} {state}.{next} {choice}", named(&request.task))
}

fn named(task: &FailedTask) -> String {
    let (label, name) = (task_label(task), one_line(&task.name));
    if name.is_empty() || name == label { format!("Task {label}") } else { format!("Task {label} ({name})") }
}
