//! pytest: the block of each failure in the long, short and line forms, collection errors, and the short summary.
//!
//! A block begins with `____ test_name ____`. The message is its last group of `E` lines (of a chain, the exception that
//! ended the test); the place is the last frame of the project. The summary's `FAILED a.py::test - message` is a problem of its own,
//! which the merge joins with the block of the same test.

use crate::block::{error, set_place};
use crate::frames::{frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::Problem;

pub(crate) const BLOCK: Report = Report { id: "pytest-block", literals: &["___ "], find: block };
pub(crate) const SUMMARY: Report = Report { id: "pytest-summary", literals: &["FAILED ", "ERROR "], find: summary };
pub(crate) const LOOSE: Report = Report { id: "pytest-loose", literals: &["E  "], find: loose };

/// The title of `____ title ____`.
fn title(text: &str) -> Option<&str> {
    let inner = text.trim();
    let title = inner.trim_matches('_');
    let long = inner.len() - title.len();
    (long >= 2
        && inner.starts_with('_')
        && inner.ends_with('_')
        && title.starts_with(' ')
        && title.len() > 2
        && !title.trim().starts_with("_ "))
    .then(|| title.trim())
    .filter(|title| !title.is_empty() && title.chars().any(char::is_alphanumeric))
}

/// The title of `==== FAILURES ====`.
fn section(text: &str) -> Option<&str> {
    let title = text.strip_prefix("===")?.trim_start_matches('=').strip_suffix("===")?.trim_end_matches('=');
    (title.starts_with(' ') && title.ends_with(' ')).then(|| title.trim())
}

/// A line of the report that pytest marks with `E`.
fn marked(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix('E')?;
    (rest.starts_with("   ") || rest.is_empty()).then(|| rest.trim_end())
}

/// `a.py:8: AssertionError`, `a.py:8: in test_x`, `a.py:8:`.
fn location(text: &str) -> Option<Place<'_>> {
    if text.starts_with(' ') {
        return None;
    }
    let found = place::first(text)?;
    (text.starts_with(found.file) && found.column.is_none()).then_some(found)
}

fn block(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    // pytest-cov begins its table with the same rule.
    // tox lists its environments below one.
    let title = title(cursor.text()).filter(|title| !title.starts_with("coverage: ") && *title != "summary")?;
    // `-rP` prints what tests wrote that passed.
    if cursor.preceding().find_map(|(_, text)| section(text)).is_some_and(|section| section == "PASSES") {
        return None;
    }
    let mut message: Vec<&str> = Vec::new();
    let mut message_at = 0;
    let mut begins_group = true;
    let mut place: Option<Place<'_>> = None;
    let mut last_place = None;
    let mut is_captured = false;
    let mut end = 1;
    for (offset, text) in cursor.following() {
        if text.starts_with("====") || text.starts_with("___") && self::title(text).is_some() {
            break;
        }
        end = offset + 1;
        if text.starts_with("---") && text.contains(" Captured ") {
            is_captured = true;
        }
        if is_captured {
            continue;
        }
        if let Some(line) = marked(text) {
            if begins_group {
                message.clear();
                message_at = offset;
                begins_group = false;
            }
            message.push(line);
        } else if let Some(found) = location(text) {
            if is_project_file(found.file) {
                place = Some(found);
            }
            last_place = Some(found);
            begins_group = true;
        }
    }
    if message.is_empty()
        && let Some((at, _)) =
            cursor.following().take(end).filter(|(_, text)| text.contains("Traceback (most recent call last)")).last()
        && let Some((found, text, found_place)) = super::python::exception_at(cursor, at)
    {
        // `--tb=native` prints Python's own traceback.
        message.push(text);
        message_at = found;
        place = found_place;
    }
    let doctest = title.strip_prefix("[doctest] ").and_then(|name| {
        let (found, problem) = super::python::doctest_values(cursor, end)?;
        Some((name, found, problem))
    });
    if let Some((name, found, mut problem)) = doctest {
        problem.tool = Some("pytest".to_owned());
        problem.text_line = cursor.number(found);
        problem.test = Some(name.to_owned());
        if let Some(place) = place.or(last_place) {
            set_place(&mut problem, place);
        }
        return Some((problem, Kind::Test, end));
    }
    if message.is_empty() && last_place.is_none() {
        // An item that is no Python test reports in its own words.
        let (at, own) =
            cursor.following().take(end - 1).find(|(_, text)| !text.trim().is_empty() && !text.starts_with("[gw"))?;
        if !own.chars().any(char::is_alphanumeric) || self::title(own).is_some() || own.starts_with("---") {
            return None;
        }
        message.push(own);
        message_at = at;
    }
    let text = join(&message);
    let mut problem = error("pytest", if text.is_empty() { title } else { &text }, place.or(last_place));
    problem.text_line = cursor.number(message_at);
    let name = title
        .strip_prefix("ERROR at setup of ")
        .or_else(|| title.strip_prefix("ERROR at teardown of "))
        .unwrap_or(title);
    match name.strip_prefix("ERROR collecting ") {
        Some(file) => {
            if problem.file.is_none() {
                problem.file = Some(file.to_owned());
            }
            problem.test = Some(file.to_owned());
        }
        None => problem.test = Some(name.to_owned()),
    }
    for line in &message {
        if let Some((actual, expected)) = line
            .trim()
            .trim_start_matches("AssertionError: ")
            .strip_prefix("assert ")
            .and_then(|rest| rest.split_once(" == "))
        {
            problem.actual = Some(actual.to_owned());
            problem.expected = Some(expected.to_owned());
            break;
        }
    }
    Some((problem, Kind::Test, end))
}

