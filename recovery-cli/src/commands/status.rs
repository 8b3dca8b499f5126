//! `recovery status`: the state of each task.

use crate::cli::Global;
use crate::ledger::{is_users, task_named};
use crate::output::{self, Format};
use crate::{answer, clock, exit};
use recovery_service::{Service, Status};
use recovery_store::{Journal as _, TaskId};
use recovery_types::{ErrorType, Timestamp};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery status\n  recovery status --all\n  recovery status login --format json"
)]
pub(crate) struct Args {
    /// One task: its name, or a part of it that no other task's name has
    task: Option<String>,
    /// Also failures that an agent met once and did not repeat
    #[arg(long)]
    all: bool,
    /// One line for a coding agent's status line; nothing where nothing fails
    #[arg(long, conflicts_with = "task")]
    pub line: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    if args.line {
        let statuses = statuses(global, None)?;
        let count = |state: &str| statuses.iter().filter(|status| status.state == state).count();
        let mut out = output::stdout();
        match (count("failing"), count("stuck")) {
            (0, 0) => {}
            (failing, 0) => writeln!(out, "recovery: {failing} failing")?,
            (0, stuck) => writeln!(out, "recovery: {stuck} waiting for you")?,
            (failing, stuck) => writeln!(out, "recovery: {failing} failing, {stuck} waiting for you")?,
        }
        out.flush()?;
        return Ok(exit::DONE);
    }
    let task = match (&args.task, global.existing_service()?) {
        (Some(given), Some(service)) => Some(find(&service, given)?),
        (given, _) => given.as_deref().map(task_named).transpose()?,
    };
    let mut statuses = statuses(global, task.as_ref())?;
    if let (Some(task), true) = (&task, statuses.is_empty()) {
        return Ok(no_such(task));
    }
    let everything = statuses.len();
    // Programs get every task, and decide by its state.
    if task.is_none() && !args.all && global.format == Format::Text {
        statuses.retain(|status| status.state != "expired");
    }
    show(global, &statuses, "no task has failed here yet")?;
    let expired = everything - statuses.len();
    if expired > 0 {
        let failures = answer::counted(expired as u64, "more failure");
        anstream::println!("{}", output::faint(&format!("{failures} that an agent did not repeat: --all shows them")));
    }
    Ok(exit::DONE)
}

/// The task that `given` names: by its whole name, else by a part that only one task's name has. A name that no task has is
/// taken as given.
pub(crate) fn find(service: &Service, given: &str) -> anyhow::Result<TaskId> {
    let wanted = task_named(given)?;
    let known = service.ledger.journal.tasks()?.into_iter().map(|summary| summary.task).filter(is_users);
    let lower = given.to_lowercase();
    let mut like: Vec<TaskId> = known.filter(|task| task.as_str().to_lowercase().contains(&lower)).collect();
    if like.contains(&wanted) {
        return Ok(wanted);
    }
    match like.len() {
        0 => Ok(wanted),
        1 => Ok(like.remove(0)),
        many => {
            let names: Vec<String> = like.iter().take(5).map(|task| output::one_line(task.as_str(), 100)).collect();
            let more = if many > 5 { "\n  ..." } else { "" };
            anyhow::bail!("{many} tasks have {given:?} in their name; which one?\n  {}{more}", names.join("\n  "))
        }
    }
}

/// Says that the journal does not know `task`, and gives the exit code for that.
pub(crate) fn no_such(task: &TaskId) -> u8 {
    anstream::eprintln!("no task is called {}; `recovery status` lists them", output::message(task.as_str()));
    exit::NO
}

/// The status of one task or of all; tasks that the journal does not know have none.
pub(crate) fn statuses(global: &Global, only: Option<&TaskId>) -> anyhow::Result<Vec<Status>> {
    let Some(service) = global.existing_service()? else { return Ok(Vec::new()) };
    Ok(match only {
        Some(task) => service.status(task)?.into_iter().collect(),
        None => service.statuses()?,
    })
}

/// A table of tasks, or one JSON object per line.
pub(crate) fn show(global: &Global, statuses: &[Status], none: &str) -> anyhow::Result<()> {
    let mut out = output::stdout();
    match global.format {
        Format::Json => statuses.iter().try_for_each(|status| output::json_line(&mut out, status))?,
        Format::Text if statuses.is_empty() => writeln!(out, "{none}")?,
        Format::Text => {
            let now = clock::now();
            let rows = statuses.iter().map(|status| row(status, now, global.verbose)).collect();
            let mut headers = vec!["TASK", "STATE", "FAILURES", "LAST ERROR", "LAST SEEN"];
            headers.extend(global.verbose.then_some("LEVEL"));
            write!(out, "{}", output::table(&headers, rows))?;
        }
    }
    out.flush()?;
    Ok(())
}

fn row(status: &Status, now: Timestamp, verbose: bool) -> Vec<String> {
    let state = match status.state {
        "stuck" => output::bad("needs you"),
        "failing" | "failed" => output::strong(status.state),
        "expired" => output::faint("not repeated"),
        _ => output::good(status.state),
    };
    let error = status.last_error.as_deref().and_then(ErrorType::from_name);
    let mut row = vec![
        output::printable(&status.task).replace(['\n', '\t'], " "),
        state,
        status.failures.to_string(),
        error.map_or("-", answer::phrase).to_owned(),
        status.last_at.map_or("-".to_owned(), |at| answer::ago(at, now)),
    ];
    let level = || status.ladder.level.map_or("-".to_owned(), |l| format!("{} {}", l.number(), l.action()));
    row.extend(verbose.then(level));
    row
}
