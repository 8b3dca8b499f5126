//! The journal with the engine's eyes: a task's state from its records, and decisions made durable before anyone is
//! told.

use anyhow::Context as _;
use failure_taxonomy::redact::redact;
use recovery_engine::{Decision, Engine, Entry, TaskState};
use recovery_store::foreign::Imported;
use recovery_store::{
    ContentId, Journal, JournalExt as _, NewRecord, Record, RecordKind, SqliteJournal, StoreError, TaskId,
    TaskTransaction, Verification,
};
use recovery_types::terminal::escaped_json;
use recovery_types::{Diagnosis, FailureEvent, Timestamp};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// The task that what concerns the whole project is recorded under.
pub const PROJECT: &str = "@project";

/// The format of cached states; another number makes every older cache invisible.
const STATE_TAG: &str = "task-state-1";

/// The task called `name`, by which it is stored: without secrets, like every other text.
pub fn task_named(name: &str) -> Result<TaskId, StoreError> {
    TaskId::new(redact(name))
}

/// A journal, opened.
pub struct Ledger<J: Journal = SqliteJournal> {
    /// The records themselves.
    pub journal: J,
}

/// A decision together with its place in the journal.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Recorded {
    /// What was decided.
    #[serde(flatten)]
    pub decision: Decision,
    /// Where it is recorded; null in a dry run.
    pub record: Option<Place>,
    /// Whether it was recorded just now: what follows from it is to be done once.
    #[serde(skip)]
    pub new: bool,
}

/// A record's place in its task's chain.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Place {
    /// Its number, from 1.
    pub seq: u64,
    /// Its hash, as `journal export` shows it.
    pub hash: String,
}

/// An event to decide about.
pub struct Question {
    /// Admitted: no secrets. It is stored with long texts cut; what they said is read first.
    pub event: FailureEvent,
    /// The diagnosis, where it was read from more output than the event holds.
    pub observed: Option<Diagnosis>,
    /// The commit that HEAD names.
    pub head: Option<String>,
}

impl Ledger {
    /// Opens the journal in `state_dir`, making it where there is none.
    pub fn open(state_dir: &Path, wait: Duration) -> anyhow::Result<Self> {
        Ok(Self { journal: SqliteJournal::open_in(state_dir, wait)? })
    }

