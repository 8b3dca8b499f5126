//! Judges one line at a time: whether the texts of rows that occur on it count, and how.
//!
//! In: a block of text and the positions on one line at which a row's text occurs. Out: a [`Judgement`]. The guard's word
//! and line-start conditions and the [`LineContext`] are checked per position; the row's pattern, which costs most, is
//! tried once per line and row. A line longer than [`CELL_BYTES`] is judged in cells of that size, each with the cells
//! beside it as its surroundings, so that the work per byte is bounded on any input.

use super::context::{self, LineContext, LineKind, PrevLine};
use crate::pack::pattern::{Cache, Traits};
use crate::pack::rows::{PatternPart, PatternWindow, Rows};
use crate::pack::{Guard, PackName, Strength};
use std::ops::Range;

/// A line longer than this is judged in cells of this size.
pub(super) const CELL_BYTES: usize = 4096;
/// A pattern is tried from so far before the first position of its row's text on the line ...
const BEFORE_BYTES: usize = 512;
/// ... to so far behind the last one.
const AFTER_BYTES: usize = 1024;
/// How much of the lines before and after is looked at.
const NEIGHBOUR_BYTES: usize = 256;

/// Where a row's text counts on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Judgement {
    /// The first and the last position at which it counts in full.
    pub full: Option<(usize, usize)>,
    /// The last position at which it only warns of or mentions something that was tried again.
    pub aside: Option<usize>,
}

/// Judges the lines of one block.
pub(super) struct LineJudge<'r, 'b> {
    rows: &'r Rows,
    block: &'b [u8],
    line: Line,
    cache: Cache,
}

/// The line that is being judged. What is not needed for every row is made when it is first needed.
#[derive(Default)]
struct Line {
    range: Range<usize>,
    /// Where its content begins, after time stamps and log tags.
    content: Option<usize>,
    context: Option<LineContext>,
    traits: Option<Traits>,
}

impl<'r, 'b> LineJudge<'r, 'b> {
    pub(super) fn new(rows: &'r Rows, block: &'b [u8]) -> Self {
        Self { rows, block, line: Line::default(), cache: Cache::default() }
    }

    /// Goes to the line of position `start`; returns the end of the part of it that is judged together.
    pub(super) fn enter_line(&mut self, start: usize) -> usize {
        let cell = start / CELL_BYTES;
        // The same for all positions in one cell.
        let from = (cell * CELL_BYTES).saturating_sub(CELL_BYTES);
        let begin = memchr::memrchr2(b'\n', b'\r', &self.block[from..start]).map_or(from, |at| from + at + 1);
        let to = ((cell + 2) * CELL_BYTES).min(self.block.len());
        let end = memchr::memchr2(b'\n', b'\r', &self.block[start..to]).map_or(to, |at| start + at);
        self.cache.count_steps(end - begin);
        self.line = Line { range: begin..end, ..Line::default() };
        if end - begin < CELL_BYTES { end.max(start + 1) } else { end.min((cell + 1) * CELL_BYTES).max(start + 1) }
    }

    /// Where the line begins, or what of it is looked at.
    pub(super) const fn line_start(&self) -> usize {
        self.line.range.start
    }

