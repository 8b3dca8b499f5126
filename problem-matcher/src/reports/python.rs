//! Python tracebacks: chained and grouped ones, syntax errors, and tracebacks inside other output.
//!
//! The message is the line after the frames that is indented no further than `Traceback`, never a line of source. The
//! place is the innermost frame in the project's own code; a syntax error has its place in the frame before the caret. Of a
//! chain the last exception is the problem (it ended the program) and those before it are its causes.

use crate::block::{error, exception_head, indent};
use crate::frames::{self, Frame, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::Place;
use recovery_types::Problem;

pub(crate) const TRACEBACK: Report =
    Report { id: "python-traceback", literals: &["Traceback (most recent call last)"], find: traceback };

pub(crate) const SYNTAX: Report = Report { id: "python-syntax-error", literals: &["File \""], find: syntax_error };

pub(crate) const FATAL: Report =
    Report { id: "python-fatal", literals: &["Fatal Python error: ", "Windows fatal exception: "], find: fatal };

/// faulthandler's dump: `Fatal Python error: Segmentation fault`, then the frames of each thread, innermost first, the current one first.
fn fatal(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if !text.starts_with("Fatal Python error: ") && !text.starts_with("Windows fatal exception: ") {
        return None;
    }
    let (head, _) = cursor.following().take(8).find(|(_, text)| text.ends_with("(most recent call first):"))?;
    let mut frames = Vec::new();
    let mut end = head + 1;
    for (offset, text) in cursor.following().skip(head).take(200) {
        match frame(text) {
            Some(found) => frames.push(found),
            None if text.trim() == "..." => {}
            None => break,
        }
        end = offset + 1;
    }
    Some((error("python", text, frames::best(frames.into_iter())), Kind::Exception, end))
}

pub(crate) const IPYTHON: Report =
    Report { id: "ipython-traceback", literals: &["  Traceback (most recent call last)"], find: ipython };

/// A traceback of IPython, Jupyter and nbconvert: `IndexError        Traceback (most recent call last)`, then
/// `Cell In[1], line 2`, `File ~/a.py:3, in f(x)` or `~/a.py in f(x)` with source, then `IndexError: message`.
fn ipython(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().trim().strip_suffix("Traceback (most recent call last)")?.trim_end();
    exception_head(name).filter(|head| head.len() == name.len())?;
    let is_message = |text: &str| text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    let (at, message) = cursor.following().take(400).find(|(_, text)| is_message(text))?;
    let frames = cursor.following().take(at).filter_map(|(_, text)| {
        let place = crate::place::first(text.strip_prefix("File ")?)?;
        Some(Frame { place: Some(place), is_project: frames::is_project_file(place.file) })
    });
    let frames: Vec<_> = frames.collect();
    let mut problem = error("ipython", message, frames::best(frames.into_iter().rev()));
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Exception, at + 1))
}

pub(crate) const DOCTEST: Report = Report { id: "python-doctest", literals: &["Failed example:"], find: doctest };

/// The block of Python's own doctest: `File "a.py", line 5, in a.f` above `Failed example:`.
fn doctest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if cursor.text().trim() != "Failed example:" {
        return None;
    }
    let end = cursor.following().find(|(_, text)| text.starts_with("*****")).map_or(60, |(offset, _)| offset.min(60));
    let (found, mut problem) = doctest_values(cursor, end)?;
    let above = cursor.back(1)?;
    if let Some(place) = frame(above).and_then(|frame| frame.place) {
        crate::block::set_place(&mut problem, place);
    }
    problem.test = above.rsplit_once(", in ").map(|(_, name)| name.trim().to_owned());
    problem.text_line = cursor.number(found);
    Some((problem, Kind::Test, end))
}

/// The content of a doctest's block: the values under `Expected:` and `Got:`, or the exception.
pub(super) fn doctest_values(cursor: &Cursor<'_, '_>, end: usize) -> Option<(usize, Problem)> {
    let lines = || cursor.following().take(end);
    let below = |label: &str| {
        let (at, _) = lines().find(|(_, text)| text.trim() == label)?;
        let text = cursor.ahead(at + 1)?.trim();
        (!text.is_empty()).then_some((at + 1, text))
    };
    let raised = lines().find(|(_, text)| text.trim_start().starts_with("UNEXPECTED EXCEPTION: "));
    if let Some((at, text)) = raised {
        return Some((at, error("doctest", text.trim(), None)));
    }
    let (_, expected) = below("Expected:")?;
    let (at, got) = below("Got:")
        .or_else(|| lines().find(|(_, text)| text.trim() == "Got nothing").map(|(at, _)| (at, "nothing")))?;
    let mut problem = error("doctest", &format!("Expected: {expected} Got: {got}"), None);
    problem.expected = Some(expected.to_owned());
    problem.actual = Some(got.to_owned());
    Some((at, problem))
}

