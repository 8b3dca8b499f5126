//! The test suite that every backend must pass.
//!
//! A backend's own tests call these functions; a fault panics with the promise that was broken.
//!
//! | function | needs | checks |
//! |---|---|---|
//! | [`check`] | a way to make an empty journal | every promise of [`Journal`] |
//! | [`check_shared`] | a way to open the same journal again | concurrency, reopening, writers that die |
//! | [`check_faults`] | [`Tables`] | writes that fail in the middle, connections that are cut |
//! | [`check_versions`] | [`Tables`] | journals of older and newer programs |
//!
//! That a journal survives `kill -9` takes processes, and is each backend's own to test.
//!
//! ```
//! recovery_store::conformance::check(&|| Box::new(recovery_store::MemoryJournal::default()));
//! ```

mod promises;
mod shared;
mod tables;

pub use tables::{Tables, check_faults, check_versions};

use crate::export::export;
use crate::{AnyJournal, ContentId, Journal, NewRecord, RecordKind, TaskId};
use promises::{
    adopted, bad_body, empty, fails_whole, found_by_name, grouped, idempotent, ids_per_task, listed, newer_kinds,
    numbered_and_chained, order, own_error, queried, reads_back, resources, sees_its_writes, snapshots,
};
use recovery_types::Timestamp;

/// Makes an empty journal.
pub type Make<'a> = &'a dyn Fn() -> Box<dyn Journal>;

/// What is promised, and the check that it holds.
type Promise = (&'static str, fn(Make<'_>));

/// Holds a backend to every promise of [`Journal`].
///
/// # Panics
/// With the first promise that does not hold.
pub fn check(make: Make<'_>) {
    const PROMISES: [Promise; 18] = [
        ("an empty journal has nothing", empty),
        ("records are numbered and chained per task", numbered_and_chained),
        ("a record reads back as it was stored", reads_back),
        ("the same content id is the same record", idempotent),
        ("content ids belong to their task", ids_per_task),
        ("a transaction sees its own writes", sees_its_writes),
        ("a failed transaction stores nothing", fails_whole),
        ("the caller's own error comes back", own_error),
        ("a body that is not one line of JSON is refused", bad_body),
        ("a snapshot belongs to its tag and its record", snapshots),
        ("what tasks share belongs to its name and to the transaction", resources),
        ("tasks are listed by name with their ends", listed),
        ("tasks are listed by time, label, name and page", queried),
        ("tasks are found by a part of their name", found_by_name),
        ("a group's transactions are stored together, each whole or not at all", grouped),
        ("a kind of a newer program is kept as it is", newer_kinds),
        ("scan and latest keep the order of storing", order),
        ("an export can be adopted, twice, and not half", adopted),
    ];
    for (promise, holds) in PROMISES {
        eprintln!("conformance: {promise}");
        holds(make);
    }
}

/// Opens the same journal once more, as another process would.
pub type Reopen<'a> = &'a (dyn Fn() -> AnyJournal + Sync);

/// Holds a backend that several processes share to what they are promised of each other. The journal is empty at first.
///
/// # Panics
/// With the first promise that does not hold.
pub fn check_shared(open: Reopen<'_>) {
    shared::check(open);
}

fn exported(journal: &dyn Journal) -> String {
    let mut out = Vec::new();
    export(journal, None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

fn id(text: &str) -> ContentId {
    ContentId::new(text).unwrap()
}

fn note(at: u64, body: &str) -> NewRecord {
    NewRecord { at: Timestamp::from_ms(at as i64), kind: RecordKind::Note, content_id: None, body: body.to_owned() }
}

fn event(content_id: &str, body: &str) -> NewRecord {
    NewRecord { content_id: Some(id(content_id)), kind: RecordKind::Event, ..note(0, body) }
}
