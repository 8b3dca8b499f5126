//! From an agent's report to an answer: what is recorded, and what the model is told.

mod advice;

use crate::cli::Global;
use crate::clock;
use crate::ledger::{Ledger, task_named};
use crate::output::one_line;
use failure_taxonomy::normalise::strip_ansi;
use failure_taxonomy::redact::redact;
use recovery_agents::{Agent, Answer, Call, Moment, Outcome, Report, is_benign, parse, render};
use recovery_engine::{TaskState, action_fingerprint, admit};
use recovery_service::{Hints, Question, Service, Setup};
use recovery_store::{ContentId, JournalExt as _, NewRecord, RecordKind, TaskId};
use recovery_types::ladder::Command;
use recovery_types::{Diagnosis, ErrorType, FailureEvent};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;

/// How long a hook waits for another process that writes to the journal.
const WAIT: Duration = Duration::from_millis(600);
/// How much of a transcript's end is searched for a call's exit code.
const TRANSCRIPT_TAIL: u64 = 2 << 20;
/// How many of the latest tasks are looked at where all could be meant: a hook has no time for years of them.
const RECENT_TASKS: usize = 50;
/// How many open tasks a new session is told of.
const HINTED_TASKS: usize = 3;

/// The answer to one hook call, in the agent's own JSON; `None` is silence.
pub(crate) fn answer(agent: Agent, payload: &[u8], global: &Global) -> anyhow::Result<Option<serde_json::Value>> {
    let Some(mut report) = parse(agent, payload) else { return Ok(None) };
    if let Some(dir) = report.cwd.as_ref().map(PathBuf::from).filter(|dir| dir.is_dir()) {
        global.start_from(dir);
    }
    read_transcript(&mut report);
    let call = HookCall { global, report: &report };
    let answer = match &report.moment {
        Moment::SessionStart => call.session_start()?,
        Moment::BeforeTool(tool) => call.before(tool)?,
        Moment::AfterTool(calls) => call.after(calls)?,
        Moment::Stop { continued } => call.stop(*continued)?,
        Moment::ApiFailure { error_type, text } => call.api_failure(*error_type, text)?,
    };
    Ok(answer.and_then(|answer| render(&report, &answer)))
}

/// One hook call with what surrounds it.
struct HookCall<'a> {
    global: &'a Global,
    report: &'a Report,
}

