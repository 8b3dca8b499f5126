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

pub use address::Address;

use crate::chain::{ChainCheck, ChainHash, Head, Verification};
use crate::error::StoreError;
use crate::journal::{Adopted, ChainBackend, Journal, Snapshot, TaskLabels, TaskQuery, TaskSummary, TaskTransaction};
use crate::record::{Appended, ContentId, NewRecord, Record, RecordKind, TaskId};
use recovery_types::Timestamp;
use sha2::{Digest as _, Sha256};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

/// Step `n` turns format `n` into format `n + 1`. Written steps never change. `$schema` is the schema's name.
const MIGRATIONS: [&str; 1] = ["CREATE SCHEMA IF NOT EXISTS $schema;
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
    );"];

/// The newest format this program knows.
const CURRENT: i64 = MIGRATIONS.len() as i64;

/// How long an answer may take beyond the time that the server itself waits for a lock.
const ANSWER_MS: u64 = 1_000;

/// A writer that stops in the middle of a transaction loses it after this time: others wait for its task.
const IDLE_IN_TRANSACTION_MS: u64 = 60_000;

/// Records read at once.
const PAGE: i64 = 1_000;

/// The columns that [`record_of`] reads.
const COLUMNS: &str = "task, seq, at, kind, content_id, body, prev, hash";

/// The columns of a [`TaskSummary`].
const LIST: &str = "SELECT task, records, last_at, last_kind, hash, first_at, is_open, parent FROM $schema.tasks";

/// A value with its type.
type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A journal in a PostgreSQL database.
pub struct PostgresJournal {
    runtime: OwnRuntime,
    client: Client,
    address: Address,
    wait: Duration,
    /// Whether a question of the transaction under way failed: then nothing of it can be stored any more.
    has_failed: Cell<bool>,
    /// Whether an answer did not come in time: it may still come, in place of the next one's.
    is_lost: Cell<bool>,
}

impl PostgresJournal {
    /// Opens the journal at `address`, making its tables where they are missing and bringing older ones up to date. `wait`
    /// bounds how long any step waits for other writers or for the network.
    ///
    /// # Errors
    /// Where the server cannot be reached or refuses, or a newer program made the tables.
    pub fn open(address: &Address, wait: Duration) -> Result<Self, StoreError> {
        let journal = Self::connect(address, wait)?;
        if journal.format()?.is_none_or(|format| format < CURRENT) {
            journal.migrate()?;
        }
        journal.check_format()
    }

    /// Opens the journal to read it.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is none; otherwise as for [`PostgresJournal::open`].
    pub fn open_read_only(address: &Address, wait: Duration) -> Result<Self, StoreError> {
        let journal = Self::connect(address, wait)?;
        if journal.format()?.is_none_or(|format| format < CURRENT) {
            return Err(StoreError::Missing { path: journal.path() });
        }
        journal.check_format()
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
        let tls = tls(address)?;
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
        Ok(Self { runtime, client, address, wait, has_failed: Cell::new(false), is_lost: Cell::new(false) })
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
        let locks = locks.into_iter().map(|key| format!("; SELECT pg_advisory_xact_lock({key})"));
        let begun = self.ask(self.client.batch_execute(&format!("BEGIN{}", locks.collect::<String>())));
        if begun.is_err() {
            self.rollback();
        }
        begun
    }

    /// Stores what the transaction did, or takes all of it back.
    fn end<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        match done {
            // The server would answer a COMMIT with a silent ROLLBACK.
            Ok(_) if self.has_failed.get() => {
                self.rollback();
                Err(StoreError::Abandoned)
            }
            Ok(answer) => self.ask(self.client.batch_execute("COMMIT")).map(|()| answer),
            Err(error) => {
                self.rollback();
                Err(error)
            }
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
        let patience = self.wait + Duration::from_millis(ANSWER_MS);
        let answer = block_on(&self.runtime, async { tokio::time::timeout(patience, question).await });
        self.is_lost.set(answer.is_err());
        answer.ok()
    }

