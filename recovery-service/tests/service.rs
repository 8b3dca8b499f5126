//! Decide and record over a journal in memory.

use recovery_engine::reconcile::Verb;
use recovery_engine::{Engine, Entry, PackName, admit};
use recovery_service::ledger::task_named;
use recovery_service::{Question, Recorded, Service, ServiceError, Setup};
use recovery_store::{JournalExt as _, MemoryJournal, NewRecord, RecordKind, TaskId};
use recovery_types::repair::GateOption;
use recovery_types::{Action, FailureEvent, RepairRequest, Timestamp};

fn service(dir: &tempfile::TempDir) -> Service<MemoryJournal> {
    let setup = Setup::new(Engine::new(PackName::Field).into(), dir.path().to_path_buf());
    Service::with_journal(setup, MemoryJournal::default(), Timestamp::from_ms(1000))
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
    let statuses = service.statuses_by_name(None, usize::MAX).unwrap().0;
    let seen: Vec<(&str, u32, u32)> =
        statuses.iter().map(|status| (status.task.as_str(), status.failures, status.unreadable)).collect();
    assert_eq!(seen, [("new", 1, 1), ("old", 1, 0)]);
    // The task itself goes on too, with what can be read.
    let decided = service.decide(&task("new"), failure("read ECONNRESET")).unwrap();
    assert_eq!(decided.record.unwrap().seq, 3);
    assert_eq!(service.status(&task("new")).unwrap().unwrap().failures, 2);
}

fn question(json: &str) -> Question {
    Question::new(serde_json::from_str(json).unwrap())
}

/// The rule that decided and what it recommends.
fn judged(recorded: &Recorded) -> (String, Action) {
    let class = recorded.decision.classification.as_ref().unwrap();
    (class.rule.clone(), class.recommended_action)
}

#[test]
fn a_file_that_a_sibling_touched_is_known_from_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let of = |id: &str, parent: &str| {
        question(&format!(
            r#"{{"exit_code":1,"stderr_tail":"{id} broke","files_touched":["src/x.rs"],"node":{{"id":"{id}","parent_id":"{parent}"}}}}"#
        ))
    };
    assert_eq!(judged(&service.decide(&task("sa"), of("sa", "S")).unwrap()).0, "default");
    assert_eq!(judged(&service.decide(&task("sb"), of("sb", "S")).unwrap()).0, "sibling-files");
    assert_eq!(judged(&service.decide(&task("other"), of("other", "S2")).unwrap()).0, "default");
}

/// Three replans of one story, whichever of its tasks asked for them; another story has its own.
#[test]
fn tasks_of_one_story_share_its_budget() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let mut third = |id: &str, parent: &str| {
        let event =
            format!(r#"{{"exit_code":1,"stderr_tail":"{id} w","node":{{"id":"{id}","parent_id":"{parent}"}}}}"#);
        let asked: Vec<Action> =
            (0..3).map(|_| judged(&service.decide(&task(id), question(&event)).unwrap()).1).collect();
        asked[2]
    };
    let of_one_story: Vec<Action> = ["t1", "t2", "t3", "t4", "t5"].map(|id| third(id, "S")).to_vec();
    let (replan, freeze) = (Action::ReplanStory, Action::FreezeAndEscalate);
    assert_eq!(of_one_story, [replan, replan, replan, freeze, freeze]);
    assert_eq!(third("u1", "S2"), replan);
}

/// What the caller tells of the task adds to the journal; it hides nothing of it.
#[test]
fn the_callers_history_does_not_hide_the_journals() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let event = r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3},
        "history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"#;
    let mut asked = Vec::new();
    for _ in 0..8 {
        let recorded = service.decide(&task("T"), question(event)).unwrap();
        asked.push(judged(&recorded).1);
        service.reset(&task("T"), "again").unwrap();
    }
    assert!(asked[..3].iter().all(|action| *action == Action::ReplanStory), "{asked:?}");
    assert!(asked[3..].iter().all(|action| *action == Action::FreezeAndEscalate), "{asked:?}");
}

#[test]
fn a_conflict_waits_and_its_name_resolves_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let conflict = r#"{"exit_code":1,"stderr_tail":"x","conflict_id":"CONFLICT-00007"}"#;
    service.decide(&task("t"), question(conflict)).unwrap();
    let status = service.status(&task("t")).unwrap().unwrap();
    assert_eq!((status.state, status.failures), ("waiting", 0));
    assert!(status.reason.unwrap().contains("CONFLICT-00007"));
    assert!(service.hints(&task("t")).unwrap().instead[0].contains("CONFLICT-00007"));
    service.resolve(&task("CONFLICT-00007"), "the first one wins").unwrap();
    assert_eq!(service.status(&task("t")).unwrap().unwrap().state, "ok");
    assert!(service.conflicts().unwrap().is_empty());
}

