//! The backends without a server keep every promise of the trait. The one with a server is tested in `postgres.rs`.

use recovery_store::conformance::{self, Tables};
use recovery_store::{AnyJournal, DEFAULT_WAIT, JournalExt as _, MemoryJournal, SqliteJournal, StoreError};
use rusqlite::{Connection, params};
use std::cell::RefCell;
use std::path::PathBuf;

#[test]
fn memory() {
    conformance::check(&|| Box::new(MemoryJournal::default()));
}

#[test]
fn sqlite() {
    let places = RefCell::new(Vec::new());
    conformance::check(&|| {
        let place = tempfile::tempdir().unwrap();
        let journal = SqliteJournal::open_in(place.path(), DEFAULT_WAIT).unwrap();
        places.borrow_mut().push(place);
        Box::new(journal)
    });
}

#[test]
fn sqlite_shared() {
    let place = tempfile::tempdir().unwrap();
    conformance::check_shared(&|| Box::new(SqliteJournal::open_in(place.path(), DEFAULT_WAIT).unwrap()));
}

#[test]
fn sqlite_faults() {
    let place = tempfile::tempdir().unwrap();
    conformance::check_faults(&JournalFile(SqliteJournal::path_in(place.path())));
}

#[test]
fn sqlite_versions() {
    let place = tempfile::tempdir().unwrap();
    conformance::check_versions(&JournalFile(SqliteJournal::path_in(place.path())));
}

/// A journal's file.
struct JournalFile(PathBuf);

impl JournalFile {
    fn sql(&self, text: &str) {
        Connection::open(&self.0).unwrap().execute_batch(text).unwrap();
    }
}

impl Tables for JournalFile {
    fn open(&self) -> Result<AnyJournal, StoreError> {
        Ok(Box::new(SqliteJournal::open(&self.0, DEFAULT_WAIT)?))
    }

    fn open_read_only(&self) -> Result<AnyJournal, StoreError> {
        Ok(Box::new(SqliteJournal::open_read_only(&self.0, DEFAULT_WAIT)?))
    }

    fn fail_writes(&self, table: Option<&str>) {
        self.sql("DROP TRIGGER IF EXISTS no_insert; DROP TRIGGER IF EXISTS no_update");
        let Some(table) = table else { return };
        for event in ["insert", "update"] {
            let raise = "BEGIN SELECT RAISE(ABORT, 'injected'); END";
            self.sql(&format!("CREATE TRIGGER no_{event} BEFORE {event} ON {table} {raise}"));
        }
    }

    fn cut(&self) -> bool {
        false
    }

    fn version(&self) -> i64 {
        Connection::open(&self.0).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
    }

    fn state_version(&self, version: i64) {
        self.sql(&format!("PRAGMA user_version = {version}"));
    }

    fn downgrade(&self) -> bool {
        let version = self.version();
        let back = match version {
            6 => {
                let records = SqliteJournal::open_read_only(&self.0, DEFAULT_WAIT).unwrap().all().unwrap();
                for record in records {
                    let sql = "UPDATE records SET body = ?1, deflated = NULL WHERE task = ?2 AND seq = ?3";
                    let place = params![record.body, record.task.as_str(), record.seq.cast_signed()];
                    Connection::open(&self.0).unwrap().execute(sql, place).unwrap();
                }
                "ALTER TABLE records DROP COLUMN deflated"
            }
            5 => {
                "DROP INDEX tasks_by_list; DROP INDEX tasks_by_due;
                ALTER TABLE tasks ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE tasks DROP COLUMN list; ALTER TABLE tasks DROP COLUMN due_at;
                CREATE INDEX tasks_by_time ON tasks (last_at DESC, task);
                CREATE INDEX open_tasks_by_time ON tasks (last_at DESC, task) WHERE is_open"
            }
            4 => "DROP TABLE resources",
            3 => "DROP TRIGGER list_task; DROP TABLE tasks",
            2 => "DROP TABLE snapshots",
            _ => return false,
        };
        self.sql(back);
        self.state_version(version - 1);
        true
    }
}
