//! `recovery simulate`: a script of ladder inputs with virtual times in, the ladder's transitions out. Records nothing.

use crate::cli::Global;
use crate::exit;
use crate::input::Source;
use crate::output::{self, Format};
use anyhow::anyhow;
use escalation::{Failure, Input, Ladder, Policy};
use recovery_redact::redact;
use recovery_service::Accept;
use recovery_types::ladder::{Target, WaitReason};
use recovery_types::{
    Cause, Climb, Command, ErrorType, ForceDoneReport, Judge, Level, TaskUpdate, Timestamp, Transition, Verdict,
};
use serde::{Deserialize, Serialize};
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
    let ladder = Ladder::new(policy, args.task.as_str());
    let mut script = Script { ladder, accept: Accept::default(), last: 0, started: false };
    source.lines(
        |number, line| {
            let line = line.map_err(|problem| anyhow!("{name}: line {number}, {}", problem.within_line()))?;
            let warnings = script.take(line).map_err(|problem| anyhow!("{name}: line {number}, {problem}"))?;
            for warning in warnings {
                anstream::eprintln!("{name}: line {number}: {}", output::one_line(&warning, 200));
            }
            while let Some(transition) = script.ladder.poll_transition() {
                match global.format {
                    _ if args.dot => {}
                    Format::Json => output::json_line(&mut out, &Row::of(&transition))?,
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

const EXAMPLE: &str = r#"{"at_ms":0,"event":"failure","error_type":"network_timeout"}"#;

/// A script on its way.
struct Script {
    ladder: Ladder,
    accept: Accept<Line>,
    /// The time of the last input.
    last: u64,
    started: bool,
}

/// One line of a script.
#[derive(Deserialize, schemars::JsonSchema)]
pub(crate) struct Line {
    /// The ladder's numbers, on the first line and alone.
    policy: Option<Policy>,
    /// When, in virtual milliseconds; the time of the line before where not said.
    at_ms: Option<u64>,
    /// What happened.
    event: Option<Event>,
    /// What went wrong (failure).
    error_type: Option<ErrorType>,
    /// Whether repeating the identical action is safe (failure); taken as safe where not said.
    idempotent: Option<bool>,
    /// How long the server asked to wait (failure).
    retry_after_ms: Option<u64>,
    /// When the quota is renewed (failure).
    resets_at_ms: Option<u64>,
    /// The step that failed (failure).
    step: Option<String>,
    /// Steps of the task that are done (failure).
    completed_steps: Option<Vec<String>>,
    /// The error in the tool's words (failure).
    message: Option<String>,
    /// What was being tried (failure).
    approach: Option<String>,
    /// A level that stands in for the error matrix (failure).
    entry_level: Option<Level>,
    /// How much shows that the work is done (judge).
    evidence_of_completion: Option<u32>,
    /// How well the work fits the goal (judge).
    goal_alignment: Option<u32>,
    /// PASS or FAIL, whatever the scores are (judge).
    verdict: Option<Verdict>,
    /// How many similar actions followed one another (loop).
    similar: Option<u32>,
    /// Why (pause, reset).
    reason: Option<String>,
}

/// What happened.
#[derive(Clone, Copy, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Event {
    Failure,
    Success,
    Tick,
    Judge,
    Loop,
    Pause,
    Reset,
}

/// What is wrong with a line that is JSON, and in which field.
struct Refused {
    field: &'static str,
    what: String,
}

impl Script {
    /// Takes in one line of any accepted spelling, and tells what of it nothing reads; an error names the column.
    fn take(&mut self, text: &str) -> Result<Vec<String>, String> {
        if !text.trim_start().starts_with('{') {
            return Err(format!("column 1: expected an object like {EXAMPLE}"));
        }
        let (line, warnings) =
            recovery_service::json::accepted(&self.accept, text).map_err(|problem| problem.within_line())?;
        self.step(line).map_err(|Refused { field, what }| {
            let column = text.find(&format!("\"{field}\"")).map_or(1, |start| text[..start].chars().count() + 1);
            format!("column {column}: field `{field}` {what}")
        })?;
        Ok(warnings)
    }

    fn step(&mut self, line: Line) -> Result<(), Refused> {
        let first = !std::mem::replace(&mut self.started, true);
        if let Some(policy) = line.policy {
            let refused = |what| Refused { field: "policy", what };
            if !first || line.event.is_some() {
                return Err(refused("belongs on the first line, alone".to_owned()));
            }
            policy.validate().map_err(|error| refused(format!("is refused: {error}")))?;
            self.ladder = Ladder::new(policy, self.ladder.task_id());
            return Ok(());
        }
        let now = line.at_ms.unwrap_or(self.last);
        if now < self.last {
            let what = format!("goes back: {now} is before {}, the time of the line before", self.last);
            return Err(Refused { field: "at_ms", what });
        }
        self.last = now;
        self.ladder.handle(line.input()?, moment(now));
        Ok(())
    }
}

impl Line {
    fn input(self) -> Result<Input, Refused> {
        let missing = |field, expected: &str| Refused { field, what: format!("is missing: expected {expected}") };
        let event =
            self.event.ok_or_else(|| missing("event", "one of failure, success, tick, judge, loop, pause, reset"))?;
        let reason = self.reason.unwrap_or_else(|| "no reason given".to_owned());
        Ok(match event {
            Event::Failure => Input::Failure(Failure {
                idempotent: self.idempotent.unwrap_or(true),
                retry_after_ms: self.retry_after_ms,
                resets_at: self.resets_at_ms.map(moment),
                step: self.step.map(|step| redact(&step).into_owned()),
                completed_steps: self.completed_steps.unwrap_or_default(),
                message: self.message.map(|message| redact(&message).into_owned()),
                approach: self.approach,
                entry_level: self.entry_level,
                ..Failure::new(self.error_type.ok_or_else(|| missing("error_type", "a name like network_timeout"))?)
            }),
            Event::Success => Input::Success,
            Event::Tick => Input::Tick,
            Event::Judge => Input::Judge(Judge {
                evidence_of_completion: self.evidence_of_completion,
                goal_alignment: self.goal_alignment,
                verdict: self.verdict,
            }),
            Event::Loop => Input::Loop { similar: self.similar.ok_or_else(|| missing("similar", "a number"))? },
            Event::Pause => Input::Pause { reason },
            Event::Reset => Input::Reset { reason },
        })
    }
}

fn moment(ms: u64) -> Timestamp {
    Timestamp::from_ms(i64::try_from(ms).unwrap_or(i64::MAX))
}

/// A transition as JSON has it: times are virtual milliseconds.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Row<'a> {
    /// When it took effect.
    at_ms: i64,
    /// The level before; null when the ladder was idle.
    from: Option<Level>,
    /// The level after; null when the ladder is idle again.
    to: Option<Level>,
    /// What brought it about.
    cause: Cause,
    /// What to do now; null at an end and while paused.
    command: Option<Ask<'a>>,
    /// The task record, for each entry into a level and each end.
    update: Option<&'a TaskUpdate>,
}

impl<'a> Row<'a> {
    fn of(transition: &'a Transition) -> Self {
        let deadline_ms = transition.climb.as_ref().and_then(Climb::deadline).map(Timestamp::ms);
        let command = transition.command().map(|command| Ask::of(command, deadline_ms));
        let Transition { at, from, to, cause, update, .. } = transition;
        Self { at_ms: at.ms(), from: *from, to: *to, cause: *cause, command, update: update.as_ref() }
    }
}

/// A command as JSON has it: times are virtual milliseconds, and each says when the level ends.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Ask<'a> {
    Retry { attempt: u32, not_before_ms: i64, deadline_ms: Option<i64> },
    Nudge { variant: u32, of: u32, deadline_ms: Option<i64> },
    Replan { known_bad: &'a [String], deadline_ms: Option<i64> },
    Fallback { target: &'a Target, deadline_ms: Option<i64> },
    WaitUntil { until_ms: i64, reason: WaitReason, then: Box<Ask<'a>> },
    ForceDone { report: &'a ForceDoneReport },
}

impl<'a> Ask<'a> {
    fn of(command: &'a Command, deadline_ms: Option<i64>) -> Self {
        match command {
            Command::Retry { attempt, not_before } => {
                Self::Retry { attempt: *attempt, not_before_ms: not_before.ms(), deadline_ms }
            }
            Command::Nudge { variant, of } => Self::Nudge { variant: *variant, of: *of, deadline_ms },
            Command::Replan { known_bad } => Self::Replan { known_bad, deadline_ms },
            Command::Fallback { target } => Self::Fallback { target, deadline_ms },
            Command::WaitUntil { until, reason, then } => {
                let then = Box::new(Self::of(then, deadline_ms));
                Self::WaitUntil { until_ms: until.ms(), reason: *reason, then }
            }
            Command::ForceDone { report } => Self::ForceDone { report },
        }
    }
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
    writeln!(out, "{:>15}  {}", clock(moment(script.last)), output::faint(&line))?;
    Ok(())
}

/// Virtual time for people: hours, minutes, seconds.
fn clock(at: Timestamp) -> String {
    let ms = at.ms();
    format!("{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}
