//! Sets of words and their similarity (Jaccard index), compared in whole numbers.

use crate::Permille;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

/// Stop words: words that carry no information about an approach.
pub const STOP_WORDS: [&str; 14] =
    ["with", "using", "the", "a", "an", "and", "or", "but", "in", "on", "at", "to", "for", "trying"];

/// The lower-cased words of a text, split at every character that is neither a letter nor a digit.
///
/// ```
/// use recovery_types::similarity::Words;
/// let a = Words::keywords("Using async/await with try-catch");
/// assert_eq!(a.iter().collect::<Vec<_>>(), ["async", "await", "catch", "try"]);
/// assert!(a.jaccard(&Words::keywords("async await")).exceeds(300));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Every word of `text`.
    #[must_use]
    pub fn all(text: &str) -> Self {
        Self(distinct(text).into_iter().map(Cow::into_owned).collect())
    }

    /// The words of `text` without the [`STOP_WORDS`].
    #[must_use]
    pub fn keywords(text: &str) -> Self {
        let mut words = Self::all(text);
        words.0.retain(|w| !STOP_WORDS.contains(&w.as_str()));
        words
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The Jaccard index of two sets. Two empty sets are not similar.
    #[must_use]
    pub fn jaccard(&self, other: &Self) -> Jaccard {
        let shared = self.0.intersection(&other.0).count() as u64;
        Jaccard { shared, all: (self.0.len() + other.0.len()) as u64 - shared }
    }
}

/// The distinct words of `text` without the [`STOP_WORDS`], in order and with blanks between them.
#[must_use]
pub fn keyword_line(text: &str) -> String {
    let mut words = distinct(text);
    words.retain(|word| !STOP_WORDS.contains(&&**word));
    words.join(" ")
}

/// The words of `text`, each once, in order. Output repeats the same words over and over, nearly all in small letters, so they
/// are told apart before they are copied or sorted.
fn distinct(text: &str) -> Vec<Cow<'_, str>> {
    let (mut seen, mut words) = (HashSet::new(), Vec::new());
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() && seen.insert(word) {
            words.push(lower_case(word));
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

fn lower_case(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_lower { word.into() } else { word.to_lowercase().into() }
}

/// The Jaccard index of two sets: `shared / all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jaccard {
    /// Words in both sets.
    pub shared: u64,
    /// Words in either set.
    pub all: u64,
}

impl Jaccard {
    /// Whether the index is above `permille` thousandths.
    #[must_use]
    pub const fn exceeds(self, permille: u64) -> bool {
        self.shared * 1000 > self.all * permille
    }

    /// Whether the index is at least `permille` thousandths; never for two empty sets.
    #[must_use]
    pub const fn reaches(self, permille: u64) -> bool {
        self.all > 0 && self.shared * 1000 >= self.all * permille
    }

    /// The index, rounded down to a thousandth.
    #[must_use]
    pub const fn permille(self) -> Permille {
        Permille::ratio(self.shared, self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use proptest::prelude::*;

    #[test]
    fn thresholds_are_exact() {
        // 3 of 10 is not above 0.3, 4 of 10 is.
        let ten = Words::all("a b c d e f g h i j");
        assert!(!ten.jaccard(&Words::all("a b c")).exceeds(300));
        assert!(ten.jaccard(&Words::all("a b c d")).exceeds(300));
        assert!(ten.jaccard(&Words::all("a b c")).reaches(300));
    }

    #[test]
    fn nothing_is_not_like_nothing() {
        let none = Words::keywords("the and with");
        assert!(none.is_empty());
        assert!(!none.jaccard(&none).exceeds(0));
        assert!(!none.jaccard(&none).reaches(0));
    }

    proptest! {
        #[test]
        fn words_are_those_that_stand_there_in_lower_case(text in "[a-cA-CéÉßΣσς0-9 ,-]{0,24}") {
            let words = Words::all(&text);
            let lower: std::collections::BTreeSet<String> =
                text.split([' ', ',', '-']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
            prop_assert!(words.iter().eq(lower.iter().map(String::as_str)));
            let keywords: Vec<String> = Words::keywords(&text).iter().map(str::to_owned).collect();
            prop_assert_eq!(super::keyword_line(&text), keywords.join(" "));
        }

        #[test]
        fn symmetric_and_whole_for_itself(a in "[a-d ]{0,12}", b in "[a-d ]{0,12}") {
            let (a, b) = (Words::all(&a), Words::all(&b));
            prop_assert_eq!(a.jaccard(&b), b.jaccard(&a));
            prop_assert_eq!(a.jaccard(&a).reaches(1000), !a.is_empty());
        }
    }
}
