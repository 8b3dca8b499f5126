//! Reads what an indicator means on its line: whether it counts there, and how.

use crate::alike::{Said, Study};
use crate::line::{self, Before, Mood, Voice};
use crate::pack::{Guard, PackName, Strength};
use crate::pattern::{Room, Traits};
use crate::taxonomy::PatternLine;
use crate::{Taxonomy, ansi};
use std::ops::Range;

/// How far around a hit its line is looked at.
const REACH: usize = 4096;
/// How far before and after a hit its pattern is looked for.
const BEFORE: usize = 512;
const AFTER: usize = 1024;
/// How much of a neighbouring line is looked at.
const GLANCE: usize = 256;
/// How much of a long line is kept beside what is read, so that escape codes are not cut where they matter.
pub(crate) const LONG_LINE: usize = 4 * REACH;

/// How a row counts at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Full,
    Aside,
}

/// Weighs hits, remembering the lines that it looked at: the scan comes back to each several times.
pub(crate) struct Reader<'t, 'b> {
    taxonomy: &'t Taxonomy,
    block: &'b [u8],
    /// By where they begin.
    lines: Vec<Line>,
    /// The one that was looked at last.
    recent: usize,
    room: Room,
}

/// So many lines are remembered, fewer where less is read, one for each part of this many bytes.
const LINES: usize = 256;
const LINE_PART: usize = 32;

/// A line that was looked at.
#[derive(Clone, Default)]
struct Line {
    range: Range<usize>,
    /// Where its content begins, counted from the line.
    content: usize,
    /// What part of the text it was looked up for.
    cell: usize,
    mood: Option<Mood>,
    traits: Option<Traits>,
}

impl<'t, 'b> Reader<'t, 'b> {
    /// Reads `bytes` of the block.
    pub(crate) fn new(taxonomy: &'t Taxonomy, block: &'b [u8], bytes: usize) -> Self {
        let lines = vec![Line::default(); (bytes / LINE_PART).clamp(4, LINES)];
        Self { taxonomy, block, lines, recent: 0, room: Room::default() }
    }

    /// Whether and how the row's text at `start` counts, unless its pattern does not match. What is cheap to ask is asked
    /// first.
    pub(crate) fn weigh(&mut self, index: usize, start: usize) -> Option<Weight> {
        let (length, strength, guard) = self.taxonomy.terms(index)?;
        if self.taxonomy.pack() == PackName::Documented && guard == Guard::default() {
            return Some(Weight::Full);
        }
        if !self.stands(start, length, guard) {
            return None;
        }
        let block = self.block;
        let line = self.line_at(start, start + length);
        let (at, text) = (start - line.range.start, &block[line.range.clone()]);
        let mood = *line.mood.get_or_insert_with(|| {
            let before = Before::of(line_before(block, line.range.start));
            Mood::of(text, before, line::tells_of_retry(line_after(block, line.range.end)))
        });
        match mood.voice(text, at) {
            Voice::Quote if strength != Strength::Success => None,
            Voice::Aside if !guard.aside => Some(Weight::Aside),
            Voice::Report | Voice::Aside | Voice::Quote => Some(Weight::Full),
        }
    }

    /// Whether a text may count for where it stands.
    fn stands(&mut self, start: usize, length: usize, Guard { word, line_start, .. }: Guard<'_>) -> bool {
        let (block, end) = (self.block, start + length);
        if word && !(at_word_border(block, start) && at_word_border(block, end)) {
            return false;
        }
        let line = self.line_at(start, end);
        !line_start || start - line.range.start <= line.content
    }

    /// Whether the row's pattern, if it has one, matches the line of its text at `start`.
    pub(crate) fn matches(&mut self, index: usize, start: usize) -> bool {
        let taxonomy = self.taxonomy;
        self.line_for_pattern(index, start).is_none_or(|line| taxonomy.pattern_stands(index, line))
    }

