//! `recovery scan`: many logs at once. Reads as many as there are cores side by side, each in constant memory.

mod logs;
mod summary;

use crate::cli::Global;
use crate::output::{self, Format};
use crate::{clock, exit};
use failure_taxonomy::{Failure, Taxonomy};
use indicatif::{ProgressBar, ProgressStyle};
use logs::{Log, Outcome};
use rayon::prelude::*;
use recovery_types::{Class, Diagnosis, ErrorType, FailureType, IndicatorHit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub(crate) use summary::Summary;

#[derive(clap::Args)]
#[command(after_help = "Directories are read with everything in them; gzip and zstd logs are unpacked on the way. \
    Ctrl-C prints what was read so far.\n\nExamples:\n  recovery scan ci-logs/\n  \
    recovery scan --ndjson ci-logs/ | jq 'select(.error_type == \"out_of_memory\").file'\n  \
    recovery scan --exit-code 1 failed/*.log.gz")]
pub(crate) struct Args {
    /// Logs, or directories of logs
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write one line a log instead of a summary; a log that cannot be read is answered with {"file":...,"error":...},
    /// and the exit code is 2 only where none could be read
    #[arg(long)]
    ndjson: bool,
    /// The exit code that all these runs ended with; without it only logs that clearly tell of a failure count
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    exit_code: Option<i64>,
    /// How many logs are read at once [default: one a core]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
}

/// What one log says; a line of `--ndjson`.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Answer {
    /// The log.
    file: String,
    /// Its size, unpacked.
    bytes: u64,
    /// Whether it tells of a failure.
    failure: bool,
    /// What kind; null without a failure, as is all that follows.
    failure_type: Option<FailureType>,
    /// How far a first failure of this kind reaches.
    class: Option<Class>,
    /// What went wrong.
    error_type: Option<ErrorType>,
    /// What it was read from.
    indicators: Vec<IndicatorHit>,
    /// The same for failures that differ only in times, addresses and the like.
    fingerprint: Option<String>,
}

impl Answer {
    fn new(file: String, bytes: u64, diagnosis: Diagnosis) -> Self {
        let failure = !diagnosis.indicators.is_empty();
        Self {
            file,
            bytes,
            failure,
            failure_type: failure.then_some(diagnosis.failure_type),
            class: failure.then(|| diagnosis.error_type.class()),
            error_type: failure.then_some(diagnosis.error_type),
            indicators: diagnosis.indicators,
            fingerprint: failure.then_some(diagnosis.fingerprint),
        }
    }
}

/// A log that could not be read; a line of `--ndjson`.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Unreadable {
    /// The log.
    file: String,
    /// Why.
    error: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let taxonomy = global.engine()?.taxonomy;
    let stop = Arc::new(AtomicBool::new(false));
    // The first Ctrl-C ends the reading, a second one ends the process.
    signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 130, Arc::clone(&stop))?;
    signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&stop))?;

    let (logs, missing) = logs::below(&args.paths, &stop);
    let mut summary = Summary::new(logs.len() + missing.len());
    let mut out = output::stdout();
    for unreadable in missing {
        take(args, &mut out, &mut summary, Err(unreadable))?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build()?;
    let progress = progress_bar(args, &logs);
    let ahead = logs.len() < pool.current_num_threads();
    let read = |log: &Log| read(&taxonomy, args.exit_code, log, ahead, &stop, &progress);
    std::thread::scope(|scope| {
        let (results, arrivals) = std::sync::mpsc::channel();
        let logs = &logs;
        scope.spawn(move || {
            pool.install(|| {
                logs.par_iter().enumerate().for_each_with(results, |results, (number, log)| {
                    if let Some(result) = read(log) {
                        // Nobody listens any more when the output was closed; then there is nothing to do but end.
                        let _ = results.send((number, result));
                    }
                });
            });
        });
        in_order(arrivals, |result| take(args, &mut out, &mut summary, result))
    })
    .inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
    progress.finish_and_clear();
    summary.interrupted = stop.load(Ordering::Relaxed);
    match (args.ndjson, global.format) {
        (true, _) => {}
        (false, Format::Json) => output::json_line(&mut out, &summary)?,
        (false, Format::Text) => summary::show(&mut out, &summary, global.verbose)?,
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

type Read = Result<Answer, Unreadable>;

/// Hands on what arrives in the order of the logs, whichever was read first; gaps that an interruption left are skipped.
fn in_order(
    arrivals: std::sync::mpsc::Receiver<(usize, Read)>,
    mut take: impl FnMut(Read) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, result) in arrivals {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            take(result)?;
            next += 1;
        }
    }
    early.into_values().try_for_each(take)
}

fn take(args: &Args, out: &mut impl Write, summary: &mut Summary, result: Read) -> anyhow::Result<()> {
    match result {
        Ok(answer) => {
            summary.add(&answer);
            if args.ndjson {
                output::json_line(out, &answer)?;
            }
        }
        Err(unreadable) => {
            let (file, error) = (output::printable(&unreadable.file), output::printable(&unreadable.error));
            anstream::eprintln!("{} {file}: {error}", output::bad("skipped:"));
            if args.ndjson {
                output::json_line(out, &unreadable)?;
            }
            summary.unreadable.push(unreadable);
        }
    }
    Ok(())
}

/// Reads one log; `None` when it was interrupted.
fn read(
    taxonomy: &Taxonomy,
    exit_code: Option<i64>,
    log: &Log,
    ahead: bool,
    stop: &AtomicBool,
    progress: &ProgressBar,
) -> Option<Read> {
    let mut observer = taxonomy.observe();
    let mut bytes = 0;
    let outcome = log.chunks(stop, ahead, |chunk, on_disk| {
        observer.feed(chunk);
        bytes += chunk.len() as u64;
        progress.inc(on_disk);
    });
    let file = log.path.display().to_string();
    match outcome {
        Ok(Outcome::Done) => {
            let failure = Failure { exit_code, now: Some(clock::now()), ..Failure::default() };
            Some(Ok(Answer::new(file, bytes, observer.finish(&failure))))
        }
        Ok(Outcome::Stopped) => None,
        Err(error) => Some(Err(Unreadable { file, error: error.to_string() })),
    }
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
