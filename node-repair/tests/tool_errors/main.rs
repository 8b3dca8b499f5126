//! Errors as real tools print them, each with the change that a RETRY must ask for. Most were made by running the tool;
//! the wording is the tool's, names and values are ours.

mod calls;
mod installed;
mod packages;
mod paths;
mod services;

use node_repair::{RepairConfig, parse_directive, select};
use recovery_types::{AdjustmentKind, RepairRequest, Strategy};

/// One error and what is expected of it.
pub struct Case {
    /// Who prints it.
    by: &'static str,
    /// The kind of change.
    kind: AdjustmentKind,
    /// Paths that exist.
    there: &'static [&'static str],
    /// What it prints.
    text: &'static str,
}

fn cases() -> impl Iterator<Item = &'static Case> {
    [calls::CASES, packages::CASES, installed::CASES, paths::CASES, services::CASES].into_iter().flatten()
}

fn request(case: &Case) -> RepairRequest {
    let mut request = RepairRequest::default();
    request.task.number = "3".to_owned();
    request.error.text = case.text.to_owned();
    request.candidates = case.there.iter().map(|path| (*path).to_owned()).collect();
    request
}

#[test]
fn each_error_gets_its_step() {
    let mut wrong = Vec::new();
    for case in cases() {
        let repair = select(&request(case), &RepairConfig::default());
        let directive = repair.directive.unwrap();
        let kind = repair.adjustment.map(|a| a.kind);
        if kind != Some(case.kind) {
            wrong.push(format!("{}: {kind:?} instead of {:?}: {directive}", case.by, case.kind));
        }
        assert_eq!(parse_directive(&directive).unwrap().strategy(), Strategy::Retry, "{}", case.by);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said about each, to be read as a whole.
#[test]
fn the_words_of_each_step() {
    let said = |case: &Case| select(&request(case), &RepairConfig::default()).directive.unwrap_or_default();
    let lines: Vec<String> = cases().map(|case| format!("{}: {}", case.by, said(case))).collect();
    insta::assert_snapshot!("words", lines.join("\n"));
}

#[test]
fn the_table_is_as_long_as_promised() {
    assert!(cases().count() >= 60);
}

/// Lines of a build or a test run around the error change nothing.
#[test]
fn what_stands_around_the_error_changes_nothing() {
    for case in cases() {
        let mut noisy = request(case);
        noisy.error.text = format!("[12:00:01] step 4 of 9\n{}\n\n[12:00:02] done with exit code 1\n", case.text);
        let repair = select(&noisy, &RepairConfig::default());
        assert_eq!(repair.adjustment.map(|a| a.kind), Some(case.kind), "{}", case.by);
    }
}

/// A command is only offered where a shell reads the names in it as plain words.
#[test]
fn no_error_can_smuggle_a_command_in() {
    let hostile = "x; rm -rf ~ #$(id)`id`";
    for case in cases() {
        let Some(subject) = select(&request(case), &RepairConfig::default()).adjustment.and_then(|a| a.subject) else {
            continue;
        };
        if !case.text.contains(&subject) || subject.len() < 3 {
            continue;
        }
        let mut request = request(case);
        request.error.text = case.text.replace(&subject, hostile);
        let command = select(&request, &RepairConfig::default()).adjustment.and_then(|a| a.command).unwrap_or_default();
        let unquoted: String = command.split('\'').step_by(2).collect();
        assert!(!unquoted.contains("rm -rf"), "{}: {command}", case.by);
    }
}
