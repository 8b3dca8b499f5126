//! Exit codes that mean "no" rather than "failed": `grep` without a match, `diff` with differences, `test -f`.
//!
//! In: a tool call and its outcome. Out: whether a non-zero exit code is an answer. `ANSWERS` lists commands with the
//! codes by which they answer; an output that reports an error is a failure all the same. To add a command, add a row.

use crate::shell::{Join, Line, Simple};
use crate::{Call, Outcome};

/// When an exit code of a program is an answer.
struct Answer {
    programs: &'static [&'static str],
    /// The subcommands for which it holds; empty for all.
    subcommands: &'static [&'static str],
    codes: &'static [i64],
    /// What the output must contain for it; empty where it need not contain anything.
    prints: &'static [&'static str],
    /// Whether a line that begins with the program's name, or `parse error:` (jq), reports an error after all.
    may_err: bool,
}

const ANSWERS: &[Answer] = &[
    Answer {
        programs: &["grep", "egrep", "fgrep", "zgrep", "xzgrep", "rg", "ag", "ack", "ugrep", "pcregrep", "pcre2grep"],
        subcommands: &[],
        codes: &[1],
        prints: &[],
        may_err: true,
    },
    Answer {
        programs: &["diff", "cmp", "colordiff", "sdiff", "diff3", "zdiff", "comm"],
        subcommands: &[],
        codes: &[1],
        prints: &[],
        may_err: true,
    },
    Answer { programs: &["test", "[", "[["], subcommands: &[], codes: &[1], prints: &[], may_err: true },
    Answer {
        programs: &["false", "expr", "let", "((", "read", "pgrep", "pidof", "pkill", "killall", "fuser", "lsof"],
        subcommands: &[],
        codes: &[1],
        prints: &[],
        may_err: false,
    },
    Answer {
        programs: &["which", "type", "command", "hash", "whereis", "where"],
        subcommands: &[],
        codes: &[1, 127],
        prints: &[],
        may_err: false,
    },
    Answer {
        programs: &["git"],
        subcommands: &[
            "diff", "diff-index", "diff-files", "diff-tree", "grep", "merge-base", "show-ref", "check-ignore",
            "symbolic-ref", "ls-files", "config", "rev-parse",
        ],
        codes: &[1],
        prints: &[],
        may_err: false,
    },
    Answer {
        programs: &["git"],
        subcommands: &["commit"],
        codes: &[1],
        prints: &["nothing to commit", "nothing added to commit", "no changes added to commit"],
        may_err: false,
    },
    Answer { programs: &["jq"], subcommands: &[], codes: &[1, 4], prints: &[], may_err: true },
    Answer {
        programs: &["systemctl"],
        subcommands: &["is-active", "is-enabled", "is-failed", "status"],
        codes: &[1, 3, 4],
        prints: &[],
        may_err: false,
    },
    Answer { programs: &["service"], subcommands: &[], codes: &[3], prints: &[], may_err: false },
    Answer { programs: &["pg_isready", "nc", "ping"], subcommands: &[], codes: &[1, 2], prints: &[], may_err: true },
    Answer { programs: &["getent"], subcommands: &[], codes: &[2], prints: &[], may_err: false },
    Answer {
        programs: &["npm", "pnpm", "yarn"],
        subcommands: &["outdated", "ls", "list", "why", "explain"],
        codes: &[1],
        prints: &[],
        may_err: false,
    },
    Answer {
        programs: &["npm", "pnpm", "yarn"],
        subcommands: &["audit"],
        codes: &[1],
        prints: &["vulnerabilit"],
        may_err: false,
    },
    Answer {
        programs: &["git"],
        subcommands: &["remote", "describe", "cat-file", "rev-parse", "symbolic-ref", "branch", "tag", "log"],
        codes: &[1, 2, 128],
        prints: &[
            "No such remote",
            "No names found",
            "no upstream configured",
            "unknown revision",
            "is not a symbolic ref",
            "Not a valid object name",
            "no such branch",
            "does not have any commits yet",
        ],
        may_err: false,
    },
    Answer {
        programs: &["docker", "podman"],
        subcommands: &["inspect", "image", "container", "volume", "network", "port"],
        codes: &[1, 125],
        prints: &["No such", "no such"],
        may_err: false,
    },
    Answer { programs: &["gh"], subcommands: &["auth"], codes: &[1], prints: &["not logged in"], may_err: false },
    Answer { programs: &["tmux"], subcommands: &["has-session", "has"], codes: &[1], prints: &[], may_err: false },
    Answer { programs: &["screen"], subcommands: &[], codes: &[1], prints: &["No Sockets"], may_err: false },
    Answer { programs: &["brew"], subcommands: &["list", "ls"], codes: &[1], prints: &[], may_err: false },
    Answer {
        programs: &["apt-cache"],
        subcommands: &[],
        codes: &[100],
        prints: &["No packages found"],
        may_err: false,
    },
    Answer { programs: &["id", "groups"], subcommands: &[], codes: &[1], prints: &["no such user"], may_err: false },
    Answer { programs: &["mountpoint"], subcommands: &[], codes: &[1, 32], prints: &[], may_err: false },
    Answer { programs: &["flock"], subcommands: &[], codes: &[1], prints: &[], may_err: true },
    Answer { programs: &["crontab"], subcommands: &[], codes: &[1], prints: &["no crontab for"], may_err: false },
    Answer { programs: &["ssh-add"], subcommands: &[], codes: &[1], prints: &["no identities"], may_err: false },
    Answer { programs: &["gpg"], subcommands: &[], codes: &[2], prints: &["No public key"], may_err: false },
    Answer { programs: &["ip"], subcommands: &[], codes: &[1], prints: &["does not exist"], may_err: false },
    Answer { programs: &["nslookup", "host"], subcommands: &[], codes: &[1], prints: &["NXDOMAIN"], may_err: false },
    Answer { programs: &["pip", "pip3"], subcommands: &["show"], codes: &[1], prints: &["not found"], may_err: false },
    Answer { programs: &["dpkg", "rpm"], subcommands: &[], codes: &[1], prints: &["not installed"], may_err: false },
    Answer { programs: &["kubectl"], subcommands: &["diff"], codes: &[1], prints: &[], may_err: false },
    Answer { programs: &["terraform", "tofu"], subcommands: &["plan"], codes: &[2], prints: &[], may_err: false },
    Answer { programs: &["kill"], subcommands: &[], codes: &[1], prints: &["No such process"], may_err: false },
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
    if answers(last, code, &outcome.text) || asks_for_program(last, code) || is_cut_off(&call.action, last, code) {
        return true;
    }
    // Nothing was printed: the command that answered "no" may come earlier in `a && b`, or in a pipe under `pipefail`.
    let chained =
        line.commands.iter().rev().skip(1).take_while(|simple| matches!(simple.join, Some(Join::And | Join::Pipe)));
    outcome.text.trim().is_empty() && chained.into_iter().any(|simple| answers(simple, code, ""))
        // A reader that has seen enough ends the writer before it.
        || code == 141 && matches!(last.program(), "head" | "grep" | "sed" | "less" | "awk")
}

