//! Java itself: javac, and JUnit and TestNG where they run alone or under Ant.
//!
//! javac prints a place and a message, the source line, a caret, and below it the symbol, the types or the reason: these
//! belong to the message. A failed test is an exception with frames; [`failure`] reads one, and the place is the innermost frame
//! of the project's own code. Maven and Gradle print the same exceptions in frames of their own (`maven`, `gradle`).

use crate::block::{error, exception_head, pair};
use crate::frames::{self, Frame, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::{Problem, Severity};

pub(crate) const JAVAC: Report = Report { id: "javac", literals: &[": error: ", ": warning: "], find: javac };
pub(crate) const JUNIT_CORE: Report = Report { id: "junit-core", literals: &[") "], find: junit_core };
pub(crate) const TESTNG: Report =
    Report { id: "testng", literals: &["FAILED: ", "FAILED CONFIGURATION: "], find: testng };
pub(crate) const ANT_JUNIT: Report = Report { id: "ant-junit", literals: &["Testcase: "], find: ant_junit };

/// Maven's `[ERROR] `, sbt's `[error] `, Ant's `[javac] ` before a line.
pub(super) fn unmarked(text: &str) -> &str {
    let trimmed = text.trim_start();
    match trimmed.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((mark, rest)) if mark.chars().all(|c| c.is_ascii_alphabetic()) => rest,
        _ => text,
    }
}

/// What javac prints below its message: the symbol, the location, the types, the reason.
pub(super) fn is_detail(text: &str) -> bool {
    [
        "symbol:", "location:", "required:", "found:", "reason:", "class file ", "bad class file", "Please remove",
        "symbol :", "where ", "(argument", "found :",
    ]
    .iter()
    .any(|label| text.starts_with(label))
        || text.contains("class file has wrong version")
}

/// `A.java:3: error: ';' expected` with `symbol:` and `location:` below the source line.
fn javac(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text());
    let (head, severity, message) = match text.split_once(": error: ") {
        Some((head, message)) => (head, Severity::Error, message),
        None => {
            let (head, message) = text.split_once(": warning: ")?;
            (head, Severity::Warning, message)
        }
    };
    let (file, line) = head.rsplit_once(':')?;
    let line: u64 = line.parse().ok()?;
    if ![".java", ".groovy"].iter().any(|extension| file.ends_with(extension)) {
        return None;
    }
    let mut problem = error("javac", message, Some(Place { file: file.trim(), line: Some(line), column: None }));
    problem.severity = severity;
    let mut end = 1;
    for (offset, text) in cursor.following().take(8) {
        let detail = unmarked(text);
        if let Some(before) = detail.trim_end().strip_suffix('^').filter(|before| before.trim().is_empty()) {
            problem.column = Some(before.chars().count() as u64 + 1);
            continue;
        }
        let detail = detail.trim();
        if is_detail(detail) {
            problem.message = format!("{} {detail}", problem.message);
            end = offset + 1;
        } else if place::first(detail).is_some() || detail.is_empty() {
            break;
        }
    }
    Some((problem, Kind::Compile, end))
}

/// The exception of a failed test and the frame of the project's own code.
pub(super) struct Failure<'t> {
    pub(super) head: &'t str,
    pub(super) at: usize,
    pub(super) place: Option<Place<'t>>,
    pub(super) end: usize,
}

/// Reads an exception that begins `from` lines ahead: a head, frames, causes.
pub(super) fn failure<'t>(cursor: &Cursor<'_, 't>, from: usize, strip: bool) -> Option<Failure<'t>> {
    let clean = |text: &'t str| if strip { unmarked(text) } else { text };
    let mut head = None;
    let mut frames: Vec<Frame<'t>> = Vec::new();
    let mut end = from;
    for (offset, text) in cursor.following().skip(from - 1).take(200) {
        let text = clean(text);
        let trimmed = text.trim();
        if let Some(found) = trimmed.starts_with("at ").then(|| frame(text)).flatten() {
            frames.push(found);
        } else if head.is_none() {
            if trimmed.is_empty() || trimmed.starts_with("<<<") || offset > from + 3 {
                if offset > from + 3 {
                    break;
                }
                continue;
            }
            head = Some((offset, trimmed));
        } else if let Some(cause) = trimmed.strip_prefix("Caused by: ") {
            // The deepest cause is the reason, unless it is the runner's own.
            head = Some((offset, cause));
            frames.clear();
        } else if !frames.is_empty() && (trimmed.is_empty() || !trimmed.starts_with("...")) {
            break;
        } else if frames.is_empty() && trimmed.is_empty() && offset > from + 1 {
            // A message in several lines may hold blank ones; the frames end it.
        }
        end = offset + 1;
        if frames.is_empty() && offset > from + 60 {
            break;
        }
    }
    let (at, head) = head?;
    // The last frame of the project is the test; the first is where it went wrong.
    Some(Failure { head, at, place: frames::best(frames.into_iter()), end })
}

/// Ant's `Testcase: testA took 0.01 sec`, then `FAILED` or `Caused an ERROR`, the message and the frames.
fn ant_junit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (_, rest) = cursor.text().split_once("Testcase: ")?;
    let name = rest.split([' ', ':', '(']).next()?;
    let next = unmarked(cursor.ahead(1)?).trim();
    if next != "FAILED" && next != "Caused an ERROR" {
        return None;
    }
    let found = failure(cursor, 2, true)?;
    let mut problem = error("junit", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    pair(&mut problem, found.head);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, found.end))
}

/// JUnit 4 by itself: `1) sums(acme.CalcTest)`, the exception and its frames.
fn junit_core(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (number, name) = cursor.text().trim().split_once(") ")?;
    let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (method, class) = name.strip_suffix(')')?.split_once('(').filter(|_| is_numbered)?;
    if method.contains(' ')
        || class.contains(' ')
        || !cursor.following().take(12).any(|(_, text)| text.trim().starts_with("at "))
    {
        return None;
    }
    let found = failure(cursor, 1, true)?;
    let mut problem = error("junit", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    pair(&mut problem, found.head);
    problem.test = Some(method.to_owned());
    Some((problem, Kind::Test, found.end))
}

/// `FAILED: sums`, `FAILED: com.acme.CartTest.sums(1, 2)` or `FAILED CONFIGURATION: @BeforeMethod setUp`, then the exception.
fn testng(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    let name = match text.strip_prefix("FAILED CONFIGURATION: @") {
        Some(rest) => rest.split_once(' ')?.1,
        None => text.strip_prefix("FAILED: ")?,
    };
    exception_head(unmarked(cursor.ahead(1)?))?;
    let found = failure(cursor, 1, true)?;
    let mut problem = error("testng", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    pair(&mut problem, found.head);
    problem.test = Some(name.split('(').next().unwrap_or(name).trim().to_owned());
    Some((problem, Kind::Test, found.end))
}
