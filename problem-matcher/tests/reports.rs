//! What is found in the reports of real runners and interpreters, each of which was run once to print the file in
//! `tests/reports`; and that nothing is found in the output of runs that passed, in `tests/passing`.

#![allow(clippy::disallowed_methods)] // the texts are files

use problem_matcher::{ProblemReport, explain, find};
use std::fmt::Write;
use std::path::Path;

fn texts(directory: &str) -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let mut texts: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    texts.sort();
    texts
}

/// One line per problem, the root cause marked.
fn shown(report: &ProblemReport) -> String {
    let mut shown = String::new();
    for (index, problem) in report.problems.iter().enumerate() {
        let mark = if report.root == Some(index) { '>' } else { ' ' };
        let place = match (&problem.file, problem.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => "-".into(),
        };
        let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
        let _ = writeln!(
            shown,
            "{mark} {} {} {place} [{}] {} / {} | {}",
            problem.severity,
            or_none(&problem.tool),
            or_none(&problem.test),
            or_none(&problem.expected),
            or_none(&problem.actual),
            problem.message
        );
    }
    shown
}

#[test]
fn reports_of_runners_are_read() {
    let mut all = String::new();
    for (name, text) in texts("reports") {
        let _ = writeln!(all, "{name}\n{}", shown(&explain(&text)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn runs_that_passed_have_no_problems() {
    for (name, text) in texts("passing") {
        let report = find(&text);
        assert_eq!(report.root, None, "{name}: {report:?}");
    }
}

#[test]
fn colours_and_line_ends_change_nothing() {
    for (name, text) in texts("reports") {
        let plain = explain(&text);
        assert_eq!(explain(&text.replace('\n', "\r\n")), plain, "{name} with CRLF");
        let coloured: String = text
            .split_inclusive('\n')
            .map(|line| format!("\u{1b}[31m{}\u{1b}[0m\n", line.trim_end_matches('\n')))
            .collect();
        assert_eq!(explain(&coloured), plain, "{name} coloured");
        let stamped: String =
            text.split_inclusive('\n').map(|line| format!("2024-01-01T00:00:00.0000000Z {line}")).collect();
        assert_eq!(explain(&stamped), plain, "{name} with the times of GitHub Actions");
    }
}
