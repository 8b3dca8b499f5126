//! What a hook answers: an agent's report of a tool call in, a decision recorded, an answer out.
//!
//! Two rules come before everything else. A right action is never held back: a hold needs the identical call that failed
//! in the identical way again and again ([`recovery_engine`] decides that), and it is lifted by whatever may have changed
//! the outcome ([`world`]). And a failure is what the agent's client calls one, never what a text looks like.
//!
//! | to change | look in |
//! |---|---|
//! | when something counts as changed | [`world`] |
//! | the words that a model reads | [`text`] |
//! | what a call may change, which loop it belongs to, what its exit code means | `recovery-agents` |
//! | how many identical failures it takes | `recovery-engine/src/holds.rs` |
//!
//! Tasks are named after what is worked on (the project's journal holds them, the command names them), not after the
//! session: sub-agents and later sessions go on where others stopped. Under `recovery run` they are sub-tasks of the run's.

mod repeats;
mod text;
mod world;

use crate::ledger::{Ledger, Question, task_named};
use crate::notes;
use failure_taxonomy::normalise::strip_ansi;
use recovery_agents::{Agent, Answer, Call, Moment, Outcome, Report, is_benign, parse, render};
use recovery_engine::{Attempt, Decision, Engine, Entry, Input, TaskState, action_fingerprint, admit};
use recovery_redact::redact;
use recovery_store::{ContentId, Journal as _, JournalExt as _, NewRecord, RecordKind, Store, TaskId};
use recovery_types::ladder::Command;
use recovery_types::{Class, Diagnosis, ErrorType, FailureEvent, RepoPath, Timestamp};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;
use text::Failed;

/// How long a hook waits for another process that writes to the journal.
const JOURNAL_WAIT: Duration = Duration::from_millis(600);
/// How long a hook that is out of time waits for the journal to record that.
const OVERDUE_WAIT: Duration = Duration::from_millis(50);
/// How much of a transcript's end is searched for a call's exit code.
const TRANSCRIPT_TAIL_BYTES: u64 = 2 << 20;
/// How many of the latest tasks are looked at where all could be meant: a hook has no time for years of them.
const RECENT_TASKS: usize = 50;
/// How many open tasks are listed to a new session.
const HINTED_TASKS: usize = 5;
/// What failed longer ago than this is not brought up at the start of a session.
const HINTED_FOR_MS: u64 = 3 * 24 * 3_600_000;
/// A failure this long after the one before it is a new story: its ladder starts afresh.
const FRESH_AFTER_MS: u64 = 30 * 60_000;
/// How long a hold lasts once `max_attempts` identical failures have been seen.
const LONG_HOLD_MS: u64 = 3_600_000;
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
    /// The agent works in `dir`.
    fn start_from(&self, dir: PathBuf);
}

/// `[hook]` of the settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The task that everything belongs to; none for one task for each thing that is worked on.
    pub task: Option<String>,
    /// Identical failures without any change after which a hold lasts for an hour.
    pub max_attempts: u32,
}

/// What a hook call is about, for whoever has to answer in its place when time runs out.
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
            (Ledger::open(&pending.store, OVERDUE_WAIT), TaskId::new(crate::ledger::PROJECT))
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

/// As [`answer`], for a caller who gives up after a while and then asks `progress`.
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
    read_transcript(&mut report);
    locate_calls(&mut report, &project.root()?);
    let (state_dir, store) = (project.state_dir()?, project.store()?);
    let hook = Hook { project, report: &report, state_dir, store, now: project.now() };
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
    state_dir: PathBuf,
    store: Store,
    now: Timestamp,
}

/// Whether a failure is the client's word or was read from the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// The client reports that it failed.
    Reported,
    /// Its exit code was hidden, or is not known: it is advised about and never held back.
    Read,
}

