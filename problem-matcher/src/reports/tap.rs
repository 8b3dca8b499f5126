//! The Test Anything Protocol (TAP), what Perl's Test::More and bats print beside it, and JUnit XML in the output.
//!
//! ```text
//! not ok 3 - adds            TAP; then an indented YAML block (node:test, tape, tap) or `#` lines (bats, busted)
//! #   Failed test 'adds'     Test::More on standard error; then `#   at t/a.t line 3.`
//! ```
//!
//! Producers agree on the `not ok` line and on little below it, so the block is searched for known keys (`error:`, `at:`,
//! `location:`, `file:` and `line:`) without a YAML parser. `# TODO` and `# SKIP` are no failures, and neither is a suite
//! whose subtests failed. For another producer add its keys in `tap`. JUnit XML is matched by line: a log may hold any part
//! of a document.

use crate::block::{error, pair, set_place};
use crate::frames::{self, frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const TAP: Report = Report { id: "tap", literals: &["not ok "], find: tap };
pub(crate) const TEST_MORE: Report =
    Report { id: "test-more", literals: &["#   Failed test", "# Failed test"], find: test_more };
pub(crate) const BATS: Report = Report { id: "bats", literals: &["✗ "], find: bats };
pub(crate) const JUNIT_XML: Report = Report { id: "junit-xml", literals: &["<failure", "<error"], find: junit_xml };

/// What Perl's Test::More writes to standard error, which is all that `prove` shows of a failure: `#   Failed test 'name'`,
/// `#   at t/a.t line 3.`, `#          got: '7'`.
fn test_more(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let body = |text: &'_ str| text.trim_start().strip_prefix('#').map(|rest| rest.trim().to_owned());
    let head = body(cursor.text())?;
    let title = head.strip_prefix("Failed test")?.trim_end_matches('.').trim();
    let mut problem = error("prove", "", None);
    let mut end = 1;
    let mut values = Vec::new();
    for (offset, text) in cursor.following().take(8) {
        let Some(text) = body(text).filter(|text| !text.starts_with("Failed test") && !text.starts_with("Looks like"))
        else {
            break;
        };
        end = offset + 1;
        if let Some(place) = text.strip_prefix("at ").and_then(perl_place) {
            set_place(&mut problem, place);
        } else if !text.is_empty() {
            pair(&mut problem, &text);
            values.push(text);
        }
    }
    if let Some(place) = title.strip_prefix("at ").and_then(perl_place).filter(|_| problem.file.is_none()) {
        set_place(&mut problem, place);
    } else if title.starts_with('\'') {
        problem.test = Some(title.trim_matches('\'').to_owned());
    }
    problem.message =
        std::iter::once(head.as_str()).chain(values.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    problem.message = crate::telling::shorten(&problem.message);
    Some((problem, Kind::Test, end))
}

/// `t/a.t line 3.`
fn perl_place(text: &str) -> Option<place::Place<'_>> {
    let (file, line) = text.rsplit_once(" line ")?;
    Some(place::Place { file, line: place::leading_number(line), column: None })
}

/// `not ok 3 - name`, followed by a YAML block or by `#` lines.
fn tap(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = cursor.text().trim_start().strip_prefix("not ok ")?;
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', '-']).trim();
    if name.to_ascii_uppercase().contains("# TODO") || name.to_ascii_uppercase().contains("# SKIP") {
        return None;
    }
    let mut problem = error("tap", "", None);
    let mut frames = Vec::new();
    let mut message: Option<(usize, String)> = None;
    let mut wants_line = false;
    let mut end = 1;
    let (mut file, mut line) = (None, None);
    for (offset, text) in cursor.following().take(120) {
        let trimmed = text.trim();
        // node-tap's `at:` is a mapping of its own.
        file = file.or_else(|| trimmed.strip_prefix("file: "));
        line = line.or_else(|| place::leading_number(trimmed.strip_prefix("line: ")?));
        if trimmed.starts_with("ok ")
            || trimmed.starts_with("not ok ")
            || trimmed == "..."
            || !text.starts_with([' ', '#', '\t']) && !trimmed.is_empty()
        {
            break;
        }
        end = offset + 1;
        let body = trimmed.trim_start_matches('#').trim();
        if let Some(found) = frame(body) {
            frames.push(found);
        }
        if wants_line && !body.is_empty() {
            message = Some((offset, body.to_owned()));
            wants_line = false;
        } else if let Some(value) = ["error:", "message:", "Failed test "].iter().find_map(|key| body.strip_prefix(key))
        {
            let value = value.trim().trim_matches(['\'', '"']);
            if value.is_empty() || value.starts_with("|-") || value.starts_with(">-") || value == "|" || value == ">" {
                wants_line = true;
            } else if message.is_none() {
                message = Some((offset, value.to_owned()));
            }
        } else if let Some(at) = ["at:", "location:", "at "].iter().find_map(|key| body.strip_prefix(key)) {
            if let Some(place) = place::first(at).filter(|_| problem.file.is_none()) {
                set_place(&mut problem, place);
            }
        } else if let Some(said) = body.strip_prefix("Failure message: ") {
            // busted puts the place before the message.
            if let Some(place) = place::first(said).filter(|place| said.starts_with(place.file)) {
                set_place(&mut problem, place);
            }
            message = Some((offset, said.to_owned()));
        } else if body.starts_with("(in test") || body.starts_with("(from ") {
            // bats: `# (in test file a.bats, line 5)`, then the command that failed.
            if let Some(place) = place::first(body.trim_start_matches("(in test file ").trim_end_matches(')'))
                .or_else(|| bats_place(body))
            {
                set_place(&mut problem, place);
            }
        } else if (trimmed.starts_with('#') || offset == 1 && !trimmed.starts_with("---"))
            && message.is_none()
            && !body.is_empty()
        {
            // Mocha prints the message below the name, without a block of YAML.
            message = Some((offset, body.to_owned()));
        }
        pair(&mut problem, body);
    }
    if let Some(file) = file.filter(|_| problem.file.is_none() && line.is_some()) {
        set_place(&mut problem, place::Place { file, line, column: None });
    }
    // A suite fails because a test inside it failed, which was reported above it.
    if message.as_ref().is_some_and(|(_, text)| text.ends_with("subtest failed") || text.ends_with("subtests failed")) {
        return None;
    }
    let (at, text) = message.unwrap_or((0, name.to_owned()));
    if let Some(found) =
        frames::best(frames.into_iter()).filter(|found| problem.file.is_none() || is_project_file(found.file))
    {
        set_place(&mut problem, found);
    }
    problem.message = text;
    problem.text_line = cursor.number(at);
    // tape and its relatives name the test in a comment above its assertions.
    let comment =
        cursor.back(1).and_then(|text| text.strip_prefix("# ")).filter(|comment| !comment.starts_with("Subtest"));
    problem.test = Some(comment.map_or_else(|| name.to_owned(), |comment| format!("{comment} > {name}")))
        .filter(|name| !name.is_empty());
    // node:test fails a file because a test in it failed.
    let is_file = problem.message == "test failed" && place::is_file_name(name);
    Some((problem, if is_file { Kind::Consequence } else { Kind::Test }, end))
}

fn bats_place(text: &str) -> Option<place::Place<'_>> {
    let (before, after) = text.split_once(", line ")?;
    let file = before.rsplit(' ').next()?;
    place::is_file_name(file).then_some(place::Place { file, line: place::leading_number(after), column: None })
}

