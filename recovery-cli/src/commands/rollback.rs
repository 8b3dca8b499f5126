//! `recovery rollback`: back to the last good commit, with everything saved first.

use crate::cli::Global;
use crate::git::Repo;
use crate::ledger::{Ledger, task_named};
use crate::output::{self, Format};
use crate::{clock, exit};
use anyhow::{Context as _, bail};
use recovery_engine::Entry;
use recovery_engine::reconcile::Tree;
use recovery_store::{RecordKind, TaskId};
use serde_json::json;
use std::io::Write as _;
use std::path::Path;

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
        let now = repo.undo(&repo.lock()?, name, &format!("before-undo-{}", stamp()))?;
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
    let Some((target, head)) = asked_for(&ledger, &task, &repo)? else {
        let task = output::printable(task.as_str());
        anstream::eprintln!("the last decision about {task} is not a rollback; nothing was touched");
        return Ok(exit::NO);
    };
    if args.dry_run {
        let target = repo.ready(&target, &head)?;
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
    let done = repo.roll_back(&lock, &target, &head, &backup_name(&task), |done| {
        let mut ledger = Ledger::open(&global.store()?, recovery_store::DEFAULT_WAIT)?;
        let (at, to, backup) = (clock::now(), done.target.clone(), done.backup.name.clone());
        ledger.record(&task, RecordKind::Rollback, at, |_| Entry::RolledBack { at, to, backup })?;
        Ok(())
    })?;
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

/// Goes back as the task's last decision asks, with everything saved first; what was done, for people.
pub(crate) fn carry_out(root: &Path, ledger: &mut Ledger, task: &TaskId) -> anyhow::Result<String> {
    let repo = Repo::at(root)?;
    let lock = repo.lock()?;
    let (target, head) = asked_for(ledger, task, &repo)?.context("the last decision is not a rollback")?;
    let done = repo.roll_back(&lock, &target, &head, &backup_name(task), |done| {
        let (at, to, backup) = (clock::now(), done.target.clone(), done.backup.name.clone());
        ledger.record(task, RecordKind::Rollback, at, |_| Entry::RolledBack { at, to, backup })?;
        Ok(())
    })?;
    let name = &done.backup.name;
    Ok(format!("back at {}; everything is saved as {name} (recovery rollback --undo {name})", done.target))
}

/// The good commit that the task's last decision wants to go back to, and where HEAD was then. A rollback that was
/// recorded and then killed is asked for still: HEAD moves last.
fn asked_for(ledger: &Ledger, task: &TaskId, repo: &Repo) -> anyhow::Result<Option<(String, String)>> {
    let Some(Entry::Decided { decision, event, head, .. }) =
        ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?
    else {
        return Ok(None);
    };
    if decision.tree != Tree::RollBack {
        return Ok(None);
    }
    let (Some(target), Some(head)) = (event.last_good_commit.clone(), head) else {
        bail!("the decision about {task} was recorded outside a git work tree");
    };
    let is_recorded = matches!(
        ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. } | Entry::RolledBack { .. }))?,
        Some(Entry::RolledBack { .. })
    );
    let was_killed = || repo.head().is_ok_and(|now| now == head) && target != head;
    Ok((!is_recorded || was_killed()).then_some((target, head)))
}

fn last_failed(ledger: &Ledger) -> anyhow::Result<Option<TaskId>> {
    let mut failing = ledger.tasks()?;
    failing.retain(|(_, state)| state.failures > 0);
    Ok(failing.into_iter().max_by_key(|(_, state)| state.last_at).map(|(task, _)| task))
}

/// A name that git accepts as part of a ref.
pub(crate) fn backup_name(task: &TaskId) -> String {
    let plain: String =
        task.as_str().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
    format!("{}-{}", plain.trim_matches('-'), stamp()).trim_start_matches('-').to_owned()
}

fn stamp() -> String {
    clock::now().to_string().chars().filter(char::is_ascii_digit).collect()
}
