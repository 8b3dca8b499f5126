//! C and C++: the test frameworks GoogleTest, Catch2, doctest, Boost.Test, CppUnit, cmocka and CTest, Automake's test
//! driver, the sanitizers of GCC and Clang, and Valgrind.
//!
//! ```text
//! a.cc:7: Failure                                         GoogleTest; the test is in `[ RUN      ] Suite.Name` above
//! ==123== Invalid write of size 4                         Valgrind; then `==123==    at 0x10916B: f (prog.c:10)`
//! ```
//!
//! Frameworks print the place of the assertion first, memory checkers a stack: there the innermost frame of the project is
//! the place, which excludes Valgrind's `vg_replace_malloc.c`. `[  FAILED  ]` lines have no place; `merge` joins them with
//! the block of the same test. Compiler messages are not here: they are one line each, in
//! `formats/builtin/10-compilers.toml`.

use crate::block::{below, block_lines, error, failed_test, pair, set_place};
use crate::frames::{self, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const GTEST: Report = Report { id: "googletest", literals: &[": Failure"], find: googletest };
pub(crate) const GTEST_SUMMARY: Report =
    Report { id: "googletest-summary", literals: &["[  FAILED  ]"], find: googletest_summary };
pub(crate) const CATCH2: Report = Report { id: "catch2", literals: &[": FAILED:"], find: catch2 };
pub(crate) const DOCTEST: Report = Report { id: "doctest", literals: &[": ERROR: ", ": FATAL ERROR: "], find: doctest };
pub(crate) const BOOST: Report =
    Report { id: "boost-test", literals: &[": error: in \"", ": fatal error: in \""], find: boost };
pub(crate) const CTEST: Report =
    Report { id: "ctest", literals: &["***Failed", "***Exception", "***Timeout", "***Not Run"], find: ctest };
pub(crate) const CPPUNIT: Report = Report { id: "cppunit", literals: &[") test: "], find: cppunit };
pub(crate) const CMOCKA: Report = Report { id: "cmocka", literals: &["[   LINE   ] --- "], find: cmocka };
pub(crate) const VALGRIND: Report = Report { id: "valgrind", literals: &["   at 0x"], find: valgrind };
pub(crate) const AUTOMAKE: Report = Report { id: "automake", literals: &["FAIL: ", "ERROR: "], find: automake };
pub(crate) const SANITIZER: Report =
    Report { id: "sanitizer", literals: &["Sanitizer: ", "runtime error: "], find: sanitizer };

/// `a.cc:7: Failure`, the message, then `[  FAILED  ] Suite.Name`.
fn googletest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let place = place::first(text.strip_suffix(": Failure")?)?;
    let mut problem = error("googletest", "", Some(place));
    let mut message = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(40) {
        let trimmed = text.trim();
        if trimmed.is_empty() || text.ends_with(": Failure") || text.starts_with("[ ") {
            break;
        }
        // `Expected equality of these values:`, a value, `Which is: 3`, a value.
        message.push(trimmed);
        pair(&mut problem, trimmed);
        end = offset + 1;
    }
    problem.message = message.iter().take(6).copied().collect::<Vec<_>>().join(" ");
    problem.text_line = cursor.number(1);
    let running = cursor.preceding().find_map(|(_, text)| text.strip_prefix("[ RUN      ] "));
    problem.test = running
        .or_else(|| cursor.following().take(200).find_map(|(_, text)| text.strip_prefix("[  FAILED  ] ")))
        .map(|name| name.split([',', ' ']).next().unwrap_or(name).to_owned());
    Some((problem, Kind::Test, end))
}

/// `[  FAILED  ] Suite.Name (0 ms)`.
fn googletest_summary(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().strip_prefix("[  FAILED  ] ")?;
    let name = name.split([',', ' ']).next()?;
    if !name.contains('.') {
        return None;
    }
    let mut problem = error("googletest", cursor.text(), None);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}

