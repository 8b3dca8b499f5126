//! PHP: PHPUnit (also with `--testdox`), Pest, phpspec, errors of the interpreter, Composer and Symfony's console.
//!
//! ```text
//! 1) Acme\T::testA                                              PHPUnit; the message, a blank line, `/src/T.php:12`
//! PHP Fatal error:  Uncaught Error: boom in /a/b.php:3          then `Stack trace:` and `#0 /a/c.php(7): f()`
//! ```
//!
//! `1) name` is printed by many runners; PHPUnit's name contains `::`. Expected and actual values are read from its diff
//! (`-` is expected). Fatal errors in a library get the innermost frame of the project. Of Composer's problems the reason
//! that names the conflict is the message, not the first requirement of the chain.

use crate::block::{block_lines, error, failed_test, pair, set_place};
use crate::frames::{self, Frame, frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::{Problem, Severity};

pub(crate) const PHPUNIT: Report = Report { id: "phpunit", literals: &[") "], find: phpunit };
pub(crate) const TESTDOX: Report = Report { id: "phpunit-testdox", literals: &["✘ "], find: testdox };
pub(crate) const PHPSPEC: Report = Report { id: "phpspec", literals: &["✘ "], find: phpspec };
pub(crate) const PEST: Report = Report { id: "pest", literals: &["FAILED  "], find: pest };
pub(crate) const SYMFONY: Report = Report { id: "symfony-console", literals: &[".php line "], find: symfony };
pub(crate) const COMPOSER: Report =
    Report { id: "composer-problems", literals: &["Your requirements could not be resolved"], find: composer };
pub(crate) const FATAL: Report =
    Report { id: "php", literals: &["PHP ", "Fatal error: ", "Parse error: ", "Warning: ", "Uncaught "], find: fatal };

/// ` ✘ Sums`, then `   │ Failed asserting ...` and `   │ /p/tests/CalcTest.php:5` behind a bar.
fn testdox(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().trim().strip_prefix("✘ ")?;
    let bar = |text: &'_ str| text.trim_start().starts_with(['│', '├', '┊', '┐', '┴', '╵']);
    let block = crate::block::below(cursor, 60, |text| !bar(text));
    let inner = |text: &'_ str| text.trim_start_matches(['│', '├', '┊', '┐', '┴', '╵', ' ']).to_owned();
    let inner: Vec<(usize, String)> = block.iter().map(|(offset, text)| (*offset, inner(text))).collect();
    let lines: Vec<(usize, &str)> =
        inner.iter().map(|(offset, text)| (*offset, text.as_str())).filter(|(_, text)| !text.is_empty()).collect();
    let place_of = |text: &'_ str| place::first(text).is_some_and(|found| text.starts_with(found.file));
    let said: Vec<_> = lines.iter().take_while(|(_, text)| !place_of(text)).copied().collect();
    let mut problem = failed_test("phpunit", name, &said, 2);
    for (_, text) in &said {
        diff(&mut problem, text);
    }
    let places = lines.iter().filter(|(_, text)| place_of(text)).filter_map(|(_, text)| place::first(text));
    let frames = places.map(|found| Frame { place: Some(found), is_project: is_project_file(found.file) });
    if let Some(place) = frames::best(frames) {
        set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `1) Acme\T::testA`, the message, a blank line, `/src/T.php:12`.
fn phpunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    let name = text[digits..].strip_prefix(") ")?.trim();
    let (class, method) = name.split_once("::")?;
    if class.contains(' ') || method.is_empty() {
        return None;
    }
    let mut problem = error("phpunit", "", None);
    let mut message: Vec<&str> = Vec::new();
    let mut frames = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(200) {
        let trimmed = text.trim();
        let is_next = text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(") ") && text.contains("::");
        if is_next
            || text.starts_with("FAILURES!")
            || text.starts_with("ERRORS!")
            || text == "--"
            || text.starts_with("Tests: ")
        {
            break;
        }
        end = offset + 1;
        if trimmed.is_empty() {
            continue;
        }
        if let Some(found) = place::first(trimmed).filter(|found| trimmed.starts_with(found.file)) {
            frames.push(Frame { place: Some(found), is_project: is_project_file(found.file) });
        } else if frames.is_empty() {
            message.push(trimmed);
            diff(&mut problem, trimmed);
            pair(&mut problem, trimmed);
        }
    }
    let first = *message.first()?;
    // The author's own message is printed above PHPUnit's.
    let own = message
        .get(1)
        .filter(|second| second.starts_with("Failed asserting"))
        .map(|second| format!("{first} {second}"));
    let first = own.as_deref().unwrap_or(first);
    // No other frames come before those of the failure's origin: the first is where it failed, and the
    // project's last is the test.
    let mut named = error("phpunit", first, frames::best(frames.into_iter()));
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(1);
    named.test = Some(name.split(" with data set").next().unwrap_or(name).to_owned());
    Some((named, Kind::Test, end))
}

/// PHPUnit's diff: `-'a'` is expected, `+'b'` is actual; its legend is `--- Expected`, `+++ Actual`.
fn diff(problem: &mut Problem, text: &str) {
    if let Some(value) = text.strip_prefix('-').filter(|value| !value.starts_with('-')) {
        problem.expected.get_or_insert_with(|| value.to_owned());
    } else if let Some(value) = text.strip_prefix('+').filter(|value| !value.starts_with('+')) {
        problem.actual.get_or_insert_with(|| value.to_owned());
    }
}

/// `  12  ✘ it adds`, the message indented below; the class under test is named above its examples.
fn phpspec(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (line, name) = cursor.text().trim_start().split_once("✘ ")?;
    let line = line.trim().parse::<u64>().ok()?;
    let block: Vec<_> = crate::block::below(cursor, 20, |text| text.trim().is_empty());
    let class = cursor
        .preceding()
        .map(|(_, text)| text)
        .find(|text| text.starts_with("      ") && !text.trim().is_empty() && !text.trim().contains([' ', '✘', '✔']));
    let mut problem = failed_test("phpspec", name, &block, 2);
    problem.file = class.map(|class| format!("spec/{}Spec.php", class.trim().replace('\\', "/")));
    problem.line = Some(line).filter(|_| problem.file.is_some());
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `   FAILED  Tests\Feature\T > it adds`, the message, `at tests/T.php:12`.
fn pest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = cursor.text().trim_start().strip_prefix("FAILED  ")?;
    let name = rest.split("  ").next()?.trim();
    let (at, message) = cursor.following().take(4).find(|(_, text)| !text.trim().is_empty())?;
    let place = cursor
        .following()
        .take(30)
        .find_map(|(_, text)| text.trim_start().strip_prefix("at ").and_then(place::first))?;
    let mut problem = error("pest", message, Some(place));
    problem.text_line = cursor.number(at);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, at + 1))
}

