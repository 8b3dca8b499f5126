//! Every way through the scan against the plainest search there is.

use super::rarity::WIDTH;
use super::teddy::Places;
use super::{BLOCK_BYTES, Scanner, dense, vector};
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

fn found(scanner: &Scanner, haystack: &[u8]) -> Hits {
    let mut hits = Vec::new();
    scanner.find(haystack, |needle, start| hits.push((needle, start)));
    hits.sort_unstable();
    hits
}

fn streamed<'c>(scanner: &Scanner, chunks: impl IntoIterator<Item = &'c [u8]>) -> Hits {
    let mut hits = Vec::new();
    let mut stream = scanner.stream();
    for chunk in chunks {
        stream.feed(chunk, |needle, start| hits.push((needle, start as usize)));
    }
    hits.sort_unstable();
    hits
}

/// What the automaton finds in regions of this size.
fn by_automaton(scanner: &Scanner, haystack: &[u8], region: usize) -> Hits {
    let automaton = dense::Automaton::new(&scanner.needles);
    let mut hits = Vec::new();
    for start in (0..haystack.len()).step_by(region) {
        let region = start..haystack.len().min(start + region);
        automaton.find(haystack, region, &mut |needle, start| hits.push((needle, start)));
    }
    hits.sort_unstable();
    hits
}

/// The documented indicators of both kinds.
const DOCUMENTED: [&str; 24] = [
    "syntax error",
    "compilation error",
    "module not found",
    "import error",
    "cannot find module",
    "unexpected token",
    "indentation error",
    "parse error",
    "verification failed",
    "expected",
    "assertion",
    "test failed",
    "status code",
    "context",
    "token limit",
    "maximum length",
    "ECONNRESET",
    "ETIMEDOUT",
    "EAI_AGAIN",
    "429",
    "503",
    "rate limit",
    "TypeError",
    "SyntaxError",
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
    prop::collection::vec(prop::collection::vec(byte, 0..18), count)
}

fn check(needles: &[Vec<u8>], text: &[u8], pad: usize, cuts: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let scanner = Scanner::new(needles);
    // Padding, which is in no needle, moves the text over the borders of vectors, groups and blocks.
    let mut haystack = vec![b'.'; pad];
    haystack.extend_from_slice(text);
    let expected: Hits = naive(needles, text).into_iter().map(|(needle, start)| (needle, pad + start)).collect();
    prop_assert_eq!(&found(&scanner, &haystack), &expected);
    prop_assert_eq!(&by_automaton(&scanner, &haystack, 1 + pad % 100), &expected);
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(haystack.len() + 1)).collect();
    cuts.extend([0, haystack.len()]);
    cuts.sort_unstable();
    prop_assert_eq!(&streamed(&scanner, cuts.windows(2).map(|cut| &haystack[cut[0]..cut[1]])), &expected);
    Ok(())
}

fn pad() -> impl Strategy<Value = usize> {
    prop_oneof![0..200usize, BLOCK_BYTES - 150..BLOCK_BYTES + 50]
}

fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..8)
}

