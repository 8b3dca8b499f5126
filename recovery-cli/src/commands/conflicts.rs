//! `recovery conflicts`: the tasks of class F6 that wait for a conflict to be settled, and its settlement.
//!
//! In: the id of a conflict and a reason. Out: a record for each task that waited for it, which may then continue; exit
//! code 1 where none waits. Which failures wait is decided in `recovery-engine/src/reconcile/entry.rs`.

use crate::cli::Global;
use crate::output::{self, Format};
use crate::{answer, clock, exit};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Exit code 1 when nothing waits for the conflict.\n\nExamples:\n  recovery conflicts list\n  \
    recovery conflicts resolve CONFLICT-7 --reason 'the first task wins'")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Conflicts,
}

#[derive(clap::Subcommand)]
enum Conflicts {
    /// List the conflicts that tasks wait for
    #[command(after_help = "Examples:\n  recovery conflicts list\n  recovery conflicts list --format json")]
    List,
    /// Record that a conflict is settled: its tasks may go on
    #[command(after_help = "Examples:\n  recovery conflicts resolve CONFLICT-7 --reason 'the first task wins'")]
    Resolve {
        /// The conflict
        conflict: String,
        /// How it was settled, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    let existing = global.existing_service()?;
    match &args.command {
        Conflicts::List => {
            let waiting = existing.map(|service| service.conflicts()).transpose()?.unwrap_or_default();
            match global.format {
                Format::Json => {
                    for (task, waiting) in &waiting {
                        let line = serde_json::json!({"conflict": waiting.conflict, "task": task,
                            "since": waiting.since, "reason": waiting.reason});
                        output::json_line(&mut out, &line)?;
                    }
                }
                Format::Text if waiting.is_empty() => writeln!(out, "no task waits for a conflict")?,
                Format::Text => {
                    let now = clock::now();
                    let rows = waiting.iter().map(|(task, waiting)| {
                        let (conflict, task) = (output::printable(&waiting.conflict), output::printable(task.as_str()));
                        let since = answer::ago(waiting.since, now);
                        vec![conflict.into_owned(), task.into_owned(), since, output::one_line(&waiting.reason, 100)]
                    });
                    let headers = ["CONFLICT", "TASK", "WAITING SINCE", "REASON"];
                    write!(out, "{}", output::table(&headers, rows.collect()))?;
                    writeln!(out, "{}  recovery conflicts resolve CONFLICT --reason TEXT", output::faint("next"))?;
                }
            }
        }
        Conflicts::Resolve { conflict, reason } => {
            let settled = match existing {
                Some(_) => global.service()?.resolve_conflict(conflict, reason)?,
                None => Vec::new(),
            };
            if settled.is_empty() {
                anstream::eprintln!(
                    "no task waits for {}; `recovery conflicts list` lists them",
                    output::printable(conflict)
                );
                return Ok(exit::NO);
            }
            for settled in settled {
                match global.format {
                    Format::Json => output::json_line(
                        &mut out,
                        &serde_json::json!({"conflict": conflict, "task": settled.task, "seq": settled.record.seq}),
                    )?,
                    Format::Text => writeln!(out, "{} may go on", output::one_line(settled.task.as_str(), 60))?,
                }
            }
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}
