//! Few or short needles: look at every place, many places at once.
//!
//! The rarest window of each needle is put into one of eight groups. A bit means that a byte cannot be the k-th byte of any
//! window of a group; the bits of four bytes in a row, or-ed, leave a zero only where a window of some group may occur.

use super::BLOCK_BYTES;
use super::needles::{Needles, Texts};
use super::rarity::{Rarities, WIDTH};
use super::windows::{self, Window, Windows};
use std::ops::Range;

/// Windows that eight groups tell apart well.
const SET_WINDOWS: usize = 24;
const GROUPS: usize = 8;

/// The windows of few or short needles.
#[derive(Clone, Debug)]
pub(crate) struct Teddy {
    ruled_out: RuledOut,
    windows: Windows,
}

/// The places of 64 bytes of text, from `start` on, where a window may occur.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    pub(crate) start: usize,
    pub(crate) bits: u64,
}

/// As many [`Places`] as a block and the reach behind it can give.
pub(crate) type Found = [Places; BLOCK_BYTES / 64 + 4];

/// One set laid out by the compiler; see [`windows::Layout`] for the numbers.
#[derive(Clone, Copy)]
pub(crate) struct Layout<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> {
    ruled_out: RuledOut,
    windows: windows::Layout<OWNERS, SIZE, BUCKETS>,
}

impl<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> Layout<OWNERS, SIZE, BUCKETS> {
    /// The tables of all `SETS` sets.
    pub(crate) const fn sets<const SETS: usize>(texts: Texts<'_>, chosen: &[Window]) -> [Self; SETS] {
        let set_kinds = set_kinds(texts, chosen);
        let (mut sets, mut rest, mut i) = ([Self::of(texts, &[]); SETS], chosen, 0);
        while i < SETS {
            let (set, others) = split_set(texts, rest, set_kinds);
            sets[i] = Self::of(texts, set);
            rest = others;
            i += 1;
        }
        sets
    }

    const fn of(texts: Texts<'_>, set: &[Window]) -> Self {
        Self { ruled_out: RuledOut::new(texts, set), windows: windows::Layout::of(texts, set) }
    }
}

/// The rarest window of each needle, sorted so that like ones share a set and a group and each group rules out much.
pub(crate) const fn choose(texts: Texts<'_>, numbers: &[u32], chosen: &mut [Window]) {
    let mut i = 0;
    while i < numbers.len() {
        chosen[i] = rarest_window(texts.get(numbers[i] as usize), numbers[i]);
        i += 1;
    }
    // Shell's sort: short, fast enough for any number, and the compiler can run it.
    let mut gap = chosen.len() / 2;
    while gap > 0 {
        let mut i = gap;
        while i < chosen.len() {
            let mut k = i;
            while k >= gap && sorts_before(texts, chosen[k], chosen[k - gap]) {
                (chosen[k], chosen[k - gap]) = (chosen[k - gap], chosen[k]);
                k -= gap;
            }
            i += 1;
        }
        gap /= 2;
    }
}

/// How many different windows each of the sets has that these sorted ones make.
pub(crate) const fn set_kinds(texts: Texts<'_>, chosen: &[Window]) -> usize {
    let kinds = kinds(texts, chosen);
    if kinds == 0 { 0 } else { kinds.div_ceil(kinds.div_ceil(SET_WINDOWS)) }
}

/// The first of the sets and what is left.
pub(crate) const fn split_set<'w>(
    texts: Texts<'_>,
    chosen: &'w [Window],
    set_kinds: usize,
) -> (&'w [Window], &'w [Window]) {
    let (mut taken, mut end) = (0, 0);
    while end < chosen.len() {
        if end == 0 || !alike(texts, chosen[end - 1], chosen[end]) {
            if taken == set_kinds {
                break;
            }
            taken += 1;
        }
        end += 1;
    }
    chosen.split_at(end)
}

/// How many sets there are, and the most windows that one of them has.
pub(crate) const fn extent(texts: Texts<'_>, chosen: &[Window]) -> (usize, usize) {
    let set_kinds = set_kinds(texts, chosen);
    let (mut sets, mut most, mut rest) = (0, 0, chosen);
    while !rest.is_empty() {
        let (set, others) = split_set(texts, rest, set_kinds);
        if set.len() > most {
            most = set.len();
        }
        sets += 1;
        rest = others;
    }
    (sets, most)
}

/// How many windows differ, of sorted ones.
const fn kinds(texts: Texts<'_>, chosen: &[Window]) -> usize {
    let (mut kinds, mut i) = (0, 0);
    while i < chosen.len() {
        if i == 0 || !alike(texts, chosen[i - 1], chosen[i]) {
            kinds += 1;
        }
        i += 1;
    }
    kinds
}

/// The bytes of a window: [`WIDTH`], or all of a needle that is shorter.
const fn bytes_of(texts: Texts<'_>, window: Window) -> &[u8] {
    let rest = texts.get(window.needle as usize).split_at(window.offset as usize).1;
    if rest.len() < WIDTH { rest } else { rest.split_at(WIDTH).0 }
}

const fn alike(texts: Texts<'_>, a: Window, b: Window) -> bool {
    compare(bytes_of(texts, a), bytes_of(texts, b)) == 0
}

