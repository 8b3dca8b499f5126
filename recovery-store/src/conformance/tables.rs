//! What a journal promises when its tables are not as it left them: writes fail, connections are cut, another version of the
//! program made them.
//!
//! The backend's tests give [`Tables`], a way around the journal to what it is stored in.

use super::{event, exported, id, note, task};
use crate::{
    AnyJournal, Journal as _, JournalExt as _, NewRecord, RecordKind, StoreError, TaskLabels, TaskTransaction,
};
use recovery_types::Timestamp;

/// A journal with its tables, as only whoever owns the database has them.
pub trait Tables {
    /// Opens the journal, as another process would.
    ///
    /// # Errors
    /// As the backend does.
    fn open(&self) -> Result<AnyJournal, StoreError>;

    /// Opens the journal to read it.
    ///
    /// # Errors
    /// As the backend does.
    fn open_read_only(&self) -> Result<AnyJournal, StoreError>;

    /// Lets every write to this table fail, or none where there is none.
    fn fail_writes(&self, table: Option<&str>);

    /// Ends all connections, as a crash of the server would; false where the backend has none.
    fn cut(&self) -> bool;

    /// The format that the tables state.
    fn version(&self) -> i64;

    /// Lets the tables state this format, whatever they are.
    fn state_version(&self, version: i64);

    /// Takes the tables back to the format before theirs; false where there is none before.
    fn downgrade(&self) -> bool;
}

/// The tables that one transaction can write to.
const TABLES: [&str; 4] = ["records", "tasks", "snapshots", "resources"];

/// Holds a backend to what it promises when a write fails at any place of a transaction, or its connection is cut: an error,
/// nothing of that transaction stored, and the next one as if nothing had been. The journal is empty at first.
///
/// # Panics
/// With the first promise that does not hold.
pub fn check_faults(tables: &dyn Tables) {
    let mut journal = tables.open().unwrap();
    write_everywhere(&mut journal, "first", &mut || ()).unwrap();
    let mut stored = 1;
    for table in TABLES {
        eprintln!("conformance: a transaction whose write to {table} fails stores nothing, alone or in a group");
        tables.fail_writes(Some(table));
        let error = write_everywhere(&mut journal, table, &mut || ()).unwrap_err();
        assert!(!error.is_retryable(), "trying again does not help: {error}");
        journal.begin_group().unwrap();
        let beside = journal.append(&task("beside"), event(table, "1"));
        write_everywhere(&mut journal, table, &mut || ()).unwrap_err();
        journal.commit_group().unwrap();
        tables.fail_writes(None);
        stored += usize::from(beside.is_ok());
        assert_eq!(journal.all().unwrap().len(), stored);
        assert_eq!(journal.find(&task("a"), &id(table)).unwrap(), None);
        assert_eq!(journal.resource("host:a").unwrap().as_deref(), Some(b"first".as_slice()), "{table}");
        write_everywhere(&mut journal, table, &mut || ()).unwrap();
        let again = write_everywhere(&mut journal, table, &mut || ()).unwrap();
        assert!(!again, "the second delivery is the first record");
        stored += 1;
        write_everywhere(&mut journal, "first", &mut || ()).unwrap();
        assert!(journal.verify().unwrap().is_sound());
    }
    eprintln!("conformance: a connection that is cut is an error that is worth a second try, and stores nothing");
    for place in ["before", "within"] {
        let mut is_cut = place == "before" && tables.cut();
        let error = write_everywhere(&mut journal, place, &mut || is_cut |= tables.cut());
        if !is_cut {
            return;
        }
        assert!(error.as_ref().is_err_and(StoreError::is_retryable), "{place}: {error:?}");
        journal = tables.open().unwrap();
        assert_eq!(journal.all().unwrap().len(), stored, "{place}");
        assert!(write_everywhere(&mut journal, place, &mut || ()).unwrap());
        stored += 1;
        assert!(journal.verify().unwrap().is_sound());
    }
}

/// Holds a backend to what programs of different versions are promised of each other's journals. It is empty at first.
///
/// # Panics
/// With the first promise that does not hold.
pub fn check_versions(tables: &dyn Tables) {
    let mut journal = tables.open().unwrap();
    let newest = tables.version();
    write_everywhere(&mut journal, "first", &mut || ()).unwrap();
    journal
        .append(&task("b"), NewRecord { kind: RecordKind::from_name("of_tomorrow").unwrap(), ..note(7, "{}") })
        .unwrap();
    for steps in 1.. {
        let before = journal.all().unwrap();
        let text = exported(&*journal);
        drop(journal);
        if !(0..steps).all(|_| tables.downgrade()) {
            break;
        }
        eprintln!("conformance: a journal of format {} is read as it is, and brought up to {newest}", tables.version());
        let reader = tables.open_read_only().unwrap();
        assert_eq!(exported(&*reader), text);
        assert_eq!(reader.tasks().unwrap().len(), 2);
        assert!(reader.verify().unwrap().is_sound());
        drop(reader);
        journal = tables.open().unwrap();
        assert_eq!((tables.version(), journal.all().unwrap()), (newest, before));
        assert!(write_everywhere(&mut journal, &format!("from {steps} before"), &mut || ()).unwrap());
        assert!(journal.verify().unwrap().is_sound());
    }
    eprintln!("conformance: a newer journal is left alone, and says so");
    let before = tables.open().unwrap().all().unwrap();
    tables.state_version(newest + 1);
    for opened in [tables.open(), tables.open_read_only()] {
        let error = opened.err().unwrap();
        assert!(matches!(error, StoreError::NewerFile { .. }) && !error.is_retryable(), "{error}");
    }
    assert_eq!(tables.version(), newest + 1);
    tables.state_version(newest);
    assert_eq!(tables.open().unwrap().all().unwrap(), before);
}

/// Writes to every table in one transaction, with `between` after its record; whether the record is new.
fn write_everywhere(journal: &mut AnyJournal, key: &str, between: &mut dyn FnMut()) -> Result<bool, StoreError> {
    let body = format!("\"{key}: {}\"", "a body as long as those that are compressed, ".repeat(20));
    journal.transact(&task("a"), |chain: &mut dyn TaskTransaction| {
        let appended = chain.append(event(key, &body))?;
        between();
        chain.put_snapshot("v1", key.as_bytes())?;
        let due_at = Some(Timestamp::from_ms(key.len().try_into().unwrap_or(0)));
        chain.put_labels(&TaskLabels { due_at, ..TaskLabels::default() })?;
        chain.resource("host:a")?;
        chain.put_resource("host:a", key.as_bytes())?;
        Ok(appended.new)
    })
}
