//! Lists of tasks: in pages, what is open first, and without reading what is not shown.

use recovery_engine::{Engine, PackName};
use recovery_service::{Listed, MAX_COUNTED, Page, Question, Service, Setup};
use recovery_store::{Journal as _, JournalExt as _, MemoryJournal, TaskId, TaskLabels, TaskList};
use recovery_types::{FailureEvent, Timestamp};

const MINUTE_MS: i64 = 60_000;

fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

fn failure() -> Question {
    Question::new(FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..FailureEvent::default() })
}

fn at(journal: MemoryJournal, ms: i64) -> Service<MemoryJournal> {
    at_with(journal, ms, Engine::new(PackName::Field))
}

fn at_with(journal: MemoryJournal, ms: i64, engine: Engine) -> Service<MemoryJournal> {
    let dir = std::env::temp_dir().join(format!("recovery-lists-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    Service::with_journal(Setup::new(engine.into(), dir), journal, Timestamp::from_ms(ms))
}

/// An engine as hooks use it: nobody drives its ladder.
fn watching() -> Engine {
    let mut engine = Engine::new(PackName::Field);
    let year_ms = 365 * 24 * 3_600_000;
    engine.ladder.retry.limit_ms = year_ms;
    engine.ladder.nudge.limit_ms = year_ms;
    engine.ladder.replan.limit_ms = year_ms;
    engine.ladder.fallback.limit_ms = year_ms;
    engine.own_ladder = true;
    engine
}

fn names(page: &Page) -> Vec<&str> {
    page.statuses.iter().map(|status| status.task.as_str()).collect()
}

#[test]
fn pages_show_what_is_open_first_and_each_task_once() {
    let mut journal = MemoryJournal::default();
    for n in 0..9 {
        let mut service = at(journal, n);
        service.decide(&task(&format!("t{n}")), failure()).unwrap();
        if n % 3 == 0 {
            service.resolve(&task(&format!("t{n}")), "works").unwrap();
        }
        journal = service.ledger.journal;
    }
    let service = at(journal, 10);
    let mut seen: Vec<String> = Vec::new();
    let mut after = None;
    loop {
        let page = service.page(Listed::Current, after.as_ref(), 2).unwrap();
        assert!(page.statuses.len() <= 2);
        seen.extend(page.statuses.into_iter().map(|status| status.task));
        let Some(next) = page.next else { break };
        after = Some(task(&next));
    }
    assert_eq!(seen, ["t8", "t7", "t5", "t4", "t2", "t1", "t6", "t3", "t0"]);
    assert_eq!(names(&service.page(Listed::All, None, 100).unwrap()), seen);
    assert!(service.page(Listed::All, Some(&task("x")), 2).is_err());
}

#[test]
fn a_failure_that_was_not_repeated_makes_room_for_the_others() {
    let mut service = at_with(MemoryJournal::default(), 0, watching());
    service.decide(&task("once"), failure()).unwrap();
    service.decide(&task("twice"), failure()).unwrap();
    service.decide(&task("twice"), failure()).unwrap();
    let journal = service.ledger.journal;
    let service = at_with(journal, 31 * MINUTE_MS, watching());
    let page = service.page(Listed::Current, None, 10).unwrap();
    assert_eq!((names(&page), page.expired), (vec!["twice"], 1));
    assert_eq!(service.open_counts().unwrap(), (1, 0));
    assert_eq!(names(&service.page(Listed::All, None, 10).unwrap()), ["once", "twice"]);
    let service = at_with(service.ledger.journal, 25 * 60 * MINUTE_MS, watching());
    let page = service.page(Listed::Current, None, 10).unwrap();
    assert_eq!((names(&page), page.expired), (vec![], 2));
}

#[test]
fn what_waits_for_a_person_is_a_list_of_its_own() {
    let mut service = at(MemoryJournal::default(), 0);
    for name in ["a", "b", "c"] {
        service.decide(&task(name), failure()).unwrap();
    }
    service.answer_gate(&task("b"), recovery_types::repair::GateOption::Stop, "enough").unwrap();
    assert_eq!(names(&service.page(Listed::Stuck, None, 10).unwrap()), ["b"]);
    assert_eq!(service.open_counts().unwrap(), (2, 1));
    // Time alone brings the others there, as soon as it is recorded.
    let mut service = at(service.ledger.journal, 100_000 * MINUTE_MS);
    assert!(service.is_overdue().unwrap());
    assert_eq!(service.tick_some(1).unwrap().len(), 1);
    assert!(service.is_overdue().unwrap(), "one at a time");
    assert_eq!(service.tick().unwrap().len(), 2, "also of the one that a person stopped");
    assert!(!service.is_overdue().unwrap());
    let mut stuck: Vec<String> =
        names(&service.page(Listed::Stuck, None, 10).unwrap()).iter().map(|&n| n.into()).collect();
    stuck.sort();
    assert_eq!(stuck, ["a", "b", "c"]);
}

/// Records that were imported have no labels: nobody had their state.
#[test]
fn what_was_imported_is_labelled_by_the_next_tick() {
    let mut service = at(MemoryJournal::default(), 0);
    for name in ["fails", "works"] {
        service.decide(&task(name), failure()).unwrap();
    }
    service.resolve(&task("works"), "fixed").unwrap();
    let mut there = MemoryJournal::default();
    there.adopt(&mut service.ledger.journal.all().unwrap().into_iter()).unwrap();
    let mut service = at(there, 1);
    assert_eq!(service.ledger.journal.task(&task("works")).unwrap().unwrap().labels, TaskLabels::default());
    assert!(service.is_overdue().unwrap());
    assert!(service.tick().unwrap().is_empty(), "no time limit has passed");
    assert!(!service.is_overdue().unwrap());
    let lists = ["fails", "works"].map(|name| service.ledger.journal.task(&task(name)).unwrap().unwrap().labels.list);
    assert_eq!(lists, [TaskList(2), TaskList::CLOSED]);
}

#[test]
fn counts_end_where_nobody_counts_any_more() {
    let mut journal = MemoryJournal::default();
    for n in 0..MAX_COUNTED + 5 {
        let mut service = at(journal, 0);
        service.decide(&task(&format!("t{n}")), failure()).unwrap();
        journal = service.ledger.journal;
    }
    assert_eq!(at(journal, 1).open_counts().unwrap(), (MAX_COUNTED, 0));
}

#[test]
fn a_part_of_a_name_means_the_only_task_that_has_it() {
    let mut service = at(MemoryJournal::default(), 1);
    for name in ["login page", "login form", "push", "logout"] {
        service.decide(&task(name), failure()).unwrap();
    }
    assert_eq!(service.task_like("push").unwrap(), task("push"));
    assert_eq!(service.task_like("form").unwrap(), task("login form"));
    assert_eq!(service.task_like("deploy").unwrap(), task("deploy"));
    let refused = service.task_like("login").unwrap_err().to_string();
    assert_eq!(refused, "2 tasks have \"login\" in their name; which one?\n  login form\n  login page");
    for n in 0..9 {
        service.decide(&task(&format!("login {n}")), failure()).unwrap();
    }
    let refused = service.task_like("login").unwrap_err().to_string();
    assert!(refused.starts_with("11 tasks have"), "{refused}");
    assert!(refused.ends_with("\n  login 4\n  ..."), "{refused}");
}

#[test]
fn the_last_failure_has_an_answer_in_words() {
    let mut service = at(MemoryJournal::default(), 1);
    assert_eq!(service.failed_last().unwrap(), None);
    assert_eq!(service.last_answer(&task("a")).unwrap(), None);
    service.decide(&task("a"), failure()).unwrap();
    let answer = service.last_answer(&task("a")).unwrap().unwrap();
    assert!(answer.what.starts_with("Connection"), "{answer:?}");
    assert_eq!(service.failed_last().unwrap(), Some(task("a")));
    service.resolve(&task("a"), "works").unwrap();
    assert_eq!(service.failed_last().unwrap(), None);
}
