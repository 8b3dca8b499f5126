//! Tool output in, structured problems out: what failed, where, in the tool's own words.
//!
//! [`find`] takes any text that tools printed, a whole CI log or the last lines of a command, recognises the formats in it by
//! itself, and determines which problem is the root cause. No clock, no files, no processes; linear in the length of the text.
//!
//! - `lines`: the text as matchers see it, and the cursor that they look through; `escapes` takes the colours off, `prefixes` what
//!   CI systems put before a line.
//! - `literals`: finds the texts by which matchers are chosen.
//! - [`matcher`]: the table of matchers and the loop that applies them.
//! - [`formats`]: formats of one or a few lines, as data, and the user's own.
//! - `reports`: reports with structure, one file each.
//! - `baseline`: which lines a successful run printed as well.
//! - [`facts`]: how long to wait, until when and what is missing, from a text as a whole.
//! - [`export`]: problems as GitHub annotations, SARIF, rdjson and JUnit XML.
//! - `events`: the output inside `go test -json`.
//! - `frames`: project code or library code.
//! - `generic`: what a text states in which no known format was found; `telling` chooses its most informative line.
//! - `phases`: which lines of a CI log belong to the command that ended the run.
//! - [`root`]: which problem is the root cause, as a table of preferences.

mod baseline;
mod block;
mod escapes;
mod events;
pub mod export;
pub mod facts;
pub mod formats;
mod frames;
mod generic;
mod lines;
mod literals;
pub mod matcher;
mod merge;
mod phases;
mod place;
mod prefixes;
mod reports;
pub mod root;
mod telling;

pub use baseline::Baseline;
pub use formats::{Definition, MatcherError, UserMatchers, definitions_from_json};

use matcher::{Found, Kind};
pub use recovery_types::diagnosis::Missing;
pub use recovery_types::{Diagnosis, Problem, Severity, Timestamp};
use root::Candidate;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The problems found in a text, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemReport {
    /// All problems.
    pub problems: Vec<Problem>,
    /// The index of the root cause.
    pub root: Option<usize>,
    /// The format or report that recognised the root cause, by its id.
    pub matcher: Option<Cow<'static, str>>,
}

/// Finds the problems that tools reported in `text`, which may be the output of a command that worked: only what a known
/// format states, since in healthy output lines that read like errors are none.
///
/// ```
/// let report = problem_matcher::find("src/a.c:3:5: error: expected ';' before 'return'\n");
/// let root = &report.problems[report.root.unwrap()];
/// assert_eq!((root.file.as_deref(), root.line), (Some("src/a.c"), Some(3)));
/// ```
#[must_use]
pub fn find(text: &str) -> ProblemReport {
    find_with(text, &UserMatchers::default())
}

/// Like [`find`], with formats of the user's own, which are tried first.
#[must_use]
pub fn find_with(text: &str, extra: &UserMatchers) -> ProblemReport {
    report(text, extra, false)
}

/// Like [`find`], for the output of a command that is known to have failed: where no line surely states an error, the one
/// that most likely does is the root cause.
#[must_use]
pub fn explain(text: &str) -> ProblemReport {
    explain_with(text, &UserMatchers::default())
}

/// Like [`explain`], with formats of the user's own, which are tried first.
#[must_use]
pub fn explain_with(text: &str, extra: &UserMatchers) -> ProblemReport {
    report(text, extra, true)
}

