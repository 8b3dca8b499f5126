//! `recovery explain`: the page of a rule, an indicator, an error type, a level, or another word that answers use.

use crate::cli::Global;
use crate::output;
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
    let Some(id) = &args.id else {
        let topics = topics();
        let lines: Vec<_> =
            topics.iter().map(|(kind, names)| serde_json::json!({"kind": kind, "names": names})).collect();
        return output::show_each(global.format, &lines, |out| {
            let mut topics = topics.iter().map(|(kind, names)| (output::faint(kind), names.join(", ")));
            topics.try_for_each(|(kind, names)| Ok(writeln!(out, "{kind:14} {names}")?))
        });
    };
    let engine = global.engine()?;
    let Some(page) = page(&engine, id) else {
        let nearest = nearest(&engine, id).join(", ");
        bail!(
            "nothing is called {id:?}; nearest are {nearest}; `recovery explain` lists the words, `recovery rules list` the rules"
        );
    };
    output::show(global.format, &page, |out| {
        writeln!(out, "{} {}", output::strong(&page.id), output::faint(&format!("({})", page.kind)))?;
        for (label, text) in &page.lines {
            writeln!(out, "  {:14} {}", output::faint(label), output::printable(text))?;
        }
        Ok(())
    })
}
