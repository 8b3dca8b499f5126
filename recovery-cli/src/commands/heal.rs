//! `recovery heal`: the fix that was proposed for a task's last failure.

use super::status::no_such;
use crate::cli::Global;
use crate::exit;
use crate::ledger::task_named;
use crate::output::{self, Format};
use recovery_engine::Entry;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task or nothing was proposed.\n\nExamples:\n  recovery heal login\n  \
    recovery heal login --format json"
)]
pub(crate) struct Args {
    /// The task
    task: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let task = task_named(&args.task)?;
    let decided = match global.existing_service()? {
        Some(service) => service.ledger.last_entry(&task, |entry| matches!(entry, Entry::Decided { .. }))?,
        None => None,
    };
    let Some(Entry::Decided { decision, .. }) = decided else { return Ok(no_such(&task)) };
    let Some(repair) = decision.repair.filter(|_| decision.failure) else {
        anstream::eprintln!(
            "nothing is proposed for {}: {}",
            output::printable(task.as_str()),
            output::printable(&decision.next.sentence)
        );
        return Ok(exit::NO);
    };
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(&mut out, &repair)?,
        Format::Text => super::repair::text(&mut out, &repair, global.verbose)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}