/// `a.cpp:7: FAILED:`, `  REQUIRE( x == 2 )`, `with expansion:`, `  1 == 2`.
fn catch2(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let place = place::first(cursor.text().strip_suffix(" FAILED:")?)?;
    let mut message = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(12) {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with("====") || trimmed.starts_with("----") {
            break;
        }
        if trimmed != "with expansion:" {
            message.push(trimmed);
        }
        end = offset + 1;
    }
    let mut problem = error("catch2", &message.join(" "), Some(place));
    problem.text_line = cursor.number(1);
    if let Some((actual, expected)) =
        message.last().and_then(|line| line.split_once(" == ")).filter(|_| message.len() > 1)
    {
        problem.actual = Some(actual.to_owned());
        problem.expected = Some(expected.to_owned());
    }
    // The test case's name is between two rules of dashes, above its place.
    let rules: Vec<_> = cursor
        .preceding()
        .take(40)
        .filter(|(_, text)| text.starts_with("-------"))
        .map(|(offset, _)| offset)
        .take(2)
        .collect();
    if let [_, upper] = rules[..] {
        problem.test = cursor.back(upper - 1).map(|name| name.trim().to_owned());
    }
    Some((problem, Kind::Test, end))
}

/// `a.cpp:7: ERROR: CHECK( x == 2 ) is NOT correct!`, `  values: CHECK( 1 == 2 )`.
fn doctest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (head, message) =
        text.split_once(" ERROR: ").map(|(head, message)| (head.trim_end_matches(" FATAL"), message))?;
    let place = place::first(head)?;
    if !message.contains("NOT correct") && !message.contains("threw") && !message.contains("test case") {
        return None;
    }
    let values = cursor.ahead(1).map(str::trim).filter(|text| text.starts_with("values:"));
    let mut problem = error(
        "doctest",
        &values.map_or_else(|| message.to_owned(), |values| format!("{message} {values}")),
        Some(place),
    );
    problem.test = cursor
        .preceding()
        .take(20)
        .find_map(|(_, text)| text.trim_start().strip_prefix("TEST CASE:"))
        .map(|name| name.trim().to_owned());
    Some((problem, Kind::Test, 1 + usize::from(values.is_some())))
}

/// `a.cpp(7): error: in "suite/name": check x == 2 has failed [1 != 2]`.
fn boost(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (head, rest) = text.split_once(": error: in \"").or_else(|| text.split_once(": fatal error: in \""))?;
    let (name, message) = rest.split_once("\": ")?;
    let mut problem = error("boost-test", message, place::first(head));
    if let Some((actual, expected)) =
        message.rsplit_once('[').and_then(|(_, rest)| rest.strip_suffix(']')).and_then(|inner| inner.split_once(" != "))
    {
        problem.actual = Some(actual.to_owned());
        problem.expected = Some(expected.to_owned());
    }
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}

/// ` 3/9 Test  #3: name ..........***Failed    0.01 sec`.
fn ctest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, _) = cursor.text().split_once("***")?;
    let (_, rest) = head.split_once('#')?;
    let (_, name) = rest.split_once(": ")?;
    let mut problem = error("ctest", cursor.text(), None);
    problem.test = Some(name.trim_end_matches(['.', ' ']).to_owned());
    Some((problem, Kind::Test, 1))
}

