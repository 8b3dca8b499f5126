//! The operations of the service: decide, report an outcome, settle, list, status, hints.
//!
//! In: a [`Setup`] (engine, store, notes directory) and one call per operation. Out: typed answers, each durable in the
//! journal before it is returned. [`Service`] is generic over the `Journal`, so tests and dry runs use one in memory.
//! Notes (`issues.md`, `learnings.md`) are written after the record: a note that cannot be written is a warning, never
//! an error. Records are read and appended in `ledger.rs`; to add an operation, add a method here and call the ledger
//! from it.

use crate::ledger::{Ledger, PROJECT, Question, RecordRef, Recorded, entry_of, is_users, open_lists};
use crate::status::lists;
use crate::{Clock, Hints, NoteError, ServiceError, Status, SystemClock, notes};
use recovery_engine::{Admitted, Engine, Entry, Input, TaskState, Waiting, admit};
use recovery_redact::redact;
use recovery_store::{AnyJournal, DEFAULT_WAIT, Journal, RecordKind, Store, TaskId, TaskList, TaskQuery, TaskSummary};
use recovery_types::ladder::Transition;
use recovery_types::repair::{GateOption, Repair, RepairRequest};
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
/// let mut service = Service::with(setup, MemoryJournal::default(), Timestamp::from_ms(0));
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

/// Which tasks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// All but failures that an agent met and did not repeat.
    Current,
    /// All.
    All,
    /// Those that wait for a person.
    Stuck,
}

impl Listed {
    fn open_lists(self) -> Vec<TaskList> {
        if self == Self::Stuck { vec![lists::STUCK, lists::STUCK_FOR_LONG] } else { open_lists() }
    }

    fn closed_lists(self) -> Vec<TaskList> {
        if self == Self::Stuck { Vec::new() } else { vec![TaskList::CLOSED] }
    }

    fn shows(self, status: &Status) -> bool {
        match self {
            Self::Current => status.state != "expired",
            Self::All => true,
            Self::Stuck => status.state == "stuck",
        }
    }
}

/// A part of the list of tasks.
#[derive(Default)]
pub struct Page {
    /// The tasks.
    pub statuses: Vec<Status>,
    /// The last of them, where more come after it.
    pub next: Option<String>,
    /// Failures that are left out because an agent did not repeat them, up to [`MOST_COUNTED`]; counted for the first page.
    pub expired: usize,
}

/// What is only counted is counted up to here: a status line must not read a million tasks.
pub const MOST_COUNTED: usize = 100;

