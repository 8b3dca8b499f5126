//! The operations of the service.
//!
//! In: a [`Setup`] (engine, store, notes directory) and one call per operation. Out: typed answers, each durable in the
//! journal before it is returned. [`Service`] is generic over the `Journal`, so tests and dry runs use one in memory.
//! Notes (`issues.md`, `learnings.md`) are written after the record: a note that cannot be written is a warning, never
//! an error. Records are read and appended in `ledger.rs`; to add an operation, add a method and call the ledger from it.
//!
//! | file | contents |
//! |---|---|
//! | `listing.rs` | pages of tasks, counts of them, the task that a part of a name means |
//! | `settle.rs` | what a person or the plan says about a task: resolve, reset, arbitrate, repair, freeze, thaw |
//! | this one | deciding, groups of decisions, status, hints, deadlines |

mod listing;
mod settle;

pub use listing::{Listed, MAX_COUNTED, Page, at_least};
pub use settle::Settled;

use crate::answer::{self, FailureAnswer};
use crate::ledger::{Ledger, Question, Recorded};
use crate::{Clock, Hints, NoteError, ServiceError, Status, SystemClock, notes};
use recovery_engine::reconcile::Verb;
use recovery_engine::{Engine, Entry, TaskState};
use recovery_store::{AnyJournal, DEFAULT_WAIT, Journal, RecordKind, Store, TaskId};
use recovery_types::ladder::Transition;
use recovery_types::repair::{Repair, Strategy};
use recovery_types::{Level, Timestamp};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where a project keeps its record, and how its failures are judged.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Decides.
    pub engine: Arc<Engine>,
    /// Where the journal is kept.
    pub store: Store,
    /// Where issues.md and learnings.md are kept.
    pub notes_dir: PathBuf,
    /// The commit that HEAD names.
    pub head: Option<String>,
    /// How long to wait for another process that writes to the journal.
    pub wait: Duration,
    /// Called with notes that could not be written.
    pub warn: fn(&NoteError),
}

impl Setup {
    /// A project whose record and notes are in `state_dir`.
    #[must_use]
    pub fn new(engine: Arc<Engine>, state_dir: PathBuf) -> Self {
        let notes_dir = state_dir.clone();
        Self { engine, notes_dir, store: Store::Directory(state_dir), head: None, wait: DEFAULT_WAIT, warn: |_| {} }
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
/// let mut service = Service::with_journal(setup, MemoryJournal::default(), Timestamp::from_ms(0));
/// let task = task_named("login").unwrap();
/// let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..Default::default() };
/// let recorded = service.decide(&task, Question::new(event)).unwrap();
/// assert_eq!(recorded.record.unwrap().seq, 1);
/// assert_eq!(service.status(&task).unwrap().unwrap().failures, 1);
/// ```
pub struct Service<J: Journal = AnyJournal> {
    setup: Setup,
    clock: Box<dyn Clock>,
    /// The records.
    pub ledger: Ledger<J>,
    /// Changes of ladders that are noted once the group that they belong to is stored.
    held_notes: Option<Vec<Transition>>,
}

/// How many deadlines are recorded in one group: others wait for the journal no longer than that takes.
const TICK_BATCH: usize = 200;

impl Service {
    /// Opens the project's journal, making it where there is none.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open(setup: Setup) -> Result<Self, ServiceError> {
        let ledger = Ledger::open(&setup.store, setup.wait)?;
        Ok(Self { setup, clock: Box::new(SystemClock), ledger, held_notes: None })
    }

    /// As [`Service::open_existing`], for a caller that goes on with what this machine knows where a shared journal cannot be
    /// reached.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open_known(setup: Setup) -> Result<Option<Self>, ServiceError> {
        let ledger = Ledger::open_known(&setup.store, setup.wait)?;
        Ok(ledger.map(|ledger| Self { setup, clock: Box::new(SystemClock), ledger, held_notes: None }))
    }

    /// Opens the project's journal to read it; `None` where there is none yet.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open_existing(setup: Setup) -> Result<Option<Self>, ServiceError> {
        let ledger = Ledger::open_existing(&setup.store, setup.wait)?;
        Ok(ledger.map(|ledger| Self { setup, clock: Box::new(SystemClock), ledger, held_notes: None }))
    }
}

impl<J: Journal> Service<J> {
    /// Over a journal that is open already, by the caller's clock.
    pub fn with_journal(setup: Setup, journal: J, clock: impl Clock + 'static) -> Self {
        Self { setup, clock: Box::new(clock), ledger: Ledger::with_journal(journal), held_notes: None }
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
        let mut question = self.here(question);
        if question.event.task.is_some() || question.event.plan.is_some() {
            question.event = question.event.with_plan(None, notes::decisions(&self.setup.notes_dir));
        }
        let recorded = self.ledger.decide(&self.setup.engine, task, question, self.clock.now())?;
        match &mut self.held_notes {
            _ if !recorded.new => {}
            Some(held) => held.extend_from_slice(&recorded.decision.transitions),
            None => self.note(&recorded.decision.transitions),
        }
        Ok(recorded)
    }

    /// From here to [`Service::commit_group`] decisions are stored together (group commit): none of them is durable before,
    /// so nobody may be given one. Other writers wait meanwhile, so a group is short.
    ///
    /// # Errors
    /// Where the journal cannot be written.
    pub fn begin_group(&mut self) -> Result<(), ServiceError> {
        self.ledger.begin_group()?;
        self.held_notes = Some(Vec::new());
        Ok(())
    }

