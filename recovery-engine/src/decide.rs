//! The decision: one event and the state of its task in, one decision out.
//!
//! The order: what the journal has recorded joins the event ([`with_past`]), the domain crates answer, the tables of
//! [`reconcile`] give the ladder's input, and the same tables make one answer from the ladder's and the other answers.
//! No rule is here.

use crate::assess::overran;
use crate::climb::{drain, view};
use crate::decision::{Decision, LadderView};
use crate::known::{conflict_of, is_frozen, stated_wait, with_past};
use crate::reconcile::{self, Case, Entry, EntryRow, EntryRule, Ladder as Position, Recommended, Scope, Tree, Verb};
use crate::repair::{adjustment, ask, name_attempts};
use crate::sentence::{SentenceContext, next};
use crate::state::TaskState;
use crate::text::{headline, plain};
use crate::{Admitted, Assessment, Engine};
use classifier_core::{failed_attempts, is_below_gate};
use escalation::{ActionOutcome, Input, Ladder, LadderFailure, LoopDetector};
use node_repair::step::CHECK_FIRST;
use recovery_types::ladder::{Blocked, Cause, Command};
use recovery_types::repair::{AdjustmentKind, Repair, Repeating, Strategy};
use recovery_types::time::span;
use recovery_types::{
    Action, Class, Classification, Cooldown, CooldownState, Diagnosis, FailureCause, FailureEvent, FailureType, Level,
    Timestamp,
};

impl Engine {
    /// Decides about an admitted event of `task`. `observed` is the diagnosis if it was made from more output than the
    /// event holds.
    #[must_use]
    pub fn decide(
        &self,
        task: &str,
        past: &TaskState,
        event: &Admitted<FailureEvent>,
        observed: Option<&Diagnosis>,
        now: Timestamp,
    ) -> Decision {
        self.decide_shared(task, past, event, observed, now, &mut |_| None)
    }

