//! The tools: one table, a typed input and a typed output each. A mistake in the arguments is an answer that the model
//! can act on, not a protocol error.

use crate::cli::Global;
use crate::commands::{classify, explain};
use crate::ledger::task_named;
use crate::{clock, git};
use anyhow::{Context as _, bail};
use recovery_engine::reconcile::{Tree, Verb};
use recovery_engine::{Engine, admit};
use recovery_service::{Question, Recorded, Service, Setup, Status};
use recovery_types::repair::Strategy;
use recovery_types::{FailureEvent, RepoPath, Timestamp};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// One tool.
pub(super) struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Whether it changes nothing.
    pub reads_only: bool,
    pub input: fn() -> Map<String, Value>,
    pub output: fn() -> Map<String, Value>,
    pub call: fn(&Tools, Value) -> anyhow::Result<Value>,
}

/// Every tool, in the order in which clients see them.
pub(super) const TOOLS: [Row; 5] = [
    Row {
        name: "classify_failure",
        title: "Classify a failure",
        description: "What kind of failure a command's output shows, how far it reaches (F1..F6), the evidence, and \
            how long to wait where a service said so. Records nothing.",
        reads_only: true,
        input: schema::<Failure>,
        output: schema::<classify::Answer>,
        call: |tools, arguments| tools.classify(read(arguments)?),
    },
    Row {
        name: "decide_next_step",
        title: "Decide the next step after a failure",
        description: "Records a failed attempt at a task and says what to do next: retry, wait, nudge, decompose, \
            replan, fall back, or hand over. Calling it again with the same attempt_id gives the same answer and \
            counts once.",
        reads_only: false,
        input: schema::<Attempt>,
        output: schema::<Step>,
        call: |tools, arguments| tools.decide(read(arguments)?),
    },
    Row {
        name: "record_outcome",
        title: "Record how an attempt ended",
        description: "Records that an attempt at a task worked (which ends its escalation) or failed, where no advice \
            is wanted. The same attempt_id counts once.",
        reads_only: false,
        input: schema::<Outcome>,
        output: schema::<Status>,
        call: |tools, arguments| tools.record(read(arguments)?),
    },
    Row {
        name: "task_status",
        title: "Show where tasks stand",
        description: "Failures, ladder level and state (ok, failing, stuck, resolved) of one task or of all.",
        reads_only: true,
        input: schema::<Which>,
        output: schema::<Statuses>,
        call: |tools, arguments| tools.status(read(arguments)?),
    },
    Row {
        name: "explain_rule",
        title: "Explain a rule",
        description: "The page of a rule, indicator, error type, failure type, class (F1..F6) or level \
            (level-1..level-5), as other answers name them.",
        reads_only: true,
        input: schema::<Id>,
        output: schema::<explain::Page>,
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
    /// What it printed, where it failed.
    #[serde(default)]
    output: String,
    /// What was tried, in words.
    #[serde(default)]
    approach: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Which {
    /// One task; without it all of them.
    #[serde(default)]
    task: Option<String>,
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
    /// What to do, in words.
    sentence: String,
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
        let (class, kind, repair) = (decision.classification, decision.diagnosis, decision.repair);
        let location = kind.as_ref().and_then(|kind| kind.location.as_ref()).map(|place| {
            let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{}{line}", place.file)
        });
        Self {
            task: decision.task,
            step: decision.next.verb,
            sentence: decision.next.sentence,
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
            directive: repair.and_then(|repair| repair.directive),
            tree: decision.tree,
            held_back_until: decision.deny.map(|denial| denial.until),
            location,
            record: record.map(|place| place.seq),
        }
    }
}

/// Where tasks stand.
#[derive(Serialize, JsonSchema)]
struct Statuses {
    tasks: Vec<Status>,
}

/// What every call needs: made once, so that a mistake in the settings is an answer and not a server that never starts.
pub(super) struct Tools {
    setup: Result<Setup, String>,
    root: PathBuf,
}

impl Tools {
    pub fn new(global: &Global) -> Self {
        // Claude Code says where the project is; its servers start anywhere.
        if let Some(dir) = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|dir| dir.is_dir()) {
            global.start_from(dir);
        }
        let root = global.root().unwrap_or_default();
        Self { setup: global.setup().map_err(|error| format!("{error:#}")), root }
    }

    fn setup(&self) -> anyhow::Result<&Setup> {
        self.setup.as_ref().map_err(|error| anyhow::anyhow!("this has to be fixed first: {error}"))
    }

    fn engine(&self) -> anyhow::Result<&Engine> {
        Ok(&self.setup()?.engine)
    }

    /// The service, with HEAD as it is now.
    fn service(&self) -> anyhow::Result<Service> {
        Ok(Service::open(Setup { head: git::head(&self.root), ..self.setup()?.clone() })?)
    }

    fn classify(&self, failure: Failure) -> anyhow::Result<Value> {
        let engine = self.engine()?;
        let event = FailureEvent {
            tool: failure.tool,
            exit_code: failure.exit_code,
            stderr_tail: failure.output,
            zone: clock::zone(),
            ..FailureEvent::default()
        };
        let assessment = engine.assess(&admit(event), clock::now());
        Ok(serde_json::to_value(classify::Answer::new(assessment, engine.taxonomy.pack()))?)
    }

    fn decide(&self, attempt: Attempt) -> anyhow::Result<Value> {
        if attempt.exit_code == 0 {
            bail!("exit_code 0 is no failure; call record_outcome with ok: true");
        }
        let event = FailureEvent {
            tool: attempt.tool,
            exit_code: attempt.exit_code,
            stderr_tail: attempt.output,
            action: attempt.action,
            approach: attempt.approach,
            files_touched: attempt.files_touched.iter().map(|path| RepoPath::new(path)).collect(),
            idempotent: attempt.idempotent,
            ..FailureEvent::default()
        };
        let recorded = self.recorded(&attempt.task, &attempt.attempt_id, event)?;
        Ok(serde_json::to_value(Step::new(recorded))?)
    }

    fn record(&self, outcome: Outcome) -> anyhow::Result<Value> {
        let event = FailureEvent {
            exit_code: i64::from(!outcome.ok),
            stderr_tail: outcome.output,
            approach: outcome.approach,
            ..FailureEvent::default()
        };
        self.recorded(&outcome.task, &outcome.attempt_id, event)?;
        let status = self.statuses(Some(&outcome.task))?.pop().context("the task was just recorded")?;
        Ok(serde_json::to_value(status)?)
    }

    fn recorded(&self, task: &str, attempt: &str, event: FailureEvent) -> anyhow::Result<Recorded> {
        let task = task_named(task).context("task")?;
        if attempt.trim().is_empty() {
            bail!("attempt_id is empty; give an id that no other attempt at the task has");
        }
        let event = FailureEvent { id: Some(format!("mcp/{attempt}")), zone: clock::zone(), ..event };
        Ok(self.service()?.decide(&task, Question::new(event))?)
    }

    fn status(&self, which: Which) -> anyhow::Result<Value> {
        let tasks = self.statuses(which.task.as_deref())?;
        if let (Some(task), true) = (which.task, tasks.is_empty()) {
            bail!("no task is called {task:?}; call task_status without a task to see all of them");
        }
        Ok(serde_json::to_value(Statuses { tasks })?)
    }

    fn statuses(&self, only: Option<&str>) -> anyhow::Result<Vec<Status>> {
        let Some(service) = Service::open_existing(self.setup()?.clone())? else { return Ok(Vec::new()) };
        Ok(match only {
            Some(task) => service.status(&task_named(task).context("task")?)?.into_iter().collect(),
            None => service.statuses()?,
        })
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
