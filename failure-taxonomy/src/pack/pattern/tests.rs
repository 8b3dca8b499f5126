//! Differential tests of the pattern matcher against the `regex` crate: all patterns of the packs, and random ones.
//!
//! The ignored test `start_up_cost_of_every_engine` measures the figures that the module comment of `pack::pattern` gives
//! as the reason for a matcher of its own.

use super::{Cache, Pattern, Traits};
use crate::PackName;
use proptest::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

fn full(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).unicode(false).build().expect("a pattern that regex knows")
}

fn agree(pattern: &str, line: &[u8]) {
    let ours = Pattern::new(pattern).unwrap_or_else(|| panic!("{pattern} is not understood"));
    let (matches, shown) =
        (ours.is_match(line, &mut Cache::default()), || format!("{pattern} on {:?}", String::from_utf8_lossy(line)));
    assert_eq!(matches, full(pattern).is_match(line), "{}", shown());
    let around = [b"before ", line, b" after"].concat();
    assert!(!matches || [line, &around].iter().all(|line| ours.may_match(&Traits::of(line))), "{}", shown());
}

#[test]
fn every_row_is_read_as_regex_reads_it() {
    let rows = PackName::Field.rows();
    // Each pattern on its own lines and on those of some others, whole and cut.
    let lines: Vec<&str> = rows.iter().flat_map(|row| [row.hits, row.misses]).collect();
    for (at, row) in rows.iter().enumerate() {
        let Some(pattern) = row.guard.pattern else { continue };
        let ours = Pattern::new(pattern).unwrap_or_else(|| panic!("{}: {pattern} is not understood", row.id));
        let full = full(pattern);
        let others = (0..8).map(|i| lines[(at * 31 + i * 577) % lines.len()]);
        for line in [row.hits, row.misses].into_iter().chain(others) {
            for line in [line.as_bytes(), &line.as_bytes()[line.len() / 3..], line.to_uppercase().as_bytes()] {
                let shown = || format!("{}: {pattern} on {:?}", row.id, String::from_utf8_lossy(line));
                assert_eq!(ours.is_match(line, &mut Cache::default()), full.is_match(line), "{}", shown());
                assert!(
                    !ours.is_match(line, &mut Cache::default()) || ours.may_match(&Traits::of(line)),
                    "{}",
                    shown()
                );
            }
        }
    }
}

#[test]
fn a_line_that_lacks_what_a_pattern_needs_is_ruled_out() {
    for (pattern, may, cannot) in [
        (r"(?i)\bfailed to (?:open|read)\b", "FAILED TO x READ", "failed to write"),
        (r"^ERROR: \S+", "an ERROR: x", "an error: x"),
        ("ab?c+", "a c", "a b"),
        ("(?:xy)?(?:ab|cd)+", "cd", "ac bd xy"),
        (r"\d{3}", "", "none"),
    ] {
        let ours = Pattern::new(pattern).unwrap();
        assert!(ours.may_match(&Traits::of(may.as_bytes())), "{pattern} {may}");
        assert_eq!(ours.may_match(&Traits::of(cannot.as_bytes())), pattern == r"\d{3}", "{pattern} {cannot}");
    }
}

#[test]
fn what_the_rows_do_not_use_is_not_understood() {
    for pattern in ["(?x)a", "a(?=b)", "(a", "a)", "[[:alpha:]]", "[a", "a**", r"\p{L}", "a{3,2}", "*a", "a{x}"] {
        assert!(Pattern::new(pattern).is_none(), "{pattern}");
    }
}

#[test]
fn a_line_made_to_be_slow_is_not() {
    let line = vec![b'a'; 8192];
    agree(r"(?:a*)*b", &line);
    agree(r"(?:a|aa)+$", &line);
    agree(r"a*a*a*a*a*a*c", &line);
    agree(r"(?:.{0,160}a){3}b", &line);
}

