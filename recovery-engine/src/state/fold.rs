//! Folds the entries of a journal into the state of its task.
//!
//! In: a [`TaskState`] and the next [`Entry`]. Out: the state with it taken in. The state is nothing but the sum of its
//! entries, so a journal that is read again gives the same one. What a success, a reset or a skip forgets is in one place
//! each (`worked`, `end`, `skip`). A change here changes what older journals add up to: raise the tag of cached states in
//! `recovery-service/src/ledger.rs`, so that none of the old ones is used.

use super::{Attempt, Entry, SharedReplan, TaskState, Waiting};
use crate::assess::stderr_hash;
use crate::decision::{Decision, Denial};
use crate::known::{conflict_of, names_conflict};
use crate::reconcile::{Scope, Verb};
use crate::repair::adjustment;
use recovery_types::ladder::{Cause, Transition};
use recovery_types::repair::{GateOption, Repair, RepairAttempt, Strategy};
use recovery_types::similarity::keyword_line;
use recovery_types::{Action, Class, Diagnosis, FailureEvent, Level, Node, RepoPath, Timestamp};

/// The number of attempts that are kept: as many as loop detection compares.
const MAX_ATTEMPTS: usize = 20;

/// The number of files that are kept for siblings.
const MAX_FILES: usize = 200;

/// The number of denials and of conflicts that are kept.
const MAX_DENIALS: usize = 50;
const MAX_CONFLICTS: usize = 200;

/// With a level limit this long no caller drives the ladder: hooks only observe an agent.
const OBSERVED_LIMIT_MS: u64 = 365 * 24 * 3_600_000;

