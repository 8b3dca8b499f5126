//! Scores the packs on the committed corpus: writes docs/accuracy.md and the confidence table of the field pack.

use anyhow::{Context as _, ensure};
use failure_taxonomy::{Agreement, Failure, PackName, StepId, Support, Taxonomy};
use recovery_score::{ConfidenceTerm as Term, ConfidenceWeights, LabelledOutput, Score};
use recovery_types::ErrorType;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The corpus that the numbers come from.
const CORPUS: &str = "corpus/own.jsonl";
/// The page.
const PAGE: &str = "docs/accuracy.md";
/// The table that a diagnosis takes its confidence from.
const CONFIDENCE: &str = "failure-taxonomy/src/verdict/confidence/table.rs";

/// How the packs did on the [`NEW_SETS`] before any row was written for them; written once, by `--first-sight`.
const FIRST_SIGHT: &str = "corpus/first-sight.jsonl";
/// Recorded after the packs were frozen. The first is learned from afterwards, the second never.
const NEW_SETS: [&str; 2] = ["corpus/second.jsonl", "corpus/unseen.jsonl"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Score newly recorded sets before any row is written for them, and only write corpus/first-sight.jsonl
    #[arg(long)]
    first_sight: bool,
    /// Further labelled failures to report on; only their numbers are written
    #[arg(long, value_name = "CORPUS.jsonl")]
    also: Vec<PathBuf>,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    if options.first_sight {
        return first_sight(root);
    }
    let outcomes = left_out(root)?;
    write(root, CONFIDENCE, &confidence_table(&outcomes))?;
    let mut page = String::from(HEAD);
    section(&mut page, "The committed corpus", &scores(root, Path::new(CORPUS))?);
    left_out_section(&mut page, &outcomes);
    section(
        &mut page,
        "Held out: recorded after the packs were frozen, never learned from",
        &scores(root, Path::new(NEW_SETS[1]))?,
    );
    section(&mut page, "The set that rows learned from last", &scores(root, Path::new(NEW_SETS[0]))?);
    first_sight_section(root, &mut page)?;
    for also in &options.also {
        section(&mut page, "A second set, not part of this repository", &scores(root, also)?);
    }
    page.push_str(EARLIER_SETS);
    write(root, PAGE, &page)
}

/// Adds how the packs as they are do on areas that were recorded since the last time, one object per set, with the commit of
/// the packs. What was written for an area stays: rows may have been written for it since.
fn first_sight(root: &Path) -> anyhow::Result<()> {
    let log = ["log", "-1", "--format=%h", "--", "failure-taxonomy/packs"];
    let packs = String::from_utf8(Command::new("git").args(log).current_dir(root).output()?.stdout)?;
    let mut lines = std::fs::read_to_string(root.join(FIRST_SIGHT)).unwrap_or_default();
    let known = first_sights(&lines)?;
    let areas = |known: &Value| known["score"]["areas"].as_array().cloned().unwrap_or_default();
    let is_known = |area: &str| known.iter().flat_map(areas).any(|known| known["area"] == area);
    for set in NEW_SETS {
        let mut cases = cases(root, set)?;
        cases.retain(|case| !case.area.as_deref().or(case.ecosystem.as_deref()).is_some_and(is_known));
        if cases.is_empty() {
            continue;
        }
        let mut score = serde_json::to_value(Score::of(&Taxonomy::field(), &cases))?;
        // Of the rest, only what the page prints is kept: single mistakes are not to be learned from.
        for name in ["wrong", "pack", "class", "entry_level", "reliability"] {
            if let Some(score) = score.as_object_mut() {
                score.remove(name);
            }
        }
        for sheet in ["failure_type", "error_type"] {
            if let Some(sheet) = score[sheet].as_object_mut() {
                sheet.retain(|name, _| matches!(name.as_str(), "accuracy" | "macro_f1"));
            }
        }
        writeln!(lines, "{}", json!({ "set": set, "packs": packs.trim(), "score": score }))?;
    }
    write(root, FIRST_SIGHT, &lines)
}

