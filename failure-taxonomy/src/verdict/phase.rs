//! How an output ends: the phase of a CI log that ended the run, and whether the last lines report a failure.
//!
//! In: the end of an output. Out: where the step or command that failed begins and where the CI system reports its failure,
//! and whether the output shows by how it ends that something failed, which replaces an exit code that is not known.
//! CI systems print where a step begins (`##[group]Run`, `travis_time:start`, `section_start:`, `Step 3/9 :`) and how it ended
//! (`exited with 1`, `Process completed with exit code 2.`). The first that failed ended the run. A log without such a report
//! ends in its last phase that does not clean up. A text without phases has none, and then all of it counts. A job of GitHub
//! Actions marks what failed with `##[error]`; one that came to its end without that mark passed, whatever it printed.
//!
//! What was found in that phase is judged first, so that noise of set-up and clean-up decides only when nothing else does. To
//! support another CI system, add what it prints to [`ci_log`].

use super::task;
use crate::evidence::TAIL_BYTES;
use recovery_types::ci_log::{self, StepMark, StepOutcome};
use std::ops::Range;

/// How an output ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending<'t> {
    /// The place of the phase that ended the run, in bytes; `None` for a text without phases.
    pub phase: Option<Range<u64>>,
    /// Whether a CI system reports that the phase failed.
    pub has_failed: bool,
    /// Whether a CI job came to its end and reported no failed step.
    pub has_passed: bool,
    /// The output of the command that ran last, with the line that names it.
    pub task_text: &'t [u8],
    /// Whether one of the last lines is marked as an error.
    pub is_error: bool,
    /// Where the first of the last lines begins that complain (`cannot open x`, `tool: x not found`) without such a mark.
    pub complaint: Option<u64>,
    /// Whether the last line is one that a logger marks as information: whatever was logged before, it went on.
    pub ends_in_information: bool,
}

/// How the last [`TAIL_BYTES`] end. `text` is the end of an output; its first byte has the offset `base`.
pub(crate) fn ending(text: &[u8], base: u64) -> Ending<'_> {
    let cut = text.len().saturating_sub(TAIL_BYTES);
    let at = |index: usize| base + index as u64;
    match phase(&text[cut..]) {
        Some((phase, outcome)) => {
            let phase = cut + phase.start..cut + phase.end;
            Ending {
                task_text: &text[phase.clone()],
                phase: Some(at(phase.start)..at(phase.end)),
                has_failed: outcome == Some(StepOutcome::Failed),
                has_passed: outcome == Some(StepOutcome::Passed),
                is_error: false,
                complaint: None,
                ends_in_information: false,
            }
        }
        None => Ending {
            phase: None,
            task_text: &text[cut..],
            has_failed: false,
            has_passed: false,
            is_error: ends_in_error(text),
            complaint: last_lines(text).filter(|(_, line)| complains(line)).map(|(index, _)| at(index)).min(),
            ends_in_information: last_lines(text).next().is_some_and(|(_, line)| is_information(line)),
        },
    }
}

/// The last lines that are not empty, without what a CI system puts before them, each with where it begins. Further up,
/// indented lines belong to the line above them, like the frames of a stack or an excerpt of the source: they are skipped and
/// not counted.
fn last_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    const LAST_LINES: usize = 3;
    const MAX_BYTES: usize = 8 << 10;
    let (mut end, mut counted) = (text.len(), 0);
    let first = text.len().saturating_sub(MAX_BYTES);
    let lines = text[first..].rsplit(|byte| *byte == b'\n').map(move |line| {
        let start = end - line.len();
        end = start.saturating_sub(1);
        (start, without_prefix(line))
    });
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty()).enumerate();
    let is_indented = |line: &[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
    let lines = lines.take_while(move |(_, (_, line))| {
        let is_within = counted < LAST_LINES;
        counted += usize::from(!is_indented(line));
        is_within
    });
    let lines = lines.filter(move |(number, (_, line))| *number < LAST_LINES || !is_indented(line));
    lines.map(|(_, (start, line))| (start, line.trim_ascii()))
}

/// Whether a logger marks the line as information: `INFO ...`, `12:00:01 [info] ...`, `level=info ...`, `{"level": "info", ...`.
fn is_information(line: &[u8]) -> bool {
    const MAX_HEAD_BYTES: usize = 64;
    const MARKS: [&str; 6] = ["[info]", " info ", " info: ", "level=info", "\"level\":\"info\"", "\"level\": \"info\""];
    let head = line[..line.len().min(MAX_HEAD_BYTES)].to_ascii_lowercase();
    starts_with_any(&head, &["info ", "info: "])
        || MARKS.iter().any(|mark| memchr::memmem::find(&head, mark.as_bytes()).is_some())
}

