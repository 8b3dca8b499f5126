//! A set of bytes as a bitmap of 256 bits: character classes of patterns, and what a line contains.
//!
//! In: bytes, ranges and the names `\d`, `\w`, `\s` and their negations. Out: membership in one shift, and `is_within` in
//! four words, by which `needs` rules out lines that lack a required byte. ASCII only, like `regex` with `unicode(false)`,
//! which the tests compare it with. A new escape is an arm of `named`.

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(pub(super) [u64; 4]);

impl Class {
    pub(super) const NONE: Self = Self([0; 4]);

    #[inline]
    pub(super) fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    pub(super) fn range(from: u8, to: u8) -> Self {
        let mut class = Self::NONE;
        (from..=to).for_each(|byte| class.insert(byte));
        class
    }

    #[inline]
    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    pub(super) fn or(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    #[inline]
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(super) fn not(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }

    /// With both cases of its letters.
    pub(super) fn folded(mut self) -> Self {
        for byte in b'a'..=b'z' {
            if self.has(byte) || self.has(byte.to_ascii_uppercase()) {
                self.insert(byte);
                self.insert(byte.to_ascii_uppercase());
            }
        }
        self
    }

    /// `\d` and its like.
    pub(super) fn named(letter: u8) -> Option<Self> {
        let digit = || Self::range(b'0', b'9');
        let word = || digit().or(Self::range(b'a', b'z')).or(Self::range(b'A', b'Z')).or(Self::range(b'_', b'_'));
        let space = || Self::range(b'\t', b'\r').or(Self::range(b' ', b' '));
        Some(match letter {
            b'd' => digit(),
            b'D' => digit().not(),
            b'w' => word(),
            b'W' => word().not(),
            b's' => space(),
            b'S' => space().not(),
            _ => return None,
        })
    }
}
