//! The fast scan finds what a naive search finds.
#![no_main]

use failure_taxonomy::scan::Scanner;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<String>, Vec<u8>)| {
    let (needles, text) = input;
    let needles: Vec<String> = needles.into_iter().filter(|needle| !needle.is_empty()).take(40).collect();
    if needles.is_empty() {
        return;
    }
    let mut found = Vec::new();
    Scanner::new(needles.iter().map(String::as_str)).find(&text, |needle, at| found.push((needle, at)));
    found.sort_unstable();
    let folded = text.to_ascii_lowercase();
    let mut naive = Vec::new();
    for (index, needle) in needles.iter().enumerate() {
        let needle = needle.to_ascii_lowercase();
        let places = folded.windows(needle.len()).enumerate().filter(|(_, window)| *window == needle.as_bytes());
        naive.extend(places.map(|(at, _)| (index, at)));
    }
    assert_eq!(found, naive);
});
