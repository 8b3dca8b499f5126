//! The filter: finds the few places of a text where a rare window of some needle may be.
//!
//! A needle of at least `stride + width - 1` bytes covers a whole window of `width` bytes at one of any `stride` places in a
//! row (as in the block shifts of Wu and Manber). So it is enough to look at every `stride`-th place of the text, and to know
//! for each needle one window for every distance that its start can have from such a place; it takes the rarest. A window
//! is looked up in a Bloom filter that fits the cache; [`Windows`] compares what passes.

use super::needles::{Needles, Texts};
use super::rarity::surprise;
use super::windows::{self, Window, Windows, folded_at};
use std::borrow::Cow;

/// How far into a needle its windows may start.
const REACH: usize = 16;
/// Words of the Bloom filter: 64 KiB, in which the windows of some thousand needles leave nine bits of ten unset.
const WORDS: usize = 1 << WORD_BITS;
const WORD_BITS: u32 = 14;

/// Which needles a filter is for and how it looks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Distance of the places looked at.
    pub(crate) stride: usize,
    /// Bytes of a window, at most four.
    width: usize,
}

impl Kind {
    /// Needles of seven bytes and more, looked for at every fourth place.
    pub(crate) const LONG: Self = Self { stride: 4, width: 4 };
    /// Those of three to six bytes, looked for at every place.
    pub(crate) const SHORT: Self = Self { stride: 1, width: 3 };

    /// The kind of filter for a needle; `None` for one that is shorter than any window and never found.
    const fn of(needle: &[u8]) -> Option<Self> {
        if needle.len() >= Self::LONG.shortest() {
            Some(Self::LONG)
        } else if needle.len() >= Self::SHORT.shortest() {
            Some(Self::SHORT)
        } else {
            None
        }
    }

    const fn shortest(self) -> usize {
        self.width + self.stride - 1
    }

    /// The numbers of the needles of this kind; returns how many.
    pub(crate) const fn numbers(self, texts: Texts<'_>, numbers: &mut [u32]) -> usize {
        let (mut count, mut n) = (0, 0);
        while n < texts.count() {
            if let Some(kind) = Self::of(texts.get(n))
                && kind.stride == self.stride
            {
                numbers[count] = n as u32;
                count += 1;
            }
            n += 1;
        }
        count
    }

    /// The folded bytes of a window that count.
    #[inline(always)]
    const fn masked(self, window: u32) -> u32 {
        window & (u32::MAX >> (32 - 8 * self.width))
    }
}

/// Finds the needles of one kind.
#[derive(Debug)]
pub(crate) struct WindowFilter {
    kind: Kind,
    /// A Bloom filter: each window has two bits in one of the words.
    words: Cow<'static, [u32]>,
    windows: Windows,
}

/// The tables laid out by the compiler; see [`windows::Layout`] for the numbers.
pub(crate) struct Layout<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> {
    words: [u32; WORDS],
    windows: windows::Layout<OWNERS, SIZE, BUCKETS>,
}

impl<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> Layout<OWNERS, SIZE, BUCKETS> {
    /// `windows` are those that [`choose`] chose.
    pub(crate) const fn of(kind: Kind, texts: Texts<'_>, windows: &[Window]) -> Self {
        let mut words = [0; WORDS];
        fill(kind, texts, windows, &mut words);
        Self { words, windows: windows::Layout::of(texts, windows) }
    }
}

/// Chooses the rarest windows of the needles with these numbers, one per needle and distance.
pub(crate) const fn choose(kind: Kind, texts: Texts<'_>, numbers: &[u32], windows: &mut [Window]) {
    let mut i = 0;
    while i < numbers.len() {
        let text = texts.get(numbers[i] as usize);
        let mut k = 0;
        while k < kind.stride {
            let (mut best, mut at, mut offset) = (0, k, k);
            while offset + kind.width <= text.len() && offset <= REACH {
                let rarity = surprise(text, offset, offset + kind.width);
                if rarity > best {
                    (best, at) = (rarity, offset);
                }
                offset += kind.stride;
            }
            windows[i * kind.stride + k] = Window { needle: numbers[i], offset: at as u16 };
            k += 1;
        }
        i += 1;
    }
}

/// Sets the bits of the windows.
const fn fill(kind: Kind, texts: Texts<'_>, windows: &[Window], words: &mut [u32]) {
    let mut i = 0;
    while i < windows.len() {
        let window = folded_at(texts.get(windows[i].needle as usize), windows[i].offset as usize) as u32;
        let (word, bits) = place_of(kind.masked(window));
        words[word] |= bits;
        i += 1;
    }
}

impl WindowFilter {
    #[cfg(test)]
    pub(crate) fn new(kind: Kind, texts: Texts<'_>) -> Self {
        let mut numbers = vec![0; texts.count()];
        let count = kind.numbers(texts, &mut numbers);
        let mut windows = vec![Window::NONE; count * kind.stride];
        let mut words = vec![0; WORDS];
        choose(kind, texts, &numbers[..count], &mut windows);
        fill(kind, texts, &windows, &mut words);
        Self { kind, words: words.into(), windows: Windows::new(texts, &windows) }
    }

    pub(crate) const fn from_static<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize>(
        kind: Kind,
        by: &'static Layout<OWNERS, SIZE, BUCKETS>,
    ) -> Self {
        Self { kind, words: Cow::Borrowed(&by.words), windows: Windows::from_static(&by.windows) }
    }

    /// Calls `on_hit(needle, start)` for every occurrence of a needle of this kind.
    pub(crate) fn find(&self, needles: &Needles, haystack: &[u8], on_hit: &mut impl FnMut(usize, usize)) {
        if self.windows.is_empty() {
            return;
        }
        let words: &[u32; WORDS] = (&*self.words).try_into().expect("as many words");
        let mut look = |at: usize| self.windows.look(needles, haystack, at, on_hit);
        let done = if self.kind == Kind::LONG {
            for (i, bytes) in haystack.chunks_exact(4).enumerate() {
                if may_hold(words, Kind::LONG.masked(folded(bytes))) {
                    look(4 * i);
                }
            }
            haystack.len() / 4 * 4
        } else {
            for (at, bytes) in haystack.windows(4).enumerate() {
                if may_hold(words, Kind::SHORT.masked(folded(bytes))) {
                    look(at);
                }
            }
            haystack.len().saturating_sub(3)
        };
        for at in (done..haystack.len()).step_by(self.kind.stride) {
            if may_hold(words, self.kind.masked(folded_at(haystack, at) as u32)) {
                look(at);
            }
        }
    }
}

#[inline(always)]
fn folded(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes")) | 0x2020_2020
}

#[inline(always)]
fn may_hold(words: &[u32; WORDS], window: u32) -> bool {
    let (word, bits) = place_of(window);
    words[word] & bits == bits
}

/// The word and the bits of a window, from the upper part of a product, which depends on all of it.
#[inline(always)]
const fn place_of(window: u32) -> (usize, u32) {
    let hash = (window as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((hash >> (64 - WORD_BITS)) as usize, 1 << (hash >> 32 & 31) | 1 << (hash >> 37 & 31))
}
