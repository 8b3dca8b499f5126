//! The answer about one log, and what many answers add up to.

use crate::ci::CiSystem;
use recovery_types::{Class, Diagnosis, ErrorType, FailureType, IndicatorHit, Problem};
use serde::Serialize;
use std::collections::BTreeMap;

/// What one log says; a line of `scan --ndjson`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct LogReport {
    /// The log.
    pub file: String,
    /// Its size, unpacked.
    pub bytes: u64,
    /// The CI system that says how the job ended; null where none does.
    pub ci: Option<CiSystem>,
    /// The exit code, given or as the CI system says it; null where nobody says.
    pub exit_code: Option<i64>,
    /// Whether it tells of a failure.
    pub failure: bool,
    /// What kind; null without a failure, as is all that follows.
    pub failure_type: Option<FailureType>,
    /// How far a first failure of this kind reaches.
    pub class: Option<Class>,
    /// What went wrong.
    pub error_type: Option<ErrorType>,
    /// What it was read from.
    pub indicators: Vec<IndicatorHit>,
    /// The same for failures that differ only in times, addresses and the like.
    pub fingerprint: Option<String>,
    /// The failing tests of a JUnit report, by name, up to 100.
    pub tests: Vec<String>,
    /// How many lines the baseline does not have; null without a baseline.
    pub new_lines: Option<u64>,
    /// With `--problems`: the root cause of a failure, then up to 20 others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub problems: Vec<Problem>,
}

/// What is known of a log besides its text.
pub(crate) struct Known {
    pub(crate) bytes: u64,
    pub(crate) ci: Option<CiSystem>,
    pub(crate) exit_code: Option<i64>,
    pub(crate) tests: Vec<String>,
    pub(crate) new_lines: Option<u64>,
    pub(crate) problems: Vec<Problem>,
}

impl LogReport {
    /// `diagnosis` is that of a failure, and `None` where none shows.
    pub(crate) fn new(file: String, known: Known, diagnosis: Option<Diagnosis>) -> Self {
        let Known { bytes, ci, exit_code, tests, new_lines, problems } = known;
        Self {
            file,
            bytes,
            ci,
            exit_code,
            failure: diagnosis.is_some(),
            failure_type: diagnosis.as_ref().map(|diagnosis| diagnosis.failure_type),
            class: diagnosis.as_ref().map(|diagnosis| classifier_core::first_class(diagnosis.error_type)),
            error_type: diagnosis.as_ref().map(|diagnosis| diagnosis.error_type),
            fingerprint: diagnosis.as_ref().map(|diagnosis| diagnosis.fingerprint.clone()),
            tests,
            new_lines,
            problems: if diagnosis.is_some() { problems } else { Vec::new() },
            indicators: diagnosis.map(|diagnosis| diagnosis.indicators).unwrap_or_default(),
        }
    }

    /// The log's name, with the failing tests where it is a report of tests.
    fn label(&self) -> String {
        match self.tests.as_slice() {
            [] => self.file.clone(),
            [test] => format!("{}: {test}", self.file),
            [test, more @ ..] => format!("{}: {test} and {} more", self.file, more.len()),
        }
    }
}

/// A log that could not be read; a line of `scan --ndjson`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct UnreadableLog {
    /// The log.
    pub file: String,
    /// Why.
    pub error: String,
}

/// The answer of `scan --format json`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct ScanSummary {
    /// How many logs there are.
    pub logs: usize,
    /// How many were read.
    pub read: usize,
    /// How much text that was, unpacked.
    pub bytes: u64,
    /// How many tell of a failure.
    pub failures: usize,
    /// How many failures of each kind, in the order of the failure types, then the most frequent first.
    #[serde(serialize_with = "kinds")]
    #[schemars(with = "Vec<LogKind>")]
    kinds: BTreeMap<(FailureType, Class, ErrorType), usize>,
    /// The first [`MAX_FAILING`](Self::MAX_FAILING) logs that fail, in order, with the failing tests of a report.
    #[serde(skip)]
    pub failing: Vec<(String, ErrorType)>,
    /// The logs that could not be read.
    pub unreadable: Vec<UnreadableLog>,
    /// Whether a person ended it before all logs were read.
    pub interrupted: bool,
    /// How many different lines the baseline has; null without one.
    pub baseline_lines: Option<usize>,
}

/// How many logs fail in one way.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct LogKind {
    /// The failure type.
    pub failure_type: FailureType,
    /// The class of a first failure.
    pub class: Class,
    /// The error type.
    pub error_type: ErrorType,
    /// How many.
    pub logs: usize,
}

impl ScanSummary {
    /// How many failing logs are kept by name.
    pub const MAX_FAILING: usize = 50;

    /// Of so many logs, none of them read yet.
    #[must_use]
    pub fn new(logs: usize, baseline_lines: Option<usize>) -> Self {
        let (kinds, failing, unreadable) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { logs, read: 0, bytes: 0, failures: 0, kinds, failing, unreadable, interrupted: false, baseline_lines }
    }

    /// Counts one log.
    pub fn add(&mut self, log: &LogReport) {
        self.read += 1;
        self.bytes += log.bytes;
        if let (Some(failure_type), Some(class), Some(error_type)) = (log.failure_type, log.class, log.error_type) {
            self.failures += 1;
            if self.failing.len() < Self::MAX_FAILING {
                self.failing.push((log.label(), error_type));
            }
            *self.kinds.entry((failure_type, class, error_type)).or_default() += 1;
        }
    }

    /// How many failures of each kind, in the order of the failure types, then the most frequent first.
    #[must_use]
    pub fn kinds(&self) -> Vec<LogKind> {
        sorted(&self.kinds)
    }
}

fn sorted(kinds: &BTreeMap<(FailureType, Class, ErrorType), usize>) -> Vec<LogKind> {
    let row = |(&(failure_type, class, error_type), &logs)| LogKind { failure_type, class, error_type, logs };
    let mut rows: Vec<LogKind> = kinds.iter().map(row).collect();
    rows.sort_by_key(|row| (row.failure_type, std::cmp::Reverse(row.logs)));
    rows
}

fn kinds<S: serde::Serializer>(
    kinds: &BTreeMap<(FailureType, Class, ErrorType), usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sorted(kinds))
}
