//! The words that people read about a failure: what and where, the next step, why.
//!
//! `classify`, `decide`, `run`, `hints`, `report`, the hooks and the MCP server take their wording from here, so that all of
//! them say the same. What and where come from the diagnosis (its problem, its location, what is missing), the next step
//! from the repair's adjustment, and where there is none from [`ErrorType`] alone. Codes of our own (F2, levels, rule ids)
//! are for `--verbose` and for JSON. To change what an error type is called, change [`phrase`]; what to do about it,
//! [`default_step`].

use recovery_types::repair::{AdjustmentKind, Repair};
use recovery_types::terminal::{one_line, printable};
use recovery_types::time::span;
use recovery_types::{Diagnosis, ErrorType, Problem, Timestamp};

/// The longest quotation of the output.
const QUOTED_CHARS: usize = 160;

/// What an error type is called among people.
#[must_use]
pub fn phrase(error: ErrorType) -> &'static str {
    match error {
        ErrorType::NetworkTimeout => "Timed out",
        ErrorType::ConnectionFailure => "Connection failed",
        ErrorType::RateLimit => "Rate limited",
        ErrorType::ServiceUnavailable => "Service unavailable",
        ErrorType::LockContention => "Locked by another process",
        ErrorType::FileNotFound => "File not found",
        ErrorType::PermissionDenied => "Permission denied",
        ErrorType::CommandNotFound => "Command not found",
        ErrorType::InvalidArgument => "Wrong arguments",
        ErrorType::WrongOutputFormat => "Data in the wrong format",
        ErrorType::MissingCredentials => "Credentials missing or rejected",
        ErrorType::QuotaExhausted => "Quota used up",
        ErrorType::DiskFull => "Disk full",
        ErrorType::OutOfMemory => "Out of memory",
        ErrorType::CompileError => "Compile error",
        ErrorType::MissingDependency => "Missing dependency",
        ErrorType::TypeError => "Type error",
        ErrorType::LintError => "Lint error",
        ErrorType::TestFailure => "Test failed",
        ErrorType::RuntimeException => "Program crashed",
        ErrorType::ContextExhausted => "Context limit reached",
        ErrorType::MergeConflict => "Merge conflict",
        ErrorType::UntrustedCertificate => "Certificate not trusted",
        ErrorType::GoalMisalignment => "Result misses the goal",
        ErrorType::CapabilityMismatch => "Beyond this agent or model",
        ErrorType::ExternalServiceDown => "External service down",
        ErrorType::Other => "Failed",
        _ => error.meaning().trim().trim_end_matches('.'),
    }
}

/// What to do about an error type of which nothing more is known.
#[must_use]
pub fn default_step(error: ErrorType) -> &'static str {
    match error {
        ErrorType::NetworkTimeout
        | ErrorType::ConnectionFailure
        | ErrorType::RateLimit
        | ErrorType::ServiceUnavailable
        | ErrorType::LockContention => "run it again; this often passes by itself",
        ErrorType::FileNotFound => "correct the path, or make the file",
        ErrorType::PermissionDenied => "get the right to it; retrying will not help",
        ErrorType::CommandNotFound => "install the command, or correct its name",
        ErrorType::InvalidArgument => "correct how the command is called",
        ErrorType::WrongOutputFormat => "correct the data, or what reads it",
        ErrorType::MissingCredentials => "log in or renew the key; retrying will not help",
        ErrorType::QuotaExhausted => "wait for the renewal or raise the quota; retrying will not help",
        ErrorType::DiskFull => "free disk space, then run it again",
        ErrorType::OutOfMemory => "use less memory or allow more, then run it again",
        ErrorType::CompileError | ErrorType::TypeError => "fix the code; retrying will not help",
        ErrorType::LintError => "fix what the linter names; retrying will not help",
        ErrorType::TestFailure => "fix the code or the test",
        ErrorType::MissingDependency => "install what is missing",
        ErrorType::RuntimeException => "read the error and fix its cause",
        ErrorType::ContextExhausted => "go on in a new session with less input",
        ErrorType::MergeConflict => "resolve the conflict, then go on",
        ErrorType::UntrustedCertificate => {
            "check the certificate and trust its issuer if it is right; retrying will not help"
        }
        ErrorType::GoalMisalignment => "plan a new approach",
        ErrorType::CapabilityMismatch => "hand it to another agent or model",
        ErrorType::ExternalServiceDown => "ask whoever runs the service; retrying will not help",
        _ => "read the output",
    }
}

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What went wrong, and where.
    pub what: String,
    /// The last line of an output that no rule knows.
    pub last: Option<String>,
    /// The next step.
    pub next: String,
    /// The lines that it was read from.
    pub why: Option<String>,
}

