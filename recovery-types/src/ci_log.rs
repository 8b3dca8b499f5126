//! What CI systems print about the steps of a job: where a step or clean-up begins, and how a step ended.
//!
//! In: one line without its time stamp and colours. Out: what the line states about the job's steps. `failure-taxonomy` and
//! `problem-matcher` each find the phase that ended the run, one in bytes of raw output and one in lines without prefixes;
//! both recognise the lines here, so that another CI system is added once. `problem-matcher` takes the prefixes off that some
//! systems put before every line or before a heading (`##[group]Run`, `section_start:`), and has its own list of those.

/// Prefixes of lines that begin the clean-up of a job.
const CLEAN_UPS: [&str; 9] = [
    "Post job cleanup.",
    "Cleaning up project directory",
    "Cleaning up orphan processes",
    "Running after_script",
    "Running after script",
    "Uploading artifacts for ",
    "Uploading artifacts...",
    "{ (Declarative: Post Actions)",
    "##[section]Finishing: ",
];

/// Prefixes of the names of sections that clean up after the run.
const CLEAN_UP_SECTIONS: [&str; 8] =
    ["after_", "cache", "before_cache", "cleanup_", "upload_artifacts", "archive_cache", "finish", "before_deploy"];

/// Prefixes of lines that end in the exit code of a step, without the `##[error]` that some carry.
const WITH_EXIT_CODE: [&str; 11] = [
    "Process completed with exit code",
    "Error: Process completed with exit code",
    "script returned exit code",
    "ERROR: script returned exit code",
    "Exited with code",
    "Command exited with code",
    "Bash exited with code",
    "PowerShell exited with code",
    "Cmd.exe exited with code",
    "Script failed with exit code",
    "\u{1f6a8} Error: The command exited with status",
];

/// Prefixes of lines that report a failed step.
const FAILED: [&str; 4] =
    ["ERROR: Job failed", "ERROR: process \"", "ERROR: executor failed running", "ERROR: failed to solve"];

/// Prefixes of lines that begin a step.
const STEPS: [&str; 7] = [
    "##[group]Run ", "##[section]Starting: ", "travis_time:start", "travis_fold:start", "section_start:",
    "[Pipeline] sh", "[Pipeline] { (",
];

/// What a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepMark {
    /// A step.
    Step,
    /// A command, inside a step where steps are printed too.
    Command,
    /// The clean-up after a run.
    CleanUp,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepOutcome {
    /// Its exit code was 0.
    Passed,
    /// It failed.
    Failed,
}

/// Whether the line begins with one of these. Most lines are ruled out by their first byte.
fn starts_with_any(line: &[u8], heads: &[&str]) -> bool {
    heads.iter().any(|head| line.first() == head.as_bytes().first() && line.starts_with(head.as_bytes()))
}

/// Whether the line begins the clean-up after a run.
#[must_use]
pub fn begins_clean_up(line: &[u8]) -> bool {
    starts_with_any(line.strip_prefix(b"[Pipeline] ").unwrap_or(line), &CLEAN_UPS)
}

/// Whether a section of this name, as GitLab and Travis print it, cleans up after the run.
#[must_use]
pub fn is_clean_up_section(name: &[u8]) -> bool {
    starts_with_any(name, &CLEAN_UP_SECTIONS)
}

/// Whether the line is the heading of a step: `Step 3/9 : RUN make` of Docker, `--- :docker: Build` of Buildkite.
#[must_use]
pub fn is_step_heading(line: &[u8]) -> bool {
    let is_docker = line.strip_prefix(b"Step ").is_some_and(|rest| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let start = &rest[..rest.len().min(12)];
        digits > 0 && rest[digits..].starts_with(b"/") && start.windows(3).any(|bytes| bytes == b" : ")
    });
    is_docker || starts_with_any(line, &["~~~ ", "+++ :", "--- :"])
}

/// `#12 [4/6] RUN make`, as BuildKit prints.
fn is_buildkit_step(line: &[u8]) -> bool {
    line.strip_prefix(b"#").is_some_and(|rest| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && rest[digits..].starts_with(b" [")
    })
}

/// What the line begins, with the prefix that its CI system gives it.
///
/// ```
/// use recovery_types::ci_log::{StepMark, step_mark};
/// assert_eq!(step_mark(b"##[group]Run npm ci"), Some(StepMark::Step));
/// assert_eq!(step_mark(b"section_start:1560896352:cleanup_file_variables"), Some(StepMark::CleanUp));
/// assert_eq!(step_mark(b"$ make test"), Some(StepMark::Command));
/// assert_eq!(step_mark(b"error: x"), None);
/// ```
#[must_use]
pub fn step_mark(line: &[u8]) -> Option<StepMark> {
    if begins_clean_up(line) {
        return Some(StepMark::CleanUp);
    }
    if starts_with_any(line, &STEPS) || is_step_heading(line) || is_buildkit_step(line) {
        // `section_start:1560896352:cleanup_file_variables`, `travis_fold:start:cache.2`.
        let name = match line.iter().position(|byte| *byte == b':') {
            Some(colon) if line.starts_with(b"section_start") || line.starts_with(b"travis_fold") => {
                let rest = &line[colon + 1..];
                rest.iter().position(|byte| *byte == b':').map_or(rest, |colon| &rest[colon + 1..])
            }
            _ => b"",
        };
        return Some(if is_clean_up_section(name) { StepMark::CleanUp } else { StepMark::Step });
    }
    line.starts_with(b"$ ").then_some(StepMark::Command)
}