/// How much of a message in several lines is taken.
const MESSAGE_BYTES: usize = 300;

/// The first lines that pytest marked, as one message.
fn join(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
        if !text.is_empty() {
            if text.len() + line.len() > MESSAGE_BYTES || text.matches('\u{1}').count() >= 3 {
                break;
            }
            text.push('\u{1}');
        }
        text.push_str(line);
    }
    text.replace('\u{1}', " ")
}

/// `FAILED a.py::test - message`, `ERROR a.py - message`.
fn summary(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let rest = text.strip_prefix("FAILED ").or_else(|| text.strip_prefix("ERROR "))?;
    let (test, message) = rest.split_once(" - ").unwrap_or((rest, ""));
    let file = test.split("::").next()?;
    let is_test_file = file.rsplit_once('.').is_some_and(|(_, extension)| {
        matches!(extension, "py" | "yaml" | "yml" | "txt" | "rst" | "md" | "ipynb" | "cfg")
    });
    if !is_test_file || file.contains(' ') {
        return None;
    }
    let mut problem = error(
        "pytest",
        if message.is_empty() { text } else { message },
        Some(Place { file, line: None, column: None }),
    );
    problem.test = Some(test.trim().to_owned());
    Some((problem, Kind::Test, 1))
}

/// `E` lines whose block was cut off above.
fn loose(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let first = marked(cursor.text()).filter(|line| !line.trim().is_empty())?;
    let mut lines = vec![first];
    let mut place = None;
    let mut end = 1;
    for (offset, text) in cursor.following().take(60) {
        if text.starts_with("====") || text.starts_with("___") {
            break;
        }
        if let Some(line) = marked(text).filter(|_| lines.len() == offset) {
            lines.push(line);
            end = offset + 1;
        } else if let Some(found) = location(text) {
            place = Some(found);
            end = offset + 1;
            break;
        }
    }
    if place.is_none() {
        // A file that could not be imported is named in the error itself.
        let named = lines
            .iter()
            .find_map(|line| line.trim().starts_with("File \"").then(|| frame(line))?.and_then(|f| f.place));
        place = named.or_else(|| cursor.preceding().find_map(|(_, text)| location(text)));
    }
    // Other tools print an `E` at the beginning of a line, too.
    let place = place.filter(|place| place.file.ends_with(".py"))?;
    let mut problem = error("pytest", &join(&lines), None);
    set_place(&mut problem, place);
    Some((problem, Kind::Test, end))
}
