//! What a person or the plan says about a task, and repairs that are asked for apart from any failure.
//!
//! In: a task, and in most cases a reason. Out: a [`Settled`] with the record and what became of the ladder. A task that the
//! journal does not know and an empty reason are errors: a typing mistake must not pass as done. To add such an operation,
//! add an `Entry` in `recovery-engine/src/state/entry.rs` and a method here.

use super::{Service, is_known};
use crate::ledger::{RecordRef, entry_of};
use crate::status::lists;
use crate::{ServiceError, notes};
use recovery_engine::{Admitted, Engine, Entry, Input, TaskState, Waiting, admit};
use recovery_redact::redact;
use recovery_store::{Journal, RecordKind, TaskId};
use recovery_types::ladder::{Climb, Command, Transition};
use recovery_types::repair::{GateOption, Repair, RepairRequest};
use recovery_types::{Level, Timestamp};

/// What a person's word about a task led to.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The task.
    pub task: TaskId,
    /// Where it is recorded.
    pub record: RecordRef,
    /// How the ladder ended.
    pub transitions: Vec<Transition>,
}

impl<J: Journal> Service<J> {
    /// It works, or it was dealt with. The name of a conflict settles it for every task that waits for it.
    ///
    /// # Errors
    /// Without a reason, for a task or conflict that the journal does not know, or where it cannot be written.
    pub fn resolve(&mut self, task: &TaskId, reason: &str) -> Result<Settled, ServiceError> {
        if !is_known(&self.ledger.state(task)?) {
            let settled = self.resolve_conflict(task.as_str(), reason)?;
            return settled.into_iter().next().ok_or_else(|| ServiceError::NoSuchTask { task: task.clone() });
        }
        self.settle(task, reason, RecordKind::Resolve, |engine, state, reason, at| {
            // After force-done, which may be overdue, nothing but a reset moves the ladder.
            let stuck = engine.ladder_at(task.as_str(), state, at).level == Some(Level::ForceDone);
            let input = if stuck { Input::Reset { reason: reason.clone() } } else { Input::Success };
            let transitions = engine.advance(task.as_str(), state, input, at);
            Entry::Resolved { at, reason, transitions }
        })
    }

    /// The task starts afresh.
    ///
    /// # Errors
    /// As [`Service::resolve`].
    pub fn reset(&mut self, task: &TaskId, reason: &str) -> Result<Settled, ServiceError> {
        self.settle(task, reason, RecordKind::Reset, |engine, state, reason, at| {
            let input = Input::Reset { reason: reason.clone() };
            let transitions = engine.advance(task.as_str(), state, input, at);
            Entry::Reset { at, reason, transitions }
        })
    }

