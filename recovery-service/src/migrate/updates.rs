//! TaskUpdate records, one per line: the ladder's levels as the escalation document has them.
//!
//! In: the lines. Out: the ladder of each task at the level that its last record names; `completed` with `partial` is level 5,
//! `completed` without is a success, `pending` is a reset, whatever level they name as the one that ended. They move the ladder
//! by its own rules, so a record that would go down changes nothing.
//! Back, the TaskUpdates of every transition in the journal, imported ones as they were found.

use super::fields::{flag_of, number_of, text_of, time_of};
use super::{ImportReport, Owner, Parsed, Recorded, What};
use escalation::{Input, LadderFailure};
use recovery_types::ladder::Blocked;
use recovery_types::{ErrorType, Level};
use serde_json::Value;
use std::collections::BTreeSet;

/// One record.
pub(super) fn parse_line(line: &Value, place: &str, report: &mut ImportReport) -> Vec<Parsed> {
    let metadata = &line["metadata"];
    let Some(task) = text_of(line, &["taskId", "task_id"]) else {
        report.skip(place.to_owned(), "it has no taskId");
        return Vec::new();
    };
    let Some(at) = time_of(metadata, &["enteredAt", "entered_at"], place, report) else { return Vec::new() };
    let level_of = |name: &str| {
        let number = number_of(&metadata[name])?;
        Level::ALL.into_iter().find(|level| u64::from(level.number()) == number)
    };
    let is_partial = flag_of(&metadata["partial"]) == Some(true) || level_of("escalationLevel").is_some();
    let input = match (line["status"].as_str(), is_partial) {
        (Some("completed"), false) => Input::Success,
        (Some("pending"), false) => Input::Reset { reason: "another system recorded it".to_owned() },
        (_, true) => entered(Level::ForceDone, metadata),
        _ => match level_of("recoveryLevel") {
            Some(level) => entered(level, metadata),
            None => {
                report.skip(place.to_owned(), "it has neither a level nor the status completed");
                return Vec::new();
            }
        },
    };
    let what = What::Ladder { before: before(&input, metadata), input: Box::new(input) };
    vec![Parsed { owner: Owner::Task(task), at, what, original: line.clone() }]
}

/// A level was entered. What a person was told to do is still what a person should do.
fn entered(level: Level, metadata: &Value) -> Input {
    let error =
        text_of(metadata, &["errorType"]).as_deref().and_then(ErrorType::from_words).unwrap_or(ErrorType::Other);
    let message = text_of(metadata, &["failureReason", "explanation"]);
    let remedy = text_of(metadata, &["recommendation"]).filter(|_| level == Level::ForceDone);
    let blocked = message.clone().zip(remedy).map(|(why, remedy)| Blocked { why, remedy });
    let completed_steps = metadata["completedSteps"].as_array().into_iter().flatten();
    Input::Failure(LadderFailure {
        entry_level: Some(level),
        message,
        blocked,
        step: text_of(metadata, &["failedAt"]),
        completed_steps: completed_steps.filter_map(|step| step.as_str().map(str::to_owned)).collect(),
        ..LadderFailure::new(error)
    })
}

/// The levels that were completed before the one that a record is about.
fn before(input: &Input, metadata: &Value) -> Vec<Input> {
    let Input::Failure(LadderFailure { entry_level: Some(level), error_type, .. }) = input else { return Vec::new() };
    let path = ["previousLevels", "escalationPath"].into_iter().filter_map(|name| metadata[name].as_array()).flatten();
    let numbers: BTreeSet<u64> = path.filter_map(number_of).collect();
    let earlier = Level::ALL.into_iter().filter(|of| of < level && numbers.contains(&u64::from(of.number())));
    let entered = |level| Input::Failure(LadderFailure { entry_level: Some(level), ..LadderFailure::new(*error_type) });
    earlier.map(entered).collect()
}

/// The TaskUpdates of a record.
pub(super) fn write(Recorded { original, entry, .. }: &Recorded) -> Vec<Value> {
    if let Some(original) = original {
        return vec![original.clone()];
    }
    entry.transitions().iter().filter_map(|moved| serde_json::to_value(moved.update.as_ref()?).ok()).collect()
}
