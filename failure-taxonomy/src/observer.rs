//! Reading output as it arrives.

use crate::evidence::Evidence;
use crate::{Failure, Taxonomy};
use recovery_types::Diagnosis;
use std::borrow::Cow;

/// How much of the beginning is kept.
const HEAD: usize = 64 * 1024;
/// How much of the end is kept.
const TAIL: usize = 192 * 1024;

/// Reads output in pieces of any size. Indicators count wherever they stand; facts (locations, waiting times, the
/// fingerprint) come from the first 64 KiB and the last 192 KiB, so a log of any length needs constant memory.
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
    tail: Vec<u8>,
}

impl<'t> Observer<'t> {
    pub(crate) fn new(taxonomy: &'t Taxonomy) -> Self {
        Self { taxonomy, evidence: Evidence::new(taxonomy), head: Vec::new(), tail: Vec::new() }
    }

    /// Reads the next piece.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.evidence.read(self.taxonomy, chunk);
        let (head, rest) = chunk.split_at(chunk.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(TAIL)..];
        self.tail.extend_from_slice(rest);
        // Cutting back only at twice the size keeps the copying linear.
        if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
    }

    /// The answer. `failure` says what surrounds the output; its `text` is not read.
    #[must_use]
    pub fn finish(mut self, failure: &Failure<'_>) -> Diagnosis {
        self.evidence.end(self.taxonomy);
        let excess = self.tail.len().saturating_sub(TAIL);
        let mut text = self.head;
        text.extend_from_slice(&self.tail[excess..]);
        self.taxonomy.conclude(&self.evidence, &Failure { text: &text, ..*failure })
    }
}

/// What an observer keeps of `text`.
pub(crate) fn windows(text: &[u8]) -> Cow<'_, [u8]> {
    if text.len() <= HEAD + TAIL {
        return Cow::Borrowed(text);
    }
    Cow::Owned([&text[..HEAD], &text[text.len() - TAIL..]].concat())
}