/// How many deadlines are recorded in one group: others wait for the journal no longer than that takes.
const TICKED_TOGETHER: usize = 200;

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
    /// Over a journal and a clock of the caller's.
    pub fn with(setup: Setup, journal: J, clock: impl Clock + 'static) -> Self {
        Self { setup, clock: Box::new(clock), ledger: Ledger::over(journal), held_notes: None }
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

    /// The status of up to `limit` tasks by name, those after `after`, and whether there are more.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn statuses_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<(Vec<Status>, bool), ServiceError> {
        // Two more: the project's own task, and the one that shows that there are more.
        let mut tasks = self.ledger.journal.tasks_by_name(after, limit.saturating_add(2))?;
        tasks.retain(|summary| is_users(&summary.task));
        let has_more = tasks.len() > limit;
        tasks.truncate(limit);
        let now = self.clock.now();
        let status = |summary: &TaskSummary| -> Result<Status, ServiceError> {
            let state = self.ledger.state(&summary.task)?;
            Ok(Status::of(&self.setup.engine, &summary.task, &state, now))
        };
        Ok((tasks.iter().map(status).collect::<Result<_, _>>()?, has_more))
    }

    /// How many tasks there are.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn task_count(&self) -> Result<u64, ServiceError> {
        let own = self.ledger.journal.task(&TaskId::new(PROJECT)?)?.is_some();
        Ok(self.ledger.journal.task_count()? - u64::from(own))
    }

    /// A page of up to `limit` tasks: what is open first, then the others, each with what happened last first. `after` is the
    /// last task of the page before.
    ///
    /// # Errors
    /// Where the journal cannot be read, or does not know `after`.
    pub fn page(&self, which: Listed, after: Option<&TaskId>, limit: usize) -> Result<Page, ServiceError> {
        let now = self.clock.now();
        let after = match after {
            Some(task) => {
                Some(self.ledger.journal.task(task)?.ok_or_else(|| ServiceError::NoSuchTask { task: task.clone() })?)
            }
            None => None,
        };
        let is_past_open = after.as_ref().is_some_and(|after| !after.labels.list.is_open());
        let mut page = Page::default();
        let sections = [which.open_lists(), which.closed_lists()];
        for (section, lists) in sections.iter().enumerate().skip(usize::from(is_past_open)) {
            let mut last = after.clone().filter(|after| after.labels.list.is_open() == (section == 0));
            // A task that is not shown after all makes room for another one.
            while page.next.is_none() {
                let wanted = (limit - page.statuses.len()).saturating_add(1);
                let found = self.section(which, lists, last.as_ref(), wanted, now)?;
                let has_more = found.len() == wanted;
                last = found.last().cloned();
                for summary in found {
                    let state = self.ledger.state(&summary.task)?;
                    let status = Status::of(&self.setup.engine, &summary.task, &state, now);
                    if !is_users(&summary.task) || !which.shows(&status) {
                        continue;
                    }
                    if page.statuses.len() == limit {
                        page.next = page.statuses.last().map(|last| last.task.clone());
                        break;
                    }
                    page.statuses.push(status);
                }
                if !has_more {
                    break;
                }
            }
        }
        if which == Listed::Current && after.is_none() {
            page.expired = self.expired(now)?;
        }
        Ok(page)
    }

    /// The tasks in `lists` that come next, without those whose failure is of the past unless all are wanted.
    fn section(
        &self,
        which: Listed,
        lists: &[TaskList],
        after: Option<&TaskSummary>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<TaskSummary>, ServiceError> {
        let merged = TaskQuery { after, limit, ..TaskQuery::default() };
        let mut found = Vec::new();
        for list in lists {
            let since = lists::expired_until(*list, now).filter(|_| which != Listed::All);
            found.extend(self.ledger.journal.tasks_where(&TaskQuery { lists: &[*list], since, ..merged })?);
        }
        Ok(merged.of(found))
    }

    /// How many failures an agent did not repeat, up to [`MOST_COUNTED`].
    fn expired(&self, now: Timestamp) -> Result<usize, ServiceError> {
        let mut expired = 0;
        for list in open_lists() {
            let Some(until) = lists::expired_until(list, now) else { continue };
            let query = TaskQuery { lists: &[list], until: Some(until), limit: MOST_COUNTED, ..TaskQuery::default() };
            expired += self.ledger.journal.tasks_where(&query)?.len();
        }
        Ok(expired.min(MOST_COUNTED))
    }

    /// How many tasks fail and how many wait for a person, each up to [`MOST_COUNTED`].
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn open_counts(&self) -> Result<(usize, usize), ServiceError> {
        let now = self.clock.now();
        let newest = |lists: &[TaskList]| self.section(Listed::Current, lists, None, MOST_COUNTED, now);
        let failing = newest(&[lists::FAILING, lists::FAILING_BRIEFLY, lists::FAILING_FOR_LONG])?;
        Ok((failing.len(), newest(&[lists::STUCK, lists::STUCK_FOR_LONG])?.len()))
    }

    /// What to know before the next attempt at a task.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn hints(&self, task: &TaskId) -> Result<Hints, ServiceError> {
        let state = self.ledger.state(task)?;
        Ok(Hints::of(&self.setup.engine, &self.setup.notes_dir, task, &state, self.clock.now()))
    }

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
        let mut waiting: Vec<_> = tasks.filter_map(|(task, state)| Some((task, state.waiting?))).collect();
        waiting.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(waiting)
    }

    /// A conflict is settled: every task that waits for it may go on.
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
        Ok(settled)
    }

    /// What a person chose at the gate that a failed verification goes to where repair is off.
    ///
    /// # Errors
    /// As [`Service::resolve`].
    pub fn answer_gate(&mut self, task: &TaskId, option: GateOption, reason: &str) -> Result<Settled, ServiceError> {
        self.settle(task, reason, RecordKind::Resolve, |engine, state, reason, at| {
            let input = match option {
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
        self.each_below(node, reason, |at, reason| Entry::Frozen { at, reason })
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
            let mut due = self.ledger.journal.tasks_due(now, TICKED_TOGETHER.min(most - looked_at.len()))?;
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
                    nodes.extend(state.node.clone().filter(|_| is_below));
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
