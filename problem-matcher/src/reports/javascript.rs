//! JavaScript test runners: Jest, Vitest, uvu, Mocha (also Cypress and the JSON reporter), Jasmine, Karma, AVA, node:test
//! and Playwright.
//!
//! ```text
//!   ● suite › test                                      Jest
//!  FAIL  src/a.test.ts > suite > test                   Vitest
//!   1) suite                                            Mocha; the test is on the next lines, up to a colon
//! ```
//!
//! Below its first line most runners print the same parts: a message, values or a diff, a code snippet and V8 frames.
//! `body` parses them, and a runner supplies how it begins and where it ends; AVA and Mocha's JSON have functions of their
//! own. Whether `-` or `+` is the expected side differs between runners and their versions; `Legend` takes it from the line
//! above the diff. The place is the innermost frame of the project.

use crate::block::{error, exception_head, indent, pair};
use crate::frames::{self, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const JEST: Report = Report { id: "jest", literals: &["● "], find: jest };
pub(crate) const UVU: Report = Report { id: "uvu", literals: &["FAIL  \""], find: uvu };
pub(crate) const VITEST: Report = Report { id: "vitest", literals: &["FAIL  "], find: vitest };
pub(crate) const MOCHA: Report = Report { id: "mocha", literals: &[") "], find: mocha };
pub(crate) const MOCHA_JSON: Report = Report { id: "mocha-json", literals: &["\"fullTitle\": \""], find: mocha_json };
pub(crate) const NODE_TEST: Report = Report { id: "node-test", literals: &["✖ ", "test at "], find: node_test };
pub(crate) const AVA: Report = Report { id: "ava", literals: &["✘ [fail]", "✖ "], find: ava };
pub(crate) const KARMA: Report = Report { id: "karma", literals: &[" FAILED"], find: karma };

/// `Chrome 73.0.3683 (Linux 0.0.0) total sums FAILED`, the message and frames, indented.
fn karma(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let head = cursor.text().strip_suffix(" FAILED")?;
    let (browser, name) = head.split_once(") ")?;
    let (_, system) = browser.split_once(" (")?;
    if !system.contains(|c: char| c.is_ascii_digit()) || name.starts_with(['(', ':']) {
        return None;
    }
    let mut problem = error("karma", "", None);
    let read = body(cursor, 1, &mut problem, |text, _| !text.trim().is_empty() && indent(text) == 0);
    let (at, message) = read.message?;
    problem.message = message.to_owned();
    if let Some(place) = frames::best(read.frames.into_iter()) {
        crate::block::set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(at);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, read.end))
}

/// What the lines of one failure contain.
struct Body<'t> {
    message: Option<(usize, &'t str)>,
    /// What follows a message that only names the matcher: `New snapshot was not written. ...`.
    reason: Option<&'t str>,
    frames: Vec<frames::Frame<'t>>,
    end: usize,
}

/// Reads a failure's lines until `is_end`, which is given the line and whether frames have been seen: the first sentence is the
/// message, the values and the frames follow.
fn body<'t>(
    cursor: &Cursor<'_, 't>,
    from: usize,
    problem: &mut Problem,
    is_end: impl Fn(&str, bool) -> bool,
) -> Body<'t> {
    let mut body = Body { message: None, reason: None, frames: Vec::new(), end: from };
    let mut legend = None;
    for (offset, text) in cursor.following().skip(from.saturating_sub(1)).take(300) {
        if is_end(text, !body.frames.is_empty()) {
            break;
        }
        body.end = offset + 1;
        let trimmed = text.trim();
        if trimmed.is_empty() || is_snippet(trimmed) || trimmed.starts_with("──") {
            continue;
        }
        if let Some(found) = Legend::of(trimmed) {
            legend = Some(found);
        } else if let Some(found) = frame(text) {
            body.frames.push(found);
        } else if body.message.is_none() && trimmed.chars().any(char::is_alphanumeric) {
            body.message = Some((offset, trimmed));
        } else if let Some(legend) = &legend {
            legend.read(problem, trimmed);
        } else {
            pair(problem, trimmed);
            if body.reason.is_none() && body.frames.is_empty() && is_sentence(trimmed) {
                body.reason = Some(trimmed);
            }
        }
    }
    body
}

