//! Diagnoses many logs at once.
//!
//! In: paths of logs and directories. Out: one [`LogReport`] per log, in the order of the paths, and a [`ScanSummary`] of all.
//! As many logs are read side by side as there are cores, each in constant memory.
//!
//! 1. [`logs::below`] finds the logs, also within GitHub's archives, and unpacks them.
//! 2. [`GreenLines`] blanks lines that runs that worked printed too.
//! 3. `failure_taxonomy::Observer` diagnoses the text as it is read.
//! 4. [`ci::ending`] takes the job's exit code from the last line of the CI system.
//! 5. `report.rs` puts an answer together and adds answers up.
//!
//! See `examples/scan.rs`.

pub mod ci;
mod green;
pub mod logs;
mod report;

pub use ci::CiSystem;
pub use green::{GreenError, GreenLines};
pub use report::{LogKind, LogReport, ScanSummary, UnreadableLog};

use failure_taxonomy::Failure;
pub use failure_taxonomy::Taxonomy;
use green::LineSplitter;
use logs::{Log, ReadOutcome};
use problem_matcher::ProblemReport;
use rayon::prelude::*;
use recovery_types::problem::MAX_PROBLEMS;
pub use recovery_types::{Class, ErrorType, FailureType, IndicatorHit, Problem};
use report::Known;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// How many failing tests of a report are named.
const MAX_TESTS: usize = 100;
/// The largest JUnit report whose tests are named.
const MAX_JUNIT_BYTES: usize = 64 << 20;

/// The answer about one log.
pub type ScanResult = Result<LogReport, UnreadableLog>;

/// What every log is read with.
pub struct LogScanner {
    taxonomy: Taxonomy,
    exit_code: Option<i64>,
    finds_problems: bool,
    green: Option<GreenLines>,
    jobs: usize,
}

impl LogScanner {
    /// With these packs, one log per core, and nothing known about how the runs ended.
    #[must_use]
    pub fn new(taxonomy: Taxonomy) -> Self {
        Self { taxonomy, exit_code: None, finds_problems: false, green: None, jobs: 0 }
    }

    /// The exit code that all these runs ended with.
    #[must_use]
    pub fn exit_code(self, exit_code: Option<i64>) -> Self {
        Self { exit_code, ..self }
    }

    /// Whether the problems of each failed log are listed too.
    #[must_use]
    pub fn with_problems(self, finds_problems: bool) -> Self {
        Self { finds_problems, ..self }
    }

    /// Lines of runs that worked, which are no evidence.
    #[must_use]
    pub fn since_green(self, green: Option<GreenLines>) -> Self {
        Self { green, ..self }
    }

    /// How many logs are read at once; 0 is one per core.
    #[must_use]
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    /// Reads all logs and hands each answer to `each`, in the order of the logs, until `stop` is set. `progress` takes the
    /// number of bytes on disk that were read meanwhile.
    ///
    /// # Errors
    ///
    /// The first error of `each`, which ends the scan, or why threads could not be started.
    pub fn scan<E: From<io::Error>>(
        &self,
        logs: &[Log],
        stop: &AtomicBool,
        progress: impl Fn(u64) + Sync,
        each: impl FnMut(ScanResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let pool = pool(self.jobs)?;
        let ahead = logs.len() < pool.current_num_threads();
        let progress = &progress;
        std::thread::scope(|scope| {
            let (results, arrivals) = mpsc::channel();
            scope.spawn(move || {
                pool.install(|| {
                    logs.par_iter().enumerate().for_each_with(results, |results, (number, log)| {
                        if let Some(result) = self.read(log, stop, ahead, progress) {
                            // The receiver is gone when `each` failed; then there is nothing to do but end.
                            let _ = results.send((number, result));
                        }
                    });
                });
            });
            in_order(arrivals, each).inspect_err(|_| stop.store(true, Ordering::Relaxed))
        })
    }

    /// Reads one log; `None` when it was interrupted.
    fn read(&self, log: &Log, stop: &AtomicBool, ahead: bool, progress: impl Fn(u64)) -> Option<ScanResult> {
        let mut observer = self.taxonomy.observe();
        let (mut bytes, mut new_lines, mut lines) = (0, 0, LineSplitter::default());
        let mut junit: Option<Vec<u8>> = None;
        let outcome = log.chunks(stop, ahead, |chunk, on_disk| {
            if bytes == 0 && is_junit(chunk) {
                junit = Some(Vec::new());
            }
            if let Some(junit) = junit.as_mut().filter(|junit| junit.len() + chunk.len() <= MAX_JUNIT_BYTES) {
                junit.extend_from_slice(chunk);
            }
            bytes += chunk.len() as u64;
            match &self.green {
                Some(green) => lines.feed(chunk, |line| {
                    new_lines += u64::from(green.blank_known(line));
                    observer.feed(line);
                }),
                None => observer.feed(chunk),
            }
            progress(on_disk);
        });
        if let Some(green) = &self.green {
            lines.finish(|line| {
                new_lines += u64::from(green.blank_known(line));
                observer.feed(line);
            });
        }
        match outcome {
            Ok(ReadOutcome::Done) => {
                let ending = ci::ending(observer.last());
                let exit_code = self.exit_code.or(ending.and_then(|ending| ending.exit_code));
                let known = Known {
                    bytes,
                    ci: ending.map(|ending| ending.system),
                    exit_code,
                    tests: junit.map(|junit| failing_tests(&junit)).unwrap_or_default(),
                    new_lines: self.green.is_some().then_some(new_lines),
                    problems: if self.finds_problems { problems(&observer.ends(), bytes) } else { Vec::new() },
                };
                let diagnosis = observer.finish_failed(&Failure { exit_code, ..Failure::default() });
                Some(Ok(LogReport::new(log.name(), known, diagnosis)))
            }
            Ok(ReadOutcome::Stopped) => None,
            Err(error) => Some(Err(UnreadableLog { file: log.name(), error: error.to_string() })),
        }
    }
}

fn pool(jobs: usize) -> io::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(io::Error::other)
}

/// Hands on what arrives in the order of the logs, whichever was read first; gaps that an interruption left are skipped.
fn in_order<E>(
    arrivals: mpsc::Receiver<(usize, ScanResult)>,
    mut take: impl FnMut(ScanResult) -> Result<(), E>,
) -> Result<(), E> {
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

/// The root cause, then the first others, from the beginning and the end of a log of so many bytes.
fn problems(ends: &[u8], bytes: u64) -> Vec<Problem> {
    let ProblemReport { mut problems, root, .. } =
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

/// Whether a log that begins like this is a JUnit report.
fn is_junit(start: &[u8]) -> bool {
    const FIRST_BYTES: usize = 4096;
    let start = String::from_utf8_lossy(&start[..start.len().min(FIRST_BYTES)]);
    start.trim_start_matches('\u{feff}').trim_start().starts_with('<') && start.contains("<testsuite")
}

fn failing_tests(report: &[u8]) -> Vec<String> {
    let problems = problem_matcher::find(&String::from_utf8_lossy(report)).problems;
    problems.into_iter().filter_map(|problem| problem.test).take(MAX_TESTS).collect()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