/// ` ✗ name`, `   (in test file a.bats, line 5)`, `     `[ 1 -eq 2 ]' failed`.
fn bats(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    // Where the terminal's cursor was moved back, the count of the tests is printed before the mark.
    let (_, name) = cursor.text().split_once("✗ ")?;
    let (at, text) =
        cursor.following().take(3).find(|(_, text)| text.contains(", line ") && text.trim_start().starts_with('('))?;
    let message = cursor.ahead(at + 1)?.trim();
    let mut problem = error("bats", message, bats_place(text.trim()));
    problem.text_line = cursor.number(at + 1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, at + 2))
}

/// The value of an XML attribute.
fn attribute<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let key = format!(" {name}=\"");
    let (_, rest) = text.split_once(&key)?;
    rest.split_once('"').map(|(value, _)| value)
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&#10;", " ")
        .replace("&amp;", "&")
}

/// `<testcase name= classname= ...>` with `<failure message=...>` inside.
fn junit_xml(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let start = text.find("<failure").or_else(|| text.find("<error"))?;
    if text[start..].starts_with("<errors") {
        return None;
    }
    let case = if text[..start].contains("<testcase") {
        text
    } else {
        cursor.preceding().take(20).find(|(_, text)| text.contains("<testcase"))?.1
    };
    // Several test cases may be on one line; the last before the failure is its own.
    let before = if text[..start].contains("<testcase") { &text[..start] } else { case };
    let case = &before[before.rfind("<testcase")?..];
    let tag = &text[start..];
    let mut body: Vec<&str> = Vec::new();
    let mut end = 1;
    if let Some((_, inner)) = tag.split_once('>') {
        body.push(inner.split("</").next().unwrap_or(inner).trim());
    }
    if !tag.contains("</") && !tag.ends_with("/>") {
        for (offset, text) in cursor.following().take(80) {
            body.push(text.split("</").next().unwrap_or(text));
            if text.contains("</") {
                // The next failure may begin on the line where this one ends.
                end = if text.contains("<failure") || text.contains("<error") { offset } else { offset + 1 };
                break;
            }
            end = offset + 1;
        }
    }
    let message = attribute(tag, "message")
        .filter(|message| !message.is_empty())
        .or_else(|| body.iter().copied().map(str::trim).find(|line| !line.is_empty()))?;
    let mut problem = error("junit", &unescape(message), None);
    // Frames name functions as `&lt;anonymous&gt;`.
    let body: Vec<String> = body.iter().map(|line| unescape(line)).collect();
    let place = frames::best(body.iter().filter_map(|line| frame(line)))
        .or_else(|| body.iter().find_map(|line| place::first(line)))
        .or_else(|| {
            attribute(case, "file").map(|file| place::Place {
                file,
                line: attribute(case, "line").and_then(place::leading_number),
                column: None,
            })
        });
    if let Some(place) = place {
        set_place(&mut problem, place);
    }
    let name = unescape(attribute(case, "name")?);
    problem.test =
        Some(match attribute(case, "classname").filter(|class| !class.is_empty() && !name.contains(class)) {
            Some(class) => format!("{} > {name}", unescape(class)),
            None => name,
        });
    Some((problem, Kind::Test, end))
}
