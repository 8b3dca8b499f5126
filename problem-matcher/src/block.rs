//! Building blocks that several reports share, so that a runner's file holds only what is particular to it.
//!
//! - `indent`, `below`, `block_lines`: the lines that belong to the line under the cursor, and how many they are.
//! - `failed_test`, `error`, `set_place`: a [`Problem`] from a tool, a message and a place.
//! - `exception_head`: `java.io.IOException: boom` from `Caused by: java.io.IOException: boom`. A name counts as an
//!   exception by its form, since the text does not contain the class hierarchy; new endings go to `EXCEPTION_ENDS`, new
//!   prefixes to `HEAD_WORDS`.
//! - `pair`: the expected and the actual value of an assertion. New labels of runners go to `EXPECTED` or `ACTUAL`.

use crate::lines::Cursor;
use crate::place::Place;
use recovery_types::{Problem, Severity};

/// Whether `text` begins with `start`. It is called for many literals, so the first byte is compared first.
#[inline]
pub(crate) fn begins(text: &str, start: &str) -> bool {
    text.as_bytes().first() == start.as_bytes().first() && text.starts_with(start)
}

/// How many characters of white space a line begins with.
pub(crate) fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The lines below the cursor, trimmed, without blank ones, up to the first that `ends` the block; at most `most`.
pub(crate) fn below<'t>(cursor: &Cursor<'_, 't>, most: usize, ends: impl Fn(&'t str) -> bool) -> Vec<(usize, &'t str)> {
    let lines = cursor.following().take(most).take_while(|(_, text)| !ends(text));
    lines.map(|(offset, text)| (offset, text.trim())).filter(|(_, text)| !text.is_empty()).collect()
}

/// A failed test, read from the lines of its block: the first `most` lines are the message.
pub(crate) fn failed_test(tool: &str, name: &str, block: &[(usize, &str)], most: usize) -> Problem {
    let message: Vec<_> = block.iter().take(most).map(|(_, text)| *text).collect();
    let mut problem = error(tool, &message.join(" "), None);
    problem.test = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
    for (_, text) in block {
        pair(&mut problem, text);
    }
    problem
}

/// How many lines a block has with its first one, given the lines below that.
pub(crate) fn block_lines(block: &[(usize, &str)]) -> usize {
    block.last().map_or(1, |(offset, _)| offset + 1)
}

/// An error of `tool`, with its place.
pub(crate) fn error(tool: &str, message: &str, place: Option<Place<'_>>) -> Problem {
    let mut problem = Problem::new(Severity::Error, message.trim());
    problem.tool = Some(tool.to_owned());
    if let Some(place) = place {
        set_place(&mut problem, place);
    }
    problem
}

/// Gives `problem` the place.
pub(crate) fn set_place(problem: &mut Problem, place: Place<'_>) {
    problem.file = Some(place.file.to_owned());
    problem.line = place.line;
    problem.column = place.column;
}

/// How the names of exceptions end.
const EXCEPTION_ENDS: &[&str] = &[
    "Error", "Exception", "Failure", "Fault", "Interrupt", "Exit", "Warning", "Throwable", "Timeout", "NotFound",
    "Failed", "ExceptionGroup", "Violation", "Abort", "Refused", "Denied", "Mismatch", "Invalid", "Panic",
    "StopIteration", "DoesNotExist", "Unauthorized", "Forbidden", "Skipped",
];

/// Whether `name` reads like the name of an exception: `ValueError`, `java.io.IOException`, `ActiveRecord::RecordNotFound`.
pub(crate) fn is_exception_name(name: &str) -> bool {
    let last = name.rsplit(['.', ':', '\\', '$', '/']).next().unwrap_or(name);
    !name.is_empty()
        && name.len() <= 200
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | ':' | '$' | '\\' | '/'))
        && last.starts_with(|c: char| c.is_uppercase() || c == '_')
        && (EXCEPTION_ENDS.iter().any(|end| last.ends_with(end))
            || last.contains("Error")
            || last.contains("Exception"))
}

