//! Test runners of Haskell (Hspec, Tasty, HUnit, QuickCheck), OCaml (OUnit), Dart and Flutter, Nim and Zig.
//!
//! ```text
//!   test/Spec.hs:7:15:                                 Hspec: the place is above the name
//!   1) Thing does it
//! 00:01 +0 -1: adds [E]                                Dart: the frames `test/a_test.dart 5:3  main.<fn>` are below
//! ```
//!
//! Each report begins with a line that names the test; the place is in that line, in the one above it or in the frames
//! below. `1) name` and `FAIL` occur in many runners, so Hspec requires a `.hs` place above, Tasty an indented name with a
//! place below and Zig a count (`1/2`). Compiler messages of these languages are in `formats/builtin/10-compilers.toml`.

use crate::block::{below, block_lines, error, failed_test, indent, pair, set_place};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const HSPEC: Report = Report { id: "hspec", literals: &[") "], find: hspec };
pub(crate) const TASTY: Report = Report { id: "tasty", literals: &["FAIL"], find: tasty };
pub(crate) const HUNIT: Report = Report { id: "hunit", literals: &["### Failure in: ", "### Error in: "], find: hunit };
pub(crate) const QUICKCHECK: Report =
    Report { id: "quickcheck", literals: &["*** Failed! ", "*** Gave up!"], find: quickcheck };
pub(crate) const DART: Report = Report { id: "dart-test", literals: &["[E]"], find: dart };
pub(crate) const FLUTTER: Report =
    Report { id: "flutter-test", literals: &["EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK"], find: flutter };
pub(crate) const ZIG: Report = Report { id: "zig-test", literals: &["...FAIL", "... FAIL"], find: zig };
pub(crate) const NIM: Report = Report { id: "nim-unittest", literals: &[": Check failed: "], find: nim };
pub(crate) const OUNIT: Report = Report { id: "ounit", literals: &["Error: "], find: ounit };

/// `Error: calc:1:sums.` below a rule, the trace, then the message.
fn ounit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().strip_prefix("Error: ")?.strip_suffix('.')?;
    if name.contains(' ') || !name.contains(':') || !cursor.back(1)?.starts_with("=====") {
        return None;
    }
    let block = below(cursor, 40, |text| text.starts_with("-----") || text.starts_with("====="));
    let is_trace = |text: &str| {
        ["File \"", "Error: ", "Raised ", "Called ", "Re-raised "].iter().any(|start| text.starts_with(start))
    };
    let said: Vec<_> = block.iter().filter(|(_, text)| !is_trace(text)).copied().collect();
    let mut problem = failed_test("ounit", name, &said, 2);
    if let Some((expected, actual)) = problem.expected.as_deref().and_then(|values| values.split_once(" but got: ")) {
        (problem.expected, problem.actual) = (Some(expected.to_owned()), Some(actual.to_owned()));
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `tcalc.nim(7, 28): Check failed: total(x) == 7`, the values, `  [FAILED] sums`.
fn nim(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, message) = cursor.text().trim().split_once(": Check failed: ")?;
    let mut problem = error("nim", &format!("Check failed: {message}"), Some(place::first(head)?));
    let name = cursor.following().take(20).find_map(|(_, text)| text.trim().strip_prefix("[FAILED] "));
    problem.test = name.map(str::to_owned);
    Some((problem, Kind::Test, 1))
}

/// `  test/Spec.hs:7:15: `, `  1) Thing does it`, the message.
fn hspec(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    let name = text[digits..].strip_prefix(") ")?;
    let place = place::first(cursor.back(1)?.trim()).filter(|place| place.file.ends_with(".hs"))?;
    let mut problem = error("hspec", "", Some(place));
    let mut message = Vec::new();
    for (offset, text) in cursor.following().take(12) {
        if text.trim().is_empty() || indent(text) <= indent(cursor.text()) {
            break;
        }
        pair(&mut problem, text.trim().replace("but got:", "got:").as_str());
        message.push(text.trim());
        problem.text_line = problem.text_line.or(cursor.number(offset));
    }
    problem.message = message.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, message.len() + 1))
}

/// `    adds: FAIL (0.01s)`, then `      test/Spec.hs:7:` and the message.
fn tasty(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (name, rest) = text.split_once(":")?;
    if !rest.trim_start().starts_with("FAIL") || indent(text) == 0 || name.trim().is_empty() {
        return None;
    }
    let mut message = Vec::new();
    let mut place = None;
    for (_, line) in cursor.following().take(12) {
        if line.trim().is_empty() || indent(line) <= indent(text) {
            break;
        }
        place = place.or_else(|| place::first(line));
        message.push(line.trim());
    }
    let words: Vec<_> = message
        .iter()
        .copied()
        .filter(|line| !place.is_some_and(|place: place::Place<'_>| line.starts_with(place.file)))
        .take(3)
        .collect();
    let mut problem = error("tasty", &words.join(" "), Some(place?));
    problem.text_line = cursor.number(1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, message.len() + 1))
}

/// `### Failure in: 1:adds`, `test/Spec.hs:10`, `expected: 3`, ` but got: 4`.
fn hunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (_, name) = cursor.text().split_once(" in: ")?;
    let block = below(cursor, 8, |text| text.starts_with("Cases: ") || text.starts_with("###"));
    let place = block.first().and_then(|(_, text)| place::first(text).filter(|place| text.starts_with(place.file)));
    let said = if place.is_some() { &block[1..] } else { &block[..] };
    let mut problem = failed_test("hunit", name.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'), said, 3);
    if let Some(place) = place {
        set_place(&mut problem, place);
    }
    problem.actual = said.iter().find_map(|(_, text)| text.strip_prefix("but got: ")).map(str::to_owned);
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `=== prop_rev from test/Main.hs:12 ===`, then `*** Failed! Falsifiable (after 3 tests and 2 shrinks):` and the values.
fn quickcheck(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if !text.starts_with("*** ") {
        return None;
    }
    let head = cursor.back(1).and_then(|above| above.trim().strip_prefix("=== ")?.strip_suffix(" ==="));
    let (name, place) = head.and_then(|head| head.split_once(" from "))?;
    let value = cursor.ahead(1).map(str::trim).filter(|value| text.ends_with(':') && !value.is_empty());
    let message = value.map_or_else(|| text.to_owned(), |value| format!("{text} {value}"));
    let mut problem = error("quickcheck", &message, place::first(place));
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1 + usize::from(value.is_some())))
}

