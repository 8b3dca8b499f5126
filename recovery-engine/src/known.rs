//! Joins an event with the records of its task.
//!
//! In: an event and a `TaskState`. Out: the event with its attempts, approaches, history and last good commit filled
//! in where the caller left them out. What the caller states takes precedence, and adds to the history instead of hiding
//! it: an attempt that both know counts once. Siblings and other tasks of the plan are joined before, where the journal is
//! read (`recovery-service/src/ledger.rs`).

use crate::state::TaskState;
use recovery_types::{Diagnosis, FailureCause, FailureEvent, HistoryEntry, Node, Timestamp};

/// What conflicts without an id are recorded as.
pub(crate) const UNNAMED_CONFLICT: &str = "conflict";

/// The event with the recorded data for everything that the caller did not state.
pub(crate) fn with_past(event: &FailureEvent, past: &TaskState) -> FailureEvent {
    let mut event = event.clone();
    if let Some(plan) = past.plan.as_deref() {
        as_planned(event.node.get_or_insert_with(|| Node { id: plan.id.clone(), ..Node::default() }), plan, past);
    }
    let stated = std::mem::replace(&mut event.completed_steps, past.steps.clone());
    for step in stated {
        if !event.completed_steps.contains(&step) {
            event.completed_steps.push(step);
        }
    }
    let recorded = past.history(event.node.as_ref());
    event.history = merged(recorded, std::mem::take(&mut event.history));
    if event.last_good_commit.is_none() {
        event.last_good_commit.clone_from(&past.good_commit);
    }
    if let (Some(node), Some(budget)) = (&mut event.node, past.replan_budget) {
        let left = budget.saturating_sub(u32::try_from(past.replans.len()).unwrap_or(u32::MAX));
        node.replan_budget_remaining.get_or_insert(left);
    }
    // A conflict pauses its task: what fails before it is settled is no attempt of its own.
    if let Some(waiting) = past.waiting.as_ref().filter(|_| !names_conflict(&event)) {
        match waiting.id() {
            Some(id) => event.conflict_id = Some(id.to_owned()),
            None => event.cause = Some(FailureCause::Conflict),
        }
    }
    event
}

/// Adds the plan's data about the node where the event has none.
fn as_planned(node: &mut Node, plan: &Node, past: &TaskState) {
    if node.id != plan.id {
        return;
    }
    node.parent_id = node.parent_id.take().or_else(|| plan.parent_id.clone());
    node.tier = node.tier.or(plan.tier);
    node.deviation_score = node.deviation_score.or(plan.deviation_score);
    node.actual_tokens = node.actual_tokens.or(plan.actual_tokens);
    node.context_budget = node.context_budget.or(plan.context_budget);
    node.revisions_since_planning = node.revisions_since_planning.max(plan.revisions_since_planning);
    if let (None, Some(planned)) = (node.failed_attempts, plan.failed_attempts) {
        let since = past.failures.saturating_sub(past.failures_when_planned);
        node.failed_attempts = Some(planned.max(past.failures_when_planned) + since + 1);
    }
    for (test, edits) in &plan.test_edits {
        node.test_edits.entry(test.clone()).or_insert(*edits);
    }
}

/// The recorded history, then the caller's entries beyond it, oldest first. An attempt in both counts once: it has the
/// same time, or the same output.
fn merged(recorded: Vec<HistoryEntry>, stated: Vec<HistoryEntry>) -> Vec<HistoryEntry> {
    let digest = |entry: &HistoryEntry| {
        let text = entry.stderr_tail.as_ref().map(|text| failure_taxonomy::normalise::fingerprint(text.as_bytes()));
        entry.stderr_hash.clone().or(text)
    };
    let mut unmatched: Vec<(&HistoryEntry, Option<String>)> =
        stated.iter().map(|entry| (entry, digest(entry))).collect();
    let mut all: Vec<HistoryEntry> = Vec::new();
    for entry in recorded {
        let hash = digest(&entry);
        let same = unmatched.iter().position(|(other, other_hash)| {
            let same_node = other.node.is_none() || other.node == entry.node;
            let same_time = other.ts.is_some() && other.ts == entry.ts;
            let same_output = hash.is_some() && *other_hash == hash;
            same_node && (same_time || same_output) && entry.exit_code.is_some()
        });
        match same {
            Some(at) => {
                unmatched.remove(at);
            }
            None => all.push(entry),
        }
    }
    all.extend(stated.iter().cloned());
    if all.iter().all(|entry| entry.ts.is_some()) {
        all.sort_by_key(|entry| entry.ts);
    }
    all
}

/// The end of the wait that a server asked for.
pub fn stated_wait(diagnosis: &Diagnosis, now: Timestamp) -> Option<Timestamp> {
    let after = diagnosis.retry_after_ms.map(|ms| now.plus_ms(ms));
    after.max(diagnosis.resets_at).filter(|until| *until > now)
}

/// Whether the caller states that two tasks collided.
pub(crate) fn names_conflict(event: &FailureEvent) -> bool {
    event.conflict_id.is_some() || event.cause == Some(FailureCause::Conflict)
}

/// The id of the conflict of an event, if it has one that a person can name.
pub(crate) fn named_conflict(event: &FailureEvent) -> Option<&str> {
    event.conflict_id.as_deref().filter(|id| !id.trim().is_empty())
}

/// The id of the conflict of an event; events without an id share one.
#[must_use]
pub fn conflict_of(event: &FailureEvent) -> String {
    named_conflict(event).unwrap_or(UNNAMED_CONFLICT).to_owned()
}

/// Whether the plan has frozen the node.
pub(crate) fn is_frozen(event: &FailureEvent) -> bool {
    event
        .node
        .as_ref()
        .and_then(|node| node.status.as_deref())
        .is_some_and(|status| status.eq_ignore_ascii_case("frozen"))
}