/// Whether a line begins like a complaint or ends like one, after the names of tools: `tool: cannot open x`, `x not found`.
fn complains(line: &[u8]) -> bool {
    const MAX_LINE_BYTES: usize = 400;
    const STARTS: [&str; 22] = [
        "failed to ", "failure ", "could not ", "couldn't ", "cannot ", "can't ", "can not ", "unable to ", "unknown ",
        "invalid ", "no such ", "undefined ", "unrecognized ", "unrecognised ", "unexpected ", "unsupported ",
        "illegal ", "missing ", "error ", "fatal ", "syntax error", "must be ",
    ];
    const ENDS: [&str; 8] = [
        " not found", " does not exist", " doesn't exist", " is not installed", " be found", " be satisfied",
        " not recognized", " not supported",
    ];
    if line.len() > MAX_LINE_BYTES {
        return false;
    }
    let line = line.trim_ascii_end().to_ascii_lowercase();
    let mut message = line.strip_prefix(b"===> ").unwrap_or(&line);
    // `tool: part: message`; a time stamp or a sentence is no name.
    while let Some(colon) = memchr::memmem::find(message, b": ").filter(|colon| !message[..*colon].contains(&b' ')) {
        message = message[colon + 2..].trim_ascii_start();
    }
    let closing = message.trim_ascii_end();
    let closing = closing.strip_suffix(b".").or_else(|| closing.strip_suffix(b"!")).unwrap_or(closing);
    starts_with_any(message, &STARTS) || ENDS.iter().any(|end| closing.ends_with(end.as_bytes()))
}

/// Whether one of the last lines is marked as an error (`error: ...`, `tool: fatal: ...`, `[ERROR] ...`, `make: *** ...`) or
/// is a finding of a linter.
fn ends_in_error(text: &[u8]) -> bool {
    last_lines(text).any(|(_, line)| is_marked(line) || task::is_finding(line))
}

/// Whether the line is what Node.js prints last when it ends by an uncaught exception, or `go run` after a program that failed.
fn is_end_of_crash(line: &[u8]) -> bool {
    let is_number = |rest: &[u8]| !rest.is_empty() && rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let exit_status = line.strip_prefix(b"exit status ").is_some_and(|rest| is_number(rest) && rest != b"0");
    exit_status || line.strip_prefix(b"Node.js v").is_some_and(is_number)
}

/// Whether a word that marks errors comes before the message, after nothing but names: `error:`, `tool: fatal:`, `[ERROR]`,
/// `==> Error:`, `Error parsing the file:`, `WorkflowError:`.
fn is_marked(line: &[u8]) -> bool {
    const MAX_NAMES_BYTES: usize = 60;
    const WORDS: [&str; 10] =
        ["error", "fatal", "abort", "aborted", "fatal error", "failure", "failed", "panic", "err", "e"];
    let is_word = |word: &[u8]| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
    if starts_with_any(line, &["\u{2718} ", "\u{2716} ", "BUILD FAILED"]) || is_end_of_crash(line) {
        return true;
    }
    // An arrow or a pictogram before the message.
    let line = line.strip_prefix(b"==> ").unwrap_or(line);
    let pictogram = line.iter().position(u8::is_ascii).filter(|end| (1..=16).contains(end));
    let line = pictogram.map_or(line, |end| line[end..].trim_ascii_start());
    let head = &line[..line.len().min(MAX_NAMES_BYTES)];
    if memchr::memmem::find(head, b": *** ").is_some() || head.starts_with(b"*** ") {
        return true;
    }
    let mut tagged = head;
    while let Some(end) = tagged.strip_prefix(b"[").and_then(|rest| rest.iter().position(|byte| *byte == b']')) {
        if is_word(&tagged[1..=end]) {
            return true;
        }
        tagged = tagged[end + 2..].trim_ascii_start();
    }
    // `rsync error: ...` names its tool without a colon.
    let is_of_tool = |name: &[u8]| name.strip_suffix(b" error").is_some_and(|tool| !tool.contains(&b' '));
    // `Error parsing the file: ...`, `WorkflowError: ...`.
    let is_thing = |name: &[u8]| starts_with_any(name, &["Error ", "ERROR "]) && name.is_ascii();
    let is_class = |name: &[u8]| {
        name.len() > 5 && !name.contains(&b' ') && (name.ends_with(b"Error") || name.ends_with(b"Exception"))
    };
    let marks = |name: &[u8]| is_word(name) || is_of_tool(name) || is_thing(name) || is_class(name);
    let is_name = |name: &[u8]| !name.contains(&b' ') || marks(name);
    let mut parts = head.split(|byte| *byte == b':').map(<[u8]>::trim_ascii);
    // What follows the last colon is the message, or the beginning of it.
    let Some(_) = parts.by_ref().take_while(|part| is_name(part)).find(|part| marks(part)) else {
        return false;
    };
    parts.next().is_some_and(|message| !starts_with_any(message, &["none", "None", "no error", "0 "]))
}

