//! A task's state from its records, and decisions made durable before they are returned. Time and the engine are arguments:
//! [`Service`](crate::Service) brings both.

use crate::migrate::Imported;
use crate::status::lists;
use crate::{ServiceError, body};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use recovery_engine::{Admitted, Breaker, Decision, Engine, Entry, Hold, Input, TaskState, admit, stated_wait};
use recovery_redact::redact;
use recovery_store::{
    AnyJournal, ChainHash, ContentId, Fault, FaultKind, Journal, JournalExt as _, NewRecord, Opened, Record,
    RecordKind, Store, StoreError, TaskId, TaskLabels, TaskList, TaskQuery, TaskSummary, TaskTransaction, Verification,
};
use recovery_types::ladder::Transition;
use recovery_types::repair::{AdjacentTask, TaskStatus};
use recovery_types::terminal::escaped_json;
use recovery_types::terminal::one_line;
use recovery_types::{Climb, Cooldown, CooldownState, Diagnosis, FailureEvent, HistoryEntry, Node, Timestamp};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::time::Duration;

/// The task that what concerns the whole project is recorded under.
pub const PROJECT: &str = "@project";

/// The format of cached states; another number makes every older cache invisible.
const STATE_TAG: &str = "task-state-6";

/// Every so many records of a task its state is cached. Fewer would read more records for a decision, more would write the
/// state, which is several records long, for each.
const CACHED_EVERY: u64 = 8;

/// How many tasks are looked at together.
const PAGE: usize = 50;

/// How many tasks below one node a decision looks at, the latest ones: as many entries as an event takes of them.
const MAX_SIBLINGS: usize = 100;

/// What to call when a journal turns out to be damaged and a new one is begun.
static ON_LOSS: std::sync::OnceLock<fn(&str)> = std::sync::OnceLock::new();