#[test]
fn what_looks_the_same_from_everywhere_is_found_once() {
    let needles = ["uuupuu", "uuuuuu"];
    let text = "u".repeat(14);
    assert_eq!(found(&Scanner::new(needles), text.as_bytes()), naive(&needles, text.as_bytes()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn documented_needles_as_naive(
        text in text_of(DOCUMENTED.iter().map(|n| n.as_bytes().to_vec()).collect()), pad in pad(), cuts in cuts(),
    ) {
        let needles: Vec<Vec<u8>> = DOCUMENTED.iter().map(|n| n.as_bytes().to_vec()).collect();
        check(&needles, &text, pad, &cuts)?;
    }

    #[test]
    fn many_needles_as_naive(
        text in text_of(many().into_iter().map(String::into_bytes).collect()), pad in pad(), cuts in cuts(),
    ) {
        let needles: Vec<Vec<u8>> = many().into_iter().map(String::into_bytes).collect();
        check(&needles, &text, pad, &cuts)?;
    }

    #[test]
    fn any_few_needles_as_naive(
        (needles, text) in some_needles(1..12).prop_flat_map(|n| (Just(n.clone()), text_of(n))),
        pad in 0..80usize, cuts in cuts(),
    ) {
        check(&needles, &text, pad, &cuts)?;
    }

    #[test]
    fn any_many_needles_as_naive(
        (needles, text) in some_needles(49..80).prop_flat_map(|n| (Just(n.clone()), text_of(n))),
        pad in 0..80usize, cuts in cuts(),
    ) {
        check(&needles, &text, pad, &cuts)?;
    }

    /// Places found 32 at once are those found one by one; they may only be more, and only beyond ASCII.
    #[test]
    fn vectors_as_bytes((needles, text) in some_needles(1..12).prop_flat_map(|n| (Just(n.clone()), text_of(n)))) {
        let scanner = Scanner::new(&needles);
        let Some(ruled_out) = scanner.teddies.first().map(|teddy| teddy.ruled_out()) else { return Ok(()) };
        let mut entries = [Places::default(); _];
        let (rest, count) = vector::places(ruled_out, &text, 0..text.len(), &mut entries);
        let mut fast = Vec::new();
        for Places { start, bits } in &entries[..count] {
            fast.extend((0..64).filter(|i| bits >> i & 1 == 1).map(|i| start + i));
        }
        let mut slow = Vec::new();
        ruled_out.places(&text, 0..text.len(), |place| slow.push(place));
        let slow: Vec<usize> = slow.into_iter().filter(|place| *place < rest).collect();
        fast.retain(|place| slow.contains(place) || text[*place..*place + WIDTH].is_ascii());
        prop_assert_eq!(fast, slow);
    }
}

#[test]
fn a_thousand_needles() {
    let needles: Vec<String> = (0..1000).map(|i| format!("{}error number {i} of kind {}", i % 7, i % 31)).collect();
    let scanner = Scanner::new(&needles);
    let text = needles.join("\n").to_uppercase();
    assert_eq!(found(&scanner, text.as_bytes()), naive(&needles, text.as_bytes()));
}

#[test]
fn nothing_to_find_and_nothing_to_search() {
    for needles in [vec![], vec![""], vec!["", "a"]] {
        let scanner = Scanner::new(&needles);
        for text in ["", "b", "bab"] {
            assert_eq!(found(&scanner, text.as_bytes()), naive(&needles, text.as_bytes()), "{needles:?} in {text:?}");
        }
    }
}

/// A needle longer than a block, and longer than the windows reach.
#[test]
fn a_very_long_needle() {
    let long = "0123456789abcdef".repeat(BLOCK_BYTES / 8);
    for company in [0, 40] {
        let mut needles = vec![long.clone()];
        needles.extend((0..company).map(|i| format!("another needle {i}")));
        let scanner = Scanner::new(&needles);
        let text = format!("{}{}another NEEDLE 7", "x".repeat(BLOCK_BYTES - 5), long.to_uppercase());
        assert_eq!(found(&scanner, text.as_bytes()), naive(&needles, text.as_bytes()));
        assert_eq!(streamed(&scanner, text.as_bytes().chunks(1000)), naive(&needles, text.as_bytes()));
    }
}

/// Near misses of every indicator, one repeated byte, every indicator on every line: the automaton takes over in the
/// middle of the text, and nothing is lost or found twice where it does.
#[test]
fn dense_text() {
    // A few needles only, so that the automaton is soon worth its build cost.
    let needles = &DOCUMENTED[9..15];
    let near_misses: String = needles.iter().map(|n| format!("{} ", &n[..n.len() - 1])).collect();
    let every_line: String = needles.iter().map(|n| format!("{n}, ")).collect();
    for text in [near_misses.as_str(), &every_line, "e", "context"] {
        let scanner = Scanner::new(needles);
        let quiet = "quiet. ".repeat(BLOCK_BYTES / 7 * 3);
        let text = text.repeat(20 * BLOCK_BYTES / text.len()) + &quiet + &text.repeat(5 * BLOCK_BYTES / text.len());
        let expected = naive(needles, text.as_bytes());
        assert_eq!(found(&scanner, text.as_bytes()), expected);
        // The second time the automaton is there from the start.
        assert_eq!(found(&scanner, text.as_bytes()), expected);
    }
    let scanner = Scanner::new(needles);
    found(&scanner, near_misses.repeat(20 * BLOCK_BYTES / near_misses.len()).as_bytes());
    assert!(scanner.dense.is_built(), "near misses are a matter for the automaton");
    let scanner = Scanner::new(DOCUMENTED);
    found(&scanner, format!("{} test failed\n", "a quiet log ".repeat(50)).repeat(1000).as_bytes());
    assert!(!scanner.dense.is_built(), "rare matches are not");
}
