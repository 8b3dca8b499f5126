//! Rust: rustc's diagnostics as text and as JSON, panics (in programs, `cargo test` and nextest), cargo's errors with their
//! causes.
//!
//! ```text
//! error[E0308]: mismatched types                        then `  --> src/main.rs:4:18`
//! thread 'tests::x' panicked at src/a.rs:3:5:           since Rust 1.73; before: `panicked at 'message', src/a.rs:3:5`
//! ```
//!
//! JSON is that of `--message-format json` and `--error-format json`. Ruff, ty, typos and zizmor print rustc's layout as
//! well, so the tool is left open where the file is neither `.rs` nor `.toml`. A panic inside a library gets the first
//! project frame of its backtrace. The innermost cause of cargo's `Caused by:` chain completes the message. `TOTALS` are
//! cargo's lines that only state that something failed: they are consequences.

use crate::block::{error, pair};
use crate::frames::{frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::{Problem, Severity};
use serde_json::Value;

pub(crate) const JSON: Report =
    Report { id: "rustc-json", literals: &["\"compiler-message\"", "\"$message_type\":\"diagnostic\""], find: json };
pub(crate) const COMPILER: Report =
    Report { id: "rustc", literals: &["error[", "error: ", "warning: ", "warning["], find: compiler };
pub(crate) const CARGO: Report = Report { id: "cargo", literals: &["error: ", "× "], find: cargo };
pub(crate) const OVERFLOW: Report =
    Report { id: "rust-stack-overflow", literals: &["has overflowed its stack"], find: overflow };
pub(crate) const PANIC: Report = Report { id: "rust-panic", literals: &["panicked at "], find: panic };
pub(crate) const TEST: Report = Report { id: "cargo-test", literals: &[" stdout ----", " stderr ----"], find: test };
pub(crate) const NEXTEST: Report =
    Report { id: "nextest", literals: &["FAIL [", "SIGABRT [", "SIGSEGV [", "TIMEOUT ["], find: nextest };

/// `error[E0308]: mismatched types` and the arrow below it.
fn compiler(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let (head, message) = text.split_once(": ")?;
    let (level, code) = match head.split_once('[') {
        Some((level, code)) => (level, code.strip_suffix(']')),
        None => (head, None),
    };
    let severity = match level {
        "error" | "error: internal compiler error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    let (at, place) = cursor.following().take(4).find_map(|(at, text)| {
        let arrow = text.trim_start().strip_prefix("--> ").or_else(|| text.trim_start().strip_prefix("╭▸ "))?;
        Some((at, place::first(arrow)?))
    })?;
    let mut problem = error("rustc", message, Some(place));
    // Ruff, ty, typos and zizmor print the same layout for other files.
    if !place.file.ends_with(".rs") && !place.file.ends_with(".toml") {
        problem.tool = None;
    }
    problem.severity = severity;
    problem.code = code.map(str::to_owned);
    let mut end = at + 1;
    for (offset, text) in cursor.following().skip(at).take(60) {
        let trimmed = text.trim_start();
        // `7 |   code`, `  |`, `  = note: ...`, `...`
        let is_snippet = trimmed.starts_with(['|', '='])
            || trimmed.starts_with("...")
            || trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with('|');
        if !is_snippet {
            break;
        }
        // Lints name themselves: `= note: `#[warn(unused_imports)]` on by default`, `= help: ... #clippy_lint`.
        if problem.code.is_none()
            && let Some((_, rest)) = trimmed.split_once("#[").filter(|_| trimmed.starts_with("= note"))
            && let Some((_, lint)) = rest.split_once('(')
        {
            problem.code = lint.split_once(')').map(|(lint, _)| lint.to_owned());
        }
        end = offset + 1;
    }
    Some((problem, Kind::Compile, end))
}

/// One message of `--message-format json` or `--error-format json`.
fn json(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let value: Value = serde_json::from_str(cursor.text().trim()).ok()?;
    let message = if value["reason"] == "compiler-message" { &value["message"] } else { &value };
    let mut problem = error("rustc", message["message"].as_str()?, None);
    problem.severity = match message["level"].as_str()? {
        "warning" => Severity::Warning,
        "error" | "error: internal compiler error" => Severity::Error,
        // `For more information about this error, try ...`
        "failure-note" => return None,
        _ => Severity::Note,
    };
    problem.code = message["code"]["code"].as_str().map(str::to_owned);
    let spans = message["spans"].as_array()?;
    let span = spans.iter().find(|span| span["is_primary"] == true).or(spans.first());
    if let Some(span) = span {
        problem.file = span["file_name"].as_str().map(str::to_owned);
        problem.line = span["line_start"].as_u64();
        problem.column = span["column_start"].as_u64();
        problem.end_line = span["line_end"].as_u64();
        problem.end_column = span["column_end"].as_u64();
    }
    let is_total = problem.file.is_none()
        && (problem.message.starts_with("aborting due to") || problem.message.contains("warnings emitted"));
    Some((problem, if is_total { Kind::Consequence } else { Kind::Compile }, 1))
}

