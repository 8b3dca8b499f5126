//! Which needles may occur at a place where a [`window_filter`](super::window_filter) saw one of their windows.
//!
//! In: a place of the text. Out: the needles that occur around it. Most windows seen are part of something else. So the bytes
//! of the needle around its window are looked up first, as one number (the key) in a Bloom filter and then in a hash table;
//! only what passes is compared byte by byte. `build/scanner.rs` fills both tables, with the functions at the end of this
//! file, so that building and looking up cannot differ.

use super::needles::Needles;

/// The windows of some needles, with the bytes around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    /// The shapes that at least one window has.
    pub(crate) shapes: &'static [Shape],
    /// A Bloom filter of the keys: each has two bits in one of the words.
    pub(crate) filter: &'static [u32],
    /// Where the owners of each hash bucket start, and one more for the end.
    pub(crate) buckets: &'static [u32],
    pub(crate) owners: &'static [Owner],
}

/// A window of a needle, and the key that is looked up for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    pub(crate) key: u64,
    pub(crate) needle: u32,
    /// Where the window starts in the needle.
    pub(crate) offset: u16,
    /// The index of the shape that the key was made with: the keys of `uuuu` are equal in every shape.
    pub(crate) shape: u16,
}

/// Which bytes around a window make its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether they begin [`BACK`] bytes before the window.
    pub(crate) back: bool,
    /// The bytes of a word that count.
    pub(crate) mask: u64,
}

const BACK: usize = 2;

impl Shape {
    /// Eight or six bytes, from the window on or from before it, where they lie in the needle; else those of the window.
    #[allow(dead_code, reason = "used by `build/`")]
    pub(crate) const fn of(offset: usize, length: usize) -> Self {
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

    /// The key of a place, from the folded bytes from it on and from before it.
    #[inline(always)]
    pub(crate) const fn key(self, [from, before]: [u64; 2]) -> u64 {
        (if self.back { before } else { from }) & self.mask
    }
}

impl Windows {
    /// Calls `on_hit(needle, start)` for every needle that occurs at `at` with its window.
    #[inline(never)]
    pub(crate) fn look(&self, needles: &Needles, haystack: &[u8], at: usize, on_hit: &mut impl FnMut(usize, usize)) {
        let surroundings = surroundings(haystack, at);
        for (number, shape) in self.shapes.iter().enumerate() {
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

/// The eight bytes from a place on and those from [`BACK`] before it, folded.
#[inline(always)]
pub(crate) const fn surroundings(text: &[u8], at: usize) -> [u64; 2] {
    // No key is zero, so nothing is found where there is nothing before.
    [folded_at(text, at), if at < BACK { 0 } else { folded_at(text, at - BACK) }]
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
pub(crate) const fn hash(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The bucket of a key among `count`, a power of two.
#[inline(always)]
pub(crate) const fn bucket(hash: u64, count: usize) -> usize {
    (hash >> 24) as usize & (count - 1)
}

/// The word of a key in a Bloom filter of `count` words, and its bits there.
#[inline(always)]
pub(crate) const fn word(hash: u64, count: usize) -> usize {
    (hash >> 48) as usize & (count - 1)
}

#[inline(always)]
pub(crate) const fn bits(hash: u64) -> u32 {
    1 << (hash >> 38 & 31) | 1 << (hash >> 43 & 31)
}
