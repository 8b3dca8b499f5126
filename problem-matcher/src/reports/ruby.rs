//! Ruby: RSpec, Minitest (also with minitest-reporters), test-unit, Rake, and uncaught exceptions.
//!
//! ```text
//!   1) Thing does it                                    RSpec; then `Failure/Error: expect(x).to eq 2` and the message
//! a.rb:3:in 'f': undefined method 'g' (NameError)       Ruby 3.4; before: a backtick instead of the first quote
//! ```
//!
//! The place is the one that the runner prints with the test, else the innermost frame of the project. The commands `rspec
//! ./spec/a_spec.rb:3` at the end are problems of their own, which `merge` joins with the blocks. A Rake abort is a
//! consequence if a command of a task failed, because that command has printed its own error. Linters are in
//! `formats/builtin/20-linters.toml`.

use crate::block::{below, block_lines, error, failed_test, indent, pair, set_place};
use crate::frames::{self, frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const RSPEC: Report = Report { id: "rspec", literals: &[") ", LOADING], find: rspec };
pub(crate) const RSPEC_SUMMARY: Report = Report { id: "rspec-summary", literals: &["rspec ./"], find: rspec_summary };
pub(crate) const MINITEST: Report = Report { id: "minitest", literals: &["Failure:", "Error:"], find: minitest };
pub(crate) const MINITEST_REPORTERS: Report = Report {
    id: "minitest-reporters",
    literals: &["FAIL[\"", "ERROR[\"", " FAIL (", " ERROR ("],
    find: minitest_reporters,
};
pub(crate) const RAKE: Report = Report { id: "rake", literals: &["rake aborted!"], find: rake };
pub(crate) const EXCEPTION: Report = Report { id: "ruby-exception", literals: &[":in `", ":in '"], find: exception };

/// How RSpec begins its report of a file that it could not load.
const LOADING: &str = "An error occurred while loading ";

/// The place that a line begins with.
fn leading_place(text: &str) -> Option<place::Place<'_>> {
    place::first(text).filter(|found| text.starts_with(found.file))
}

fn numbered(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    rest[digits..].strip_prefix(") ").map(str::trim)
}

/// `Failure/Error: ...` of `1.2) Failure/Error: ...`, as the failures that one test aggregates are numbered.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_number = text[..text.len() - rest.len()].contains('.') && text.starts_with(|c: char| c.is_ascii_digit());
    rest.strip_prefix(") ").filter(|_| is_number).unwrap_or(text)
}

/// `  1) Thing does it`, `     Failure/Error: expect(x).to eq 2`, the message, `     # ./spec/a_spec.rb:5:in ...`.
fn rspec(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let loading = cursor.text().strip_prefix(LOADING);
    let name = loading.or_else(|| numbered(cursor.text()))?;
    let (at, code) =
        cursor.following().take(6).find(|(_, text)| without_number(text.trim_start()).starts_with("Failure/Error:"))?;
    let is_aggregate = !code.trim_start().starts_with("Failure/Error:");
    // rebar3 prints the same words before a macro of Erlang.
    if code.trim_start().starts_with("Failure/Error: ?") {
        return None;
    }
    let mut message: Option<(usize, String)> = None;
    let mut problem = error("rspec", "", None);
    let mut frames = Vec::new();
    let mut has_gap = false;
    let mut has_next = false;
    let mut end = at + 1;
    for (offset, text) in cursor.following().skip(at).take(120) {
        let trimmed = text.trim();
        if numbered(text).is_some() && indent(text) <= indent(cursor.text())
            || trimmed.starts_with("Finished in")
            || trimmed.starts_with("rspec ./")
            || text.starts_with(LOADING)
        {
            break;
        }
        end = offset + 1;
        has_next |= is_aggregate && without_number(trimmed) != trimmed;
        if has_next {
            // The first of the failures that one test aggregates represents them.
            continue;
        }
        if trimmed.is_empty() {
            has_gap = true;
        } else if let Some(found) = trimmed.starts_with("# ").then(|| frame(trimmed)).flatten() {
            frames.push(found);
        } else if message.is_none() && has_gap {
            pair(&mut problem, trimmed);
            message = Some((offset, trimmed.to_owned()));
        } else if let Some((_, message)) = &mut message {
            pair(&mut problem, trimmed);
            if frames.is_empty()
                && message.len() + trimmed.len() < 200
                && (message.ends_with(':') || trimmed.starts_with("got") || trimmed.starts_with("expected"))
            {
                message.push(' ');
                message.push_str(trimmed);
            }
        }
    }
    let (message_at, message) = message.unwrap_or_else(|| (at, cursor.ahead(at).unwrap_or("").trim().to_owned()));
    let mut named = error("rspec", &message, frames::best(frames.into_iter()));
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(message_at);
    named.test = loading.is_none().then(|| name.to_owned());
    Some((named, Kind::Test, end))
}

