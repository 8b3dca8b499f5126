//! What a text states in which no known format was found: the failing test, the message, the values and the place.
//!
//! In: the lines of the phase that ended the run. Out: one problem. Tools that are not in any table still word their reports alike:
//! a test is marked as failed (`✗ name`, `name ... FAILED`, `not ok 3 - name`) and explained below the mark; a message
//! has its place beside it, in the frames and arrows below it or in the heading above it. [`problem`] first looks for a marked
//! test ([`failed_test`]) and takes the message from its block; without one, the most informative line of all
//! ([`telling`]) is the message. To support another mark add it to [`PREFIXES`] or [`SUFFIXES`]; for another way of pointing
//! at a place add it to [`POINTERS`] or to `place`.

use crate::block::{begins, indent, pair, set_place};
use crate::frames::{self, frame, is_project_file};
use crate::lines::Line;
use crate::place::{self, Place};
use crate::telling;
use recovery_types::{Problem, Severity};

/// What comes before the name of a failed test. Those that are not `true` are also used for other things than tests, and count
/// only where the text reports on tests.
#[rustfmt::skip]
const PREFIXES: &[(&str, bool)] = &[
    ("--- FAIL: ", true), ("not ok ", true), ("[  FAILED  ] ", true), ("[FAIL] ", true), ("[FAILED] ", true), ("[fail] ", true), ("[Fail] ", true), ("[Failed] ", true),
    ("Test failed: ", true), ("test failed: ", true), ("Failed test: ", true), ("FAILED TEST: ", true), ("Failing test: ", true), ("Failed Test: ", true), ("TEST FAILED: ", true), ("### Failure in: ", true), ("### Error in: ", true), ("Failure in ", true), ("Failure in: ", true), ("Error in ", false), ("Error in: ", false),
    ("FAIL: ", false), ("FAILED: ", false), ("FAIL ", false), ("FAILED ", false), ("FAIL - ", false), ("FAILED - ", false), ("FAILURE: ", false), ("Failure: ", false), ("Failed: ", false), ("FAIL! ", false),
    ("✗ ", false), ("✕ ", false), ("✘ ", false), ("× ", false), ("✖ ", false), ("❌ ", false), ("❌", false), ("✗", false), ("[-] ", false), ("(F) ", false), ("[F] ", false), ("🔴 ", false), ("⨯ ", false), ("☒ ", false),
];

/// What comes after the name of a failed test.
#[rustfmt::skip]
const SUFFIXES: &[(&str, bool)] = &[
    ("... FAILED", true), ("... FAIL", true), ("... failed", true), ("... Failed", true), ("... fail", true), ("... ERROR", true), ("...FAILED", true), ("...FAIL", true), ("...failed", true), ("... not ok", true), ("... NOT OK", true), (".. FAILED", true), (".. FAIL", true),
    (" [FAIL]", true), (" [FAILED]", true), (" [ FAIL ]", true), (" [ FAILED ]", true), (" (FAILED)", true), (" (FAIL)", true), (" <<< FAILURE!", true), (" <<< FAIL", true), ("*** FAILED ***", true),
    (": FAILED", false), (": FAIL", false), (": failed", false), (" - FAILED", false), (" - FAIL", false), (" FAILED", false), (" FAIL", false), (" -> FAILED", false), (" => FAILED", false), (" ✗", false), (" ✘", false), (" ✖", false), (" ❌", false), (" failed", false), (" FAILED!", false), (": Failed", false),
];

/// What begins a line that points at the place of the message above it.
#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "--> ", "-> ", "at ", "in ", "In ", "File ", "file ", "on line ", "from ", "┌─ ", "╭─[", ",-[", "[", "(", "==> ", "=> ", "@ ", "location: ",
    "Location: ", "file: ", "File: ", "source: ", "Source: ", "path: ", "Path: ", "defined at ", "declared at ", "called from ", "line ", "Line ", "❯ ", "# ", "position: ", "where: ",
];

