//! The journal in a PostgreSQL database, for many machines.
//!
//! In: an [`Address`]. Out: a [`Journal`] with the promises of the file. Every task's writers are serialised by an advisory
//! lock that ends with their transaction, so a writer that dies holds nobody up; writers of different tasks do not meet.
//! Every question has a time limit of its own on this side, so that a server or a network that is silent cannot hold its
//! caller. One question is one round trip: statements carry their types and are not prepared.
//!
//! The driver is asynchronous; each journal drives it on a runtime of its own, of one thread. To change the tables, add a
//! step to [`MIGRATIONS`].

mod address;
mod chain;
mod connection;
mod list;
mod row;
mod tls;

pub use address::Address;

use crate::anchors::{Anchors, check_anchors};
use crate::chain::{ChainCheck, ChainHash, Head, Verification};
use crate::error::StoreError;
use crate::journal::{
    Adopted, ChainBackend as _, Journal, JournalExt as _, Snapshot, TaskQuery, TaskSummary, TaskTransaction,
};
use crate::record::{ContentId, Record, TaskId};
use chain::Chain;
use connection::{OwnRuntime, block_on, explain, is_undefined};
use recovery_types::Timestamp;
use row::{COLUMNS, record_of};
use sha2::{Digest as _, Sha256};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

/// Step `n` turns format `n` into format `n + 1`. Written steps never change. `$schema` is the schema's name.
const MIGRATIONS: [&str; 2] = [
    "CREATE SCHEMA IF NOT EXISTS $schema;
    CREATE TABLE $schema.format (version BIGINT NOT NULL);
    INSERT INTO $schema.format VALUES (0);
    CREATE TABLE $schema.records (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        task TEXT COLLATE \"C\" NOT NULL,
        seq BIGINT NOT NULL,
        at BIGINT NOT NULL,
        kind TEXT NOT NULL,
        content_id TEXT COLLATE \"C\",
        body TEXT NOT NULL,
        prev BYTEA NOT NULL,
        hash BYTEA NOT NULL,
        UNIQUE (task, seq)
    );
    CREATE UNIQUE INDEX ON $schema.records (task, content_id) WHERE content_id IS NOT NULL;
    CREATE TABLE $schema.snapshots (
        task TEXT COLLATE \"C\" PRIMARY KEY,
        tag TEXT NOT NULL,
        seq BIGINT NOT NULL,
        hash BYTEA NOT NULL,
        state BYTEA NOT NULL
    );
    CREATE TABLE $schema.tasks (
        task TEXT COLLATE \"C\" PRIMARY KEY,
        records BIGINT NOT NULL,
        first_at BIGINT NOT NULL,
        last_at BIGINT NOT NULL,
        last_kind TEXT NOT NULL,
        hash BYTEA NOT NULL,
        is_open BOOLEAN NOT NULL DEFAULT TRUE,
        parent TEXT COLLATE \"C\"
    );
    CREATE INDEX ON $schema.tasks (last_at DESC, task);
    CREATE INDEX ON $schema.tasks (last_at DESC, task) WHERE is_open;
    CREATE INDEX ON $schema.tasks (parent, last_at DESC, task) WHERE parent IS NOT NULL;
    CREATE TABLE $schema.resources (
        name TEXT COLLATE \"C\" PRIMARY KEY,
        state BYTEA NOT NULL
    );",
    "ALTER TABLE $schema.tasks ADD COLUMN list SMALLINT NOT NULL DEFAULT 1, ADD COLUMN due_at BIGINT DEFAULT 0;
    UPDATE $schema.tasks SET list = 0, due_at = NULL WHERE NOT is_open;
    ALTER TABLE $schema.tasks DROP COLUMN is_open;
    DROP INDEX $schema.tasks_last_at_task_idx;
    CREATE INDEX ON $schema.tasks (list, last_at DESC, task);
    CREATE INDEX ON $schema.tasks (due_at, task) WHERE due_at IS NOT NULL;",
];

/// The newest format this program knows.
const CURRENT: i64 = MIGRATIONS.len() as i64;

