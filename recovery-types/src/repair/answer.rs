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
    /// The line for the log: at once for PRUNE and ESCALATE, after success for RETRY and DECOMPOSE.
    pub log: Option<String>,
    /// Remaining repair attempts once this answer is followed.
    pub budget_remaining: u32,
    /// The rule that decided, by its stable id.
    pub rule: String,
    /// The next step that the failure itself requires, whatever the strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjustment: Option<Adjustment>,
    /// The sub-tasks of a DECOMPOSE; in memory only, the plan file is not changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sub_tasks: Vec<SubTask>,
    /// Done-criteria of no sub-task: they are verified with the task, after the sub-tasks have passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remaining_criteria: Vec<String>,
    /// Done-criteria that cannot be verified as they are worded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unverifiable: Vec<String>,
    /// The remaining choices where repair is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// The next step: what to change, wait for or inspect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjustment {
    /// The kind of step.
    pub kind: AdjustmentKind,
    /// The step in words, as in the directive.
    pub text: String,
    /// The subject: a package, a path, a variable, a port, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// A command that carries out the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Existing paths that may have been intended, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The process that has the port or the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// The version that is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<String>,
    /// The installed version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The wait in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
    /// The place to inspect first.
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
    /// Use another path, or create the missing one.
    CorrectPath,
    /// Set an environment variable.
    SetVariable,
    /// Free a port, or use another.
    FreePort,
    /// Wait for a lock, or remove a stale one.
    ReleaseLock,
    /// Grant access to a path.
    GrantPermission,
    /// Log in, or renew a key.
    Authenticate,
    /// Wait before the same action.
    Wait,
    /// Repeat the same action, which failed for a temporary reason.
    Repeat,
    /// Install a compatible version.
    MatchVersion,
    /// Free disk space.
    FreeDisk,
    /// Use less memory, or allow more.
    FreeMemory,
    /// Start a service that is not running.
    StartService,
    /// Correct the arguments of the command.
    CorrectCommand,
    /// Change the code at the given place.
    FixCode,
    /// A test and the code that it checks disagree: change one of them.
    FixTestOrCode,
    /// Change a setting, a manifest, a pipeline file or a limit of the system.
    #[serde(alias = "raise_limit")]
    FixConfig,
    /// Reduce the input: the request exceeds the limit.
    ShrinkInput,
    /// Ask a person: a quota, a bill, an expired key.
    AskHuman,
    /// Resolve the conflicting files.
    ResolveConflict,
    /// No certain change: the place to inspect first.
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
    /// The number below that of the task (`3.1`).
    pub number: String,
    /// The work to do, as in the directive.
    pub name: String,
    /// The done-criteria.
    pub done_criteria: Vec<String>,
    /// The repair budget of the sub-task.
    pub budget: u32,
}

/// The decision that a failed verification requires where repair is off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// The name.
    pub name: String,
    /// The options.
    pub options: Vec<GateOption>,
}

impl Gate {
    /// The gate of a failed verification, with its three options.
    #[must_use]
    pub fn verification_failure() -> Self {
        Self { name: "verification_failure_gate".to_owned(), options: GateOption::ALL.to_vec() }
    }
}

/// An option of the [`Gate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GateOption {
    /// Try the task again.
    #[serde(rename = "retry")]
    Retry,
    /// Skip the task and mark it incomplete.
    #[serde(rename = "skip and mark incomplete")]
    Skip,
    /// Stop and investigate.
    #[serde(rename = "stop and investigate")]
    Stop,
}

impl GateOption {
    /// All options, in the order of presentation.
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
