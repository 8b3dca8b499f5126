//! Both backends keep every promise of the trait.

use recovery_store::{DEFAULT_WAIT, MemoryJournal, SqliteJournal, conformance};
use std::cell::RefCell;

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
