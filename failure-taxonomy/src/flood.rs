//! A flood of indicators, read with bounded work.
//!
//! Judging what an indicator on a line means takes far longer than passing over text that has none. Little comes of it when
//! every line of a long output has one: of each indicator only the first place and the last ones can matter. Lines that are
//! [`alike`](crate::alike) are not judged again anyway. Where lines differ, indicators are many, and a whole stretch of text
//! has told nothing new, the stretches after it are skimmed: only lines that begin unlike any line of the flood before them
//! are judged. Which lines those are depends on the text alone. The first [`CLOSE`]
//! and the last [`WHOLE`] bytes are never skimmed.

use std::ops::Range;

/// So much is judged whole where there is no more, and so much at the end is never skimmed.
pub(crate) const WHOLE: usize = 1 << 20;
/// So much at the beginning is never skimmed.
pub(crate) const CLOSE: usize = 16 << 20;
/// What is judged or skimmed at a time.
pub(crate) const STRETCH: usize = 512 << 10;
/// A stretch with an indicator in fewer bytes than this is dense.
const DENSE: usize = 512;
/// After a dense stretch that told nothing new, one is skimmed, then two, and so on up to this number.
const MOST_SKIMMED: usize = 63;
/// So many lines of a skimmed stretch are judged.
const MOST_LINES: usize = 32;
/// How much of a line is its beginning.
const BEGINNING: usize = 16;
/// The longest run of lines that is looked at for repeating.
const LONGEST_PERIOD: usize = 4096;
/// Bits for the beginnings seen.
const SEEN_BITS: u32 = 16;

/// What became of a piece of text that was judged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    /// How much of it was judged.
    pub bytes: usize,
    /// Indicators that stand there, whether they count or not.
    pub hits: usize,
    /// Whether one of them was not known before.
    pub news: bool,
}

impl Told {
    pub(crate) fn and(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, hits: self.hits + other.hits, news: self.news || other.news }
    }
}

/// Decides for each stretch between the two ends.
#[derive(Debug)]
pub(crate) struct Flood {
    left: usize,
    next: usize,
    /// Which beginnings of lines dense stretches had, one bit a hash.
    seen: Vec<u64>,
}

impl Default for Flood {
    fn default() -> Self {
        Self { left: 0, next: 1, seen: Vec::new() }
    }
}

impl Flood {
    /// Whether there are stretches to skim.
    pub(crate) fn is_skimming(&self) -> bool {
        self.left > 0
    }

    /// Whether the next stretch is to be skimmed.
    pub(crate) fn skims(&mut self) -> bool {
        let skims = self.is_skimming();
        self.left = self.left.saturating_sub(1);
        skims
    }

    /// A stretch was judged, but for lines like others before.
    pub(crate) fn judged(&mut self, text: &[u8], stretch: Range<usize>, told: Told) {
        let varied = 2 * told.bytes > stretch.len();
        if !varied || told.hits * DENSE <= stretch.len() {
            self.next = 1;
            return;
        }
        if self.seen.is_empty() {
            self.seen = vec![0; 1 << (SEEN_BITS - 6)];
        }
        for line in lines(text, stretch) {
            self.learn(beginning(text, line));
        }
        if told.news {
            self.next = 1;
        } else {
            self.left = self.next;
            self.next = (2 * self.next).min(MOST_SKIMMED);
        }
    }

    /// The lines of a skimmed stretch that begin in a new way, at most so many.
    pub(crate) fn unlike(&mut self, text: &[u8], stretch: Range<usize>) -> Vec<usize> {
        lines(text, stretch).filter(|line| self.learn(beginning(text, *line))).take(MOST_LINES).collect()
    }

    /// A skimmed stretch told something new: what follows is read more closely again.
    pub(crate) fn surprised(&mut self) {
        *self = Self { seen: std::mem::take(&mut self.seen), ..Self::default() };
    }

    /// Whether this beginning was new.
    fn learn(&mut self, beginning: u64) -> bool {
        let bit = beginning >> (64 - SEEN_BITS);
        let word = &mut self.seen[(bit >> 6) as usize];
        let new = *word & (1 << (bit & 63)) == 0;
        *word |= 1 << (bit & 63);
        new
    }
}

/// Where `part` of a text is nothing but the same lines over and over: its two ends, which say all that the middle says.
///
/// What a place means depends on its line and the two beside it, so it is the same one period on.
pub(crate) fn ends_of_repetition(text: &[u8], part: Range<usize>) -> Option<[Range<usize>; 2]> {
    let text = &text[part.clone()];
    if text.len() < 16 * LONGEST_PERIOD {
        return None;
    }
    let ends = |length: usize| Some([part.start..part.start + length, part.end - length..part.end]);
    let Some(line) = memchr::memchr(b'\n', &text[..LONGEST_PERIOD]) else {
        // Of a line without end, no more is looked at around a place than the longest period.
        return if text[1..] == text[..text.len() - 1] { ends(3 * LONGEST_PERIOD) } else { None };
    };
    // The second line of the text is the first that is whole; where it stands again, a period may have ended.
    let again = &text[line..2 * LONGEST_PERIOD];
    let end = memchr::memchr(b'\n', &again[1..])? + 2;
    let period = memchr::memmem::find(&again[1..], &again[..end])? + 1;
    if period > LONGEST_PERIOD || text[period..] != text[..text.len() - period] {
        return None;
    }
    // Three periods: a line with the one before and the one after.
    ends(3 * period)
}

