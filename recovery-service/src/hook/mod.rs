//! What a hook answers: an agent's report of a tool call in, a decision recorded, an answer out.
//!
//! Two rules come before everything else. A right action is never held back: a hold needs the identical call that failed
//! in the identical way again and again ([`recovery_engine`] decides that), and it is lifted by whatever may have changed
//! the outcome ([`world`]). And a failure is what the agent's client calls one, never what a text looks like.
//!
//! | to change | look in |
//! |---|---|
//! | when a call is held back, and the exemptions | [`before`], [`exempt`], [`flaky`], [`running`] |
//! | what counts as a failure or a success, what is recorded | [`after`] |
//! | when something counts as changed | [`world`], in the project's files [`files`] |
//! | the words that a model reads | [`text`] |
//! | the start and the end of a session, the report before it stops | [`session`] |
//! | what a call may change, which loop it belongs to, what its exit code means | `recovery-agents` |
//! | how many identical failures it takes | `recovery-engine/src/holds.rs` |
//!
//! Tasks are named after what is worked on (the project's journal holds them, the command names them), not after the
//! session: sub-agents and later sessions continue where others stopped. Under `recovery run` they are sub-tasks of the run's.

mod after;
mod before;
mod exempt;
mod files;
mod flaky;
mod place;
mod repeats;
mod running;
mod session;
mod state_file;
mod text;
mod world;

use crate::ledger::{Ledger, Question, task_named};
use crate::{notes, revisions};
use failure_taxonomy::normalise::strip_ansi;
use place::{locate_calls, machine, read_transcript, working_dir};
use recovery_agents::{Agent, Answer, Call, Moment, Report, parse, render};
use recovery_engine::{Decision, Engine, TaskState, action_fingerprint, admit};
use recovery_redact::redact;
use recovery_store::{JournalExt as _, NewRecord, RecordKind, Store, TaskId};
use recovery_types::{Diagnosis, FailureEvent, RepoPath, Timestamp};
use std::path::PathBuf;
use std::time::Duration;

/// How long a hook waits for another process that writes to the journal.
const JOURNAL_TIMEOUT: Duration = Duration::from_millis(600);
/// How long a hook that is out of time waits for the journal to record that.
const OVERDUE_TIMEOUT: Duration = Duration::from_millis(50);
/// How many of the latest tasks are looked at where all could be meant: a hook has no time for years of them.
const RECENT_TASKS: usize = 50;
/// A failure this long after the one before it is unrelated to it: the ladder starts afresh.
const FRESH_AFTER_MS: u64 = 30 * 60_000;
/// Nobody waits at a level of a hook's ladder, so its levels have no time limit that would lift them.
const NO_LIMIT_MS: u64 = 365 * 24 * 3_600_000;

/// Why a hook has no answer. The agent never sees it: a hook that fails is silent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Service(#[from] crate::ServiceError),
    /// A name is not a task's, or a record cannot be stored.
    #[error(transparent)]
    Store(#[from] recovery_store::StoreError),
    /// The project cannot be determined: invalid settings, no working directory.
    #[error("{0}")]
    Surroundings(Box<dyn std::error::Error + Send + Sync>),
}

/// What the hook's surroundings are: the settings, the clock, the directories.
pub trait Project {
    /// Everything is in here.
    fn root(&self) -> Result<PathBuf, HookError>;
    /// Where the journal is.
    fn store(&self) -> Result<Store, HookError>;
    /// Where everything else is kept.
    fn state_dir(&self) -> Result<PathBuf, HookError>;
    /// Where issues.md and learnings.md are.
    fn notes_dir(&self) -> Result<PathBuf, HookError>;
    /// The engine with the user's settings.
    fn engine(&self) -> Result<Engine, HookError>;
    /// The hook's own settings.
    fn settings(&self) -> Result<Settings, HookError>;
    /// Now.
    fn now(&self) -> Timestamp;
    /// The machine's time zone.
    fn zone(&self) -> Option<String>;
    /// The commit that HEAD names.
    fn head(&self) -> Option<String>;
    /// The task of the `recovery run` around the agent.
    fn run_task(&self) -> Option<String>;
    /// The files that differ from the last commit; asked only where a plan assigns them.
    fn changed_files(&self) -> Vec<RepoPath> {
        Vec::new()
    }
    /// The files of each commit since then, cosmetic changes left out; asked only where a node's past depends on them.
    fn revisions(&self, _since: Timestamp) -> Vec<Vec<RepoPath>> {
        Vec::new()
    }
    /// The agent works in `dir`.
    fn start_from(&self, dir: PathBuf);
}

/// `[hook]` of the settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The task that everything belongs to; none for one task for each thing that is worked on.
    pub task: Option<String>,
}

