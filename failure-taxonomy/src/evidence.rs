//! Which indicators stand where, gathered in one pass over output of any length.

use crate::pack::{Guard, PackName};
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
        Self { found: vec![None; taxonomy.row_count()], carry: Vec::new(), read_before: 0, base }
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

    /// The line that comes next; one more than the last line.
    pub(crate) const fn next_line(&self) -> u64 {
        self.base.line
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
            if !accept.contains(&start) || !counts(taxonomy, row, block, start) {
                return;
            }
            let place = Place { offset: base + origin(start) as u64, line: cursor.line_of(start) };
            let found = self.found[row].get_or_insert(Found { row, first: place, last: place });
            found.first = found.first.min(place);
            found.last = found.last.max(place);
        });
    }
}

/// Whether the row's guard holds for its text at `start`.
fn counts(taxonomy: &Taxonomy, index: usize, block: &[u8], start: usize) -> bool {
    let Some(row) = taxonomy.row(index) else { return false };
    if row.guard == Guard::default() {
        return true;
    }
    let end = start + row.text.len();
    let Guard { word, line_start, pattern } = row.guard;
    if word && !(at_word_border(block, start) && at_word_border(block, end)) {
        return false;
    }
    if !line_start && pattern.is_none() {
        return true;
    }
    let line = line_around(block, start, end);
    if line_start && !opens_line(&block[line.start..start]) {
        return false;
    }
    pattern.is_none_or(|p| taxonomy.pattern(index, p).is_some_and(|regex| regex.is_match(&block[line])))
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

/// Whether what stands before a text leaves it at the beginning of its line: blanks, quote marks, pytest's `E`.
fn opens_line(before: &[u8]) -> bool {
    let before = before.trim_ascii();
    before.iter().all(|b| b" \t>|*-#".contains(b)) || before == b"E"
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
