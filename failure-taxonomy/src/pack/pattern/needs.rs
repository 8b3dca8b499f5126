//! What a line must contain for a pattern to match: a prefilter that is computed once per line for all patterns.
//!
//! In: the literal bytes and neighbouring pairs of a pattern, and those of a line, both as 256-bit sets (pairs by a hash,
//! like a Bloom filter with one hash function). Out: `false` where the pattern certainly does not match.

use super::class::Class;

/// Bytes and pairs of neighbours, as sets that may hold a little more than they should.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    /// Every byte, and every letter whatever its case (with the high bit set).
    bytes: Class,
    /// Two bytes in a row, whatever their case, by a hash.
    pairs: Class,
}

impl Traits {
    const NONE: Self = Self { bytes: Class::NONE, pairs: Class::NONE };

    /// What `line` holds.
    pub(crate) fn of(line: &[u8]) -> Self {
        let (mut traits, mut before) = (Self::NONE, None);
        for &byte in line {
            traits.bytes.insert(byte);
            before = traits.insert_folded(byte, before);
        }
        traits
    }

    /// Takes in a byte whose case does not matter; returns it as the one before the next.
    fn insert_folded(&mut self, byte: u8, before: Option<u8>) -> Option<u8> {
        let folded = byte.to_ascii_lowercase();
        self.bytes.insert(folded | 0x80);
        if let Some(before) = before {
            self.pairs.insert(before.wrapping_mul(0x9D).rotate_left(3) ^ folded.wrapping_mul(0x35));
        }
        Some(folded)
    }

    fn and(self, other: Self) -> Self {
        Self { bytes: self.bytes.or(other.bytes), pairs: self.pairs.or(other.pairs) }
    }

    fn in_both(self, other: Self) -> Self {
        Self { bytes: self.bytes.and(other.bytes), pairs: self.pairs.and(other.pairs) }
    }

    fn are_in(&self, line: &Self) -> bool {
        self.bytes.is_within(&line.bytes) && self.pairs.is_within(&line.pairs)
    }
}

/// The ways in which a pattern can match, each with what the line must hold for it.
#[derive(Clone, Debug)]
pub(super) struct Needs(Vec<Traits>);

/// More ways than this are taken together.
const MOST_WAYS: usize = 8;

impl Needs {
    /// One way, which needs nothing.
    pub(super) fn nothing() -> Self {
        Self(vec![Traits::NONE])
    }

    pub(super) fn are_met_by(&self, line: &Traits) -> bool {
        self.0.iter().any(|way| way.are_in(line))
    }

    /// One byte more; `before` is the one that comes right before it, if that is known.
    pub(super) fn and_byte(&mut self, byte: u8, either_case: bool, before: Option<u8>) -> Option<u8> {
        for way in &mut self.0 {
            way.insert_folded(byte, before);
            if !either_case {
                way.bytes.insert(byte);
            }
        }
        Some(byte.to_ascii_lowercase())
    }

    /// What both need.
    pub(super) fn and(&mut self, mut other: Self) {
        if self.0.len() * other.0.len() > MOST_WAYS {
            other.take_together();
        }
        self.0 = self.0.iter().flat_map(|way| other.0.iter().map(|more| way.and(*more))).collect();
    }

    /// What either needs.
    pub(super) fn or(&mut self, other: Self) {
        self.0.extend(other.0);
        if self.0.len() > MOST_WAYS {
            self.take_together();
        }
    }

    fn take_together(&mut self) {
        self.0 = vec![self.0.iter().copied().reduce(Traits::in_both).unwrap_or(Traits::NONE)];
    }
}
