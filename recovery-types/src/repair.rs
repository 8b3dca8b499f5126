//! How a failed task is repaired.

use crate::diagnosis::{IndicatorHit, Location, Missing};
use crate::{Class, ErrorType, Problem, Timestamp, null_as_default};
use serde::{Deserialize, Serialize};

/// How a failed task is repaired. A closed set, matched without `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Strategy {
    /// The approach was right, its execution failed: the same task with one adjustment.
    Retry,
    /// The task is too coarse: two or three sub-tasks in its place.
    Decompose,
    /// The task cannot be done under the present plan: leave it out.
    Prune,
    /// A person has to decide.
    Escalate,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 4] = [Self::Retry, Self::Decompose, Self::Prune, Self::Escalate];

    /// The name as directives, log lines and JSON spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Retry => "RETRY",
            Self::Decompose => "DECOMPOSE",
            Self::Prune => "PRUNE",
            Self::Escalate => "ESCALATE",
        }
    }

    /// Whether choosing it spends one of the task's repair attempts.
    #[must_use]
    pub const fn spends_budget(self) -> bool {
        match self {
            Self::Retry | Self::Decompose => true,
            Self::Prune | Self::Escalate => false,
        }
    }
}

impl std::fmt::Display for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A task that failed its verification, and what is known about it. Only `task` is required in JSON.
///
/// ```
/// use recovery_types::RepairRequest;
/// let json = r#"{"task":{"number":"3","name":"Add login"},"error":{"text":"boom"}}"#;
/// let request: RepairRequest = serde_json::from_str(json).unwrap();
/// assert_eq!(request.task.number, "3");
/// assert_eq!(request.budget, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairRequest {
    /// The task.
    pub task: FailedTask,
    /// What verification produced.
    #[serde(default, deserialize_with = "null_as_default")]
    pub error: VerificationError,
    /// The plan around the task.
    #[serde(default, deserialize_with = "null_as_default")]
    pub plan: PlanContext,
    /// Repair attempts that remain; the configured budget less the attempts listed here where not given.
    #[serde(default)]
    pub budget: Option<u32>,
    /// What was tried before, oldest first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub attempts: Vec<RepairAttempt>,
    /// How far the failure reaches, where a classifier has found it.
    #[serde(default)]
    pub class: Option<Class>,
    /// What went wrong, where a diagnosis has found it.
    #[serde(default)]
    pub error_type: Option<ErrorType>,
    /// How long the server asked to wait.
    #[serde(default)]
    pub retry_after_ms: Option<u64>,
    /// Paths that exist in the project; wrong paths are compared with them, lock files tell the package manager.
    #[serde(default, deserialize_with = "null_as_default")]
    pub candidates: Vec<String>,
    /// What is missing, where a diagnosis has named it.
    #[serde(default)]
    pub missing: Option<Missing>,
    /// Where the first error is, where a diagnosis has found it.
    #[serde(default)]
    pub location: Option<Location>,
    /// The root cause among the problems that the tools reported, where a diagnosis has found it.
    #[serde(default)]
    pub problem: Option<Problem>,
    /// What a diagnosis was read from: the lines they are on are the evidence.
    #[serde(default, deserialize_with = "null_as_default")]
    pub indicators: Vec<IndicatorHit>,
    /// The indicator that decided the diagnosis, by its stable id.
    #[serde(default)]
    pub row: Option<String>,
    /// When a quota is renewed.
    #[serde(default)]
    pub resets_at: Option<Timestamp>,
    /// The command that failed, where it is known.
    #[serde(default)]
    pub action: Option<String>,
    /// Whether running the same action again unchanged can be an answer.
    #[serde(default)]
    pub repeating: Repeating,
}

/// Whether running the same action again unchanged can be an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Repeating {
    /// It can.
    #[default]
    Allowed,
    /// It was repeated as often as it may be, or more than that is due.
    Spent,
    /// It may have taken effect, and repeating it is not safe.
    Unsafe,
}

/// The task that failed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"number\":\"3\",\"name\":\"...\",\"done_criteria\":[\"...\"]}")]
pub struct FailedTask {
    /// Its number in the plan (`3`, `3.1`); a JSON number is read too.
    #[serde(default, deserialize_with = "text_or_number")]
    #[cfg_attr(feature = "schema", schemars(with = "TextOrNumber"))]
    pub number: String,
    /// What it is to do.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// What must hold when it is done; a single text is read as a list of one.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "OneOrMany"))]
    pub done_criteria: Vec<String>,
    /// Whether the task is a decision that only a person can take.
    #[serde(default, deserialize_with = "null_as_default")]
    pub decision: bool,
    /// Numbers of the tasks it needs.
    #[serde(default, deserialize_with = "texts_or_numbers")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TextOrNumber>"))]
    pub depends_on: Vec<String>,
}

