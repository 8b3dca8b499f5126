//! What `recovery run` prints: short lines on standard error that are clearly ours, or one JSON object per line.

use crate::output::{self, Format};
use recovery_run::notice::{Listener, Notice, Outcome};
use recovery_run::span::Span;
use recovery_types::ladder::WaitReason;
use recovery_types::{ForceDoneReport, Level, Timestamp};
use std::io::{IsTerminal as _, Write as _};

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
        Notice::OrphanedRun { processes, .. } => {
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
        Notice::Unrecorded { reason } => format!("nothing of this run is recorded: {}", line(reason)),
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
        _ => return None,
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