impl HookCall<'_> {
    /// What is known of the tasks that are open.
    fn session_start(&self) -> anyhow::Result<Option<Answer>> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let (engine, memory_dir, now) = (self.global.engine()?, self.global.memory_dir()?, clock::now());
        let mut open = ledger.recent(RECENT_TASKS)?;
        open.retain(|(_, state)| state.failures > 0 || state.is_stuck());
        let hints: Vec<Hints> = open
            .iter()
            .take(HINTED_TASKS)
            .map(|(task, state)| Hints::of(&engine, &memory_dir, task, state, now))
            .collect();
        Ok((!hints.is_empty()).then(|| Answer::Hints(advice::hints(&hints, open.len()))))
    }

    /// An action that keeps failing in the same way is not run again for a while; one that failed too often, not at
    /// all.
    fn before(&self, call: &Call) -> anyhow::Result<Option<Answer>> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let state = ledger.state(&self.task(call)?)?;
        let action = action_fingerprint(Some(&call.tool), &call.action);
        if let Some(denial) = state.denial(&action, clock::now()) {
            return Ok(Some(Answer::Deny(advice::denied(denial, &state))));
        }
        let most = self.global.config()?.hook.max_attempts;
        let too_often = state.failures_ever >= most && state.failures > 0;
        Ok(too_often.then(|| Answer::Deny(advice::capped(&state, most))))
    }

    fn after(&self, calls: &[(Call, Outcome)]) -> anyhow::Result<Option<Answer>> {
        let mut told = Vec::new();
        for (call, outcome) in calls {
            told.extend(self.one(call, outcome)?);
        }
        Ok((!told.is_empty()).then(|| Answer::Advice(advice::joined(&told))))
    }

    fn one(&self, call: &Call, outcome: &Outcome) -> anyhow::Result<Option<String>> {
        if outcome.interrupted || (outcome.ok == Some(false) && is_benign(call, outcome)) {
            return Ok(None);
        }
        let task = self.task(call)?;
        if outcome.ok == Some(true) {
            return self.worked(&task, call).map(|()| None);
        }
        let engine = self.global.engine()?;
        if outcome.ok.is_none() && !engine.taxonomy.reads_as_failure(outcome.text.as_bytes(), Some(&call.tool)) {
            return self.worked(&task, call).map(|()| None);
        }
        let event = FailureEvent {
            id: self.content_id(call),
            tool: Some(call.tool.clone()),
            exit_code: outcome.code(),
            stderr_tail: ends(&outcome.text),
            action: Some(call.action.clone()),
            zone: clock::zone(),
            ..FailureEvent::default()
        };
        let decision = self.decide(&task, event, None)?;
        Ok(Some(advice::failure(&decision, outcome)))
    }

    /// Success is worth a record only where the same action had failed before, or where it changed files: then what
    /// was held back may run once more, or no new plan could ever be verified.
    fn worked(&self, task: &TaskId, call: &Call) -> anyhow::Result<()> {
        let Some(ledger) = self.existing()? else { return Ok(()) };
        if call.changes_files() {
            return self.changed(&ledger);
        }
        let state = ledger.state(task)?;
        let action = action_fingerprint(Some(&call.tool), &call.action);
        let failed_before = state.attempts.iter().rev().find_map(|attempt| {
            attempt.action.as_ref().map(|earlier| action_fingerprint(attempt.tool.as_deref(), earlier) == action)
        });
        if failed_before == Some(true) {
            let id = self.content_id(call);
            self.decide(task, FailureEvent { id, ..FailureEvent::default() }, None)?;
        }
        Ok(())
    }

    fn changed(&self, ledger: &Ledger) -> anyhow::Result<()> {
        let at = clock::now();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            if self.is_mine(&task)? && state.denied.iter().any(|denial| denial.until > at) {
                self.service()?.changed(&task)?;
            }
        }
        Ok(())
    }

    /// Before the agent stops it is told, once, what of its session could not be finished.
    fn stop(&self, continued: bool) -> anyhow::Result<Option<Answer>> {
        let state_dir = self.global.state_dir()?;
        if continued || self.existing()?.is_none() {
            return Ok(None);
        }
        let mut ledger = Ledger::open(&state_dir, WAIT)?;
        let mut reports = Vec::new();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            if !self.is_mine(&task)? {
                continue;
            }
            let Some(report) = force_done(&state) else { continue };
            let note = NewRecord {
                at: clock::now(),
                kind: RecordKind::Note,
                content_id: Some(ContentId::of(format!("told {}", state.failures_ever).as_bytes())),
                body: r#"{"note":"the agent was told the force-done report"}"#.to_owned(),
            };
            if ledger.journal.append(&task, note)?.new {
                reports.push(report);
            }
        }
        Ok((!reports.is_empty()).then(|| Answer::Final(advice::force_done(&reports))))
    }

    /// The model's service failed: typed by the agent, or read from its text. Nobody listens to an answer here.
    fn api_failure(&self, error_type: Option<ErrorType>, text: &str) -> anyhow::Result<Option<Answer>> {
        let engine = self.global.engine()?;
        let task = match self.configured_task()? {
            Some(task) => task,
            None => task_named(&format!("{}api", self.session_prefix()))?,
        };
        let event = FailureEvent {
            tool: Some(self.report.agent.name().to_owned()),
            exit_code: 1,
            stderr_tail: text.to_owned(),
            zone: clock::zone(),
            ..FailureEvent::default()
        };
        let typed = error_type.and_then(|error| {
            let assessed = engine.assess(&admit(event.clone()), clock::now())?;
            Some(Diagnosis {
                error_type: error,
                failure_type: error.failure_type(),
                entry_level: error.entry_level(),
                ..assessed.diagnosis
            })
        });
        self.decide(&task, event, typed)?;
        Ok(None)
    }

    fn decide(
        &self,
        task: &TaskId,
        event: FailureEvent,
        observed: Option<Diagnosis>,
    ) -> anyhow::Result<recovery_engine::Decision> {
        let question = Question { observed, ..Question::new(event) };
        Ok(self.service()?.decide(task, question)?.decision)
    }

    fn service(&self) -> anyhow::Result<Service> {
        Ok(Service::open(Setup { wait: WAIT, ..self.global.setup()? })?)
    }

    fn existing(&self) -> anyhow::Result<Option<Ledger>> {
        Ok(Ledger::open_existing(&self.global.state_dir()?, WAIT)?)
    }

    /// The task that the caller configured, else the session and the command.
    fn task(&self, call: &Call) -> anyhow::Result<TaskId> {
        if let Some(task) = self.configured_task()? {
            return Ok(task);
        }
        // Names are shown, and bounded; the fingerprint tells apart what they do not.
        let plain: String =
            strip_ansi(&redact(&call.action)).chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let shown = one_line(&escalation::normalise(&plain), 70);
        let tool: String = call.tool.chars().filter(|c| !c.is_control()).take(30).collect();
        let action = action_fingerprint(Some(&call.tool), &call.action);
        Ok(task_named(&format!("{}{tool} {shown} {}", self.session_prefix(), &action[..8]))?)
    }

    /// Whether the task belongs to this session.
    fn is_mine(&self, task: &TaskId) -> anyhow::Result<bool> {
        Ok(match self.configured_task()? {
            Some(configured) => *task == configured,
            None => task.as_str().starts_with(&self.session_prefix()),
        })
    }

    fn configured_task(&self) -> anyhow::Result<Option<TaskId>> {
        let from_environment = std::env::var("RECOVERY_TASK").ok().filter(|task| !task.trim().is_empty());
        let named = from_environment.or_else(|| self.global.config().ok()?.hook.task.clone());
        Ok(named.as_deref().map(task_named).transpose()?)
    }

    /// What the names of this session's tasks begin with.
    fn session_prefix(&self) -> String {
        let plain = |text: &str| redact(text).chars().filter(|c| !c.is_control()).take(36).collect::<String>();
        let sub_agent = self.report.sub_agent.as_ref().map(|id| format!("/{}", plain(id))).unwrap_or_default();
        format!("{}/{}{sub_agent}: ", self.report.agent, plain(&self.report.session))
    }

    /// The same call reported twice is one event.
    fn content_id(&self, call: &Call) -> Option<String> {
        call.id.as_ref().map(|id| format!("{}/{}/{id}", self.report.agent, self.report.session))
    }
}

