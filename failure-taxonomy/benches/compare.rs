//! Measures all contenders in turn, in one process, and prints one line of JSON a measurement; `cargo xtask bench` makes
//! the table of it. `compare write DIR` writes the needles and texts for programs that are measured from outside;
//! `compare count CASE` runs the scan once, for an instruction counter; `compare list` names the cases.

#![allow(clippy::disallowed_methods, reason = "a measuring program has arguments, a clock and files")]

mod cases;
mod contenders;

use cases::Case;
use contenders::Contender;
use failure_taxonomy::scan::Scanner;
use std::hint::black_box;
use std::time::{Duration, Instant};

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
        ["count", number] => count(&cases::all(SMALL)[number.parse::<usize>().expect("a case's number")]),
        ["list"] => cases::all(SMALL).iter().for_each(|case| println!("{}", case.name)),
        // As a test: everything once, on little text.
        ["--test"] => cases::all(64 << 10).iter().for_each(|case| measure(case, 1)),
        _ => cases::all(SIZE).iter().for_each(|case| measure(case, ROUNDS)),
    }
}

fn measure(case: &Case, rounds: usize) {
    let contenders = Contender::all(&case.needles);
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
    std::fs::write(path("needles"), case.needles.join("\n")).expect("a directory to write to");
    std::fs::write(path("text"), &case.text).expect("a directory to write to");
    std::fs::write(path("hits"), case.hits.to_string()).expect("a directory to write to");
}

fn count(case: &Case) {
    let scanner = Scanner::new(&case.needles);
    assert_eq!(counted_scan(&scanner, &case.text), case.hits);
}

/// What the instruction counter looks at.
#[inline(never)]
fn counted_scan(scanner: &Scanner, text: &[u8]) -> usize {
    let mut found = 0;
    scanner.find(black_box(text), |_, _| found += 1);
    found
}
