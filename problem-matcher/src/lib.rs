//! Tool output in, structured problems out: what failed, where, in the tool's own words.

use recovery_types::Problem;

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
    let _ = text;
    Report::default()
}
