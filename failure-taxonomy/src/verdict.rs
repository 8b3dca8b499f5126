//! How a verdict is reached when several indicators are present; the steps are those of [`ALGORITHM`].

use crate::evidence::{Evidence, Place, RowHit};
use crate::pack::rows::Rows;
use crate::pack::{Indicator, PackName, Strength};
use recovery_types::{ErrorType, FailureType};

/// The algorithm in words, for people who ask why.
pub const ALGORITHM: &str = include_str!("verdict.md");

/// What the text says.
pub(crate) struct Verdict {
    pub failure_type: FailureType,
    pub error_type: ErrorType,
    /// What it was read from.
    pub indicators: Vec<RowHit>,
}

impl Verdict {
    fn of(error_type: ErrorType, indicators: Vec<RowHit>) -> Self {
        Self { failure_type: error_type.failure_type(), error_type, indicators }
    }
}

/// Weighs what was found.
pub(crate) fn reach(rows: &Rows, evidence: &Evidence, exit_code: Option<i64>, tool: Option<&str>) -> Verdict {
    match rows.pack() {
        PackName::Documented => documented(rows, evidence),
        PackName::Field => field(rows, evidence, exit_code.filter(|code| *code != 0), tool),
    }
}

/// The document's order: the first failure type that any indicator speaks for. Its error type is that of the indicator
/// which stands first.
fn documented(rows: &Rows, evidence: &Evidence) -> Verdict {
    let indicators: Vec<RowHit> = evidence.found().collect();
    let winner = indicators
        .iter()
        .filter_map(|found| Some((found, rows.get(found.row)?)))
        .min_by_key(|(found, row)| (row.failure_type, found.first));
    let (failure_type, error_type) =
        winner.map_or((FailureType::Unknown, ErrorType::Other), |(_, row)| (row.failure_type, row.error_type));
    Verdict { failure_type, error_type, indicators }
}

/// An indicator that counts, with its row.
type Sign<'t> = (RowHit, Indicator<'t>);

fn field(rows: &Rows, evidence: &Evidence, exit_code: Option<i64>, tool: Option<&str>) -> Verdict {
    let with_row = |found: RowHit| Some((found, rows.get(found.row)?));
    let (successes, signs): (Vec<Sign<'_>>, Vec<Sign<'_>>) =
        evidence.found().filter_map(with_row).partition(|(_, row)| row.strength == Strength::Success);
    let cleared = Cleared::by(&successes, &signs);
    let left: Vec<Sign<'_>> = signs.iter().copied().filter(|sign| cleared.leaves(sign)).collect();
    // A run that ended badly although a part of it went well: where nothing after that part says why, what stands before
    // it does.
    let silent = left.iter().all(|(_, row)| row.strength == Strength::Suggestive && row.error_type == ErrorType::Other);
    let standing = if silent && exit_code.is_some() { signs } else { left };

    // A document speaks of failures that are none of its own, unless the program that printed it ended badly.
    let opens = standing.iter().filter(|(_, row)| exit_code.is_none() && row.tool == Some("document"));
    let document = opens.map(|(found, _)| found.first).min();
    let told = |found: &RowHit| document.is_some_and(|place| found.first > place);
    let is_strong = |(found, row): &Sign<'_>| row.strength < Strength::Suggestive && !told(found);
    let strong: Vec<Sign<'_>> = standing.iter().copied().filter(is_strong).collect();
    if let Some(error_type) = explain(&strong) {
        // What cannot be found to run is a command, and what was not run answers nobody.
        let to_run =
            exit_code == Some(127) || strong.iter().any(|(_, row)| row.error_type == ErrorType::CommandNotFound);
        let missing = matches!(error_type, ErrorType::FileNotFound | ErrorType::ConnectionFailure) && to_run;
        let error_type = if missing { ErrorType::CommandNotFound } else { error_type };
        let bare = error_type == ErrorType::RuntimeException && kind_of(tool).is_none();
        let error_type = of_message(&strong, &standing).filter(|_| bare).unwrap_or(error_type);
        return Verdict::of(for_tool(error_type, tool), strong.iter().map(|(found, _)| *found).collect());
    }
    // Only suggestions are left. Without an exit code that says so, they make no failure.
    let Some(exit_code) = exit_code else { return Verdict::of(ErrorType::Other, Vec::new()) };
    let asides: Vec<Sign<'_>> = evidence
        .asides()
        .filter_map(with_row)
        .filter(|sign| sign.1.strength == Strength::Decisive && cleared.leaves(sign))
        .collect();
    // Among what a compiler, a linter or a test runner says, a suggestion counts where it speaks of the code: the rest are
    // words of a message.
    let says = |error: ErrorType| match kind_of(tool) {
        Some(_) => DEFECTS.contains(&error),
        None => !matches!(error, ErrorType::Other | ErrorType::RuntimeException),
    };
    let suggestions = || standing.iter().filter(|(_, row)| says(row.error_type));
    let of_suggestions = || latest(suggestions().filter(|(_, row)| !is_echo(row))).or_else(|| latest(suggestions()));
    let of_lock = || causes(&standing).filter(|error| error.is_transient());
    let of_asides = || explain(&asides);
    // A tool whose job is known says by its exit code alone that it failed at it.
    let of_tool = || by_kind_of_tool(tool);
    let error_type = of_lock()
        .or_else(|| from_exit_code(exit_code, tool))
        .or_else(of_suggestions)
        .or_else(of_asides)
        .or_else(of_tool)
        .or_else(|| latest(standing.iter()));
    let indicators = standing.iter().map(|(found, _)| *found).collect();
    Verdict::of(for_tool(error_type.unwrap_or(ErrorType::Other), tool), indicators)
}

