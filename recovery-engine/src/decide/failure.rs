//! The decision about a failure, in three steps: the ladder's input, the ladder's move, the one answer made of all.
//!
//! In: a [`PendingFailure`], everything that is known when the domain crates have assessed the event. Out: a [`Decision`].
//! [`PendingFailure::climb`] looks up the entry row and moves the ladder; [`PendingFailure::conclude`] looks up verb, tree and
//! what was overruled. Every choice is a row of a table in [`reconcile`]; the order of the steps is all that is decided here.

use crate::Engine;
use crate::assess::overran;
use crate::climb::{drain, view};
use crate::decision::{Decision, LadderView};
use crate::known::{conflict_of, is_frozen, stated_wait};
use crate::reconcile::{self, Case, Entry, EntryRow, EntryRule, Ladder as Position, Recommended, Scope, Tree, Verb};
use crate::repair::{adjustment, ask, name_attempts};
use crate::sentence::{SentenceContext, next};
use crate::state::TaskState;
use crate::text::{headline, plain};
use classifier_core::{failed_attempts, is_below_gate};
use escalation::{EntrySource, Input, Ladder, LadderFailure};
use node_repair::step::CHECK_FIRST;
use recovery_types::ladder::{Blocked, Cause, Command, Transition};
use recovery_types::repair::{AdjustmentKind, Repair, Repeating, Strategy};
use recovery_types::time::span;
use recovery_types::{
    Action, Class, Classification, Cooldown, CooldownState, Diagnosis, FailureCause, FailureEvent, FailureType, Level,
    Timestamp,
};

/// A failure that was assessed and is not decided yet.
pub(super) struct PendingFailure<'a> {
    pub engine: &'a Engine,
    pub task: &'a str,
    pub past: &'a TaskState,
    pub event: &'a FailureEvent,
    pub now: Timestamp,
    /// Whether the task waits for an arbiter, and this failure is no other collision.
    pub is_paused: bool,
    pub classification: Classification,
    pub diagnosis: Diagnosis,
    /// The host or service that failed, if the failure is transient.
    pub resource: Option<String>,
    /// The wait of every task that uses that resource.
    pub cooldown: Option<Cooldown>,
    /// The number of similar actions in a row.
    pub similar: u32,
}

/// The ladder after its move, and the repair that fits it.
struct Climbed {
    row: &'static EntryRow,
    /// The level that the failure enters, and what names it.
    entered: Option<(Level, EntrySource)>,
    transitions: Vec<Transition>,
    view: LadderView,
    position: Position,
    repair: Repair,
}