impl Hook<'_> {
    /// The tasks that are open and matter.
    fn session_start(&self) -> Result<Option<Answer>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let mut open = ledger.recent(RECENT_TASKS)?;
        open.retain(|(_, state)| {
            let recent = state.last_at.is_some_and(|at| self.now.since(at) < HINTED_FOR_MS);
            recent && !state.resolved && (state.failures > 1 || state.is_stuck())
        });
        let shown: Vec<(&str, &TaskState)> =
            open.iter().take(HINTED_TASKS).map(|(task, state)| (task.as_str(), state)).collect();
        Ok((!shown.is_empty()).then(|| Answer::Hints(text::open_tasks(&shown, open.len()))))
    }

    /// What failed, what was recovered and what was held back in this session: for the person.
    fn session_end(&self) -> Result<Option<Answer>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let mut summary = text::Summary::default();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            let mut failed = false;
            for record in ledger.journal.records(&task, 1)? {
                match crate::ledger::entry_of(&record).ok().flatten() {
                    Some(Entry::Decided { event, decision, .. }) if self.is_mine(event.id.as_deref()) => {
                        summary.failures += u32::from(decision.failure);
                        summary.recovered += u32::from(!decision.failure);
                        failed |= decision.failure;
                    }
                    Some(Entry::Held { session, saved_ms, .. }) if session == self.session() => {
                        summary.held += 1;
                        summary.saved_ms += saved_ms;
                    }
                    _ => {}
                }
            }
            if failed && state.failures > 0 {
                summary.open.push(task.as_str().to_owned());
            }
        }
        Ok((summary.failures > 0).then(|| Answer::Summary(summary.text())))
    }

    /// The identical action that keeps failing in the identical way is not run again until something changes.
    fn before(&self, call: &Call) -> Result<Option<Answer>, HookError> {
        if call.is_ours() {
            return Ok(None);
        }
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let task = self.task(call)?;
        let state = ledger.state(&task)?;
        let Some(last) = state.attempts.last().filter(|_| state.failures > 0) else { return Ok(None) };
        let (world, since) = (self.world()?, last.at);
        // A clock that was set back cannot show what happened since.
        if self.now < since || world.changed_after(&state.attempts).is_some() {
            return Ok(None);
        }
        if world.changed_since(since, &call.action) {
            world.mark(self.now);
            return Ok(None);
        }
        let Some(held) = self.held(&ledger, &task, call, &state)? else { return Ok(None) };
        drop(ledger);
        let entry = Entry::Held {
            at: self.now,
            action: action_fingerprint(Some(&call.tool), &call.action),
            session: self.session(),
            saved_ms: last.duration_ms.unwrap_or_default(),
        };
        let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
        ledger.record(&task, RecordKind::Change, self.now, |_| entry)?;
        Ok(Some(Answer::Deny(text::held(&held, &state, self.now))))
    }

    /// What holds the call back at this moment.
    fn held(
        &self,
        ledger: &Ledger,
        task: &TaskId,
        call: &Call,
        state: &TaskState,
    ) -> Result<Option<text::Hold>, HookError> {
        let Some(last) = state.attempts.last() else { return Ok(None) };
        if state.allowed || call.hides_exit_code() || call.is_polling(may_pass(last.class, last.error_type)) {
            return Ok(None);
        }
        let action = action_fingerprint(Some(&call.tool), &call.action);
        let Some(denial) = state.denied.iter().rev().find(|denial| denial.action == action) else { return Ok(None) };
        if last.class == Class::F1 && self.waits_nearby(ledger, task, &denial.reason)? {
            return Ok(None);
        }
        let identical = state.identical(&action);
        let is_long = identical >= self.project.settings()?.max_attempts.max(1);
        let until = if is_long { denial.until.max(last.at.plus_ms(LONG_HOLD_MS)) } else { denial.until };
        Ok((until > self.now).then(|| text::Hold { identical, until, reason: denial.reason.clone() }))
    }

    /// Whether the task waits for something on this machine or beside it: a server that starts, a lock that is let go of.
    /// Nobody announces when that is; asking again is how to find out.
    fn waits_nearby(&self, ledger: &Ledger, task: &TaskId, reason: &str) -> Result<bool, HookError> {
        let decided = ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?;
        let Some(Entry::Decided { decision, .. }) = decided else { return Ok(false) };
        Ok(match &decision.resource {
            Some(resource) => is_nearby(resource),
            None => reason.to_ascii_lowercase().contains("refused"),
        })
    }

    fn after(&self, calls: &[(Call, Outcome)]) -> Result<Option<Answer>, HookError> {
        let mut answers = Vec::new();
        for (call, outcome) in calls {
            answers.extend(self.one(call, outcome)?);
        }
        Ok((!answers.is_empty()).then(|| Answer::Advice(text::joined(&answers))))
    }

    fn one(&self, call: &Call, outcome: &Outcome) -> Result<Option<String>, HookError> {
        if text::is_our_refusal(&outcome.text) {
            return Ok(None);
        }
        if outcome.interrupted {
            // It ran for a while, and a person is there.
            self.world()?.mark(self.now);
            return Ok(None);
        }
        let said_no = outcome.ok == Some(false) && is_benign(call, outcome);
        if outcome.is_running || said_no || call.is_ours() || call.is_nested_agent() {
            // Neither a failure of the task nor proof that it works; but something may be different now.
            self.note_change(call, outcome.ok != Some(false))?;
            return Ok(None);
        }
        match outcome.ok {
            Some(false) => self.failed(call, outcome, Certainty::Reported).map(Some),
            Some(true) if call.hides_exit_code() && self.reads_as_failed_run(call, outcome)? => {
                self.failed(call, outcome, Certainty::Read).map(Some)
            }
            None if call.is_shell && self.reads_as_failed_run(call, outcome)? => {
                self.failed(call, outcome, Certainty::Read).map(Some)
            }
            Some(true) | None => {
                self.worked(call)?;
                Ok(self.repeated(call, outcome))
            }
        }
    }

    /// Whether the output shows a run that failed: an error type is named, and nothing shows success.
    fn reads_as_failed_run(&self, call: &Call, outcome: &Outcome) -> Result<bool, HookError> {
        let engine = self.project.engine()?;
        Ok(engine.taxonomy.reads_as_failure(outcome.text.as_bytes(), Some(&call.tool)))
    }

    /// The same call with the same result, again and again: reported at the ladder's threshold and each time it is reached again.
    fn repeated(&self, call: &Call, outcome: &Outcome) -> Option<String> {
        let threshold = recovery_engine::Policy::default().loops.force_done;
        let (tool, action) = (&call.tool, &call.action);
        let times = repeats::count(&self.state_dir, &self.session(), tool, action, &outcome.text, self.now);
        let is_due = times > 0 && times.is_multiple_of(threshold) && !call.is_polling(true);
        is_due.then(|| text::repeated(times))
    }

    /// Success is worth a record only where the same thing had failed before.
    fn worked(&self, call: &Call) -> Result<(), HookError> {
        self.note_change(call, true)?;
        let Some(ledger) = self.existing()? else { return Ok(()) };
        let task = self.task(call)?;
        let state = ledger.state(&task)?;
        let failed_before = state.attempts.iter().any(|attempt| {
            let earlier = attempt.action.as_ref().map(|action| Call { action: action.clone(), ..call.clone() });
            attempt.tool.as_ref() == Some(&call.tool)
                && earlier.is_none_or(|earlier| earlier.subject() == call.subject())
        });
        if !failed_before {
            return Ok(());
        }
        drop(ledger);
        let engine = self.engine()?;
        if state.is_stuck() {
            // What works needs no person any more.
            self.start_afresh(&engine, &task, &state, "it works")?;
        }
        let id = self.content_id(call);
        self.decide(&engine, &task, FailureEvent { id, ..FailureEvent::default() }, None)?;
        Ok(())
    }

    fn failed(&self, call: &Call, outcome: &Outcome, certainty: Certainty) -> Result<String, HookError> {
        let engine = self.engine()?;
        let task = self.task(call)?;
        let event = FailureEvent {
            id: self.content_id(call),
            tool: Some(call.tool.clone()),
            exit_code: if certainty == Certainty::Read { 1 } else { outcome.code() },
            stderr_tail: ends(&redact(&text::without_ours(&outcome.text))),
            // What was only read from the output is no action that could be held back.
            action: Some(call.action.clone()).filter(|_| outcome.ok.is_some()),
            zone: self.project.zone(),
            duration_ms: outcome.duration_ms,
            ..FailureEvent::default()
        };
        let earlier = self.account_for_change(&engine, &task, &event)?;
        let decision = self.decide(&engine, &task, event, None)?;
        let fingerprint = decision.diagnosis.as_ref().map(|diagnosis| &diagnosis.fingerprint);
        let is_new = !earlier.iter().any(|attempt| Some(&attempt.fingerprint) == fingerprint);
        // A command that failed in a new way may have got somewhere first; one that could not be started has not.
        let got_somewhere = call.is_shell && is_new && !matches!(outcome.exit_code, Some(126 | 127));
        self.note_change(call, got_somewhere)?;
        let can_be_held = certainty == Certainty::Reported && !call.hides_exit_code();
        let passes = match (&decision.classification, &decision.diagnosis) {
            (Some(class), Some(diagnosis)) => may_pass(class.class, diagnosis.error_type),
            _ => false,
        };
        let identical = match self.existing()? {
            Some(ledger) if can_be_held && !call.is_polling(passes) => {
                let state = ledger.state(&task)?;
                Some(state.identical(&action_fingerprint(Some(&call.tool), &call.action)))
            }
            _ => None,
        };
        let cwd = self.report.cwd.as_deref();
        Ok(text::failure(&Failed { decision: &decision, outcome, call, certainty, identical, cwd }))
    }

    /// What happened since the task failed last: another outcome after a change is progress, and so is a failure after a
    /// long while; its ladder starts afresh. The same outcome after a change only starts the count of identical ones.
    /// Gives the attempts so far.
    fn account_for_change(
        &self,
        engine: &Engine,
        task: &TaskId,
        event: &FailureEvent,
    ) -> Result<Vec<Attempt>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(Vec::new()) };
        let state = ledger.state(task)?;
        let Some(last) = state.attempts.last() else { return Ok(Vec::new()) };
        if self.now.since(last.at) > FRESH_AFTER_MS {
            self.start_afresh(engine, task, &state, "a new failure after a while")?;
        } else if let Some(changed_at) = self.world()?.changed_after(&state.attempts) {
            let seen = engine.assess(&admit(event.clone()), self.now).map(|assessed| assessed.diagnosis.fingerprint);
            if seen.is_some_and(|fingerprint| fingerprint != last.fingerprint) {
                self.start_afresh(engine, task, &state, "progress: another outcome after a change")?;
            } else {
                let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
                ledger.record(task, RecordKind::Change, self.now, |_| Entry::Changed { at: changed_at })?;
            }
        }
        Ok(state.attempts)
    }

    fn start_afresh(&self, engine: &Engine, task: &TaskId, state: &TaskState, reason: &str) -> Result<(), HookError> {
        let input = Input::Reset { reason: reason.to_owned() };
        let transitions = engine.advance(task.as_str(), state, input, self.now);
        let entry = Entry::Reset { at: self.now, reason: reason.to_owned(), transitions };
        let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
        ledger.record(task, RecordKind::Reset, self.now, |_| entry)?;
        Ok(())
    }

    /// Before the agent stops it gets, once per session, the list of its tasks that the ladder has given up.
    fn stop(&self, continued: bool) -> Result<Option<Answer>, HookError> {
        if continued {
            self.world()?.mark(self.now);
            return Ok(None);
        }
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let mut given_up = Vec::new();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            let Some(Command::ForceDone { report }) = state.climb().map(|climb| climb.command.clone()) else {
                continue;
            };
            let decided = ledger.last_entry(&task, |entry| matches!(entry, Entry::Decided { .. }))?;
            let Some(Entry::Decided { event, .. }) = decided else { continue };
            if state.failures > 0 && self.is_mine(event.id.as_deref()) {
                given_up.push((task, report));
            }
        }
        if given_up.is_empty() {
            self.world()?.mark(self.now);
            return Ok(None);
        }
        drop(ledger);
        let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
        let mut told = Vec::new();
        for (task, report) in given_up {
            let note = NewRecord {
                at: self.now,
                kind: RecordKind::Note,
                content_id: Some(ContentId::of(format!("told {}", self.session()).as_bytes())),
                body: r#"{"note":"the agent was told that the ladder has ended"}"#.to_owned(),
            };
            if ledger.journal.append(&task, note)?.new {
                told.push((task.as_str().to_owned(), report));
            }
        }
        if told.is_empty() {
            // It is the person's turn now, who may do anything before the agent goes on.
            self.world()?.mark(self.now);
            return Ok(None);
        }
        Ok(Some(Answer::Final(text::given_up(&told))))
    }

    /// The model's service failed: typed by the agent, or read from its text. Nobody listens to an answer here.
    fn api_failure(&self, error_type: Option<ErrorType>, text: &str) -> Result<Option<Answer>, HookError> {
        let engine = self.engine()?;
        let task = self.named(&format!("{} api", self.report.agent))?;
        let event = FailureEvent {
            tool: Some(self.report.agent.name().to_owned()),
            exit_code: 1,
            stderr_tail: text.to_owned(),
            zone: self.project.zone(),
            ..FailureEvent::default()
        };
        let typed = error_type.and_then(|error| {
            let assessed = engine.assess(&admit(event.clone()), self.now)?;
            Some(Diagnosis { error_type: error, failure_type: error.failure_type(), ..assessed.diagnosis })
        });
        self.account_for_change(&engine, &task, &event)?;
        self.decide(&engine, &task, event, typed)?;
        Ok(None)
    }

    fn decide(
        &self,
        engine: &Engine,
        task: &TaskId,
        event: FailureEvent,
        observed: Option<Diagnosis>,
    ) -> Result<Decision, HookError> {
        let mut ledger = Ledger::open(&self.store, JOURNAL_WAIT)?;
        let event = self.as_planned(&ledger, event)?;
        let question = Question { event: admit(event), observed, head: self.project.head() };
        let recorded = ledger.decide(engine, task, question, self.now)?;
        if recorded.new {
            // The decision is recorded; a note that cannot be written is no reason to keep it from the agent.
            let _ = notes::append(&self.project.notes_dir()?, &recorded.decision.transitions);
        }
        Ok(recorded.decision)
    }

    /// The event with what a plan knows and an agent does not report: the active node, its conflict, the files touched.
    fn as_planned(&self, ledger: &Ledger, event: FailureEvent) -> Result<FailureEvent, HookError> {
        let Some((node, conflict)) = ledger.active()?.filter(|_| event.exit_code != 0) else { return Ok(event) };
        let files_touched = self.project.changed_files();
        Ok(FailureEvent { node: Some(node), conflict_id: conflict, files_touched, ..event })
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

    fn existing(&self) -> Result<Option<Ledger>, HookError> {
        Ok(Ledger::open_existing(&self.store, JOURNAL_WAIT)?)
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

    /// The same call reported twice is one event.
    fn content_id(&self, call: &Call) -> Option<String> {
        call.id.as_ref().map(|id| format!("{}/{id}", self.session()))
    }
}

/// Whether time alone may end the failure: it is transient, or nobody knows what it is.
fn may_pass(class: Class, error: ErrorType) -> bool {
    class == Class::F1 || error == ErrorType::Other
}

/// Whether the resource (see [`Decision`]) is on this machine or in the same network.
fn is_nearby(resource: &str) -> bool {
    let (kind, name) = resource.split_once(':').unwrap_or(("", resource));
    let host = name.rsplit_once(':').map_or(
        name,
        |(host, port)| {
            if port.chars().all(|c| c.is_ascii_digit()) { host } else { name }
        },
    );
    let host = host.trim_matches(['[', ']']);
    match host.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(v4)) => v4.is_loopback() || v4.is_private() || v4.is_unspecified(),
        Ok(std::net::IpAddr::V6(v6)) => v6.is_loopback() || v6.is_unique_local() || v6.is_unspecified(),
        Err(_) => {
            let beside = [".local", ".localhost", ".internal", ".test", ".lan"];
            kind == "lock" || !host.contains('.') || beside.iter().any(|ending| host.ends_with(ending))
        }
    }
}

