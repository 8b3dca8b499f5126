//! `recovery report`: what the journal adds up to: what needs a person, what is flaky, what was held back.
//!
//! In: the journal. Out: text, JSON, one HTML page, or a live page on the loopback address. The counts and the page are
//! made by `recovery-report`; the sections of the text are the table `SECTIONS`.

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::{clock, exit, output};
use anyhow::Context as _;
use recovery_report::{Count, JournalReport, Live, Task, html};
use recovery_service::answer::{counted, period};
use recovery_store::Journal as _;
use recovery_types::time::span;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery report\n  recovery report --html report.html\n  recovery report --serve")]
pub(crate) struct Args {
    /// Write one self-contained page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show that page in a browser, live as records arrive; for this machine only, until Ctrl-C
    #[arg(long, conflicts_with = "html")]
    serve: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    if args.serve {
        return serve(global);
    }
    let report = report(global)?;
    if let Some(file) = &args.html {
        let page = html(&report, &project(global)?, None)?;
        std::fs::write(file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    output::show(global.format, &report, |out| match &args.html {
        Some(file) => Ok(writeln!(out, "written to {}", output::one_line(&file.display().to_string(), 400))?),
        None => text(out, &report, global.verbose),
    })
}

struct LiveReport<'g>(&'g Global);

impl Live for LiveReport<'_> {
    fn stamp(&self) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        let Some(ledger) = Ledger::open_existing(&self.0.store()?, recovery_store::DEFAULT_WAIT)? else {
            return Ok("0".to_owned());
        };
        Ok(ledger.journal.latest(1)?.first().map_or("0".to_owned(), |last| last.hash.to_string()))
    }

    fn page(&self, stamp: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
        Ok(html(&report(self.0)?, &project(self.0)?, Some(stamp))?)
    }
}

fn serve(global: &Global) -> anyhow::Result<u8> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on this machine")?;
    let mut out = output::stdout();
    writeln!(out, "http://127.0.0.1:{}/ shows the report, live; Ctrl-C ends it", listener.local_addr()?.port())?;
    out.flush()?;
    drop(out);
    recovery_report::serve(&listener, &LiveReport(global))?;
    Ok(exit::DONE)
}

fn report(global: &Global) -> anyhow::Result<JournalReport> {
    Ok(match Ledger::open_existing(&global.store()?, recovery_store::DEFAULT_WAIT)? {
        Some(ledger) => JournalReport::of(&ledger, &global.engine()?, clock::now())?,
        None => JournalReport::default(),
    })
}

fn project(global: &Global) -> anyhow::Result<String> {
    Ok(global.root()?.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
}

fn text(out: &mut impl Write, report: &JournalReport, verbose: bool) -> anyhow::Result<()> {
    let (Some(from), Some(to)) = (report.from, report.to) else {
        writeln!(out, "nothing has been recorded yet")?;
        return Ok(());
    };
    let failed = report.tasks.iter().filter(|task| task.failures > 0).count();
    let (failures, tasks) = (counted(report.failures, "failure"), counted(failed as u64, "task"));
    let of = if failed == report.tasks.len() { String::new() } else { format!(" of {}", report.tasks.len()) };
    writeln!(out, "{failures} in {tasks}{of}, {}", period(from, to))?;
    for (title, outcome) in SECTIONS {
        // What works and never failed is no news.
        let is_listed = |task: &&Task| task.outcome == outcome && (outcome != "ok" || task.failures > 0);
        let tasks: Vec<&Task> = report.tasks.iter().filter(is_listed).collect();
        if !tasks.is_empty() {
            section(out, title, &tasks)?;
        }
    }
    let held: Vec<&Task> = report.tasks.iter().filter(|task| task.held > 0).collect();
    if !held.is_empty() {
        writeln!(out, "\n{} ({})", output::strong("HELD BACK"), held.len())?;
        for task in held {
            writeln!(out, "  {}  {} kept from an agent", name(task), counted(task.held, "repetition"))?;
        }
        if report.saved_ms > 0 {
            writeln!(out, "  saved {} of running what had just failed", span(report.saved_ms))?;
        }
    }
    let expired = report.tasks.iter().filter(|task| task.outcome == "expired").count();
    if expired > 0 {
        let failures = counted(expired as u64, "failure");
        writeln!(out, "\n{failures} that an agent met once and did not repeat: recovery status --all")?;
    }
    list(out, "FAILURES BY KIND", &recovery_report::by_phrase(&report.error_types))?;
    if verbose {
        list(out, "CLASSES", &report.classes)?;
        let seconds = report.time_per_level.iter();
        let seconds = seconds.map(|level| Count { name: format!("{} (s)", level.name), count: level.count / 1000 });
        list(out, "TIME PER LEVEL", &seconds.collect::<Vec<_>>())?;
    }
    if !report.fingerprints.is_empty() {
        writeln!(out, "\n{}", output::strong("MOST REPEATED"))?;
        for print in &report.fingerprints {
            let line = if print.headline.is_empty() { "failed without output" } else { &print.headline };
            writeln!(out, "  {:>5}  {}", print.count, output::one_line(line, 90))?;
        }
    }
    Ok(())
}

/// The sections in order: the title, and the outcome of its tasks.
const SECTIONS: [(&str, &str); 6] = [
    ("NEEDS YOU", "stuck"),
    ("WAITING FOR A CONFLICT TO BE SETTLED", "waiting"),
    ("ENDED IN FAILURE", "failed"),
    ("STILL FAILING", "failing"),
    ("FLAKY", "flaky"),
    ("RECOVERED", "ok"),
];

/// The longest line of a section's table; what is longer is written in lines below one another.
const TABLE_CHARS: usize = 110;

/// A task's name on one line, uncut: it can be pasted.
fn name(task: &Task) -> String {
    output::printable(&task.name).replace(['\n', '\t'], " ")
}

/// The tasks of a section, one line each where that fits: what failed, and the command that shows more.
fn section(out: &mut impl Write, title: &str, tasks: &[&Task]) -> anyhow::Result<()> {
    writeln!(out, "\n{} ({})", output::strong(title), tasks.len())?;
    let what = |task: &Task, most: usize| {
        let tries = match task.failures {
            0 | 1 => String::new(),
            many => format!(", {many} tries"),
        };
        output::one_line(task.headline.as_deref().unwrap_or("-"), most) + &tries
    };
    let widest = |of: &dyn Fn(&Task) -> String| tasks.iter().map(|task| output::width(&of(task))).max().unwrap_or(0);
    let width = widest(&name) + widest(&|task| what(task, 64)) + widest(&|task| task.command.clone());
    if width + 6 <= TABLE_CHARS {
        let row = |task: &&Task| vec![format!("  {}", name(task)), what(task, 64), task.command.clone()];
        write!(out, "{}", output::table(&[], tasks.iter().map(row).collect()))?;
        return Ok(());
    }
    for task in tasks {
        writeln!(out, "  {}", name(task))?;
        writeln!(out, "      {}", what(task, 100))?;
        writeln!(out, "      {}", output::faint(&task.command))?;
    }
    Ok(())
}

fn list(out: &mut impl Write, title: &str, counts: &[Count]) -> anyhow::Result<()> {
    if !counts.is_empty() {
        writeln!(out, "\n{}", output::strong(title))?;
        for count in counts {
            writeln!(out, "  {:>5}  {}", count.count, count.name)?;
        }
    }
    Ok(())
}
