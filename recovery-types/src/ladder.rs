//! How hard to push, and until when.
//!
//! A [`Transition`] is the ladder's only output. It carries everything the next one needs ([`Climb`]), so the last
//! recorded transition is enough to continue after a restart.

mod update;

pub use update::{ForceDoneMetadata, LevelMetadata, MemoryNote, TaskMetadata, TaskUpdate, UpdateStatus};

use crate::{ErrorType, Timestamp};
use serde::{Deserialize, Serialize};

/// A level of the escalation ladder. A closed set, matched without `_`; a number from 1 to 5 in JSON.
///
/// ```
/// use recovery_types::Level;
/// assert!(Level::Retry < Level::ForceDone);
/// assert_eq!(serde_json::to_string(&Level::Replan).unwrap(), "3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "u8", extend("minimum" = 1, "maximum" = 5)))]
pub enum Level {
    /// 1: the same action again.
    Retry = 1,
    /// 2: the same approach with other parameters.
    Nudge = 2,
    /// 3: a new approach to the same goal.
    Replan = 3,
    /// 4: another agent or model.
    Fallback = 4,
    /// 5: partial results with an explanation.
    ForceDone = 5,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 5] = [Self::Retry, Self::Nudge, Self::Replan, Self::Fallback, Self::ForceDone];

    /// The level's number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The action of the level as records spell it.
    #[must_use]
    pub const fn action(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Nudge => "nudge",
            Self::Replan => "replan",
            Self::Fallback => "fallback",
            Self::ForceDone => "force-done",
        }
    }

    /// The level above; the highest stays.
    #[must_use]
    pub const fn above(self) -> Self {
        match self {
            Self::Retry => Self::Nudge,
            Self::Nudge => Self::Replan,
            Self::Replan => Self::Fallback,
            Self::Fallback | Self::ForceDone => Self::ForceDone,
        }
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.number()
    }
}

impl TryFrom<u8> for Level {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|level| level.number() == number)
            .ok_or_else(|| format!("{number} is not a level from 1 to 5"))
    }
}

/// One recorded change of the ladder; nothing else changes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Transition {
    /// The time at which it took effect: for a deadline the deadline itself, however late the wake-up was.
    pub at: Timestamp,
    /// The level before; `None` if the ladder was idle.
    pub from: Option<Level>,
    /// The level after; `None` if the ladder is idle again. Equal to `from` for another attempt at the same level.
    pub to: Option<Level>,
    /// The cause of the transition.
    pub cause: Cause,
    /// The reason that a person gave for a reset or a pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Levels that were skipped because nothing is configured for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<Level>,
    /// The task record, for each entry into a level and each end.
    pub update: Option<TaskUpdate>,
    /// Notes to append to the memory files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryNote>,
    /// The state of the ladder after it; `None` if it is idle.
    pub climb: Option<Climb>,
}

impl Transition {
    /// The command to execute now; `None` at an end and while paused.
    #[must_use]
    pub fn command(&self) -> Option<&Command> {
        let paused = |climb: &&Climb| matches!(climb.clock, LevelClock::Paused { .. });
        self.climb.as_ref().filter(|climb| !paused(climb)).map(|climb| &climb.command)
    }
}

/// The cause of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// An action failed.
    Failure,
    /// A judge's score was below its threshold.
    Judge,
    /// Similar actions were repeated.
    Loop,
    /// The level's time limit passed.
    Deadline,
    /// The time limit of the session passed, or a server asked for a wait beyond it.
    SessionBudget,
    /// The action succeeded.
    Success,
    /// A person reset the task.
    Reset,
    /// Another party has to decide first; the clock of the level is paused.
    Pause,
    /// The task was left out of the plan.
    Skip,
}

impl Cause {
    /// The name as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Judge => "judge",
            Self::Loop => "loop",
            Self::Deadline => "deadline",
            Self::SessionBudget => "session_budget",
            Self::Success => "success",
            Self::Reset => "reset",
            Self::Pause => "pause",
            Self::Skip => "skip",
        }
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The position of a ladder that is not idle. At level 5 it is paused until a person resets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Climb {
    /// The level it is at.
    pub level: Level,
    /// The current attempt at this level, from 1.
    pub attempt: u32,
    /// When this level was entered.
    pub entered_at: Timestamp,
    /// The clock of the level.
    pub clock: LevelClock,
    /// The end of the session's time budget.
    pub session_deadline: Option<Timestamp>,
    /// Earlier levels, lowest first.
    pub previous_levels: Vec<Level>,
    /// The failure that is being recovered from.
    pub failure: FailureFacts,
    /// Approaches that failed, oldest first.
    pub known_bad: Vec<String>,
    /// The command to execute now.
    pub command: Command,
}

