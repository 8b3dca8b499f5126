//! The tools: one table, and what each call does. Arguments are in `input.rs`, results in `output.rs`. A mistake in the
//! arguments is a result that the model can act on, not a protocol error.

mod input;
mod output;
mod schema;

use anyhow::{Context as _, bail};
use input::{Attempt, Failure, Id, OneTask, Outcome, RepairOutcome, RepairTask, Settle, Which};
use output::{OutcomeRecorded, RepairEnded, Statuses, Step};
use recovery_engine::{Engine, admit};
use recovery_service::clock::zone;
use recovery_service::ledger::task_named;
use recovery_service::quote::{self, neutral_json};
use recovery_service::{
    Accept, Accepted, Classified, Clock as _, Hints, Question, Recorded, Service, ServiceError, Settled, Setup, Status,
    SystemClock, explain, notes, revisions,
};
use recovery_store::{MemoryJournal, TaskId};
use recovery_types::repair::{Repair, RepairRequest};
use recovery_types::{FailureEvent, RepoPath};
use schema::schema;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// One tool.
pub(crate) struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Whether it changes nothing.
    pub reads_only: bool,
    pub input: fn() -> Map<String, Value>,
    pub output: fn() -> Map<String, Value>,
    pub call: fn(&Tools, Value) -> anyhow::Result<Value>,
}

/// The tool whose answers are our own pages, in our own lines; every other one may have words from outside in its answer.
const PAGES: &str = "explain_rule";

impl Row {
    /// The answer to a call, as a model may read it.
    pub fn answer(&self, tools: &Tools, arguments: Value) -> anyhow::Result<Value> {
        let answer = (self.call)(tools, arguments)?;
        Ok(if self.name == PAGES { answer } else { neutral_json(answer) })
    }
}

/// Every tool, in the order in which clients see them.
pub(crate) const TOOLS: [Row; 10] = [
    Row {
        name: "classify_failure",
        title: "Classify a failure",
        description: "What kind of failure a command's output shows, how far it reaches (F1..F6), the evidence, and \
            how long to wait where a service said so. Records nothing.",
        reads_only: true,
        input: schema::<Failure>,
        output: schema::<Classified>,
        call: |tools, arguments| tools.classify(read(arguments)?),
    },
    Row {
        name: "decide_next_step",
        title: "Decide the next step after a failure",
        description: "Records a failed attempt at a task and says what to do next: retry, wait, nudge, decompose, \
            replan, fall back, or hand over. A judge below its threshold is a failure also with exit_code 0. Calling \
            it again with the same attempt_id gives the same answer and counts once.",
        reads_only: false,
        input: schema::<Attempt>,
        output: schema::<Step>,
        call: |tools, arguments| tools.decide(accepted(arguments)?),
    },
    Row {
        name: "record_outcome",
        title: "Record how an attempt ended",
        description: "Records that an attempt at a task worked (which ends its escalation) or failed. With tool and action, \
            `sentence` tells when the same action keeps giving the same result. The same attempt_id counts once.",
        reads_only: false,
        input: schema::<Outcome>,
        output: schema::<OutcomeRecorded>,
        call: |tools, arguments| tools.record(read(arguments)?),
    },
    Row {
        name: "task_status",
        title: "Show where tasks stand",
        description: "Failures, ladder level and state (ok, failing, stuck, resolved) of one task or of all, by name, a page \
            at a time.",
        reads_only: true,
        input: schema::<Which>,
        output: schema::<Statuses>,
        call: |tools, arguments| tools.status(read(arguments)?),
    },
    Row {
        name: "task_hints",
        title: "Show what was tried",
        description: "What was tried at a task, what to try instead, and what the project's notes say of such errors. \
            Worth a call before the first attempt.",
        reads_only: true,
        input: schema::<OneTask>,
        output: schema::<Hints>,
        call: |tools, arguments| tools.hints(&read(arguments)?),
    },
    Row {
        name: "repair_task",
        title: "Choose how to repair a failed task",
        description: "One strategy for a task that failed its done-criteria: RETRY with an adjustment, DECOMPOSE into \
            sub-tasks, PRUNE, or ESCALATE. With a task's name the budget and what was tried are kept from call to call.",
        reads_only: false,
        input: schema::<RepairTask>,
        output: schema::<Repair>,
        call: |tools, arguments| tools.repair(read(arguments)?),
    },
    Row {
        name: "repair_outcome",
        title: "Record how a repair ended",
        description: "Whether the last repair that repair_task or decide_next_step proposed for a task worked. The \
            answer has the log line that is true now.",
        reads_only: false,
        input: schema::<RepairOutcome>,
        output: schema::<RepairEnded>,
        call: |tools, arguments| tools.repaired(&read(arguments)?),
    },
    Row {
        name: "reset_task",
        title: "Start a task afresh",
        description: "Starts a task afresh that a person has looked at: its ladder is idle again, its failures stay \
            counted. Say why.",
        reads_only: false,
        input: schema::<Settle>,
        output: schema::<Status>,
        call: |tools, arguments| tools.settle(&read(arguments)?, Service::reset),
    },
    Row {
        name: "resolve_task",
        title: "Settle a task or a conflict",
        description: "Says that a task was dealt with, or that a conflict is settled (give the conflict's id as the \
            task): every task that waits for it may go on. Say how.",
        reads_only: false,
        input: schema::<Settle>,
        output: schema::<Status>,
        call: |tools, arguments| tools.settle(&read(arguments)?, Service::resolve),
    },
    Row {
        name: "explain_rule",
        title: "Explain a rule",
        description: "The page of a rule, indicator, error type, failure type, class (F1..F6) or level \
            (level-1..level-5), as other answers name them.",
        reads_only: true,
        input: schema::<Id>,
        output: schema::<explain::ExplainPage>,
        call: |tools, arguments| tools.explain(&read(arguments)?),
    },
];

