//! The state of a task: the sum of its records, and the only owner of its counts.
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
//! | this one | the state itself, and its queries |

mod attempt;
mod entry;
mod fold;
mod history;

pub use attempt::Attempt;
pub use entry::Entry;

use crate::decision::Denial;
use crate::holds::{MAX_INTERVAL_MS, action_fingerprint};
use crate::known::UNNAMED_CONFLICT;
use node_repair::{RepairOutcome, log_line};
use recovery_types::ladder::{Climb, Transition};
use recovery_types::repair::{FailedTask, RepairAttempt, Strategy};
use recovery_types::{Ancestor, FailureEvent, Node, RepoPath, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Successes further apart than this are no loop: a periodic job repeats by design.
const REPEATED_WITHIN_MS: u64 = 30 * 60_000;

/// The state of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskState {
    /// Failures since the last success or reset.
    pub failures: u32,
    /// All failures. Neither a success nor a person resets the number.
    pub failures_ever: u32,
    /// The number of successes after a failure.
    pub recoveries: u32,
    /// The latest attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Repairs since the last success, oldest first.
    pub repairs: Vec<RepairAttempt>,
    /// Replans of the story or the feature since the last success; a reset does not restore their budget.
    pub replans: Vec<SharedReplan>,
    /// The last transition of the ladder, which is its state.
    pub ladder: Option<Transition>,
    /// Actions that are denied.
    pub denied: Vec<Denial>,
    /// The last time at which something that the task depends on may have changed.
    pub changed_at: Option<Timestamp>,
    /// The number of actions that a hook denied.
    #[serde(default)]
    pub held: u32,
    /// The end of the last denial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_until: Option<Timestamp>,
    /// Whether a person has allowed all calls of the task (none is denied).
    #[serde(default)]
    pub allowed: bool,
    /// Whether it is only observed: a hook reported the failure of an agent, and no caller drives the ladder.
    #[serde(default)]
    pub is_watched: bool,
    /// Whether it is a supervised run (`recovery run`), which reports its end to whoever started it.
    #[serde(default)]
    pub is_run: bool,
    /// Whether the supervised run of the task has ended without success.
    #[serde(default)]
    pub run_ended: bool,
    /// The last commit known to be good.
    pub good_commit: Option<String>,
    /// The time of the last record.
    pub last_at: Option<Timestamp>,
    /// Whether a person has closed it.
    pub resolved: bool,
    /// Whether it was given up: in another system whose history was imported, or by a person at the gate.
    pub given_up: bool,
    /// The reason for giving up, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up_reason: Option<String>,
    /// The resource of the last transient failure, if the output showed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The node in the plan, if events named it.
    pub node: Option<String>,
    /// The parent of that node.
    pub parent: Option<String>,
    /// The last successful action, with the number of identical results in a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Repeated>,
    /// The number in the plan, as log lines show it.
    pub number: Option<String>,
    /// Whether the last repair was proposed by the last answer, and has not been reported as failed.
    #[serde(default)]
    pub is_proposal_open: bool,
    /// Whether the classification of the last failure was uncertain.
    pub was_unsure: bool,
    /// Whether a decision to stop was returned since the task last succeeded or was settled.
    pub was_told_to_stop: bool,
    /// The conflict that it waits for.
    pub waiting: Option<Waiting>,
    /// Further conflicts that have to be settled before it goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_waiting: Vec<Waiting>,
    /// The number of times that each conflict was given to the arbiter.
    pub conflicts: BTreeMap<String, u32>,
    /// The reason for removing it from the plan.
    pub skipped: Option<String>,
    /// The reason for freezing it.
    pub frozen: Option<String>,
    /// The remaining replans, if a thaw stated them.
    pub replan_budget: Option<u32>,
    /// Steps that were reported as completed since the last success.
    pub steps: Vec<String>,
    /// The node as the plan has it, if a plan was imported.
    pub plan: Option<Box<Node>>,
    /// The time of the plan's last data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned_at: Option<Timestamp>,
    /// The files that its attempts changed, successful ones included; the latest ones if there are many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<RepoPath>,
    /// The number of failures in the plan's last data.
    pub failures_when_planned: u32,
    /// The active node; in the state of the project only.
    pub active: Option<String>,
    /// Settings for every task; in the state of the project only.
    pub mission: Option<Box<Ancestor>>,
    /// Records that this version cannot parse: a newer version wrote them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u32,
}

