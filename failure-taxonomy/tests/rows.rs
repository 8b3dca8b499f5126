//! Every built-in row does what its examples claim, and its source is known.

#![allow(clippy::disallowed_methods, reason = "packs are files")]

use failure_taxonomy::{PackName, Strength, Taxonomy};

#[test]
fn every_row_hits_its_example_and_misses_its_counter_example() {
    let mut wrong = Vec::new();
    for pack in PackName::ALL {
        let taxonomy = Taxonomy::builder(pack).build().unwrap();
        for row in taxonomy.indicators() {
            let source = pack.source_of(row.id).unwrap();
            if !taxonomy.hits(row.id, row.hits.as_bytes()) {
                wrong.push(format!("{source}: {} does not hit {:?}", row.id, row.hits));
            }
            if taxonomy.hits(row.id, row.misses.as_bytes()) {
                wrong.push(format!("{source}: {} hits {:?}", row.id, row.misses));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_two_rows_of_a_pack_share_an_example() {
    for pack in PackName::ALL {
        let mut known = std::collections::BTreeMap::new();
        for row in pack.rows() {
            for example in [row.hits, row.misses].into_iter().filter(|example| !example.is_empty()) {
                let other = known.insert(example, row.id);
                assert_eq!(
                    other,
                    None,
                    "{}: {} has the example {example:?} too",
                    pack.source_of(row.id).unwrap(),
                    row.id
                );
            }
        }
    }
}

#[test]
fn unless_leaves_out_what_a_pattern_would_count() {
    let taxonomy = Taxonomy::field();
    for (id, hit, miss) in [
        ("node.type-error", "TypeError: x is not a function", "TypeError: fetch failed"),
        ("count.failed-passed", "Tests: 1 failed, 2 passed", "Test Suites: 1 failed, 2 passed, 3 total"),
        ("vhdl.place", "top.vhd:12:5: no declaration for \"x\"", "top.vhd:12:5:error: warning as error"),
    ] {
        assert!(taxonomy.hits(id, hit.as_bytes()), "{id}: {hit}");
        assert!(!taxonomy.hits(id, miss.as_bytes()), "{id}: {miss}");
    }
}

#[test]
fn a_row_has_a_file_and_a_line() {
    for pack in PackName::ALL {
        for row in pack.rows() {
            let source = pack.source_of(row.id).unwrap();
            let file = std::fs::read_to_string(source.file).unwrap();
            let id = format!("id = {:?}", row.id);
            assert!(file.lines().skip(usize::from(source.line) - 1).take(2).any(|line| line == id), "{source}: {id}");
        }
    }
}

/// As for users' rows: what also fires on successful runs indicates no failure. A suggestion counts only where something else
/// shows one, and help texts, which the corpus holds many of, contain "usage" and "error".
#[test]
fn no_row_fires_on_more_than_one_in_ten_successful_runs() {
    let taxonomy = Taxonomy::field();
    let mut successes = 0;
    let mut fired: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for file in ["../corpus/own.jsonl", "../corpus/second.jsonl"] {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            if case["benign"] == true {
                successes += 1;
                let text = case["text"].as_str().unwrap();
                taxonomy
                    .counting(text.as_bytes())
                    .into_iter()
                    .for_each(|id| *fired.entry(id.to_owned()).or_default() += 1);
            }
        }
    }
    assert!(successes > 200);
    let is_of_failure = |id: &String| taxonomy.indicator(id).is_some_and(|row| row.strength < Strength::Suggestive);
    let often: Vec<_> = fired.iter().filter(|(id, runs)| *runs * 10 > successes && is_of_failure(id)).collect();
    assert!(often.is_empty(), "of {successes} successful runs: {often:?}");
}