impl Answer {
    /// Of a failure. `text` is the output as far as it was kept: lines are quoted from it where it is whole.
    #[must_use]
    pub fn of(diagnosis: &Diagnosis, repair: Option<&Repair>, text: &str, now: Timestamp) -> Self {
        if !is_recognised(diagnosis) {
            return Self::not_recognised(diagnosis, text);
        }
        Self {
            what: headline(diagnosis),
            last: None,
            next: next_step(diagnosis, repair, now),
            why: why(diagnosis, text),
        }
    }

    fn not_recognised(diagnosis: &Diagnosis, text: &str) -> Self {
        let telling = diagnosis.problem.as_ref().map(|problem| problem.message.as_str());
        let last = telling.or_else(|| text.lines().rev().map(str::trim).find(|line| !line.is_empty()));
        let what = match last {
            Some(_) => "Not recognised: no rule knows this output",
            None => "Not recognised: it failed without output",
        };
        let next = match last {
            Some(_) => "read the output; to teach it, add an [[indicator]] to recovery.toml",
            None => "run it again with more output; `recovery run` keeps what a command prints",
        };
        let last = last.map(|line| format!("\"{}\"", one_line(line, QUOTED_CHARS)));
        Self { what: what.to_owned(), last, next: next.to_owned(), why: None }
    }
}

/// Whether anything in the output says what kind of failure it is.
#[must_use]
pub fn is_recognised(diagnosis: &Diagnosis) -> bool {
    // A line that only looks like the one that says most is no recognised problem.
    let is_known = |problem: &Problem| problem.tool.is_some() || problem.file.is_some() || problem.test.is_some();
    diagnosis.error_type != ErrorType::Other
        || !diagnosis.indicators.is_empty()
        || diagnosis.problem.as_ref().is_some_and(is_known)
}

/// What went wrong and where, on one line.
#[must_use]
pub fn headline(diagnosis: &Diagnosis) -> String {
    let temporary = if diagnosis.error_type.is_transient() { ", temporary" } else { "" };
    format!("{}{temporary}{}", kind(diagnosis), details(diagnosis))
}

/// What went wrong and where, of something that did not pass by itself.
#[must_use]
pub fn lasting_headline(diagnosis: &Diagnosis) -> String {
    format!("{}{}", kind(diagnosis), details(diagnosis))
}

/// What kind of error it was.
#[must_use]
pub fn kind(diagnosis: &Diagnosis) -> String {
    let error = diagnosis.error_type;
    match diagnosis.http_status.filter(|_| !error.is_code_error()) {
        Some(status) => format!("{} (HTTP {status})", phrase(error)),
        None => phrase(error).to_owned(),
    }
}

/// Where it was, and what was said about it.
fn details(diagnosis: &Diagnosis) -> String {
    let error = diagnosis.error_type;
    let mut line = String::new();
    if let Some(missing) = diagnosis.missing.as_ref().filter(|_| error == ErrorType::CommandNotFound) {
        return format!(": {}", one_line(&missing.name, QUOTED_CHARS));
    }
    if let Some(problem) = &diagnosis.problem {
        return of_problem(problem, error);
    }
    if let Some(missing) = &diagnosis.missing {
        line += &format!(": {}", one_line(&missing.name, QUOTED_CHARS));
    }
    if let Some(place) = &diagnosis.location {
        line += &format!(" at {}", at(&place.file, place.line, place.column));
        if let Some(code) = &place.code {
            line += &format!(" ({})", one_line(code, 40));
        }
    }
    line
}