impl PendingFailure<'_> {
    pub fn decide(mut self, ladder: Ladder) -> Decision {
        let repair = self.repair(self.repeating_by_default(), None);
        // A wait that repair finds in the output is as binding as one in the diagnosis.
        self.diagnosis.retry_after_ms = self.diagnosis.retry_after_ms.or_else(|| stated_in(&repair));
        let climbed = self.climb(ladder, repair);
        self.conclude(climbed)
    }

    fn is_idempotent(&self) -> bool {
        self.event.idempotent.unwrap_or(true)
    }

    fn repeating_by_default(&self) -> Repeating {
        if self.is_idempotent() { Repeating::Allowed } else { Repeating::Unsafe }
    }

    fn repair(&self, repeating: Repeating, budget: Option<u32>) -> Repair {
        let Self { engine, task, past, event, diagnosis, classification, .. } = self;
        engine.repair_for(task, past, event, diagnosis, classification.class, repeating, budget)
    }

    /// What the entry table looks at, before a repair strategy is known.
    fn case(&self) -> Case {
        let Self { engine, past, event, classification, diagnosis, .. } = self;
        Case {
            class: classification.class,
            action: classification.recommended_action,
            error: diagnosis.error_type,
            strategy: None,
            arbitrations: if self.is_paused { 0 } else { past.arbitrations(&conflict_of(event)) },
            is_frozen: past.frozen.is_some() || is_frozen(event),
            was_unsure: past.was_unsure,
            is_unclear: is_below_gate(classification, diagnosis.confidence),
            is_continued: engine.continuation && diagnosis.failure_type == FailureType::ContextExhausted,
            overran: overran(event),
            was_retried_inside: event.cause == Some(FailureCause::RetriedInside),
            is_configured: engine.ladder.entry.contains_key(&diagnosis.error_type),
        }
    }

    fn ladder_failure(&self, row: &EntryRow) -> LadderFailure {
        let Self { event, diagnosis, .. } = self;
        LadderFailure {
            error_type: diagnosis.error_type,
            idempotent: self.is_idempotent(),
            retry_after_ms: diagnosis.retry_after_ms,
            resets_at: diagnosis.resets_at,
            cooldown_until: self.cooldown.as_ref().map(|cooldown| cooldown.until),
            step: event.step.as_deref().map(plain),
            completed_steps: event.completed_steps.iter().map(|step| plain(step)).collect(),
            message: Some(headline(event, diagnosis)),
            approach: event.approach.as_deref().map(plain),
            entry_level: row.level(self.classification.class),
            judge: event.judge,
            similar: self.similar,
            overran: overran(event),
            blocked: self.blocked(row.id),
            model: event.model.clone(),
        }
    }

    fn input(&self, row: &EntryRow, repair: &Repair) -> Input {
        match row.then {
            Entry::Pause => Input::Pause { reason: self.evidence() },
            Entry::Skip => Input::Skip { reason: adjustment(repair).to_owned() },
            Entry::Level(_) | Entry::Class | Entry::Matrix => Input::Failure(self.ladder_failure(row)),
        }
    }

    /// Moves the ladder. Whether a repetition is allowed depends on the next state of the ladder, and whether the task is
    /// removed depends on the repair. So the ladder is evaluated first under the assumption that it is not.
    fn climb(&self, mut ladder: Ladder, mut repair: Repair) -> Climbed {
        let mut case = self.case();
        let first_row = reconcile::entry(&case);
        let mut ahead = ladder.clone();
        ahead.handle(self.input(first_row, &repair), self.now);
        let repeating = reconcile::repeating(position(first_row, &view(&ahead)), self.is_idempotent());
        if repeating != self.repeating_by_default() {
            repair = self.repair(repeating, None);
        }
        case.strategy = repair.strategy;
        let row = reconcile::entry(&case);
        let entered = match row.then {
            Entry::Pause | Entry::Skip => None,
            Entry::Level(_) | Entry::Class | Entry::Matrix => {
                Some(self.engine.ladder.entry_of(&self.ladder_failure(row)))
            }
        };
        ladder.handle(self.input(row, &repair), self.now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let position = position(row, &view);
        if reconcile::asks_a_person(position) && repair.strategy.is_some_and(Strategy::spends_budget) {
            repair = self.repair(repeating, Some(0));
            if let Some(blocked) = self.blocked(row.id) {
                ask(&mut repair, &blocked);
            }
        }
        name_attempts(&mut repair, failed_attempts(self.event));
        one_wait(&mut repair, view.not_before.map(|at| at.since(self.now)));
        Climbed { row, entered, transitions, view, position, repair }
    }

    fn conclude(self, climbed: Climbed) -> Decision {
        let Climbed { row, entered, transitions, view, position, mut repair } = climbed;
        let Self { engine, task, past, event, now, ref classification, ref diagnosis, .. } = self;
        let scope = reconcile::scope(classification.class);
        let feature = if scope == Scope::Feature { engine.feature_of(event) } else { None };
        let level = view.level.or(diagnosis.entry_level).unwrap_or(Level::Nudge);
        let verb = reconcile::verb(position, repair.strategy);
        let tree = reconcile::tree(verb, level, diagnosis.failure_type, event.last_good_commit.is_some());
        let cause = transitions.last().map_or(Cause::Failure, |last| last.cause);
        // A task that waits for the arbiter is not repaired.
        let is_repaired = classification.class != Class::F6;
        let recommended = Recommended {
            action: classification.recommended_action,
            recovery: diagnosis.recovery_action.action,
            repair: is_repaired.then_some(repair.strategy),
        };
        let winner = reconcile::winner(row, entered, position, verb, cause);
        let context = SentenceContext {
            view: &view,
            repair: &repair,
            event,
            tree,
            now,
            policy: &engine.ladder,
            rule: row.id,
            cooldown: self.cooldown.as_ref(),
            scope,
            feature: feature.as_deref(),
        };
        let next = next(verb, &context);
        let is_transient = classification.class == Class::F1;
        let hold = reconcile::may_hold(verb).then(|| view.not_before.filter(|_| verb == Verb::Wait));
        let deny = hold.and_then(|wait| engine.deny(past, event, diagnosis, is_transient, wait, now));
        // A RETRY or DECOMPOSE is logged when its outcome is known; an escalation at once.
        let is_overruled = repair.strategy == Some(Strategy::Escalate) && verb != Verb::ForceDone;
        if is_overruled || repair.strategy.is_some_and(Strategy::spends_budget) {
            repair.log = None;
        }
        let repair = is_repaired.then_some(repair);
        Decision {
            task: task.to_owned(),
            at: now,
            failure: true,
            scope,
            feature,
            pack: engine.taxonomy.pack(),
            ladder: view,
            log: repair.as_ref().and_then(|repair| repair.log.clone()),
            repair,
            tree,
            next,
            overruled: reconcile::overruled(&recommended, verb, tree, winner),
            rollback_to: event.last_good_commit.clone().filter(|_| tree == Tree::RollBack),
            deny,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
            cooldown: self.cooldown.clone().or_else(|| self.stated_cooldown()),
            resource: self.resource,
            classification: Some(self.classification),
            diagnosis: Some(self.diagnosis),
        }
    }

    /// The wait that the server stated, for every task that uses the resource.
    fn stated_cooldown(&self) -> Option<Cooldown> {
        let (resource, until) = (self.resource.clone()?, stated_wait(&self.diagnosis, self.now)?);
        Some(Cooldown { resource, until, state: CooldownState::Open })
    }

    fn evidence(&self) -> String {
        self.classification.evidence.join("; ")
    }

    /// Why nothing more can be tried, if the reason is a rule and not the error itself.
    fn blocked(&self, rule: EntryRule) -> Option<Blocked> {
        let (why, remedy) = match rule {
            EntryRule::ConflictAgain => (
                format!("{} came back after two arbitrations ({})", conflict_of(self.event), self.evidence()),
                "Settle the conflict by hand",
            ),
            EntryRule::Frozen if self.classification.recommended_action != Action::FreezeAndEscalate => {
                let why = self.past.frozen.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
                (
                    format!("the plan has frozen this node{why}"),
                    "Thaw the node when it may go on (recovery plan thaw NODE)",
                )
            }
            EntryRule::Frozen if self.classification.class == Class::F5 => (
                format!("the mission is contradicted: {}", self.evidence()),
                "Decide whether the constraint or the work gives way",
            ),
            EntryRule::Frozen => (
                format!("it cannot be planned again: {}", self.evidence()),
                "Decide how to go on, or allow more replans",
            ),
            EntryRule::UnsureAgain => (
                format!("the classifier is not sure what it is, and one retry did not help: {}", self.evidence()),
                "Look into the failure and say what it is",
            ),
            EntryRule::Conflict
            | EntryRule::Pruned
            | EntryRule::Continuation
            | EntryRule::TimeLimit
            | EntryRule::RetriedInside
            | EntryRule::Configured
            | EntryRule::Unclear
            | EntryRule::Unsure
            | EntryRule::Matrix
            | EntryRule::ClassLevel => return None,
        };
        Some(Blocked { why, remedy: remedy.to_owned() })
    }
}

