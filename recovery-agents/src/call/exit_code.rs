//! Whether an exit code is that of the command that matters.
//!
//! In: the command line of a [`Call`], taken apart by `shell.rs`. Out: whether a pipe, `|| true` or a command at the
//! end hides the exit code of a build or test (`hides_exit_code`), whether success of the line proves success of its
//! subject (`shows_success`), and the code that the line prints itself (`printed_exit_code`). A shell reports the
//! status of the last command of a pipeline unless `pipefail` is set, so a failed `cargo test | tail` is reported as
//! a success.
//!
//! To cover another build or test program, add it to `RUNNERS`; to cover another filter behind a pipe, add it to
//! `FILTERS`.

use super::changes::is_read_only;
use super::is_among;
use super::subject::is_dressing;
use crate::Call;
use crate::shell::{Join, Line, Simple};

/// Programs that build, test, check, install or start something: a hidden exit code of theirs is worth a warning.
const RUNNERS: &str = "\
    cargo rustc npm npx pnpm yarn bun deno node tsc eslint jest vitest mocha playwright pytest py.test python \
    python3 tox nox ruff mypy pyright flake8 pylint uv poetry pip pip3 go gotestsum golangci-lint make cmake ninja \
    gcc g++ clang clang++ cc c++ mvn gradle gradlew javac sbt dotnet swift xcodebuild bundle rspec rake ruby phpunit \
    composer mix terraform";
/// Programs behind a pipe that only filter the output of the command before it.
pub(super) const FILTERS: &str = "tail head tee cat less more grep egrep rg sed awk sort uniq tr cut wc";

impl Call {
    /// Whether the exit code is not that of the command that matters: behind a pipe, before `|| true`, or followed by
    /// another command.
    #[must_use]
    pub fn hides_exit_code(&self) -> bool {
        if !self.is_shell {
            return false;
        }
        let line = Line::parse(&self.action);
        if line.commands.iter().any(|simple| simple.program() == "set" && simple.has(&["pipefail"])) {
            return false;
        }
        let Some((last, before)) = line.commands.split_last() else { return false };
        let is_runner = |simple: &Simple| is_among(RUNNERS, simple.program());
        before.iter().any(is_runner) && !is_runner(last) && {
            let joins_freely =
                before.iter().rev().take_while(|simple| !is_runner(simple)).all(|s| s.join != Some(Join::And));
            let runner_join = before.iter().rev().find(|simple| is_runner(simple)).and_then(|simple| simple.join);
            joins_freely
                && match runner_join {
                    Some(Join::Pipe) => is_among(FILTERS, last.program()) || is_read_only(last),
                    Some(Join::Or | Join::List | Join::Background) => is_read_only(last),
                    Some(Join::And) | None => false,
                }
        }
    }

    /// The program whose exit code the line ends with, where nothing else could have ended it.
    #[must_use]
    pub fn exiting_program(&self) -> Option<String> {
        let line = Line::parse(&self.action);
        let (last, before) = line.commands.split_last().filter(|_| self.is_shell)?;
        (last.join.is_none() && before.iter().all(is_read_only)).then(|| last.program().to_owned())
    }

    /// Whether success of the line proves success of its subject. `ls missing | cat` and `cp a b || true` succeed even where the
    /// first command fails.
    #[must_use]
    pub fn shows_success(&self) -> bool {
        if !self.is_shell {
            return true;
        }
        let commands = Line::parse(&self.action).commands;
        let is_filter = |at: usize| {
            let is_behind_pipe = at > 0 && commands[at - 1].join == Some(Join::Pipe);
            is_behind_pipe && is_among(FILTERS, commands[at].program())
        };
        let keeps_failure = |simple: &Simple| simple.program() == "set" && simple.has(&["pipefail"]);
        let is_pipefail = commands.iter().any(keeps_failure);
        let matters = |at: &usize| !is_dressing(&commands[*at]) && !is_filter(*at);
        let Some(subject) = (0..commands.len()).rev().find(matters) else { return true };
        commands[subject..].iter().all(|simple| match simple.join {
            None | Some(Join::And) => true,
            Some(Join::Pipe) => is_pipefail,
            Some(Join::Or | Join::List | Join::Background) => false,
        })
    }

    /// The call without the command at its end that prints the exit code.
    #[must_use]
    pub fn without_report(&self) -> Self {
        let end = self.action.rfind(';').unwrap_or(self.action.len());
        Self { action: self.action[..end].to_owned(), ..self.clone() }
    }

    /// The exit code that the line itself prints at its end (`make; echo "exit: $?"`), where `output` shows it.
    #[must_use]
    pub fn printed_exit_code(&self, output: &str) -> Option<i64> {
        let line = Line::parse(&self.action);
        let (last, before) = line.commands.split_last().filter(|_| self.is_shell)?;
        let prints = matches!(last.program(), "echo" | "printf") && last.arguments().any(|word| word.contains("$?"));
        if !prints || before.is_empty() {
            return None;
        }
        let end = output.trim_end().lines().next_back()?.trim_end_matches([')', ']', '.', '"', '\'', '=', '-', ' ']);
        let digits = end.len() - end.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        end[end.len() - digits..].parse().ok().filter(|code| (0..=255).contains(code))
    }
}

#[cfg(test)]
mod tests {
    use crate::call::shell;

    #[test]
    fn hidden_exit_codes() {
        for command in [
            "cargo test 2>&1 | tail -20",
            "npm test || true",
            "make; echo done",
            "pytest -q | grep -v warn | head",
            "go build ./... || :",
        ] {
            assert!(shell(command).hides_exit_code(), "{command}");
        }
        for command in [
            "cargo test",
            "cat build.log | tail",
            "cargo test && echo ok",
            "set -o pipefail; cargo test | tail",
            "make | ./upload",
            "echo x; cargo test",
            "cargo build && ls && cat x",
        ] {
            assert!(!shell(command).hides_exit_code(), "{command}");
        }
    }

    #[test]
    fn success_of_the_line_and_of_its_subject() {
        for command in ["ls missing | cat", "cp a b || true", "gh api x; echo done", "ls x | head -1 && echo ok"] {
            assert!(!shell(command).shows_success(), "{command}");
        }
        for command in [
            "set -o pipefail; make | tail",
            "cd x && make",
            "make && echo ok",
            "cat log | ./report",
            "ls",
            "echo hi",
            "export A=1; make",
        ] {
            assert!(shell(command).shows_success(), "{command}");
        }
    }

    #[test]
    fn an_exit_code_that_the_line_prints() {
        let printed = |command: &str, output: &str| shell(command).printed_exit_code(output);
        assert_eq!(printed("cp a b; echo \"exit: $?\"", "cp: cannot stat 'a'\nexit: 1\n"), Some(1));
        assert_eq!(printed("make; echo EXIT=$?", "ok\nEXIT=0"), Some(0));
        assert_eq!(printed("make; printf 'code (%s)' $?", "code (2)"), Some(2));
        assert_eq!(printed("make; echo done", "done 1"), None);
        assert_eq!(printed("make; echo $?", "make: no output"), None);
        assert_eq!(printed("echo $?", "1"), None, "of the line before");
    }
}
