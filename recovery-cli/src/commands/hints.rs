//! `recovery hints`: what went wrong with a task, what to do next, what was tried, and where else the error occurred.
//!
//! In: a task, or none for the one that failed last. Out: [`Hints`] as JSON, or text with the last attempts; exit code 1
//! where there is no such task. What is collected is in `recovery-service/src/hints.rs`.

use super::status::{no_such, unread};
use crate::answer::{self, FailureAnswer, ago, counted};
use crate::cli::Global;
use crate::ledger::task_named;
use crate::output;
use crate::{clock, exit};
use recovery_engine::{Attempt, TaskState};
use recovery_service::{Hints, Service, notes};
use recovery_store::MemoryJournal;
use recovery_types::{ErrorType, Timestamp};
use std::io::Write;

const LISTED: usize = 8;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery hints\n  recovery hints login\n  recovery hints login --format json"
)]
pub(crate) struct Args {
    /// The task: its name, or a part of it that no other task's name has [default: the task that failed last]
    task: Option<String>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let (task, hints, state, answer) = match global.existing_service()? {
        Some(service) => {
            let task = match &args.task {
                Some(given) => service.task_like(given)?,
                None => match service.failed_last()? {
                    Some(task) => task,
                    None => return Ok(nothing_fails()),
                },
            };
            let answer = service.last_answer(&task)?;
            (task.clone(), service.hints(&task)?, service.ledger.state(&task)?, answer)
        }
        None => {
            let Some(given) = &args.task else { return Ok(nothing_fails()) };
            let task = task_named(given)?;
            let hints = Service::with_journal(global.setup()?, MemoryJournal::default(), clock::now()).hints(&task)?;
            (task, hints, TaskState::default(), None)
        }
    };
    if !hints.is_known && hints.is_empty() {
        return Ok(no_such(&task));
    }
    output::show(global.format, &hints, |out| {
        if args.task.is_none() {
            writeln!(out, "{}", output::faint(&output::printable(&format!("task {}", task.as_str()))))?;
        }
        text(out, &hints, &state, answer, clock::now())
    })
}

fn nothing_fails() -> u8 {
    anstream::eprintln!("no task is failing; `recovery status` lists them");
    exit::NO
}

fn text(
    out: &mut impl Write,
    hints: &Hints,
    state: &TaskState,
    answer: Option<FailureAnswer>,
    now: Timestamp,
) -> anyhow::Result<()> {
    let label = |name: &str| output::faint(&format!("{name:5}"));
    match (answer, &state.waiting) {
        _ if state.failures == 0 && state.unreadable > 0 => {}
        (_, Some(waiting)) => {
            let conflict = output::one_line(&waiting.conflict, 100);
            writeln!(out, "{}", output::strong(&format!("Waits for a conflict to be settled: {conflict}")))?;
            // A conflict without an id is settled by the name of its task.
            let settled = waiting.id().unwrap_or(&hints.task);
            writeln!(out, "{} recovery resolve {}", label("next"), answer::shell_word(settled))?;
        }
        // Another system gave it up: its failures are not in the journal.
        _ if state.failures == 0 && state.is_stuck() => {
            writeln!(out, "{}", output::strong("Waits for a person"))?;
            for step in hints.instead.iter().filter(|step| !hints.conditions.contains(*step)) {
                writeln!(out, "{} {}", label("next"), answer::within_sentence(&output::one_line(step, 400)))?;
            }
        }
        _ if state.failures == 0 => writeln!(out, "{}", output::good("Nothing of it fails now"))?,
        (Some(answer), None) => {
            writeln!(out, "{}", output::strong(&answer.what))?;
            for (name, text) in [("last", answer.last), ("next", Some(answer.next)), ("why", answer.why)] {
                if let Some(text) = text {
                    writeln!(out, "{} {text}", label(name))?;
                }
            }
        }
        (None, None) => {
            let kind = state.attempts.last().map(|attempt| attempt.error_type);
            let known = kind.filter(|kind| *kind != ErrorType::Other).map_or("Failed", answer::label);
            writeln!(out, "{}", output::strong(known))?;
        }
    }
    if state.unreadable > 0 {
        writeln!(out, "{} {}", label("note"), output::printable(&unread(&hints.task, state.unreadable)))?;
    }
    for condition in &hints.conditions {
        writeln!(out, "{} {}", label("also"), output::one_line(condition, 400))?;
    }
    if !state.attempts.is_empty() {
        writeln!(out, "{} {}", label("tried"), counted(u64::from(state.failures.max(1)), "time"))?;
        let what = |attempt: &Attempt| match attempt.stated {
            true => Some(attempt.approach.clone()),
            false => attempt.action.clone(),
        };
        let listed = &state.attempts[state.attempts.len().saturating_sub(LISTED)..];
        // Events that name no command and no approach have nothing for that column.
        let has_what = listed.iter().any(|attempt| what(attempt).is_some());
        let row = |attempt: &Attempt| {
            let mut row = vec![format!("      {}", ago(attempt.at, now)), answer::label(attempt.error_type).to_owned()];
            row.extend(has_what.then(|| what(attempt).map_or("-".to_owned(), |what| output::one_line(&what, 80))));
            row
        };
        let headers = ["      WHEN", "ERROR", "WHAT"];
        let headers = &headers[..if has_what { 3 } else { 2 }];
        write!(out, "{}", output::table(headers, listed.iter().map(row).collect()))?;
    }
    let known = hints.known.iter().filter_map(|note| notes::about_other_task(note, &hints.task));
    for note in known {
        writeln!(out, "{} {note}", label("seen"))?;
    }
    if state.failures > 0 && state.waiting.is_none() {
        let command = format!("recovery resolve {}", answer::shell_word(&hints.task));
        writeln!(out, "{} once it works: {command}", label("close"))?;
    }
    Ok(())
}
