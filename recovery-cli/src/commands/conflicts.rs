//! `recovery conflicts`: the tasks of class F6 that wait for a conflict to be settled, and its settlement.
//!
//! In: the id of a conflict and a reason. Out: a record for each task that waited for it, which may then continue; exit
//! code 1 where none waits. Which failures wait is decided in `recovery-engine/src/reconcile/entry.rs`.

use crate::cli::Global;
use crate::{answer, clock, exit, output};
use recovery_engine::Waiting;
use recovery_service::Settled;
use recovery_store::TaskId;
use serde_json::json;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Exit code 1 when nothing waits for the conflict.\n\nExamples:\n  recovery conflicts list\n  \
    recovery conflicts resolve CONFLICT-7 --reason 'the first task wins'")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Conflicts,
}

#[derive(clap::Subcommand)]
enum Conflicts {
    /// List the conflicts that tasks wait for
    #[command(after_help = "Examples:\n  recovery conflicts list\n  recovery conflicts list --format json")]
    List,
    /// Record that a conflict is settled: its tasks may go on
    #[command(after_help = "Examples:\n  recovery conflicts resolve CONFLICT-7 --reason 'the first task wins'")]
    Resolve {
        /// The conflict
        conflict: String,
        /// How it was settled, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    match &args.command {
        Conflicts::List => list(global),
        Conflicts::Resolve { conflict, reason } => resolve(global, conflict, reason),
    }
}

fn list(global: &Global) -> anyhow::Result<u8> {
    let waiting = global.existing_service()?.map(|service| service.conflicts()).transpose()?.unwrap_or_default();
    let line = |(task, waiting): &(TaskId, Waiting)| json!({"conflict": waiting.conflict, "task": task, "since": waiting.since, "reason": waiting.reason});
    output::show_each(global.format, &waiting.iter().map(line).collect::<Vec<_>>(), |out| {
        if waiting.is_empty() {
            return Ok(writeln!(out, "no task waits for a conflict")?);
        }
        let now = clock::now();
        let rows = waiting.iter().map(|(task, waiting)| {
            let (conflict, task) = (output::printable(&waiting.conflict), output::printable(task.as_str()));
            let since = answer::ago(waiting.since, now);
            vec![conflict.into_owned(), task.into_owned(), since, output::one_line(&waiting.reason, 100)]
        });
        let headers = ["CONFLICT", "TASK", "WAITING SINCE", "REASON"];
        write!(out, "{}", output::table(&headers, rows.collect()))?;
        Ok(writeln!(out, "{}  recovery conflicts resolve CONFLICT --reason TEXT", output::faint("next"))?)
    })
}

fn resolve(global: &Global, conflict: &str, reason: &str) -> anyhow::Result<u8> {
    let settled = match global.existing_service()? {
        Some(_) => global.service()?.resolve_conflict(conflict, reason)?,
        None => Vec::new(),
    };
    if settled.is_empty() {
        anstream::eprintln!("no task waits for {}; `recovery conflicts list` lists them", output::printable(conflict));
        return Ok(exit::NO);
    }
    let line = |settled: &Settled| json!({"conflict": conflict, "task": settled.task, "seq": settled.record.seq});
    output::show_each(global.format, &settled.iter().map(line).collect::<Vec<_>>(), |out| {
        let mut tasks = settled.iter().map(|settled| output::one_line(settled.task.as_str(), 60));
        tasks.try_for_each(|task| Ok(writeln!(out, "{task} may go on")?))
    })
}
