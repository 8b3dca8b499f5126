//! `recovery heal`: the fix that was proposed for a task's last failure.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::task_named;
use crate::{exit, output};
use recovery_engine::Entry;

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
    output::show(global.format, &repair, |out| super::repair::text(out, &repair, global.verbose))
}