    fn silent(&self) -> StoreError {
        let reason = format!("no answer within {} ms", self.wait.as_millis() + u128::from(ANSWER_MS));
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

    fn summaries(&self, rest: &str, values: &[Value<'_>]) -> Result<Vec<TaskSummary>, StoreError> {
        let rows = self.query(&format!("{LIST} {rest}"), values)?;
        let summary = |row: &Row| -> Result<TaskSummary, String> {
            Ok(TaskSummary {
                task: task_of(row, 0)?,
                records: number_of(row, 1)?,
                last_at: time_of(row, 2)?,
                last_kind: kind_of(row, 3)?,
                hash: hash_of(row, 4)?,
                first_at: time_of(row, 5)?,
                labels: TaskLabels { is_open: column(row, 6)?, parent: column(row, 7)? },
            })
        };
        rows.iter().map(|row| summary(row).map_err(|reason| bad_record(row, reason))).collect()
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

    fn tasks(&self) -> Result<Vec<TaskSummary>, StoreError> {
        self.summaries("ORDER BY task", &[])
    }

    fn tasks_where(&self, query: &TaskQuery<'_>) -> Result<Vec<TaskSummary>, StoreError> {
        let open = if query.open_only { " AND is_open" } else { "" };
        let parent = if query.parent.is_some() { " AND parent = $1" } else { " AND $1 IS NULL" };
        let after = match query.after {
            Some(_) => " AND last_at <= $2 AND (last_at < $2 OR task > $3)",
            None => " AND $2 IS NULL AND $3 IS NULL",
        };
        let rest = format!("WHERE TRUE{open}{parent}{after} ORDER BY last_at DESC, task LIMIT $4");
        let (at, task) = query.after.map(|after| (after.last_at.ms(), after.task.as_str())).unzip();
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        self.summaries(
            &rest,
            &[(&query.parent, Type::TEXT), (&at, Type::INT8), (&task, Type::TEXT), (&limit, Type::INT8)],
        )
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
        self.at_one_moment(|| {
            self.each(|record| check.stored(record))?;
            check.list(&self.tasks()?);
            Ok(())
        })?;
        Ok(check.finish())
    }
}

/// One task's records, read and written within whatever transaction is under way.
struct Chain<'a> {
    journal: &'a PostgresJournal,
    task: &'a TaskId,
}

impl TaskTransaction for Chain<'_> {
    fn head(&self) -> Result<Option<Head>, StoreError> {
        let sql = "SELECT task, seq, hash FROM $schema.records WHERE task = $1 ORDER BY seq DESC LIMIT 1";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT)])?;
        let head = |row: &Row| Ok(Head { seq: number_of(row, 1)?, hash: hash_of(row, 2)? });
        rows.first().map(|row| head(row).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn records(&self, from: u64) -> Result<Vec<Record>, StoreError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let sql = format!("SELECT {COLUMNS} FROM $schema.records WHERE task = $1 AND seq >= $2 ORDER BY seq");
        let values: [Value<'_>; 2] = [(&self.task.as_str(), Type::TEXT), (&from, Type::INT8)];
        self.journal.query(&sql, &values)?.iter().map(record_of).collect()
    }

    fn find(&self, id: &ContentId) -> Result<Option<Record>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM $schema.records WHERE task = $1 AND content_id = $2");
        let values: [Value<'_>; 2] = [(&self.task.as_str(), Type::TEXT), (&id.as_str(), Type::TEXT)];
        self.journal.query(&sql, &values)?.first().map(record_of).transpose()
    }

    fn snapshot(&self, tag: &str) -> Result<Option<Snapshot>, StoreError> {
        let sql = "SELECT task, seq, state FROM $schema.snapshots JOIN $schema.records USING (task, seq, hash)
            WHERE task = $1 AND tag = $2";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT), (&tag, Type::TEXT)])?;
        let snapshot = |row: &Row| Ok(Snapshot { seq: number_of(row, 1)?, state: column(row, 2)? });
        rows.first().map(|row| snapshot(row).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn append(&mut self, new: NewRecord) -> Result<Appended, StoreError> {
        self.append_next(new)
    }

    fn put_snapshot(&mut self, tag: &str, state: &[u8], labels: &TaskLabels) -> Result<(), StoreError> {
        let sql = "WITH head AS (SELECT seq, hash FROM $schema.records WHERE task = $1 ORDER BY seq DESC LIMIT 1),
                labels AS (UPDATE $schema.tasks SET is_open = $4, parent = $5 WHERE task = $1)
            INSERT INTO $schema.snapshots (task, tag, seq, hash, state) SELECT $1, $2, seq, hash, $3 FROM head
            ON CONFLICT (task) DO UPDATE
                SET tag = EXCLUDED.tag, seq = EXCLUDED.seq, hash = EXCLUDED.hash, state = EXCLUDED.state";
        let stored = self.journal.execute(
            sql,
            &[
                (&self.task.as_str(), Type::TEXT),
                (&tag, Type::TEXT),
                (&state, Type::BYTEA),
                (&labels.is_open, Type::BOOL),
                (&labels.parent, Type::TEXT),
            ],
        )?;
        if stored == 0 { Err(StoreError::NothingToCache { task: self.task.clone() }) } else { Ok(()) }
    }

    fn clock(&self) -> Result<Option<Timestamp>, StoreError> {
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";
        let rows = self.journal.query(sql, &[])?;
        let ms = rows.first().map(|row| row.try_get(0)).transpose().map_err(|error| self.journal.explain(&error))?;
        Ok(ms.map(Timestamp::from_ms))
    }

    fn resource(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        // Not the row's own lock: there may be no row yet.
        let lock = format!("SELECT pg_advisory_xact_lock({})", self.journal.lock_key("resource", name));
        self.journal.ask(self.journal.client.batch_execute(&lock))?;
        self.journal.resource(name)
    }

    fn put_resource(&mut self, name: &str, state: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT INTO $schema.resources (name, state) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET state = EXCLUDED.state";
        self.journal.execute(sql, &[(&name, Type::TEXT), (&state, Type::BYTEA)]).map(|_| ())
    }
}

impl ChainBackend for Chain<'_> {
    fn task(&self) -> &TaskId {
        self.task
    }

    fn hash_at(&self, seq: u64) -> Result<Option<ChainHash>, StoreError> {
        // A number that no stored record can have finds nothing.
        let seq = i64::try_from(seq).unwrap_or(-1);
        let sql = "SELECT task, seq, hash FROM $schema.records WHERE task = $1 AND seq = $2";
        let rows = self.journal.query(sql, &[(&self.task.as_str(), Type::TEXT), (&seq, Type::INT8)])?;
        rows.first().map(|row| hash_of(row, 2).map_err(|reason| bad_record(row, reason))).transpose()
    }

    fn insert(&mut self, record: &Record) -> Result<(), StoreError> {
        // In one step with the task's line in the list.
        let sql = "WITH stored AS (
                INSERT INTO $schema.records (task, seq, at, kind, content_id, body, prev, hash)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
            INSERT INTO $schema.tasks (task, records, first_at, last_at, last_kind, hash) VALUES ($1, $2, $3, $3, $4, $8)
            ON CONFLICT (task) DO UPDATE SET records = EXCLUDED.records, last_at = EXCLUDED.last_at,
                last_kind = EXCLUDED.last_kind, hash = EXCLUDED.hash";
        self.journal
            .execute(
                sql,
                &[
                    (&record.task.as_str(), Type::TEXT),
                    (&record.seq.cast_signed(), Type::INT8),
                    (&record.at.ms(), Type::INT8),
                    (&record.kind.as_str(), Type::TEXT),
                    (&record.content_id.as_ref().map(ContentId::as_str), Type::TEXT),
                    (&record.body, Type::TEXT),
                    (&record.prev.as_bytes().as_slice(), Type::BYTEA),
                    (&record.hash.as_bytes().as_slice(), Type::BYTEA),
                ],
            )
            .map(|_| ())
    }
}

fn record_of(row: &Row) -> Result<Record, StoreError> {
    let record = || -> Result<Record, String> {
        let content_id: Option<String> = column(row, 4)?;
        Ok(Record {
            task: task_of(row, 0)?,
            seq: number_of(row, 1)?,
            at: time_of(row, 2)?,
            kind: kind_of(row, 3)?,
            content_id: content_id.map(ContentId::new).transpose().map_err(|error| error.to_string())?,
            body: column(row, 5)?,
            prev: hash_of(row, 6)?,
            hash: hash_of(row, 7)?,
        })
    };
    record().map_err(|reason| bad_record(row, reason))
}

fn bad_record(row: &Row, reason: String) -> StoreError {
    StoreError::BadRecord { task: row.try_get(0).unwrap_or_default(), seq: row.try_get(1).unwrap_or_default(), reason }
}

fn column<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, String> {
    row.try_get(index).map_err(|error| error.to_string())
}

fn task_of(row: &Row, index: usize) -> Result<TaskId, String> {
    TaskId::new(column::<String>(row, index)?).map_err(|error| error.to_string())
}

fn number_of(row: &Row, index: usize) -> Result<u64, String> {
    u64::try_from(column::<i64>(row, index)?).map_err(|_| "its number is negative".to_owned())
}

fn time_of(row: &Row, index: usize) -> Result<Timestamp, String> {
    let ms = column::<i64>(row, index)?;
    let at = Timestamp::from_ms(ms);
    if at.ms() == ms { Ok(at) } else { Err(format!("its time {ms} is out of range")) }
}

fn kind_of(row: &Row, index: usize) -> Result<RecordKind, String> {
    let name: String = column(row, index)?;
    RecordKind::from_name(&name).ok_or_else(|| format!("no recovery writes records of the kind {name:?}"))
}

fn hash_of(row: &Row, index: usize) -> Result<ChainHash, String> {
    let bytes: &[u8] = column(row, index)?;
    bytes.try_into().map(ChainHash::from_bytes).map_err(|_| "its hash has not 32 bytes".to_owned())
}

/// A runtime that may be dropped anywhere: one that waits for its tasks when it is dropped panics within another runtime.
struct OwnRuntime(Option<Runtime>);

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Drives `future` to its end. A caller that is itself driven by a runtime may not drive a second one on its thread.
fn block_on<T: Send>(runtime: &OwnRuntime, future: impl Future<Output = T> + Send) -> T {
    let Some(runtime) = &runtime.0 else { unreachable!("a runtime is taken only when it is dropped") };
    if Handle::try_current().is_err() {
        return runtime.block_on(future);
    }
    let driven = std::thread::scope(|scope| scope.spawn(|| runtime.block_on(future)).join());
    driven.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// How a certificate is checked: against the authorities of the address, else against the public ones.
fn tls(address: &Address) -> Result<tokio_postgres_rustls::MakeRustlsConnect, StoreError> {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;
    let refused = |reason: String| StoreError::Refused { store: address.to_string(), reason };
    let mut roots = rustls::RootCertStore::empty();
    match &address.root_certificates {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let unreadable =
                |error: &dyn std::fmt::Display| refused(format!("cannot read {}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate).map_err(|error| unreadable(&error))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config =
        versions.map_err(|error| refused(error.to_string()))?.with_root_certificates(roots).with_no_client_auth();
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(config))
}

fn is_undefined(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME))
}

/// What the driver's or the server's answer means.
fn explain(address: &Address, wait: Duration, error: &tokio_postgres::Error) -> StoreError {
    let (store, path) = (address.to_string(), PathBuf::from(address.to_string()));
    let mut reason = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        reason = format!("{reason}: {cause}");
        source = cause.source();
    }
    // Connections that break have no code.
    let Some(code) = error.code() else { return StoreError::Unavailable { store, reason } };
    match code {
        &SqlState::LOCK_NOT_AVAILABLE => {
            StoreError::Busy { path, waited_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) }
        }
        &SqlState::DISK_FULL => StoreError::DiskFull { path },
        &SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly { path },
        code => match &code.code()[..2] {
            // Connection, resources, operator, rollback: another time it may work.
            "08" | "53" | "57" | "40" => StoreError::Unavailable { store, reason },
            // Authorisation, unknown database, missing rights.
            "28" | "3D" => StoreError::Refused { store, reason },
            "42" if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Refused { store, reason },
            _ => StoreError::Io { path, reason },
        },
    }
}
