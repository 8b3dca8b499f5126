//! The needles, and the exact comparison that confirms a candidate of a window filter.
//!
//! In: literals, at compile time (`Layout`) or in tests at run time. Out: their bytes folded to lower case in one array,
//! with a mask of the bit in which the cases of a letter differ, so that `text | mask == folded` compares eight bytes at
//! once in either case. Offsets are `u32`. Only ASCII letters are folded, as everywhere in the scan.

use std::borrow::Cow;

/// The needles, folded to lower case, side by side in memory.
#[derive(Debug)]
pub(crate) struct Needles {
    /// All folded needles, one after another.
    folded: Cow<'static, [u8]>,
    /// For each byte of `folded` the bit that upper and lower case differ in: 0x20 for letters, else 0.
    case: Cow<'static, [u8]>,
    /// Where each needle starts in `folded`, and one more for the end.
    starts: Cow<'static, [u32]>,
}

/// The folded needles while tables are made of them.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'a> {
    folded: &'a [u8],
    starts: &'a [u32],
}

impl<'a> Texts<'a> {
    pub(crate) const fn count(self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) const fn get(self, needle: usize) -> &'a [u8] {
        let (start, end) = (self.starts[needle] as usize, self.starts[needle + 1] as usize);
        self.folded.split_at(end).0.split_at(start).1
    }
}

/// Needles laid out by the compiler: `BYTES` in all, `STARTS` is one more than their number.
pub(crate) struct Layout<const BYTES: usize, const STARTS: usize> {
    folded: [u8; BYTES],
    case: [u8; BYTES],
    starts: [u32; STARTS],
}

impl<const BYTES: usize, const STARTS: usize> Layout<BYTES, STARTS> {
    pub(crate) const fn of(needles: &[&[u8]]) -> Self {
        let mut this = Self { folded: [0; BYTES], case: [0; BYTES], starts: [0; STARTS] };
        fold(needles, &mut this.folded, &mut this.case, &mut this.starts);
        this
    }

    pub(crate) const fn texts(&self) -> Texts<'_> {
        Texts { folded: &self.folded, starts: &self.starts }
    }
}

pub(crate) const fn total_len(needles: &[&[u8]]) -> usize {
    let (mut total, mut i) = (0, 0);
    while i < needles.len() {
        total += needles[i].len();
        i += 1;
    }
    total
}

/// Lays the needles out.
const fn fold(needles: &[&[u8]], folded: &mut [u8], case: &mut [u8], starts: &mut [u32]) {
    let (mut at, mut i) = (0, 0);
    while i < needles.len() {
        let needle = needles[i];
        let mut k = 0;
        while k < needle.len() {
            folded[at] = needle[k].to_ascii_lowercase();
            case[at] = if needle[k].is_ascii_alphabetic() { 0x20 } else { 0 };
            at += 1;
            k += 1;
        }
        i += 1;
        assert!(at <= u32::MAX as usize, "needles of less than 4 GiB in all");
        starts[i] = at as u32;
    }
}

impl Needles {
    #[cfg(test)]
    pub(crate) fn new(needles: &[&[u8]]) -> Self {
        let total = total_len(needles);
        let (mut folded, mut case, mut starts) = (vec![0; total], vec![0; total], vec![0; needles.len() + 1]);
        fold(needles, &mut folded, &mut case, &mut starts);
        Self { folded: folded.into(), case: case.into(), starts: starts.into() }
    }

    pub(crate) const fn from_static<const BYTES: usize, const STARTS: usize>(
        by: &'static Layout<BYTES, STARTS>,
    ) -> Self {
        let (folded, case, starts) = (Cow::Borrowed(&by.folded as &[u8]), Cow::Borrowed(&by.case as &[u8]), &by.starts);
        Self { folded, case, starts: Cow::Borrowed(starts) }
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> Texts<'_> {
        Texts { folded: &self.folded, starts: &self.starts }
    }

    /// Whether the needle is at `start`, letters in either case.
    #[inline]
    pub(crate) fn matches_at(&self, needle: usize, haystack: &[u8], start: usize) -> bool {
        let range = self.range(needle);
        let Some(text) = haystack.get(start..).and_then(|rest| rest.get(..range.len())) else { return false };
        let (folded, case) = (&self.folded[range.clone()], &self.case[range]);
        let mut wrong = 0u8;
        // Eight bytes at a time: a typical needle takes a few instructions.
        let mut text8 = text.chunks_exact(8);
        let mut folded8 = folded.chunks_exact(8);
        let mut case8 = case.chunks_exact(8);
        for ((t, f), c) in (&mut text8).zip(&mut folded8).zip(&mut case8) {
            if (eight(t) | eight(c)) != eight(f) {
                return false;
            }
        }
        for ((t, f), c) in text8.remainder().iter().zip(folded8.remainder()).zip(case8.remainder()) {
            wrong |= (t | c) ^ f;
        }
        wrong == 0
    }

    fn range(&self, needle: usize) -> std::ops::Range<usize> {
        self.starts[needle] as usize..self.starts[needle + 1] as usize
    }
}

#[inline]
fn eight(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}
