//! The table of matchers, and the loop that applies them.
//!
//! A matcher looks at the line under a [`Cursor`] and yields a problem with the number of lines it was read from, or
//! nothing. There are two sorts: reports with structure (test runners, tracebacks, compilers with snippets), which are
//! functions under `reports/`, and formats of one or a few lines, which are data under `formats/`. Each names literals, one of
//! which must occur in the line: one pass over the text (`literals`) finds the few lines that a matcher has to look
//! at, so that neither many matchers nor long texts cost much, and no regular expression is compiled that is not needed.
//! On one line, reports are tried before formats, each in the order of its table. To add a report, write one file under
//! `reports/` and list it in [`REPORTS`].

use crate::formats::{self, BUILTIN, UserMatchers};
use crate::lines::{Cursor, Lines, Mark};
use crate::literals::Literals;
use crate::reports::REPORTS;
use recovery_types::Problem;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

pub use crate::formats::Kind;

/// A problem, and what else the matcher knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The problem.
    pub problem: Problem,
    /// What sort it is.
    pub kind: Kind,
    /// The matcher, by its stable id.
    pub matcher: Cow<'static, str>,
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

/// The ids of all reports with structure, each with the texts of which one occurs where it begins.
pub fn reports() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    REPORTS.iter().map(|report| (report.id, report.literals))
}

/// Finds which matchers may apply to which line. Matchers are numbered: first all reports, then all formats.
struct Prefilter {
    literals: Literals<'static>,
    /// For each literal, the matchers it belongs to, and how many lines above it they begin.
    users: Vec<Vec<(u16, u8)>>,
    /// Formats that are tried where a line begins with a place.
    generic: Vec<u16>,
}

static PREFILTER: LazyLock<Prefilter> = LazyLock::new(|| {
    let reports = REPORTS.iter().map(|report| (report.literals.to_vec(), 0));
    let formats = BUILTIN.iter().map(|format| {
        formats::literals(format)
            .map_or_else(Default::default, |(texts, above)| (texts.iter().map(AsRef::as_ref).collect(), above))
    });
    let mut literals: Vec<&str> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut users: Vec<Vec<(u16, u8)>> = Vec::new();
    let mut generic = Vec::new();
    for (index, (texts, above)) in reports.chain(formats).enumerate() {
        if texts.is_empty() {
            generic.push(index as u16);
        }
        for text in texts {
            let slot = *known.entry(text).or_insert_with(|| {
                literals.push(text);
                users.push(Vec::new());
                literals.len() - 1
            });
            users[slot].push((index as u16, above as u8));
        }
    }
    Prefilter { literals: Literals::new(literals), users, generic }
});

impl Prefilter {
    /// The matchers that may apply, as line and number, sorted.
    fn candidates(&self, lines: &Lines<'_>) -> Vec<(u32, u16)> {
        let mut candidates = Vec::new();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.mark != Mark::Echo) {
            self.literals.find(line.text.as_bytes(), |literal, _| {
                let users = self.users[literal].iter().filter(|(_, above)| usize::from(*above) <= at);
                candidates.extend(users.map(|(index, above)| ((at - usize::from(*above)) as u32, *index)));
            });
            if formats::starts_with_place(line.text) {
                candidates.extend(self.generic.iter().map(|index| (at as u32, *index)));
            }
        }
        // Stable sorting is fast on what is nearly in order.
        candidates.sort();
        candidates.dedup();
        candidates
    }
}

/// All problems that built-in matchers and the user's find, in the order of the text.
pub(crate) fn find_all(lines: &Lines<'_>, extra: &UserMatchers) -> Vec<Found> {
    let prefilter = &*PREFILTER;
    let mut found: Vec<Found> = Vec::new();
    let mut users = extra.find_all(lines).into_iter().peekable();
    let candidates = prefilter.candidates(lines);
    let mut candidates = candidates.chunk_by(|one, other| one.0 == other.0).peekable();
    let mut at = 0;
    loop {
        while candidates.next_if(|chunk| (chunk[0].0 as usize) < at).is_some() {}
        let next = candidates.peek().map(|chunk| chunk[0].0 as usize);
        let next_user = users.peek().map(|(start, _)| *start);
        let Some(next) = next.into_iter().chain(next_user).min() else { break };
        at = next;
        let cursor = lines.cursor(at);
        let user = users.next_if(|(start, _)| *start == at).map(|(_, found)| found);
        let chunk = candidates.next_if(|chunk| chunk[0].0 as usize == at).unwrap_or_default();
        match user.or_else(|| {
            let known =
                chunk.iter().map(|&(_, index)| usize::from(index)).filter(|&index| !extra.leaves_out(id(index)));
            known.map(|index| apply(index, &cursor)).find(|found| !found.is_empty())
        }) {
            Some(hits) => {
                at += hits[0].lines.max(1);
                while users.next_if(|(start, _)| *start < at).is_some() {}
                let is_covered = |before: &Found| before.problem.text_line >= hits[0].problem.text_line;
                // The frames of a compiler that ran inside a program are less specific than its own message above them.
                if hits[0].problem.file.is_none()
                    && found.last().is_some_and(|before| is_covered(before) && before.problem.line.is_some())
                {
                    continue;
                }
                // A report that begins above the current line replaces what was found in the lines it covers.
                while found.last().is_some_and(is_covered) {
                    found.pop();
                }
                found.extend(hits);
            }
            None => at += 1,
        }
    }
    found
}

/// The id of a matcher by its number.
fn id(index: usize) -> &'static str {
    REPORTS.get(index).map_or_else(|| BUILTIN[index - REPORTS.len()].id.as_ref(), |report| report.id)
}

fn apply(index: usize, cursor: &Cursor<'_, '_>) -> Vec<Found> {
    let Some(report) = REPORTS.get(index) else { return formats::find_at(index - REPORTS.len(), cursor) };
    let Some((mut problem, kind, lines)) = (report.find)(cursor) else { return Vec::new() };
    problem.text_line = problem.text_line.or(cursor.number(0));
    vec![Found { problem, kind, matcher: report.id.into(), lines }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_matcher_has_an_id_of_its_own_and_a_literal() {
        let ids: Vec<&str> = REPORTS.iter().map(|r| r.id).chain(BUILTIN.iter().map(|f| f.id.as_ref())).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for literals in REPORTS.iter().map(|report| report.literals) {
            assert!(!literals.is_empty() && literals.iter().all(|literal| !literal.is_empty()));
        }
    }
}
