//! What `recovery run` prints: short lines on standard error that are clearly ours, or one JSON object per line.
//!
//! On a terminal a wait counts down; elsewhere the remaining time is printed every minute. On GitHub each further attempt
//! is a group that folds, what was decided is an annotation, and the end goes to the job's summary.

use crate::answer::{self, FailureAnswer, counted};
use crate::output::{self, Format};
use recovery_agents::{Call, Outcome, is_benign};
use recovery_engine::Decision;
use recovery_engine::reconcile::Verb;
use recovery_run::notice::{Listener, Notice, RunOutcome};
use recovery_run::span::Span;
use recovery_types::ladder::{Command, WaitReason};
use recovery_types::{Cooldown, CooldownState, Diagnosis, ErrorType, Level, Timestamp};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

/// How often a wait is mentioned where nothing counts down.
const REMINDER_INTERVAL_MS: u64 = 60_000;

/// Standard error.
pub(super) struct Lines {
    format: Format,
    quiet: bool,
    verbose: bool,
    counts_down: bool,
    /// Whether the last line is a countdown.
    counting: bool,
    /// When a wait was last mentioned.
    mentioned: Option<Timestamp>,
    github: Option<GitHub>,
    /// What was decided last, and the output that it is about.
    last: Option<(Box<Decision>, String)>,
    /// What the line before has stated already.
    stated: Stated,
    /// The branch that holds the progress, where it was committed.
    branch: Option<String>,
    /// What was run first.
    command: String,
}

/// What a line has stated, so that the next one does not.
#[derive(Clone, Copy, Default)]
struct Stated {
    /// Why the command ended.
    end: bool,
    /// How long is waited, and why.
    wait: bool,
}

/// A job of GitHub Actions.
#[derive(Default)]
struct GitHub {
    summary: Option<PathBuf>,
    /// The task's name, where one was given: it says more than the command of a script that was made for the job.
    task: Option<String>,
    /// What was run first.
    command: String,
    in_group: bool,
}

