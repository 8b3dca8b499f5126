//! Maven: its compiler plugin, the tests that surefire ran, and the goal that failed.
//!
//! Maven puts `[ERROR] ` before its lines. A failed test is printed three times: with its exception, in the summary
//! (`T.test:12 message`) and as "There are test failures"; the merge joins the first two, the last is a consequence. Of the failed goal the
//! part after the project's name states what went wrong, unless it only points at what is above.

use super::java::{failure, is_detail, unmarked};
use crate::block::{error, indent, pair};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::{Problem, Severity};

pub(crate) const COMPILER: Report = Report { id: "maven-compiler", literals: &[":["], find: maven_compiler };
pub(crate) const SUREFIRE: Report =
    Report { id: "surefire", literals: &["<<< FAILURE!", "<<< ERROR!"], find: surefire };
pub(crate) const SUREFIRE_SUMMARY: Report =
    Report { id: "surefire-summary", literals: &["[ERROR]   ", "[ERROR]  "], find: surefire_summary };
pub(crate) const SUREFIRE_OLD: Report =
    Report { id: "surefire-2", literals: &["Failed tests:", "Tests in error:"], find: surefire_old };
pub(crate) const GOAL: Report = Report { id: "maven", literals: &["[ERROR] "], find: maven };

/// `[ERROR] /src/A.java:[12,8] cannot find symbol`, with what the symbol is on the lines below.
fn maven_compiler(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (head, rest) = text.split_once(":[")?;
    let (numbers, message) = rest.split_once(']')?;
    let (line, column) = numbers.split_once(',').unwrap_or((numbers, ""));
    let line: u64 = line.parse().ok()?;
    let file = unmarked(head).trim();
    let file = file.strip_prefix("file://").unwrap_or(file);
    if !place::is_file_name(file.rsplit(['/', '\\']).next()?) {
        return None;
    }
    let message = message.trim();
    let severity =
        if head.contains("WARN") || message.starts_with("warning:") { Severity::Warning } else { Severity::Error };
    let message = message.trim_start_matches("error: ").trim_start_matches("warning: ");
    let mut problem = error("javac", message, Some(Place { file, line: Some(line), column: column.parse().ok() }));
    problem.severity = severity;
    let mut end = 1;
    for (offset, text) in cursor.following().take(6) {
        let detail = unmarked(text);
        let trimmed = detail.trim();
        if indent(detail) < 2 || trimmed.is_empty() || detail.contains(":[") || !is_detail(trimmed) {
            break;
        }
        problem.message = format!("{} {trimmed}", problem.message);
        end = offset + 1;
    }
    Some((problem, Kind::Compile, end))
}

/// `com.acme.T.test  Time elapsed: 0.01 s  <<< FAILURE!` and the exception below it.
fn surefire(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    if text.starts_with("Tests run:") {
        // The class' total; the tests follow.
        return None;
    }
    let name = text
        .split("  Time elapsed:")
        .next()?
        .split(" Time elapsed:")
        .next()?
        .split(" -- ")
        .next()?
        .trim_end_matches(" --")
        .trim();
    let name = name.trim_end_matches(" <<< FAILURE!").trim_end_matches(" <<< ERROR!").trim();
    let found = failure(cursor, 1, true)?;
    let mut problem = error("surefire", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    lead_on(&mut problem, cursor, found.at);
    problem.test = Some(test_name(name));
    Some((problem, Kind::Test, found.end))
}

/// A head without a message of its own (`java.lang.AssertionError:`) goes on below: `Expected: ...`, `but: was ...`.
fn lead_on(problem: &mut Problem, cursor: &Cursor<'_, '_>, at: usize) {
    let mut more = Vec::new();
    for offset in at + 1..at + 8 {
        let Some(text) = cursor.ahead(offset) else { break };
        let trimmed = unmarked(text).trim();
        if trimmed.starts_with("at ") || trimmed.is_empty() && !more.is_empty() || trimmed.starts_with("Caused by") {
            break;
        }
        pair(problem, trimmed);
        if !trimmed.is_empty() {
            more.push(trimmed);
        }
    }
    pair(problem, &problem.message.clone());
    if !more.is_empty() && problem.message.len() < 160 {
        problem.message = format!("{} {}", problem.message, more.iter().take(3).copied().collect::<Vec<_>>().join(" "));
    }
}

/// `test(com.acme.T)` as `com.acme.T.test`.
fn test_name(name: &str) -> String {
    match name.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((test, class)) if class.contains('.') || class.starts_with(|c: char| c.is_uppercase()) => {
            format!("{class}.{test}")
        }
        _ => name.to_owned(),
    }
}

