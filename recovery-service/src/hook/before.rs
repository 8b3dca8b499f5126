//! Before a tool runs: whether the identical call that keeps failing is held back.
//!
//! In: the call that is about to run. Out: a denial with its reason, or nothing. A wrong denial is the worst that a
//! hook can do, so the exemptions (`super::exempt`) and the changes in the project (`super::world`) are checked
//! before a hold takes effect.

use super::exempt::Failing;
use super::files::Seen;
use super::{Hook, HookError, JOURNAL_TIMEOUT, flaky, running, text};
use crate::ledger::Ledger;
use recovery_agents::{Agent, Answer, Call};
use recovery_engine::{Attempt, Entry, PAUSE_MS, TaskState, action_fingerprint};
use recovery_store::{RecordKind, TaskId};
use recovery_types::{Class, ErrorType};

impl Hook<'_> {
    /// The identical action that keeps failing in the identical way is not run again until something changes.
    pub(super) fn before(&self, call: &Call) -> Result<Option<Answer>, HookError> {
        // Most calls look, and those are never held back: nothing has to be opened for them.
        if call.is_ours() || call.is_read_only() {
            return Ok(None);
        }
        let answer = self.before_change(call)?;
        // Codex does not report the end of a patch or an MCP call that failed, and waits for both.
        let can_go_on = call.is_shell || self.report.agent != Agent::Codex;
        if answer.is_none() && can_go_on && !call.is_nested_agent() {
            running::started(&self.state_dir, &self.caller(), call, self.now);
        }
        Ok(answer)
    }

    fn before_change(&self, call: &Call) -> Result<Option<Answer>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let task = self.task(call)?;
        let state = ledger.state(&task)?;
        let Some(last) = state.attempts.last().filter(|_| state.failures > 0) else { return Ok(None) };
        let (world, since) = (self.world()?, last.at);
        // A clock that was set back cannot show what happened since.
        if self.now < since || world.changed_after(&state.attempts).is_some() {
            return Ok(None);
        }
        match world.changed_since(since, &call.action) {
            Seen::Changed => {
                world.mark(self.now);
                return Ok(None);
            }
            Seen::Unknown => return Ok(None),
            Seen::Unchanged => {}
        }
        let Some(held) = self.held(&ledger, &task, call, &state)? else { return Ok(None) };
        let failed = ledger.last_entry(&task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let output = match &failed {
            Some(Entry::Decided { event, .. }) => event.stderr_tail.as_str(),
            _ => "",
        };
        drop(ledger);
        let entry = Entry::Held {
            at: self.now,
            action: action_fingerprint(Some(&call.tool), &call.action),
            session: self.session(),
            saved_ms: last.duration_ms.unwrap_or_default(),
            until: Some(held.until),
        };
        let mut ledger = Ledger::open(&self.store, JOURNAL_TIMEOUT)?;
        ledger.record(&task, RecordKind::Change, self.now, |_| entry)?;
        Ok(Some(Answer::Deny(text::held(&held, &state, output, self.now))))
    }

    /// What holds the call back at this moment.
    pub(super) fn held(
        &self,
        ledger: &Ledger,
        task: &TaskId,
        call: &Call,
        state: &TaskState,
    ) -> Result<Option<text::Hold>, HookError> {
        let Some(last) = state.attempts.last() else { return Ok(None) };
        let action = action_fingerprint(Some(&call.tool), &call.action);
        let Some(denial) = state.denied.iter().rev().find(|denial| denial.action == action) else { return Ok(None) };
        if !self.can_be_held(ledger, task, call, state)? {
            return Ok(None);
        }
        let identical = state.identical(&action).count();
        let until = match call.is_remote() {
            // Others change what it depends on, and nothing here shows that.
            true => denial.until.min(last.at.plus_ms(PAUSE_MS)),
            false => denial.until,
        };
        Ok((until > self.now).then(|| text::Hold { identical, until, reason: denial.reason.clone() }))
    }

    /// Whether no exemption prevents holding the call back.
    pub(super) fn can_be_held(
        &self,
        ledger: &Ledger,
        task: &TaskId,
        call: &Call,
        state: &TaskState,
    ) -> Result<bool, HookError> {
        if state.attempts.is_empty() {
            return Ok(false);
        }
        self.of_last_failure(ledger, task, call, state, |failing| failing.exemption().is_none())
    }

    /// What `ask` makes of the call and its task's last failure.
    pub(super) fn of_last_failure<T>(
        &self,
        ledger: &Ledger,
        task: &TaskId,
        call: &Call,
        state: &TaskState,
        ask: impl FnOnce(&Failing<'_>) -> T,
    ) -> Result<T, HookError> {
        let decided = ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let last = match &decided {
            Some(Entry::Decided { event, decision, .. }) => Some((&***event, &**decision)),
            _ => None,
        };
        let action = action_fingerprint(Some(&call.tool), &call.action);
        let enough = last.map_or(1, |(_, decision)| decision.held_after());
        let is_callers = |attempt: &Attempt| attempt.id.as_deref().is_none_or(|id| self.is_callers(id));
        Ok(ask(&Failing {
            call,
            state,
            last,
            is_flaky: flaky::is_flaky(&self.state_dir, task.as_str(), self.now),
            is_own: state.identical(&action).take(enough).all(is_callers),
            beside: running::beside(&self.state_dir, self.now),
        }))
    }
}

/// Whether time alone may end the failure: it is transient, or not recognised.
pub(super) fn may_pass(class: Class, error: ErrorType) -> bool {
    class == Class::F1 || error == ErrorType::Other
}