    /// Where the digits stand that matter to rows, each with where its text stands, or would with other digits where it
    /// has some. What the lines around mean does not matter.
    fn digits_asked_for(&mut self, mut rows: Vec<(usize, usize, bool)>) -> Vec<usize> {
        let (taxonomy, block) = (self.taxonomy, self.block);
        let (mut asked, mut last, mut matters) = (Vec::new(), None, false);
        rows.sort_unstable();
        for (row, start, has_digits) in rows {
            let Some((length, _, guard)) = taxonomy.terms(row) else { continue };
            if !self.stands(start, length, guard) {
                continue;
            }
            if let Some(line) = self.line_for_pattern(row, start) {
                // A text that stands there more than once mostly has its pattern looked for in the same place.
                let place = (row, line.from, line.text.len(), has_digits);
                if last != Some(place) {
                    let from = line.from;
                    let digits = taxonomy.digits_asked_for(row, line, has_digits);
                    asked.extend(digits.iter().flatten().map(|at| from + at));
                    (last, matters) = (Some(place), digits.is_some());
                }
                if !matters {
                    continue;
                }
            }
            if has_digits {
                asked.extend((start..start + length).filter(|at| block[*at].is_ascii_digit()));
            }
        }
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// What the row's pattern, if it has one, is looked for in.
    fn line_for_pattern(&mut self, index: usize, start: usize) -> Option<PatternLine<'_>> {
        let (taxonomy, block) = (self.taxonomy, self.block);
        let (length, _, Guard { pattern, .. }) = taxonomy.terms(index)?;
        let pattern = pattern?;
        self.line_at(start, start + length);
        let line = &mut self.lines[self.recent];
        let content = start.min(line.range.start + line.content);
        // A line without end has the same words over and over: what a pattern asks for stands near its text, or where
        // the line begins.
        let from =
            if pattern.as_bytes().first() == Some(&b'^') { content } else { content.max(start.saturating_sub(BEFORE)) };
        let text = &block[from..line.range.end.min(start + length + AFTER)];
        let traits = line.traits.get_or_insert_with(|| Traits::of(&block[line.range.clone()]));
        Some(PatternLine { pattern, text, from, traits, room: &mut self.room })
    }

    fn line_at(&mut self, start: usize, end: usize) -> &mut Line {
        let is_known = |line: &Line| {
            let holds = line.range.start <= start && end <= line.range.end;
            holds && (line.range.len() < REACH || line.cell == start / REACH)
        };
        if !is_known(&self.lines[self.recent]) {
            let begin = line_begin(self.block, start);
            self.recent = begin / LINE_PART % self.lines.len();
            let line = &mut self.lines[self.recent];
            if !is_known(line) {
                let range = begin..line_finish(self.block, start, end);
                let content = line::content_start(&self.block[range.clone()]);
                *line = Line { range, content, cell: start / REACH, mood: None, traits: None };
            }
        }
        &mut self.lines[self.recent]
    }
}

/// Whether no word goes on across this position.
fn at_word_border(block: &[u8], at: usize) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = at.checked_sub(1).and_then(|i| block.get(i)).is_some_and(is_word);
    let after = block.get(at).is_some_and(is_word);
    !(before && after)
}

/// Where the line of a text that starts at `start` begins, as far as it is looked at.
fn line_begin(block: &[u8], start: usize) -> usize {
    // The same for all that starts in one part of a line without end.
    let from = (start / REACH * REACH).saturating_sub(REACH);
    memchr::memrchr2(b'\n', b'\r', &block[from..start]).map_or(from, |at| from + at + 1)
}

/// Where the line of a text from `start` to `end` ends, as far as it is looked at.
fn line_finish(block: &[u8], start: usize, end: usize) -> usize {
    let to = ((start / REACH + 2) * REACH).max(end).min(block.len());
    memchr::memchr2(b'\n', b'\r', &block[end..to]).map_or(to, |at| end + at)
}

