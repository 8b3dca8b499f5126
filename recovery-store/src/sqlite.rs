//! The journal file: SQLite in WAL mode, every commit synced.
//!
//! SQLite's own way to make a commit durable (`synchronous = FULL`) waits for the disk twice in a short-lived process: its
//! first sync of the log also syncs the directory. Here SQLite leaves commits unsynced (`NORMAL`, which keeps the order that
//! protects the file), and the log is synced once per step, before the step is acknowledged. The directory is synced when a
//! file in it is new.
//!
//! Made for many short-lived processes: opening reads two numbers and nothing else, a write takes the file's write lock
//! at once (so that reading and deciding belong to the same step) and waits for it no longer than the caller allows.

mod chain;
mod db_file;
mod deflated;
mod list;
mod repair;
mod row;
mod verify;

pub use repair::SetAside;

use crate::anchors::Anchors;
use crate::archive::Archive;
use crate::chain::{Head, Verification};
use crate::error::StoreError;
use crate::journal::{
    Adopted, ChainBackend as _, Journal, JournalExt as _, Snapshot, TaskQuery, TaskSummary, TaskTransaction,
};
use crate::record::{ContentId, Record, TaskId};
use crate::schema;
use crate::state_dir::StateDir;
use chain::Chain;
use db_file::{DbFile, immutable_uri, log_exists, log_length};
use recovery_types::Timestamp;
use row::{column, select};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a writer waits for the others, where nothing else is asked for.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// How long a write-ahead log may be left for the next process. A record adds some 24 KiB to it, so one writer in about
/// twenty moves it into the file; reading a log of this length back costs less than a write.
const MAX_KEPT_LOG_BYTES: u64 = 512 << 10;

/// The name of the journal within a state directory.
const FILE_NAME: &str = "journal.db";

/// The version of SQLite in this program.
#[must_use]
pub fn library_version() -> &'static str {
    rusqlite::version()
}

/// A journal in one SQLite file.
///
/// ```
/// use recovery_store::{DEFAULT_WAIT, JournalExt, NewRecord, RecordKind, SqliteJournal, TaskId};
/// # use recovery_types::Timestamp;
/// # let project = tempfile::tempdir().unwrap();
/// let mut journal = SqliteJournal::open_in(&project.path().join(".recovery"), DEFAULT_WAIT).unwrap();
/// let note = NewRecord {
///     at: Timestamp::from_ms(0),
///     kind: RecordKind::Note,
///     content_id: None,
///     body: r#"{"text":"started"}"#.to_owned(),
/// };
/// assert_eq!(journal.append(&TaskId::new("TASK-1").unwrap(), note).unwrap().record.seq, 1);
/// ```
#[derive(Debug)]
pub struct SqliteJournal {
    conn: Connection,
    place: DbFile,
    /// An older file that may only be read stays as it is.
    format: i64,
    /// What is acknowledged, noted outside the file.
    anchors: Anchors,
    /// The ends of the chains that the step under way has changed.
    changed: RefCell<BTreeMap<TaskId, Head>>,
    /// Whether transactions are stored together by [`Journal::commit_group`].
    in_group: Cell<bool>,
    /// What was found lost when it was opened.
    set_aside: Option<SetAside>,
    /// Whether the log is synced here instead of by SQLite.
    syncs_log: bool,
}

impl SqliteJournal {
    /// Opens the journal of a state directory. Both are made where they are missing; the directory then ignores itself
    /// in git.
    ///
    /// # Errors
    /// Where it cannot be made or opened, is no journal, or was written by a newer program.
    pub fn open_in(state_dir: &Path, wait: Duration) -> Result<Self, StoreError> {
        Self::open_named(state_dir, FILE_NAME, wait)
    }

    /// As [`SqliteJournal::open_in`], for another journal of the directory.
    pub(crate) fn open_named(state_dir: &Path, name: &str, wait: Duration) -> Result<Self, StoreError> {
        let dir = StateDir::create(state_dir)?;
        let path = state_dir.join(name);
        if !DbFile::new(&path, wait).is_there()? {
            dir.hide_from_git()?;
        }
        Self::open(&path, wait)
    }

    /// Where the journal of a state directory is.
    #[must_use]
    pub fn path_in(state_dir: &Path) -> PathBuf {
        state_dir.join(FILE_NAME)
    }

