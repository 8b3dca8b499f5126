//! Decisions made durable before they are returned.
//!
//! In: a question about a task, the engine and the time; [`Service`](crate::Service) brings both. Out: the decision with its
//! place in the journal. Reading the task's state, deciding and appending are one transaction on the task's chain, so that two
//! processes that decide about one task do so one after the other.
//!
//! | file | contents |
//! |---|---|
//! | `state.rs` | a task's state from its records, and its cache |
//! | `shared.rs` | cooldowns and breakers of resources that tasks share |
//! | `tasks.rs` | lists of tasks with their states, and what is known of a task's relatives |
//! | this one | opening, deciding, recording |

mod shared;
mod state;
mod tasks;

pub(crate) use state::{cache_and_list, load};
pub use state::{entry_of, fold};
pub(crate) use tasks::open_lists;

use crate::ServiceError;
use recovery_engine::{Admitted, Decision, Engine, Entry, Input, TaskState, admit};
use recovery_redact::redact;
use recovery_store::{
    AnyJournal, ContentId, Journal, JournalExt as _, Opened, Record, RecordKind, Store, StoreError, TaskId,
    TaskSummary, Verification,
};
use recovery_types::ladder::Transition;
use recovery_types::terminal::one_line;
use recovery_types::{Climb, Diagnosis, FailureEvent, Timestamp};
use serde::{Deserialize, Serialize};
use shared::SharedResource;
use state::{FoldedState, STATE_TAG, append, fold_from, labels};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

/// The task that what concerns the whole project is recorded under.
pub const PROJECT: &str = "@project";

/// What to call when a journal turns out to be damaged and a new one is begun.
static ON_LOSS: std::sync::OnceLock<fn(&str)> = std::sync::OnceLock::new();

/// Sets what is called when opening a journal shows that records are lost: only the program has a place to print it.
/// The first one stays.
pub fn on_loss(tell: fn(&str)) {
    let _ = ON_LOSS.set(tell);
}

fn tell_of(loss: &str) {
    if let Some(tell) = ON_LOSS.get() {
        tell(&one_line(loss, 400));
    }
}

/// Whether the task is the user's, and not one that the program keeps for itself.
#[must_use]
pub fn is_users(task: &TaskId) -> bool {
    task.as_str() != PROJECT
}

/// The task called `name`, by which it is stored: without secrets, like every other text.
pub fn task_named(name: &str) -> Result<TaskId, StoreError> {
    TaskId::new(redact(name))
}

/// A journal, opened.
pub struct Ledger<J: Journal = AnyJournal> {
    /// The records themselves.
    pub journal: J,
    /// The states of tasks, while a group of decisions has the journal to itself.
    group: Option<BTreeMap<TaskId, TaskState>>,
    /// The state that was asked for last: the parts of one call ask for the same task's in turn.
    pub(crate) folded: RefCell<Option<FoldedState>>,
}

/// A decision together with its place in the journal.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Recorded {
    /// What was decided.
    #[serde(flatten)]
    pub decision: Decision,
    /// Where it is recorded; null in a dry run.
    pub record: Option<RecordRef>,
    /// Whether it was recorded just now: what follows from it is to be done once.
    #[serde(skip)]
    pub new: bool,
}

/// A record's place in its task's chain.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordRef {
    /// Its number, from 1.
    pub seq: u64,
    /// Its hash, as `journal export` shows it.
    pub hash: String,
}

/// An event to decide about.
#[derive(Clone, Debug)]
pub struct Question {
    /// What happened. It is stored with long texts cut; the diagnosis is made before that.
    pub event: Admitted<FailureEvent>,
    /// The diagnosis, where it was read from more output than the event holds.
    pub observed: Option<Diagnosis>,
    /// The commit that HEAD names.
    pub head: Option<String>,
}

impl RecordRef {
    /// The place of `record`.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        Self { seq: record.seq, hash: record.hash.to_string() }
    }
}

impl Question {
    /// About `event`, which is redacted here.
    #[must_use]
    pub fn new(event: FailureEvent) -> Self {
        Self { event: admit(event), observed: None, head: None }
    }
}

impl Ledger {
    /// Opens the journal of `store`, making it where there is none.
    pub fn open(store: &Store, wait: Duration) -> Result<Self, ServiceError> {
        let Opened { journal, set_aside } = store.open(wait)?;
        // Whoever opens it, a loss must not pass in silence.
        if let Some(lost) = set_aside {
            tell_of(&lost.to_string());
        }
        Ok(Self::with_journal(journal))
    }

