//! `recovery status`: where each task stands.

use crate::cli::Global;
use crate::ledger::{Ledger, task_named};
use crate::output::{self, Format};
use crate::{clock, exit};
use recovery_engine::{Engine, LadderView, TaskState};
use recovery_store::TaskId;
use recovery_types::Timestamp;
use serde::Serialize;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery status\n  recovery status login --format json"
)]
pub(crate) struct Args {
    /// One task; without it all of them
    task: Option<String>,
}

/// Where a task stands.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Status {
    /// The task.
    pub task: String,
    /// `ok`, `failing`, `stuck` or `resolved`.
    pub state: &'static str,
    /// Failures since it last worked.
    pub failures: u32,
    /// Failures ever.
    pub failures_ever: u32,
    /// How often it worked after having failed: flaky, or mended.
    pub recoveries: u32,
    /// Where the ladder stands now.
    pub ladder: LadderView,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// The last commit known to be good.
    pub good_commit: Option<String>,
    /// When anything last happened.
    pub last_at: Option<Timestamp>,
}

impl Status {
    /// The status of `task` at `now`.
    pub fn of(engine: &Engine, task: &TaskId, state: &TaskState, now: Timestamp) -> Self {
        let ladder = engine.ladder_at(task.as_str(), state, now);
        let word = match ladder.level {
            Some(recovery_types::Level::ForceDone) => "stuck",
            _ if state.is_stuck() => "stuck",
            Some(_) => "failing",
            None if state.resolved => "resolved",
            None if state.failures > 0 => "failing",
            None => "ok",
        };
        Self {
            task: task.as_str().to_owned(),
            state: word,
            failures: state.failures,
            failures_ever: state.failures_ever,
            recoveries: state.recoveries,
            ladder,
            last_error: state.attempts.last().map(|attempt| attempt.error_type.name().to_owned()),
            good_commit: state.good_commit.clone(),
            last_at: state.last_at,
        }
    }
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let task = args.task.as_deref().map(task_named).transpose()?;
    let statuses = statuses(global, task.as_ref())?;
    if let (Some(task), true) = (task, statuses.is_empty()) {
        return Ok(no_such(&task));
    }
    show(global, &statuses, "no task has failed here yet")?;
    Ok(exit::DONE)
}

/// Says that the journal does not know `task`, and gives the exit code for that.
pub(crate) fn no_such(task: &TaskId) -> u8 {
    anstream::eprintln!("no task is called {}; `recovery status` lists them", output::printable(task.as_str()));
    exit::NO
}

/// The status of one task or of all; tasks that the journal does not know have none.
pub(crate) fn statuses(global: &Global, only: Option<&TaskId>) -> anyhow::Result<Vec<Status>> {
    let Some(ledger) = Ledger::open_existing(&global.state_dir()?, recovery_store::DEFAULT_WAIT)? else {
        return Ok(Vec::new());
    };
    let engine = global.engine()?;
    let now = clock::now();
    let tasks = ledger.tasks()?;
    let wanted = tasks.iter().filter(|(task, _)| only.is_none_or(|only| only == task));
    Ok(wanted.map(|(task, state)| Status::of(&engine, task, state, now)).collect())
}

/// A line a task, or a JSON object a line.
pub(crate) fn show(global: &Global, statuses: &[Status], none: &str) -> anyhow::Result<()> {
    let mut out = output::stdout();
    match global.format {
        Format::Json => statuses.iter().try_for_each(|status| output::json_line(&mut out, status))?,
        Format::Text if statuses.is_empty() => writeln!(out, "{none}")?,
        Format::Text => {
            for status in statuses {
                let word = match status.state {
                    "stuck" => output::bad(status.state),
                    "failing" => output::strong(status.state),
                    _ => output::good(status.state),
                };
                let level = status.ladder.level.map(|l| format!(", level {} {}", l.number(), l.action()));
                let error = status.last_error.as_ref().map(|error| format!(", {error}"));
                writeln!(
                    out,
                    "{:30} {word}, {} failure{}{}{}",
                    output::one_line(&status.task, 60),
                    status.failures,
                    if status.failures == 1 { "" } else { "s" },
                    error.unwrap_or_default(),
                    level.unwrap_or_default()
                )?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