/// `tool --version` checks whether the tool is installed.
fn asks_for_program(simple: &Simple, code: i64) -> bool {
    code == 127 && simple.words.len() == 2 && simple.has(&["--version", "-version", "-V", "-v", "version", "--help"])
}

/// `timeout 5 tail -f log`: what never ends by itself was ended on purpose.
fn is_cut_off(action: &str, simple: &Simple, code: i64) -> bool {
    let has_timeout = action.split_ascii_whitespace().any(|word| matches!(word, "timeout" | "gtimeout"));
    matches!(code, 124 | 143) && has_timeout && simple.is_endless()
}

fn answers(simple: &Simple, code: i64, text: &str) -> bool {
    let program = simple.program();
    ANSWERS.iter().any(|answer| {
        let complaint = |line: &str| {
            let line = line.trim_start();
            line.strip_prefix(program).is_some_and(|rest| rest.starts_with(':')) || line.starts_with("parse error:")
        };
        answer.programs.contains(&program)
            && answer.codes.contains(&code)
            && (answer.subcommands.is_empty() || answer.subcommands.contains(&simple.subcommand()))
            && (answer.prints.is_empty() || answer.prints.iter().any(|words| text.contains(words)))
            && !(answer.may_err && text.lines().any(complaint))
    })
}

#[cfg(test)]
mod tests {
    use super::is_benign;
    use crate::Outcome;
    use crate::call::shell;

    fn exited(command: &str, code: i64, text: &str) -> bool {
        let outcome = Outcome { ok: Some(false), exit_code: Some(code), text: text.to_owned(), ..Outcome::default() };
        is_benign(&shell(command), &outcome)
    }

    #[test]
    fn answers_by_exit_code() {
        for (command, code, text) in [
            ("git diff --exit-code", 1, "diff --git a/x b/x"),
            ("cmp a b", 1, "a b differ: byte 1, line 1"),
            ("pgrep -f x", 1, ""),
            ("which foo", 1, "foo not found"),
            ("systemctl is-active nginx", 4, "inactive"),
            ("npm ls foo", 1, "x@1.0.0\n`-- (empty)"),
            ("npm audit", 1, "3 vulnerabilities (1 high)"),
            ("docker image inspect foo", 1, "[]\nError response from daemon: No such image: foo"),
            ("git remote get-url up", 2, "error: No such remote 'up'"),
            ("git rev-parse --abbrev-ref @{u}", 128, "fatal: no upstream configured for branch 'x'"),
            ("tmux has-session -t x", 1, "can't find session: x"),
            ("id foo", 1, "id: 'foo': no such user"),
            ("mountpoint /x", 32, "/x is not a mountpoint"),
            ("shellcheck --version", 127, "bash: shellcheck: command not found"),
            ("timeout 5 tail -f log", 124, "line"),
            ("timeout 10 npm run dev", 124, "listening"),
            ("kill -0 123", 1, "bash: kill: (123) - No such process"),
        ] {
            assert!(exited(command, code, text), "{command}");
        }
    }

    #[test]
    fn failures_of_the_same_programs() {
        for (command, code, text) in [
            ("grep x missing", 2, "grep: missing: No such file or directory"),
            ("npm install foo", 1, "npm error code E404"),
            ("npm audit", 1, "npm error code ENOLOCK"),
            ("docker run foo", 125, "docker: No such image: foo"),
            ("git push", 128, "fatal: no upstream configured for branch 'x'"),
            ("timeout 60 npm test", 124, ""),
            ("shellcheck a.sh", 127, "bash: shellcheck: command not found"),
            ("jq . bad.json", 4, "parse error: Expected another key-value pair at line 1, column 8"),
            ("systemctl start nginx", 1, "Job for nginx.service failed"),
        ] {
            assert!(!exited(command, code, text), "{command}");
        }
    }
}