impl Lines {
    /// `task` is the name that was given to the task, if any.
    pub fn new(format: Format, quiet: bool, verbose: bool, task: Option<&str>) -> Self {
        let is = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "false");
        let plain = !quiet && format == Format::Text;
        let github = (plain && is("GITHUB_ACTIONS")).then(|| GitHub {
            summary: std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            task: task.map(|task| output::one_line(task, 200)),
            ..GitHub::default()
        });
        let counts_down = plain && std::io::stderr().is_terminal() && !is("CI");
        Self {
            format,
            quiet,
            verbose,
            counts_down,
            counting: false,
            mentioned: None,
            github,
            last: None,
            stated: Stated::default(),
            branch: None,
            command: String::new(),
        }
    }

    /// The notice for people; none where the command's own output is enough.
    fn text(&self, notice: &Notice) -> Option<String> {
        let (last, verbose) = (self.last.as_ref(), self.verbose);
        let line = |text: &str| output::one_line(text, 200);
        Some(match notice {
            Notice::Continuing { task, level, attempt, .. } => {
                let reset = format!("recovery reset {}", answer::shell_word(task));
                format!("going on from the last run with {} {attempt}; to start over: {reset}", level.action())
            }
            Notice::OrphanedRun { processes, .. } => {
                let numbers: Vec<String> = processes.iter().map(i32::to_string).collect();
                let those = if numbers.len() == 1 { "process" } else { "processes" };
                format!(
                    "the last run was killed and left its command running ({those} {}); ending it",
                    numbers.join(", ")
                )
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
            Notice::Afresh { reason, .. } if verbose => format!("starting over; the last run ended: {}", line(reason)),
            Notice::Afresh { .. } => return None,
            Notice::Started { level: None | Some(Level::Retry), .. } => return None,
            Notice::Started { level: Some(level), attempt, of, command, .. } => {
                format!("{} {attempt}/{of}: {}", level.action(), output::strong(&line(command)))
            }
            // The final notice states why a command could not be started.
            Notice::Ended { exit_code: 126 | 127 | 129..=131 | 143, .. } => return None,
            Notice::Ended { reason, .. } => line(reason.as_ref()?),
            // The notice that follows states why it is not waited for.
            Notice::Decided { time_is_up: true, .. } | Notice::Decided { is_waited_for: false, .. } => return None,
            Notice::Decided { .. } => self.decided(notice)?,
            Notice::Known { note } => format!("known: {}", line(note)),
            Notice::TreeChanged { what, .. } => line(what),
            Notice::LimitPassed { level: Level::ForceDone, .. } if self.stated.end => return None,
            Notice::LimitPassed { level: Level::ForceDone, .. } => "time is up".to_owned(),
            Notice::LimitPassed { level, .. } => format!("time is up; {} is next", level.action()),
            Notice::TooShort { duration_ms, level, limit_ms } => format!(
                "that run took {}, and a {} may take {}: --limit {}=TIME gives it more",
                Span(*duration_ms),
                level.action(),
                Span(*limit_ms),
                level.action()
            ),
            Notice::Waiting { .. } if self.stated.wait => return None,
            Notice::Waiting { until, ms, reason } => match reason {
                None => return None,
                Some(WaitReason::RetryAfter) => format!("waiting {} (the server asked for it)", wait(*ms)),
                Some(WaitReason::Cooldown) => format!("waiting {} (every task that uses it does)", wait(*ms)),
                Some(WaitReason::QuotaReset) => {
                    format!("waiting {} until the quota is renewed, {}", wait(*ms), until.to_minute())
                }
            },
            Notice::CoolingDown { cooldown, ms } => {
                let (name, why) = cooling(cooldown);
                format!("waiting {} for {name}: {why}; {}", wait(*ms), without_waiting(cooldown))
            }
            Notice::WaitTooLong { until, ms, cooldown: Some(cooldown) } => {
                let (name, why) = cooling(cooldown);
                let back = format!("run it again at {}", until.to_minute());
                format!(
                    "not waiting {} for {name} (--max-wait): {why}; {back}, or {}",
                    Span(*ms),
                    without_waiting(cooldown)
                )
            }
            Notice::WaitTooLong { until, ms, cooldown: None } => {
                let what = last.and_then(|(decision, _)| decision.diagnosis.as_ref()).map(answer::brief);
                let what = what.map(|what| format!("{}; ", output::bad(&what))).unwrap_or_default();
                format!("{what}not waiting {} (--max-wait): run it again at {}", wait(*ms), until.to_minute())
            }
            Notice::Finished { .. } => self.finished(notice)?,
            _ => return None,
        })
    }

    /// What was decided and what comes next; none where another notice states it.
    fn decided(&self, notice: &Notice) -> Option<String> {
        let Notice::Decided { class, level, attempt, of, not_before, at, passed_over, decision, .. } = notice else {
            return None;
        };
        let what = match &decision.diagnosis {
            Some(_) if self.stated.end => None,
            Some(diagnosis) => Some(what(diagnosis)),
            None => Some("the judge was not content".to_owned()),
        };
        let then = match level {
            // The final notice has the rest.
            Some(Level::ForceDone) => return None,
            Some(Level::Retry) => match not_before.map_or(0, |until| until.since(*at)) {
                0 => format!("retry {attempt}/{of} now"),
                pause => format!("retry {attempt}/{of} in {}{}", wait(pause), why_wait(decision)),
            },
            Some(level) => format!("{} {attempt}/{of} is next", level.action()),
            // It waits for a conflict to be settled; the final notice names it.
            None => return None,
        };
        let class = class.filter(|_| self.verbose).map(|class| format!(" ({class:?})")).unwrap_or_default();
        let skipped = if self.verbose { skipped(passed_over) } else { String::new() };
        let what = what.map(|what| format!("{}{class}; ", output::bad(&what))).unwrap_or_default();
        Some(format!("{what}{skipped}{then}"))
    }

    /// Whether the command answers by its exit code, as `grep` and `diff` do, and nothing shows that it failed.
    fn is_answer(&self, exit_code: u8) -> bool {
        let Some((decision, text)) = &self.last else { return false };
        let is_unknown = decision.diagnosis.as_ref().is_some_and(|known| known.error_type == ErrorType::Other);
        let call = Call { action: self.command.clone(), is_shell: true, ..Call::default() };
        let outcome = Outcome { exit_code: Some(exit_code.into()), text: text.clone(), ..Outcome::default() };
        // Alone, `false` is a stand-in for a command that fails.
        is_unknown && self.command != "false" && is_benign(&call, &outcome)
    }

    /// How the run ended; none where the command's own output is enough.
    fn finished(&self, notice: &Notice) -> Option<String> {
        let Notice::Finished { outcome, runs, level, attempt, exit_code, is_explained_within, .. } = notice else {
            return None;
        };
        let at = level.zip(*attempt).map(|(level, attempt)| format!("{} {attempt}", level.action()));
        Some(match outcome {
            RunOutcome::Flaky => format!("{} on {} (flaky)", output::good("worked"), at?),
            RunOutcome::Recovered => format!("{} with {}", output::good("worked"), at?),
            RunOutcome::Failed | RunOutcome::ForceDone => {
                let text = format!("failed after {}, exit code {exit_code}", counted(u64::from(*runs), "run"));
                let failed = output::bad(&text);
                if self.is_answer(*exit_code) {
                    return Some(format!(
                        "exit code {exit_code} is this command's answer (no match, a difference, not there), no error"
                    ));
                }
                if *is_explained_within {
                    return Some(format!("{failed}: the `recovery run` inside it gave up, so it is not repeated"));
                }
                let next = self.branch.as_deref().map(|branch| {
                    let branch = answer::shell_word(branch);
                    // The same changes are still in the work tree, where git would refuse to switch.
                    format!(
                        "go on in a new session from the committed progress: git stash --include-untracked && git switch {branch}"
                    )
                });
                format!("{failed}{}", explained(self.last.as_ref(), *runs, *exit_code, next.as_deref()))
            }
            RunOutcome::Interrupted if level.is_none() => "interrupted".to_owned(),
            RunOutcome::Interrupted => "interrupted; the next run goes on from here".to_owned(),
            _ => return None,
        })
    }
}