/// `[ERROR]   T.test:12 expected: <1> but was: <2>` of the summary, also `T.test:12->helper:7 message` and `T.test » NullPointer`.
fn surefire_summary(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().strip_prefix("[ERROR]")?;
    if indent(text) < 2 {
        return None;
    }
    let text = text.trim();
    let (name, message) = text.split_once(' ').unwrap_or((text, ""));
    let path = name.split("->").next()?;
    let (test, line) = match path.split_once(':') {
        Some((test, line)) => (test, Some(place::leading_number(line)?)),
        None if message.starts_with('»') => (path, None),
        None => return None,
    };
    let (class, method) = test.rsplit_once('.')?;
    if !class.rsplit('.').next()?.starts_with(|c: char| c.is_uppercase()) || method.is_empty() {
        return None;
    }
    let mut problem = error("surefire", message.trim_start_matches("» "), None);
    pair(&mut problem, message);
    // A matcher's message is on the lines below: `Expected: ...`, `     but: was ...`.
    if message.is_empty() {
        let below: Vec<&str> = cursor
            .following()
            .take(3)
            .map(|(_, text)| text.trim())
            .take_while(|text| !text.is_empty() && !text.starts_with('['))
            .collect();
        below.iter().for_each(|line| pair(&mut problem, line));
        problem.message = if below.is_empty() { text.to_owned() } else { below.join(" ") };
    }
    if line.is_some() {
        problem.file = Some(format!("{}.java", class.rsplit(['.', '$']).next()?));
        problem.line = line;
    }
    problem.test = Some(test.to_owned());
    Some((problem, Kind::Test, 1))
}

/// Surefire before 2.13: `Tests in error: ` and `  test(com.acme.T): message` per test, the first perhaps on the same line.
fn surefire_old(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    let rest = text.strip_prefix("Failed tests:").or_else(|| text.strip_prefix("Tests in error:"))?.trim();
    let (at, entry) = if rest.is_empty() { (1, cursor.ahead(1)?.trim()) } else { (0, rest) };
    let (name, message) = entry.split_once("): ")?;
    let (test, class) = name.split_once('(')?;
    let mut problem = error("surefire", message, None);
    pair(&mut problem, message);
    problem.text_line = cursor.number(at);
    problem.test = Some(format!("{class}.{test}"));
    Some((problem, Kind::Test, at + 1))
}

/// Maven's closing lines. The tail of the failed goal is the message, unless it only points at tests or the compiler above.
fn maven(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().strip_prefix("[ERROR] ")?.trim();
    const CLOSING: &[&str] = &[
        "Re-run Maven",
        "To see the full stack trace",
        "For more information about the errors",
        "[Help ",
        "After correcting the problems",
        "COMPILATION ERROR",
        "-> [Help",
        "Tests run:",
        "Failures:",
        "Errors:",
        "Please refer to",
        "mvn <",
        "There are test failures",
        "Failed tests:",
        "Tests in error:",
        "BUILD FAILURE",
    ];
    if CLOSING.iter().any(|closing| text.starts_with(closing)) {
        return Some((error("maven", text, None), Kind::Consequence, 1));
    }
    if let Some(rest) = text.strip_prefix("Failed to execute goal ") {
        // `... on project x: message -> [Help 1]`: the part after the project is what went wrong.
        let (_, reason) = rest.split_once(" on project ")?;
        let (_, reason) = reason.split_once(": ")?;
        let reason = reason.split(" -> [Help").next().unwrap_or(reason).trim();
        let is_pointer = [
            "There are test failures",
            "Compilation failure",
            "There was a timeout",
            "There were errors",
            "You have ",
            "There are ",
        ]
        .iter()
        .any(|start| reason.starts_with(start));
        let detail = reason.rsplit_once(" failed: ").map_or(reason, |(_, detail)| detail);
        let mut problem = error(
            "maven",
            if is_pointer { reason } else { text.split(" -> [Help").next().unwrap_or(text) },
            place::first(reason),
        );
        problem.causes = vec![detail.to_owned()];
        if let Some(path) = problem.file.is_none().then(|| place::first_path(detail)).flatten() {
            problem.file = Some(path.to_owned());
        }
        return Some((problem, if is_pointer { Kind::Consequence } else { Kind::Tool }, 1));
    }
    if let Some(rest) = text
        .strip_prefix("Non-resolvable ")
        .or_else(|| text.strip_prefix("'"))
        .or_else(|| text.strip_prefix("Malformed POM "))
    {
        let line = text
            .split_once("@ line ")
            .or_else(|| text.split_once("line "))
            .and_then(|(_, rest)| place::leading_number(rest));
        let mut problem = error("maven", text, None);
        problem.file = place::first_path(rest).map(str::to_owned).or_else(|| Some("pom.xml".to_owned()));
        problem.line = line;
        return Some((problem, Kind::Tool, 1));
    }
    None
}
