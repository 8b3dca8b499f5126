//! `recovery step`: which steps of a task are done: the `completedSteps` of its decisions and partial results.
//!
//! In: a step's name, redacted before it is stored; the task is `--task` or RECOVERY_TASK, which `recovery run` sets. Out:
//! the steps since the task last worked, which a force-done report lists.

use crate::cli::Global;
use crate::ledger::{Ledger, task_named};
use crate::{clock, output};
use anyhow::Context as _;
use recovery_engine::Entry;
use recovery_redact::redact;
use recovery_store::{DEFAULT_WAIT, RecordKind, TaskId};
use serde_json::json;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Under `recovery run` the task is the run's.\n\nExamples:\n  recovery step done 'schema migrated'\n  \
    recovery step done build --task release\n  recovery step list --task release"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Step,
}

#[derive(clap::Subcommand)]
enum Step {
    /// Record that a step is done
    #[command(after_help = "Examples:\n  recovery step done build --task login")]
    Done {
        /// The step
        name: String,
        /// The task it belongs to [default: RECOVERY_TASK]
        #[arg(long, value_name = "ID")]
        task: Option<String>,
    },
    /// List the steps that are done since the task last worked
    #[command(after_help = "Examples:\n  recovery step list --task login")]
    List {
        /// The task [default: RECOVERY_TASK]
        #[arg(long, value_name = "ID")]
        task: Option<String>,
    },
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    match &args.command {
        Step::Done { name, task } => {
            let task = named(task.as_ref())?;
            anyhow::ensure!(!name.trim().is_empty(), "the step has no name");
            let (at, step) = (clock::now(), redact(name).into_owned());
            let mut ledger = Ledger::open(&global.store()?, DEFAULT_WAIT)?;
            ledger.record(&task, RecordKind::Change, at, |_| Entry::StepDone { at, step: step.clone() })?;
            let steps = ledger.state(&task)?.steps;
            output::show(global.format, &json!({"task": task, "completed_steps": steps}), |out| {
                Ok(writeln!(out, "done: {}", output::one_line(&step, 100))?)
            })
        }
        Step::List { task } => {
            let task = named(task.as_ref())?;
            let ledger = Ledger::open_existing(&global.store()?, DEFAULT_WAIT)?;
            let steps = ledger.map(|ledger| ledger.state(&task)).transpose()?.unwrap_or_default().steps;
            output::show(global.format, &json!({"task": task, "completed_steps": steps}), |out| {
                steps.iter().try_for_each(|step| Ok(writeln!(out, "{}", output::one_line(step, 100))?))
            })
        }
    }
}

fn named(task: Option<&String>) -> anyhow::Result<TaskId> {
    let around = || std::env::var("RECOVERY_TASK").ok().filter(|task| !task.trim().is_empty());
    let task = task.cloned().or_else(around).context("which task? give --task, or run it under `recovery run`")?;
    Ok(task_named(&task)?)
}
