//! Finds every occurrence of a set of short texts, ready in microseconds.
//!
//! In: some hundred literals of two bytes or more. Out: for a text, each literal that occurs with its position, overlapping
//! ones included, in no particular order of literals. It is a filter by byte pairs, the simplest relative of Teddy and Wu-Manber: of
//! each literal the pair of bytes that is rarest in logs is marked in a bit set; where a marked pair occurs, the few literals
//! that have it are compared. `aho-corasick` would need 0.5 ms to prepare its smallest automaton for the formats' literals (`cargo
//! bench -p problem-matcher -- prepare`), twice what a hook takes for all problems of a short output.
//!
//! [`matcher`](crate::matcher), [`telling`](crate::telling) and [`facts`](crate::facts) use it.

/// A set of literals.
pub(crate) struct Literals<'p> {
    texts: Vec<&'p [u8]>,
    /// The pairs of bytes at which some literal is compared, one bit each.
    pairs: Box<[u64; 1024]>,
    /// How many pairs are marked in the words before each.
    ranks: Box<[u16; 1024]>,
    /// Literal, and where in it the pair is, in the order of pairs.
    entries: Vec<(u16, u16)>,
    /// Where the entries of each marked pair begin, and where the last end.
    starts: Vec<u16>,
}

impl<'p> Literals<'p> {
    /// Prepares the literals, which are known by their index; each has two bytes or more.
    pub(crate) fn new(texts: impl IntoIterator<Item = &'p str>) -> Self {
        let texts: Vec<&[u8]> = texts.into_iter().map(str::as_bytes).collect();
        let mut pairs = Box::new([0u64; 1024]);
        let mut sorted: Vec<(u16, u16, u16)> = Vec::with_capacity(texts.len());
        for (index, text) in texts.iter().enumerate() {
            let rarest = text.windows(2).enumerate().min_by_key(|(_, pair)| frequency(pair[0]) * frequency(pair[1]));
            let Some((offset, pair)) = rarest else { continue };
            let pair = u16::from_le_bytes([pair[0], pair[1]]);
            pairs[usize::from(pair) / 64] |= 1 << (pair % 64);
            sorted.push((pair, index as u16, offset as u16));
        }
        sorted.sort_unstable();
        let mut ranks = Box::new([0u16; 1024]);
        for word in 1..ranks.len() {
            ranks[word] = ranks[word - 1] + pairs[word - 1].count_ones() as u16;
        }
        let mut starts = Vec::new();
        for (at, entry) in sorted.iter().enumerate() {
            if at == 0 || sorted[at - 1].0 != entry.0 {
                starts.push(at as u16);
            }
        }
        starts.push(sorted.len() as u16);
        let entries = sorted.iter().map(|&(_, literal, offset)| (literal, offset)).collect();
        Self { texts, pairs, ranks, entries, starts }
    }

    /// Calls `found` with each literal and the position where it begins in `text`.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for (at, window) in text.windows(2).enumerate() {
            let pair = usize::from(u16::from_le_bytes([window[0], window[1]]));
            let (word, bit) = (self.pairs[pair / 64], 1 << (pair % 64));
            if word & bit == 0 {
                continue;
            }
            let rank = usize::from(self.ranks[pair / 64]) + (word & (bit - 1)).count_ones() as usize;
            let (from, to) = (usize::from(self.starts[rank]), usize::from(self.starts[rank + 1]));
            for &(literal, offset) in &self.entries[from..to] {
                let literal = usize::from(literal);
                let Some(start) = at.checked_sub(usize::from(offset)) else { continue };
                let known = self.texts[literal];
                // Most differ in their first byte, which needs no call.
                if text[start] == known[0] && text[start..].starts_with(known) {
                    found(literal, start);
                }
            }
        }
    }
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