/// What the line of an exception suggests: the message says more than the class, where it speaks of the world outside or of
/// data that does not read.
fn of_message(strong: &[Sign<'_>], standing: &[Sign<'_>]) -> Option<ErrorType> {
    let line = strong.iter().map(|(found, _)| found.last.line).max()?;
    let speaks = |error| CAUSES.contains(&error) || error == ErrorType::WrongOutputFormat;
    let suggested = |(found, row): &&Sign<'_>| {
        let named = row.strength == Strength::Suggestive && row.error_type != ErrorType::Other;
        found.last.line == line && named && speaks(row.error_type)
    };
    latest(standing.iter().filter(suggested))
}

/// What runs other tools says that one of them failed, and not how.
fn is_echo(row: &Indicator<'_>) -> bool {
    const RUNNERS: [&str; 6] = ["ant", "bazel", "gradle", "maven", "msbuild", "ninja"];
    row.error_type == ErrorType::CompileError && row.tool.is_some_and(|tool| RUNNERS.contains(&tool))
}

/// The closing words of whole runs that went well: they speak for every part before them.
const WHOLE_RUNS: [&str; 6] =
    ["ctest.ok", "gitlab.succeeded", "jenkins.success", "maven.success", "outcome.build-successful", "travis.exited-0"];

/// What successes clear. A success clears the reports before it, but not the closing word of a run that failed: that
/// takes the closing word of the whole, or a success of what was run again.
struct Cleared {
    reports: Option<Place>,
    summaries: Option<Place>,
}

impl Cleared {
    fn by(successes: &[Sign<'_>], signs: &[Sign<'_>]) -> Self {
        let last = |signs: &mut dyn Iterator<Item = &Sign<'_>>| signs.map(|(found, _)| found.last).max();
        let reports = last(&mut successes.iter());
        let whole = last(&mut successes.iter().filter(|(_, row)| WHOLE_RUNS.contains(&row.id)));
        let again =
            last(&mut signs.iter().filter(|(_, row)| row.tool == Some("retry"))).filter(|at| Some(*at) < reports);
        Self { reports, summaries: whole.max(again) }
    }

    fn leaves(&self, (found, row): &Sign<'_>) -> bool {
        let until = if row.strength == Strength::Summary { self.summaries } else { self.reports };
        until.is_none_or(|place| found.last > place)
    }
}

/// What used up the machine explains whatever else went wrong.
const RESOURCES: [ErrorType; 2] = [ErrorType::DiskFull, ErrorType::OutOfMemory];

/// Causes outside the code, the ones that explain most first. `Other` stands for a certificate that is not trusted.
const CAUSES: [ErrorType; 9] = [
    ErrorType::ContextExhausted,
    ErrorType::QuotaExhausted,
    ErrorType::MissingCredentials,
    ErrorType::RateLimit,
    ErrorType::Other,
    ErrorType::LockContention,
    ErrorType::ServiceUnavailable,
    ErrorType::NetworkTimeout,
    ErrorType::ConnectionFailure,
];

/// Defects of the code. A test that fails says least: the others keep tests from running.
const DEFECTS: [ErrorType; 5] = [
    ErrorType::MissingDependency,
    ErrorType::TypeError,
    ErrorType::LintError,
    ErrorType::CompileError,
    ErrorType::TestFailure,
];

