//! What a run that worked printed. In: its output, and that of a run that failed. Out: the failed output in which each line that the
//! healthy one has, too, is empty, so that it is no evidence and line numbers stay right.
//!
//! Lines are compared without colours, CI prefixes and surrounding space, and otherwise as they are: `0 failed` and `3 failed`
//! must not become the same. Hashes are kept, not lines, so that a large healthy output costs eight bytes per line.

use crate::lines::{Lines, without_escapes};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The lines of an output of a run that worked.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: HashSet<u64>,
}

impl Baseline {
    /// Of the output of a run that worked.
    #[must_use]
    pub fn of(healthy: &str) -> Self {
        let clean = without_escapes(healthy);
        let lines = Lines::of(&clean);
        let known = lines.iter().filter(|line| !line.text.trim().is_empty()).map(|line| hash(line.text));
        Self { known: known.collect() }
    }

    /// `text` with the lines emptied that are known from the run that worked; as it is where nothing else would be left.
    ///
    /// ```
    /// let baseline = problem_matcher::Baseline::of("warn: cache is cold\n3 passed\n");
    /// assert_eq!(baseline.without_known("warn: cache is cold\nboom\n"), "\nboom\n");
    /// ```
    #[must_use]
    pub fn without_known(&self, text: &str) -> String {
        let clean = without_escapes(text);
        let lines = Lines::of(&clean);
        let is_new = |line: &str| !line.trim().is_empty() && !self.known.contains(&hash(line));
        if !lines.iter().any(|line| is_new(line.text)) {
            return text.to_owned();
        }
        // Escape sequences never hold a line break, so both texts have the same lines.
        let kept = text.split('\n').zip(lines.iter()).map(|(raw, line)| if is_new(line.text) { raw } else { "" });
        kept.collect::<Vec<_>>().join("\n")
    }
}

fn hash(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.trim().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_new_decides() {
        let healthy = "connecting\n\u{1b}[33mError: could not reach the cache\u{1b}[0m\nall good\n";
        let failed =
            "2024-01-01T00:00:00.0000000Z connecting\nError: could not reach the cache\nError: out of cheese\n";
        assert_eq!(crate::explain(failed).problems[0].text_line, Some(2));
        let new = Baseline::of(healthy).without_known(failed);
        let report = crate::explain(&new);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.message.as_str(), root.text_line), ("Error: out of cheese", Some(3)));
    }

    #[test]
    fn counts_are_compared_as_they_are() {
        let baseline = Baseline::of("Tests: 3 passed, 0 failed\n");
        assert_eq!(baseline.without_known("Tests: 2 passed, 1 failed\n"), "Tests: 2 passed, 1 failed\n");
    }

    proptest! {
        #[test]
        fn line_numbers_stay_right(healthy in "(\\PC|\n|\u{1b}\\[31m){0,60}", text in "(\\PC|\n|\r|\u{1b}\\[31m){0,60}") {
            let left = Baseline::of(&healthy).without_known(&text);
            prop_assert_eq!(left.matches('\n').count(), text.matches('\n').count());
            prop_assert_eq!(Baseline::of(&text).without_known(&text), text);
        }
    }
}