    /// The tasks that wait for a conflict to be settled, by name.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn conflicts(&self) -> Result<Vec<(TaskId, Waiting)>, ServiceError> {
        let tasks = self.ledger.in_lists(&[lists::OTHER, lists::STUCK])?.into_iter();
        let of_task = |(task, state): (TaskId, TaskState)| {
            state.open_conflicts().map(|waiting| (task.clone(), waiting.clone())).collect::<Vec<_>>()
        };
        let mut waiting: Vec<_> = tasks.flat_map(of_task).collect();
        waiting.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(waiting)
    }

    /// A conflict is settled: every task that waits for it, or was given up because of it, may go on.
    ///
    /// # Errors
    /// Without a reason, or where the journal cannot be written.
    pub fn resolve_conflict(&mut self, conflict: &str, reason: &str) -> Result<Vec<Settled>, ServiceError> {
        let waiting = self.conflicts()?.into_iter().filter(|(_, waiting)| waiting.conflict == conflict);
        let mut settled = Vec::new();
        for (task, _) in waiting {
            let conflict = conflict.to_owned();
            settled.push(self.settle(&task, reason, RecordKind::Resolve, |_, _, reason, at| Entry::Arbitrated {
                at,
                conflict,
                reason,
            })?);
        }
        // A conflict that came back too often waits for a person, no longer for the arbiter.
        for (task, state) in self.ledger.in_lists(&[lists::STUCK, lists::STUCK_FOR_LONG])? {
            let is_because_of_it = |climb: &Climb| match &climb.command {
                Command::ForceDone { report } => report.failure_reason.contains(conflict),
                _ => false,
            };
            if state.arbitrations(conflict) > 0 && state.climb().is_some_and(is_because_of_it) {
                settled.push(self.resolve(&task, reason)?);
            }
        }
        Ok(settled)
    }

    /// What a person chose at the gate that a failed verification goes to where repair is off.
    ///
    /// # Errors
    /// As [`Service::resolve`].
    pub fn answer_gate(&mut self, task: &TaskId, option: GateOption, reason: &str) -> Result<Settled, ServiceError> {
        self.settle(task, reason, RecordKind::Resolve, |engine, state, reason, at| {
            let is_given_up = state.climb().is_some_and(Climb::is_done);
            let input = match option {
                // The answer is the person's that the task waits for.
                GateOption::Retry | GateOption::Skip if is_given_up => Input::Reset { reason: reason.clone() },
                GateOption::Retry | GateOption::Stop => Input::Tick,
                GateOption::Skip => Input::Skip { reason: reason.clone() },
            };
            let transitions = engine.advance(task.as_str(), state, input, at);
            Entry::GateAnswered { at, option, reason, transitions }
        })
    }

    /// Chooses how a task is repaired, with what the journal knows was tried before what the request states, and records
    /// the proposal, so that the budget is kept from call to call.
    ///
    /// # Errors
    /// Where the journal cannot be read or written.
    pub fn repair(&mut self, task: &TaskId, request: Admitted<RepairRequest>) -> Result<Repair, ServiceError> {
        let mut request = request.into_inner();
        let known = self.ledger.state(task)?.repairs;
        request.attempts.retain(|attempt| known.iter().all(|known| known.approach != attempt.approach));
        request.attempts.splice(0..0, known);
        request.plan.decisions.extend(notes::decisions(&self.setup.notes_dir));
        let request = admit(request);
        let at = self.clock.now();
        let repair = self.setup.engine.select_repair(&request, at);
        let number = request.task.number.clone();
        let proposed = Box::new(repair.clone());
        self.ledger.record(task, RecordKind::Change, at, |_| Entry::RepairProposed { at, number, repair: proposed })?;
        Ok(repair)
    }

    /// The outcome of the task's last repair; the log lines that are true now. The outcome of a sub-task is a step of the task
    /// that was decomposed, whose own repair has worked once every sub-task has.
    ///
    /// # Errors
    /// For a task that the journal does not know or that nothing was proposed for, or where it cannot be written.
    pub fn repaired(&mut self, task: &TaskId, ok: bool) -> Result<Vec<String>, ServiceError> {
        let state = self.ledger.state(task)?;
        let parent = self.decomposed_into(task)?;
        let mut log = Vec::new();
        if !state.repairs.is_empty() {
            log.extend(self.record_outcome(task, &state, ok)?);
        } else if parent.is_none() && !is_known(&state) {
            return Err(ServiceError::NoSuchTask { task: task.clone() });
        } else if parent.is_none() || !ok {
            // A sub-task that failed has an error to be repaired.
            return Err(ServiceError::NoRepair { task: task.clone() });
        }
        if let (true, Some(parent)) = (ok, parent) {
            let (at, step) = (self.clock.now(), task.as_str().to_owned());
            self.ledger.record(&parent, RecordKind::Change, at, |_| Entry::StepDone { at, step })?;
            let state = self.ledger.state(&parent)?;
            if state.sub_tasks(parent.as_str()).iter().all(|sub_task| state.steps.contains(sub_task)) {
                log.extend(self.record_outcome(&parent, &state, true)?);
            }
        }
        Ok(log)
    }

    fn record_outcome(&mut self, task: &TaskId, state: &TaskState, ok: bool) -> Result<Option<String>, ServiceError> {
        let (at, log) = (self.clock.now(), state.repair_log(task.as_str(), ok));
        let line = log.clone();
        self.ledger.record(task, RecordKind::Change, at, |_| Entry::Repaired { at, ok, log: line })?;
        Ok(log)
    }

    /// The task that a DECOMPOSE made this one of, where it is not repaired yet.
    fn decomposed_into(&self, task: &TaskId) -> Result<Option<TaskId>, ServiceError> {
        let Some((parent, _)) = task.as_str().rsplit_once('.') else { return Ok(None) };
        let Ok(parent) = TaskId::new(parent) else { return Ok(None) };
        let sub_tasks = self.ledger.state(&parent)?.sub_tasks(parent.as_str());
        Ok(sub_tasks.iter().any(|sub_task| sub_task == task.as_str()).then_some(parent))
    }

    /// Freezes a node of the plan and everything below it: nothing is tried until it is thawed. The tasks concerned.
    ///
    /// # Errors
    /// Without a reason, for a node that the journal does not know, or where it cannot be written.
    pub fn freeze(&mut self, node: &TaskId, reason: &str) -> Result<Vec<TaskId>, ServiceError> {
        let mut concerned = self.each_below(node, reason, |at, reason| Entry::Frozen { at, reason })?;
        // A node that only others name is recorded too, for what is added below it later.
        if !concerned.contains(node) {
            let (at, reason) = (self.clock.now(), redact(reason).into_owned());
            self.ledger.record(node, RecordKind::Change, at, |_| Entry::Frozen { at, reason })?;
            concerned.push(node.clone());
        }
        Ok(concerned)
    }

    /// Thaws a node and everything below it, with `budget` replans where that is given. A task that a rule had stopped, and not
    /// its error, goes back to work. The tasks concerned.
    ///
    /// # Errors
    /// As [`Service::freeze`].
    pub fn thaw(&mut self, node: &TaskId, reason: &str, budget: Option<u32>) -> Result<Vec<TaskId>, ServiceError> {
        let concerned = self.each_below(node, reason, |at, reason| Entry::Thawed { at, reason, budget })?;
        for task in &concerned {
            let state = self.ledger.state(task)?;
            if state.climb().is_some_and(|climb| climb.is_done() && climb.failure.blocked.is_some()) {
                self.reset(task, reason)?;
            }
        }
        Ok(concerned)
    }

    fn each_below(
        &mut self,
        node: &TaskId,
        reason: &str,
        entry: impl Fn(Timestamp, String) -> Entry,
    ) -> Result<Vec<TaskId>, ServiceError> {
        if reason.trim().is_empty() {
            return Err(ServiceError::NoReason);
        }
        let tasks = self.ledger.tasks()?;
        let mut nodes = vec![node.as_str().to_owned()];
        let mut concerned: Vec<TaskId> = Vec::new();
        while let Some(node) = nodes.pop() {
            for (task, state) in &tasks {
                let is_it = task.as_str() == node || state.node.as_deref() == Some(&node);
                let is_below = state.parent.as_deref() == Some(&node);
                if (is_it || is_below) && !concerned.contains(task) {
                    concerned.push(task.clone());
                    nodes.extend(state.node.clone().filter(|other| *other != node));
                }
            }
        }
        if concerned.is_empty() {
            return Err(ServiceError::NoSuchTask { task: node.clone() });
        }
        let (at, reason) = (self.clock.now(), redact(reason).into_owned());
        for task in &concerned {
            self.ledger.record(task, RecordKind::Change, at, |_| entry(at, reason.clone()))?;
        }
        Ok(concerned)
    }

    fn settle(
        &mut self,
        task: &TaskId,
        reason: &str,
        kind: RecordKind,
        entry: impl FnOnce(&Engine, &TaskState, String, Timestamp) -> Entry,
    ) -> Result<Settled, ServiceError> {
        if reason.trim().is_empty() {
            return Err(ServiceError::NoReason);
        }
        if !is_known(&self.ledger.state(task)?) {
            return Err(ServiceError::NoSuchTask { task: task.clone() });
        }
        let (engine, at, reason) = (&self.setup.engine, self.clock.now(), redact(reason).into_owned());
        let record = self.ledger.record(task, kind, at, |state| entry(engine, state, reason, at))?;
        let entry = entry_of(&record).ok().flatten();
        let transitions = entry.map(|entry| entry.transitions().to_vec()).unwrap_or_default();
        self.note(&transitions);
        Ok(Settled { task: task.clone(), record: RecordRef::of(&record), transitions })
    }
}
