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

/// An event of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// An earlier run of this task was interrupted.
    Continuing {
        /// The task.
        task: String,
        /// The current level.
        level: Level,
        /// The next attempt.
        attempt: u32,
        /// The deadline of the level.
        deadline: Option<Timestamp>,
    },
    /// An earlier run of this task was killed, and its command still runs; it is ended first.
    OrphanedRun {
        /// The task.
        task: String,
        /// The processes that run.
        processes: Vec<i32>,
    },
    /// Another run of this task is in progress; this one does nothing.
    Busy {
        /// The task.
        task: String,
        /// The process that runs it, if known.
        process: Option<u32>,
    },
    /// The journal cannot be read or written; the run continues without it.
    Unrecorded {
        /// The reason.
        reason: String,
    },
    /// An earlier run of this task was force-done; this one starts anew.
    Afresh {
        /// The task.
        task: String,
        /// The reason of the earlier failure.
        reason: String,
    },
    /// A command is started.
    Started {
        /// The level; null for the first run.
        level: Option<Level>,
        /// The number of the attempt at this level.
        attempt: u32,
        /// The number of attempts at this level.
        of: u32,
        /// The command.
        command: String,
        /// The deadline.
        deadline: Option<Timestamp>,
    },
    /// A command ended.
    Ended {
        /// The exit code; 124 if it was stopped at its deadline.
        exit_code: u8,
        /// The duration in milliseconds.
        duration_ms: u64,
        /// The reason, if it did not end by itself.
        reason: Option<String>,
    },
    /// A decision about a failure was made and recorded.
    Decided {
        /// The error type.
        error_type: Option<ErrorType>,
        /// The class.
        class: Option<Class>,
        /// The next level.
        level: Option<Level>,
        /// The number of the next attempt at this level.
        attempt: u32,
        /// The number of attempts at this level.
        of: u32,
        /// The time of the decision.
        at: Timestamp,
        /// The earliest time of the next attempt.
        not_before: Option<Timestamp>,
        /// The deadline of the level.
        deadline: Option<Timestamp>,
        /// Levels without a command.
        passed_over: Vec<Level>,
        /// Where it is recorded.
        record: Option<RecordId>,
        /// Whether the deadline of the level has passed, so that another level follows.
        #[serde(skip)]
        time_is_up: bool,
        /// Whether the run waits for it: a wait that is longer than the plan allows ends the run.
        #[serde(skip)]
        is_waited_for: bool,
        /// The kept part of the output, without secrets.
        #[serde(skip)]
        output: String,
        /// The whole decision, which the listener words.
        #[serde(skip)]
        decision: Box<Decision>,
    },
    /// The notes of the project mention a task that is tried for the first time.
    Known {
        /// The text of the notes.
        note: String,
    },
    /// What was done with the working tree after a decision, or what the decision requires and was not permitted.
    TreeChanged {
        /// The description.
        what: String,
        /// The branch that holds the progress, where it was committed.
        #[serde(skip_serializing_if = "Option::is_none")]
        branch: Option<String>,
    },
    /// The time limit of a level, or of the session, passed.
    LimitPassed {
        /// The next level.
        level: Level,
        /// Levels without a command.
        passed_over: Vec<Level>,
    },
    /// The execution takes longer than the limit of the level that repeats it.
    TooShort {
        /// The duration of the execution in milliseconds.
        duration_ms: u64,
        /// The level.
        level: Level,
        /// The limit of the level in milliseconds.
        limit_ms: u64,
    },
    /// The run waits until a stated time.
    Waiting {
        /// That time.
        until: Timestamp,
        /// The duration of the wait in milliseconds.
        ms: u64,
        /// The origin of the stated time; null for a backoff.
        reason: Option<WaitReason>,
    },
    /// Every task waits for the shared resource of the command.
    CoolingDown {
        /// The resource, the end of the wait, and the reason.
        cooldown: Cooldown,
        /// The duration of the wait in milliseconds.
        ms: u64,
    },
    /// A wait is longer than the plan allows: the run ends.
    WaitTooLong {
        /// The time to return.
        until: Timestamp,
        /// The duration of the wait in milliseconds.
        ms: u64,
        /// The shared resource that is waited for; null where this run's own command was asked to wait.
        cooldown: Option<Cooldown>,
    },
    /// The run is over.
    Finished {
        /// The outcome.
        outcome: RunOutcome,
        /// The exit code of the run.
        exit_code: u8,
        /// The number of executed commands.
        runs: u32,
        /// The level at the end.
        level: Option<Level>,
        /// The attempt at the end.
        attempt: Option<u32>,
        /// The partial result of a run without success.
        report: Option<ForceDoneReport>,
        /// Whether a run within the command has explained the failure already.
        #[serde(skip)]
        is_explained_within: bool,
    },
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", schemars(rename = "Outcome"))]
#[non_exhaustive]
pub enum RunOutcome {
    /// The first execution succeeded.
    Passed,
    /// A retry of the same command succeeded.
    Flaky,
    /// A variant, a new plan or a fallback succeeded.
    Recovered,
    /// It failed, and nothing else was configured.
    Failed,
    /// Everything was tried, or the time limit passed.
    ForceDone,
    /// It has to be run again after a reset time.
    Waiting,
    /// A signal stopped it.
    Interrupted,
    /// The reader of the output closed it.
    Unread,
}

/// Receives the events of a run.
pub trait Listener {
    /// Receives a notice.
    fn notice(&mut self, notice: &Notice);
    /// Called after every second of a wait.
    fn count_down(&mut self, now: Timestamp, until: Timestamp);
}

/// Ignores everything.
impl Listener for () {
    fn notice(&mut self, _notice: &Notice) {}
    fn count_down(&mut self, _now: Timestamp, _until: Timestamp) {}
}
