//! Where a run's decisions are kept, and what happens when they cannot be.
//!
//! Each step of a run is recorded before it is taken. [`Recorder`] is the durable record; `recovery` implements it over its
//! journal. A journal that cannot be written must not change what happens to the command, so the driver keeps the
//! task's state in memory too ([`MemoryRecorder`]), and after the first error it continues with that alone.

use recovery_engine::{Admitted, Decision, Engine, Entry, Input, TaskState};
use recovery_types::ladder::Transition;
use recovery_types::{Cooldown, Diagnosis, FailureEvent, Timestamp};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::fmt::Display;

/// Keeps the decisions about one task.
pub trait Recorder {
    /// Why a record could not be read or written.
    type Error: Display;

    /// The task's state.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn state(&self) -> Result<TaskState, Self::Error>;

    /// Decides about `attempt` and records the decision in one step.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    fn decide(
        &mut self,
        engine: &Engine,
        attempt: AttemptResult,
        at: Timestamp,
    ) -> Result<RecordedDecision, Self::Error>;

    /// Records what `input`, which is no event, makes of the ladder; see [`advanced`].
    ///
    /// # Errors
    /// When the record cannot be read or written.
    fn advance(
        &mut self,
        engine: &Engine,
        input: &Input,
        reason: &str,
        at: Timestamp,
    ) -> Result<Vec<Transition>, Self::Error>;

    /// Records that the run ended without success: nothing of the task goes on.
    ///
    /// # Errors
    /// When the record cannot be written.
    fn run_ended(&mut self, at: Timestamp) -> Result<(), Self::Error>;

    /// The last decision's entry.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn last_decided(&self) -> Result<Option<Entry>, Self::Error>;

    /// What has to be waited for before `command` runs, because other tasks met a limit that it would meet too. `waited_for`
    /// is the wait that was sat out.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    fn admit(
        &mut self,
        _engine: &Engine,
        _command: &str,
        _waited_for: Option<Timestamp>,
        _at: Timestamp,
    ) -> Result<Option<Cooldown>, Self::Error> {
        Ok(None)
    }

    /// Does to the working tree what the decision requires, as far as the user allowed it. Returns what was done, what was
    /// refused, and what is left to do.
    fn carry_out(&mut self, decision: &Decision) -> Vec<TreeChange> {
        let _ = decision;
        Vec::new()
    }
}

/// What became of the working tree after a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeChange {
    /// What was done, refused or is left to do.
    pub what: String,
    /// The branch that holds the progress, where it was committed.
    pub branch: Option<String>,
}

impl From<String> for TreeChange {
    fn from(what: String) -> Self {
        Self { what, branch: None }
    }
}

/// The entry for what `input`, which is no event, makes of a task's ladder.
#[must_use]
pub fn advanced(engine: &Engine, task: &str, state: &TaskState, input: &Input, reason: &str, at: Timestamp) -> Entry {
    let transitions = engine.advance(task, state, input.clone(), at);
    let reason = reason.to_owned();
    match input {
        Input::Reset { .. } => Entry::Reset { at, reason, transitions },
        _ => Entry::Moved { at, reason, transitions },
    }
}

/// The transitions of an entry that [`advanced`] made.
#[must_use]
pub fn transitions(entry: &Entry) -> &[Transition] {
    match entry {
        Entry::Decided { decision, .. } => &decision.transitions,
        Entry::Moved { transitions, .. } | Entry::Reset { transitions, .. } => transitions,
        _ => &[],
    }
}

/// How a command ended, to decide about.
#[derive(Clone, Debug)]
pub struct AttemptResult {
    /// The event, without secrets.
    pub event: Admitted<FailureEvent>,
    /// The diagnosis of the whole output, of which the event holds the last part.
    pub observed: Option<Diagnosis>,
    /// The commit that HEAD names.
    pub head: Option<String>,
}

/// A decision together with its place in the record.
#[derive(Clone, Debug)]
pub struct RecordedDecision {
    /// What was decided.
    pub decision: Decision,
    /// Where it is recorded; `None` where it is not.
    pub record: Option<RecordId>,
}

/// A record's place in its task's chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordId {
    /// Its number, from 1.
    pub seq: u64,
    /// Its hash, as `journal export` shows it.
    pub hash: String,
}

/// Keeps decisions in memory only.
#[derive(Clone, Debug, Default)]
pub struct MemoryRecorder {
    task: String,
    state: TaskState,
    entries: Vec<Entry>,
}

impl MemoryRecorder {
    /// For a task, which nothing is known about yet.
    #[must_use]
    pub fn new(task: &str) -> Self {
        Self { task: task.to_owned(), ..Self::default() }
    }