/// How long an answer may take beyond the time that the server itself waits for a lock.
const ANSWER_MS: u64 = 1_000;

/// A writer that stops in the middle of a transaction loses it after this time: others wait for its task.
const IDLE_IN_TRANSACTION_MS: u64 = 60_000;

/// Records read at once.
const PAGE: i64 = 1_000;

/// A value with its type.
type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A journal in a PostgreSQL database.
pub struct PostgresJournal {
    runtime: OwnRuntime,
    client: Client,
    address: Address,
    wait: Duration,
    /// How long a transaction, or a question outside one, may take altogether.
    limit: Option<Duration>,
    /// When the transaction under way is out of time.
    ends_at: Cell<Option<Instant>>,
    /// Whether a question of the transaction under way failed: then nothing of it can be stored any more.
    has_failed: Cell<bool>,
    /// Whether an answer did not come in time: it may still come, in place of the next one's.
    is_lost: Cell<bool>,
    /// What this machine recorded here, where it keeps that.
    anchors: Option<Anchors>,
    /// The ends of the chains that the transaction under way has changed.
    changed: RefCell<BTreeMap<TaskId, Head>>,
}

impl PostgresJournal {
    /// Opens the journal at `address`, making its tables where they are missing and bringing older ones up to date. `wait`
    /// bounds how long any step waits for other writers or for the network.
    ///
    /// # Errors
    /// Where the server cannot be reached or refuses, or a newer program made the tables.
    pub fn open(address: &Address, wait: Duration) -> Result<Self, StoreError> {
        Self::open_limited(address, wait, None)
    }

    /// As [`PostgresJournal::open`], for a caller whose time is up after `limit` for opening it, and again for each
    /// transaction.
    ///
    /// # Errors
    /// As [`PostgresJournal::open`].
    pub fn open_within(address: &Address, wait: Duration, limit: Duration) -> Result<Self, StoreError> {
        Self::open_limited(address, wait, Some(limit))
    }

    fn open_limited(address: &Address, wait: Duration, limit: Option<Duration>) -> Result<Self, StoreError> {
        let ends_at = limit.map(|limit| Instant::now() + limit);
        let journal = Self::connect(address, limit.unwrap_or(wait))?;
        let journal = Self { limit, ends_at: Cell::new(ends_at), ..journal };
        if journal.format()?.is_none_or(|format| format < CURRENT) {
            journal.migrate()?;
            journal.ends_at.set(ends_at);
        }
        let journal = journal.check_format()?;
        journal.ends_at.set(None);
        Ok(journal)
    }

    /// Opens the journal to read it. Older tables are brought up to date.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is none; otherwise as for [`PostgresJournal::open`].
    pub fn open_read_only(address: &Address, wait: Duration) -> Result<Self, StoreError> {
        let journal = Self::connect(address, wait)?;
        match journal.format()? {
            None => return Err(StoreError::Missing { path: journal.path() }),
            // Without the rights for that, the error says so: an older journal is not an empty one.
            Some(format) if format < CURRENT => journal.migrate()?,
            Some(_) => {}
        }
        journal.check_format()
    }

    /// The same journal; what this process records in it is noted in the file at `path`, which [`Journal::verify`] compares
    /// with what the server has.
    #[must_use]
    pub fn with_anchors(self, path: PathBuf) -> Self {
        Self { anchors: Some(Anchors::at(path)), ..self }
    }

    /// As [`Journal::verify`] with the anchors at `anchors`, also of a journal that is gone.
    ///
    /// # Errors
    /// Where the server cannot be reached, or there is no journal and never was one.
    pub fn verify_at(address: &Address, anchors: Option<PathBuf>, wait: Duration) -> Result<Verification, StoreError> {
        let anchors = anchors.map(Anchors::at);
        match (Self::open_read_only(address, wait), anchors) {
            (Ok(journal), anchors) => Self { anchors, ..journal }.verify(),
            (Err(StoreError::Missing { path }), Some(anchors)) => {
                let mut check = ChainCheck::default();
                check_anchors(&mut check, &anchors.all(), |_| Ok(None), |_, _| Ok(None))?;
                let found = check.finish();
                if found.is_sound() { Err(StoreError::Missing { path }) } else { Ok(found) }
            }
            (Err(error), _) => Err(error),
        }
    }

