//! Many needles: look at every fourth place only.
//!
//! A needle of at least seven bytes covers a whole window of four bytes at one of any four places in a row. So it is enough
//! to look at every fourth place of the text, and to know for each needle one window for every distance that its start can
//! have from such a place. Longer needles have a choice and take the rarest.

use super::BLOCK_BYTES;
use super::needles::{Needles, Texts};
use super::rarity::{Rarities, WIDTH};
use super::windows::{self, Window, Windows, folded_at};
use std::borrow::Cow;
use std::ops::Range;

/// Distance of the places looked at.
pub(crate) const STRIDE: usize = 4;
/// The shortest needle that can be looked for in this way.
pub(crate) const SHORTEST: usize = WIDTH + STRIDE - 1;
/// How far into a needle its windows may start; bounds what a block must look beyond its end.
pub(crate) const REACH: usize = 32;

/// The windows of many needles.
#[derive(Debug)]
pub(crate) struct StridedTeddy {
    filter: Filter,
    windows: Windows,
}

/// The tables laid out by the compiler; see [`windows::Layout`] for the numbers.
pub(crate) struct Layout<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> {
    words: [u32; WORDS],
    windows: windows::Layout<OWNERS, SIZE, BUCKETS>,
}

impl<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> Layout<OWNERS, SIZE, BUCKETS> {
    /// `numbers` are those of needles of at least [`SHORTEST`] bytes.
    pub(crate) const fn of(texts: Texts<'_>, numbers: &[u32]) -> Self {
        let (mut words, mut windows) = ([0; WORDS], [Window::NONE; OWNERS]);
        choose(texts, numbers, &mut words, &mut windows);
        Self { words, windows: windows::Layout::of(texts, &windows) }
    }
}

/// Chooses [`STRIDE`] windows of each needle.
const fn choose(texts: Texts<'_>, numbers: &[u32], words: &mut [u32], windows: &mut [Window]) {
    let mut i = 0;
    while i < numbers.len() {
        let text = texts.get(numbers[i] as usize);
        let mut rarest = [(0, 0); STRIDE];
        let (mut rarities, mut offset) = (Rarities::of(text, REACH + WIDTH), 0);
        while let Some(rarity) = rarities.next() {
            if rarity > rarest[offset % STRIDE].0 {
                rarest[offset % STRIDE] = (rarity, offset);
            }
            offset += 1;
        }
        let mut k = 0;
        while k < STRIDE {
            let (_, offset) = rarest[k];
            let (word, bits) = place_of(window_at(text, offset));
            words[word] |= bits;
            windows[i * STRIDE + k] = Window { needle: numbers[i], offset: offset as u16 };
            k += 1;
        }
        i += 1;
    }
}

impl StridedTeddy {
    /// `numbers` are those of needles of at least [`SHORTEST`] bytes.
    pub(crate) fn new(texts: Texts<'_>, numbers: &[u32]) -> Self {
        let (mut words, mut windows) = (vec![0; WORDS], vec![Window::NONE; numbers.len() * STRIDE]);
        choose(texts, numbers, &mut words, &mut windows);
        Self { filter: Filter { words: words.into() }, windows: Windows::new(texts, &windows) }
    }

    pub(crate) const fn from_static<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize>(
        by: &'static Layout<OWNERS, SIZE, BUCKETS>,
    ) -> Self {
        Self { filter: Filter { words: Cow::Borrowed(&by.words) }, windows: Windows::from_static(&by.windows) }
    }

    /// Calls `on_hit(needle, start)` for the occurrences that start in `region`; returns the number of comparisons.
    pub(crate) fn find(
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

/// Those of 32 places, four bytes apart, where a window may occur.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    pub(crate) start: usize,
    pub(crate) bits: u32,
}

/// As many [`Places`] as a block and the reach behind it can give.
pub(crate) type Found = [Places; BLOCK_BYTES / (32 * STRIDE) + 4];

/// A set of windows that has few false positives (a Bloom filter): each has two bits in one of the words.
#[derive(Debug)]
pub(crate) struct Filter {
    words: Cow<'static, [u32]>,
}

/// 16 KiB of words.
pub(crate) const WORD_BITS: u32 = 12;
pub(crate) const WORDS: usize = 1 << WORD_BITS;
/// Spreads windows over words and bits.
pub(crate) const FACTOR: u32 = 0x9E37_79B1;

impl Filter {
    #[inline]
    pub(crate) fn words(&self) -> &[u32; WORDS] {
        (&*self.words).try_into().expect("as many words")
    }

    fn may_hold(&self, window: u32) -> bool {
        let (word, bits) = place_of(window);
        self.words[word] & bits == bits
    }
}

/// The word and the bits of a window.
const fn place_of(window: u32) -> (usize, u32) {
    let hash = window.wrapping_mul(FACTOR);
    ((hash >> (32 - WORD_BITS)) as usize, 1 << (hash & 31) | 1 << (hash >> 5 & 31))
}

/// The folded window at a place; bytes behind the end count as zero.
const fn window_at(text: &[u8], at: usize) -> u32 {
    folded_at(text, at) as u32
}
