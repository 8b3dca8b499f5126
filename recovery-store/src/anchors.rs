//! Anchors: what the journal has acknowledged, noted outside the database.
//!
//! In: the ends of the chains that a commit changed. Out: a file of lines, and whether a journal still holds what they name.
//! SQLite forgives too much for a record that must not be lost in silence: frames of a damaged write-ahead log are dropped,
//! a deleted log or an empty file is a younger database. So each commit is followed by one short append to
//! `journal.heads`: a line with the number, the hash and the task of its record. A line is written after the commit, so a
//! crash in between leaves the journal ahead of its anchors, which is sound; a journal that is behind them has lost
//! records. The append is not synced: it costs a few microseconds, and after a power failure anchors are behind.
//!
//! A server can lose records in silence too: an old backup that is restored, a replica that lagged and took over. So each
//! machine keeps the anchors of what it recorded there, in `server-*.heads` of its state directory.
//!
//! Opening a file for writing looks at the last anchor only, verifying at all of them. A line starts with its line break, so that
//! one torn by a full disk spoils none but itself.

use crate::chain::{ChainCheck, ChainHash, FaultKind, Head};
use crate::error::StoreError;
use crate::record::TaskId;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Longer than any line: a task's name has at most 200 characters.
const TAIL_BYTES: u64 = 4096;

/// The anchors beside a journal.
#[derive(Clone, Debug)]
pub(crate) struct Anchors {
    path: PathBuf,
}

impl Anchors {
    /// Those of the journal at `journal`.
    pub(crate) fn beside(journal: &Path) -> Self {
        Self { path: journal.with_extension("heads") }
    }

    /// Those kept in the file at `path`.
    #[cfg(feature = "postgres")]
    pub(crate) const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Their file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes that these records are committed. The records are durable by now: what cannot be noted is no reason to fail.
    pub(crate) fn note<'a>(&self, heads: impl Iterator<Item = (&'a TaskId, Head)>) {
        let lines: String = heads.map(|(task, head)| format!("\n{} {} {task}", head.seq, head.hash)).collect();
        let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(no_follow()).open(&self.path);
        let _ = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    }

    /// The last anchor; none where there are none.
    pub(crate) fn last(&self) -> Option<(TaskId, Head)> {
        let mut file = self.open()?;
        let length = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES))).ok()?;
        let mut tail = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
        tail.rsplit(|byte| *byte == b'\n').find_map(anchor)
    }

    /// All anchors, oldest first.
    pub(crate) fn all(&self) -> Vec<(TaskId, Head)> {
        let mut bytes = Vec::new();
        let read = self.open().map(|mut file| file.read_to_end(&mut bytes));
        match read {
            Some(Ok(_)) => bytes.split(|byte| *byte == b'\n').filter_map(anchor).collect(),
            _ => Vec::new(),
        }
    }

    /// Keeps the anchors of the tasks that `wanted` accepts. One that another process notes meanwhile may be lost with
    /// the others: the journal is ahead of its anchors then, which is sound.
    pub(crate) fn retain(&self, wanted: impl Fn(&TaskId) -> bool) -> std::io::Result<()> {
        let kept = self.all().into_iter().filter(|(task, _)| wanted(task));
        let lines: String = kept.map(|(task, head)| format!("\n{} {} {task}", head.seq, head.hash)).collect();
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(lines.as_bytes())?;
        file.persist(&self.path).map(|_| ()).map_err(|error| error.error)
    }

    /// What is in the place of their file and is none: nothing can be noted then.
    pub(super) fn fault(&self) -> Option<String> {
        let meta = self.path.symlink_metadata().ok()?;
        (!meta.is_file()).then(|| format!("{} is no regular file", self.path.display()))
    }

    fn open(&self) -> Option<File> {
        OpenOptions::new().read(true).custom_flags(no_follow()).open(&self.path).ok()
    }
}

/// The anchor on a line; none where it is torn.
fn anchor(line: &[u8]) -> Option<(TaskId, Head)> {
    let line = std::str::from_utf8(line).ok()?;
    let (seq, rest) = line.split_once(' ')?;
    let (hash, task) = rest.split_once(' ')?;
    Some((TaskId::new(task).ok()?, Head { seq: seq.parse().ok()?, hash: ChainHash::from_hex(hash)? }))
}

/// Finds what was acknowledged and is not there.
pub(crate) fn check_anchors<'a>(
    check: &mut ChainCheck,
    anchors: &'a [(TaskId, Head)],
    head: impl Fn(&'a TaskId) -> Result<Option<Head>, StoreError>,
    hash_at: impl Fn(&'a TaskId, u64) -> Result<Option<ChainHash>, StoreError>,
) -> Result<(), StoreError> {
    let mut last: BTreeMap<&TaskId, u64> = BTreeMap::new();
    for (task, anchor) in anchors {
        let known = last.entry(task).or_default();
        *known = anchor.seq.max(*known);
    }
    for (task, seq) in last {
        let found = head(task)?.map_or(0, |head| head.seq);
        if found < seq {
            check.fault(task, seq, None, FaultKind::Lost { found });
        }
    }
    for (task, anchor) in anchors {
        if hash_at(task, anchor.seq)?.is_some_and(|hash| hash != anchor.hash) {
            check.fault(task, anchor.seq, None, FaultKind::Replaced);
        }
    }
    Ok(())
}

pub(crate) fn no_follow() -> i32 {
    (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::CLOEXEC | rustix::fs::OFlags::NONBLOCK).bits().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_spoils_none_but_itself() {
        let dir = tempfile::tempdir().unwrap();
        let anchors = Anchors::beside(&dir.path().join("journal.db"));
        assert_eq!((anchors.last(), anchors.all().len()), (None, 0));
        let task = TaskId::new("a task: with words").unwrap();
        let head = |seq| Head { seq, hash: ChainHash::from_bytes([7; 32]) };
        anchors.note([(&task, head(1))].into_iter());
        let torn = "\n2 0707".to_owned();
        OpenOptions::new().append(true).open(anchors.path()).unwrap().write_all(torn.as_bytes()).unwrap();
        assert_eq!(anchors.last(), Some((task.clone(), head(1))));
        anchors.note([(&task, head(3))].into_iter());
        assert_eq!(anchors.last(), Some((task.clone(), head(3))));
        assert_eq!(anchors.all(), [(task.clone(), head(1)), (task, head(3))]);
    }
}