impl TaskState {
    /// The state after `entries`, oldest first.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut state = Self::default();
        entries.into_iter().for_each(|entry| state.apply(entry));
        state
    }

    /// Applies one more entry.
    pub fn apply(&mut self, entry: &Entry) {
        self.last_at = entry.at().or(self.last_at);
        match entry {
            Entry::Decided { event, observed, decision, policy, .. } => {
                self.is_watched = policy.as_ref().is_some_and(|policy| policy.nudge.limit_ms >= OBSERVED_LIMIT_MS);
                self.is_run = policy.is_some() && !self.is_watched;
                self.run_ended = false;
                self.apply_decision(event, observed.as_deref(), decision);
            }
            Entry::Resolved { transitions, .. } => {
                self.end(transitions);
                self.resolved = true;
            }
            Entry::Reset { transitions, .. } => self.end(transitions),
            Entry::Checkpoint { commit, .. } => self.good_commit = Some(commit.clone()),
            Entry::RolledBack { .. } => {}
            Entry::Changed { at } => {
                self.changed_at = Some(*at);
                self.denied.clear();
                self.held_until = None;
            }
            Entry::Held { until, .. } => {
                self.held += 1;
                self.held_until = *until;
            }
            Entry::Allowed { .. } => {
                self.allowed = true;
                self.denied.clear();
                self.held_until = None;
            }
            Entry::Moved { transitions, .. } => self.move_ladder(transitions),
            Entry::RunEnded { .. } => self.run_ended = true,
            Entry::Arbitrated { conflict, .. } => {
                self.also_waiting.retain(|waiting| waiting.conflict != *conflict);
                if self.waiting.as_ref().is_some_and(|waiting| waiting.conflict == *conflict) {
                    self.waiting = (!self.also_waiting.is_empty()).then(|| self.also_waiting.remove(0));
                }
            }
            Entry::GateAnswered { option, reason, transitions, .. } => {
                self.move_ladder(transitions);
                match option {
                    GateOption::Retry if transitions.iter().any(|moved| moved.cause == Cause::Reset) => self.forget(),
                    GateOption::Retry => self.given_up = false,
                    GateOption::Skip => self.skip(reason),
                    GateOption::Stop => self.give_up(Some(reason.clone())),
                }
            }
            Entry::RepairProposed { number, repair, .. } => {
                self.number = Some(number.clone()).filter(|number| !number.is_empty()).or(self.number.take());
                self.propose(repair);
            }
            Entry::Repaired { ok, .. } => {
                if let Some(last) = self.repairs.last_mut() {
                    last.ok = *ok;
                }
                self.is_proposal_open = false;
            }
            Entry::Frozen { reason, .. } => self.frozen = Some(reason.clone()),
            Entry::Thawed { budget, .. } => {
                self.frozen = None;
                self.replans.clear();
                self.replan_budget = *budget;
            }
            Entry::StepDone { step, .. } => {
                if !self.steps.contains(step) {
                    self.steps.push(step.clone());
                }
            }
            Entry::Planned { at, node, is_active, mission } => {
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
                self.wait_for(conflict, reason, *at);
            }
            Entry::Imported { attempt } => self.import(attempt),
        }
    }

    fn apply_decision(&mut self, event: &FailureEvent, observed: Option<&Diagnosis>, decision: &Decision) {
        self.resolved = false;
        self.move_ladder(&decision.transitions);
        self.repeated = if decision.failure { None } else { self.repeated_by(event, decision.at) };
        if let Some(node) = &event.node {
            self.place(node);
        }
        self.touch(&event.files_touched);
        if !decision.failure {
            // Force-done lasts until a person resets it, whatever succeeds meanwhile; unless only the time limit ended
            // it.
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
        let is_conflict = names_conflict(event);
        if is_conflict && decision.next.verb != Verb::Arbitrate {
            self.count_conflict(&conflict_of(event));
        }
        match decision.next.verb {
            // A conflict is not an attempt of the task, nor is what fails while the task waits for its end.
            Verb::Arbitrate if !is_conflict && self.waiting.is_some() => return,
            Verb::Arbitrate => {
                let reason = decision.classification.as_ref().map(|class| class.evidence.join("; "));
                return self.wait_for(&conflict_of(event), &reason.unwrap_or_default(), decision.at);
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
        self.stop_waiting();
        self.skipped = None;
        self.is_proposal_open = false;
        self.failures += 1;
        self.failures_ever += 1;
        // The failure of a judge's verdict has no output to record.
        let (Some(class), Some(kind)) = (&decision.classification, &decision.diagnosis) else { return };
        self.was_unsure = class.recommended_action == Action::SingleRetryThenEscalate;
        if let Some(denial) = &decision.deny {
            self.deny(denial);
        }
        let replanned = decision.transitions.iter().any(|t| t.to == Some(Level::Replan) && t.from != t.to);
        let scope = match decision.scope {
            Scope::Story => Some("story"),
            Scope::Feature => Some("feature"),
            Scope::Task | Scope::User | Scope::Arbiter => None,
        };
        let replan = scope.filter(|_| replanned).map(|scope| SharedReplan {
            at: decision.at,
            scope: scope.to_owned(),
            feature: decision.feature.clone(),
        });
        self.replans.extend(replan);
        if let Some(repair) = decision.repair.as_ref().filter(|_| decision.ladder.level > Some(Level::Retry)) {
            self.propose(repair);
        }
        self.remember(attempt(event, observed, decision, class.class, kind));
    }

    fn move_ladder(&mut self, transitions: &[Transition]) {
        if let Some(last) = transitions.last() {
            self.ladder = Some(last.clone());
        }
    }

    fn end(&mut self, transitions: &[Transition]) {
        self.move_ladder(transitions);
        match transitions.last() {
            Some(last) if last.cause == Cause::Success => self.worked(),
            _ => self.forget(),
        }
    }

    pub(super) fn worked(&mut self) {
        self.recoveries += u32::from(self.failures > 0);
        self.replans.clear();
        if let Some(plan) = &mut self.plan {
            (plan.failed_attempts, plan.deviation_score) = (None, None);
        }
        self.forget();
    }

    pub(super) fn remember(&mut self, attempt: Attempt) {
        self.attempts.push(attempt);
        let excess = self.attempts.len().saturating_sub(MAX_ATTEMPTS);
        self.attempts.drain(..excess);
    }

    /// A new denial replaces those of the same action that end before it.
    fn deny(&mut self, denial: &Denial) {
        self.denied.retain(|known| known.action != denial.action || known.until > denial.until);
        self.denied.push(denial.clone());
        let excess = self.denied.len().saturating_sub(MAX_DENIALS);
        self.denied.drain(..excess);
    }

    /// The arbiter is asked. A wait that is under way keeps its beginning.
    fn wait_for(&mut self, conflict: &str, reason: &str, since: Timestamp) {
        self.count_conflict(conflict);
        if self.waits_for(conflict) {
            return;
        }
        let waiting = Waiting { conflict: conflict.to_owned(), reason: reason.to_owned(), since };
        if self.waiting.is_none() {
            self.waiting = Some(waiting);
        } else if self.also_waiting.len() < MAX_CONFLICTS {
            self.also_waiting.push(waiting);
        }
    }

    fn stop_waiting(&mut self) {
        self.waiting = None;
        self.also_waiting.clear();
    }

    /// If there are too many, the entry with the lowest count is dropped.
    fn count_conflict(&mut self, conflict: &str) {
        if self.conflicts.len() >= MAX_CONFLICTS && !self.conflicts.contains_key(conflict) {
            let least = self.conflicts.iter().min_by_key(|(_, count)| **count).map(|(name, _)| name.clone());
            least.map(|name| self.conflicts.remove(&name));
        }
        *self.conflicts.entry(conflict.to_owned()).or_default() += 1;
    }

    fn forget(&mut self) {
        self.failures = 0;
        self.failures_when_planned = 0;
        self.run_ended = false;
        self.given_up = false;
        self.given_up_reason = None;
        self.was_unsure = false;
        self.was_told_to_stop = false;
        self.stop_waiting();
        self.skipped = None;
        self.steps.clear();
        self.attempts.clear();
        self.repairs.clear();
        self.is_proposal_open = false;
        self.denied.clear();
        self.held_until = None;
    }

    /// Records the node and its parent in the plan. A node without a parent does not erase a known parent.
    pub(super) fn place(&mut self, node: &Node) {
        if node.parent_id.is_some() || self.node.as_deref() != Some(node.id.as_str()) {
            self.parent.clone_from(&node.parent_id);
        }
        self.node = Some(node.id.clone());
    }

    fn propose(&mut self, repair: &Repair) {
        let spent = repair.strategy.filter(|strategy| strategy.spends_budget());
        self.is_proposal_open = spent.is_some();
        self.repairs.extend(spent.map(|strategy| tried(strategy, repair.directive.as_deref())));
    }

    pub(super) fn touch(&mut self, files: &[RepoPath]) {
        for file in files {
            self.touched.retain(|known| known != file);
            self.touched.push(file.clone());
        }
        let excess = self.touched.len().saturating_sub(MAX_FILES);
        self.touched.drain(..excess);
    }

    pub(super) fn give_up(&mut self, reason: Option<String>) {
        self.given_up = true;
        self.given_up_reason = reason.filter(|reason| !reason.is_empty());
    }

    /// Removes the task: it has no open state any more.
    fn skip(&mut self, reason: &str) {
        self.forget();
        self.skipped = Some(reason.to_owned());
    }
}

/// What later decisions compare with.
fn attempt(
    event: &FailureEvent,
    observed: Option<&Diagnosis>,
    decision: &Decision,
    class: Class,
    diagnosis: &Diagnosis,
) -> Attempt {
    Attempt {
        at: decision.at,
        id: event.id.clone(),
        tool: event.tool.clone(),
        action: event.action.clone(),
        approach: event.approach.clone().unwrap_or_else(|| keyword_line(&event.stderr_tail)),
        stated: event.approach.is_some(),
        fingerprint: diagnosis.fingerprint.clone(),
        stderr_hash: stderr_hash(decision.pack, event, diagnosis, observed),
        error_type: diagnosis.error_type,
        class,
        level: decision.ladder.level,
        files: event.files_touched.clone(),
        exit_code: event.exit_code,
        problems: crate::problems::problems(&event.stderr_tail),
        progress: crate::problems::progress(&event.stderr_tail),
        duration_ms: event.duration_ms,
        test: diagnosis.problem.as_ref().and_then(|problem| problem.test.clone()),
    }
}

/// A repair counts as failed until the task succeeds: success clears the list.
fn tried(strategy: Strategy, directive: Option<&str>) -> RepairAttempt {
    let directive = directive.unwrap_or_default();
    let approach = directive.split_once(": ").map_or(directive, |(_, text)| text).to_owned();
    RepairAttempt { strategy: Some(strategy), approach, ok: false }
}
