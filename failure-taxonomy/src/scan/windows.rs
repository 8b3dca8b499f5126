//! Which needles have a given window of bytes, and where in them it stands.

use super::needles::Needles;
use std::ops::Range;

/// Windows of one width, each with the needles that own it.
#[derive(Debug)]
pub(super) struct Windows {
    width: usize,
    /// Where the owners of each hash bucket start, and one more for the end.
    buckets: Vec<u32>,
    owners: Vec<Owner>,
    /// The largest offset of a window in its needle.
    reach: usize,
}

/// One window of one needle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Owner {
    pub(super) window: u64,
    pub(super) needle: u32,
    pub(super) offset: u32,
}

impl Windows {
    pub(super) fn new(width: usize, windows: Vec<Owner>) -> Self {
        let bucket_count = (2 * windows.len()).next_power_of_two();
        let mut buckets = vec![0u32; bucket_count + 1];
        let bucket = |owner: &Owner| bucket(hash(owner.window), bucket_count);
        // A counting sort: `buckets` holds sizes, then ends, then starts.
        for owner in &windows {
            buckets[bucket(owner)] += 1;
        }
        let mut end = 0;
        for bucket in &mut buckets {
            end += *bucket;
            *bucket = end;
        }
        let mut owners = vec![Owner::default(); windows.len()];
        for owner in &windows {
            let place = &mut buckets[bucket(owner)];
            *place -= 1;
            owners[*place as usize] = *owner;
        }
        let reach = windows.iter().map(|owner| owner.offset as usize).max().unwrap_or(0);
        Self { width, buckets, owners, reach }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// How far behind the start of its needle a window may stand.
    pub(super) fn reach(&self) -> usize {
        self.reach
    }

    /// Takes a closer look at one place: calls `on_hit(needle, start)` for every needle that has the window standing there,
    /// is there as a whole and starts in `region`. Returns the number of comparisons.
    #[inline]
    pub(super) fn look(
        &self,
        needles: &Needles,
        haystack: &[u8],
        at: usize,
        region: &Range<usize>,
        on_hit: &mut impl FnMut(usize, usize),
    ) -> usize {
        let window = window_at(haystack, at, self.width);
        let bucket = bucket(hash(window), self.buckets.len() - 1);
        let owners = &self.owners[self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize];
        for owner in owners {
            if owner.window == window
                && let Some(start) = at.checked_sub(owner.offset as usize)
                && region.contains(&start)
                && needles.stands_at(owner.needle as usize, haystack, start)
            {
                on_hit(owner.needle as usize, start);
            }
        }
        1 + owners.len()
    }
}

/// The folded window at a place; bytes behind the end count as zero.
#[inline]
pub(super) fn window_at(haystack: &[u8], at: usize, width: usize) -> u64 {
    let bytes = match haystack.get(at..at + 8) {
        Some(bytes) => bytes.try_into().expect("eight bytes"),
        None => std::array::from_fn(|i| haystack.get(at + i).copied().unwrap_or(0)),
    };
    folded(bytes, width)
}

/// The first `width` bytes as a number. Case is folded coarsely: other bytes fall together too, which costs a closer look
/// and nothing else.
#[inline(always)]
pub(super) fn folded(bytes: [u8; 8], width: usize) -> u64 {
    (u64::from_le_bytes(bytes) | 0x2020_2020_2020_2020) & (!0 >> (64 - 8 * width))
}

/// The upper half depends on all bytes of the window.
#[inline(always)]
pub(super) fn hash(window: u64) -> u64 {
    window.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
fn bucket(hash: u64, bucket_count: usize) -> usize {
    (hash >> 40) as usize & (bucket_count - 1)
}
