//! The needles themselves and the exact comparison.

/// The needles, folded to lower case, side by side in memory.
#[derive(Debug)]
pub(super) struct Needles {
    /// All folded needles, one after another.
    folded: Vec<u8>,
    /// For each byte of `folded` the bit that upper and lower case differ in: 0x20 for letters, else 0.
    case: Vec<u8>,
    /// Where each needle starts in `folded`, and one more for the end.
    starts: Vec<u32>,
    longest: usize,
}

impl Needles {
    pub(super) fn new<N: AsRef<[u8]>>(needles: impl IntoIterator<Item = N>) -> Self {
        let mut this = Self { folded: Vec::new(), case: Vec::new(), starts: vec![0], longest: 0 };
        for needle in needles {
            let needle = needle.as_ref();
            this.folded.extend(needle.iter().map(u8::to_ascii_lowercase));
            this.starts.push(u32::try_from(this.folded.len()).expect("needles of less than 4 GiB in all"));
            this.longest = this.longest.max(needle.len());
        }
        this.case.extend(this.folded.iter().map(|b| if b.is_ascii_alphabetic() { 0x20 } else { 0 }));
        this
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The folded text of a needle.
    pub(super) fn get(&self, needle: usize) -> &[u8] {
        &self.folded[self.range(needle)]
    }

    /// How many bytes before a border can belong to a needle that crosses it.
    pub(super) fn overlap(&self) -> usize {
        self.longest.saturating_sub(1)
    }

    /// The bytes of all needles together.
    pub(super) fn total_len(&self) -> usize {
        self.folded.len()
    }

    /// Whether the needle stands at `start`, letters in either case.
    #[inline]
    pub(super) fn stands_at(&self, needle: usize, haystack: &[u8], start: usize) -> bool {
        let range = self.range(needle);
        let Some(text) = haystack.get(start..).and_then(|rest| rest.get(..range.len())) else { return false };
        let (folded, case) = (&self.folded[range.clone()], &self.case[range]);
        let mut wrong = 0u8;
        // Eight at a time, so that the comparison stays a few instructions for a typical needle.
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
