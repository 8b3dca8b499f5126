//! Commands as users write them, and the playbooks of `recovery.toml` that consist of them.
//!
//! In: a `[run.NAME]` table, or words and shell lines of the command line. Out: a [`Playbook`] of [`CommandLine`]s, each
//! either words for the system or one line for the shell; a [`FallbackCommand`] has a name as well. Parsing checks the
//! form only: what is done with a command at which level is decided in `plan.rs`. A [`CommandLine`] is displayed as a
//! shell reads it and without secrets, because records and messages show it.

use crate::span::Span;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A `[run.NAME]` table of recovery.toml.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Playbook {
    /// The command: an argument list, or one line for the shell.
    pub command: CommandLine,
    /// Level 2: variants of it, in order.
    #[serde(default)]
    pub nudge: Vec<CommandLine>,
    /// Level 3: the command that changes the plan before the main command runs again.
    pub replan: Option<CommandLine>,
    /// Level 4: `[NAME=]CMD`, in order.
    #[serde(default)]
    pub fallback: Vec<FallbackCommand>,
    /// The time limit of the whole run.
    pub budget: Option<Span>,
    /// Time limits of levels that differ from those of the ladder.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Span>"))]
    pub limit: BTreeMap<LevelName, Span>,
    /// Whether failed tests and errors of unknown kind are worth retrying.
    #[serde(default)]
    pub flaky: bool,
    /// The approach, in the words of the user.
    pub approach: Option<String>,
    /// The name of this step.
    pub step: Option<String>,
    /// The task that the run belongs to [default: the name of the playbook].
    pub task: Option<String>,
}

impl Playbook {
    /// The field of the first empty command, and its index if the field is a list.
    pub fn empty_command(&self) -> Option<(&'static str, Option<usize>)> {
        self.commands().find(|(.., command)| command.is_empty()).map(|(field, item, _)| (field, item))
    }

    /// Every command, with its field and its index if the field is a list.
    pub fn commands(&self) -> impl Iterator<Item = (&'static str, Option<usize>, &CommandLine)> {
        let nudge = self.nudge.iter().enumerate().map(|(n, command)| ("nudge", Some(n), command));
        let fallback = self.fallback.iter().enumerate().map(|(n, fallback)| ("fallback", Some(n), &fallback.command));
        let replan = self.replan.iter().map(|command| ("replan", None, command));
        [("command", None, &self.command)].into_iter().chain(nudge).chain(replan).chain(fallback)
    }
}

/// A command: an argument list, or a line for the shell.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum CommandLine {
    /// A line for `sh -c`.
    Shell(String),
    /// The program and its arguments.
    Words(Vec<String>),
}

impl CommandLine {
    /// The program and its arguments.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Shell(line) => vec!["sh".to_owned(), "-c".to_owned(), line.clone()],
            Self::Words(words) => words.clone(),
        }
    }

    /// The name of the program, without its directory.
    pub fn tool(&self) -> String {
        let first = match self {
            Self::Shell(line) => line.split_whitespace().next().unwrap_or("sh"),
            Self::Words(words) => program(words),
        };
        first.rsplit('/').next().unwrap_or(first).to_owned()
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Shell(line) => line.trim().is_empty(),
            Self::Words(words) => words.first().is_none_or(|program| program.is_empty()),
        }
    }
}

/// The program of an argument list. `sh -c 'curl -s URL'` is a call of curl: its exit codes mean what curl's mean.
fn program(words: &[String]) -> &str {
    let is_shell = |word: &str| matches!(word.rsplit('/').next(), Some("sh" | "bash" | "dash" | "zsh"));
    let inner = match words {
        [shell, option, line, ..]
            if is_shell(shell) && option == "-c" && !line.contains([';', '|', '&', '\n', '`', '(']) =>
        {
            line.split_whitespace().next().filter(|word| !word.contains('='))
        }
        _ => None,
    };
    inner.or_else(|| words.first().map(String::as_str)).unwrap_or_default()
}

