//! What each level of a run executes, and the ladder's numbers that follow from it.
//!
//! In: a `[run.NAME]` [`Playbook`] of `recovery.toml` and the command line's flags. Out: a [`Plan`]: the command, its
//! variants for nudge, replan and fallback, the verify and judge commands, time limits. [`Plan::parts`] lists what one
//! attempt at a level runs, in order. A level without a command has no attempts, so the ladder passes it over.

use crate::span::Span;
use escalation::MATRIX;
use recovery_types::ladder::Target;
use recovery_types::{ErrorType, Level};
use serde::Deserialize;
use std::collections::BTreeMap;

/// `[run.NAME]` in recovery.toml.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Playbook {
    /// The command: words, or one line for the shell.
    pub command: CommandLine,
    /// Level 2: variants of it, in order.
    #[serde(default)]
    pub nudge: Vec<CommandLine>,
    /// Level 3: what changes the plan before the command runs again.
    pub replan: Option<CommandLine>,
    /// Level 4: `[NAME=]CMD`, in order.
    #[serde(default)]
    pub fallback: Vec<FallbackCommand>,
    /// How long everything together may take.
    pub budget: Option<Span>,
    /// Time limits of levels that differ from the ladder's.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Span>"))]
    pub limit: BTreeMap<LevelName, Span>,
    /// Whether failed tests and errors of unknown kind are worth retrying.
    #[serde(default)]
    pub flaky: bool,
    /// What is being tried, in the user's words.
    pub approach: Option<String>,
    /// What this step is called.
    pub step: Option<String>,
    /// The task it belongs to [default: the playbook's name].
    pub task: Option<String>,
}

impl Playbook {
    /// The field of the first command with nothing to run, and its place where the field is a list.
    pub fn empty_command(&self) -> Option<(&'static str, Option<usize>)> {
        self.commands().find(|(.., command)| command.is_empty()).map(|(field, item, _)| (field, item))
    }

    /// Every command, with its field and its place where the field is a list.
    pub fn commands(&self) -> impl Iterator<Item = (&'static str, Option<usize>, &CommandLine)> {
        let nudge = self.nudge.iter().enumerate().map(|(n, command)| ("nudge", Some(n), command));
        let fallback = self.fallback.iter().enumerate().map(|(n, fallback)| ("fallback", Some(n), &fallback.command));
        let replan = self.replan.iter().map(|command| ("replan", None, command));
        [("command", None, &self.command)].into_iter().chain(nudge).chain(replan).chain(fallback)
    }
}

/// A command: words for the system, or a line for the shell.
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

    /// The program's name, without its folder.
    pub fn tool(&self) -> String {
        let first = match self {
            Self::Shell(line) => line.split_whitespace().next().unwrap_or("sh"),
            Self::Words(words) => words.first().map_or("", String::as_str),
        };
        first.rsplit('/').next().unwrap_or(first).to_owned()
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Shell(line) => line.trim().is_empty(),
            Self::Words(words) => words.first().is_none_or(|program| program.is_empty()),
        }
    }
}

impl std::fmt::Display for CommandLine {
    /// As a shell would read it, without secrets: for people and for the record.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Quoting hides what a secret is known by, so it comes after.
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

/// A command for level 4, with the name that records call it by.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "CommandLine")]
#[cfg_attr(feature = "schema", schemars(rename = "Fallback"))]
pub struct FallbackCommand {
    /// Its name; none was given where it is empty.
    pub name: String,
    /// The command.
    pub command: CommandLine,
}

impl From<CommandLine> for FallbackCommand {
    /// `NAME=CMD` or `CMD`. A name in capitals is a variable of the command's, as shells read it.
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

/// A level that runs something, by its name.
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

/// A plan with nothing to run where there should be something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is empty: give a command to run")]
pub struct EmptyCommand {
    /// What the command line calls it.
    pub name: &'static str,
}

/// The part that a command plays in an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRole {
    /// Changes the plan; reads what was tried.
    Replan,
    /// The work itself.
    Command,
    /// Checks the done-criteria.
    Verify,
    /// Scores the work.
    Judge,
}

/// Everything that a run needs before it starts.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The task it belongs to.
    pub task: String,
    /// The command.
    pub command: CommandLine,
    /// Level 2.
    pub nudge: Vec<CommandLine>,
    /// Level 3.
    pub replan: Option<CommandLine>,
    /// Level 4, each with a name.
    pub fallback: Vec<FallbackCommand>,
    /// What must work before a command that worked counts as done.
    pub verify: Option<CommandLine>,
    /// What scores finished work: it prints a judge's scores as JSON.
    pub judge: Option<CommandLine>,
    /// How long everything together may take.
    pub budget_ms: Option<u64>,
    /// What is being tried, in the user's words.
    pub approach: Option<String>,
    /// What this step is called.
    pub step: Option<String>,
    /// The longest wait; a longer one ends the run with the time to come back. Without it every wait is waited for.
    pub max_wait_ms: Option<u64>,
    /// How long each attempt may take.
    pub timeout_ms: Option<u64>,
    /// The longest pause before a retry.
    pub max_delay_ms: Option<u64>,
}

impl Plan {
    /// Runs `command` and retries it; nothing else is configured.
    #[must_use]
    pub fn new(task: &str, command: CommandLine) -> Self {
        Self {
            task: task.to_owned(),
            command,
            nudge: Vec::new(),
            replan: None,
            fallback: Vec::new(),
            verify: None,
            judge: None,
            budget_ms: None,
            approach: None,
            step: None,
            max_wait_ms: None,
            timeout_ms: None,
            max_delay_ms: None,
        }
    }