fn first_sights(lines: &str) -> anyhow::Result<Vec<Value>> {
    Ok(lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn first_sight_section(root: &Path, page: &mut String) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(root.join(FIRST_SIGHT)).with_context(|| format!("cannot read {FIRST_SIGHT}"))?;
    let _ = writeln!(
        page,
        "\n## At first sight, by area\n\nThe sets before any row was written for them, with the packs of the commit named.\n\n\
         | area | failures | error type | seen without an exit code | benign read as failures | ordering |\n|---|---|---|---|---|---|",
    );
    for set in first_sights(&text)? {
        let score = &set["score"];
        let areas = score["areas"].as_array().into_iter().flatten();
        let all = std::iter::once((score, &score["error_type"]["accuracy"]));
        for (area, error_type) in all.chain(areas.map(|area| (area, &area["error_type"]))) {
            let whole = || format!("{}, {}", set["set"].as_str().unwrap_or("?"), set["packs"].as_str().unwrap_or("?"));
            let name = area["area"].as_str().map_or_else(whole, str::to_owned);
            let _ = writeln!(
                page,
                "| {name} | {} | {} | {} | {} | {} |",
                area["failures"],
                share(error_type),
                share(&area["recall_without_exit_code"]),
                share(&area["alarms_without_exit_code"]),
                share(&area["ordering"]),
            );
        }
    }
    Ok(())
}

fn share(value: &Value) -> String {
    if value.is_null() { "none".to_owned() } else { percent(value) }
}

fn cases(root: &Path, file: &str) -> anyhow::Result<Vec<LabelledOutput>> {
    let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn write(root: &Path, path: &str, text: &str) -> anyhow::Result<()> {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap_or(root))?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The output of `recovery eval`, one object per pack.
fn scores(root: &Path, corpus: &Path) -> anyhow::Result<Vec<Value>> {
    let output = Command::new("cargo")
        .args(["run", "--quiet", "--package", "recovery-cli", "--", "eval", "--format", "json"])
        .arg(corpus)
        .current_dir(root)
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

const HEAD: &str = "# How often the packs are right\n\n\
Written by `cargo xtask eval`; do not edit. A benign text is counted as read as a failure with its exit code hidden.\n";

/// Recorded when it happened: it cannot be measured again.
const EARLIER_SETS: &str = "\n## At first sight\n\n\
The honest figure: how the rows did on outputs of projects and tools whose samples had not been looked at when the rows \
were written.\n\n\
| set | failures | failure type, macro-F1 | F1 against F2 | error type | entry level | benign read as failures |\n\
|---|---|---|---|---|---|---|\n\
| 22 projects and tools of the second set | 201 | 85.6 % | 95.8 % | 85.1 % | 95.4 % | 2 of 36 |\n\
| the committed corpus | 577 | 90.1 % | 97.2 % | 77.8 % | 96.9 % | 10 of 86 |\n\
| further outputs, partly written from knowledge of the tools, two mixed sets | 154 and 83 | 90.2 % and 96.2 % | 98.2 % and 97.0 % | 81.8 % and 85.5 % | 95.2 % and 97.4 % | 4 of 19 and 0 of 13 |\n\
| the same, four small sets, most sought out to be hard | 26 to 62 | 55.9 % to 92.5 % | 84.2 % to 100 % | 50.0 % to 77.4 % | 81.8 % to 100 % | 3 of 21 |\n\
| compilers, build systems, linters, five sets | 244 | 68.9 % to 95.7 % | 94.0 % to 100 % | 68.0 % to 86.4 %, 79 % in all | 94.0 % to 100 % | 2 of 44 |\n\
| test runners, crashes, CI logs, eleven sets | 316 | 62.2 % to 94.9 % | 95.0 % to 100 % | 57.1 % to 95.8 %, 81 % in all | 95.0 % to 100 % | 6 of 55, and 6 of 66 chosen to be hard |\n\
| LLM providers, agents, shells, git, five sets | 522 | 62.8 % to 100 % | 88.8 % to 99.1 % | 55.6 % to 81.7 %, 72 % in all | 86.5 % to 98.6 % | 20 of 60 |\n\
| package managers, infrastructure, networks, six sets | 307 | 71.2 % to 100 % | 80.0 % to 94.8 % | 53.0 % to 82.1 %, 66 % in all | 63.6 % to 92.2 % | 0 of 48 |\n\n\
The last four rows are in the order in which they were taken: each set was collected and labelled from projects and tools \
that no row had been written for, read once, and learned from before the next was collected.\n\n\
What went wrong then led to general rules, so the tables above are better than what to expect of output that nobody here \
has seen.\n";

fn section(page: &mut String, title: &str, scores: &[Value]) {
    let Some(first) = scores.first() else { return };
    let packs: Vec<&str> = scores.iter().filter_map(|score| score["pack"].as_str()).collect();
    let _ = writeln!(page, "\n## {title}\n\n{} failures, {} benign texts.\n", first["failures"], first["benign"]);
    let _ = writeln!(page, "| | {} |\n|---|{}", packs.join(" | "), "---|".repeat(packs.len()));
    let mut row = |name: &str, value: &dyn Fn(&Value) -> String| {
        let cells: Vec<String> = scores.iter().map(value).collect();
        let _ = writeln!(page, "| {name} | {} |", cells.join(" | "));
    };
    row("failure type, macro-F1", &|score| percent(&score["failure_type"]["macro_f1"]));
    row("failure type, right", &|score| percent(&score["failure_type"]["accuracy"]));
    row("F1 against F2, right", &|score| percent(&score["class"]["accuracy"]));
    row("error type, right", &|score| percent(&score["error_type"]["accuracy"]));
    row("entry level, right", &|score| percent(&score["entry_level"]["accuracy"]));
    row("a right error type surer than a wrong one, of pairs", &|score| match &score["ordering"] {
        Value::Null => "no confidence".to_owned(),
        ordering => percent(ordering),
    });
    row("failures seen with the exit code hidden", &|score| percent(&score["recall_without_exit_code"]));
    row("mean distance between confidence and share right", &|score| match &score["calibration_error"] {
        Value::Null => "no confidence".to_owned(),
        error => percent(error),
    });
    row("benign read as failures", &|score| format!("{} of {}", score["benign_read_as_failure"], score["benign"]));
    let _ = writeln!(page, "\n| confidence (field pack) | cases | right |\n|---|---|---|");
    for tenth in first["reliability"].as_array().into_iter().flatten() {
        let _ =
            writeln!(page, "| from {} | {} | {} |", percent(&tenth["from"]), tenth["cases"], percent(&tenth["right"]));
    }
    let _ = writeln!(page, "\n| error type (field pack) | cases | precision | recall |\n|---|---|---|---|");
    for label in first["error_type"]["labels"].as_array().into_iter().flatten() {
        let name = label["label"].as_str().unwrap_or_default();
        let (precision, recall) = (percent(&label["precision"]), percent(&label["recall"]));
        let _ = writeln!(page, "| {name} | {} | {precision} | {recall} |", label["cases"]);
    }
}

fn percent(share: &Value) -> String {
    format!("{:.1} %", share.as_f64().unwrap_or(0.0) * 100.0)
}

/// What became of a case of a source that the rows were not written for.
struct Outcome {
    source: usize,
    /// `None` where nothing was recognised.
    support: Option<Support>,
    is_right: bool,
}

/// Diagnoses each source of the sets that rows learn from as if it had never been seen: rows that fire in no other source's
/// cases are disabled.
fn left_out(root: &Path) -> anyhow::Result<Vec<Outcome>> {
    let mut by_source: BTreeMap<String, Vec<LabelledOutput>> = BTreeMap::new();
    for file in [CORPUS, NEW_SETS[0]] {
        let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        for line in text.lines() {
            let source = serde_json::from_str::<Value>(line)?["repo"].as_str().unwrap_or_default().to_owned();
            let case: LabelledOutput = serde_json::from_str(line)?;
            if !case.benign {
                by_source.entry(source).or_default().push(case);
            }
        }
    }
    let all = Taxonomy::field();
    let mut sources_of_row: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, cases) in &by_source {
        for id in cases.iter().flat_map(|case| all.counting(case.text.as_bytes())) {
            sources_of_row.entry(id).or_default().insert(source);
        }
    }
    let mut outcomes = Vec::new();
    for (number, (source, cases)) in by_source.iter().enumerate() {
        let only_here = sources_of_row.iter().filter(|(_, sources)| sources.iter().eq([source]));
        let unseen = only_here.fold(Taxonomy::builder(PackName::Field), |pack, (id, _)| pack.disable(*id)).build()?;
        for case in cases {
            let (text, tool) = (case.text.as_bytes(), case.tool.as_deref());
            let failure = Failure { text, exit_code: case.exit_code, tool, ..Failure::default() };
            let is_right = case.error_type.as_deref() == Some(unseen.diagnose(&failure).error_type.name());
            outcomes.push(Outcome { source: number, support: unseen.support(&failure), is_right });
        }
    }
    Ok(outcomes)
}

/// How well the confidence orders those outcomes, each by weights fitted to other sources.
fn left_out_section(page: &mut String, outcomes: &[Outcome]) {
    /// Sources are left out in so many groups.
    const GROUPS: usize = 10;
    let sure: Vec<(f64, bool)> = (0..GROUPS)
        .flat_map(|group| {
            let in_group = move |outcome: &&Outcome| outcome.source % GROUPS == group;
            let weights = fit(outcomes.iter().filter(|outcome| !in_group(outcome)));
            outcomes
                .iter()
                .filter(in_group)
                .map(|outcome| (weights.probability(outcome.support), outcome.is_right))
                .collect::<Vec<_>>()
        })
        .collect();
    let (right, wrong): (Vec<_>, Vec<_>) = sure.iter().partition(|(_, is_right)| *is_right);
    let won = |(r, _): &(f64, bool)| {
        wrong.iter().map(|(w, _)| f64::from(u8::from(r > w)) + 0.5 * f64::from(u8::from(r == w))).sum::<f64>()
    };
    let ordering = right.iter().map(won).sum::<f64>() / (right.len() * wrong.len()).max(1) as f64;
    let _ = writeln!(
        page,
        "\n## One source left out at a time\n\n\
         Each source of own.jsonl and second.jsonl is diagnosed without the rows that fire in no other source's cases, as if its \
         tools had never been seen, with confidence weights fitted to other sources.\n\n\
         | | field |\n|---|---|\n| failures | {} |\n| error type, right | {:.1} % |\n| a right error type surer than a wrong one, of pairs | {:.1} % |",
        outcomes.len(),
        100.0 * right.len() as f64 / outcomes.len().max(1) as f64,
        100.0 * ordering,
    );
    let _ = writeln!(page, "\n| confidence | cases | right |\n|---|---|---|");
    for tenth in 0..10 {
        let inside = || sure.iter().filter(|(c, _)| ((c * 10.0) as usize).min(9) == tenth);
        let (cases, right) = (inside().count(), inside().filter(|(_, is_right)| *is_right).count());
        if cases > 0 {
            let _ =
                writeln!(page, "| from {} % | {cases} | {:.1} % |", 10 * tenth, 100.0 * right as f64 / cases as f64);
        }
    }
}

fn fit<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> ConfidenceWeights {
    ConfidenceWeights::fit(outcomes.map(|outcome| (outcome.support, outcome.is_right)))
}

/// The weights as Rust source.
fn confidence_table(outcomes: &[Outcome]) -> String {
    let weights = fit(outcomes.iter());
    let thousandths = |weight: f64| (1000.0 * weight).round() as i64;
    let of = |terms: Vec<(Term, String)>| {
        let line = |(term, comment): &(Term, String)| {
            let cases = outcomes.iter().filter(|outcome| term.applies_to(outcome.support)).count();
            format!("    {}, // {comment}, {cases} cases\n", thousandths(weights.of(*term)))
        };
        terms.iter().map(line).collect::<String>()
    };
    let steps = StepId::ALL.map(|step| (Term::Step(step), step.to_string())).to_vec();
    let error_types = ErrorType::ALL.iter().map(|error| (Term::Error(*error), error.name().to_owned())).collect();
    let allies = (0..=Support::MAX_ALLIES).map(|count| (Term::Allies(count), count.to_string())).collect();
    let rivals = (0..=Support::MAX_RIVALS).map(|count| (Term::Rivals(count), count.to_string())).collect();
    let agreement = Agreement::ALL.map(|agreement| (Term::Agreement(agreement), format!("{agreement:?}"))).to_vec();
    format!(
        "//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.\n\n\
         /// In thousandths, where no step decided.\npub(super) const NOTHING_RECOGNISED: u16 = {};\n\n\
         /// Whatever is known.\npub(super) const BIAS: i32 = {};\n\n\
         /// Where only one tool prints the row.\npub(super) const OF_ONE_TOOL: i32 = {};\n\n\
         /// Where other evidence refined the answer.\npub(super) const REFINED: i32 = {};\n\n\
         /// By the number of other indicators of the same error type, the last one for more too.\n#[rustfmt::skip]\npub(super) const ALLIES: [i32; {}] = [\n{}];\n\n\
         /// By the number of other error types that are indicated, the last one for more too.\n#[rustfmt::skip]\npub(super) const RIVALS: [i32; {}] = [\n{}];\n\n\
         /// By the step that decided.\n#[rustfmt::skip]\npub(super) const STEPS: [i32; {}] = [\n{}];\n\n\
         /// By whether the other indicators agree.\n#[rustfmt::skip]\npub(super) const AGREEMENT: [i32; {}] = [\n{}];\n\n\
         /// By the error type.\n#[rustfmt::skip]\npub(super) const ERROR_TYPES: [i32; {}] = [\n{}];\n",
        thousandths(weights.probability(None)),
        thousandths(weights.of(Term::Bias)),
        thousandths(weights.of(Term::OneTool)),
        thousandths(weights.of(Term::Refined)),
        usize::from(Support::MAX_ALLIES) + 1,
        of(allies),
        usize::from(Support::MAX_RIVALS) + 1,
        of(rivals),
        StepId::ALL.len(),
        of(steps),
        Agreement::ALL.len(),
        of(agreement),
        ErrorType::ALL.len(),
        of(error_types),
    )
}
