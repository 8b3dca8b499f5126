//! The words for a failure: what and where, the next step, why. One place for everything that people and models read.
//!
//! `classify`, `decide`, `run`, `hints`, `report`, the hooks and the MCP server take their wording from here, so that all of
//! them give the same answer. In: a diagnosis and the repair beside it. Out: a [`FailureAnswer`], or a part of one. What and where come
//! from the diagnosis (its problem, its location, what is missing), the next step from the repair's adjustment, and where
//! there is none from the [`ErrorType`] alone. What the first line quotes is not repeated in the step. Codes of our own
//! (F2, levels, rule ids) are for `--verbose` and for JSON. To change what an error type is called, change [`phrase`]; what
//! to do about it, [`default_step`]; how one step is worded, its rule in `node-repair/src/step/`.

use crate::outside::Outside;
use failure_taxonomy::VerdictStepId;
use node_repair::step::CHECK_FIRST;
use node_repair::step::evidence::is_foreign;
use node_repair::step::words::{plain, quote};
use recovery_engine::Decision;
use recovery_engine::reconcile::{Tree, Verb};
use recovery_types::ladder::Blocked;
use recovery_types::repair::{Adjustment, AdjustmentKind, Repair};
use recovery_types::terminal::{one_line, printable};
use recovery_types::time::span;
use recovery_types::{Diagnosis, ErrorType, Problem, Timestamp};

/// The longest quotation of the output.
const QUOTED_CHARS: usize = 160;
/// An output of so many lines is seen at a glance.
const SHORT_LINES: usize = 12;
/// The longest step.
const STEP_CHARS: usize = 300;

/// An error type as a column or a count names it, where `Failed` would only repeat the heading.
#[must_use]
pub fn label(error: ErrorType) -> &'static str {
    if error == ErrorType::Other { "Not recognised" } else { phrase(error) }
}

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
        ErrorType::NetworkTimeout | ErrorType::ConnectionFailure | ErrorType::ServiceUnavailable => {
            "run it again; this often passes by itself"
        }
        ErrorType::RateLimit => "wait a while, then run it again: too many requests were made",
        ErrorType::LockContention => "wait for the other process, then run it again",
        ErrorType::FileNotFound => "correct the path, or create the file",
        ErrorType::PermissionDenied => "get access to it; retrying will not help",
        ErrorType::CommandNotFound => "install the command, or correct its name",
        ErrorType::InvalidArgument => "correct how the command is called",
        ErrorType::WrongOutputFormat => "correct the data, or what reads it",
        ErrorType::MissingCredentials => "log in or renew the key; retrying will not help",
        ErrorType::QuotaExhausted => "wait for the renewal or raise the quota; retrying will not help",
        ErrorType::DiskFull => "free disk space, then run it again",
        ErrorType::OutOfMemory => "use less memory or allow more, then run it again",
        ErrorType::CompileError | ErrorType::TypeError => "fix the code; retrying will not help",
        ErrorType::LintError => "fix what the linter names; retrying will not help",
        ErrorType::TestFailure => "fix the code or the test; retrying will not help",
        ErrorType::MissingDependency => "install what is missing",
        ErrorType::RuntimeException => "fix the cause of the error; retrying will not help",
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

/// What to do about an error that usually passes by itself, once nothing repeats it any more. Whether it was repeated is
/// not known here: a run without retries ends with these words too.
const fn step_after_retries(error: ErrorType) -> Option<&'static str> {
    Some(match error {
        ErrorType::NetworkTimeout => GIVE_MORE_TIME,
        ErrorType::ConnectionFailure => "check the address and the network, then run it again",
        ErrorType::ServiceUnavailable => "run it again once the service is back",
        ErrorType::RateLimit => "wait longer or make fewer requests, then run it again",
        ErrorType::LockContention => "end the process that holds the lock, or wait for it",
        _ => return None,
    })
}

/// What to do about something that took too long, where nothing shows what it waited for.
const GIVE_MORE_TIME: &str = "give it more time, or find out what it waits for";

