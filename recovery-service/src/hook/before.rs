//! Before a tool runs: whether the identical call that keeps failing is held back.
//!
//! A false denial is the worst that a hook can do. So every reason against a hold is asked before the hold itself: a person
//! allowed it, something changed, the call asks again by nature, it is known to be flaky, or something else still runs.

use super::{Hook, HookError, JOURNAL_WAIT, flaky, text};
use crate::ledger::Ledger;
use recovery_agents::{Answer, Call};
use recovery_engine::{Entry, TaskState, action_fingerprint};
use recovery_store::{RecordKind, TaskId};
use recovery_types::{Class, ErrorType};

/// How long a hold lasts once `max_attempts` identical failures have been seen.
const LONG_HOLD_MS: u64 = 3_600_000;
/// Words of a failure that something on this machine or beside it is not there yet.
const NEARBY_WORDS: [&str; 8] =
    ["refused", "localhost", "127.0.0.1", "[::1]", "can't connect to local", "starting up", "not ready", "unreachable"];
/// How much of an output's end is searched for them.
const NEARBY_BYTES: usize = 2 << 10;

impl Hook<'_> {
    /// The identical action that keeps failing in the identical way is not run again until something changes.
    pub(super) fn before(&self, call: &Call) -> Result<Option<Answer>, HookError> {
        if call.is_ours() {
            return Ok(None);
        }
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let task = self.task(call)?;
        let state = ledger.state(&task)?;
        let Some(last) = state.attempts.last().filter(|_| state.failures > 0) else { return Ok(None) };
        let (world, since) = (self.world()?, last.at);
        // A clock that was set back cannot show what happened since.
        if self.now < since || world.changed_after(&state.attempts).is_some() {
            return Ok(None);
        }
        if world.changed_since(since, &call.action) {
            world.mark(self.now);
            return Ok(None);
        }
        let Some(held) = self.held(&ledger, &task, call, &state)? else { return Ok(None) };
        drop(ledger);
        let entry = Entry::Held {
            at: self.now,
            action: action_fingerprint(Some(&call.tool), &call.action),
            session: self.session(),
            saved_ms: last.duration_ms.unwrap_or_default(),
        };
        let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
        ledger.record(&task, RecordKind::Change, self.now, |_| entry)?;
        Ok(Some(Answer::Deny(text::held(&held, &state, self.now))))
    }

    /// What holds the call back at this moment.
    fn held(
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
        let identical = state.identical(&action);
        let is_long = identical >= self.project.settings()?.max_attempts.max(1);
        let until = if is_long { denial.until.max(last.at.plus_ms(LONG_HOLD_MS)) } else { denial.until };
        Ok((until > self.now).then(|| text::Hold { identical, until, reason: denial.reason.clone() }))
    }

    /// Whether nothing speaks against holding the call back, however often it fails.
    pub(super) fn can_be_held(
        &self,
        ledger: &Ledger,
        task: &TaskId,
        call: &Call,
        state: &TaskState,
    ) -> Result<bool, HookError> {
        let Some(last) = state.attempts.last() else { return Ok(false) };
        let passes = may_pass(last.class, last.error_type);
        let is_exempt = state.allowed
            || call.hides_exit_code()
            || !call.shows_success()
            || call.is_polling(passes)
            // What a command in the background is to make may be there at any moment; looking for it costs nothing.
            || call.only_looks() && self.world()?.is_busy(self.now)
            || flaky::is_flaky(&self.state_dir, task.as_str(), self.now)
            || passes && self.waits_nearby(ledger, task)?;
        Ok(!is_exempt)
    }

    /// Whether the task waits for something on this machine or beside it: a server that starts, a lock that is let go of.
    /// Nobody announces when that is; asking again is how to find out.
    pub(super) fn waits_nearby(&self, ledger: &Ledger, task: &TaskId) -> Result<bool, HookError> {
        let decided = ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let Some(Entry::Decided { decision, event, .. }) = decided else { return Ok(false) };
        Ok(match &decision.resource {
            Some(resource) => is_nearby(resource),
            None => {
                let end = event.stderr_tail.ceil_char_boundary(event.stderr_tail.len().saturating_sub(NEARBY_BYTES));
                let output = event.stderr_tail[end..].to_ascii_lowercase();
                NEARBY_WORDS.iter().any(|word| output.contains(word))
            }
        })
    }
}

/// Whether time alone may end the failure: it is transient, or nobody knows what it is.
pub(super) fn may_pass(class: Class, error: ErrorType) -> bool {
    class == Class::F1 || error == ErrorType::Other
}

/// Whether the resource (see [`Decision`]) is on this machine or in the same network.
fn is_nearby(resource: &str) -> bool {
    let (kind, name) = resource.split_once(':').unwrap_or(("", resource));
    let host = name.rsplit_once(':').map_or(
        name,
        |(host, port)| {
            if port.chars().all(|c| c.is_ascii_digit()) { host } else { name }
        },
    );
    let host = host.trim_matches(['[', ']']);
    match host.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(v4)) => v4.is_loopback() || v4.is_private() || v4.is_unspecified(),
        Ok(std::net::IpAddr::V6(v6)) => v6.is_loopback() || v6.is_unique_local() || v6.is_unspecified(),
        Err(_) => {
            let beside = [".local", ".localhost", ".internal", ".test", ".lan"];
            kind == "lock" || !host.contains('.') || beside.iter().any(|ending| host.ends_with(ending))
        }
    }
}