/// What cargo prints after the compiler has printed the reason.
const TOTALS: &[&str] = &[
    "could not compile",
    "aborting due to",
    "test failed, to rerun",
    "process didn't exit successfully",
    "doctest failed",
    "test run failed",
    "`cargo ",
    "build failed",
    "could not document",
    "recipe `",
];

/// `error: ...` of cargo and of tools in its style, with `Caused by:` below.
fn cargo(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let message = text.strip_prefix("error: ").or_else(|| text.trim_start().strip_prefix("× "))?;
    if TOTALS.iter().any(|total| message.contains(total)) {
        return Some((error("cargo", message, None), Kind::Consequence, 1));
    }
    let mut causes = Vec::new();
    let mut end = 1;
    let mut expects_cause = false;
    for (offset, text) in cursor.following().take(60) {
        let trimmed = text.trim();
        if trimmed == "Caused by:" {
            expects_cause = true;
        } else if let Some(cause) = ["cause: ", "Caused by: ", "╰─▶ ", "├─▶ ", "caused by: "]
            .iter()
            .find_map(|label| trimmed.strip_prefix(label))
        {
            causes.push((offset, cause.to_owned()));
        } else if let Some((_, cause)) = causes.last_mut().filter(|_| text.starts_with("    ") && !expects_cause) {
            // A cause in several lines.
            cause.push(' ');
            cause.push_str(trimmed.trim_start_matches(['│', ' ']));
        } else if trimmed.starts_with("hint: ") && is_answer(trimmed) {
            // A resolver's hint that a server refused to answer is more specific than what could not be resolved without it.
            causes.push((offset, trimmed.to_owned()));
        } else if expects_cause && !trimmed.is_empty() {
            causes.push((offset, trimmed.to_owned()));
            expects_cause = false;
        } else if !trimmed.is_empty() && !text.starts_with(' ') {
            break;
        }
        if !causes.is_empty() {
            end = offset + 1;
        }
    }
    let (at, deepest) = causes.pop()?;
    let mut problem = error("cargo", &format!("{}: {deepest}", message.trim_end_matches(':')), place::first(&deepest));
    problem.text_line = cursor.number(at);
    problem.causes =
        std::iter::once(message).chain(causes.iter().map(|(_, cause)| cause.as_str())).map(str::to_owned).collect();
    // TOML errors point at a place on the lines after.
    if problem.file.is_none() {
        problem.file = std::iter::once(message)
            .chain(causes.iter().map(|(_, cause)| cause.as_str()))
            .find_map(place::first_path)
            .map(str::to_owned);
        problem.line = deepest.split_once("at line ").and_then(|(_, rest)| place::leading_number(rest));
    }
    Some((problem, Kind::Tool, end))
}

/// Whether a hint states that a server refused to answer.
fn is_answer(hint: &str) -> bool {
    ["(401", "(403", "(404", "(5", "could not be queried", "network"].iter().any(|word| hint.contains(word))
}

