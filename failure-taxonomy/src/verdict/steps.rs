//! The steps of a verdict in order of precedence, and what makes an answer more specific afterwards.
//!
//! Each step looks at the [`Case`] and picks an error type with the row it rests on, or nothing. [`STEPS`] is in the order
//! of [`VerdictStepId`], which the compiler checks.

use super::case::{Case, Sign};
use super::tool::ToolKind;
use super::{exit_code, task};
use crate::pack::{Indicator, Role, Strength};
use recovery_types::{ErrorType, FailureType};

/// A step, by its stable id. Declared in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictStepId {
    /// The machine is used up.
    Resource,
    /// A summary names a cause outside the code.
    SummaryCause,
    /// A summary names a missing dependency.
    SummaryDependency,
    /// The last summary of a test run, type checker or linter.
    CheckSummary,
    /// A cause outside the code.
    OutsideCause,
    /// The first defect that keeps tests from running.
    FirstDefect,
    /// The last summary of a build.
    BuildSummary,
    /// The last failed test.
    LastTest,
    /// The last report.
    LastReport,
    /// A suggestion of a failure that may pass by itself.
    SuggestedTransient,
    /// The exit code.
    ExitCode,
    /// The last suggestion.
    LastSuggestion,
    /// The last suggestion by a tool that runs others.
    EchoedSuggestion,
    /// What only a warning or a note reports.
    Aside,
    /// What the command that failed was for.
    TaskName,
    /// The last suggestion that names no error type.
    UnnamedSuggestion,
}

impl VerdictStepId {
    /// The stable id as answers and commands spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::SummaryCause => "summary-cause",
            Self::SummaryDependency => "summary-dependency",
            Self::CheckSummary => "check-summary",
            Self::OutsideCause => "outside-cause",
            Self::FirstDefect => "first-defect",
            Self::BuildSummary => "build-summary",
            Self::LastTest => "last-test",
            Self::LastReport => "last-report",
            Self::SuggestedTransient => "suggested-transient",
            Self::ExitCode => "exit-code",
            Self::LastSuggestion => "last-suggestion",
            Self::EchoedSuggestion => "echoed-suggestion",
            Self::Aside => "aside",
            Self::TaskName => "task-name",
            Self::UnnamedSuggestion => "unnamed-suggestion",
        }
    }

    /// Every step, highest precedence first.
    pub const ALL: [Self; 16] = {
        let (mut ids, mut at) = ([Self::Resource; 16], 0);
        while at < STEPS.len() {
            ids[at] = STEPS[at].id;
            at += 1;
        }
        ids
    };

    /// Whether it guesses: nothing that was printed names the error type.
    #[must_use]
    pub const fn is_guess(self) -> bool {
        matches!(self, Self::UnnamedSuggestion)
    }

    /// Whether it decides by reports rather than by suggestions.
    #[must_use]
    pub const fn is_report(self) -> bool {
        (self as usize) <= Self::LastReport as usize
    }
}

impl std::fmt::Display for VerdictStepId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a step decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    pub error_type: ErrorType,
    /// The number of the row, where a row decided.
    pub row: Option<usize>,
}

impl Pick {
    const fn of(sign: &Sign<'_>) -> Self {
        Self { error_type: sign.row.error_type, row: Some(sign.hit.row) }
    }
}

