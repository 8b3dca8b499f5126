//! What the tasks of a store share about a resource: its cooldown and its circuit breaker.
//!
//! In: a failure that names a resource, a success after one, or a command that is about to run. Out: how long the task waits
//! for the resource; what the others have to know is stored in the transaction that records the decision. Times are those
//! of the store's clock, because clocks of machines differ; what a caller is told is by its own. The rules themselves are in
//! `escalation/src/breaker.rs`.

use super::{Ledger, PROJECT};
use crate::ServiceError;
use recovery_engine::{Breaker, Decision, Engine, Hold, TaskState, stated_wait};
use recovery_redact::redact;
use recovery_store::{Journal, JournalExt as _, NewRecord, RecordKind, StoreError, TaskId, TaskTransaction};
use recovery_types::terminal::escaped_json;
use recovery_types::{Cooldown, CooldownState, Timestamp};

impl<J: Journal> Ledger<J> {
    /// What `task` waits for before it runs `command`: the resource that the command names, or that its last transient
    /// failure was about, is given a rest. `waited_for` is the wait that it has sat out. Where it may go on while the
    /// breaker is half open, it holds the lease.
    pub fn admit(
        &mut self,
        engine: &Engine,
        task: &TaskId,
        command: &str,
        waited_for: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Option<Cooldown>, ServiceError> {
        let named = engine.resource_of_command(command);
        let Some(resource) =
            named.map_or_else(|| self.state(task).map(|state| state.resource), |name| Ok(Some(name)))?
        else {
            return Ok(None);
        };
        // Most resources are never given a rest: no writer is kept waiting for that.
        let is_calm = |state: &[u8]| parse_breaker(Some(state)).is_calm();
        if self.journal.resource(&resource)?.is_none_or(|state| is_calm(&state)) {
            return Ok(None);
        }
        self.journal.transact(task, |chain| {
            let mut breaker = parse_breaker(chain.resource(&resource)?.as_deref());
            let clock = chain.clock()?.unwrap_or(now);
            let hold = breaker.admit(&engine.breaker, task.as_str(), waited_for, clock);
            put_breaker(chain, &resource, &breaker)?;
            Ok(hold.map(|hold| cooldown(&resource, hold, clock, now)))
        })
    }

    /// Every resource that something is known of, by name, with the store's time.
    pub fn breakers(&mut self, now: Timestamp) -> Result<(Timestamp, Vec<(String, Breaker)>), ServiceError> {
        let project = TaskId::new(PROJECT)?;
        let clock = self.journal.transact(&project, |chain| chain.clock())?.unwrap_or(now);
        let known = self.journal.resources()?.into_iter().map(|(name, state)| (name, parse_breaker(Some(&state))));
        Ok((clock, known.filter(|(_, breaker)| !breaker.is_calm()).collect()))
    }

    /// A person lets every task use the resource again; false where nothing was known of it.
    pub fn reset_breaker(&mut self, resource: &str, now: Timestamp) -> Result<bool, ServiceError> {
        let project = TaskId::new(PROJECT)?;
        self.journal.transact(&project, |chain| {
            let breaker = parse_breaker(chain.resource(resource)?.as_deref());
            if breaker.is_calm() {
                return Ok(false);
            }
            put_breaker(chain, resource, &Breaker::default())?;
            let body = serde_json::json!({ "breaker_reset": redact(resource) }).to_string();
            let body = escaped_json(body);
            chain.append(NewRecord { at: now, kind: RecordKind::Note, content_id: None, body })?;
            Ok(true)
        })
    }
}

/// What the tasks of a store share about the resource of one failure, while it is decided about.
pub(super) struct SharedResource<'a> {
    engine: &'a Engine,
    task: &'a TaskId,
    now: Timestamp,
    /// The resource with what is known of it and the store's time; or why that could not be read.
    known: Result<Option<(String, Breaker, Timestamp)>, StoreError>,
    /// What the failure waits for.
    pub(super) cooldown: Option<Cooldown>,
}

impl<'a> SharedResource<'a> {
    pub(super) fn new(engine: &'a Engine, task: &'a TaskId, now: Timestamp) -> Self {
        Self { engine, task, now, known: Ok(None), cooldown: None }
    }

    /// Reads what is known of the resource, and how long this task waits for it.
    pub(super) fn hold(&mut self, chain: &mut dyn TaskTransaction, resource: &str) -> Option<Cooldown> {
        let mut known = || -> Result<(Breaker, Timestamp), StoreError> {
            Ok((parse_breaker(chain.resource(resource)?.as_deref()), chain.clock()?.unwrap_or(self.now)))
        };
        match known() {
            Ok((mut breaker, clock)) => {
                let hold = breaker.hold(&self.engine.breaker, self.task.as_str(), clock);
                self.cooldown = hold.map(|hold| cooldown(resource, hold, clock, self.now));
                self.known = Ok(Some((resource.to_owned(), breaker, clock)));
            }
            Err(error) => self.known = Err(error),
        }
        self.cooldown.clone()
    }

    /// Stores what the decision makes known to the others.
    pub(super) fn settle(
        &mut self,
        chain: &mut dyn TaskTransaction,
        past: &TaskState,
        command: Option<&str>,
        decision: &Decision,
    ) -> Result<(), ServiceError> {
        if let Some((resource, mut breaker, clock)) = std::mem::replace(&mut self.known, Ok(None))? {
            let stated = decision.diagnosis.as_ref().and_then(|diagnosis| stated_wait(diagnosis, self.now));
            let stated = stated.map(|until| clock.plus_ms(until.since(self.now)));
            breaker.failed(&self.engine.breaker, self.task.as_str(), stated, clock);
            put_breaker(chain, &resource, &breaker)?;
        } else if !decision.failure
            // Who tried for all others may never have failed itself.
            && let Some(resource) = past.resource.clone().or_else(|| self.engine.resource_of_command(command?))
            && let Some(state) = chain.resource(&resource)?
        {
            let mut breaker = parse_breaker(Some(&state));
            let before = breaker.clone();
            breaker.worked(&self.engine.breaker, chain.clock()?.unwrap_or(self.now));
            if breaker != before {
                put_breaker(chain, &resource, &breaker)?;
            }
        }
        Ok(())
    }
}

/// A wait by the store's clock as a wait by the caller's.
fn cooldown(resource: &str, hold: Hold, clock: Timestamp, now: Timestamp) -> Cooldown {
    // Why it is closed to everybody is for `breaker list`; a caller only waits.
    let state = if hold.state == CooldownState::HalfOpen { hold.state } else { CooldownState::Open };
    Cooldown { resource: resource.to_owned(), until: now.plus_ms(hold.until.since(clock)), state }
}

/// What is stored of a resource. What cannot be read, from a newer program say, holds nobody up.
fn parse_breaker(state: Option<&[u8]>) -> Breaker {
    state.and_then(|state| serde_json::from_slice(state).ok()).unwrap_or_default()
}

fn put_breaker(chain: &mut dyn TaskTransaction, resource: &str, breaker: &Breaker) -> Result<(), ServiceError> {
    let state = serde_json::to_vec(breaker).map_err(|source| StoreError::InvalidBody { reason: source.to_string() })?;
    Ok(chain.put_resource(resource, &state)?)
}
