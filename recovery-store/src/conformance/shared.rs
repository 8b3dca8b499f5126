//! What several handles of one journal promise each other: they see each other's records, leave nothing behind when they die,
//! and come one after the other on one task.

use super::{Reopen, event, id, note, task};
use crate::{AnyJournal, JournalExt as _, StoreError};

pub(super) fn check(open: Reopen<'_>) {
    eprintln!("conformance: what one handle stored, another finds");
    let stored = open().append(&task("seen"), event("x", "1")).unwrap().record;
    let again = open();
    assert_eq!(again.records(&task("seen"), 1).unwrap(), [stored]);
    drop(again);

    eprintln!("conformance: a writer that gives up or dies in the middle leaves nothing and locks nobody out");
    let gives_up = |journal: &mut AnyJournal| {
        journal.transact(&task("seen"), |chain| {
            chain.append(event("half", "1"))?;
            chain.put_snapshot("v1", b"half")?;
            Err::<(), _>(StoreError::Abandoned)
        })
    };
    gives_up(&mut open()).unwrap_err();
    let mut dies = open();
    let died = std::thread::spawn(move || {
        let _ = dies.transact(&task("seen"), |chain| {
            chain.append(event("half", "1"))?;
            // As a process that ends here: the handle is dropped without an end of the transaction.
            std::panic::resume_unwind(Box::new("killed"));
            #[expect(unreachable_code, reason = "the type of the step")]
            Ok::<_, StoreError>(())
        });
    });
    died.join().unwrap_err();
    assert_eq!(open().find(&task("seen"), &id("half")).unwrap(), None);
    assert_eq!(open().append(&task("seen"), event("half", "1")).unwrap().record.seq, 2);

    eprintln!("conformance: writers of one task come one after the other, and the same delivery is stored once");
    const WRITERS: usize = 4;
    const RECORDS: usize = 12;
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                let mut journal = open();
                for n in 0..RECORDS {
                    let own = journal.transact(&task("shared"), |chain| {
                        let seen = chain.head()?.map_or(0, |head| head.seq);
                        let record = chain.append(event(&format!("{writer}.{n}"), &seen.to_string()))?.record;
                        // Whoever reads and decides in one step decides from the record just before its own.
                        assert_eq!(record.seq, seen + 1);
                        Ok::<_, StoreError>(record)
                    });
                    own.unwrap();
                    journal.append(&task("shared"), event(&format!("all.{n}"), "1")).unwrap();
                    journal.append(&task(&format!("own {writer}")), note(1, "1")).unwrap();
                }
            });
        }
    });
    let journal = open();
    assert_eq!(journal.records(&task("shared"), 1).unwrap().len(), WRITERS * RECORDS + RECORDS);
    for writer in 0..WRITERS {
        assert_eq!(journal.records(&task(&format!("own {writer}")), 1).unwrap().len(), RECORDS);
    }
    let found = journal.verify().unwrap();
    assert!(found.is_sound(), "{found:?}");
}
