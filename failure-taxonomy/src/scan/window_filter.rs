//! The filter: finds the few places of a text where a rare window of some needle may be.
//!
//! A needle of at least `stride + width - 1` bytes covers a whole window of `width` bytes at one of any `stride` places in a
//! row (as in the block shifts of Wu and Manber). So it is enough to look at every `stride`-th place of the text, and to have
//! for each needle one window for every distance that its start can have from such a place. A window is looked up in a Bloom
//! filter that fits the cache; [`Windows`] compares what passes. `build/scanner.rs` chooses the windows, the rarest of each
//! needle, and sets the bits.

use super::needles::Needles;
use super::windows::{Windows, folded_at};

/// Words of the Bloom filter: 64 KiB, in which the windows of some thousand needles leave nine bits of ten unset.
pub(crate) const WORDS: usize = 1 << WORD_BITS;
const WORD_BITS: u32 = 14;

/// The needles that a filter is for, and how it looks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Distance of the places looked at.
    pub(crate) stride: usize,
    /// Bytes of a window, at most four.
    pub(crate) width: usize,
}

impl Kind {
    /// Needles of seven bytes and more, looked for at every fourth place.
    pub(crate) const LONG: Self = Self { stride: 4, width: 4 };
    /// Those of three to six bytes, looked for at every place.
    pub(crate) const SHORT: Self = Self { stride: 1, width: 3 };

    /// The folded bytes of a window that count.
    #[inline(always)]
    pub(crate) const fn masked(self, window: u32) -> u32 {
        window & (u32::MAX >> (32 - 8 * self.width))
    }
}

/// Finds the needles of one kind.
#[derive(Debug)]
pub(crate) struct WindowFilter {
    pub(crate) kind: Kind,
    /// A Bloom filter: each window has two bits in one of the words.
    pub(crate) words: &'static [u32; WORDS],
    pub(crate) windows: Windows,
}

impl WindowFilter {
    /// Calls `on_hit(needle, start)` for every occurrence of a needle of this kind.
    pub(crate) fn find(&self, needles: &Needles, haystack: &[u8], on_hit: &mut impl FnMut(usize, usize)) {
        if self.windows.owners.is_empty() {
            return;
        }
        let mut look = |at: usize| self.windows.look(needles, haystack, at, on_hit);
        let done = if self.kind == Kind::LONG {
            let (chunks, _) = haystack.as_chunks::<4>();
            for (i, bytes) in chunks.iter().enumerate() {
                if may_hold(self.words, Kind::LONG.masked(folded(*bytes))) {
                    look(4 * i);
                }
            }
            4 * chunks.len()
        } else {
            for (at, bytes) in haystack.windows(4).enumerate() {
                if may_hold(self.words, Kind::SHORT.masked(folded(bytes.try_into().expect("four bytes")))) {
                    look(at);
                }
            }
            haystack.len().saturating_sub(3)
        };
        for at in (done..haystack.len()).step_by(self.kind.stride) {
            if may_hold(self.words, self.kind.masked(folded_at(haystack, at) as u32)) {
                look(at);
            }
        }
    }
}

#[inline(always)]
fn folded(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes) | 0x2020_2020
}

#[inline(always)]
fn may_hold(words: &[u32; WORDS], window: u32) -> bool {
    let (word, bits) = place_of(window);
    words[word] & bits == bits
}

/// The word and the bits of a window, from the upper part of a product, which depends on all of it.
#[inline(always)]
pub(crate) const fn place_of(window: u32) -> (usize, u32) {
    let hash = (window as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((hash >> (64 - WORD_BITS)) as usize, 1 << (hash >> 32 & 31) | 1 << (hash >> 37 & 31))
}
