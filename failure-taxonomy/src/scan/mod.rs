//! The hot scan: finds all occurrences of many short texts.
//!
//! Every occurrence counts, also one inside another; ASCII letters match in either case; any bytes are fine.
//!
//! The text is read in blocks that stay in the cache. A filter that is cheap for every byte finds the few places where a
//! rare window of some needle may occur ([`teddy`] for few or short needles, [`strided_teddy`] for many), and only there are
//! needles compared. Text full of near misses makes that slow, so blocks of such text go to an automaton ([`dense`])
//! that reads every byte once. All three find exactly the same.

pub(crate) mod dense;
pub(crate) mod needles;
mod rarity;
pub(crate) mod static_scanner;
pub(crate) mod strided_teddy;
pub(crate) mod teddy;
#[allow(unsafe_code, reason = "vector instructions must be called behind a run-time check; nothing else is unsafe")]
pub(crate) mod vector;
pub(crate) mod windows;

use dense::Dense;
use needles::{Needles, Texts};
use std::borrow::Cow;
use strided_teddy::StridedTeddy;
use teddy::Teddy;

/// Bytes that are filtered before the places found are looked at; text and tables fit the first-level cache together.
const BLOCK_BYTES: usize = 8 * 1024;

/// Up to this many needles are looked for at every place, whatever their length.
const MAX_TEDDY_NEEDLES: usize = 48;

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
    pub(crate) needles: Needles,
    pub(crate) teddies: Cow<'static, [Teddy]>,
    pub(crate) strided: StridedTeddy,
    pub(crate) dense: Dense,
}

impl Scanner {
    /// Prepares the scan. An empty needle is never found.
    pub fn new<N: AsRef<[u8]>>(needles: impl IntoIterator<Item = N>) -> Self {
        let needles: Vec<N> = needles.into_iter().collect();
        let needles: Vec<&[u8]> = needles.iter().map(AsRef::as_ref).collect();
        let needles = Needles::new(&needles);
        let texts = needles.texts();
        let [strided, teddy] = [true, false].map(|strided| {
            let mut numbers = vec![0; texts.count()];
            let count = numbers_for(strided, texts, &mut numbers);
            numbers.truncate(count);
            numbers
        });
        Self {
            teddies: Teddy::sets(texts, &teddy).into(),
            strided: StridedTeddy::new(texts, &strided),
            dense: Dense::new(needles.total_len()),
            needles,
        }
    }

    /// Calls `on_hit(needle, start)` for every occurrence, overlapping ones included, in no promised order.
    pub fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        let mut chooser = self.dense.chooser();
        let mut start = 0;
        while start < haystack.len() {
            let region = start..haystack.len().min(start + BLOCK_BYTES);
            start = region.end;
            if let Some(automaton) = chooser.automaton(&self.needles) {
                automaton.find(haystack, region, &mut on_hit);
            } else {
                let bytes = region.len();
                let mut work = 0;
                for teddy in self.teddies.iter() {
                    work += teddy.find(&self.needles, haystack, region.clone(), &mut on_hit);
                }
                work += self.strided.find(&self.needles, haystack, region, &mut on_hit);
                chooser.filtered(bytes, work);
            }
        }
    }

    /// A scan that is fed piece by piece and finds what one [`find`](Self::find) over everything finds.
    #[must_use]
    pub fn stream(&self) -> Stream<'_> {
        Stream { scanner: self, tail: Vec::new(), offset: 0 }
    }
}

/// The numbers of the needles that [`strided_teddy`] looks for, or else of those that [`teddy`] does; returns how many.
pub(crate) const fn numbers_for(strided: bool, texts: Texts<'_>, numbers: &mut [u32]) -> usize {
    let (mut filled, mut n) = (0, 0);
    while n < texts.count() {
        filled += !texts.get(n).is_empty() as usize;
        n += 1;
    }
    let many = filled > MAX_TEDDY_NEEDLES;
    let (mut count, mut n) = (0, 0);
    while n < texts.count() {
        let length = texts.get(n).len();
        if length > 0 && strided == (many && length >= strided_teddy::SHORTEST) {
            numbers[count] = n as u32;
            count += 1;
        }
        n += 1;
    }
    count
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
        let needles = &self.scanner.needles;
        let overlap = needles.overlap();
        let border = self.tail.len();
        let tail_offset = self.offset - border as u64;
        self.tail.extend_from_slice(&chunk[..chunk.len().min(overlap)]);
        self.scanner.find(&self.tail, |needle, start| {
            if start < border && start + needles.get(needle).len() > border {
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

#[cfg(test)]
mod tests;