/// `rspec ./spec/a_spec.rb:3 # Thing does it`.
fn rspec_summary(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = cursor.text().strip_prefix("rspec ")?;
    let (at, name) = rest.split_once(" # ")?;
    let mut problem = error("rspec", cursor.text(), place::first(at));
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}

/// `  1) Failure:`, `T#test_a [test/a_test.rb:5]:`, the message.
fn minitest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let label = cursor.text().trim();
    let label = numbered(label).unwrap_or(label);
    if label != "Failure:" && label != "Error:" {
        // test-unit: `Failure: test_a(T): message`
        return test_unit(cursor, label);
    }
    let head = cursor.ahead(1)?.trim();
    let (name, rest) = head.split_once(" [").unwrap_or((head.trim_end_matches(':'), ""));
    if !name.contains('#') && !name.contains('(') {
        return None;
    }
    let mut problem = error("minitest", "", None);
    let mut message = Vec::new();
    let mut frames = Vec::new();
    let mut end = 2;
    for (offset, text) in cursor.following().skip(1).take(60) {
        let trimmed = text.trim();
        if trimmed.is_empty() && !frames.is_empty()
            || trimmed.is_empty() && !rest.is_empty()
            || numbered(text).is_some()
        {
            break;
        }
        if trimmed.is_empty() {
            continue;
        }
        pair(&mut problem, trimmed);
        if let Some(found) = place::first(trimmed).filter(|found| trimmed.starts_with(found.file) && indent(text) > 0) {
            frames.push(frames::Frame { place: Some(found), is_project: is_project_file(found.file) });
        } else if frames.is_empty() {
            message.push(trimmed);
        }
        end = offset + 1;
    }
    let place = place::first(rest).or_else(|| frames::best(frames.into_iter()));
    // Below the head of an exception is source.
    let lines = if label == "Error:" { 1 } else { 3 };
    let text = message.iter().take(lines).copied().collect::<Vec<_>>().join(" ");
    let mut named = error("minitest", if text.is_empty() { head } else { &text }, place);
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(2);
    named.test = Some(name.to_owned());
    Some((named, Kind::Test, end))
}