/// Words before the name of an exception that a runtime adds.
const HEAD_WORDS: &[&str] = &[
    "Uncaught ",
    "Unhandled exception. ",
    "Unhandled Exception: ",
    "Unhandled exception: ",
    "Unhandled rejection ",
    "Unhandled Rejection: ",
    "Caused by: ",
    "[cause]: ",
    "Caused by ",
    "PHP Fatal error:  Uncaught ",
    "Fatal error: Uncaught ",
    "(in promise) ",
    "---> ",
    "Exception: ",
    "error: Uncaught ",
    "error: Uncaught (in promise) ",
];

/// The exception that `text` begins with, from its name on: `ValueError: boom` of `Uncaught ValueError: boom`.
pub(crate) fn exception_head(text: &str) -> Option<&str> {
    let mut text = text.trim();
    if let Some(rest) = text.strip_prefix("Exception in thread \"") {
        text = rest.split_once("\" ").map_or(text, |(_, rest)| rest);
    }
    for _ in 0..2 {
        if let Some(rest) = HEAD_WORDS.iter().find_map(|word| text.strip_prefix(word)) {
            text = rest.trim_start();
        }
    }
    let name_end = text
        .char_indices()
        .find(|&(at, c)| {
            c.is_whitespace()
                || c == '('
                || c == '['
                || c == ':' && !text[at + 1..].starts_with(':') && !text[..at].ends_with(':')
        })
        .map_or(text.len(), |(at, _)| at);
    let (name, rest) = text.split_at(name_end);
    let rest_fits = rest.is_empty()
        || rest.starts_with(": ")
        || rest == ":"
        || rest.starts_with(" [")
        || rest.starts_with(" (")
        || rest.starts_with(":\t");
    (is_exception_name(name) && rest_fits).then_some(text)
}

/// Labels of the expected value, as runners print them before it.
const EXPECTED: &[&str] =
    &["Expected: ", "expected: ", "Expected:", "expected:", "Expected value: ", "right: ", "Which is: "];
/// Labels of the actual value.
const ACTUAL: &[&str] = &[
    "Received: ", "Received:", "Actual: ", "actual: ", "Actual:", "actual  : ", "got: ", "but was: ", "But was: ",
    "left: ", "Got: ", "Received value: ",
];

/// Fills `expected` and `actual` from one line of an assertion's report, if it carries one of them.
pub(crate) fn pair(problem: &mut Problem, text: &str) {
    let text = text.trim();
    let labelled = |labels: &[&str]| {
        labels
            .iter()
            .find_map(|label| text.strip_prefix(label))
            .map(|value| value.trim().trim_end_matches(',').to_owned())
            .filter(|value| !value.is_empty())
    };
    if problem.expected.is_none() {
        problem.expected = labelled(EXPECTED);
    }
    if problem.actual.is_none() {
        problem.actual = labelled(ACTUAL);
    }
    if text.starts_with("+ expected") || text.starts_with("- Expected") {
        return;
    }
    if problem.expected.is_none() && problem.actual.is_none() {
        // JUnit `expected:<1> but was:<2>`, `expected: <1> but was: <2>`, TestNG `expected [1] but found [2]`.
        for (open, middle, close) in [
            ("expected:<", "> but was:<", ">"),
            ("expected: <", "> but was: <", ">"),
            ("expected [", "] but found [", "]"),
        ] {
            if let Some((_, rest)) = text.split_once(open)
                && let Some((expected, rest)) = rest.split_once(middle)
                && let Some((actual, _)) = rest.rsplit_once(close)
            {
                problem.expected = Some(expected.to_owned());
                problem.actual = Some(actual.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_exceptions_are_told_from_prose() {
        for (text, head) in [
            ("Uncaught TypeError: x is not a function", "TypeError: x is not a function"),
            ("Exception in thread \"main\" java.lang.NullPointerException", "java.lang.NullPointerException"),
            ("Caused by: org.acme.BadThing$InnerException: no", "org.acme.BadThing$InnerException: no"),
            ("ActiveRecord::RecordNotFound: gone", "ActiveRecord::RecordNotFound: gone"),
            ("AssertionError [ERR_ASSERTION]: 1 == 2", "AssertionError [ERR_ASSERTION]: 1 == 2"),
        ] {
            assert_eq!(exception_head(text), Some(head), "{text}");
        }
        for text in
            ["error: x", "some prose about an Error: x", "raise ValueError(1)", "ErrorCode 3", "self.assertError: x ="]
        {
            assert_eq!(exception_head(text), None, "{text}");
        }
    }
}