/// A successful action, with the number of identical results in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// The fingerprint of the action.
    pub action: String,
    /// SHA-256 of the normalised output.
    pub output: String,
    /// The number of successes, the last one included.
    pub times: u32,
    /// The time of the last success.
    pub at: Timestamp,
}

/// A replan of the story or the feature that a task belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedReplan {
    /// The time of the request.
    pub at: Timestamp,
    /// `story` or `feature`.
    pub scope: String,
    /// The feature, where the plan or the mission's map of features names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
}

/// A conflict that the task waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The id of the conflict.
    pub conflict: String,
    /// The details of the conflict.
    pub reason: String,
    /// The beginning of the wait.
    pub since: Timestamp,
}

impl Waiting {
    /// The id of the conflict, where the report of it had one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        Some(self.conflict.as_str()).filter(|id| *id != UNNAMED_CONFLICT)
    }
}

impl TaskState {
    /// The state of the ladder; `None` if it is idle.
    #[must_use]
    pub fn climb(&self) -> Option<&Climb> {
        self.ladder.as_ref().and_then(|last| last.climb.as_ref())
    }

    /// Whether the task may still need attention; lists of open tasks contain no others.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let has_failed = self.failures > 0 && !self.resolved;
        let is_held = self.waiting.is_some() || self.frozen.is_some() || !self.denied.is_empty();
        has_failed || is_held || self.is_stuck() || self.climb().is_some()
    }

    /// Whether a person has to act: the ladder is at its end, or another system gave the task up. A run that ended was
    /// already reported to the person who started it.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.given_up || (!self.is_run_over() && self.climb().is_some_and(Climb::is_done))
    }

    /// Whether a supervised run of it is over without success: it recorded its end, or it was interrupted or killed and
    /// the time that its ladder had left has passed since.
    #[must_use]
    pub fn is_run_over(&self) -> bool {
        self.run_ended || (self.is_run && self.climb().is_some_and(Climb::is_done))
    }

    /// The number of times that `conflict` was given to the arbiter.
    #[must_use]
    pub fn arbitrations(&self, conflict: &str) -> u32 {
        self.conflicts.get(conflict).copied().unwrap_or(0)
    }

    /// Whether the task waits for `conflict` to be settled.
    #[must_use]
    pub fn waits_for(&self, conflict: &str) -> bool {
        self.open_conflicts().any(|waiting| waiting.conflict == conflict)
    }

    /// The conflicts that the task waits for, the first of them first.
    pub fn open_conflicts(&self) -> impl Iterator<Item = &Waiting> {
        self.waiting.iter().chain(&self.also_waiting)
    }

    /// The repair that was proposed and not tried yet, as far as is known.
    #[must_use]
    pub fn open_proposal(&self) -> Option<&RepairAttempt> {
        self.repairs.last().filter(|_| self.is_proposal_open)
    }

    /// The log line of the last repair, now that its outcome is known; `None` if there is none to log. A RETRY that
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

    /// The denial of this action, by fingerprint, that is in force at `now`.
    #[must_use]
    pub fn denial(&self, action: &str, now: Timestamp) -> Option<&Denial> {
        self.denied.iter().rev().find(|denial| denial.action == action && denial.until > now)
    }

    /// The attempts at this action, by fingerprint, that last failed identically, latest first, as long as no change is
    /// known. A long interval ends the run: changes in it may be unknown.
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

    /// The number of identical successes with this one; `None` if the event names no action.
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
