//! `recovery allow`: lifts the holds of one task, or of every task that has one now, for good.
//!
//! In: a task and a reason. Out: an `Entry::Allowed` per task in the journal, and the names of the tasks. Hooks exempt such
//! a task from then on (`recovery-service/src/hook/exempt.rs`).

use super::status::no_such;
use crate::cli::Global;
use crate::{clock, output};
use recovery_engine::Entry;
use recovery_service::ledger::{Ledger, task_named};
use recovery_store::{DEFAULT_WAIT, RecordKind, TaskId};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery allow\n  \
    recovery allow \"npm test\" --reason \"it is flaky\"")]
pub(crate) struct Args {
    /// The task: its name, or a part of it that no other task's name has [default: every task with something held back]
    task: Option<String>,
    /// Why
    #[arg(long, default_value = "a person allowed it")]
    reason: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let service = global.existing_service()?;
    let tasks: Vec<TaskId> = match (&args.task, &service) {
        (Some(name), None) => return Ok(no_such(&task_named(name)?)),
        (Some(name), Some(service)) => {
            let task = service.task_like(name)?;
            if service.ledger.state(&task)?.failures_ever == 0 {
                return Ok(no_such(&task));
            }
            vec![task]
        }
        (None, None) => Vec::new(),
        (None, Some(service)) => {
            let open = service.ledger.open_tasks()?.into_iter();
            open.filter(|(_, state)| !state.denied.is_empty()).map(|(task, _)| task).collect()
        }
    };
    drop(service);
    if !tasks.is_empty() {
        let now = clock::now();
        let mut ledger = Ledger::open(&global.store()?, DEFAULT_WAIT)?;
        for task in &tasks {
            let entry = Entry::Allowed { at: now, reason: args.reason.clone() };
            ledger.record(task, RecordKind::Change, now, |_| entry)?;
        }
    }
    output::show(global.format, &serde_json::json!({ "allowed": tasks }), |out| {
        if tasks.is_empty() {
            writeln!(out, "nothing is held back")?;
        }
        tasks.iter().try_for_each(|task| Ok(writeln!(out, "allowed {}", output::printable(task.as_str()))?))
    })
}
