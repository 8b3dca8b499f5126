//! Exports and other systems' histories: stored whole or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_store::foreign::{self, Defaults};
use recovery_store::{Journal, MemoryJournal, TaskId, export};
use recovery_types::Timestamp;

fuzz_target!(|text: &str| {
    let mut journal = MemoryJournal::default();
    let _ = export::import(&mut journal, &mut text.as_bytes());
    assert!(journal.verify().expect("memory reads").is_sound());
    let _ = export::verify_export(&mut text.as_bytes());
    let defaults = Defaults { task: TaskId::new("task").ok(), at: Timestamp::from_ms(0) };
    for read in [foreign::attempt_history, foreign::build_commits, foreign::history_lines] {
        if let Ok(entries) = read(text, &defaults) {
            let _ = foreign::store(&mut journal, entries);
        }
    }
    assert!(journal.verify().expect("memory reads").is_sound());
});
