//! The records that the escalation document requires: task updates, the partial result, notes.
//!
//! In: the state of a climb and the facts of its failures. Out: `TaskUpdate`s and the `ForceDoneReport` with
//! failure reason, recommendation, completed and remaining steps. Every required field has content: where the caller
//! stated nothing, the text names that. The wording for people is in `reason`, `recommendation` and `remedy`.

use crate::{JudgeThresholds, LadderFailure};
use recovery_types::ladder::{
    FailureFacts, ForceDoneMetadata, LevelMetadata, MemoryNote, PartialStatus, TaskMetadata, UpdateStatus, WaitReason,
};
use recovery_types::{Cause, Climb, Command, ErrorType, ForceDoneReport, Judge, Level, TaskUpdate, Timestamp};
use std::borrow::Cow;

/// The record of a level that was just entered; level 5 is completed on entry.
pub(crate) fn entered(task_id: &str, climb: &Climb) -> TaskUpdate {
    match &climb.command {
        Command::ForceDone { report } => force_done(task_id, report),
        Command::Retry { .. }
        | Command::Nudge { .. }
        | Command::Replan { .. }
        | Command::Fallback { .. }
        | Command::WaitUntil { .. } => level(task_id, climb, UpdateStatus::InProgress),
    }
}

/// The record of an end: success completes the task, a reset returns it to pending.
pub(crate) fn ended(task_id: &str, climb: &Climb, cause: Cause) -> TaskUpdate {
    level(task_id, climb, if cause == Cause::Reset { UpdateStatus::Pending } else { UpdateStatus::Completed })
}

fn level(task_id: &str, climb: &Climb, status: UpdateStatus) -> TaskUpdate {
    let metadata = TaskMetadata::Level(LevelMetadata {
        recovery_level: climb.level,
        recovery_action: climb.level.action().to_owned(),
        error_type: climb.failure.error_type,
        previous_levels: climb.previous_levels.clone(),
        entered_at: climb.entered_at,
    });
    TaskUpdate { task_id: task_id.to_owned(), status, metadata }
}

fn force_done(task_id: &str, report: &ForceDoneReport) -> TaskUpdate {
    let metadata = TaskMetadata::ForceDone(ForceDoneMetadata {
        partial: true,
        escalation_level: Level::ForceDone,
        escalation_path: report.escalation_path.clone(),
        completed_steps: report.completed_steps.clone(),
        failed_at: report.failed_at.clone(),
        failure_reason: report.failure_reason.clone(),
        recommendation: report.recommendation.clone(),
        summary: format!("Force-done: partial results emitted after {}-level escalation", report.escalation_path.len()),
    });
    TaskUpdate { task_id: task_id.to_owned(), status: UpdateStatus::Completed, metadata }
}

/// The partial result with its explanation.
pub(crate) fn report(
    task_id: &str,
    failure: &FailureFacts,
    previous: &[Level],
    cause: Cause,
    at: Timestamp,
) -> ForceDoneReport {
    let completed_steps = match failure.completed_steps.as_slice() {
        [] => vec!["none was reported".to_owned()],
        steps => steps.to_vec(),
    };
    ForceDoneReport {
        status: PartialStatus::Partial,
        completed_steps,
        failure_reason: reason(failure, cause),
        recommendation: recommendation(task_id, failure, cause, at),
        failed_at: failure.step.clone().unwrap_or_else(|| "a step without a name".to_owned()),
        escalation_path: previous.iter().copied().chain([Level::ForceDone]).collect(),
    }
}

fn reason(failure: &FailureFacts, cause: Cause) -> String {
    let error = failure.error_type;
    let before = match cause {
        Cause::Loop => "similar actions were repeated without progress; last error: ",
        Cause::Deadline => "the time limit passed; last error: ",
        Cause::SessionBudget => "too little of the session's time budget is left; last error: ",
        Cause::Failure | Cause::Judge | Cause::Success | Cause::Reset | Cause::Pause | Cause::Skip => "",
    };
    if let Some(blocked) = &failure.blocked {
        let last = failure.message.as_ref().map(|message| format!("; last error: {message}")).unwrap_or_default();
        return format!("{}{last}", blocked.why);
    }
    match &failure.message {
        // The action at the time limit is not the cause.
        Some(message) if failure.overran => format!("{before}{message}"),
        Some(message) => format!("{before}{error}: {message}"),
        None if error == ErrorType::Other => format!("{before}an error of unknown kind"),
        None => format!("{before}{error}: {}", error.meaning().trim().trim_end_matches('.')),
    }
}

fn recommendation(task_id: &str, failure: &FailureFacts, cause: Cause, at: Timestamp) -> String {
    let first = match failure.resume_at.filter(|resume_at| *resume_at > at) {
        Some(resume_at) => Cow::Owned(format!("Resume at {resume_at}, the time the server gave")),
        None if failure.blocked.is_some() => {
            Cow::Owned(failure.blocked.iter().map(|blocked| blocked.remedy.as_str()).collect())
        }
        None if failure.overran => Cow::Borrowed("Give it more time or find out what it waits for"),
        None => Cow::Borrowed(remedy(failure.error_type, cause)),
    };
    match &failure.step {
        Some(step) => format!("{first}, then reset task {task_id:?} to go on from {step:?}."),
        None => format!("{first}, then reset task {task_id:?}."),
    }
}