/// One exception of a chain: message line offset, its text, frames outermost first, and the offset after it.
struct Part<'t> {
    at: usize,
    message: &'t str,
    frames: Vec<Frame<'t>>,
}

/// What runs notebooks raises one of these for any exception in a cell.
const NOTEBOOK_ERRORS: [&str; 2] = ["CellExecutionError: ", "PapermillExecutionError: "];

fn traceback(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if cursor.text().contains("Exception Group Traceback") {
        return group(cursor);
    }
    let mut part = read_part(cursor, 0)?;
    let mut causes = Vec::new();
    // `During handling of ...` and `The above exception was the direct cause ...` join tracebacks.
    loop {
        let next = (part.at + 1..part.at + 8)
            .find(|&at| cursor.ahead(at).is_some_and(|text| text.contains("Traceback (most recent call last)")));
        let joined = (part.at + 1..part.at + 8).any(|at| {
            cursor.ahead(at).is_some_and(|text| {
                text.contains("During handling of the above") || text.contains("was the direct cause of")
            })
        });
        let Some(next) = next.filter(|_| joined) else { break };
        let Some(following) = read_part(cursor, next) else { break };
        causes.push(part.message.to_owned());
        part = following;
    }
    let place = frames::best(part.frames.iter().rev().copied());
    let mut problem = error("python", part.message, place);
    problem.text_line = cursor.number(part.at);
    problem.causes = causes;
    // The exception of the notebook's cell is in a traceback of its own below.
    let is_wrapper = NOTEBOOK_ERRORS.iter().any(|name| cursor.ahead(part.at).is_some_and(|text| text.contains(name)));
    Some((problem, if is_wrapper { Kind::Consequence } else { Kind::Exception }, part.at + 1))
}

/// `  + Exception Group Traceback`, its lines after `  | `, and the exceptions in it, each below `+------ 1 ------`.
fn group(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let mut heads: Vec<(usize, &str, Option<Place<'_>>)> = Vec::new();
    let mut frames = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following() {
        let inner = text.trim_start().trim_start_matches(['|', '+', '-', ' ']);
        if !text.trim_start().starts_with(['|', '+']) {
            break;
        }
        end = offset + 1;
        if let Some(found) = frame(inner) {
            frames.push(found);
        } else if exception_head(inner).is_some() {
            heads.push((offset, inner, frames::best(frames.drain(..).rev())));
        }
    }
    let outer = heads.first().copied()?;
    let (at, message, place) = heads.get(1).copied().unwrap_or(outer);
    let mut problem = error("python", message, place.or(outer.2));
    problem.text_line = cursor.number(at);
    if heads.len() > 1 {
        problem.causes = vec![outer.1.to_owned()];
    }
    Some((problem, Kind::Exception, end))
}

fn read_part<'t>(cursor: &Cursor<'_, 't>, head: usize) -> Option<Part<'t>> {
    let first = cursor.ahead(head)?;
    let lead = first.find("Traceback")?;
    let mut frames = Vec::new();
    for at in head + 1.. {
        let full = cursor.ahead(at)?;
        // The prefix before `Traceback` (`  | ` of a group, a logger's name) is on every line, or the lines after it have none.
        let text =
            full.get(lead..).filter(|_| full.is_char_boundary(lead) && full[..lead] == first[..lead]).unwrap_or(full);
        if let Some(found) = frame(text) {
            frames.push(found);
        } else if !text.trim().is_empty() && indent(text) == 0 && !text.trim_start().starts_with(['^', '~']) {
            // Source in several lines may go on without indentation; the exception's name is what counts.
            if exception_head(text).is_none()
                && let Some(later) = (at + 1..at + 10)
                    .find(|&later| cursor.ahead(later).is_some_and(|text| exception_head(text).is_some()))
                && cursor.ahead(later).is_some_and(|_| {
                    (at..later).all(|skipped| {
                        cursor.ahead(skipped).is_some_and(|text| !text.contains("Traceback") && !text.trim().is_empty())
                    })
                })
            {
                return Some(Part { at: later, message: cursor.ahead(later)?.trim(), frames });
            }
            // A message in several lines goes on after its first line, which is the most informative.
            let message = if is_vague(text) {
                cursor.ahead(at + 1).map(str::trim).filter(|next| !next.is_empty()).unwrap_or(text)
            } else {
                text
            };
            return Some(Part { at, message: message.trim(), frames });
        } else if text.trim().is_empty() && !frames.is_empty() && cursor.ahead(at + 1).is_none() {
            return None;
        }
    }
    None
}

/// The last exception of the traceback that begins `at` lines ahead: its offset, message and place.
pub(super) fn exception_at<'t>(cursor: &Cursor<'_, 't>, at: usize) -> Option<(usize, &'t str, Option<Place<'t>>)> {
    let part = read_part(cursor, at)?;
    Some((part.at, part.message, frames::best(part.frames.iter().rev().copied())))
}

