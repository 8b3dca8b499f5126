//! What many logs add up to.

use super::{Answer, Unreadable};
use crate::answer::{counted, phrase};
use crate::output;
use recovery_types::{Class, ErrorType, FailureType};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// How many failing logs are listed by name.
const MOST_LOGS: usize = 50;

/// The answer of `scan --format json`.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Summary {
    /// How many logs there are.
    pub(super) logs: usize,
    /// How many were read.
    pub(super) read: usize,
    /// How much text that was, unpacked.
    bytes: u64,
    /// How many tell of a failure.
    failures: usize,
    /// How many failures of each kind, in the order of the failure types, then the most frequent first.
    #[serde(serialize_with = "rows")]
    #[schemars(with = "Vec<Row>")]
    kinds: BTreeMap<(FailureType, Class, ErrorType), usize>,
    /// The logs that fail, in order.
    #[serde(skip)]
    failing: Vec<(String, ErrorType)>,
    /// The logs that could not be read.
    pub(super) unreadable: Vec<Unreadable>,
    /// Whether a person ended it before all logs were read.
    pub(super) interrupted: bool,
    /// How many different lines the baseline has; null without one.
    baseline_lines: Option<usize>,
}

/// How many logs fail in one way.
#[derive(Serialize, schemars::JsonSchema)]
struct Row {
    failure_type: FailureType,
    class: Class,
    error_type: ErrorType,
    logs: usize,
}

impl Summary {
    pub(super) fn new(logs: usize, baseline_lines: Option<usize>) -> Self {
        let (kinds, failing, unreadable) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { logs, read: 0, bytes: 0, failures: 0, kinds, failing, unreadable, interrupted: false, baseline_lines }
    }

    pub(super) fn add(&mut self, answer: &Answer) {
        self.read += 1;
        self.bytes += answer.bytes;
        if let (Some(failure_type), Some(class), Some(error_type)) =
            (answer.failure_type, answer.class, answer.error_type)
        {
            self.failures += 1;
            if self.failing.len() < MOST_LOGS {
                self.failing.push((label(answer), error_type));
            }
            *self.kinds.entry((failure_type, class, error_type)).or_default() += 1;
        }
    }
}

/// The log's name, with the failing tests where it is a report of tests.
fn label(answer: &Answer) -> String {
    match answer.tests.as_slice() {
        [] => answer.file.clone(),
        [test] => format!("{}: {test}", answer.file),
        [test, more @ ..] => format!("{}: {test} and {} more", answer.file, more.len()),
    }
}

fn sorted(kinds: &BTreeMap<(FailureType, Class, ErrorType), usize>) -> Vec<Row> {
    let row = |(&(failure_type, class, error_type), &logs)| Row { failure_type, class, error_type, logs };
    let mut rows: Vec<Row> = kinds.iter().map(row).collect();
    rows.sort_by_key(|row| (row.failure_type, std::cmp::Reverse(row.logs)));
    rows
}

fn rows<S: serde::Serializer>(
    kinds: &BTreeMap<(FailureType, Class, ErrorType), usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sorted(kinds))
}

/// The summary for people: the failing logs by their names, then what they add up to.
pub(super) fn show(out: &mut impl Write, summary: &Summary, verbose: bool) -> std::io::Result<()> {
    if summary.failures > 0 {
        let failing = summary.failing.iter().take(MOST_LOGS);
        let rows = failing.map(|(file, error)| vec![phrase(*error).to_owned(), output::printable(file).into_owned()]);
        write!(out, "{}", output::table(&["FAILURE", "LOG"], rows.collect()))?;
        if let Some(more) = summary.failures.checked_sub(MOST_LOGS).filter(|more| *more > 0) {
            writeln!(out, "and {more} more; `--ndjson` lists all")?;
        }
        writeln!(out)?;
        let row = |row: Row| {
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
        write!(out, "{}", output::table(&headers, sorted(&summary.kinds).into_iter().map(row).collect()))?;
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
