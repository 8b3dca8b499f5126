//! Scores the next step on the committed outputs and writes docs/advice.md.
//!
//! The outputs are those of `corpus/own.jsonl`, made by running real tools. `node-repair/tests/steps/` says for each what a
//! person who reads it would do next, one file per tool. `cargo xtask advice` asks the engine about each, writes the page,
//! and fails where the score falls below what is promised here.

use anyhow::{Context as _, ensure};
use node_repair::step::{STEPS, is_concrete};
use recovery_engine::{Engine, PackName, TaskState, admit};
use recovery_types::{Adjustment, AdjustmentKind, FailureEvent, Timestamp};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The outputs.
const CORPUS: &str = "corpus/own.jsonl";
/// Failures of other people's projects, each a file, with one file of labels.
const PROJECTS: &str = "problem-matcher/tests/projects";
/// What a person would do about them.
const LABELS: &str = "node-repair/tests/steps";
/// The page.
const PAGE: &str = "docs/advice.md";
/// Promised: right steps, in thousandths of all.
const LEAST_RIGHT: usize = 950;
/// Promised: wrong concrete steps, in thousandths of all.
const MOST_WRONG: usize = 10;
/// Outputs shown per kind.
const SHOWN: usize = 3;

pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let answers = answers(root)?;
    let path = root.join(PAGE);
    std::fs::write(&path, page(&answers)).with_context(|| format!("cannot write {}", path.display()))?;
    let score = Score::of(&answers);
    println!("{} of {} right, {} wrong", score.right, score.all, score.wrong);
    score.holds()
}

/// One line of the labels.
#[derive(Deserialize)]
struct Label {
    id: String,
    step: AdjustmentKind,
    #[serde(default)]
    also: Vec<AdjustmentKind>,
    #[serde(default)]
    subject: Option<String>,
    /// Where the output is a file of its own; else the corpus says it.
    #[serde(default)]
    exit_code: Option<i64>,
}

/// One line of the corpus.
#[derive(Deserialize)]
struct Case {
    id: String,
    text: String,
    exit_code: i64,
}

/// A label with the output and what the engine said about it.
struct Answer {
    label: Label,
    /// The lines around what the diagnosis rests on.
    excerpt: String,
    given: Adjustment,
}

impl Answer {
    fn is_right(&self) -> bool {
        let kind = self.given.kind == self.label.step || self.label.also.contains(&self.given.kind);
        kind && self.label.subject.as_ref().is_none_or(|subject| self.given.text.contains(subject.as_str()))
    }

    /// A change to make here and now that nobody would make.
    fn is_wrong(&self) -> bool {
        let wanted = self.given.kind == self.label.step || self.label.also.contains(&self.given.kind);
        !wanted && (is_concrete(self.given.kind) || self.given.kind == AdjustmentKind::AskHuman)
    }
}

struct Score {
    all: usize,
    right: usize,
    wrong: usize,
}

impl Score {
    fn of(answers: &[Answer]) -> Self {
        let count = |holds: fn(&Answer) -> bool| answers.iter().filter(|answer| holds(answer)).count();
        Self { all: answers.len(), right: count(Answer::is_right), wrong: count(Answer::is_wrong) }
    }

    fn holds(&self) -> anyhow::Result<()> {
        ensure!(self.right * 1000 >= self.all * LEAST_RIGHT, "only {} of {} steps are right", self.right, self.all);
        ensure!(self.wrong * 1000 <= self.all * MOST_WRONG, "{} of {} steps are wrong", self.wrong, self.all);
        Ok(())
    }
}

fn answers(root: &Path) -> anyhow::Result<Vec<Answer>> {
    let engine = Engine::new(PackName::Field);
    let cases: Vec<Case> = lines(&root.join(CORPUS))?;
    let mut cases: BTreeMap<String, Case> = cases.into_iter().map(|case| (case.id.clone(), case)).collect();
    let mut files: Vec<_> = std::fs::read_dir(root.join(LABELS))?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let mut answers = Vec::new();
    for file in files {
        for label in lines::<Label>(&file.path())? {
            let case = cases.remove(&label.id).with_context(|| format!("the corpus has no {}", label.id))?;
            answers.push(ask(&engine, label, case)?);
        }
    }
    let folder = root.join(PROJECTS);
    for label in lines::<Label>(&folder.join("labels.jsonl"))? {
        let path = folder.join(format!("{}.txt", label.id));
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (id, exit_code) = (label.id.clone(), label.exit_code.unwrap_or(1));
        answers.push(ask(&engine, label, Case { id, text, exit_code })?);
    }
    Ok(answers)
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |line| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display()));
    text.lines().map(parse).collect()
}

