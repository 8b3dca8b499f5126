//! Tool output in, structured problems out: what failed, where, in the tool's own words.
//!
//! [`find`] takes any text that tools printed, a whole CI log or the last lines of a command, recognises the formats in it by
//! itself, and says which problem is the root cause. No clock, no files, no processes; linear in the length of the text.
//!
//! - `lines`: the text without colours and CI prefixes, and the cursor that matchers look through.
//! - [`matcher`]: the table of matchers and the loop that applies them.
//! - [`formats`]: one-line formats, as data.
//! - `reports`: reports with structure, one file each.
//! - `frames`: project code or library code.
//! - [`root`]: which problem is the root cause, as a table of preferences.

pub mod formats;
mod frames;
#[allow(dead_code)]
mod lines;
pub mod matcher;
mod reports;
pub mod root;

use formats::Format;
use recovery_types::Problem;
use root::Candidate;

/// The problems found in a text, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All problems.
    pub problems: Vec<Problem>,
    /// The index of the root cause.
    pub root: Option<usize>,
}

/// Finds the problems that tools reported in `text`.
#[must_use]
pub fn find(text: &str) -> Report {
    find_with(text, &[])
}

/// Like [`find`], with formats of the user's own, which are tried first.
#[must_use]
pub fn find_with(text: &str, extra: &[Format]) -> Report {
    let clean = lines::without_escapes(text);
    let lines = lines::Lines::of(&clean);
    let found = matcher::find_all(&lines, extra);
    let candidates: Vec<_> = found.iter().map(|found| Candidate { found, in_ending_phase: true }).collect();
    let root = root::choose(&candidates);
    Report { problems: found.into_iter().map(|found| found.problem).collect(), root }
}