/// The error type that explains the signs, none of them merely suggestive.
fn explain(signs: &[Sign<'_>]) -> Option<ErrorType> {
    let resource = first_of(&RESOURCES, signs.iter());
    let summaries = || signs.iter().filter(|(_, row)| row.strength == Strength::Summary);
    let checked = || latest(summaries()).filter(|e| e.failure_type() == FailureType::VerificationFailed);
    let defects =
        || signs.iter().filter(|(_, row)| row.strength == Strength::Decisive && DEFECTS.contains(&row.error_type));
    let untested = || defects().filter(|(_, row)| row.error_type != ErrorType::TestFailure);
    resource
        .or_else(|| first_of(&CAUSES, summaries()))
        .or_else(|| first_of(&[ErrorType::MissingDependency], summaries()))
        .or_else(checked)
        .or_else(|| causes(signs))
        .or_else(|| earliest(untested()))
        .or_else(|| latest(summaries()))
        .or_else(|| latest(defects()))
        .or_else(|| latest(signs.iter()))
}

fn causes(signs: &[Sign<'_>]) -> Option<ErrorType> {
    let is_cause = |sign: &Sign<'_>| sign.1.error_type != ErrorType::Other || sign.1.tool == Some("tls");
    // "failed to connect to the database: permission denied": the other side was there, and said why not.
    let answered = |(found, row): &Sign<'_>| {
        row.error_type == ErrorType::ConnectionFailure
            && signs.iter().any(|(other, answer)| {
                answer.error_type == ErrorType::PermissionDenied
                    && other.last.line == found.last.line
                    && other.last.offset > found.last.offset
            })
    };
    first_of(&CAUSES, signs.iter().filter(|sign| is_cause(sign) && !answered(sign)))
}

/// The first of `order` that any sign speaks for.
fn first_of<'s, 't: 's>(order: &[ErrorType], signs: impl Iterator<Item = &'s Sign<'t>>) -> Option<ErrorType> {
    let place = |error| order.iter().position(|known| *known == error);
    signs.filter_map(|(_, row)| place(row.error_type)).min().map(|at| order[at])
}

/// The error type that stands last; on one line, the one that says most.
fn latest<'s, 't: 's>(signs: impl Iterator<Item = &'s Sign<'t>>) -> Option<ErrorType> {
    signs.map(|(found, row)| (found.last.line, rank(row), row.error_type)).max().map(|(_, _, error)| error)
}

/// The error type that stands first: what comes after it follows from it. One report may take a few lines; of those, the
/// one that says most.
fn earliest<'s, 't: 's>(signs: impl Iterator<Item = &'s Sign<'t>> + Clone) -> Option<ErrorType> {
    const REPORT_LINES: u64 = 2;
    let first = signs.clone().map(|(found, _)| found.first.line).min()?;
    let of_first_report = signs.filter(|(found, _)| found.first.line < first + REPORT_LINES);
    of_first_report.map(|(_, row)| (rank(row), row.error_type)).max().map(|(_, error)| error)
}

/// How much a row says, for two on one line.
fn rank(row: &Indicator<'_>) -> usize {
    match row.error_type {
        ErrorType::Other if row.strength == Strength::Suggestive => 0,
        ErrorType::RuntimeException => 1,
        ErrorType::Other => 2,
        error => 3 + DEFECTS.iter().rev().position(|defect| *defect == error).map_or(0, |at| at + 1),
    }
}

/// What the exit code says where the text says little.
fn from_exit_code(code: i64, tool: Option<&str>) -> Option<ErrorType> {
    match (tool, code) {
        (Some("curl"), 5 | 6 | 7 | 18 | 35 | 52 | 55 | 56 | 92) => Some(ErrorType::ConnectionFailure),
        (Some("curl"), 28) => Some(ErrorType::NetworkTimeout),
        (Some("curl"), 1..=3) => Some(ErrorType::InvalidArgument),
        (Some("wget"), 4) | (Some("ssh" | "scp" | "rsync"), 255) => Some(ErrorType::ConnectionFailure),
        (Some("wget"), 6) => Some(ErrorType::MissingCredentials),
        (_, 124) => Some(ErrorType::NetworkTimeout),
        (_, 126) => Some(ErrorType::PermissionDenied),
        (_, 127) => Some(ErrorType::CommandNotFound),
        (_, 137 | -9) => Some(ErrorType::OutOfMemory),
        (_, 132 | 134 | 135 | 136 | 139 | -4 | -6 | -7 | -8 | -11) => Some(ErrorType::RuntimeException),
        _ => None,
    }
}

/// A linter that prints `file:line: error` found no compile error and ran no test, and what a test throws fails the test.
fn for_tool(error: ErrorType, tool: Option<&str>) -> ErrorType {
    match (kind_of(tool), error) {
        (Some(Kind::Lint), ErrorType::CompileError | ErrorType::TestFailure) => ErrorType::LintError,
        (Some(Kind::Test), ErrorType::RuntimeException) => ErrorType::TestFailure,
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
