//! Appends two records to a journal in memory and verifies its hash chain.

use recovery_store::{Journal, JournalExt, MemoryJournal, NewRecord, RecordKind, TaskId};
use recovery_types::Timestamp;

fn main() {
    let mut journal = MemoryJournal::default();
    let task = TaskId::new("TASK-1").expect("a valid id");
    for body in [r#"{"exit_code":1}"#, r#"{"exit_code":0}"#] {
        let at = Timestamp::from_ms(0);
        let record = NewRecord { at, kind: RecordKind::Event, content_id: None, body: body.to_owned() };
        let appended = journal.append(&task, record).expect("memory does not fail");
        println!("#{} {}", appended.record.seq, appended.record.hash);
    }
    assert!(journal.verify().expect("memory does not fail").is_sound());
}
