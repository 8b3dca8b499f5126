//! `recovery schema`: the JSON Schema of every input and output.

use crate::cli::Global;
use crate::exit;
use crate::output;
use anyhow::bail;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery schema\n  recovery schema event > event.schema.json")]
pub(crate) struct Args {
    /// Which one; without it the names are listed
    name: Option<String>,
}

/// A schema's name, what it describes, and how it is made.
type Row = (&'static str, &'static str, fn() -> schemars::Schema);

/// Every input and output.
const SCHEMAS: &[Row] = &[
    ("event", "a failure event: input of classify --event and decide --event", || {
        schemars::schema_for!(recovery_types::FailureEvent)
    }),
    ("classify", "the answer of classify", || schemars::schema_for!(output::Warned<super::classify::Answer>)),
    ("problems", "the answer of problems", || schemars::schema_for!(super::problems::Answer)),
    ("decide", "the answer of decide", || schemars::schema_for!(output::Warned<recovery_service::Recorded>)),
    ("task-update", "one line of updates, and `escalation` of decide", || {
        schemars::schema_for!(recovery_types::TaskUpdate)
    }),
    ("observation", "one line of what decide --events and run --events write", || {
        schemars::schema_for!(recovery_service::events::Observation)
    }),
    ("status", "one line of status and stuck", || schemars::schema_for!(recovery_service::Status)),
    ("hints", "the answer of hints", || schemars::schema_for!(recovery_service::Hints)),
    ("report", "the answer of report", || schemars::schema_for!(crate::report::Report)),
    ("bad-line", "the answer to a line that cannot be read", || schemars::schema_for!(crate::ndjson::BadLine)),
    ("scan", "the summary of scan", || schemars::schema_for!(super::scan::Summary)),
    ("scan-log", "one line of scan --ndjson", || schemars::schema_for!(super::scan::Answer)),
    ("scan-unreadable", "a line of scan --ndjson for a log that cannot be read", || {
        schemars::schema_for!(super::scan::Unreadable)
    }),
    ("run-notice", "one line of run --format json, on standard error", || {
        schemars::schema_for!(recovery_run::notice::Notice)
    }),
    ("decide-no-failure", "decide, where the exit code is not known and the output shows no failure", || {
        schemars::schema_for!(super::decide::NoFailure)
    }),
    ("run-story", "what a --replan command reads", || schemars::schema_for!(recovery_run::story::Story)),
    ("run-dry", "one line of run --dry-run", || schemars::schema_for!(super::run::Would)),
    ("repair-request", "the input of repair", || schemars::schema_for!(recovery_types::repair::RepairRequest)),
    ("repair", "the answer of repair", || schemars::schema_for!(output::Warned<recovery_types::repair::Repair>)),
    ("simulate-line", "one input line of simulate", || schemars::schema_for!(super::simulate::Line)),
    ("simulate", "one transition of simulate", || schemars::schema_for!(super::simulate::Row)),
    ("ladder-policy", "the ladder's numbers: `[ladder]` in recovery.toml", || {
        schemars::schema_for!(escalation::Policy)
    }),
];

pub(crate) fn run(args: &Args, _: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    match &args.name {
        None => {
            for (name, about, _) in SCHEMAS {
                writeln!(out, "{name:16} {about}")?;
            }
        }
        Some(name) => match SCHEMAS.iter().find(|(known, ..)| known == name) {
            Some((_, _, schema)) => {
                serde_json::to_writer_pretty(&mut out, &schema()).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            None => {
                let names: Vec<&str> = SCHEMAS.iter().map(|(name, ..)| *name).collect();
                bail!("there is no schema {name:?}; there are {}", names.join(", "));
            }
        },
    }
    out.flush()?;
    Ok(exit::DONE)
}
