//! Which indicators stand where, gathered in one pass over output of any length.

use crate::line::{self, Voice};
use crate::pack::{Guard, PackName, Strength};
use crate::{Taxonomy, ansi};

/// The longest indicator text.
pub(crate) const MAX_TEXT: usize = 256;
/// How far around a hit its line is looked at.
const REACH: usize = 4096;
/// How much of a long text is read at a time.
const PIECE: usize = 1 << 20;
/// How much of a neighbouring line is looked at.
const GLANCE: usize = 256;
/// An unfinished line longer than this is read before its end has come.
const LONG_LINE: usize = 64 * 1024;

/// A place in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Bytes from the start.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
}

/// An indicator that counts, with its first and last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub row: usize,
    pub first: Place,
    pub last: Place,
}

/// What was found so far. Memory does not grow with the output: two places a row and a few lines.
#[derive(Debug)]
pub(crate) struct Evidence {
    found: Vec<Option<Found>>,
    /// Places that only warn or tell of something tried again.
    asides: Vec<Option<Found>>,
    /// Lines that wait for the one after them, with a glance of what stands before.
    buffer: Vec<u8>,
    /// Hits before this position of `buffer` were read before.
    read_before: usize,
    /// Bytes and lines before `buffer`.
    base: Place,
}

impl Evidence {
    /// Reads the whole text.
    pub(crate) fn of(taxonomy: &Taxonomy, text: &[u8]) -> Self {
        let mut evidence = Self::new(taxonomy);
        if text.len() <= PIECE {
            evidence.read_block(taxonomy, text, 0..text.len());
        } else {
            text.chunks(PIECE).for_each(|piece| evidence.read(taxonomy, piece));
            evidence.end(taxonomy);
        }
        evidence
    }

    pub(crate) fn new(taxonomy: &Taxonomy) -> Self {
        let none = vec![None; taxonomy.row_count()];
        let base = Place { offset: 0, line: 1 };
        Self { found: none.clone(), asides: none, buffer: Vec::new(), read_before: 0, base }
    }

    /// Reads the next piece. The last whole line waits, because the line after it may take it back.
    pub(crate) fn read(&mut self, taxonomy: &Taxonomy, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
        if memchr::memchr(b'\n', chunk).is_some() {
            let end = memchr::memrchr(b'\n', &self.buffer).unwrap_or(0);
            let last_line = memchr::memrchr(b'\n', &self.buffer[..end]).map_or(0, |at| at + 1);
            self.read_up_to(taxonomy, last_line, GLANCE + 1);
        }
        if self.buffer.len() - self.read_before > LONG_LINE {
            self.read_up_to(taxonomy, self.buffer.len() - REACH - MAX_TEXT, REACH + GLANCE + 1);
        }
    }

    /// Reads what is left when no more comes.
    pub(crate) fn end(&mut self, taxonomy: &Taxonomy) {
        self.read_up_to(taxonomy, self.buffer.len(), 0);
    }

    /// Reads the hits before `until` and keeps `glance` bytes before it.
    fn read_up_to(&mut self, taxonomy: &Taxonomy, until: usize, glance: usize) {
        if until <= self.read_before {
            return;
        }
        let buffer = std::mem::take(&mut self.buffer);
        self.read_block(taxonomy, &buffer, self.read_before..until);
        let keep_from = until.saturating_sub(glance);
        self.base.offset += keep_from as u64;
        self.base.line += memchr::memchr_iter(b'\n', &buffer[..keep_from]).count() as u64;
        self.buffer.extend_from_slice(&buffer[keep_from..]);
        self.read_before = until - keep_from;
    }

    /// The rows that count, in the pack's order.
    pub(crate) fn found(&self) -> impl Iterator<Item = Found> + '_ {
        self.found.iter().copied().flatten()
    }

    /// The rows that stand only on warnings and notes, in the pack's order.
    pub(crate) fn asides(&self) -> impl Iterator<Item = Found> + '_ {
        self.asides.iter().copied().flatten()
    }

    /// Reads the hits of a block that start within `accept`.
    fn read_block(&mut self, taxonomy: &Taxonomy, block: &[u8], accept: std::ops::Range<usize>) {
        match taxonomy.pack() {
            PackName::Documented => self.read_plain(taxonomy, block, accept, |at| at),
            PackName::Field => match ansi::strip(block) {
                None => self.read_plain(taxonomy, block, accept, |at| at),
                Some(plain) => self.read_plain(taxonomy, &plain.text, plain.range(&accept), |at| plain.origin(at)),
            },
        }
    }

    /// `origin` leads from a position in `block` to one in what was printed.
    fn read_plain(
        &mut self,
        taxonomy: &Taxonomy,
        block: &[u8],
        accept: std::ops::Range<usize>,
        origin: impl Fn(usize) -> usize,
    ) {
        let mut reader = Reader { taxonomy, block, line: 0..0, content: 0 };
        let mut cursor = LineCursor { block, at: 0, line: self.base.line };
        let base = self.base.offset;
        let mut place = |start| Place { offset: base + origin(start) as u64, line: cursor.line_of(start) };
        // Only the first and the last place of a row matter: once it counts, its later hits wait and are weighed from
        // the end.
        let mut later: Vec<(usize, usize)> = Vec::new();
        taxonomy.scanner().find(block, |row, start| {
            if !accept.contains(&start) {
                return;
            }
            if self.found[row].is_some_and(|found| found.first.offset <= base + start as u64) {
                later.push((row, start));
                return;
            }
            let Some(weight) = reader.weigh(row, start) else { return };
            let place = place(start);
            let places = match weight {
                Weight::Full => &mut self.found,
                Weight::Aside => &mut self.asides,
            };
            let found = places[row].get_or_insert(Found { row, first: place, last: place });
            found.first = found.first.min(place);
            found.last = found.last.max(place);
        });
        let mut settled = vec![false; if later.is_empty() { 0 } else { self.found.len() }];
        for &(row, start) in later.iter().rev() {
            if settled[row] || reader.weigh(row, start) != Some(Weight::Full) {
                continue;
            }
            settled[row] = true;
            if let Some(found) = &mut self.found[row] {
                found.last = found.last.max(place(start));
            }
        }
    }
}

