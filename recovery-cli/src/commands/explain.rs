//! `recovery explain`: the page of a rule, an indicator, an error type, a level, or another word that answers use.

use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
use anyhow::bail;
use recovery_service::explain::{nearest, page};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery explain repeated-failure\n  recovery explain rate_limit\n  \
    recovery explain F3\n  recovery explain nudge\n  recovery explain flaky")]
pub(crate) struct Args {
    /// A rule, indicator, error type, failure type, class (F1..F6), repair strategy (RETRY, DECOMPOSE, PRUNE, ESCALATE) or
    /// level (retry, nudge, replan, fallback, force-done); or a word that was printed, such as flaky, stuck or 'Rate limited'
    #[arg(value_name = "WORD")]
    id: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let Some(page) = page(&engine, &args.id) else {
        let nearest = nearest(&engine, &args.id).join(", ");
        bail!("nothing is called {:?}; nearest are {nearest}; `recovery rules list` shows everything", args.id);
    };
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(&mut out, &page)?,
        Format::Text => {
            writeln!(out, "{} {}", output::strong(&page.id), output::faint(&format!("({})", page.kind)))?;
            for (label, text) in &page.lines {
                writeln!(out, "  {:14} {}", output::faint(label), output::printable(text))?;
            }
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}
