//! Lines without their digits, by a hash: the same for lines that differ in nothing but numbers of the same length.

use super::{LONGEST, mix};
use crate::scan::vector::{self, BLOCK};
use std::num::NonZeroU64;
use std::ops::Range;

/// Numbers of eight bytes in a block.
const LANES: usize = BLOCK / 8;
/// Blocks of the longest line that has a skeleton.
const BLOCKS: usize = LONGEST / BLOCK;

/// A line, without its beginning: that is where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Behind its line break.
    pub end: usize,
    /// One that is cut or long has none.
    pub skeleton: Option<NonZeroU64>,
}

impl Line {
    /// A line of `length` bytes without its line break, by the sums over its blocks.
    #[inline]
    fn new(end: usize, length: usize, [a, b, c, d]: Sums) -> Self {
        Self { end, skeleton: NonZeroU64::new(mix(mix(a.wrapping_add(length as u64), b), mix(c, d))) }
    }
}

/// What the blocks of a line add up to.
type Sums = [u64; LANES];

/// Makes what stands in one block count differently than in another.
static SALTS: [[u64; LANES]; BLOCKS] = {
    let (mut salts, mut i) = ([[0; LANES]; BLOCKS], 0);
    while i < LANES * BLOCKS {
        salts[i / LANES][i % LANES] = mix(0xA076_1D64_78BD_642F, i as u64 + 1);
        i += 1;
    }
    salts
};

/// The lines of `part`, the first from where it begins; the last may be cut.
pub(super) fn lines(text: &[u8], part: Range<usize>) -> Vec<Line> {
    let mut lines = Vec::with_capacity(part.len() / 32 + 2);
    let mut start = vector::lines(text, part.clone(), &SALTS, |end, length, sums| {
        lines.push(sums.map_or(Line { end, skeleton: None }, |sums| Line::new(end, length, sums)));
    });
    while let Some(length) = memchr::memchr(b'\n', &text[start..part.end]) {
        let (line, end) = (&text[start..start + length], start + length + 1);
        let is_short = length < LONGEST;
        lines.push(if is_short { Line::new(end, length, sums(line)) } else { Line { end, skeleton: None } });
        start = end;
    }
    if start < part.end {
        lines.push(Line { end: part.end, skeleton: None });
    }
    lines
}

fn sums(line: &[u8]) -> Sums {
    let mut sums = [0u64; LANES];
    // The line break stands in the last block, which may have nothing else.
    for (number, salts) in SALTS.iter().enumerate().take(line.len() / BLOCK + 1) {
        let mut block = [0; BLOCK];
        let bytes = &line[number * BLOCK..line.len().min((number + 1) * BLOCK)];
        block.iter_mut().zip(bytes).for_each(|(to, byte)| *to = if byte.is_ascii_digit() { b'0' } else { *byte });
        for (lane, eight) in block.as_chunks().0.iter().enumerate() {
            let eight = u64::from_le_bytes(*eight);
            let salted = eight ^ salts[lane];
            sums[lane] = sums[lane].wrapping_add((salted & 0xffff_ffff) * (salted >> 32));
            sums[lane ^ 1] = sums[lane ^ 1].wrapping_add(eight);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn skeleton(line: &str) -> Option<NonZeroU64> {
        lines(format!("{line}\n").as_bytes(), 0..line.len() + 1)[0].skeleton
    }

    #[test]
    fn digits_are_alike_and_nothing_else_is() {
        for (one, other) in [("at 10:31:59.123", "at 99:00:12.987"), ("", ""), ("status 200", "status 503")] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        let long = "x".repeat(BLOCK);
        for (one, other) in [
            ("12", "123"),
            ("a 23 b", "a 2 3 b"),
            ("x", "x "),
            ("longer than eight", "longer than night"),
            ("", " "),
            ("", "\0"),
            (":", "0"),
            ("/", "0"),
            (&format!("a{long}b{long}"), &format!("b{long}a{long}")),
            (&format!("{long}abcdefgh{long}"), &format!("abcdefgh{long}{long}")),
        ] {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert!(skeleton(&"x".repeat(LONGEST - 1)).is_some() && skeleton(&"x".repeat(LONGEST)).is_none());
    }

    proptest! {
        #[test]
        fn each_line_has_its_end_and_its_own_skeleton(lines_of in prop::collection::vec("[a-d0-9 ]{0,70}|x{1000,1050}|\n{0,9}", 0..30), cut in 0..99usize) {
            let text = lines_of.join("\n").into_bytes();
            let part = cut.min(text.len())..text.len();
            let mut start = part.start;
            let all = lines(&text, part.clone());
            for line in &all {
                // Far from the end of a text there is room to read beyond a line, and here there is none.
                let alone = &text[start..line.end];
                let is_whole = alone.ends_with(b"\n") && alone.len() <= LONGEST;
                prop_assert_eq!(memchr::memchr(b'\n', alone).is_none_or(|at| at + 1 == alone.len()), true);
                let expected = is_whole.then(|| Line::new(line.end, alone.len() - 1, sums(&alone[..alone.len() - 1])));
                prop_assert_eq!(line.skeleton, expected.and_then(|line| line.skeleton));
                start = line.end;
            }
            prop_assert_eq!(start, part.end);
        }
    }
}
