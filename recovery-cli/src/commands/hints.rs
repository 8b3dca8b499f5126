//! `recovery hints`: what was tried, what to try differently, what is known of such errors.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::{Ledger, task_named};
use crate::output::{self, Format};
use crate::{clock, exit, notes};
use recovery_engine::{Engine, TaskState};
use recovery_store::TaskId;
use recovery_types::Timestamp;
use recovery_types::ladder::Command;
use serde::Serialize;
use std::io::Write as _;
use std::path::Path;

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery hints login\n  recovery hints login --format json"
)]
pub(crate) struct Args {
    /// The task
    task: String,
}

/// What to know before the next attempt.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
pub(crate) struct Hints {
    /// The task.
    pub task: String,
    /// What was tried, oldest first, with what went wrong.
    pub tried: Vec<String>,
    /// What to do differently.
    pub instead: Vec<String>,
    /// What issues.md and learnings.md say about it.
    pub known: Vec<String>,
}

impl Hints {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.tried.is_empty() && self.instead.is_empty() && self.known.is_empty()
    }

    /// What is known of `task` at `now`.
    pub fn of(engine: &Engine, memory_dir: &Path, task: &TaskId, state: &TaskState, now: Timestamp) -> Self {
        let tried = state.attempts.iter().map(|attempt| {
            let what = if attempt.stated { attempt.approach.as_str() } else { attempt.action.as_deref().unwrap_or("") };
            let what = if what.is_empty() { "an attempt without a description" } else { what };
            format!("{}: {}", output::one_line(what, 120), attempt.error_type)
        });
        let ladder = engine.ladder_at(task.as_str(), state, now);
        let mut instead: Vec<String> =
            state.repairs.last().map(|repair| output::one_line(&repair.approach, 200)).into_iter().collect();
        match &ladder.command {
            Some(Command::Replan { .. }) => {
                instead.push("a new approach; the ones above are known not to work".to_owned())
            }
            Some(Command::Fallback { .. }) => instead.push("another agent or model".to_owned()),
            Some(Command::ForceDone { report }) => instead.push(report.recommendation.clone()),
            Some(Command::WaitUntil { until, .. }) => {
                instead.push(format!("nothing before {until}: the server asked to wait"))
            }
            Some(Command::Retry { .. } | Command::Nudge { .. }) | None => {}
        }
        let error = state.attempts.last().map_or("", |attempt| attempt.error_type.name());
        let mut known = notes::recall(memory_dir, "issues.md", task.as_str(), error);
        known.extend(notes::recall(memory_dir, "learnings.md", task.as_str(), error));
        known.truncate(5);
        Self { task: task.as_str().to_owned(), tried: tried.collect(), instead, known }
    }
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let task = task_named(&args.task)?;
    let state = match Ledger::open_existing(&global.state_dir()?, recovery_store::DEFAULT_WAIT)? {
        Some(ledger) => ledger.state(&task)?,
        None => TaskState::default(),
    };
    let hints = Hints::of(&global.engine()?, &global.memory_dir()?, &task, &state, clock::now());
    if hints.is_empty() && state.last_at.is_none() {
        return Ok(no_such(&task));
    }
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(&mut out, &hints)?,
        Format::Text if hints.is_empty() => writeln!(out, "nothing is known of {}", output::printable(task.as_str()))?,
        Format::Text => {
            for (title, lines) in [("tried", &hints.tried), ("try instead", &hints.instead), ("known", &hints.known)] {
                if !lines.is_empty() {
                    writeln!(out, "{}", output::strong(title))?;
                    for line in lines {
                        writeln!(out, "  - {}", output::printable(line).replace('\n', "\n    "))?;
                    }
                }
            }
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}