/// The phase that ended the run, and how it ended as far as the CI system reports it.
fn phase(text: &[u8]) -> Option<(Range<usize>, Option<StepOutcome>)> {
    let (mut start, mut end_of_normal) = (0, 0);
    let (mut has_phases, mut is_clean_up, mut is_over) = (false, false, false);
    // Where the first step is that reports an error of its own words (`##[error]...`).
    let mut reported: Option<Range<usize>> = None;
    let mut next = 0;
    while next < text.len() {
        let line_start = next;
        next = memchr::memchr(b'\n', &text[next..]).map_or(text.len(), |length| next + length + 1);
        let line = without_prefix(&text[line_start..next]);
        match ci_log::step_mark(line) {
            Some(StepMark::CleanUp) => (is_clean_up, has_phases) = (true, true),
            Some(StepMark::Step) => (start, is_clean_up, has_phases) = (line_start, false, true),
            Some(StepMark::Command) if has_phases && !is_clean_up => start = line_start,
            _ => {}
        }
        is_over |= line.starts_with(b"Cleaning up orphan processes");
        if !is_clean_up && !line.trim_ascii().is_empty() {
            end_of_normal = next;
        }
        match ci_log::step_outcome(line) {
            Some(StepOutcome::Failed) if !is_clean_up => return Some((start..next, Some(StepOutcome::Failed))),
            Some(StepOutcome::Passed) => (start, has_phases) = (next, true),
            _ if line.starts_with(b"##[error]") && reported.as_ref().is_none_or(|step| step.start == start) => {
                reported = Some(start..next);
            }
            _ => {}
        }
    }
    if let Some(step) = reported.filter(|_| has_phases) {
        return Some((step, Some(StepOutcome::Failed)));
    }
    let outcome = is_over.then_some(StepOutcome::Passed);
    (has_phases && end_of_normal > start).then_some((start..end_of_normal, outcome))
}

/// The line without a time stamp and without the escape codes before its text.
pub(super) fn without_prefix(line: &[u8]) -> &[u8] {
    let mut line = line;
    if line.len() > 20 && line[0].is_ascii_digit() && line[4] == b'-' && line[10] == b'T' {
        line = memchr::memchr(b' ', &line[..line.len().min(40)]).map_or(line, |space| &line[space + 1..]);
    }
    // `2024/05/01 10:00:00 `, as the standard logger of Go prints.
    if line.len() > 20 && line[0].is_ascii_digit() && line[4] == b'/' && line[10] == b' ' && line[19] == b' ' {
        line = &line[20..];
    }
    while let Some(rest) = line.strip_prefix(b"\x1b[") {
        let Some(end) = rest.iter().take(12).position(u8::is_ascii_alphabetic) else { break };
        line = &rest[end + 1..];
    }
    line
}

