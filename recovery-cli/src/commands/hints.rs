//! `recovery hints`: what was tried, what to try differently, what is known of such errors.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::task_named;
use crate::output::{self, Format};
use crate::{clock, exit};
use recovery_service::Service;
use recovery_store::MemoryJournal;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery hints login\n  recovery hints login --format json"
)]
pub(crate) struct Args {
    /// The task
    task: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let task = task_named(&args.task)?;
    let hints = match global.existing_service()? {
        Some(service) => service.hints(&task)?,
        None => Service::with(global.setup()?, MemoryJournal::default(), clock::now()).hints(&task)?,
    };
    if !hints.is_known && hints.is_empty() {
        return Ok(no_such(&task));
    }
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(&mut out, &hints)?,
        Format::Text if hints.is_empty() => writeln!(out, "nothing is known of {}", output::printable(task.as_str()))?,
        Format::Text => {
            for (title, lines) in [("tried", &hints.tried), ("try instead", &hints.instead), ("known", &hints.known)] {
                if !lines.is_empty() {
                    writeln!(out, "{}", output::strong(title))?;
                    for line in lines {
                        writeln!(out, "  - {}", output::printable(line).replace('\n', "\n    "))?;
                    }
                }
            }
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}
