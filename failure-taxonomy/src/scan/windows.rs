//! Which needles may occur at a place where a [`window_filter`](super::window_filter) saw one of their windows.
//!
//! Most windows seen are part of something else. So the needle's bytes around its window are looked at first, as one
//! number in a small set, and only what passes is compared.

use super::needles::{Needles, Texts};
use std::borrow::Cow;

/// The windows of some needles, with what is around them.
#[derive(Clone, Debug)]
pub(crate) struct Windows {
    seen: Seen,
    /// A set of the keys that has few false positives (a Bloom filter): each has two bits in one of the words.
    filter: Cow<'static, [u32]>,
    /// Where the owners of each hash bucket start, and one more for the end.
    buckets: Cow<'static, [u32]>,
    owners: Cow<'static, [Owner]>,
}

/// What was seen while the windows were gone through.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The surroundings that at least one window has; the first `count` of these.
    shapes: [Shape; SHAPES],
    count: usize,
}

/// The tables laid out by the compiler for at most `OWNERS` windows. `SIZE` is [`size`] of that and `BUCKETS` one more.
#[derive(Clone, Copy)]
pub(crate) struct Layout<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> {
    seen: Seen,
    filter: [u32; SIZE],
    buckets: [u32; BUCKETS],
    owners: [Owner; OWNERS],
}

impl<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize> Layout<OWNERS, SIZE, BUCKETS> {
    pub(crate) const fn of(texts: Texts<'_>, windows: &[Window]) -> Self {
        let (mut filter, mut buckets, mut owners) = ([0; SIZE], [0; BUCKETS], [Owner::NONE; OWNERS]);
        let seen = fill(texts, windows, &mut [(0, 0); OWNERS], &mut filter, &mut buckets, &mut owners);
        Self { seen, filter, buckets, owners }
    }
}

/// A window of a needle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) needle: u32,
    pub(crate) offset: u16,
}

/// A window and the bytes of its needle that are looked at first.
#[derive(Clone, Copy, Debug)]
struct Owner {
    key: u64,
    needle: u32,
    offset: u16,
    /// The number of the shape that the key was made with: `uuuu` looks the same from everywhere.
    shape: u16,
}

impl Window {
    pub(crate) const NONE: Self = Self { needle: 0, offset: 0 };
}

impl Owner {
    const NONE: Self = Self { key: 0, needle: 0, offset: 0, shape: 0 };
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
/// As many shapes as there can be.
const SHAPES: usize = 8;

impl Shape {
    /// Eight or six bytes, from the window on or from before it, where they lie in the needle; else those of the window.
    const fn of(offset: usize, length: usize) -> Self {
        let (back, width) = match (length - offset, offset) {
            (8.., _) => (false, 8),
            (6.., BACK..) => (true, 8),
            (6.., _) => (false, 6),
            (4.., BACK..) => (true, 6),
            (4.., _) => (false, 4),
            (rest, _) => (false, rest),
        };
        Self { back, mask: u64::MAX >> (64 - 8 * width) }
    }

    /// The bytes that count, of those from the window on and from before it.
    #[inline(always)]
    const fn key(self, [from, before]: [u64; 2]) -> u64 {
        (if self.back { before } else { from }) & self.mask
    }
}

/// The eight bytes from a place on and those from [`BACK`] before it, folded.
#[inline(always)]
const fn surroundings(text: &[u8], at: usize) -> [u64; 2] {
    // No key is zero, so nothing is found where there is nothing before.
    [folded_at(text, at), if at < BACK { 0 } else { folded_at(text, at - BACK) }]
}

impl Windows {
    #[cfg(test)]
    pub(crate) fn new(texts: Texts<'_>, windows: &[Window]) -> Self {
        let size = size(windows.len());
        let (mut filter, mut buckets) = (vec![0; size], vec![0; size + 1]);
        let mut owners = vec![Owner::NONE; windows.len()];
        let seen = fill(texts, windows, &mut vec![(0, 0); windows.len()], &mut filter, &mut buckets, &mut owners);
        Self { seen, filter: filter.into(), buckets: buckets.into(), owners: owners.into() }
    }

