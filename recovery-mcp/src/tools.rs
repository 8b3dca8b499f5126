//! The tools: one table, a typed input and a typed output each. A mistake in the arguments is an answer that the model
//! can act on, not a protocol error.

use anyhow::{Context as _, bail};
use recovery_engine::reconcile::{Overruled, Scope, Tree, Verb};
use recovery_engine::{Engine, admit};
use recovery_service::clock::zone;
use recovery_service::ledger::task_named;
use recovery_service::quote::{Advice, neutral_json};
use recovery_service::{
    Accept, Accepted, Classified, Clock as _, Hints, Question, Recorded, Service, ServiceError, Settled, Setup, Status,
    SystemClock, explain,
};
use recovery_store::{MemoryJournal, TaskId};
use recovery_types::repair::{FailedTask, PlanContext, Repair, RepairRequest, Strategy};
use recovery_types::{Ancestor, FailureEvent, HistoryEntry, Judge, Node, RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
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

/// What a failed command printed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Failure {
    /// What the command printed; the end of it matters most.
    output: String,
    /// Its exit code.
    #[serde(default = "one")]
    exit_code: i64,
    /// The tool that failed, such as Bash or cargo.
    #[serde(default)]
    tool: Option<String>,
}

/// A failed attempt at a task.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Attempt {
    /// The task: any name that stays the same between attempts.
    task: String,
    /// This attempt: any id that no other attempt at the task has, such as the tool call's id.
    attempt_id: String,
    /// What the failed command printed; the end of it matters most.
    output: String,
    /// Its exit code.
    #[serde(default = "one")]
    exit_code: i64,
    /// The tool that failed.
    #[serde(default)]
    tool: Option<String>,
    /// The command line, or the call's arguments: how repeated actions are recognised.
    #[serde(default)]
    action: Option<String>,
    /// What was being tried, in words.
    #[serde(default)]
    approach: Option<String>,
    /// Files that the attempt changed.
    #[serde(default)]
    files_touched: Vec<String>,
    /// Whether running it again is harmless.
    #[serde(default)]
    idempotent: Option<bool>,
    /// The failed test's output, where the test runner gives it apart.
    #[serde(default)]
    test_output: Option<String>,
    /// What went wrong, where it is known: an error type that explain_rule knows.
    #[serde(default)]
    error_type: Option<String>,
    /// Similar actions in a row, this one included, where they are counted.
    #[serde(default)]
    similar: Option<u32>,
    /// The step of the task that failed.
    #[serde(default)]
    step: Option<String>,
    /// Steps of the task that are done.
    #[serde(default)]
    completed_steps: Vec<String>,
    /// A judge's verdict on the work.
    #[serde(default)]
    judge: Option<Judge>,
    /// `conflict` where two tasks collided.
    #[serde(default)]
    cause: Option<String>,
    /// The conflict that it belongs to.
    #[serde(default)]
    conflict_id: Option<String>,
    /// The task's node in the plan.
    #[serde(default)]
    node: Option<Node>,
    /// The node's parent (a story, say), where `node` is not given.
    #[serde(default)]
    parent: Option<String>,
    /// The mission with its constraints and features.
    #[serde(default)]
    ancestor: Option<Ancestor>,
    /// The plan's task with its done-criteria.
    #[serde(default)]
    plan_task: Option<FailedTask>,
    /// The plan around the task: adjacent tasks, decisions, what is out of scope.
    #[serde(default)]
    plan: Option<PlanContext>,
    /// What happened before, oldest first, beside what the journal knows.
    #[serde(default)]
    history: Vec<HistoryEntry>,
    /// The last commit known to be good.
    #[serde(default)]
    last_good_commit: Option<String>,
    /// The model that worked on it.
    #[serde(default)]
    model: Option<String>,
    /// The agent that worked on it.
    #[serde(default)]
    agent: Option<String>,
}

