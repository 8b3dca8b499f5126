//! Moves tasks that are done out of the journal into a compressed export, so that the journal stays small for years.
//!
//! Nothing is removed before it is durable elsewhere: [`SqliteJournal::write_archive`] writes the export, syncs it and reads
//! it back; [`SqliteJournal::forget`] then removes those tasks whose chain is still the one that was written. A crash in
//! between leaves records in both places, which importing the archive again recognises.

use crate::chain::{ChainHash, Head};
use crate::error::StoreError;
use crate::export::{line_of, verify_export};
use crate::journal::{Journal as _, TaskList, TaskQuery};
use crate::record::TaskId;
use crate::sqlite::SqliteJournal;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use recovery_types::Timestamp;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Error, Write as _};
use std::path::Path;

/// The content of an archive: the ends of the chains in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    heads: BTreeMap<TaskId, Head>,
    records: u64,
}

impl Archive {
    /// The archive of chains that are stored elsewhere up to these ends.
    pub(crate) fn of(heads: BTreeMap<TaskId, Head>) -> Self {
        let records = heads.values().map(|head| head.seq).sum();
        Self { heads, records }
    }

    /// The number of tasks in it.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.heads.len()
    }

    /// The number of records in it.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    pub(crate) fn heads(&self) -> impl Iterator<Item = (&TaskId, ChainHash)> {
        self.heads.iter().map(|(task, head)| (task, head.hash))
    }
}

impl SqliteJournal {
    /// Writes the tasks that are closed and were last touched before `before` to a new gzip file at `path`, without the
    /// task called `keep`. The journal stays as it is. Where there is nothing to write, no file is made.
    ///
    /// # Errors
    /// Where `path` exists, cannot be written, or does not read back as what was written.
    pub fn write_archive(&self, path: &Path, before: Timestamp, keep: &str) -> Result<Archive, StoreError> {
        let mut tasks = self.tasks_where(&TaskQuery { lists: &[TaskList::CLOSED], ..TaskQuery::default() })?;
        tasks.retain(|task| task.last_at < before && task.task.as_str() != keep);
        if tasks.is_empty() {
            return Ok(Archive::default());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut out = GzEncoder::new(tempfile::NamedTempFile::new_in(folder)?, Compression::default());
        let mut archive = Archive::default();
        for task in tasks {
            for record in self.records(&task.task, 1)? {
                out.write_all(line_of(&record)?.as_bytes())?;
                archive.records += 1;
                archive.heads.insert(record.task.clone(), record.head());
            }
        }
        let file = out.finish()?;
        file.as_file().sync_all()?;
        let found = verify_export(&mut BufReader::new(MultiGzDecoder::new(file.reopen()?)))?;
        if !found.is_sound() || (found.records, found.tasks) != (archive.records, archive.heads.len() as u64) {
            return Err(Error::other("the archive does not read back as it was written").into());
        }
        file.persist_noclobber(path).map_err(|error| error.error)?;
        File::open(folder)?.sync_all()?;
        Ok(archive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::import;
    use crate::{DEFAULT_WAIT, JournalExt as _, NewRecord, RecordKind, TaskLabels};

    fn add(journal: &mut SqliteJournal, name: &str, at: i64, is_open: bool) {
        let record = NewRecord {
            at: Timestamp::from_ms(at),
            kind: RecordKind::Note,
            content_id: None,
            body: format!(r#"{{"at":{at}}}"#),
        };
        let list = if is_open { TaskList::OPEN } else { TaskList::CLOSED };
        let labels = TaskLabels { list, parent: None, due_at: None };
        let stored = journal.transact(&TaskId::new(name).unwrap(), |chain| {
            chain.append(record.clone())?;
            chain.put_labels(&labels)
        });
        stored.unwrap();
    }

    fn names(journal: &SqliteJournal) -> Vec<String> {
        journal.tasks().unwrap().into_iter().map(|task| task.task.to_string()).collect()
    }

    #[test]
    fn closed_tasks_leave_and_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = SqliteJournal::open_in(dir.path(), DEFAULT_WAIT).unwrap();
        for (name, at, is_open) in
            [("done", 1, false), ("open", 2, true), ("done", 3, false), ("late", 50, false), ("@project", 1, false)]
        {
            add(&mut journal, name, at, is_open);
        }
        let before = journal.all().unwrap();
        let path = dir.path().join("old.jsonl.gz");
        let archive = journal.write_archive(&path, Timestamp::from_ms(10), "@project").unwrap();
        assert_eq!((archive.tasks(), archive.records()), (1, 2));
        assert_eq!(journal.all().unwrap(), before, "writing removes nothing");
        assert!(journal.write_archive(&path, Timestamp::from_ms(10), "").is_err(), "an archive is never overwritten");
        assert_eq!(journal.forget(&archive).unwrap(), 1);
        assert_eq!(names(&journal), ["@project", "late", "open"]);
        assert!(journal.verify().unwrap().is_sound());
        drop(journal);
        let mut journal = SqliteJournal::open_in(dir.path(), DEFAULT_WAIT).unwrap();
        assert!(journal.set_aside().is_none(), "nothing is missed");
        let mut text = BufReader::new(MultiGzDecoder::new(File::open(&path).unwrap()));
        assert_eq!(import(&mut journal, &mut text).unwrap().new, 2);
        assert_eq!(names(&journal), ["@project", "done", "late", "open"]);
        assert!(journal.verify().unwrap().is_sound());
    }

    #[test]
    fn a_task_that_went_on_stays() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = SqliteJournal::open_in(dir.path(), DEFAULT_WAIT).unwrap();
        add(&mut journal, "a", 1, false);
        let archive = journal.write_archive(&dir.path().join("x.gz"), Timestamp::from_ms(10), "").unwrap();
        add(&mut journal, "a", 2, true);
        assert_eq!(journal.forget(&archive).unwrap(), 0);
        assert_eq!(journal.all().unwrap().len(), 2);
    }
}
