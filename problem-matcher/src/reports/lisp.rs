//! Lisps: ERT and Buttercup of Emacs, `clojure.test`, Midje and the compiler of Clojure, RackUnit.
//!
//! ```text
//! FAIL in (total-test) (core_test.clj:8)               clojure.test; then `expected: (= 7 (f))`, `  actual: (not (= 7 6))`
//! Syntax error compiling at (app/core.clj:3:3).        Clojure 1.10 and later; the message is on the next line
//! ```
//!
//! Values are expressions, which are kept as printed. A failure of `clojure.test` is described by the expected expression,
//! an error by what was thrown. ERT prints no place. RackUnit's block is recognised by its `location:` line below `FAILURE`
//! or `ERROR`.

use crate::block::{below, block_lines, error, failed_test, set_place};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const ERT: Report = Report { id: "ert", literals: &[" condition:"], find: ert };
pub(crate) const BUTTERCUP: Report = Report { id: "buttercup", literals: &[BUTTERCUP_RULE], find: buttercup };
pub(crate) const CLOJURE_TEST: Report =
    Report { id: "clojure-test", literals: &["FAIL in (", "ERROR in ("], find: clojure_test };
pub(crate) const MIDJE: Report = Report { id: "midje", literals: &[" at (", " at  ("], find: midje };
pub(crate) const CLOJURE: Report =
    Report { id: "clojure", literals: &["compiling at (", "compiling:("], find: clojure };
pub(crate) const RACKUNIT: Report = Report { id: "rackunit", literals: &["location:"], find: rackunit };

/// `Test slug-spaces condition:`, then the condition as one expression over several lines.
fn ert(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().trim().strip_prefix("Test ")?.strip_suffix(" condition:")?;
    let block = below(cursor, 40, |text| text.trim().is_empty() || text.trim_start().starts_with("FAILED "));
    let mut problem = failed_test("ert", name, &block, 12);
    if !problem.message.starts_with('(') {
        return None;
    }
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// The rule above a failure of Buttercup.
const BUTTERCUP_RULE: &str = "========================================";

/// A rule, `slug joins words`, `Traceback (most recent call last):`, calls, `FAILED: Expected ...`.
fn buttercup(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if cursor.text() != BUTTERCUP_RULE {
        return None;
    }
    let name = cursor.ahead(1)?;
    let block = below(cursor, 60, |text| text == BUTTERCUP_RULE || text.starts_with("Ran "));
    let (at, _) = *block.iter().find(|(_, text)| text.starts_with("FAILED: ") || text.starts_with("error: "))?;
    let said: Vec<_> = block.iter().skip_while(|(offset, _)| *offset < at).copied().collect();
    let mut problem = failed_test("buttercup", name, &said, 2);
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `FAIL "adds" at (core_test.clj:8)`, `Expected:`, the value, `Actual:`, the value.
fn midje(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (name, at) = cursor.text().trim().strip_prefix("FAIL ")?.split_once("at (")?;
    let block = below(cursor, 12, |text| text.trim().is_empty() || text.starts_with("FAIL"));
    let mut problem = failed_test("midje", name.trim().trim_matches('"'), &block, 4);
    set_place(&mut problem, place::first(at)?);
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `FAIL in (total-test) (core_test.clj:8)`, what was being tested, `expected: (= 7 (f))`, `  actual: (not (= 7 6))`.
fn clojure_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let rest = text.strip_prefix("FAIL in (").or_else(|| text.strip_prefix("ERROR in ("))?;
    let (name, rest) = rest.split_once(')')?;
    let block = below(cursor, 60, |text| {
        text.trim().is_empty() || text.starts_with("FAIL in (") || text.starts_with("ERROR in (")
    });
    let from = block.iter().position(|(_, text)| text.starts_with("expected: "))?;
    let is_error = text.starts_with("ERROR");
    // A failure is described by the expected expression, an error by what was thrown.
    let thrown = block.iter().position(|(_, text)| text.starts_with("actual: ")).filter(|_| is_error);
    let from = thrown.unwrap_or(from);
    let mut problem = failed_test("clojure.test", name, &block[from..], if is_error { 1 } else { 2 });
    problem.text_line = cursor.number(block[from].0);
    let own = place::first(rest).filter(|place| place.file.contains(".clj"));
    let thrown_at =
        || block.iter().find_map(|(_, text)| place::first(text).filter(|place| place.file.contains(".clj")));
    if let Some(place) = own.or_else(thrown_at) {
        set_place(&mut problem, place);
    }
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `Syntax error compiling at (app/core.clj:3:3).`, then the message; before Clojure 1.10 both on the line of the exception.
fn clojure(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let (before, rest) = text.split_once("compiling at (").or_else(|| text.split_once("compiling:("))?;
    let place = place::first(rest)?;
    let below = cursor.ahead(1).map(str::trim).filter(|text| !text.is_empty() && !text.starts_with("at "));
    let own = before.trim_end_matches([' ', ',']).rsplit_once("Exception: ").map(|(_, message)| message);
    let problem = error("clojure", own.or(below).unwrap_or(text), Some(place));
    Some((problem, Kind::Compile, if own.is_some() { 1 } else { 2 }))
}

/// `FAILURE`, `name: check-equal?`, `location: calc.rkt:3:0`, `message:`, `actual:`, `expected:`, between rules.
fn rackunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let place = place::first(cursor.text().trim().strip_prefix("location:")?)?;
    let head: Vec<_> = cursor.preceding().take(3).collect();
    let is_report = head.iter().any(|(_, text)| text.starts_with("FAILURE") || text.starts_with("ERROR"));
    let check = head.iter().find_map(|(_, text)| text.strip_prefix("name:")).filter(|_| is_report)?.trim();
    let block = below(cursor, 12, |text| text.starts_with("-----"));
    let field = |name: &str| {
        let value = block.iter().find_map(|(_, text)| text.strip_prefix(name))?.trim();
        Some(value.to_owned()).filter(|value| !value.is_empty())
    };
    let (actual, expected) = (field("actual:"), field("expected:"));
    let values = [("actual", &actual), ("expected", &expected)];
    let values = values.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!(" {name}: {value}")));
    let mut problem = error("rackunit", &format!("{check}{}", values.collect::<String>()), Some(place));
    problem.test = field("message:").map(|name| name.trim_matches('"').to_owned());
    problem.actual = actual;
    problem.expected = expected;
    Some((problem, Kind::Test, block_lines(&block)))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As Midje documents its output.
    #[test]
    fn midje_names_fact_and_place() {
        let report =
            explain("FAIL \"about adding\" at (core_test.clj:8)\nExpected:\n3\nActual:\n2\nFAILURE: 1 check failed.\n");
        let root = &report.problems[report.root.unwrap()];
        assert_eq!(
            (root.file.as_deref(), root.line, root.test.as_deref()),
            (Some("core_test.clj"), Some(8), Some("about adding"))
        );
    }
}
