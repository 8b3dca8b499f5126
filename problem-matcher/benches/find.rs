//! How fast problems are found: in the recorded outputs of all tools, and in a long log without any.
//!
//! `cargo bench -p problem-matcher` prints MB/s. Each text's answer is checked first, so that a fast wrong answer fails.

#![allow(missing_docs, reason = "criterion's macros write functions")]
#![allow(clippy::disallowed_methods, reason = "the crate is pure; its benchmark reads files")]

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use problem_matcher::find;
use problem_matcher::formats::{BUILTIN, Definition, Matching};
use std::hint::black_box;
use std::path::Path;

/// All recorded outputs, one after the other.
fn recorded() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flat_map(|tool| std::fs::read_dir(tool.unwrap().path()).unwrap())
        .map(|case| case.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A log of a build that works.
fn quiet() -> String {
    (0..20_000)
        .map(|n| {
            format!(
                "2026-01-01T12:30:{:02}.123Z [INFO] step {n}: compiled src/module_{n}.rs in {} ms\n",
                n % 60,
                n % 97
            )
        })
        .collect()
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("find");
    for (name, text, least) in [("recorded", recorded(), 500), ("quiet", quiet(), 0)] {
        assert!(find(&text).problems.len() >= least, "{name}");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| find(black_box(&text))));
    }
    group.finish();
    criterion.bench_function("prepare/aho-corasick", |bencher| bencher.iter(|| automaton(black_box(BUILTIN))));
}

/// What it would cost a process to prepare the search for the built-in formats' texts with `aho-corasick`.
fn automaton(formats: &[Definition]) -> AhoCorasick {
    let patterns = formats.iter().filter_map(|format| match &format.matching {
        Matching::Patterns(patterns) => Some(patterns),
        Matching::Errorformat(_) => None,
    });
    let texts: Vec<&str> = patterns
        .flat_map(|patterns| patterns.iter())
        .flat_map(|pattern| pattern.contains.iter())
        .map(AsRef::as_ref)
        .collect();
    AhoCorasick::builder().kind(Some(AhoCorasickKind::NoncontiguousNFA)).build(texts).unwrap()
}

criterion_group!(find_problems, benches);
criterion_main!(find_problems);
