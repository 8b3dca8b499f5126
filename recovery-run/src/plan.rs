//! The commands of each level of a run, and the ladder policy that follows from them.
//!
//! In: the parts that [`Plan::builder`] is given, from the flags of the command line or a [`Playbook`](crate::playbook::Playbook).
//! Out: a [`Plan`]: the command, its variants for nudge, replan and fallback, the verify and judge commands, time limits.
//! [`Plan::parts`] lists what one attempt at a level runs, in order; [`Plan::policy`] has the ladder's numbers under it. A
//! level without a command has no attempts, so the ladder passes it over.

use crate::playbook::{CommandLine, FallbackCommand, LevelName};
use crate::span::Span;
use escalation::MATRIX;
use recovery_types::ladder::Target;
use recovery_types::{ErrorType, Level};
use serde::Serialize;
use std::collections::BTreeMap;

/// A command of a plan is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is empty: give a command to run")]
pub struct EmptyCommand {
    /// The name of the command on the command line.
    pub name: &'static str,
}

/// The role of a command in an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRole {
    /// Changes the plan; receives the failed approaches.
    Replan,
    /// The work itself.
    Command,
    /// Checks the done-criteria.
    Verify,
    /// Scores the work.
    Judge,
}

/// The specification of a run. [`Plan::builder`] makes one.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) task: String,
    pub(crate) command: CommandLine,
    pub(crate) nudge: Vec<CommandLine>,
    pub(crate) replan: Option<CommandLine>,
    pub(crate) fallback: Vec<FallbackCommand>,
    pub(crate) verify: Option<CommandLine>,
    pub(crate) judge: Option<CommandLine>,
    pub(crate) budget_ms: Option<u64>,
    pub(crate) approach: Option<String>,
    pub(crate) step: Option<String>,
    pub(crate) max_wait_ms: Option<u64>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) max_delay_ms: Option<u64>,
}

/// Builds a [`Plan`]; every part is optional.
#[derive(Clone, Debug)]
#[must_use]
pub struct PlanBuilder(Plan);

impl PlanBuilder {
    /// Level 2: variants of the command, in order.
    pub fn nudge(mut self, commands: impl IntoIterator<Item = CommandLine>) -> Self {
        self.0.nudge = commands.into_iter().collect();
        self
    }

    /// Level 3: the command that changes the plan before the main command runs again.
    pub fn replan(mut self, command: Option<CommandLine>) -> Self {
        self.0.replan = command;
        self
    }

    /// Level 4: other commands, in order. One without a name gets one.
    pub fn fallback(mut self, commands: impl IntoIterator<Item = FallbackCommand>) -> Self {
        self.0.fallback = commands.into_iter().collect();
        self
    }

    /// The command that must succeed before a success of the main command counts.
    pub fn verify(mut self, command: Option<CommandLine>) -> Self {
        self.0.verify = command;
        self
    }

    /// The command that scores finished work: it prints a judge's scores as JSON.
    pub fn judge(mut self, command: Option<CommandLine>) -> Self {
        self.0.judge = command;
        self
    }

    /// The time limit of the whole run.
    pub fn budget_ms(mut self, ms: Option<u64>) -> Self {
        self.0.budget_ms = ms;
        self
    }

    /// The approach, in the words of the user.
    pub fn approach(mut self, text: Option<String>) -> Self {
        self.0.approach = text;
        self
    }

    /// The name of this step.
    pub fn step(mut self, name: Option<String>) -> Self {
        self.0.step = name;
        self
    }

    /// The longest wait; a longer one ends the run with the time to return. By default every wait is observed.
    pub fn max_wait_ms(mut self, ms: Option<u64>) -> Self {
        self.0.max_wait_ms = ms;
        self
    }

    /// The time limit of each attempt.
    pub fn timeout_ms(mut self, ms: Option<u64>) -> Self {
        self.0.timeout_ms = ms;
        self
    }

    /// The longest backoff before a retry.
    pub fn max_delay_ms(mut self, ms: Option<u64>) -> Self {
        self.0.max_delay_ms = ms;
        self
    }

    /// The plan, with a name for each fallback.
    ///
    /// # Errors
    /// If a command is empty.
    pub fn build(self) -> Result<Plan, EmptyCommand> {
        let Self(mut plan) = self;
        if let Some((name, _)) = plan.all().find(|(_, command)| command.is_empty()) {
            return Err(EmptyCommand { name });
        }
        for (index, fallback) in plan.fallback.iter_mut().enumerate() {
            if fallback.name.is_empty() {
                fallback.name = format!("fallback-{}", index + 1);
            }
        }
        Ok(plan)
    }
}

/// The plan of one level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Would"))]
pub struct PlannedLevel {
    /// The level; null for the first run.
    pub level: Option<Level>,
    /// The action of the level.
    pub action: &'static str,
    /// The number of attempts; 0 if the level is skipped.
    pub attempts: u32,
    /// The time limit.
    pub limit_ms: Option<u64>,
    /// The commands, in order.
    pub commands: Vec<String>,
}