/// ` FAIL["test_add", "ATest", 0.001]` or, of the spec reporter, `  test_add    FAIL (0.00s)`; then the message and the frames.
fn minitest_reporters(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let head = |text: &str| {
        let marked = ["FAIL[\"", "ERROR[\""].iter().find_map(|mark| text.split_once(mark));
        let marked = marked.and_then(|(_, rest)| rest.split_once('"')).map(|(name, _)| name.to_owned());
        marked.or_else(|| {
            let (name, time) = text.split_once(" FAIL (").or_else(|| text.split_once(" ERROR ("))?;
            let is_timed = time.trim_end().ends_with("s)") && time.starts_with(|c: char| c.is_ascii_digit());
            is_timed.then(|| name.trim().to_owned()).filter(|name| !name.contains(' '))
        })
    };
    let name = head(cursor.text())?;
    let is_own_line = |text: &str| text.trim_start().starts_with(&name) && text.contains('#');
    let block = below(cursor, 20, |text| head(text).is_some() || text.starts_with("Finished in"));
    let said =
        block.iter().filter(|(_, text)| !is_own_line(text)).take_while(|(_, text)| leading_place(text).is_none());
    let said = said.map(|(at, text)| {
        let text = text.trim_start_matches("Minitest::Assertion:").trim_start_matches("Minitest::UnexpectedError:");
        (*at, text.trim())
    });
    let said: Vec<_> = said.collect();
    // Below the head of an exception is source.
    let lines = if said.first()?.1.contains("Error: ") { 1 } else { 3 };
    let mut problem = failed_test("minitest", &name, &said, lines);
    let mut own = block.iter().filter_map(|(_, text)| leading_place(text)).filter(|found| is_project_file(found.file));
    set_place(&mut problem, own.next()?);
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

fn test_unit(cursor: &Cursor<'_, '_>, label: &str) -> Option<(Problem, Kind, usize)> {
    let rest = label.strip_prefix("Failure: ").or_else(|| label.strip_prefix("Error: "))?;
    let (name, message) = rest.split_once("):").or_else(|| rest.strip_suffix(')').map(|name| (name, "")))?;
    let (test, class) = name.split_once('(')?;
    if !test.starts_with("test") {
        return None;
    }
    let mut problem = error("test-unit", message, None);
    for (offset, text) in cursor.following().take(30) {
        pair(&mut problem, text);
        // The message is below the source, at the beginning of the line.
        if problem.message.is_empty()
            && !text.starts_with(' ')
            && place::first(text).is_none()
            && text.chars().any(char::is_alphanumeric)
        {
            let more = cursor.ahead(offset + 1).unwrap_or("");
            problem.message = if more.starts_with('<') { format!("{text} {more}") } else { text.to_owned() };
            problem.text_line = cursor.number(offset);
        }
        if problem.file.is_none()
            && let Some(found) = place::first(text).filter(|found| is_project_file(found.file))
        {
            set_place(&mut problem, found);
        }
        if text.starts_with("=====") {
            break;
        }
    }
    problem.test = Some(format!("{class}#{test}"));
    Some((problem, Kind::Test, 1))
}

/// `rake aborted!`, the exception, `/p/Rakefile:3:in ...`, `Tasks: TOP => build`.
fn rake(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let block = below(cursor, 60, |text| text.starts_with("Tasks: TOP"));
    let frames = block.iter().filter(|(_, text)| text.contains(":in ")).filter_map(|(_, text)| place::first(text));
    let frames = frames.map(|found| frames::Frame { place: Some(found), is_project: is_project_file(found.file) });
    let mut problem = error("rake", block.first()?.1, frames::best(frames));
    // A command of a task that failed has printed its own error above.
    let is_command = problem.message.starts_with("Command failed with status");
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, if is_command { Kind::Consequence } else { Kind::Exception }, block_lines(&block)))
}

/// `a.rb:3:in 'f': message (NameError)` and the `from` lines below.
fn exception(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let found = place::first(text).filter(|found| text.trim_start().starts_with(found.file));
    // Ruby's own `require` names no file of anybody's.
    if found.is_none() && !text.starts_with("<internal:") {
        return None;
    }
    let (_, rest) = text.split_once(":in ")?;
    let (_, message) = rest.split_once("': ").or_else(|| rest.split_once("`: "))?;
    let is_project = found.is_some_and(|found| is_project_file(found.file));
    let mut frames = vec![frames::Frame { place: found, is_project }];
    let mut end = 1;
    let mut last = message.trim();
    let mut at = 0;
    for (offset, text) in cursor.following().take(100) {
        let trimmed = text.trim_start();
        if let Some(found) = trimmed.starts_with("from ").then(|| frame(text)).flatten() {
            frames.push(found);
        } else if trimmed.starts_with("from <internal:") {
            continue;
        } else if offset < 12 && frames.len() == 1 && !trimmed.is_empty() && !text.contains(":in ") {
            // A message in several lines, its name in parentheses at the end of the first; the rest may have more details.
            if last.is_empty() {
                last = trimmed;
                at = offset;
            }
            continue;
        } else {
            break;
        }
        end = offset + 1;
    }
    let mut problem = error("ruby", last, frames::best(frames.into_iter()));
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Exception, end))
}