/// How a row counts at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Full,
    Aside,
}

/// Weighs hits, remembering the line that it looked at last.
struct Reader<'t, 'b> {
    taxonomy: &'t Taxonomy,
    block: &'b [u8],
    line: std::ops::Range<usize>,
    /// Where the line's content begins, counted from the line.
    content: usize,
}

impl Reader<'_, '_> {
    /// Whether and how the row's text at `start` counts. What is cheap to ask is asked first.
    fn weigh(&mut self, index: usize, start: usize) -> Option<Weight> {
        let row = self.taxonomy.row(index)?;
        if self.taxonomy.pack() == PackName::Documented && row.guard == Guard::default() {
            return Some(Weight::Full);
        }
        let end = start + row.text.len();
        let Guard { word, line_start, aside, pattern } = row.guard;
        if word && !(at_word_border(self.block, start) && at_word_border(self.block, end)) {
            return None;
        }
        self.look_at(start, end);
        let (at, text) = (start - self.line.start, &self.block[self.line.clone()]);
        if line_start && at > self.content {
            return None;
        }
        let matches = |p: &str| {
            self.taxonomy.pattern(index, p).is_some_and(|regex| regex.is_match(&text[self.content.min(at)..]))
        };
        if pattern.is_some_and(|p| !matches(p)) {
            return None;
        }
        let (before, after) = (line_before(self.block, self.line.start), line_after(self.block, self.line.end));
        match line::voice(text, at, before, after) {
            Voice::Quote if row.strength != Strength::Success => None,
            Voice::Aside if !aside => Some(Weight::Aside),
            Voice::Report | Voice::Aside | Voice::Quote => Some(Weight::Full),
        }
    }

    fn look_at(&mut self, start: usize, end: usize) {
        let known = self.line.start <= start && end <= self.line.end && self.line.len() < REACH;
        if !known {
            self.line = line_around(self.block, start, end);
            self.content = line::content_start(&self.block[self.line.clone()]);
        }
    }
}

/// Whether no word goes on across this position.
fn at_word_border(block: &[u8], at: usize) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = at.checked_sub(1).and_then(|i| block.get(i)).is_some_and(is_word);
    let after = block.get(at).is_some_and(is_word);
    !(before && after)
}

fn line_around(block: &[u8], start: usize, end: usize) -> std::ops::Range<usize> {
    let from = start.saturating_sub(REACH);
    let to = (end + REACH).min(block.len());
    let begin = memchr::memrchr2(b'\n', b'\r', &block[from..start]).map_or(from, |at| from + at + 1);
    let finish = memchr::memchr2(b'\n', b'\r', &block[end..to]).map_or(to, |at| end + at);
    begin..finish
}

/// The line before the one that begins at `begin`.
fn line_before(block: &[u8], begin: usize) -> &[u8] {
    let Some(end) = begin.checked_sub(1) else { return b"" };
    let from = end.saturating_sub(GLANCE);
    let text = &block[from..end];
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
}

/// The line after the one that ends at `end`.
fn line_after(block: &[u8], end: usize) -> &[u8] {
    let rest = &block[end.min(block.len())..];
    let Some(begin) = memchr::memchr(b'\n', &rest[..rest.len().min(2)]) else { return b"" };
    let rest = &rest[begin + 1..];
    let rest = &rest[..rest.len().min(GLANCE)];
    memchr::memchr(b'\n', rest).map_or(rest, |at| &rest[..at])
}

/// Counts lines along with the hits, which come nearly in order.
struct LineCursor<'b> {
    block: &'b [u8],
    at: usize,
    line: u64,
}

impl LineCursor<'_> {
    fn line_of(&mut self, at: usize) -> u64 {
        let breaks = |from: usize, to: usize| memchr::memchr_iter(b'\n', &self.block[from..to]).count() as u64;
        if at >= self.at {
            self.line += breaks(self.at, at);
        } else {
            self.line -= breaks(at, self.at);
        }
        self.at = at;
        self.line
    }
}
