//! What is known of a task: the sum of its records, and the one owner of its counts.

use crate::Admitted;
use crate::assess::stderr_hash;
use crate::decide::{action_fingerprint, adjustment, conflict_of};
use crate::decision::{Decision, Denial};
use crate::reconcile::{Scope, Verb};
use classifier_core::{EntryKind, entry_kind, first_class};
use escalation::Policy;
use node_repair::{Outcome, log_line};
use recovery_types::digest::sha256_hex;
use recovery_types::ladder::{Cause, Climb, Transition};
use recovery_types::repair::{FailedTask, GateOption, Repair, RepairAttempt, Strategy};
use recovery_types::similarity::Words;
use recovery_types::{
    Action, Ancestor, Class, Diagnosis, ErrorType, FailureEvent, HistoryEntry, Level, Node, RepoPath, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many attempts are remembered: as many as loops are looked for in.
const REMEMBERED: usize = 20;

/// A ladder whose levels last this long is not driven by anyone: hooks watch what an agent does by itself.
const WATCHED_LIMIT_MS: u64 = 365 * 24 * 3_600_000;

/// One thing that happened to a task, as the journal records it. Folding a task's entries gives its [`TaskState`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// An event came in and was decided.
    Decided {
        /// The event: no secrets, long texts cut.
        #[serde(deserialize_with = "Admitted::from_journal")]
        #[cfg_attr(feature = "schema", schemars(with = "FailureEvent"))]
        event: Box<Admitted<FailureEvent>>,
        /// The diagnosis, where it was read from more output than the event holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        observed: Option<Box<Diagnosis>>,
        /// The commit that HEAD named then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The ladder's numbers, where they were the caller's own; a replay needs them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<Box<Policy>>,
        /// What was decided.
        decision: Box<Decision>,
    },
    /// A person or a program says that it works, or that it was dealt with.
    Resolved {
        /// When.
        at: Timestamp,
        /// How.
        reason: String,
        /// How the ladder ended.
        transitions: Vec<Transition>,
    },
    /// A person starts the task afresh.
    Reset {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// How the ladder ended.
        transitions: Vec<Transition>,
    },
    /// A commit known to be good.
    Checkpoint {
        /// When.
        at: Timestamp,
        /// The commit.
        commit: String,
    },
    /// The working tree was taken back to a good commit.
    RolledBack {
        /// When.
        at: Timestamp,
        /// The commit it is at now.
        to: String,
        /// The backup's name.
        backup: String,
    },
    /// Something that the task depends on may have changed: what was held back may run once more.
    Changed {
        /// When.
        at: Timestamp,
    },
    /// A hook held an action back.
    Held {
        /// When.
        at: Timestamp,
        /// The action's fingerprint.
        action: String,
        /// The agent and its session.
        session: String,
        /// How long the action ran when it last failed: what not running it saved.
        saved_ms: u64,
    },
    /// A person lets an action run however often it fails.
    Allowed {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
    },
    /// The ladder moved without an event: time passed, or the work was interrupted.
    Moved {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// What became of the ladder; nothing where it was idle.
        transitions: Vec<Transition>,
    },
    /// A supervised run of the task ended without success: nothing goes on, and whoever ran it has been told.
    RunEnded {
        /// When.
        at: Timestamp,
    },
    /// A conflict that the task waited for is settled.
    Arbitrated {
        /// When.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// How it was settled.
        reason: String,
    },
    /// What a person chose at the gate that a failed verification goes to where repair is off.
    GateAnswered {
        /// When.
        at: Timestamp,
        /// The choice.
        option: GateOption,
        /// Why.
        reason: String,
        /// How the ladder ended, where the choice ends it.
        transitions: Vec<Transition>,
    },
    /// A repair was proposed apart from any event.
    RepairProposed {
        /// When.
        at: Timestamp,
        /// The task's number in the plan.
        number: String,
        /// What was proposed.
        repair: Box<Repair>,
    },
    /// The outcome of the last repair.
    Repaired {
        /// When.
        at: Timestamp,
        /// Whether it worked.
        ok: bool,
        /// The line that is true now.
        log: Option<String>,
    },
    /// The plan froze the task's node: nothing is tried until it is thawed.
    Frozen {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
    },
    /// The node may go on.
    Thawed {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// Replans that it may use from now on, where that was said.
        budget: Option<u32>,
    },
    /// A step of the task is done.
    StepDone {
        /// When.
        at: Timestamp,
        /// Its name.
        step: String,
    },
    /// The plan's word about the task's node; for the project also which node is active, and the mission.
    Planned {
        /// When.
        at: Timestamp,
        /// The node.
        node: Box<Node>,
        /// Whether it is the one that is worked on.
        is_active: bool,
        /// What the node states for everything below it.
        mission: Option<Box<Ancestor>>,
    },
    /// The task collided with another one, as another system recorded it.
    ConflictOpened {
        /// When.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// What is known of it.
        reason: String,
    },
    /// An attempt that another system recorded.
    Imported {
        /// The attempt.
        attempt: Box<HistoryEntry>,
    },
}

