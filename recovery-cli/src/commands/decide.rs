//! `recovery decide`: the whole decision for one event of a task, durable before it is printed.

use super::classify::BadLine;
use crate::cli::Global;
use crate::input::{self, Source};
use crate::ledger::{Ledger, Question, Recorded};
use crate::output::{self, Format};
use crate::{clock, exit, git, memory};
use recovery_engine::{Engine, admit};
use recovery_store::TaskId;
use recovery_types::FailureEvent;
use std::io::Write;
use std::path::PathBuf;

/// The task of events that name none.
const DEFAULT_TASK: &str = "default";

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  npm test 2>&1 | recovery decide --task login --exit-code 1\n  \
    recovery decide --task login --approach 'mock the clock' test.log\n  \
    recovery decide --event --format json < event.json\n  \
    recovery decide --dry-run --task login test.log")]
pub(crate) struct Args {
    /// The failed command's output, or JSON with --event or --ndjson; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The task it belongs to [default: the event's node, else `default`]
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// What was being tried, in your words
    #[arg(long, value_name = "TEXT")]
    approach: Option<String>,
    /// The failed command's exit code
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    exit_code: i64,
    /// The tool that failed
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Read one failure event as JSON
    #[arg(long, conflicts_with_all = ["exit_code", "tool"])]
    event: bool,
    /// Read one event a line, write one answer a line
    #[arg(long, conflicts_with_all = ["event", "exit_code", "tool"])]
    ndjson: bool,
    /// Decide, but record nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let mut desk = Desk::open(&engine, args, global)?;
    let source = Source::open(args.file.as_deref())?;
    let mut out = output::stdout();
    if args.ndjson {
        return each_line(desk, source, out);
    }
    let event = if args.event { source.json::<FailureEvent>()? } else { raw_event(args, source)? };
    let recorded = desk.answer(event)?;
    match global.format {
        Format::Json => output::json_line(&mut out, &recorded)?,
        Format::Text => text(&mut out, &recorded)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// Where events are answered: everything that stays the same from one to the next.
struct Desk<'a> {
    engine: &'a Engine,
    args: &'a Args,
    state_dir: PathBuf,
    memory_dir: PathBuf,
    head: Option<String>,
    ledger: Option<Ledger>,
}

impl<'a> Desk<'a> {
    fn open(engine: &'a Engine, args: &'a Args, global: &Global) -> anyhow::Result<Self> {
        Ok(Self {
            engine,
            args,
            state_dir: global.state_dir()?,
            memory_dir: global.memory_dir()?,
            head: git::head(&global.root()?),
            ledger: None,
        })
    }

    fn answer(&mut self, mut event: FailureEvent) -> anyhow::Result<Recorded> {
        event.approach = event.approach.or_else(|| self.args.approach.clone());
        event.zone = event.zone.or_else(clock::zone);
        let named = self.args.task.as_deref().or_else(|| event.node.as_ref().map(|node| node.id.as_str()));
        let task = TaskId::new(named.unwrap_or(DEFAULT_TASK))?;
        let question = Question { event: admit(event), observed: None, head: self.head.clone() };
        if self.args.dry_run {
            return self.dry(&task, question);
        }
        let ledger = match &mut self.ledger {
            Some(ledger) => ledger,
            none => none.insert(Ledger::open(&self.state_dir, recovery_store::DEFAULT_WAIT)?),
        };
        let recorded = ledger.decide(self.engine, &task, question, clock::now())?;
        memory::append(&self.memory_dir, &recorded.decision.transitions)?;
        Ok(recorded)
    }

    /// The decision that would be made, from the task's real state, without a record.
    fn dry(&self, task: &TaskId, question: Question) -> anyhow::Result<Recorded> {
        let known = Ledger::open_existing(&self.state_dir, recovery_store::DEFAULT_WAIT)?;
        let state = known.map(|ledger| ledger.state(task)).transpose()?.unwrap_or_default();
        let decision =
            self.engine.decide(task.as_str(), &state, &question.event, question.observed.as_ref(), clock::now());
        Ok(Recorded { decision, record: None })
    }
}

fn raw_event(args: &Args, source: Source) -> anyhow::Result<FailureEvent> {
    let tail = source.tail()?;
    Ok(FailureEvent {
        tool: args.tool.clone(),
        exit_code: args.exit_code,
        stderr_tail: String::from_utf8_lossy(&tail).into_owned(),
        ..FailureEvent::default()
    })
}

fn each_line(mut desk: Desk<'_>, source: Source, mut out: impl Write) -> anyhow::Result<u8> {
    source.lines(|number, line| match line.and_then(input::parse::<FailureEvent>) {
        Ok(event) => {
            let recorded = desk.answer(event)?;
            output::json_line(&mut out, &recorded)
        }
        Err(problem) => output::json_line(&mut out, &BadLine { error: problem.within_line(), line: number }),
    })?;
    out.flush()?;
    Ok(exit::DONE)
}

/// The decision for people.
pub(crate) fn text(out: &mut impl Write, recorded: &Recorded) -> anyhow::Result<()> {
    let decision = &recorded.decision;
    writeln!(out, "{}", output::strong(&output::one_line(&decision.next.sentence, 400)))?;
    if let (Some(class), Some(kind)) = (&decision.classification, &decision.diagnosis) {
        writeln!(
            out,
            "{} {} / {}, {:?} {}, confidence {}",
            output::faint("what  "),
            kind.failure_type.name(),
            kind.error_type,
            class.class,
            class.name,
            class.confidence
        )?;
    }
    if let Some(level) = decision.ladder.level {
        let attempt = decision.ladder.attempt.unwrap_or(1);
        let until = decision.ladder.deadline.map(|at| format!(", until {at}")).unwrap_or_default();
        writeln!(
            out,
            "{} level {} {}, attempt {attempt}{until}",
            output::faint("ladder"),
            level.number(),
            level.action()
        )?;
    }
    if let Some(directive) = decision.repair.as_ref().and_then(|repair| repair.directive.as_ref()) {
        writeln!(out, "{} {}", output::faint("repair"), output::one_line(directive, 200))?;
    }
    match &recorded.record {
        Some(place) => {
            writeln!(out, "{} {} #{} {}", output::faint("record"), decision.task, place.seq, &place.hash[..12])?
        }
        None => writeln!(out, "{} nothing (dry run)", output::faint("record"))?,
    }
    Ok(())
}
