//! `recovery classify`: what kind of failure some output shows, and how far it reaches. Records nothing.

use crate::cli::Global;
use crate::input::Source;
use crate::output::{self, Format};
use crate::{clock, exit, ndjson};
use recovery_engine::{Assessment, Engine, PackName, admit};
use recovery_types::{Classification, Diagnosis, FailureEvent};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo test 2>&1 | recovery classify\n  \
    recovery classify --exit-code 124 --format json build.log\n  \
    echo '{\"exit_code\":1,\"stderr_tail\":\"read ECONNRESET\"}' | recovery classify --event\n  \
    recovery classify --ndjson < failures.jsonl")]
pub(crate) struct Args {
    /// The failed command's output; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The failed command's exit code
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    exit_code: i64,
    /// The tool that failed
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Read one failure event as JSON
    #[arg(long, conflicts_with_all = ["exit_code", "tool"])]
    event: bool,
    #[arg(long, help = ndjson::HELP, conflicts_with_all = ["event", "exit_code", "tool"])]
    ndjson: bool,
}

/// The answer as JSON has it.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Answer {
    /// Whether it is a failure at all.
    failure: bool,
    /// How far it reaches; null when it is not a failure.
    classification: Option<Classification>,
    /// What kind it is; null when it is not a failure.
    diagnosis: Option<Diagnosis>,
    /// The indicators it was read with.
    pack: &'static str,
}

impl Answer {
    /// From what the engine said.
    pub fn new(assessment: Option<Assessment>, pack: PackName) -> Self {
        let failure = assessment.is_some();
        let (classification, diagnosis) = assessment.map(|a| (a.classification, a.diagnosis)).unzip();
        Self { failure, classification, diagnosis, pack: pack.name() }
    }
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let source = Source::open(args.file.as_deref())?;
    let mut out = output::stdout();
    if args.ndjson {
        return ndjson::each_line(source, out, |event| {
            let assessment = engine.assess(&admit(here(event)), clock::now());
            Ok(Ok(Answer::new(assessment, engine.taxonomy.pack())))
        });
    }
    let assessment = if args.event {
        engine.assess(&admit(here(source.json::<FailureEvent>()?)), clock::now())
    } else {
        raw(&engine, source, args)?
    };
    let answer = Answer::new(assessment, engine.taxonomy.pack());
    match global.format {
        Format::Json => output::json_line(&mut out, &answer)?,
        Format::Text => text(&mut out, &answer)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// The event with this machine's time zone, where it names none.
fn here(mut event: FailureEvent) -> FailureEvent {
    super::decide::warn_of_patterns(&event);
    event.zone = event.zone.or_else(clock::zone);
    event
}

/// Reads a log of any size in constant memory.
fn raw(engine: &Engine, source: Source, args: &Args) -> anyhow::Result<Option<Assessment>> {
    let observer = source.observe(engine)?;
    let event = FailureEvent {
        tool: args.tool.clone(),
        exit_code: args.exit_code,
        zone: clock::zone(),
        stderr_tail: String::from_utf8_lossy(observer.last()).into_owned(),
        ..FailureEvent::default()
    };
    Ok(engine.assess_observed(&admit(event), observer, clock::now()))
}

fn text(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let (Some(class), Some(kind)) = (&answer.classification, &answer.diagnosis) else {
        writeln!(out, "{} exit code 0", output::good("not a failure:"))?;
        return Ok(());
    };
    writeln!(
        out,
        "{} {} ({}), confidence {}",
        output::strong(kind.failure_type.name()),
        output::strong(kind.error_type.name()),
        kind.error_type.meaning().trim().trim_end_matches('.').to_lowercase(),
        class.confidence
    )?;
    writeln!(out, "{} {:?} {}: {}", faint("reach   "), class.class, class.name, name_of(&class.recommended_action)?)?;
    writeln!(out, "{} level {} {}", faint("ladder  "), kind.entry_level.number(), kind.entry_level.action())?;
    writeln!(out, "{} {}", faint("do      "), output::one_line(&kind.recovery_action.reason, 100))?;
    if let Some(ms) = kind.retry_after_ms {
        writeln!(out, "{} {} s, the server asked for it", faint("wait    "), ms.div_ceil(1000))?;
    }
    if let Some(at) = kind.resets_at {
        writeln!(out, "{} {at}", faint("resets  "))?;
    }
    if let Some(place) = &kind.location {
        let numbers = [place.line, place.column].into_iter().flatten().map(|n| format!(":{n}")).collect::<String>();
        let code = place.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        writeln!(out, "{} {}", faint("at      "), output::one_line(&format!("{}{numbers}{code}", place.file), 100))?;
    }
    if let Some(missing) = &kind.missing {
        writeln!(out, "{} {} {}", faint("missing "), missing.kind, output::one_line(&missing.name, 80))?;
    }
    for hit in kind.indicators.iter().take(5) {
        writeln!(out, "{} line {}: {:?} {}", faint("evidence"), hit.line, hit.text, faint(&format!("[{}]", hit.id)))?;
    }
    for fact in class.evidence.iter().take(5) {
        writeln!(out, "{} {} {}", faint("evidence"), output::one_line(fact, 100), faint(&format!("[{}]", class.rule)))?;
    }
    Ok(())
}

fn faint(label: &str) -> String {
    output::faint(label)
}

fn name_of(action: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_value(action)?.as_str().unwrap_or_default().replace('_', " "))
}
