//! Which needles may stand at a place where the filter of [`every`](super::every) or [`strided`](super::strided) saw one of
//! their windows.
//!
//! Most windows seen are part of something else. So the needle's bytes around its window are looked at first, as one
//! number in a small set, and only what passes is compared.

use super::needles::Needles;
use std::ops::Range;

/// The windows of some needles, with what stands around them.
#[derive(Debug)]
pub(super) struct Windows {
    /// The surroundings that at least one window has.
    shapes: Vec<Shape>,
    /// A set of the keys that seldom says yes wrongly: each has two bits in one of the words.
    filter: Vec<u32>,
    /// Where the owners of each hash bucket start, and one more for the end.
    buckets: Vec<u32>,
    owners: Vec<Owner>,
    reach: usize,
}

/// A window of a needle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    pub(super) needle: u32,
    pub(super) offset: u32,
}

/// A window and the bytes of its needle that are looked at first.
#[derive(Clone, Copy, Debug, Default)]
struct Owner {
    key: u64,
    window: Window,
}

/// Which bytes around a window are looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Whether they begin [`BACK`] bytes before the window.
    back: bool,
    /// The bytes of a word that count.
    mask: u64,
}

const BACK: usize = 2;

impl Shape {
    /// Eight or six bytes, from the window on or from before it, where they lie in the needle; else those of the window.
    fn of(offset: usize, length: usize) -> Self {
        let shape = |back, width| Self { back, mask: u64::MAX >> (64 - 8 * width) };
        match (length - offset, offset) {
            (8.., _) => shape(false, 8),
            (6.., BACK..) => shape(true, 8),
            (6.., _) => shape(false, 6),
            (4.., BACK..) => shape(true, 6),
            (rest, _) => shape(false, rest.min(4)),
        }
    }

    /// The bytes that count, of those from the window on and from before it.
    #[inline(always)]
    fn key(self, [from, before]: [u64; 2]) -> u64 {
        (if self.back { before } else { from }) & self.mask
    }
}

/// The eight bytes from a place on and those from [`BACK`] before it, folded.
#[inline(always)]
fn surroundings(text: &[u8], at: usize) -> [u64; 2] {
    // No key is zero, so nothing is found where there is nothing before.
    [folded_at(text, at), at.checked_sub(BACK).map_or(0, |start| folded_at(text, start))]
}

impl Windows {
    pub(super) fn new(needles: &Needles, windows: impl Iterator<Item = Window>) -> Self {
        let mut shapes = Vec::new();
        let owners: Vec<Owner> = windows
            .map(|window| {
                let text = needles.get(window.needle as usize);
                let shape = Shape::of(window.offset as usize, text.len());
                if !shapes.contains(&shape) {
                    shapes.push(shape);
                }
                let key = shape.key(surroundings(text, window.offset as usize));
                Owner { key, window }
            })
            .collect();
        let reach = owners.iter().map(|owner| owner.window.offset as usize).max().unwrap_or(0);
        let size = owners.len().next_power_of_two().max(64);
        let mut filter = vec![0; size];
        let mut buckets = vec![0u32; size + 1];
        // A counting sort: `buckets` holds sizes, then ends, then starts.
        for owner in &owners {
            let hash = hash(owner.key);
            filter[word(hash, size)] |= bits(hash);
            buckets[bucket(hash, size)] += 1;
        }
        let mut end = 0;
        for bucket in &mut buckets {
            end += *bucket;
            *bucket = end;
        }
        let mut sorted = vec![Owner::default(); owners.len()];
        for owner in &owners {
            let place = &mut buckets[bucket(hash(owner.key), size)];
            *place -= 1;
            sorted[*place as usize] = *owner;
        }
        Self { shapes, filter, buckets, owners: sorted, reach }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// How far behind the start of its needle a window may stand.
    pub(super) fn reach(&self) -> usize {
        self.reach
    }

    /// Takes a closer look at one place: calls `on_hit(needle, start)` for every needle that stands there with its window
    /// and starts in `region`. Returns what that cost, in comparisons.
    #[inline]
    pub(super) fn look(
        &self,
        needles: &Needles,
        haystack: &[u8],
        at: usize,
        region: &Range<usize>,
        on_hit: &mut impl FnMut(usize, usize),
    ) -> usize {
        let mut work = 1;
        let surroundings = surroundings(haystack, at);
        for shape in &self.shapes {
            let key = shape.key(surroundings);
            let hash = hash(key);
            if self.filter[word(hash, self.filter.len())] & bits(hash) != bits(hash) {
                continue;
            }
            let bucket = bucket(hash, self.filter.len());
            for owner in &self.owners[self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize] {
                work += 2;
                if owner.key == key
                    && let Some(start) = at.checked_sub(owner.window.offset as usize)
                    && region.contains(&start)
                    && needles.stands_at(owner.window.needle as usize, haystack, start)
                {
                    on_hit(owner.window.needle as usize, start);
                }
            }
        }
        work
    }
}

/// Eight bytes of a text as a number, those behind its end as zero. Case is folded coarsely: other bytes fall together too,
/// which costs a comparison and nothing else.
#[inline(always)]
pub(super) fn folded_at(text: &[u8], at: usize) -> u64 {
    let bytes = match text.get(at..at + 8) {
        Some(bytes) => bytes.try_into().expect("eight bytes"),
        None => std::array::from_fn(|i| text.get(at + i).copied().unwrap_or(0)),
    };
    u64::from_le_bytes(bytes) | 0x2020_2020_2020_2020
}

/// The upper half depends on all bytes of the key.
#[inline(always)]
fn hash(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
fn bucket(hash: u64, count: usize) -> usize {
    (hash >> 24) as usize & (count - 1)
}

#[inline(always)]
fn word(hash: u64, count: usize) -> usize {
    (hash >> 48) as usize & (count - 1)
}

#[inline(always)]
fn bits(hash: u64) -> u32 {
    1 << (hash >> 38 & 31) | 1 << (hash >> 43 & 31)
}
