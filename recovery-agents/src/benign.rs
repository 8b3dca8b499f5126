//! Exit codes that mean "no" rather than "I failed": one table by command.

use crate::shell::{Join, Line, Simple};
use crate::{Call, Outcome};

/// When an exit code of a program is an answer.
struct Answer {
    programs: &'static [&'static str],
    /// The subcommands for which it holds; empty for all.
    subcommands: &'static [&'static str],
    codes: &'static [i64],
    /// What the output must contain for it; empty where it need not contain anything.
    says: &'static [&'static str],
    /// Whether a line that begins with the program's name reports an error after all (`grep: x: No such file`).
    complains: bool,
}

const ANSWERS: &[Answer] = &[
    Answer {
        programs: &["grep", "egrep", "fgrep", "zgrep", "xzgrep", "rg", "ag", "ack", "ugrep", "pcregrep", "pcre2grep"],
        subcommands: &[],
        codes: &[1],
        says: &[],
        complains: true,
    },
    Answer {
        programs: &["diff", "cmp", "colordiff", "sdiff", "diff3", "zdiff", "comm"],
        subcommands: &[],
        codes: &[1],
        says: &[],
        complains: true,
    },
    Answer { programs: &["test", "[", "[["], subcommands: &[], codes: &[1], says: &[], complains: true },
    Answer {
        programs: &["false", "expr", "let", "((", "read", "pgrep", "pidof", "pkill", "killall", "fuser", "lsof"],
        subcommands: &[],
        codes: &[1],
        says: &[],
        complains: false,
    },
    Answer {
        programs: &["which", "type", "command", "hash", "whereis", "where"],
        subcommands: &[],
        codes: &[1, 127],
        says: &[],
        complains: false,
    },
    Answer {
        programs: &["git"],
        subcommands: &[
            "diff",
            "diff-index",
            "diff-files",
            "diff-tree",
            "grep",
            "merge-base",
            "show-ref",
            "check-ignore",
            "symbolic-ref",
            "ls-files",
            "config",
            "rev-parse",
        ],
        codes: &[1],
        says: &[],
        complains: false,
    },
    Answer {
        programs: &["git"],
        subcommands: &["commit"],
        codes: &[1],
        says: &["nothing to commit", "nothing added to commit", "no changes added to commit"],
        complains: false,
    },
    Answer { programs: &["jq"], subcommands: &[], codes: &[1, 4], says: &[], complains: true },
    Answer {
        programs: &["systemctl"],
        subcommands: &["is-active", "is-enabled", "is-failed", "status"],
        codes: &[1, 3],
        says: &[],
        complains: false,
    },
    Answer { programs: &["service"], subcommands: &[], codes: &[3], says: &[], complains: false },
    Answer { programs: &["pg_isready", "nc", "ping"], subcommands: &[], codes: &[1, 2], says: &[], complains: true },
    Answer { programs: &["getent"], subcommands: &[], codes: &[2], says: &[], complains: false },
    Answer { programs: &["npm", "pnpm", "yarn"], subcommands: &["outdated"], codes: &[1], says: &[], complains: false },
    Answer { programs: &["pip", "pip3"], subcommands: &["show"], codes: &[1], says: &["not found"], complains: false },
    Answer { programs: &["dpkg", "rpm"], subcommands: &[], codes: &[1], says: &["not installed"], complains: false },
    Answer { programs: &["kubectl"], subcommands: &["diff"], codes: &[1], says: &[], complains: false },
    Answer { programs: &["terraform", "tofu"], subcommands: &["plan"], codes: &[2], says: &[], complains: false },
    Answer { programs: &["kill"], subcommands: &[], codes: &[1], says: &["No such process"], complains: false },
];

/// Whether a non-zero exit is no failure: the command that gave it answers by its exit code, and nothing was printed
/// that reports an error.
///
/// ```
/// use recovery_agents::{Call, Outcome, is_benign};
/// let call = |command: &str| Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() };
/// let exit = |code, text: &str| Outcome { ok: Some(false), exit_code: Some(code), text: text.into(), ..Outcome::default() };
/// assert!(is_benign(&call("cd src && grep -rn TODO ."), &exit(1, "")));
/// assert!(is_benign(&call("[ -d build ] && rm -r build"), &exit(1, "")));
/// assert!(is_benign(&call("git commit -am x"), &exit(1, "On branch main\nnothing to commit, working tree clean")));
/// assert!(!is_benign(&call("grep -rn TODO missing"), &exit(2, "grep: missing: No such file or directory")));
/// assert!(!is_benign(&call("npm test"), &exit(1, "")));
/// ```
#[must_use]
pub fn is_benign(call: &Call, outcome: &Outcome) -> bool {
    let Some(code) = outcome.exit_code.filter(|_| call.is_shell && !outcome.timed_out) else { return false };
    let line = Line::parse(&call.action);
    let Some(last) = line.last() else { return false };
    if answers(last, code, &outcome.text) {
        return true;
    }
    // Nothing was printed: the command that answered "no" may come earlier in `a && b`, or in a pipe under `pipefail`.
    let chained =
        line.commands.iter().rev().skip(1).take_while(|simple| matches!(simple.join, Some(Join::And | Join::Pipe)));
    outcome.text.trim().is_empty() && chained.into_iter().any(|simple| answers(simple, code, ""))
        // A reader that has seen enough ends the writer before it.
        || code == 141 && matches!(last.program(), "head" | "grep" | "sed" | "less" | "awk")
}

fn answers(simple: &Simple, code: i64, text: &str) -> bool {
    let program = simple.program();
    ANSWERS.iter().any(|answer| {
        let complaint = |line: &str| {
            let line = line.trim_start();
            line.strip_prefix(program).is_some_and(|rest| rest.starts_with(':'))
        };
        answer.programs.contains(&program)
            && answer.codes.contains(&code)
            && (answer.subcommands.is_empty() || answer.subcommands.contains(&simple.subcommand()))
            && (answer.says.is_empty() || answer.says.iter().any(|words| text.contains(words)))
            && !(answer.complains && text.lines().any(complaint))
    })
}