fn ask(engine: &Engine, label: Label, case: Case) -> anyhow::Result<Answer> {
    let event = FailureEvent { exit_code: case.exit_code, stderr_tail: case.text.clone(), ..FailureEvent::default() };
    let decision = engine.decide(&case.id, &TaskState::default(), &admit(event), None, Timestamp::from_ms(0));
    let line = decision.diagnosis.as_ref().and_then(|diagnosis| {
        diagnosis
            .problem
            .as_ref()
            .and_then(|p| p.text_line)
            .or_else(|| diagnosis.indicators.first().map(|hit| hit.line))
    });
    let given = decision.repair.and_then(|repair| repair.adjustment);
    let given = given.with_context(|| format!("{} has no step", case.id))?;
    Ok(Answer { label, excerpt: excerpt(&case.text, line), given })
}

/// A few lines around `line`, none of them too long to read.
fn excerpt(text: &str, line: Option<u64>) -> String {
    const LINES: usize = 4;
    const CHARS: usize = 160;
    let all: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let wanted =
        line.and_then(|line| text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)).unwrap_or_default();
    let at = all.iter().position(|line| *line == wanted.trim_end()).unwrap_or(0);
    let start = at.saturating_sub(1).min(all.len().saturating_sub(LINES));
    let shown = all.iter().skip(start).take(LINES).map(|line| {
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        if line.chars().count() > CHARS { line.chars().take(CHARS).chain(['…']).collect() } else { line }
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn page(answers: &[Answer]) -> String {
    let score = Score::of(answers);
    let mut page = format!(
        "# The next step\n\n\
         What `recovery` says to do about a failure, by kind, with real outputs and the step given. Written by `cargo xtask\n\
         advice`; the outputs are those of `{CORPUS}`, what a person would do about them is in `{LABELS}/`, and those of\n\
         `{PROJECTS}/`, most of them published packages with one line changed.\n\n\
         {} outputs: {} steps are right (kind and subject), {} name a change that nobody would make. The labels\n\
         of the first were mostly taken from the answers and corrected by hand, so this guards what works; it does not estimate\n\
         quality. Those of the projects were written before the engine was asked; their page says how it fared then.\n\n\
         | kind | wanted | right |\n|---|---|---|\n",
        score.all, score.right, score.wrong,
    );
    let mut by_kind: BTreeMap<AdjustmentKind, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        by_kind.entry(answer.label.step).or_default().push(answer);
    }
    for (kind, answers) in &by_kind {
        let right = answers.iter().filter(|answer| answer.is_right()).count();
        let _ = writeln!(page, "| {} | {} | {right} |", kind.name(), answers.len());
    }
    for (kind, answers) in &by_kind {
        let _ = writeln!(page, "\n## {}", kind.name());
        for answer in answers.iter().filter(|answer| answer.is_right()).take(SHOWN) {
            let text = answer.given.text.replace('`', "'");
            let _ = writeln!(page, "\n```text\n{}\n```\n\n`{text}`", answer.excerpt.replace("```", "'''"));
        }
    }
    page.push_str("\n## Not right yet\n\n| output | wanted | given |\n|---|---|---|\n");
    for answer in answers.iter().filter(|answer| !answer.is_right()) {
        let text: String = answer.given.text.replace('|', "\\|").chars().take(120).collect();
        let wanted = answer.label.step.name();
        let _ = writeln!(
            page,
            "| {} | {wanted} {} | {text} |",
            answer.label.id,
            answer.label.subject.as_deref().unwrap_or("")
        );
    }
    page.push_str("\n## The rules\n\nThe first rule that holds gives the step.\n\n| rule | when |\n|---|---|\n");
    for rule in STEPS {
        let _ = writeln!(page, "| `{}` |{} |", rule.id.name(), rule.id.page());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_outputs_get_the_step_a_person_would_take() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let answers = answers(root).unwrap();
        assert!(answers.len() >= 200);
        Score::of(&answers).holds().unwrap();
    }
}