impl Listener for Lines {
    fn notice(&mut self, notice: &Notice) {
        // Whether anyone reads our lines must not change what happens to the command.
        let mut err = anstream::stderr().lock();
        if std::mem::take(&mut self.counting) {
            let _ = write!(err, "\r\x1b[K");
        }
        self.mentioned = None;
        if self.quiet {
            return;
        }
        if self.format == Format::Json {
            let _ = output::json_line(&mut err, notice);
            return;
        }
        if let Notice::Decided { decision, output, .. } = notice {
            self.last = Some((decision.clone(), output.clone()));
        }
        if let Notice::Started { level: None, command, .. } = notice {
            self.command.clone_from(command);
        }
        if let Notice::TreeChanged { branch: Some(branch), .. } = notice {
            self.branch = Some(branch.clone());
        }
        let text = self.text(notice);
        self.stated = Stated {
            end: match notice {
                Notice::Ended { .. } => text.is_some(),
                Notice::Decided { time_is_up: true, .. } => self.stated.end,
                _ => false,
            },
            wait: matches!(notice, Notice::Decided { level: Some(Level::Retry), .. }) && text.is_some(),
        };
        if let Some(github) = &mut self.github {
            github.before(&mut err, notice);
        }
        // An annotation is the line that a job's log shows.
        let is_annotated = self.github.is_some() && annotation(notice).is_some();
        if let Some(text) = text.as_ref().filter(|_| !is_annotated) {
            for line in text.lines() {
                let _ = writeln!(err, "{} {line}", output::faint("recovery:"));
            }
        }
        if let (Some(github), Some(text)) = (&mut self.github, &text) {
            github.after(&mut err, notice, text);
        }
    }

