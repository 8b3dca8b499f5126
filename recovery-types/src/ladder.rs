//! How hard to push, and until when.
//!
//! A [`Transition`] is the ladder's only output. It carries everything the next one needs ([`Climb`]), so the last
//! recorded transition is enough to go on after a restart.

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

    /// The level's action as the records spell it.
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

    /// The level above; the last one stays.
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
    /// When it took effect: a deadline at its own time, whenever the wake-up came.
    pub at: Timestamp,
    /// The level before; none when the ladder was idle.
    pub from: Option<Level>,
    /// The level after; none when the ladder is idle again. Equal to `from` for another attempt at the same level.
    pub to: Option<Level>,
    /// What brought it about.
    pub cause: Cause,
    /// What a person gave as the reason, for a reset or a pause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Levels that would have come next but have nothing configured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<Level>,
    /// The task record, for each entry into a level and each end.
    pub update: Option<TaskUpdate>,
    /// What to append to the memory files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryNote>,
    /// The level of the ladder after it; none when it is idle.
    pub climb: Option<Climb>,
}

impl Transition {
    /// What to do now. None at an end and while paused.
    #[must_use]
    pub fn command(&self) -> Option<&Command> {
        let paused = |climb: &&Climb| matches!(climb.clock, LevelClock::Paused { .. });
        self.climb.as_ref().filter(|climb| !paused(climb)).map(|climb| &climb.command)
    }
}

/// What brought a transition about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// An action failed.
    Failure,
    /// A judge's score was below its threshold.
    Judge,
    /// Similar actions followed one another.
    Loop,
    /// The level's time limit passed.
    Deadline,
    /// The session's time limit passed, or a server asked to wait beyond it.
    SessionBudget,
    /// The action succeeded.
    Success,
    /// A person reset the task.
    Reset,
    /// Someone else has to decide first; the level's clock is paused.
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
    /// Which attempt at this level is under way, from 1.
    pub attempt: u32,
    /// When this level was entered.
    pub entered_at: Timestamp,
    /// The level's own clock.
    pub clock: LevelClock,
    /// When the session's budget is used up.
    pub session_deadline: Option<Timestamp>,
    /// Levels visited and left, lowest first.
    pub previous_levels: Vec<Level>,
    /// What is known of the failure that is being recovered from.
    pub failure: FailureFacts,
    /// Approaches that failed, oldest first.
    pub known_bad: Vec<String>,
    /// What to do now.
    pub command: Command,
}

impl Climb {
    /// When the ladder moves by itself.
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

    /// Whether it is at level 5, where nothing moves any more.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.level == Level::ForceDone
    }
}

/// A level's own clock. It is paused while a server's wait or a pause lasts; the session's is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Clock"))]
#[serde(rename_all = "snake_case")]
pub enum LevelClock {
    /// It runs.
    Running {
        /// When the level's limit passes.
        deadline: Timestamp,
    },
    /// It is paused until a stated time.
    Waiting {
        /// When it runs on.
        until: Timestamp,
        /// How much time the level has left then.
        left_ms: u64,
    },
    /// It is paused until the next input that moves the ladder.
    Paused {
        /// How much time the level has left then.
        left_ms: u64,
    },
    /// The level has no limit: level 5.
    Stopped,
}

impl LevelClock {
    /// How much time the level has left at `now`; 0 where it has no limit.
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

/// What is known of the failure that is being recovered from; feeds the records and the final report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureFacts {
    /// What went wrong, last.
    pub error_type: ErrorType,
    /// The error in the tool's words, cut to a sensible length.
    pub message: Option<String>,
    /// The step that failed.
    pub step: Option<String>,
    /// Steps of the task that are done.
    pub completed_steps: Vec<String>,
    /// When, according to a server, trying again makes sense.
    pub resume_at: Option<Timestamp>,
    /// Whether it was stopped because it ran past its time limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overran: bool,
    /// Why nothing more can be tried, where that is more than the error itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// The model that worked on it, last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Why nothing more can be tried: a constraint, a used-up budget, a conflict that came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blocked {
    /// The reason, with what it was read from.
    pub why: String,
    /// What a person should do about it.
    pub remedy: String,
}

/// What the ladder requires; tagged by `kind` in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Command {
    /// The same action again.
    Retry {
        /// Which retry this is, from 1.
        attempt: u32,
        /// Not before this moment (backoff).
        not_before: Timestamp,
    },
    /// The same approach with other parameters.
    Nudge {
        /// Which variant this is, from 1.
        variant: u32,
        /// How many there are.
        of: u32,
    },
    /// A new approach to the same goal.
    Replan {
        /// Approaches that must not be tried again, oldest first.
        known_bad: Vec<String>,
    },
    /// Another agent or model.
    Fallback {
        /// Who or what takes over.
        target: Target,
    },
    /// Nothing until a stated time, because a server requires it.
    WaitUntil {
        /// That time.
        until: Timestamp,
        /// Where it comes from.
        reason: WaitReason,
        /// What to do then.
        then: Box<Command>,
    },
    /// Stop here and hand over what there is.
    ForceDone {
        /// The partial result with its explanation.
        report: ForceDoneReport,
    },
}

/// Where a stated time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitReason {
    /// A server asked to wait that long.
    RetryAfter,
    /// A quota is renewed then.
    QuotaReset,
    /// Every task that uses the resource waits until then.
    Cooldown,
}

/// Who or what takes over at level 4.
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
    /// What was completed.
    pub completed_steps: Vec<String>,
    /// Where it failed.
    pub failed_at: String,
    /// Why it failed.
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