/// What to do about a crash that names no place.
const FIND_CRASH: &str = "find the place of the crash, in a debugger for example; retrying will not help";

/// What an exit code shows where the output shows nothing: what it is called, and what to do.
const fn of_exit_code(error: ErrorType) -> Option<(&'static str, &'static str)> {
    Some(match error {
        ErrorType::NetworkTimeout => ("Timed out", GIVE_MORE_TIME),
        ErrorType::OutOfMemory => (
            "Killed, most often for using too much memory",
            "use less memory (smaller input, fewer jobs at once) or allow more",
        ),
        ErrorType::RuntimeException => ("Program crashed", FIND_CRASH),
        _ => return None,
    })
}

/// Whether nothing but the exit code shows what went wrong.
pub(crate) fn is_by_exit_code(diagnosis: &Diagnosis) -> bool {
    diagnosis.step.as_deref() == Some(VerdictStepId::ExitCode.as_str())
        && diagnosis.problem.is_none()
        && diagnosis.indicators.is_empty()
}

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureAnswer {
    /// What went wrong, and where.
    pub what: String,
    /// The last line of an output that no rule knows.
    pub last: Option<String>,
    /// The next step.
    pub next: String,
    /// The lines that it was read from.
    pub why: Option<String>,
}

impl FailureAnswer {
    /// Of a failure. `text` is the output as far as it was kept: lines are quoted from it where it is whole.
    #[must_use]
    pub fn of(diagnosis: &Diagnosis, repair: Option<&Repair>, text: &str, now: Timestamp) -> Self {
        if !is_recognised(diagnosis) {
            return Self::not_recognised(diagnosis, text);
        }
        let what = match is_left_to_pass(diagnosis, repair) {
            true => headline(diagnosis),
            false => lasting_headline(diagnosis),
        };
        let why = match is_by_exit_code(diagnosis) {
            true => Some("the exit code alone: the output does not show a cause".to_owned()),
            false => why(diagnosis, text, &what),
        };
        let step = repair.and_then(|repair| repair.adjustment.as_ref());
        let outside = Outside { diagnosis: Some(diagnosis), step, output: text };
        Self {
            next: printable(&outside.quoted(&next_step(diagnosis, repair, now))).into_owned(),
            why,
            what,
            last: None,
        }
    }

    /// Of a decision: where a rule and not the output decides that nothing more is tried, that rule's reason and remedy.
    #[must_use]
    pub fn of_decision(decision: &Decision, diagnosis: &Diagnosis, text: &str) -> Self {
        let mut answer = Self::of(diagnosis, decision.repair.as_ref(), text, decision.at);
        if let Some(blocked) = blocked_of(decision) {
            answer.stopped_by(blocked);
        } else if answer.why.is_none() {
            let facts = decision.classification.iter().flat_map(|class| &class.evidence);
            let of_mission = facts.filter(|fact| MISSION_FACTS.iter().any(|start| fact.starts_with(start)));
            answer.why = of_mission.map(|fact| one_line(fact, QUOTED_CHARS)).next();
        }
        answer
    }

    /// What a rule stopped is not explained by what was printed.
    pub(crate) fn stopped_by(&mut self, blocked: &Blocked) {
        self.what = format!("Stopped: {}", one_line(&facts_in_words(&blocked.why), 400));
        self.next = within_sentence(&one_line(&blocked.remedy, 200));
        self.why = None;
    }

