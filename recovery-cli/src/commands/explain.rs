//! `recovery explain`: the page of a rule, an indicator, an error type, a level, or another word that answers use.

use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
use anyhow::bail;
use recovery_service::explain::{nearest, page, topics};
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  recovery explain\n  recovery explain repeated-failure\n  recovery explain rate_limit\n  \
    recovery explain F3\n  recovery explain nudge\n  recovery explain flaky"
)]
pub(crate) struct Args {
    /// A rule, indicator, error type, failure type, class (F1..F6), repair strategy (RETRY, DECOMPOSE, PRUNE, ESCALATE) or
    /// level (retry, nudge, replan, fallback, force-done); or a word that was printed, such as flaky, stuck or 'Rate limited'
    /// [default: a list of what has a page]
    #[arg(value_name = "WORD")]
    id: Option<String>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    let Some(id) = &args.id else {
        for (kind, names) in topics() {
            match global.format {
                Format::Json => output::json_line(&mut out, &serde_json::json!({"kind": kind, "names": names}))?,
                Format::Text => writeln!(out, "{:14} {}", output::faint(kind), names.join(", "))?,
            }
        }
        out.flush()?;
        return Ok(exit::DONE);
    };
    let engine = global.engine()?;
    let Some(page) = page(&engine, id) else {
        let nearest = nearest(&engine, id).join(", ");
        bail!(
            "nothing is called {id:?}; nearest are {nearest}; `recovery explain` lists the words, `recovery rules list` the rules"
        );
    };
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
