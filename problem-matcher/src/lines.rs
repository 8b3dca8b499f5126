//! The text as the matchers see it: one entry per line, without colours and without what a CI system puts before each line.
//!
//! In: any text. Out: [`Lines`], borrowed from a text that [`without_escapes`] has cleaned. Each entry keeps the number of
//! the line it came from, and the [`Mark`] that a prefix carried (`##[error]`, `section_start:`). A line that was
//! overwritten with carriage returns shows its last visible state. [`Cursor`] is what a matcher is given: a position and
//! bounded access to the lines around it; it counts the lines looked at, so that tests can assert linear work.
//! Escape sequences are taken off in `escapes`, the prefixes of CI systems in `prefixes`.

use crate::prefixes::{without_prefixes, without_seconds};
use std::cell::Cell;

pub(crate) use crate::escapes::without_escapes;

/// How many lines a matcher may look ahead of its position.
pub(crate) const LOOKAHEAD_LINES: usize = 1000;
/// How many lines a matcher may look back from its position.
pub(crate) const LOOKBACK_LINES: usize = 60;

/// What the prefix of a line states about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The CI system shows it as an error (`##[error]`, `::error::`).
    Error,
    /// The CI system shows it as a warning.
    Warning,
    /// A group or section begins; the text is its title.
    Group,
    /// A group or section ends.
    EndGroup,
    /// A command that the CI system runs (`##[command]`).
    Command,
    /// A section begins that cleans up after the run.
    CleanUp,
    /// The CI system repeats the step's own definition: its commands, shell and variables.
    Echo,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// The line without prefixes and trailing white space; its indentation is kept.
    pub text: &'t str,
    /// The line's number in the text as it was given, from 1.
    pub number: u32,
    /// What its prefix states.
    pub mark: Mark,
}

impl Line<'_> {
    /// Whether a tool printed it: not blank, and no line of the CI system's own.
    pub(crate) fn is_output(&self) -> bool {
        let is_own = matches!(self.mark, Mark::Group | Mark::EndGroup | Mark::Command | Mark::CleanUp | Mark::Echo);
        !is_own && !self.text.trim().is_empty()
    }
}

/// All lines of a text.
pub(crate) struct Lines<'t> {
    lines: Vec<Line<'t>>,
    steps: Cell<u64>,
}

impl<'t> Lines<'t> {
    /// Splits a text that [`without_escapes`] has cleaned.
    pub(crate) fn of(clean: &'t str) -> Self {
        let mut number = 0;
        let mut is_echo = false;
        let mut is_docker_summary = false;
        let lines = clean.split('\n').map(|raw| {
            number += 1;
            let (mut text, mut mark) = without_prefixes(raw);
            // BuildKit repeats the end of the step that failed, each line with its seconds alone.
            match is_docker_summary {
                false => is_docker_summary = text.starts_with(" > [") && text.ends_with(':'),
                true if text.starts_with("-----") => is_docker_summary = false,
                true => text = without_seconds(text),
            }
            // GitHub lists the step that begins in a group of its own.
            match mark {
                Mark::Group => is_echo = text.starts_with("Run "),
                Mark::None if is_echo => mark = Mark::Echo,
                _ => is_echo = false,
            }
            Line { text, number, mark }
        });
        Self { lines: lines.collect(), steps: Cell::new(0) }
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// How many times a matcher looked at a line.
    #[cfg(test)]
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// All lines in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Line<'t>> {
        self.lines.iter()
    }

    /// A cursor at line index `at`.
    pub(crate) fn cursor(&self, at: usize) -> Cursor<'_, 't> {
        Cursor { lines: self, at }
    }
}

/// A position in [`Lines`] and the lines around it.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'l, 't> {
    lines: &'l Lines<'t>,
    at: usize,
}

impl<'t> Cursor<'_, 't> {
    /// The text of the current line.
    pub(crate) fn text(&self) -> &'t str {
        self.ahead(0).unwrap_or("")
    }

    /// The number of the line `offset` lines ahead, as [`Problem::text_line`](recovery_types::Problem) wants it.
    pub(crate) fn number(&self, offset: usize) -> Option<u64> {
        self.lines.lines.get(self.at + offset).map(|line| u64::from(line.number))
    }

    /// The number of the line `offset` lines back.
    pub(crate) fn number_back(&self, offset: usize) -> Option<u64> {
        self.lines.lines.get(self.at.checked_sub(offset)?).map(|line| u64::from(line.number))
    }

    /// The text `offset` lines ahead; `None` past the end or past [`LOOKAHEAD_LINES`].
    pub(crate) fn ahead(&self, offset: usize) -> Option<&'t str> {
        self.lines.steps.set(self.lines.steps.get() + 1);
        let line = self.lines.lines.get(self.at + offset)?;
        (offset <= LOOKAHEAD_LINES).then_some(line.text)
    }

    /// The text `offset` lines back, `None` before the beginning or past
    /// [`LOOKBACK_LINES`].
    pub(crate) fn back(&self, offset: usize) -> Option<&'t str> {
        self.lines.steps.set(self.lines.steps.get() + 1);
        let line = self.lines.lines.get(self.at.checked_sub(offset)?)?;
        (offset <= LOOKBACK_LINES).then_some(line.text)
    }

    /// The lines after the current one, with their offsets.
    pub(crate) fn following(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let cursor = *self;
        (1..).map_while(move |offset| cursor.ahead(offset).map(|text| (offset, text)))
    }

    /// The lines before the current one, nearest first, with their offsets.
    pub(crate) fn preceding(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let cursor = *self;
        (1..).map_while(move |offset| cursor.back(offset).map(|text| (offset, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_text() {
        let text = "a\r\n\u{1b}[1mb\u{1b}[0m\r\n\r\nc";
        let clean = without_escapes(text);
        let lines = Lines::of(&clean);
        let seen: Vec<_> = lines.iter().map(|line| (line.number, line.text)).collect();
        assert_eq!(seen, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
    }

    #[test]
    fn docker_repeats_the_failed_step_with_seconds() {
        let text =
            "0.1 before\n > [2/2] RUN npm ci:\n0.876 npm error code X\n12.50   indented\nplain\n------\n0.2 after";
        let lines = Lines::of(text);
        let seen: Vec<_> = lines.iter().map(|line| line.text).collect();
        let expected =
            ["0.1 before", " > [2/2] RUN npm ci:", "npm error code X", "  indented", "plain", "------", "0.2 after"];
        assert_eq!(seen, expected);
    }
}
