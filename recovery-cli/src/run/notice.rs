//! Our own lines: short, on standard error, clearly ours; or one JSON object a line.

use super::span::Span;
use crate::ledger::RecordRef;
use crate::output::{self, Format};
use recovery_types::ladder::WaitReason;
use recovery_types::{Class, ErrorType, ForceDoneReport, Level, Timestamp};
use serde::Serialize;
use std::io::{IsTerminal as _, Write as _};

/// Something worth a line.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Notice {
    /// An earlier run of this task did not come to its end.
    Continuing {
        /// The task.
        task: String,
        /// Where it stands.
        level: Level,
        /// Which attempt is next.
        attempt: u32,
        /// When the level's time is up.
        deadline: Option<Timestamp>,
    },
    /// An earlier run of this task was killed, and its command still runs; it is ended first.
    LeftBehind {
        /// The task.
        task: String,
        /// Those who run.
        processes: Vec<i32>,
    },
    /// Another run of this task goes on; this one does nothing.
    Busy {
        /// The task.
        task: String,
        /// The process that runs it, where it is known.
        process: Option<u32>,
    },
    /// An earlier run of this task was force-done; this one starts afresh.
    Afresh {
        /// The task.
        task: String,
        /// Why the earlier one failed.
        reason: String,
    },
    /// A command is started.
    Started {
        /// The level; null for the first run.
        level: Option<Level>,
        /// Which attempt at this level.
        attempt: u32,
        /// How many there are.
        of: u32,
        /// The command.
        command: String,
        /// When it is stopped.
        deadline: Option<Timestamp>,
    },
    /// A command ended.
    Ended {
        /// Its exit code; 124 where it was stopped at its deadline.
        exit_code: u8,
        /// How long it ran.
        duration_ms: u64,
        /// Why, where it did not end by itself.
        reason: Option<String>,
    },
    /// A failure was decided about, and that is on record.
    Decided {
        /// What went wrong.
        error_type: Option<ErrorType>,
        /// How far it reaches.
        class: Option<Class>,
        /// The level that follows.
        level: Option<Level>,
        /// Which attempt at this level follows.
        attempt: u32,
        /// How many there are.
        of: u32,
        /// Not before this moment.
        not_before: Option<Timestamp>,
        /// When the level's time is up.
        deadline: Option<Timestamp>,
        /// Levels with nothing configured.
        passed_over: Vec<Level>,
        /// Where it is on record.
        record: Option<RecordRef>,
        /// Whether the level's time is up already, so that another one follows.
        #[serde(skip)]
        time_is_up: bool,
    },
    /// A level's time, or the session's, passed.
    LimitPassed {
        /// The level that follows.
        level: Level,
        /// Levels with nothing configured.
        passed_over: Vec<Level>,
    },
    /// The run takes longer than the level that repeats it allows.
    TooShort {
        /// How long the run took.
        duration_ms: u64,
        /// The level.
        level: Level,
        /// What the level allows.
        limit_ms: u64,
    },
    /// Nothing happens until a moment.
    Waiting {
        /// That moment.
        until: Timestamp,
        /// How long that is.
        ms: u64,
        /// Where it comes from; null for a backoff.
        reason: Option<WaitReason>,
    },
    /// The run is over.
    Finished {
        /// How.
        outcome: Outcome,
        /// Our exit code.
        exit_code: u8,
        /// How many commands were run.
        runs: u32,
        /// The level it ended at.
        level: Option<Level>,
        /// The attempt it ended at.
        attempt: Option<u32>,
        /// The partial result of a force-done run.
        report: Option<ForceDoneReport>,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// It worked the first time.
    Passed,
    /// The same command worked when repeated.
    Flaky,
    /// A variant, a new plan or a fallback worked.
    Recovered,
    /// It failed, and there was nothing to try.
    Failed,
    /// Everything was tried, or the time is up.
    ForceDone,
    /// A reset is waited for, by whoever runs us again.
    Waiting,
    /// A signal stopped it.
    Interrupted,
    /// Whoever reads our output has had enough.
    Unread,
}

/// Whoever hears the notices.
pub(crate) trait Listener {
    /// A notice.
    fn hear(&mut self, notice: &Notice);
    /// A second of a wait has passed.
    fn count_down(&mut self, now: Timestamp, until: Timestamp);
}

/// Standard error.
pub(crate) struct Lines {
    format: Format,
    quiet: bool,
    counts_down: bool,
    counting: bool,
}

impl Lines {
    /// Lines in `format`, or none.
    pub fn new(format: Format, quiet: bool) -> Self {
        let counts_down = !quiet && format == Format::Text && std::io::stderr().is_terminal();
        Self { format, quiet, counts_down, counting: false }
    }
}

impl Listener for Lines {
    fn hear(&mut self, notice: &Notice) {
        // Whether anyone reads our lines must not change what happens to the command.
        let mut err = anstream::stderr().lock();
        if std::mem::take(&mut self.counting) {
            let _ = write!(err, "\r\x1b[K");
        }
        if self.quiet {
            return;
        }
        match self.format {
            Format::Json => {
                let _ = output::json_line(&mut err, notice);
            }
            Format::Text => {
                if let Some(text) = text(notice) {
                    let _ = writeln!(err, "{} {text}", output::faint("recovery:"));
                }
            }
        }
    }