/// Shorter ones first, then by their bytes, then by their needles.
const fn sorts_before(texts: Texts<'_>, a: Window, b: Window) -> bool {
    match compare(bytes_of(texts, a), bytes_of(texts, b)) {
        0 => a.needle < b.needle,
        order => order < 0,
    }
}

const fn compare(a: &[u8], b: &[u8]) -> i32 {
    if a.len() != b.len() {
        return a.len() as i32 - b.len() as i32;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return a[i] as i32 - b[i] as i32;
        }
        i += 1;
    }
    0
}

/// The rarest window of a needle, or all of it where it is shorter than a window.
const fn rarest_window(text: &[u8], needle: u32) -> Window {
    let (mut rarities, mut best, mut at, mut offset) = (Rarities::of(text, super::strided_teddy::REACH), 0, 0, 0);
    while let Some(rarity) = rarities.next() {
        if rarity >= best {
            (best, at) = (rarity, offset);
        }
        offset += 1;
    }
    Window { needle, offset: at as u16 }
}

impl Teddy {
    /// As many sets as it takes for these needles.
    pub(crate) fn sets(texts: Texts<'_>, numbers: &[u32]) -> Vec<Self> {
        let mut chosen = vec![Window::NONE; numbers.len()];
        choose(texts, numbers, &mut chosen);
        let set_kinds = set_kinds(texts, &chosen);
        let mut sets = Vec::new();
        let mut rest = &*chosen;
        while !rest.is_empty() {
            let (set, others) = split_set(texts, rest, set_kinds);
            sets.push(Self { ruled_out: RuledOut::new(texts, set), windows: Windows::new(texts, set) });
            rest = others;
        }
        sets
    }

    pub(crate) const fn from_static<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize>(
        by: &'static Layout<OWNERS, SIZE, BUCKETS>,
    ) -> Self {
        Self { ruled_out: by.ruled_out, windows: Windows::from_static(&by.windows) }
    }

    #[cfg(test)]
    pub(crate) fn ruled_out(&self) -> &RuledOut {
        &self.ruled_out
    }

    /// Calls `on_hit(needle, start)` for the occurrences that start in `region`; returns the number of comparisons.
    pub(crate) fn find(
        &self,
        needles: &Needles,
        haystack: &[u8],
        region: Range<usize>,
        on_hit: &mut impl FnMut(usize, usize),
    ) -> usize {
        let mut work = 0;
        let mut look = |at: usize| {
            work += self.windows.look(needles, haystack, at, &region, on_hit);
        };
        let end = haystack.len().min(region.end + self.windows.reach());
        let mut found: Found = [Places::default(); _];
        let (rest, count) = super::vector::places(&self.ruled_out, haystack, region.start..end, &mut found);
        for &Places { start, mut bits } in &found[..count] {
            while bits != 0 {
                look(start + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        self.ruled_out.places(haystack, rest..end, look);
        work
    }
}

/// Which groups a byte of the text rules out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuledOut {
    /// By place in the window and low half of the byte, one bit per group.
    pub(crate) low: [[u8; 16]; WIDTH],
    /// By place in the window and high half of the byte.
    pub(crate) high: [[u8; 16]; WIDTH],
    /// Both by whole byte, for the k-th place in the k-th byte of the word.
    by_byte: [u32; 256],
}

impl RuledOut {
    /// `set` sorted, so that like ones share a group.
    const fn new(texts: Texts<'_>, set: &[Window]) -> Self {
        let mut low = [[!0; 16]; WIDTH];
        let mut high = [[!0; 16]; WIDTH];
        let kinds = kinds(texts, set);
        let (mut kind, mut i) = (0, 0);
        while i < set.len() {
            if i > 0 && !alike(texts, set[i - 1], set[i]) {
                kind += 1;
            }
            let accept = !(1u8 << (kind * GROUPS / kinds));
            let window = bytes_of(texts, set[i]);
            let mut k = 0;
            while k < WIDTH {
                let mut half = 0;
                while half < 16 {
                    if k >= window.len() || half == (window[k] & 15) as usize {
                        low[k][half] &= accept;
                    }
                    if k >= window.len()
                        || half == (window[k].to_ascii_lowercase() >> 4) as usize
                        || half == (window[k].to_ascii_uppercase() >> 4) as usize
                    {
                        high[k][half] &= accept;
                    }
                    half += 1;
                }
                k += 1;
            }
            i += 1;
        }
        let (mut by_byte, mut byte) = ([0; 256], 0);
        while byte < 256 {
            let (mut groups, mut k) = ([0; WIDTH], 0);
            while k < WIDTH {
                groups[k] = low[k][byte & 15] | high[k][byte >> 4];
                k += 1;
            }
            by_byte[byte] = u32::from_le_bytes(groups);
            byte += 1;
        }
        Self { low, high, by_byte }
    }

    /// Finds places one byte at a time: for the last few bytes, and for processors without the vector instructions.
    pub(crate) fn places(&self, haystack: &[u8], places: Range<usize>, mut look: impl FnMut(usize)) {
        let mut state = !0u32;
        for end in places.start..places.end + WIDTH - 1 {
            let byte = haystack.get(end).copied().unwrap_or(0);
            state = state << 8 | self.by_byte[usize::from(byte)];
            if state >> 24 != 0xff && end + 1 >= places.start + WIDTH {
                look(end + 1 - WIDTH);
            }
        }
    }
}
