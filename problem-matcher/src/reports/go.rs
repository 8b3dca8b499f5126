//! Go: failed tests (`go test`, testify, gocheck), data races, panics with their goroutine dump, and what `go` prints about
//! packages.
//!
//! ```text
//! --- FAIL: TestAdd (0.00s)
//!     a_test.go:12: got 3, want 4
//! ```
//!
//! What a test logged follows its `--- FAIL` line; with `-v` it precedes it, under `=== RUN`, `=== CONT` or `=== NAME`
//! (`logged_above`). Of several log lines the first that reads like a failure is the message, since `t.Log` and `t.Error`
//! print alike. A panic gets the innermost frame of the project; a timeout or a deadlock dumps all goroutines, and the one
//! that runs a test is preferred. `FAIL<TAB>package` is a consequence of what was reported before it. `go test -json` is
//! unwrapped before, in `events`.

use crate::block::{error, indent, pair};
use crate::frames::{self, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::Problem;

pub(crate) const TEST: Report = Report { id: "go-test", literals: &["--- FAIL: "], find: test };
pub(crate) const GOCHECK: Report = Report { id: "gocheck", literals: &["FAIL: ", "PANIC: "], find: gocheck };
pub(crate) const RACE: Report = Report { id: "go-race", literals: &["WARNING: DATA RACE"], find: race };
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
        // What the testing package itself logs, such as a data race, has its place elsewhere.
        problem = error("go test", message, Some(place).filter(|place| is_project_file(place.file)));
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
            "error", "fail", "expect", "want", "got", "unexpected", "not ", "mismatch", "cannot", "invalid", "missing",
            "panic", "should", "must", "!=",
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
    // A panic is in the first goroutine; where all of them hang, the test is further down.
    let is_stuck = text.contains("test timed out after") || text.contains("all goroutines are asleep");
    let mut goroutines = vec![Goroutine::default()];
    let mut end = head + 1;
    for (offset, text) in cursor.following().skip(head).take(DUMP_LINES) {
        let is_open = goroutines.last().is_some_and(|goroutine| goroutine.frames.is_empty());
        if text.trim().is_empty() {
            if !is_stuck && !is_open {
                break;
            }
        } else if text.trim_start().starts_with("goroutine ") {
            goroutines.push(Goroutine::default());
        } else if is_stuck && (text.starts_with("FAIL") || text.starts_with("exit status ")) {
            break;
        } else if let Some(goroutine) = goroutines.last_mut() {
            goroutine.read(text);
        }
        end = offset + 1;
    }
    let is_project = |goroutine: &&Goroutine<'_>| goroutine.frames.iter().any(|frame| frame.is_project);
    let chosen = goroutines
        .iter()
        .find(|goroutine| is_stuck && goroutine.test.is_some() && is_project(goroutine))
        .or_else(|| goroutines.iter().find(is_project))
        .or(goroutines.first())?;
    // Since Go 1.20 a timeout lists the tests that were running.
    let running = cursor.following().take(head).find(|(_, text)| text.trim() == "running tests:");
    let running = running.and_then(|(at, _)| cursor.ahead(at + 1)?.trim().split(" (").next());
    let test = running.or(chosen.test);
    let mut problem = error("go", text, frames::best(chosen.frames.iter().copied()));
    problem.test = test.map(str::to_owned);
    Some((problem, if test.is_some() { Kind::Test } else { Kind::Exception }, end))
}

/// How many lines of a dump of goroutines are read.
const DUMP_LINES: usize = 400;

/// The frames of one goroutine, innermost first, and the test among its functions.
#[derive(Default)]
struct Goroutine<'t> {
    frames: Vec<frames::Frame<'t>>,
    test: Option<&'t str>,
}

impl<'t> Goroutine<'t> {
    fn read(&mut self, text: &'t str) {
        if let Some(found) = go_frame(text) {
            self.frames.push(found);
        } else if let Some((name, _)) = text.split_once("(0x").or_else(|| text.rsplit_once('(')) {
            // `acme.test/shop.(*Suite).TestAdd.func1`: the path of the package may have dots as well.
            let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
            self.test = name.split('.').find(|part| part.starts_with("Test")).or(self.test);
        }
    }
}

