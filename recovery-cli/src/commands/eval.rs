//! `recovery eval`: score the packs on labelled failures, side by side.

use crate::answer::counted;
use crate::cli::Global;
use crate::input::Source;
use crate::output;
use anyhow::bail;
use recovery_engine::{Engine, PackName};
use recovery_score::{LabelledOutput, Score, ScoreTable};
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
const WRONG_CASES_SHOWN: usize = 20;

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let cases = read(Source::open(args.corpus.as_deref())?)?;
    let chosen = global.engine()?;
    let others = PackName::ALL.into_iter().filter(|pack| *pack != chosen.taxonomy.pack());
    let others = others.map(|pack| Score::of_engine(&Engine::new(pack), &cases));
    let packs: Vec<Score> = std::iter::once(Score::of_engine(&chosen, &cases)).chain(others).collect();
    output::show_each(global.format, &packs, |out| text(out, &packs, args.wrong))
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

fn text(out: &mut impl Write, packs: &[Score], all_wrong: bool) -> anyhow::Result<()> {
    let first = &packs[0];
    let failures = counted(first.failures, "failure");
    writeln!(out, "{failures}, {} that are none", counted(first.benign, "text"))?;
    write_table(out, Some(ScoreTable::by_pack(packs)))?;
    for score in packs {
        writeln!(out, "\n{}", output::strong(&format!("{} pack", score.pack)))?;
        write_table(out, ScoreTable::by_area(score))?;
        write_table(out, ScoreTable::by_confidence(&score.reliability))?;
        write_table(out, Some(ScoreTable::by_label("failure type", &score.failure_type)))?;
        write_table(out, Some(ScoreTable::by_label("error type", &score.error_type)))?;
        let shown = if all_wrong { score.wrong.len() } else { WRONG_CASES_SHOWN.min(score.wrong.len()) };
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

fn write_table(out: &mut impl Write, of: Option<ScoreTable>) -> anyhow::Result<()> {
    let Some(ScoreTable { header, rows }) = of else { return Ok(()) };
    let header: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
    write!(out, "\n{}", output::table(&header, rows))?;
    Ok(())
}
