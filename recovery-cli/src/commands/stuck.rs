//! `recovery stuck`: the tasks that wait for a person, each with what went wrong and what to do about it.
//!
//! In: the journal. Out: the table of `recovery status`, and below it the words of `recovery hints` for each task; for
//! programs, one status per line. The exit code is 1 where a task waits, so that a script can tell.

use super::status;
use crate::answer;
use crate::cli::Global;
use crate::exit;
use crate::ledger::task_named;
use crate::output::{self, Format};
use recovery_service::{Listed, Service, Status};
use recovery_types::ladder::Command;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when a task is stuck, so that a script can tell.\n\nExamples:\n  recovery stuck\n  \
    recovery stuck --format json\n  recovery stuck --limit 20"
)]
pub(crate) struct Args {
    #[command(flatten)]
    paging: status::Paging,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let service = global.existing_service()?;
    let stuck = status::page(global, service.as_ref(), Listed::Stuck, &args.paging)?;
    status::list(global, &stuck, "no task waits for a person")?;
    if let (Format::Text, Some(service)) = (global.format, &service) {
        for status in &stuck.statuses {
            explain(service, status)?;
        }
    }
    Ok(if stuck.statuses.is_empty() { exit::DONE } else { exit::NO })
}

fn explain(service: &Service, status: &Status) -> anyhow::Result<()> {
    let answer = service.last_answer(&task_named(&status.task)?)?;
    let stated = status.reason.as_ref().map(|reason| output::one_line(&answer::reason(reason), 200));
    let Some(what) = answer.as_ref().map(|answer| answer.what.clone()).or(stated) else { return Ok(()) };
    anstream::println!("\n{}: {what}", output::strong(&output::one_line(&status.task, 100)));
    let recommended = match &status.ladder.command {
        Some(Command::ForceDone { report }) => {
            let next = answer::within_sentence(report.recommendation.trim_end_matches('.'));
            Some(output::one_line(&next, 300))
        }
        _ => None,
    };
    if let Some(next) = answer.map(|answer| answer.next).or(recommended) {
        anstream::println!("{}  {next}", output::faint("next"));
    }
    Ok(())
}
