//! Any text: problems without a panic, each from a line of the text, and the same ones with other line ends.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let report = problem_matcher::explain(text);
    let lines = text.split('\n').count() as u64;
    assert!(report.root.is_none_or(|root| root < report.problems.len()));
    for problem in &report.problems {
        assert!(problem.text_line.is_some_and(|line| (1..=lines).contains(&line)));
    }
    let _ = problem_matcher::find(text);
});
