//! The entries of a task's journal: what each record means.
//!
//! One variant per kind of thing that can happen to a task: a decision, a success, a reset, a note of a person. Folding
//! a task's entries in order gives its [`TaskState`](crate::TaskState). Variants and fields are only added, never
//! changed, so that old journals can still be read. How an entry is written as JSON is in
//! `recovery-service/src/body.rs`.

use crate::Admitted;
use crate::decision::Decision;
use escalation::Policy;
use recovery_types::ladder::Transition;
use recovery_types::repair::{GateOption, Repair};
use recovery_types::{Ancestor, Diagnosis, FailureEvent, HistoryEntry, Node, Timestamp};
use serde::{Deserialize, Serialize};

/// One thing that happened to a task, as the journal records it. Folding a task's entries gives its
/// [`TaskState`](crate::TaskState).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// An event came in and was decided.
    Decided {
        /// The event: no secrets, long texts cut.
        #[serde(deserialize_with = "Admitted::from_journal")]
        #[cfg_attr(feature = "schema", schemars(with = "FailureEvent"))]
        event: Box<Admitted<FailureEvent>>,
        /// The diagnosis, where it was read from more output than the event holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        observed: Option<Box<Diagnosis>>,
        /// The commit that HEAD named then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The ladder's numbers, where they were the caller's own; a replay needs them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<Box<Policy>>,
        /// What was decided.
        decision: Box<Decision>,
    },
    /// A person or a program reports that it works, or that it was dealt with.
    Resolved {
        /// When.
        at: Timestamp,
        /// How.
        reason: String,
        /// How the ladder ended.
        transitions: Vec<Transition>,
    },
    /// A person starts the task afresh.
    Reset {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// How the ladder ended.
        transitions: Vec<Transition>,
    },
    /// A commit known to be good.
    Checkpoint {
        /// When.
        at: Timestamp,
        /// The commit.
        commit: String,
    },
    /// The working tree was taken back to a good commit.
    RolledBack {
        /// When.
        at: Timestamp,
        /// The commit it is at now.
        to: String,
        /// The backup's name.
        backup: String,
    },
    /// Something that the task depends on may have changed: what was held back may run once more.
    Changed {
        /// When.
        at: Timestamp,
    },
    /// A hook held an action back.
    Held {
        /// When.
        at: Timestamp,
        /// The action's fingerprint.
        action: String,
        /// The agent and its session.
        session: String,
        /// How long the action ran when it last failed: what not running it saved.
        saved_ms: u64,
        /// Until when; programs before 0.2 did not record it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// A person lets an action run however often it fails.
    Allowed {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
    },
    /// The ladder moved without an event: time passed, or the work was interrupted.
    Moved {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// What became of the ladder; nothing where it was idle.
        transitions: Vec<Transition>,
    },
    /// A supervised run of the task ended without success: no process of it is left, and the caller was notified.
    RunEnded {
        /// When.
        at: Timestamp,
    },
    /// A conflict that the task waited for is settled.
    Arbitrated {
        /// When.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// How it was settled.
        reason: String,
    },
    /// What a person chose at the gate that a failed verification goes to where repair is off.
    GateAnswered {
        /// When.
        at: Timestamp,
        /// The choice.
        option: GateOption,
        /// Why.
        reason: String,
        /// How the ladder ended, where the choice ends it.
        transitions: Vec<Transition>,
    },
    /// A repair was proposed apart from any event.
    RepairProposed {
        /// When.
        at: Timestamp,
        /// The task's number in the plan.
        number: String,
        /// What was proposed.
        repair: Box<Repair>,
    },
    /// The outcome of the last repair.
    Repaired {
        /// When.
        at: Timestamp,
        /// Whether it worked.
        ok: bool,
        /// The line that is true now.
        log: Option<String>,
    },
    /// The plan froze the task's node: nothing is tried until it is thawed.
    Frozen {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
    },
    /// The node may go on.
    Thawed {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
        /// Replans that it may use from now on, where that was said.
        budget: Option<u32>,
    },
    /// A step of the task is done.
    StepDone {
        /// When.
        at: Timestamp,
        /// Its name.
        step: String,
    },
    /// The plan's word about the task's node; for the project also which node is active, and the mission.
    Planned {
        /// When.
        at: Timestamp,
        /// The node.
        node: Box<Node>,
        /// Whether it is the one that is worked on.
        is_active: bool,
        /// What the node states for everything below it.
        mission: Option<Box<Ancestor>>,
    },
    /// The task collided with another one, as another system recorded it.
    ConflictOpened {
        /// When.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// What is known of it.
        reason: String,
    },
    /// An attempt that another system recorded.
    Imported {
        /// The attempt.
        attempt: Box<HistoryEntry>,
    },
}

impl Entry {
    /// What became of the ladder.
    #[must_use]
    pub fn transitions(&self) -> &[Transition] {
        match self {
            Self::Decided { decision, .. } => &decision.transitions,
            Self::Resolved { transitions, .. }
            | Self::Reset { transitions, .. }
            | Self::GateAnswered { transitions, .. }
            | Self::Moved { transitions, .. } => transitions,
            Self::Checkpoint { .. }
            | Self::RolledBack { .. }
            | Self::Changed { .. }
            | Self::Held { .. }
            | Self::Allowed { .. }
            | Self::RunEnded { .. }
            | Self::Arbitrated { .. }
            | Self::RepairProposed { .. }
            | Self::Repaired { .. }
            | Self::Frozen { .. }
            | Self::Thawed { .. }
            | Self::StepDone { .. }
            | Self::Planned { .. }
            | Self::ConflictOpened { .. }
            | Self::Imported { .. } => &[],
        }
    }
}