    fn check_format(self) -> Result<Self, StoreError> {
        match self.format()? {
            Some(found) if found > CURRENT => {
                Err(StoreError::NewerFile { path: self.path(), found, supported: CURRENT })
            }
            _ => Ok(self),
        }
    }

    fn connect(address: &Address, wait: Duration) -> Result<Self, StoreError> {
        let unavailable = |reason: String| StoreError::Unavailable { store: address.to_string(), reason };
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| unavailable(error.to_string()))?;
        let runtime = OwnRuntime(Some(runtime));
        let mut config = address.config.clone();
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX / 2).max(1);
        let options = config.get_options().map(|own| format!("{own} ")).unwrap_or_default();
        config.options(format!(
            "{options}-c lock_timeout={wait_ms} -c statement_timeout={} \
             -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_MS}",
            wait_ms + ANSWER_MS
        ));
        let tls = tls::tls(address)?;
        let connecting = async {
            let (client, connection) = config.connect(tls).await?;
            // Driven whenever this journal waits for an answer.
            tokio::spawn(connection);
            Ok::<_, tokio_postgres::Error>(client)
        };
        let connected = block_on(&runtime, async { tokio::time::timeout(wait, connecting).await });
        let client = match connected {
            Ok(Ok(client)) => client,
            Ok(Err(error)) => return Err(explain(address, wait, &error)),
            Err(_) => return Err(unavailable(format!("no connection within {wait_ms} ms"))),
        };
        let address = address.clone();
        let (has_failed, is_lost) = (Cell::new(false), Cell::new(false));
        let (limit, ends_at, anchors, changed) = (None, Cell::new(None), None, RefCell::default());
        Ok(Self { runtime, client, address, wait, limit, ends_at, has_failed, is_lost, anchors, changed })
    }

    /// The tables' format; `None` where there are none.
    fn format(&self) -> Result<Option<i64>, StoreError> {
        let sql = self.sql("SELECT version FROM $schema.format");
        let asked = self.answer(self.client.query_typed(&sql, &[]));
        match asked {
            Some(Err(error)) if is_undefined(&error) => Ok(None),
            Some(Err(error)) => Err(self.explain(&error)),
            Some(Ok(rows)) => rows.first().map(|row| row.try_get(0)).transpose().map_err(|error| self.explain(&error)),
            None => Err(self.silent()),
        }
    }

    /// Takes the steps that are missing, all or none. Many processes may try at once; one does it.
    fn migrate(&self) -> Result<(), StoreError> {
        self.begin([self.lock_key("format", "")])?;
        let steps = || {
            // Asked about without an error, which would end the transaction.
            let found = self
                .query("SELECT to_regclass($1)::TEXT", &[(&format!("{}.format", self.address.schema), Type::TEXT)])?;
            let is_there = found.first().is_some_and(|row| row.get::<_, Option<String>>(0).is_some());
            let from = if is_there { self.format()?.unwrap_or(0) } else { 0 };
            for step in MIGRATIONS.iter().skip(usize::try_from(from).unwrap_or(0)) {
                self.ask(self.client.batch_execute(&self.sql(step)))?;
            }
            // Another program may have gone further than this one knows; never take that back.
            let sql = self.sql(&format!("UPDATE $schema.format SET version = {CURRENT} WHERE version < {CURRENT}"));
            self.ask(self.client.batch_execute(&sql))
        };
        self.end(steps())
    }

    /// `text` with the schema's name, which is an identifier, in its places.
    fn sql(&self, text: &str) -> String {
        text.replace("$schema", &self.address.schema)
    }

    /// The key of the lock on `name`, for [`PostgresJournal::begin`].
    fn lock_key(&self, kind: &str, name: &str) -> i64 {
        let hash = Sha256::digest(format!("recovery\n{}\n{kind}\n{name}", self.address.schema));
        let mut key = [0; 8];
        key.copy_from_slice(&hash[..8]);
        i64::from_be_bytes(key)
    }

    /// Starts a transaction that holds the locks; each ends with it, also when this process dies.
    fn begin(&self, locks: impl IntoIterator<Item = i64>) -> Result<(), StoreError> {
        self.has_failed.set(false);
        self.changed.borrow_mut().clear();
        self.ends_at.set(self.limit.map(|limit| Instant::now() + limit));
        let locks = locks.into_iter().map(|key| format!("; SELECT pg_advisory_xact_lock({key})"));
        let begun = self.ask(self.client.batch_execute(&format!("BEGIN{}", locks.collect::<String>())));
        if begun.is_err() {
            self.rollback();
        }
        begun
    }

    /// Stores what the transaction did, or takes all of it back.
    fn end<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        let ended = match done {
            // The server would answer a COMMIT with a silent ROLLBACK.
            Ok(_) if self.has_failed.get() => {
                self.rollback();
                Err(StoreError::Abandoned)
            }
            Ok(answer) => self.ask(self.client.batch_execute("COMMIT")).map(|()| {
                self.note_changed();
                answer
            }),
            Err(error) => {
                self.rollback();
                Err(error)
            }
        };
        self.ends_at.set(None);
        ended
    }

    /// Notes what was stored just now outside the database.
    fn note_changed(&self) {
        let changed = self.changed.take();
        if let (Some(anchors), false) = (&self.anchors, changed.is_empty()) {
            anchors.note(changed.iter().map(|(task, head)| (task, *head)));
        }
    }

    fn rollback(&self) {
        // Where this fails, the server does it when the connection ends.
        let _ = self.ask(self.client.batch_execute("ROLLBACK"));
    }

    fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let sql = self.sql(sql);
        self.ask(self.client.query_typed(&sql, values))
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        let sql = self.sql(sql);
        self.ask(self.client.execute_typed(&sql, values))
    }

    fn ask<T: Send>(
        &self,
        question: impl Future<Output = Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T, StoreError> {
        let answer = match self.answer(question) {
            Some(answer) => answer.map_err(|error| self.explain(&error)),
            None => Err(self.silent()),
        };
        if answer.is_err() {
            self.has_failed.set(true);
        }
        answer
    }

    /// The answer; `None` where it does not come in time.
    fn answer<T: Send>(&self, question: impl Future<Output = T> + Send) -> Option<T> {
        if self.is_lost.get() {
            return None;
        }
        let patience = self.patience();
        let answer = block_on(&self.runtime, async { tokio::time::timeout(patience, question).await });
        self.is_lost.set(answer.is_err());
        answer.ok()
    }

    /// How long the next answer may take.
    fn patience(&self) -> Duration {
        match (self.limit, self.ends_at.get()) {
            (_, Some(end)) => end.saturating_duration_since(Instant::now()),
            (Some(limit), None) => limit,
            (None, None) => self.wait + Duration::from_millis(ANSWER_MS),
        }
    }

    fn silent(&self) -> StoreError {
        let most = self.limit.unwrap_or(self.wait + Duration::from_millis(ANSWER_MS));
        let reason = format!("no answer within {} ms", most.as_millis());
        StoreError::Unavailable { store: self.address.to_string(), reason }
    }

    fn explain(&self, error: &tokio_postgres::Error) -> StoreError {
        explain(&self.address, self.wait, error)
    }

    /// The address in place of a file's name, for errors that name one.
    fn path(&self) -> PathBuf {
        PathBuf::from(self.address.to_string())
    }

    fn chain<'a>(&'a self, task: &'a TaskId) -> Chain<'a> {
        Chain { journal: self, task }
    }

    /// Runs `read`, which sees the tables as they are now, whatever others write meanwhile.
    fn at_one_moment(&self, read: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.has_failed.set(false);
        self.ask(self.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))?;
        self.end(read())
    }

    /// Shows every record, readable or not, to `visit`.
    fn each(
        &self,
        mut visit: impl FnMut(Result<Record, StoreError>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = format!("SELECT {COLUMNS}, id FROM $schema.records WHERE id > $1 ORDER BY id LIMIT $2");
        let mut after = 0_i64;
        loop {
            let rows = self.query(&sql, &[(&after, Type::INT8), (&PAGE, Type::INT8)])?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = last.get(8);
            rows.iter().try_for_each(|row| visit(record_of(row)))?;
        }
    }
}

