//! The phases of a CI log: which lines belong to the command that ended the run.
//!
//! A CI system prints where a step or command begins (`##[group]Run`, `travis_time:start` with `$ cmd`, `section_start:`,
//! `Step 3/9`) and how it ended (`exited with 1`, `Process completed with exit code 2`). The first that failed ended the run: its lines, from
//! where it began to where its failure is reported, are the [`Phases::ending`]. Errors in other phases are noise of set-up
//! and clean-up. A log that was cut off before the report of the failure ends in the phase that failed. A text without phases has none, and
//! then every line counts. To support another CI system, add what it prints to [`start`] and to [`ci_log`].

use crate::lines::{Lines, Mark};
use recovery_types::ci_log::{self, StepOutcome};

/// The lines that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phases {
    /// The first and last line number of the phase that ended the run.
    pub ending: Option<(u32, u32)>,
    /// The number of the line with the last command that the phase's shell traced (`+ cmd`), if it traces.
    pub last_command: Option<u32>,
}

impl Phases {
    /// Whether a line belongs to the phase that ended the run.
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.ending.is_none_or(|(first, last)| (u64::from(first)..=u64::from(last)).contains(&number))
    }
}

/// Finds the phase that ended the run.
pub(crate) fn phases(lines: &Lines<'_>) -> Phases {
    let mut first = 1;
    let mut has_phases = false;
    let mut is_clean_up = false;
    let mut last_normal = 0;
    let mut last_command = None;
    let mut end = None;
    let mut marked = None;
    for line in lines.iter() {
        if line.mark == Mark::CleanUp || ci_log::begins_clean_up(line.text.as_bytes()) {
            is_clean_up = true;
            has_phases = true;
        } else if start(line.text, line.mark) {
            first = line.number;
            last_command = None;
            is_clean_up = false;
            has_phases = true;
        } else if is_traced(line.text) {
            last_command = Some(line.number);
        }
        if !is_clean_up && !line.text.trim().is_empty() {
            last_normal = line.number;
        }
        if line.mark == Mark::Error && !is_clean_up && marked.is_none_or(|(begin, _)| begin == first) {
            marked = Some((first, line.number));
        }
        match ci_log::step_outcome(line.text.trim().as_bytes()) {
            Some(StepOutcome::Failed) if !is_clean_up || last_normal == 0 => {
                end = Some(line.number);
                break;
            }
            Some(StepOutcome::Passed) => {
                first = line.number + 1;
                last_command = None;
                has_phases = true;
            }
            _ => {}
        }
    }
    // Without a phase before the failure, everything above it belongs to it. Steps that call no shell report no exit code:
    // the first one with an error is the one that failed.
    let ending = match end {
        Some(end) => Some((first, end)),
        None if has_phases && marked.is_some() => marked,
        None if has_phases && last_normal > first => Some((first, last_normal)),
        None => None,
    };
    Phases { ending, last_command: last_command.filter(|_| ending.is_some()) }
}

/// Whether a step or a command of the CI system begins.
fn start(text: &str, mark: Mark) -> bool {
    match mark {
        Mark::Group => {
            // GitHub names a step's group after `Run`; other groups are inside steps.
            text.starts_with("Run ")
                || text.starts_with("$ ")
                || text.starts_with("Starting: ")
                || text.starts_with('[')
                || text.starts_with('{')
                || text.starts_with("Executing \"step_script\"")
                || text.starts_with("script")
        }
        Mark::Command => true,
        _ => ci_log::is_step_heading(text.as_bytes()),
    }
}

/// `+ make test` and `+make test` of a shell that traces, `$ make test` of GitLab and Buildkite.
fn is_traced(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix("$ ") {
        return rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/'));
    }
    let Some(rest) = text.strip_prefix('+') else { return false };
    let rest = rest.trim_start_matches('+').trim_start();
    rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/' | '['))
        && !rest.starts_with("set +x")
        && rest.len() > 1
        && !text.starts_with("++ b/")
        && !text.starts_with("+++ ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::without_escapes;

    fn ending(text: &str) -> Option<(u32, u32)> {
        phases(&Lines::of(&without_escapes(text))).ending
    }

    #[test]
    fn the_step_that_failed_ended_the_run() {
        let github = "##[group]Run npm ci\nnpm warn x\n##[endgroup]\nok\n##[group]Run npm test\nshell: bash\n##[endgroup]\nboom\n##[error]Process completed with exit code 1.\nPost job cleanup.\nerror: y";
        assert_eq!(ending(github), Some((5, 9)));
        let travis = "travis_time:start:1\r$ npm ci\r\nerror: ignored\r\nThe command \"npm ci\" exited with 0.\r\ntravis_time:start:2\r$ npm test\r\nboom\r\nThe command \"npm test\" exited with 1.\r\n";
        assert_eq!(ending(travis), Some((4, 6)));
    }

    #[test]
    fn a_step_that_reports_an_error_and_no_exit_code_ended_the_run() {
        let log = "##[group]Run actions/download-artifact@v4\nname: x\n##[endgroup]\n##[error]Unable to download artifact(s): Artifact not found\n##[group]Run ./upload\n##[error]Access denied\n##[warning]old node\n";
        assert_eq!(ending(log), Some((1, 4)));
        let timeout = "##[group]Run make test\n##[endgroup]\nrunning\n##[error]The action 'Test' has timed out after 360 minutes.\n##[group]Run ./upload\nuploaded\n";
        assert_eq!(ending(timeout), Some((1, 4)));
    }

    #[test]
    fn a_log_that_was_cut_off_ends_in_the_phase_that_failed() {
        assert_eq!(
            ending("travis_time:start:1\r$ a\nThe command \"a\" exited with 0.\ntravis_time:start:2\r$ b\nboom\n"),
            Some((3, 4))
        );
    }

    #[test]
    fn what_jenkins_does_after_the_failure_is_clean_up() {
        let log = "[Pipeline] { (Test)\n[Pipeline] sh\n+ make test\nboom\n[Pipeline] }\n[Pipeline] stage\n[Pipeline] { (Declarative: Post Actions)\nError when executing always post condition:\n[Pipeline] }\nERROR: script returned exit code 1\n";
        let (first, last) = ending(log).unwrap();
        assert!((first..=last).contains(&4) && last < 8, "{first} to {last}");
    }

    #[test]
    fn gitlab_lists_the_commands_of_a_script() {
        let log = "section_start:1:step_script\r\u{1b}[0KExecuting \"step_script\" stage of the job script\n$ npm ci || true\nerror: ignored\n$ npm test\nboom\nERROR: Job failed: exit code 1\n";
        assert_eq!(phases(&Lines::of(&without_escapes(log))).last_command, Some(4));
    }

    #[test]
    fn a_text_without_phases_counts_whole() {
        assert_eq!(ending("error: x\nmake: *** [all] Error 2\n"), None);
    }
}
