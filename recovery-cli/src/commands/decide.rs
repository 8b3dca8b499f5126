//! `recovery decide`: the whole decision for one event of a task, durable before it is printed.

use crate::cli::Global;
use crate::input::Source;
use crate::ledger::task_named;
use crate::output::{self, Format};
use crate::{clock, exit, ndjson};
use recovery_engine::{Engine, admit};
use recovery_service::{Question, Recorded, Service, Setup};
use recovery_store::{MemoryJournal, StoreError, TaskId};
use recovery_types::{Diagnosis, FailureEvent};
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
    #[arg(long, help = ndjson::HELP, conflicts_with_all = ["event", "exit_code", "tool"])]
    ndjson: bool,
    /// Decide, but record nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let setup = global.setup()?;
    let engine = setup.engine.clone();
    let mut asked = Asked { args, setup, service: None };
    let source = Source::open(args.file.as_deref())?;
    let mut out = output::stdout();
    if args.ndjson {
        return ndjson::each_line(source, out, |event: FailureEvent| {
            let task = match asked.task(&event) {
                Ok(task) => task,
                Err(error) => return Ok(Err(error.to_string())),
            };
            Ok(Ok(asked.answer(&task, event, None)?))
        });
    }
    let (event, observed) =
        if args.event { (source.json::<FailureEvent>()?, None) } else { raw_event(&engine, args, source)? };
    let task = asked.task(&event)?;
    let recorded = asked.answer(&task, event, observed)?;
    match global.format {
        Format::Json => output::json_line(&mut out, &recorded)?,
        Format::Text => text(&mut out, &recorded)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// What stays the same from one event to the next.
struct Asked<'a> {
    args: &'a Args,
    setup: Setup,
    /// Opened when the first decision has to be recorded.
    service: Option<Service>,
}

impl Asked<'_> {
    /// The task an event belongs to; its name may be one that the journal refuses.
    fn task(&self, event: &FailureEvent) -> Result<TaskId, StoreError> {
        let named = self.args.task.as_deref().or_else(|| event.node.as_ref().map(|node| node.id.as_str()));
        task_named(named.unwrap_or(DEFAULT_TASK))
    }

    fn answer(
        &mut self,
        task: &TaskId,
        mut event: FailureEvent,
        observed: Option<Diagnosis>,
    ) -> anyhow::Result<Recorded> {
        event.approach = event.approach.or_else(|| self.args.approach.clone());
        event.zone = event.zone.or_else(clock::zone);
        let question = Question { observed, ..Question::new(event) };
        warn_of_patterns(&question.event);
        if self.args.dry_run {
            return Ok(match Service::open_existing(self.setup.clone())? {
                Some(service) => service.preview(task, question)?,
                None => {
                    let nothing = Service::with(self.setup.clone(), MemoryJournal::default(), clock::now());
                    nothing.preview(task, question)?
                }
            });
        }
        let service = match &mut self.service {
            Some(service) => service,
            none => none.insert(Service::open(self.setup.clone())?),
        };
        Ok(service.decide(task, question)?)
    }
}

/// A constraint that cannot be read protects nothing; whoever wrote it should hear of it.
pub(crate) fn warn_of_patterns(event: &FailureEvent) {
    for bad in event.ancestor.iter().flat_map(classifier_core::unreadable_patterns) {
        eprintln!(
            "recovery: warning: {}",
            output::one_line(&format!("{}: {:?} matches nothing: {}", bad.place, bad.pattern, bad.why), 200)
        );
    }
}

/// Reads a log of any size in constant memory: all of it is diagnosed, its end is kept.
fn raw_event(engine: &Engine, args: &Args, source: Source) -> anyhow::Result<(FailureEvent, Option<Diagnosis>)> {
    let observer = source.observe(engine)?;
    let event = FailureEvent {
        tool: args.tool.clone(),
        exit_code: args.exit_code,
        stderr_tail: String::from_utf8_lossy(observer.last()).into_owned(),
        zone: clock::zone(),
        ..FailureEvent::default()
    };
    if observer.whole().is_some() {
        return Ok((event, None));
    }
    let observed = engine.assess_observed(&admit(event.clone()), observer, clock::now());
    Ok((event, observed.map(|assessed| assessed.diagnosis)))
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
        Some(place) => writeln!(
            out,
            "{} {} #{} {}",
            output::faint("record"),
            output::one_line(&decision.task, 80),
            place.seq,
            &place.hash[..12]
        )?,
        None => writeln!(out, "{} nothing (dry run)", output::faint("record"))?,
    }
    Ok(())
}
