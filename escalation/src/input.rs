//! The inputs of the ladder.
//!
//! In: what a caller saw, as one of a few inputs: a failure with its facts, a judge's scores, a loop, a success, a tick of
//! the clock, a reset, a pause, a skip. Out: nothing; the ladder takes them (`ladder.rs`). A failure carries everything that
//! may decide its entry level or end up in a record, so that the ladder needs nothing else. A new kind of input is a variant here, a
//! trigger in `rules.rs` and a row of its transition table.

use recovery_types::ladder::Blocked;
use recovery_types::{ErrorType, Judge, Level, Timestamp};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every input is a failure, and none is kept")]
pub enum Input {
    /// An action failed.
    Failure(LadderFailure),
    /// An action succeeded.
    Success,
    /// A judge scored the work. A score below its threshold is a failure; a good verdict changes nothing.
    Judge(Judge),
    /// So many similar actions followed one another. Only lifts, or enters from idle.
    Loop {
        /// How many ([`LoopDetector::observe`](crate::LoopDetector::observe)).
        similar: u32,
    },
    /// Only time passed.
    Tick,
    /// Someone else has to decide first (a conflict): the level's clock is stopped until the ladder moves again.
    Pause {
        /// Why.
        reason: String,
    },
    /// The task is left out of the plan.
    Skip {
        /// Why.
        reason: String,
    },
    /// A person puts the task back to its beginning.
    Reset {
        /// Why.
        reason: String,
    },
}

/// A failed action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderFailure {
    /// What went wrong.
    pub error_type: ErrorType,
    /// Whether repeating the identical action is safe.
    pub idempotent: bool,
    /// How long the server asked to wait.
    pub retry_after_ms: Option<u64>,
    /// When the quota is renewed.
    pub resets_at: Option<Timestamp>,
    /// Until when every task waits that uses the same resource.
    pub cooldown_until: Option<Timestamp>,
    /// The step that failed.
    pub step: Option<String>,
    /// Steps of the task that are done.
    pub completed_steps: Vec<String>,
    /// The error in the tool's words.
    pub message: Option<String>,
    /// What was being tried; kept as known-bad.
    pub approach: Option<String>,
    /// Overrides the matrix, where the caller has a better reason (for example the level of a class).
    pub entry_level: Option<Level>,
    /// A judge's verdict that came with it.
    pub judge: Option<Judge>,
    /// Similar actions in a row, this one included.
    pub similar: u32,
    /// Whether it was stopped because it ran past its time limit.
    pub overran: bool,
    /// Why nothing more can be tried, where that is more than the error itself, and what a person should do about it.
    pub blocked: Option<Blocked>,
    /// The model that worked on it, where that is known; the next tier is counted from it.
    pub model: Option<String>,
}

impl LadderFailure {
    /// A failure of which only the type is known; taken as safe to repeat.
    ///
    /// ```
    /// use escalation::LadderFailure;
    /// use recovery_types::ErrorType;
    /// let failure = LadderFailure { message: Some("ETIMEDOUT".into()), ..LadderFailure::new(ErrorType::NetworkTimeout) };
    /// assert!(failure.idempotent);
    /// ```
    #[must_use]
    pub const fn new(error_type: ErrorType) -> Self {
        Self {
            error_type,
            idempotent: true,
            retry_after_ms: None,
            resets_at: None,
            cooldown_until: None,
            step: None,
            completed_steps: Vec::new(),
            message: None,
            approach: None,
            entry_level: None,
            judge: None,
            similar: 0,
            overran: false,
            blocked: None,
            model: None,
        }
    }
}