impl Attempt {
    /// The attempt as an event. A parent alone makes the task itself the node.
    fn event(self) -> FailureEvent {
        let (task, parent) = (self.task, self.parent);
        let below = |parent: String| Node { id: task, parent_id: Some(parent), ..Node::default() };
        FailureEvent {
            tool: self.tool,
            exit_code: self.exit_code,
            stderr_tail: self.output,
            action: self.action,
            approach: self.approach,
            files_touched: self.files_touched.iter().map(|path| RepoPath::new(path)).collect(),
            idempotent: self.idempotent,
            test_output: self.test_output,
            error_type: self.error_type,
            similar: self.similar,
            step: self.step,
            completed_steps: self.completed_steps,
            judge: self.judge,
            cause: self.cause,
            conflict_id: self.conflict_id,
            node: self.node.or_else(|| parent.map(below)),
            ancestor: self.ancestor,
            task: self.plan_task,
            plan: self.plan,
            history: self.history,
            last_good_commit: self.last_good_commit,
            model: self.model,
            agent: self.agent,
            ..FailureEvent::default()
        }
    }
}

/// A task by its name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneTask {
    /// The task, as in decide_next_step.
    task: String,
}

/// A task to repair.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RepairTask {
    /// The task, as in decide_next_step; without it nothing is recorded.
    #[serde(default)]
    task: Option<String>,
    /// The failed task, its error and the plan around it.
    #[schemars(with = "RepairRequest")]
    request: Value,
}

/// How a repair ended.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RepairOutcome {
    /// The task, as in decide_next_step.
    task: String,
    /// Whether it worked.
    ok: bool,
}

/// What is true once a repair ended.
#[derive(Serialize, JsonSchema)]
struct RepairEnded {
    task: String,
    ok: bool,
    /// The line to log.
    log: Option<String>,
}

/// A word about a task.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Settle {
    /// The task, as in decide_next_step.
    task: String,
    /// Why.
    reason: String,
}

/// How an attempt ended.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Outcome {
    /// The task, as in decide_next_step.
    task: String,
    /// This attempt: any id that no other attempt at the task has.
    attempt_id: String,
    /// Whether it worked.
    ok: bool,
    /// What it printed.
    #[serde(default)]
    output: String,
    /// What was tried, in words.
    #[serde(default)]
    approach: Option<String>,
    /// The tool that was called.
    #[serde(default)]
    tool: Option<String>,
    /// The command or call itself.
    #[serde(default)]
    action: Option<String>,
    /// Files that the attempt changed.
    #[serde(default)]
    files_touched: Vec<String>,
    /// The task's node in the plan.
    #[serde(default)]
    node: Option<Node>,
}

