//! What many logs add up to.

use super::{Answer, Unreadable};
use crate::output;
use comfy_table::{CellAlignment, Table, presets};
use recovery_types::{Class, ErrorType, FailureType};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

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
    /// The logs that could not be read.
    pub(super) unreadable: Vec<Unreadable>,
    /// Whether a person ended it before all logs were read.
    pub(super) interrupted: bool,
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
    pub(super) fn new(logs: usize) -> Self {
        let (kinds, unreadable) = (BTreeMap::new(), Vec::new());
        Self { logs, read: 0, bytes: 0, failures: 0, kinds, unreadable, interrupted: false }
    }

    pub(super) fn add(&mut self, answer: &Answer) {
        self.read += 1;
        self.bytes += answer.bytes;
        if let (Some(failure_type), Some(class), Some(error_type)) =
            (answer.failure_type, answer.class, answer.error_type)
        {
            self.failures += 1;
            *self.kinds.entry((failure_type, class, error_type)).or_default() += 1;
        }
    }

    fn sum_by<K: Ord>(&self, key: impl Fn(FailureType, Class) -> K) -> BTreeMap<K, usize> {
        let mut sums = BTreeMap::new();
        for (&(failure_type, class, _), logs) in &self.kinds {
            *sums.entry(key(failure_type, class)).or_default() += logs;
        }
        sums
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

/// The summary for people.
pub(super) fn show(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.failures > 0 {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(["failure type", "class", "error type", "logs"]);
        for row in sorted(&summary.kinds) {
            let class = format!("{:?}", row.class);
            let logs = row.logs.to_string();
            table.add_row([row.failure_type.name(), &class, row.error_type.name(), &logs]);
        }
        if let Some(column) = table.column_mut(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{table}")?;
        let list = |sums: Vec<String>| sums.join(", ");
        let types = summary.sum_by(|failure_type, _| failure_type);
        let types = list(types.into_iter().map(|(t, logs)| format!("{} {logs}", t.name())).collect());
        let classes = summary.sum_by(|_, class| class);
        let classes = list(classes.into_iter().map(|(class, logs)| format!("{class:?} {logs}")).collect());
        writeln!(out, "{} {types}\n{} {classes}", output::faint("by type "), output::faint("by class"))?;
    }
    let clean = summary.read - summary.failures;
    let skipped = match summary.unreadable.len() {
        0 => String::new(),
        skipped => format!(", {} skipped", output::bad(&skipped.to_string())),
    };
    let size = indicatif::BinaryBytes(summary.bytes);
    writeln!(
        out,
        "{} logs read ({size}): {} tell of a failure, {clean} do not{skipped}",
        summary.read,
        output::strong(&summary.failures.to_string()),
    )
}
