//! `recovery rollback`: back to the last good commit where a decision requested it, with everything saved first.
//!
//! In: a task whose last decision is a rollback. Out: the backup's ref and the command that undoes it; exit code 1 and no
//! change where no rollback was decided. The byte-exact backup is `recovery-git/src/backup.rs`.

use crate::cli::Global;
use crate::git::Repo;
use crate::ledger::{Ledger, task_named};
use crate::{clock, exit, output};
use anyhow::Context as _;
use recovery_service::rollback;
use recovery_store::TaskId;
use serde_json::json;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Everything is saved under refs/recovery/backup/NAME first: commits, index, work tree, untracked \
    files.\n\nExamples:\n  recovery rollback --task login\n  recovery rollback --task login --dry-run\n  \
    recovery rollback --list\n  recovery rollback --undo login-20261116-055351"
)]
pub(crate) struct Args {
    /// The task whose decision asked for it [default: the task that failed last]
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Say what would be done, or why it would be refused
    #[arg(long)]
    dry_run: bool,
    /// Put everything back as the named backup saved it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["task", "dry_run", "list"])]
    undo: Option<String>,
    /// List the backups
    #[arg(long, conflicts_with_all = ["task", "dry_run"])]
    list: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let repo = Repo::at(&global.root()?)?;
    if args.list {
        let backups = repo.backups()?;
        let lines: Vec<_> = backups.iter().map(|name| json!({ "backup": name })).collect();
        return output::show_each(global.format, &lines, |out| {
            if backups.is_empty() {
                writeln!(out, "nothing was rolled back here yet")?;
            }
            backups.iter().try_for_each(|name| Ok(writeln!(out, "{name}")?))
        });
    }
    if let Some(name) = &args.undo {
        let now = repo.undo(&repo.lock()?, name, &format!("before-undo-{}", rollback::stamp(clock::now())))?;
        return output::show(global.format, &json!({"restored": name, "backup": now.reference()}), |out| {
            Ok(writeln!(out, "restored {name}; what was there is saved as {}", now.name)?)
        });
    }
    let lock = repo.lock()?;
    let ledger = Ledger::open_existing(&global.store()?, recovery_store::DEFAULT_WAIT)?
        .context("nothing was decided here yet; `recovery decide` records failures")?;
    let task = match &args.task {
        Some(task) => task_named(task)?,
        None => last_failed(&ledger)?.context("no task has failed here yet")?,
    };
    let Some(request) = rollback::requested(&ledger, &task, &repo)? else {
        let task = output::printable(task.as_str());
        anstream::eprintln!("the last decision about {task} is not a rollback; nothing was touched");
        return Ok(exit::NO);
    };
    if args.dry_run {
        let (head, target) = (&request.head, repo.checked_target(&request.target, &request.head)?);
        return output::show(global.format, &json!({"would_roll_back": {"from": head, "to": target}}), |out| {
            let saved = "would save everything under refs/recovery/backup/";
            Ok(writeln!(out, "{saved}, then go from {head} back to {target}")?)
        });
    }
    let mut ledger = Ledger::open(&global.store()?, recovery_store::DEFAULT_WAIT)?;
    let done = rollback::carry_out(&repo, &lock, &mut ledger, &task, &request, clock::now())?;
    let (backup, undo) = (done.backup.reference(), format!("recovery rollback --undo {}", done.backup.name));
    let answer = json!({"to": done.target, "from": done.backup.head, "backup": backup, "undo": undo});
    output::show(global.format, &answer, |out| {
        writeln!(out, "back at {}; everything is saved as {backup}", done.target)?;
        Ok(writeln!(out, "get it back: {undo}")?)
    })
}

fn last_failed(ledger: &Ledger) -> anyhow::Result<Option<TaskId>> {
    Ok(ledger.newest_open(|state| state.failures > 0)?)
}
