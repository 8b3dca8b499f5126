//! After a tool has run: a failure is decided on and recorded, a success ends the task's failures.
//!
//! In: a call and its outcome. Out: the lines for the model, or none. Whether a call failed is what the client reports.
//! These are no failures: exit codes that mean "no", calls that continue in the background, calls of `recovery` itself
//! and of other agents.

use super::before::may_pass;
use super::place::working_dir;
use super::text::{self, Failed};
use super::{FRESH_AFTER_MS, Hook, HookError, flaky, repeats, running};
use crate::ledger::Ledger;
use crate::names;
use failure_taxonomy::normalise::fingerprint;
use recovery_agents::{Answer, Call, Outcome, is_benign};
use recovery_engine::{Decision, Engine, Entry, Input, TaskState, action_fingerprint, admit};
use recovery_redact::redact;
use recovery_store::{RecordKind, TaskId};
use recovery_types::ladder::Blocked;
use recovery_types::{Action, Class, Diagnosis, ErrorType, FailureEvent};

/// Whether a failure is the client's word or was read from the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// The client reports that it failed.
    Reported,
    /// Its exit code was hidden, or is not known: it is advised about and never held back.
    Read,
}

/// The task before this failure.
#[derive(Default)]
struct Past {
    state: TaskState,
    /// Whether something may have changed since it failed last.
    is_changed: bool,
}