    /// Stores the decisions of the group, all or none.
    ///
    /// # Errors
    /// Where they could not be stored: then none of them is.
    pub fn commit_group(&mut self) -> Result<(), ServiceError> {
        let held = self.held_notes.take().unwrap_or_default();
        self.ledger.commit_group()?;
        self.note(&held);
        Ok(())
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

    /// What the last failure of a task comes to in words; `None` where it has none.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn last_answer(&self, task: &TaskId) -> Result<Option<FailureAnswer>, ServiceError> {
        let last = self.ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let Some(Entry::Decided { event, decision, .. }) = last else { return Ok(None) };
        let Some(kind) = decision.diagnosis.as_ref().filter(|_| decision.failure) else { return Ok(None) };
        let state = self.ledger.state(task)?;
        // What was reported as failed is not proposed again.
        let is_proposal = |repair: &&Repair| {
            decision.ladder.level > Some(Level::Retry) && repair.strategy.is_some_and(Strategy::spends_budget)
        };
        let has_failed = decision.repair.as_ref().filter(is_proposal).is_some() && state.open_proposal().is_none();
        let repair = decision.repair.as_ref().filter(|_| !has_failed);
        let mut answer = FailureAnswer::of(kind, repair, &event.stderr_tail, decision.at);
        // What a rule stopped is not explained by what was printed.
        if let Some(blocked) = state.climb().and_then(|climb| climb.failure.blocked.as_ref()) {
            answer.stopped_by(blocked);
        } else if decision.next.verb == Verb::Gate {
            answer.next = answer::within_sentence(decision.next.sentence.trim_end_matches('.'));
        }
        Ok(Some(answer))
    }

    /// The repair that was proposed last for a task, by a decision or on request; none where it failed, and where the task
    /// works.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn proposed(&self, task: &TaskId) -> Result<Option<Repair>, ServiceError> {
        let state = self.ledger.state(task)?;
        let last = self.ledger.last_entry(task, |entry| {
            matches!(
                entry,
                Entry::Decided { .. } | Entry::RepairProposed { .. } | Entry::Resolved { .. } | Entry::Reset { .. }
            )
        })?;
        let (repair, is_recorded) = match last {
            Some(Entry::Decided { decision, .. }) if decision.failure => {
                (decision.repair, decision.ladder.level > Some(Level::Retry))
            }
            Some(Entry::RepairProposed { repair, .. }) => (Some(*repair), true),
            _ => (None, false),
        };
        let spends = |repair: &Repair| repair.strategy.is_some_and(Strategy::spends_budget);
        Ok(repair.filter(|repair| !(is_recorded && spends(repair)) || state.open_proposal().is_some()))
    }

    /// What to know before the next attempt at a task.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn hints(&self, task: &TaskId) -> Result<Hints, ServiceError> {
        let state = self.ledger.state(task)?;
        let last = self.ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let output = match &last {
            Some(Entry::Decided { event, .. }) => event.stderr_tail.as_str(),
            _ => "",
        };
        Ok(Hints::of(&self.setup.engine, &self.setup.notes_dir, task, &state, output, self.clock.now()))
    }

    /// Fires the deadlines that are due, of every task, and records them. What the ladders did, by task.
    ///
    /// # Errors
    /// Where the journal cannot be read or written.
    pub fn tick(&mut self) -> Result<Vec<(TaskId, Vec<Transition>)>, ServiceError> {
        self.tick_some(usize::MAX)
    }

    /// As [`Service::tick`], for `most` tasks at most, those that are due for the longest time: for callers who have no time for
    /// all of a journal that was not opened for years.
    ///
    /// # Errors
    /// Where the journal cannot be read or written.
    pub fn tick_some(&mut self, most: usize) -> Result<Vec<(TaskId, Vec<Transition>)>, ServiceError> {
        let now = self.clock.now();
        let mut looked_at = BTreeSet::new();
        let mut fired = Vec::new();
        while looked_at.len() < most {
            let mut due = self.ledger.journal.tasks_due(now, TICK_BATCH.min(most - looked_at.len()))?;
            due.retain(|task| looked_at.insert(task.clone()));
            if due.is_empty() {
                break;
            }
            self.ledger.journal.begin_group()?;
            let first = fired.len();
            let done = due.into_iter().try_for_each(|task| -> Result<(), ServiceError> {
                let transitions = self.ledger.tick(&self.setup.engine, &task, now)?;
                fired.extend(transitions.map(|transitions| (task, transitions)));
                Ok(())
            });
            self.ledger.journal.commit_group()?;
            fired[first..].iter().for_each(|(_, transitions)| self.note(transitions));
            done?;
        }
        Ok(fired)
    }

    /// Whether a time limit of some task has passed that is not recorded yet.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn is_overdue(&self) -> Result<bool, ServiceError> {
        Ok(!self.ledger.journal.tasks_due(self.clock.now(), 1)?.is_empty())
    }

    /// The agent changed files: what was held back may run once more.
    ///
    /// # Errors
    /// Where the journal cannot be written.
    pub fn changed(&mut self, task: &TaskId) -> Result<(), ServiceError> {
        let at = self.clock.now();
        self.ledger.record(task, RecordKind::Change, at, |_| Entry::Changed { at }).map(|_| ())
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

pub(crate) fn is_known(state: &TaskState) -> bool {
    state.last_at.is_some() || state.unreadable > 0
}