/// ` at FILE:LINE:COLUMN: MESSAGE (CODE)`, as far as it is known.
fn of_problem(problem: &Problem, error: ErrorType) -> String {
    let mut line = String::new();
    if let Some(test) = &problem.test {
        line += &format!(": {}", one_line(test, QUOTED_CHARS));
    }
    if let Some(file) = &problem.file {
        line += &format!(" at {}", at(file, problem.line, problem.column));
    }
    let message = match (&problem.expected, &problem.actual) {
        (Some(expected), Some(actual)) => {
            format!("expected {}, got {}", one_line(expected, 60), one_line(actual, 60))
        }
        _ => one_line(problem.message.trim(), QUOTED_CHARS),
    };
    // What the phrase says already is not said twice, and a body of JSON says it to programs.
    if !message.is_empty() && !message.eq_ignore_ascii_case(phrase(error)) && !message.starts_with('{') {
        line += &format!(": {message}");
    }
    if let Some(code) = problem.code.as_ref().filter(|code| !message.contains(code.as_str())) {
        line += &format!(" ({})", one_line(code, 40));
    }
    line
}

/// A place as editors and terminals understand it.
#[must_use]
pub fn at(file: &str, line: Option<u64>, column: Option<u64>) -> String {
    let numbers: String =
        [line, column.filter(|_| line.is_some())].into_iter().flatten().map(|n| format!(":{n}")).collect();
    format!("{}{numbers}", one_line(file, 200))
}

/// What to do next.
#[must_use]
pub fn next_step(diagnosis: &Diagnosis, repair: Option<&Repair>, now: Timestamp) -> String {
    let error = diagnosis.error_type;
    if let Some(at) = diagnosis.resets_at.filter(|at| *at > now) {
        return format!("wait until {} ({}), then run it again", moment(at), later(at, now));
    }
    if let Some(ms) = diagnosis.retry_after_ms {
        return format!("wait {} (the server asked for it), then run it again", span(ms));
    }
    let Some(adjustment) = repair.and_then(|repair| repair.adjustment.as_ref()) else {
        return default_step(error).to_owned();
    };
    // The place and the message are in the first line already.
    let message = diagnosis.problem.as_ref().map_or("", |problem| problem.message.trim().trim_end_matches('.'));
    let test = diagnosis.problem.as_ref().and_then(|problem| problem.test.as_deref()).unwrap_or_default();
    let is_said = |part: &str| !part.is_empty() && adjustment.text.contains(&one_line(part, QUOTED_CHARS));
    let is_repeated = is_said(message) || is_said(test);
    match adjustment.kind {
        _ if error != ErrorType::Other && is_repeated && adjustment.command.is_none() => default_step(error).to_owned(),
        AdjustmentKind::Look if error != ErrorType::Other => default_step(error).to_owned(),
        AdjustmentKind::Repeat => {
            default_step(if error.is_transient() { error } else { ErrorType::ConnectionFailure }).to_owned()
        }
        _ => {
            let text = one_line(adjustment.text.trim().trim_end_matches('.'), 300);
            let command = adjustment.command.as_ref().filter(|command| !text.contains(command.as_str()));
            match command {
                Some(command) => format!("{text}: `{}`", one_line(command, 200)),
                None => text,
            }
        }
    }
}