    /// Judges a row by the positions of its text on this line, in rising order.
    pub(super) fn judge(&mut self, row: usize, starts: impl Iterator<Item = usize>) -> Judgement {
        let mut judgement = Judgement::default();
        let Some((length, strength, guard)) = self.rows.terms(row) else { return judgement };
        // A line that the pattern cannot match on needs no closer look.
        if let Some(pattern) = guard.pattern
            && !self.rows.may_match(row, pattern, self.traits())
        {
            return judgement;
        }
        let is_plain = self.rows.pack() == PackName::Documented && guard == Guard::default();
        let mut counted: Option<(usize, usize)> = None;
        for start in starts {
            self.cache.count_steps(1);
            let kind = if is_plain {
                LineKind::Report
            } else if self.guard_holds(start, start + length, guard) {
                self.line_kind_at(start)
            } else {
                continue;
            };
            match kind {
                LineKind::Quote if strength != Strength::Success => continue,
                LineKind::Aside if !guard.aside => judgement.aside = Some(start),
                LineKind::Report | LineKind::Aside | LineKind::Quote => {
                    judgement.full = Some((judgement.full.map_or(start, |(first, _)| first), start));
                }
            }
            counted = Some((counted.map_or(start, |(first, _)| first), start));
        }
        let Some((first, last)) = counted else { return judgement };
        let mut matches = |part, pattern| self.pattern_matches((row, part), pattern, first, last + length);
        let holds = guard.pattern.is_none_or(|pattern| matches(PatternPart::Pattern, pattern))
            && !guard.unless.is_some_and(|pattern| matches(PatternPart::Unless, pattern));
        if holds { judgement } else { Judgement::default() }
    }

    /// Whether the guard's conditions on the position hold for a text from `start` to `end`.
    fn guard_holds(&mut self, start: usize, end: usize, guard: Guard<'_>) -> bool {
        (!guard.word || (is_word_border(self.block, start) && is_word_border(self.block, end)))
            && (!guard.line_start || start <= self.content())
    }

    /// The kind of the line for what occurs at `start`.
    fn line_kind_at(&mut self, start: usize) -> LineKind {
        let (block, Range { start: begin, end }) = (self.block, self.line.range.clone());
        let line = &block[begin..end];
        let context = self.line.context.get_or_insert_with(|| {
            let prev = PrevLine::of(line_before(block, begin));
            LineContext::of(line, prev, context::reports_retry(line_after(block, end)))
        });
        context.kind(line, start - begin)
    }

    /// Whether a pattern matches around its row's text, whose occurrences on the line lie between `first` and `last_end`.
    fn pattern_matches(&mut self, of: (usize, PatternPart), pattern: &str, first: usize, last_end: usize) -> bool {
        let content = self.content().min(first);
        let is_anchored = pattern.as_bytes().first() == Some(&b'^');
        let from = if is_anchored { content } else { content.max(first.saturating_sub(BEFORE_BYTES)) };
        let Self { rows, block, line, cache } = self;
        let text = &block[from..line.range.end.min(last_end + AFTER_BYTES)];
        let traits = line.traits.get_or_insert_with(|| Traits::of(&block[line.range.clone()]));
        rows.pattern_matches(of, pattern, PatternWindow { text, traits, cache })
    }

    fn traits(&mut self) -> &Traits {
        let Self { block, line, .. } = self;
        line.traits.get_or_insert_with(|| Traits::of(&block[line.range.clone()]))
    }

    fn content(&mut self) -> usize {
        let (block, range) = (self.block, self.line.range.clone());
        *self.line.content.get_or_insert_with(|| range.start + context::content_start(&block[range]))
    }

    #[cfg(test)]
    pub(super) const fn steps(&self) -> u64 {
        self.cache.steps
    }
}

/// Whether no word goes on across this position.
fn is_word_border(block: &[u8], at: usize) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = at.checked_sub(1).and_then(|i| block.get(i)).is_some_and(is_word);
    let after = block.get(at).is_some_and(is_word);
    !(before && after)
}

/// The end of the line before the one that begins at `begin`.
fn line_before(block: &[u8], begin: usize) -> &[u8] {
    let Some(end) = begin.checked_sub(1) else { return b"" };
    let text = &block[end.saturating_sub(NEIGHBOUR_BYTES)..end];
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
}

/// The beginning of the line after the one that ends at `end`.
fn line_after(block: &[u8], end: usize) -> &[u8] {
    let rest = &block[end.min(block.len())..];
    let Some(begin) = memchr::memchr(b'\n', &rest[..rest.len().min(2)]) else { return b"" };
    let rest = &rest[begin + 1..];
    let rest = &rest[..rest.len().min(NEIGHBOUR_BYTES)];
    memchr::memchr(b'\n', rest).map_or(rest, |at| &rest[..at])
}