/// This machine's name.
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Where the agent works, where that is a directory here.
fn working_dir(report: &Report) -> Option<PathBuf> {
    report.cwd.as_ref().map(PathBuf::from).filter(|dir| dir.is_dir())
}

/// A command line runs somewhere: `npm test` in one directory of the project is not `npm test` in another.
fn locate_calls(report: &mut Report, root: &Path) {
    let cwd = working_dir(report).unwrap_or_else(|| root.to_path_buf());
    let calls: Vec<&mut Call> = match &mut report.moment {
        Moment::BeforeTool(call) => vec![call],
        Moment::AfterTool(calls) => calls.iter_mut().map(|(call, _)| call).collect(),
        _ => return,
    };
    for call in calls.into_iter().filter(|call| call.is_shell) {
        let dir = call.dir.as_ref().map_or_else(|| cwd.clone(), |dir| cwd.join(dir));
        let dir = dir.canonicalize().unwrap_or(dir);
        let shown = match dir.strip_prefix(root.canonicalize().as_deref().unwrap_or(root)) {
            Ok(below) if below.as_os_str().is_empty() => continue,
            Ok(below) => below.to_string_lossy().into_owned(),
            Err(_) => dir.to_string_lossy().into_owned(),
        };
        call.action = format!("cd '{}' && {}", shown.replace('\'', "'\\''"), call.action);
    }
}

/// The beginning and the end of a long output: a hook has no time for megabytes.
fn ends(text: &str) -> String {
    const HEAD_BYTES: usize = 32 << 10;
    const TAIL_BYTES: usize = 96 << 10;
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(HEAD_BYTES);
    let tail = text.ceil_char_boundary(text.len() - TAIL_BYTES);
    format!("{}\n{}", &text[..head], &text[tail..])
}

/// Exit codes that the payload hides may be at the end of the agent's transcript.
fn read_transcript(report: &mut Report) {
    let Some(path) = report.wants_transcript().map(PathBuf::from) else { return };
    if let Some(tail) = tail_of(&path) {
        report.read_transcript(&tail);
    }
}

fn tail_of(path: &Path) -> Option<String> {
    // Opening anything else than a file may wait for ever.
    let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let mut file = std::fs::File::open(path).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(TRANSCRIPT_TAIL_BYTES))).ok()?;
    let mut tail = Vec::new();
    file.take(TRANSCRIPT_TAIL_BYTES).read_to_end(&mut tail).ok()?;
    Some(String::from_utf8_lossy(&tail).into_owned())
}
