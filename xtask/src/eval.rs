//! Scores the packs on the committed corpus: writes docs/accuracy.md and the confidence table of the field pack.

use failure_taxonomy::{Agreement, PackName, Support, Taxonomy, VerdictStepId};
use recovery_engine::Engine;
use recovery_score::{
    ConfidenceTerm as Term, ConfidenceWeights, LabelledOutput, Reliability, Score, UnseenVerdict,
    cross_validated_confidence, leave_one_source_out, ordering, percent, reliability,
};
use recovery_types::{ErrorType, Permille};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
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
    let verdicts = left_out(root)?;
    crate::write(root, CONFIDENCE, &confidence_table(&verdicts))?;
    let mut page = String::from(HEAD);
    section(&mut page, "The committed corpus", &scores(root, Path::new(CORPUS))?);
    left_out_section(&mut page, &verdicts);
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
    crate::write(root, PAGE, &page)
}

/// Adds how the packs as they are do on areas that were recorded since the last time, one object per set, with the commit of
/// the packs. What was written for an area stays: rows may have been written for it since.
fn first_sight(root: &Path) -> anyhow::Result<()> {
    let log = ["log", "-1", "--format=%h", "--", "failure-taxonomy/packs"];
    let packs = String::from_utf8(Command::new("git").args(log).current_dir(root).output()?.stdout)?;
    let known: Vec<Value> = crate::json_lines(&root.join(FIRST_SIGHT))?;
    let mut lines = std::fs::read_to_string(root.join(FIRST_SIGHT))?;
    let areas = |known: &Value| known["score"]["areas"].as_array().cloned().unwrap_or_default();
    let is_known = |area: &str| known.iter().flat_map(areas).any(|known| known["area"] == area);
    for set in NEW_SETS {
        let mut cases: Vec<LabelledOutput> = crate::json_lines(&root.join(set))?;
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
    crate::write(root, FIRST_SIGHT, &lines)
}

fn first_sight_section(root: &Path, page: &mut String) -> anyhow::Result<()> {
    let _ = writeln!(
        page,
        "\n## At first sight, by area\n\nThe sets before any row was written for them, with the packs of the commit named.\n\n\
         | area | failures | error type | seen without an exit code | benign read as failures | ordering |\n|---|---|---|---|---|---|",
    );
    for set in crate::json_lines::<Value>(&root.join(FIRST_SIGHT))? {
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
    value.as_f64().map_or("none".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// The scores of each pack, that of the field pack first.
fn scores(root: &Path, file: &Path) -> anyhow::Result<Vec<Score>> {
    let cases: Vec<LabelledOutput> = crate::json_lines(&root.join(file))?;
    Ok(PackName::ALL.map(|pack| Score::of_engine(&Engine::new(pack), &cases)).to_vec())
}

const HEAD: &str = "# How often the packs are right\n\n\
Written by `cargo xtask eval`; do not edit. A benign text is counted as read as a failure with its exit code hidden.\n";

/// Recorded when it happened: it cannot be measured again.
const EARLIER_SETS: &str = include_str!("eval/earlier_sets.md");

fn section(page: &mut String, title: &str, scores: &[Score]) {
    let Some(first) = scores.first() else { return };
    let packs: Vec<&str> = scores.iter().map(|score| score.pack.name()).collect();
    let _ = writeln!(page, "\n## {title}\n\n{} failures, {} benign texts.\n", first.failures, first.benign);
    let _ = writeln!(page, "| | {} |\n|---|{}", packs.join(" | "), "---|".repeat(packs.len()));
    let of_confidence = |share: Option<Permille>| share.map_or("no confidence".to_owned(), percent);
    let mut row = |name: &str, value: &dyn Fn(&Score) -> String| {
        let cells: Vec<String> = scores.iter().map(value).collect();
        let _ = writeln!(page, "| {name} | {} |", cells.join(" | "));
    };
    row("failure type, macro-F1", &|score| percent(score.failure_type.macro_f1));
    row("failure type, right", &|score| percent(score.failure_type.accuracy));
    row("F1 against F2, right", &|score| percent(score.class.accuracy));
    row("error type, right", &|score| percent(score.error_type.accuracy));
    row("entry level, right", &|score| percent(score.entry_level.accuracy));
    row("a right error type surer than a wrong one, of pairs", &|score| of_confidence(score.ordering));
    row("failures seen with the exit code hidden", &|score| percent(score.recall_without_exit_code));
    row("mean distance between confidence and share right", &|score| of_confidence(score.calibration_error));
    row("benign read as failures", &|score| format!("{} of {}", score.benign_read_as_failure, score.benign));
    confidence_rows(page, "confidence (field pack)", &first.reliability);
    let _ = writeln!(page, "\n| error type (field pack) | cases | precision | recall |\n|---|---|---|---|");
    for label in &first.error_type.labels {
        let (precision, recall) = (percent(label.precision), percent(label.recall));
        let _ = writeln!(page, "| {} | {} | {precision} | {recall} |", label.label, label.cases);
    }
}

fn confidence_rows(page: &mut String, title: &str, tenths: &[Reliability]) {
    let _ = writeln!(page, "\n| {title} | cases | right |\n|---|---|---|");
    for tenth in tenths {
        let _ = writeln!(page, "| from {} | {} | {} |", percent(tenth.from), tenth.cases, percent(tenth.right));
    }
}

/// The verdicts on the sets that rows learn from, each source judged as if it had never been seen.
fn left_out(root: &Path) -> anyhow::Result<Vec<UnseenVerdict>> {
    #[derive(Deserialize)]
    struct Sourced {
        #[serde(default)]
        repo: String,
        #[serde(flatten)]
        output: LabelledOutput,
    }
    let mut by_source: BTreeMap<String, Vec<LabelledOutput>> = BTreeMap::new();
    for file in [CORPUS, NEW_SETS[0]] {
        let sourced: Vec<Sourced> = crate::json_lines(&root.join(file))?;
        for Sourced { repo, output } in sourced.into_iter().filter(|sourced| !sourced.output.benign) {
            by_source.entry(repo).or_default().push(output);
        }
    }
    Ok(leave_one_source_out(PackName::Field, &by_source)?)
}

/// How well the confidence orders those verdicts, each by weights fitted to other sources.
fn left_out_section(page: &mut String, verdicts: &[UnseenVerdict]) {
    /// Sources are left out in so many groups.
    const GROUPS: usize = 10;
    let confidence = cross_validated_confidence(verdicts, GROUPS);
    let right = verdicts.iter().filter(|verdict| verdict.is_right).count();
    let _ = writeln!(
        page,
        "\n## One source left out at a time\n\n\
         Each source of own.jsonl and second.jsonl is diagnosed without the rows that fire in no other source's cases, as if its \
         tools had never been seen, with confidence weights fitted to other sources.\n\n\
         | | field |\n|---|---|\n| failures | {} |\n| error type, right | {} |\n| a right error type surer than a wrong one, of pairs | {} |",
        verdicts.len(),
        percent(Permille::ratio(right as u64, verdicts.len() as u64)),
        percent(ordering(&confidence).unwrap_or_default()),
    );
    confidence_rows(page, "confidence", &reliability(&confidence));
}

fn thousandths(weight: f64) -> i64 {
    (1000.0 * weight).round() as i64
}

/// The weights as Rust source.
fn confidence_table(verdicts: &[UnseenVerdict]) -> String {
    let weights = ConfidenceWeights::fit(verdicts.iter().map(|verdict| (verdict.support, verdict.is_right)));
    let number = |doc: &str, name: &str, weight: f64| {
        format!("\n/// {doc}\npub(super) const {name} = {};\n", thousandths(weight))
    };
    let array = |doc: &str, name: &str, terms: Vec<(Term, String)>| {
        let line = |(term, comment): &(Term, String)| {
            let cases = verdicts.iter().filter(|verdict| term.applies_to(verdict.support)).count();
            format!("    {}, // {comment}, {cases} cases\n", thousandths(weights.of(*term)))
        };
        let (length, lines) = (terms.len(), terms.iter().map(line).collect::<String>());
        format!("\n/// {doc}\n#[rustfmt::skip]\npub(super) const {name}: [i32; {length}] = [\n{lines}];\n")
    };
    let counted = |most, term: fn(u8) -> Term| (0..=most).map(|count| (term(count), count.to_string())).collect();
    let steps = VerdictStepId::ALL.map(|step| (Term::Step(step), step.to_string())).to_vec();
    let agreement = Agreement::ALL.map(|agreement| (Term::Agreement(agreement), format!("{agreement:?}"))).to_vec();
    let error_types = ErrorType::ALL.iter().map(|error| (Term::Error(*error), error.name().to_owned())).collect();
    [
        "//! Written by `cargo xtask eval`; do not edit. Log-odds in thousandths.\n".to_owned(),
        number("In thousandths, where no step decided.", "NOTHING_RECOGNISED: u16", weights.probability(None)),
        number("Whatever is known.", "BIAS: i32", weights.of(Term::Bias)),
        number("Where only one tool prints the row.", "OF_ONE_TOOL: i32", weights.of(Term::OneTool)),
        number("Where other evidence refined the answer.", "REFINED: i32", weights.of(Term::Refined)),
        array(
            "By the number of other indicators of the same error type, the last one for more too.",
            "ALLIES",
            counted(Support::MAX_ALLIES, Term::Allies),
        ),
        array(
            "By the number of other error types that are indicated, the last one for more too.",
            "RIVALS",
            counted(Support::MAX_RIVALS, Term::Rivals),
        ),
        array("By the step that decided.", "STEPS", steps),
        array("By whether the other indicators agree.", "AGREEMENT", agreement),
        array("By the error type.", "ERROR_TYPES", error_types),
    ]
    .concat()
}