    /// [`Engine::decide`], where `shared` returns the wait of other tasks with the same resource. The caller has to
    /// store it with the event ([`Admitted::with_cooldown`]), so that a replay has the same input.
    #[must_use]
    pub fn decide_shared(
        &self,
        task: &str,
        past: &TaskState,
        event: &Admitted<FailureEvent>,
        observed: Option<&Diagnosis>,
        now: Timestamp,
        shared: &mut dyn FnMut(&str) -> Option<Cooldown>,
    ) -> Decision {
        let event = &with_past(event, past);
        let assessment = match observed {
            Some(diagnosis) => self.assess_diagnosed(event, diagnosis),
            None => self.assess_text(event, now),
        };
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        let Some(Assessment { classification, mut diagnosis }) = assessment else {
            return self.decide_success(task, past, event, ladder, now);
        };
        // Repeating a transient failure is the purpose of level 1: neither a loop nor a circular fix.
        let transient = classification.class == Class::F1;
        let resource = if transient { self.resource(event, &diagnosis) } else { None };
        let known = resource.as_deref().and_then(|resource| event.cooldown.clone().or_else(|| shared(resource)));
        let known = known.filter(|cooldown| cooldown.until > now);
        let scope = reconcile::scope(classification.class);
        let feature = if scope == Scope::Feature { self.feature_of(event) } else { None };
        let similar = if transient || overran(event) { 0 } else { self.similar(past, event, &diagnosis) };
        let similar = similar.max(event.similar.unwrap_or(0));
        let repair_for = |diagnosis: &Diagnosis, repeating, budget| {
            self.repair_for(task, past, event, diagnosis, classification.class, repeating, budget)
        };
        let is_idempotent = event.idempotent.unwrap_or(true);
        let by_default = if is_idempotent { Repeating::Allowed } else { Repeating::Unsafe };
        let mut repair = repair_for(&diagnosis, by_default, None);
        // A wait that repair finds in the output is as binding as one in the diagnosis.
        diagnosis.retry_after_ms = diagnosis.retry_after_ms.or_else(|| stated_in(&repair));
        let mut case = Case {
            class: classification.class,
            action: classification.recommended_action,
            error: diagnosis.error_type,
            strategy: None,
            arbitrations: past.arbitrations(&conflict_of(event)),
            is_frozen: past.frozen.is_some() || is_frozen(event),
            was_unsure: past.was_unsure,
            is_unclear: is_below_gate(&classification, diagnosis.confidence),
            is_continued: self.continuation && diagnosis.failure_type == FailureType::ContextExhausted,
            overran: overran(event),
            was_retried_inside: event.cause == Some(FailureCause::RetriedInside),
            is_configured: self.ladder.entry.contains_key(&diagnosis.error_type),
        };
        let failure = |row: &EntryRow| LadderFailure {
            error_type: diagnosis.error_type,
            idempotent: is_idempotent,
            retry_after_ms: diagnosis.retry_after_ms,
            resets_at: diagnosis.resets_at,
            cooldown_until: known.as_ref().map(|cooldown| cooldown.until),
            step: event.step.as_deref().map(plain),
            completed_steps: event.completed_steps.iter().map(|step| plain(step)).collect(),
            message: Some(headline(event, &diagnosis)),
            approach: event.approach.as_deref().map(plain),
            entry_level: row.level(classification.class),
            judge: event.judge,
            similar,
            overran: overran(event),
            blocked: blocked(row.id, &classification, event, past.frozen.as_deref()),
            model: event.model.clone(),
        };
        let input = |row: &EntryRow, repair: &Repair| match row.then {
            Entry::Pause => Input::Pause { reason: classification.evidence.join("; ") },
            Entry::Skip => Input::Skip { reason: adjustment(repair).to_owned() },
            Entry::Level(_) | Entry::Class | Entry::Matrix => Input::Failure(failure(row)),
        };
        // Whether a repetition is allowed depends on the next state of the ladder, and whether the task is removed
        // depends on the repair. So the ladder is evaluated first under the assumption that it is not.
        let first_row = reconcile::entry(&case);
        let mut ahead = ladder.clone();
        ahead.handle(input(first_row, &repair), now);
        let repeating = reconcile::repeating(position(first_row, &view(&ahead)), is_idempotent);
        if repeating != by_default {
            repair = repair_for(&diagnosis, repeating, None);
        }
        case.strategy = repair.strategy;
        let row = reconcile::entry(&case);
        let entered = match row.then {
            Entry::Pause | Entry::Skip => None,
            Entry::Level(_) | Entry::Class | Entry::Matrix => Some(self.ladder.entry_of(&failure(row))),
        };
        ladder.handle(input(row, &repair), now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let level = view.level.or(diagnosis.entry_level).unwrap_or(Level::Nudge);
        let position = position(row, &view);
        if reconcile::asks_a_person(position) && repair.strategy.is_some_and(Strategy::spends_budget) {
            repair = repair_for(&diagnosis, repeating, Some(0));
            if let Some(blocked) = failure(row).blocked {
                ask(&mut repair, &blocked);
            }
        }
        name_attempts(&mut repair, failed_attempts(event));
        one_wait(&mut repair, view.not_before.map(|at| at.since(now)));
        let verb = reconcile::verb(position, repair.strategy);
        let tree = reconcile::tree(verb, level, diagnosis.failure_type, event.last_good_commit.is_some());
        let cause = transitions.last().map_or(Cause::Failure, |last| last.cause);
        let winner = reconcile::winner(row, entered, position, verb, cause);
        // A task that waits for the arbiter is not repaired.
        let is_repaired = classification.class != Class::F6;
        let recommended = Recommended {
            action: classification.recommended_action,
            recovery: diagnosis.recovery_action.action,
            repair: is_repaired.then_some(repair.strategy),
        };
        let overruled = reconcile::overruled(&recommended, verb, tree, winner);
        let cooldown = known.as_ref();
        let context = SentenceContext {
            view: &view,
            repair: &repair,
            event,
            tree,
            now,
            policy: &self.ladder,
            rule: row.id,
            cooldown,
            scope,
            feature: feature.as_deref(),
        };
        let next = next(verb, &context);
        let stated = stated_wait(&diagnosis, now);
        let cooldown = known.or_else(|| {
            let (resource, until) = (resource.clone()?, stated?);
            Some(Cooldown { resource, until, state: CooldownState::Open })
        });
        let hold = reconcile::may_hold(verb).then(|| view.not_before.filter(|_| verb == Verb::Wait));
        let deny = hold.and_then(|wait| self.deny(past, event, &diagnosis, transient, wait, now));
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
            classification: Some(classification),
            diagnosis: Some(diagnosis),
            pack: self.taxonomy.pack(),
            ladder: view,
            log: repair.as_ref().and_then(|repair| repair.log.clone()),
            repair,
            tree,
            next,
            resource,
            cooldown,
            overruled,
            rollback_to: event.last_good_commit.clone().filter(|_| tree == Tree::RollBack),
            deny,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
        }
    }

    /// Whether a judge's verdict is a failure, whatever the exit code is.
    #[must_use]
    pub fn is_failed_by_judge(&self, event: &FailureEvent) -> bool {
        event.judge.is_some_and(|judge| self.ladder.judge.entry(judge).is_some())
    }

