//! One failure event, its history and a clock value in, one decision out. Pure: no clock, no file, no model call.
//!
//! | to change | look in |
//! |---|---|
//! | how the four answers become one | [`reconcile`]: its tables |
//! | what is known of a task, and who counts attempts | [`TaskState`] in `state/`: the only owner |
//! | what the journal adds to an event | `known.rs` |
//! | when an action is held back | `holds.rs` |
//! | what enters the engine at all | `admit.rs` |
//! | the sentence people read | `sentence.rs` |

mod admit;
mod assess;
mod climb;
mod decide;
mod decision;
mod holds;
mod known;
mod problems;
pub mod reconcile;
mod repair;
mod resource;
mod sentence;
mod state;
mod text;

pub use admit::{Admit, Admitted, admit, redact_json};
pub use assess::Assessment;
pub use classifier_core::Config as ClassifierConfig;
pub use decision::{Decision, Denial, LadderView, Next};
pub use escalation::breaker::Hold;
pub use escalation::{Breaker, BreakerPolicy, Input, Policy};
pub use failure_taxonomy::{Observer, PackName, Taxonomy};
pub use holds::{PAUSE_MS, action_fingerprint};
pub use known::{conflict_of, stated_wait};
pub use node_repair::RepairConfig;
pub use problem_matcher::UserMatchers;
pub use reconcile::Overruled;
pub use recovery_types::repair::{AdjacentTask, RepairAttempt};
pub use recovery_types::{
    Action, Ancestor, Class, Classification, Climb, Command, Cooldown, Diagnosis, ErrorType, FailureCause,
    FailureEvent, HistoryEntry, Level, Node, RecoveryVerb, Repair, RepairRequest, RepoPath, Strategy, TaskUpdate,
    Timestamp, Transition,
};
pub use state::{Attempt, Entry, Repeated, SharedReplan, TaskState, Waiting};

/// The engine with its settings. The same input, history and clock value give the same answer, byte for byte.
///
/// ```
/// use recovery_engine::{Engine, PackName, TaskState, admit};
/// use recovery_types::{FailureEvent, Level, Timestamp};
/// let event = FailureEvent { exit_code: 1, stderr_tail: "Error: read ECONNRESET".into(), ..Default::default() };
/// let engine = Engine::new(PackName::Field);
/// let decision = engine.decide("TASK-1", &TaskState::default(), &admit(event), None, Timestamp::from_ms(0));
/// assert_eq!(decision.ladder.level, Some(Level::Retry));
/// assert_eq!(decision.next.sentence, "Run the same command again in 1 s (retry 1 of 3).");
/// ```
#[derive(Debug)]
pub struct Engine {
    /// The taxonomy that diagnoses output.
    pub taxonomy: Taxonomy,
    /// The settings of the classifier.
    pub classifier: classifier_core::Config,
    /// The settings of node repair.
    pub repair: node_repair::RepairConfig,
    /// The ladder policy.
    pub ladder: Policy,
    /// Whether the policy is the caller's own instead of the project's; each record then contains it.
    pub own_ladder: bool,
    /// When the circuit breaker of a resource opens, and how waiting tasks return.
    pub breaker: BreakerPolicy,
    /// The constraints and features of the settings, which apply to every event.
    pub mission: Ancestor,
    /// Whether the caller can continue in a new session when the context is exhausted.
    pub continuation: bool,
    /// The duration of a denial.
    pub deny_ms: u64,
    /// The user's own formats of tool output.
    pub matchers: problem_matcher::UserMatchers,
}

impl Engine {
    /// The engine with default settings.
    #[must_use]
    pub fn new(pack: PackName) -> Self {
        let taxonomy = match pack {
            PackName::Field => Taxonomy::field(),
            PackName::Documented => Taxonomy::documented(),
        };
        Self::with(taxonomy)
    }

    /// The engine with the caller's taxonomy.
    #[must_use]
    pub fn with(taxonomy: Taxonomy) -> Self {
        Self {
            taxonomy,
            classifier: classifier_core::Config::default(),
            repair: node_repair::RepairConfig::default(),
            ladder: Policy::default(),
            own_ladder: false,
            breaker: BreakerPolicy::default(),
            mission: Ancestor::default(),
            continuation: false,
            deny_ms: 600_000,
            matchers: problem_matcher::UserMatchers::default(),
        }
    }
}