/// The line before the one that begins at `begin`.
fn line_before(block: &[u8], begin: usize) -> &[u8] {
    let Some(end) = begin.checked_sub(1) else { return b"" };
    let text = seen_from_below(&block[..end]);
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
}

/// The line after the one that ends at `end`.
fn line_after(block: &[u8], end: usize) -> &[u8] {
    let rest = &block[end.min(block.len())..];
    let Some(begin) = memchr::memchr(b'\n', &rest[..rest.len().min(2)]) else { return b"" };
    let rest = seen_from_above(&rest[begin + 1..]);
    memchr::memchr(b'\n', rest).map_or(rest, |at| &rest[..at])
}

/// What a line looks at of the one before it.
pub(crate) fn seen_from_below(text: &[u8]) -> &[u8] {
    &text[text.len().saturating_sub(GLANCE)..]
}

/// What a line looks at of the one after it.
pub(crate) fn seen_from_above(text: &[u8]) -> &[u8] {
    &text[..text.len().min(GLANCE)]
}

/// A part of a text and the lines around it that it may speak of.
pub(crate) struct Around<'t> {
    pub from: usize,
    pub block: &'t [u8],
    /// Where the part stands in the block.
    pub accept: Range<usize>,
}

pub(crate) fn around<'t>(text: &'t [u8], part: &Range<usize>) -> Around<'t> {
    let from = lines_before(text, part.start);
    let block = &text[from..line_end(text, line_end(text, part.end))];
    Around { from, block, accept: part.start - from..part.end - from }
}

/// What a line says, and what it asks for where that is `wanted`.
pub(crate) fn study(taxonomy: &Taxonomy, text: &[u8], line: &Range<usize>, wanted: bool) -> Study {
    let Around { block, accept, .. } = around(text, line);
    match ansi::strip(block) {
        None => study_plain(taxonomy, block, accept.clone(), wanted, |at| at - accept.start),
        Some(plain) => {
            study_plain(taxonomy, &plain.text, plain.range(&accept), wanted, |at| plain.origin(at) - accept.start)
        }
    }
}

/// `on_line` leads from a position in `block` to one on the line as it was printed.
fn study_plain(
    taxonomy: &Taxonomy,
    block: &[u8],
    accept: Range<usize>,
    wanted: bool,
    on_line: impl Fn(usize) -> usize,
) -> Study {
    let mut reader = Reader::new(taxonomy, block, accept.len());
    let mut study = Study { hits: 0, asks: Vec::new(), says: Vec::new() };
    let mut asking = Vec::new();
    taxonomy.find(&block[accept.clone()], |row, at| {
        let start = accept.start + at;
        study.hits += 1;
        if let Some(weight) = reader.weigh(row, start).filter(|_| reader.matches(row, start)) {
            study.says.push(Said { row: row as u16, at: on_line(start) as u16, aside: weight == Weight::Aside });
        }
        asking.push((row, start, false));
    });
    if wanted {
        taxonomy.find_whatever_digits(&block[accept.clone()], |row, at| asking.push((row, accept.start + at, true)));
        study.asks = reader.digits_asked_for(asking).into_iter().map(|at| on_line(at) as u16).collect();
    }
    study
}

/// Where the line before that of position `at` begins.
pub(crate) fn lines_before(buffer: &[u8], at: usize) -> usize {
    let begin = |at: usize| {
        let from = at.saturating_sub(LONG_LINE);
        memchr::memrchr(b'\n', &buffer[from..at]).map_or(from, |found| from + found + 1)
    };
    begin(begin(at).saturating_sub(1))
}

/// Where the line of position `at` ends, its line break included.
pub(crate) fn line_end(buffer: &[u8], at: usize) -> usize {
    let to = buffer.len().min(at + LONG_LINE);
    memchr::memchr(b'\n', &buffer[at..to]).map_or(to, |found| at + found + 1)
}
