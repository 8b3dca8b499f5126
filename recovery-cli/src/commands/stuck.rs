//! `recovery stuck`: the tasks that wait for a person.

use super::status;
use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
use recovery_service::Listed;

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
    let stuck = status::page(global, global.existing_service()?.as_ref(), Listed::Stuck, &args.paging)?;
    status::list(global, &stuck, "no task waits for a person")?;
    if global.format == Format::Text {
        for (status, reason) in stuck.statuses.iter().filter_map(|status| Some((status, status.reason.as_ref()?))) {
            let task = output::one_line(&status.task, 100);
            // The table has the error's kind already.
            let kind = status.last_error.as_ref().map(|kind| format!("{kind}: ")).unwrap_or_default();
            let reason = reason.strip_prefix(&kind).unwrap_or(reason);
            anstream::println!("{} {task}: {}", output::faint("why  "), output::one_line(reason, 200));
        }
    }
    Ok(if stuck.statuses.is_empty() { exit::DONE } else { exit::NO })
}
