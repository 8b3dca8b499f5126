//! Formats that are data: compilers, linters and tools that print one line, or a few, per problem.
//!
//! Lines of text go in, [`Found`] matches come out. The built-in definitions are in `builtin/*.toml`, in the form users
//! write theirs in `recovery.toml`; a new linter is ten lines there, with an example that must match and a
//! counter-example that must not. Files are read in the order of their names and the first definition that matches a
//! line wins, so the generic `file:line: message` forms come last.
//!
//! Several hundred regular expressions cannot be tried per line, nor compiled per start. So each definition names text
//! that must occur (`contains`); one search for all of them finds the candidates of all lines, and an expression is
//! compiled when its first candidate appears. Generic definitions have no such text: they are tried on lines that
//! start with a place ([`place::starts_with_place`]).

mod definition;
mod errorformat;
mod matcher;
mod place;
mod user;

pub use definition::{Definition, Field, Kind, LinePattern, Matching, Text};
pub use user::{MatcherError, UserMatchers, definitions_from_json};

use crate::lines::Cursor;
use crate::matcher::Found;
use matcher::{Lazy, Match};
use recovery_types::Severity;
use std::borrow::Cow;
use std::sync::LazyLock;

/// All built-in definitions, in the order in which they are tried.
pub static BUILTIN: &[Definition] = &include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// A line longer than this is not matched: it is data, not a message.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// The texts of which one must occur for a definition to be tried, and how many lines above them it starts; none for
/// a generic definition, which is tried where [`starts_with_place`].
pub(crate) fn literals(definition: &Definition) -> Option<(&[Text], usize)> {
    let Matching::Patterns(patterns) = &definition.matching else { return None };
    let above = patterns.iter().position(|pattern| !pattern.contains.is_empty())?;
    Some((&patterns[above].contains, above))
}

pub(crate) use place::starts_with_place;

/// What the built-in definition `index` recognises at the cursor.
pub(crate) fn find_at(index: usize, cursor: &Cursor<'_, '_>) -> Vec<Found> {
    static MATCHERS: LazyLock<Vec<Lazy>> = LazyLock::new(|| BUILTIN.iter().map(|_| Lazy::default()).collect());
    let definition = &BUILTIN[index];
    if cursor.text().len() > MAX_LINE_BYTES {
        return Vec::new();
    }
    let Matching::Patterns(patterns) = &definition.matching else { return Vec::new() };
    let Some(matcher) = MATCHERS[index].get(patterns) else { return Vec::new() };
    let is_plausible = if definition.kind == Kind::Generic { place::is_plausible } else { place::is_no_time };
    match matcher.match_at(definition, cursor) {
        Some(matched) if matched.problems.iter().all(is_plausible) => founds(definition, matched),
        _ => Vec::new(),
    }
}

/// The problems of a match; the first has all lines.
fn founds(definition: &Definition, Match { problems, lines }: Match) -> Vec<Found> {
    let found = |(index, problem)| Found {
        problem,
        kind: definition.kind,
        matcher: definition.id.clone(),
        lines: if index == 0 { lines } else { 0 },
    };
    problems.into_iter().enumerate().map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Lines;

    /// What a definition recognises in a text, wherever it starts.
    fn recognised(index: usize, text: &str) -> Vec<Found> {
        let lines = Lines::of(text);
        (0..lines.len()).flat_map(|at| find_at(index, &lines.cursor(at))).collect()
    }

    #[test]
    fn every_example_matches_and_no_counter_example_does() {
        let mut wrong = Vec::new();
        for (index, definition) in BUILTIN.iter().enumerate() {
            let Definition { id, example, counter_example, matching, .. } = definition;
            if let Matching::Patterns(patterns) = matching
                && let Err(error) = matcher::Matcher::compile(patterns, false)
            {
                wrong.push(format!("{id}: {error}"));
                continue;
            }
            if recognised(index, example.trim_start_matches('\n')).is_empty() {
                wrong.push(format!("{id} does not match its example:\n{example}"));
            }
            let found = recognised(index, counter_example.trim_start_matches('\n'));
            if counter_example.is_empty() || !found.is_empty() {
                wrong.push(format!("{id} matches its counter-example:\n{counter_example}\n{found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }

    #[test]
    fn every_example_passes_its_own_prefilter() {
        let passes = |definition: &&Definition| match literals(definition) {
            Some((texts, _)) => texts.iter().any(|text| definition.example.contains(text.as_ref())),
            None => definition.kind == Kind::Generic && starts_with_place(&definition.example),
        };
        let missed: Vec<_> =
            BUILTIN.iter().filter(|definition| !passes(definition)).map(|definition| &definition.id).collect();
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn the_texts_that_must_occur_are_at_a_fixed_distance() {
        for definition in BUILTIN {
            let Matching::Patterns(patterns) = &definition.matching else { continue };
            let above = literals(definition).map_or(0, |(_, above)| above);
            assert!(patterns[..=above].iter().all(|pattern| pattern.within_lines == 1), "{}", definition.id);
        }
    }
}
