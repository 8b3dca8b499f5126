//! What is known of a task: the sum of its records, and the one owner of its counts.
//!
//! In: entries, oldest first. Out: a [`TaskState`], which every decision starts from. Every list in it has a largest length:
//! the state is cached with the journal, and a task that fails for weeks must not make each of its decisions slower.
//! Folding needs neither rules nor a clock. Whoever changes what an entry does to the state changes the tag of cached
//! states (`recovery-service/src/ledger/state.rs`).
//!
//! | file | contents |
//! |---|---|
//! | `entry.rs` | what the journal records of a task |
//! | `attempt.rs` | one failed attempt, as it is remembered |
//! | `fold.rs` | how each entry changes the state |
//! | `history.rs` | a task as history: of the next event, of a sibling, from another system |
//! | this one | the state itself, and what is asked of it |

mod attempt;
mod entry;
mod fold;
mod history;

pub use attempt::Attempt;
pub use entry::Entry;

use crate::decision::Denial;
use crate::holds::{MAX_INTERVAL_MS, action_fingerprint};
use node_repair::{RepairOutcome, log_line};
use recovery_types::ladder::{Climb, Transition};
use recovery_types::repair::{FailedTask, RepairAttempt, Strategy};
use recovery_types::{Ancestor, FailureEvent, Node, RepoPath, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Successes further apart than this are no loop: a job that runs every hour is meant to.
const REPEATED_WITHIN_MS: u64 = 30 * 60_000;

/// What is known of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskState {
    /// Failures since it last worked, or was last reset.
    pub failures: u32,
    /// Failures ever. Nothing lowers it: neither success nor a person's word.
    pub failures_ever: u32,
    /// How often it worked after having failed.
    pub recoveries: u32,
    /// The last attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Repairs since it last worked, oldest first.
    pub repairs: Vec<RepairAttempt>,
    /// Replans of the story or the feature since it last worked; a reset does not give their budget back.
    pub replans: Vec<SharedReplan>,
    /// The ladder's last transition: its state.
    pub ladder: Option<Transition>,
    /// Actions that must not be repeated for a while.
    pub denied: Vec<Denial>,
    /// When something that the task depends on may last have changed.
    pub changed_at: Option<Timestamp>,
    /// How often a hook held an action of it back.
    #[serde(default)]
    pub held: u32,
    /// Until when the last of them is held back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// Whether a person has allowed all of its calls (nothing of it is held back).
    #[serde(default)]
    pub allowed: bool,
    /// Whether it is only watched: a hook reported an agent's failure, and no caller drives the ladder.
    #[serde(default)]
    pub is_watched: bool,
    /// Whether the supervised run of it has ended without success.
    #[serde(default)]
    pub run_ended: bool,
    /// The last commit known to be good.
    pub good_commit: Option<String>,
    /// When anything last happened.
    pub last_at: Option<Timestamp>,
    /// Whether a person has closed it.
    pub resolved: bool,
    /// Whether another system, whose history was imported, gave it up, or a person stopped it at the gate.
    pub given_up: bool,
    /// Why it was given up, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up_reason: Option<String>,
    /// The resource of its last transient failure, where the output showed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Its node in the plan, where events named it.
    pub node: Option<String>,
    /// That node's parent.
    pub parent: Option<String>,
    /// The action that worked last, with how often in a row it gave the same result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Repeated>,
    /// Its number in the plan, as log lines show it.
    pub number: Option<String>,
    /// Whether the classifier was not sure of the last failure.
    pub was_unsure: bool,
    /// Whether a decision to stop was returned since the task last worked or was settled.
    pub was_told_to_stop: bool,
    /// The conflict that it waits for.
    pub waiting: Option<Waiting>,
    /// How often each conflict was given to the arbiter.
    pub conflicts: BTreeMap<String, u32>,
    /// Why it was left out of the plan.
    pub skipped: Option<String>,
    /// Why the plan froze it.
    pub frozen: Option<String>,
    /// Replans that are left to it, where a thaw stated them.
    pub replan_budget: Option<u32>,
    /// Steps that were reported as done since it last worked.
    pub steps: Vec<String>,
    /// Its node as the plan has it, where one was imported.
    pub plan: Option<Box<Node>>,
    /// When the plan last stated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_at: Option<Timestamp>,
    /// The files that its attempts touched, those that worked included; the last ones where there are many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<RepoPath>,
    /// Failures when the plan last stated their number.
    pub failures_when_planned: u32,
    /// The node that is worked on; set in the project's state only.
    pub active: Option<String>,
    /// What holds for every task; set in the project's state only.
    pub mission: Option<Box<Ancestor>>,
    /// Records that this program could not read: a newer one wrote them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u32,
}

