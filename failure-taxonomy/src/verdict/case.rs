//! What a verdict is reached from: the indicators that still count, sorted by what they may decide.
//!
//! In: the evidence, perhaps of one part of the output only, and what is known of the run. Out: a `Case` for the steps.
//! Successes clear failures before them, a document's own text is no report, and neither is a list of seven or more error
//! types; an exit code other than 0 lifts the last two, and the first where nothing else explains it. Roles of rows are set
//! in the packs.

use super::tool::{self, ToolKind};
use crate::evidence::{Evidence, Position, RowHit};
use crate::pack::rows::Rows;
use crate::pack::{Indicator, Role, Strength};
use recovery_types::ErrorType;
use std::collections::BTreeSet;
use std::ops::Range;

/// An indicator that counts, with its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign<'t> {
    pub hit: RowHit,
    pub row: Indicator<'t>,
}

/// Everything that the steps look at.
#[derive(Debug)]
pub(super) struct Case<'t> {
    /// What no success cleared.
    pub remaining: Vec<Sign<'t>>,
    /// Of these, the reports: summaries and decisive indicators outside of documents.
    pub strong: Vec<Sign<'t>>,
    /// Decisive indicators that only warnings and notes contain.
    pub asides: Vec<Sign<'t>>,
    pub run: Run<'t>,
}

/// What is known of the run beside its output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'t> {
    /// The exit code, where it is known and not 0.
    pub exit_code: Option<i64>,
    pub tool: Option<&'t str>,
    /// The output of the command that ran last, with the line that names it. Read only where nothing stronger decides.
    pub task_text: &'t [u8],
}

impl<'t> Case<'t> {
    /// `place` limits it to what was found there.
    pub(super) fn new(rows: &'t Rows, evidence: &Evidence, place: Option<&Range<u64>>, run: Run<'t>) -> Self {
        let with_row = |hit: RowHit| {
            let hit = place.map_or(Some(hit), |place| within(hit, place))?;
            Some(Sign { hit, row: rows.get(hit.row)? })
        };
        let found = evidence.found().filter_map(with_row).collect();
        Self::of(found, evidence.asides().filter_map(with_row).collect(), run)
    }

    /// From what was found and from what only asides contain.
    pub(super) fn of(found: Vec<Sign<'t>>, asides: Vec<Sign<'t>>, run: Run<'t>) -> Self {
        let exit_code = run.exit_code;
        let (successes, signs): (Vec<Sign<'_>>, Vec<Sign<'_>>) =
            found.into_iter().partition(|sign| sign.row.strength == Strength::Success);
        let cleared = Cleared::by(&successes, &signs);
        let left: Vec<Sign<'_>> = signs.iter().copied().filter(|sign| cleared.leaves(sign)).collect();
        let is_unspecific =
            |sign: &Sign<'_>| sign.row.strength == Strength::Suggestive && sign.row.error_type == ErrorType::Other;
        // A run that failed although a part of it went well: where nothing after that part explains it, what comes before does.
        let remaining = if exit_code.is_some() && left.iter().all(is_unspecific) { signs } else { left };
        // A document mentions failures that are not its own, unless the program that printed it failed.
        let headings = remaining.iter().filter(|sign| exit_code.is_none() && sign.row.role == Role::Document);
        let document = headings.map(|sign| sign.hit.first).min();
        let is_report = |sign: &Sign<'_>| {
            sign.row.strength < Strength::Suggestive && document.is_none_or(|start| sign.hit.first <= start)
        };
        let mut strong: Vec<Sign<'_>> = remaining.iter().copied().filter(is_report).collect();
        if exit_code.is_none() && is_list_of_errors(&strong) {
            strong.clear();
        }
        let is_decisive = |sign: &Sign<'_>| sign.row.strength == Strength::Decisive && cleared.leaves(sign);
        let asides = asides.into_iter().filter(is_decisive).collect();
        Self { remaining, strong, asides, run }
    }

    /// Whether the exit code shows that it failed.
    pub(super) const fn has_failed(&self) -> bool {
        self.run.exit_code.is_some()
    }

    pub(super) fn tool_kind(&self) -> Option<ToolKind> {
        tool::kind_of(self.run.tool)
    }
}

/// Whether so many error types are named that it is a list of them, such as that of all error codes, and no report.
fn is_list_of_errors(reports: &[Sign<'_>]) -> bool {
    const MIN_ERROR_TYPES: usize = 7;
    reports.iter().map(|sign| sign.row.error_type).collect::<BTreeSet<_>>().len() >= MIN_ERROR_TYPES
}

/// The occurrences of a row at a place, as far as its first and its last one show it.
fn within(hit: RowHit, place: &Range<u64>) -> Option<RowHit> {
    match (place.contains(&hit.first.offset), place.contains(&hit.last.offset)) {
        (true, true) => Some(hit),
        (true, false) => Some(RowHit { last: hit.first, ..hit }),
        (false, true) => Some(RowHit { first: hit.last, ..hit }),
        (false, false) => None,
    }
}

/// What successes clear. A success clears the reports before it, but not the summary of a run that failed: that takes the
/// success of the whole run, or a success of what was run again.
struct Cleared {
    reports: Option<Position>,
    summaries: Option<Position>,
}

impl Cleared {
    fn by(successes: &[Sign<'_>], signs: &[Sign<'_>]) -> Self {
        let last_of = |signs: &[Sign<'_>], role: Option<Role>| {
            signs.iter().filter(|sign| role.is_none_or(|role| sign.row.role == role)).map(|sign| sign.hit.last).max()
        };
        let reports = last_of(successes, None);
        let whole = last_of(successes, Some(Role::WholeRun));
        let rerun = last_of(signs, Some(Role::Rerun)).filter(|at| Some(*at) < reports);
        Self { reports, summaries: whole.max(rerun) }
    }

    fn leaves(&self, sign: &Sign<'_>) -> bool {
        let until = if sign.row.strength == Strength::Summary { self.summaries } else { self.reports };
        until.is_none_or(|place| sign.hit.last > place)
    }
}
