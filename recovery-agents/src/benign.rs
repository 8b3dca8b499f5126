//! Exit codes that say "no" rather than "I failed".

use crate::{Call, Outcome};

/// Commands whose exit code 1 is an answer: no match, a difference, not true.
const ANSWER_BY_EXIT_CODE: [&str; 16] = [
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "[[", "pgrep", "which", "type", "command",
    "false",
];

/// Whether a non-zero exit is no failure: the last command of the line answers by its exit code, and nothing was
/// printed that tells of an error.
///
/// ```
/// use recovery_agents::{Call, Outcome, is_benign};
/// let call = |command: &str| Call { id: None, tool: "Bash".into(), action: command.into(), is_shell: true };
/// let exit = |code, text: &str| Outcome { ok: Some(false), exit_code: Some(code), text: text.into(), ..Outcome::default() };
/// assert!(is_benign(&call("cd src && grep -rn TODO ."), &exit(1, "")));
/// assert!(!is_benign(&call("grep -rn TODO missing"), &exit(2, "grep: missing: No such file or directory")));
/// assert!(is_benign(&call("grep -rnE 'foo|bar;baz' src"), &exit(1, "")));
/// assert!(!is_benign(&call("npm test"), &exit(1, "")));
/// ```
#[must_use]
pub fn is_benign(call: &Call, outcome: &Outcome) -> bool {
    if !call.is_shell || outcome.exit_code != Some(1) || outcome.timed_out {
        return false;
    }
    let mut words = last_command(&call.action).split_whitespace().skip_while(|word| word.contains('=') || *word == "!");
    let Some(program) = words.next() else { return false };
    let program = program.rsplit('/').next().unwrap_or(program);
    let is_git_question = program == "git" && matches!(words.next(), Some("diff" | "grep" | "merge-base"));
    let complains = outcome.text.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with(program) && line[program.len()..].starts_with(':')
    });
    (ANSWER_BY_EXIT_CODE.contains(&program) || is_git_question) && !complains
}

/// The last command of a line, split outside quotes only.
fn last_command(line: &str) -> &str {
    let (mut start, mut quote, mut escaped) = (0, None, false);
    let mut last = "";
    for (at, c) in line.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '|' | ';' | '&' | '\n') => {
                last = if line[start..at].trim().is_empty() { last } else { line[start..at].trim() };
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    if line[start..].trim().is_empty() { last } else { line[start..].trim() }
}