/// Flutter's box: `The following TestFailure was thrown running a test:`, the message, the frames, the line of the test's
/// expectation, `The test description was:`. The runner's own line below it has nothing to add.
fn flutter(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let block = below(cursor, 120, |text| text.starts_with("═══"));
    let after = |head: &str| {
        let at = block.iter().position(|(_, text)| text.starts_with(head))?;
        block.get(at + 1).copied()
    };
    let (at, _) = after("The following ")?;
    let said: Vec<_> = block.iter().copied().skip_while(|(offset, _)| *offset < at).collect();
    let said: Vec<_> = said.into_iter().take_while(|(_, text)| !text.starts_with("When the exception was")).collect();
    let (_, name) = after("The test description was:")?;
    let mut problem = failed_test("flutter test", name, &said, 3);
    if let Some(place) = after("This was caught by the test expectation").and_then(|(_, text)| place::first(text)) {
        set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `00:01 +0 -1: adds [E]`, the message, `  test/a_test.dart 5:3  main.<fn>`.
fn dart(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim().strip_suffix("[E]")?;
    let (_, name) = text.split_once(": ")?;
    let mut problem = error("dart test", "", None);
    let mut message = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(40) {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            continue;
        }
        if indent(text) == 0 {
            break;
        }
        end = offset + 1;
        let mut words = trimmed.split_whitespace();
        let (file, at) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if file.ends_with(".dart") && at.contains(':') {
            if problem.file.is_none() && !file.starts_with("package:") && !file.starts_with("dart:") {
                problem.file = Some(file.to_owned());
                problem.line = place::leading_number(at);
                problem.column = at.split_once(':').and_then(|(_, column)| place::leading_number(column));
            }
        } else if !trimmed.starts_with("package:") {
            pair(&mut problem, trimmed);
            message.push(trimmed);
        }
    }
    problem.message = message.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    if problem.message.is_empty() || problem.message.starts_with("Test failed. See exception logs above.") {
        return None;
    }
    problem.text_line = cursor.number(1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, end))
}

/// `1/2 main.test.adds...FAIL (TestExpectedEqual)`, then `a.zig:5:5: 0x... in test.adds`.
fn zig(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (head, rest) = text.split_once("...").or_else(|| text.split_once("... "))?;
    // `1/2 name`: the number of tests distinguishes it from other runners.
    let (count, name) = head.trim().split_once(' ')?;
    if !count.contains('/') || !count.chars().all(|c| c.is_ascii_digit() || c == '/') {
        return None;
    }
    if !rest.trim_start().starts_with("FAIL") {
        return None;
    }
    let place = cursor
        .following()
        .take(30)
        .filter_map(|(_, text)| place::first(text))
        .find(|place| place.file.ends_with(".zig") && !place.file.contains("/std/"));
    let values = cursor
        .back(1)
        .filter(|text| text.starts_with("expected "))
        .or_else(|| cursor.ahead(1).filter(|text| text.starts_with("expected ")));
    let mut problem = error("zig test", values.unwrap_or(rest.trim()), place);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, 1))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As Dart and Flutter document their output: neither can be installed where these tests were written.
    #[test]
    fn dart_and_flutter_name_test_and_place() {
        for (text, file, line, test) in [
            (
                "00:01 +3 -1: test/a_test.dart: adds [E]\n  Expected: <3>\n    Actual: <2>\n\n  package:test_api           expect\n  test/a_test.dart 5:5       main.<fn>\n\n00:01 +3 -1: Some tests failed.\n",
                "test/a_test.dart",
                5,
                "test/a_test.dart: adds",
            ),
            (
                "══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═══════\nThe following TestFailure was thrown running a test:\n  Expected: exactly one matching node\n  Actual: zero widgets\n\nWhen the exception was thrown, this was the stack:\n#4      main.<fn> (file:///p/test/w_test.dart:23:5)\n\nThis was caught by the test expectation on the following line:\n  file:///p/test/w_test.dart line 23\nThe test description was:\n  Counter increments\n═══════\n00:03 +0 -1: Counter increments [E]\n  Test failed. See exception logs above.\n",
                "/p/test/w_test.dart",
                23,
                "Counter increments",
            ),
        ] {
            let report = explain(text);
            let root = &report.problems[report.root.unwrap()];
            assert_eq!((root.file.as_deref(), root.line), (Some(file), Some(line)), "{root:?}");
            assert_eq!(root.test.as_deref(), Some(test));
            assert!(root.message.starts_with("Expected: "), "{root:?}");
        }
    }
}
