//! `recovery decide`: the whole decision for one event of a task, durable before it is printed.
//!
//! In: output, an event or one event per line. Out: a [`Recorded`] each. With `--ndjson` decisions are stored by group
//! commit, at most `MAX_GROUP_TIME` long, because a sync takes longer than many decisions. `recovery-engine` makes them.

use crate::cli::Global;
use crate::git::Repo;
use crate::input::{InputArgs, Source};
use crate::ledger::task_named;
use crate::output::{self, Warned};
use crate::{answer as words, clock, ndjson};
use anyhow::Context as _;
use recovery_engine::reconcile::Verb;
use recovery_engine::{Engine, TaskState, admit};
use recovery_service::events::{self, Observation};
use recovery_service::{Question, Recorded, Service, Setup};
use recovery_store::{MemoryJournal, StoreError, TaskId};
use recovery_types::{Diagnosis, FailureEvent, RepoPath, Timestamp};
use serde::Serialize;
use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    #[command(flatten)]
    input: InputArgs,
    /// Append what was decided to this file, as JSON lines (`recovery schema observation`)
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    events: Option<PathBuf>,
    /// Decide, but record nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let setup = global.setup()?;
    let engine = setup.engine.clone();
    let mut asked = Asked { args, global, setup, service: None, group: None };
    let source = Source::open(args.file.as_deref())?.since(args.input.baseline.as_deref())?;
    if args.input.ndjson {
        let asked = RefCell::new(asked);
        let answers = GroupedAnswers { asked: &asked, out: output::stdout(), pending: Vec::new() };
        return ndjson::each_line(source, answers, |event: FailureEvent| {
            let mut asked = asked.borrow_mut();
            let task = match asked.task(&event) {
                Ok(task) => task,
                Err(error) => return Ok(Err(error.to_string())),
            };
            let question = asked.question(&task, event, None)?;
            Ok(Ok(asked.answer_in_group(&task, question)?))
        });
    }
    let mut warnings = Vec::new();
    let (event, observed) = if args.input.event {
        let (event, unread) = source.json::<FailureEvent>()?;
        warnings = unread;
        (event, None)
    } else {
        match raw_event(&engine, args, source)? {
            Raw::Failure(failure) => *failure,
            Raw::NoFailure { next } => return not_a_failure(global, next),
        }
    };
    let task = asked.task(&event)?;
    let question = asked.question(&task, event, observed)?;
    let output_kept = question.event.stderr_tail.clone();
    let recorded = asked.answer(&task, question)?;
    let warned = Warned { answer: recorded, warnings };
    output::show(global.format, &warned, |out| {
        output::warn_each(&warned.warnings);
        text(out, &warned.answer, &output_kept, global.verbose)
    })
}

/// What stays the same from one event to the next.
struct Asked<'a> {
    args: &'a Args,
    global: &'a Global,
    setup: Setup,
    /// Opened when the first decision has to be recorded.
    service: Option<Service>,
    /// The decisions that are not stored yet.
    group: Option<Group>,
}

/// Decisions that one commit stores: each sync of the disk takes longer than many decisions.
struct Group {
    began: Instant,
    observations: Vec<Observation>,
}

/// How long a group holds the journal: a hook waits for it less than it waits anyway.
const MAX_GROUP_TIME: Duration = Duration::from_millis(100);

/// The answers of a group, printed after the commit that holds their decisions. Flushing stores and prints what there is.
struct GroupedAnswers<'a, 'b, W: Write> {
    asked: &'a RefCell<Asked<'b>>,
    out: W,
    pending: Vec<u8>,
}

impl<W: Write> Write for GroupedAnswers<'_, '_, W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        let is_due = self.asked.borrow().group.as_ref().is_some_and(|group| group.began.elapsed() > MAX_GROUP_TIME);
        if is_due && bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let answers = std::mem::take(&mut self.pending);
        // What could not be stored is not answered.
        self.asked.borrow_mut().commit().map_err(|error| std::io::Error::other(format!("{error:#}")))?;
        self.out.write_all(&answers)?;
        self.out.flush()
    }
}

