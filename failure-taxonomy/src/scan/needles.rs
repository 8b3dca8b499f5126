//! The needles, and the exact comparison that confirms a candidate of a window filter.
//!
//! In: literals folded to lower case in one array, with a mask of the bit in which the cases of a letter differ, as
//! `build/scanner.rs` lays them out. Out: whether a needle is at a position, letters in either case: `text | mask == folded`
//! compares eight bytes at once. Only ASCII letters are folded, as everywhere in the scan.

/// The needles, folded to lower case, side by side in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needles {
    /// All folded needles, one after another.
    pub(crate) folded: &'static [u8],
    /// For each byte of `folded` the bit that upper and lower case differ in: 0x20 for letters, else 0.
    pub(crate) case: &'static [u8],
    /// Where each needle starts in `folded`, and one more for the end.
    pub(crate) starts: &'static [u32],
}

impl Needles {
    /// Whether the needle is at `start`, letters in either case.
    #[inline]
    pub(crate) fn matches_at(&self, needle: usize, haystack: &[u8], start: usize) -> bool {
        let range = self.starts[needle] as usize..self.starts[needle + 1] as usize;
        let Some(text) = haystack.get(start..).and_then(|rest| rest.get(..range.len())) else { return false };
        let (folded, case) = (&self.folded[range.clone()], &self.case[range]);
        // Eight bytes at a time: a typical needle takes a few instructions.
        let (text8, text) = text.as_chunks::<8>();
        let (folded8, folded) = folded.as_chunks::<8>();
        let (case8, case) = case.as_chunks::<8>();
        for ((t, f), c) in text8.iter().zip(folded8).zip(case8) {
            if (u64::from_le_bytes(*t) | u64::from_le_bytes(*c)) != u64::from_le_bytes(*f) {
                return false;
            }
        }
        text.iter().zip(folded).zip(case).fold(0, |wrong, ((t, f), c)| wrong | ((t | c) ^ f)) == 0
    }
}