    /// Opens the journal at `path`, making it where it is missing and bringing an older one up to date. `wait` bounds
    /// how long any step waits for other processes. A journal that has lost records it had acknowledged is set aside and a
    /// new one is made of what can be read: see [`SqliteJournal::set_aside`].
    ///
    /// # Errors
    /// Where it cannot be made or opened, is no journal, or was written by a newer program.
    pub fn open(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let place = DbFile::new(path, wait);
        let Some((task, head)) = Anchors::beside(&place.path).last() else {
            return Self::open_as_is(&place)?.with_anchors()?.with_log_kept_short();
        };
        let opened = |place: &DbFile| -> Result<Result<Self, String>, StoreError> {
            if !place.is_there()? {
                return Ok(Err("the journal is gone".to_owned()));
            }
            let found = Self::open_if(place, |format| format.is_some()).and_then(|journal| {
                let hash = |journal: &Self| journal.chain(&journal.conn, &task).hash_at(head.seq);
                let is_held = journal.as_ref().map(hash).transpose()?.flatten() == Some(head.hash);
                Ok((journal, is_held))
            });
            match found {
                Ok((Some(journal), true)) => Ok(Ok(journal)),
                Ok((None, _)) => Ok(Err("the journal is empty".to_owned())),
                Ok((Some(_), false)) => {
                    Ok(Err(format!("record {} of task {task} is not in the journal any more", head.seq)))
                }
                Err(StoreError::Corrupt { detail, .. }) => Ok(Err(format!("the journal is damaged ({detail})"))),
                Err(other) => Err(other),
            }
        };
        if let Ok(journal) = opened(&place)? {
            return journal.with_log_kept_short();
        }
        let set_aside = repair::set_aside(&place, || Ok(opened(&place)?.err()))?;
        Self { set_aside, ..Self::open_as_is(&place)? }.with_log_kept_short()
    }

    /// Notes where every chain ends, where nothing is noted: the journal is older than its anchors, or they were removed.
    fn with_anchors(self) -> Result<Self, StoreError> {
        let tasks = self.tasks()?;
        if !tasks.is_empty() {
            self.anchors.note(tasks.iter().map(|task| (&task.task, Head { seq: task.records, hash: task.hash })));
        }
        Ok(self)
    }

    /// What the last anchor shows to be lost of the journal at `path`, which is open as `journal` where it is there.
    pub(crate) fn loss_at(path: &Path, journal: Option<&Self>) -> Option<String> {
        let (task, head) = Anchors::beside(path).last()?;
        let Some(journal) = journal else { return Some("the journal is gone".to_owned()) };
        let found = journal.chain(&journal.conn, &task).hash_at(head.seq);
        let is_held = found.is_ok_and(|hash| hash == Some(head.hash));
        (!is_held).then(|| format!("record {} of task {task} is not in the journal any more", head.seq))
    }

    /// What was lost when the journal was opened, where something was.
    #[must_use]
    pub fn set_aside(&self) -> Option<&SetAside> {
        self.set_aside.as_ref()
    }

    /// Opens the file, whatever it has lost. Closing it leaves its log as it is.
    fn open_as_is(place: &DbFile) -> Result<Self, StoreError> {
        Self::open_if(place, |_| true)?.ok_or_else(|| StoreError::Missing { path: place.path.clone() })
    }

    /// Opens the file if `wanted` accepts its format, `None` where it is empty; nothing is written before.
    fn open_if(place: &DbFile, wanted: impl Fn(Option<i64>) -> bool) -> Result<Option<Self>, StoreError> {
        let path = place.path.as_path();
        let is_there = place.is_there()?;
        if !is_there {
            place.make()?;
        }
        let known = is_there && log_length(path) > 0;
        let writable = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let opened = place.connect(writable, path).and_then(|conn| {
            conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(|e| place.explain(&e))?;
            place.format(&conn).map(|format| (conn, format))
        });
        let (mut conn, format) = opened.map_err(|error| place.blame_permissions(error))?;
        if !wanted(format) {
            return Ok(None);
        }
        if format != Some(schema::CURRENT) {
            place.bring_up_to_date(&mut conn)?;
        }
        // Where the file system has no write-ahead log, the default, which is `FULL`, stays in force.
        let syncs_log = log_exists(path);
        if syncs_log {
            conn.execute_batch("PRAGMA synchronous = NORMAL").map_err(|e| place.explain(&e))?;
        }
        if !known {
            place.sync_directory();
        }
        Ok(Some(Self { syncs_log, ..Self::from_connection(conn, place.clone(), schema::CURRENT) }))
    }

