//! `recovery rollback`: back to the last good commit where a decision requested it, with everything saved first.
//!
//! In: a task whose last decision is a rollback. Out: the backup's ref and the command that undoes it; exit code 1 and no
//! change where no rollback was decided. The byte-exact backup is `recovery-git/src/backup.rs`.

use crate::cli::Global;
use crate::git::Repo;
use crate::ledger::{Ledger, task_named};
use crate::output::{self, Format};
use crate::{clock, exit};
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
    let mut out = output::stdout();
    if args.list {
        let backups = repo.backups()?;
        for name in &backups {
            match global.format {
                Format::Json => output::json_line(&mut out, &json!({"backup": name}))?,
                Format::Text => writeln!(out, "{name}")?,
            }
        }
        if backups.is_empty() && global.format == Format::Text {
            writeln!(out, "nothing was rolled back here yet")?;
        }
        out.flush()?;
        return Ok(exit::DONE);
    }
    if let Some(name) = &args.undo {
        let now = repo.undo(&repo.lock()?, name, &format!("before-undo-{}", rollback::stamp(clock::now())))?;
        match global.format {
            Format::Json => output::json_line(&mut out, &json!({"restored": name, "backup": now.reference()}))?,
            Format::Text => writeln!(out, "restored {name}; what was there is saved as {}", now.name)?,
        }
        out.flush()?;
        return Ok(exit::DONE);
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
        match global.format {
            Format::Json => output::json_line(&mut out, &json!({"would_roll_back": {"from": head, "to": target}}))?,
            Format::Text => {
                writeln!(
                    out,
                    "would save everything under refs/recovery/backup/, then go from {head} back to {target}"
                )?;
            }
        }
        out.flush()?;
        return Ok(exit::DONE);
    }
    let mut ledger = Ledger::open(&global.store()?, recovery_store::DEFAULT_WAIT)?;
    let done = rollback::carry_out(&repo, &lock, &mut ledger, &task, &request, clock::now())?;
    match global.format {
        Format::Json => {
            let undo = format!("recovery rollback --undo {}", done.backup.name);
            let backup = done.backup.reference();
            output::json_line(
                &mut out,
                &json!({"to": done.target, "from": done.backup.head, "backup": backup, "undo": undo}),
            )?;
        }
        Format::Text => {
            writeln!(out, "back at {}; everything is saved as {}", done.target, done.backup.reference())?;
            writeln!(out, "get it back: recovery rollback --undo {}", done.backup.name)?;
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn last_failed(ledger: &Ledger) -> anyhow::Result<Option<TaskId>> {
    Ok(ledger.newest_open(|state| state.failures > 0)?)
}
