//! `recovery scan`: many logs at once. Reads as many as there are cores side by side, each in constant memory.
//!
//! [`logs`] finds and unpacks them, GitHub's archives included; [`ci`] reads how a CI job ended; [`baseline`] leaves out what
//! a run that worked printed too; [`summary`] adds everything up.

mod baseline;
mod ci;
mod logs;
mod summary;

use crate::cli::Global;
use crate::exit;
use crate::output::{self, Format};
use anyhow::bail;
use baseline::{Baseline, Lines};
use ci::{Ending, System};
use failure_taxonomy::{Failure, Taxonomy};
use indicatif::{ProgressBar, ProgressStyle};
use logs::{Log, Outcome};
use problem_matcher::Report;
use rayon::prelude::*;
use recovery_types::problem::MAX_PROBLEMS;
use recovery_types::{Class, Diagnosis, ErrorType, FailureType, IndicatorHit, Problem};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub(crate) use summary::Summary;

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
    /// Write one line a log instead of a summary; a log that cannot be read is answered with {"file":...,"error":...},
    /// and the exit code is 2 only where none could be read
    #[arg(long)]
    ndjson: bool,
    /// The exit code that all these runs ended with; without it only logs that clearly tell of a failure count
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    exit_code: Option<i64>,
    /// Leave out every line that a log in this directory, of runs that worked, has too
    #[arg(long, value_name = "BASELINE_DIR")]
    since_green: Option<PathBuf>,
    /// Print the problems of each failed log too, the root cause first
    #[arg(long)]
    problems: bool,
    /// How many logs are read at once [default: one per core]
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
    /// The CI system that says how the job ended; null where none does.
    ci: Option<System>,
    /// The exit code, given or as the CI system says it; null where nobody says.
    exit_code: Option<i64>,
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
    /// The failing tests of a JUnit report, by name, up to 100.
    tests: Vec<String>,
    /// How many lines the baseline does not have; null without a baseline.
    new_lines: Option<u64>,
    /// With `--problems`: the root cause of a failure, then up to 20 others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    problems: Vec<Problem>,
}

/// How many failing tests of a report are named.
const MOST_TESTS: usize = 100;
/// The largest JUnit report whose tests are named.
const LARGEST_REPORT_BYTES: usize = 64 << 20;

/// What is known of a log besides its text.
struct Known {
    bytes: u64,
    ci: Option<System>,
    exit_code: Option<i64>,
    tests: Vec<String>,
    new_lines: Option<u64>,
    problems: Vec<Problem>,
}

