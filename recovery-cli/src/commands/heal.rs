//! `recovery heal`: the fix that was proposed for a task's last failure.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::task_named;
use crate::{exit, output};

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
    let Some(service) = global.existing_service()? else { return Ok(no_such(&task)) };
    if service.status(&task)?.is_none() {
        return Ok(no_such(&task));
    }
    let Some(repair) = service.proposed(&task)? else {
        let state = service.ledger.state(&task)?;
        let why = match (&state.waiting, state.repairs.is_empty()) {
            (Some(waiting), _) => format!("it waits for {} to be settled", waiting.conflict),
            (None, true) => "nothing of it fails".to_owned(),
            (None, false) => {
                "the last proposal was tried; `recovery repair` or the next failure makes another".to_owned()
            }
        };
        anstream::eprintln!(
            "nothing is proposed for {}: {}",
            output::printable(task.as_str()),
            output::printable(&why)
        );
        return Ok(exit::NO);
    };
    output::show(global.format, &repair, |out| super::repair::text(out, &repair, global.verbose))
}
