//! `recovery tick`: the deadlines that have passed, of every task, recorded now and not with the next failure.

use crate::cli::Global;
use crate::output;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Meant for cron or a loop. With --format json: one TaskUpdate per line.\n\nExamples:\n  recovery tick\n  \
    recovery tick --format json"
)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> anyhow::Result<u8> {
    let fired = match global.existing_service()? {
        Some(_) => global.service()?.tick()?,
        None => Vec::new(),
    };
    let transitions = fired.iter().flat_map(|(_, transitions)| transitions);
    let updates: Vec<_> = transitions.filter_map(|transition| transition.update.as_ref()).collect();
    output::show_each(global.format, &updates, |out| {
        if fired.is_empty() {
            writeln!(out, "no time limit has passed")?;
        }
        for (task, transitions) in &fired {
            let level = transitions.last().and_then(|last| last.to).map_or("none", |level| level.action());
            writeln!(out, "{} ran past its time limit: {level} now", output::one_line(task.as_str(), 60))?;
        }
        Ok(())
    })
}
