//! `recovery simulate`: plays a script of inputs through the ladder in virtual time. Records nothing.
//!
//! In: one input per line with its time. Out: the transitions as text or JSON, or the ladder as a Graphviz drawing. The
//! ladder is sans-io, so hours pass without waiting; scripts are parsed by `recovery-service/src/script.rs`.

use crate::cli::Global;
use crate::exit;
use crate::input::Source;
use crate::output::{self, Format};
use anyhow::anyhow;
use escalation::Policy;
use recovery_service::script::{Script, ScriptTransition};
use recovery_types::ladder::{Target, WaitReason};
use recovery_types::{Climb, Command, Level, Timestamp, Transition};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Each line of the script is one input, times never falling:\n  \
    {\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n  \
    {\"at_ms\":900,\"event\":\"success\"}\n\
    Events: failure, success, tick, judge, loop, pause, reset. A first line {\"policy\":{...}} sets the ladder's numbers.\n\n\
    Examples:\n  recovery simulate script.jsonl\n  recovery simulate --format json - < script.jsonl\n  \
    recovery simulate --dot | dot -Tsvg > ladder.svg")]
pub(crate) struct Args {
    /// The script; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The task's name in the records
    #[arg(long, value_name = "ID", default_value = "simulated")]
    task: String,
    /// Draw the ladder instead (Graphviz DOT): the settings' one, or with a script that script's
    #[arg(long)]
    dot: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    let policy = global.settings()?.ladder.clone();
    if args.dot && args.file.is_none() {
        write!(out, "{}", policy.to_dot())?;
        out.flush()?;
        return Ok(exit::DONE);
    }
    let source = Source::open(args.file.as_deref())?;
    let name = source.name.clone();
    let mut script = Script::new(policy, &args.task);
    source.lines(
        |number, line| {
            let line = line.map_err(|problem| anyhow!("{name}: line {number}, {}", problem.within_line()))?;
            let warnings = script.play(line).map_err(|problem| anyhow!("{name}: line {number}, {problem}"))?;
            for warning in warnings {
                anstream::eprintln!("{name}: line {number}: {}", output::one_line(&output::message(&warning), 200));
            }
            while let Some(transition) = script.ladder.poll_transition() {
                match global.format {
                    _ if args.dot => {}
                    Format::Json => output::json_line(&mut out, &ScriptTransition::of(&transition))?,
                    Format::Text => text(&mut out, &transition, script.ladder.policy())?,
                }
            }
            Ok(())
        },
        || Ok(()),
    )?;
    if args.dot {
        write!(out, "{}", script.ladder.policy().to_dot())?;
    } else if global.format == Format::Text {
        ending(&mut out, &script)?;
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn text(out: &mut impl Write, transition: &Transition, policy: &Policy) -> anyhow::Result<()> {
    let level =
        |level: Option<Level>| level.map_or_else(|| "idle".to_owned(), |l| format!("{} {}", l.number(), l.action()));
    let moved = match (transition.from, transition.to) {
        (from, to) if from == to => level(to),
        (from, to) => format!("{} → {}", level(from), level(to)),
    };
    let mut about = transition.command().map(|command| sentence(command, policy)).unwrap_or_default();
    if let Some(deadline) = transition.climb.as_ref().and_then(Climb::deadline) {
        about.push_str(&format!("; until {}", clock(deadline)));
    }
    if let Some(reason) = &transition.reason {
        about.push_str(reason);
    }
    for passed in &transition.passed_over {
        about.push_str(&format!("; {} has nothing to try", level(Some(*passed))));
    }
    let (at, moved) = (clock(transition.at), output::strong(&format!("{moved:27}")));
    let cause = transition.cause.name();
    match output::one_line(about.trim_start_matches("; "), 200).as_str() {
        "" => writeln!(out, "{at:>15}  {moved} {}", output::faint(cause))?,
        about => writeln!(out, "{at:>15}  {moved} {} {about}", output::faint(&format!("{cause:14}")))?,
    }
    if let Some(Command::ForceDone { report }) = transition.command() {
        let steps = report.completed_steps.join(", ");
        let path: Vec<String> = report.escalation_path.iter().map(|l| l.number().to_string()).collect();
        for (label, line) in [
            ("completed", steps.as_str()),
            ("failed at", &report.failed_at),
            ("because", &report.failure_reason),
            ("path", &path.join(", ")),
            ("next", &report.recommendation),
        ] {
            writeln!(out, "{:17}{} {}", "", output::faint(&format!("{label:10}")), output::one_line(line, 200))?;
        }
    }
    Ok(())
}

fn sentence(command: &Command, policy: &Policy) -> String {
    match command {
        Command::Retry { attempt, not_before } => {
            format!("retry {attempt} of {}, not before {}", policy.retry.attempts, clock(*not_before))
        }
        Command::Nudge { variant, of } => format!("variant {variant} of {of}"),
        Command::Replan { known_bad } if known_bad.is_empty() => "new plan".to_owned(),
        Command::Replan { known_bad } => format!("new plan, not: {}", known_bad.join("; ")),
        Command::Fallback { target: Target::NextModelTier } => "over to the next model tier".to_owned(),
        Command::Fallback { target: Target::Model(name) } => format!("over to model {name}"),
        Command::Fallback { target: Target::Agent(name) } => format!("over to agent {name}"),
        Command::WaitUntil { until, reason, then } => {
            let why = match reason {
                WaitReason::RetryAfter => "the server asked for it",
                WaitReason::QuotaReset => "the quota is renewed then",
                WaitReason::Cooldown => "every task that uses it waits",
            };
            format!("wait until {} ({why}), then {}", clock(*until), sentence(then, policy))
        }
        Command::ForceDone { .. } => "partial result".to_owned(),
    }
}

fn ending(out: &mut impl Write, script: &Script) -> anyhow::Result<()> {
    let line = match (script.ladder.state(), script.ladder.poll_timeout()) {
        (None, _) => "idle".to_owned(),
        (Some(climb), Some(deadline)) => format!("at level {}, next move at {}", climb.level.number(), clock(deadline)),
        (Some(climb), None) => format!("at level {}, until someone moves it", climb.level.number()),
    };
    writeln!(out, "{:>15}  {}", clock(script.now()), output::faint(&line))?;
    Ok(())
}

fn clock(at: Timestamp) -> String {
    let ms = at.ms();
    format!("{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}