/// The result of the ladder in the terms of the tables.
fn position(row: &EntryRow, view: &LadderView) -> Position {
    let level = view.level.unwrap_or(Level::Retry);
    match (row.then, &view.command) {
        (Entry::Skip, _) if view.level != Some(Level::ForceDone) => Position::Skipped,
        (Entry::Pause, _) if view.level != Some(Level::ForceDone) => Position::Paused,
        (_, Some(Command::WaitUntil { .. })) => Position::Waiting(level),
        (Entry::Level(Level::Nudge), _) if row.id == EntryRule::Continuation && level == Level::Nudge => {
            Position::Continuing
        }
        (Entry::Level(_) | Entry::Class | Entry::Matrix | Entry::Pause | Entry::Skip, _) => Position::At(level),
    }
}

/// The wait that a server stated, if repair found one.
fn stated_in(repair: &Repair) -> Option<u64> {
    let change = repair.adjustment.as_ref().filter(|change| change.kind == AdjustmentKind::Wait)?;
    change.wait_ms
}

/// The ladder's wait, replaced by that of the repair if it names one.
fn one_wait(repair: &mut Repair, ladder: Option<u64>) {
    let Some(change) = &mut repair.adjustment else { return };
    let is_wait = change.kind == AdjustmentKind::Wait;
    if change.wait_ms == ladder || !(is_wait || change.wait_ms.is_some()) {
        return;
    }
    if let (true, Some(_), Some(ms)) = (is_wait, change.wait_ms, ladder) {
        let then = if change.text.contains(CHECK_FIRST) { CHECK_FIRST } else { "run it again" };
        change.text = format!("wait {}, then {then}", span(ms));
        if repair.strategy == Some(Strategy::Retry) {
            repair.directive = Some(format!("{}: {}", Strategy::Retry, change.text));
        }
    }
    change.wait_ms = ladder;
}
