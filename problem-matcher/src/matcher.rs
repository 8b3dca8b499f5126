//! The table of matchers, and the loop that applies them.
//!
//! A matcher looks at the line under a [`Cursor`] and yields a problem with the number of lines it was read from, or
//! nothing. There are two sorts: reports with structure (test runners, tracebacks, compilers with snippets), which are
//! functions under `reports/`, and one-line formats, which are rows of data under `formats/`. Each names literals, one of
//! which must occur in the line: a single Aho-Corasick pass over the text finds the few lines that a matcher has to look
//! at, so that neither many matchers nor long texts cost much, and no regular expression is compiled that is not needed.
//! On one line, reports are asked before formats, each in the order of its table. To add a report, write one file under
//! `reports/` and list it in [`REPORTS`](crate::reports::REPORTS).

use crate::formats::{FORMATS, Format};
use crate::lines::{Cursor, Lines};
use crate::reports::REPORTS;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use recovery_types::Problem;
use std::sync::LazyLock;

/// What sort of problem it is, which decides what may be the root cause of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A compiler or type checker rejected the code.
    Compile,
    /// A linter or formatter found fault with the code.
    Lint,
    /// A test failed.
    Test,
    /// An exception, a panic or a crash ended a program.
    Exception,
    /// A tool said in one line why it failed.
    Tool,
    /// A line that reads like an error, of no known format.
    Generic,
    /// It only says that something else failed (`make: *** [all] Error 2`, `Process completed with exit code 1`).
    Consequence,
}

/// A problem, and what else the matcher knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The problem.
    pub problem: Problem,
    /// What sort it is.
    pub kind: Kind,
    /// The matcher, by its stable id.
    pub matcher: &'static str,
    /// How many lines it was read from, beginning with the current one.
    pub lines: usize,
}

/// A report with structure.
pub(crate) struct Report {
    /// The stable id.
    pub id: &'static str,
    /// One of these occurs in the line where the report begins.
    pub literals: &'static [&'static str],
    /// Reads a problem that begins at the cursor.
    pub find: fn(&Cursor<'_, '_>) -> Option<(Problem, Kind, usize)>,
}

/// The matcher that a literal belongs to: first all reports, then all formats.
fn literals() -> impl Iterator<Item = (usize, &'static str)> {
    let reports = REPORTS.iter().map(|report| report.literals);
    let formats = FORMATS.iter().map(|format| format.literals);
    reports
        .chain(formats)
        .enumerate()
        .flat_map(|(index, literals)| literals.iter().map(move |literal| (index, *literal)))
}

/// Finds which matchers may apply to which line.
struct Prefilter {
    automaton: AhoCorasick,
    matcher_of: Vec<u16>,
}

static PREFILTER: LazyLock<Prefilter> = LazyLock::new(|| {
    let (matcher_of, literals): (Vec<u16>, Vec<&str>) =
        literals().map(|(index, literal)| (index as u16, literal)).unzip();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(literals)
        .expect("the literals are few and short");
    Prefilter { automaton, matcher_of }
});

/// All problems that built-in and `extra` matchers find, in the order of the text.
pub(crate) fn find_all(lines: &Lines<'_>, extra: &[Format]) -> Vec<Found> {
    let prefilter = &*PREFILTER;
    let mut found = Vec::new();
    let mut candidates: Vec<u16> = Vec::new();
    let mut floor = 0;
    let mut at = 0;
    while at < lines.len() {
        let cursor = lines.cursor(at, floor);
        candidates.clear();
        candidates.extend(
            prefilter
                .automaton
                .find_overlapping_iter(cursor.text())
                .map(|hit| prefilter.matcher_of[hit.pattern().as_usize()]),
        );
        candidates.sort_unstable();
        candidates.dedup();
        let user = extra.iter().find_map(|format| format.find(&cursor));
        match user.or_else(|| candidates.iter().find_map(|&index| apply(usize::from(index), &cursor))) {
            Some(hit) => {
                at += hit.lines.max(1);
                floor = at;
                // A report that begins above the current line replaces what was found in the lines it covers.
                while found.last().is_some_and(|before: &Found| before.problem.text_line >= hit.problem.text_line) {
                    found.pop();
                }
                found.push(hit);
            }
            None => at += 1,
        }
    }
    found
}

fn apply(index: usize, cursor: &Cursor<'_, '_>) -> Option<Found> {
    match REPORTS.get(index) {
        Some(report) => {
            let (mut problem, kind, lines) = (report.find)(cursor)?;
            problem.text_line = problem.text_line.or(cursor.number(0));
            Some(Found { problem, kind, matcher: report.id, lines })
        }
        None => FORMATS[index - REPORTS.len()].find(cursor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_matcher_has_an_id_of_its_own_and_a_literal() {
        let ids: Vec<_> = REPORTS.iter().map(|r| r.id).chain(FORMATS.iter().map(|f| f.id)).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for literals in REPORTS.iter().map(|r| r.literals).chain(FORMATS.iter().map(|f| f.literals)) {
            assert!(!literals.is_empty() && literals.iter().all(|literal| !literal.is_empty()));
        }
    }
}