/// `1) test: Calc::sums (F) line: 7 t.cpp`, the message, `- Expected: 7`, `- Actual  : 6`.
fn cppunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (_, rest) = cursor.text().split_once(") test: ")?;
    let (name, at) = rest.split_once(" (F)").or_else(|| rest.split_once(" (E)"))?;
    let block = below(cursor, 12, |text| text.trim().is_empty());
    let said: Vec<_> = block.iter().map(|(offset, text)| (*offset, text.trim_start_matches("- "))).collect();
    let mut problem = failed_test("cppunit", name, &said, 4);
    if let Some((line, file)) = at.trim().strip_prefix("line: ").and_then(|at| at.split_once(' ')) {
        problem.file = Some(file.trim().to_owned());
        problem.line = place::leading_number(line);
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `[  ERROR   ] --- 0x6 != 0x7`, `[   LINE   ] --- t.c:7: error: Failure!`, `[  FAILED  ] test_total`.
fn cmocka(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let place = place::first(cursor.text().split_once("[   LINE   ] --- ")?.1)?;
    let said =
        cursor.preceding().take(6).find_map(|(offset, text)| Some((offset, text.strip_prefix("[  ERROR   ] --- ")?)));
    let mut problem = error("cmocka", said.map_or("Failure!", |(_, text)| text), Some(place));
    problem.text_line = said.and_then(|(offset, _)| cursor.number_back(offset)).or_else(|| cursor.number(0));
    let running = cursor.preceding().find_map(|(_, text)| text.strip_prefix("[ RUN      ] "));
    problem.test = running.map(|name| name.trim().to_owned());
    Some((problem, Kind::Test, 1))
}

/// `==1==ERROR: AddressSanitizer: heap-use-after-free on ...` with frames below; `a.c:3:5: runtime error: ...` in one line.
fn sanitizer(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if let Some((head, message)) = text.split_once(": runtime error: ") {
        let place = place::first(head).filter(|place| head.trim().starts_with(place.file))?;
        return Some((error("sanitizer", &format!("runtime error: {message}"), Some(place)), Kind::Exception, 1));
    }
    let (_, message) = text.split_once("ERROR: ").or_else(|| text.split_once("WARNING: "))?;
    if !message.split(": ").next()?.ends_with("Sanitizer") {
        return None;
    }
    let mut frames = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(60) {
        if let Some(found) = text.trim_start().starts_with('#').then(|| frame(text)).flatten() {
            frames.push(found);
            end = offset + 1;
        } else if !frames.is_empty() {
            break;
        }
    }
    let mut problem = error("sanitizer", message, None);
    if let Some(place) = frames::best(frames.into_iter()) {
        set_place(&mut problem, place);
    }
    Some((problem, Kind::Exception, end))
}

/// The text of a line of Valgrind after `==123==`.
fn reported(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("==")?.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(rest.strip_prefix("==")?.trim())
}

/// `==123== Invalid write of size 4`, then `==123==    at 0x10916B: f (prog.c:10)` and `by 0x...: main (prog.c:15)`.
fn valgrind(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let head = reported(cursor.back(1)?)?;
    // Where a block was allocated or freed belongs to the error above it.
    if head.is_empty()
        || head.starts_with("Address 0x")
        || head.starts_with("at 0x")
        || head.contains("block was alloc")
    {
        return None;
    }
    let mut place = None;
    let mut end = 0;
    for (offset, text) in std::iter::once((0, cursor.text())).chain(cursor.following().take(40)) {
        let frame = reported(text).filter(|text| text.starts_with("at 0x") || text.starts_with("by 0x"));
        if frame.is_none() {
            break;
        }
        let found = text.rsplit_once('(').and_then(|(_, rest)| place::first(rest.trim_end_matches(')')));
        // Replacements of the allocator have a file of Valgrind's own.
        place = place
            .or(found.filter(|place| !place.file.starts_with("vg_replace") && frames::is_project_file(place.file)));
        end = offset + 1;
    }
    let mut problem = error("valgrind", head, place);
    problem.text_line = cursor.number_back(1);
    Some((problem, Kind::Exception, end))
}

/// Automake's test driver: `FAIL: test-foo`, with a summary at the end; what the test printed is in a file of its own.
fn automake(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let name = text.strip_prefix("FAIL: ").or_else(|| text.strip_prefix("ERROR: "))?.trim();
    let name = name.split_once(" (exit status").map_or(name, |(name, _)| name);
    let is_summary = |text: &str| {
        text.starts_with("Testsuite summary") || text.starts_with("# FAIL: ") || text.ends_with(" tests failed")
    };
    if name.is_empty() || name.contains(": ") || !cursor.following().any(|(_, text)| is_summary(text)) {
        return None;
    }
    let mut problem = error("automake", text, None);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}