/// `New snapshot was not written. The update flag must be explicitly passed ...`
fn is_sentence(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase()) && text.ends_with('.') && text.contains(' ')
}

/// Which of `-` and `+` marks the expected value in a diff.
enum Legend {
    MinusIsExpected,
    PlusIsExpected,
}

impl Legend {
    fn of(text: &str) -> Option<Self> {
        if text.starts_with("- Expected") || text.starts_with("+ Received") {
            Some(Self::MinusIsExpected)
        } else if text.starts_with("+ expected - actual")
            || text.starts_with("+ actual - expected")
            || text.contains("(- actual, + expected)")
        {
            Some(if text.starts_with("+ actual") { Self::MinusIsExpected } else { Self::PlusIsExpected })
        } else {
            None
        }
    }

    /// Takes the first changed line of either side.
    fn read(&self, problem: &mut Problem, text: &str) {
        let (expected, actual) = match self {
            Self::MinusIsExpected => ('-', '+'),
            Self::PlusIsExpected => ('+', '-'),
        };
        for (mark, value) in [(expected, &mut problem.expected), (actual, &mut problem.actual)] {
            if let Some(rest) = text.strip_prefix(mark) {
                value.get_or_insert_with(|| rest.trim().trim_end_matches(',').to_owned());
            }
        }
    }
}

/// `  3 | code`, `> 4 | code`, `      |   ^`.
fn is_snippet(text: &str) -> bool {
    text.trim_start_matches(['>', ' '])
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start()
        .starts_with(['|', '│'])
}

fn finish(
    cursor: &Cursor<'_, '_>,
    tool: &str,
    test: String,
    mut problem: Problem,
    body: &Body<'_>,
) -> Option<(Problem, Kind, usize)> {
    let (at, message) = body.message?;
    let place = frames::best(body.frames.iter().copied());
    let mut named = error(tool, message, place);
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    // A matcher's first line is of little use without the values it compared.
    if let (Some(expected), Some(actual)) = (&named.expected, &named.actual)
        && !message.contains(actual.as_str())
        && expected.len() + actual.len() < 200
    {
        named.message = format!("{message} Expected: {expected} Received: {actual}");
    }
    if let Some(reason) = body.reason.filter(|_| message.starts_with("expect(") && named.actual.is_none()) {
        named.message = format!("{message} {reason}");
    }
    named.text_line = cursor.number(at);
    named.test = Some(test);
    Some((named, Kind::Test, body.end))
}

/// `  ● suite › test`.
fn jest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let title = text.trim_start().strip_prefix("● ")?.trim();
    if title.starts_with("Console")
        || title.contains("snapshot") && title.contains("written")
        || title.starts_with("Deprecation Warning")
    {
        return None;
    }
    let mut problem = error("jest", "", None);
    let own = indent(text);
    let body = body(cursor, 1, &mut problem, |text, _| {
        let trimmed = text.trim_start();
        trimmed.starts_with("● ") && indent(text) <= own
            || text.starts_with("Test Suites:")
            || text.starts_with("PASS ")
            || text.starts_with("FAIL ")
            || trimmed.starts_with("Test Suites:")
    });
    if title == "Test suite failed to run" {
        // The head of the suite's error is its message; the suite's file is on the `FAIL` line above.
        let file = cursor.preceding().find_map(|(_, text)| {
            text.trim_start()
                .strip_prefix("FAIL ")
                .map(|file| file.split(" (").next().unwrap_or(file).trim().to_owned())
        });
        let (mut problem, _, end) = finish(cursor, "jest", String::new(), problem, &body)?;
        problem.test = None;
        // The first sentence is a general one where a parser's own error follows.
        let specific = cursor.following().take(body.end).find(|(_, text)| {
            exception_head(text).is_some()
                || text.trim_start().starts_with("Cannot find module")
                || text.contains("error TS") && place::first(text).is_some()
        });
        if let Some((at, text)) = specific {
            let text = text.trim();
            problem.message = text.to_owned();
            problem.text_line = cursor.number(at);
            if let Some(place) = place::first(text).or_else(|| babel_place(text)) {
                crate::block::set_place(&mut problem, place);
            } else if let Some(place) =
                cursor.following().skip(at).take(20).find_map(|(_, text)| {
                    text.trim_start().starts_with(['>', '/']).then(|| place::first(text)).flatten()
                })
            {
                crate::block::set_place(&mut problem, place);
            }
        }
        if problem.file.is_none() {
            problem.file = file;
        }
        return Some((problem, Kind::Test, end));
    }
    let test = title.replace(" › ", " > ");
    finish(cursor, "jest", test, problem, &body)
}

