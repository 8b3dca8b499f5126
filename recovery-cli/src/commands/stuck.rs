//! `recovery stuck`: the tasks that wait for a person.

use super::status;
use crate::cli::Global;
use crate::exit;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when a task is stuck, so that a script can tell.\n\nExamples:\n  recovery stuck\n  \
    recovery stuck --format json"
)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> anyhow::Result<u8> {
    let mut stuck = status::statuses(global, None)?;
    stuck.retain(|status| status.state == "stuck");
    status::show(global, &stuck, "no task waits for a person")?;
    Ok(if stuck.is_empty() { exit::DONE } else { exit::NO })
}