/// `WARNING: DATA RACE`, then the two accesses and where their goroutines were created, up to a rule.
fn race(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let mut accesses = Goroutine::default();
    let mut end = 1;
    for (offset, text) in cursor.following().take(DUMP_LINES).take_while(|(_, text)| !text.starts_with("=====")) {
        accesses.read(text);
        end = offset + 1;
    }
    let access = cursor.ahead(1)?.trim().trim_end_matches(':');
    let place = frames::best(accesses.frames.iter().copied());
    let mut problem = error("go", &format!("{}: {access}", cursor.text().trim()), place);
    problem.test = accesses.test.map(str::to_owned);
    Some((problem, if accesses.test.is_some() { Kind::Test } else { Kind::Exception }, end))
}

/// gocheck's `FAIL: a_test.go:15: S.TestAdd` or `PANIC: ...`, `a_test.go:16:`, the assertion, and details after `... `.
fn gocheck(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let rest = text.strip_prefix("FAIL: ").or_else(|| text.strip_prefix("PANIC: "))?;
    let head = place::first(rest).filter(|place| rest.starts_with(place.file) && place.file.ends_with(".go"))?;
    let (_, name) = rest.rsplit_once(": ")?;
    let mut problem = error("gocheck", "", Some(head));
    let mut place = None;
    let mut message: Option<(usize, String)> = None;
    let mut end = 1;
    for (offset, text) in cursor.following().take(100) {
        let is_end = ["-----", "OOPS: ", "FAIL: ", "PANIC: ", "--- "].iter().any(|start| text.starts_with(start));
        if is_end {
            break;
        }
        end = offset + 1;
        if let Some(detail) = text.strip_prefix("... ") {
            let value = || detail.split_once(" = ").map(|(_, value)| value.to_owned());
            if detail.starts_with("obtained ") || detail.starts_with("value ") {
                problem.actual = problem.actual.or_else(value);
            } else if detail.starts_with("expected ") {
                problem.expected = problem.expected.or_else(value);
            }
            match &mut message {
                Some((_, message)) => *message = format!("{message} {detail}"),
                None => message = Some((offset, detail.to_owned())),
            }
        } else if let Some(found) = place::first(text).filter(|found| text.starts_with(found.file)) {
            place = place.or(Some(found).filter(|found| found.file.ends_with(".go") && is_project_file(found.file)));
        } else if indent(text) > 0 && !text.trim_start().starts_with("in ") && message.is_none() {
            message = Some((offset, text.trim().to_owned()));
        }
    }
    let (at, message) = message?;
    problem.message = message;
    problem.text_line = cursor.number(at);
    if let Some(place) = place {
        crate::block::set_place(&mut problem, place);
    }
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, end))
}

/// `\t/src/a.go:12 +0x1d`.
fn go_frame(text: &str) -> Option<frames::Frame<'_>> {
    let found = place::first(text.trim_start())?;
    if !text.starts_with(['\t', ' ']) || !found.file.ends_with(".go") {
        return None;
    }
    // The language's own packages are in `go/src/`, as those of a GOPATH are; only the latter begin with a host.
    let is_own = |(_, package): (&str, &str)| package.split('/').next().is_some_and(|host| host.contains('.'));
    let is_runtime = found.file.contains("/src/runtime/")
        || found.file.contains("/src/testing/")
        || found.file.split_once("/go/src/").is_some_and(|parts| !is_own(parts));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_gopath_are_the_projects() {
        for (text, is_project) in [
            ("\t/home/ada/go/src/example.org/shop/cart.go:12 +0x1d", true),
            ("\t/go/src/net/http/server.go:2042 +0x44", false),
            ("\t/usr/local/go/src/runtime/panic.go:967 +0x15d", false),
        ] {
            assert_eq!(go_frame(text).map(|frame| frame.is_project), Some(is_project), "{text}");
        }
    }
}