    fn not_recognised(diagnosis: &Diagnosis, text: &str) -> Self {
        let telling = diagnosis.problem.as_ref().map(|problem| problem.message.as_str());
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).or(telling);
        let what = match last {
            Some(_) => "Not recognised: no rule knows this output",
            None => "Not recognised: it failed without output",
        };
        let next = match last {
            Some(_) => "read the output; to teach it, add an [[indicator]] to recovery.toml",
            None => MORE_OUTPUT,
        };
        let quoted = |line: &str| format!("\"{}\"", one_line(line, QUOTED_CHARS));
        // The most informative line of an output that is not seen at a glance, where that is another one than the last.
        let is_long = text.lines().count() > SHORT_LINES;
        let why = telling.filter(|line| is_long && last != Some(line.trim()));
        let why = why.map(|line| format!("perhaps {}", quoted(line)));
        Self { what: what.to_owned(), last: last.map(quoted), next: next.to_owned(), why }
    }
}

/// How the classifier's facts about the mission begin: they are the reason, whatever was printed.
const MISSION_FACTS: [&str; 2] = ["constraint ", "files_touched spans features"];

/// What to do about a command that failed and printed nothing.
const MORE_OUTPUT: &str = "run it once more with more output, such as its --verbose option";

/// Whether anything in the output shows what kind of failure it is.
#[must_use]
pub fn is_recognised(diagnosis: &Diagnosis) -> bool {
    // A line that was only guessed to be the most informative one is no recognised problem.
    let is_known = |problem: &Problem| problem.tool.is_some() || problem.file.is_some() || problem.test.is_some();
    diagnosis.error_type != ErrorType::Other
        || !diagnosis.indicators.is_empty()
        || diagnosis.problem.as_ref().is_some_and(is_known)
}

/// Whether nothing but time is needed: something that has to be started or granted first is not temporary.
pub(crate) fn is_left_to_pass(diagnosis: &Diagnosis, repair: Option<&Repair>) -> bool {
    use AdjustmentKind::{ReleaseLock, Repeat, Wait};
    let step = repair.and_then(|repair| repair.adjustment.as_ref());
    diagnosis.error_type.is_transient() && step.is_none_or(|step| matches!(step.kind, Repeat | Wait | ReleaseLock))
}

/// What went wrong and where, on one line.
#[must_use]
pub fn headline(diagnosis: &Diagnosis) -> String {
    if diagnosis.error_type.is_transient() && !is_by_exit_code(diagnosis) {
        return format!("{}, temporary{}", kind(diagnosis), details(diagnosis));
    }
    lasting_headline(diagnosis)
}

/// What went wrong and where, of something that did not pass by itself.
#[must_use]
pub fn lasting_headline(diagnosis: &Diagnosis) -> String {
    let details = details(diagnosis);
    // A message that has no kind speaks for itself.
    match details.strip_prefix(": ").filter(|_| diagnosis.error_type == ErrorType::Other) {
        Some(message) => message.to_owned(),
        None => format!("{}{details}", kind(diagnosis)),
    }
}

/// What kind of error it was.
#[must_use]
pub fn kind(diagnosis: &Diagnosis) -> String {
    let error = diagnosis.error_type;
    let by_exit_code = of_exit_code(error).filter(|_| is_by_exit_code(diagnosis) || is_only_killed(diagnosis));
    let phrase = match by_exit_code {
        Some((phrase, _)) => phrase,
        None if error == ErrorType::CompileError && is_of_syntax(diagnosis) => "Syntax error",
        None => phrase(error),
    };
    match diagnosis.http_status.filter(|_| !error.is_code_error()) {
        Some(status) => format!("{phrase} (HTTP {status})"),
        None => phrase.to_owned(),
    }
}

/// Whether all that is known is that something killed it: most often, but not always, because memory ran out.
fn is_only_killed(diagnosis: &Diagnosis) -> bool {
    let message = diagnosis.problem.as_ref().map_or("", |problem| problem.message.as_str()).to_ascii_lowercase();
    let is_out_of_memory = diagnosis.error_type == ErrorType::OutOfMemory;
    is_out_of_memory
        && message.contains("killed")
        && !["memory", "oom", "heap"].iter().any(|word| message.contains(word))
}