    pub(crate) const fn from_static<const OWNERS: usize, const SIZE: usize, const BUCKETS: usize>(
        by: &'static Layout<OWNERS, SIZE, BUCKETS>,
    ) -> Self {
        let (filter, buckets) = (Cow::Borrowed(&by.filter as &[u32]), Cow::Borrowed(&by.buckets as &[u32]));
        Self { seen: by.seen, filter, buckets, owners: Cow::Borrowed(&by.owners) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// Takes a closer look at one place: calls `on_hit(needle, start)` for every needle that is there with its window.
    #[inline(never)]
    pub(crate) fn look(&self, needles: &Needles, haystack: &[u8], at: usize, on_hit: &mut impl FnMut(usize, usize)) {
        let surroundings = surroundings(haystack, at);
        for (number, shape) in self.seen.shapes[..self.seen.count].iter().enumerate() {
            let key = shape.key(surroundings);
            let hash = hash(key);
            if self.filter[word(hash, self.filter.len())] & bits(hash) != bits(hash) {
                continue;
            }
            let bucket = bucket(hash, self.filter.len());
            for owner in &self.owners[self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize] {
                if owner.key == key
                    && usize::from(owner.shape) == number
                    && let Some(start) = at.checked_sub(owner.offset as usize)
                    && needles.matches_at(owner.needle as usize, haystack, start)
                {
                    on_hit(owner.needle as usize, start);
                }
            }
        }
    }
}

/// How many buckets and words of the filter go well with so many windows.
pub(crate) const fn size(windows: usize) -> usize {
    let size = windows.next_power_of_two();
    if size < 64 { 64 } else { size }
}

/// Sorts the windows into `owners` by bucket; `keys` is room to work in.
const fn fill(
    texts: Texts<'_>,
    windows: &[Window],
    keys: &mut [(u64, u16)],
    filter: &mut [u32],
    buckets: &mut [u32],
    owners: &mut [Owner],
) -> Seen {
    let size = filter.len();
    let mut seen = Seen { shapes: [Shape { back: false, mask: 0 }; SHAPES], count: 0 };
    // A counting sort: `buckets` holds sizes, then ends, then starts.
    let mut i = 0;
    while i < windows.len() {
        let (key, shape) = seen.key(texts, windows[i]);
        let hash = hash(key);
        filter[word(hash, size)] |= bits(hash);
        buckets[bucket(hash, size)] += 1;
        keys[i] = (key, shape);
        i += 1;
    }
    let (mut end, mut i) = (0, 0);
    while i < buckets.len() {
        end += buckets[i];
        buckets[i] = end;
        i += 1;
    }
    let mut i = 0;
    while i < windows.len() {
        let (key, shape) = keys[i];
        let place = bucket(hash(key), size);
        buckets[place] -= 1;
        owners[buckets[place] as usize] = Owner { key, needle: windows[i].needle, offset: windows[i].offset, shape };
        i += 1;
    }
    seen
}

impl Seen {
    /// The bytes of a window's needle that are looked at first, and the number of their shape.
    const fn key(&mut self, texts: Texts<'_>, window: Window) -> (u64, u16) {
        let (text, offset) = (texts.get(window.needle as usize), window.offset as usize);
        let shape = Shape::of(offset, text.len());
        let mut i = 0;
        while i < self.count && !(self.shapes[i].back == shape.back && self.shapes[i].mask == shape.mask) {
            i += 1;
        }
        if i == self.count {
            self.shapes[i] = shape;
            self.count += 1;
        }
        (folded_at(text, if shape.back { offset - BACK } else { offset }) & shape.mask, i as u16)
    }
}

/// Eight bytes of a text as a number, those behind its end as zero. Case is folded coarsely: other bytes fall together too,
/// which costs a comparison and nothing else.
#[inline(always)]
pub(crate) const fn folded_at(text: &[u8], at: usize) -> u64 {
    let bytes = match text.split_at_checked(at) {
        Some((_, rest)) => match rest.first_chunk() {
            Some(bytes) => *bytes,
            None => {
                let (mut bytes, mut i) = ([0; 8], 0);
                while i < rest.len() {
                    bytes[i] = rest[i];
                    i += 1;
                }
                bytes
            }
        },
        None => [0; 8],
    };
    u64::from_le_bytes(bytes) | 0x2020_2020_2020_2020
}

/// The upper half depends on all bytes of the key.
#[inline(always)]
const fn hash(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
const fn bucket(hash: u64, count: usize) -> usize {
    (hash >> 24) as usize & (count - 1)
}

#[inline(always)]
const fn word(hash: u64, count: usize) -> usize {
    (hash >> 48) as usize & (count - 1)
}

#[inline(always)]
const fn bits(hash: u64) -> u32 {
    1 << (hash >> 38 & 31) | 1 << (hash >> 43 & 31)
}
