//! `recovery resolve` and `recovery reset`: a person closes a task, or lets it start over.
//!
//! In: a task and a reason. Out: the record that was written; exit code 1 where there is no such task, and nothing is
//! created then. What each of the two forgets is in `recovery-engine/src/state/fold.rs`.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::task_named;
use crate::output;
use recovery_service::{Service, ServiceError, Settled};
use recovery_store::TaskId;
use serde_json::json;
use std::io::Write as _;

pub(super) const RESOLVE_HELP: &str = "Exit code 1 when there is no such task.\n\nExamples:\n  \
    recovery resolve login\n  recovery resolve login --reason 'fixed the query'";
pub(super) const RESET_HELP: &str = "Exit code 1 when there is no such task.\n\nExamples:\n  \
    recovery reset login\n  recovery reset login --reason 'the server was replaced'";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The task: its name, or a part of it that no other task's name has
    task: String,
    /// Why, for the record
    #[arg(long, value_name = "TEXT", default_value = "by hand")]
    reason: String,
}

pub(crate) fn resolve(args: &Args, global: &Global) -> anyhow::Result<u8> {
    settle(&args.task, global, "resolved", |service, task| service.resolve(task, &args.reason))
}

pub(crate) fn reset(args: &Args, global: &Global) -> anyhow::Result<u8> {
    settle(&args.task, global, "reset", |service, task| service.reset(task, &args.reason))
}

pub(crate) fn settle(
    task: &str,
    global: &Global,
    done: &str,
    settle: impl FnOnce(&mut Service, &TaskId) -> Result<Settled, ServiceError>,
) -> anyhow::Result<u8> {
    // No journal is created where there is nothing to settle.
    let task = match global.existing_service()? {
        Some(service) => service.task_like(task)?,
        None => return Ok(no_such(&task_named(task)?)),
    };
    let record = match settle(&mut global.service()?, &task) {
        Ok(settled) => settled.record,
        Err(ServiceError::NoSuchTask { task }) => return Ok(no_such(&task)),
        Err(error) => return Err(error.into()),
    };
    let settled = json!({"task": task, "seq": record.seq, "hash": record.hash, "state": done});
    output::show(global.format, &settled, |out| {
        Ok(writeln!(out, "{} {done} (record {})", output::one_line(task.as_str(), 60), record.seq)?)
    })
}
