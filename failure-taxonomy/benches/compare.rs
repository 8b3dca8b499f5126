//! Measures all contenders in turn, in one process, and prints one JSON object per measurement; `cargo xtask bench` makes
//! the tables of them.
//!
//! - `compare`: micro-benchmarks on made-up texts.
//! - `compare write DIR`: their needles and texts, and the texts of the field pack's rows, for programs measured from outside.
//! - `compare engines DIR`: the ways to search for the field pack, on the real logs in DIR.
//! - `compare count NUMBER`: runs one of the [`works`] once, for an instruction counter; `compare list` names them.

#![allow(clippy::disallowed_methods, reason = "a measuring program has arguments, a clock and files")]

mod cases;
mod contenders;

use aho_corasick::AhoCorasickKind;
use cases::Case;
use contenders::Contender;
use failure_taxonomy::{Failure, PackName, Taxonomy};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Recorded outputs of tools, 8 KiB in all.
const REAL: [&str; 4] = ["g++/template.txt", "zizmor/default.txt", "solhint/default.txt", "bandit/screen.txt"];
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../problem-matcher/tests/data");
const SIZE: usize = 8 << 20;
/// Enough for counting instructions under an emulator.
const SMALL: usize = 1 << 20;
/// What a hook is given of a log.
const TAIL: usize = 4 << 10;
/// Each contender is measured this often, in turn; the best time counts.
const ROUNDS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["write", dir] => write_all(dir),
        ["engines", dir] => engines(dir),
        ["count", number] => counted(&works()[number.parse::<usize>().expect("the number of a work")].1),
        ["list"] => works().iter().for_each(|(name, _)| println!("{name}")),
        // As a test: everything once, on little text.
        ["--test"] => cases::all(64 << 10).iter().for_each(|case| measure(case, 1)),
        _ => cases::all(SIZE).iter().for_each(|case| measure(case, ROUNDS)),
    }
}