/// What verification produced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"text\":\"...\",\"expected\":\"...\",\"actual\":\"...\"}")]
pub struct VerificationError {
    /// What was printed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
    /// What should have come out.
    #[serde(default)]
    pub expected: Option<String>,
    /// What came out.
    #[serde(default)]
    pub actual: Option<String>,
}

/// The plan around the failed task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(expecting = "an object such as {\"adjacent\":[...],\"decisions\":[\"...\"],\"out_of_scope\":[\"...\"]}")]
pub struct PlanContext {
    /// What the phase is for.
    #[serde(default)]
    pub phase_goal: Option<String>,
    /// The tasks before and after it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub adjacent: Vec<AdjacentTask>,
    /// Decisions taken earlier, in their own words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub decisions: Vec<String>,
    /// What the phase leaves out, in its own words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub out_of_scope: Vec<String>,
}

/// A task next to the failed one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdjacentTask {
    /// Its number in the plan; a JSON number is read too.
    #[serde(default, deserialize_with = "text_or_number")]
    #[cfg_attr(feature = "schema", schemars(with = "TextOrNumber"))]
    pub number: String,
    /// What it does.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its state.
    #[serde(default)]
    pub status: TaskStatus,
}

/// The state of a task of the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Verified.
    #[serde(alias = "completed", alias = "complete")]
    Done,
    /// Failed its verification.
    Failed,
    /// Left out.
    Skipped,
    /// Not reached yet, under way, or not given.
    #[default]
    #[serde(alias = "in_progress", alias = "active", alias = "planned")]
    Pending,
}

/// One repair that was tried before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairAttempt {
    /// Which strategy; RETRY where not given.
    #[serde(default)]
    pub strategy: Option<Strategy>,
    /// What was done, in the caller's words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub approach: String,
    /// Whether it worked; taken as failed where not given.
    #[serde(default, deserialize_with = "null_as_default")]
    pub ok: bool,
}

impl RepairAttempt {
    /// The strategy, with its default.
    #[must_use]
    pub fn strategy(&self) -> Strategy {
        self.strategy.unwrap_or(Strategy::Retry)
    }
}

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
    /// Call the command as it wants to be called.
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

/// A task number as plans write it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a task number as text or number")]
enum TextOrNumber {
    Text(String),
    Whole(u64),
    Decimal(f64),
    None(()),
}

impl From<TextOrNumber> for String {
    fn from(number: TextOrNumber) -> Self {
        match number {
            TextOrNumber::Text(text) => text,
            TextOrNumber::Whole(number) => number.to_string(),
            TextOrNumber::Decimal(number) => number.to_string(),
            TextOrNumber::None(()) => Self::new(),
        }
    }
}

fn text_or_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    TextOrNumber::deserialize(deserializer).map(Into::into)
}

fn texts_or_numbers<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let numbers: Vec<TextOrNumber> = null_as_default(deserializer)?;
    Ok(numbers.into_iter().map(Into::into).collect())
}

/// One text, or several.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a text or a list of texts")]
enum OneOrMany {
    Many(Vec<String>),
    One(String),
    None(()),
}

fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(many) => many,
        OneOrMany::One(one) => vec![one],
        OneOrMany::None(()) => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_json_says() {
        for strategy in Strategy::ALL {
            assert_eq!(serde_json::to_value(strategy).unwrap(), strategy.name());
        }
        for option in GateOption::ALL {
            assert_eq!(serde_json::to_value(option).unwrap(), option.name());
        }
    }

    #[test]
    fn plans_may_write_numbers_and_single_texts() {
        let json = r#"{"task":{"number":3,"done_criteria":"it runs","depends_on":[1,"2"]},"error":null,"plan":{"adjacent":[{"number":2.1}]}}"#;
        let request: RepairRequest = serde_json::from_str(json).unwrap();
        assert_eq!(request.task.number, "3");
        assert_eq!(request.task.done_criteria, ["it runs"]);
        assert_eq!(request.task.depends_on, ["1", "2"]);
        assert_eq!(request.plan.adjacent[0].number, "2.1");
        assert_eq!(request.plan.adjacent[0].status, TaskStatus::Pending);
    }

    #[test]
    fn a_request_without_a_task_is_refused() {
        let error = serde_json::from_str::<RepairRequest>("{}").unwrap_err();
        assert!(error.to_string().contains("missing field `task`"), "{error}");
        let error = serde_json::from_str::<RepairRequest>(r#"{"task":{},"budget":-1}"#).unwrap_err();
        assert!(error.to_string().contains("-1"), "{error}");
    }
}
