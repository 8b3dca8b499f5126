//! The answer: everything a caller needs to act, and everything the journal needs to go on from it.
//!
//! In: nothing; these are the types. [`Decision`] holds the four answers (class, diagnosis, ladder, repair), the one that was
//! made of them (`next`, `tree`, `scope`), what it overrules, and the transitions of the ladder. It is stored as it is, so a
//! field that older journals do not have needs a default, and a field is never reused for something else. `recovery schema
//! decide` is generated from it.

use crate::reconcile::{Overruled, Scope, Tree, Verb};
use recovery_types::ladder::{Command, TaskUpdate, Transition};
use recovery_types::repair::Repair;
use recovery_types::{Classification, Cooldown, Diagnosis, Level, Timestamp};
use serde::{Deserialize, Serialize};

/// One decision about one event of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// The task it is about.
    pub task: String,
    /// When it was made.
    pub at: Timestamp,
    /// Whether the event is a failure at all.
    pub failure: bool,
    /// How far it reaches.
    pub classification: Option<Classification>,
    /// What kind it is.
    pub diagnosis: Option<Diagnosis>,
    /// The indicators it was read with.
    pub pack: String,
    /// How hard to push, and until when.
    pub ladder: LadderView,
    /// How the task itself changes.
    pub repair: Option<Repair>,
    /// What happens to the working tree.
    pub tree: Tree,
    /// What a replan would cover.
    pub scope: Scope,
    /// The feature that a replan would cover, where the plan or the mission's map of features names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// What to do now.
    pub next: Next,
    /// What a transient failure is about, where the output shows it: a host, a registry, a model provider, a database, a
    /// lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// What every task waits for that uses the resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown: Option<Cooldown>,
    /// The recommendations above that `next` does not follow, and which rule won over them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<Overruled>,
    /// The commit to go back to first, where `tree` is a rollback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_to: Option<String>,
    /// The log line of a repair whose outcome this event reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// An action that must not be repeated for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<Denial>,
    /// The task record, whenever a level was entered or ended: the last one of this decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<TaskUpdate>,
    /// Every change of the ladder that this decision brought, deadlines that had passed included.
    pub transitions: Vec<Transition>,
}

/// The state of the ladder after a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LadderView {
    /// The level; null when the ladder is idle.
    pub level: Option<Level>,
    /// The level's action.
    pub action: Option<String>,
    /// Which attempt at this level is under way, from 1.
    pub attempt: Option<u32>,
    /// Not before this moment.
    pub not_before: Option<Timestamp>,
    /// When the ladder moves by itself.
    pub deadline: Option<Timestamp>,
    /// Levels visited and left.
    #[serde(rename = "previousLevels")]
    pub previous_levels: Vec<Level>,
    /// What the ladder requires; null when it is idle or paused.
    pub command: Option<Command>,
}

/// What to do now: a word for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Next {
    /// For programs.
    pub verb: Verb,
    /// For people.
    pub sentence: String,
}

/// An action that failed again and again in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Denial {
    /// The action's fingerprint ([`action_fingerprint`](crate::action_fingerprint)).
    pub action: String,
    /// Until when.
    pub until: Timestamp,
    /// Why, and what to try instead.
    pub reason: String,
}