/// How a step ended, where the line reports it.
///
/// ```
/// use recovery_types::ci_log::{StepOutcome, step_outcome};
/// assert_eq!(step_outcome(b"##[error]Process completed with exit code 2."), Some(StepOutcome::Failed));
/// assert_eq!(step_outcome(b"The command \"npm ci\" exited with 0."), Some(StepOutcome::Passed));
/// assert_eq!(step_outcome(b"error: x"), None);
/// ```
#[must_use]
pub fn step_outcome(line: &[u8]) -> Option<StepOutcome> {
    let line = line.trim_ascii_end();
    let line = line.strip_prefix(b"##[error]").unwrap_or(line);
    if line.starts_with(b"The command ") {
        return match after_last(line, b" exited with ") {
            Some(code) => by_exit_code(code),
            None => after_last(line, b" returned a non-zero code").map(|_| StepOutcome::Failed),
        };
    }
    if let Some(code) = WITH_EXIT_CODE.iter().find_map(|head| line.strip_prefix(head.as_bytes())) {
        return by_exit_code(code.strip_prefix(b" exit status").unwrap_or(code));
    }
    let is_failed = starts_with_any(line, &FAILED)
        || (line.starts_with(b"Build step '") && line.ends_with(b"as failure"))
        || is_stopped(line);
    is_failed.then_some(StepOutcome::Failed)
}

/// Whether GitHub Actions reports that it stopped a step: its time was up, it was cancelled, or the runner was shut down.
fn is_stopped(line: &[u8]) -> bool {
    let is_timeout = starts_with_any(line, &["The action '", "The job running on runner "])
        && [&b"has timed out after "[..], b"has exceeded the maximum execution time"]
            .iter()
            .any(|text| memchr::memmem::find(line, text).is_some());
    is_timeout
        || line == b"The operation was canceled."
        || line.starts_with(b"The runner has received a shutdown signal.")
}

fn after_last<'a>(line: &'a [u8], text: &[u8]) -> Option<&'a [u8]> {
    memchr::memmem::rfind(line, text).map(|at| &line[at + text.len()..])
}

fn by_exit_code(text: &[u8]) -> Option<StepOutcome> {
    let start = text.iter().position(|byte| !b" ':".contains(byte))?;
    let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let code = &text[start..start + digits];
    let is_zero = code.iter().all(|digit| *digit == b'0');
    (digits > 0).then_some(if is_zero { StepOutcome::Passed } else { StepOutcome::Failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_each_system_are_recognised() {
        for line in [
            "Process completed with exit code 1.",
            "##[error]Bash exited with code '2'.",
            "ERROR: script returned exit code 1",
            "Exited with code exit status 1",
            "Exited with code 137",
            "\u{1f6a8} Error: The command exited with status 4",
            "The command '/bin/sh -c make' returned a non-zero code: 2",
            "ERROR: Job failed: exit code 1",
            "Build step 'Execute shell' marked build as failure",
            "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully",
            "##[error]The action 'Test' has timed out after 360 minutes.",
            "##[error]The job running on runner GitHub Actions 7 has exceeded the maximum execution time of 360 minutes.",
            "##[error]The operation was canceled.",
            "##[error]The runner has received a shutdown signal. This can happen when the runner service is stopped.",
        ] {
            assert_eq!(step_outcome(line.as_bytes()), Some(StepOutcome::Failed), "{line}");
        }
        for line in ["Build step 'Execute shell'", "Exited with code", "The command line is long", ""] {
            assert_eq!(step_outcome(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn headings_and_clean_up_are_recognised() {
        for line in ["Step 3/9 : RUN make", "--- :docker: Build", "~~~ Preparing"] {
            assert!(is_step_heading(line.as_bytes()), "{line}");
        }
        assert!(!is_step_heading(b"Step by step / : guide"));
        for line in ["Post job cleanup.", "[Pipeline] { (Declarative: Post Actions)", "##[section]Finishing: Build"] {
            assert!(begins_clean_up(line.as_bytes()), "{line}");
        }
        assert!(!begins_clean_up(b"Uploading artifacts took 0.26 seconds"));
        assert!(is_clean_up_section(b"cleanup_file_variables") && !is_clean_up_section(b"step_script"));
    }
}