/// Sets what is called when opening a journal shows that records are lost: only the program has a place to print it.
/// The first one stays.
pub fn on_loss(tell: fn(&str)) {
    let _ = ON_LOSS.set(tell);
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

/// The state of a task up to one of its records. The hash of a record covers all records before it, so the state holds for
/// every chain with that record in that place.
#[derive(Clone)]
pub(crate) struct FoldedState {
    task: TaskId,
    seq: u64,
    hash: ChainHash,
    state: TaskState,
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
        if let (Some(lost), Some(tell)) = (set_aside, ON_LOSS.get()) {
            tell(&one_line(&lost.to_string(), 400));
        }
        Ok(Self::over(journal))
    }

    /// Opens the journal to read it; `None` where there is none yet.
    pub fn open_existing(store: &Store, wait: Duration) -> Result<Option<Self>, ServiceError> {
        Ok(store.open_existing(wait)?.map(Self::over))
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
    /// Over a journal of the caller's.
    pub const fn over(journal: J) -> Self {
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
            let mut shared = Shared::new(engine, task, now);
            let decision =
                engine.decide_shared(task.as_str(), &state, &event, observed.as_ref(), now, &mut |resource| {
                    shared.hold(chain, resource)
                });
            shared.settle(chain, &state, &decision)?;
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

    /// Tasks whose cached state is not what their records add up to: every answer about them would be wrong.
    fn wrong_snapshots(&self) -> Result<Vec<Fault>, ServiceError> {
        let mut wrong = Vec::new();
        for TaskSummary { task, .. } in self.journal.tasks()? {
            let Some(snapshot) = self.journal.snapshot(&task, STATE_TAG)? else { continue };
            let mut state = TaskState::default();
            let records = self.journal.records(&task, 1)?;
            records.iter().filter(|record| record.seq <= snapshot.seq).for_each(|record| fold(&mut state, record));
            if unpacked(&snapshot.state) != Some(state) {
                let kind = FaultKind::WrongSnapshot;
                wrong.push(Fault { line: None, task: Some(task), seq: Some(snapshot.seq), kind });
            }
        }
        Ok(wrong)
    }

    /// Every task of the user's with its state, by name.
    pub fn tasks(&self) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        let tasks = self.journal.tasks()?.into_iter().map(|summary| summary.task).filter(is_users);
        tasks.map(|task| self.state(&task).map(|state| (task, state))).collect()
    }

    /// The `most` tasks that something happened to last, newest first. Only their states are read.
    pub fn recent(&self, most: usize) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        // One more, because the project's own task may be among them.
        let query = TaskQuery { limit: most.saturating_add(1), ..TaskQuery::default() };
        Ok(self.listed(&query)?.into_iter().take(most).collect())
    }

    /// The tasks in these lists with their states, newest first.
    pub(crate) fn in_lists(&self, lists: &[TaskList]) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        self.listed(&TaskQuery { lists, ..TaskQuery::default() })
    }

    /// The tasks that may need somebody, with their states, newest first.
    pub fn open_tasks(&self) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        self.in_lists(&open_lists())
    }

    /// The open task that something happened to last, of those that `wanted` accepts.
    pub fn newest_open(&self, wanted: impl Fn(&TaskState) -> bool) -> Result<Option<TaskId>, ServiceError> {
        let open = open_lists();
        let mut last: Option<TaskSummary> = None;
        loop {
            let query = TaskQuery { lists: &open, after: last.as_ref(), limit: PAGE, ..TaskQuery::default() };
            let page = self.journal.tasks_where(&query)?;
            for summary in page.iter().filter(|summary| is_users(&summary.task)) {
                if wanted(&self.state(&summary.task)?) {
                    return Ok(Some(summary.task.clone()));
                }
            }
            let Some(end) = page.into_iter().next_back() else { return Ok(None) };
            last = Some(end);
        }
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

    fn listed(&self, query: &TaskQuery<'_>) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        let tasks = self.journal.tasks_where(query)?.into_iter().map(|summary| summary.task).filter(is_users);
        tasks.map(|task| self.state(&task).map(|state| (task, state))).collect()
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

    /// The question with what the journal knows of other tasks: siblings below the same parent, and tasks that it depends
    /// on and that were left out. It becomes part of the stored event, so that a replay sees the same.
    fn with_relatives(
        &self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        project: &TaskState,
        own: &TaskState,
    ) -> Result<Question, ServiceError> {
        let mut event = question.event;
        event = event.with_plan(project.mission.as_deref(), Vec::new());
        let stated = event.node.as_ref().and_then(|node| node.parent_id.clone());
        let parent = stated.or_else(|| own.plan.as_ref().and_then(|node| node.parent_id.clone()));
        let is_failure = event.exit_code != 0;
        if let Some(parent) = parent.as_deref().filter(|_| is_failure) {
            // Another task of the same node is no sibling.
            let id = event.node.as_ref().map(|node| node.id.clone()).or_else(|| own.node.clone());
            let children =
                self.listed(&TaskQuery { parent: Some(parent), limit: MAX_SIBLINGS, ..TaskQuery::default() })?;
            let others = children.into_iter().filter(|(other, state)| other != task && state.node != id);
            event = event.with_siblings(others.flat_map(|(_, state)| state.as_sibling(parent)).collect());
            let stated = event.node.as_ref().and_then(|node| node.feature_id.clone());
            let above = || TaskId::new(parent).ok().and_then(|story| self.state(&story).ok()?.parent);
            if let Some(feature) = stated.or_else(above) {
                event = event.with_feature(feature.clone(), self.replans_elsewhere(&feature, parent)?);
            }
        }
        // Where the plan names no feature, the files name it.
        let is_placed = event.node.as_ref().is_some_and(|node| node.feature_id.is_some());
        if let (true, false, Some(feature)) = (is_failure, is_placed, engine.feature_of(&event)) {
            let replans = self.replans_naming(&feature, task, parent.as_deref())?;
            event = event.with_feature(feature, replans);
        }
        let depends_on = event.task.as_ref().map(|task| task.depends_on.clone()).unwrap_or_default();
        let mut skipped = Vec::new();
        for number in depends_on {
            let Ok(other) = TaskId::new(&number) else { continue };
            if let Some(name) = self.state(&other)?.skipped {
                skipped.push(AdjacentTask { number, name, status: TaskStatus::Skipped });
            }
        }
        if !skipped.is_empty() {
            event = event.with_skipped(skipped);
        }
        Ok(Question { event, ..question })
    }

    /// The replans of a feature that tasks of its other stories asked for.
    fn replans_elsewhere(&self, feature: &str, story: &str) -> Result<Vec<HistoryEntry>, ServiceError> {
        let mut replans = Vec::new();
        fn below(parent: &str) -> TaskQuery<'_> {
            TaskQuery { parent: Some(parent), limit: MAX_SIBLINGS, ..TaskQuery::default() }
        }
        for (_, other) in self.listed(&below(feature))? {
            let Some(other) = other.node.filter(|other| other != story) else { continue };
            for (_, state) in self.listed(&below(&other))? {
                replans.extend(state.replans_of_feature(feature, true));
            }
        }
        Ok(replans)
    }

    /// The replans of a feature that other tasks named, but for those below `parent`, which are siblings.
    fn replans_naming(
        &self,
        feature: &str,
        task: &TaskId,
        parent: Option<&str>,
    ) -> Result<Vec<HistoryEntry>, ServiceError> {
        let latest = self.listed(&TaskQuery { limit: MAX_SIBLINGS, ..TaskQuery::default() })?;
        let is_sibling = |state: &TaskState| parent.is_some() && state.parent.as_deref() == parent;
        let others = latest.into_iter().filter(|(other, state)| other != task && !is_sibling(state));
        Ok(others.flat_map(|(_, state)| state.replans_of_feature(feature, false)).collect())
    }

    /// What is known of the project as a whole.
    fn project(&self) -> Result<TaskState, ServiceError> {
        self.state(&TaskId::new(PROJECT)?)
    }

    /// The node that is worked on, as the plan has it, and the conflict that it waits for.
    pub fn active(&self) -> Result<Option<(Node, Option<String>)>, ServiceError> {
        let Some(id) = self.project()?.active else { return Ok(None) };
        let state = self.state(&TaskId::new(&id)?)?;
        let plan = state.plan.map(|node| *node).unwrap_or_default();
        let node = Node { id, parent_id: state.parent.or(plan.parent_id), tier: plan.tier, ..Node::default() };
        Ok(Some((node, state.waiting.map(|waiting| waiting.conflict))))
    }
}

