//! Many needles: look at every n-th place only.
//!
//! A needle of at least `stride + width - 1` bytes covers a whole window of `width` bytes at one of any `stride` places in
//! a row. So it is enough to look at every `stride`-th place of the text, and to know for each needle one window for every
//! distance that its start can have from such a place. Longer needles have a choice and take the rarest.

use super::BLOCK;
use super::every::FEW;
use super::needles::Needles;
use super::rarity::rarity;
use super::windows::{Owner, Windows, folded, hash, window_at};
use std::ops::Range;

/// How far into a needle its windows may start; bounds what a block must look beyond its end.
pub(super) const REACH: usize = 64;
/// Places that are checked before the sum of the results is looked at.
const GROUP: usize = 16;
const SLOTS: usize = 1 << 14;

/// The length from which on needles are looked for at every n-th place: the largest that leaves only a few shorter ones.
pub(super) fn shortest_needle(needles: &Needles) -> usize {
    let shorter = |length: usize| (0..needles.count()).filter(|&n| needles.get(n).len() < length).count();
    if needles.count() <= FEW {
        return usize::MAX;
    }
    (5..=13).rev().find(|&length| shorter(length) <= FEW).unwrap_or(5)
}

/// The windows of many needles.
#[derive(Debug)]
pub(super) struct Strided {
    stride: usize,
    windows: Windows,
    filter: Filter,
}

impl Strided {
    /// `numbers` are those of needles of at least `shortest` bytes.
    pub(super) fn new(needles: &Needles, numbers: &[usize], shortest: usize) -> Self {
        let width = shortest.saturating_sub(3).clamp(4, 6);
        let stride = (shortest.saturating_sub(width) + 1).clamp(1, 8);
        let mut owners = Vec::with_capacity(numbers.len() * stride);
        for &needle in numbers {
            let text = needles.get(needle);
            let mut rarest = [(0, 0); 8];
            for (offset, window) in text.windows(width).enumerate().take(REACH) {
                let best = &mut rarest[offset % stride];
                *best = (*best).max((1 + rarity(window), offset));
            }
            owners.extend(rarest[..stride].iter().map(|&(_, offset)| Owner {
                window: window_at(text, offset, width),
                needle: needle as u32,
                offset: offset as u32,
            }));
        }
        Self { stride, filter: Filter::new(&owners), windows: Windows::new(width, owners) }
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
        let width = self.windows.width();
        let mut work = 0;
        let mut look = |at: usize| {
            if self.filter.may_hold(window_at(haystack, at, width)) {
                work += self.windows.look(needles, haystack, at, &region, on_hit);
            }
        };
        let text = &haystack[..haystack.len().min(region.end + self.windows.reach() + 8)];
        let start = region.start.next_multiple_of(self.stride);
        let mut found: Found = [0; _];
        let (rest, count) = match self.stride {
            1 => self.filter.groups::<1>(width, text, start, &mut found),
            2 => self.filter.groups::<2>(width, text, start, &mut found),
            3 => self.filter.groups::<3>(width, text, start, &mut found),
            4 => self.filter.groups::<4>(width, text, start, &mut found),
            5 => self.filter.groups::<5>(width, text, start, &mut found),
            6 => self.filter.groups::<6>(width, text, start, &mut found),
            7 => self.filter.groups::<7>(width, text, start, &mut found),
            _ => self.filter.groups::<8>(width, text, start, &mut found),
        };
        for &group in &found[..count] {
            (group..).step_by(self.stride).take(GROUP).for_each(&mut look);
        }
        (rest..text.len()).step_by(self.stride).for_each(&mut look);
        work
    }
}

/// First places of as many groups as a block and the reach behind it can give.
type Found = [usize; BLOCK / GROUP + 8];

/// A set of windows that seldom says yes wrongly: a window is in it if its two slots have a bit in common.
#[derive(Debug)]
struct Filter {
    first: Box<[u8; SLOTS]>,
    second: Box<[u8; SLOTS]>,
}

impl Filter {
    fn new(owners: &[Owner]) -> Self {
        let empty = || vec![0; SLOTS].try_into().expect("as many slots");
        let mut filter = Self { first: empty(), second: empty() };
        for (i, owner) in owners.iter().enumerate() {
            let (first, second) = Self::slots(owner.window);
            filter.first[first] |= 1 << (i % 8);
            filter.second[second] |= 1 << (i % 8);
        }
        filter
    }

    fn may_hold(&self, window: u64) -> bool {
        self.common(window) != 0
    }

    #[inline(always)]
    fn common(&self, window: u64) -> u8 {
        let (first, second) = Self::slots(window);
        self.first[first] & self.second[second]
    }

    #[inline(always)]
    fn slots(window: u64) -> (usize, usize) {
        let hash = hash(window);
        ((hash >> 50) as usize, (hash >> 36) as usize % SLOTS)
    }

    /// Finds groups of places of which one may hold a window. Returns the first place that was not looked at and the number
    /// of entries in `found`.
    #[inline(never)] // keeps the loop's values in registers
    fn groups<const STRIDE: usize>(
        &self,
        width: usize,
        text: &[u8],
        start: usize,
        found: &mut Found,
    ) -> (usize, usize) {
        let mut at = start;
        let mut count = 0;
        while let Some(group) = text.get(at..at + GROUP * STRIDE + 8)
            && let Some(entry) = found.get_mut(count)
        {
            let mut any = 0;
            for i in 0..GROUP {
                let bytes = group[i * STRIDE..i * STRIDE + 8].try_into().expect("eight bytes");
                any |= self.common(folded(bytes, width));
            }
            // Written always and kept only if it holds something: a branch here would be mispredicted at every find.
            *entry = at;
            count += usize::from(any != 0);
            at += GROUP * STRIDE;
        }
        (at, count)
    }
}
