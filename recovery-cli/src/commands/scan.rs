//! `recovery scan`: what went wrong in many logs at once.
//!
//! In: files, directories and archives. Out: a summary, or one line per log with `--ndjson`. The first Ctrl-C ends the
//! reading and prints what was read. Reading and judging are `recovery-scan`; this is arguments, progress and printing.

use crate::answer::{counted, phrase};
use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
use indicatif::{ProgressBar, ProgressStyle};
use recovery_scan::logs::{self, Log};
use recovery_scan::{GreenLines, LogKind, LogReport, LogScanner, ScanResult, ScanSummary};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(clap::Args)]
#[command(
    after_help = "Directories are read with everything in them; gzip and zstd logs and GitHub's log archives (zip) \
    are unpacked on the way. Where a log ends with the word of GitHub, GitLab or Jenkins on how the job went, that word \
    counts. Ctrl-C prints what was read so far.\n\nExamples:\n  recovery scan ci-logs/\n  \
    recovery scan logs_4711.zip\n  recovery scan --since-green last-good/ todays/\n  \
    recovery scan --ndjson ci-logs/ | jq 'select(.error_type == \"out_of_memory\").file'\n  \
    recovery scan --exit-code 1 failed/*.log.gz\n  recovery scan --problems nightly/"
)]
pub(crate) struct Args {
    /// Logs, or directories of logs
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write one line per log instead of a summary; a log that cannot be read is answered with {"file":...,"error":...},
    /// and the exit code is 2 only where none could be read
    #[arg(long)]
    ndjson: bool,
    /// The exit code that all these runs ended with; without it only logs that clearly tell of a failure count
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::input::exit_code)]
    exit_code: Option<i64>,
    /// Leave out every line that a log in this directory, of runs that worked, has too
    #[arg(long, value_name = "BASELINE_DIR")]
    since_green: Option<PathBuf>,
    /// Print the problems of each failed log too, the root cause first
    #[arg(long)]
    problems: bool,
    /// How many logs are read at once [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = crate::input::count::<usize>, allow_negative_numbers = true)]
    jobs: Option<usize>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let taxonomy = global.engine()?.taxonomy;
    let stop = Arc::new(AtomicBool::new(false));
    // The first Ctrl-C ends the reading, a second one ends the process.
    signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 130, Arc::clone(&stop))?;
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&stop))?;

    let jobs = args.jobs.unwrap_or(0);
    let green = args.since_green.as_deref().map(|dir| GreenLines::read(dir, jobs, &stop)).transpose()?;
    let (logs, missing) = logs::below(&args.paths, &stop);
    let mut summary = ScanSummary::new(logs.len() + missing.len(), green.as_ref().map(GreenLines::len));
    let mut out = output::stdout();
    for unreadable in missing {
        take(args, global.format, &mut out, &mut summary, Err(unreadable))?;
    }
    let progress = progress_bar(args, &logs);
    let scanner =
        LogScanner::new(taxonomy).exit_code(args.exit_code).with_problems(args.problems).since_green(green).jobs(jobs);
    scanner.scan(
        &logs,
        &stop,
        |bytes| progress.inc(bytes),
        |result| take(args, global.format, &mut out, &mut summary, result),
    )?;
    progress.finish_and_clear();
    summary.interrupted = stop.load(Ordering::Relaxed);
    match (args.ndjson, global.format) {
        (true, _) => {}
        (false, Format::Json) => output::json_line(&mut out, &summary)?,
        (false, Format::Text) => show(&mut out, &summary, global.verbose)?,
    }
    out.flush()?;
    if summary.interrupted {
        anstream::eprintln!("{} {} of {} logs were read", output::bad("interrupted:"), summary.read, summary.logs);
    }
    Ok(if summary.interrupted {
        exit::NO
    } else if summary.read == 0 && summary.logs > 0 {
        exit::BAD_INPUT
    } else {
        exit::DONE
    })
}

fn take(
    args: &Args,
    format: Format,
    out: &mut impl Write,
    summary: &mut ScanSummary,
    result: ScanResult,
) -> anyhow::Result<()> {
    match result {
        Ok(answer) => {
            summary.add(&answer);
            if args.ndjson {
                output::json_line(out, &answer)?;
            } else if format == Format::Text && !answer.problems.is_empty() {
                show_problems(out, &answer)?;
            }
        }
        Err(unreadable) => {
            let (file, error) = (output::message(&unreadable.file), output::message(&unreadable.error));
            anstream::eprintln!("{} {file}: {error}", output::bad("skipped:"));
            if args.ndjson {
                output::json_line(out, &unreadable)?;
            }
            summary.unreadable.push(unreadable);
        }
    }
    Ok(())
}

fn show_problems(out: &mut impl Write, log: &LogReport) -> std::io::Result<()> {
    writeln!(out, "{}", output::printable(&log.file))?;
    for problem in &log.problems {
        let place = problem.place();
        let separator = if place.is_empty() { "" } else { ": " };
        let line = format!("{place}{separator}{}", problem.message);
        writeln!(out, "  {} {}", problem.severity, output::one_line(&line, 200))?;
    }
    writeln!(out)
}

/// On a terminal, and where it does not run into the answers.
fn progress_bar(args: &Args, logs: &[Log]) -> ProgressBar {
    if args.ndjson && std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(logs.iter().map(|log| log.size).sum());
    let style = "{bar:32} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn show(out: &mut impl Write, summary: &ScanSummary, verbose: bool) -> std::io::Result<()> {
    if summary.failures > 0 {
        let failing = summary.failing.iter();
        let rows = failing.map(|(file, error)| vec![phrase(*error).to_owned(), output::printable(file).into_owned()]);
        write!(out, "{}", output::table(&["FAILURE", "LOG"], rows.collect()))?;
        if let Some(more) = summary.failures.checked_sub(ScanSummary::MAX_FAILING).filter(|more| *more > 0) {
            writeln!(out, "and {more} more; `--ndjson` lists all")?;
        }
        writeln!(out)?;
        let row = |row: LogKind| {
            let mut cells = vec![row.logs.to_string(), phrase(row.error_type).to_owned()];
            if verbose {
                let class = format!("{:?}", row.class);
                cells.extend([row.error_type.name().to_owned(), row.failure_type.name().to_owned(), class]);
            }
            cells
        };
        let mut headers = vec!["LOGS", "FAILURE"];
        if verbose {
            headers.extend(["ERROR TYPE", "FAILURE TYPE", "CLASS"]);
        }
        write!(out, "{}", output::table(&headers, summary.kinds().into_iter().map(row).collect()))?;
        writeln!(out)?;
    }
    let clean = summary.read - summary.failures;
    let skipped = match summary.unreadable.len() {
        0 => String::new(),
        skipped => format!(", {} skipped", output::bad(&skipped.to_string())),
    };
    let size = indicatif::BinaryBytes(summary.bytes);
    writeln!(
        out,
        "{} read ({size}): {} with a failure, {clean} without{skipped}",
        counted(summary.read as u64, "log"),
        output::strong(&summary.failures.to_string()),
    )?;
    if let Some(lines) = summary.baseline_lines {
        writeln!(out, "left out: {} of the baseline", counted(lines as u64, "line"))?;
    }
    Ok(())
}
