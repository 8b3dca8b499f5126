//! A task's state from its records, and the cache of states in the journal.
//!
//! In: a task's chain. Out: its [`TaskState`], folded from the last cached state and the records after it. The records are
//! the truth: a cached state that cannot be read is passed over, and [`Ledger::verify`] compares each with what its records
//! add up to. A record of a newer program is counted and passed over, and such a state is never cached. Whoever changes what
//! an entry does to the state changes [`STATE_TAG`].

use super::Ledger;
use crate::migrate::Imported;
use crate::status::lists;
use crate::{ServiceError, body};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use recovery_engine::{Entry, TaskState};
use recovery_store::{
    ChainHash, ContentId, Fault, FaultKind, Journal, JournalExt as _, NewRecord, Record, RecordKind, TaskId,
    TaskLabels, TaskSummary, TaskTransaction,
};
use recovery_types::{Climb, Timestamp};
use serde::Deserialize;
use std::cell::RefCell;
use std::io::Read as _;

/// The format of cached states; another number makes every older cache invisible.
pub(super) const STATE_TAG: &str = "task-state-8";

/// Every so many records of a task its state is cached. Fewer would read more records for a decision, more would write the
/// state, which is several records long, for each.
const RECORDS_PER_SNAPSHOT: u64 = 8;

/// What a record adds to its task's state; `None` for records that change none.
///
/// # Errors
/// Where the record's body is not what its kind says. A newer program may have written it: it concerns this record, and
/// whoever reads many tasks goes on with the others.
pub fn entry_of(record: &Record) -> Result<Option<Entry>, serde_json::Error> {
    match record.kind {
        RecordKind::Import => {
            let imported: Imported = serde_json::from_str(&record.body)?;
            Ok(Some(Entry::Imported { attempt: Box::new(imported.entry) }))
        }
        RecordKind::Checkpoint => {
            let Checkpoint { commit } = serde_json::from_str(&record.body)?;
            Ok(Some(Entry::Checkpoint { at: record.at, commit }))
        }
        // Programs before 0.2 wrote changes of state as notes.
        RecordKind::Note => Ok(body::decode(record).ok()),
        _ => body::decode(record).map(Some),
    }
}

/// What a checkpoint's record holds, ours or another system's.
#[derive(Deserialize)]
struct Checkpoint {
    commit: String,
}

/// The state of a task up to one of its records. The hash of a record covers all records before it, so the state holds for
/// every chain with that record in that place.
#[derive(Clone)]
pub(crate) struct FoldedState {
    pub(super) task: TaskId,
    pub(super) seq: u64,
    pub(super) hash: ChainHash,
    pub(super) state: TaskState,
}

pub(crate) fn load(
    task: &TaskId,
    chain: &dyn TaskTransaction,
    folded: &RefCell<Option<FoldedState>>,
) -> Result<TaskState, ServiceError> {
    fold_from(task, folded, |from| Ok(chain.records(from)?), || Ok(chain.snapshot(STATE_TAG)?))
}

/// The state of a task: from the last one in memory where its record is still in its place, else from the cached one in the
/// journal. What it adds up to is remembered.
pub(super) fn fold_from(
    task: &TaskId,
    folded: &RefCell<Option<FoldedState>>,
    records: impl Fn(u64) -> Result<Vec<Record>, ServiceError>,
    snapshot: impl FnOnce() -> Result<Option<recovery_store::Snapshot>, ServiceError>,
) -> Result<TaskState, ServiceError> {
    let mut known = None;
    if let Some(last) = folded.take().filter(|last| last.task == *task) {
        let mut new = records(last.seq)?.into_iter();
        known = new.next().filter(|record| record.seq == last.seq && record.hash == last.hash).map(|_| (last, new));
    }
    let (mut state, new) = match known {
        Some((last, new)) if new.len() == 0 => {
            let state = last.state.clone();
            folded.replace(Some(last));
            return Ok(state);
        }
        Some((last, new)) => (last.state, new),
        None => {
            let (state, from) = cached(snapshot()?);
            (state, records(from)?.into_iter())
        }
    };
    let mut last = None;
    for record in new {
        fold(&mut state, &record);
        last = Some((record.seq, record.hash));
    }
    folded.replace(last.map(|(seq, hash)| FoldedState { task: task.clone(), seq, hash, state: state.clone() }));
    Ok(state)
}

/// The cached state and the first record that is not part of it. A cache that cannot be read is no cache.
fn cached(snapshot: Option<recovery_store::Snapshot>) -> (TaskState, u64) {
    snapshot
        .and_then(|snapshot| Some((unpacked(&snapshot.state)?, snapshot.seq + 1)))
        .unwrap_or_else(|| (TaskState::default(), 1))
}

/// Adds a record to the state. One that this program cannot read is counted and passed over.
pub fn fold(state: &mut TaskState, record: &Record) {
    match entry_of(record) {
        Ok(entry) => entry.iter().for_each(|entry| state.apply(entry)),
        Err(_) => state.unreadable += 1,
    }
}

