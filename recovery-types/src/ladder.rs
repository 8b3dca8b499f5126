//! How hard to push, and until when.

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
