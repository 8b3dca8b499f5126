//! Few or short needles: look at every place, many places at once.
//!
//! The rarest window of each needle is put into one of eight groups. A bit says that a byte cannot be the k-th byte of any
//! window of a group; the bits of four bytes in a row, or-ed, leave a zero only where a window of some group may stand.

use super::BLOCK;
use super::needles::Needles;
use super::rarity::{WIDTH, rarities};
use super::windows::{Window, Windows};
use std::ops::Range;

/// Windows that eight groups tell apart well.
const FEW: usize = 24;
const GROUPS: usize = 8;

/// The windows of few or short needles.
#[derive(Debug)]
pub(super) struct Every {
    ruled_out: RuledOut,
    windows: Windows,
}

/// The places of 64 bytes of text, from `start` on, where a window may stand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) start: usize,
    pub(super) bits: u64,
}

/// As many [`Places`] as a block and the reach behind it can give.
pub(super) type Found = [Places; BLOCK / 64 + 4];

impl Every {
    /// As many sets as it takes for these needles.
    pub(super) fn sets(needles: &Needles, numbers: &[usize]) -> Vec<Self> {
        let mut chosen: Vec<(&[u8], Window)> = numbers.iter().map(|&n| rarest_window(needles.get(n), n)).collect();
        // Like windows share a set and a group, so that each rules out much.
        chosen.sort_unstable_by_key(|(text, window)| (text.len(), *text, window.needle));
        let distinct: Vec<&[(&[u8], Window)]> = chosen.chunk_by(|(a, _), (b, _)| a == b).collect();
        let sets = distinct.len().div_ceil(FEW).max(1);
        distinct.chunks(distinct.len().div_ceil(sets).max(1)).map(|set| Self::new(needles, set)).collect()
    }

    fn new(needles: &Needles, distinct: &[&[(&[u8], Window)]]) -> Self {
        let texts: Vec<&[u8]> = distinct.iter().map(|same| same[0].0).collect();
        let windows = distinct.iter().flat_map(|same| same.iter().map(|(_, window)| *window));
        Self { ruled_out: RuledOut::new(&texts), windows: Windows::new(needles, windows) }
    }

    #[cfg(test)]
    pub(super) fn ruled_out(&self) -> &RuledOut {
        &self.ruled_out
    }

    /// Calls `on_hit(needle, start)` for the occurrences that start in `region`; returns the number of comparisons.
    pub(super) fn find(
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

/// The rarest window of a needle, or all of it where it is shorter than a window.
fn rarest_window(text: &[u8], needle: usize) -> (&[u8], Window) {
    let text = &text[..text.len().min(super::strided::REACH)];
    let offset = rarities(text).enumerate().max_by_key(|&(_, rarity)| rarity).map_or(0, |(offset, _)| offset);
    let window = &text[offset..text.len().min(offset + WIDTH)];
    (window, Window { needle: needle as u32, offset: offset as u32 })
}

/// Which groups a byte of the text rules out.
#[derive(Debug)]
pub(super) struct RuledOut {
    /// By place in the window and low half of the byte, one bit a group.
    pub(super) low: [[u8; 16]; WIDTH],
    /// By place in the window and high half of the byte.
    pub(super) high: [[u8; 16]; WIDTH],
    /// Both by whole byte, for the k-th place in the k-th byte of the word.
    by_byte: [u32; 256],
}

impl RuledOut {
    /// `windows` sorted, so that like ones share a group.
    fn new(windows: &[&[u8]]) -> Self {
        let mut low = [[!0; 16]; WIDTH];
        let mut high = [[!0; 16]; WIDTH];
        for (i, window) in windows.iter().enumerate() {
            let accept = !(1u8 << (i * GROUPS / windows.len()));
            for k in 0..WIDTH {
                match window.get(k) {
                    Some(&byte) => {
                        low[k][usize::from(byte & 15)] &= accept;
                        for byte in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
                            high[k][usize::from(byte >> 4)] &= accept;
                        }
                    }
                    None => low[k].iter_mut().chain(&mut high[k]).for_each(|groups| *groups &= accept),
                }
            }
        }
        let by_byte = std::array::from_fn(|byte| {
            u32::from_le_bytes(std::array::from_fn(|k| low[k][byte & 15] | high[k][byte >> 4]))
        });
        Self { low, high, by_byte }
    }

    /// Finds places one byte at a time: for the last few bytes, and for processors without the vector instructions.
    pub(super) fn places(&self, haystack: &[u8], places: Range<usize>, mut look: impl FnMut(usize)) {
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
