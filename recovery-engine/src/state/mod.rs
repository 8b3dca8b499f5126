//! What is known of a task: the sum of its records, and the one owner of its counts.

//!
//! | file | contents |
//! |---|---|
//! | `entry.rs` | what the journal records of a task |
//! | `attempt.rs` | one failed attempt, as it is remembered |
//! | `history.rs` | a task as history: of the next event, of a sibling, from another system |
//! | this one | how each entry changes the state |

mod attempt;
mod entry;
mod history;

pub use attempt::Attempt;
pub use entry::Entry;

use crate::assess::stderr_hash;
use crate::decision::{Decision, Denial};
use crate::holds::{IN_A_ROW_MS, action_fingerprint};
use crate::known::conflict_of;
use crate::reconcile::{Scope, Verb};
use crate::repair::adjustment;
use attempt::distinct_words;
use node_repair::{RepairOutcome, log_line};
use recovery_types::ladder::{Cause, Climb, Transition};
use recovery_types::repair::{FailedTask, GateOption, Repair, RepairAttempt, Strategy};
use recovery_types::{Action, Ancestor, Class, FailureEvent, Level, Node, RepoPath, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many attempts are remembered: as many as loops are looked for in.
const REMEMBERED: usize = 20;

/// How many files are remembered for siblings.
const REMEMBERED_FILES: usize = 200;

/// Successes further apart than this are no loop: a job that runs every hour is meant to.
const REPEATED_WITHIN_MS: u64 = 30 * 60_000;

/// A ladder whose levels last this long is not driven by anyone: hooks watch what an agent does by itself.
const WATCHED_LIMIT_MS: u64 = 365 * 24 * 3_600_000;

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
    /// The sum of `entries`, oldest first.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut state = Self::default();
        entries.into_iter().for_each(|entry| state.apply(entry));
        state
    }

    /// Takes in one more entry.
    pub fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Decided { event, decision, policy, .. } => {
                self.is_watched = policy.as_ref().is_some_and(|policy| policy.nudge.limit_ms >= WATCHED_LIMIT_MS);
                self.run_ended = false;
                self.apply_decision(event, decision);
            }
            Entry::Resolved { at, transitions, .. } => {
                self.end(*at, transitions);
                self.resolved = true;
            }
            Entry::Reset { at, transitions, .. } => self.end(*at, transitions),
            Entry::Checkpoint { at, commit } => {
                self.last_at = Some(*at);
                self.good_commit = Some(commit.clone());
            }
            Entry::RolledBack { at, .. } => self.last_at = Some(*at),
            Entry::Changed { at } => {
                self.last_at = Some(*at);
                self.changed_at = Some(*at);
                self.denied.clear();
            }
            Entry::Held { at, .. } => {
                self.last_at = Some(*at);
                self.held += 1;
            }
            Entry::Allowed { at, .. } => {
                self.last_at = Some(*at);
                self.allowed = true;
                self.denied.clear();
            }
            Entry::Moved { at, transitions, .. } => {
                self.last_at = Some(*at);
                if let Some(last) = transitions.last() {
                    self.ladder = Some(last.clone());
                }
            }
            Entry::RunEnded { at } => {
                self.last_at = Some(*at);
                self.run_ended = true;
            }
            Entry::Arbitrated { at, conflict, .. } => {
                self.last_at = Some(*at);
                self.waiting = self.waiting.take().filter(|waiting| waiting.conflict != *conflict);
            }
            Entry::GateAnswered { at, option, reason, transitions } => {
                self.last_at = Some(*at);
                if let Some(last) = transitions.last() {
                    self.ladder = Some(last.clone());
                }
                match option {
                    GateOption::Retry => {}
                    GateOption::Skip => self.skip(reason),
                    GateOption::Stop => self.give_up(Some(reason.clone())),
                }
            }
            Entry::RepairProposed { at, number, repair } => {
                self.last_at = Some(*at);
                self.number = Some(number.clone()).filter(|number| !number.is_empty()).or(self.number.take());
                self.propose(repair);
            }
            Entry::Repaired { at, ok, .. } => {
                self.last_at = Some(*at);
                if let Some(last) = self.repairs.last_mut() {
                    last.ok = *ok;
                }
            }
            Entry::Frozen { at, reason } => {
                self.last_at = Some(*at);
                self.frozen = Some(reason.clone());
            }
            Entry::Thawed { at, budget, .. } => {
                self.last_at = Some(*at);
                self.frozen = None;
                self.replans.clear();
                self.replan_budget = *budget;
            }
            Entry::StepDone { at, step } => {
                self.last_at = Some(*at);
                if !self.steps.contains(step) {
                    self.steps.push(step.clone());
                }
            }
            Entry::Planned { at, node, is_active, mission } => {
                self.last_at = Some(*at);
                if let Some(mission) = mission {
                    self.mission = Some(mission.clone());
                }
                if *is_active {
                    self.active = Some(node.id.clone());
                }
                self.planned_at = Some(*at);
                self.plan(node);
            }
            Entry::ConflictOpened { at, conflict, reason } => {
                self.last_at = Some(*at);
                *self.conflicts.entry(conflict.clone()).or_default() += 1;
                self.waiting = Some(Waiting { conflict: conflict.clone(), reason: reason.clone(), since: *at });
            }
            Entry::Imported { attempt } => self.import(attempt),
        }
    }

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
                && next.at.since(attempt.at) < IN_A_ROW_MS
                && self.changed_at.is_none_or(|changed| attempt.at > changed)
        });
        own().take(1).chain(later.map(|(_, attempt)| attempt))
    }

    fn apply_decision(&mut self, event: &FailureEvent, decision: &Decision) {
        self.last_at = Some(decision.at);
        self.resolved = false;
        if let Some(last) = decision.transitions.last() {
            self.ladder = Some(last.clone());
        }
        self.repeated = if decision.failure { None } else { self.repeated_by(event, decision.at) };
        if let Some(node) = &event.node {
            self.node = Some(node.id.clone());
            self.parent.clone_from(&node.parent_id);
        }
        self.touch(&event.files_touched);
        if !decision.failure {
            // Force-done stays until a person resets it, whatever works meanwhile; unless only time had run out.
            if decision.ladder.level.is_none() {
                self.worked();
            }
            return;
        }
        if decision.resource.is_some() {
            self.resource.clone_from(&decision.resource);
        }
        let number = event.task.as_ref().map(|task| task.number.clone()).filter(|number| !number.is_empty());
        self.number = number.or_else(|| self.node.clone()).or(self.number.take());
        if decision.classification.as_ref().is_some_and(|class| class.class == Class::F6) {
            *self.conflicts.entry(conflict_of(event)).or_default() += 1;
        }
        match decision.next.verb {
            // A conflict is no attempt of the task's.
            Verb::Arbitrate => {
                let reason = decision.classification.as_ref().map(|class| class.evidence.join("; "));
                let reason = reason.unwrap_or_default();
                self.waiting = Some(Waiting { conflict: conflict_of(event), reason, since: decision.at });
                return;
            }
            Verb::Prune => {
                let reason = decision.repair.as_ref().map(|repair| adjustment(repair).to_owned());
                self.failures_ever += 1;
                return self.skip(&reason.unwrap_or_default());
            }
            Verb::ForceDone => self.was_told_to_stop = true,
            Verb::Retry
            | Verb::Nudge
            | Verb::Decompose
            | Verb::Gate
            | Verb::Replan
            | Verb::Fallback
            | Verb::Wait
            | Verb::Continue
            | Verb::Done => {}
        }
        self.waiting = None;
        self.skipped = None;
        self.failures += 1;
        self.failures_ever += 1;
        // A judge's failure has no output to remember.
        let (Some(class), Some(kind)) = (&decision.classification, &decision.diagnosis) else { return };
        self.was_unsure = class.recommended_action == Action::SingleRetryThenEscalate;
        self.denied.extend(decision.deny.clone());
        let replanned = decision.transitions.iter().any(|t| t.to == Some(Level::Replan) && t.from != t.to);
        let scope = match decision.scope {
            Scope::Story => Some("story"),
            Scope::Feature => Some("feature"),
            Scope::Task | Scope::User | Scope::Arbiter => None,
        };
        let replan = scope.filter(|_| replanned).map(|scope| SharedReplan { at: decision.at, scope: scope.to_owned() });
        self.replans.extend(replan);
        let level = decision.ladder.level;
        if let Some(repair) = decision.repair.as_ref().filter(|_| level > Some(Level::Retry)) {
            self.propose(repair);
        }
        let stated = event.approach.is_some();
        self.remember(Attempt {
            at: decision.at,
            id: event.id.clone(),
            tool: event.tool.clone(),
            action: event.action.clone(),
            approach: event.approach.clone().unwrap_or_else(|| distinct_words(&event.stderr_tail)),
            stated,
            fingerprint: kind.fingerprint.clone(),
            stderr_hash: stderr_hash(decision.pack.parse().unwrap_or_default(), event),
            error_type: kind.error_type,
            class: class.class,
            level,
            files: event.files_touched.clone(),
            exit_code: event.exit_code,
            problems: crate::problems::problems(&event.stderr_tail),
            duration_ms: event.duration_ms,
            test: kind.problem.as_ref().and_then(|problem| problem.test.clone()),
        });
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

    fn end(&mut self, at: Timestamp, transitions: &[Transition]) {
        self.last_at = Some(at);
        if let Some(last) = transitions.last() {
            self.ladder = Some(last.clone());
            if last.cause == Cause::Success {
                return self.worked();
            }
        }
        self.forget();
    }

    fn worked(&mut self) {
        self.recoveries += u32::from(self.failures > 0);
        self.replans.clear();
        if let Some(plan) = &mut self.plan {
            (plan.failed_attempts, plan.deviation_score) = (None, None);
        }
        self.forget();
    }

    fn remember(&mut self, attempt: Attempt) {
        self.attempts.push(attempt);
        let excess = self.attempts.len().saturating_sub(REMEMBERED);
        self.attempts.drain(..excess);
    }

    fn forget(&mut self) {
        self.failures = 0;
        self.failures_when_planned = 0;
        self.run_ended = false;
        self.given_up = false;
        self.given_up_reason = None;
        self.was_unsure = false;
        self.was_told_to_stop = false;
        self.waiting = None;
        self.skipped = None;
        self.steps.clear();
        self.attempts.clear();
        self.repairs.clear();
        self.denied.clear();
    }

    fn propose(&mut self, repair: &Repair) {
        let spent = repair.strategy.filter(|strategy| strategy.spends_budget());
        self.repairs.extend(spent.map(|strategy| tried(strategy, repair.directive.as_deref())));
    }

    fn touch(&mut self, files: &[RepoPath]) {
        for file in files {
            self.touched.retain(|known| known != file);
            self.touched.push(file.clone());
        }
        let excess = self.touched.len().saturating_sub(REMEMBERED_FILES);
        self.touched.drain(..excess);
    }

    fn give_up(&mut self, reason: Option<String>) {
        self.given_up = true;
        self.given_up_reason = reason.filter(|reason| !reason.is_empty());
    }

    /// Leaves the task out: nothing of it is open any more.
    fn skip(&mut self, reason: &str) {
        self.forget();
        self.skipped = Some(reason.to_owned());
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A repair counts as failed until the task works: success clears the list.
fn tried(strategy: Strategy, directive: Option<&str>) -> RepairAttempt {
    let directive = directive.unwrap_or_default();
    let approach = directive.split_once(": ").map_or(directive, |(_, text)| text).to_owned();
    RepairAttempt { strategy: Some(strategy), approach, ok: false }
}
