//! What is reported about a run, as data.
//!
//! The driver calls a [`Listener`] with one [`Notice`] per event: a command starts or ends, a wait begins, the ladder
//! climbs, the run ends. The words and the place where they are printed are the listener's:
//! `recovery-cli/src/commands/run/lines.rs` has those of the command line.

use crate::recorder::RecordId;
use recovery_engine::Decision;
use recovery_types::ladder::WaitReason;
use recovery_types::{Class, Cooldown, ErrorType, ForceDoneReport, Level, Timestamp};
use serde::Serialize;

/// Something worth a line.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// An earlier run of this task did not come to its end.
    Continuing {
        /// The task.
        task: String,
        /// The level it is at.
        level: Level,
        /// Which attempt is next.
        attempt: u32,
        /// When the level's time is up.
        deadline: Option<Timestamp>,
    },
    /// An earlier run of this task was killed, and its command still runs; it is ended first.
    OrphanedRun {
        /// The task.
        task: String,
        /// Those who run.
        processes: Vec<i32>,
    },
    /// Another run of this task is in progress; this one does nothing.
    Busy {
        /// The task.
        task: String,
        /// The process that runs it, where it is known.
        process: Option<u32>,
    },
    /// The record cannot be read or written; the run continues unrecorded.
    Unrecorded {
        /// Why.
        reason: String,
    },
    /// An earlier run of this task was force-done; this one starts afresh.
    Afresh {
        /// The task.
        task: String,
        /// Why the earlier one failed.
        reason: String,
    },
    /// A command is started.
    Started {
        /// The level; null for the first run.
        level: Option<Level>,
        /// Which attempt at this level.
        attempt: u32,
        /// How many there are.
        of: u32,
        /// The command.
        command: String,
        /// When it is stopped.
        deadline: Option<Timestamp>,
    },
    /// A command ended.
    Ended {
        /// Its exit code; 124 where it was stopped at its deadline.
        exit_code: u8,
        /// How long it ran.
        duration_ms: u64,
        /// Why, where it did not end by itself.
        reason: Option<String>,
    },
    /// A failure was decided about, and that is on record.
    Decided {
        /// What went wrong.
        error_type: Option<ErrorType>,
        /// How far it reaches.
        class: Option<Class>,
        /// The level that follows.
        level: Option<Level>,
        /// Which attempt at this level follows.
        attempt: u32,
        /// How many there are.
        of: u32,
        /// When it was decided.
        at: Timestamp,
        /// Not before this moment.
        not_before: Option<Timestamp>,
        /// When the level's time is up.
        deadline: Option<Timestamp>,
        /// Levels with nothing configured.
        passed_over: Vec<Level>,
        /// Where it is on record.
        record: Option<RecordId>,
        /// Whether the level's time is up already, so that another one follows.
        #[serde(skip)]
        time_is_up: bool,
        /// Whether the run waits for it: a wait that is longer than the plan allows ends the run.
        #[serde(skip)]
        is_waited_for: bool,
        /// What the command printed, as far as it is kept, without secrets.
        #[serde(skip)]
        output: String,
        /// The whole decision, for the listener to put into words.
        #[serde(skip)]
        decision: Box<Decision>,
    },
    /// The project's notes have something about a task that is tried for the first time.
    Known {
        /// Their text.
        note: String,
    },
    /// What became of the working tree after a decision, or what the decision requires and nobody allowed.
    TreeChanged {
        /// What.
        what: String,
        /// The branch that holds the progress, where it was committed.
        #[serde(skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// A level's time, or the session's, passed.
    LimitPassed {
        /// The level that follows.
        level: Level,
        /// Levels with nothing configured.
        passed_over: Vec<Level>,
    },
    /// The run takes longer than the level that repeats it allows.
    TooShort {
        /// How long the run took.
        duration_ms: u64,
        /// The level.
        level: Level,
        /// What the level allows.
        limit_ms: u64,
    },
    /// Nothing happens until a moment.
    Waiting {
        /// That moment.
        until: Timestamp,
        /// How long that is.
        ms: u64,
        /// Where it comes from; null for a backoff.
        reason: Option<WaitReason>,
    },
    /// What the command uses is given a rest by every task of the store.
    CoolingDown {
        /// What, until when, and why.
        cooldown: Cooldown,
        /// How long that is.
        ms: u64,
    },
    /// A wait is longer than the plan allows: the run ends.
    WaitTooLong {
        /// When to come back.
        until: Timestamp,
        /// How long that is.
        ms: u64,
    },
    /// The run is over.
    Finished {
        /// How.
        outcome: RunOutcome,
        /// Our exit code.
        exit_code: u8,
        /// How many commands were run.
        runs: u32,
        /// The level it ended at.
        level: Option<Level>,
        /// The attempt it ended at.
        attempt: Option<u32>,
        /// The partial result of a run that ended without success.
        report: Option<ForceDoneReport>,
        /// Whether a run within the command has explained the failure already.
        #[serde(skip)]
        is_explained_within: bool,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(rename = "Outcome"))]
#[non_exhaustive]
pub enum RunOutcome {
    /// It worked the first time.
    Passed,
    /// The same command worked when repeated.
    Flaky,
    /// A variant, a new plan or a fallback worked.
    Recovered,
    /// It failed, and there was nothing to try.
    Failed,
    /// Everything was tried, or the time is up.
    ForceDone,
    /// It has to be run again after a reset time.
    Waiting,
    /// A signal stopped it.
    Interrupted,
    /// The reader of our output closed it.
    Unread,
}

/// Receives what happens during a run.
pub trait Listener {
    /// A notice.
    fn notice(&mut self, notice: &Notice);
    /// A second of a wait has passed.
    fn count_down(&mut self, now: Timestamp, until: Timestamp);
}

/// Nobody listens.
impl Listener for () {
    fn notice(&mut self, _notice: &Notice) {}
    fn count_down(&mut self, _now: Timestamp, _until: Timestamp) {}
}