    /// The command succeeded. A judge may still decide that the work is not done.
    fn decide_success(
        &self,
        task: &str,
        past: &TaskState,
        event: &FailureEvent,
        mut ladder: Ladder,
        now: Timestamp,
    ) -> Decision {
        let failing = event.judge.filter(|_| self.is_failed_by_judge(event));
        let input = match failing {
            Some(judge) => Input::Judge(judge),
            // After a force-done the task waits for a person, even if something succeeds in the meantime.
            None if past.was_told_to_stop => Input::Tick,
            None => Input::Success,
        };
        ladder.handle(input, now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let verb = match view.level {
            Some(level) if failing.is_some() => reconcile::verb(Position::At(level), Some(Strategy::Retry)),
            _ => Verb::Done,
        };
        let is_late = transitions.iter().any(|moved| moved.to == Some(Level::ForceDone))
            || past.climb().is_some_and(recovery_types::Climb::is_done);
        let loops = &self.ladder.loops;
        let is_polling = |action: &str| loops.polling.iter().any(|own| action.starts_with(own.as_str()));
        // Advice only: a successful action is never denied.
        let repeated = past.repeated_by(event, now).filter(|repeated| repeated.times >= loops.force_done);
        let repeated = repeated.filter(|_| !event.action.as_deref().is_some_and(is_polling)).map(|r| r.times);
        let next = crate::sentence::after_success(verb, &view, is_late, repeated);
        let log = (verb == Verb::Done).then(|| past.repair_log(task, true)).flatten();
        Decision {
            task: task.to_owned(),
            at: now,
            failure: failing.is_some(),
            classification: None,
            diagnosis: None,
            pack: self.taxonomy.pack(),
            ladder: view,
            repair: None,
            tree: Tree::Keep,
            scope: reconcile::scope(Class::F2),
            feature: None,
            next,
            resource: None,
            cooldown: None,
            overruled: Vec::new(),
            rollback_to: None,
            log,
            deny: None,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
        }
    }

    /// The number of similar actions in a row. A new outcome is progress: editing and building again is no loop while
    /// the errors change. A circular fix counts as a loop that requires a new approach.
    fn similar(&self, past: &TaskState, event: &FailureEvent, diagnosis: &Diagnosis) -> u32 {
        let mut loops = LoopDetector::new(self.ladder.loops.clone());
        let mut seen: Vec<&str> = Vec::new();
        let mut similar = 0;
        let earlier = past.attempts.iter().map(|a| (&a.tool, &a.action, a.problems, a.fingerprint.as_str()));
        let problems = crate::problems::problems(&event.stderr_tail);
        let current = (&event.tool, &event.action, problems, diagnosis.fingerprint.as_str());
        for (tool, action, problems, fingerprint) in earlier.chain([current]) {
            let Some(action) = action else { continue };
            if !seen.contains(&fingerprint) {
                loops.clear();
                seen.push(fingerprint);
            }
            let action = escalation::ObservedAction::new(tool.clone().unwrap_or_default(), action.clone());
            similar = loops.observe(&action, ActionOutcome::Failed { problems });
        }
        // A polling action, for which the detector returns 0, is no circular fix either.
        let by_nature = event.action.is_some() && similar == 0;
        if diagnosis.circular && !by_nature { similar.max(self.ladder.loops.replan) } else { similar }
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

/// Why nothing more can be tried, if the reason is a rule and not the error itself.
fn blocked(
    rule: EntryRule,
    classification: &Classification,
    event: &FailureEvent,
    frozen: Option<&str>,
) -> Option<Blocked> {
    let evidence = || classification.evidence.join("; ");
    let (why, remedy) = match rule {
        EntryRule::ConflictAgain => (
            format!("{} came back after two arbitrations ({})", conflict_of(event), evidence()),
            "Settle the conflict by hand",
        ),
        EntryRule::Frozen if classification.recommended_action != Action::FreezeAndEscalate => {
            let why = frozen.map(|why| format!(": {why}")).unwrap_or_default();
            (format!("the plan has frozen this node{why}"), "Thaw the node when it may go on")
        }
        EntryRule::Frozen if classification.class == Class::F5 => (
            format!("the mission is contradicted: {}", evidence()),
            "Decide whether the constraint or the work gives way",
        ),
        EntryRule::Frozen => {
            (format!("it cannot be planned again: {}", evidence()), "Decide how to go on, or allow more replans")
        }
        EntryRule::UnsureAgain => (
            format!("the classifier is not sure what it is, and one retry did not help: {}", evidence()),
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