impl Hook<'_> {
    pub(super) fn after(&self, calls: &[(Call, Outcome)]) -> Result<Option<Answer>, HookError> {
        let mut answers = Vec::new();
        for (call, outcome) in calls {
            if outcome.is_running || outcome.ok == Some(true) && call.goes_on() {
                // Without a failure there is no state directory yet; the next one may be for want of this call's result.
                let _ = recovery_store::StateDir::create(&self.state_dir);
                running::started(&self.state_dir, &self.caller(), call, self.now);
                answers.extend(self.one(call, outcome)?);
            } else {
                let begun = running::ended(&self.state_dir, &self.caller(), call);
                let took_ms = outcome.duration_ms.or_else(|| begun.map(|begun| self.now.since(begun)));
                answers.extend(self.one(call, &Outcome { duration_ms: took_ms, ..outcome.clone() })?);
            }
        }
        self.note_begun_before();
        Ok((!answers.is_empty()).then(|| Answer::Advice(text::joined(&answers))))
    }

    /// Remembers commands that were under way before anything had failed here, where the client's transcript shows them.
    fn note_begun_before(&self) {
        for (call, at) in &self.begun {
            running::started(&self.state_dir, &self.caller(), call, *at);
        }
    }

    fn one(&self, call: &Call, outcome: &Outcome) -> Result<Option<String>, HookError> {
        if text::is_our_refusal(&outcome.text) {
            return Ok(None);
        }
        if outcome.interrupted {
            // It ran for a while, and a person is there.
            self.world()?.mark(self.now);
            return Ok(None);
        }
        let said_no = outcome.ok == Some(false) && is_benign(call, outcome);
        if outcome.is_running || said_no || call.is_ours() || call.is_nested_agent() {
            // Neither a failure of the task nor proof that it works; but something may be different now.
            self.note_change(call, outcome.ok != Some(false))?;
            return Ok(None);
        }
        match outcome.ok {
            Some(false) => self.failed(call, outcome, Certainty::Reported).map(Some),
            Some(true) if call.hides_exit_code() && self.reads_as_failed_run(call, outcome)? => {
                self.failed(call, outcome, Certainty::Read).map(Some)
            }
            None if call.is_shell && self.reads_as_failed_run(call, outcome)? => {
                self.failed(call, outcome, Certainty::Read).map(Some)
            }
            Some(true) | None => {
                let printed = call.printed_exit_code(&outcome.text);
                if let Some(code) = printed.filter(|code| *code != 0) {
                    let outcome = Outcome { exit_code: Some(code), ..outcome.clone() };
                    return match is_benign(&call.without_report(), &outcome) {
                        true => Ok(None),
                        false => self.failed(call, &outcome, Certainty::Read).map(Some),
                    };
                }
                if printed.is_some() || call.shows_success() || call.hides_exit_code() {
                    self.worked(call)?;
                } else {
                    self.note_change(call, true)?;
                }
                Ok(self.repeated(call, outcome))
            }
        }
    }

    /// Whether the output shows a run that failed: an error type is named, and nothing shows success.
    fn reads_as_failed_run(&self, call: &Call, outcome: &Outcome) -> Result<bool, HookError> {
        let engine = self.project.engine()?;
        Ok(engine.taxonomy.reads_as_failure(outcome.text.as_bytes(), Some(&call.tool)))
    }

    /// The same call with the same result, again and again: reported at the ladder's threshold and each time it is reached again.
    fn repeated(&self, call: &Call, outcome: &Outcome) -> Option<String> {
        let threshold = recovery_engine::Policy::default().loops.force_done;
        let (tool, action) = (&call.tool, &call.action);
        let times = repeats::count(&self.state_dir, &self.session(), tool, action, &outcome.text, self.now);
        let is_due = times > 0 && times.is_multiple_of(threshold) && !call.is_polling(true);
        is_due.then(|| text::repeated(times))
    }

    /// A success is recorded only where the same call had failed before.
    fn worked(&self, call: &Call) -> Result<(), HookError> {
        let Some(ledger) = self.existing()? else { return self.note_change(call, true) };
        let task = self.task(call)?;
        let state = ledger.state(&task)?;
        let is_unchanged = self.world()?.changed_after(&state.attempts).is_none();
        self.note_change(call, true)?;
        let failed_before = state.attempts.iter().any(|attempt| {
            let earlier = attempt.action.as_ref().map(|action| Call { action: action.clone(), ..call.clone() });
            attempt.tool.as_ref() == Some(&call.tool)
                && earlier.is_none_or(|earlier| earlier.subject() == call.subject())
        });
        if !failed_before {
            return Ok(());
        }
        drop(ledger);
        if is_unchanged {
            flaky::remember(&self.state_dir, task.as_str(), self.now);
        }
        let engine = self.engine()?;
        let mut ledger = self.ledger()?;
        if state.is_stuck() {
            // What works needs no person any more.
            self.start_afresh(&mut ledger, &engine, &task, &state, "it works")?;
        }
        let id = self.content_id(call);
        self.decide(&mut ledger, &engine, &task, FailureEvent { id, ..FailureEvent::default() }, None)?;
        Ok(())
    }

    fn failed(&self, call: &Call, outcome: &Outcome, certainty: Certainty) -> Result<String, HookError> {
        let engine = self.engine()?;
        let task = self.task(call)?;
        let mut event = FailureEvent {
            id: self.content_id(call),
            tool: Some(call.tool.clone()),
            exit_code: if certainty == Certainty::Read { 1 } else { outcome.code() },
            stderr_tail: ends(&redact(&text::without_ours(&outcome.text))),
            // What was only read from the output is no action that could be held back.
            action: Some(call.action.clone()).filter(|_| outcome.ok.is_some()),
            zone: self.project.zone(),
            duration_ms: outcome.duration_ms,
            ..FailureEvent::default()
        };
        let root = self.project.root()?;
        let cwd = working_dir(self.report).unwrap_or_else(|| root.clone());
        let dir = call.dir.as_ref().map_or_else(|| cwd.clone(), |dir| cwd.join(dir));
        names::add(&mut event, &dir, &root);
        // Opening the journal takes longer than anything that is asked of it.
        let mut ledger = self.ledger()?;
        let past = self.account_for_change(&mut ledger, &engine, &task, &event, call)?;
        let observed = self.of_silent_program(&engine, &event, call);
        let decision = self.decide(&mut ledger, &engine, &task, event.clone(), observed)?;
        let fingerprint = decision.diagnosis.as_ref().map(|diagnosis| &diagnosis.fingerprint);
        let is_new = !past.state.attempts.iter().any(|attempt| Some(&attempt.fingerprint) == fingerprint);
        // A command that failed in a new way may have got somewhere first; one that could not be started has not.
        let got_somewhere = call.is_shell && is_new && !matches!(outcome.exit_code, Some(126 | 127));
        self.note_change(call, got_somewhere)?;
        let passes = match (&decision.classification, &decision.diagnosis) {
            (Some(class), Some(diagnosis)) => may_pass(class.class, diagnosis.error_type),
            _ => false,
        };
        let is_polling = call.is_polling(passes);
        let state = ledger.state(&task)?;
        let can_be_held = certainty == Certainty::Reported && self.can_be_held(&ledger, &task, call, &state)?;
        let held = if can_be_held { self.held(&ledger, &task, call, &state)? } else { None };
        let is_waiting = is_polling
            || passes && self.of_last_failure(&ledger, &task, call, &state, |failing| failing.waits_nearby())?;
        // The step is that of a first failure: a model cannot hand over or start afresh, and the loop has its own line.
        let first = (!past.state.attempts.is_empty()).then(|| {
            let observed = decision.diagnosis.as_ref();
            engine.decide(task.as_str(), &TaskState::default(), &admit(event.clone()), observed, self.now)
        });
        Ok(text::failure(&Failed {
            decision: &decision,
            first: first.as_ref().unwrap_or(&decision),
            output: &event.stderr_tail,
            outcome,
            call,
            certainty,
            identical: can_be_held
                .then(|| state.identical(&action_fingerprint(Some(&call.tool), &call.action)).count()),
            held: held.as_ref(),
            same: text::same_failures(&state),
            in_spite_of_changes: if past.is_changed { text::same_outcomes(&state) } else { 0 },
            asks_again: is_polling && passes,
            is_waiting,
            cwd: self.report.cwd.as_deref(),
            stopped: stopped(&decision, &state),
        }))
    }

    /// What the exit code means where a shell ran one program and that printed nothing: `curl` and others have codes of
    /// their own, and the agent names only the shell.
    fn of_silent_program(&self, engine: &Engine, event: &FailureEvent, call: &Call) -> Option<Diagnosis> {
        if !is_silent(&event.stderr_tail) {
            return None;
        }
        let of_program = FailureEvent { tool: Some(call.exiting_program()?), ..event.clone() };
        engine.assess(&admit(of_program), self.now).map(|assessed| assessed.diagnosis)
    }

    /// What happened since the task failed last: another outcome after a change is progress, and so is a failure after a
    /// long while, and asking again is no failure of its own; the ladder starts afresh. The same outcome after a change only
    /// starts the count of identical ones.
    fn account_for_change(
        &self,
        ledger: &mut Ledger,
        engine: &Engine,
        task: &TaskId,
        event: &FailureEvent,
        call: &Call,
    ) -> Result<Past, HookError> {
        let state = ledger.state(task)?;
        let Some(last) = state.attempts.last() else { return Ok(Past::default()) };
        if event.id.is_some() && state.attempts.iter().any(|attempt| attempt.id == event.id) {
            // Two hooks reported the same call.
            return Ok(Past { state, is_changed: false });
        }
        let changed_at = self.world()?.changed_after(&state.attempts);
        let passes = may_pass(last.class, last.error_type);
        if self.now.since(last.at) > FRESH_AFTER_MS {
            self.start_afresh(ledger, engine, task, &state, "a new failure after a while")?;
        } else if call.is_polling(passes)
            || passes && self.of_last_failure(ledger, task, call, &state, |failing| failing.waits_nearby())?
        {
            self.start_afresh(ledger, engine, task, &state, "it asks for something that may be there the next time")?;
        } else if let Some(changed_at) = changed_at {
            // The whole diagnosis is made once, for the decision.
            if fingerprint(admit(event.clone()).stderr_tail.as_bytes()) != last.fingerprint {
                self.start_afresh(ledger, engine, task, &state, "progress: another outcome after a change")?;
            } else {
                ledger.record(task, RecordKind::Change, self.now, |_| Entry::Changed { at: changed_at })?;
            }
        }
        Ok(Past { state, is_changed: changed_at.is_some() })
    }

    fn start_afresh(
        &self,
        ledger: &mut Ledger,
        engine: &Engine,
        task: &TaskId,
        state: &TaskState,
        reason: &str,
    ) -> Result<(), HookError> {
        let input = Input::Reset { reason: reason.to_owned() };
        let transitions = engine.advance(task.as_str(), state, input, self.now);
        let entry = Entry::Reset { at: self.now, reason: reason.to_owned(), transitions };
        ledger.record(task, RecordKind::Reset, self.now, |_| entry)?;
        Ok(())
    }

    /// The model's service failed: typed by the agent, or read from its text. Nobody listens to an answer here.
    pub(super) fn api_failure(&self, error_type: Option<ErrorType>, text: &str) -> Result<Option<Answer>, HookError> {
        let engine = self.engine()?;
        let task = self.named(&format!("{} api", self.report.agent))?;
        let event = FailureEvent {
            tool: Some(self.report.agent.name().to_owned()),
            exit_code: 1,
            stderr_tail: text.to_owned(),
            zone: self.project.zone(),
            ..FailureEvent::default()
        };
        let typed = error_type.and_then(|error| {
            let assessed = engine.assess(&admit(event.clone()), self.now)?;
            Some(Diagnosis { error_type: error, failure_type: error.failure_type(), ..assessed.diagnosis })
        });
        let mut ledger = self.ledger()?;
        self.account_for_change(&mut ledger, &engine, &task, &event, &Call::default())?;
        self.decide(&mut ledger, &engine, &task, event, typed)?;
        Ok(None)
    }
}

/// The rule that stopped the task, where the plan or the mission is the reason: how often something was tried is for a plan to
/// count, and an agent without one goes on while it makes progress.
fn stopped<'a>(decision: &Decision, state: &'a TaskState) -> Option<&'a Blocked> {
    let class = decision.classification.as_ref()?;
    let is_count = class.recommended_action == Action::FreezeAndEscalate && class.class != Class::F5;
    let blocked = state.climb().filter(|climb| climb.is_done())?.failure.blocked.as_ref()?;
    Some(blocked).filter(|_| !is_count || state.node.is_some())
}

/// Whether nothing was printed, in the words of the clients.
pub(super) fn is_silent(text: &str) -> bool {
    matches!(text.trim(), "" | "(no output)" | "(empty)")
}

/// The beginning and the end of a long output: a hook has no time for megabytes.
fn ends(text: &str) -> String {
    const HEAD_BYTES: usize = 32 << 10;
    const TAIL_BYTES: usize = 96 << 10;
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(HEAD_BYTES);
    let tail = text.ceil_char_boundary(text.len() - TAIL_BYTES);
    format!("{}\n{}", &text[..head], &text[tail..])
}
