//! A run's decisions in the journal of `recovery-service`, with issues.md and learnings.md beside it.
//!
//! In: what the driver hands to its [`Recorder`]. Out: records, notes, lines of an events file, and what a decision requires of the
//! working tree, as far as it is allowed: going back, marking a commit as good, committing the progress.

use crate::recorder::{AttemptResult, RecordId, RecordedDecision, Recorder, TreeChange, advanced, transitions};
use recovery_engine::reconcile::Tree;
use recovery_engine::{Decision, Engine, Entry, Input, TaskState};
use recovery_git::{GitError, Repo};
use recovery_service::events::{self, Observation};
use recovery_service::ledger::{Ledger, PROJECT, Question};
use recovery_service::rollback::{self, RollbackError};
use recovery_service::{Clock as _, ServiceError, SystemClock, notes};
use recovery_store::{RecordKind, TaskId};
use recovery_types::ladder::Transition;
use recovery_types::{Cooldown, Timestamp};
use std::path::PathBuf;

/// Records one task in the journal.
pub struct JournalRecorder {
    /// The journal.
    pub ledger: Ledger,
    /// The task.
    pub task: TaskId,
    /// The directory of issues.md and learnings.md.
    pub memory_dir: PathBuf,
    /// The root of the project.
    pub root: PathBuf,
    /// The permitted changes of the repository.
    pub allowed: AllowedChanges,
    /// The file to which events are appended for other programs.
    pub events: Option<PathBuf>,
    /// Prints a warning: a note or an event that could not be written.
    pub warn: fn(&str),
}

/// The permitted changes of the repository.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowedChanges {
    /// Roll back to the last good commit if a decision requires it.
    pub rollback: bool,
    /// Record the commit that succeeded as good.
    pub checkpoint: bool,
    /// Commit the progress on a separate branch if the context is exhausted.
    pub handoff: bool,
}

impl JournalRecorder {
    /// A note that cannot be written is a warning: the decision is recorded already.
    fn note(&self, transitions: &[Transition]) {
        if let Err(error) = notes::append(&self.memory_dir, transitions) {
            (self.warn)(&error.to_string());
        }
    }

    /// Whether nothing is recorded of the task yet.
    #[must_use]
    pub fn is_first_attempt(&self) -> bool {
        self.ledger.state(&self.task).is_ok_and(|state| state.last_at.is_none())
    }

    fn observe(&self, observations: &[Observation]) {
        if let Some(path) = &self.events
            && let Err(error) = events::append(path, observations)
        {
            (self.warn)(&format!("cannot append to {}: {error}", path.display()));
        }
    }

    /// The commit that just succeeded is good, unless the work tree differs from it.
    fn checkpoint(&mut self, at: Timestamp) -> Result<String, RollbackError> {
        let repo = Repo::at(&self.root)?;
        let commit = repo.head()?;
        let changed = repo.changed_files()?;
        if let Some(first) = changed.first() {
            let reason = format!("{} is not committed, so HEAD is not what worked", first.as_str());
            return Err(GitError::Refused(reason).into());
        }
        let project = TaskId::new(PROJECT).map_err(ServiceError::from)?;
        self.ledger
            .record(&project, RecordKind::Checkpoint, at, |_| Entry::Checkpoint { at, commit: commit.clone() })?;
        Ok(format!("good commit recorded: {commit}"))
    }

    /// Rolls back as the last decision of the task requires, after saving everything; returns what was done, for
    /// people.
    fn roll_back(&mut self) -> Result<String, RollbackError> {
        let repo = Repo::at(&self.root)?;
        let lock = repo.lock()?;
        let request = rollback::requested(&self.ledger, &self.task, &repo)?.ok_or(RollbackError::NotRequested)?;
        let done = rollback::carry_out(&repo, &lock, &mut self.ledger, &self.task, &request, SystemClock.now())?;
        let name = &done.backup.name;
        Ok(format!("back at {}; everything is saved as {name} (recovery rollback --undo {name})", done.target))
    }

    fn hand_off(&self, decision: &Decision) -> Result<TreeChange, RollbackError> {
        let message = format!("recovery: progress of {}\n\n{}", self.task.as_str(), decision.next.sentence);
        let branch = Repo::at(&self.root)?.hand_off(&rollback::backup_name(&self.task, SystemClock.now()), &message)?;
        Ok(TreeChange { what: format!("progress is committed on {branch}"), branch: Some(branch) })
    }
}

impl Recorder for JournalRecorder {
    type Error = ServiceError;

    fn state(&self) -> Result<TaskState, ServiceError> {
        self.ledger.state(&self.task)
    }

    fn decide(
        &mut self,
        engine: &Engine,
        result: AttemptResult,
        at: Timestamp,
    ) -> Result<RecordedDecision, ServiceError> {
        let AttemptResult { event, observed, head } = result;
        let recorded = self.ledger.decide(engine, &self.task, Question { event, observed, head }, at)?;
        self.note(&recorded.decision.transitions);
        self.observe(&events::of(&recorded.decision));
        let record = recorded.record.map(|place| RecordId { seq: place.seq, hash: place.hash });
        Ok(RecordedDecision { decision: recorded.decision, record })
    }

    fn advance(
        &mut self,
        engine: &Engine,
        input: &Input,
        reason: &str,
        at: Timestamp,
    ) -> Result<Vec<Transition>, ServiceError> {
        let kind = match input {
            Input::Reset { .. } => RecordKind::Reset,
            _ => RecordKind::Change,
        };
        let mut made = Vec::new();
        self.ledger.record(&self.task, kind, at, |state| {
            let entry = advanced(engine, self.task.as_str(), state, input, reason, at);
            made = transitions(&entry).to_vec();
            entry
        })?;
        self.note(&made);
        self.observe(&events::of_transitions(self.task.as_str(), &made));
        Ok(made)
    }

    fn admit(
        &mut self,
        engine: &Engine,
        command: &str,
        waited_for: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<Option<Cooldown>, ServiceError> {
        self.ledger.admit(engine, &self.task, command, waited_for, at)
    }

    fn carry_out(&mut self, decision: &Decision) -> Vec<TreeChange> {
        let refused = |what: &str, error: RollbackError| format!("{what} refused: {}", with_causes(&error));
        let done: String = match (decision.failure, decision.tree) {
            (false, _) if self.allowed.checkpoint => {
                self.checkpoint(decision.at).unwrap_or_else(|error| refused("checkpoint", error))
            }
            (true, Tree::RollBack) if self.allowed.rollback => {
                self.roll_back().unwrap_or_else(|error| refused("rollback", error))
            }
            (true, Tree::RollBack) => {
                let commit = decision.rollback_to.as_deref().unwrap_or_default();
                let commit = commit.get(..10).unwrap_or(commit);
                format!("the build worked at {commit}: `recovery rollback` goes back there, and so does --rollback")
            }
            (true, Tree::Commit) if self.allowed.handoff => {
                return vec![self.hand_off(decision).unwrap_or_else(|error| refused("handoff", error).into())];
            }
            (_, Tree::Keep | Tree::Commit) | (false, Tree::RollBack) => return Vec::new(),
        };
        vec![done.into()]
    }

    fn run_ended(&mut self, at: Timestamp) -> Result<(), ServiceError> {
        self.ledger.record(&self.task, RecordKind::Change, at, |_| Entry::RunEnded { at }).map(|_| ())
    }

    fn last_decided(&self) -> Result<Option<Entry>, ServiceError> {
        self.ledger.last_entry(&self.task, |entry| matches!(entry, Entry::Decided { .. }))
    }
}

/// An error with its causes, on one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