/// What the tasks of a store share about the resource of one failure, while it is decided about.
struct Shared<'a> {
    engine: &'a Engine,
    task: &'a TaskId,
    now: Timestamp,
    /// The resource with what is known of it and the store's time; or why that could not be read.
    known: Result<Option<(String, Breaker, Timestamp)>, StoreError>,
    /// What the failure waits for.
    cooldown: Option<Cooldown>,
}

impl<'a> Shared<'a> {
    fn new(engine: &'a Engine, task: &'a TaskId, now: Timestamp) -> Self {
        Self { engine, task, now, known: Ok(None), cooldown: None }
    }

    /// Reads what is known of the resource, and how long this task waits for it.
    fn hold(&mut self, chain: &mut dyn TaskTransaction, resource: &str) -> Option<Cooldown> {
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
    fn settle(
        &mut self,
        chain: &mut dyn TaskTransaction,
        past: &TaskState,
        decision: &Decision,
    ) -> Result<(), ServiceError> {
        if let Some((resource, mut breaker, clock)) = std::mem::replace(&mut self.known, Ok(None))? {
            let stated = decision.diagnosis.as_ref().and_then(|diagnosis| stated_wait(diagnosis, self.now));
            let stated = stated.map(|until| clock.plus_ms(until.since(self.now)));
            breaker.failed(&self.engine.breaker, self.task.as_str(), stated, clock);
            put_breaker(chain, &resource, &breaker)?;
        } else if let (false, Some(resource)) = (decision.failure, &past.resource)
            && let Some(state) = chain.resource(resource)?
        {
            let mut breaker = parse_breaker(Some(&state));
            let before = breaker.clone();
            breaker.worked(&self.engine.breaker, chain.clock()?.unwrap_or(self.now));
            if breaker != before {
                put_breaker(chain, resource, &breaker)?;
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

/// What a record adds to its task's state; `None` for records that change none.
///
/// # Errors
/// Where the record's body is not what its kind says. A newer program may have written it: it concerns this record, and
/// whoever reads many tasks goes on with the others.
pub fn entry_of(record: &Record) -> Result<Option<Entry>, serde_json::Error> {
    match record.kind {
        RecordKind::Import => {
            let imported: Imported = serde_json::from_str(&record.body)?;
            Ok(Some(Entry::Imported { attempt: Box::new(imported.entry) }))
        }
        RecordKind::Checkpoint => {
            let Checkpoint { commit } = serde_json::from_str(&record.body)?;
            Ok(Some(Entry::Checkpoint { at: record.at, commit }))
        }
        // Programs before 0.2 wrote changes of state as notes.
        RecordKind::Note => Ok(body::decode(record).ok()),
        _ => body::decode(record).map(Some),
    }
}

/// What a checkpoint's record holds, ours or another system's.
#[derive(Deserialize)]
struct Checkpoint {
    commit: String,
}

pub(crate) fn load(
    task: &TaskId,
    chain: &dyn TaskTransaction,
    folded: &RefCell<Option<FoldedState>>,
) -> Result<TaskState, ServiceError> {
    fold_from(task, folded, |from| Ok(chain.records(from)?), || Ok(chain.snapshot(STATE_TAG)?))
}

/// The state of a task: from the last one in memory where its record is still in its place, else from the cached one in the
/// journal. What it adds up to is remembered.
fn fold_from(
    task: &TaskId,
    folded: &RefCell<Option<FoldedState>>,
    records: impl Fn(u64) -> Result<Vec<Record>, ServiceError>,
    snapshot: impl FnOnce() -> Result<Option<recovery_store::Snapshot>, ServiceError>,
) -> Result<TaskState, ServiceError> {
    let mut known = None;
    if let Some(last) = folded.take().filter(|last| last.task == *task) {
        let mut new = records(last.seq)?.into_iter();
        known = new.next().filter(|record| record.seq == last.seq && record.hash == last.hash).map(|_| (last, new));
    }
    let (mut state, new) = match known {
        Some((last, new)) if new.len() == 0 => {
            let state = last.state.clone();
            folded.replace(Some(last));
            return Ok(state);
        }
        Some((last, new)) => (last.state, new),
        None => {
            let (state, from) = cached(snapshot()?);
            (state, records(from)?.into_iter())
        }
    };
    let mut last = None;
    for record in new {
        fold(&mut state, &record);
        last = Some((record.seq, record.hash));
    }
    folded.replace(last.map(|(seq, hash)| FoldedState { task: task.clone(), seq, hash, state: state.clone() }));
    Ok(state)
}

/// The cached state and the first record that is not part of it. A cache that cannot be read is no cache.
fn cached(snapshot: Option<recovery_store::Snapshot>) -> (TaskState, u64) {
    snapshot
        .and_then(|snapshot| Some((unpacked(&snapshot.state)?, snapshot.seq + 1)))
        .unwrap_or_else(|| (TaskState::default(), 1))
}

/// Adds a record to the state. One that this program cannot read is counted and passed over.
pub fn fold(state: &mut TaskState, record: &Record) {
    match entry_of(record) {
        Ok(entry) => entry.iter().for_each(|entry| state.apply(entry)),
        Err(_) => state.unreadable += 1,
    }
}

fn append(
    task: &TaskId,
    chain: &mut dyn TaskTransaction,
    state: &mut TaskState,
    entry: &Entry,
    kind: RecordKind,
    content_id: Option<ContentId>,
    now: Timestamp,
) -> Result<Record, ServiceError> {
    let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
    let body = body::encode(entry).map_err(unwritable)?;
    let appended = chain.append(NewRecord { at: now, kind, content_id, body })?;
    state.apply(entry);
    if appended.record.seq.is_multiple_of(CACHED_EVERY) {
        cache(task, chain, state)?;
    }
    chain.remember(STATE_TAG, &mut || packed(state).ok().filter(|_| state.unreadable == 0));
    chain.put_labels(&labels(state))?;
    Ok(appended.record)
}

/// Caches the state that the task's records add up to, and lists the task under it.
pub(crate) fn keep(task: &TaskId, chain: &mut dyn TaskTransaction, state: &TaskState) -> Result<(), ServiceError> {
    cache(task, chain, state)?;
    Ok(chain.put_labels(&labels(state))?)
}

fn cache(task: &TaskId, chain: &mut dyn TaskTransaction, state: &TaskState) -> Result<(), ServiceError> {
    // A state without some records must not outlive the program that could not read them.
    if state.unreadable == 0 {
        let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
        chain.put_snapshot(STATE_TAG, &packed(state).map_err(unwritable)?)?;
    }
    Ok(())
}

/// A state as it is cached. Its attempts repeat each other, so it shrinks to a tenth.
fn packed(state: &TaskState) -> Result<Vec<u8>, serde_json::Error> {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut out, state)?;
    out.finish().map_err(serde_json::Error::io)
}

fn unpacked(state: &[u8]) -> Option<TaskState> {
    let mut json = Vec::new();
    DeflateDecoder::new(state).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

pub(crate) fn open_lists() -> Vec<TaskList> {
    TaskList::ALL.into_iter().filter(|list| list.is_open()).collect()
}

/// What the task is listed under.
fn labels(state: &TaskState) -> TaskLabels {
    let due_at = state.climb().and_then(Climb::deadline);
    TaskLabels { list: lists::of(state), parent: state.parent.clone(), due_at }
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

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_engine::PackName;

    #[test]
    fn an_edited_snapshot_is_not_sound() {
        let dir = tempfile::tempdir().unwrap();
        let wait = Duration::from_secs(5);
        let store = Store::Directory(dir.path().to_owned());
        let mut ledger = Ledger::open(&store, wait).unwrap();
        let (engine, task) = (Engine::new(PackName::Field), TaskId::new("t").unwrap());
        for at in 1..4 {
            let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..FailureEvent::default() };
            ledger.decide(&engine, &task, Question::new(event), Timestamp::from_ms(at)).unwrap();
        }
        assert!(Ledger::verify(&store, wait).unwrap().unwrap().is_sound());
        let mut forged = ledger.state(&task).unwrap();
        forged.failures = 0;
        let forged = packed(&forged).unwrap();
        let put = |chain: &mut dyn TaskTransaction| chain.put_snapshot(STATE_TAG, &forged);
        ledger.journal.transact(&task, put).unwrap();
        let found = Ledger::verify(&store, wait).unwrap().unwrap();
        assert_eq!(found.faults[0].kind, FaultKind::WrongSnapshot);
    }
    #[test]
    fn the_state_in_memory_is_what_the_records_add_up_to() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Ledger::open(&Store::Directory(dir.path().to_owned()), Duration::from_secs(5)).unwrap();
        let engine = Engine::new(PackName::Field);
        let tasks = ["a", "b"].map(|name| TaskId::new(name).unwrap());
        let mut ledgers = [open(), open()];
        // Two programs write to two tasks in turn, past the point where the journal caches a state.
        for at in 0..3 * CACHED_EVERY as usize {
            let (ledger, task) = (at % 2, at / 2 % 2);
            let text = format!("read ECONNRESET {}", at % 3);
            let event =
                FailureEvent { exit_code: i64::from(at % 5 != 4), stderr_tail: text, ..FailureEvent::default() };
            let question = Question::new(event);
            ledgers[ledger].decide(&engine, &tasks[task], question, Timestamp::from_ms(at as i64)).unwrap();
            for task in &tasks {
                let mut expected = TaskState::default();
                ledgers[0].journal.records(task, 1).unwrap().iter().for_each(|record| fold(&mut expected, record));
                assert!(ledgers.iter().all(|ledger| ledger.state(task).unwrap() == expected), "after {at}");
            }
        }
    }
}