    /// Opens the journal to read it; `None` where there is none yet.
    pub fn open_existing(store: &Store, wait: Duration) -> Result<Option<Self>, ServiceError> {
        let existing = store.open_existing(wait)?;
        if let Some(loss) = existing.loss {
            tell_of(&format!("{loss}; `recovery journal verify` lists what is missing"));
        }
        Ok(existing.journal.map(Self::with_journal))
    }

    /// As [`Ledger::open_existing`], for a caller that goes on with what this machine knows where a shared journal cannot be
    /// reached.
    pub fn open_known(store: &Store, wait: Duration) -> Result<Option<Self>, ServiceError> {
        match store.is_shared() {
            true => Self::open(store, wait).map(Some),
            false => Self::open_existing(store, wait),
        }
    }

    /// Checks every hash of the journal, also of one that is too damaged to be opened; `None` where there is none yet.
    pub fn verify(store: &Store, wait: Duration) -> Result<Option<Verification>, ServiceError> {
        let Some(mut found) = store.verify(wait)? else { return Ok(None) };
        if found.is_sound()
            && let Some(ledger) = Self::open_existing(store, wait)?
        {
            found.faults = ledger.wrong_snapshots()?;
        }
        Ok(Some(found))
    }
}

impl<J: Journal> Ledger<J> {
    /// Over a journal that is open already.
    pub const fn with_journal(journal: J) -> Self {
        Self { journal, group: None, folded: RefCell::new(None) }
    }

    /// From here to [`Ledger::commit_group`] decisions are stored together: none of them is durable before.
    pub(crate) fn begin_group(&mut self) -> Result<(), ServiceError> {
        let is_alone = self.journal.begin_group()?;
        self.group = is_alone.then(BTreeMap::new);
        Ok(())
    }

    /// Stores the decisions of the group, all or none.
    pub(crate) fn commit_group(&mut self) -> Result<(), ServiceError> {
        self.group = None;
        Ok(self.journal.commit_group()?)
    }

    /// Decides and records in one step, with the task's chain to itself. The same event id again gives the decision
    /// that was recorded the first time.
    pub fn decide(
        &mut self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        now: Timestamp,
    ) -> Result<Recorded, ServiceError> {
        let (project, own) = (self.project()?, self.state(task)?);
        let Question { event, observed, head } = self.with_relatives(engine, task, question, &project, &own)?;
        let good_commit = project.good_commit.filter(|_| task.as_str() != PROJECT);
        let (event, observed) = engine.truncate_for_storage(event, observed, now);
        let content_id = content_id(&event);
        // Nobody else can have changed it where the group has the journal to itself.
        let mut known_state = self.group.as_mut().map(|states| {
            states.remove(task);
            own
        });
        let mut new_state = None;
        let decided = self.journal.transact(task, |chain| {
            if let Some(known) = content_id.as_ref().map(|id| chain.find(id)).transpose()?.flatten() {
                return recorded(&known);
            }
            let mut state = known_state.take().map_or_else(|| load(task, chain, &self.folded), Ok)?;
            // Whoever waited for the chain comes after whoever held it.
            let now = state.last_at.map_or(now, |last| last.max(now));
            let event = event.clone().or_good_commit(state.good_commit.as_deref().or(good_commit.as_deref()));
            let mut shared = SharedResource::new(engine, task, now);
            let decision =
                engine.decide_shared(task.as_str(), &state, &event, observed.as_ref(), now, &mut |resource| {
                    shared.hold(chain, resource)
                });
            shared.settle(chain, &state, event.action.as_deref(), &decision)?;
            let event = event.with_cooldown(shared.cooldown);
            let kind = if decision.failure { RecordKind::Decision } else { RecordKind::Success };
            let entry = Entry::Decided {
                event: Box::new(event),
                observed: observed.clone().map(Box::new),
                head: head.clone(),
                policy: engine.own_ladder.then(|| Box::new(engine.ladder.clone())),
                decision: Box::new(decision.clone()),
            };
            let record = append(task, chain, &mut state, &entry, kind, content_id.clone(), now)?;
            let (seq, hash) = (record.seq, record.hash);
            self.folded.replace(Some(FoldedState { task: task.clone(), seq, hash, state: state.clone() }));
            new_state = Some(state);
            Ok(Recorded { decision, record: Some(RecordRef::of(&record)), new: true })
        });
        if let (Some(states), Some(state), true) = (&mut self.group, new_state, decided.is_ok()) {
            states.insert(task.clone(), state);
        }
        decided
    }

