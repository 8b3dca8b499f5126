//! Decide and record over a journal in memory.

use recovery_engine::{Engine, PackName};
use recovery_service::ledger::task_named;
use recovery_service::{Question, Service, ServiceError, Setup};
use recovery_store::{JournalExt as _, MemoryJournal, NewRecord, RecordKind, TaskId};
use recovery_types::{FailureEvent, Timestamp};

fn service(dir: &tempfile::TempDir) -> Service<MemoryJournal> {
    let setup = Setup::new(Engine::new(PackName::Field).into(), dir.path().to_path_buf());
    Service::with(setup, MemoryJournal::default(), Timestamp::from_ms(1000))
}

fn failure(text: &str) -> Question {
    Question::new(FailureEvent { exit_code: 1, stderr_tail: text.into(), ..FailureEvent::default() })
}

fn task(name: &str) -> TaskId {
    task_named(name).unwrap()
}

#[test]
fn what_is_stored_has_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    service.decide(&task("t"), failure(&format!("denied for {secret}"))).unwrap();
    service.reset(&task("t"), &format!("new token {secret}")).unwrap();
    let records = service.ledger.journal.all().unwrap();
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|record| !record.body.contains(secret)), "{records:?}");
}

#[test]
fn a_word_without_a_reason_or_a_task_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    assert!(matches!(service.resolve(&task("t"), "it works"), Err(ServiceError::NoSuchTask { .. })));
    service.decide(&task("t"), failure("boom")).unwrap();
    assert!(matches!(service.resolve(&task("t"), " "), Err(ServiceError::NoReason)));
    service.resolve(&task("t"), "it works").unwrap();
    assert_eq!(service.status(&task("t")).unwrap().unwrap().state, "resolved");
}

/// A newer program may know more error types than this one.
#[test]
fn a_newer_record_concerns_its_task_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    service.decide(&task("new"), failure("read ECONNRESET")).unwrap();
    service.decide(&task("old"), failure("read ECONNRESET")).unwrap();
    let body = service.ledger.journal.all().unwrap()[0].body.replace("connection_failure", "bit_rot");
    let newer = NewRecord { at: Timestamp::from_ms(2000), kind: RecordKind::Decision, content_id: None, body };
    service.ledger.journal.append(&task("new"), newer).unwrap();
    let statuses = service.statuses().unwrap();
    let seen: Vec<(&str, u32, u32)> =
        statuses.iter().map(|status| (status.task.as_str(), status.failures, status.unreadable)).collect();
    assert_eq!(seen, [("new", 1, 1), ("old", 1, 0)]);
    // The task itself goes on too, with what can be read.
    let decided = service.decide(&task("new"), failure("read ECONNRESET")).unwrap();
    assert_eq!(decided.record.unwrap().seq, 3);
    assert_eq!(service.status(&task("new")).unwrap().unwrap().failures, 2);
}
