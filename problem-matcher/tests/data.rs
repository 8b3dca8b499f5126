//! Outputs of real tools, each made to fail on purpose, with the problems that are to be found in them.
//!
//! `data/<tool>/<case>.txt` is what the tool printed. `<case>.expected` has one line per problem: `*` before the root cause,
//! the severity, the tool, the place, the code in brackets and the message. To add a case, put the `.txt` there and run
//! the test with `UPDATE_EXPECTED=1`; then read what it wrote.

use problem_matcher::{ProblemReport, explain};
use recovery_types::Problem;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let entries = |path: &Path| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries(&folder)
        .filter(|path| path.is_dir())
        .flat_map(|tool| entries(&tool).collect::<Vec<_>>())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    cases.sort();
    cases
}

fn rendered(ProblemReport { problems, root, .. }: &ProblemReport) -> String {
    let mut all = String::new();
    for (index, problem) in problems.iter().enumerate() {
        let Problem { severity, message, file, line, column, code, tool, test, .. } = problem;
        let number = |value: &Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let text = |value: &Option<String>| value.as_deref().unwrap_or("-").to_owned();
        let mark = if *root == Some(index) { '*' } else { ' ' };
        let test = test.as_ref().map(|test| format!(" <{test}>")).unwrap_or_default();
        let place = format!("{}:{}:{}", text(file), number(line), number(column));
        let message = message.replace('\n', "\\n");
        writeln!(all, "{mark} {severity} {} {place} [{}]{test} {message}", text(tool), text(code)).unwrap();
    }
    all
}

/// What is wrong with a case.
fn check(case: &Path) -> Option<String> {
    let found = rendered(&explain(&read(case)));
    let expected_path = case.with_extension("expected");
    if update() {
        write(&expected_path, &found);
        return None;
    }
    let expected = read(&expected_path);
    (found != expected).then(|| format!("{}\nexpected:\n{expected}found:\n{found}", case.display()))
}

#[allow(clippy::disallowed_methods, reason = "the crate is pure; its test data are files")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[allow(clippy::disallowed_methods, reason = "the crate is pure; its test data are files")]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
}

#[allow(clippy::disallowed_methods, reason = "the way to accept new answers")]
fn update() -> bool {
    std::env::var_os("UPDATE_EXPECTED").is_some()
}

/// The cases are spread over a few threads, since there are hundreds.
#[test]
fn every_output_has_the_expected_problems() {
    let cases = cases();
    assert!(cases.len() >= 150, "only {} cases", cases.len());
    let part = cases.len().div_ceil(std::thread::available_parallelism().map_or(4, usize::from));
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let check_all = |part: &[PathBuf]| part.iter().filter_map(|case| check(case)).collect::<Vec<_>>();
        let threads: Vec<_> = cases.chunks(part).map(|part| scope.spawn(move || check_all(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        wrong.is_empty(),
        "{} of {} cases differ (UPDATE_EXPECTED=1 accepts them; read the diff)\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn no_output_tells_of_the_machine_it_was_made_on() {
    for case in cases() {
        let text = read(&case);
        for private in ["/tmp/", "/root/", "/work/"] {
            assert!(!text.contains(private), "{} contains {private}", case.display());
        }
    }
}
