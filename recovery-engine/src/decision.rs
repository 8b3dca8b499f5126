//! The answer: the data that a caller acts on and the journal continues from.
//!
//! In: nothing; these are the types. [`Decision`] holds the four answers (class, diagnosis, ladder, repair), the one that was
//! made of them (`next`, `tree`, `scope`), what it overrules, and the transitions of the ladder. It is stored as it is, so a
//! field that older journals do not have needs a default, and a field is never reused for something else. `recovery schema
//! decide` is generated from it.

use crate::PackName;
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
    /// The time of the decision.
    pub at: Timestamp,
    /// Whether the event is a failure at all.
    pub failure: bool,
    /// The class.
    pub classification: Option<Classification>,
    /// The diagnosis.
    pub diagnosis: Option<Diagnosis>,
    /// The pack that it was made with.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub pack: PackName,
    /// The state of the ladder.
    pub ladder: LadderView,
    /// The repair of the task.
    pub repair: Option<Repair>,
    /// The treatment of the working tree.
    pub tree: Tree,
    /// The scope of a replan.
    pub scope: Scope,
    /// The feature in the scope of a replan, if the plan or the mission's map of features names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// The next action.
    pub next: Next,
    /// The resource of a transient failure, if the output shows it: a host, a registry, a model provider, a database, a
    /// lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The shared wait for that resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cooldown: Option<Cooldown>,
    /// Recommendations above that `next` does not follow, each with the rule that overruled it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overruled: Vec<Overruled>,
    /// The commit to return to first, if `tree` is a rollback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback_to: Option<String>,
    /// The log line of the repair whose outcome this event reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// An action that is denied for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<Denial>,
    /// The task record of the last level that was entered or ended by this decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<TaskUpdate>,
    /// Every change of the ladder in this decision, passed deadlines included.
    pub transitions: Vec<Transition>,
}

/// The state of the ladder after a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LadderView {
    /// The level; null if the ladder is idle.
    pub level: Option<Level>,
    /// The action of the level.
    pub action: Option<String>,
    /// The current attempt at this level, from 1.
    pub attempt: Option<u32>,
    /// The earliest time of the next attempt.
    pub not_before: Option<Timestamp>,
    /// The time at which the ladder changes without an input.
    pub deadline: Option<Timestamp>,
    /// Earlier levels.
    #[serde(rename = "previousLevels")]
    pub previous_levels: Vec<Level>,
    /// The command of the ladder; null if it is idle or paused.
    pub command: Option<Command>,
}

/// The next action: a word for programs, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Next {
    /// For programs.
    pub verb: Verb,
    /// For people.
    pub sentence: String,
}

/// An action that failed repeatedly in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Denial {
    /// The fingerprint of the action ([`action_fingerprint`](crate::action_fingerprint)).
    pub action: String,
    /// The end of the denial.
    pub until: Timestamp,
    /// The reason, and what to try instead.
    pub reason: String,
}