/// The default and the maximum number of tasks per page of task_status: each line costs a model tokens.
const PAGE: (usize, usize) = (20, 100);

/// What every call needs: made once, so that a mistake in the settings is an answer and not a server that never starts.
pub(crate) struct Tools {
    /// The project's setup, or the mistake in its settings.
    pub setup: Result<Setup, String>,
    /// Where HEAD is looked up.
    pub root: PathBuf,
}

/// How many tasks' time limits one call records at most.
const MAX_TICKED_TASKS: usize = 20;

impl Tools {
    fn setup(&self) -> anyhow::Result<&Setup> {
        self.setup.as_ref().map_err(|error| anyhow::anyhow!("this has to be fixed first: {error}"))
    }

    fn engine(&self) -> anyhow::Result<&Engine> {
        Ok(&self.setup()?.engine)
    }

    /// The service, with HEAD as it is now.
    fn service(&self) -> anyhow::Result<Service> {
        let mut service = Service::open(Setup { head: recovery_git::head(&self.root), ..self.setup()?.clone() })?;
        // Time limits of whatever task that passed meanwhile are recorded first.
        service.tick_some(MAX_TICKED_TASKS)?;
        Ok(service)
    }

    fn classify(&self, failure: Failure) -> anyhow::Result<Value> {
        let engine = self.engine()?;
        let event = FailureEvent {
            tool: failure.tool,
            exit_code: failure.exit_code,
            stderr_tail: failure.output,
            zone: zone(),
            ..FailureEvent::default()
        };
        let event = admit(event);
        let assessment = engine.assess(&event, SystemClock.now());
        Ok(serde_json::to_value(Classified::of(engine, &event, assessment))?)
    }

    fn decide(&self, attempt: Attempt) -> anyhow::Result<Value> {
        let (task, attempt_id) = (attempt.task.clone(), attempt.attempt_id.clone());
        let event = attempt.event();
        if event.exit_code == 0 && !self.engine()?.is_failed_by_judge(&event) {
            bail!("exit_code 0 is no failure; call record_outcome with ok: true");
        }
        let printed = event.stderr_tail.clone();
        let recorded = self.recorded(&task, &attempt_id, event)?;
        Ok(serde_json::to_value(Step::new(recorded, &printed))?)
    }

    fn hints(&self, which: &OneTask) -> anyhow::Result<Value> {
        let task = task_named(&which.task).context("task")?;
        let setup = self.setup()?.clone();
        let hints = match Service::open_existing(setup.clone())? {
            Some(service) => service.hints(&task)?,
            None => Service::with_journal(setup, MemoryJournal::default(), SystemClock.now()).hints(&task)?,
        };
        Ok(serde_json::to_value(hints)?)
    }

    fn repair(&self, asked: RepairTask) -> anyhow::Result<Value> {
        let mut request = accepted::<RepairRequest>(asked.request).context("request")?;
        let printed = request.error.text.clone();
        let mut repair = match asked.task {
            Some(task) => self.service()?.repair(&task_named(&task).context("task")?, admit(request))?,
            None => {
                request.plan.decisions.extend(notes::decisions(&self.setup()?.notes_dir));
                self.engine()?.select_repair(&admit(request), SystemClock.now())
            }
        };
        quote::repair(&mut repair, &printed);
        Ok(serde_json::to_value(repair)?)
    }

    fn repaired(&self, outcome: &RepairOutcome) -> anyhow::Result<Value> {
        let task = task_named(&outcome.task).context("task")?;
        let lines = self.service()?.repaired(&task, outcome.ok)?;
        let log = (!lines.is_empty()).then(|| lines.join("\n"));
        Ok(serde_json::to_value(RepairEnded { task: task.as_str().to_owned(), ok: outcome.ok, log })?)
    }

