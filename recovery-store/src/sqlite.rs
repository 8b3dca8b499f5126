//! The journal file: SQLite in WAL mode, every commit synced.
//!
//! SQLite's own way to make a commit durable (`synchronous = FULL`) waits for the disk twice in a short-lived process: its
//! first sync of the log also syncs the directory. Here SQLite leaves commits unsynced (`NORMAL`, which keeps the order that
//! protects the file), and the log is synced once per step, before the step is acknowledged. The directory is synced when a
//! file in it is new.
//!
//! Made for many short-lived processes: opening reads two numbers and nothing else, a write takes the file's write lock
//! at once (so that reading and deciding belong to the same step) and waits for it no longer than the caller allows.

mod anchors;
mod db_file;
mod repair;
mod row;

pub use repair::SetAside;

use crate::archive::Archive;
use crate::chain::{ChainCheck, ChainHash, FaultKind, Head, Verification};
use crate::error::StoreError;
use crate::journal::{Adopted, ChainBackend, Journal, Snapshot, TaskLabels, TaskQuery, TaskSummary, TaskTransaction};
use crate::record::{Appended, ContentId, NewRecord, Record, TaskId};
use crate::schema;
use crate::state_dir::StateDir;
use anchors::Anchors;
use db_file::{DbFile, hide_from_git, immutable_uri, log_exists, log_length};
use recovery_types::Timestamp;
use row::{column, hash_of, kind_of, number_of, record_of, select, task_of, time_of};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a writer waits for the others, where nothing else is asked for.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(5);

