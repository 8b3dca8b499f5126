//! Finds every occurrence of a set of short texts, ready in microseconds.
//!
//! In: some hundred literals of two bytes or more. Out: for a text, each literal that occurs with its position, overlapping
//! ones included, in no particular order of literals. It is a filter by hashes of three bytes, the simplest relative of Teddy and
//! Wu-Manber: of each literal the three bytes that are rarest in logs are marked in a bit set; where they occur, the few
//! literals that have them are compared. `aho-corasick` would need 0.5 ms to prepare its smallest automaton for the formats' literals (`cargo
//! bench -p problem-matcher -- prepare`), twice what a hook takes for all problems of a short output.
//!
//! [`matcher`](crate::matcher), [`telling`](crate::telling) and [`facts`](crate::facts) use it.

/// A set of literals.
pub(crate) struct Literals<'p> {
    texts: Vec<&'p [u8]>,
    /// The hashes of three bytes at which some literal is compared, one bit each.
    hashes: Box<[u64; 1024]>,
    /// How many hashes are marked in the words before each.
    ranks: Box<[u16; 1024]>,
    /// In the order of hashes.
    entries: Vec<Entry>,
    /// Where the entries of each marked hash begin, and where the last end.
    starts: Vec<u16>,
}

/// A literal where its three rarest bytes occur.
struct Entry {
    literal: u16,
    /// Where in the literal these bytes are.
    offset: u16,
    /// The literal's first and last byte: most candidates differ in one of them, which needs no call.
    ends: (u8, u8),
}

impl<'p> Literals<'p> {
    /// Prepares the literals, which are known by their index; each has two bytes or more.
    pub(crate) fn new(texts: impl IntoIterator<Item = &'p str>) -> Self {
        let texts: Vec<&[u8]> = texts.into_iter().map(str::as_bytes).collect();
        let mut hashes = Box::new([0u64; 1024]);
        let mut sorted: Vec<(u16, u16, u16)> = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let mut mark = |offset: usize, bytes: [u8; 3]| {
                let hash = hash(bytes);
                hashes[usize::from(hash) / 64] |= 1 << (hash % 64);
                sorted.push((hash, index as u16, offset as u16));
            };
            let weight = |bytes: &[u8]| bytes.iter().map(|byte| frequency(*byte)).product::<u32>();
            match text.windows(3).enumerate().min_by_key(|(_, bytes)| weight(bytes)) {
                Some((offset, bytes)) => mark(offset, [bytes[0], bytes[1], bytes[2]]),
                // Two bytes, whatever follows them.
                None => (0..=u8::MAX).for_each(|next| mark(0, [text[0], text[1], next])),
            }
        }
        sorted.sort_unstable();
        sorted.dedup();
        let mut ranks = Box::new([0u16; 1024]);
        for word in 1..ranks.len() {
            ranks[word] = ranks[word - 1] + hashes[word - 1].count_ones() as u16;
        }
        let mut starts = Vec::new();
        for (at, entry) in sorted.iter().enumerate() {
            if at == 0 || sorted[at - 1].0 != entry.0 {
                starts.push(at as u16);
            }
        }
        starts.push(sorted.len() as u16);
        let entry = |&(_, literal, offset): &(u16, u16, u16)| {
            let text = texts[usize::from(literal)];
            Entry { literal, offset, ends: (text[0], text[text.len() - 1]) }
        };
        let entries = sorted.iter().map(entry).collect();
        Self { texts, hashes, ranks, entries, starts }
    }

    /// Calls `found` with each literal and the position where it begins in `text`.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let is_marked = |hash: u16| self.hashes[usize::from(hash / 64)] & (1 << (hash % 64)) != 0;
        for (at, bytes) in text.windows(3).enumerate() {
            let hash = hash([bytes[0], bytes[1], bytes[2]]);
            if is_marked(hash) {
                self.compare(text, at, hash, &mut found);
            }
        }
        if let [.., first, second] = *text {
            let hash = hash([first, second, 0]);
            if is_marked(hash) {
                self.compare(text, text.len() - 2, hash, &mut found);
            }
        }
    }

    /// Compares the literals of a marked hash, whose bytes are at `at`.
    fn compare(&self, text: &[u8], at: usize, hash: u16, found: &mut impl FnMut(usize, usize)) {
        let (word, bit) = (usize::from(hash / 64), 1 << (hash % 64));
        let rank = usize::from(self.ranks[word]) + (self.hashes[word] & (bit - 1)).count_ones() as usize;
        let (from, to) = (usize::from(self.starts[rank]), usize::from(self.starts[rank + 1]));
        for &Entry { literal, offset, ends: (first, last) } in &self.entries[from..to] {
            let literal = usize::from(literal);
            let known = self.texts[literal];
            let Some(start) = at.checked_sub(usize::from(offset)) else { continue };
            let Some(piece) = text.get(start..start + known.len()) else { continue };
            if piece[0] == first && piece[piece.len() - 1] == last && piece == known {
                found(literal, start);
            }
        }
    }
}

/// Fibonacci hashing of three bytes.
#[inline]
fn hash([first, second, third]: [u8; 3]) -> u16 {
    (u32::from_le_bytes([first, second, third, 0]).wrapping_mul(0x9E37_79B1) >> 16) as u16
}

/// How frequent a byte is in logs, roughly: the more frequent, the less selective.
const fn frequency(byte: u8) -> u32 {
    match byte {
        b' ' => 40,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 20,
        b'l' | b'c' | b'd' | b'u' | b'p' | b'm' | b'.' | b'/' | b':' | b'-' | b'0' | b'1' => 10,
        b'a'..=b'z' | b'0'..=b'9' | b'_' | b'=' | b',' => 5,
        b'A'..=b'Z' | b'"' | b'\'' | b'(' | b')' | b'[' | b']' => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(
            literals in proptest::collection::vec("[ab: ]{2,5}", 1..20),
            text in "[ab: ]{0,60}",
        ) {
            let mut expected: Vec<(usize, usize)> = literals
                .iter()
                .enumerate()
                .flat_map(|(index, literal)| (0..text.len()).filter(|&at| text[at..].starts_with(literal)).map(move |at| (index, at)).collect::<Vec<_>>())
                .collect();
            let mut found = Vec::new();
            Literals::new(literals.iter().map(String::as_str)).find(text.as_bytes(), |literal, at| found.push((literal, at)));
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