    /// The decision that [`Ledger::decide`] would make now. Nothing is recorded.
    pub fn preview(
        &self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        now: Timestamp,
    ) -> Result<Recorded, ServiceError> {
        if let Some(known) = content_id(&question.event).map(|id| self.journal.find(task, &id)).transpose()?.flatten() {
            return recorded(&known);
        }
        let (project, state) = (self.project()?, self.state(task)?);
        let question = self.with_relatives(engine, task, question, &project, &state)?;
        let (event, observed) = engine.truncate_for_storage(question.event, question.observed, now);
        let good_commit = project.good_commit.filter(|_| task.as_str() != PROJECT);
        let event = event.or_good_commit(state.good_commit.as_deref().or(good_commit.as_deref()));
        let decision = engine.decide(task.as_str(), &state, &event, observed.as_ref(), now);
        Ok(Recorded { decision, record: None, new: false })
    }

    /// Appends what `entry` makes of the task's state.
    pub fn record(
        &mut self,
        task: &TaskId,
        kind: RecordKind,
        now: Timestamp,
        entry: impl FnOnce(&TaskState) -> Entry,
    ) -> Result<Record, ServiceError> {
        if let Some(states) = &mut self.group {
            states.remove(task);
        }
        // Made once: where the server went away before it was stored, the same entry goes to the spool.
        let (mut make, mut made) = (Some(entry), None);
        self.journal.transact(task, |chain| {
            let mut state = load(task, chain, &self.folded)?;
            made = make.take().map(|make| make(&state)).or_else(|| made.take());
            let entry = made.as_ref().ok_or(StoreError::Abandoned)?;
            append(task, chain, &mut state, entry, kind.clone(), None, now)
        })
    }

    /// The task's state, without changing anything.
    pub fn state(&self, task: &TaskId) -> Result<TaskState, ServiceError> {
        if let Some(state) = self.group.as_ref().and_then(|states| states.get(task)) {
            return Ok(state.clone());
        }
        fold_from(
            task,
            &self.folded,
            |from| Ok(self.journal.records(task, from)?),
            || Ok(self.journal.snapshot(task, STATE_TAG)?),
        )
    }

    /// Records that a time limit of the task has passed, where one has. A task that was due for no such reason is labelled
    /// again: nobody had its state when it came in.
    pub(crate) fn tick(
        &mut self,
        engine: &Engine,
        task: &TaskId,
        now: Timestamp,
    ) -> Result<Option<Vec<Transition>>, ServiceError> {
        self.journal.transact(task, |chain| {
            let mut state = load(task, chain, &self.folded)?;
            if state.climb().and_then(Climb::deadline).is_none_or(|deadline| deadline > now) {
                chain.put_labels(&labels(&state))?;
                return Ok(None);
            }
            let transitions = engine.advance(task.as_str(), &state, Input::Tick, now);
            let reason = "a time limit passed".to_owned();
            let entry = Entry::Moved { at: now, reason, transitions: transitions.clone() };
            append(task, chain, &mut state, &entry, RecordKind::Change, None, now)?;
            Ok(Some(transitions))
        })
    }

    /// The entry of a task's last record that `wanted` accepts.
    pub fn last_entry(&self, task: &TaskId, wanted: impl Fn(&Entry) -> bool) -> Result<Option<Entry>, ServiceError> {
        let Some(TaskSummary { records: end, .. }) = self.journal.task(task)? else { return Ok(None) };
        // It is among the last ones nearly always: more of the chain is read only where it is not.
        let mut read = 8;
        loop {
            let from = end.saturating_sub(read - 1).max(1);
            for record in self.journal.records(task, from)?.iter().rev() {
                if let Some(entry) = entry_of(record).ok().flatten().filter(&wanted) {
                    return Ok(Some(entry));
                }
            }
            if from == 1 {
                return Ok(None);
            }
            read = read.saturating_mul(8);
        }
    }
}

/// The same delivery again has the same id.
fn content_id(event: &FailureEvent) -> Option<ContentId> {
    event.id.as_deref().map(|id| ContentId::of(id.as_bytes()))
}

/// A decision that was recorded before.
fn recorded(record: &Record) -> Result<Recorded, ServiceError> {
    let place = RecordRef::of(record);
    match entry_of(record) {
        Ok(Some(Entry::Decided { decision, .. })) => {
            Ok(Recorded { decision: *decision, record: Some(place), new: false })
        }
        _ => Err(ServiceError::NotADecision { task: record.task.clone(), seq: record.seq }),
    }
}
