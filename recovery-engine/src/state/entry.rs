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

/// One record of a task's journal. Folding the records of a task gives its [`TaskState`](crate::TaskState).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// An event and the decision about it.
    Decided {
        /// The event: without secrets, long texts truncated.
        #[serde(deserialize_with = "Admitted::from_journal")]
        #[cfg_attr(feature = "schema", schemars(with = "FailureEvent"))]
        event: Box<Admitted<FailureEvent>>,
        /// The diagnosis, if it was made from more output than the event holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        observed: Option<Box<Diagnosis>>,
        /// The commit of HEAD at that time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
        /// The ladder policy, if it was the caller's own; a replay needs it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<Box<Policy>>,
        /// The decision.
        decision: Box<Decision>,
    },
    /// A person or a program reports that the task succeeded, or that it was dealt with.
    Resolved {
        /// The time of the report.
        at: Timestamp,
        /// How it was resolved.
        reason: String,
        /// The transition that ended the ladder.
        transitions: Vec<Transition>,
    },
    /// A person resets the task.
    Reset {
        /// The time of the reset.
        at: Timestamp,
        /// The reason.
        reason: String,
        /// The transition that ended the ladder.
        transitions: Vec<Transition>,
    },
    /// A commit known to be good.
    Checkpoint {
        /// The time of the observation.
        at: Timestamp,
        /// The commit.
        commit: String,
    },
    /// The working tree was rolled back to a good commit.
    RolledBack {
        /// The time of the rollback.
        at: Timestamp,
        /// The commit that HEAD names now.
        to: String,
        /// The name of the backup.
        backup: String,
    },
    /// Something that the task depends on may have changed: denied actions may run once more.
    Changed {
        /// The time of the change.
        at: Timestamp,
    },
    /// A hook denied an action.
    Held {
        /// The time of the denial.
        at: Timestamp,
        /// The fingerprint of the action.
        action: String,
        /// The agent with its session.
        session: String,
        /// The duration of the last failed execution: the time that the denial saved.
        saved_ms: u64,
        /// The end of the denial; versions before 0.2 did not record it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Timestamp>,
    },
    /// A person allows an action however often it fails.
    Allowed {
        /// The time of the permission.
        at: Timestamp,
        /// The reason.
        reason: String,
    },
    /// The ladder changed without an event: time passed, or the work was interrupted.
    Moved {
        /// The time of the change.
        at: Timestamp,
        /// The reason.
        reason: String,
        /// The transition; `None` if the ladder was idle.
        transitions: Vec<Transition>,
    },
    /// A supervised run of the task ended without success: none of its processes is left, and the caller was notified.
    RunEnded {
        /// The time of the end.
        at: Timestamp,
    },
    /// A conflict that the task waited for is resolved.
    Arbitrated {
        /// The time of the resolution.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// The resolution.
        reason: String,
    },
    /// The option that a person chose at the gate, which a failed verification reaches where repair is off.
    GateAnswered {
        /// The time of the choice.
        at: Timestamp,
        /// The option.
        option: GateOption,
        /// The reason.
        reason: String,
        /// The transition that ended the ladder, if the option ends it.
        transitions: Vec<Transition>,
    },
    /// A repair that was proposed without an event.
    RepairProposed {
        /// The time of the proposal.
        at: Timestamp,
        /// The number of the task in the plan.
        number: String,
        /// The proposed repair.
        repair: Box<Repair>,
    },
    /// The outcome of the last repair.
    Repaired {
        /// The time of the report.
        at: Timestamp,
        /// Whether it succeeded.
        ok: bool,
        /// The log line for this outcome.
        log: Option<String>,
    },
    /// The plan froze the node of the task: nothing is tried until it is thawed.
    Frozen {
        /// The time of the freeze.
        at: Timestamp,
        /// The reason.
        reason: String,
    },
    /// The node is thawed.
    Thawed {
        /// The time of the thaw.
        at: Timestamp,
        /// The reason.
        reason: String,
        /// The remaining replans from now on, if stated.
        budget: Option<u32>,
    },
    /// A step of the task is completed.
    StepDone {
        /// The time of completion.
        at: Timestamp,
        /// The name of the step.
        step: String,
    },
    /// The plan's data about the node of the task; in the project's chain also the active node and the mission.
    Planned {
        /// The time of the import.
        at: Timestamp,
        /// The node.
        node: Box<Node>,
        /// Whether it is the active node.
        is_active: bool,
        /// The settings of the node for everything below it.
        mission: Option<Box<Ancestor>>,
    },
    /// The task collided with another one, as another system recorded it.
    ConflictOpened {
        /// The time of the collision.
        at: Timestamp,
        /// The conflict.
        conflict: String,
        /// The details of the conflict.
        reason: String,
    },
    /// An attempt that another system recorded.
    Imported {
        /// The attempt.
        attempt: Box<HistoryEntry>,
    },
}

impl Entry {
    /// When it happened; `None` for another system's attempt, which may have no time.
    #[must_use]
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Decided { decision, .. } => Some(decision.at),
            Self::Resolved { at, .. }
            | Self::Reset { at, .. }
            | Self::Checkpoint { at, .. }
            | Self::RolledBack { at, .. }
            | Self::Changed { at }
            | Self::Held { at, .. }
            | Self::Allowed { at, .. }
            | Self::Moved { at, .. }
            | Self::RunEnded { at }
            | Self::Arbitrated { at, .. }
            | Self::GateAnswered { at, .. }
            | Self::RepairProposed { at, .. }
            | Self::Repaired { at, .. }
            | Self::Frozen { at, .. }
            | Self::Thawed { at, .. }
            | Self::StepDone { at, .. }
            | Self::Planned { at, .. }
            | Self::ConflictOpened { at, .. } => Some(*at),
            Self::Imported { .. } => None,
        }
    }

    /// The transition of the ladder.
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
