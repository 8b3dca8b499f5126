//! Failures of other people's projects: a package as its author published it, with one line of its source changed, or a tool
//! called wrongly, run once to print the file in `tests/projects`.
//!
//! `labels.jsonl` states for each what a person who reads it would quote (`root`, any of them), where they would look (`file`,
//! `line`, `also_at`), which test failed, and what they would do (`step`; `cargo xtask advice` checks that). The labels were written
//! before the matchers were asked. To add a case, put the text and its label there.

#![allow(clippy::disallowed_methods)] // the texts are files

use problem_matcher::explain;
use recovery_types::Problem;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects")
}

fn labels() -> Vec<Value> {
    let text = std::fs::read_to_string(folder().join("labels.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Words only: quotes, marks and spacing differ between a line and the message read from it.
fn words(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether most of the line is in the message, or the whole message in the line.
fn quotes(problem: &Problem, line: &str) -> bool {
    let said: Vec<String> = [Some(problem.message.as_str()), problem.test.as_deref(), problem.file.as_deref()]
        .into_iter()
        .flatten()
        .flat_map(words)
        .collect();
    let (line, message) = (words(line), words(&problem.message));
    let known = line.iter().filter(|word| said.contains(word)).count();
    known * 10 >= line.len() * 7 || !message.is_empty() && message.iter().all(|word| line.contains(word))
}

fn is_at(problem: &Problem, file: &str, line: Option<u64>) -> bool {
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    problem.file.as_deref().is_some_and(|found| base(found) == base(file)) && (line.is_none() || problem.line == line)
}

fn mistakes(label: &Value) -> Vec<String> {
    let id = label["id"].as_str().unwrap();
    let text = std::fs::read_to_string(folder().join(format!("{id}.txt"))).unwrap();
    let report = explain(&text);
    let Some(root) = report.root.map(|root| &report.problems[root]) else {
        return vec![format!("{id}: nothing found")];
    };
    let mut mistakes = Vec::new();
    let lines = label["root"].as_array().unwrap();
    if !lines.iter().any(|line| quotes(root, line.as_str().unwrap())) {
        mistakes.push(format!("{id}: quotes {:?}", root.message));
    }
    if let Some(file) = label["file"].as_str() {
        let also = label["also_at"].as_array().into_iter().flatten();
        let places = std::iter::once((file, label["line"].as_u64()))
            .chain(also.filter_map(|place| Some((place[0].as_str()?, place[1].as_u64()))));
        if !places.clone().any(|(file, line)| is_at(root, file, line)) {
            mistakes.push(format!("{id}: at {:?}:{:?}, not {:?}", root.file, root.line, places.collect::<Vec<_>>()));
        }
    }
    if let Some(test) = label["test"].as_str()
        && !root.test.as_deref().is_some_and(|found| found.contains(test))
    {
        mistakes.push(format!("{id}: test {:?}, not {test:?}", root.test));
    }
    mistakes
}

#[test]
fn failures_of_projects_are_understood() {
    let labels = labels();
    assert!(labels.len() >= 100, "only {}", labels.len());
    let mistakes: Vec<String> = labels.iter().flat_map(mistakes).collect();
    assert!(mistakes.is_empty(), "{} of {}:\n{}", mistakes.len(), labels.len(), mistakes.join("\n"));
}

#[test]
fn no_output_tells_of_the_machine_it_was_made_on() {
    for label in labels() {
        let id = label["id"].as_str().unwrap();
        let text = std::fs::read_to_string(folder().join(format!("{id}.txt"))).unwrap();
        for private in ["/root/", "/work/", " /tmp/"] {
            assert!(!text.contains(private), "{id} contains {private}");
        }
    }
}