/// The remedy where only a person can act.
fn remedy(error: ErrorType, cause: Cause) -> &'static str {
    match error {
        ErrorType::NetworkTimeout
        | ErrorType::ConnectionFailure
        | ErrorType::ServiceUnavailable
        | ErrorType::ExternalServiceDown => "Retry when the service is restored",
        ErrorType::RateLimit => "Try again later or ask for a higher limit",
        ErrorType::LockContention => "Find out who holds the lock and release it",
        ErrorType::MissingCredentials => "Provide valid credentials",
        ErrorType::UntrustedCertificate => "Check the certificate, or trust its issuer if it is right",
        ErrorType::QuotaExhausted => "Renew the quota or wait until it is renewed",
        ErrorType::PermissionDenied => "Grant the permission or choose a place that is allowed",
        ErrorType::DiskFull => "Free some space",
        ErrorType::OutOfMemory => "Provide more memory or make the work smaller",
        ErrorType::CommandNotFound | ErrorType::MissingDependency => "Install what is missing",
        ErrorType::ContextExhausted => "Go on in a new session or split the task",
        ErrorType::MergeConflict => "Resolve the conflict",
        ErrorType::GoalMisalignment => "Say again what the goal is and which approach is wanted",
        ErrorType::CapabilityMismatch => "Give the task to someone who can do it",
        _ => match cause {
            Cause::Loop => "Choose another approach than the repeated one",
            Cause::SessionBudget => "Raise the session budget or finish by hand",
            Cause::Failure
            | Cause::Judge
            | Cause::Deadline
            | Cause::Success
            | Cause::Reset
            | Cause::Pause
            | Cause::Skip => "Look into the failure and finish by hand or decide on another approach",
        },
    }
}

/// How much of an error's text is kept: enough for the specific error, not a whole log.
const MESSAGE_CHARS: usize = 1000;

/// What is known after one more failure: the newest facts, the steps and known-bad approaches of all.
pub(crate) fn learn(
    known: Option<(FailureFacts, Vec<String>)>,
    failure: Option<LadderFailure>,
    wait: Option<(Timestamp, WaitReason)>,
) -> (FailureFacts, Vec<String>) {
    let nothing = || FailureFacts {
        error_type: ErrorType::Other,
        message: None,
        step: None,
        completed_steps: Vec::new(),
        resume_at: None,
        overran: false,
        blocked: None,
        model: None,
    };
    let (mut facts, mut known_bad) = known.unwrap_or_else(|| (nothing(), Vec::new()));
    let Some(failure) = failure else { return (facts, known_bad) };
    let message = non_blank(failure.message);
    if message.is_some() || failure.error_type != facts.error_type {
        facts.message = message;
    }
    facts.error_type = failure.error_type;
    facts.step = non_blank(failure.step).or(facts.step);
    facts.resume_at = wait.map(|(until, _)| until);
    facts.overran = failure.overran;
    facts.blocked = failure.blocked;
    facts.model = non_blank(failure.model).or(facts.model);
    add_new(&mut facts.completed_steps, failure.completed_steps);
    add_new(&mut known_bad, failure.approach);
    (facts, known_bad)
}

fn add_new(known: &mut Vec<String>, now: impl IntoIterator<Item = String>) {
    for text in now.into_iter().filter_map(|text| non_blank(Some(text))) {
        if !known.contains(&text) {
            known.push(text);
        }
    }
}

/// The text, cut to a sensible length; none where it is blank.
fn non_blank(text: Option<String>) -> Option<String> {
    let text = text?;
    let trimmed = text.trim();
    match trimmed.char_indices().nth(MESSAGE_CHARS) {
        _ if trimmed.is_empty() => None,
        Some((end, _)) => Some(format!("{}…", &trimmed[..end])),
        None if trimmed.len() == text.len() => Some(text),
        None => Some(trimmed.to_owned()),
    }
}

/// A judge's verdict as a failure; none when it is none.
pub(crate) fn failure_of_judge(thresholds: &JudgeThresholds, judge: Judge) -> Option<LadderFailure> {
    let level = thresholds.entry(judge)?;
    let below = |name: &str, score: Option<u32>, threshold: u32| {
        let score = score.filter(|score| *score < threshold)?;
        Some(format!("the judge gave {name} {score}, less than {threshold}"))
    };
    let (error_type, below) = if level == Level::Replan {
        let below = below("goalAlignment", judge.goal_alignment, thresholds.goal_alignment);
        (ErrorType::GoalMisalignment, below)
    } else {
        let below = below("evidenceOfCompletion", judge.evidence_of_completion, thresholds.evidence_of_completion);
        (ErrorType::TestFailure, below)
    };
    let message = Some(below.unwrap_or_else(|| "the judge's verdict is FAIL".to_owned()));
    Some(LadderFailure { message, entry_level: Some(level), ..LadderFailure::new(error_type) })
}

/// What to remember of a task that was force-done.
pub(crate) fn issue(task_id: &str, climb: &Climb) -> Option<MemoryNote> {
    let Command::ForceDone { report } = &climb.command else { return None };
    Some(MemoryNote::Issue {
        at: climb.entered_at,
        task_id: task_id.to_owned(),
        error_type: climb.failure.error_type,
        root_cause: report.failure_reason.clone(),
        failed_at: report.failed_at.clone(),
        recommendation: report.recommendation.clone(),
    })
}

/// What to remember of an error that no rule knew; once, as long as it stays the same.
pub(crate) fn learning(
    task_id: &str,
    before: Option<&Climb>,
    failure: Option<&LadderFailure>,
    at: Timestamp,
) -> Option<MemoryNote> {
    let failure = failure.filter(|failure| failure.error_type == ErrorType::Other)?;
    let message = non_blank(failure.message.clone())?;
    let known = before.is_some_and(|climb| climb.failure.message.as_ref() == Some(&message));
    (!known).then(|| MemoryNote::Learning {
        at,
        task_id: task_id.to_owned(),
        message,
        step: non_blank(failure.step.clone()),
    })
}
