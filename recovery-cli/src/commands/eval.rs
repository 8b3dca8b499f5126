//! `recovery eval`: score the packs on labelled failures, side by side.

use crate::cli::Global;
use crate::input::Source;
use crate::output::{self, Format};
use crate::{clock, exit};
use anyhow::bail;
use comfy_table::{Table, presets};
use recovery_engine::{Engine, PackName, admit};
use recovery_score::{LabelledOutput, Score, ScoredAnswer, Sheet};
use recovery_types::{FailureEvent, Permille};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Each line of the corpus is a JSON object: id, text, tool, exit_code, and the labels taxonomy, fclass, \
    entry_level, error_type, benign; area (or ecosystem) for figures by area.\n\nExamples:\n  recovery eval corpus/own.jsonl\n  \
    recovery eval corpus/own.jsonl --wrong\n  recovery eval corpus/own.jsonl --format json"
)]
pub(crate) struct Args {
    /// Labelled failures, one JSON object per line; `-` or nothing reads standard input
    corpus: Option<PathBuf>,
    /// List every case that came out wrong, not only the first few
    #[arg(long)]
    wrong: bool,
}

/// How many wrong cases are listed without `--wrong`.
const FEW: usize = 20;

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let cases = read(Source::open(args.corpus.as_deref())?)?;
    let chosen = global.engine()?;
    let mut packs = vec![score(&chosen, &cases)];
    packs.extend(
        PackName::ALL
            .into_iter()
            .filter(|pack| *pack != chosen.taxonomy.pack())
            .map(|pack| score(&Engine::new(pack), &cases)),
    );
    let mut out = output::stdout();
    match global.format {
        Format::Json => packs.iter().try_for_each(|score| output::json_line(&mut out, score))?,
        Format::Text => text(&mut out, &packs, args.wrong)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn read(source: Source) -> anyhow::Result<Vec<LabelledOutput>> {
    let name = source.name.clone();
    let mut cases = Vec::new();
    source.lines(
        |number, line| match line.and_then(recovery_service::json::parse::<LabelledOutput>) {
            Ok(case) => {
                cases.push(case);
                Ok(())
            }
            Err(problem) => bail!("{name}, line {number}: {}", problem.within_line()),
        },
        || Ok(()),
    )?;
    if cases.is_empty() {
        bail!("{name} holds no labelled failure; each line is a JSON object with id, text and labels");
    }
    Ok(cases)
}

/// Scores the whole engine: the class is the classifier's.
fn score(engine: &Engine, cases: &[LabelledOutput]) -> Score {
    let now = clock::now();
    Score::by(&engine.taxonomy, cases, |case| {
        let event = admit(FailureEvent {
            tool: case.tool.clone(),
            exit_code: case.exit_code.filter(|code| *code != 0).unwrap_or(1),
            stderr_tail: case.text.clone(),
            ..FailureEvent::default()
        });
        let assessment = engine.assess(&event, now).expect("an exit code other than 0 is a failure");
        ScoredAnswer { class: Some(format!("{:?}", assessment.classification.class)), diagnosis: assessment.diagnosis }
    })
}

fn text(out: &mut impl Write, packs: &[Score], all_wrong: bool) -> anyhow::Result<()> {
    let first = &packs[0];
    writeln!(out, "{} failures, {} texts that are none", first.failures, first.benign)?;
    let mut table = plain(["", "score"]);
    table.set_header(std::iter::once(String::new()).chain(packs.iter().map(|score| score.pack.clone())));
    let mut row = |name: &str, value: &dyn Fn(&Score) -> String| {
        table.add_row(std::iter::once(name.to_owned()).chain(packs.iter().map(value)));
    };
    row("failure type, macro-F1", &|score| percent(score.failure_type.macro_f1));
    row("failure type, right", &|score| percent(score.failure_type.accuracy));
    row("F1 against F2, right", &|score| percent(score.class.accuracy));
    row("error type, right", &|score| percent(score.error_type.accuracy));
    row("entry level, right", &|score| percent(score.entry_level.accuracy));
    row("right surer than wrong, of pairs", &|score| share(score.ordering));
    row("confidence, mean error", &|score| share(score.calibration_error));
    row("failure, read as one without its exit code", &|score| percent(score.recall_without_exit_code));
    row("no failure, read as one", &|score| percent(score.alarms_without_exit_code));
    writeln!(out, "{table}")?;
    for score in packs {
        writeln!(out, "\n{}", output::strong(&format!("{} pack", score.pack)))?;
        areas(out, score)?;
        reliability(out, score)?;
        sheet(out, "failure type", &score.failure_type)?;
        sheet(out, "error type", &score.error_type)?;
        let shown = if all_wrong { score.wrong.len() } else { FEW.min(score.wrong.len()) };
        for wrong in &score.wrong[..shown] {
            let (id, expected, got) = (&wrong.id, &wrong.expected, &wrong.got);
            let evidence = output::faint(&output::one_line(&wrong.indicators.join(" "), 60));
            writeln!(
                out,
                "wrong {:12} {} is {expected}, read as {got} {evidence}",
                wrong.what,
                output::one_line(id, 40)
            )?;
        }
        if shown < score.wrong.len() {
            writeln!(out, "{}", output::faint(&format!("{} more; --wrong lists all", score.wrong.len() - shown)))?;
        }
    }
    Ok(())
}

/// One row per area, where there are several.
fn areas(out: &mut impl Write, score: &Score) -> anyhow::Result<()> {
    if score.areas.len() < 2 {
        return Ok(());
    }
    let mut table = plain([
        "area",
        "failures",
        "others",
        "type",
        "class",
        "error",
        "level",
        "recall",
        "alarms",
        "ordering",
        "conf. error",
    ]);
    for area in &score.areas {
        let shares = [
            area.failure_type,
            area.class,
            area.error_type,
            area.entry_level,
            area.recall_without_exit_code,
            area.alarms_without_exit_code,
            area.ordering,
            area.calibration_error,
        ];
        let counts = [area.failures, area.benign].map(|count| count.to_string());
        let name = output::one_line(&area.area, 24);
        table.add_row(std::iter::once(name).chain(counts).chain(shares.map(share)));
    }
    writeln!(out, "{table}")?;
    Ok(())
}

/// How often answers of some confidence are right.
fn reliability(out: &mut impl Write, score: &Score) -> anyhow::Result<()> {
    if score.reliability.is_empty() {
        return Ok(());
    }
    let mut table = plain(["confidence", "cases", "right"]);
    for tenth in &score.reliability {
        table.add_row([percent(tenth.confidence), tenth.cases.to_string(), percent(tenth.right)]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn share(share: Option<Permille>) -> String {
    share.map_or_else(|| "-".to_owned(), percent)
}

fn sheet(out: &mut impl Write, name: &str, sheet: &Sheet) -> anyhow::Result<()> {
    let mut table = plain([name, "cases", "precision", "recall", "F1", "read as"]);
    for label in &sheet.labels {
        let confused: Vec<String> = sheet
            .confusion
            .iter()
            .filter(|cell| cell.expected == label.label && cell.got != label.label)
            .map(|cell| format!("{} {}", cell.cases, cell.got))
            .collect();
        table.add_row([
            label.label.clone(),
            label.cases.to_string(),
            percent(label.precision),
            percent(label.recall),
            percent(label.f1),
            confused.join(", "),
        ]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn plain<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}

fn percent(share: Permille) -> String {
    format!("{}.{} %", share.get() / 10, share.get() % 10)
}
