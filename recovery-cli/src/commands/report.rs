//! `recovery report`: what the journal adds up to.

use crate::answer::{counted, moment, phrase};
use crate::cli::Global;
use crate::ledger::Ledger;
use crate::output::{self, Format};
use crate::report::{Count, Report, Task, html};
use crate::{clock, exit};
use anyhow::Context as _;
use recovery_types::ErrorType;
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
    let report = match Ledger::open_existing(&global.store()?, recovery_store::DEFAULT_WAIT)? {
        Some(ledger) => Report::of(&ledger, &global.engine()?, clock::now())?,
        None => Report::default(),
    };
    if let Some(file) = &args.html {
        let project = global.root()?.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        std::fs::write(file, html(&report, &project)?).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut out = output::stdout();
    match (global.format, &args.html) {
        (Format::Json, _) => output::json_line(&mut out, &report)?,
        (Format::Text, Some(file)) => {
            writeln!(out, "written to {}", output::one_line(&file.display().to_string(), 400))?
        }
        (Format::Text, None) => text(&mut out, &report, global.verbose)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// What needs a person first, then what is flaky, then the rest.
fn text(out: &mut impl Write, report: &Report, verbose: bool) -> anyhow::Result<()> {
    let (Some(from), Some(to)) = (report.from, report.to) else {
        writeln!(out, "nothing has been recorded yet")?;
        return Ok(());
    };
    let (failures, tasks) = (counted(report.failures, "failure"), counted(report.tasks.len() as u64, "task"));
    writeln!(out, "{failures} in {tasks}, {} to {}", moment(from), moment(to))?;
    if report.held_back > 0 {
        let saved = match report.saved_ms {
            0 => String::new(),
            ms => format!(", about {} saved", recovery_types::time::span(ms)),
        };
        writeln!(out, "{} held back{saved}", counted(report.held_back, "repeated call"))?;
    }
    let with = |outcome: &'static str| report.tasks.iter().filter(move |task| task.outcome == outcome);
    let row = |task: &Task| {
        vec![
            format!("  {}", output::printable(&task.name).replace(['\n', '\t'], " ")),
            output::one_line(task.headline.as_deref().unwrap_or("-"), 80),
            counted(task.failures, "try").replace("trys", "tries"),
            task.command.clone(),
        ]
    };
    for (title, outcome) in [("NEEDS YOU", "stuck"), ("STILL FAILING", "failing"), ("FLAKY", "flaky")] {
        let rows: Vec<Vec<String>> = with(outcome).map(row).collect();
        if !rows.is_empty() {
            writeln!(out, "\n{} ({})", output::strong(title), rows.len())?;
            write!(out, "{}", output::table(&["  TASK", "FAILURE", "TRIED", "MORE"], rows))?;
        }
    }
    let named = report.error_types.iter().map(|count| {
        let name = ErrorType::from_name(&count.name).map_or(count.name.as_str(), |error| phrase(error));
        Count { name: name.to_owned(), count: count.count }
    });
    list(out, "failures by kind", &named.collect::<Vec<_>>())?;
    if verbose {
        list(out, "classes", &report.classes)?;
        let seconds = report.time_per_level.iter();
        let seconds = seconds.map(|level| Count { name: format!("{} (s)", level.name), count: level.count / 1000 });
        list(out, "time per level", &seconds.collect::<Vec<_>>())?;
    }
    if !report.fingerprints.is_empty() {
        writeln!(out, "\n{}", output::strong("came back most often"))?;
        for print in &report.fingerprints {
            writeln!(out, "  {:5}  {}", print.count, output::one_line(&print.headline, 90))?;
        }
    }
    Ok(())
}

fn list(out: &mut impl Write, title: &str, counts: &[Count]) -> anyhow::Result<()> {
    if !counts.is_empty() {
        writeln!(out, "\n{}", output::strong(title))?;
        for count in counts {
            writeln!(out, "  {:5}  {}", count.count, count.name)?;
        }
    }
    Ok(())
}
