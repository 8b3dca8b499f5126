//! Java and its relatives: javac, Maven (compiler plugin, surefire, the failed goal), Gradle (failed tests, what went wrong), Ant,
//! ScalaTest and TestNG.

use crate::block::{error, exception_head, indent, pair, set_place};
use crate::frames::{self, Frame, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::{Problem, Severity};

pub(crate) const MAVEN_COMPILER: Report = Report { id: "maven-compiler", literals: &[":["], find: maven_compiler };
pub(crate) const JAVAC: Report = Report { id: "javac", literals: &[": error: ", ": warning: "], find: javac };
pub(crate) const SUREFIRE: Report =
    Report { id: "surefire", literals: &["<<< FAILURE!", "<<< ERROR!"], find: surefire };
pub(crate) const SUREFIRE_SUMMARY: Report =
    Report { id: "surefire-summary", literals: &["[ERROR]   ", "[ERROR]  "], find: surefire_summary };
pub(crate) const SUREFIRE_OLD: Report =
    Report { id: "surefire-2", literals: &["Failed tests:", "Tests in error:"], find: surefire_old };
pub(crate) const MAVEN_GOAL: Report = Report { id: "maven", literals: &["[ERROR] "], find: maven };
pub(crate) const GRADLE_TEST: Report = Report { id: "gradle-test", literals: &[" FAILED"], find: gradle_test };
pub(crate) const GRADLE: Report = Report { id: "gradle", literals: &["* What went wrong:"], find: gradle };
pub(crate) const SCALATEST: Report = Report { id: "scalatest", literals: &["*** FAILED ***"], find: scalatest };
pub(crate) const JUNIT_CORE: Report = Report { id: "junit-core", literals: &[") "], find: junit_core };
pub(crate) const TESTNG: Report =
    Report { id: "testng", literals: &["FAILED: ", "FAILED CONFIGURATION: "], find: testng };
pub(crate) const ANT_JUNIT: Report = Report { id: "ant-junit", literals: &["Testcase: "], find: ant_junit };

/// Maven's `[ERROR] `, sbt's `[error] `, Ant's `[javac] ` before a line.
fn unmarked(text: &str) -> &str {
    let trimmed = text.trim_start();
    match trimmed.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((mark, rest)) if mark.chars().all(|c| c.is_ascii_alphabetic()) => rest,
        _ => text,
    }
}

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

