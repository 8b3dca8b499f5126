//! `recovery report`: what the journal adds up to.

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::output::{self, Format};
use crate::report::{Count, Report, html};
use crate::{clock, exit};
use anyhow::Context as _;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery report\n  recovery report --html report.html")]
pub(crate) struct Args {
    /// Write one self-contained page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let report = match Ledger::open_existing(&global.state_dir()?, recovery_store::DEFAULT_WAIT)? {
        Some(ledger) => Report::of(&ledger, &global.engine()?, clock::now())?,
        None => Report::default(),
    };
    if let Some(file) = &args.html {
        std::fs::write(file, html(&report)?).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut out = output::stdout();
    match (global.format, &args.html) {
        (Format::Json, _) => output::json_line(&mut out, &report)?,
        (Format::Text, Some(file)) => {
            writeln!(out, "written to {}", output::one_line(&file.display().to_string(), 400))?
        }
        (Format::Text, None) => text(&mut out, &report)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn text(out: &mut impl Write, report: &Report) -> anyhow::Result<()> {
    let (failures, tasks) = (report.failures, report.tasks.len());
    writeln!(out, "{failures} failures in {tasks} tasks, {} stuck, {} flaky", report.stuck, report.flaky.len())?;
    for (title, counts) in [("error types", &report.error_types), ("classes", &report.classes)] {
        list(out, title, counts)?;
    }
    let seconds: Vec<Count> = report
        .time_per_level
        .iter()
        .map(|level| Count { name: format!("{} (s)", level.name), count: level.count / 1000 })
        .collect();
    list(out, "time per level", &seconds)?;
    if !report.fingerprints.is_empty() {
        writeln!(out, "{}", output::strong("came back most often"))?;
        for print in &report.fingerprints {
            writeln!(
                out,
                "  {:5}  {} {}",
                print.count,
                output::one_line(&print.headline, 70),
                output::faint(&print.error_type)
            )?;
        }
    }
    if !report.flaky.is_empty() {
        writeln!(out, "{} {}", output::strong("flaky"), output::one_line(&report.flaky.join(", "), 200))?;
    }
    Ok(())
}

fn list(out: &mut impl Write, title: &str, counts: &[Count]) -> anyhow::Result<()> {
    if !counts.is_empty() {
        writeln!(out, "{}", output::strong(title))?;
        for count in counts {
            writeln!(out, "  {:5}  {}", count.count, count.name)?;
        }
    }
    Ok(())
}
