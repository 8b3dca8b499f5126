//! How a verdict is reached when several indicators are present.
//!
#![doc = include_str!("verdict.md")]

use crate::Taxonomy;
use crate::evidence::{Evidence, Found, Place};
use crate::pack::{Indicator, PackName, Strength};
use recovery_types::{ErrorType, FailureType};

/// The algorithm in words, for people who ask why.
pub const ALGORITHM: &str = include_str!("verdict.md");

/// What the text says.
pub(crate) struct Verdict {
    pub failure_type: FailureType,
    pub error_type: ErrorType,
    /// What it was read from.
    pub indicators: Vec<Found>,
}

impl Verdict {
    fn of(error_type: ErrorType, indicators: Vec<Found>) -> Self {
        Self { failure_type: error_type.failure_type(), error_type, indicators }
    }
}

/// Weighs what was found.
pub(crate) fn reach(taxonomy: &Taxonomy, evidence: &Evidence, exit_code: Option<i64>, tool: Option<&str>) -> Verdict {
    match taxonomy.pack() {
        PackName::Documented => documented(taxonomy, evidence),
        PackName::Field => field(taxonomy, evidence, exit_code.filter(|code| *code != 0), tool),
    }
}

/// The document's order: the first failure type that any indicator speaks for. Its error type is that of the indicator
/// which stands first.
fn documented(taxonomy: &Taxonomy, evidence: &Evidence) -> Verdict {
    let indicators: Vec<Found> = evidence.found().collect();
    let winner = indicators
        .iter()
        .filter_map(|found| Some((found, taxonomy.row(found.row)?)))
        .min_by_key(|(found, row)| (row.failure_type, found.first));
    let (failure_type, error_type) =
        winner.map_or((FailureType::Unknown, ErrorType::Other), |(_, row)| (row.failure_type, row.error_type));
    Verdict { failure_type, error_type, indicators }
}

/// An indicator that counts, with its row.
type Sign<'t> = (Found, Indicator<'t>);

fn field(taxonomy: &Taxonomy, evidence: &Evidence, exit_code: Option<i64>, tool: Option<&str>) -> Verdict {
    let rows = |found: Found| Some((found, taxonomy.row(found.row)?));
    let (successes, signs): (Vec<Sign<'_>>, Vec<Sign<'_>>) =
        evidence.found().filter_map(rows).partition(|(_, row)| row.strength == Strength::Success);
    let last_success = successes.iter().map(|(found, _)| found.last).max();
    let standing: Vec<Sign<'_>> = signs.into_iter().filter(|sign| stands(sign, last_success)).collect();

    let strong: Vec<Sign<'_>> =
        standing.iter().copied().filter(|(_, row)| row.strength < Strength::Suggestive).collect();
    let winner = causes(&strong).or_else(|| summaries(&strong)).or_else(|| defects(&strong)).or_else(|| last(&strong));
    if let Some(error_type) = winner {
        return Verdict::of(for_tool(error_type, tool), strong.iter().map(|(found, _)| *found).collect());
    }
    // Only suggestions are left. Without an exit code that says so, they make no failure.
    let Some(exit_code) = exit_code else { return Verdict::of(ErrorType::Other, Vec::new()) };
    let weak: Vec<Sign<'_>> = standing;
    let asides: Vec<Sign<'_>> = evidence
        .asides()
        .filter_map(rows)
        .filter(|(_, row)| row.strength == Strength::Decisive)
        .filter(|sign| stands(sign, last_success))
        .collect();
    let of_exit_code = from_exit_code(exit_code);
    let of_suggestions = last(&weak).filter(|error| *error != ErrorType::Other);
    let of_asides = || causes(&asides).filter(|error| error.is_transient() && !weak.is_empty());
    let of_tool = || (!weak.is_empty()).then(|| by_kind_of_tool(tool)).flatten();
    let error_type = of_exit_code.or(of_suggestions).or_else(of_asides).or_else(of_tool);
    let indicators = weak.iter().map(|(found, _)| *found).collect();
    Verdict::of(for_tool(error_type.unwrap_or(ErrorType::Other), tool), indicators)
}

