//! `recovery checkpoint`: a commit known to be good, for rollbacks to go back to.

use crate::cli::Global;
use crate::git::Repo;
use crate::ledger::{Ledger, PROJECT, task_named};
use crate::{clock, output};
use recovery_engine::Entry;
use recovery_store::RecordKind;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo test && recovery checkpoint\n  recovery checkpoint v1.2 --task login")]
pub(crate) struct Args {
    /// The commit
    #[arg(default_value = "HEAD")]
    commit: String,
    /// For one task only [default: for every task of the project]
    #[arg(long, value_name = "ID")]
    task: Option<String>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let commit = Repo::at(&global.root()?)?.commit(&args.commit)?;
    let task = task_named(args.task.as_deref().unwrap_or(PROJECT))?;
    let mut ledger = Ledger::open(&global.store()?, recovery_store::DEFAULT_WAIT)?;
    let at = clock::now();
    ledger.record(&task, RecordKind::Checkpoint, at, |_| Entry::Checkpoint { at, commit: commit.clone() })?;
    let recorded = serde_json::json!({"commit": commit, "task": args.task.as_ref().map(|_| &task)});
    output::show(global.format, &recorded, |out| Ok(writeln!(out, "good: {commit}")?))
}
