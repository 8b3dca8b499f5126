//! One record of the journal in a few words, as `recovery journal show` lists it.
//!
//! In: a [`Record`]. Out: one line without the task and the time, which are shown beside it. A record of a newer program is
//! shown as its body. To change the line of a kind of entry, change its arm in [`record_summary`].

use crate::answer::lasting_headline;
use crate::ledger::entry_of;
use recovery_engine::Entry;
use recovery_store::Record;
use recovery_types::{Level, Timestamp};

/// One record in a few words.
#[must_use]
pub fn record_summary(record: &Record) -> String {
    let Ok(entry) = entry_of(record) else {
        return format!("written by a newer program: {}", record.body);
    };
    let Some(entry) = entry else { return record.body.clone() };
    match entry {
        Entry::Decided { decision, .. } => match &decision.diagnosis {
            Some(kind) => match decision.ladder.level {
                Some(level) => format!("{}: {}", next_move(level), lasting_headline(kind)),
                None => lasting_headline(kind),
            },
            None => decision.next.sentence,
        },
        Entry::Resolved { reason, .. }
        | Entry::Reset { reason, .. }
        | Entry::Moved { reason, .. }
        | Entry::Allowed { reason, .. }
        | Entry::Arbitrated { reason, .. }
        | Entry::GateAnswered { reason, .. }
        | Entry::Frozen { reason, .. }
        | Entry::Thawed { reason, .. }
        | Entry::ConflictOpened { reason, .. } => reason,
        Entry::RepairProposed { repair, .. } => repair.directive.unwrap_or_default(),
        Entry::Repaired { ok, log, .. } => {
            log.unwrap_or_else(|| format!("the repair {}", if ok { "worked" } else { "failed" }))
        }
        Entry::Checkpoint { commit, .. } => commit,
        Entry::RolledBack { to, backup, .. } => format!("to {to}, saved as {backup}"),
        Entry::Changed { .. } => "something was changed; what was held back may run".to_owned(),
        Entry::RunEnded { .. } => "the run ended without success".to_owned(),
        Entry::Held { until, .. } => held_summary(until),
        Entry::StepDone { step, .. } => format!("done: {step}"),
        Entry::Planned { node, .. } => format!("node {} of the plan", node.id),
        Entry::Imported { attempt } => attempt.approach.or(attempt.event).unwrap_or_default(),
    }
}

/// A held-back action in a few words.
#[must_use]
pub fn held_summary(until: Option<Timestamp>) -> String {
    let until = until.map(|until| format!(" until {until}, or until something changes")).unwrap_or_default();
    format!("the identical action was held back{until}")
}

/// What followed a failure.
const fn next_move(level: Level) -> &'static str {
    match level {
        Level::Retry => "retry",
        Level::Nudge => "try a variation",
        Level::Replan => "try another approach",
        Level::Fallback => "try another agent or command",
        Level::ForceDone => "stop",
    }
}
