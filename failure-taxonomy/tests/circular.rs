//! Circular fixes against an oracle written from the failure-type document, not from the code.

use failure_taxonomy::{Circularity, Failure, Taxonomy};
use proptest::prelude::*;
use recovery_types::FailureType;

const STOP: &[&str] = &["with", "using", "the", "a", "an", "and", "or", "but", "in", "on", "at", "to", "for", "trying"];

fn keywords(text: &str) -> Vec<String> {
    let spaced: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let mut words: Vec<String> = Vec::new();
    for word in spaced.to_lowercase().split_whitespace() {
        if !STOP.contains(&word) && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

fn oracle(current: &str, previous: &[&str]) -> bool {
    let mine = keywords(current);
    let mut similar = 0;
    for attempt in previous.iter().rev().take(3) {
        let theirs = keywords(attempt);
        let both = mine.iter().filter(|w| theirs.contains(w)).count();
        let either = mine.len() + theirs.len() - both;
        if either > 0 && both * 10 > either * 3 {
            similar += 1;
        }
    }
    similar >= 2
}

proptest! {
    #[test]
    fn agrees_with_the_oracle(
        current in "([a-f]{1,2}|with|the|/|-| ){0,8}",
        previous in proptest::collection::vec("([a-f]{1,2}|with|the|/|-| ){0,8}", 0..6),
    ) {
        let previous: Vec<&str> = previous.iter().map(String::as_str).collect();
        let circularity = Circularity::of(&current, &previous);
        prop_assert_eq!(circularity.circular, oracle(&current, &previous));
        prop_assert_eq!(circularity.similarities.len(), previous.len().min(3));
    }
}

#[test]
fn only_the_last_three_attempts_count() {
    let same = "cache the parser";
    assert!(!Circularity::of(same, &[same, same, "x", "y", "z"]).circular);
    assert!(!Circularity::of(same, &[same, "x", "y"]).circular);
    assert!(Circularity::of(same, &["x", same, same]).circular);
    assert!(Circularity::of(same, &[same, "x", same]).circular);
}

#[test]
fn without_an_approach_the_text_is_compared() {
    let taxonomy = Taxonomy::documented();
    let text = "frobnicator refused the widget";
    let failure = Failure { text: text.as_bytes(), previous_approaches: &[text, text], ..Failure::default() };
    assert_eq!(taxonomy.diagnose(&failure).failure_type, FailureType::CircularFix);
    let other = Failure { approach: Some("something else"), ..failure };
    assert_eq!(taxonomy.diagnose(&other).failure_type, FailureType::Unknown);
}
