//! What was tried, in order, and the decision a person has to take, as a question.

use crate::adjust;
use crate::directive::one_line;
use crate::log::task_label;
use crate::rules::RuleId;
use recovery_types::repair::{FailedTask, RepairRequest};

/// What was tried, oldest first.
#[must_use]
pub fn tried(request: &RepairRequest) -> String {
    if request.attempts.is_empty() {
        return "nothing yet".to_owned();
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

/// How many attempts failed.
#[must_use]
pub fn failed_attempts(request: &RepairRequest) -> usize {
    request.attempts.iter().filter(|a| !a.ok && a.strategy().spends_budget()).count()
}

/// The decision that is needed, as a question a person can answer.
#[must_use]
pub fn question(rule: RuleId, request: &RepairRequest) -> String {
    let (state, choice) = match rule {
        RuleId::Architectural if request.task.decision => ("is a decision for a person", "which way should it go?"),
        RuleId::Architectural => {
            ("reaches into the architecture", "which constraint may change, or should the task be dropped?")
        }
        RuleId::BudgetSpent => {
            ("has no repair attempt left", "allow more attempts, take another approach, or skip it?")
        }
        RuleId::RetriesFailed => {
            ("still fails after different approaches", "which approach should be taken, or should it be skipped?")
        }
        RuleId::Disabled
        | RuleId::FixableHere
        | RuleId::TooCoarse
        | RuleId::Infeasible
        | RuleId::FirstRetry
        | RuleId::NothingLeft => ("still fails after a retry", "what should change, or should it be skipped?"),
    };
    format!("{} {state}{}: {choice}", named(&request.task), failure(request))
}

fn named(task: &FailedTask) -> String {
    let (label, name) = (task_label(task), one_line(&task.name));
    if name.is_empty() || name == label { format!("Task {label}") } else { format!("Task {label} ({name})") }
}

/// Expected against actual where they are known, else the line that says most, in brackets.
fn failure(request: &RepairRequest) -> String {
    let short = |text: &str| Some(adjust::shorten(&one_line(text), 160)).filter(|t| !t.is_empty());
    let expected = request.error.expected.as_deref().and_then(short);
    let actual = request.error.actual.as_deref().and_then(short);
    match (expected, actual) {
        (Some(expected), Some(actual)) => format!(" (expected {expected}, got {actual})"),
        (Some(expected), None) => format!(" (expected {expected})"),
        (None, Some(actual)) => format!(" (got {actual})"),
        (None, None) => adjust::telling_line(&request.error.text)
            .and_then(|line| short(&line))
            .map(|line| format!(" ({line})"))
            .unwrap_or_default(),
    }
}
