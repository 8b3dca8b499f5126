//! `recovery allow`: lifts the holds of one task, or of every task that has one now, for good.
//!
//! In: a task and a reason. Out: an `Entry::Allowed` per task in the journal, and the names of the tasks. Hooks exempt such
//! a task from then on (`recovery-service/src/hook/exempt.rs`).

use crate::cli::Global;
use crate::{clock, output};
use anyhow::Context as _;
use recovery_engine::Entry;
use recovery_service::ledger::{Ledger, task_named};
use recovery_store::{DEFAULT_WAIT, RecordKind, TaskId};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  recovery allow\n  recovery allow \"Bash npm test 1a2b3c4d\" --reason \"it is flaky\""
)]
pub(crate) struct Args {
    /// The task, as `recovery status` names it [default: every task with something held back]
    task: Option<String>,
    /// Why
    #[arg(long, default_value = "a person allowed it")]
    reason: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let store = global.store()?;
    let known = Ledger::open_existing(&store, DEFAULT_WAIT)?.context("there is no journal here")?;
    let now = clock::now();
    let tasks: Vec<TaskId> = match &args.task {
        Some(name) => {
            let task = task_named(name)?;
            anyhow::ensure!(
                known.state(&task)?.failures_ever > 0,
                "no task is called {name:?}; `recovery status` lists them"
            );
            vec![task]
        }
        None => known
            .open_tasks()?
            .into_iter()
            .filter(|(_, state)| !state.denied.is_empty())
            .map(|(task, _)| task)
            .collect(),
    };
    drop(known);
    let mut ledger = Ledger::open(&store, DEFAULT_WAIT)?;
    for task in &tasks {
        let entry = Entry::Allowed { at: now, reason: args.reason.clone() };
        ledger.record(task, RecordKind::Change, now, |_| entry)?;
    }
    output::show(global.format, &serde_json::json!({ "allowed": tasks }), |out| {
        if tasks.is_empty() {
            writeln!(out, "nothing is held back")?;
        }
        tasks.iter().try_for_each(|task| Ok(writeln!(out, "allowed {}", output::printable(task.as_str()))?))
    })
}