/// A head whose message is on the next line: `subprocess.Error:`.
fn is_vague(text: &str) -> bool {
    text.ends_with(':')
}

/// `File "a.py", line 3`, the source, a caret, `SyntaxError: ...`, without a traceback above.
fn syntax_error(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    // OCaml, Dune and Coq name their places in the same way, and add the columns.
    // A frame of a traceback names its function.
    if cursor.text().contains(", characters ") || cursor.text().contains(", in ") {
        return None;
    }
    let place = frame(cursor.text().trim_start_matches("Sorry: "))?.place?;
    let (at, message) = cursor.following().take(5).find_map(|(at, text)| {
        let head = exception_head(text)?;
        (head.contains("Error")).then_some((at, head))
    })?;
    let mut problem = error("python", message, Some(place));
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Exception, at + 1))
}

pub(crate) const UNITTEST: Report = Report { id: "unittest", literals: &["FAIL: ", "ERROR: "], find: unittest };

/// `FAIL: test_name (module.Class)`, a rule of dashes, the test's docstring perhaps, and its traceback.
fn unittest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let rest = text.strip_prefix("FAIL: ").or_else(|| text.strip_prefix("ERROR: "))?;
    let (at, _) = cursor.following().take(6).find(|(_, text)| text.contains("Traceback (most recent call last)"))?;
    if !cursor.following().take(at).any(|(_, text)| text.starts_with("-----")) {
        return None;
    }
    let part = read_part(cursor, at)?;
    let mut problem = error("unittest", part.message, frames::best(part.frames.iter().rev().copied()));
    problem.text_line = cursor.number(part.at);
    if let Some((first, second)) =
        part.message.strip_prefix("AssertionError: ").and_then(|rest| rest.split_once(" != "))
    {
        // `Lists differ: [1] != [2]`, and `1 != 2 : the message of the test`.
        problem.actual = Some(first.split_once("s differ: ").map_or(first, |(_, value)| value).to_owned());
        problem.expected = Some(second.split_once(" : ").map_or(second, |(value, _)| value).to_owned());
    }
    // `test_a (tests.test_x.T.test_a)` and `test_a (tests.test_x.T)`.
    let (name, class) =
        rest.split_once(" (").map_or((rest, ""), |(name, class)| (name, class.split(')').next().unwrap_or("")));
    let class = class.strip_suffix(name).unwrap_or(class).trim_end_matches('.');
    problem.test = Some(if class.is_empty() { name.to_owned() } else { format!("{class}.{name}") });
    Some((problem, Kind::Test, part.at + 1))
}

pub(crate) const PIP: Report = Report { id: "pip-retries", literals: &["WARNING: Retrying (Retry(total="], find: pip };

/// pip's retries, the last of which gives the reason why it then finds no version of anything.
fn pip(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let is_retry = |text: &str| text.trim_start().starts_with("WARNING: Retrying (Retry(total=");
    if !is_retry(cursor.text()) {
        return None;
    }
    let at = cursor.following().take(20).take_while(|(_, text)| is_retry(text)).last().map_or(0, |(at, _)| at);
    let last = cursor.ahead(at)?;
    // A retry that was followed by success is no problem.
    if !last.contains("total=0") {
        return None;
    }
    let mut problem = error("pip", last, None);
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Tool, at + 1))
}

pub(crate) const TRIAL: Report = Report { id: "trial", literals: &["[FAIL]", "[ERROR]"], find: trial };

/// Twisted's trial: `[FAIL]`, the traceback, a blank line, the names of the tests that failed so.
fn trial(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if !matches!(cursor.text(), "[FAIL]" | "[ERROR]") || !cursor.back(1)?.starts_with("=====") {
        return None;
    }
    let part = read_part(cursor, 1).filter(|_| cursor.ahead(1).is_some_and(|text| text.starts_with("Traceback")))?;
    let (end, name) = cursor.following().skip(part.at).find(|(_, text)| !text.trim().is_empty())?;
    let mut problem = error("trial", part.message, frames::best(part.frames.iter().rev().copied()));
    problem.text_line = cursor.number(part.at);
    problem.test = Some(name.trim()).filter(|name| name.contains('.') && !name.contains(' ')).map(str::to_owned);
    Some((problem, Kind::Test, end))
}
