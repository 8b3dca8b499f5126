//! The journal as the record of a run, with issues.md and learnings.md beside it.

use crate::output;
use recovery_engine::{Engine, Entry, Input, TaskState};
use recovery_run::recorder::{AttemptResult, RecordId, Recorded, Recorder, advanced, transitions};
use recovery_service::ledger::{Ledger, Question};
use recovery_service::{ServiceError, notes};
use recovery_store::{RecordKind, TaskId};
use recovery_types::ladder::Transition;
use recovery_types::{Cooldown, Timestamp};
use std::path::PathBuf;

/// Records one task in the journal.
pub(super) struct JournalRecorder {
    pub ledger: Ledger,
    pub task: TaskId,
    /// Where issues.md and learnings.md are kept.
    pub memory_dir: PathBuf,
}

impl JournalRecorder {
    /// A note that cannot be written is a warning: the decision is recorded by now.
    fn note(&self, transitions: &[Transition]) {
        if let Err(error) = notes::append(&self.memory_dir, transitions) {
            eprintln!("recovery: {}", output::one_line(&error.to_string(), 300));
        }
    }
}

impl Recorder for JournalRecorder {
    type Error = ServiceError;

    fn state(&self) -> Result<TaskState, ServiceError> {
        self.ledger.state(&self.task)
    }

    fn decide(&mut self, engine: &Engine, result: AttemptResult, at: Timestamp) -> Result<Recorded, ServiceError> {
        let AttemptResult { event, observed, head } = result;
        let recorded = self.ledger.decide(engine, &self.task, Question { event, observed, head }, at)?;
        self.note(&recorded.decision.transitions);
        let record = recorded.record.map(|place| RecordId { seq: place.seq, hash: place.hash });
        Ok(Recorded { decision: recorded.decision, record })
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

    fn last_decided(&self) -> Result<Option<Entry>, ServiceError> {
        self.ledger.last_entry(&self.task, |entry| matches!(entry, Entry::Decided { .. }))
    }
}
