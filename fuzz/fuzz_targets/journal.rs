//! Exports and other systems' histories: stored whole or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_engine::{Engine, PackName};
use recovery_service::Ledger;
use recovery_service::migrate::{Defaults, Format, import};
use recovery_store::{Journal, MemoryJournal, TaskId, export};
use recovery_types::Timestamp;

fuzz_target!(|text: &str| {
    let mut journal = MemoryJournal::default();
    let _ = export::import(&mut journal, &mut text.as_bytes());
    assert!(journal.verify().expect("memory reads").is_sound());
    let _ = export::verify_export(&mut text.as_bytes());
    let defaults = Defaults { task: TaskId::new("task").ok(), at: Timestamp::from_ms(0) };
    let engine = Engine::new(PackName::Field);
    let mut ledger = Ledger::with_journal(journal);
    // Notes are files, and this writes none.
    for format in Format::ALL.into_iter().filter(|format| *format != Format::Notes) {
        let _ = import(&mut ledger, &engine, std::path::Path::new(""), format, None, text, &defaults);
    }
    assert!(ledger.journal.verify().expect("memory reads").is_sound());
});
