//! The last known states of the server's tasks, kept in the spool beside its resources.
//!
//! In: a task's state after a transaction, on the server or in the spool. Out: the same when the server is away, as the
//! snapshot that a decision starts from. Only the [`MAX_KEPT_STATES`] tasks that something happened to last are kept.

use crate::error::StoreError;
use crate::journal::Snapshot;
use crate::record::TaskId;
use crate::sqlite::SqliteJournal;
use recovery_types::Timestamp;

/// What the names of kept states begin with, beside those of resources.
pub(super) const STATE_PREFIX: &str = "state ";

/// How many tasks' states are kept: about 1 MB. A machine that records more while the server is away decides about the
/// others from what it recorded meanwhile.
const MAX_KEPT_STATES: usize = 1_000;

/// A task's last known state, as it is kept in the spool beside the resources.
#[derive(Clone)]
pub(super) struct KeptState {
    pub(super) tag: String,
    /// The last record of the spool that is part of it; 0 where it is the server's state.
    pub(super) seq: u64,
    /// The time of the last record that is part of it.
    pub(super) at: Timestamp,
    pub(super) state: Vec<u8>,
}

impl KeptState {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        [format!("{}\n{}\n{}\n", self.tag, self.seq, self.at.ms()).as_bytes(), &self.state].concat()
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = bytes.splitn(4, |byte| *byte == b'\n');
        let mut text = || std::str::from_utf8(parts.next()?).ok();
        let (tag, seq, at) = (text()?.to_owned(), text()?.parse().ok()?, Timestamp::from_ms(text()?.parse().ok()?));
        Some(Self { tag, seq, at, state: parts.next()?.to_vec() })
    }

    pub(super) fn into_snapshot(self) -> Snapshot {
        Snapshot { seq: self.seq, state: self.state }
    }
}

pub(super) fn state_name(task: &TaskId) -> String {
    format!("{STATE_PREFIX}{}", task.as_str())
}

/// Removes the states of the tasks that nothing has happened to for the longest time, where there are too many.
pub(super) fn prune(spool: &SqliteJournal) -> Result<(), StoreError> {
    spool.retain_resources(STATE_PREFIX, MAX_KEPT_STATES, |bytes| KeptState::of_bytes(bytes).map(|state| state.at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Journal as _, JournalExt as _};

    #[test]
    fn the_states_of_the_latest_tasks_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = SqliteJournal::open_in(dir.path(), crate::DEFAULT_WAIT).unwrap();
        let task = |n: usize| TaskId::new(format!("task {n}")).unwrap();
        let put = spool.transact(&task(0), |chain| {
            chain.put_resource("host:a", b"not a state")?;
            (0..MAX_KEPT_STATES + 400).try_for_each(|n| {
                let at = Timestamp::from_ms(n as i64);
                let state = KeptState { tag: "v1".to_owned(), seq: 0, at, state: b"a\nb".to_vec() };
                chain.put_resource(&state_name(&task(n)), &state.to_bytes())
            })
        });
        put.unwrap();
        prune(&spool).unwrap();
        let kept = |n| spool.resource(&state_name(&task(n))).unwrap().and_then(|bytes| KeptState::of_bytes(&bytes));
        assert_eq!(spool.resources().unwrap().len(), MAX_KEPT_STATES + 1, "and what is no state");
        assert!(kept(399).is_none());
        assert_eq!(kept(400).map(|state| (state.at.ms(), state.state)), Some((400, b"a\nb".to_vec())));
    }
}
