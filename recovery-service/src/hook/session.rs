//! What belongs to a session as a whole: the open tasks at its start, the summary at its end, the report before it stops.

use super::{Hook, HookError, JOURNAL_TIMEOUT, RECENT_TASKS, text};
use crate::ledger::Ledger;
use crate::notes;
use recovery_agents::Answer;
use recovery_engine::{Entry, TaskState};
use recovery_store::{ContentId, JournalExt as _, NewRecord, RecordKind};
use recovery_types::ladder::Command;

/// How many open tasks are listed to a new session.
const MAX_HINTED_TASKS: usize = 5;
/// What failed longer ago than this is not brought up at the start of a session.
const HINTED_FOR_MS: u64 = 3 * 24 * 3_600_000;
/// Failures in the same way and without any change from which on an agent is asked to report before it stops.
const FAILURES_BEFORE_REPORT: u32 = 3;

/// How many tasks' time limits the start of a session records at most.
const MAX_TICKED_TASKS: usize = 20;

impl Hook<'_> {
    /// Records time limits that passed since the last session.
    fn apply_time_limits(&self) -> Result<(), HookError> {
        let mut ledger = Ledger::open(&self.store, JOURNAL_TIMEOUT)?;
        let engine = self.project.engine()?;
        let due = ledger.journal.tasks_due(self.now, MAX_TICKED_TASKS)?;
        // One wait for the disk, however many there are.
        ledger.journal.begin_group()?;
        let mut fired = Vec::new();
        let done = due.iter().try_for_each(|task| -> Result<(), HookError> {
            fired.extend(ledger.tick(&engine, task, self.now)?);
            Ok(())
        });
        ledger.journal.commit_group()?;
        for transitions in fired {
            // They are recorded; a note that cannot be written is no reason to keep the hints back.
            let _ = notes::append(&self.project.notes_dir()?, &transitions);
        }
        done
    }

    /// The tasks that are open and matter.
    pub(super) fn session_start(&self) -> Result<Option<Answer>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        if !ledger.journal.tasks_due(self.now, MAX_TICKED_TASKS)?.is_empty() {
            self.apply_time_limits()?;
        }
        let mut open = ledger.recent(RECENT_TASKS)?;
        open.retain(|(_, state)| {
            let recent = state.last_at.is_some_and(|at| self.now.since(at) < HINTED_FOR_MS);
            recent && !state.resolved && (state.failures > 1 || state.is_stuck())
        });
        let shown: Vec<(&str, &TaskState)> =
            open.iter().take(MAX_HINTED_TASKS).map(|(task, state)| (task.as_str(), state)).collect();
        Ok((!shown.is_empty()).then(|| Answer::Hints(text::open_tasks(&shown, open.len()))))
    }

    /// What failed, what was recovered and what was held back in this session: for the person.
    pub(super) fn session_end(&self) -> Result<Option<Answer>, HookError> {
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let mut summary = text::Summary::default();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            let mut failed = false;
            for record in ledger.journal.records(&task, 1)? {
                match crate::ledger::entry_of(&record).ok().flatten() {
                    Some(Entry::Decided { event, decision, .. }) if self.is_mine(event.id.as_deref()) => {
                        summary.failures += u32::from(decision.failure);
                        summary.recovered += u32::from(!decision.failure);
                        failed |= decision.failure;
                    }
                    Some(Entry::Held { session, saved_ms, .. }) if session == self.session() => {
                        summary.held += 1;
                        summary.saved_ms += saved_ms;
                    }
                    _ => {}
                }
            }
            if failed && state.failures > 0 {
                summary.open.push(task.as_str().to_owned());
            }
        }
        Ok((summary.failures > 0).then(|| Answer::Summary(summary.text())))
    }

    /// Before the agent stops it gets, once per session, the list of its tasks that the ladder has given up.
    pub(super) fn stop(&self, continued: bool) -> Result<Option<Answer>, HookError> {
        if continued {
            self.world()?.mark(self.now);
            return Ok(None);
        }
        let Some(ledger) = self.existing()? else { return Ok(None) };
        let mut given_up = Vec::new();
        for (task, state) in ledger.recent(RECENT_TASKS)? {
            let Some(Command::ForceDone { report }) = state.climb().map(|climb| climb.command.clone()) else {
                continue;
            };
            let decided = ledger.last_entry(&task, |entry| matches!(entry, Entry::Decided { .. }))?;
            let Some(Entry::Decided { event, .. }) = decided else { continue };
            // After a change the work goes on; only a loop is reported.
            let is_loop = text::same_failures(&state) >= FAILURES_BEFORE_REPORT;
            if is_loop && self.is_mine(event.id.as_deref()) {
                given_up.push((task, report));
            }
        }
        if given_up.is_empty() {
            self.world()?.mark(self.now);
            return Ok(None);
        }
        drop(ledger);
        let mut ledger = Ledger::open(&self.store, JOURNAL_TIMEOUT)?;
        let mut noted = Vec::new();
        for (task, report) in given_up {
            let note = NewRecord {
                at: self.now,
                kind: RecordKind::Note,
                content_id: Some(ContentId::of(format!("told {}", self.session()).as_bytes())),
                body: r#"{"note":"the agent was told that the ladder has ended"}"#.to_owned(),
            };
            if ledger.journal.append(&task, note)?.new {
                noted.push((task.as_str().to_owned(), report));
            }
        }
        if noted.is_empty() {
            // It is the person's turn now, who may do anything before the agent goes on.
            self.world()?.mark(self.now);
            return Ok(None);
        }
        Ok(Some(Answer::Final(text::given_up(&noted))))
    }
}