pub(super) fn append(
    task: &TaskId,
    chain: &mut dyn TaskTransaction,
    state: &mut TaskState,
    entry: &Entry,
    kind: RecordKind,
    content_id: Option<ContentId>,
    now: Timestamp,
) -> Result<Record, ServiceError> {
    let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
    let body = body::encode(entry).map_err(unwritable)?;
    let appended = chain.append(NewRecord { at: now, kind, content_id, body })?;
    state.apply(entry);
    if appended.record.seq.is_multiple_of(RECORDS_PER_SNAPSHOT) {
        cache(task, chain, state)?;
    }
    chain.remember(STATE_TAG, &mut || packed(state).ok().filter(|_| state.unreadable == 0));
    chain.put_labels(&labels(state))?;
    Ok(appended.record)
}

/// Caches the state that the task's records add up to, and lists the task under it.
pub(crate) fn cache_and_list(
    task: &TaskId,
    chain: &mut dyn TaskTransaction,
    state: &TaskState,
) -> Result<(), ServiceError> {
    cache(task, chain, state)?;
    Ok(chain.put_labels(&labels(state))?)
}

fn cache(task: &TaskId, chain: &mut dyn TaskTransaction, state: &TaskState) -> Result<(), ServiceError> {
    // A state without some records must not outlive the program that could not read them.
    if state.unreadable == 0 {
        let unwritable = |source| ServiceError::Unwritable { task: task.clone(), source };
        chain.put_snapshot(STATE_TAG, &packed(state).map_err(unwritable)?)?;
    }
    Ok(())
}

/// A state as it is cached. Its attempts repeat each other, so it shrinks to a tenth.
fn packed(state: &TaskState) -> Result<Vec<u8>, serde_json::Error> {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut out, state)?;
    out.finish().map_err(serde_json::Error::io)
}

fn unpacked(state: &[u8]) -> Option<TaskState> {
    let mut json = Vec::new();
    DeflateDecoder::new(state).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

/// What the task is listed under.
pub(super) fn labels(state: &TaskState) -> TaskLabels {
    let due_at = state.climb().and_then(Climb::deadline);
    TaskLabels { list: lists::of(state), parent: state.parent.clone(), due_at }
}

impl<J: Journal> Ledger<J> {
    /// Tasks whose cached state is not what their records add up to: every answer about them would be wrong.
    pub(super) fn wrong_snapshots(&self) -> Result<Vec<Fault>, ServiceError> {
        let mut wrong = Vec::new();
        for TaskSummary { task, .. } in self.journal.tasks()? {
            let Some(snapshot) = self.journal.snapshot(&task, STATE_TAG)? else { continue };
            let mut state = TaskState::default();
            let records = self.journal.records(&task, 1)?;
            records.iter().filter(|record| record.seq <= snapshot.seq).for_each(|record| fold(&mut state, record));
            if unpacked(&snapshot.state) != Some(state) {
                let kind = FaultKind::WrongSnapshot;
                wrong.push(Fault { line: None, task: Some(task), seq: Some(snapshot.seq), kind });
            }
        }
        Ok(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use recovery_engine::{Engine, PackName};
    use recovery_store::Store;
    use recovery_types::FailureEvent;
    use std::time::Duration;

    #[test]
    fn an_edited_snapshot_is_not_sound() {
        let dir = tempfile::tempdir().unwrap();
        let wait = Duration::from_secs(5);
        let store = Store::Directory(dir.path().to_owned());
        let mut ledger = Ledger::open(&store, wait).unwrap();
        let (engine, task) = (Engine::new(PackName::Field), TaskId::new("t").unwrap());
        for at in 1..4 {
            let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..FailureEvent::default() };
            ledger.decide(&engine, &task, Question::new(event), Timestamp::from_ms(at)).unwrap();
        }
        assert!(Ledger::verify(&store, wait).unwrap().unwrap().is_sound());
        let mut forged = ledger.state(&task).unwrap();
        forged.failures = 0;
        let forged = packed(&forged).unwrap();
        let put = |chain: &mut dyn TaskTransaction| chain.put_snapshot(STATE_TAG, &forged);
        ledger.journal.transact(&task, put).unwrap();
        let found = Ledger::verify(&store, wait).unwrap().unwrap();
        assert_eq!(found.faults[0].kind, FaultKind::WrongSnapshot);
    }

    #[test]
    fn the_state_in_memory_is_what_the_records_add_up_to() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Ledger::open(&Store::Directory(dir.path().to_owned()), Duration::from_secs(5)).unwrap();
        let engine = Engine::new(PackName::Field);
        let tasks = ["a", "b"].map(|name| TaskId::new(name).unwrap());
        let mut ledgers = [open(), open()];
        // Two programs write to two tasks in turn, past the point where the journal caches a state.
        for at in 0..3 * RECORDS_PER_SNAPSHOT as usize {
            let (ledger, task) = (at % 2, at / 2 % 2);
            let text = format!("read ECONNRESET {}", at % 3);
            let event =
                FailureEvent { exit_code: i64::from(at % 5 != 4), stderr_tail: text, ..FailureEvent::default() };
            let question = Question::new(event);
            ledgers[ledger].decide(&engine, &tasks[task], question, Timestamp::from_ms(at as i64)).unwrap();
            for task in &tasks {
                let mut expected = TaskState::default();
                ledgers[0].journal.records(task, 1).unwrap().iter().for_each(|record| fold(&mut expected, record));
                assert!(ledgers.iter().all(|ledger| ledger.state(task).unwrap() == expected), "after {at}");
            }
        }
    }
}