    fn settle(
        &self,
        word: &Settle,
        settle: fn(&mut Service, &TaskId, &str) -> Result<Settled, ServiceError>,
    ) -> anyhow::Result<Value> {
        let task = task_named(&word.task).context("task")?;
        let settled = settle(&mut self.service()?, &task, &word.reason)?;
        let status = self.status_of(settled.task.as_str())?.context("the task was just recorded")?;
        Ok(serde_json::to_value(status)?)
    }

    fn record(&self, outcome: Outcome) -> anyhow::Result<Value> {
        let event = FailureEvent {
            exit_code: i64::from(!outcome.ok),
            stderr_tail: outcome.output,
            approach: outcome.approach,
            tool: outcome.tool,
            action: outcome.action,
            files_touched: outcome.files_touched.iter().map(|path| RepoPath::new(path)).collect(),
            node: outcome.node,
            ..FailureEvent::default()
        };
        let recorded = self.recorded(&outcome.task, &outcome.attempt_id, event)?;
        let status = self.status_of(&outcome.task)?.context("the task was just recorded")?;
        Ok(serde_json::to_value(OutcomeRecorded { status, sentence: recorded.decision.next.sentence })?)
    }

    fn recorded(&self, task: &str, attempt: &str, event: FailureEvent) -> anyhow::Result<Recorded> {
        let task = task_named(task).context("task")?;
        if attempt.trim().is_empty() {
            bail!("attempt_id is empty; give an id that no other attempt at the task has");
        }
        let mut service = self.service()?;
        let event = FailureEvent { id: Some(format!("mcp/{attempt}")), zone: zone(), ..event };
        let mut event = self.with_git(&service, &task, event)?;
        recovery_service::names::add(&mut event, &self.root, &self.root);
        Ok(service.decide(&task, Question::new(event))?)
    }

    /// The event of a node of the plan with what git knows and the caller does not state: the files that differ from the last
    /// commit, how often the node's tests were edited, and how often its files were revised.
    fn with_git(&self, service: &Service, task: &TaskId, mut event: FailureEvent) -> anyhow::Result<FailureEvent> {
        let state = service.ledger.state(task)?;
        if event.exit_code == 0 || (event.node.is_none() && state.plan.is_none()) {
            return Ok(event);
        }
        let Ok(repo) = recovery_git::Repo::at(&self.root) else { return Ok(event) };
        if event.files_touched.is_empty() {
            event.files_touched = repo.changed_files().unwrap_or_default();
        }
        if let Some(since) = revisions::since(&event, &state) {
            revisions::add(&mut event, &repo.revisions(since).unwrap_or_default());
        }
        Ok(event)
    }

    fn status(&self, which: Which) -> anyhow::Result<Value> {
        if let Some(task) = which.task {
            let Some(status) = self.status_of(&task)? else {
                bail!("no task is called {task:?}; call task_status without a task to see all of them");
            };
            return Ok(serde_json::to_value(Statuses { tasks: vec![status], next: None, total: 1 })?);
        }
        let Some(service) = Service::open_existing(self.setup()?.clone())? else {
            return Ok(serde_json::to_value(Statuses { tasks: Vec::new(), next: None, total: 0 })?);
        };
        // By name: a task that fails between two pages is neither shown twice nor left out.
        let after = which.after.as_deref().map(task_named).transpose().context("after")?;
        let limit = which.limit.unwrap_or(PAGE.0).clamp(1, PAGE.1);
        let (tasks, has_more) = service.statuses_by_name(after.as_ref(), limit)?;
        let next = tasks.last().filter(|_| has_more).map(|status| status.task.clone());
        Ok(serde_json::to_value(Statuses { tasks, next, total: service.task_count()? })?)
    }

    fn status_of(&self, task: &str) -> anyhow::Result<Option<Status>> {
        let Some(service) = Service::open_existing(self.setup()?.clone())? else { return Ok(None) };
        Ok(service.status(&task_named(task).context("task")?)?)
    }

    fn explain(&self, id: &Id) -> anyhow::Result<Value> {
        let Some(page) = explain::page(self.engine()?, &id.id) else {
            bail!(
                "nothing is called {:?}; try an error type, failure type or rule from another answer, F1..F6, or \
                 level-1..level-5",
                id.id
            );
        };
        Ok(serde_json::to_value(page)?)
    }
}

/// The arguments in any accepted spelling; a mistake is named with its field.
fn accepted<T: DeserializeOwned + JsonSchema>(arguments: Value) -> anyhow::Result<T> {
    let Accepted { value, warnings, .. } = Accept::<T>::default().spell(arguments);
    if let Some(warning) = warnings.first() {
        bail!("{warning}; see the tool's schema");
    }
    read(value)
}

/// The arguments; a mistake is named with its field.
fn read<T: DeserializeOwned>(arguments: Value) -> anyhow::Result<T> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { String::new() } else { format!("argument `{path}`: ") };
        anyhow::anyhow!("{place}{}", error.inner())
    })
}
