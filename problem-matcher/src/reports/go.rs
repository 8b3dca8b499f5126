//! Go: failed tests (also testify's), panics with their goroutine dump, and what `go` prints about packages that failed.

use crate::block::{error, indent, pair};
use crate::frames::{self, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::Problem;

pub(crate) const TEST: Report = Report { id: "go-test", literals: &["--- FAIL: "], find: test };
pub(crate) const PANIC: Report = Report { id: "go-panic", literals: &["panic: ", "fatal error: "], find: panic };
pub(crate) const IMPORTS: Report = Report { id: "go-imports", literals: &[" imports"], find: imports };
pub(crate) const PACKAGE: Report = Report { id: "go-package", literals: &["FAIL\t"], find: package };

/// `    a_test.go:12: message`.
fn log_line(text: &str) -> Option<(Place<'_>, &str)> {
    let trimmed = text.trim_start();
    let found = place::first(trimmed)?;
    if !trimmed.starts_with(found.file) || !found.file.ends_with(".go") || indent(text) == 0 {
        return None;
    }
    // A place without a colon after it is a frame, not a log line.
    if !trimmed[found.file.len()..]
        .trim_start_matches(|c: char| c == ':' && !c.is_ascii_digit())
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .starts_with(':')
    {
        return None;
    }
    let message =
        trimmed[found.file.len()..].trim_start_matches([':', ' ']).trim_start_matches(|c: char| c.is_ascii_digit());
    Some((found, message.trim_start_matches(':').trim()))
}

fn test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (_, rest) = cursor.text().split_once("--- FAIL: ")?;
    let name = rest.split(" (").next().unwrap_or(rest).trim();
    let own = indent(cursor.text());
    // What the test logged follows; with `-v` it precedes.
    let mut lines: Vec<(usize, &str, bool)> = Vec::new();
    for (offset, text) in cursor.following().take(200) {
        let is_end = indent(text) <= own && !text.trim().is_empty()
            || text.trim_start().starts_with("--- ")
            || text.starts_with("===");
        if is_end {
            break;
        }
        lines.push((offset, text, false));
    }
    if !lines.iter().any(|(_, text, _)| log_line(text).is_some() || text.trim_start().starts_with("Error Trace:")) {
        let is_parent =
            cursor.ahead(1).is_some_and(|text| text.trim_start().starts_with("--- FAIL: ") && indent(text) > own);
        if is_parent {
            // Its subtests are reported below.
            return None;
        }
        lines = logged_above(cursor, name);
    }
    // The last log line is what made `t.Fatal` end the test; the first of several `t.Error` is as informative.
    let start = lines
        .iter()
        .position(|(_, text, _)| log_line(text).is_some_and(|(_, message)| reads_like_failure(message)))
        .or_else(|| lines.iter().rposition(|(_, text, _)| log_line(text).is_some()));
    let mut problem = error("go test", cursor.text(), None);
    if let Some(start) = start {
        let (offset, text, is_above) = lines[start];
        let (place, message) = log_line(text)?;
        let detail: Vec<&str> =
            lines[start + 1..].iter().map(|(_, text, _)| *text).take_while(|text| log_line(text).is_none()).collect();
        problem = error("go test", message, Some(place));
        problem.text_line = if is_above { cursor.number_back(offset) } else { cursor.number(offset) };
        testify(&mut problem, &detail);
        if problem.message.is_empty() || problem.message.ends_with(':') && problem.message.len() < 60 {
            let head = if problem.message.is_empty() { cursor.text().trim() } else { "" };
            let more = detail.iter().map(|text| text.trim()).find(|text| !text.is_empty()).unwrap_or(head);
            problem.message = format!("{} {more}", problem.message).trim().to_owned();
        }
    }
    if start.is_none() && lines.iter().any(|(_, text, _)| text.trim_start().starts_with("Error Trace:")) {
        let detail: Vec<&str> = lines.iter().map(|(_, text, _)| *text).collect();
        testify(&mut problem, &detail);
    }
    problem.test = Some(name.to_owned());
    let consumed = lines.iter().filter(|(_, _, is_above)| !is_above).map(|(offset, ..)| offset + 1).max().unwrap_or(1);
    // A test that panicked has its problem in the panic below.
    Some((problem, Kind::Test, consumed))
}

