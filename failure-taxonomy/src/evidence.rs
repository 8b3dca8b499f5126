//! Which indicators stand where, gathered in one pass over output of any length.

use crate::line::{self, Voice};
use crate::pack::{Guard, PackName, Strength};
use crate::{Taxonomy, ansi};

/// The longest indicator text.
pub(crate) const MAX_TEXT: usize = 256;
/// How far around a hit its line is looked at.
const REACH: usize = 4096;
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

/// What was found so far. Memory does not grow with the output: two places a row and one unfinished line.
#[derive(Debug)]
pub(crate) struct Evidence {
    found: Vec<Option<Found>>,
    /// Places that only warn or tell of something tried again.
    asides: Vec<Option<Found>>,
    /// The line whose end has not come yet.
    carry: Vec<u8>,
    /// Hits before this position of `carry` were read before.
    read_before: usize,
    /// Bytes and lines before `carry`.
    base: Place,
}

impl Evidence {
    pub(crate) fn new(taxonomy: &Taxonomy) -> Self {
        let base = Place { offset: 0, line: 1 };
        let none = vec![None; taxonomy.row_count()];
        Self { found: none.clone(), asides: none, carry: Vec::new(), read_before: 0, base }
    }

    /// Reads the next piece, up to its last line break; the rest waits for its line's end.
    pub(crate) fn read(&mut self, taxonomy: &Taxonomy, mut chunk: &[u8]) {
        if !self.carry.is_empty() {
            let end = memchr::memchr(b'\n', chunk).map_or(chunk.len(), |at| at + 1);
            self.carry.extend_from_slice(&chunk[..end]);
            chunk = &chunk[end..];
            if self.carry.ends_with(b"\n") {
                self.read_carry(taxonomy);
            }
        }
        let whole_lines = memchr::memrchr(b'\n', chunk).map_or(0, |at| at + 1);
        if whole_lines > 0 {
            self.read_block(taxonomy, &chunk[..whole_lines], 0..whole_lines);
            self.advance(&chunk[..whole_lines]);
        }
        self.carry.extend_from_slice(&chunk[whole_lines..]);
        if self.carry.len() > LONG_LINE {
            self.read_long_line(taxonomy);
        }
    }

    /// Reads what is left when no more comes.
    pub(crate) fn end(&mut self, taxonomy: &Taxonomy) {
        self.read_carry(taxonomy);
    }

    /// The rows that count, in the pack's order.
    pub(crate) fn found(&self) -> impl Iterator<Item = Found> + '_ {
        self.found.iter().copied().flatten()
    }

    /// The rows that stand only on warnings and notes, in the pack's order.
    pub(crate) fn asides(&self) -> impl Iterator<Item = Found> + '_ {
        self.asides.iter().copied().flatten()
    }

    fn read_carry(&mut self, taxonomy: &Taxonomy) {
        let carry = std::mem::take(&mut self.carry);
        self.read_block(taxonomy, &carry, self.read_before..carry.len());
        self.read_before = 0;
        self.advance(&carry);
    }

    /// Reads hits whose whole surroundings are known and keeps enough for those that come later.
    fn read_long_line(&mut self, taxonomy: &Taxonomy) {
        let carry = std::mem::take(&mut self.carry);
        let known = carry.len() - (REACH + MAX_TEXT);
        self.read_block(taxonomy, &carry, self.read_before..known);
        let keep_from = known - REACH;
        self.read_before = REACH;
        self.advance(&carry[..keep_from]);
        self.carry = carry[keep_from..].to_vec();
    }

    fn advance(&mut self, read: &[u8]) {
        self.base.offset += read.len() as u64;
        self.base.line += memchr::memchr_iter(b'\n', read).count() as u64;
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
        let mut cursor = LineCursor { block, at: 0, line: self.base.line };
        let base = self.base.offset;
        taxonomy.scanner().find(block, |row, start| {
            if !accept.contains(&start) {
                return;
            }
            let Some(weight) = weigh(taxonomy, row, block, start) else { return };
            let place = Place { offset: base + origin(start) as u64, line: cursor.line_of(start) };
            let places = match weight {
                Weight::Full => &mut self.found,
                Weight::Aside => &mut self.asides,
            };
            let found = places[row].get_or_insert(Found { row, first: place, last: place });
            found.first = found.first.min(place);
            found.last = found.last.max(place);
        });
    }
}

/// How a row counts at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Full,
    Aside,
}

/// Whether and how the row's text at `start` counts.
fn weigh(taxonomy: &Taxonomy, index: usize, block: &[u8], start: usize) -> Option<Weight> {
    let row = taxonomy.row(index)?;
    if taxonomy.pack() == PackName::Documented && row.guard == Guard::default() {
        return Some(Weight::Full);
    }
    let end = start + row.text.len();
    let Guard { word, line_start, aside, pattern } = row.guard;
    if word && !(at_word_border(block, start) && at_word_border(block, end)) {
        return None;
    }
    let line = line_around(block, start, end);
    let (at, text) = (start - line.start, &block[line.clone()]);
    let content = line::content_start(text);
    if line_start && at > content {
        return None;
    }
    let voice = line::voice(text, at, line_before(block, line.start));
    if voice == Voice::Quote && row.strength != Strength::Success {
        return None;
    }
    if pattern.is_some_and(|p| !taxonomy.pattern(index, p).is_some_and(|regex| regex.is_match(&text[content.min(at)..]))) {
        return None;
    }
    Some(if voice == Voice::Aside && !aside { Weight::Aside } else { Weight::Full })
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
    const GLANCE: usize = 256;
    let Some(end) = begin.checked_sub(1) else { return b"" };
    let from = end.saturating_sub(GLANCE);
    let text = &block[from..end];
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
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