    fn count_down(&mut self, now: Timestamp, until: Timestamp) {
        if self.quiet || self.format == Format::Json {
            return;
        }
        let left = left(until.since(now));
        if self.counts_down {
            let _ = write!(anstream::stderr().lock(), "\r{} {left} … \x1b[K", output::faint("recovery:"));
            self.counting = true;
        } else if now.since(*self.mentioned.get_or_insert(now)) >= REMINDER_INTERVAL_MS {
            let _ = writeln!(anstream::stderr().lock(), "{} still waiting, {left} left", output::faint("recovery:"));
            self.mentioned = Some(now);
        }
    }
}

impl GitHub {
    /// Ends the group of an attempt that ended, and begins that of one that starts.
    fn before(&mut self, err: &mut impl std::io::Write, notice: &Notice) {
        match notice {
            Notice::Ended { .. } if std::mem::take(&mut self.in_group) => {
                let _ = writeln!(err, "::endgroup::");
            }
            Notice::Started { level: None, command, .. } => self.command = output::one_line(command, 200),
            Notice::Started { level: Some(level), attempt, command, .. } => {
                let command = output::one_line(command, 200);
                let name = self.task.as_ref().filter(|_| command == self.command).unwrap_or(&command);
                let _ = writeln!(err, "::group::{} {attempt}: {}", level.action(), escaped(name));
                self.in_group = true;
            }
            _ => {}
        }
    }

    /// What was decided is an annotation; how it ended goes to the job's summary too.
    fn after(&mut self, err: &mut impl std::io::Write, notice: &Notice, text: &str) {
        let Some(level) = annotation(notice) else { return };
        let plain = anstream::adapter::strip_str(text).to_string();
        let _ = writeln!(err, "::{level} title=recovery::{}", escaped(&plain));
        if let (Notice::Finished { .. }, Some(path)) = (notice, &self.summary) {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let quoted: String = plain.lines().map(|line| format!("> {line}\n")).collect();
            let name = self.task.as_ref().unwrap_or(&self.command).replace('`', "'");
            let _ = file.and_then(|mut file| write!(file, "**recovery run** `{name}`\n\n{quoted}\n"));
        }
    }
}

/// How severe GitHub shows a notice; none where it is a plain line.
fn annotation(notice: &Notice) -> Option<&'static str> {
    match notice {
        Notice::Decided { .. } => Some("notice"),
        Notice::Finished { outcome: RunOutcome::Flaky | RunOutcome::Recovered, .. } => Some("warning"),
        Notice::Finished { .. } => Some("error"),
        _ => None,
    }
}

/// A message as GitHub's workflow commands carry it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What went wrong and where, within a sentence. The message of a temporary error has just been printed by the command.
fn what(diagnosis: &Diagnosis) -> String {
    if !answer::is_recognised(diagnosis) {
        return "not recognised".to_owned();
    }
    let line = match diagnosis.error_type.is_transient() {
        true => format!("{}, temporary", answer::kind(diagnosis)),
        false => answer::headline(diagnosis),
    };
    answer::within_sentence(&line)
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

/// The resource that is waited for, and why.
fn cooling(cooldown: &Cooldown) -> (String, &'static str) {
    let why = match cooldown.state {
        CooldownState::HalfOpen => "another task is trying it",
        CooldownState::Open | CooldownState::Cooling | CooldownState::Closed => "other tasks failed there too",
    };
    let name = cooldown.resource.split_once(':').map_or(cooldown.resource.as_str(), |(_, name)| name);
    (output::one_line(name, 200), why)
}

fn without_waiting(cooldown: &Cooldown) -> String {
    let resource = output::one_line(&cooldown.resource, 200);
    format!("to go on at once: recovery breaker reset {}", answer::shell_word(&resource))
}

/// How long a wait is; hours to the minute, so that two of them do not become three.
fn wait(ms: u64) -> String {
    match ms.div_ceil(60_000) {
        minutes if minutes > 120 && !minutes.is_multiple_of(60) => format!("{} h {} min", minutes / 60, minutes % 60),
        _ => Span(ms).to_string(),
    }
}

/// What is left of a wait, to the second: a countdown that does not move looks like one that hangs.
fn left(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, s) => format!("{h} h {m} min {s} s"),
    }
}