/// An action that worked, with how often in a row it gave the same result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// The action's fingerprint.
    pub action: String,
    /// SHA-256 of what it printed, without what differs from run to run.
    pub output: String,
    /// How often, the last time included.
    pub times: u32,
    /// When it was last.
    pub at: Timestamp,
}

/// A replan of the story or the feature that a task belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedReplan {
    /// When it was asked for.
    pub at: Timestamp,
    /// `story` or `feature`.
    pub scope: String,
    /// The feature, where the plan or the mission's map of features names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
}

/// A conflict that a task waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The conflict's id.
    pub conflict: String,
    /// What is known of it.
    pub reason: String,
    /// Since when.
    pub since: Timestamp,
}

impl TaskState {
    /// The state of the ladder; none when it is idle.
    #[must_use]
    pub fn climb(&self) -> Option<&Climb> {
        self.ladder.as_ref().and_then(|last| last.climb.as_ref())
    }

    /// Whether something of it may still need somebody: lists of what is open look at no other task.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let has_failed = self.failures > 0 && !self.resolved;
        let is_held = self.waiting.is_some() || self.frozen.is_some() || !self.denied.is_empty();
        has_failed || is_held || self.is_stuck() || self.climb().is_some()
    }

    /// Whether a person has to act: the ladder is at its end, or another system gave the task up. Of a run that ended,
    /// the person who ran it has seen it already.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.given_up || (!self.run_ended && self.climb().is_some_and(Climb::is_done))
    }

    /// How often `conflict` was given to the arbiter.
    #[must_use]
    pub fn arbitrations(&self, conflict: &str) -> u32 {
        self.conflicts.get(conflict).copied().unwrap_or(0)
    }

    /// The log line of the last repair, now that its outcome is known; none where there is none to log. A RETRY that
    /// failed is logged when the next answer escalates.
    #[must_use]
    pub fn repair_log(&self, task: &str, ok: bool) -> Option<String> {
        let last = self.repairs.last().filter(|repair| ok && !repair.ok)?;
        let number = self.number.clone().unwrap_or_else(|| task.to_owned());
        let outcome = match last.strategy() {
            Strategy::Retry => RepairOutcome::Resolved { adjustment: last.approach.clone() },
            Strategy::Decompose => RepairOutcome::AllPassed { sub_tasks: last.approach.split(" | ").count() },
            Strategy::Prune | Strategy::Escalate => return None,
        };
        Some(log_line(&FailedTask { number, ..FailedTask::default() }, &outcome))
    }

    /// The sub-tasks of `task` by number, where its last repair is a DECOMPOSE whose outcome is not known yet.
    #[must_use]
    pub fn sub_tasks(&self, task: &str) -> Vec<String> {
        let last = self.repairs.last().filter(|repair| repair.strategy() == Strategy::Decompose && !repair.ok);
        let count = last.map_or(0, |repair| repair.approach.split(" | ").count());
        (1..=count).map(|n| format!("{task}.{n}")).collect()
    }

    /// The denial of this action, by fingerprint, that still holds at `now`.
    #[must_use]
    pub fn denial(&self, action: &str, now: Timestamp) -> Option<&Denial> {
        self.denied.iter().rev().find(|denial| denial.action == action && denial.until > now)
    }

    /// The attempts at this action, by fingerprint, that last failed in the same way, the latest first, while nothing is
    /// known to have changed. A long pause ends the run: nobody knows what happened meanwhile.
    pub fn identical<'a>(&'a self, action: &'a str) -> impl Iterator<Item = &'a Attempt> {
        let own = || self.attempts.iter().rev().filter(|attempt| attempt.is_of(action));
        let later = own().zip(own().skip(1)).take_while(|(next, attempt)| {
            attempt.fingerprint == next.fingerprint
                && attempt.exit_code == next.exit_code
                && attempt.problems == next.problems
                && next.at.since(attempt.at) < MAX_INTERVAL_MS
                && self.changed_at.is_none_or(|changed| attempt.at > changed)
        });
        own().take(1).chain(later.map(|(_, attempt)| attempt))
    }

    /// The count of identical successes with this one; none where the event names no action.
    pub(crate) fn repeated_by(&self, event: &FailureEvent, at: Timestamp) -> Option<Repeated> {
        let action = action_fingerprint(event.tool.as_deref(), event.action.as_deref()?);
        let output = failure_taxonomy::normalise::fingerprint(event.stderr_tail.as_bytes());
        let is_same =
            |last: &&Repeated| last.action == action && last.output == output && at.since(last.at) < REPEATED_WITHIN_MS;
        let times = self.repeated.as_ref().filter(is_same).map_or(0, |last| last.times);
        Some(Repeated { action, output, times: times.saturating_add(1), at })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