impl Journal for PostgresJournal {
    fn transaction(
        &mut self,
        task: &TaskId,
        work: &mut dyn FnMut(&mut dyn TaskTransaction) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.begin([self.lock_key("task", task.as_str())])?;
        self.end(work(&mut self.chain(task)))
    }

    fn records(&self, task: &TaskId, from: u64) -> Result<Vec<Record>, StoreError> {
        self.chain(task).records(from)
    }

    fn find(&self, task: &TaskId, id: &ContentId) -> Result<Option<Record>, StoreError> {
        self.chain(task).find(id)
    }

    fn snapshot(&self, task: &TaskId, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        self.chain(task).snapshot(tag)
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
        let rows = self.query("SELECT state FROM $schema.resources WHERE name = $1", &[(&name, Type::TEXT)])?;
        rows.first().map(|row| row.try_get(0).map_err(|error| self.explain(&error))).transpose()
    }

    fn resources(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let rows = self.query("SELECT name, state FROM $schema.resources ORDER BY name", &[])?;
        let both = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
        rows.iter().map(|row| both(row).map_err(|error| self.explain(&error))).collect()
    }

    fn scan(&self, visit: &mut dyn FnMut(Record) -> Result<(), StoreError>) -> Result<(), StoreError> {
        self.at_one_moment(|| self.each(|record| visit(record?)))
    }