/// Whether the message is about how the code is written: a script or a settings file is not compiled.
fn is_of_syntax(diagnosis: &Diagnosis) -> bool {
    let message = diagnosis.problem.as_ref().map_or("", |problem| problem.message.as_str()).to_ascii_lowercase();
    ["syntax error", "syntaxerror", "missing separator"].iter().any(|words| message.contains(words))
}

/// A headline inside a sentence: it begins in lower case.
#[must_use]
pub fn within_sentence(headline: &str) -> String {
    let mut letters = headline.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// What kind of error it was, inside a sentence; "not recognised" where nothing shows it.
#[must_use]
pub fn brief(diagnosis: &Diagnosis) -> String {
    if is_recognised(diagnosis) { within_sentence(&kind(diagnosis)) } else { "not recognised".to_owned() }
}

/// Where it was, and its message.
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
    if let Some(place) = diagnosis.location.as_ref().filter(|place| !is_foreign(&place.file)) {
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
    // A file without a line is what the message is about, not a place to look at.
    let is_place = |file: &&String| !is_foreign(file) && (problem.line.is_some() || !problem.message.contains(*file));
    if let Some(file) = problem.file.as_ref().filter(is_place) {
        line += &format!(" at {}", at(file, problem.line, problem.column));
    }
    let message = match (&problem.expected, &problem.actual) {
        (Some(expected), Some(actual)) => {
            format!("expected {}, got {}", one_line(expected, 60), one_line(actual, 60))
        }
        _ => one_line(&quote(&problem.message), QUOTED_CHARS),
    };
    let message = without_place(without_label(&message), problem);
    let message = without_phrase(message, error);
    // What the phrase contains already is not repeated, and a body of JSON is for programs.
    let is_repeated = message.eq_ignore_ascii_case(phrase(error)) || is_status_line(message);
    if !message.is_empty() && !is_repeated && !message.starts_with('{') {
        line += &format!(": {message}");
    }
    if let Some(code) = problem.code.as_ref().filter(|code| !message.contains(code.as_str())) {
        line += &format!(" ({})", one_line(code, 40));
    }
    line
}

/// `message` without a leading word such as `error`.
fn without_label(message: &str) -> &str {
    const LABELS: &[&str] = &["error: ", "fatal error: ", "fatal: ", "make: *** ", "e: "];
    let label = LABELS.iter().find(|label| {
        message.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label) && message.len() > label.len())
    });
    label.map_or(message, |label| message[label.len()..].trim_start())
}

/// `message` without a leading `FILE:LINE:` that is named before it, as in `Makefile:2: *** missing separator.  Stop.`
fn without_place<'m>(message: &'m str, problem: &Problem) -> &'m str {
    let Some((file, line)) = problem.file.as_deref().zip(problem.line) else { return message };
    let rest = message.strip_prefix(&at(file, Some(line), problem.column)).or(message.strip_prefix(&at(
        file,
        Some(line),
        None,
    )));
    let rest = rest.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
    rest.trim_start_matches("*** ")
}

/// `message` without the name of its kind, where the words before it are the same: `file not found: Nope.java`,
/// `./run.sh: Permission denied`, `SyntaxError: '(' was never closed`.
fn without_phrase(message: &str, error: ErrorType) -> &str {
    let is_phrase = |words: &str| {
        words.eq_ignore_ascii_case(phrase(error)) || error == ErrorType::CompileError && words == "SyntaxError"
    };
    let rest = match (message.split_once(": "), message.rsplit_once(": ")) {
        (Some((first, rest)), _) if is_phrase(first) => rest,
        (_, Some((rest, last))) if is_phrase(last) => rest.rsplit(": ").next().unwrap_or(rest),
        _ => return message,
    };
    if rest.trim().is_empty() { message } else { rest }
}

/// `HTTP/1.1 429 Too Many Requests`, or its reason alone: the kind of error contains it with the status.
fn is_status_line(message: &str) -> bool {
    (message.starts_with("HTTP/") && message.len() < 60) || message.eq_ignore_ascii_case("too many requests")
}