/// One row of [`STEPS`].
pub(super) struct Step {
    pub id: VerdictStepId,
    meaning: &'static str,
    /// Whether the step applies at all.
    pub when: fn(&Case<'_>) -> bool,
    picker: Picker,
}

#[derive(Clone, Copy)]
enum Picker {
    /// From reports; the step [`VerdictStepId::Aside`] applies these to asides.
    Reports(fn(&[Sign<'_>]) -> Option<Pick>),
    Case(fn(&Case<'_>) -> Option<Pick>),
}

impl Step {
    /// For [`algorithm`](super::algorithm); `{causes}` and `{defects}` stand for the tables below.
    pub(super) fn meaning(&self) -> String {
        let names = |errors: &[ErrorType]| errors.iter().map(|error| error.name()).collect::<Vec<_>>().join(", ");
        let defects: Vec<ErrorType> = DEFECTS.into_iter().filter(|error| *error != ErrorType::TestFailure).collect();
        self.meaning.replace("{causes}", &names(&CAUSES)).replace("{defects}", &names(&defects))
    }

    pub(super) fn pick(&self, case: &Case<'_>) -> Option<Pick> {
        match self.picker {
            Picker::Reports(pick) => pick(&case.strong),
            Picker::Case(pick) => pick(case),
        }
    }

    const fn reports(id: VerdictStepId, meaning: &'static str, pick: fn(&[Sign<'_>]) -> Option<Pick>) -> Self {
        Self { id, meaning, when: |_| true, picker: Picker::Reports(pick) }
    }

    const fn failed(id: VerdictStepId, meaning: &'static str, pick: fn(&Case<'_>) -> Option<Pick>) -> Self {
        Self { id, meaning, when: |case| case.has_failed(), picker: Picker::Case(pick) }
    }
}

/// All steps, highest precedence first: the first that picks something decides.
#[rustfmt::skip]
pub(super) const STEPS: [Step; 16] = [
    Step::reports(VerdictStepId::Resource, "the machine is used up (disk full, out of memory)", |signs| first_of(&RESOURCES, signs.iter())),
    Step::reports(VerdictStepId::SummaryCause, "the summary of a run names a cause outside the code", |signs| first_of(&CAUSES, summaries(signs))),
    Step::reports(VerdictStepId::SummaryDependency, "the summary of a run names a missing dependency: tests did not load", |signs| first_of(&[ErrorType::MissingDependency], summaries(signs))),
    Step::reports(VerdictStepId::CheckSummary, "the last summary of a test run, type checker or linter (\"1 failed\", \"Found 3 errors\")", check_summary),
    Step::reports(VerdictStepId::OutsideCause, "a cause outside the code, in this order: {causes} (connection_failure unless the other side answered on the same line that it forbids it)", outside_cause),
    Step::reports(VerdictStepId::FirstDefect, "the first report of a defect that keeps tests from running (within one report: {defects})", first_defect),
    Step::reports(VerdictStepId::BuildSummary, "the last summary of a build", |signs| latest(summaries(signs).filter(|sign| sign.row.role != Role::Echo))),
    Step::reports(VerdictStepId::LastTest, "the last failed test", |signs| latest(defects(signs).filter(|sign| sign.row.role != Role::Echo))),
    Step::reports(VerdictStepId::LastReport, "the last report (on one line, a named error before an uncaught exception; a bare count or announcement last)", last_report),
    Step::failed(VerdictStepId::SuggestedTransient, "a suggested network failure or lock", |case| outside_cause(&case.remaining).filter(|pick| pick.error_type.is_transient())),
    Step::failed(VerdictStepId::ExitCode, "the exit code: 124 timeout, 126 permission, 127 command, 137 memory, 132 to 136 and 139 a crash; curl, wget and ssh have codes of their own", |case| exit_code::error_type(case.run.exit_code?, case.run.tool).map(|error_type| Pick { error_type, row: None })),
    Step::failed(VerdictStepId::LastSuggestion, "the last suggestion that names an error type (where the kind of the tool is known, a defect)", |case| latest(suggestions(case).filter(|sign| sign.row.role != Role::Echo))),
    Step::failed(VerdictStepId::EchoedSuggestion, "the last suggestion by a tool that only runs others, like Gradle", |case| latest(suggestions(case))),
    Step::failed(VerdictStepId::Aside, "what only a warning or a note reports, by the steps for reports", aside),
    Step::failed(VerdictStepId::TaskName, "what the command was for that the output names last: a linter, a test run, a build; else, what a list of places in files or a diff at the end shows", task_name),
    Step::failed(VerdictStepId::UnnamedSuggestion, "the last suggestion of any kind", |case| latest(case.remaining.iter())),
];

/// Table order is declaration order, so that comparing ids compares precedence.
const _: () = assert!(in_declaration_order(&STEPS));

const fn in_declaration_order(steps: &[Step]) -> bool {
    let mut at = 0;
    while at < steps.len() {
        if steps[at].id as usize != at {
            return false;
        }
        at += 1;
    }
    true
}

/// Makes an answer more specific.
pub(super) struct Refinement {
    /// For [`algorithm`](super::algorithm).
    pub meaning: &'static str,
    /// The more specific error type, where it applies.
    pub apply: fn(&Case<'_>, VerdictStepId, ErrorType) -> Option<ErrorType>,
}

/// Applied one after the other.
pub(super) const REFINEMENTS: [Refinement; 5] = [
    Refinement {
        meaning: "a missing file or a lost connection beside a command that was not found (or exit code 127) is a missing command;",
        apply: command_to_run,
    },
    Refinement {
        meaning: "an uncaught exception is what its message suggests of the world outside or of data that cannot be parsed;",
        apply: exception_message,
    },
    Refinement { meaning: "a compile error or failed test that a linter reports is a lint error;", apply: of_linter },
    Refinement { meaning: "an exception under a test runner is a failed test;", apply: of_test_runner },
    Refinement {
        meaning: "by the command that the output names last, an error in the form of a compiler's is a linter's, and a type error is one that stops a build.",
        apply: of_task,
    },
];

/// What used up the machine explains whatever else went wrong.
const RESOURCES: [ErrorType; 2] = [ErrorType::DiskFull, ErrorType::OutOfMemory];

/// Causes outside the code, the ones that explain most first.
const CAUSES: [ErrorType; 9] = [
    ErrorType::ContextExhausted,
    ErrorType::QuotaExhausted,
    ErrorType::MissingCredentials,
    ErrorType::RateLimit,
    ErrorType::UntrustedCertificate,
    ErrorType::LockContention,
    ErrorType::ServiceUnavailable,
    ErrorType::NetworkTimeout,
    ErrorType::ConnectionFailure,
];

/// Defects of the code. A failed test explains least: the others keep tests from running.
const DEFECTS: [ErrorType; 5] = [
    ErrorType::MissingDependency,
    ErrorType::TypeError,
    ErrorType::LintError,
    ErrorType::CompileError,
    ErrorType::TestFailure,
];

fn summaries<'s, 't>(signs: &'s [Sign<'t>]) -> impl Iterator<Item = &'s Sign<'t>> {
    signs.iter().filter(|sign| sign.row.strength == Strength::Summary)
}

fn defects<'s, 't>(signs: &'s [Sign<'t>]) -> impl Iterator<Item = &'s Sign<'t>> + Clone {
    signs.iter().filter(|sign| sign.row.strength == Strength::Decisive && DEFECTS.contains(&sign.row.error_type))
}

/// A tool that only announces that the build failed does not explain it, where another indicator does.
fn first_defect(signs: &[Sign<'_>]) -> Option<Pick> {
    let blocking = || defects(signs).filter(|sign| sign.row.error_type != ErrorType::TestFailure);
    let is_only_announced = || signs.iter().all(|sign| sign.row.role == Role::Echo);
    earliest(blocking().filter(|sign| sign.row.role != Role::Echo))
        .or_else(|| earliest(blocking()).filter(|_| is_only_announced()))
}

fn last_report(signs: &[Sign<'_>]) -> Option<Pick> {
    latest(signs.iter().filter(|sign| sign.row.role != Role::Echo)).or_else(|| latest(signs.iter()))
}

fn check_summary(signs: &[Sign<'_>]) -> Option<Pick> {
    latest(summaries(signs)).filter(|pick| pick.error_type.failure_type() == FailureType::VerificationFailed)
}

fn outside_cause(signs: &[Sign<'_>]) -> Option<Pick> {
    // "failed to connect to the database: permission denied": the other side was there, and answered why not.
    let is_answered = |sign: &Sign<'_>| {
        sign.row.error_type == ErrorType::ConnectionFailure
            && signs.iter().any(|other| {
                other.row.error_type == ErrorType::PermissionDenied
                    && other.hit.last.line == sign.hit.last.line
                    && other.hit.last.offset > sign.hit.last.offset
            })
    };
    first_of(&CAUSES, signs.iter().filter(|sign| !is_answered(sign)))
}

/// Suggestions that name an error type. Among what a compiler, a linter or a test runner prints, only one of a defect counts:
/// the others are words of a message.
fn suggestions<'c, 't>(case: &'c Case<'t>) -> impl Iterator<Item = &'c Sign<'t>> {
    let has_kind = case.tool_kind().is_some();
    case.remaining.iter().filter(move |sign| match sign.row.error_type {
        error if has_kind => DEFECTS.contains(&error),
        error => !matches!(error, ErrorType::Other | ErrorType::RuntimeException),
    })
}

fn task_name(case: &Case<'_>) -> Option<Pick> {
    let by_kind = task::kind(case.run.task_text).map(|kind| match kind {
        ToolKind::Lint => ErrorType::LintError,
        ToolKind::Test => ErrorType::TestFailure,
        ToolKind::Build => ErrorType::CompileError,
    });
    by_kind.or_else(|| task::findings(case.run.task_text)).map(|error_type| Pick { error_type, row: None })
}

fn aside(case: &Case<'_>) -> Option<Pick> {
    STEPS.iter().find_map(|step| match step.picker {
        Picker::Reports(pick) => pick(&case.asides),
        Picker::Case(_) => None,
    })
}

/// The first of `order` that any sign has; of several signs, the last one.
fn first_of<'s, 't: 's>(order: &[ErrorType], signs: impl Iterator<Item = &'s Sign<'t>>) -> Option<Pick> {
    let position = |sign: &Sign<'_>| order.iter().position(|known| *known == sign.row.error_type);
    let ranked = signs.filter_map(|sign| Some((position(sign)?, sign)));
    ranked.min_by_key(|(position, sign)| (*position, std::cmp::Reverse(sign.hit.last))).map(|(_, sign)| Pick::of(sign))
}

/// The sign that occurs last; on one line, the most specific one.
fn latest<'s, 't: 's>(signs: impl Iterator<Item = &'s Sign<'t>>) -> Option<Pick> {
    signs.max_by_key(|sign| (sign.hit.last.line, rank(&sign.row), sign.row.error_type)).map(Pick::of)
}

/// The sign that occurs first: what comes after it follows from it. One report may take a few lines; of those, the most
/// specific one.
fn earliest<'s, 't: 's>(signs: impl Iterator<Item = &'s Sign<'t>> + Clone) -> Option<Pick> {
    const REPORT_LINES: u64 = 2;
    let first = signs.clone().map(|sign| sign.hit.first.line).min()?;
    let of_first_report = signs.filter(|sign| sign.hit.first.line < first + REPORT_LINES);
    of_first_report.max_by_key(|sign| (rank(&sign.row), sign.row.error_type)).map(Pick::of)
}

/// How specific a row is, for two on one line.
fn rank(row: &Indicator<'_>) -> usize {
    match row.error_type {
        ErrorType::Other if row.strength == Strength::Suggestive => 0,
        ErrorType::RuntimeException => 1,
        ErrorType::Other => 2,
        error => 3 + DEFECTS.iter().rev().position(|defect| *defect == error).map_or(0, |at| at + 1),
    }
}

fn command_to_run(case: &Case<'_>, step: VerdictStepId, error: ErrorType) -> Option<ErrorType> {
    let is_missing = matches!(error, ErrorType::FileNotFound | ErrorType::ConnectionFailure);
    let was_to_run = case.run.exit_code == Some(127)
        || case.strong.iter().any(|sign| sign.row.error_type == ErrorType::CommandNotFound);
    (step.is_report() && is_missing && was_to_run).then_some(ErrorType::CommandNotFound)
}

fn exception_message(case: &Case<'_>, step: VerdictStepId, error: ErrorType) -> Option<ErrorType> {
    if !step.is_report() || error != ErrorType::RuntimeException || case.tool_kind().is_some() {
        return None;
    }
    let line = case.strong.iter().map(|sign| sign.hit.last.line).max()?;
    let is_specific = |error| {
        CAUSES.contains(&error)
            || matches!(
                error,
                ErrorType::WrongOutputFormat
                    | ErrorType::MissingDependency
                    | ErrorType::OutOfMemory
                    | ErrorType::FileNotFound
                    | ErrorType::PermissionDenied
            )
    };
    let suggested = case.remaining.iter().filter(|sign| {
        let Sign { hit, row } = sign;
        row.strength == Strength::Suggestive && hit.last.line == line && is_specific(row.error_type)
    });
    // "404 Not Found", then the panic of a program that did not expect it.
    let reported = case.strong.iter().filter(|sign| {
        let Sign { hit, row } = sign;
        hit.last.line + 1 == line && is_specific(row.error_type)
    });
    latest(suggested).or_else(|| latest(reported)).map(|pick| pick.error_type)
}

fn of_linter(case: &Case<'_>, _: VerdictStepId, error: ErrorType) -> Option<ErrorType> {
    let is_other_check = matches!(error, ErrorType::CompileError | ErrorType::TestFailure);
    (case.tool_kind() == Some(ToolKind::Lint) && is_other_check).then_some(ErrorType::LintError)
}

fn of_test_runner(case: &Case<'_>, _: VerdictStepId, error: ErrorType) -> Option<ErrorType> {
    let is_thrown = error == ErrorType::RuntimeException;
    (case.tool_kind() == Some(ToolKind::Test) && is_thrown).then_some(ErrorType::TestFailure)
}

fn of_task(case: &Case<'_>, _: VerdictStepId, error: ErrorType) -> Option<ErrorType> {
    // The output is searched for a command only where one could change the answer.
    let (kind, corrected) = match error {
        ErrorType::CompileError => (ToolKind::Lint, ErrorType::LintError),
        ErrorType::TypeError => (ToolKind::Build, ErrorType::CompileError),
        _ => return None,
    };
    (task::kind(case.run.task_text) == Some(kind)).then_some(corrected)
}