/// The place in Babel's `SyntaxError: /src/a.js: Unexpected token (2:12)`.
fn babel_place(text: &str) -> Option<place::Place<'_>> {
    let file = place::first_path(text)?;
    let numbers = text.rsplit_once('(')?.1.strip_suffix(')')?;
    let (line, column) = numbers.split_once(':')?;
    Some(place::Place { file, line: line.parse().ok(), column: column.parse().ok() })
}

/// ` FAIL  "name"`, the message, the values marked `++` and `--`, and the frames.
fn uvu(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let title = cursor.text().trim_start().strip_prefix("FAIL  \"")?.trim_end().strip_suffix('"')?;
    let mut problem = error("uvu", "", None);
    let body = body(cursor, 1, &mut problem, |text, has_frames| {
        text.trim_start().starts_with("FAIL  \"") || has_frames && frame(text).is_none()
    });
    for (_, text) in cursor.following().take(body.end) {
        let value = |mark: &str, label: &str| {
            text.trim_start().strip_prefix(mark)?.trim_end().strip_suffix(label).map(|value| value.trim().to_owned())
        };
        problem.expected = problem.expected.or_else(|| value("++", "(Expected)"));
        problem.actual = problem.actual.or_else(|| value("--", "(Actual)"));
    }
    finish(cursor, "uvu", title.to_owned(), problem, &body)
}

/// ` FAIL  src/a.test.ts > suite > test`, also Jest's `FAIL src/a.test.js`, which has nothing below it worth reading.
fn vitest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let title = cursor.text().trim_start().strip_prefix("FAIL  ")?.trim();
    // Tests that failed alike are listed one below the other.
    let from = (1..20).find(|&at| !cursor.ahead(at).is_some_and(|text| text.trim_start().starts_with("FAIL  ")))?;
    let mut problem = error("vitest", "", None);
    let body = body(cursor, from, &mut problem, |text, _| {
        let trimmed = text.trim_start();
        trimmed.starts_with("FAIL  ") || trimmed.starts_with('⎯') || trimmed.starts_with("Test Files ")
    });
    // `|project| a.test.ts > name [ a.test.ts ]`
    let title = title.trim_start_matches('|').split_once("| ").map_or(title, |(_, rest)| rest);
    let title = title.split(" [ ").next().unwrap_or(title);
    let (file, test) = title.split_once(" > ").unwrap_or((title, ""));
    let (mut problem, kind, end) = finish(cursor, "vitest", title.to_owned(), problem, &body)?;
    if test.is_empty() {
        problem.test = None;
    }
    if problem.file.is_none() {
        problem.file = Some(file.split(':').next().unwrap_or(file).to_owned());
    }
    Some((problem, kind, end))
}

