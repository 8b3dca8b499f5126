//! Diagnosing output while it arrives.
//!
//! In: chunks of any size, as a supervised command prints them. Out: the same `Diagnosis` as that of the whole text,
//! in bounded memory: the beginning and the end are kept, what lies between is scanned as it passes.

use crate::evidence::{ENDS_HEAD_BYTES, ENDS_TAIL_BYTES, Evidence, TAIL_BYTES};
use crate::verdict::phase::ending;
use crate::verdict::{self, Verdict};
use crate::{Failure, Taxonomy};
use recovery_types::Diagnosis;

/// Reads output in pieces of any size, with bounded memory. The first 256 KiB and the last 1 MiB are judged line by line,
/// what lies between is skimmed (see step 7 of [`algorithm`](crate::algorithm)); the fingerprint comes from the
/// first 64 KiB and the last 192 KiB.
///
/// ```
/// use failure_taxonomy::{Failure, Taxonomy};
/// let taxonomy = Taxonomy::documented();
/// let mut observer = taxonomy.observe();
/// for chunk in [&b"Error: Cannot find mo"[..], b"dule './utils'"] {
///     observer.feed(chunk);
/// }
/// let diagnosis = observer.finish(&Failure::default());
/// assert_eq!(diagnosis.indicators[0].id, "documented.cannot-find-module");
/// ```
#[derive(Debug)]
pub struct Observer<'t> {
    taxonomy: &'t Taxonomy,
    evidence: Evidence,
    head: Vec<u8>,
    seen: usize,
}

impl Taxonomy {
    /// Reads output as it arrives, in pieces of any size and with constant memory.
    #[must_use]
    pub fn observe(&self) -> Observer<'_> {
        Observer { taxonomy: self, evidence: Evidence::new(self.rows()), head: Vec::new(), seen: 0 }
    }
}

impl Observer<'_> {
    /// Reads the next piece.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.evidence.read(self.taxonomy.rows(), chunk);
        self.head.extend_from_slice(&chunk[..chunk.len().min(ENDS_HEAD_BYTES - self.head.len())]);
        self.seen = self.seen.saturating_add(chunk.len());
    }

    /// The whole output, if it is short enough to have been kept.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        (self.seen == self.head.len()).then_some(&self.head)
    }

    /// The last 64 KiB, from the beginning of a line, or everything if there is less.
    #[must_use]
    pub fn last(&self) -> &[u8] {
        let last = self.evidence.last(ENDS_HEAD_BYTES);
        if last.len() == self.seen { last } else { after_cut(last) }
    }

    /// [`ends`](crate::ends) of the whole output.
    #[must_use]
    pub fn ends(&self) -> Vec<u8> {
        let tail = self.evidence.last(ENDS_TAIL_BYTES.min(self.seen - self.head.len()));
        [&self.head, tail].concat()
    }

    /// Like [`finish`](Self::finish), but `None` where neither an exit code nor the text shows a failure, which saves the
    /// fingerprint of logs that are fine.
    #[must_use]
    pub fn finish_failed(mut self, failure: &Failure<'_>) -> Option<Diagnosis> {
        let (verdict, text) = self.reach(failure);
        let has_failed = failure.exit_code.map_or(!verdict.indicators.is_empty(), |code| code != 0);
        has_failed.then(|| self.taxonomy.conclude(verdict, &self.evidence, &Failure { text: &text, ..*failure }))
    }

    /// The answer. `failure` holds what surrounds the output; its `text` is not read.
    #[must_use]
    pub fn finish(mut self, failure: &Failure<'_>) -> Diagnosis {
        let (verdict, text) = self.reach(failure);
        self.taxonomy.conclude(verdict, &self.evidence, &Failure { text: &text, ..*failure })
    }

    /// The verdict, and what the fingerprint is taken from.
    fn reach(&mut self, failure: &Failure<'_>) -> (Verdict, Vec<u8>) {
        let (text, rows) = (self.ends(), self.taxonomy.rows());
        let rest = self.evidence.finish(rows);
        let end = &rest[rest.len().saturating_sub(TAIL_BYTES)..];
        let ending = ending(end, (self.seen - end.len()) as u64);
        (verdict::reach(rows, &self.evidence, &ending, failure.exit_code, failure.tool), text)
    }
}

/// `text` without the rest of the line that was cut, or of the word where the line is long: a secret in it could have lost
/// what it is known by.
fn after_cut(text: &[u8]) -> &[u8] {
    const LINE_BYTES: usize = 16 * 1024;
    let near = &text[..text.len().min(LINE_BYTES)];
    let word = || near.iter().position(|b| b.is_ascii_whitespace() || b"\"'".contains(b));
    let start = near.iter().position(|b| *b == b'\n').or_else(word).map_or(0, |end| end + 1);
    &text[start..]
}