    fn count_down(&mut self, now: Timestamp, until: Timestamp) {
        if self.counts_down {
            let left = Span(until.since(now).div_ceil(1000) * 1000);
            let _ = write!(anstream::stderr().lock(), "\r{} {left} … \x1b[K", output::faint("recovery:"));
            self.counting = true;
        }
    }
}

/// The notice for people; none where the command's own output says it all.
fn text(notice: &Notice) -> Option<String> {
    let line = |text: &str| output::one_line(text, 200);
    Some(match notice {
        Notice::Continuing { task, level, attempt, .. } => format!(
            "continuing {} at level {} ({} {attempt}); `recovery reset` starts it afresh",
            line(task),
            level.number(),
            level.action()
        ),
        Notice::LeftBehind { processes, .. } => {
            let numbers: Vec<String> = processes.iter().map(i32::to_string).collect();
            let those = if numbers.len() == 1 { "process" } else { "processes" };
            format!("the last run was killed and left its command running ({those} {}); ending it", numbers.join(", "))
        }
        Notice::Busy { task, process } => {
            let who = process.map_or("another process".to_owned(), |number| format!("process {number}"));
            format!(
                "{} {who} is running {}; wait for it, or give this run a task of its own with --task",
                output::bad("busy:"),
                line(task)
            )
        }
        Notice::Afresh { reason, .. } => format!("starting afresh; the last run was force-done: {}", line(reason)),
        Notice::Started { level: None, .. } => return None,
        Notice::Started { level: Some(level), attempt, of, command, .. } => {
            format!("{} {attempt} of {of}: {}", level.action(), output::strong(&line(command)))
        }
        Notice::Ended { reason, .. } => line(reason.as_ref()?),
        Notice::Decided { time_is_up: true, .. } => return None,
        Notice::Decided { error_type, class, level, attempt, of, passed_over, .. } => {
            let what = error_type.map_or("the judge was not content".to_owned(), |error| error.to_string());
            let class = class.map(|class| format!(" ({class:?})")).unwrap_or_default();
            let then = match level {
                Some(Level::ForceDone) => "nothing left to try".to_owned(),
                Some(level) => format!("{} {attempt} of {of}", level.action()),
                None => "someone else has to decide".to_owned(),
            };
            format!("{}{class}; {}{then}", output::bad(&what), skipped(passed_over))
        }
        Notice::LimitPassed { level, passed_over } => {
            format!("time is up; {}on to level {} ({})", skipped(passed_over), level.number(), level.action())
        }
        Notice::TooShort { duration_ms, level, limit_ms } => format!(
            "that run took {}, and level {} allows {}: --limit {}=TIME gives it more",
            Span(*duration_ms),
            level.number(),
            Span(*limit_ms),
            level.action()
        ),
        Notice::Waiting { until, ms, reason } => match reason {
            None => format!("waiting {}", Span(*ms)),
            Some(WaitReason::RetryAfter) => format!("waiting {}, as the server asked, until {until}", Span(*ms)),
            Some(WaitReason::QuotaReset) => format!("waiting {}, until the quota is renewed at {until}", Span(*ms)),
        },
        Notice::Finished { outcome, runs, level, attempt, exit_code, report } => {
            let at = level.zip(*attempt).map(|(level, attempt)| format!("{} {attempt}", level.action()));
            match outcome {
                Outcome::Passed | Outcome::Unread => return None,
                Outcome::Flaky => format!("{} it worked at {}", output::good("flaky:"), at?),
                Outcome::Recovered => format!("{} by {}", output::good("recovered"), at?),
                Outcome::Failed => {
                    format!("{} with exit code {exit_code}{}", output::bad("failed"), explained(report.as_ref()))
                }
                Outcome::ForceDone => {
                    let times = if *runs == 1 { "run" } else { "runs" };
                    format!("{} after {runs} {times}{}", output::bad("force-done"), explained(report.as_ref()))
                }
                Outcome::Waiting => "leaving; run the same command again then, and it goes on from here".to_owned(),
                Outcome::Interrupted if level.is_none() => "interrupted".to_owned(),
                Outcome::Interrupted => "interrupted; the next run goes on from here".to_owned(),
            }
        }
    })
}

fn skipped(levels: &[Level]) -> String {
    match levels {
        [] => String::new(),
        levels => {
            let names: Vec<&str> = levels.iter().map(|level| level.action()).collect();
            format!("no {} configured; ", names.join(", no "))
        }
    }
}

fn explained(report: Option<&ForceDoneReport>) -> String {
    let Some(report) = report else { return String::new() };
    let row = |name: &str, text: &str| {
        format!("\n{} {} {}", output::faint("recovery:"), output::faint(name), output::one_line(text, 400))
    };
    let path: Vec<String> = report.escalation_path.iter().map(|level| level.action().to_owned()).collect();
    [
        row("why   ", &report.failure_reason),
        row("where ", &report.failed_at),
        row("done  ", &report.completed_steps.join("; ")),
        row("levels", &path.join(" > ")),
        row("next  ", &report.recommendation),
    ]
    .concat()
}
