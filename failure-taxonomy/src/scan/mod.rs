//! The hot scan: where does any of many short texts stand?
//!
//! Every occurrence counts, also one inside another; ASCII letters match in either case; any bytes are fine.

use aho_corasick::{AhoCorasick, MatchKind};

/// Finds every occurrence of a fixed list of needles.
///
/// ```
/// use failure_taxonomy::scan::Scanner;
/// let scanner = Scanner::new(["unexpected token", "expected"]);
/// let mut found = Vec::new();
/// scanner.find(b"Unexpected token }", |needle, start| found.push((needle, start)));
/// found.sort();
/// assert_eq!(found, [(0, 0), (1, 2)]);
/// ```
#[derive(Debug)]
pub struct Scanner {
    automaton: AhoCorasick,
    lengths: Vec<usize>,
}

impl Scanner {
    /// Prepares the scan. An empty needle is never found.
    pub fn new<N: AsRef<[u8]>>(needles: impl IntoIterator<Item = N>) -> Self {
        let needles: Vec<N> = needles.into_iter().collect();
        let lengths = needles.iter().map(|n| n.as_ref().len()).collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&needles)
            .expect("fewer needles than the automaton can number");
        Self { automaton, lengths }
    }

    /// Calls `on_hit(needle, start)` for every occurrence, overlapping ones included, in no promised order.
    pub fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        for hit in self.automaton.find_overlapping_iter(haystack) {
            let needle = hit.pattern().as_usize();
            if self.lengths[needle] > 0 {
                on_hit(needle, hit.start());
            }
        }
    }

    /// A scan that is fed piece by piece and finds what one [`find`](Self::find) over everything finds.
    #[must_use]
    pub fn stream(&self) -> Stream<'_> {
        Stream { scanner: self, tail: Vec::new(), offset: 0 }
    }

    /// How many bytes before a border can belong to a needle that crosses it.
    fn overlap(&self) -> usize {
        self.lengths.iter().copied().max().unwrap_or(0).saturating_sub(1)
    }
}

/// A scan in pieces; remembers only the few bytes that a needle across the border needs.
#[derive(Debug)]
pub struct Stream<'s> {
    scanner: &'s Scanner,
    tail: Vec<u8>,
    offset: u64,
}

impl Stream<'_> {
    /// Scans the next piece. `on_hit` gets the start counted from the beginning of the whole stream.
    pub fn feed(&mut self, chunk: &[u8], mut on_hit: impl FnMut(usize, u64)) {
        let overlap = self.scanner.overlap();
        let border = self.tail.len();
        let tail_offset = self.offset - border as u64;
        self.tail.extend_from_slice(&chunk[..chunk.len().min(overlap)]);
        self.scanner.find(&self.tail, |needle, start| {
            if start < border && start + self.scanner.lengths[needle] > border {
                on_hit(needle, tail_offset + start as u64);
            }
        });
        self.scanner.find(chunk, |needle, start| on_hit(needle, self.offset + start as u64));
        self.offset += chunk.len() as u64;
        if chunk.len() >= overlap {
            self.tail.clear();
            self.tail.extend_from_slice(&chunk[chunk.len() - overlap..]);
        } else {
            let excess = self.tail.len().saturating_sub(overlap);
            self.tail.drain(..excess);
        }
    }
}