/// `thread 'x' panicked at src/a.rs:3:5:` with the message below, or the older form with everything on one line.
fn panic(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (before, after) = text.split_once("panicked at ")?;
    let mut end = 1;
    let mut lines = Vec::new();
    let (mut place, first) = match after.strip_prefix('\'') {
        Some(old) => {
            // The message may be on several lines; the place follows the closing quote.
            match old.rsplit_once("', ") {
                Some((message, rest)) => (place::first(rest), message.to_owned()),
                None => {
                    let (at, (last, rest)) = cursor
                        .following()
                        .take(30)
                        .find_map(|(at, text)| text.rsplit_once("', ").map(|parts| (at, parts)))?;
                    lines = (1..at).filter_map(|offset| cursor.ahead(offset)).chain([last]).collect();
                    end = at + 1;
                    (place::first(rest), old.to_owned())
                }
            }
        }
        None => {
            let found = place::first(after)?;
            for (offset, text) in cursor.following().take(40) {
                let is_end = text.trim().is_empty() && offset > 1
                    || text.starts_with("note: ")
                    || text.starts_with("stack backtrace:")
                    || text.starts_with("----")
                    || text.starts_with("thread '");
                if is_end {
                    break;
                }
                lines.push(text);
                end = offset + 1;
            }
            (Some(found), if lines.is_empty() { String::new() } else { lines.remove(0).trim().to_owned() })
        }
    };
    // The backtrace belongs to the panic; its project frame is the place where the panic is in a library.
    let from = end;
    let mut caller = None;
    for (offset, text) in cursor.following().skip(from - 1).take(200) {
        let trimmed = text.trim_start();
        let is_symbol = trimmed
            .split_once(": ")
            .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
        let found = trimmed.starts_with("at ").then(|| frame(text)).flatten();
        let is_part = found.is_some()
            || is_symbol
            || trimmed.starts_with("stack backtrace:")
            || trimmed.starts_with("note: ")
            || trimmed.is_empty() && offset == from;
        if !is_part {
            break;
        }
        caller = caller.or(found.filter(|found| found.is_project));
        end = offset + 1;
    }
    if place.is_some_and(|place| !is_project_file(place.file)) {
        place = caller.and_then(|found| found.place).or(place);
    }
    let message = if first.is_empty() { text.trim() } else { &first };
    let mut problem = error("rust", message, place);
    problem.text_line = cursor.number(usize::from(!after.starts_with('\'') && !first.is_empty()));
    for line in &lines {
        pair(&mut problem, line);
    }
    if !lines.is_empty() && problem.expected.is_some() {
        problem.message =
            std::iter::once(message).chain(lines.iter().map(|line| line.trim())).take(4).collect::<Vec<_>>().join(" ");
    }
    problem.test = test_of(cursor, before);
    Some((problem.clone(), if problem.test.is_some() { Kind::Test } else { Kind::Exception }, end))
}

/// `thread 'tests::x' has overflowed its stack`: no panic, and nothing more is printed about it.
fn overflow(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let thread = text.strip_suffix(" has overflowed its stack")?.strip_prefix("thread '")?.split('\'').next()?;
    let mut problem = error("rust", text, None);
    problem.test = test_of(cursor, text);
    let is_test = problem.test.is_some() || !matches!(thread, "main" | "<unknown>" | "<unnamed>");
    if is_test {
        problem.test.get_or_insert_with(|| thread.to_owned());
    }
    Some((problem, if is_test { Kind::Test } else { Kind::Exception }, 1))
}

/// The test that panicked: the heading of its output, else the thread, which has the test's name.
fn test_of(cursor: &Cursor<'_, '_>, before: &str) -> Option<String> {
    for (_, text) in cursor.preceding().take(40) {
        if let Some(name) = heading(text) {
            return Some(name.to_owned());
        }
        if text.starts_with("test result:") {
            break;
        }
    }
    let thread = before.split_once("thread '")?.1.split('\'').next()?;
    let is_name = thread.contains("::") || thread.starts_with("test");
    (is_name && !matches!(thread, "main" | "<unnamed>") && !thread.contains(' ')).then(|| thread.to_owned())
}

/// The test's name in `---- name stdout ----`.
fn heading(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---- ")?;
    rest.strip_suffix(" stdout ----").or_else(|| rest.strip_suffix(" stderr ----"))
}

/// A test whose output has no panic: it returned an error.
fn test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = heading(cursor.text())?;
    let mut last = None;
    for (offset, text) in cursor.following().take(200) {
        if text.contains("panicked at ") {
            return None;
        }
        if text == "failures:" || heading(text).is_some() {
            break;
        }
        if let Some(message) = text.strip_prefix("Error: ") {
            last = Some((offset, message));
        } else if last.is_none() && !text.trim().is_empty() {
            last = Some((offset, text.trim()));
        }
    }
    let (at, message) = last?;
    let mut problem = error("rust", message, place::first(message).or_else(|| doctest_place(name)));
    problem.text_line = cursor.number(at);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}

/// The place in `src/lib.rs - f (line 12)`.
fn doctest_place(name: &str) -> Option<Place<'_>> {
    let (file, rest) = name.split_once(" - ")?;
    let (_, line) = rest.split_once("(line ")?;
    Some(Place { file, line: place::leading_number(line), column: None })
}

/// `FAIL [   0.005s] crate tests::name`.
fn nextest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let (head, rest) = text.split_once('[')?;
    let (time, name) = rest.split_once("] ")?;
    if !time.trim().ends_with('s') || head.contains(' ') && head.trim().contains(' ') {
        return None;
    }
    let name = name.rsplit_once(") ").map_or(name, |(_, name)| name).trim();
    let mut problem = error("nextest", text, None);
    problem.test = Some(name.rsplit(' ').next().unwrap_or(name).to_owned());
    Some((problem, Kind::Test, 1))
}