    /// Names what has none, and refuses what cannot be run.
    ///
    /// # Errors
    /// When a command is empty.
    pub fn checked(mut self) -> Result<Self, EmptyCommand> {
        if let Some((name, _)) = self.all().find(|(_, command)| command.is_empty()) {
            return Err(EmptyCommand { name });
        }
        for (index, fallback) in self.fallback.iter_mut().enumerate() {
            if fallback.name.is_empty() {
                fallback.name = format!("fallback-{}", index + 1);
            }
        }
        Ok(self)
    }

    /// Every command, with what the command line calls it.
    fn all(&self) -> impl Iterator<Item = (&'static str, &CommandLine)> {
        let nudge = self.nudge.iter().map(|command| ("--nudge", command));
        let replan = self.replan.iter().map(|command| ("--replan", command));
        let fallback = self.fallback.iter().map(|fallback| ("--fallback", &fallback.command));
        let verify = self.verify.iter().map(|command| ("--verify", command));
        let judge = self.judge.iter().map(|command| ("--judge", command));
        let checks = verify.chain(judge);
        [("the command", &self.command)].into_iter().chain(nudge).chain(replan).chain(fallback).chain(checks)
    }

    /// What attempt `attempt` of `level` runs, in order, each with the part it plays: what changes the plan, the command,
    /// then what checks its work.
    pub fn parts(&self, level: Option<Level>, attempt: u32) -> Vec<(CommandRole, &CommandLine)> {
        let commands = self.commands(level, attempt);
        let last = commands.len().saturating_sub(1);
        let part = |index| if index < last { CommandRole::Replan } else { CommandRole::Command };
        let mut parts: Vec<_> =
            commands.into_iter().enumerate().map(|(index, command)| (part(index), command)).collect();
        if !parts.is_empty() {
            parts.extend(self.verify.iter().map(|command| (CommandRole::Verify, command)));
            parts.extend(self.judge.iter().map(|command| (CommandRole::Judge, command)));
        }
        parts
    }

    /// What attempt `attempt` of `level` runs, in order; nothing at level 5. Where fewer commands are given than when
    /// the climb began, the last one is used, and the command itself where there is none.
    pub fn commands(&self, level: Option<Level>, attempt: u32) -> Vec<&CommandLine> {
        let index = usize::try_from(attempt).unwrap_or(usize::MAX).saturating_sub(1);
        match level {
            None | Some(Level::Retry) => vec![&self.command],
            Some(Level::Nudge) => vec![self.nudge.get(index).or(self.nudge.last()).unwrap_or(&self.command)],
            Some(Level::Replan) => self.replan.iter().chain([&self.command]).collect(),
            Some(Level::Fallback) => {
                let chosen = self.fallback.get(index).or(self.fallback.last());
                vec![chosen.map_or(&self.command, |fallback| &fallback.command)]
            }
            Some(Level::ForceDone) => Vec::new(),
        }
    }

    /// The pause before retry `attempt`, from 1.
    #[must_use]
    pub fn backoff_ms(&self, retry: &escalation::Retry, attempt: u32) -> u64 {
        retry.backoff_ms(attempt).min(self.max_delay_ms.unwrap_or(u64::MAX))
    }

    /// The ladder's numbers under this plan. A level with nothing to run has no attempts, so that the ladder passes it
    /// over and records that. Every action is the ladder's own choice, each variant once: repeating them is no loop of
    /// the command's, and an error of the code goes through the levels in order, however often it was seen.
    pub fn policy(
        &self,
        given: &escalation::Policy,
        limits: &BTreeMap<LevelName, Span>,
        flaky: bool,
    ) -> escalation::Policy {
        let mut policy = given.clone();
        policy.nudge.variants = u32::try_from(self.nudge.len()).unwrap_or(u32::MAX);
        policy.replan.plans = if self.replan.is_some() { given.replan.plans.max(1) } else { 0 };
        policy.fallback.targets = self.fallback.iter().map(|fallback| Target::Agent(fallback.name.clone())).collect();
        policy.session_budget_ms = self.budget_ms;
        for (level, limit) in limits {
            match level {
                LevelName::Retry => policy.retry.limit_ms = limit.0,
                LevelName::Nudge => policy.nudge.limit_ms = limit.0,
                LevelName::Replan => policy.replan.limit_ms = limit.0,
                LevelName::Fallback => policy.fallback.limit_ms = limit.0,
            }
        }
        policy.loops.polling.extend(self.all().map(|(_, command)| command.tool()));
        // A class, which decides where the matrix has no row, is a planner's: here something has to be changed.
        for (error, _) in MATRIX.iter().filter(|(_, level)| level.is_none()) {
            policy.entry.entry(*error).or_insert(Level::Nudge);
        }
        if flaky {
            for error in WORTH_RETRYING_WHEN_FLAKY {
                policy.entry.insert(error, given.entry.get(&error).copied().unwrap_or(Level::Retry));
            }
        }
        policy
    }
}

/// What a flaky command may just as well not do the next time.
const WORTH_RETRYING_WHEN_FLAKY: [ErrorType; 3] =
    [ErrorType::TestFailure, ErrorType::RuntimeException, ErrorType::Other];

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

    #[test]
    fn the_policy_under_a_plan_is_sound() {
        let plan = Plan { budget_ms: Some(1000), ..Plan::new("t", CommandLine::Shell("make".into())) };
        let policy = plan.policy(&escalation::Policy::default(), &BTreeMap::new(), false);
        policy.validate().unwrap();
        let attempts: Vec<u32> = Level::ALL.map(|level| policy.attempts(level)).to_vec();
        assert_eq!(attempts, [3, 0, 0, 0, 1]);
    }
}
