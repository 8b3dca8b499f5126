//! `--since-green`: what a run that worked printed too did not make the other one fail.
//!
//! Lines are compared without what changes from run to run (times, addresses, numbers, colours). A line that the baseline
//! has as well is replaced by as many spaces, so that offsets and line numbers stay those of the log.

use failure_taxonomy::normalise::normalise;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A longer line is compared in parts of this length.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The lines of logs of runs that worked, as hashes: memory stays far below the size of the logs.
#[derive(Default)]
pub(super) struct Baseline {
    lines: HashSet<u64>,
}

impl Baseline {
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.lines.extend(other.lines);
        self
    }

    /// Adds what `lines` makes of a log.
    pub(super) fn add(&mut self, lines: &mut Lines, chunk: &[u8]) {
        lines.feed(chunk, |line| self.insert(line));
    }

    pub(super) fn add_rest(&mut self, lines: Lines) {
        lines.finish(|line| self.insert(line));
    }

    fn insert(&mut self, line: &mut [u8]) {
        self.lines.extend(hash(line));
    }

    /// Blanks a line that is known; returns whether it was new. Blank lines are not counted.
    pub(super) fn blank_known(&self, line: &mut [u8]) -> bool {
        let Some(hash) = hash(line) else { return false };
        if !self.lines.contains(&hash) {
            return true;
        }
        line.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        false
    }
}

fn hash(line: &[u8]) -> Option<u64> {
    let folded = normalise(&String::from_utf8_lossy(line));
    let folded = folded.trim();
    (!folded.is_empty()).then(|| {
        let mut hasher = DefaultHasher::new();
        folded.hash(&mut hasher);
        hasher.finish()
    })
}

/// Cuts chunks into lines, each with its end.
#[derive(Default)]
pub(super) struct Lines {
    partial: Vec<u8>,
}

impl Lines {
    pub(super) fn feed(&mut self, chunk: &[u8], mut each: impl FnMut(&mut [u8])) {
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.partial.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.partial.len() >= MAX_LINE_BYTES {
                each(&mut self.partial);
                self.partial.clear();
            }
        }
    }

    pub(super) fn finish(mut self, mut each: impl FnMut(&mut [u8])) {
        if !self.partial.is_empty() {
            each(&mut self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_lines_become_blanks_of_the_same_length() {
        let mut baseline = Baseline::default();
        let mut lines = Lines::default();
        baseline.add(&mut lines, b"warning: error in 3 ms\nfetching https://a.exam");
        baseline.add(&mut lines, b"ple/x");
        baseline.add_rest(lines);
        assert_eq!(baseline.len(), 2);

        let log = b"warning: error in 20 ms\n\nboom\nfetching https://a.example/x\n";
        let (mut seen, mut new) = (Vec::new(), 0);
        let mut lines = Lines::default();
        let mut each = |line: &mut [u8]| {
            new += u64::from(baseline.blank_known(line));
            seen.extend_from_slice(line);
        };
        log.chunks(7).for_each(|chunk| lines.feed(chunk, &mut each));
        lines.finish(&mut each);
        assert_eq!(seen.len(), log.len());
        assert_eq!(String::from_utf8_lossy(&seen).trim(), "boom");
        assert_eq!((new, seen.iter().filter(|byte| **byte == b'\n').count()), (1, 4));
    }
}
