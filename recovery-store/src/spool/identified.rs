//! A transaction whose records all have a content id, over the server's chain or the spool's.
//!
//! In: a transaction of the backend. Out: the same, with a content id for records that have none, and with a note of what it
//! came across: an error that shows that the server is away, and the task's state at its end.

use super::kept_state::KeptState;
use crate::chain::Head;
use crate::error::StoreError;
use crate::journal::{Snapshot, TaskLabels, TaskTransaction};
use crate::record::{Appended, ContentId, NewRecord, Record};
use recovery_types::Timestamp;
use std::cell::RefCell;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Instant;

/// An id that no other transaction has, of this process or another.
pub(super) fn unique_id() -> String {
    // Each has keys of its own from the system's random source.
    let number = || RandomState::new().hash_one(Instant::now());
    format!("w-{:016x}{:016x}", number(), number())
}

/// A transaction whose records all have a content id.
pub(super) struct Identified<'a> {
    chain: &'a mut dyn TaskTransaction,
    /// The task's state where the chain is the spool's.
    kept: Option<KeptState>,
    id: &'a str,
    /// How many records it has appended.
    appended: u32,
    /// The time of the last of them.
    last_at: Timestamp,
    seen: &'a Seen,
}

/// What a transaction came across.
#[derive(Default)]
pub(super) struct Seen {
    /// The error that shows that the server is away.
    pub(super) failed: RefCell<Option<StoreError>>,
    /// The task's state after it.
    pub(super) state: RefCell<Option<KeptState>>,
}

impl<'a> Identified<'a> {
    pub(super) fn new(
        chain: &'a mut dyn TaskTransaction,
        kept: Option<KeptState>,
        id: &'a str,
        seen: &'a Seen,
    ) -> Self {
        Self { chain, kept, id, appended: 0, last_at: Timestamp::from_ms(0), seen }
    }
}

impl Identified<'_> {
    fn noted<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(StoreError::Unavailable { store, reason }) = &answer {
            let (store, reason) = (store.clone(), reason.clone());
            self.seen.failed.replace(Some(StoreError::Unavailable { store, reason }));
        }
        answer
    }
}

impl TaskTransaction for Identified<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        self.noted(self.chain.head())
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        self.noted(self.chain.records(from))
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.noted(self.chain.find(id))
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        match self.kept.clone().filter(|state| state.tag == tag) {
            Some(state) => Ok(Some(state.into_snapshot())),
            None => self.noted(self.chain.snapshot(tag)),
        }
    }

    fn remember(&mut self, tag: &str, state: &mut dyn FnMut() -> Option<Vec<u8>>) {
        self.seen.state.replace(state().map(|state| KeptState {
            tag: tag.to_owned(),
            seq: 0,
            at: self.last_at,
            state,
        }));
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.appended += 1;
        self.last_at = new.at;
        let own = || ContentId::new(format!("{}-{}", self.id, self.appended));
        let content_id = Some(new.content_id.map_or_else(own, Ok)?);
        let appended = self.chain.append(NewRecord { content_id, ..new });
        self.noted(appended)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8]) -> Result<(), StoreError> {
        let put = self.chain.put_snapshot(tag, state);
        self.noted(put)
    }

    fn put_labels(&mut self, labels: &TaskLabels) -> Result<(), StoreError> {
        let put = self.chain.put_labels(labels);
        self.noted(put)
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        self.noted(self.chain.clock())
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.chain.resource(name);
        self.noted(found)
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        let put = self.chain.put_resource(name, state);
        self.noted(put)
    }
}
