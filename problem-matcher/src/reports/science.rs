//! R and Julia: testthat (2 and 3), the `Test` standard library of Julia, and errors of loaded Julia files.
//!
//! ```text
//! ── Failure (test-area.R:6:3): area is positive ──      testthat 3; before: ── 1. Failure: name (@test-area.R#6) ──
//! sums: Test Failed at /p/runtests.jl:5                  then `Expression: f(x) == 7`, `Evaluated: 6 == 7`
//! ```
//!
//! Both print the place in the heading, so no stack trace is parsed. Of Julia's `LoadError` chain the innermost message is
//! taken, and the place is that of `in expression starting at`. testthat's list at the end repeats the headings without a
//! rule and is skipped.

use crate::block::{below, block_lines, error, failed_test, set_place};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place, leading_number};
use recovery_types::Problem;

pub(crate) const TESTTHAT: Report = Report { id: "testthat", literals: &["Failure", "Error"], find: testthat };
pub(crate) const JULIA_TEST: Report =
    Report { id: "julia-test", literals: &["Test Failed at ", "Error During Test at "], find: julia_test };
pub(crate) const JULIA: Report = Report { id: "julia", literals: &["ERROR: LoadError: "], find: julia };

/// `── Failure (test-area.R:6:3): name ──`, before testthat 3 `── 1. Failure: name (@test-area.R#6) ──`; then the message.
fn testthat(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let is_rule = |c: char| matches!(c, '─' | '-' | ' ');
    let text = cursor.text();
    let head = text.trim_matches(is_rule);
    let numbered = head.trim_start_matches(|c: char| c.is_ascii_digit());
    let (head, is_numbered) =
        numbered.strip_prefix(". ").filter(|_| numbered.len() < head.len()).map_or((head, false), |rest| (rest, true));
    let rest = head.strip_prefix("Failure").or_else(|| head.strip_prefix("Error"))?.trim_start();
    let (name, place) = if let Some(rest) = rest.strip_prefix('(') {
        let (place, name) = rest.split_once("): ")?;
        (name, place::first(place.trim_matches('\''))?)
    } else {
        let (name, place) = rest.strip_prefix(": ")?.rsplit_once(" (@")?;
        let (file, line) = place.trim_end_matches(')').split_once('#')?;
        (name, Place { file, line: leading_number(line), column: None })
    };
    // The list at the end repeats the headings without a rule.
    if !(text.trim_start().starts_with(['─', '-']) || is_numbered && text.trim_end().ends_with(['─', '-'])) {
        return None;
    }
    let block = below(cursor, 40, |text| text.trim().is_empty() || text.trim_start().starts_with(['─', '═']));
    let mut problem = failed_test("testthat", name, &block, 3);
    set_place(&mut problem, place);
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `sums: Test Failed at /p/runtests.jl:5`, `  Expression: f(x) == 7`, `   Evaluated: 6 == 7`.
fn julia_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let (head, rest) = text.split_once("Test Failed at ").or_else(|| text.split_once("Error During Test at "))?;
    let place = place::first(rest)?;
    let block = below(cursor, 12, |text| {
        let text = text.trim();
        text.is_empty()
            || text.starts_with("Stacktrace")
            || text.contains("Test Failed at ")
            || text.starts_with("Test Summary")
    });
    let is_error = text.contains("Error During");
    let said: Vec<_> = block.iter().filter(|(_, text)| !is_error || !text.starts_with("Test threw")).copied().collect();
    let mut problem = failed_test("julia", head.trim_end_matches([' ', ':']), &said, 3);
    set_place(&mut problem, place);
    problem.text_line = cursor.number(said.first()?.0);
    if let Some((actual, expected)) =
        block.iter().find_map(|(_, text)| text.strip_prefix("Evaluated: ")?.split_once(" == "))
    {
        problem.actual = Some(actual.to_owned());
        problem.expected = Some(expected.to_owned());
    }
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `ERROR: LoadError: UndefVarError: f not defined`, frames, `in expression starting at /p/a.jl:3`.
fn julia(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let mut message = cursor.text().trim().strip_prefix("ERROR: ")?;
    while let Some(rest) = message.strip_prefix("LoadError: ") {
        message = rest;
    }
    let is_summary = message.starts_with("Some tests did not pass");
    let start = cursor.following().take(60).find_map(|(_, text)| {
        let rest = text.trim().strip_prefix("in expression starting at ")?;
        place::first(rest)
    });
    let problem = error("julia", message, start);
    Some((problem, if is_summary { Kind::Consequence } else { Kind::Exception }, 1))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As the manual of Julia's Test prints them: Julia is not installed where these tests were written.
    #[test]
    fn julia_names_the_test_and_the_values() {
        let text = "sums: Test Failed at /home/ci/test/runtests.jl:5\n  Expression: total([1, 2, 3]) == 7\n   Evaluated: 6 == 7\n\
                    Stacktrace:\n [1] top-level scope at /home/ci/test/runtests.jl:5\nTest Summary: | Pass  Fail  Total\n\
                    ERROR: LoadError: Some tests did not pass: 1 passed, 1 failed, 0 errored, 0 broken.\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.test.as_deref(), root.line), (Some("sums"), Some(5)));
        assert_eq!((root.expected.as_deref(), root.actual.as_deref()), (Some("7"), Some("6")));
    }

    #[test]
    fn testthat_before_version_3() {
        let text = "-- 1. Failure: area of a rectangle (@test-area.R#6)  ------------\narea(2, 3) not equal to 7.\n1/1 mismatches\n\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.file.as_deref(), root.line), (Some("test-area.R"), Some(6)));
        assert_eq!(root.test.as_deref(), Some("area of a rectangle"));
    }
}