/// The lines below a mark that may belong to it.
const BLOCK_LINES: usize = 60;
/// How many marks are looked at.
const MAX_MARKS: usize = 200;
/// For how many marks the whole text is searched for a report under another heading.
const MAX_TITLES: usize = 8;
/// How far from a message its place may be.
const LINES_BELOW: usize = 8;
const LINES_ABOVE: usize = 4;
/// How many points less than the error above it a cause may have.
const CAUSE_POINTS: i32 = 4;
/// How far below an error its causes may be.
const CAUSE_LINES: usize = 200;
/// How far above a message without a file the heading with its file may be.
const HEADING_LINES: usize = 30;

/// The problem that `lines` state; without points for `least`, see [`telling::best_line`].
pub(crate) fn problem(lines: &[&Line<'_>], least: i32) -> Option<Problem> {
    failed_test(lines).or_else(|| {
        let at = telling::best_line(lines, least)?;
        let tells = |cause: &usize| telling::points(lines[*cause]) + CAUSE_POINTS >= telling::points(lines[at]);
        let at = deepest_cause(lines, at).filter(tells).unwrap_or(at);
        let mut problem = telling::problem_of(lines, at);
        for line in lines.iter().skip(at + 1).take(LINES_BELOW) {
            pair(&mut problem, line.text);
        }
        if problem.line.is_none()
            && let Some(place) = place_near(lines, at)
        {
            set_place(&mut problem, place);
        }
        Some(problem)
    })
}

/// What the lines around a known problem state about it: the name of the test that it made fail, and its place.
pub(crate) fn complete(lines: &[&Line<'_>], problem: &mut Problem) {
    let Some(number) = problem.text_line else { return };
    let at = lines.partition_point(|line| u64::from(line.number) < number);
    if at >= lines.len() {
        return;
    }
    let marks = marks(lines);
    let above = marks.iter().rev().find(|mark| mark.at < at && at - mark.at <= BLOCK_LINES);
    // Some runners put the name below the report.
    let below = || marks.iter().find(|mark| mark.at >= at && mark.at - at <= LINES_BELOW);
    problem.test = above.or_else(below).map(|mark| mark.name.clone());
    if problem.file.is_none()
        && let Some(place) = place_near(lines, at).filter(|place| place.line.is_some())
    {
        set_place(problem, place);
    }
}

/// A line that marks a test as failed.
struct Mark {
    at: usize,
    name: String,
}

/// The first test that is marked as failed and explained, as a problem.
fn failed_test(lines: &[&Line<'_>]) -> Option<Problem> {
    let marks = marks(lines);
    let explained = marks.iter().enumerate().find_map(|(index, mark)| {
        let below = Some(block(lines, mark));
        // These look through all lines.
        let elsewhere = (index < MAX_TITLES).then(|| [block_titled(lines, mark), block_above(lines, mark)]);
        below.into_iter().chain(elsewhere.into_iter().flatten().flatten()).find_map(|block| {
            let message = message_of(lines, mark, &block)?;
            Some((mark, block, message))
        })
    });
    let Some((mark, block, message)) = explained else {
        // Only marked: what is beside the mark or what the text states otherwise is the message.
        let mark = marks.first()?;
        let beside = lines[mark.at].text.split_once(&format!("{} - ", mark.name));
        let at = telling::best_line(lines, telling::LIKELY_POINTS).filter(|at| *at != mark.at).unwrap_or(mark.at);
        let mut problem = telling::problem_of(lines, at);
        if let Some((_, message)) = beside.filter(|(_, message)| message.contains(' ')) {
            problem = Problem::new(Severity::Error, telling::shorten(message.trim()));
            problem.text_line = Some(u64::from(lines[mark.at].number));
            problem.file = place::first_path(mark.name.split("::").next().unwrap_or(&mark.name)).map(str::to_owned);
        }
        problem.test = Some(mark.name.clone());
        if problem.file.is_none()
            && let Some(place) = place_near(lines, at).or_else(|| place::first(lines[mark.at].text))
        {
            set_place(&mut problem, place);
        }
        return Some(problem);
    };
    let mut problem = Problem::new(Severity::Error, telling::shorten(&message.1));
    problem.test = Some(mark.name.clone());
    problem.text_line = Some(u64::from(lines[message.0].number));
    for line in &lines[block.clone()] {
        pair(&mut problem, line.text);
    }
    let frames = lines[block.clone()].iter().filter_map(|line| frame(line.text));
    let own = |line: &&Line<'_>| place::first(line.text).is_some_and(|place| is_project_file(place.file));
    // A place beside the message, else a frame, else any other.
    let beside = Some(lines[message.0]).filter(own).and_then(|line| place::first(line.text));
    let any = || lines[block.clone()].iter().find(|line| own(line)).and_then(|line| place::first(line.text));
    if let Some(place) =
        beside.or_else(|| frames::best(frames)).or_else(any).or_else(|| place::first(lines[mark.at].text))
    {
        set_place(&mut problem, place);
    }
    if problem.file.is_none() {
        // `FAIL src/sum.test.js`: the test is named by its file.
        problem.file = place::first_path(&mark.name).filter(|path| *path == mark.name).map(str::to_owned);
    }
    Some(problem)
}

/// All marks; none where the text does not report on tests.
fn marks(lines: &[&Line<'_>]) -> Vec<Mark> {
    let mut sure = Vec::new();
    let mut unsure = Vec::new();
    let mut reports_tests = false;
    let mut lists_failures = false;
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        reports_tests = reports_tests || telling::is_count(text) || is_passed(text);
        if is_failure_heading(text) {
            (lists_failures, reports_tests) = (true, true);
            continue;
        }
        let listed = || listed(lines, at, lists_failures);
        if let Some((name, is_sure)) = marked(text).map(|(name, is_sure)| (name.to_owned(), is_sure)) {
            if is_sure {
                sure.push(Mark { at, name: name.clone() });
            }
            unsure.push(Mark { at, name });
        } else if let Some(name) = listed() {
            if lists_failures {
                sure.push(Mark { at, name: name.clone() });
            }
            unsure.push(Mark { at, name });
        }
        if unsure.len() >= MAX_MARKS {
            break;
        }
    }
    if reports_tests { unsure } else { sure }
}

/// A heading below which failed tests are listed: `Failures:`, `=== FAILURES ===`, `There were 2 failures:`, `2 failing`.
fn is_failure_heading(text: &str) -> bool {
    const HEADINGS: &[&str] = &[
        "failures", "failure", "failed tests", "failing tests", "failed", "failing", "errors", "test failures",
        "failed test", "failed scenarios", "failures and errors", "failed examples", "errors and failures",
        "there was failure", "there were failures", "there was error", "there were errors", "failed specs",
        "summary of failures", "failed assertions", "test failed", "tests failed",
    ];
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    if text.len() > 60 {
        return false;
    }
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(5).map(str::to_ascii_lowercase).collect();
    HEADINGS.contains(&words.join(" ").as_str())
}

/// The name of a test in a list of failures: between rules (`____ name ____`), with a number (`1) name`) or a bullet; outside such a
/// list only with a number, or between rules after a word for a failure.
fn listed(lines: &[&Line<'_>], at: usize, lists_failures: bool) -> Option<String> {
    let text = lines[at].text.trim();
    let is_rule = |c: char| matches!(c, '_' | '=' | '-' | '─' | '━' | '*' | '⎯');
    let inner = text.trim_matches(is_rule);
    if text.len() - inner.len() >= 6 && text.starts_with(is_rule) && text.ends_with(is_rule) {
        // `── Failure (a_test.x:6:3): name ──`
        let inner = inner.trim();
        let kind = ["Failure ", "Error ", "FAIL ", "FAILED ", "Failure: ", "Error: "]
            .iter()
            .find_map(|kind| inner.strip_prefix(kind));
        let named = kind.map(|rest| rest.split_once("): ").map_or(rest, |(_, name)| name));
        return named.or_else(|| lists_failures.then_some(inner)).and_then(test_name).map(str::to_owned);
    }
    if let Some(rest) =
        ["● ", "• ", "* "].iter().filter(|_| lists_failures).find_map(|bullet| text.strip_prefix(bullet))
    {
        return test_name(rest).map(str::to_owned);
    }
    let rest = text.trim_start_matches('#').trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest
        .strip_prefix([')', '.', ':'])
        .filter(|rest| rest.starts_with(' ') && text.starts_with(|c: char| c.is_ascii_digit() || c == '#'))?;
    let mut name = test_name(rest)?.to_owned();
    // The name of a nested test goes on below, up to a colon.
    let own = indent(lines[at].text);
    let below: Vec<&str> = (at + 1..lines.len().min(at + 6))
        .take_while(|&next| lines[next].number == lines[next - 1].number + 1 && indent(lines[next].text) > own)
        .map(|next| lines[next].text.trim())
        .collect();
    if let Some(last) = below.iter().position(|text| text.ends_with(':')).filter(|_| !rest.ends_with(':')) {
        for part in &below[..=last] {
            name.push_str(" > ");
            name.push_str(part.trim_end_matches(':'));
        }
    }
    Some(name)
}

/// The name of the test that a line marks as failed, and whether the mark is used for nothing else.
fn marked(text: &str) -> Option<(&str, bool)> {
    let text = text.trim_start_matches(['>', '│', '┌', '└', ' ']);
    let prefixed = PREFIXES
        .iter()
        .filter(|(prefix, _)| begins(text, prefix))
        .find_map(|(prefix, is_sure)| Some((text.strip_prefix(prefix)?, *is_sure)));
    if telling::is_count(text) {
        return None;
    }
    let marked = prefixed.or_else(|| {
        let bare = without_duration(text);
        SUFFIXES.iter().find_map(|(suffix, is_sure)| Some((bare.strip_suffix(suffix)?, *is_sure)))
    });
    let (name, is_sure) = marked?;
    test_name(name).map(|name| (name, is_sure))
}

/// Whether a line marks a test as passed.
fn is_passed(text: &str) -> bool {
    ["✓ ", "✔ ", "√ ", "ok 1", "ok 2", "PASS ", "PASS:", "[PASS]", "[OK]", "[ OK ]", "[       OK ]", "✅ ", "[+] "]
        .iter()
        .any(|mark| begins(text, mark))
        || ["... ok", "... OK", "... passed", "... PASSED", " PASSED", ": PASS", " [PASS]", " [OK]", "...ok"]
            .iter()
            .any(|mark| text.ends_with(mark))
}

/// `adds` of `adds (12 ms)`, `adds [0.05s]` and `adds 12ms`.
fn without_duration(text: &str) -> &str {
    let text = text.trim_end();
    let is_duration = |word: &str| {
        let word = word.trim_matches(['(', ')', '[', ']', ',']);
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '<' || c == '~');
        word.len() > digits.len()
            && matches!(digits.trim_start(), "ms" | "s" | "sec" | "secs" | "seconds" | "m" | "us" | "µs")
    };
    if let Some(open) = text.rfind(['(', '['])
        && text.ends_with([')', ']'])
        && is_duration(&text[open..].replace(' ', ""))
    {
        return text[..open].trim_end();
    }
    match text.rsplit_once(' ') {
        Some((rest, last)) if last.ends_with('s') && is_duration(last) => rest.trim_end(),
        _ => text,
    }
}

/// The name in what is left beside a mark, unless it is a total, a message or a target of a build.
fn test_name(text: &str) -> Option<&str> {
    let text = text.trim();
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    // `{0} name` states the worker.
    let text = text
        .split_once("} ")
        .filter(|(worker, _)| worker.starts_with('{') && worker.len() < 5)
        .map_or(text, |(_, name)| name);
    let text = if numbered.len() < text.len() && numbered.starts_with([' ', ')', '.', ':', '-']) {
        numbered.trim_start_matches([' ', ')', '.', ':', '-'])
    } else {
        text
    };
    // `a_test.py::test_a - assert 4 == 5` carries its message.
    let text = text.split_once(" - ").filter(|(name, _)| name.contains("::")).map_or(text, |(name, _)| name);
    let name = without_duration(text).trim_end_matches(['.', ' ', ':', '-']);
    let lower = name.to_ascii_lowercase();
    const NO_NAMES: &[&str] = &[
        "test", "tests", "build", "some tests", "compilation", "overall", "result", "status", "total", "summary",
        "suite", "test suite", "check",
    ];
    const MESSAGES: &[&str] = &[
        "cannot ", "could not", "couldn't", "unable to", "error:", "no such", "not found", "failed to", "exit code",
        "exited with", "exit status", "test result", "tests run", "http://", "https://", " of ", "problem", "errors",
        "warnings", "command ", "process ", "job ", "step ", "connection ", "download", "build ", "compil", "install",
        "http ", "stage ", "assert", "expect", "passed", "skipped",
    ];
    let is_count = lower.starts_with(|c: char| c.is_ascii_digit()) && telling::is_count(text);
    let is_name = (2..=200).contains(&name.len())
        && name.chars().any(char::is_alphabetic)
        && !is_count
        && name.split_whitespace().count() <= 14
        && !NO_NAMES.contains(&lower.as_str())
        && !MESSAGES.iter().any(|part| lower.contains(part))
        && !name.ends_with([';', '{', '}']);
    is_name.then_some(name)
}

/// The lines that explain a mark: up to the next mark, a line that marks a test as passed, or a total.
fn block(lines: &[&Line<'_>], mark: &Mark) -> std::ops::Range<usize> {
    let own = indent(lines[mark.at].text);
    let from = mark.at + 1;
    let mut is_after_blank = false;
    let mut end = from;
    for (at, line) in lines.iter().enumerate().skip(from).take(BLOCK_LINES) {
        let text = line.text.trim();
        let is_other = marked(text).is_some() || is_failure_heading(text) || is_passed(text) || telling::is_count(text);
        // What is less indented after a gap is about something else.
        let is_outside = is_after_blank && end > from && indent(line.text) < own;
        if is_other || is_outside {
            break;
        }
        is_after_blank = lines.get(at + 1).is_some_and(|next| next.number > line.number + 1);
        end = at + 1;
    }
    from..end
}

/// The lines below the title under which the test is explained further down.
fn block_titled(lines: &[&Line<'_>], mark: &Mark) -> Option<std::ops::Range<usize>> {
    let is_title = |line: &&Line<'_>| line.text.contains(&mark.name) && line.text.len() < mark.name.len() + 120;
    let at = mark.at + 1 + lines[mark.at + 1..].iter().position(is_title)?;
    Some(block(lines, &Mark { at, name: mark.name.clone() }))
}

/// The lines above a mark that comes last: from where the test was begun, or from the heading of its report.
fn block_above(lines: &[&Line<'_>], mark: &Mark) -> Option<std::ops::Range<usize>> {
    let last = mark.name.rsplit(['/', ':', ' ', '>']).find(|part| part.len() > 2)?;
    let from =
        lines[..mark.at].iter().rposition(|line| line.text.contains(last) && marked(line.text.trim()).is_none())?;
    let first = Mark { at: from, name: mark.name.clone() };
    let block = block(lines, &first);
    (!block.is_empty()).then(|| block.start..block.end.min(mark.at))
}

/// The message in the block of a mark and where it begins: the line that reads most like one, with the values below it.
fn message_of(lines: &[&Line<'_>], mark: &Mark, block: &std::ops::Range<usize>) -> Option<(usize, String)> {
    let is_message = |text: &str| {
        frame(text).is_none()
            && text.chars().any(char::is_alphanumeric)
            && text.contains([' ', '=', '<', ':', '('])
            && !is_source(text)
            && !begins(text, ">  ")
            && !telling::looks_like_code(text)
            && !text.contains(&mark.name)
            && !["[ RUN", "=== ", "Running ", "running ", "Traceback", "Stack", "---"]
                .iter()
                .any(|start| begins(text, start))
            && !matches!(text.trim_end_matches(':'), "Message" | "Details" | "Failure" | "Error" | "Failures")
    };
    let of_block = || block.clone().filter(|&at| is_message(body(lines[at].text)) && points(lines[at]) >= -1);
    let best = of_block().max_by_key(|&at| (points(lines[at]), std::cmp::Reverse(at)))?;
    let mut best = deepest_cause(lines, best).filter(|at| block.contains(at)).unwrap_or(best);
    // Of values that are compared line by line the first begins the message.
    while best > block.start
        && asserts(lines[best].text)
        && asserts(lines[best - 1].text)
        && is_message(body(lines[best - 1].text))
    {
        best -= 1;
    }
    let mut message = body(lines[best].text).to_owned();
    // A line that compares is followed by what it compared.
    for at in best + 1..(best + 4).min(block.end) {
        let text = body(lines[at].text);
        let goes_on = is_message(text) && lines[at].number == lines[at - 1].number + 1 && place::first(text).is_none();
        if !goes_on || message.len() > 200 {
            break;
        }
        message.push(' ');
        message.push_str(text);
    }
    Some((best, message))
}

/// What begins the cause of the error above it.
const CAUSES: &[&str] = &[
    "Caused by: ", "caused by: ", "Caused: ", "[cause]: ", "cause: ", "Cause: ", "---> ", "Root cause: ",
    "root cause: ", "╰─▶ ", "└─▶ ", "╰─> ", "Reason: ", "reason: ", "because: ", "Because ",
];

/// The last cause given below the error at `at`, past frames and what is indented.
fn deepest_cause(lines: &[&Line<'_>], at: usize) -> Option<usize> {
    let mut deepest = None;
    for (next, line) in lines.iter().enumerate().skip(at + 1).take(CAUSE_LINES) {
        let text = line.text.trim_start().trim_start_matches(['|', '│', '×', ' ']);
        if CAUSES.iter().any(|cause| begins(text, cause)) {
            deepest = Some(next);
        } else if text.trim_end() == "Caused by:" {
            deepest = (next + 1 < lines.len()).then_some(next + 1);
        } else if frame(line.text).is_none() && indent(line.text) == 0 && !text.starts_with("...") {
            break;
        }
    }
    deepest
}

/// How much a line in a test's block reads like its message.
fn points(line: &Line<'_>) -> i32 {
    let points = telling::points(line);
    if asserts(line.text) { points.clamp(0, 6) + 4 } else { points }
}

/// Whether a line has the words of an assertion.
fn asserts(text: &str) -> bool {
    const ASSERTS: &[&str] = &[
        "expect", "assert", "should", "actual", "got", "differ", "equal", "but was", "mismatch", "!=", "≠", " want",
        "obtained", "received",
    ];
    let lower = text.to_ascii_lowercase();
    ASSERTS.iter().any(|word| lower.contains(word))
}

/// A line without the mark of a comment, as TAP has it.
fn body(text: &str) -> &str {
    text.trim().trim_start_matches("# ").trim()
}

/// A numbered line of source, or the mark below one.
fn is_source(text: &str) -> bool {
    let rest = text.trim_start_matches(['>', ' ']).trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    rest.starts_with(['|', '│', '^'])
}

/// The place of the message at `at`: beside it, in what points at it below, or in the heading above it.
fn place_near<'t>(lines: &[&Line<'t>], at: usize) -> Option<Place<'t>> {
    let text = lines[at].text;
    if let Some(found) = place::first(text) {
        return Some(found);
    }
    let bare = place::bare(text);
    if let Some((line, column)) = bare {
        let file = place::first_path(text).or_else(|| heading_above(lines, at))?;
        return Some(Place { file, line: Some(line), column });
    }
    let below = || lines.iter().skip(at + 1).take(LINES_BELOW);
    if let Some(found) = frames::best(below().filter_map(|line| frame(line.text))) {
        return Some(found);
    }
    // Python and its likes print the frames first, the innermost last.
    let traced = lines[..at].iter().rev().take(CAUSE_LINES).take_while(|line| indent(line.text) > 0);
    if let Some(found) = frames::best(traced.filter_map(|line| frame(line.text))) {
        return Some(found);
    }
    let pointed = below().map(|line| line.text.trim().trim_start_matches(['|', '│', ' '])).find_map(|text| {
        let found = place::first(text).filter(|place| is_project_file(place.file))?;
        (POINTERS.iter().any(|pointer| text.starts_with(pointer)) || text.starts_with(found.file)).then_some(found)
    });
    let above = || lines[..at].iter().rev().take(LINES_ABOVE).map(|line| line.text.trim());
    let headed = || {
        above().find_map(|text| {
            let found = place::first(text).filter(|place| is_project_file(place.file))?;
            let is_pointer = text.starts_with(found.file) || POINTERS.iter().any(|pointer| text.starts_with(pointer));
            (is_pointer || text.ends_with(':') || text.contains(" at ")).then_some(found)
        })
    };
    let named = || place::first_path(text).or_else(|| heading_above(&lines[at.saturating_sub(2)..], at.min(2)));
    pointed.or_else(headed).or_else(|| Some(Place { file: named()?, line: None, column: None }))
}

/// The file that the nearest heading above names: a line that is a path and nothing else, perhaps with a colon or a word before it.
fn heading_above<'t>(lines: &[&Line<'t>], at: usize) -> Option<&'t str> {
    lines[..at].iter().rev().take(HEADING_LINES).find_map(|line| {
        let text = line.text.trim().trim_end_matches(':');
        let mut words = text.split_whitespace();
        let (first, second) = (words.next()?, words.next());
        let path = match (second, words.next()) {
            (None, _) => first,
            (Some(second), None) => second.trim_end_matches("..."),
            _ => return None,
        };
        place::first_path(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;

    fn problem_of(text: &str) -> Problem {
        let lines = Lines::of(text);
        let lines: Vec<&Line<'_>> = lines.iter().filter(|line| !line.text.trim().is_empty()).collect();
        problem(&lines, 0).unwrap()
    }

    #[test]
    fn a_marked_test_gives_its_name_message_and_place() {
        for text in [
            "✓ subtracts\n✗ adds\n    expected 3 but got 4\n    at test/calc.xy:12\n1 passed, 1 failed\n",
            "test subtracts ... ok\ntest adds ... FAILED\n    expected 3 but got 4\n    test/calc.xy:12:3\n",
            "[PASS] subtracts\n[FAIL] adds (3 ms)\n  test/calc.xy line 12: expected 3 but got 4\n",
            "PASS: subtracts\nFAIL: adds\n  assertion failed: expected 3 but got 4\n  --> test/calc.xy:12\n",
        ] {
            let found = problem_of(text);
            assert_eq!(found.test.as_deref().map(|name| name.trim_start_matches("test ")), Some("adds"), "{text}");
            assert!(found.message.contains("expected 3 but got 4"), "{text}: {found:?}");
            assert_eq!((found.file.as_deref(), found.line), (Some("test/calc.xy"), Some(12)), "{text}");
        }
    }

    #[test]
    fn a_message_takes_its_place_from_the_lines_around_it() {
        for text in [
            "checking\nerror: unknown gizmo\n  --> src/a.xy:3:5\n",
            "src/a.xy:3:5:\n  unknown gizmo, cannot continue\n",
            "error: unknown gizmo at line 3, column 5 of src/a.xy\n",
            "src/a.xy\n  3:5  error  unknown gizmo\n",
        ] {
            let found = problem_of(text);
            assert!(found.message.contains("unknown gizmo"), "{text}: {found:?}");
            assert_eq!((found.file.as_deref(), found.line), (Some("src/a.xy"), Some(3)), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_test_that_is_named_by_its_file_has_that_file_as_its_place() {
        let problem =
            problem_of("FAIL src/sum.test.js\n  AssertionError: expected 4 to be 1\nTests: 1 failed, 9 passed\n");
        assert_eq!(problem.file.as_deref(), Some("src/sum.test.js"));
        assert_eq!(problem.message, "AssertionError: expected 4 to be 1");
    }

    #[test]
    fn how_a_run_was_ended_is_told_before_what_it_printed() {
        let interrupted = "platform linux -- Python 3.10.20, pytest-7.3.2, pluggy-1.6.0\nrootdir: /app\nconfigfile: pytest.ini\nplugins: xdist-3.3.1\n\n!!!!!!!! KeyboardInterrupt !!!!!!!!\n";
        let crashed =
            "ACCESS_TOKEN is NOT set\nrunning test_cart 1/1\ntest_cart 1/1 failed! Received signal: SIGBUS\nuploaded\n";
        for (text, message) in [
            (interrupted, "!!!!!!!! KeyboardInterrupt !!!!!!!!"),
            (crashed, "test_cart 1/1 failed! Received signal: SIGBUS"),
        ] {
            assert_eq!(problem_of(text).message, message);
        }
    }

    #[test]
    fn totals_and_messages_are_no_tests() {
        for text in [
            "✖ 3 problems (2 errors, 1 warning)",
            "FAILED: 2 tests",
            "✗ could not connect to the server",
            "Build FAILED",
            "✖ failed to load config",
        ] {
            assert!(marked(text).is_none(), "{text}");
        }
    }
}
