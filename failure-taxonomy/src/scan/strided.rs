//! Many needles: look at every fourth place only.
//!
//! A needle of at least seven bytes covers a whole window of four bytes at one of any four places in a row. So it is enough
//! to look at every fourth place of the text, and to know for each needle one window for every distance that its start can
//! have from such a place. Longer needles have a choice and take the rarest.

use super::BLOCK;
use super::needles::Needles;
use super::rarity::{WIDTH, rarities};
use super::windows::{Window, Windows, folded_at};
use std::ops::Range;

/// Distance of the places looked at.
pub(super) const STRIDE: usize = 4;
/// The shortest needle that can be looked for in this way.
pub(super) const SHORTEST: usize = WIDTH + STRIDE - 1;
/// How far into a needle its windows may start; bounds what a block must look beyond its end.
pub(super) const REACH: usize = 32;

/// The windows of many needles.
#[derive(Debug)]
pub(super) struct Strided {
    filter: Filter,
    windows: Windows,
}

impl Strided {
    /// `numbers` are those of needles of at least [`SHORTEST`] bytes.
    pub(super) fn new(needles: &Needles, numbers: &[usize]) -> Self {
        let mut windows = Vec::with_capacity(numbers.len() * STRIDE);
        let mut filter = Filter { words: vec![0; 1 << WORD_BITS].try_into().expect("as many words") };
        for &needle in numbers {
            let text = needles.get(needle);
            let text = &text[..text.len().min(REACH + WIDTH)];
            let mut rarest = [(0, 0); STRIDE];
            for (offset, rarity) in rarities(text).enumerate() {
                let best = &mut rarest[offset % STRIDE];
                if rarity > best.0 {
                    *best = (rarity, offset);
                }
            }
            for (_, offset) in rarest {
                filter.insert(window_at(text, offset));
                windows.push(Window { needle: needle as u32, offset: offset as u32 });
            }
        }
        Self { filter, windows: Windows::new(needles, windows.into_iter()) }
    }

    /// Calls `on_hit(needle, start)` for the occurrences that start in `region`; returns the number of comparisons.
    pub(super) fn find(
        &self,
        needles: &Needles,
        haystack: &[u8],
        region: Range<usize>,
        on_hit: &mut impl FnMut(usize, usize),
    ) -> usize {
        if self.windows.is_empty() {
            return 0;
        }
        let mut work = 0;
        let mut look = |at: usize| work += self.windows.look(needles, haystack, at, &region, on_hit);
        let end = haystack.len().min(region.end + self.windows.reach());
        let start = region.start.next_multiple_of(STRIDE);
        let mut found: Found = [Places::default(); _];
        let (rest, count) = super::vector::fourth_places(&self.filter, haystack, start..end, &mut found);
        for &Places { start, mut bits } in &found[..count] {
            while bits != 0 {
                look(start + STRIDE * bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        for at in (rest..end).step_by(STRIDE) {
            if self.filter.may_hold(window_at(haystack, at)) {
                look(at);
            }
        }
        work
    }
}

/// Those of 32 places, four bytes apart, where a window may stand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) start: usize,
    pub(super) bits: u32,
}

/// As many [`Places`] as a block and the reach behind it can give.
pub(super) type Found = [Places; BLOCK / (32 * STRIDE) + 4];

/// A set of windows that seldom says yes wrongly: each has two bits in one of the words.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) words: Box<[u32; 1 << WORD_BITS]>,
}

/// 16 KiB of words.
pub(super) const WORD_BITS: u32 = 12;
/// Spreads windows over words and bits.
pub(super) const FACTOR: u32 = 0x9E37_79B1;

impl Filter {
    fn insert(&mut self, window: u32) {
        let (word, bits) = Self::place_of(window);
        self.words[word] |= bits;
    }

    fn may_hold(&self, window: u32) -> bool {
        let (word, bits) = Self::place_of(window);
        self.words[word] & bits == bits
    }

    /// The word and the bits of a window.
    fn place_of(window: u32) -> (usize, u32) {
        let hash = window.wrapping_mul(FACTOR);
        ((hash >> (32 - WORD_BITS)) as usize, 1 << (hash & 31) | 1 << (hash >> 5 & 31))
    }
}

/// The folded window at a place; bytes behind the end count as zero.
fn window_at(text: &[u8], at: usize) -> u32 {
    folded_at(text, at) as u32
}