impl Entry {
    /// What became of the ladder.
    #[must_use]
    pub fn transitions(&self) -> &[Transition] {
        match self {
            Self::Decided { decision, .. } => &decision.transitions,
            Self::Resolved { transitions, .. }
            | Self::Reset { transitions, .. }
            | Self::GateAnswered { transitions, .. }
            | Self::Moved { transitions, .. } => transitions,
            Self::Checkpoint { .. }
            | Self::RolledBack { .. }
            | Self::Changed { .. }
            | Self::Held { .. }
            | Self::Allowed { .. }
            | Self::RunEnded { .. }
            | Self::Arbitrated { .. }
            | Self::RepairProposed { .. }
            | Self::Repaired { .. }
            | Self::Frozen { .. }
            | Self::Thawed { .. }
            | Self::StepDone { .. }
            | Self::Planned { .. }
            | Self::ConflictOpened { .. }
            | Self::Imported { .. } => &[],
        }
    }
}

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
    pub replans: Vec<Replan>,
    /// The ladder's last transition: where it stands.
    pub ladder: Option<Transition>,
    /// Actions that must not be repeated for a while.
    pub denied: Vec<Denial>,
    /// When something that the task depends on may last have changed.
    pub changed_at: Option<Timestamp>,
    /// How often a hook held an action of it back.
    #[serde(default)]
    pub held: u32,
    /// Whether a person has said that nothing of it is to be held back.
    #[serde(default)]
    pub allowed: bool,
    /// Whether it is only watched: a hook saw an agent fail, and nobody drives the ladder.
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
    /// The resource of its last transient failure, where the output showed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// Its node in the plan, where events named it.
    pub node: Option<String>,
    /// That node's parent.
    pub parent: Option<String>,
    /// Its number in the plan, as log lines show it.
    pub number: Option<String>,
    /// Whether the classifier was not sure of the last failure.
    pub was_unsure: bool,
    /// Whether somebody was told to stop since the task last worked or was settled.
    pub was_told_to_stop: bool,
    /// The conflict that it waits for.
    pub waiting: Option<Waiting>,
    /// How often each conflict was given to the arbiter.
    pub conflicts: BTreeMap<String, u32>,
    /// Why it was left out of the plan.
    pub skipped: Option<String>,
    /// Why the plan froze it.
    pub frozen: Option<String>,
    /// Replans that are left to it, where a thaw said so.
    pub replan_budget: Option<u32>,
    /// Steps that were reported as done since it last worked.
    pub steps: Vec<String>,
    /// Its node as the plan has it, where one was imported.
    pub plan: Option<Box<Node>>,
    /// Failures when the plan last said how many there were.
    pub failures_when_planned: u32,
    /// The node that is worked on; the project's state knows it.
    pub active: Option<String>,
    /// What holds for every task; the project's state knows it.
    pub mission: Option<Box<Ancestor>>,
    /// Records that this program could not read: a newer one wrote them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u32,
}

/// A replan of the story or the feature that a task belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replan {
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

