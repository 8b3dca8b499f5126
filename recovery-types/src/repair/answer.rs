//! The answer to a repair request: a strategy with its directive, the next step, sub-tasks, or the gate.

use super::Strategy;
use crate::diagnosis::Location;
use serde::{Deserialize, Serialize};

/// The answer: exactly one strategy, or the gate where repair is off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Repair {
    /// The strategy; null with `gate` where repair is off.
    pub strategy: Option<Strategy>,
    /// The strategy's line (`RETRY: ...`); null with `gate`.
    pub directive: Option<String>,
    /// The line to log: true now for PRUNE and ESCALATE, true once it succeeds for RETRY and DECOMPOSE.
    pub log: Option<String>,
    /// Repair attempts left to the task once this answer is followed.
    pub budget_remaining: u32,
    /// The rule that decided, by its stable id.
    pub rule: String,
    /// The next step that the failure itself requires, whatever the strategy is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjustment: Option<Adjustment>,
    /// What takes the task's place after a DECOMPOSE; in memory only, the plan file stays as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sub_tasks: Vec<SubTask>,
    /// Done-criteria that no sub-task has: they are verified with the task, once the sub-tasks have passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remaining_criteria: Vec<String>,
    /// Done-criteria that nothing could verify as they are worded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unverifiable: Vec<String>,
    /// The choices that remain where repair is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// The next step: what to change, wait for or look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjustment {
    /// Which kind of change.
    pub kind: AdjustmentKind,
    /// The change in words, as the directive has it.
    pub text: String,
    /// What it is about: a package, a path, a variable, a port, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// A command that makes the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Existing paths that may have been meant, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Who holds the port or the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// The version that is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The version that is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// How long to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// Where to look first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// The kinds of next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AdjustmentKind {
    /// Install a module or package of a language.
    InstallPackage,
    /// Install a program.
    InstallCommand,
    /// Install a system library or its headers.
    InstallLibrary,
    /// Use another path, or make the one that is missing.
    CorrectPath,
    /// Set an environment variable.
    SetVariable,
    /// Free a port, or use another.
    FreePort,
    /// Wait for a lock, or remove a stale one.
    ReleaseLock,
    /// Give the right to a path.
    GrantPermission,
    /// Log in, or renew a key.
    Authenticate,
    /// Wait before the same action.
    Wait,
    /// Repeat the same action, which failed for a passing reason.
    Repeat,
    /// Bring a version in line.
    MatchVersion,
    /// Free disk space.
    FreeDisk,
    /// Use less memory, or allow more.
    FreeMemory,
    /// Start a service that is not running.
    StartService,
    /// Correct the command's arguments.
    CorrectCommand,
    /// Change the code at the given place.
    FixCode,
    /// A test and the code it checks disagree: change one of them.
    FixTestOrCode,
    /// Change a setting, a manifest, a pipeline file or a limit of the system.
    #[serde(alias = "raise_limit")]
    FixConfig,
    /// Give less input: the request is larger than the limit.
    ShrinkInput,
    /// Only a person can go on: a quota, a bill, an expired key.
    AskHuman,
    /// Resolve the conflicting files.
    ResolveConflict,
    /// Nothing certain to change: where to look first.
    #[serde(alias = "look_at")]
    Look,
}

impl AdjustmentKind {
    /// The name as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InstallPackage => "install_package",
            Self::InstallCommand => "install_command",
            Self::InstallLibrary => "install_library",
            Self::CorrectPath => "correct_path",
            Self::SetVariable => "set_variable",
            Self::FreePort => "free_port",
            Self::ReleaseLock => "release_lock",
            Self::GrantPermission => "grant_permission",
            Self::Authenticate => "authenticate",
            Self::Wait => "wait",
            Self::Repeat => "repeat",
            Self::MatchVersion => "match_version",
            Self::FreeDisk => "free_disk",
            Self::FreeMemory => "free_memory",
            Self::StartService => "start_service",
            Self::CorrectCommand => "correct_command",
            Self::FixCode => "fix_code",
            Self::FixTestOrCode => "fix_test_or_code",
            Self::FixConfig => "fix_config",
            Self::ShrinkInput => "shrink_input",
            Self::AskHuman => "ask_human",
            Self::ResolveConflict => "resolve_conflict",
            Self::Look => "look",
        }
    }
}

/// One part of a task that was too coarse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubTask {
    /// Its number below the task's (`3.1`).
    pub number: String,
    /// What it is to do, as the directive has it.
    pub name: String,
    /// What must hold when it is done.
    pub done_criteria: Vec<String>,
    /// Its own repair budget.
    pub budget: u32,
}

/// The gate that a failed verification goes to where repair is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// What can be chosen.
    pub options: Vec<GateOption>,
}

impl Gate {
    /// The gate of a failed verification, with its three options.
    #[must_use]
    pub fn verification_failure() -> Self {
        Self { name: "verification_failure_gate".to_owned(), options: GateOption::ALL.to_vec() }
    }
}

/// What can be chosen at the [`Gate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GateOption {
    /// Try the task again.
    #[serde(rename = "retry")]
    Retry,
    /// Leave the task, marked incomplete.
    #[serde(rename = "skip and mark incomplete")]
    Skip,
    /// Stop here and look into it.
    #[serde(rename = "stop and investigate")]
    Stop,
}

impl GateOption {
    /// All options, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Retry, Self::Skip, Self::Stop];

    /// The option in words, as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Skip => "skip and mark incomplete",
            Self::Stop => "stop and investigate",
        }
    }
}
