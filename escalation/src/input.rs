//! The inputs of the ladder.
//!
//! In: what a caller saw, as one of a few inputs: a failure with its facts, a judge's scores, a loop, a success, a tick of
//! the clock, a reset, a pause, a skip. Out: nothing; the ladder takes them (`ladder.rs`). A failure carries everything that
//! may decide its entry level or end up in a record, so that the ladder needs nothing else. A new kind of input is a variant here, a
//! trigger in `rules.rs` and a row of its transition table.

use recovery_types::ladder::Blocked;
use recovery_types::{ErrorType, Judge, Level, Timestamp};

/// An input of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every input is a failure, and none is kept")]
pub enum Input {
    /// An action failed.
    Failure(LadderFailure),
    /// An action succeeded.
    Success,
    /// A judge scored the work. A score below its threshold is a failure; other scores change nothing.
    Judge(Judge),
    /// A number of similar actions in a row. It only lifts the ladder, or enters it from idle.
    Loop {
        /// The number ([`LoopDetector::observe`](crate::LoopDetector::observe)).
        similar: u32,
    },
    /// The time advanced; nothing else happened.
    Tick,
    /// Another party has to decide first (a conflict): the clock of the level stops until the ladder moves again.
    Pause {
        /// The reason.
        reason: String,
    },
    /// The task is left out of the plan.
    Skip {
        /// The reason.
        reason: String,
    },
    /// A person puts the task back to its beginning.
    Reset {
        /// The reason.
        reason: String,
    },
}

/// A failed action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderFailure {
    /// The error type.
    pub error_type: ErrorType,
    /// Whether repeating the identical action is safe.
    pub idempotent: bool,
    /// The wait that the server asked for, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The time at which the quota is renewed.
    pub resets_at: Option<Timestamp>,
    /// The end of the wait that all tasks with the same resource observe.
    pub cooldown_until: Option<Timestamp>,
    /// The step that failed.
    pub step: Option<String>,
    /// Completed steps of the task.
    pub completed_steps: Vec<String>,
    /// The error in the words of the tool.
    pub message: Option<String>,
    /// The approach; recorded as known-bad.
    pub approach: Option<String>,
    /// The entry level, where the caller overrides the matrix (for example by the level of a class).
    pub entry_level: Option<Level>,
    /// The verdict of a judge on the same work.
    pub judge: Option<Judge>,
    /// The number of similar actions in a row, this one included.
    pub similar: u32,
    /// Whether it was stopped because it exceeded its time limit.
    pub overran: bool,
    /// Why nothing more can be tried, if the reason is not the error itself, and what a person should do.
    pub blocked: Option<Blocked>,
    /// The model that worked on it, if known; the next tier is counted from it.
    pub model: Option<String>,
}

impl LadderFailure {
    /// A failure of which only the type is known; safe to repeat.
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