/// `  1) suite` with the test's name on the next lines up to a colon, or `1) [chromium] › a.spec.ts:3:1 › name` of Playwright.
fn mocha(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let rest = text.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    let title = rest[digits..].strip_prefix(") ")?.trim();
    if title.contains(" › ") {
        return playwright(cursor, title);
    }
    if title.starts_with("Scenario: ") || title.starts_with("Scenario Outline: ") {
        return None;
    }
    let own = indent(text);
    let mut names = vec![title.trim_end_matches(':')];
    let mut at = 1;
    if cursor.ahead(1)?.trim() == "Message:" {
        return jasmine(cursor, title);
    }
    if !title.ends_with(':') {
        loop {
            let next = cursor.ahead(at)?;
            if next.trim().is_empty() || indent(next) <= own || at > 12 {
                return None;
            }
            names.push(next.trim().trim_end_matches(':'));
            at += 1;
            if next.ends_with(':') {
                break;
            }
        }
    }
    let mut problem = error("mocha", "", None);
    let body = body(cursor, at, &mut problem, |text, has_frames| {
        let trimmed = text.trim_start();
        let after = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_next = after.len() < trimmed.len() && after.starts_with(") ") && indent(text) <= own;
        is_next || has_frames && indent(text) == 0 && !trimmed.is_empty() || text.starts_with("npm ")
    });
    if body.frames.is_empty() && !cursor.preceding().take(20).any(|(_, text)| text.trim_start().ends_with(" failing")) {
        return None;
    }
    let (mut problem, kind, end) = finish(cursor, "mocha", names.join(" > "), problem, &body)?;
    // Cypress names the file only where it begins to run it.
    if problem.file.is_none() && body.frames.iter().all(|frame| !frame.is_project) {
        let running = cursor.preceding().find_map(|(_, text)| text.trim_start().strip_prefix("Running:"));
        problem.file = running.and_then(|rest| rest.split_whitespace().next()).map(str::to_owned);
    }
    Some((problem, kind, end))
}

/// Mocha's JSON reporter: `"fullTitle": "suite test"`, then `"err": {` with the stack and the values; empty if the test passed.
fn mocha_json(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let field = |text: &str, name: &str| -> Option<String> {
        let value = text.trim().strip_prefix('"')?.strip_prefix(name)?.strip_prefix("\": ")?;
        serde_json::from_str(value.trim_end_matches(',')).ok()
    };
    let test = field(cursor.text(), "fullTitle")?;
    let (open, _) = cursor.following().take(8).find(|(_, text)| text.trim() == "\"err\": {")?;
    let own = indent(cursor.ahead(open)?);
    let (end, _) = cursor.following().skip(open).take(60).find(|(_, text)| indent(text) <= own)?;
    let value = |name: &str| {
        cursor.following().skip(open).take(end - open).find_map(|(at, text)| field(text, name).map(|value| (at, value)))
    };
    let (at, stack) = value("stack").or_else(|| value("message"))?;
    let frames: Vec<_> = stack.lines().filter(|line| line.trim_start().starts_with("at ")).filter_map(frame).collect();
    let message: Vec<_> = stack.lines().map(str::trim).take_while(|line| !line.starts_with("at ")).collect();
    let mut problem = error("mocha", &message.join(" "), frames::best(frames.into_iter()));
    if problem.file.is_none() {
        problem.file = cursor.following().take(open).find_map(|(_, text)| field(text, "file"));
    }
    problem.expected = value("expected").map(|(_, value)| value);
    problem.actual = value("actual").map(|(_, value)| value);
    problem.text_line = cursor.number(at);
    problem.test = Some(test);
    Some((problem, Kind::Test, end + 1))
}

/// `1) suite test`, `  Message:`, the message, `  Stack:`, frames.
fn jasmine(cursor: &Cursor<'_, '_>, title: &str) -> Option<(Problem, Kind, usize)> {
    let mut problem = error("jasmine", "", None);
    let body = body(cursor, 2, &mut problem, |text, _| text.trim().is_empty());
    finish(cursor, "jasmine", title.to_owned(), problem, &body)
}

fn playwright(cursor: &Cursor<'_, '_>, title: &str) -> Option<(Problem, Kind, usize)> {
    let title = title.trim_end_matches(['─', ' ', '=']);
    let mut problem = error("playwright", "", None);
    let body = body(cursor, 1, &mut problem, |text, _| {
        let trimmed = text.trim_start();
        let after = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        after.len() < trimmed.len() && after.starts_with(") ") && trimmed.contains(" › ")
            || trimmed.ends_with(" failed") && after.len() < trimmed.len()
    });
    let test = title.rsplit_once(" › ").map_or(title, |(_, name)| name);
    let (mut problem, kind, end) = finish(cursor, "playwright", test.to_owned(), problem, &body)?;
    if problem.file.is_none()
        && let Some(place) = place::first(title)
    {
        crate::block::set_place(&mut problem, place);
    }
    Some((problem, kind, end))
}

