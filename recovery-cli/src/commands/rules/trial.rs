//! `recovery rules test`: indicators tried on a text, and on logs of successful runs.
//!
//! In: a text and logs that must not match. Out: the lines that each indicator matches, and its false positives; exit code
//! 1 where none matches or one matches in more than one of `MAX_FALSE_ALARMS` successful logs.

use crate::cli::Global;
use crate::exit;
use crate::input::Source;
use crate::output::{self, Format};
use anyhow::{Context as _, bail};
use recovery_engine::Taxonomy;
use recovery_redact::redact;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A rule that fires on more than one in this many successful logs is refused.
const MAX_FALSE_ALARMS: usize = 10;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when no rule fires, or one fires on more than one in ten successful logs.\n\nExamples:\n  \
    recovery rules test build.log\n  recovery rules test --text 'licence server unreachable' --id acme.licence\n  \
    recovery rules test failed.log --passing logs/green/"
)]
pub(crate) struct Args {
    /// A log; `-` reads standard input
    file: Option<PathBuf>,
    /// Text instead of a log
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    text: Option<String>,
    /// Only this rule [default: your own rows in recovery.toml, or all where there are none]
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// Logs of successful runs, or directories of them, on which a rule must keep quiet
    #[arg(long, value_name = "PATH", num_args = 1..)]
    passing: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Tried {
    id: String,
    /// The lines it fired on, with their numbers.
    lines: Vec<(usize, String)>,
    /// Successful logs it fired on, and how many there were.
    false_alarms: usize,
    passing: usize,
    refused: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let taxonomy = global.engine()?.taxonomy;
    let ids = wanted(args, global, &taxonomy)?;
    let text = match &args.text {
        Some(text) => text.clone(),
        None => Source::open(args.file.as_deref())?.lossy_text()?,
    };
    let mut logs = Vec::new();
    for path in &args.passing {
        collect(path, &mut logs)?;
    }
    let passing: Vec<String> =
        logs.iter().map(|log| Source::open(Some(log))?.lossy_text()).collect::<Result<_, _>>()?;
    let mut out = output::stdout();
    let (mut fired, mut refused) = (false, false);
    for id in &ids {
        let tried = try_rule(&taxonomy, id, &text, &passing);
        fired |= !tried.lines.is_empty();
        refused |= tried.refused;
        let worth_telling = args.id.is_some() || !tried.lines.is_empty() || tried.refused;
        match global.format {
            Format::Json if worth_telling => output::json_line(&mut out, &tried)?,
            Format::Text if worth_telling => print_trial(&mut out, &tried)?,
            Format::Json | Format::Text => {}
        }
    }
    if global.format == Format::Text && !fired {
        writeln!(out, "no rule fires")?;
    }
    out.flush()?;
    Ok(if fired && !refused { exit::DONE } else { exit::NO })
}

fn wanted(args: &Args, global: &Global, taxonomy: &Taxonomy) -> anyhow::Result<Vec<String>> {
    if let Some(id) = &args.id {
        if taxonomy.indicator(id).is_none() {
            bail!("no indicator is called {id:?}; `recovery rules list` shows them all");
        }
        return Ok(vec![id.clone()]);
    }
    let own: Vec<String> = global.settings()?.indicator.iter().map(|row| row.id.clone()).collect();
    Ok(if own.is_empty() { taxonomy.indicators().map(|row| row.id.to_owned()).collect() } else { own })
}

fn try_rule(taxonomy: &Taxonomy, id: &str, text: &str, passing: &[String]) -> Tried {
    let fires = |text: &str| taxonomy.hits(id, text.as_bytes());
    let lines = if fires(text) {
        let on_line = text.lines().enumerate().filter(|(_, line)| fires(line));
        on_line.take(20).map(|(n, line)| (n + 1, output::one_line(&redact(line), 160))).collect()
    } else {
        Vec::new()
    };
    let false_alarms = passing.iter().filter(|log| fires(log)).count();
    let refused = false_alarms * MAX_FALSE_ALARMS > passing.len();
    Tried { id: id.to_owned(), lines, false_alarms, passing: passing.len(), refused }
}

fn print_trial(out: &mut impl std::io::Write, tried: &Tried) -> anyhow::Result<()> {
    writeln!(out, "{}", output::strong(&output::one_line(&tried.id, 60)))?;
    for (number, line) in &tried.lines {
        writeln!(out, "  line {number}: {line}")?;
    }
    if tried.passing > 0 {
        let verdict = if tried.refused { output::bad("refused") } else { output::good("fine") };
        writeln!(out, "  {verdict}: fires on {} of {} successful logs", tried.false_alarms, tried.passing)?;
    }
    Ok(())
}

fn collect(path: &Path, logs: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        logs.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
        .with_context(|| format!("cannot read {}", path.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| collect(entry, logs))
}
