//! `recovery status`: the state of each task.
//!
//! In: the journal. Out: a page of tasks, open ones first, or one line for an agent's status line. Lists are paged, because
//! a journal may hold very many tasks; order and state come from `Service::page`.

use crate::cli::Global;
use crate::ledger::task_named;
use crate::output::{self, Format};
use crate::{answer, clock, exit};
use recovery_service::{Listed, MAX_COUNTED, Page, Service, Status, at_least};
use recovery_store::TaskId;
use recovery_types::{ErrorType, Timestamp};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Open tasks come first, then the others, each with the latest first. Exit code 1 when there is no such \
    task.\n\nExamples:\n  recovery status\n  recovery status --all\n  recovery status login --format json\n  \
    recovery status --limit 20 --after login"
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
    #[command(flatten)]
    paging: Paging,
}

/// Which part of a list.
#[derive(clap::Args)]
pub(crate) struct Paging {
    /// At most so many tasks; 0 for all [default: 50, with --format json 500]
    #[arg(long, value_name = "N", value_parser = crate::input::count::<usize>, allow_negative_numbers = true)]
    limit: Option<usize>,
    /// Only tasks that come after this one in the list
    #[arg(long, value_name = "TASK")]
    after: Option<String>,
}

const MAX_ROWS: usize = 50;
const MAX_JSON_ROWS: usize = 500;

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let service = global.existing_service()?;
    if args.line {
        let (failing, stuck) = service.map(|service| service.open_counts()).transpose()?.unwrap_or_default();
        let mut out = output::stdout();
        match (failing, stuck) {
            (0, 0) => {}
            (failing, 0) => writeln!(out, "recovery: {} failing", at_least(failing))?,
            (0, stuck) => writeln!(out, "recovery: {} waiting for you", at_least(stuck))?,
            (failing, stuck) => {
                writeln!(out, "recovery: {} failing, {} waiting for you", at_least(failing), at_least(stuck))?;
            }
        }
        out.flush()?;
        return Ok(exit::DONE);
    }
    if let Some(given) = &args.task {
        let (task, status) = match &service {
            Some(service) => {
                let task = service.task_like(given)?;
                let status = service.status(&task)?;
                (task, status)
            }
            None => (task_named(given)?, None),
        };
        let Some(status) = status else { return Ok(no_such(&task)) };
        return show(global, &[status], "");
    }
    // Programs get every task, and decide by its state.
    let which = if args.all || global.format == Format::Json { Listed::All } else { Listed::Current };
    let page = page(global, service.as_ref(), which, &args.paging)?;
    let expired = page.expired;
    list(global, &page, "no task has failed here yet")?;
    if expired > 0 && global.format == Format::Text {
        let more = if expired >= MAX_COUNTED { "at least " } else { "" };
        let failures = answer::counted(expired as u64, "more failure");
        let text = format!("{more}{failures} that an agent did not repeat: --all shows them");
        anstream::println!("{}", output::faint(&text));
    }
    Ok(exit::DONE)
}

/// The part of the list that was asked for.
pub(crate) fn page(global: &Global, service: Option<&Service>, which: Listed, paging: &Paging) -> anyhow::Result<Page> {
    let Some(service) = service else { return Ok(Page::default()) };
    let limit = match (paging.limit, global.format) {
        (Some(0), _) => usize::MAX,
        (Some(limit), _) => limit,
        (None, Format::Text) => MAX_ROWS,
        (None, Format::Json) => MAX_JSON_ROWS,
    };
    let after = paging.after.as_deref().map(|given| service.task_like(given)).transpose()?;
    Ok(service.page(which, after.as_ref(), limit)?)
}

/// Prints a page, and how to get the next one. Programs read that from standard error.
pub(crate) fn list(global: &Global, page: &Page, none: &str) -> anyhow::Result<()> {
    show(global, &page.statuses, none)?;
    if let Some(next) = &page.next {
        let text = format!("there are more: --after {}, or --limit 0 for all", answer::shell_word(next));
        match global.format {
            Format::Text => anstream::println!("{}", output::faint(&output::printable(&text))),
            Format::Json => anstream::eprintln!("recovery: {}", output::printable(&text)),
        }
    }
    Ok(())
}

pub(crate) fn no_such(task: &TaskId) -> u8 {
    anstream::eprintln!("no task is called {}; `recovery status` lists them", output::message(task.as_str()));
    exit::NO
}

fn show(global: &Global, statuses: &[Status], none: &str) -> anyhow::Result<u8> {
    output::show_each(global.format, statuses, |out| {
        if statuses.is_empty() {
            return Ok(writeln!(out, "{none}")?);
        }
        let now = clock::now();
        let rows = statuses.iter().map(|status| row(status, now, global.verbose)).collect();
        let mut headers = vec!["TASK", "STATE", "FAILURES", "LAST ERROR", "LAST SEEN"];
        headers.extend(global.verbose.then_some("LEVEL"));
        write!(out, "{}", output::table(&headers, rows))?;
        for status in statuses.iter().filter(|status| status.unreadable > 0) {
            writeln!(out, "{}", output::faint(&output::printable(&unread(&status.task, status.unreadable))))?;
        }
        Ok(())
    })
}

/// What is said about a task of which a newer program recorded something.
pub(crate) fn unread(task: &str, records: u32) -> String {
    let records = answer::counted(u64::from(records), "record");
    format!("{task}: {records} of a newer recovery could not be read and did not count; upgrade it here")
}

/// The state as people read it.
pub(crate) fn state(status: &Status) -> String {
    match status.state {
        "stuck" => output::bad("needs you"),
        "failing" | "failed" => output::strong(status.state),
        "expired" => output::faint("not repeated"),
        _ => output::good(status.state),
    }
}

fn row(status: &Status, now: Timestamp, verbose: bool) -> Vec<String> {
    let error = status.last_error.as_deref().and_then(ErrorType::from_name);
    let mut row = vec![
        output::printable(&status.task).into_owned(),
        state(status),
        status.failures.to_string(),
        error.map_or("-", answer::label).to_owned(),
        status.last_at.map_or("-".to_owned(), |at| answer::ago(at, now)),
    ];
    let level = || status.ladder.level.map_or("-".to_owned(), |l| format!("{} {}", l.number(), l.action()));
    row.extend(verbose.then(level));
    row
}