/// What a hook call is about, for the watchdog that answers in its place when time runs out.
#[derive(Debug, Default)]
pub struct Progress(std::sync::Mutex<Option<Pending>>);

#[derive(Debug)]
struct Pending {
    report: Report,
    store: Store,
    now: Timestamp,
}

impl Progress {
    /// Records that the call ran out of time, and returns the answer for that case: only of a failure, which an agent should know
    /// to be uncounted.
    #[must_use]
    pub fn overdue(&self) -> Option<serde_json::Value> {
        let pending = self.0.lock().ok()?.take()?;
        let Moment::AfterTool(calls) = &pending.report.moment else { return None };
        let (call, outcome) = calls.iter().find(|(_, outcome)| outcome.ok == Some(false))?;
        let note = NewRecord {
            at: pending.now,
            kind: RecordKind::Note,
            content_id: None,
            body: serde_json::json!({"note": "a hook ran out of time", "agent": pending.report.agent.name(),
                "tool": redact(&call.tool), "output_bytes": outcome.text.len()})
            .to_string(),
        };
        // The journal may be what took so long; reporting that does not depend on it.
        if let (Ok(mut ledger), Ok(project)) =
            (Ledger::open(&pending.store, OVERDUE_TIMEOUT), TaskId::new(crate::ledger::PROJECT))
        {
            let _ = ledger.journal.append(&project, note);
        }
        render(&pending.report, &Answer::Advice(text::OVERDUE.to_owned()))
    }
}

/// The answer to one hook call, in the agent's own JSON; `None` is silence.
pub fn answer(agent: Agent, payload: &[u8], project: &dyn Project) -> Result<Option<serde_json::Value>, HookError> {
    answer_watched(agent, payload, project, &Progress::default())
}

/// As [`answer`], for a caller that gives up after a while and then reads `progress`.
pub fn answer_watched(
    agent: Agent,
    payload: &[u8],
    project: &dyn Project,
    progress: &Progress,
) -> Result<Option<serde_json::Value>, HookError> {
    let Some(mut report) = parse(agent, payload) else { return Ok(None) };
    if let Some(dir) = working_dir(&report) {
        project.start_from(dir);
    }
    let begun = read_transcript(&mut report);
    locate_calls(&mut report, &project.root()?);
    let (state_dir, store) = (project.state_dir()?, project.store()?);
    let hook = Hook { project, report: &report, begun, state_dir, store, now: project.now() };
    if let Ok(mut pending) = progress.0.lock() {
        *pending = Some(Pending { report: report.clone(), store: hook.store.clone(), now: hook.now });
    }
    let answer = match &report.moment {
        // Nobody knows what was done between two sessions.
        Moment::SessionStart => {
            hook.world()?.mark(hook.now);
            hook.session_start()?
        }
        Moment::SessionEnd => hook.session_end()?,
        // A person may have done anything in between: what was held back is theirs to try again.
        Moment::Prompt => {
            hook.world()?.mark(hook.now);
            None
        }
        Moment::BeforeTool(call) => hook.before(call)?,
        Moment::AfterTool(calls) => hook.after(calls)?,
        Moment::Stop { continued } => hook.stop(*continued)?,
        Moment::ApiFailure { error_type, text } => hook.api_failure(*error_type, text)?,
    };
    Ok(answer.and_then(|answer| render(&report, &answer)))
}

/// One hook call with what surrounds it.
struct Hook<'a> {
    project: &'a dyn Project,
    report: &'a Report,
    /// Commands that are under way by the client's transcript, each with its beginning.
    begun: Vec<(Call, Timestamp)>,
    state_dir: PathBuf,
    store: Store,
    now: Timestamp,
}