/// What javac prints below its message: the symbol, the location, the types, the reason.
fn is_detail(text: &str) -> bool {
    [
        "symbol:",
        "location:",
        "required:",
        "found:",
        "reason:",
        "class file ",
        "bad class file",
        "Please remove",
        "symbol :",
        "where ",
        "(argument",
        "found :",
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
struct Failure<'t> {
    head: &'t str,
    at: usize,
    place: Option<Place<'t>>,
    end: usize,
}

/// Reads an exception that begins `from` lines ahead: a head, frames, causes.
fn failure<'t>(cursor: &Cursor<'_, 't>, from: usize, strip: bool) -> Option<Failure<'t>> {
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

/// `com.acme.T.test  Time elapsed: 0.01 s  <<< FAILURE!` and the exception below it.
fn surefire(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    if text.starts_with("Tests run:") {
        // The class' total; the tests follow.
        return None;
    }
    let name = text.split("  Time elapsed:").next()?.split(" Time elapsed:").next()?.split(" -- ").next()?.trim();
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

/// `com.acme.T > adds FAILED` and the exception below it.
fn gradle_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let name = text.strip_suffix(" FAILED")?;
    if !name.contains(" > ") || name.starts_with("> Task") {
        return None;
    }
    let found = failure(cursor, 1, false)?;
    if indent(cursor.ahead(found.at)?) == 0 {
        return None;
    }
    let mut problem = error("gradle", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    // Gradle prints `java.lang.AssertionError at T.java:12` on one line.
    if let Some((head, place)) =
        found.head.rsplit_once(" at ").and_then(|(head, rest)| place::first(rest).map(|place| (head, place)))
    {
        problem.message = head.to_owned();
        if problem.file.is_none() {
            set_place(&mut problem, place);
        }
    }
    pair(&mut problem, found.head);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, found.end))
}

/// `* What went wrong:` with the reasons below, each deeper one after a `>`.
fn gradle(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if !cursor.text().trim_start().starts_with("* What went wrong:") {
        return None;
    }
    let mut reasons: Vec<(usize, &str)> = Vec::new();
    for (offset, text) in cursor.following().take(40) {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with("* ") {
            break;
        }
        if let Some(deeper) = trimmed.strip_prefix("> ") {
            reasons.push((offset, deeper));
        } else if reasons.is_empty() {
            reasons.push((offset, trimmed));
        }
    }
    let &(first_at, first) = reasons.first()?;
    let mut place = None;
    let mut end = first_at + 1;
    // `Build file '/x/build.gradle' line: 3` is above, the deepest reason last.
    for (_, text) in cursor.preceding().take(6) {
        if let Some(rest) = text.trim().strip_prefix("Build file '").or_else(|| text.trim().strip_prefix("Script '")) {
            let (file, rest) = rest.split_once('\'')?;
            place = Some(Place {
                file,
                line: rest.split_once("line: ").and_then(|(_, line)| place::leading_number(line)),
                column: None,
            });
        }
    }
    let is_pointer = |text: &str| {
        text.contains("There were failing tests")
            || text.contains("Compilation failed; see")
            || text.contains("Compilation error. See log")
            || text.contains("finished with non-zero exit value")
            || text.contains("See the report at")
    };
    let &(at, deepest) =
        reasons.iter().rev().find(|(_, reason)| !reason.starts_with("Run with")).unwrap_or(&(first_at, first));
    end = end.max(at + 1);
    let mut problem = error("gradle", deepest, place::first(deepest).or(place));
    if problem.file.is_none() {
        problem.file = place::first_path(deepest).map(str::to_owned);
    }
    problem.text_line = cursor.number(at);
    problem.causes =
        reasons.iter().filter(|(offset, _)| *offset != at).map(|(_, reason)| (*reason).to_owned()).collect();
    let kind = if is_pointer(deepest) || exception_head(deepest).is_some() && is_pointer(first) {
        Kind::Consequence
    } else {
        Kind::Tool
    };
    Some((problem, kind, end))
}

/// `- name *** FAILED ***` and the message with its place below.
fn scalatest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    let name = text
        .strip_suffix("*** FAILED ***")
        .or_else(|| text.split_once(" *** FAILED ***").map(|(name, _)| name))?
        .trim()
        .trim_start_matches("- ");
    let (at, message) = cursor.following().take(4).find(|(_, text)| !unmarked(text).trim().is_empty())?;
    let message = unmarked(message).trim();
    let own_place = message.rsplit_once(" (").and_then(|(_, rest)| place::first(rest));
    let place = own_place.or_else(|| failure(cursor, at, true).and_then(|found| found.place)).or_else(|| {
        cursor
            .following()
            .take(6)
            .find_map(|(_, text)| unmarked(text).rsplit_once('(').and_then(|(_, rest)| place::first(rest)))
    });
    let mut problem = error(
        "scalatest",
        message.rsplit_once(" (").filter(|_| own_place.is_some()).map_or(message, |(message, _)| message),
        place,
    );
    problem.text_line = cursor.number(at);
    // The suite's name is above its tests, ending in a colon.
    let suite = cursor.preceding().find_map(|(_, text)| {
        let line = unmarked(text);
        (line.ends_with(':') && !line.starts_with(' ') && !line.contains(' '))
            .then(|| line.trim_end_matches(':').to_owned())
    });
    problem.test = Some(suite.map_or_else(|| name.to_owned(), |suite| format!("{suite} > {name}")));
    Some((problem, Kind::Test, at + 1))
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