fn starts_with_any(line: &[u8], heads: &[&str]) -> bool {
    heads.iter().any(|head| line.starts_with(head.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Ending, ending, ends_in_error};

    fn phase(text: &str) -> Option<(&str, bool)> {
        let Ending { phase, has_failed, .. } = ending(text.as_bytes(), 0);
        phase.map(|place| (&text[place.start as usize..place.end as usize], has_failed))
    }

    #[test]
    fn a_mark_before_the_message_shows_a_failure() {
        for line in [
            "error: x",
            "tool: fatal: x",
            "[ERROR] x",
            "[PM2][ERROR] x",
            "make: *** [all] Error 2",
            "a.c:3:1: Error: x",
            "ERROR: x",
            "==> Error: x",
            "\u{1f6d1} Error: x",
            "E: Unable to locate package x",
            "Error response from daemon: x",
            "WorkflowError: x",
            "asciidoctor: FAILED: x",
            "BUILD FAILED in 3s",
            "exit status 2",
            "Node.js v20.20.2",
            "a.py:4:11: E261 at least two spaces",
            "a.yml:4:3: key is not sorted [key-ordering]",
        ] {
            assert!(ends_in_error(format!("one\n{line}\n\n").as_bytes()), "{line}");
        }
        for line in
            ["0 errors: none", "handled the error: x", "error: none", "warning: x", "exit status 0", "a.py:4:11: x", ""]
        {
            assert!(!ends_in_error(format!("one\n{line}\n").as_bytes()), "{line}");
        }
        assert!(!ends_in_error(b"error: x\ntrying again\nconnected\ndone\n"));
        assert!(ends_in_error(b"error: x\n  at a\n  at b\n  at c\n\ndone\n"));
    }

    #[test]
    fn a_log_may_end_in_information() {
        for line in ["INFO done", "12:00:01 [info] done", "time=1 level=info msg=x", "{\"level\": \"info\"}"] {
            assert!(ending(format!("ERROR x\n{line}\n").as_bytes(), 0).ends_in_information, "{line}");
        }
        assert!(!ending(b"INFO starting\nERROR x\n", 0).ends_in_information);
    }

    #[test]
    fn the_first_step_that_failed_ended_the_run() {
        let github = "2024-05-01T10:00:00.1234567Z ##[group]Run npm ci\n2024-05-01T10:00:01.1234567Z ok\n\
            2024-05-01T10:00:02.1234567Z ##[group]Run npm test\n2024-05-01T10:00:03.1234567Z boom\n\
            2024-05-01T10:00:04.1234567Z ##[error]Process completed with exit code 1.\n\
            2024-05-01T10:00:05.1234567Z Post job cleanup.\n2024-05-01T10:00:06.1234567Z error: x\n";
        let (text, has_failed) = phase(github).unwrap();
        assert!(text.contains("Run npm test") && !text.contains("npm ci") && !text.contains("error: x") && has_failed);
        let travis = "travis_time:start:1\r\x1b[0K$ npm ci\nerror: ignored\n\x1b[32;1mThe command \"npm ci\" exited with 0.\x1b[0m\n\
            travis_time:start:2\r\x1b[0K$ npm test\nboom\n\x1b[31;1mThe command \"npm test\" exited with 1.\x1b[0m\n\
            travis_fold:start:after_failure\r\x1b[0Kerror: y\n";
        let (text, has_failed) = phase(travis).unwrap();
        assert!(text.contains("boom") && !text.contains("ignored") && !text.contains("error: y") && has_failed);
    }

    #[test]
    fn a_job_that_marked_no_error_passed_and_one_that_did_failed() {
        let job = |step: &str| {
            format!("##[group]Run make\nerror: x\n{step}Post job cleanup.\nCleaning up orphan processes\n")
        };
        let (passed, failed) = (job(""), job("##[error]Every change needs a label.\n"));
        let passed = ending(passed.as_bytes(), 0);
        assert!(passed.has_passed && !passed.has_failed);
        let failed = ending(failed.as_bytes(), 0);
        assert!(failed.has_failed && !failed.has_passed);
        // Cut off before its end, it shows neither.
        let cut = ending(b"##[group]Run make\nerror: x\n", 0);
        assert!(!cut.has_failed && !cut.has_passed);
    }

    #[test]
    fn commands_of_a_gitlab_job_are_phases() {
        let gitlab = "section_start:1:step_script\r\x1b[0KExecuting\n\x1b[32;1m$ make\x1b[0;m\nwarning: error\n\
            \x1b[32;1m$ make test\x1b[0;m\nboom\nsection_end:2:step_script\nsection_start:3:cleanup_file_variables\r\n\
            Cleaning up\nERROR: nothing to clean\n";
        let (text, has_failed) = phase(gitlab).unwrap();
        assert!(
            text.contains("boom") && !text.contains("warning") && !text.contains("nothing to clean") && !has_failed
        );
    }

    #[test]
    fn a_text_without_phases_counts_whole() {
        assert_eq!(phase("$ make\nerror: x\nmake: *** [all] Error 2\n"), None);
        assert_eq!(phase("Step by step / : guide\n"), None);
    }
}