/// With `-v`, what a test logged is above, under `=== RUN   name`, `=== CONT  name` or `=== NAME  name`.
fn logged_above<'t>(cursor: &Cursor<'_, 't>, name: &str) -> Vec<(usize, &'t str, bool)> {
    let mut section = Vec::new();
    let mut own = Vec::new();
    for (offset, text) in cursor.preceding() {
        match text.trim_start().strip_prefix("=== ") {
            Some(head) => {
                let is_own = head.split_whitespace().nth(1) == Some(name);
                if is_own {
                    own.append(&mut section);
                }
                section.clear();
                if is_own && head.starts_with("RUN") {
                    break;
                }
            }
            // The parents of a subtest are reported just above it, those before them are other tests.
            None if text.trim_start().starts_with("--- ") => {
                let reported = text.trim_start()[4..]
                    .split_once(": ")
                    .map_or("", |(_, rest)| rest.split(" (").next().unwrap_or(rest));
                let shares_parent = reported.split('/').next() == name.split('/').next();
                if !shares_parent {
                    break;
                }
            }
            None => section.push((offset, text, true)),
        }
    }
    own.reverse();
    own
}

fn reads_like_failure(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    message.is_empty()
        || [
            "error",
            "fail",
            "expect",
            "want",
            "got",
            "unexpected",
            "not ",
            "mismatch",
            "cannot",
            "invalid",
            "missing",
            "panic",
            "should",
            "must",
            "!=",
        ]
        .iter()
        .any(|word| lower.contains(word))
}

/// testify's table of `Error Trace:`, `Error:`, `Test:`, `Messages:`.
fn testify(problem: &mut Problem, detail: &[&str]) {
    let field = |name: &str| detail.iter().position(|text| text.trim_start().starts_with(name));
    let Some(at) = field("Error:") else { return };
    let mut message = detail[at].trim_start().trim_start_matches("Error:").trim().to_owned();
    for text in &detail[at + 1..] {
        let trimmed = text.trim();
        if ["Test:", "Messages:", "Diff:", "Error Trace:"].iter().any(|name| trimmed.starts_with(name))
            || trimmed.is_empty()
        {
            break;
        }
        pair(problem, trimmed);
        if message.len() < 300 {
            message.push(' ');
            message.push_str(trimmed);
        }
    }
    if let Some(at) = field("Messages:") {
        message = format!("{message} ({})", detail[at].trim_start().trim_start_matches("Messages:").trim());
    }
    if let Some(at) = field("Error Trace:")
        && let Some(place) = place::first(detail[at].trim_start().trim_start_matches("Error Trace:").trim())
    {
        crate::block::set_place(problem, place);
    }
    problem.message = message;
}

/// `panic: message`, the goroutines below it, and the frame of the project.
fn panic(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    if !text.starts_with("panic: ") && !text.starts_with("fatal error: ") {
        return None;
    }
    let (head, _) = cursor
        .following()
        .take(30)
        .find(|(_, text)| text.starts_with("goroutine ") || text.trim_start().starts_with("goroutine "))?;
    let mut end = head + 1;
    let mut frames = Vec::new();
    let mut test = None;
    for (offset, text) in cursor.following().skip(head).take(120) {
        if text.trim().is_empty() && !frames.is_empty() {
            break;
        }
        if let Some(found) = go_frame(text) {
            frames.push(found);
        } else if let Some((name, _)) = text.split_once("(0x").or_else(|| text.split_once('('))
            && let Some((_, function)) = name.rsplit_once('.')
            && function.starts_with("Test")
        {
            test = Some(function.to_owned());
        }
        end = offset + 1;
    }
    let mut problem = error("go", text, frames::best(frames.into_iter()));
    problem.test = test.clone();
    Some((problem, if test.is_some() { Kind::Test } else { Kind::Exception }, end))
}

/// `\t/src/a.go:12 +0x1d`.
fn go_frame(text: &str) -> Option<frames::Frame<'_>> {
    let found = place::first(text.trim_start())?;
    if !text.starts_with(['\t', ' ']) || !found.file.ends_with(".go") {
        return None;
    }
    let is_runtime =
        found.file.contains("/src/runtime/") || found.file.contains("/src/testing/") || found.file.contains("/go/src/");
    Some(frames::Frame { place: Some(found), is_project: is_project_file(found.file) && !is_runtime })
}

/// `go: a imports`, `<TAB>b imports`, `<TAB>c: missing go.sum entry ...`: the last states what is wrong.
fn imports(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if !text.ends_with(" imports") || text.split_whitespace().count() > 3 {
        return None;
    }
    let (at, last) = cursor.following().take(12).find(|(_, text)| !text.trim().ends_with(" imports"))?;
    let last = last.trim();
    if !last.contains(": ") {
        return None;
    }
    let mut problem = error("go", last, None);
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Tool, at + 1))
}

/// `FAIL<TAB>package<TAB>0.5s` only counts tests; `[build failed]` and `[setup failed]` follow their reason.
fn package(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = cursor.text().strip_prefix("FAIL\t")?;
    Some((error("go test", &format!("FAIL {}", rest.replace('\t', " ")), None), Kind::Consequence, 1))
}