    fn latest(&self, limit: u64) -> Result<Vec<Record>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let sql = format!("SELECT {COLUMNS} FROM $schema.records ORDER BY id DESC LIMIT $1");
        self.query(&sql, &[(&limit, Type::INT8)])?.iter().rev().map(record_of).collect()
    }

    fn adopt(&mut self, records: &mut dyn Iterator<Item = Record>) -> Result<Adopted, StoreError> {
        // One record after the other, so that a caller that counts them knows which one does not fit. The locks of all
        // tasks are not known before; one lock on adopting keeps two of them from waiting for each other.
        self.begin([self.lock_key("adopt", "")])?;
        let mut adopted = Adopted::default();
        let mut locked: BTreeSet<TaskId> = BTreeSet::new();
        let take_in = || {
            for record in records {
                if locked.insert(record.task.clone()) {
                    let lock = format!("SELECT pg_advisory_xact_lock({})", self.lock_key("task", record.task.as_str()));
                    self.ask(self.client.batch_execute(&lock))?;
                }
                if self.chain(&record.task).adopt(&record)? { adopted.new += 1 } else { adopted.known += 1 }
            }
            Ok(())
        };
        let done = take_in();
        self.end(done).map(|()| adopted)
    }

    fn verify(&self) -> Result<Verification, StoreError> {
        let mut check = ChainCheck::default();
        let anchors = self.anchors.as_ref().map(Anchors::all).unwrap_or_default();
        let anchored: BTreeSet<(&TaskId, u64)> = anchors.iter().map(|(task, head)| (task, head.seq)).collect();
        let mut found: BTreeMap<TaskId, BTreeMap<u64, ChainHash>> = BTreeMap::new();
        self.at_one_moment(|| {
            self.each(|record| {
                if let Ok(record) = &record
                    && anchored.contains(&(&record.task, record.seq))
                {
                    found.entry(record.task.clone()).or_default().insert(record.seq, record.hash);
                }
                check.stored(record)
            })?;
            check.list(&self.tasks()?);
            Ok(())
        })?;
        let heads = check.heads().clone();
        check_anchors(
            &mut check,
            &anchors,
            |task| Ok(heads.get(task).copied()),
            |task, seq| Ok(found.get(task).and_then(|hashes| hashes.get(&seq)).copied()),
        )?;
        Ok(check.finish())
    }
}
