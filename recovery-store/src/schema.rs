//! The format of the journal's file, and how an older file is brought up to date.
//!
//! In: a connection. Out: which format the file declares, or a file of the newest one. The format is the number of steps in
//! [`MIGRATIONS`] that were taken. A step that is released never changes: a new one is added after it, with a `WITH_` constant
//! where a file of the older format can still be read as it is (`sqlite.rs -> open_read_only`).

use rusqlite::{Connection, Result, TransactionBehavior};

/// The newest format this program knows: the `PRAGMA user_version` of an up-to-date file.
pub(crate) const CURRENT: i64 = MIGRATIONS.len() as i64;

/// The mark of a journal file (`PRAGMA application_id`, "rjnl" in ASCII).
pub(crate) const APPLICATION_ID: i64 = 0x726a_6e6c;

/// The first format with cached states.
pub(crate) const WITH_SNAPSHOTS: i64 = 2;

/// The first format with a table of tasks.
pub(crate) const WITH_TASKS: i64 = 3;

/// The first format with shared resources.
pub(crate) const WITH_RESOURCES: i64 = 4;

/// The first format with lists and due times of tasks.
pub(crate) const WITH_LISTS: i64 = 5;

/// The first format with compressed bodies.
pub(crate) const WITH_DEFLATED: i64 = 6;

/// Step `n` turns format `n` into format `n + 1`; a new file takes all of them. Written steps never change.
const MIGRATIONS: [&str; 6] = [
    "CREATE TABLE records (
        id INTEGER PRIMARY KEY, -- the order over all tasks; rows are never deleted, so it only grows
        task TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL, -- milliseconds since 1970
        kind TEXT NOT NULL,
        content_id TEXT,
        body TEXT NOT NULL,
        prev BLOB NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX records_by_task ON records (task, seq);
    CREATE UNIQUE INDEX records_by_content ON records (task, content_id) WHERE content_id IS NOT NULL;",
    "CREATE TABLE snapshots (
        task TEXT PRIMARY KEY,
        tag TEXT NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL, -- of record seq: a state belongs to one chain only
        state BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;",
    "CREATE TABLE tasks (
        task TEXT PRIMARY KEY,
        records INTEGER NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        last_kind TEXT NOT NULL,
        hash BLOB NOT NULL, -- of the last record
        is_open INTEGER NOT NULL DEFAULT 1, -- unless the writer's state says otherwise
        parent TEXT
    ) STRICT, WITHOUT ROWID;
    INSERT INTO tasks (task, records, first_at, last_at, last_kind, hash, parent)
        SELECT last.task, last.seq, first.at, last.at, last.kind, last.hash,
            (SELECT json_extract(CAST(state AS TEXT), '$.parent') FROM snapshots
                WHERE task = last.task AND json_valid(CAST(state AS TEXT)))
        FROM (SELECT task, min(seq) AS low, max(seq) AS high FROM records GROUP BY task) AS ends
        JOIN records AS last ON last.task = ends.task AND last.seq = high
        JOIN records AS first ON first.task = ends.task AND first.seq = low;
    CREATE INDEX tasks_by_time ON tasks (last_at DESC, task);
    CREATE INDEX open_tasks_by_time ON tasks (last_at DESC, task) WHERE is_open;
    CREATE INDEX tasks_by_parent ON tasks (parent, last_at DESC, task) WHERE parent IS NOT NULL;
    CREATE TRIGGER list_task AFTER INSERT ON records BEGIN
        INSERT INTO tasks (task, records, first_at, last_at, last_kind, hash)
            VALUES (new.task, new.seq, new.at, new.at, new.kind, new.hash)
            ON CONFLICT (task) DO UPDATE SET
                records = new.seq, last_at = new.at, last_kind = new.kind, hash = new.hash;
    END;",
    "CREATE TABLE resources (
        name TEXT PRIMARY KEY,
        state BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;",
    "ALTER TABLE tasks ADD COLUMN list INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE tasks ADD COLUMN due_at INTEGER DEFAULT 0; -- whoever has the task's state next labels it
    UPDATE tasks SET list = 0, due_at = NULL WHERE NOT is_open;
    DROP INDEX open_tasks_by_time;
    DROP INDEX tasks_by_time; -- the lists, merged, are all tasks by time
    ALTER TABLE tasks DROP COLUMN is_open;
    CREATE INDEX tasks_by_list ON tasks (list, last_at DESC, task);
    CREATE INDEX tasks_by_due ON tasks (due_at, task) WHERE due_at IS NOT NULL;",
    "ALTER TABLE records ADD COLUMN deflated BLOB; -- the body, where it is stored compressed; body is empty then",
];

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An empty file.
    Empty,
    /// A journal of this format.
    Journal(i64),
    /// The database of another program.
    Foreign,
}

/// Reads the format that the file declares.
pub(crate) fn format(conn: &Connection) -> Result<Format> {
    if number(conn, "PRAGMA application_id")? == APPLICATION_ID {
        return Ok(Format::Journal(number(conn, "PRAGMA user_version")?));
    }
    // Another process may be creating the journal: read both values in one transaction.
    let moment = conn.unchecked_transaction()?;
    let objects = number(&moment, "SELECT count(*) FROM sqlite_schema")?;
    let version = number(&moment, "PRAGMA user_version")?;
    Ok(if number(&moment, "PRAGMA application_id")? == APPLICATION_ID {
        Format::Journal(version)
    } else if version == 0 && objects == 0 {
        Format::Empty
    } else {
        Format::Foreign
    })
}

/// Takes the steps that are missing, all or none, and returns the format that the file has then. Many processes may try at
/// once; one does it.
pub(crate) fn migrate(conn: &mut Connection) -> Result<i64> {
    let step = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = number(&step, "PRAGMA user_version")?;
    for sql in MIGRATIONS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        step.execute_batch(sql)?;
    }
    // Another process may have migrated further than this version supports; never undo that.
    if from < CURRENT {
        step.execute_batch(&format!("PRAGMA user_version = {CURRENT}; PRAGMA application_id = {APPLICATION_ID};"))?;
    }
    step.commit()?;
    Ok(from.max(CURRENT))
}

fn number(conn: &Connection, sql: &str) -> Result<i64> {
    conn.query_row(sql, [], |row| row.get(0))
}