/// One failed attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// When.
    pub at: Timestamp,
    /// The tool.
    pub tool: Option<String>,
    /// The action.
    pub action: Option<String>,
    /// What was being tried; the distinct words of the error stand in for it.
    pub approach: String,
    /// Whether `approach` is in the caller's own words.
    pub stated: bool,
    /// SHA-256 of the text that stays the same from run to run.
    pub fingerprint: String,
    /// The hash by which the classifier tells repeated failures.
    pub stderr_hash: String,
    /// What went wrong.
    pub error_type: ErrorType,
    /// How far it reached.
    pub class: Class,
    /// The level it led to.
    pub level: Option<Level>,
    /// Files it changed.
    pub files: Vec<RepoPath>,
    /// The exit code.
    pub exit_code: i64,
    /// How many problems it showed, where that could be told.
    pub problems: Option<u32>,
    /// The test that failed, where the output shows one.
    #[serde(default)]
    pub test: Option<String>,
    /// How long it ran, where that was said.
    #[serde(default)]
    pub duration_ms: Option<u64>,
}

impl Attempt {
    /// Whether it was this action, by fingerprint.
    #[must_use]
    pub fn is_of(&self, action: &str) -> bool {
        self.action.as_deref().is_some_and(|own| action_fingerprint(self.tool.as_deref(), own) == action)
    }
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
                    GateOption::Stop => self.given_up = true,
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

