//! Checking the file: every hash, the list of tasks, the anchors beside it, and SQLite's own structures.
//!
//! In: a file, also one that is too damaged to be opened. Out: a [`Verification`] with the first fault of each task. Damage
//! is the answer, never an error.

use super::SqliteJournal;
use super::row::select;
use crate::anchors::{Anchors, check_anchors};
use crate::chain::{ChainCheck, FaultKind, Verification};
use crate::error::StoreError;
use crate::journal::{ChainBackend as _, Journal as _, JournalExt as _, TaskTransaction as _};
use crate::schema;
use std::path::Path;
use std::time::Duration;

impl SqliteJournal {
    /// Checks the journal at `path` as `Journal::verify` does, also one that is too damaged to be opened.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read at all.
    pub fn verify_at(path: &Path, wait: Duration) -> Result<Verification, StoreError> {
        match Self::open_read_only(path, wait) {
            Err(StoreError::Corrupt { detail, .. }) => {
                let mut check = ChainCheck::default();
                check.unplaced(None, FaultKind::DamagedFile { detail });
                Ok(check.finish())
            }
            Err(StoreError::Missing { path }) => {
                let mut check = ChainCheck::default();
                check_anchors(&mut check, &Anchors::beside(&path).all(), |_| Ok(None), |_, _| Ok(None))?;
                let found = check.finish();
                if found.is_sound() { Err(StoreError::Missing { path }) } else { Ok(found) }
            }
            opened => opened?.verify(),
        }
    }

    /// `Journal::verify`.
    pub(super) fn verify_all(&self) -> Result<Verification, StoreError> {
        let mut check = ChainCheck::default();
        let read = self.place.each(&self.conn, &select(self.format, "ORDER BY id"), [], |record| check.stored(record));
        match read {
            Err(StoreError::Corrupt { detail, .. }) => check.unplaced(None, FaultKind::DamagedFile { detail }),
            other => other?,
        }
        let chain = |task| self.chain(&self.conn, task);
        let anchored = check_anchors(
            &mut check,
            &self.anchors.all(),
            |task| chain(task).head(),
            |task, seq| chain(task).hash_at(seq),
        );
        match anchored {
            // Said above.
            Err(StoreError::Corrupt { .. } | StoreError::BadRecord { .. }) => {}
            other => other?,
        }
        // Older files have no list that could be wrong.
        if self.format >= schema::WITH_TASKS {
            match self.tasks().map(|tasks| check.list(&tasks)) {
                Err(StoreError::Corrupt { .. } | StoreError::BadRecord { .. }) => {}
                other => other?,
            }
        }
        for detail in self.damage()?.into_iter().chain(self.anchors.fault()) {
            check.unplaced(None, FaultKind::DamagedFile { detail });
        }
        Ok(check.finish())
    }

    /// What SQLite's own check of tables and indexes says; empty where all is well.
    fn damage(&self) -> Result<Vec<String>, StoreError> {
        let lines = self
            .conn
            .prepare("PRAGMA integrity_check(10)")
            .and_then(|mut check| check.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>());
        match lines.map_err(|e| self.explain(&e)) {
            Ok(lines) => Ok(lines.into_iter().filter(|line| line != "ok").collect()),
            Err(StoreError::Corrupt { detail, .. }) => Ok(vec![detail]),
            Err(other) => Err(other),
        }
    }
}
