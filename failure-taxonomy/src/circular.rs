//! Circular fixes: whether the same approach was tried again and again.
//!
//! In: the current approach and the earlier ones, in words. Out: the similarity of each of the last three (Jaccard
//! index of their keywords) and whether two of them exceed the documented 0.3.

use recovery_types::Permille;
use recovery_types::similarity::Words;

/// How many earlier attempts are compared.
const ATTEMPTS: usize = 3;
/// Above this similarity, in permille, two approaches count as the same.
const SIMILAR: u64 = 300;
/// The number of similar attempts that make a circular fix.
const CIRCLE: usize = 2;

/// How similar the last attempts are to the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circularity {
    /// The similarity of each of the last three attempts, oldest first.
    pub similarities: Vec<Permille>,
    /// Whether at least two of them were similar.
    pub circular: bool,
}

impl Circularity {
    /// Compares `current` with the last three of `previous`.
    ///
    /// ```
    /// use failure_taxonomy::Circularity;
    /// let tried = ["Using async await for fetch", "Using async/await with try-catch"];
    /// assert!(Circularity::of("Using async await pattern", &tried).circular);
    /// ```
    #[must_use]
    pub fn of(current: &str, previous: &[&str]) -> Self {
        if previous.is_empty() {
            return Self::default();
        }
        let current = Words::keywords(current);
        let last = &previous[previous.len().saturating_sub(ATTEMPTS)..];
        let likeness: Vec<_> = last.iter().map(|attempt| current.jaccard(&Words::keywords(attempt))).collect();
        Self {
            circular: likeness.iter().filter(|j| j.exceeds(SIMILAR)).count() >= CIRCLE,
            similarities: likeness.iter().map(|j| j.permille()).collect(),
        }
    }
}