    /// Every entry so far, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn apply(&mut self, entry: Entry) {
        self.state.apply(&entry);
        self.entries.push(entry);
    }
}

impl Recorder for MemoryRecorder {
    type Error = Infallible;

    fn state(&self) -> Result<TaskState, Infallible> {
        Ok(self.state.clone())
    }

    fn decide(
        &mut self,
        engine: &Engine,
        attempt: AttemptResult,
        at: Timestamp,
    ) -> Result<RecordedDecision, Infallible> {
        let AttemptResult { event, observed, head } = attempt;
        let (event, observed) = engine.truncate_for_storage(event, observed, at);
        let event = event.or_good_commit(self.state.good_commit.as_deref());
        let decision = engine.decide(&self.task, &self.state, &event, observed.as_ref(), at);
        let policy = engine.own_ladder.then(|| Box::new(engine.ladder.clone()));
        let observed = observed.map(Box::new);
        let made = Box::new(decision.clone());
        self.apply(Entry::Decided { event: Box::new(event), observed, head, policy, decision: made });
        Ok(RecordedDecision { decision, record: None })
    }

    fn advance(
        &mut self,
        engine: &Engine,
        input: &Input,
        reason: &str,
        at: Timestamp,
    ) -> Result<Vec<Transition>, Infallible> {
        let entry = advanced(engine, &self.task, &self.state, input, reason, at);
        let made = transitions(&entry).to_vec();
        self.apply(entry);
        Ok(made)
    }

    fn run_ended(&mut self, at: Timestamp) -> Result<(), Infallible> {
        self.apply(Entry::RunEnded { at });
        Ok(())
    }

    fn last_decided(&self) -> Result<Option<Entry>, Infallible> {
        Ok(self.entries.iter().rev().find(|entry| matches!(entry, Entry::Decided { .. })).cloned())
    }
}

/// The durable record while it works, and memory from its first error on.
#[derive(Debug)]
pub(crate) struct Records<R> {
    durable: Option<R>,
    memory: MemoryRecorder,
    trouble: Option<String>,
}

impl<R: Recorder> Records<R> {
    /// Records of `task`; in memory only where there is no durable record.
    pub fn new(task: &str, durable: Option<R>) -> Self {
        Self { durable, memory: MemoryRecorder::new(task), trouble: None }
    }

    /// Why nothing is recorded from now on; once.
    pub fn trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    pub fn state(&mut self) -> TaskState {
        if let Some(state) = self.durable(|recorder| recorder.state()) {
            self.memory.state = state;
        }
        self.memory.state.clone()
    }

    pub fn decide(&mut self, engine: &Engine, attempt: AttemptResult, at: Timestamp) -> RecordedDecision {
        match self.durable(|recorder| recorder.decide(engine, attempt.clone(), at)) {
            Some(recorded) => recorded,
            None => match self.memory.decide(engine, attempt, at) {
                Ok(recorded) => recorded,
                Err(never) => match never {},
            },
        }
    }

    pub fn advance(&mut self, engine: &Engine, input: &Input, reason: &str, at: Timestamp) -> Vec<Transition> {
        match self.durable(|recorder| recorder.advance(engine, input, reason, at)) {
            Some(made) => made,
            None => match self.memory.advance(engine, input, reason, at) {
                Ok(made) => made,
                Err(never) => match never {},
            },
        }
    }

    pub fn carry_out(&mut self, decision: &Decision) -> Vec<TreeChange> {
        self.durable.as_mut().map(|recorder| recorder.carry_out(decision)).unwrap_or_default()
    }

    pub fn run_ended(&mut self, at: Timestamp) {
        if self.durable(|recorder| recorder.run_ended(at)).is_none() {
            self.memory.run_ended(at).unwrap_or_else(|never| match never {});
        }
    }

    pub fn last_decided(&mut self) -> Option<Entry> {
        let recorded = self.durable(|recorder| recorder.last_decided());
        recorded.unwrap_or_else(|| self.memory.last_decided().unwrap_or_else(|never| match never {}))
    }

    pub fn admit(
        &mut self,
        engine: &Engine,
        command: &str,
        waited_for: Option<Timestamp>,
        at: Timestamp,
    ) -> Option<Cooldown> {
        self.durable(|recorder| recorder.admit(engine, command, waited_for, at)).flatten()
    }

    fn durable<T>(&mut self, ask: impl FnOnce(&mut R) -> Result<T, R::Error>) -> Option<T> {
        match ask(self.durable.as_mut()?) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.trouble = Some(error.to_string());
                self.durable = None;
                None
            }
        }
    }
}
