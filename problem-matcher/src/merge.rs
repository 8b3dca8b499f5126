//! Joins what a runner reports twice about the same test: the block with the details and the line in its summary.
//!
//! Two problems are the same when they name the same test, one perhaps with more of its path (`TestA.test_b` and
//! `tests/test_a.py::TestA::test_b`). The one with a place is kept and takes what it lacks from the other.

use crate::block::set_place;
use crate::matcher::{Found, Kind};
use crate::place;
use recovery_types::Severity;
use std::collections::HashMap;

/// `found` with the summaries joined to their details.
pub(crate) fn merge(found: Vec<Found>) -> Vec<Found> {
    let mut kept: Vec<Found> = Vec::with_capacity(found.len());
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for item in found {
        let key = item
            .problem
            .test
            .as_deref()
            .filter(|_| item.kind == Kind::Test)
            .map(|test| parts(test).last().unwrap_or("").to_owned());
        let Some(key) = key.filter(|key| !key.is_empty()) else {
            kept.push(item);
            continue;
        };
        let same = by_name.get(&key).and_then(|indexes| {
            // A runner repeats itself at most a few times; further namesakes are other tests.
            indexes.iter().copied().take(8).find(|&index| is_same(&kept[index], &item))
        });
        match same {
            Some(index) => join(&mut kept[index], item),
            None => {
                by_name.entry(key).or_default().push(kept.len());
                kept.push(item);
            }
        }
    }
    join_nameless(&mut kept);
    kept
}

/// A failure whose heading was cut off belongs to the first test of its file that only the summary names.
fn join_nameless(found: &mut Vec<Found>) {
    let Some(first) = found
        .iter()
        .position(|item| item.kind == Kind::Test && item.problem.test.is_none() && item.matcher == "pytest-loose")
    else {
        return;
    };
    let base = |file: &Option<String>| file.as_deref().map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    let file = base(&found[first].problem.file);
    let named = found.iter().position(|item| item.matcher == "pytest-summary" && base(&item.problem.file) == file);
    if let Some(named) = named.filter(|&named| named > first) {
        let summary = found.remove(named);
        // The summary has the exception's name and message, of which the rest may have been cut off as well.
        found[first].problem.message = summary.problem.message;
        found[first].problem.test = summary.problem.test;
    }
}

/// Reads from the messages what their formats leave in them: the file that a tool's line is about, and the word that makes a
/// line without a severity of its own a warning.
pub(crate) fn complete(found: &mut [Found]) {
    for item in found {
        let problem = &mut item.problem;
        if problem.file.is_none() && item.kind == Kind::Tool {
            let message = problem.message.clone();
            match place::first(&message) {
                Some(place) => set_place(problem, place),
                None => problem.file = place::first_path(&message).map(str::to_owned),
            }
        }
        if let Some(path) = shell_subject(&problem.message) {
            problem.file = Some(path.to_owned());
            problem.line = None;
        }
        const WARNS: [&str; 6] = ["warning:", "Warning:", "WARNING:", "(style)", "[warning]", "note:"];
        if problem.severity == Severity::Error
            && !matches!(item.kind, Kind::Tool | Kind::Test)
            && WARNS.iter().any(|word| problem.message.starts_with(word))
        {
            problem.severity = Severity::Warning;
        }
    }
}

/// The file that a shell could not open or run in `script: line 3: /x/run.sh: Permission denied`.
fn shell_subject(message: &str) -> Option<&str> {
    let head =
        message.strip_suffix(": Permission denied").or_else(|| message.strip_suffix(": No such file or directory"))?;
    let (before, path) = head.rsplit_once(": ")?;
    let (_, line) = before.rsplit_once(": line ")?;
    (line.bytes().all(|byte| byte.is_ascii_digit()) && place::is_file_name(path)).then_some(path)
}

/// The components of a test's name, whatever joins them.
fn parts(test: &str) -> impl DoubleEndedIterator<Item = &str> {
    // A parameter in brackets may hold anything, dots included.
    let (name, _) = test.split_once('[').unwrap_or((test, ""));
    name.split([':', '.', '>', '/', '#', '›', '$']).map(str::trim).filter(|part| !part.is_empty())
}

fn is_same(one: &Found, other: &Found) -> bool {
    let (Some(a), Some(b)) = (one.problem.test.as_deref(), other.problem.test.as_deref()) else { return false };
    let parameter = |test: &str| test.split_once('[').map(|(_, rest)| rest.to_owned());
    parameter(a) == parameter(b) && parts(a).rev().zip(parts(b).rev()).all(|(a, b)| a == b)
}

fn join(kept: &mut Found, other: Found) {
    let other_tells_more = kept.problem.line.is_none() && other.problem.line.is_some();
    let (mut more, less) = if other_tells_more { (other, kept.clone()) } else { (kept.clone(), other) };
    more.lines = kept.lines;
    if more.problem.file.is_none() {
        more.problem.file = less.problem.file;
    }
    more.problem.expected = more.problem.expected.or(less.problem.expected);
    more.problem.actual = more.problem.actual.or(less.problem.actual);
    let length = |test: &Option<String>| test.as_ref().map_or(0, String::len);
    if length(&less.problem.test) > length(&more.problem.test) {
        more.problem.test = less.problem.test;
    }
    *kept = more;
}
