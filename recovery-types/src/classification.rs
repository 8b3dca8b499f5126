//! How far a failure reaches.

use crate::Permille;
use serde::{Deserialize, Serialize};

/// How far a failure reaches, from "try again" to "the plan is wrong". A closed set, matched without `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Class {
    /// Transient: the identical action may work.
    F1,
    /// Local logic: the code of this task is wrong.
    F2,
    /// Local design: the story cannot be completed as designed.
    F3,
    /// Story level: siblings or contracts are broken.
    F4,
    /// Architectural: features or constraints of the mission are violated.
    F5,
    /// Conflict-induced: two tasks collided.
    F6,
}

impl Class {
    /// All classes in order.
    pub const ALL: [Self; 6] = [Self::F1, Self::F2, Self::F3, Self::F4, Self::F5, Self::F6];

    /// The class's name in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F1 => "transient",
            Self::F2 => "local-logic",
            Self::F3 => "local-design",
            Self::F4 => "story-level",
            Self::F5 => "architectural",
            Self::F6 => "conflict-induced",
        }
    }
}

/// The action that a class requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Repeat the same action after a backoff, at most three times.
    RetryWithBackoff,
    /// Propose a fix.
    SelfHealPropose,
    /// Retry once, because self-healing is off.
    SingleRetry,
    /// Retry once, then ask a person: the confidence of the classification is low.
    SingleRetryThenEscalate,
    /// Decompose the story (T3) anew.
    ReplanStory,
    /// Decompose the feature (T2) anew.
    ReplanFeature,
    /// Stop and ask a person.
    FreezeAndEscalate,
    /// Hand the conflict to the arbiter.
    Arbitrate,
}

/// The answer of the classifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Classification {
    /// How far it reaches.
    pub class: Class,
    /// The class in words.
    pub name: String,
    /// The confidence, 0 to 0.99.
    pub confidence: Permille,
    /// The observations that the answer rests on.
    pub evidence: Vec<String>,
    /// The recommended action.
    pub recommended_action: Action,
    /// The failed node.
    pub node_id: Option<String>,
    /// Its parent.
    pub parent_node_id: Option<String>,
    /// The rule that decided, by its stable id.
    pub rule: String,
    /// The role that must handle it, unless that is the planner.
    pub routes_to: Option<String>,
    /// Whether a person should see it.
    pub surface_to_user: bool,
}