impl<W: Write> Drop for GroupedAnswers<'_, '_, W> {
    /// What was decided before an error is stored and answered all the same.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

impl Asked<'_> {
    /// The task an event belongs to; its name may be one that the journal refuses.
    fn task(&self, event: &FailureEvent) -> Result<TaskId, StoreError> {
        let named = self.args.task.as_deref().or_else(|| event.node.as_ref().map(|node| node.id.as_str()));
        task_named(named.unwrap_or(DEFAULT_TASK))
    }

    fn question(
        &self,
        task: &TaskId,
        mut event: FailureEvent,
        observed: Option<Diagnosis>,
    ) -> anyhow::Result<Question> {
        if event.node.is_some() && event.exit_code != 0 {
            let state = match &self.service {
                Some(service) => service.ledger.state(task)?,
                None => match Service::open_known(self.setup.clone())? {
                    Some(service) => service.ledger.state(task)?,
                    None => TaskState::default(),
                },
            };
            if let Some(since) = recovery_service::revisions::since(&event, &state) {
                recovery_service::revisions::add(&mut event, &revisions(self.global, since));
            }
        }
        event.approach = event.approach.or_else(|| self.args.approach.clone());
        event.zone = event.zone.or_else(clock::zone);
        super::add_names(&mut event);
        let question = Question { observed, ..Question::new(event) };
        warn_of_patterns(&question.event);
        Ok(question)
    }

    fn answer(&mut self, task: &TaskId, question: Question) -> anyhow::Result<Recorded> {
        if self.args.dry_run {
            return Ok(match Service::open_known(self.setup.clone())? {
                Some(service) => service.preview(task, question)?,
                None => {
                    let nothing = Service::with_journal(self.setup.clone(), MemoryJournal::default(), clock::now());
                    nothing.preview(task, question)?
                }
            });
        }
        let recorded = self.service()?.decide(task, question)?;
        if recorded.new {
            self.observe(events::of(&recorded.decision))?;
        }
        Ok(recorded)
    }

    /// As [`Asked::answer`]; the answer may be given once [`Asked::commit`] has stored it.
    fn answer_in_group(&mut self, task: &TaskId, question: Question) -> anyhow::Result<Recorded> {
        if self.group.is_none() && !self.args.dry_run {
            self.service()?.begin_group()?;
            self.group = Some(Group { began: Instant::now(), observations: Vec::new() });
        }
        self.answer(task, question)
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        let Some(Group { observations, .. }) = self.group.take() else { return Ok(()) };
        self.service()?.commit_group()?;
        self.observe(observations)
    }

    fn observe(&mut self, observations: Vec<Observation>) -> anyhow::Result<()> {
        match (&mut self.group, &self.args.events) {
            (Some(group), Some(_)) => group.observations.extend(observations),
            (None, Some(path)) if !observations.is_empty() => {
                events::append(path, &observations).with_context(|| format!("cannot append to {}", path.display()))?
            }
            _ => {}
        }
        Ok(())
    }

    fn service(&mut self) -> anyhow::Result<&mut Service> {
        if self.service.is_none() {
            self.global.written_state_dir()?;
        }
        Ok(match &mut self.service {
            Some(service) => service,
            none => none.insert(Service::open(self.setup.clone())?),
        })
    }
}

/// The files of each commit of the project since then; none outside a repository.
pub(crate) fn revisions(global: &Global, since: Timestamp) -> Vec<Vec<RepoPath>> {
    let listed = || -> anyhow::Result<_> { Ok(Repo::at(&global.root()?)?.revisions(since)?) };
    listed().unwrap_or_default()
}

/// Warns about constraints that cannot be parsed, because they protect nothing.
pub(crate) fn warn_of_patterns(event: &FailureEvent) {
    for bad in event.ancestor.iter().flat_map(classifier_core::unreadable_patterns) {
        eprintln!(
            "recovery: warning: {}",
            output::one_line(&format!("{}: {:?} matches nothing: {}", bad.place, bad.pattern, bad.why), 200)
        );
    }
}

