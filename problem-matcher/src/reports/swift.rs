//! Swift and Objective-C: XCTest (from `swift test`, xcodebuild or xcpretty), Swift Testing, and xcodebuild's list at the
//! end.
//!
//! ```text
//! /a/T.swift:12: error: -[Mod.T testA] : XCTAssertEqual failed: ("1") is not equal to ("2")     macOS; Linux: `T.testA : ...`
//! ✘ Test adds() recorded an issue at T.swift:5:5: Expectation failed: ...                       Swift Testing
//! ```
//!
//! XCTest's line looks like a compiler message; the ` : ` between test and message distinguishes it, and reports are tried
//! before the formats of compilers. `-[Mod.T testA]` and `Mod.T.testA` become the same name, so that `merge` joins the
//! entries of `Failing tests:` with the details. Only the first name of that list is taken.

use crate::block::error;
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const XCTEST: Report = Report { id: "xctest", literals: &[": error: -[", ": error: "], find: xctest };
pub(crate) const SWIFT_TESTING: Report =
    Report { id: "swift-testing", literals: &["recorded an issue at "], find: swift_testing };
pub(crate) const FAILING_TESTS: Report =
    Report { id: "xcodebuild-failing-tests", literals: &["Failing tests:"], find: failing_tests };
pub(crate) const XCPRETTY: Report =
    Report { id: "xcpretty", literals: &[", XCTAssert", ", failed - ", ", failed:", ") failed: "], find: xcpretty };

/// xcpretty's list at the end: `  testSums, XCTAssertEqual failed: ...`, `  /p/CalcTests.swift:12`.
fn xcpretty(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (name, message) = cursor.text().trim().trim_start_matches(['✗', ' ']).split_once(", ")?;
    let below =
        cursor.ahead(1).map(str::trim).and_then(|text| place::first(text).filter(|place| text.starts_with(place.file)));
    if name.contains(' ') || below.is_none() && !cursor.text().contains('✗') {
        return None;
    }
    let mut problem = error("xctest", message, below);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1 + usize::from(below.is_some())))
}

/// `/a/T.swift:12: error: -[Mod.T testA] : XCTAssertEqual failed: ("1") is not equal to ("2")`, on Linux `T.testA : ...`.
fn xctest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, rest) = cursor.text().split_once(": error: ")?;
    let place = place::first(head)?;
    let (name, message) = rest.split_once(" : ")?;
    let name = name.trim_start_matches("-[").trim_end_matches(']');
    if !message.contains("XCT") && !message.contains("failed") && !rest.starts_with("-[") || name.contains(": ") {
        return None;
    }
    let mut problem = error("xctest", message, Some(place));
    if let Some((_, values)) = message.split_once("(\"")
        && let Some((actual, rest)) = values.split_once("\") is not equal to (\"")
        && let Some((expected, _)) = rest.split_once("\")")
    {
        problem.actual = Some(actual.to_owned());
        problem.expected = Some(expected.to_owned());
    }
    problem.test = Some(name.replace(' ', "."));
    Some((problem, Kind::Test, 1))
}

/// `✘ Test adds() recorded an issue at T.swift:5:5: Expectation failed: ...`.
fn swift_testing(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, rest) = cursor.text().split_once(" recorded an issue at ")?;
    let place = place::first(rest)?;
    let message = rest.split_once(": ").map_or(rest, |(_, message)| message);
    let mut problem = error("swift-testing", message, Some(place));
    problem.test = Some(head.rsplit("Test ").next().unwrap_or(head).trim().trim_matches('"').to_owned());
    Some((problem, Kind::Test, 1))
}

/// `Failing tests:`, then one name per line, indented.
fn failing_tests(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if cursor.text().trim() != "Failing tests:" {
        return None;
    }
    let (at, name) = cursor
        .following()
        .take(6)
        .find(|(_, text)| text.starts_with(['\t', ' ']) && !text.trim().ends_with(':') && !text.trim().is_empty())?;
    let name = name.trim();
    let mut problem = error("xcodebuild", name, None);
    problem.text_line = cursor.number(at);
    problem.test = Some(name.trim_start_matches("-[").trim_end_matches(']').replace(' ', "."));
    Some((problem, Kind::Test, at + 1))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// The list at the end, as xcpretty's own tests have it.
    #[test]
    fn xcpretty_puts_the_place_below() {
        let text = "CalcTests.CalcTests\n  testSums, XCTAssertEqual failed: (\"6\") is not equal to (\"7\") - \n  /Users/ci/CalcTests.swift:12\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.line, root.test.as_deref()), (Some(12), Some("testSums")));
    }
}