impl Answer {
    fn new(file: String, known: Known, diagnosis: Diagnosis) -> Self {
        let Known { bytes, ci, exit_code, tests, new_lines, problems } = known;
        // The exit code is the last word; without one, the text has to show a failure.
        let failure = exit_code.map_or(!diagnosis.indicators.is_empty(), |code| code != 0);
        Self {
            file,
            bytes,
            ci,
            exit_code,
            failure,
            failure_type: failure.then_some(diagnosis.failure_type),
            class: failure.then(|| classifier_core::first_class(diagnosis.error_type)),
            error_type: failure.then_some(diagnosis.error_type),
            indicators: if failure { diagnosis.indicators } else { Vec::new() },
            fingerprint: failure.then_some(diagnosis.fingerprint),
            tests,
            new_lines,
            problems: if failure { problems } else { Vec::new() },
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

    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build()?;
    let baseline = match &args.since_green {
        Some(dir) => Some(green_lines(dir, &pool, &stop)?),
        None => None,
    };
    let (logs, missing) = logs::below(&args.paths, &stop);
    let mut summary = Summary::new(logs.len() + missing.len(), baseline.as_ref().map(Baseline::len));
    let mut out = output::stdout();
    for unreadable in missing {
        take(args, global.format, &mut out, &mut summary, Err(unreadable))?;
    }
    let progress = progress_bar(args, &logs);
    let ahead = logs.len() < pool.current_num_threads();
    let (exit_code, wants_problems) = (args.exit_code, args.problems);
    let reader = Reader { taxonomy, exit_code, wants_problems, baseline, ahead, stop: &stop, progress: &progress };
    std::thread::scope(|scope| {
        let (results, arrivals) = std::sync::mpsc::channel();
        let (logs, reader) = (&logs, &reader);
        scope.spawn(move || {
            pool.install(|| {
                logs.par_iter().enumerate().for_each_with(results, |results, (number, log)| {
                    if let Some(result) = reader.read(log) {
                        // Nobody listens any more when the output was closed; then there is nothing to do but end.
                        let _ = results.send((number, result));
                    }
                });
            });
        });
        in_order(arrivals, |result| take(args, global.format, &mut out, &mut summary, result))
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

fn take(args: &Args, format: Format, out: &mut impl Write, summary: &mut Summary, result: Read) -> anyhow::Result<()> {
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

/// The lines of the logs of runs that worked.
fn green_lines(dir: &Path, pool: &rayon::ThreadPool, stop: &AtomicBool) -> anyhow::Result<Baseline> {
    let (logs, missing) = logs::below(&[dir.to_owned()], stop);
    if let Some(Unreadable { file, error }) = missing.first() {
        bail!("cannot read the baseline {file}: {error}");
    }
    let read = |log: &Log| -> anyhow::Result<Baseline> {
        let (mut baseline, mut lines) = (Baseline::default(), Lines::default());
        log.chunks(stop, false, |chunk, _| baseline.add(&mut lines, chunk))
            .map_err(|error| anyhow::anyhow!("cannot read the baseline {}: {error}", log.name()))?;
        baseline.add_rest(lines);
        Ok(baseline)
    };
    pool.install(|| logs.par_iter().map(read).try_reduce(Baseline::default, |one, other| Ok(one.merge(other))))
}

/// What every log is read with.
struct Reader<'a> {
    taxonomy: Taxonomy,
    exit_code: Option<i64>,
    wants_problems: bool,
    baseline: Option<Baseline>,
    ahead: bool,
    stop: &'a AtomicBool,
    progress: &'a ProgressBar,
}

impl Reader<'_> {
    /// Reads one log; `None` when it was interrupted.
    fn read(&self, log: &Log) -> Option<Read> {
        let mut observer = self.taxonomy.observe();
        let (mut bytes, mut new_lines, mut lines) = (0, 0, Lines::default());
        let mut report: Option<Vec<u8>> = None;
        let outcome = log.chunks(self.stop, self.ahead, |chunk, on_disk| {
            if bytes == 0 && is_junit(chunk) {
                report = Some(Vec::new());
            }
            if let Some(report) = report.as_mut().filter(|report| report.len() + chunk.len() <= LARGEST_REPORT_BYTES) {
                report.extend_from_slice(chunk);
            }
            bytes += chunk.len() as u64;
            match &self.baseline {
                Some(baseline) => lines.feed(chunk, |line| {
                    new_lines += u64::from(baseline.blank_known(line));
                    observer.feed(line);
                }),
                None => observer.feed(chunk),
            }
            self.progress.inc(on_disk);
        });
        if let Some(baseline) = &self.baseline {
            lines.finish(|line| {
                new_lines += u64::from(baseline.blank_known(line));
                observer.feed(line);
            });
        }
        match outcome {
            Ok(Outcome::Done) => {
                let ending = ci::ending(observer.last());
                let exit_code = self.exit_code.or(ending.and_then(|Ending { exit_code, .. }| exit_code));
                let known = Known {
                    bytes,
                    ci: ending.map(|Ending { system, .. }| system),
                    exit_code,
                    tests: report.map(|report| failing_tests(&report)).unwrap_or_default(),
                    new_lines: self.baseline.is_some().then_some(new_lines),
                    problems: if self.wants_problems { problems(&observer.ends(), bytes) } else { Vec::new() },
                };
                let diagnosis = observer.finish(&Failure { exit_code, ..Failure::default() });
                Some(Ok(Answer::new(log.name(), known, diagnosis)))
            }
            Ok(Outcome::Stopped) => None,
            Err(error) => Some(Err(Unreadable { file: log.name(), error: error.to_string() })),
        }
    }
}

/// The root cause, then the first others, from the beginning and the end of a log of so many bytes.
fn problems(ends: &[u8], bytes: u64) -> Vec<Problem> {
    let Report { mut problems, root } =
        problem_matcher::explain(&recovery_redact::redact(&String::from_utf8_lossy(ends)));
    if let Some(root) = root {
        problems[..=root].rotate_right(1);
    }
    problems.truncate(MAX_PROBLEMS + 1);
    if (ends.len() as u64) < bytes {
        // Lines are counted from the beginning only where nothing was left out.
        problems.iter_mut().for_each(|problem| problem.text_line = None);
    }
    problems
}

fn show_problems(out: &mut impl Write, answer: &Answer) -> std::io::Result<()> {
    writeln!(out, "{}", output::printable(&answer.file))?;
    for problem in &answer.problems {
        let numbers = [problem.line, problem.line.and(problem.column)].into_iter().flatten();
        let place: Vec<String> = problem.file.iter().cloned().chain(numbers.map(|number| number.to_string())).collect();
        let separator = if place.is_empty() { "" } else { ": " };
        let line = format!("{}{separator}{}", place.join(":"), problem.message);
        writeln!(out, "  {} {}", problem.severity, output::one_line(&line, 200))?;
    }
    writeln!(out)
}

/// Whether a log that begins like this is a JUnit report.
fn is_junit(start: &[u8]) -> bool {
    const FIRST_BYTES: usize = 4096;
    let start = String::from_utf8_lossy(&start[..start.len().min(FIRST_BYTES)]);
    start.trim_start_matches('\u{feff}').trim_start().starts_with('<') && start.contains("<testsuite")
}

fn failing_tests(report: &[u8]) -> Vec<String> {
    let problems = problem_matcher::find(&String::from_utf8_lossy(report)).problems;
    problems.into_iter().filter_map(|problem| problem.test).take(MOST_TESTS).collect()
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