    /// Opens the journal to read it; `None` where there is none yet.
    pub fn open_existing(state_dir: &Path, wait: Duration) -> anyhow::Result<Option<Self>> {
        match SqliteJournal::open_read_only(&SqliteJournal::path_in(state_dir), wait) {
            Ok(journal) => Ok(Some(Self { journal })),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks every hash of the journal, also of one that is too damaged to be opened; `None` where there is none yet.
    pub fn verify(state_dir: &Path, wait: Duration) -> anyhow::Result<Option<Verification>> {
        match SqliteJournal::verify_at(&SqliteJournal::path_in(state_dir), wait) {
            Err(StoreError::Missing { .. }) => Ok(None),
            found => Ok(Some(found?)),
        }
    }
}

impl<J: Journal> Ledger<J> {
    /// Decides and records in one step, with the task's chain to itself. The same event id again gives the decision
    /// that was recorded the first time.
    pub fn decide(
        &mut self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        now: Timestamp,
    ) -> anyhow::Result<Recorded> {
        let project = self.project_commit(task)?;
        let Question { event, observed, head } = question;
        let (mut event, observed) = engine.bound(event, observed, now);
        let content_id = content_id(&event);
        self.journal.transact(task, |chain| {
            if let Some(known) = content_id.as_ref().map(|id| chain.find(id)).transpose()?.flatten() {
                return recorded(&known, false);
            }
            let mut state = load(chain)?;
            // Whoever waited for the chain comes after whoever held it.
            let now = state.last_at.map_or(now, |last| last.max(now));
            event.last_good_commit = event.last_good_commit.or_else(|| state.good_commit.clone()).or(project);
            let decision = engine.decide(task.as_str(), &state, &event, observed.as_ref(), now);
            let kind = if decision.failure { RecordKind::Decision } else { RecordKind::Success };
            let entry = Entry::Decided {
                event: Box::new(event),
                observed: observed.map(Box::new),
                head,
                policy: engine.own_ladder.then(|| Box::new(engine.ladder.clone())),
                decision: Box::new(decision),
            };
            let record = append(chain, &mut state, &entry, kind, content_id, now)?;
            recorded(&record, true)
        })
    }

    /// The decision that [`Ledger::decide`] would make now. Nothing is recorded.
    pub fn preview(
        &self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        now: Timestamp,
    ) -> anyhow::Result<Recorded> {
        if let Some(known) = content_id(&question.event).map(|id| self.journal.find(task, &id)).transpose()?.flatten() {
            return recorded(&known, false);
        }
        let state = self.state(task)?;
        let (mut event, observed) = engine.bound(question.event, question.observed, now);
        let project = self.project_commit(task)?;
        event.last_good_commit = event.last_good_commit.or_else(|| state.good_commit.clone()).or(project);
        let decision = engine.decide(task.as_str(), &state, &event, observed.as_ref(), now);
        Ok(Recorded { decision, record: None, new: false })
    }

    /// Appends what `entry` makes of the task's state.
    pub fn record(
        &mut self,
        task: &TaskId,
        kind: RecordKind,
        now: Timestamp,
        entry: impl FnOnce(&TaskState) -> anyhow::Result<Entry>,
    ) -> anyhow::Result<Record> {
        self.journal.transact(task, |chain| {
            let mut state = load(chain)?;
            let entry = entry(&state)?;
            append(chain, &mut state, &entry, kind, None, now)
        })
    }

    /// The task's state, without changing anything.
    pub fn state(&self, task: &TaskId) -> anyhow::Result<TaskState> {
        let snapshot = self.journal.snapshot(task, STATE_TAG)?;
        let (mut state, from) = cached(snapshot);
        for record in self.journal.records(task, from)? {
            fold(&mut state, &record)?;
        }
        Ok(state)
    }

    /// Every task of the user's with its state, by name.
    pub fn tasks(&self) -> anyhow::Result<Vec<(TaskId, TaskState)>> {
        let tasks = self.journal.tasks()?.into_iter().map(|summary| summary.task).filter(|t| t.as_str() != PROJECT);
        tasks.map(|task| self.state(&task).map(|state| (task, state))).collect()
    }

    /// The tasks that something happened to last, newest first: enough to find what is open without reading them all.
    pub fn recent(&self, most: usize) -> anyhow::Result<Vec<(TaskId, TaskState)>> {
        let mut summaries = self.journal.tasks()?;
        summaries.retain(|summary| summary.task.as_str() != PROJECT);
        summaries.sort_by_key(|summary| std::cmp::Reverse(summary.last_at));
        let newest = summaries.into_iter().take(most).map(|summary| summary.task);
        newest.map(|task| self.state(&task).map(|state| (task, state))).collect()
    }

    /// The entry of a task's last record that `wanted` accepts.
    pub fn last_entry(&self, task: &TaskId, wanted: impl Fn(&Entry) -> bool) -> anyhow::Result<Option<Entry>> {
        for record in self.journal.records(task, 1)?.iter().rev() {
            if let Some(entry) = entry_of(record)?.filter(&wanted) {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn project_commit(&self, task: &TaskId) -> anyhow::Result<Option<String>> {
        if task.as_str() == PROJECT {
            return Ok(None);
        }
        Ok(self.state(&TaskId::new(PROJECT)?)?.good_commit)
    }
}

/// What a record adds to its task's state; `None` for records that change none.
pub fn entry_of(record: &Record) -> anyhow::Result<Option<Entry>> {
    let place = || format!("the record {} of task {}", record.seq, record.task);
    match record.kind {
        RecordKind::Import => {
            let imported: Imported = serde_json::from_str(&record.body).with_context(place)?;
            Ok(Some(Entry::Imported { attempt: Box::new(imported.entry) }))
        }
        RecordKind::Checkpoint => {
            let Checkpoint { commit } = serde_json::from_str(&record.body).with_context(place)?;
            Ok(Some(Entry::Checkpoint { at: record.at, commit }))
        }
        // A note changes the state only where it says so.
        RecordKind::Note => Ok(serde_json::from_str(&record.body).ok()),
        _ => Ok(Some(serde_json::from_str(&record.body).with_context(place)?)),
    }
}

/// What a checkpoint's record holds, ours or another system's.
#[derive(Deserialize)]
struct Checkpoint {
    commit: String,
}

fn load(chain: &dyn TaskTransaction) -> anyhow::Result<TaskState> {
    let (mut state, from) = cached(chain.snapshot(STATE_TAG)?);
    for record in chain.records(from)? {
        fold(&mut state, &record)?;
    }
    Ok(state)
}

/// The cached state and the first record that is not part of it. A cache that cannot be read is no cache.
fn cached(snapshot: Option<recovery_store::Snapshot>) -> (TaskState, u64) {
    snapshot
        .and_then(|snapshot| Some((serde_json::from_slice(&snapshot.state).ok()?, snapshot.seq + 1)))
        .unwrap_or_else(|| (TaskState::default(), 1))
}

fn fold(state: &mut TaskState, record: &Record) -> anyhow::Result<()> {
    if let Some(entry) = entry_of(record)? {
        state.apply(&entry);
    }
    Ok(())
}

fn append(
    chain: &mut dyn TaskTransaction,
    state: &mut TaskState,
    entry: &Entry,
    kind: RecordKind,
    content_id: Option<ContentId>,
    now: Timestamp,
) -> anyhow::Result<Record> {
    let body = escaped_json(serde_json::to_string(entry)?);
    let appended = chain.append(NewRecord { at: now, kind, content_id, body })?;
    state.apply(entry);
    chain.put_snapshot(STATE_TAG, &serde_json::to_vec(state)?)?;
    Ok(appended.record)
}

/// The same delivery again has the same id.
fn content_id(event: &FailureEvent) -> Option<ContentId> {
    event.id.as_deref().map(|id| ContentId::of(id.as_bytes()))
}

fn recorded(record: &Record, new: bool) -> anyhow::Result<Recorded> {
    let place = Place { seq: record.seq, hash: record.hash.to_string() };
    match entry_of(record)? {
        Some(Entry::Decided { decision, .. }) => Ok(Recorded { decision: *decision, record: Some(place), new }),
        _ => anyhow::bail!("the record {} of task {} is not a decision", record.seq, record.task),
    }
}