/// Where the lines begin that begin in `stretch`.
fn lines(text: &[u8], stretch: Range<usize>) -> impl Iterator<Item = usize> {
    // The line break before it may be the last byte of the stretch before.
    let from = stretch.start.saturating_sub(1);
    memchr::memchr_iter(b'\n', &text[from..stretch.end.saturating_sub(1).max(from)]).map(move |at| from + at + 1)
}

/// The hash of a line's beginning; digits, which count and tell the time, are all alike.
fn beginning(text: &[u8], line: usize) -> u64 {
    let half = |from: usize| {
        let bytes = match text.get(from..from + 8) {
            Some(bytes) => bytes.try_into().expect("eight bytes"),
            None => std::array::from_fn(|i| text.get(from + i).copied().unwrap_or(0)),
        };
        without_digits(u64::from_le_bytes(bytes))
    };
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (first, second) = (half(line), half(line + BEGINNING / 2));
    let hash = (first ^ first >> 29).wrapping_mul(FACTOR) ^ second;
    (hash ^ hash >> 31).wrapping_mul(FACTOR)
}

/// Eight bytes at once: those from `0` to `?` become `0`.
fn without_digits(bytes: u64) -> u64 {
    let high = (bytes ^ 0x3030_3030_3030_3030) & 0xF0F0_F0F0_F0F0_F0F0;
    let other = (high >> 4 | high >> 5 | high >> 6 | high >> 7) & 0x0101_0101_0101_0101;
    bytes & (0xF0F0_F0F0_F0F0_F0F0 | (other * 0x0F))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_alike_and_nothing_else_is() {
        let plain = |text: &[u8; 8]| without_digits(u64::from_le_bytes(*text)).to_le_bytes();
        assert_eq!(&plain(b"2024-05:"), b"0000-000");
        assert_eq!(&plain(b"aZ/@~ \xff\x1b"), b"aZ/@~ \xff\x1b");
    }

    #[test]
    fn every_line_begins_in_one_stretch() {
        let text = b"\na\n\nbc\nd";
        let all: Vec<usize> = (1..=text.len()).filter(|at| text[at - 1] == b'\n').collect();
        for border in 0..=text.len() {
            let both = lines(text, 0..border).chain(lines(text, border..text.len()));
            assert_eq!(both.collect::<Vec<_>>(), all, "{border}");
        }
    }

    #[test]
    fn repeated_lines_are_told_by_both_ends_and_nothing_else_is() {
        let lines = b"one\ntwo, longer\n\n";
        let mut text = lines.repeat(5000);
        assert_eq!(ends_of_repetition(&text, 0..text.len()), Some([0..51, text.len() - 51..text.len()]));
        assert_eq!(ends_of_repetition(&text, 5..text.len() - 3).map(|[first, _]| first), Some(5..56));
        assert_eq!(ends_of_repetition(&text, 0..1000), None, "not worth it");
        text[40_000] ^= 1;
        assert_eq!(ends_of_repetition(&text, 0..text.len()), None);
        assert_eq!(ends_of_repetition(&[b'\n'; 70_000], 0..70_000), Some([0..3, 69_997..70_000]));
        let long = 3 * LONGEST_PERIOD;
        assert_eq!(ends_of_repetition(&[0; 70_000], 0..70_000), Some([0..long, 70_000 - long..70_000]));
        assert_eq!(ends_of_repetition(&b"xy".repeat(40_000), 0..80_000), None);
    }

    #[test]
    fn skimming_grows_while_nothing_is_new_and_ends_with_the_flood() {
        let text = b"warning: one of many\n".repeat(STRETCH / 21 + 1);
        let stretch = 0..STRETCH;
        let mut flood = Flood::default();
        let many = Told { bytes: STRETCH, hits: STRETCH / 21, news: false };
        let mut skimmed = Vec::new();
        for _ in 0..10 {
            assert!(!flood.skims());
            flood.judged(&text, stretch.clone(), many);
            let mut count = 0;
            while flood.left > 0 {
                assert!(flood.skims());
                assert_eq!(flood.unlike(&text, stretch.clone()), [0; 0]);
                count += 1;
            }
            skimmed.push(count);
        }
        assert_eq!(skimmed, [1, 2, 4, 8, 16, 32, 63, 63, 63, 63]);
        flood.judged(&text, stretch.clone(), Told { bytes: STRETCH / 2, ..many });
        assert!(!flood.skims(), "lines that are alike take little work");
        flood.judged(&text, stretch.clone(), Told { news: true, ..many });
        assert!(!flood.skims(), "something new is worth a closer look");
        flood.judged(&text, stretch.clone(), many);
        assert!(flood.skims());
        let mut other = text.clone();
        other.splice(42..42, *b"error: another one\n");
        assert_eq!(flood.unlike(&other, stretch.clone()), [42]);
        assert_eq!(flood.unlike(&other, stretch), [0; 0], "once");
    }
}