    /// Where the ladder stands; none when it is idle.
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
    /// whoever ran it knows already.
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
            Strategy::Retry => Outcome::Resolved { adjustment: last.approach.clone() },
            Strategy::Decompose => Outcome::AllPassed { sub_tasks: last.approach.split(" | ").count() },
            Strategy::Prune | Strategy::Escalate => return None,
        };
        Some(log_line(&FailedTask { number, ..FailedTask::default() }, &outcome))
    }

    /// The denial of this action, by fingerprint, that still holds at `now`.
    #[must_use]
    pub fn denial(&self, action: &str, now: Timestamp) -> Option<&Denial> {
        self.denied.iter().rev().find(|denial| denial.action == action && denial.until > now)
    }

    /// How often this action, by fingerprint, last failed in the same way while nothing is known to have changed.
    #[must_use]
    pub fn identical(&self, action: &str) -> u32 {
        let mut own = self.attempts.iter().rev().filter(|attempt| attempt.is_of(action));
        let Some(last) = own.next() else { return 0 };
        let earlier = own.take_while(|attempt| {
            attempt.fingerprint == last.fingerprint
                && attempt.exit_code == last.exit_code
                && self.changed_at.is_none_or(|changed| attempt.at > changed)
        });
        1 + u32::try_from(earlier.count()).unwrap_or(u32::MAX)
    }

    /// What a sibling has to know of this task: the files that it touched, its failures, and the replans of the story and
    /// the feature that they share. Empty where it is not below `parent`.
    #[must_use]
    pub fn as_sibling(&self, parent: &str) -> Vec<HistoryEntry> {
        match (&self.node, &self.parent) {
            (Some(id), Some(own)) if own == parent => {
                let node = Node { id: id.clone(), parent_id: Some(own.clone()), ..Node::default() };
                self.history(Some(&node))
            }
            _ => Vec::new(),
        }
    }

    /// What the state knows, as the history of the next event.
    pub(crate) fn history(&self, node: Option<&Node>) -> Vec<HistoryEntry> {
        let failed = self.attempts.iter().map(|attempt| HistoryEntry {
            ts: Some(attempt.at),
            node: node.map(|node| node.id.clone()),
            parent: node.and_then(|node| node.parent_id.clone()),
            event: Some("execution_failed".to_owned()),
            exit_code: Some(attempt.exit_code),
            stderr_hash: Some(attempt.stderr_hash.clone()),
            approach: Some(attempt.approach.clone()),
            test: attempt.test.clone(),
            files_touched: attempt.files.clone(),
            ..HistoryEntry::default()
        });
        let replanned = self.replans.iter().map(|replan| HistoryEntry {
            ts: Some(replan.at),
            node: node.map(|node| node.id.clone()),
            parent: node.and_then(|node| node.parent_id.clone()),
            event: Some(format!("replanned {}", replan.scope)),
            ..HistoryEntry::default()
        });
        let mut all: Vec<HistoryEntry> = failed.chain(replanned).collect();
        all.sort_by_key(|entry| entry.ts);
        all
    }

    fn apply_decision(&mut self, event: &FailureEvent, decision: &Decision) {
        self.last_at = Some(decision.at);
        self.resolved = false;
        if let Some(last) = decision.transitions.last() {
            self.ladder = Some(last.clone());
        }
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
        if let Some(node) = &event.node {
            self.node = Some(node.id.clone());
            self.parent.clone_from(&node.parent_id);
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
        let replan = scope.filter(|_| replanned).map(|scope| Replan { at: decision.at, scope: scope.to_owned() });
        self.replans.extend(replan);
        let level = decision.ladder.level;
        if let Some(repair) = decision.repair.as_ref().filter(|_| level > Some(Level::Retry)) {
            self.propose(repair);
        }
        let stated = event.approach.is_some();
        self.remember(Attempt {
            at: decision.at,
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

    /// Leaves the task out: nothing of it is open any more.
    fn skip(&mut self, reason: &str) {
        self.forget();
        self.skipped = Some(reason.to_owned());
    }

    /// Takes over what the plan says of the node.
    fn plan(&mut self, node: &Node) {
        self.node = Some(node.id.clone());
        self.parent.clone_from(&node.parent_id);
        if let Some(budget) = node.replan_budget_remaining {
            self.replan_budget = Some(budget);
            self.replans.clear();
        }
        if node.status.as_deref().is_some_and(|status| status.eq_ignore_ascii_case("frozen")) {
            self.frozen.get_or_insert_with(|| "the plan has it as frozen".to_owned());
        }
        self.failures_when_planned = self.failures;
        // The status is a state of its own from here on.
        self.plan = Some(Box::new(Node { status: None, ..node.clone() }));
    }

    /// Takes over an entry of another system's history. What is no attempt, replan, freeze or thaw changes nothing.
    fn import(&mut self, entry: &HistoryEntry) {
        self.last_at = self.last_at.max(entry.ts);
        if let (Some(node), Some(parent)) = (&entry.node, &entry.parent) {
            (self.node, self.parent) = (Some(node.clone()), Some(parent.clone()));
        }
        let event = entry.event.as_deref().unwrap_or_default().to_ascii_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| event.contains(word));
        let at = entry.ts.unwrap_or_default();
        if event == "stuck" {
            self.given_up = true;
            return;
        }
        if is(&["thaw", "unfreeze", "unfrozen"]) {
            self.frozen = None;
            return;
        }
        if is(&["freeze", "frozen"]) {
            if !is(&["refused", "proposed", "rejected"]) {
                self.frozen = Some(entry.reason.clone().unwrap_or_else(|| "frozen before it was imported".to_owned()));
            }
            return;
        }
        match entry_kind(entry) {
            EntryKind::Failure => {}
            EntryKind::Success => return self.worked(),
            EntryKind::Replan => {
                let scope = if is(&["feature"]) { "feature" } else { "story" };
                self.replans.push(Replan { at, scope: scope.to_owned() });
                return;
            }
            EntryKind::Other => return,
        }
        self.failures += 1;
        self.failures_ever += 1;
        let text = entry.stderr_tail.as_deref().unwrap_or_default();
        let error_type = entry.error_type.as_deref().and_then(ErrorType::from_name).unwrap_or(ErrorType::Other);
        self.remember(Attempt {
            at,
            tool: None,
            action: None,
            approach: entry.approach.clone().unwrap_or_else(|| distinct_words(text)),
            stated: entry.approach.is_some(),
            fingerprint: entry.stderr_hash.clone().unwrap_or_default(),
            stderr_hash: entry.stderr_hash.clone().unwrap_or_else(|| sha256_hex(text.as_bytes())),
            error_type,
            class: first_class(error_type),
            level: None,
            files: entry.files_touched.clone(),
            exit_code: entry.exit_code.unwrap_or(1),
            problems: None,
            duration_ms: None,
            test: entry.test.clone(),
        });
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Enough of a text to compare it with another one, word for word.
fn distinct_words(text: &str) -> String {
    Words::keywords(text).iter().collect::<Vec<_>>().join(" ")
}

/// A repair counts as failed until the task works: success clears the list.
fn tried(strategy: Strategy, directive: Option<&str>) -> RepairAttempt {
    let directive = directive.unwrap_or_default();
    let approach = directive.split_once(": ").map_or(directive, |(_, text)| text).to_owned();
    RepairAttempt { strategy: Some(strategy), approach, ok: false }
}