/// The file and line of the project's own code that the failure points to.
#[must_use]
pub fn place(diagnosis: &Diagnosis) -> Option<(&str, Option<u64>)> {
    let problem = diagnosis.problem.as_ref().and_then(|problem| Some((problem.file.as_deref()?, problem.line)));
    let place = problem.or_else(|| diagnosis.location.as_ref().map(|place| (place.file.as_str(), place.line)));
    place.filter(|(file, _)| !is_foreign(file))
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
    let adjustment = repair.and_then(|repair| repair.adjustment.as_ref());
    // What may have taken effect is not simply run again, whatever kind of failure it was.
    if let Some(step) = adjustment.filter(|step| step.text.contains(CHECK_FIRST)) {
        return step_words(diagnosis, step);
    }
    // A quota is not waited for by running it again, however long that takes.
    let is_for_person = adjustment.is_some_and(|step| step.kind == AdjustmentKind::AskHuman);
    if let Some(at) = diagnosis.resets_at.filter(|at| *at > now && !is_for_person) {
        return format!("wait until {} ({}), then run it again", at.to_minute(), later(at, now));
    }
    if let Some(ms) = diagnosis.retry_after_ms.filter(|_| !is_for_person) {
        return format!("wait {} (the server asked for it), then run it again", span(ms));
    }
    if let Some((_, step)) = of_exit_code(diagnosis.error_type).filter(|_| is_by_exit_code(diagnosis)) {
        return match adjustment {
            Some(Adjustment { kind: AdjustmentKind::Repeat, .. }) => format!("run it again; {IF_NOT} {step}"),
            _ => step.to_owned(),
        };
    }
    match (adjustment, repair.and_then(|_| step_after_retries(diagnosis.error_type))) {
        // Nothing is left but to look: the retries were used up.
        (None | Some(Adjustment { kind: AdjustmentKind::Look, .. }), Some(step)) => step.to_owned(),
        (Some(step), _) => step_words(diagnosis, step),
        (None, _) => default_step(diagnosis.error_type).to_owned(),
    }
}

/// A step without what the first line contains: the place of the code, the message.
fn step_words(diagnosis: &Diagnosis, step: &Adjustment) -> String {
    let error = diagnosis.error_type;
    let is_work_on_code = matches!(step.kind, AdjustmentKind::FixCode | AdjustmentKind::FixTestOrCode)
        && (step.text.starts_with("fix ") || step.text.starts_with("look at "));
    if error == ErrorType::RuntimeException && is_work_on_code && is_native_crash(diagnosis) {
        return FIND_CRASH.to_owned();
    }
    let is_look = step.kind == AdjustmentKind::Look && !step.text.contains(CHECK_FIRST);
    if error != ErrorType::Other && (is_work_on_code || is_look) {
        return default_step(error).to_owned();
    }
    let text = match &diagnosis.problem {
        Some(problem) => without(&step.text, &quote(&problem.message)),
        None => step.text.clone(),
    };
    if text == "look at this line first" {
        return "start with that line of the output".to_owned();
    }
    one_line(text.trim().trim_end_matches('.'), STEP_CHARS)
}

/// Whether the system ended the program for what it did, and no line of its code is named.
fn is_native_crash(diagnosis: &Diagnosis) -> bool {
    let message = diagnosis.problem.as_ref().map_or("", |problem| problem.message.as_str()).to_ascii_lowercase();
    place(diagnosis).is_none()
        && ["segmentation fault", "core dumped", "sigsegv", "bus error"].iter().any(|words| message.contains(words))
}