#[test]
fn deadlines_are_recorded_when_they_pass() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    service.decide(&task("t"), failure("assertion failed")).unwrap();
    assert!(service.tick().unwrap().is_empty());
    let journal = service.ledger.journal;
    let setup = Setup::new(Engine::new(PackName::Field).into(), dir.path().to_path_buf());
    let mut later = Service::with_journal(setup, journal, Timestamp::from_ms(10_000_000));
    let fired = later.tick().unwrap();
    assert_eq!(fired.len(), 1);
    assert!(std::fs::read_to_string(dir.path().join("issues.md")).unwrap().contains("time limit"));
    assert!(later.tick().unwrap().is_empty(), "once");
    assert_eq!(later.status(&task("t")).unwrap().unwrap().state, "stuck");
}

#[test]
fn a_repairs_outcome_is_logged_when_it_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    assert!(matches!(service.repaired(&task("3"), true), Err(ServiceError::NoSuchTask { .. })));
    let missing =
        FailureEvent { exit_code: 127, stderr_tail: "bash: jq: command not found".into(), ..Default::default() };
    service.decide(&task("3"), Question::new(missing)).unwrap();
    assert!(service.repaired(&task("3"), false).unwrap().is_empty());
    let log = service.repaired(&task("3"), true).unwrap();
    assert!(log[0].starts_with("[Node Repair - RETRY] Task 3: ") && log[0].ends_with(" - resolved"), "{log:?}");
}

#[test]
fn a_decomposed_task_is_repaired_once_every_sub_task_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let request = |text: &str| admit(serde_json::from_str::<RepairRequest>(text).unwrap());
    let coarse =
        r#"{"task":{"number":"7","name":"x","done_criteria":["A exists","B passes"]},"error":{"text":"boom"}}"#;
    assert_eq!(service.repair(&task("7"), request(coarse)).unwrap().sub_tasks.len(), 2);
    assert!(matches!(service.repaired(&task("7.3"), true), Err(ServiceError::NoSuchTask { .. })));
    assert!(matches!(service.repaired(&task("7.2"), false), Err(ServiceError::NoRepair { .. })));
    assert!(service.repaired(&task("7.1"), true).unwrap().is_empty());
    let part = r#"{"task":{"number":"7.2","name":"B passes"},"error":{"text":"bash: jq: command not found"}}"#;
    assert_eq!(service.repair(&task("7.2"), request(part)).unwrap().budget_remaining, 1, "a budget of its own");
    let log = service.repaired(&task("7.2"), true).unwrap();
    assert!(log[0].starts_with("[Node Repair - RETRY] Task 7.2: ") && log[0].ends_with(" - resolved"), "{log:?}");
    assert_eq!(log[1], "[Node Repair - DECOMPOSE] Task 7 split into 2 sub-tasks - all passed");
}

#[test]
fn freezing_a_story_freezes_its_tasks_until_it_is_thawed() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let event = r#"{"exit_code":1,"stderr_tail":"AssertionError: 1 != 2","node":{"id":"T","parent_id":"S"}}"#;
    service.decide(&task("T"), question(event)).unwrap();
    assert_eq!(service.freeze(&task("S"), "the design changes").unwrap(), [task("T"), task("S")]);
    let status = service.status(&task("T")).unwrap().unwrap();
    assert_eq!((status.state, status.reason.as_deref()), ("frozen", Some("the design changes")));
    let frozen = service.decide(&task("T"), question(event)).unwrap();
    assert_eq!(frozen.decision.next.verb, Verb::ForceDone);
    service.reset(&task("T"), "again").unwrap();
    service.thaw(&task("S"), "decided", Some(1)).unwrap();
    assert_eq!(service.decide(&task("T"), question(event)).unwrap().decision.next.verb, Verb::Nudge);
}

#[test]
fn the_gates_answer_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    for (name, option, state) in
        [("a", GateOption::Retry, "failing"), ("b", GateOption::Skip, "skipped"), ("c", GateOption::Stop, "stuck")]
    {
        service.decide(&task(name), failure("assertion failed")).unwrap();
        service.answer_gate(&task(name), option, "as agreed").unwrap();
        assert_eq!(service.status(&task(name)).unwrap().unwrap().state, state, "{name}");
    }
}

/// A task that depends on one that was left out learns of it from the journal.
#[test]
fn what_was_left_out_is_known_to_its_dependants() {
    let dir = tempfile::tempdir().unwrap();
    let mut service = service(&dir);
    let out = r#"{"exit_code":1,"stderr_tail":"x","task":{"number":"4","name":"dark mode"},
        "plan":{"out_of_scope":["dark mode"]}}"#;
    assert_eq!(service.decide(&task("4"), question(out)).unwrap().decision.next.verb, Verb::Prune);
    assert_eq!(service.status(&task("4")).unwrap().unwrap().state, "skipped");
    let next = r#"{"exit_code":1,"stderr_tail":"theme is not defined","task":{"number":"5","name":"theme switch","depends_on":["4"]}}"#;
    let recorded = service.decide(&task("5"), question(next)).unwrap();
    let entry = service.ledger.last_entry(&task("5"), |_| true).unwrap();
    let Some(Entry::Decided { event, .. }) = entry else { panic!("no decision") };
    assert_eq!(event.plan.as_ref().unwrap().adjacent[0].number, "4");
    assert_eq!(recorded.decision.next.verb, Verb::Prune);
}