/// An output that shows no failure, of a command whose exit code is not known: nothing is decided and nothing recorded.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct NoFailure {
    /// Always false.
    failure: bool,
    /// Always null: nothing was recorded.
    record: Option<()>,
}

fn not_a_failure(global: &Global, next: &str) -> anyhow::Result<u8> {
    output::show(global.format, &NoFailure { failure: false, record: None }, |out| {
        writeln!(out, "{}, nothing recorded", output::good("No failure seen"))?;
        Ok(writeln!(out, "{}  {}", output::faint("next"), next)?)
    })
}

/// The output of a command.
enum Raw {
    Failure(Box<(FailureEvent, Option<Diagnosis>)>),
    /// No exit code is known, and the output shows no failure.
    NoFailure {
        next: &'static str,
    },
}

/// Diagnoses all of a log and keeps its end.
fn raw_event(engine: &Engine, args: &Args, source: Source) -> anyhow::Result<Raw> {
    let (observer, failed) = source.observe_outcome(engine, args.input.exit_code, args.input.tool.as_deref())?;
    if args.input.exit_code.is_none() && !failed {
        return Ok(Raw::NoFailure { next: super::classify::no_exit_code(&String::from_utf8_lossy(observer.last())) });
    }
    let event = FailureEvent {
        tool: args.input.tool.clone(),
        exit_code: args.input.exit_code.unwrap_or(1),
        stderr_tail: String::from_utf8_lossy(observer.last()).into_owned(),
        zone: clock::zone(),
        ..FailureEvent::default()
    };
    if observer.whole().is_some() {
        return Ok(Raw::Failure(Box::new((event, None))));
    }
    let observed = engine.assess_observed(&admit(event.clone()), observer, clock::now());
    Ok(Raw::Failure(Box::new((event, observed.map(|assessed| assessed.diagnosis)))))
}

fn text(out: &mut impl Write, recorded: &Recorded, text: &str, verbose: bool) -> anyhow::Result<()> {
    let decision = &recorded.decision;
    match &decision.diagnosis {
        Some(kind) => {
            let mut answer = words::FailureAnswer::of_decision(decision, kind, text);
            match decision.next.verb {
                Verb::ForceDone => {
                    let close = format!("recovery resolve {}", words::shell_word(&decision.task));
                    answer.next = format!("{}; once it works: {close}", answer.next);
                }
                _ => {
                    let next = words::within_sentence(&words::next_of(decision));
                    answer.next = output::one_line(next.trim_end_matches('.'), 400);
                }
            }
            output::answer(out, &answer)?;
        }
        None => writeln!(out, "{}", output::strong(&output::one_line(&decision.next.sentence, 400)))?,
    }
    let task = output::printable(&decision.task);
    match &recorded.record {
        Some(record) => writeln!(out, "{}  {task}, record {}", output::faint("task"), record.seq)?,
        None => writeln!(out, "{}  {task}, nothing recorded (dry run)", output::faint("task"))?,
    }
    if verbose {
        if let (Some(class), Some(kind)) = (&decision.classification, &decision.diagnosis) {
            super::classify::internals(out, class, kind)?;
        }
        if let Some(level) = decision.ladder.level {
            let attempt = decision.ladder.attempt.unwrap_or(1);
            let until = decision.ladder.deadline.map(|at| format!(", until {at}")).unwrap_or_default();
            let action = level.action();
            writeln!(out, "{} level {} ({action}), attempt {attempt}{until}", output::faint("stage"), level.number())?;
        }
        if let Some(directive) = decision.repair.as_ref().and_then(|repair| repair.directive.as_ref()) {
            writeln!(out, "{} {}", output::faint("step "), output::one_line(directive, 200))?;
        }
        if let Some(record) = &recorded.record {
            writeln!(out, "{} {}", output::faint("hash "), record.hash)?;
        }
    }
    Ok(())
}
