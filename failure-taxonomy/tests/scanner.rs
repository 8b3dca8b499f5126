//! Differential tests of both scanners against a naive search that compares every needle at every position.
//!
//! Needles are the documented indicators, generated ones with shared beginnings and ends, and random ones over few letters,
//! so that they overlap and contain each other. The tables are made as the build makes them. A change of `src/scan/` or
//! `build/scanner.rs` has to pass these before it is measured.

#![allow(clippy::disallowed_methods, reason = "the build reads files")]

#[path = "../build/main.rs"]
#[allow(dead_code, reason = "its main runs when the crate is built")]
mod build;

use failure_taxonomy::scan::Scanner;
use proptest::prelude::*;

type Hits = Vec<(usize, usize)>;

/// The oracle: each needle at each place, byte by byte.
fn naive<N: AsRef<[u8]>>(needles: &[N], haystack: &[u8]) -> Hits {
    let mut hits = Vec::new();
    for (number, needle) in needles.iter().map(AsRef::as_ref).enumerate().filter(|(_, n)| !n.is_empty()) {
        for (start, text) in haystack.windows(needle.len()).enumerate() {
            if text.eq_ignore_ascii_case(needle) {
                hits.push((number, start));
            }
        }
    }
    hits.sort_unstable();
    hits
}

fn sorted(mut hits: Hits) -> Hits {
    hits.sort_unstable();
    hits
}

/// What constant tables find.
fn by_tables<N: AsRef<[u8]>>(needles: &[N], haystack: &[u8]) -> Hits {
    let mut hits = Vec::new();
    build::scanner::scanner(needles).find(haystack, |needle, start| hits.push((needle, start)));
    sorted(hits)
}

/// What the automaton finds.
fn by_automaton<N: AsRef<[u8]>>(needles: &[N], haystack: &[u8]) -> Hits {
    let mut hits = Vec::new();
    Scanner::new(needles).find(haystack, |needle, start| hits.push((needle, start)));
    sorted(hits)
}

/// The documented indicators of both kinds.
const DOCUMENTED: [&str; 24] = [
    "syntax error", "compilation error", "module not found", "import error", "cannot find module", "unexpected token",
    "indentation error", "parse error", "verification failed", "expected", "assertion", "test failed", "status code",
    "context", "token limit", "maximum length", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "429", "503", "rate limit",
    "TypeError", "SyntaxError",
];

/// Many needles of 3 to 30 bytes that share beginnings, middles and ends.
fn many() -> Vec<String> {
    let subjects = ["file", "module", "connection", "the test", "a very long subject indeed", "io", "TS"];
    let verbs = ["not found", "failed", "refused", "timed out", "429", "is denied", "error", "x"];
    let joins = [" ", ": ", "", "_"];
    let mut needles = Vec::new();
    for subject in subjects {
        for verb in verbs {
            needles.extend(joins.iter().map(|join| format!("{subject}{join}{verb}")));
        }
    }
    needles
}

/// Text that is mostly parts of needles, in any case, with anything between.
fn text_of(needles: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let piece = (any::<prop::sample::Index>(), 0..4usize, 0..4usize, any::<bool>(), any::<u8>()).prop_map(
        move |(index, skip, drop, upper, between)| {
            let needle = &needles[index.index(needles.len())];
            let part = &needle[skip.min(needle.len())..];
            let part = &part[..part.len() - drop.min(part.len())];
            let mut piece = if upper { part.to_ascii_uppercase() } else { part.to_vec() };
            if between % 3 == 0 {
                piece.push(between);
            }
            piece
        },
    );
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Needles over few letters, so that they overlap, repeat and contain each other.
fn some_needles(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop::sample::select(b"aAbB4 _\xe9\xc9\n".to_vec());
    prop::collection::vec(prop::collection::vec(byte, 3..18), count)
}

fn check(needles: &[Vec<u8>], text: &[u8], pad: usize) -> Result<(), TestCaseError> {
    // Padding, which is in no needle, moves the text over the places that are looked at.
    let mut haystack = vec![b'.'; pad];
    haystack.extend_from_slice(text);
    let expected: Hits = naive(needles, text).into_iter().map(|(needle, start)| (needle, pad + start)).collect();
    prop_assert_eq!(&by_tables(needles, &haystack), &expected);
    prop_assert_eq!(&by_automaton(needles, &haystack), &expected);
    Ok(())
}

#[test]
fn what_looks_the_same_from_everywhere_is_found_once() {
    let needles = ["uuupuu", "uuuuuu"];
    let text = "u".repeat(14);
    assert_eq!(by_tables(&needles, text.as_bytes()), naive(&needles, text.as_bytes()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn documented_needles_as_naive(
        text in text_of(DOCUMENTED.iter().map(|n| n.as_bytes().to_vec()).collect()), pad in 0..9usize,
    ) {
        let needles: Vec<Vec<u8>> = DOCUMENTED.iter().map(|n| n.as_bytes().to_vec()).collect();
        check(&needles, &text, pad)?;
    }

    #[test]
    fn many_needles_as_naive(
        text in text_of(many().into_iter().map(String::into_bytes).collect()), pad in 0..9usize,
    ) {
        let needles: Vec<Vec<u8>> = many().into_iter().map(String::into_bytes).collect();
        check(&needles, &text, pad)?;
    }

    #[test]
    fn any_few_needles_as_naive(
        (needles, text) in some_needles(1..12).prop_flat_map(|n| (Just(n.clone()), text_of(n))),
        pad in 0..9usize,
    ) {
        check(&needles, &text, pad)?;
    }

    #[test]
    fn any_many_needles_as_naive(
        (needles, text) in some_needles(49..80).prop_flat_map(|n| (Just(n.clone()), text_of(n))),
        pad in 0..9usize,
    ) {
        check(&needles, &text, pad)?;
    }
}

#[test]
fn a_thousand_needles() {
    let needles: Vec<String> = (0..1000).map(|i| format!("{}error number {i} of kind {}", i % 7, i % 31)).collect();
    let text = needles.join("\n").to_uppercase();
    assert_eq!(by_tables(&needles, text.as_bytes()), naive(&needles, text.as_bytes()));
}

#[test]
fn nothing_to_find_and_nothing_to_search() {
    for needles in [vec![], vec![""], vec!["", "abc"]] {
        for text in ["", "b", "xAbcab"] {
            let expected = naive(&needles, text.as_bytes());
            assert_eq!(by_tables(&needles, text.as_bytes()), expected, "{needles:?} in {text:?}");
            assert_eq!(by_automaton(&needles, text.as_bytes()), expected, "{needles:?} in {text:?}");
        }
    }
}

/// A needle longer than the windows reach.
#[test]
fn a_very_long_needle() {
    let long = "0123456789abcdef".repeat(1024);
    let text = format!("{}{}another NEEDLE 7", "x".repeat(5), long.to_uppercase());
    let needles = [long, "another needle 7".to_owned()];
    assert_eq!(by_tables(&needles, text.as_bytes()), naive(&needles, text.as_bytes()));
}