/// How long a write-ahead log may be left for the next process. A record adds some 24 KiB to it, so one writer in about
/// twenty moves it into the file; reading a log of this length back costs less than a write.
const LONGEST_KEPT_LOG: u64 = 512 << 10;

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
        let dir = StateDir::create(state_dir)?;
        let path = Self::path_in(state_dir);
        if !DbFile::new(&path, wait).is_there()? {
            hide_from_git(&dir)?;
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
            return Self::open_as_is(&place)?.with_log_kept_short();
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
        Ok(Some(Self { syncs_log, ..Self::over(conn, place.clone(), schema::CURRENT) }))
    }

    fn over(conn: Connection, place: DbFile, format: i64) -> Self {
        let anchors = Anchors::beside(&place.path);
        Self { conn, place, format, anchors, changed: RefCell::default(), set_aside: None, syncs_log: false }
    }

    /// By default the last to close moves the log into the file, which costs a short-lived writer more than its own
    /// record. The log is as durable, so it may stay while it is short enough to be read back in no time.
    fn with_log_kept_short(self) -> Result<Self, StoreError> {
        let keep_log = log_length(&self.place.path) < LONGEST_KEPT_LOG;
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
            Some(format) => Ok(Self::over(conn, place, format)),
            None => Err(StoreError::Missing { path: place.path }),
        }
    }

    /// Checks the journal at `path` as [`Journal::verify`] does, also one that is too damaged to be opened.
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

    /// The journal's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    fn explain(&self, error: &rusqlite::Error) -> StoreError {
        self.place.explain(error)
    }

    fn chain<'a>(&'a self, conn: &'a Connection, task: &'a TaskId) -> Chain<'a> {
        let with_snapshots = self.format >= schema::WITH_SNAPSHOTS;
        Chain { conn, place: &self.place, with_snapshots, task, changed: &self.changed }
    }

    /// Runs `work` with the file's write lock held.
    fn locked<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let step = rusqlite::Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)
            .map_err(|e| self.explain(&e))?;
        self.changed.borrow_mut().clear();
        let answer = work(&step)?;
        step.commit().map_err(|e| self.explain(&e))?;
        // Also where nothing was written: what was read may be another process's record that is not synced yet.
        if self.syncs_log {
            self.place.sync_log()?;
        }
        let changed = self.changed.take();
        if !changed.is_empty() {
            self.anchors.note(changed.iter().map(|(task, head)| (task, *head)));
        }
        Ok(answer)
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

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        self.chain(&self.conn, task).records(from)
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.chain(&self.conn, task).find(id)
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        self.chain(&self.conn, task).snapshot(tag)
    }

    fn tasks(&self) -> Result<Vec<TaskSummary>, StoreError> {
        if self.format >= schema::WITH_TASKS {
            return self.summaries(&format!("{LIST} ORDER BY task"), []);
        }
        // An older file that may only be read: steps from task to task along the index instead of reading every record.
        let sql = "WITH RECURSIVE names (task) AS (
                SELECT min(task) FROM records
                UNION ALL SELECT (SELECT min(task) FROM records WHERE task > names.task) FROM names WHERE task NOTNULL
            )
            SELECT last.task, last.seq, last.at, last.kind, last.hash, first.at, 1, NULL FROM names
            JOIN records AS last ON last.task = names.task
                AND last.seq = (SELECT max(seq) FROM records WHERE task = names.task)
            JOIN records AS first ON first.task = names.task
                AND first.seq = (SELECT min(seq) FROM records WHERE task = names.task)
            ORDER BY names.task";
        self.summaries(sql, [])
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        if self.format < schema::WITH_TASKS {
            return Ok(query.of(self.tasks()?));
        }
        // Written out for each question, so that each has an index that answers it in order.
        let open = if query.open_only { " AND is_open" } else { "" };
        let parent = if query.parent.is_some() { " AND parent = ?1" } else { " AND ?1 IS NULL" };
        let after = match query.after {
            Some(_) => " AND last_at <= ?2 AND (last_at < ?2 OR task > ?3)",
            None => " AND ?2 IS NULL AND ?3 IS NULL",
        };
        let sql = format!("{LIST} WHERE TRUE{open}{parent}{after} ORDER BY last_at DESC, task LIMIT ?4");
        let after = query.after.map(|after| (after.last_at.ms(), after.task.as_str())).unzip();
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        self.summaries(&sql, params![query.parent, after.0, after.1, limit])
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
        self.place.each(&self.conn, &select("ORDER BY id"), [], |record| visit(record?))
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut latest = self.place.collect(&self.conn, &select("ORDER BY id DESC LIMIT ?1"), [limit])?;
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
        let mut check = ChainCheck::default();
        let read = self.place.each(&self.conn, &select("ORDER BY id"), [], |record| check.stored(record));
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
        match self.check_list(&mut check) {
            Err(StoreError::Corrupt { .. } | StoreError::BadRecord { .. }) => {}
            other => other?,
        }
        for detail in self.damage()? {
            check.unplaced(None, FaultKind::DamagedFile { detail });
        }
        Ok(check.finish())
    }
}

/// The columns of a [`TaskSummary`].
const LIST: &str = "SELECT task, records, last_at, last_kind, hash, first_at, is_open, parent FROM tasks";

