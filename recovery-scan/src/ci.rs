//! What a CI system prints in a job's log about how the job ended. The last such line counts.
//!
//! A new system is a row of [`TRAILERS`].

use serde::Serialize;

/// The CI system that wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CiSystem {
    /// GitHub Actions.
    Github,
    /// GitLab CI.
    Gitlab,
    /// Jenkins.
    Jenkins,
}

/// How a job or step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who stated it.
    pub system: CiSystem,
    /// `None` where it was cancelled: then it is unknown whether it would have succeeded.
    pub exit_code: Option<i64>,
}

/// What a trailer states about the exit code.
#[derive(Clone, Copy)]
enum Code {
    /// The number that follows; a failure without a number is 1.
    Follows,
    Is(i64),
    Unknown,
}

/// The line begins with the text, apart from colours and times.
const TRAILERS: &[(CiSystem, &str, Code)] = &[
    (CiSystem::Github, "##[error]Process completed with exit code ", Code::Follows),
    (CiSystem::Github, "##[error]The operation was canceled.", Code::Unknown),
    (CiSystem::Gitlab, "Job succeeded", Code::Is(0)),
    (CiSystem::Gitlab, "ERROR: Job failed: exit code ", Code::Follows),
    (CiSystem::Gitlab, "ERROR: Job failed: exit status ", Code::Follows),
    (CiSystem::Gitlab, "ERROR: Job failed: canceled", Code::Unknown),
    (CiSystem::Gitlab, "ERROR: Job failed", Code::Is(1)),
    (CiSystem::Jenkins, "Finished: SUCCESS", Code::Is(0)),
    (CiSystem::Jenkins, "Finished: FAILURE", Code::Is(1)),
    (CiSystem::Jenkins, "Finished: UNSTABLE", Code::Is(1)),
    (CiSystem::Jenkins, "Finished: ABORTED", Code::Unknown),
    (CiSystem::Jenkins, "Finished: NOT_BUILT", Code::Unknown),
];

/// How the job ended whose log ends with `tail`; `None` where no CI system states it.
#[must_use]
pub fn ending(tail: &[u8]) -> Option<Ending> {
    tail.rsplit(|byte| *byte == b'\n').find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let line = failure_taxonomy::normalise::strip_ansi(&line);
        let line = without_times(line.trim());
        TRAILERS.iter().find_map(|(system, text, code)| {
            let rest = line.strip_prefix(text)?;
            let exit_code = match code {
                Code::Follows => Some(number(rest).unwrap_or(1)),
                Code::Is(code) => Some(*code),
                Code::Unknown => None,
            };
            Some(Ending { system: *system, exit_code })
        })
    })
}

/// The line without its prefix: a byte order mark, GitHub's `2024-05-01T10:00:00.1234567Z `, GitLab's the same
/// with a stream `00O `, Jenkins' `[2024-05-01T10:00:00.123Z] ` or `10:00:00  `.
fn without_times(line: &str) -> &str {
    let is_time = |character: char| character.is_ascii_digit() || " \u{feff}-:.+TZOE[]".contains(character);
    let start = line.find(|character| !is_time(character)).unwrap_or(line.len());
    // `E` of `ERROR` is also the letter of GitLab's error stream.
    let has_letter = line[..start].ends_with('E') && line[start..].starts_with("RROR");
    &line[start - usize::from(has_letter)..]
}

fn number(text: &str) -> Option<i64> {
    let end = text.find(|character: char| !character.is_ascii_digit() && character != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_of_each_system() {
        let (github, gitlab, jenkins) = (CiSystem::Github, CiSystem::Gitlab, CiSystem::Jenkins);
        for (line, system, exit_code) in [
            ("2024-05-01T10:00:02.1234567Z ##[error]Process completed with exit code 101.", github, Some(101)),
            ("##[error]Process completed with exit code -1.\r", github, Some(-1)),
            ("2024-05-01T10:00:02.1234567Z ##[error]The operation was canceled.", github, None),
            ("2024-05-01T10:00:00.123456Z 00O \u{1b}[31;1mERROR: Job failed: exit code 1\u{1b}[0;m", gitlab, Some(1)),
            ("\u{1b}[0;m\u{1b}[31;1mERROR: Job failed: exit status 137", gitlab, Some(137)),
            ("ERROR: Job failed (system failure): prepare environment: waiting for pod", gitlab, Some(1)),
            ("ERROR: Job failed: execution took longer than 1h0m0s seconds", gitlab, Some(1)),
            ("\u{1b}[32;1mJob succeeded\u{1b}[0;m", gitlab, Some(0)),
            ("Finished: FAILURE", jenkins, Some(1)),
            ("[2024-05-01T10:00:02.123Z] Finished: UNSTABLE", jenkins, Some(1)),
            ("10:00:02  Finished: SUCCESS", jenkins, Some(0)),
            ("Finished: ABORTED", jenkins, None),
        ] {
            assert_eq!(ending(line.as_bytes()), Some(Ending { system, exit_code }), "{line}");
        }
    }

    #[test]
    fn the_last_one_counts_and_quotations_do_not() {
        let text = b"Job succeeded\nmore\nERROR: Job failed: exit code 3\ncleaning up\n";
        assert_eq!(ending(text).and_then(|ending| ending.exit_code), Some(3));
        for text in ["echo Finished: FAILURE", "the log said \"ERROR: Job failed: exit code 1\"", "", "E", "OTE"] {
            assert_eq!(ending(text.as_bytes()), None, "{text}");
        }
    }
}