/// A success clears what stands before it, except the closing word of a run that failed.
fn stands((found, row): &Sign<'_>, last_success: Option<Place>) -> bool {
    row.strength == Strength::Summary || last_success.is_none_or(|success| found.last > success)
}

/// Causes that explain whatever else went wrong, the ones that explain most first.
const CAUSES: [ErrorType; 10] = [
    ErrorType::ContextExhausted,
    ErrorType::QuotaExhausted,
    ErrorType::DiskFull,
    ErrorType::OutOfMemory,
    ErrorType::MissingCredentials,
    ErrorType::RateLimit,
    ErrorType::ServiceUnavailable,
    ErrorType::NetworkTimeout,
    ErrorType::ConnectionFailure,
    ErrorType::LockContention,
];

/// Defects of the code; a missing dependency explains the compile error beside it, and so on.
const DEFECTS: [ErrorType; 5] = [
    ErrorType::MissingDependency,
    ErrorType::CompileError,
    ErrorType::TypeError,
    ErrorType::LintError,
    ErrorType::TestFailure,
];

fn causes(signs: &[Sign<'_>]) -> Option<ErrorType> {
    CAUSES.into_iter().find(|cause| signs.iter().any(|(_, row)| row.error_type == *cause))
}

fn summaries(signs: &[Sign<'_>]) -> Option<ErrorType> {
    latest(signs.iter().filter(|(_, row)| row.strength == Strength::Summary))
}

fn defects(signs: &[Sign<'_>]) -> Option<ErrorType> {
    latest(signs.iter().filter(|(_, row)| DEFECTS.contains(&row.error_type)))
}

fn last(signs: &[Sign<'_>]) -> Option<ErrorType> {
    latest(signs.iter())
}

/// The error type that stands last; on one line, the one that says most.
fn latest<'s, 't: 's>(signs: impl Iterator<Item = &'s Sign<'t>>) -> Option<ErrorType> {
    signs.map(|(found, row)| (found.last.line, rank(row.error_type), row.error_type)).max().map(|(_, _, error)| error)
}

/// How much an error type says, for two on one line.
fn rank(error: ErrorType) -> usize {
    match error {
        ErrorType::Other => 0,
        ErrorType::RuntimeException => 1,
        _ => 2 + DEFECTS.iter().rev().position(|defect| *defect == error).map_or(0, |at| at + 1),
    }
}

/// What the exit code says where the text says little.
fn from_exit_code(code: i64) -> Option<ErrorType> {
    match code {
        124 => Some(ErrorType::NetworkTimeout),
        126 => Some(ErrorType::PermissionDenied),
        127 => Some(ErrorType::CommandNotFound),
        137 | -9 => Some(ErrorType::OutOfMemory),
        132 | 134 | 135 | 136 | 139 | -4 | -6 | -7 | -8 | -11 => Some(ErrorType::RuntimeException),
        _ => None,
    }
}

/// A linter that prints `file:line: error` found no compile error.
fn for_tool(error: ErrorType, tool: Option<&str>) -> ErrorType {
    match (kind_of(tool), error) {
        (Some(Kind::Lint), ErrorType::CompileError) => ErrorType::LintError,
        _ => error,
    }
}

/// What kind of tool ran, as far as its name tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Build,
    Lint,
    Test,
}

fn kind_of(tool: Option<&str>) -> Option<Kind> {
    match tool?.to_ascii_lowercase().as_str() {
        "build" | "make" | "compile" => Some(Kind::Build),
        "lint" | "format" | "clippy" | "eslint" | "ruff" | "pylint" | "flake8" => Some(Kind::Lint),
        "test" | "tests" | "pytest" | "jest" | "vitest" => Some(Kind::Test),
        _ => None,
    }
}

/// A tool whose job is known fails at its job.
fn by_kind_of_tool(tool: Option<&str>) -> Option<ErrorType> {
    match kind_of(tool)? {
        Kind::Build => Some(ErrorType::CompileError),
        Kind::Lint => Some(ErrorType::LintError),
        Kind::Test => Some(ErrorType::TestFailure),
    }
}