    fn from_connection(conn: Connection, place: DbFile, format: i64) -> Self {
        let anchors = Anchors::beside(&place.path);
        let (changed, in_group) = (RefCell::default(), Cell::new(false));
        Self { conn, place, format, anchors, changed, in_group, set_aside: None, syncs_log: false }
    }

    /// By default the last to close moves the log into the file, which costs a short-lived writer more than its own
    /// record. The log is as durable, so it may stay while it is short enough to be read back in no time.
    fn with_log_kept_short(self) -> Result<Self, StoreError> {
        let keep_log = log_length(&self.place.path) < MAX_KEPT_LOG_BYTES;
        let set = self.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep_log);
        set.map_err(|e| self.explain(&e))?;
        Ok(self)
    }

    /// Moves the log into the file.
    fn checkpoint(&self) -> Result<(), StoreError> {
        self.conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").map_err(|e| self.explain(&e))
    }

    /// Opens the journal at `path` for reading only. Works on a read-only disk too.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is none; otherwise as for [`SqliteJournal::open`].
    pub fn open_read_only(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let place = DbFile::new(path, wait);
        let path = place.path.as_path();
        if !place.is_there()? {
            return Err(StoreError::Missing { path: place.path });
        }
        let open = |flags, path: &Path| {
            let conn = place.connect(OpenFlags::SQLITE_OPEN_READ_ONLY | flags, path)?;
            place.format(&conn).map(|format| (conn, format))
        };
        let (conn, format) = match open(OpenFlags::empty(), path) {
            // Beside a log, SQLite needs a shared index it may write. Without one, nobody is writing here.
            Err(StoreError::CannotOpen { .. } | StoreError::ReadOnly { .. }) if log_length(path) == 0 => {
                open(OpenFlags::SQLITE_OPEN_URI, &immutable_uri(path))?
            }
            other => other.map_err(|error| place.ask_system(error))?,
        };
        match format {
            Some(format) => Ok(Self::from_connection(conn, place, format)),
            None => Err(StoreError::Missing { path: place.path }),
        }
    }

    /// Removes the tasks of an archive that nothing was added to since it was written; how many those are. Their anchors go
    /// first: a crash before the records go leaves a journal that is ahead of its anchors, which is sound.
    ///
    /// # Errors
    /// Where the journal cannot be written.
    pub fn forget(&mut self, archive: &Archive) -> Result<usize, StoreError> {
        self.locked(|conn| {
            let mut gone = BTreeSet::new();
            for (task, hash) in archive.heads() {
                if self.chain(conn, task).head()?.is_some_and(|head| head.hash == hash) {
                    gone.insert(task);
                }
            }
            self.anchors.retain(|task| !gone.contains(task))?;
            for task in &gone {
                for table in ["records", "snapshots", "tasks"] {
                    self.place.execute(conn, &format!("DELETE FROM {table} WHERE task = ?1"), [task.as_str()])?;
                }
            }
            Ok(gone.len())
        })
    }

    /// Keeps the `most` resources with this prefix that have the latest times, where there are a good deal more.
    pub(crate) fn retain_resources(
        &self,
        prefix: &str,
        most: usize,
        time: impl Fn(&[u8]) -> Option<Timestamp>,
    ) -> Result<(), StoreError> {
        let values = [prefix.to_owned(), format!("{prefix}\u{10ffff}")];
        let count = "SELECT count(*) FROM resources WHERE name BETWEEN ?1 AND ?2";
        let count = self.place.optional(&self.conn, count, values, |row| column::<u32>(row, 0))?;
        // Not for each that is new: that would read all of them each time.
        if count.is_none_or(|count| (count as usize) < most + most / 4) {
            return Ok(());
        }
        let mut all = self.resources()?;
        all.retain(|(name, _)| name.starts_with(prefix));
        all.sort_by_cached_key(|(_, state)| std::cmp::Reverse(time(state)));
        self.locked(|conn| {
            all.iter()
                .skip(most)
                .try_for_each(|(name, _)| self.place.execute(conn, "DELETE FROM resources WHERE name = ?1", [name]))
        })
    }

    /// The journal's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    fn explain(&self, error: &rusqlite::Error) -> StoreError {
        self.place.explain(error)
    }

    fn chain<'a>(&'a self, conn: &'a Connection, task: &'a TaskId) -> Chain<'a> {
        Chain { conn, place: &self.place, format: self.format, task, changed: &self.changed }
    }

    /// Runs `work` with the file's write lock held: all of it is stored, or nothing.
    fn locked<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.in_group.get() {
            return self.within_group(work);
        }
        let step = rusqlite::Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
            .map_err(|e| self.explain(&e))?;
        self.changed.borrow_mut().clear();
        let answer = work(&step)?;
        step.commit().map_err(|e| self.explain(&e))?;
        self.acknowledge()?;
        Ok(answer)
    }

    /// One step of a group: what it did is taken back where it fails, and stored with the others where it does not.
    fn within_group<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let run = |sql: &str| self.place.execute(&self.conn, sql, []);
        run("SAVEPOINT step")?;
        let before = self.changed.borrow().clone();
        let done = work(&self.conn);
        if done.is_err() {
            self.changed.replace(before);
            run("ROLLBACK TO step")?;
        }
        run("RELEASE step")?;
        done
    }

    /// Makes a commit durable, and then notes it outside the file.
    fn acknowledge(&self) -> Result<(), StoreError> {
        // Also where nothing was written: what was read may be another process's record that is not synced yet.
        if self.syncs_log {
            self.place.sync_log()?;
        }
        let changed = self.changed.take();
        if !changed.is_empty() {
            self.anchors.note(changed.iter().map(|(task, head)| (task, *head)));
        }
        Ok(())
    }
}