/// Patterns of the syntax that is understood.
fn patterns() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        "[abA0 -]".prop_map(|s| s),
        prop::sample::select(vec![
            ".", r"\d", r"\w", r"\s", r"\S", r"\W", "[a-c]", "[^ab]", r"[\d_.-]", "[1-9]", "[^0a]", r"\x30", r"\.",
            r"\x60", "é", r"\b", r"\B", "^", "$",
        ])
        .prop_map(String::from),
    ];
    let quantified =
        (atom, prop::sample::select(vec!["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"]));
    let piece = quantified.prop_map(|(atom, times)| match atom.as_str() {
        r"\b" | r"\B" | "^" | "$" => atom,
        _ => format!("{atom}{times}"),
    });
    let leaf = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let tree = leaf.prop_recursive(3, 12, 3, |inner| {
        (
            prop::collection::vec(inner, 1..4),
            prop::sample::select(vec!["", "*", "+", "?", "{2}", "{0,2}", "{1,}"]),
            prop::sample::select(vec!["", "?:", "?i:", "?-i:", "?:(?i)"]),
        )
            .prop_map(|(parts, times, opening)| format!("({opening}{}){times}", parts.join("|")))
    });
    (any::<bool>(), prop::collection::vec(tree, 1..3))
        .prop_map(|(fold, parts)| format!("{}{}", if fold { "(?i)" } else { "" }, parts.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn any_pattern_is_read_as_regex_reads_it(pattern in patterns(), lines in prop::collection::vec("[abcABé0_. `\t-]{0,12}", 1..6)) {
        for line in lines {
            agree(&pattern, line.as_bytes());
        }
    }

}

/// An engine's name, and whether it finds a pattern in a line.
type Engine<'a> = (&'a str, &'a dyn Fn(&str, &str) -> bool);

/// What compiling every pattern of the field pack and trying it on one line costs, with each engine.
///
/// `cargo test --release -p failure-taxonomy --lib -- --ignored --nocapture start_up_cost`
#[test]
#[ignore = "a measurement"]
#[expect(clippy::disallowed_methods, reason = "a measurement needs a clock")]
fn start_up_cost_of_every_engine() {
    use regex_automata::nfa::thompson::{self, backtrack::BoundedBacktracker};
    use regex_automata::util::syntax;
    let rows: Vec<(&str, &str)> =
        PackName::Field.rows().iter().filter_map(|row| Some((row.guard.pattern?, row.hits))).collect();
    let ours = |pattern: &str, line: &str| {
        Pattern::new(pattern).expect("syntax of the rows").is_match(line.as_bytes(), &mut Cache::default())
    };
    let automata = |pattern: &str, line: &str| {
        let engine = BoundedBacktracker::builder()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false))
            .build(pattern)
            .expect("a pattern that regex-automata knows");
        let mut cache = engine.create_cache();
        engine.try_is_match(&mut cache, line.as_bytes()).expect("a line is short")
    };
    let engines: [Engine<'_>; 4] = [
        ("ours", &ours),
        ("regex-lite", &|pattern, line| regex_lite::Regex::new(pattern).expect("a pattern it knows").is_match(line)),
        ("regex-automata, bounded backtracker", &automata),
        ("regex", &|pattern, line| full(pattern).is_match(line.as_bytes())),
    ];
    let mut first = None;
    for (name, is_match) in engines {
        let round = || {
            let begun = std::time::Instant::now();
            let matched = rows.iter().filter(|(pattern, line)| is_match(pattern, line)).count();
            (begun.elapsed(), matched)
        };
        let (best, matched) = (0..10).map(|_| round()).min().expect("ten rounds");
        let micros = best.as_nanos() as f64 / 1e3 / rows.len() as f64;
        let ratio = micros / *first.get_or_insert(micros);
        println!("{name}: {micros:.2} us per pattern, {ratio:.1}x ({matched} of {} match)", rows.len());
    }
}