impl SqliteJournal {
    /// The tasks that `sql` lists.
    fn summaries(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<TaskSummary>, StoreError> {
        let mut statement = self.conn.prepare_cached(sql).map_err(|e| self.explain(&e))?;
        let mut rows = statement.query(values).map_err(|e| self.explain(&e))?;
        let mut tasks = Vec::new();
        while let Some(row) = rows.next().map_err(|e| self.explain(&e))? {
            tasks.push(self.place.read(row, |row| {
                Ok(TaskSummary {
                    task: task_of(row, 0)?,
                    records: number_of(row, 1)?,
                    last_at: time_of(row, 2)?,
                    last_kind: kind_of(row, 3)?,
                    hash: hash_of(row, 4)?,
                    first_at: time_of(row, 5)?,
                    labels: TaskLabels { is_open: column(row, 6)?, parent: column(row, 7)? },
                })
            })?);
        }
        Ok(tasks)
    }

    /// Tasks whose line in the list is not what their records say: the list is what `status` and hooks read.
    fn check_list(&self, check: &mut ChainCheck) -> Result<(), StoreError> {
        if self.format < schema::WITH_TASKS {
            return Ok(());
        }
        check.list(&self.tasks()?);
        Ok(())
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

/// Finds what was acknowledged and is not there.
fn check_anchors<'a>(
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

/// One task's records, read and written through a connection that holds whatever lock is needed.
struct Chain<'a> {
    conn: &'a Connection,
    place: &'a DbFile,
    with_snapshots: bool,
    task: &'a TaskId,
    changed: &'a RefCell<BTreeMap<TaskId, Head>>,
}

impl TaskTransaction for Chain<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        let sql = "SELECT seq, hash FROM records WHERE task = ?1 ORDER BY seq DESC LIMIT 1";
        self.place.optional(self.conn, sql, [self.task.as_str()], |row| {
            Ok(Head { seq: number_of(row, 0)?, hash: hash_of(row, 1)? })
        })
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let sql = select("WHERE task = ?1 AND seq >= ?2 ORDER BY seq");
        self.place.collect(self.conn, &sql, params![self.task.as_str(), from])
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        let sql = select("WHERE task = ?1 AND content_id = ?2");
        self.place.optional(self.conn, &sql, [self.task.as_str(), id.as_str()], record_of)
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        if !self.with_snapshots {
            return Ok(None);
        }
        let sql = "SELECT seq, state FROM snapshots JOIN records USING (task, seq, hash) WHERE task = ?1 AND tag = ?2";
        self.place.optional(self.conn, sql, [self.task.as_str(), tag], |row| {
            Ok(Snapshot { seq: number_of(row, 0)?, state: column(row, 1)? })
        })
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.append_next(new)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8], labels: &TaskLabels) -> Result<(), StoreError> {
        let Some(head) = self.head()? else {
            return Err(StoreError::NothingToCache { task: self.task.clone() });
        };
        let sql = "INSERT OR REPLACE INTO snapshots (task, tag, seq, hash, state) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![self.task.as_str(), tag, head.seq.cast_signed(), head.hash.as_bytes(), state];
        self.place.execute(self.conn, sql, values)?;
        let sql = "UPDATE tasks SET is_open = ?2, parent = ?3
            WHERE task = ?1 AND (is_open IS NOT ?2 OR parent IS NOT ?3)";
        self.place.execute(self.conn, sql, params![self.task.as_str(), labels.is_open, labels.parent])
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        // A file has no clock but this machine's.
        Ok(None)
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT state FROM resources WHERE name = ?1";
        self.place.optional(self.conn, sql, [name], |row| column(row, 0))
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO resources (name, state) VALUES (?1, ?2)";
        self.place.execute(self.conn, sql, params![name, state])
    }
}

impl ChainBackend for Chain<'_> {
    fn task(&self) -> &TaskId {
        self.task
    }

    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError> {
        // A number that no stored record can have finds nothing.
        let key = params![self.task.as_str(), i64::try_from(seq).unwrap_or(-1)];
        let sql = "SELECT hash FROM records WHERE task = ?1 AND seq = ?2";
        self.place.optional(self.conn, sql, key, |row| hash_of(row, 0))
    }

    fn insert(&mut self, record: &Record) -> Result<(), StoreError> {
        let sql = "INSERT INTO records (task, seq, at, kind, content_id, body, prev, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let values = params![
            record.task.as_str(),
            record.seq.cast_signed(),
            record.at.ms(),
            record.kind.as_str(),
            record.content_id.as_ref().map(ContentId::as_str),
            record.body,
            record.prev.as_bytes(),
            record.hash.as_bytes(),
        ];
        self.place.execute(self.conn, sql, values)?;
        self.changed.borrow_mut().insert(record.task.clone(), record.head());
        Ok(())
    }
}