impl Climb {
    /// The time at which the ladder changes without an input.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        let level = match self.clock {
            LevelClock::Running { deadline } => Some(deadline),
            LevelClock::Waiting { until, left_ms } => Some(until.plus_ms(left_ms)),
            LevelClock::Paused { .. } => None,
            LevelClock::Stopped => return None,
        };
        level.into_iter().chain(self.session_deadline).min()
    }

    /// Whether it is at level 5, where only a reset changes it.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.level == Level::ForceDone
    }
}

/// The clock of a level. It is paused during a server's wait or a pause; that of the session is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Clock"))]
#[serde(rename_all = "snake_case")]
pub enum LevelClock {
    /// The clock runs.
    Running {
        /// When the level's limit passes.
        deadline: Timestamp,
    },
    /// The clock is paused until a stated time.
    Waiting {
        /// The time at which it resumes.
        until: Timestamp,
        /// The remaining time of the level from then on.
        left_ms: u64,
    },
    /// The clock is paused until the next input that changes the ladder.
    Paused {
        /// The remaining time of the level from then on.
        left_ms: u64,
    },
    /// The level has no limit: level 5.
    Stopped,
}

impl LevelClock {
    /// The remaining time of the level at `now`; 0 if it has no limit.
    #[must_use]
    pub fn left_ms(self, now: Timestamp) -> u64 {
        match self {
            Self::Running { deadline } => deadline.since(now),
            Self::Waiting { until, left_ms } if now < until => left_ms,
            Self::Waiting { until, left_ms } => until.plus_ms(left_ms).since(now),
            Self::Paused { left_ms } => left_ms,
            Self::Stopped => 0,
        }
    }
}

/// The failure that is being recovered from, as the records and the final report need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureFacts {
    /// The last error type.
    pub error_type: ErrorType,
    /// The error in the words of the tool, truncated.
    pub message: Option<String>,
    /// The step that failed.
    pub step: Option<String>,
    /// Completed steps of the task.
    pub completed_steps: Vec<String>,
    /// The time from which a retry makes sense, according to a server.
    pub resume_at: Option<Timestamp>,
    /// Whether it was stopped because it exceeded its time limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overran: bool,
    /// Why nothing more can be tried, if the reason is not the error itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// The last model that worked on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Why nothing more can be tried: a constraint, a used-up budget, a repeated conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blocked {
    /// The reason with its evidence.
    pub why: String,
    /// What a person should do.
    pub remedy: String,
}

/// The command of the ladder; tagged by `kind` in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Command {
    /// The same action again.
    Retry {
        /// The number of the retry, from 1.
        attempt: u32,
        /// The earliest time of the retry (backoff).
        not_before: Timestamp,
    },
    /// The same approach with other parameters.
    Nudge {
        /// The number of the variant, from 1.
        variant: u32,
        /// The number of variants.
        of: u32,
    },
    /// A new approach to the same goal.
    Replan {
        /// Known-bad approaches, oldest first.
        known_bad: Vec<String>,
    },
    /// Another agent or model.
    Fallback {
        /// The agent or model that takes over.
        target: Target,
    },
    /// Wait until a stated time, because a server requires it.
    WaitUntil {
        /// The end of the wait.
        until: Timestamp,
        /// The origin of the stated time.
        reason: WaitReason,
        /// The command after the wait.
        then: Box<Command>,
    },
    /// Stop and hand over the partial result.
    ForceDone {
        /// The partial result with its explanation.
        report: ForceDoneReport,
    },
}

/// The origin of a stated time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// A server asked for that delay.
    RetryAfter,
    /// A quota is renewed at that time.
    QuotaReset,
    /// Every task that uses the resource waits until that time.
    Cooldown,
}

/// The agent or model that takes over at level 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The next model tier above the one at work.
    NextModelTier,
    /// A model or model tier by name.
    Model(String),
    /// Another agent by name.
    Agent(String),
}

/// The partial result of a task that was force-done. No field is ever empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ForceDoneReport {
    /// Always `partial`.
    pub status: PartialStatus,
    /// Completed steps.
    pub completed_steps: Vec<String>,
    /// The step that failed.
    pub failed_at: String,
    /// The reason of the failure.
    pub failure_reason: String,
    /// The levels visited, lowest first.
    pub escalation_path: Vec<Level>,
    /// What a person should do to finish.
    pub recommendation: String,
}

/// The one status of a [`ForceDoneReport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PartialStatus {
    /// Partial results with an explanation.
    Partial,
}