impl std::fmt::Display for CommandLine {
    /// The command as a shell would parse it, without secrets: for people and for the journal.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Quoting hides the marks by which a secret is recognised, so it comes after redaction.
        match self {
            Self::Shell(line) => f.write_str(&recovery_redact::redact(line)),
            Self::Words(words) => {
                let clean = recovery_redact::redact_words(words);
                f.write_str(&clean.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
            }
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A command for level 4, with the name that records use for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "CommandLine")]
#[cfg_attr(feature = "schema", schemars(rename = "Fallback"))]
pub struct FallbackCommand {
    /// The name; empty if none was given.
    pub name: String,
    /// The command.
    pub command: CommandLine,
}

impl From<CommandLine> for FallbackCommand {
    /// Parses `NAME=CMD` or `CMD`. A name in capitals is an environment variable of the command, as in a shell.
    fn from(command: CommandLine) -> Self {
        if let CommandLine::Shell(line) = &command
            && let Some((name, rest)) = line.split_once('=')
            && !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
            && name.chars().any(char::is_lowercase)
        {
            return Self { name: name.to_owned(), command: CommandLine::Shell(rest.to_owned()) };
        }
        Self { name: String::new(), command }
    }
}

impl std::str::FromStr for FallbackCommand {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(CommandLine::Shell(text.to_owned()).into())
    }
}

/// A level with commands, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LevelName {
    /// Level 1.
    Retry,
    /// Level 2.
    Nudge,
    /// Level 3.
    Replan,
    /// Level 4.
    Fallback,
}

impl std::str::FromStr for LevelName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "retry" | "1" => Ok(Self::Retry),
            "nudge" | "2" => Ok(Self::Nudge),
            "replan" | "3" => Ok(Self::Replan),
            "fallback" | "4" => Ok(Self::Fallback),
            _ => Err(format!("{text:?} is not a level: retry, nudge, replan or fallback")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_may_have_a_name() {
        let named = |text: &str| text.parse::<FallbackCommand>().map(|f| (f.name, f.command.to_string())).unwrap();
        assert_eq!(named("opus=agent --model opus"), ("opus".into(), "agent --model opus".into()));
        assert_eq!(named("agent --model=opus"), (String::new(), "agent --model=opus".into()));
        assert_eq!(named("CI=1 make"), (String::new(), "CI=1 make".into()));
    }

    #[test]
    fn commands_are_shown_as_a_shell_reads_them() {
        let words = |words: &[&str]| CommandLine::Words(words.iter().map(|w| (*w).to_owned()).collect()).to_string();
        assert_eq!(words(&["echo", "a b", "it's", ""]), r"echo 'a b' 'it'\''s' ''");
        assert_eq!(CommandLine::Shell("/usr/bin/make all".into()).tool(), "make");
        let in_shell = |line: &str| CommandLine::Words(["/bin/sh", "-c", line].map(str::to_owned).to_vec()).tool();
        assert_eq!(in_shell("curl -s http://127.0.0.1:9/"), "curl");
        // Which of several commands gave the exit code is not known.
        for line in ["curl -s x; exit 7", "cd a && make", "A=1 make", ""] {
            assert_eq!(in_shell(line), "sh", "{line}");
        }
    }

    #[test]
    fn a_playbook_is_read_with_its_two_ways_of_writing_a_command() {
        let text = "command = ['make', '-j8']\nnudge = ['make -j1', ['make', 'clean']]\nfallback = ['safe=make safe']\n\
            budget = '2h'\nlimit = { retry = '10m' }";
        let playbook: Playbook = toml::from_str(text).unwrap();
        assert_eq!(playbook.command.to_string(), "make -j8");
        assert_eq!(playbook.nudge[0], CommandLine::Shell("make -j1".into()));
        assert_eq!(playbook.fallback[0].name, "safe");
        assert_eq!(playbook.limit[&LevelName::Retry], Span(600_000));
        assert!(toml::from_str::<Playbook>("command = 'x'\nbudget = '2 hours'").is_err());
        assert!(toml::from_str::<Playbook>("command = 'x'\nretries = 2").is_err());
    }
}