/// The lines it was read from.
fn why(diagnosis: &Diagnosis, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = Vec::new();
    for hit in &diagnosis.indicators {
        let index = usize::try_from(hit.line).unwrap_or(usize::MAX).saturating_sub(1);
        // Of a text that was cut, line numbers say nothing; the indicator's own words do.
        let line = lines.get(index).filter(|line| line.to_lowercase().contains(&hit.text.to_lowercase()));
        let is_rule = |c: char| c.is_whitespace() || "=-_*".contains(c);
        let quoted = node_repair::step::words::plain(line.map_or(hit.text.as_str(), |line| line.trim_matches(is_rule)));
        let quoted = one_line(if quoted.trim().is_empty() { &hit.text } else { quoted.trim() }, 60);
        let row = match quoted.contains('`') {
            true => format!("line {} \"{quoted}\"", hit.line),
            false => format!("line {} `{quoted}`", hit.line),
        };
        if !seen.contains(&row) {
            seen.push(row);
        }
    }
    let more = seen.len().saturating_sub(3);
    seen.truncate(3);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    (!seen.is_empty()).then(|| seen.join(", ") + &more)
}

/// A moment for people: the time of day in UTC, with its date where it is not within a day.
#[must_use]
pub fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    match text.split_once('T') {
        Some((date, time)) => format!("{date} {} UTC", time.get(..5).unwrap_or(time)),
        None => text,
    }
}

/// From one moment to another; the date is not said twice.
#[must_use]
pub fn period(from: Timestamp, to: Timestamp) -> String {
    let (from, to) = (moment(from), moment(to));
    match (from.split_once(' '), to.split_once(' ')) {
        (Some((day, time)), Some((other, until))) if day == other => {
            format!("{day} {} to {until}", time.trim_end_matches(" UTC"))
        }
        _ => format!("{from} to {to}"),
    }
}

/// `in 5 min`.
#[must_use]
pub fn later(at: Timestamp, now: Timestamp) -> String {
    format!("in {}", span(at.since(now)))
}

/// `5 min ago`.
#[must_use]
pub fn ago(at: Timestamp, now: Timestamp) -> String {
    match now.since(at) {
        0..1000 => "just now".to_owned(),
        ms => format!("{} ago", coarse(ms)),
    }
}

/// A duration in its largest unit.
fn coarse(ms: u64) -> String {
    let (number, unit) = match ms / 1000 {
        s @ 0..60 => (s, "second"),
        s @ 60..3600 => (s / 60, "minute"),
        s @ 3600..86_400 => (s / 3600, "hour"),
        s => (s / 86_400, "day"),
    };
    counted(number, unit)
}

/// `1 failure`, `2 failures`.
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let plural = match (number, what) {
        (1, _) => "",
        (_, what) if what.ends_with("ch") || what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {what}{plural}")
}

/// A word as a shell reads it; `--` before what could be taken for an option.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:,@%+".contains(c);
    let word = printable(word);
    if word.starts_with(|c: char| c.is_alphanumeric() || c == '.') && word.chars().all(is_plain) {
        return word.into_owned();
    }
    let dashes = if word.starts_with('-') { "-- " } else { "" };
    format!("{dashes}'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_type_has_words_of_its_own() {
        for error in ErrorType::ALL {
            let phrase = phrase(*error);
            assert!(phrase.len() < 40 && !phrase.contains('_'), "{error}: {phrase:?}");
            assert_ne!(phrase, error.meaning().trim().trim_end_matches('.'), "{error} needs a phrase");
            assert!(*error == ErrorType::Other || default_step(*error) != "read the output", "{error} needs a step");
        }
    }

    #[test]
    fn numbers_and_times_read_as_people_write_them() {
        assert_eq!((counted(1, "failure"), counted(2, "failure")), ("1 failure".into(), "2 failures".into()));
        let at = |ms| Timestamp::from_ms(ms);
        assert_eq!(ago(at(0), at(90_000)), "1 minute ago");
        assert_eq!(ago(at(0), at(3 * 86_400_000)), "3 days ago");
        assert_eq!(ago(at(5), at(0)), "just now");
        assert_eq!(moment(at(0)), "1970-01-01 00:00 UTC");
    }
}
