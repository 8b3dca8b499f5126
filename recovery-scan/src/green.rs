//! Lines of runs that worked: what such a run printed too did not make the other one fail.
//!
//! Lines are compared without what changes from run to run (times, addresses, numbers, colours). A line that the baseline
//! has as well is replaced by as many spaces, so that offsets and line numbers stay those of the log.

use crate::UnreadableLog;
use crate::logs::{self, Log};
use failure_taxonomy::normalise::normalise;
use rayon::prelude::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A longer line is compared in parts of this length.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The lines of logs of runs that worked, as hashes: memory stays far below the size of the logs.
#[derive(Clone, Debug, Default)]
pub struct GreenLines {
    lines: HashSet<u64>,
}

/// A log of a run that worked cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the baseline {file}: {error}")]
#[non_exhaustive]
pub struct GreenError {
    /// The log or directory.
    pub file: String,
    /// Why.
    pub error: String,
}

impl GreenLines {
    /// The lines of all logs in this directory.
    ///
    /// # Errors
    ///
    /// A log that cannot be read, or threads that cannot be started.
    pub fn read(dir: &Path, jobs: usize, stop: &AtomicBool) -> Result<Self, GreenError> {
        let (logs, unreadable) = logs::below(&[dir.to_owned()], stop);
        if let Some(UnreadableLog { file, error }) = unreadable.into_iter().next() {
            return Err(GreenError { file, error });
        }
        let read = |log: &Log| {
            let (mut green, mut lines) = (Self::default(), LineSplitter::default());
            log.chunks(stop, false, |chunk, _| green.add(&mut lines, chunk))
                .map_err(|error| GreenError { file: log.name(), error: error.to_string() })?;
            green.add_rest(lines);
            Ok(green)
        };
        let pool = crate::pool(jobs)
            .map_err(|error| GreenError { file: dir.display().to_string(), error: error.to_string() })?;
        pool.install(|| logs.par_iter().map(read).try_reduce(Self::default, |one, other| Ok(one.merge(other))))
    }

    /// How many different lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn merge(mut self, other: Self) -> Self {
        self.lines.extend(other.lines);
        self
    }

    /// Adds what `lines` makes of a log.
    fn add(&mut self, lines: &mut LineSplitter, chunk: &[u8]) {
        lines.feed(chunk, |line| self.insert(line));
    }

    fn add_rest(&mut self, lines: LineSplitter) {
        lines.finish(|line| self.insert(line));
    }

    fn insert(&mut self, line: &mut [u8]) {
        self.lines.extend(hash(line));
    }

    /// Blanks a line that is known; returns whether it was new. Blank lines are not counted.
    pub(crate) fn blank_known(&self, line: &mut [u8]) -> bool {
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
pub(crate) struct LineSplitter {
    partial: Vec<u8>,
}

impl LineSplitter {
    pub(crate) fn feed(&mut self, chunk: &[u8], mut each: impl FnMut(&mut [u8])) {
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            self.partial.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.partial.len() >= MAX_LINE_BYTES {
                each(&mut self.partial);
                self.partial.clear();
            }
        }
    }

    pub(crate) fn finish(mut self, mut each: impl FnMut(&mut [u8])) {
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
        let mut green = GreenLines::default();
        let mut lines = LineSplitter::default();
        green.add(&mut lines, b"warning: error in 3 ms\nfetching https://a.exam");
        green.add(&mut lines, b"ple/x");
        green.add_rest(lines);
        assert_eq!(green.len(), 2);

        let log = b"warning: error in 20 ms\n\nboom\nfetching https://a.example/x\n";
        let (mut seen, mut new) = (Vec::new(), 0);
        let mut lines = LineSplitter::default();
        let mut each = |line: &mut [u8]| {
            new += u64::from(green.blank_known(line));
            seen.extend_from_slice(line);
        };
        log.chunks(7).for_each(|chunk| lines.feed(chunk, &mut each));
        lines.finish(&mut each);
        assert_eq!(seen.len(), log.len());
        assert_eq!(String::from_utf8_lossy(&seen).trim(), "boom");
        assert_eq!((new, seen.iter().filter(|byte| **byte == b'\n').count()), (1, 4));
    }
}