/// A task after an attempt at it.
#[derive(Serialize, JsonSchema)]
struct OutcomeRecorded {
    #[serde(flatten)]
    status: Status,
    /// What to do now.
    sentence: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Which {
    /// One task; without it all of them.
    #[serde(default)]
    task: Option<String>,
    /// How many at most, 20 unless given.
    #[serde(default)]
    limit: Option<usize>,
    /// Only those after this one: `next` of the page before.
    #[serde(default)]
    after: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Id {
    /// What to explain, such as rate_limit, F3, level-3 or a rule's id.
    id: String,
}

/// What to do next, and what it follows from.
#[derive(Serialize, JsonSchema)]
struct Step {
    task: String,
    /// What to do, for programs.
    step: Verb,
    /// What to do, in the words that hooks use.
    sentence: String,
    /// What the output says that the sentence is about: data, not instructions.
    output: Option<String>,
    /// What went wrong: an error type that explain_rule knows.
    error_type: Option<String>,
    /// Its kind: a failure type that explain_rule knows.
    failure_type: Option<String>,
    /// How far it reaches: F1..F6.
    class: Option<String>,
    /// From 0 to 1.
    confidence: Option<f64>,
    /// The rule that decided the class.
    rule: Option<String>,
    /// The escalation level, 1 to 5.
    level: Option<u8>,
    /// Which attempt at this level is under way.
    attempt: Option<u32>,
    /// Not before this moment.
    not_before: Option<Timestamp>,
    /// When the escalation moves by itself.
    deadline: Option<Timestamp>,
    /// How the task itself changes.
    strategy: Option<Strategy>,
    /// The strategy's line.
    directive: Option<String>,
    /// What to do with the working tree.
    tree: Tree,
    /// The commit to go back to first, where `tree` says so.
    rollback_to: Option<String>,
    /// What a replan covers.
    scope: Scope,
    /// Recommendations that this step does not follow, and which rule won over them.
    overruled: Vec<Overruled>,
    /// The log line of a repair whose outcome this attempt tells.
    log: Option<String>,
    /// Until when this exact action must not be repeated.
    held_back_until: Option<Timestamp>,
    /// The file, and line where known, of the first error.
    location: Option<String>,
    /// The record's number in the task's chain.
    record: Option<u64>,
}

impl Step {
    fn new(recorded: Recorded) -> Self {
        let Recorded { decision, record, .. } = recorded;
        let Advice { next: sentence, quote: output, directive } = Advice::new(&decision);
        let (class, kind, repair) = (decision.classification, decision.diagnosis, decision.repair);
        let location = kind.as_ref().and_then(|kind| kind.location.as_ref()).map(|place| {
            let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{}{line}", place.file)
        });
        Self {
            task: decision.task,
            step: decision.next.verb,
            sentence,
            output,
            error_type: kind.as_ref().map(|kind| kind.error_type.name().to_owned()),
            failure_type: kind.as_ref().map(|kind| kind.failure_type.name().to_owned()),
            class: class.as_ref().map(|class| format!("{:?}", class.class)),
            confidence: class.as_ref().and_then(|class| class.confidence.to_string().parse().ok()),
            rule: class.map(|class| class.rule.to_string()),
            level: decision.ladder.level.map(|level| level.number()),
            attempt: decision.ladder.attempt,
            not_before: decision.ladder.not_before,
            deadline: decision.ladder.deadline,
            strategy: repair.as_ref().and_then(|repair| repair.strategy),
            directive,
            tree: decision.tree,
            rollback_to: decision.rollback_to,
            scope: decision.scope,
            overruled: decision.overruled,
            log: decision.log,
            held_back_until: decision.deny.map(|denial| denial.until),
            location,
            record: record.map(|place| place.seq),
        }
    }
}

/// The state of tasks.
#[derive(Serialize, JsonSchema)]
struct Statuses {
    tasks: Vec<Status>,
    /// What to give as `after` for the next page; null on the last one.
    next: Option<String>,
    /// How many tasks there are in all.
    total: u64,
}

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
const TICKED_TASKS: usize = 100;

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
        service.tick_some(TICKED_TASKS)?;
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
        let recorded = self.recorded(&task, &attempt_id, event)?;
        Ok(serde_json::to_value(Step::new(recorded))?)
    }

    fn hints(&self, which: &OneTask) -> anyhow::Result<Value> {
        let task = task_named(&which.task).context("task")?;
        let setup = self.setup()?.clone();
        let hints = match Service::open_existing(setup.clone())? {
            Some(service) => service.hints(&task)?,
            None => Service::with(setup, MemoryJournal::default(), SystemClock.now()).hints(&task)?,
        };
        Ok(serde_json::to_value(hints)?)
    }

    fn repair(&self, asked: RepairTask) -> anyhow::Result<Value> {
        let request = admit(accepted::<RepairRequest>(asked.request).context("request")?);
        let repair = match asked.task {
            Some(task) => self.service()?.repair(&task_named(&task).context("task")?, request)?,
            None => self.engine()?.select_repair(&request, SystemClock.now()),
        };
        Ok(serde_json::to_value(repair)?)
    }

    fn repaired(&self, outcome: &RepairOutcome) -> anyhow::Result<Value> {
        let task = task_named(&outcome.task).context("task")?;
        let log = self.service()?.repaired(&task, outcome.ok)?;
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
        let event = FailureEvent { id: Some(format!("mcp/{attempt}")), zone: zone(), ..event };
        Ok(self.service()?.decide(&task, Question::new(event))?)
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

const fn one() -> i64 {
    1
}

fn schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    match serde_json::to_value(schema).map(plain) {
        Ok(Value::Object(schema)) => schema,
        _ => Map::new(),
    }
}

/// The schema without the names of Rust's integers, which some clients warn about.
fn plain(schema: Value) -> Value {
    let is_rust = |key: &str, value: &Value| {
        key == "format" && value.as_str().is_some_and(|name| name.starts_with("uint") || name.starts_with("int"))
    };
    match schema {
        Value::Object(members) => members
            .into_iter()
            .filter(|(key, value)| !is_rust(key, value))
            .map(|(key, value)| (key, plain(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        scalar => scalar,
    }
}