/// `In JsonFile.php line 347:`, then the message in an indented block. The file is the command's own, not the project's.
fn symfony(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = cursor.text().trim().strip_prefix("In ")?.strip_suffix(':')?;
    rest.split_once(".php line ")?.1.parse::<u64>().ok()?;
    let block: Vec<(usize, &str)> = cursor
        .following()
        .take(14)
        .skip_while(|(_, text)| text.trim().is_empty())
        .take_while(|(_, text)| text.starts_with("  ") && !text.trim().is_empty())
        .map(|(at, text)| (at, text.trim()))
        .collect();
    let &(at, first) = block.first()?;
    let message = block.iter().skip(1).map(|(_, text)| *text).take_while(|text| !text.starts_with('[')).fold(
        first.to_owned(),
        |message, text| if message.len() < 300 { format!("{message} {text}") } else { message },
    );
    let mut problem = error("symfony-console", &message, place::first(first));
    if problem.file.is_none() {
        problem.file = place::first_path(&message).map(str::to_owned);
        problem.line = message
            .split_once(" on line ")
            .and_then(|(_, rest)| place::leading_number(rest))
            .filter(|_| problem.file.is_some());
    }
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Tool, block.last()?.0 + 1))
}

/// Composer's `Your requirements could not be resolved ...`, then `  Problem 1` and its reasons.
fn composer(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let is_reason = |text: &str| text.trim_start().starts_with("- ");
    let reasons = || cursor.following().take(24).filter(|(_, text)| is_reason(text));
    // The last requirement of a chain states why the first cannot be met.
    let states = ["does not satisfy", "is missing from your system", "could not be found", "but it conflicts with"];
    let stated = reasons().find(|(_, text)| states.iter().any(|words| text.contains(words)));
    let (at, reason) = stated.or_else(|| reasons().next())?;
    let mut problem = error("composer", reason.trim_start().trim_start_matches("- "), None);
    problem.file = Some("composer.json".to_owned());
    problem.text_line = cursor.number(at);
    problem.causes = vec![cursor.text().trim().to_owned()];
    Some((problem, Kind::Tool, at + 1))
}

/// `PHP Fatal error:  Uncaught Error: boom in /a/b.php:3`, `Parse error: ... in a.php on line 3`.
fn fatal(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let (level, message) = text.strip_prefix("PHP ").unwrap_or(text).split_once(": ")?;
    let severity = match level {
        "Fatal error"
        | "Parse error"
        | "Catchable fatal error"
        | "Recoverable fatal error"
        | "Core error"
        | "Compile error" => Severity::Error,
        "Warning" | "Notice" | "Deprecated" => Severity::Warning,
        _ => return None,
    };
    let (head, tail) = message.trim().rsplit_once(" in ")?;
    let mut place = place::first(tail);
    if place.is_none() || !tail.contains(".php") && !text.starts_with("PHP ") {
        return None;
    }
    let mut end = 1;
    let mut frames = Vec::new();
    for (offset, text) in cursor.following().take(60) {
        if let Some(found) = text.trim_start().starts_with('#').then(|| frame(text)).flatten() {
            frames.push(found);
            end = offset + 1;
        } else if !text.starts_with("Stack trace") && !text.starts_with("  thrown in") {
            break;
        }
    }
    if !place.is_some_and(|place| is_project_file(place.file)) {
        place = frames::best(frames.into_iter()).or(place);
    }
    let mut problem = error("php", head, place);
    problem.severity = severity;
    Some((problem, if level == "Parse error" { Kind::Compile } else { Kind::Exception }, end))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As phpspec and Composer 1 print them.
    #[test]
    fn phpspec_and_composer_state_the_reason() {
        let text = "      App/Calc\n\n  12  ✘ it adds\n      expected [integer:3], but got [integer:2].\n\n1 specs\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.file.as_deref(), root.test.as_deref()), (Some("spec/App/CalcSpec.php"), Some("it adds")));
        let text = "Your requirements could not be resolved to an installable set of packages.\n\n  Problem 1\n    - Installation request for acme/a v1 -> satisfiable by acme/a[v1].\n    - acme/a v1 requires php ^7.1 -> your PHP version (7.0.33) does not satisfy that requirement.\n";
        let report = explain(text);
        assert!(report.problems[report.root.unwrap()].message.contains("requires php ^7.1"));
    }
}
