//! How a verdict is reached when several indicators are present.
//!
//! In: the [`Evidence`], the phase that ended the run, the exit code, the tool. Out: the error type, the step that decided,
//! the row it decided by, and how likely the answer is right. What was found in the phase that ended the run is judged
//! first, then everything. Precedence is a table: the first step of [`STEPS`] that picks something decides, then each row of
//! [`REFINEMENTS`](steps::REFINEMENTS) may make the answer more specific. To change which of two error types wins,
//! change the order of a table in [`steps`]; the snapshot of pairwise winners shows what that changes.

mod case;
mod confidence;
mod exit_code;
pub(crate) mod phase;
mod steps;
mod task;
mod tool;

use crate::evidence::{Evidence, RowHit};
use crate::pack::rows::Rows;
use crate::pack::{PackName, Strength};
use case::{Case, Run};
pub use confidence::{Agreement, Support};
use phase::Ending;
use recovery_types::{ErrorType, FailureType, Permille};
use std::fmt::Write as _;
pub use steps::VerdictStepId;
use steps::{Pick, REFINEMENTS, STEPS};

/// The answer of a pack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub failure_type: FailureType,
    pub error_type: ErrorType,
    /// The indicators that it rests on.
    pub indicators: Vec<RowHit>,
    /// The step that decided and what supports it; `None` where nothing was recognised, and in the documented pack.
    pub support: Option<Support>,
    /// The row that the step decided by.
    pub row: Option<usize>,
    /// The estimated probability that the error type is right; `None` in the documented pack.
    pub confidence: Option<Permille>,
}

/// Weighs what was found.
pub(crate) fn reach(
    rows: &Rows,
    evidence: &Evidence,
    ending: &Ending<'_>,
    exit_code: Option<i64>,
    tool: Option<&str>,
) -> Verdict {
    if rows.pack() == PackName::Documented {
        return documented(rows, evidence);
    }
    let succeeded =
        || evidence.found().filter_map(|hit| rows.get(hit.row)).any(|row| row.strength == Strength::Success);
    let complains = || ending.complaint.is_some_and(|start| is_named_complaint(rows, evidence, start));
    let shows_failure = || ending.has_failed || ((ending.is_error || complains()) && !succeeded());
    let nothing = || decide(&Case::of(Vec::new(), Vec::new(), Run { exit_code: None, tool, task_text: b"" }));
    if exit_code.is_none() && ending.has_passed {
        return nothing();
    }
    let exit_code = exit_code.or_else(|| shows_failure().then_some(1)).filter(|code| *code != 0);
    let run = Run { exit_code, tool, task_text: ending.task_text };
    let in_phase = ending.phase.as_ref().map(|phase| decide(&Case::new(rows, evidence, Some(phase), run)));
    // Where the CI system reports that the phase failed, even a hint in it explains more than a report elsewhere.
    let explains = |verdict: &Verdict| {
        let step = verdict.support.map(|support| support.step);
        let is_hint = ending.has_failed && !verdict.indicators.is_empty();
        step.is_some_and(|step| step.is_report() || (is_hint && step != VerdictStepId::UnnamedSuggestion))
    };
    let verdict = in_phase.filter(explains).unwrap_or_else(|| decide(&Case::new(rows, evidence, None, run)));
    // What a log reported before it went on was handled, unless a summary shows that the run failed.
    let is_summary = verdict.row.and_then(|row| rows.get(row)).is_some_and(|row| row.strength == Strength::Summary);
    if exit_code.is_none() && ending.ends_in_information && !is_summary {
        return nothing();
    }
    verdict
}

/// Whether the last lines complain, and a suggestion on them names the error type: neither alone shows a failure.
fn is_named_complaint(rows: &Rows, evidence: &Evidence, start: u64) -> bool {
    let names = |hit: &RowHit| rows.get(hit.row).is_some_and(|row| row.error_type != ErrorType::Other);
    evidence.found().any(|hit| hit.last.offset >= start && names(&hit))
}

/// The document's order: the first failure type that any indicator has. Its error type is that of the indicator that occurs
/// first.
fn documented(rows: &Rows, evidence: &Evidence) -> Verdict {
    let indicators: Vec<RowHit> = evidence.found().collect();
    let winner = indicators
        .iter()
        .filter_map(|hit| Some((hit, rows.get(hit.row)?)))
        .min_by_key(|(hit, row)| (row.failure_type, hit.first));
    let (failure_type, error_type) =
        winner.map_or((FailureType::Unknown, ErrorType::Other), |(_, row)| (row.failure_type, row.error_type));
    Verdict { failure_type, error_type, indicators, support: None, row: None, confidence: None }
}

/// The first step that picks something decides.
fn decide(case: &Case<'_>) -> Verdict {
    let picked = STEPS.iter().find_map(|step| Some((step, (step.when)(case).then(|| step.pick(case))??)));
    let Some((step, Pick { error_type, row })) = picked else {
        let indicators =
            if case.has_failed() { case.remaining.iter().map(|sign| sign.hit).collect() } else { Vec::new() };
        return Verdict {
            failure_type: ErrorType::Other.failure_type(),
            error_type: ErrorType::Other,
            indicators,
            support: None,
            row: None,
            confidence: Some(confidence::NOTHING_RECOGNISED),
        };
    };
    let refine = |error_type, refinement: &steps::Refinement| (refinement.apply)(case, step.id, error_type);
    let refined = REFINEMENTS.iter().fold(error_type, |error, refinement| refine(error, refinement).unwrap_or(error));
    let signs = if step.id.is_report() { &case.strong } else { &case.remaining };
    let support = Support::of(step.id, error_type, refined, row, signs);
    Verdict {
        failure_type: refined.failure_type(),
        error_type: refined,
        indicators: signs.iter().map(|sign| sign.hit).collect(),
        support: Some(support),
        row,
        confidence: Some(support.confidence()),
    }
}

/// How the field pack decides, in words; the steps come from the table.
///
/// ```
/// assert!(failure_taxonomy::algorithm().contains("`resource`"));
/// ```
#[must_use]
pub fn algorithm() -> String {
    let (mut steps, mut refinements) = (String::new(), String::new());
    for (number, step) in (1..).zip(&STEPS) {
        let _ = writeln!(steps, "   {number}. `{}`: {}", step.id, step.meaning());
    }
    for refinement in &REFINEMENTS {
        let _ = writeln!(refinements, "   - {}", refinement.meaning);
    }
    include_str!("verdict.md").replace("{steps}\n", &steps).replace("{refinements}\n", &refinements)
}