/// Where a wait comes from, where it is no pause of ours.
fn why_wait(decision: &Decision) -> &'static str {
    match &decision.ladder.command {
        Some(Command::WaitUntil { reason: WaitReason::RetryAfter, .. }) => " (the server asked for it)",
        Some(Command::WaitUntil { reason: WaitReason::QuotaReset, .. }) => " (then the quota is renewed)",
        Some(Command::WaitUntil { reason: WaitReason::Cooldown, .. }) => " (every task that uses it waits)",
        _ => "",
    }
}

/// Why it failed and what to do, in the words of `classify`. `instead` is a next step that is known better here.
fn explained(last: Option<&(Box<Decision>, String)>, runs: u32, exit_code: u8, instead: Option<&str>) -> String {
    let row = |name: &str, text: &str| format!("\n{}  {}", output::faint(name), output::one_line(text, 400));
    let Some((decision, text)) = last else { return String::new() };
    let Some(diagnosis) = &decision.diagnosis else {
        if decision.next.verb == Verb::Arbitrate {
            let next = answer::within_sentence(decision.next.sentence.trim_end_matches('.'));
            return format!(": the judge failed the work{}", row("next", &next));
        }
        let next = row("next", "do what the judge found missing, then run it again");
        return if decision.failure { format!(": the judge failed the work{next}") } else { String::new() };
    };
    // Whatever was printed, nothing is tried before the conflict is settled.
    if decision.next.verb == Verb::Arbitrate {
        let next = answer::within_sentence(decision.next.sentence.trim_end_matches('.'));
        return format!(": {}", answer::lasting_headline(diagnosis)) + &row("next", instead.unwrap_or(&next));
    }
    let answer = FailureAnswer::of_decision(decision, diagnosis, text);
    if decision.next.verb == Verb::Arbitrate {
        let next = answer::within_sentence(decision.next.sentence.trim_end_matches('.'));
        return format!(": {}", answer.what) + &row("next", &next);
    }
    if !answer::is_recognised(diagnosis) && answer.what.starts_with("Not recognised") {
        let signal = match exit_code {
            129 => Some("SIGHUP"),
            130 => Some("SIGINT"),
            143 => Some("SIGTERM"),
            _ => None,
        };
        if let Some(signal) = signal.filter(|_| answer.last.is_none()) {
            let next = "find out what ended it (a time limit, a shutdown, another program), then run it again";
            return format!(": stopped from outside by {signal}") + &row("next", instead.unwrap_or(next));
        }
        let what = answer::within_sentence(&answer.what);
        let next = match answer.last {
            Some(_) if runs == 1 => "read the output above; if it names no cause, run it once more (--retries N does)",
            Some(_) => "read the output above",
            None => &answer.next,
        };
        return format!(": {what}") + &row("next", instead.unwrap_or(next));
    }
    // Nothing repeats it any more: whether it passes by itself is not known.
    let what = match decision.next.verb {
        Verb::ForceDone if !answer.what.starts_with("Stopped: ") => answer::lasting_headline(diagnosis),
        _ => answer.what,
    };
    format!(": {what}") + &row("next", instead.unwrap_or(&answer.next))
}

#[cfg(test)]
mod tests {
    #[test]
    fn waits_are_exact_enough() {
        for (ms, expected) in
            [(900, "1 s"), (59_001, "1 min 0 s"), (129_500, "2 min 10 s"), (7_200_001, "2 h 0 min 1 s")]
        {
            assert_eq!(super::left(ms), expected);
        }
        for (ms, expected) in [(130_000, "3 min"), (7_200_000, "2 h"), (7_200_300, "2 h 1 min"), (10_800_000, "3 h")] {
            assert_eq!(super::wait(ms), expected);
        }
    }
}