impl Plan {
    /// A builder for a plan that runs `command` and retries it.
    pub fn builder(task: &str, command: CommandLine) -> PlanBuilder {
        PlanBuilder(Self {
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
        })
    }

    /// The task it belongs to.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.task
    }

    /// The plan of each level under `policy`, the first execution included.
    #[must_use]
    pub fn preview(&self, policy: &escalation::Policy) -> Vec<PlannedLevel> {
        let first = PlannedLevel {
            level: None,
            action: "run",
            attempts: 1,
            limit_ms: self.budget_ms,
            commands: vec![self.command.to_string()],
        };
        let levels = Level::ALL.into_iter().map(|level| {
            let attempts = policy.attempts(level);
            // Level 1 and 3 run the same commands each time.
            let different = if matches!(level, Level::Nudge | Level::Fallback) { attempts } else { attempts.min(1) };
            let commands = (1..=different).flat_map(|attempt| self.commands(Some(level), attempt));
            PlannedLevel {
                level: Some(level),
                action: level.action(),
                attempts,
                limit_ms: policy.limit_ms(level),
                commands: commands.map(ToString::to_string).collect(),
            }
        });
        std::iter::once(first).chain(levels).collect()
    }

    /// Every command with its name on the command line.
    fn all(&self) -> impl Iterator<Item = (&'static str, &CommandLine)> {
        let nudge = self.nudge.iter().map(|command| ("--nudge", command));
        let replan = self.replan.iter().map(|command| ("--replan", command));
        let fallback = self.fallback.iter().map(|fallback| ("--fallback", &fallback.command));
        let verify = self.verify.iter().map(|command| ("--verify", command));
        let judge = self.judge.iter().map(|command| ("--judge", command));
        let checks = verify.chain(judge);
        [("the command", &self.command)].into_iter().chain(nudge).chain(replan).chain(fallback).chain(checks)
    }

    /// The commands of attempt `attempt` of `level`, in order, each with its role: first what changes the plan, then
    /// the main command, then the checks of its work.
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

    /// The commands of attempt `attempt` of `level`, in order; none at level 5. If fewer commands are given than when
    /// the climb began, the last one is used, and the main command if there is none.
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

    /// The backoff before retry `attempt`, from 1.
    #[must_use]
    pub fn backoff_ms(&self, retry: &escalation::Retry, attempt: u32) -> u64 {
        retry.backoff_ms(attempt).min(self.max_delay_ms.unwrap_or(u64::MAX))
    }

    /// The ladder policy under this plan. A level without commands has no attempts, so that the ladder skips it and
    /// records that. Every action is chosen by the ladder, each variant once: repeating them is no loop of the command,
    /// and an error of the code goes through the levels in order, however often it occurred.
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
        // A class, which decides if the matrix has no row, is meant for planners: here something has to be changed.
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

/// Errors of a flaky command that may be absent in the next execution.
const WORTH_RETRYING_WHEN_FLAKY: [ErrorType; 3] =
    [ErrorType::TestFailure, ErrorType::RuntimeException, ErrorType::Other];

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str) -> CommandLine {
        CommandLine::Shell(line.to_owned())
    }

    #[test]
    fn the_policy_under_a_plan_is_sound() {
        let plan = Plan::builder("t", shell("make")).budget_ms(Some(1000)).build().unwrap();
        let policy = plan.policy(&escalation::Policy::default(), &BTreeMap::new(), false);
        policy.validate().unwrap();
        let attempts: Vec<u32> = Level::ALL.map(|level| policy.attempts(level)).to_vec();
        assert_eq!(attempts, [3, 0, 0, 0, 1]);
    }

    #[test]
    fn a_plan_names_its_fallbacks_and_refuses_empty_commands() {
        let fallback = ["make safe", "clean=make clean"].map(|text| text.parse::<FallbackCommand>().unwrap());
        let plan = Plan::builder("t", shell("make")).fallback(fallback).build().unwrap();
        let names: Vec<&str> = plan.fallback.iter().map(|fallback| fallback.name.as_str()).collect();
        assert_eq!(names, ["fallback-1", "clean"]);
        let refused = Plan::builder("t", shell("make")).nudge([shell(" ")]).build().unwrap_err();
        assert_eq!(refused.to_string(), "--nudge is empty: give a command to run");
    }

    #[test]
    fn a_preview_has_the_first_run_and_every_level() {
        let plan = Plan::builder("t", shell("make")).nudge([shell("make -j1"), shell("make -k")]).build().unwrap();
        let policy = plan.policy(&escalation::Policy::default(), &BTreeMap::new(), false);
        let levels: Vec<(&str, u32, usize)> =
            plan.preview(&policy).iter().map(|level| (level.action, level.attempts, level.commands.len())).collect();
        let expected = [
            ("run", 1, 1),
            ("retry", 3, 1),
            ("nudge", 2, 2),
            ("replan", 0, 0),
            ("fallback", 0, 0),
            ("force-done", 1, 0),
        ];
        assert_eq!(levels, expected);
    }
}
