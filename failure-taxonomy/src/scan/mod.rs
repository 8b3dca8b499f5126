//! The scan: finds all occurrences of many short texts. README.md beside this file names the algorithms, lists which
//! runs when, and shows the figures that decided it.
//!
//! Every occurrence counts, also one inside another; ASCII letters match in either case; any bytes are fine.

pub(crate) mod needles;
pub(crate) mod static_scanner;
pub(crate) mod window_filter;
pub(crate) mod windows;

use aho_corasick::AhoCorasick;

/// Finds every occurrence of needles that are known at run time only, with Aho-Corasick.
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
    /// The numbers of the needles that are not empty.
    numbers: Vec<usize>,
}

impl Scanner {
    /// Prepares the scan. An empty needle is never found.
    ///
    /// # Panics
    /// Needles of more than 2 GiB in all.
    pub fn new<N: AsRef<[u8]>>(needles: impl IntoIterator<Item = N>) -> Self {
        let (numbers, needles): (Vec<usize>, Vec<N>) =
            needles.into_iter().enumerate().filter(|(_, needle)| !needle.as_ref().is_empty()).unzip();
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(needles);
        Self { automaton: automaton.expect("fewer needles than the automaton can number"), numbers }
    }

    /// Calls `on_hit(needle, start)` for every occurrence, overlapping ones included, in no promised order.
    pub fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        for found in self.automaton.find_overlapping_iter(haystack) {
            on_hit(self.numbers[found.pattern().as_usize()], found.start());
        }
    }
}
