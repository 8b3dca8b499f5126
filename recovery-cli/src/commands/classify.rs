//! `recovery classify`: what kind of failure some output shows, and how far it reaches. Records nothing.
//!
//! In: output of any size, in constant memory, or events. Out: a [`Classified`]. Without an exit code the text alone
//! decides whether anything failed. The words are made in `recovery-service/src/answer.rs`; `--verbose` adds `internals`.

use crate::cli::Global;
use crate::input::{InputArgs, Source};
use crate::output::{self, Warned};
use crate::{answer as words, clock, ndjson};
use recovery_engine::{Admitted, Assessment, Engine, TaskState, admit};
use recovery_service::Classified;
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
    #[command(flatten)]
    input: InputArgs,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let source = Source::open(args.file.as_deref())?.since(args.input.baseline.as_deref())?;
    if args.input.ndjson {
        return ndjson::each_line(source, output::stdout(), |event| {
            let event = admit(here(event));
            Ok(Ok(Classified::of(&engine, &event, engine.assess(&event, clock::now()))))
        });
    }
    let mut warnings = Vec::new();
    let (asked, assessment) = if args.input.event {
        let (event, unread) = source.json::<FailureEvent>()?;
        warnings = unread;
        let event = admit(here(event));
        let assessment = engine.assess(&event, clock::now());
        (Asked { event, has_exit_code: true }, assessment)
    } else {
        raw(&engine, source, args)?
    };
    let answer = Classified::of(&engine, &asked.event, assessment);
    let warned = Warned { answer, warnings };
    output::show(global.format, &warned, |out| {
        output::warn_each(&warned.warnings);
        text(out, &warned.answer, &asked, &engine, global.verbose)
    })
}

fn here(mut event: FailureEvent) -> FailureEvent {
    super::decide::warn_of_patterns(&event);
    event.zone = event.zone.or_else(clock::zone);
    super::add_names(&mut event);
    event
}

struct Asked {
    event: Admitted<FailureEvent>,
    has_exit_code: bool,
}

fn raw(engine: &Engine, source: Source, args: &Args) -> anyhow::Result<(Asked, Option<Assessment>)> {
    let has_exit_code = args.input.exit_code.is_some();
    let (observer, failed) = source.observe_outcome(engine, args.input.exit_code, args.input.tool.as_deref())?;
    let mut event = FailureEvent {
        tool: args.input.tool.clone(),
        exit_code: args.input.exit_code.unwrap_or(i64::from(failed)),
        zone: clock::zone(),
        stderr_tail: String::from_utf8_lossy(observer.last()).into_owned(),
        ..FailureEvent::default()
    };
    super::add_names(&mut event);
    let event = admit(event);
    let mut assessment = engine.assess_observed(&event, observer, clock::now());
    if let Some(assessment) = assessment.as_mut().filter(|_| !has_exit_code) {
        // Without a given exit code there is no evidence from it.
        assessment.classification.evidence.retain(|fact| !fact.starts_with("exit_code="));
    }
    Ok((Asked { event, has_exit_code }, assessment))
}

/// The answer for people. The step comes from the same table that `decide` uses, for a task with no past.
fn text(
    out: &mut impl Write,
    answer: &Classified,
    asked: &Asked,
    engine: &Engine,
    verbose: bool,
) -> anyhow::Result<()> {
    let (Some(class), Some(kind)) = (&answer.classification, &answer.diagnosis) else {
        if answer.failure {
            writeln!(out, "{}", output::strong("The command worked, the judge failed the work"))?;
            writeln!(out, "{}  `recovery decide` says how to go on", output::faint("next"))?;
            return Ok(());
        }
        writeln!(out, "{}", output::good("No failure seen"))?;
        if !asked.has_exit_code {
            writeln!(out, "{}  {}", output::faint("next"), no_exit_code(&asked.event.stderr_tail))?;
        }
        return Ok(());
    };
    let now = clock::now();
    let decision = engine.decide("classify", &TaskState::default(), &asked.event, Some(kind), now);
    output::answer(out, &words::FailureAnswer::of(kind, decision.repair.as_ref(), &asked.event.stderr_tail, now))?;
    if !asked.has_exit_code && !words::is_recognised(kind) {
        writeln!(out, "{}  {NO_EXIT_CODE}", output::faint("note"))?;
    }
    if verbose {
        internals(out, class, kind)?;
    }
    Ok(())
}

/// What to do where it is not known how the command ended.
const NO_EXIT_CODE: &str =
    "if it failed, pass its exit code: --exit-code \"${PIPESTATUS[0]}\", or use `recovery run -- COMMAND`";

/// What to do where no failure was seen and no exit code given. A failure event holds its own exit code, which is only
/// read where it is announced as one.
pub(crate) fn no_exit_code(text: &str) -> &'static str {
    let is_event = |text: &str| {
        let object: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(text).ok();
        object.is_some_and(|object| object.contains_key("exit_code") || object.contains_key("exitCode"))
    };
    if is_event(text) {
        "this is a failure event as JSON: add --event"
    } else if text.lines().next().is_some_and(is_event) {
        "these are failure events as JSON, one per line: add --ndjson"
    } else {
        NO_EXIT_CODE
    }
}

/// Class, level and rule ids: what `--verbose` adds.
pub(crate) fn internals(out: &mut impl Write, class: &Classification, kind: &Diagnosis) -> anyhow::Result<()> {
    let row = |label: &str| output::faint(&format!("{label:5}"));
    writeln!(out, "{} {} ({})", row("type"), kind.error_type, kind.failure_type.name())?;
    let action = name_of(&class.recommended_action)?;
    writeln!(
        out,
        "{} {:?} {}: {action}, confidence {}, rule {}",
        row("class"),
        class.class,
        class.name,
        class.confidence,
        class.rule
    )?;
    if let Some(level) = kind.entry_level {
        writeln!(out, "{} {} ({})", row("level"), level.number(), level.action())?;
    }
    for fact in class.evidence.iter().take(5) {
        writeln!(out, "{} {}", row("fact"), output::one_line(fact, 100))?;
    }
    for hit in kind.indicators.iter().take(5) {
        writeln!(out, "{} line {} {}", row("rule"), hit.line, hit.id)?;
    }
    Ok(())
}

fn name_of(action: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_value(action)?.as_str().unwrap_or_default().replace('_', " "))
}