impl Journal for SqliteJournal {
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.locked(|conn| work(&mut self.chain(conn, task)))
    }

    fn begin_group(&mut self) -> Result<bool, StoreError> {
        self.place.execute(&self.conn, "BEGIN IMMEDIATE", [])?;
        self.changed.borrow_mut().clear();
        self.in_group.set(true);
        Ok(true)
    }

    fn commit_group(&mut self) -> Result<(), StoreError> {
        if !self.in_group.replace(false) {
            return Ok(());
        }
        let stored = self.place.execute(&self.conn, "COMMIT", []);
        if stored.is_err() {
            // Where this fails too, SQLite has rolled it back already.
            let _ = self.place.execute(&self.conn, "ROLLBACK", []);
            self.changed.borrow_mut().clear();
            return stored;
        }
        self.acknowledge()
    }

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        self.chain(&self.conn, task).records(from)
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.chain(&self.conn, task).find(id)
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        self.chain(&self.conn, task).snapshot(tag)
    }

    fn task(&self, task: &TaskId) -> Result<Option<TaskSummary>, StoreError> {
        self.listed_task(task)
    }

    fn tasks_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<Vec<TaskSummary>, StoreError> {
        self.listed_by_name(after, limit)
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        self.listed(query)
    }

    fn tasks_due(&self, by: Timestamp, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        self.listed_due(by, limit)
    }

    fn tasks_named_like(&self, part: &str, limit: usize) -> Result<Vec<TaskId>, StoreError> {
        self.listed_like(part, limit)
    }

    fn task_count(&self) -> Result<u64, StoreError> {
        self.listed_count()
    }

    fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        if self.format < schema::WITH_RESOURCES {
            return Ok(None);
        }
        let sql = "SELECT state FROM resources WHERE name = ?1";
        self.place.optional(&self.conn, sql, [name], |row| column(row, 0))
    }

    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        if self.format < schema::WITH_RESOURCES {
            return Ok(Vec::new());
        }
        let found = self.conn.prepare_cached("SELECT name, state FROM resources ORDER BY name").and_then(|mut all| {
            all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()
        });
        found.map_err(|e| self.explain(&e))
    }

    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.place.each(&self.conn, &select(self.format, "ORDER BY id"), [], |record| visit(record?))
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut latest = self.place.collect(&self.conn, &select(self.format, "ORDER BY id DESC LIMIT ?1"), [limit])?;
        latest.reverse();
        Ok(latest)
    }

    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError> {
        self.locked(|conn| {
            let mut adopted = Adopted::default();
            for record in records {
                if self.chain(conn, &record.task).adopt(&record)? { adopted.new += 1 } else { adopted.known += 1 }
            }
            Ok(adopted)
        })
    }

    fn verify(&self) -> Result<Verification, StoreError> {
        self.verify_all()
    }
}