/// What to do next where a decision was made: the step, with what the decision adds to it.
#[must_use]
pub fn next_of(decision: &Decision) -> String {
    let Some(diagnosis) = &decision.diagnosis else { return decision.next.sentence.clone() };
    let step = || next_step(diagnosis, decision.repair.as_ref(), decision.at);
    let adjustment = decision.repair.as_ref().and_then(|repair| repair.adjustment.as_ref());
    let is_change = adjustment.is_some_and(|step| is_change_first(step.kind));
    match decision.next.verb {
        _ if decision.tree == Tree::RollBack => decision.next.sentence.clone(),
        Verb::Retry if !is_recognised(diagnosis) => match &diagnosis.problem {
            Some(_) => decision.next.sentence.clone(),
            None => MORE_OUTPUT.to_owned(),
        },
        Verb::Retry if is_by_exit_code(diagnosis) => match step().strip_prefix("run it again; ") {
            Some(otherwise) => format!("{}; {otherwise}", retry(decision)),
            None => step(),
        },
        Verb::Nudge if adjustment.is_some() => step(),
        // What makes the same request fit is worth more than another model.
        Verb::Fallback if adjustment.is_some_and(|step| step.kind == AdjustmentKind::ShrinkInput) => {
            format!("{}, or {}", step(), within_sentence(decision.next.sentence.trim_end_matches('.')))
        }
        // What passes by itself most often, and what helps where it does not.
        Verb::Retry if adjustment.is_some_and(|step| step.kind == AdjustmentKind::ReleaseLock) => {
            format!("{}; {IF_NOT} {}", retry(decision), step())
        }
        Verb::Retry if step().starts_with("run it again once ") => step().replacen("run it again", &retry(decision), 1),
        // What has to be started, granted or freed first is not fixed by repeating alone.
        Verb::Retry if is_change => format!("{}; then run it again", step()),
        // It asks a person already.
        Verb::ForceDone
            if blocked_of(decision).is_none()
                && adjustment.is_some_and(|step| step.kind == AdjustmentKind::AskHuman) =>
        {
            step()
        }
        Verb::ForceDone if is_change && blocked_of(decision).is_none() => {
            format!("{}; this needs a person: report what is done and stop", step())
        }
        Verb::ForceDone => match blocked_of(decision) {
            Some(blocked) => format!("{} {}", decision.next.sentence, sentence_of(blocked)),
            None => decision.next.sentence.clone(),
        },
        Verb::Wait if adjustment.is_some() => step(),
        _ => decision.next.sentence.clone(),
    }
}

/// The rule that stopped the task, where a rule and not the error itself did.
fn blocked_of(decision: &Decision) -> Option<&Blocked> {
    let climb = decision.transitions.iter().rev().find_map(|transition| transition.climb.as_ref())?;
    climb.failure.blocked.as_ref()
}

