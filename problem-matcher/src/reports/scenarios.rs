//! Acceptance tests in prose: the Gherkin runners Cucumber, behave and Behat, and Robot Framework.
//!
//! ```text
//!     Then the total is 7 # features/steps/s.py:4       then the error, indented deeper
//! Sums                                  | FAIL |        Robot Framework; the message is on the next line
//! ```
//!
//! A Gherkin step is recognised by its keyword and by the place (or Behat's method) after `# `; only a block below it that
//! reads like an error makes it a failure, since tables and doc strings are indented in the same way. The test is the
//! scenario above. The place is a frame of the project, else the step definition. Keywords of other spoken languages are
//! not in `STEPS`.

use crate::block::{below, block_lines, failed_test, indent, set_place};
use crate::frames::is_project_file;
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const GHERKIN: Report = Report { id: "gherkin", literals: &["# "], find: gherkin };
pub(crate) const ROBOT: Report = Report { id: "robot", literals: &["| FAIL |"], find: robot };

/// The words that begin a step of a scenario.
const STEPS: [&str; 6] = ["Given ", "When ", "Then ", "And ", "But ", "* "];

/// What Cucumber for JavaScript puts before a step.
const MARKS: [char; 8] = ['✔', '✖', '√', '×', '-', '?', '!', ' '];

/// `    Then the total is 7 # features/steps/s.py:4`, the error below it, indented deeper; the scenario is named above.
fn gherkin(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (step, at) = text.rsplit_once("# ")?;
    let lead = indent(text);
    let step = step.trim_start_matches(MARKS).trim_end();
    // Behat names the method that a step calls, and no place.
    let is_method = at.contains("::") && at.ends_with("()");
    let place = place::first(at);
    if !STEPS.iter().any(|word| step.starts_with(word)) || place.is_none() && !is_method {
        return None;
    }
    let block = below(cursor, 40, |text| !text.trim().is_empty() && indent(text) <= lead);
    // A table or a text that belongs to the step is not an error.
    let is_report = block.iter().any(|(_, text)| {
        [
            "Assertion Failed", "ASSERT FAILED", "Failed asserting", "Traceback", "Error", "Exception", "expected",
            "Expected",
        ]
        .iter()
        .any(|word| text.contains(word))
    });
    if !is_report || block.first()?.1.starts_with(['|', '"']) {
        return None;
    }
    let is_frame = |text: &str| {
        place::first(text)
            .is_some_and(|place| text.starts_with("at ") || text.trim_start_matches("File \"").starts_with(place.file))
    };
    // A diff repeats the values of the message above it.
    let diff = block.iter().position(|(_, text)| text.starts_with("+ expected - actual"));
    let said: Vec<_> = block[..diff.unwrap_or(block.len())]
        .iter()
        .filter(|(_, text)| !is_frame(text) && !text.starts_with("Traceback"))
        .copied()
        .collect();
    let is_python = block.iter().any(|(_, text)| text.starts_with("Traceback"));
    let said = if is_python { said.last().map(std::slice::from_ref)? } else { &said[..] };
    let scenario = cursor.preceding().find_map(|(_, text)| {
        // `1) Scenario: name # a.feature:2` of Cucumber for JavaScript.
        let text = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([')', ' ']);
        let name = text.strip_prefix("Scenario: ").or_else(|| text.strip_prefix("Scenario Outline: "))?;
        Some(name.rsplit_once(" #").unwrap_or((name, "")))
    });
    let (name, feature) = scenario.unwrap_or((step, ""));
    let mut problem = failed_test("cucumber", name.trim_end(), said, 4);
    let own = block.iter().filter(|(_, text)| is_frame(text)).filter_map(|(_, text)| place::first(text));
    let mut own = own.filter(|found| is_project_file(found.file) && !found.file.ends_with(".feature"));
    let own = if is_python { own.next_back() } else { own.next() };
    if let Some(place) = own.or(place).or_else(|| place::first(feature)) {
        set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `Sums      | FAIL |`, the message, a rule. A suite's line is followed by its counts.
fn robot(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().strip_suffix("| FAIL |")?;
    let block = below(cursor, 30, |text| text.starts_with("-----") || text.starts_with("====="));
    let first = block.first()?.1;
    if first.contains(" passed, ") && first.contains(" failed") {
        return None;
    }
    let mut problem = failed_test("robot", name, &block, 3);
    problem.text_line = cursor.number(1);
    Some((problem, Kind::Test, block_lines(&block)))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// Behat names a method instead of a place, so the scenario's place is used.
    #[test]
    fn behat_names_the_scenario() {
        let text = "  Scenario: Add            # features/a.feature:3\n    Given I have 1         # FeatureContext::iHave()\n    Then I get 3           # FeatureContext::iGet()\n      Failed asserting that 2 matches expected 3.\n\n--- Failed scenarios:\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.file.as_deref(), root.line), (Some("features/a.feature"), Some(3)));
        assert_eq!(
            (root.test.as_deref(), root.message.as_str()),
            (Some("Add"), "Failed asserting that 2 matches expected 3.")
        );
    }
}
