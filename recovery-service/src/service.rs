//! What callers can ask for. Each answer is durable before it is returned; a note that cannot be written is a warning
//! and no reason to withhold the answer.

use crate::ledger::{Ledger, Question, RecordRef, Recorded, entry_of};
use crate::{Clock, Hints, NoteError, ServiceError, Status, SystemClock, notes};
use recovery_engine::{Engine, Entry, Input, TaskState};
use recovery_redact::redact;
use recovery_store::{DEFAULT_WAIT, Journal, RecordKind, SqliteJournal, TaskId};
use recovery_types::ladder::Transition;
use recovery_types::{Level, Timestamp};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where a project keeps its record, and how its failures are judged.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Decides.
    pub engine: Arc<Engine>,
    /// Where the journal is kept.
    pub state_dir: PathBuf,
    /// Where issues.md and learnings.md are kept.
    pub notes_dir: PathBuf,
    /// The commit that HEAD names.
    pub head: Option<String>,
    /// How long to wait for another process that writes to the journal.
    pub wait: Duration,
    /// Told of notes that could not be written.
    pub warn: fn(&NoteError),
}

impl Setup {
    /// A project whose record and notes are in `state_dir`.
    #[must_use]
    pub fn new(engine: Arc<Engine>, state_dir: PathBuf) -> Self {
        Self { engine, notes_dir: state_dir.clone(), state_dir, head: None, wait: DEFAULT_WAIT, warn: |_| {} }
    }
}

/// Decides about failures, records what was decided, and answers what is known of tasks.
///
/// ```
/// use recovery_engine::{Engine, PackName};
/// use recovery_service::{Question, Service, Setup, ledger::task_named};
/// use recovery_store::MemoryJournal;
/// use recovery_types::{FailureEvent, Timestamp};
/// let setup = Setup::new(Engine::new(PackName::Field).into(), std::env::temp_dir());
/// let mut service = Service::with(setup, MemoryJournal::default(), Timestamp::from_ms(0));
/// let task = task_named("login").unwrap();
/// let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..Default::default() };
/// let recorded = service.decide(&task, Question::new(event)).unwrap();
/// assert_eq!(recorded.record.unwrap().seq, 1);
/// assert_eq!(service.status(&task).unwrap().unwrap().failures, 1);
/// ```
pub struct Service<J: Journal = SqliteJournal> {
    setup: Setup,
    clock: Box<dyn Clock>,
    /// The records.
    pub ledger: Ledger<J>,
}

/// What a person's word about a task led to.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Where it is recorded.
    pub record: RecordRef,
    /// How the ladder ended.
    pub transitions: Vec<Transition>,
}

impl Service {
    /// Opens the project's journal, making it where there is none.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open(setup: Setup) -> Result<Self, ServiceError> {
        let ledger = Ledger::open(&setup.state_dir, setup.wait)?;
        Ok(Self { setup, clock: Box::new(SystemClock), ledger })
    }

    /// Opens the project's journal to read it; `None` where there is none yet.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open_existing(setup: Setup) -> Result<Option<Self>, ServiceError> {
        let ledger = Ledger::open_existing(&setup.state_dir, setup.wait)?;
        Ok(ledger.map(|ledger| Self { setup, clock: Box::new(SystemClock), ledger }))
    }
}

impl<J: Journal> Service<J> {
    /// Over a journal and a clock of the caller's.
    pub fn with(setup: Setup, journal: J, clock: impl Clock + 'static) -> Self {
        Self { setup, clock: Box::new(clock), ledger: Ledger { journal } }
    }

    /// The engine that decides.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.setup.engine
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Decides about a question and records the decision. The same event id again gives the decision that was recorded
    /// the first time.
    ///
    /// # Errors
    /// Where the journal cannot be read or written.
    pub fn decide(&mut self, task: &TaskId, question: Question) -> Result<Recorded, ServiceError> {
        let question = self.here(question);
        let recorded = self.ledger.decide(&self.setup.engine, task, question, self.clock.now())?;
        if recorded.new {
            self.note(&recorded.decision.transitions);
        }
        Ok(recorded)
    }

    /// The decision that [`Service::decide`] would make now. Nothing is recorded.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn preview(&self, task: &TaskId, question: Question) -> Result<Recorded, ServiceError> {
        self.ledger.preview(&self.setup.engine, task, self.here(question), self.clock.now())
    }

    /// A task's status; `None` where the journal does not know it.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn status(&self, task: &TaskId) -> Result<Option<Status>, ServiceError> {
        let state = self.ledger.state(task)?;
        Ok(is_known(&state).then(|| Status::of(&self.setup.engine, task, &state, self.clock.now())))
    }

    /// The status of every task, by name.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn statuses(&self) -> Result<Vec<Status>, ServiceError> {
        let now = self.clock.now();
        let tasks = self.ledger.tasks()?;
        Ok(tasks.iter().map(|(task, state)| Status::of(&self.setup.engine, task, state, now)).collect())
    }

    /// What to know before the next attempt at a task.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn hints(&self, task: &TaskId) -> Result<Hints, ServiceError> {
        let state = self.ledger.state(task)?;
        Ok(Hints::of(&self.setup.engine, &self.setup.notes_dir, task, &state, self.clock.now()))
    }

    /// It works, or it was dealt with.
    ///
    /// # Errors
    /// Without a reason, for a task that the journal does not know, or where it cannot be written.
    pub fn resolve(&mut self, task: &TaskId, reason: &str) -> Result<Settled, ServiceError> {
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

    /// The agent changed files: what was held back may run once more.
    ///
    /// # Errors
    /// Where the journal cannot be written.
    pub fn changed(&mut self, task: &TaskId) -> Result<(), ServiceError> {
        let at = self.clock.now();
        self.ledger.record(task, RecordKind::Note, at, |_| Entry::Changed { at }).map(|_| ())
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
        let transitions = match entry_of(&record) {
            Ok(Some(Entry::Resolved { transitions, .. } | Entry::Reset { transitions, .. })) => transitions,
            _ => Vec::new(),
        };
        self.note(&transitions);
        Ok(Settled { record: RecordRef::of(&record), transitions })
    }

    fn note(&self, transitions: &[Transition]) {
        if let Err(error) = notes::append(&self.setup.notes_dir, transitions) {
            (self.setup.warn)(&error);
        }
    }

    fn here(&self, question: Question) -> Question {
        Question { head: question.head.or_else(|| self.setup.head.clone()), ..question }
    }
}

fn is_known(state: &TaskState) -> bool {
    state.last_at.is_some() || state.unreadable > 0
}