/// The spec reporter's list at the end: `test at a.test.js:3:1`, `✖ name (0.5ms)`, then the error.
fn node_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (at, place) = match text.strip_prefix("test at ") {
        Some(rest) => (1, place::first(rest)),
        None => (0, None),
    };
    let title = cursor.ahead(at)?.trim_start().strip_prefix("✖ ")?;
    if title.starts_with("failing tests") {
        return None;
    }
    let next = cursor.ahead(at + 1)?;
    if next.trim().is_empty()
        || exception_head(next).is_none() && !next.trim_start().starts_with('[') && !next.trim_start().starts_with('\'')
    {
        return None;
    }
    let mut problem = error("node:test", "", None);
    let own = indent(cursor.ahead(at)?);
    let body = body(cursor, at + 1, &mut problem, |text, has_frames| {
        text.trim().is_empty() && has_frames || !text.trim().is_empty() && indent(text) <= own
    });
    let test = title.rsplit_once(" (").map_or(title, |(name, _)| name);
    let (mut problem, kind, end) = finish(cursor, "node:test", test.to_owned(), problem, &body)?;
    if problem.file.is_none()
        && let Some(place) = place
    {
        crate::block::set_place(&mut problem, place);
    }
    Some((problem, kind, end))
}

/// `✘ [fail]: name message`, in older versions `✖ name message`, with a block titled by the name further down.
fn ava(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let (rest, is_older) = match text.strip_prefix("✘ [fail]:") {
        Some(rest) => (rest.trim(), false),
        None => (text.strip_prefix("✖ ")?.trim(), true),
    };
    let mut problem = error("ava", "", None);
    let block = cursor.following().find(|(_, text)| {
        !text.trim().is_empty() && indent(text) <= 2 && rest.starts_with(text.trim()) && text.trim().len() > 1
    });
    let Some((title_at, title)) = block else {
        // Other tools print a cross as well.
        if is_older {
            return None;
        }
        let mut problem = error("ava", rest, None);
        problem.test = Some(rest.to_owned());
        return Some((problem, Kind::Test, 1));
    };
    let mut place = None;
    let mut sentence = None;
    let mut legend = None;
    for (offset, text) in cursor.following().skip(title_at).take(60) {
        let trimmed = text.trim();
        if trimmed == "─" {
            break;
        }
        let is_exception = exception_head(trimmed).is_some() && !trimmed.ends_with('{');
        let is_sentence = sentence.is_none() && trimmed.ends_with(':') && !trimmed.contains("thrown");
        if is_exception || is_sentence {
            sentence = Some((offset, trimmed));
        }
        legend = Legend::of(trimmed).or(legend);
        if is_older && trimmed == "Difference:" {
            legend = Some(Legend::PlusIsExpected);
        }
        if let Some(legend) = &legend {
            legend.read(&mut problem, trimmed);
        }
        let found =
            place::first(trimmed).filter(|found| crate::frames::is_project_file(found.file) && !is_snippet(trimmed));
        // The last place of a block has a column.
        place =
            if place.is_none_or(|place: place::Place<'_>| place.column.is_none()) { found.or(place) } else { place };
        if place.is_some_and(|place| place.column.is_some()) && sentence.is_some() {
            break;
        }
    }
    if is_older && (sentence.is_none() || place.is_none()) {
        return None;
    }
    let (at, message) = sentence.unwrap_or((0, rest));
    let values = problem.expected.as_ref().zip(problem.actual.as_ref());
    let text = values.map_or_else(
        || message.to_owned(),
        |(expected, actual)| format!("{message} expected {expected}, actual {actual}"),
    );
    let mut named = error("ava", &text, place);
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(at);
    named.test = Some(title.trim().to_owned());
    Some((named, Kind::Test, 1))
}
