//! Measures all contenders in turn, in one process, and prints one line of JSON a measurement; `cargo xtask bench` makes
//! the table of it. `compare write DIR` writes the needles and texts for programs that are measured from outside;
//! `compare count NUMBER` runs one of the [`works`] once, for an instruction counter; `compare list` names them.

#![allow(clippy::disallowed_methods, reason = "a measuring program has arguments, a clock and files")]

mod cases;
mod contenders;

use cases::Case;
use contenders::Contender;
use failure_taxonomy::{Failure, Taxonomy};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Recorded outputs of tools, 8 KiB in all.
const REAL: [&str; 4] = ["g++/template.txt", "zizmor/default.txt", "solhint/default.txt", "bandit/screen.txt"];
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../problem-matcher/tests/data");
const SIZE: usize = 64 << 20;
/// Enough for counting instructions under an emulator.
const SMALL: usize = 1 << 20;
/// Each contender is measured this often, in turn; the best time counts.
const ROUNDS: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["write", dir] => cases::all(SIZE).iter().enumerate().for_each(|(number, case)| write(dir, number, case)),
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
