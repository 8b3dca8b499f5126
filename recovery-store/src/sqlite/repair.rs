//! Going on after a loss: the evidence is set aside, and what can still be read of it is carried into a new journal.
//!
//! In: a state of the file that does not hold what its anchors say was acknowledged (see `anchors.rs`), or that SQLite
//! calls damaged. Out: a new journal in its place. Nothing of the old one is overwritten: the database, its log and the
//! anchors keep their bytes under names of their own. One process does it, under a lock; the others find it done.

use super::SqliteJournal;
use super::db_file::DbFile;
use crate::anchors::{Anchors, no_follow};
use crate::chain::{FaultKind, fault_after};
use crate::error::StoreError;
use crate::journal::Journal as _;
use crate::record::TaskId;
use crate::{Head, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// What was lost, and where the evidence is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// What is wrong, in words.
    pub reason: String,
    /// The damaged journal, moved away; none where it was gone altogether.
    pub evidence: Option<PathBuf>,
    /// How many records could still be read and were carried over.
    pub carried: u64,
    /// How many acknowledged records are missing, as far as the anchors say.
    pub missing: u64,
}

impl std::fmt::Display for SetAside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}; {} acknowledged records are missing, {} were carried over",
            self.reason, self.missing, self.carried
        )?;
        match &self.evidence {
            Some(path) => write!(f, " into a new journal; what was found is kept as {}", path.display()),
            None => f.write_str(" into a new journal"),
        }
    }
}

/// Sets the journal at `place` aside and puts a new one there, with what can be read of the old. `loss` says what is
/// wrong with it, or that nothing is.
pub(super) fn set_aside(
    place: &DbFile,
    loss: impl Fn() -> Result<Option<String>, StoreError>,
) -> Result<Option<SetAside>, StoreError> {
    let failed = |e: std::io::Error| StoreError::Io { path: place.path.clone(), reason: e.to_string() };
    let lock_path = place.path.with_extension("lock");
    let mut options = std::fs::File::options();
    options.create(true).truncate(false).write(true).mode(0o600).custom_flags(no_follow());
    let lock = options.open(&lock_path).map_err(failed)?;
    lock.lock().map_err(failed)?;
    // Another process may have done it meanwhile.
    let Some(reason) = loss()? else { return Ok(None) };
    let anchors = Anchors::beside(&place.path);
    let acknowledged: BTreeSet<(TaskId, u64)> =
        anchors.all().into_iter().map(|(task, head)| (task, head.seq)).collect();
    let sound = sound_records(place);
    let held: BTreeSet<(TaskId, u64)> = sound.iter().map(|record| (record.task.clone(), record.seq)).collect();
    let missing = acknowledged.difference(&held).count() as u64;

    let fresh = place.path.with_file_name(format!("journal-new-{}.db", std::process::id()));
    remove_with_companions(&fresh);
    let carried = sound.len() as u64;
    {
        let mut journal = SqliteJournal::open_as_is(&DbFile::new(&fresh, place.wait))?;
        journal.adopt(&mut sound.into_iter())?;
        // Into the file itself, so that one rename moves all of it.
        journal.checkpoint()?;
    }
    let number = (1..).find(|n| !name(place, *n).exists() && !with_suffix(&name(place, *n), ".heads").exists());
    let aside = name(place, number.unwrap_or(1));
    let was_there = place.path.exists();
    for suffix in ["-wal", "-shm", ""] {
        let from = with_suffix(&place.path, suffix);
        if from.exists() {
            std::fs::rename(&from, with_suffix(&aside, suffix)).map_err(failed)?;
        }
    }
    std::fs::rename(anchors.path(), with_suffix(&aside, ".heads")).map_err(failed)?;
    std::fs::rename(&fresh, &place.path).map_err(failed)?;
    let _ = std::fs::rename(Anchors::beside(&fresh).path(), anchors.path());
    remove_with_companions(&fresh);
    place.sync_directory();
    Ok(Some(SetAside { reason, evidence: was_there.then_some(aside), carried, missing }))
}

/// The records whose chains are sound from their beginning.
fn sound_records(place: &DbFile) -> Vec<Record> {
    let mut records = Vec::new();
    let mut heads: BTreeMap<TaskId, Option<Head>> = BTreeMap::new();
    let Ok(journal) = SqliteJournal::open_read_only(&place.path, place.wait) else { return records };
    // What cannot be read ends the list; what came before it is kept.
    let _ = journal.scan(&mut |record| {
        let head = heads.entry(record.task.clone()).or_default();
        let fault: Option<FaultKind> = fault_after(head.as_ref(), &record);
        if fault.is_none() {
            *head = Some(record.head());
            records.push(record);
        }
        Ok(())
    });
    records
}

fn name(place: &DbFile, number: u32) -> PathBuf {
    place.path.with_extension(format!("damaged-{number}"))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn remove_with_companions(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(with_suffix(path, suffix));
    }
    let _ = std::fs::remove_file(Anchors::beside(path).path());
}