fn measure(case: &Case, rounds: usize) {
    let contenders = Contender::all(case.pack);
    let mut best = vec![Duration::MAX; contenders.len()];
    // A small text is searched often enough to be timed.
    let repeats = ((1 << 20) / case.text.len()).max(1);
    for _ in 0..rounds {
        for (contender, best) in contenders.iter().zip(&mut best) {
            let start = Instant::now();
            (0..repeats).for_each(|_| contender.search(black_box(&case.text), case.hits));
            *best = (*best).min(start.elapsed() / u32::try_from(repeats).unwrap_or(u32::MAX));
        }
    }
    for (contender, best) in contenders.iter().zip(best) {
        let (name, nanos, bytes) = (contender.name(), best.as_nanos(), case.text.len());
        println!(r#"{{"case":"{}","contender":"{name}","nanos":{nanos},"bytes":{bytes}}}"#, case.name);
    }
}

fn write_all(dir: &str) {
    cases::all(SIZE).iter().enumerate().for_each(|(number, case)| write(dir, number, case));
    let taxonomy = Taxonomy::field();
    let texts: BTreeSet<&str> = taxonomy.indicators().map(|row| row.text).collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    std::fs::write(format!("{dir}/field.needles"), texts.join("\n")).expect("a directory to write to");
}

/// The ways to search for the field pack that were considered, and the whole diagnosis, on real logs of three sizes. What is
/// printed is the best time for each file, added up, so that a busy machine disturbs little.
fn engines(dir: &str) {
    let taxonomy = Taxonomy::field();
    for kind in ["green", "red"] {
        let logs = logs(&format!("{dir}/{kind}"));
        let tails: Vec<&[u8]> = logs.iter().map(|log| &log[log.len().saturating_sub(TAIL)..]).collect();
        let files: Vec<&[u8]> = logs.iter().flat_map(|log| log.chunks(SMALL)).collect();
        for (size, texts) in [("4 KiB", tails), ("up to 1 MiB", files)] {
            let bytes: usize = texts.iter().map(|text| text.len()).sum();
            let mut best = vec![[Duration::MAX; 2]; texts.len()];
            for _ in 0..ROUNDS {
                for (text, [search, diagnosis]) in texts.iter().zip(&mut best) {
                    *search = (*search).min(timed(|| {
                        let mut found = 0;
                        PackName::Field.find_literals(black_box(text), |_, _| found += 1);
                        black_box(found);
                    }));
                    let failure = Failure { text: black_box(text), ..Failure::default() };
                    *diagnosis = (*diagnosis).min(timed(|| drop(black_box(taxonomy.diagnose(&failure)))));
                }
            }
            let report = |engine: &str, build: Duration, search: Duration| {
                let (build, search) = (build.as_nanos(), search.as_nanos());
                println!(
                    r#"{{"logs":"{kind}, {size}","engine":"{engine}","build":{build},"nanos":{search},"bytes":{bytes}}}"#
                );
            };
            report("constant tables", Duration::ZERO, best.iter().map(|[search, _]| *search).sum());
            for (engine, how) in [
                ("`aho-corasick`, DFA", AhoCorasickKind::DFA),
                ("`aho-corasick`, contiguous NFA", AhoCorasickKind::ContiguousNFA),
            ] {
                let start = Instant::now();
                let automaton = contenders::automaton(PackName::Field.literals(), how);
                let mut build = start.elapsed();
                build = build.min(timed(|| drop(contenders::automaton(PackName::Field.literals(), how))));
                let mut best = vec![Duration::MAX; texts.len()];
                for _ in 0..ROUNDS {
                    for (text, best) in texts.iter().zip(&mut best) {
                        let search = || automaton.find_overlapping_iter(black_box(text)).count();
                        *best = (*best).min(timed(|| _ = black_box(search())));
                    }
                }
                report(engine, build, best.iter().sum());
            }
            report("whole diagnosis", Duration::ZERO, best.iter().map(|[_, diagnosis]| *diagnosis).sum());
        }
    }
}

fn logs(dir: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(dir).expect("logs; `cargo xtask bench --logs` makes them");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a log")).filter(|log| !log.is_empty()).collect()
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn write(dir: &str, number: usize, case: &Case) {
    let path = |kind: &str| std::path::Path::new(dir).join(format!("{number}.{kind}"));
    std::fs::write(path("needles"), case.pack.literals().join("\n")).expect("a directory to write to");
    std::fs::write(path("text"), &case.text).expect("a directory to write to");
    std::fs::write(path("hits"), case.hits.to_string()).expect("a directory to write to");
}

/// What instructions are counted of: the scan of each case, and whole diagnoses.
fn works() -> Vec<(String, Box<dyn Fn()>)> {
    let mut works: Vec<(String, Box<dyn Fn()>)> = Vec::new();
    for case in cases::all(SMALL) {
        let scan = move || {
            let mut found = 0;
            case.pack.find_literals(black_box(&case.text), |_, _| found += 1);
            assert_eq!(found, case.hits);
        };
        works.push((case.name.to_owned(), Box::new(scan)));
    }
    let taxonomy = &*Box::leak(Box::new(Taxonomy::field()));
    let real = REAL.map(|name| std::fs::read(format!("{DATA}/{name}")).expect("an output of a tool")).concat();
    let pathological = "502 not found ".repeat((64 << 10) / 14).into_bytes();
    for (name, text) in [
        ("diagnosis of 8 KiB of real outputs", real),
        ("diagnosis of one line, `502 not found` repeated", pathological),
    ] {
        let diagnose = move || {
            let diagnosis =
                taxonomy.diagnose(&Failure { text: black_box(&text), exit_code: Some(1), ..Failure::default() });
            assert!(diagnosis.fingerprint.len() > 8);
        };
        works.push((name.to_owned(), Box::new(diagnose)));
    }
    works
}

/// What the instruction counter looks at.
#[inline(never)]
fn counted(work: &dyn Fn()) {
    work();
    // No tail call: the counter stops where this function returns.
    black_box(());
}
