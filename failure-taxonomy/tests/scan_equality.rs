//! The set of found indicators is what a naive `contains` on the lower-cased text finds, for every input.

use failure_taxonomy::{Failure, Taxonomy};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// First offsets by the plainest means there is.
fn naive(taxonomy: &Taxonomy, text: &[u8]) -> BTreeMap<String, (u64, u64)> {
    let lower = text.to_ascii_lowercase();
    let mut found = BTreeMap::new();
    for row in taxonomy.indicators() {
        let needle = row.text.as_bytes();
        if let Some(at) = (0..lower.len()).find(|&at| lower[at..].starts_with(needle)) {
            let line = 1 + lower[..at].iter().filter(|b| **b == b'\n').count() as u64;
            found.insert(row.id.to_owned(), (at as u64, line));
        }
    }
    found
}

fn scanned(diagnosis: &recovery_types::Diagnosis) -> BTreeMap<String, (u64, u64)> {
    diagnosis.indicators.iter().map(|hit| (hit.id.clone(), (hit.offset, hit.line))).collect()
}

fn assert_equal(taxonomy: &Taxonomy, text: &[u8], chunk_sizes: &[usize]) {
    let expected = naive(taxonomy, text);
    let whole = taxonomy.diagnose(&Failure { text, ..Failure::default() });
    assert_eq!(scanned(&whole), expected);
    assert!(whole.indicators.is_sorted_by_key(|hit| hit.offset));

    let mut observer = taxonomy.observe();
    let (mut rest, mut sizes) = (text, chunk_sizes.iter().cycle());
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at((*sizes.next().unwrap()).clamp(1, rest.len()));
        observer.feed(chunk);
        rest = later;
    }
    let streamed = observer.finish(&Failure::default());
    assert_eq!(streamed, whole, "streaming gives the whole answer");
}

/// Pieces of indicators, whole ones, junk bytes and line breaks.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let rows: Vec<&'static str> = Taxonomy::documented().pack().rows().iter().map(|row| row.text).collect();
    let piece = prop_oneof![
        proptest::sample::select(rows.clone()).prop_map(|t| t.as_bytes().to_vec()),
        proptest::sample::select(rows.clone()).prop_map(|t| t.to_uppercase().into_bytes()),
        (proptest::sample::select(rows), 1..12usize).prop_map(|(t, n)| t.as_bytes()[..n.min(t.len())].to_vec()),
        proptest::collection::vec(any::<u8>(), 0..6),
        Just(b"\n".to_vec()),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn equals_naive_contains(text in pieces(), chunks in proptest::collection::vec(1..20usize, 1..5)) {
        assert_equal(&Taxonomy::documented(), &text, &chunks);
    }
}

#[test]
fn long_lines_near_misses_and_borders() {
    let taxonomy = Taxonomy::documented();
    let near_misses = b"syntax erro cannot find modul unexpecte toke maximum lengt ".repeat(1200);
    assert!(near_misses.len() > 64 * 1024);
    for chunks in [&[1 << 20][..], &[4096], &[1000, 1, 17]] {
        assert_equal(&taxonomy, &near_misses, chunks);
        for at in [65_530, 65_536, 61_180, 61_184, 61_440, 57_088, 60_000] {
            let mut text = near_misses.clone();
            text.splice(at..at, *b"pArSe ErRoR \xff");
            assert_equal(&taxonomy, &text, chunks);
        }
    }
}

#[test]
fn a_long_log_needs_no_more_memory_than_its_windows() {
    let taxonomy = Taxonomy::documented();
    let mut observer = taxonomy.observe();
    let line = b"all is well here, nothing to see\n".repeat(2000);
    for _ in 0..40 {
        observer.feed(&line);
    }
    observer.feed(b"parse error\n");
    observer.feed(&line);
    let hit = &observer.finish(&Failure::default()).indicators[0];
    assert_eq!((hit.offset, hit.line), (40 * line.len() as u64, 80_001));
}

/// Lines that depend on each other: a warning before, a retry after, colours, progress without line breaks.
fn talk() -> impl Strategy<Value = Vec<u8>> {
    let line = proptest::sample::select(vec![
        "curl: (22) The requested URL returned error: 503\n",
        "Warning: Problem : HTTP error. Will retry in 1 seconds. 5 retries left.\n",
        "Warning message:\n",
        "connection timed out\n",
        "  File \"a.py\", line 3, in <module>\n",
        "    raise ConnectionError('connection refused')\n",
        "ConnectionError: connection refused\n",
        "\x1b[31merror\x1b[0m[E0308]: mismatched types\n",
        "====== 1 failed, 2 passed in 0.1s ======\n",
        "====== 3 passed in 0.1s ======\n",
        "downloading 10%\r",
        "rm: cannot remove 'x': No such file or directory\n",
        "make: [Makefile:2: clean] Error 1 (ignored)\n",
        "\n",
    ]);
    proptest::collection::vec(line, 0..14).prop_map(|lines| lines.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_field_pack_reads_a_stream_as_it_reads_the_whole(text in talk(), chunks in proptest::collection::vec(1..60usize, 1..5)) {
        static FIELD: std::sync::OnceLock<Taxonomy> = std::sync::OnceLock::new();
        let taxonomy = FIELD.get_or_init(Taxonomy::field);
        let context = Failure { exit_code: Some(1), ..Failure::default() };
        let whole = taxonomy.diagnose(&Failure { text: &text, ..context });
        let mut observer = taxonomy.observe();
        let (mut rest, mut sizes) = (&text[..], chunks.iter().cycle());
        while !rest.is_empty() {
            let (chunk, later) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
            observer.feed(chunk);
            rest = later;
        }
        prop_assert_eq!(observer.finish(&context), whole);
    }
}
