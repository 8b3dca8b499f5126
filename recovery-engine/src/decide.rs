//! The decision: one event and the state of its task in, one decision out.
//!
//! The order: what the journal has recorded joins the event ([`with_past`]), the domain crates assess it, and a failure goes
//! through the tables of [`reconcile`] ([`failure`]); a success only moves the ladder. No rule is here.

mod failure;

use crate::assess::overran;
use crate::climb::{drain, view};
use crate::decision::Decision;
use crate::known::{named_conflict, names_conflict, with_past};
use crate::reconcile::{self, Ladder as Position, Tree, Verb};
use crate::state::TaskState;
use crate::{Admitted, Assessment, Engine};
use escalation::{ActionOutcome, Input, Ladder, LoopDetector};
use failure::PendingFailure;
use recovery_types::repair::Strategy;
use recovery_types::{Class, Cooldown, Diagnosis, FailureEvent, Level, Timestamp};

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
        let is_paused = past.waiting.is_some() && !names_conflict(event);
        let event = &with_past(event, past);
        let assessment = match observed {
            Some(diagnosis) => self.assess_diagnosed(event, diagnosis),
            None => self.assess_text(event, now),
        };
        let ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        let Some(Assessment { classification, diagnosis }) = assessment else {
            return self.decide_success(task, past, event, ladder, now);
        };
        // Repeating a transient failure is the purpose of level 1: neither a loop nor a circular fix.
        let is_transient = classification.class == Class::F1;
        let resource = if is_transient { self.resource(event, &diagnosis) } else { None };
        let cooldown = resource.as_deref().and_then(|resource| event.cooldown.clone().or_else(|| shared(resource)));
        let cooldown = cooldown.filter(|cooldown| cooldown.until > now);
        let similar = if is_transient || overran(event) { 0 } else { self.similar(past, event, &diagnosis) };
        let similar = similar.max(event.similar.unwrap_or(0));
        PendingFailure {
            engine: self,
            task,
            past,
            event,
            now,
            is_paused,
            classification,
            diagnosis,
            resource,
            cooldown,
            similar,
        }
        .decide(ladder)
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
        // While a conflict is not settled, a judge's verdict is no attempt of the task either.
        let is_paused = failing.is_some() && past.waiting.is_some();
        let input = match failing {
            Some(_) if is_paused => Input::Tick,
            Some(judge) => Input::Judge(judge),
            // After a force-done the task waits for a person, even if something succeeds in the meantime.
            None if past.was_told_to_stop => Input::Tick,
            None => Input::Success,
        };
        ladder.handle(input, now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let verb = match view.level {
            _ if is_paused => reconcile::verb(Position::Paused, None),
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
        let next = match verb {
            Verb::Arbitrate => crate::sentence::arbitrate(named_conflict(event)),
            _ => crate::sentence::after_success(verb, &view, is_late, repeated),
        };
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
            scope: reconcile::scope(if is_paused { Class::F6 } else { Class::F2 }),
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