fn force_done(state: &TaskState) -> Option<recovery_types::ladder::ForceDoneReport> {
    match &state.climb()?.command {
        Command::ForceDone { report } => Some(report.clone()),
        Command::Retry { .. }
        | Command::Nudge { .. }
        | Command::Replan { .. }
        | Command::Fallback { .. }
        | Command::WaitUntil { .. } => None,
    }
}

/// The beginning and the end of a long output: a hook has no time for megabytes.
fn ends(text: &str) -> String {
    const HEAD: usize = 32 << 10;
    const TAIL: usize = 96 << 10;
    if text.len() <= HEAD + TAIL {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - TAIL);
    format!("{}\n{}", &text[..head], &text[tail..])
}

/// Exit codes that the payload hides may stand at the end of the agent's transcript.
fn read_transcript(report: &mut Report) {
    let Some(path) = report.wants_transcript().map(PathBuf::from) else { return };
    let Ok(mut file) = std::fs::File::open(path) else { return };
    let length = file.metadata().map_or(0, |meta| meta.len());
    let _ = file.seek(SeekFrom::Start(length.saturating_sub(TRANSCRIPT_TAIL)));
    let mut tail = Vec::new();
    if file.take(TRANSCRIPT_TAIL).read_to_end(&mut tail).is_ok() {
        report.read_transcript(&String::from_utf8_lossy(&tail));
    }
}
