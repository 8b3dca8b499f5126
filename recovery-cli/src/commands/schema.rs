//! `recovery schema`: the JSON Schema of every input and output.
//!
//! In: a name. Out: the schema, derived from the Rust type by `schemars`, so that it cannot differ from what is parsed and
//! written. A new input or output is a row of `SCHEMAS`; docs/schemas holds the same as files.

use crate::cli::Global;
use crate::exit;
use crate::output;
use anyhow::bail;
use serde_json::Value;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "docs/schemas has them all as files. For an editor that completes recovery.toml (Taplo, VS Code's Even \
    Better TOML), put `#:schema ./settings.json` in its first line.\n\n\
    Examples:\n  recovery schema --list\n  recovery schema event > event.schema.json\n  recovery schema settings > settings.json"
)]
pub(crate) struct Args {
    /// Which one; without it the names are listed
    name: Option<String>,
    /// List the names (the default without one)
    #[arg(long, conflicts_with = "name")]
    list: bool,
}

/// A schema's name, what it describes, and how it is made.
type Row = (&'static str, &'static str, fn() -> schemars::Schema);

const SCHEMAS: &[Row] = &[
    ("settings", "recovery.toml", || schemars::schema_for!(recovery_project::ProjectSettings)),
    ("journal-record", "one line of journal export, and of journal show --format json", || {
        schemars::schema_for!(recovery_service::JournalRecord)
    }),
    ("event", "a failure event: input of classify --event and decide --event", || {
        schemars::schema_for!(recovery_types::FailureEvent)
    }),
    ("classify", "the answer of classify", || schemars::schema_for!(output::Warned<recovery_service::Classified>)),
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
    ("report", "the answer of report", || schemars::schema_for!(recovery_report::JournalReport)),
    ("bad-line", "the answer to a line that cannot be read", || schemars::schema_for!(crate::ndjson::BadLine)),
    ("scan", "the summary of scan", || schemars::schema_for!(recovery_scan::ScanSummary)),
    ("scan-log", "one line of scan --ndjson", || schemars::schema_for!(recovery_scan::LogReport)),
    ("scan-unreadable", "a line of scan --ndjson for a log that cannot be read", || {
        schemars::schema_for!(recovery_scan::UnreadableLog)
    }),
    ("run-notice", "one line of run --format json, on standard error", || {
        schemars::schema_for!(recovery_run::notice::Notice)
    }),
    ("decide-no-failure", "decide, where the exit code is not known and the output shows no failure", || {
        schemars::schema_for!(super::decide::NoFailure)
    }),
    ("run-story", "what a --replan command reads", || schemars::schema_for!(recovery_run::history::AttemptHistory)),
    ("run-dry", "one line of run --dry-run", || schemars::schema_for!(recovery_run::plan::PlannedLevel)),
    ("repair-request", "the input of repair", || schemars::schema_for!(recovery_types::repair::RepairRequest)),
    ("repair", "the answer of repair", || schemars::schema_for!(output::Warned<recovery_types::repair::Repair>)),
    ("simulate-line", "one input line of simulate", || schemars::schema_for!(recovery_service::script::ScriptLine)),
    ("simulate", "one transition of simulate", || schemars::schema_for!(recovery_service::script::ScriptTransition)),
    ("ladder-policy", "the ladder's numbers: `[ladder]` in recovery.toml", || {
        schemars::schema_for!(escalation::Policy)
    }),
];

/// Takes the examples out of descriptions: they come from the code's documentation and are Rust.
fn drop_examples(fields: &mut serde_json::Map<String, Value>) {
    if let Some(Value::String(text)) = fields.get_mut("description")
        && let Some(end) = text.find("\n\n```")
    {
        text.truncate(end);
    }
    fn within(value: &mut Value) {
        match value {
            Value::Object(fields) => drop_examples(fields),
            Value::Array(items) => items.iter_mut().for_each(within),
            _ => {}
        }
    }
    fields.values_mut().for_each(within);
}

pub(crate) fn run(args: &Args, _: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    match &args.name {
        None => {
            let rows = SCHEMAS.iter().map(|(name, about, _)| vec![(*name).to_owned(), (*about).to_owned()]).collect();
            write!(out, "{}", output::table(&["NAME", "WHAT IT DESCRIBES"], rows))?;
        }
        Some(name) => match SCHEMAS.iter().find(|(known, ..)| known == name) {
            Some((_, _, schema)) => {
                let mut schema = schema();
                schema.as_object_mut().into_iter().for_each(drop_examples);
                serde_json::to_writer_pretty(&mut out, &schema).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            None => {
                let near = SCHEMAS
                    .iter()
                    .map(|(known, ..)| *known)
                    .min_by_key(|known| recovery_service::explain::distance(name, known));
                bail!(
                    "there is no schema {name:?}; did you mean {}? `recovery schema` lists them",
                    near.unwrap_or("event")
                );
            }
        },
    }
    out.flush()?;
    Ok(exit::DONE)
}