fn report(text: &str, extra: &UserMatchers, has_failed: bool) -> ProblemReport {
    let text = events::unwrapped(text);
    let clean = lines::without_escapes(&text);
    let lines = lines::Lines::of(&clean);
    let phases = phases::phases(&lines);
    let mut found = merge::merge(matcher::find_all(&lines, extra));
    merge::complete(&mut found);
    let counts = |found: &Found| found.problem.text_line.is_none_or(|number| phases.contains(number));
    let after_last_command = |found: &Found| found.problem.text_line > phases.last_command.map(u64::from);
    let states_error = |found: &&Found| {
        found.problem.severity == Severity::Error
            && !matches!(found.kind, Kind::Consequence | Kind::Generic)
            && counts(found)
    };
    let is_explained = found.iter().any(|found| states_error(&found));
    let mut most_telling = None;
    if has_failed && !found.iter().filter(states_error).any(after_last_command) {
        let known: BTreeSet<u64> = found
            .iter()
            .filter(|found| found.kind != Kind::Generic)
            .filter_map(|found| found.problem.text_line)
            .collect();
        let is_open = |line: &&lines::Line<'_>| {
            let number = line.number.into();
            phases.contains(number) && !known.contains(&number) && line.is_output()
        };
        let in_phase: Vec<_> = lines.iter().filter(is_open).collect();
        let by_last_command = || {
            let from = in_phase.partition_point(|line| Some(line.number) <= phases.last_command);
            generic::problem(&in_phase[from..], telling::LIKELY_POINTS)
        };
        let by_phase = || {
            let has_warnings = found.iter().any(|found| found.kind != Kind::Consequence && counts(found));
            // Where a tool only warned and still failed, its warnings are why, unless a line is surely an error.
            let least = if has_warnings { telling::SURE_POINTS } else { 0 };
            generic::problem(&in_phase, least)
        };
        let stated = phases.last_command.and_then(|_| by_last_command());
        if let Some(problem) = stated.or_else(|| (!is_explained).then(by_phase)?) {
            most_telling = problem.text_line;
            // A generic format has read the line already, and knows its place and code.
            if problem.test.is_some() || found.iter().all(|found| found.problem.text_line != most_telling) {
                let kind = if problem.test.is_some() { Kind::Test } else { Kind::Generic };
                found.push(Found { problem, kind, matcher: "generic".into(), lines: 1 });
                found.sort_by_key(|found| found.problem.text_line);
            }
        }
    }
    let candidates: Vec<_> = found
        .iter()
        .map(|found| Candidate {
            found,
            in_ending_phase: counts(found),
            is_of_last_command: after_last_command(found),
            is_most_telling: most_telling.is_some() && found.problem.text_line == most_telling,
        })
        .collect();
    let root = root::choose(&candidates);
    if has_failed
        && let Some(root) = root.map(|index| &mut found[index])
        && root.kind == Kind::Exception
        && root.problem.test.is_none()
    {
        let around: Vec<_> =
            lines.iter().filter(|line| line.is_output() && phases.contains(line.number.into())).collect();
        generic::complete(&around, &mut root.problem);
    }
    let matcher = root.map(|index| found[index].matcher.clone());
    ProblemReport { problems: found.into_iter().map(|found| found.problem).collect(), root, matcher }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many times matchers looked at a line of `text`.
    fn steps(text: &str) -> u64 {
        let clean = lines::without_escapes(text);
        let lines = lines::Lines::of(&clean);
        matcher::find_all(&lines, &UserMatchers::default());
        lines.steps()
    }

    /// Lines that begin reports, and some that go on with them.
    fn line() -> impl Strategy<Value = String> {
        let literals: Vec<&'static str> =
            reports::REPORTS.iter().flat_map(|report| report.literals.iter().copied()).collect();
        prop_oneof![
            4 => (proptest::sample::select(literals), "[ -~]{0,30}", "[ \\t]{0,8}").prop_map(|(literal, rest, lead)| format!("{lead}{literal}{rest}")),
            1 => "\\PC{0,60}",
            1 => Just("    at f (src/a.js:3:5)".to_owned()),
            1 => Just("  File \"a.py\", line 3, in f".to_owned()),
            1 => Just("____ test_x ____".to_owned()),
            1 => Just("  1) suite".to_owned()),
            1 => Just("E   assert 1 == 2".to_owned()),
            1 => Just(String::new()),
        ]
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(?s).{0,400}") {
            let _ = explain(&text);
            let _ = find(&text);
        }

        #[test]
        fn lines_that_begin_reports_are_read_without_panic(lines in proptest::collection::vec(line(), 0..60)) {
            let text = lines.join("\n");
            let report = explain(&text);
            prop_assert!(report.root.is_none_or(|root| root < report.problems.len()));
            let last = text.split('\n').count() as u64;
            for problem in &report.problems {
                prop_assert!(problem.text_line.is_some_and(|number| (1..=last).contains(&number)), "{problem:?}");
            }
            prop_assert_eq!(&explain(&text.replace('\n', "\r\n")), &report);
        }
    }

    /// The worst a line can cost is the look-ahead of the reports it may begin. Lines that begin reports and never end them
    /// cost no more per line as the text grows.
    #[test]
    fn work_is_linear_in_the_number_of_lines() {
        const LINES: usize = 2500;
        const STEPS_PER_LINE: u64 = 1500;
        for report in reports::REPORTS {
            for literal in report.literals {
                for lead in ["", "  1"] {
                    let steps = steps(&format!("{lead}{literal} x\n").repeat(LINES));
                    assert!(steps <= LINES as u64 * STEPS_PER_LINE, "{}: {literal:?} costs {steps} steps", report.id);
                }
            }
        }
    }
}