/// Why a rule stopped a task.
pub(crate) fn sentence_of(blocked: &Blocked) -> String {
    let why = one_line(&facts_in_words(&blocked.why), 400);
    let mut letters = why.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

/// Comes between a retry and what to do where it does not help.
const IF_NOT: &str = "if that does not help,";

/// The retry that was decided: when, and which of how many.
fn retry(decision: &Decision) -> String {
    decision.next.sentence.trim_end_matches('.').to_owned()
}

/// Whether a step changes something that waiting or repeating alone does not.
pub(crate) fn is_change_first(kind: AdjustmentKind) -> bool {
    use AdjustmentKind::{FixCode, FixTestOrCode, Look, ReleaseLock, Repeat, Wait};
    !matches!(kind, Repeat | Wait | ReleaseLock | Look | FixCode | FixTestOrCode)
}

/// `text` without the words that are quoted beside it.
fn without(text: &str, quoted: &str) -> String {
    if quoted.is_empty() {
        return text.to_owned();
    }
    let text = text.replace(&format!(" ({quoted})"), "").replace(&format!("({quoted}; "), "(");
    match text.find(&format!(": {quoted}")) {
        Some(at) => format!("{}{}", without_heading(&text[..at]), &text[at + 2 + quoted.len()..]),
        None => text,
    }
}

/// `text` without the place and the label that stood before a message at its end: `...: src/a.c:4:9: fatal error`.
fn without_heading(text: &str) -> &str {
    let is_place =
        |words: &str| !words.contains(' ') && words.rsplit(':').next().is_some_and(|n| n.parse::<u64>().is_ok());
    let is_label = |words: &str| ["error", "fatal error", "fatal", "Error"].contains(&words);
    match text.rsplit_once(": ") {
        Some((rest, last)) if is_place(last) || is_label(last) => without_heading(rest),
        _ => text,
    }
}

/// The lines it was read from, but for those that `what` quotes.
fn why(diagnosis: &Diagnosis, text: &str, what: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = Vec::new();
    for hit in &diagnosis.indicators {
        let index = usize::try_from(hit.line).unwrap_or(usize::MAX).saturating_sub(1);
        // Of a text that was cut, line numbers are of no use; the indicator's own words are.
        let line = lines.get(index).filter(|line| line.to_lowercase().contains(&hit.text.to_lowercase()));
        let is_rule = |c: char| c.is_whitespace() || "=-_*".contains(c);
        let quoted = plain(line.map_or(hit.text.as_str(), |line| line.trim_matches(is_rule)));
        if is_quoted_in(&quoted, what) || is_quoted_in(without_phrase(&quoted, diagnosis.error_type), what) {
            continue;
        }
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

/// A message of fewer bytes may be in a sentence by chance.
const SHORTEST_MESSAGE: usize = 8;

/// Whether a line is in `what`, with or without what a tool or a log puts before it.
fn is_quoted_in(line: &str, what: &str) -> bool {
    let line = one_line(&quote(line), QUOTED_CHARS);
    let bare = without_label(line.trim_start_matches(|c: char| c == '[' || c == ']' || c.is_whitespace()));
    let bare = ["npm error ", "npm ERR! "].iter().find_map(|label| bare.strip_prefix(label)).unwrap_or(bare);
    // `src/a.c:4:9: error: MESSAGE` has the message, whose place the first line has in its own words.
    let message = [": error: ", ": fatal error: ", ": *** "].iter().find_map(|label| bare.split_once(label));
    let message = message.map_or(bare, |(_, message)| message);
    // The lines have straight quotes.
    let straight = what.replace(['\u{2018}', '\u{2019}'], "'");
    let is_in = |words: &str| what.contains(words) || straight.contains(words);
    is_in(bare) || message.len() >= SHORTEST_MESSAGE && is_in(message) || is_status_line(bare)
}

/// A recorded reason in words: it names the error type as programs do.
#[must_use]
pub fn reason(recorded: &str) -> String {
    const LAST: &str = "last error: ";
    let (before, rest) = recorded.find(LAST).map_or(("", recorded), |at| recorded.split_at(at + LAST.len()));
    let named = rest.split_once(": ").and_then(|(name, text)| Some((ErrorType::from_name(name)?, text)));
    match named {
        Some((ErrorType::Other, text)) => format!("{before}{text}"),
        Some((error, text)) if text == error.meaning() => format!("{before}{}", phrase(error)),
        Some((error, text)) => format!("{before}{}: {text}", phrase(error)),
        None => recorded.to_owned(),
    }
}

/// The classifier's facts as people read them: they are joined by `; `, behind a sentence or alone.
#[must_use]
pub(crate) fn facts_in_words(facts: &str) -> String {
    const FAILED: &str = "failed_attempts=";
    let in_words = |fact: &str| match fact.split_once(FAILED) {
        Some((before, times)) => format!("{before}it failed {times} times"),
        None => fact
            .replace("stderr_hash matches last 2 attempts", "the last outputs are the same")
            .replace("replan_budget_exhausted", "no replan is left")
            .replace("replan_cycle_detected", "the same replan would come again"),
    };
    let reported = facts.split("; ").filter(|fact| !fact.starts_with("would be F"));
    reported.map(in_words).collect::<Vec<_>>().join("; ")
}

/// From one moment to another; the date is not repeated.
#[must_use]
pub fn period(from: Timestamp, to: Timestamp) -> String {
    let (from, to) = (from.to_minute(), to.to_minute());
    if from == to {
        return from;
    }
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
    const DAY_MS: u64 = 86_400_000;
    match at.since(now) {
        ms if ms > 3 * DAY_MS => format!("in {}", counted(ms / DAY_MS, "day")),
        ms => format!("in {}", span(ms)),
    }
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
    use recovery_types::Severity;

    #[test]
    fn every_error_type_has_words_of_its_own() {
        for error in ErrorType::ALL {
            let phrase = phrase(*error);
            assert!(phrase.len() < 40 && !phrase.contains('_'), "{error}: {phrase:?}");
            assert_ne!(phrase, error.meaning().trim().trim_end_matches('.'), "{error} needs a phrase");
            assert!(*error == ErrorType::Other || default_step(*error) != "read the output", "{error} needs a step");
        }
    }

    fn shown(error: ErrorType, place: Option<(&str, u64)>, message: &str) -> String {
        let file = place.map(|(file, _)| file.to_owned());
        let problem = Problem { file, line: place.map(|(_, line)| line), ..Problem::new(Severity::Error, message) };
        of_problem(&problem, error)
    }

    #[test]
    fn a_first_line_says_nothing_twice() {
        for (error, place, message, expected) in [
            (ErrorType::PermissionDenied, None, "/s.sh: line 1: ./ne.sh: Permission denied", ": ./ne.sh"),
            (ErrorType::FileNotFound, None, "error: file not found: Nope.java", ": Nope.java"),
            (ErrorType::CompileError, None, "SyntaxError: '(' was never closed", ": '(' was never closed"),
            (
                ErrorType::CompileError,
                Some(("Makefile", 2)),
                "Makefile:2: *** missing separator.",
                " at Makefile:2: missing separator.",
            ),
            (
                ErrorType::FileNotFound,
                None,
                "cat: a.txt: No such file or directory",
                ": cat: a.txt: No such file or directory",
            ),
            (ErrorType::RuntimeException, None, "SyntaxError: odd", ": SyntaxError: odd"),
        ] {
            assert_eq!(shown(error, place, message), expected, "{message}");
        }
        let step = "install what has z.h: h.c:1:10: fatal error: z.h: No such file or directory";
        assert_eq!(without(step, "z.h: No such file or directory"), "install what has z.h");
        assert_eq!(without("free the port (in use)", "in use"), "free the port");
    }

    #[test]
    fn facts_are_read_in_words() {
        let stopped = "it cannot be planned again: failed_attempts=3; stderr_hash matches last 2 attempts; replan_budget_exhausted";
        let expected =
            "it cannot be planned again: it failed 3 times; the last outputs are the same; no replan is left";
        assert_eq!(facts_in_words(stopped), expected);
        assert_eq!(facts_in_words("forbidden \"x\" in stderr; would be F5 architectural"), "forbidden \"x\" in stderr");
    }

    #[test]
    fn recorded_reasons_are_read_in_words() {
        for (recorded, expected) in [
            ("other: down", "down"),
            ("network_timeout: read timed out", "Timed out: read timed out"),
            (
                "the time limit passed; last error: rate_limit: 429",
                "the time limit passed; last error: Rate limited: 429",
            ),
            ("it cannot be planned again: x", "it cannot be planned again: x"),
        ] {
            assert_eq!(reason(recorded), expected);
        }
    }

    #[test]
    fn numbers_and_times_read_as_people_write_them() {
        assert_eq!((counted(1, "failure"), counted(2, "failure")), ("1 failure".into(), "2 failures".into()));
        let at = |ms| Timestamp::from_ms(ms);
        assert_eq!(ago(at(0), at(90_000)), "1 minute ago");
        assert_eq!(ago(at(0), at(3 * 86_400_000)), "3 days ago");
        assert_eq!(ago(at(5), at(0)), "just now");
        assert_eq!(at(0).to_minute(), "1970-01-01 00:00 UTC");
        assert_eq!(period(at(0), at(59_000)), "1970-01-01 00:00 UTC");
    }
}
