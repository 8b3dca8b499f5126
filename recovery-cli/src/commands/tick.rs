//! `recovery tick`: the deadlines that have passed, of every task, recorded now and not with the next failure.

use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
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
    let mut out = output::stdout();
    for (task, transitions) in &fired {
        match global.format {
            Format::Json => {
                for update in transitions.iter().filter_map(|transition| transition.update.as_ref()) {
                    output::json_line(&mut out, update)?;
                }
            }
            Format::Text => {
                let level = transitions.last().and_then(|last| last.to).map_or("none", |level| level.action());
                writeln!(out, "{} ran past its time limit: {level} now", output::one_line(task.as_str(), 60))?;
            }
        }
    }
    if fired.is_empty() && global.format == Format::Text {
        writeln!(out, "no time limit has passed")?;
    }
    out.flush()?;
    Ok(exit::DONE)
}