impl Hook<'_> {
    fn decide(
        &self,
        ledger: &mut Ledger,
        engine: &Engine,
        task: &TaskId,
        event: FailureEvent,
        observed: Option<Diagnosis>,
    ) -> Result<Decision, HookError> {
        let mut event = self.as_planned(ledger, task, event)?;
        // The arbiter was asked already: what fails while the plan waits is no other collision.
        let state = ledger.state(task)?;
        event.conflict_id = event.conflict_id.filter(|conflict| !state.waits_for(conflict));
        let question = Question { event: admit(event), observed, head: self.project.head() };
        let recorded = ledger.decide(engine, task, question, self.now)?;
        if recorded.new {
            // The decision is recorded; a note that cannot be written is no reason to keep it from the agent.
            let _ = notes::append(&self.project.notes_dir()?, &recorded.decision.transitions);
        }
        Ok(recorded.decision)
    }

    /// The event with what a plan knows and an agent does not report: the active node, its conflict, the files touched.
    fn as_planned(&self, ledger: &Ledger, task: &TaskId, event: FailureEvent) -> Result<FailureEvent, HookError> {
        let Some((node, conflict)) = ledger.active()?.filter(|_| event.exit_code != 0) else { return Ok(event) };
        let files_touched = self.project.changed_files();
        // What is worked on has a task of its own here; the plan knows the node by its id.
        let planned_at = ledger.state(&TaskId::new(&node.id)?)?.planned_at;
        let mut event = FailureEvent { node: Some(node), conflict_id: conflict, files_touched, ..event };
        let state = TaskState { planned_at, ..ledger.state(task)? };
        if let Some(since) = revisions::since(&event, &state) {
            revisions::add(&mut event, &self.project.revisions(since));
        }
        Ok(event)
    }

    /// The engine, with levels that time alone does not end.
    fn engine(&self) -> Result<Engine, HookError> {
        let mut engine = self.project.engine()?;
        let ladder = &mut engine.ladder;
        ladder.retry.limit_ms = NO_LIMIT_MS;
        ladder.nudge.limit_ms = NO_LIMIT_MS;
        ladder.replan.limit_ms = NO_LIMIT_MS;
        ladder.fallback.limit_ms = NO_LIMIT_MS;
        ladder.session_budget_ms = None;
        engine.own_ladder = true;
        Ok(engine)
    }

    /// The journal to write to, made where there is none.
    fn ledger(&self) -> Result<Ledger, HookError> {
        Ok(Ledger::open(&self.store, JOURNAL_TIMEOUT)?)
    }

    fn existing(&self) -> Result<Option<Ledger>, HookError> {
        Ok(Ledger::open_known(&self.store, JOURNAL_TIMEOUT)?)
    }

    fn world(&self) -> Result<world::World, HookError> {
        let root = self.project.root()?;
        let cwd = working_dir(self.report).unwrap_or_else(|| root.clone());
        let notes_dir = self.project.notes_dir()?;
        Ok(world::World { root, cwd, state_dir: self.state_dir.clone(), notes_dir, is_shared: self.is_shared() })
    }

    /// Whether the journal is not the project's own: it may have the same call of another project or machine.
    fn is_shared(&self) -> bool {
        !matches!(&self.store, Store::Directory(dir) if self.project.root().is_ok_and(|root| dir.starts_with(root)))
    }

    fn note_change(&self, call: &Call, worked: bool) -> Result<(), HookError> {
        if call.may_change_anything(worked) {
            self.world()?.mark(self.now);
        }
        Ok(())
    }

    /// The task that the settings name, else what the call is about.
    fn task(&self, call: &Call) -> Result<TaskId, HookError> {
        if let Some(task) = self.project.settings()?.task {
            return Ok(task_named(&task)?);
        }
        // Names are shown, and bounded; the fingerprint distinguishes what they do not.
        let subject = call.subject();
        // Without its quotes a secret has lost what it is known by: it is taken out of the whole line first.
        let clean = Call { action: redact(&call.action).into_owned(), ..call.clone() }.subject();
        let plain: String = strip_ansi(&redact(&clean)).chars().filter(|c| !c.is_control()).collect();
        let shown: String = plain.chars().take(70).collect();
        let tool: String = redact(&call.tool).chars().filter(|c| !c.is_control()).take(30).collect();
        let here =
            if self.is_shared() { format!("{}\n{}", machine(), self.project.root()?.display()) } else { String::new() };
        let id = action_fingerprint(Some(&call.tool), &format!("{subject}{here}"));
        self.named(&format!("{tool} {} {}", shown.trim(), &id[..8]))
    }

    /// `name`, below the task of the run around the agent where there is one.
    fn named(&self, name: &str) -> Result<TaskId, HookError> {
        match self.project.run_task() {
            Some(run) => Ok(task_named(&format!("{run}/{name}"))?),
            None => Ok(task_named(name)?),
        }
    }

    fn session(&self) -> String {
        let plain: String = redact(&self.report.session).chars().filter(|c| !c.is_control()).take(60).collect();
        format!("{}/{plain}", self.report.agent)
    }

    /// Whether an event's id was given in this session.
    fn is_mine(&self, id: Option<&str>) -> bool {
        id.and_then(|id| id.strip_prefix(&self.session())).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The session, and the sub-agent within it where one is at work: sub-agents do not see each other's output.
    fn caller(&self) -> String {
        match &self.report.sub_agent {
            Some(sub_agent) => format!("{}/{}", self.session(), redact(sub_agent)),
            None => self.session(),
        }
    }

    /// Whether an event's id was given to a call of this very caller.
    fn is_callers(&self, id: &str) -> bool {
        id.rsplit_once('/').is_some_and(|(caller, _)| caller == self.caller())
    }

    /// The same call reported twice is one event.
    fn content_id(&self, call: &Call) -> Option<String> {
        call.id.as_ref().map(|id| format!("{}/{}", self.caller(), id.replace('/', "_")))
    }
}
