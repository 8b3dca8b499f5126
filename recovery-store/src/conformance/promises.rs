//! What one handle of a journal promises: each function makes an empty journal and checks one promise.
//!
//! To add a promise, add a function here and its row in the table of `conformance.rs`.

use super::{Make, event, exported, id, note, task};
use crate::chain::{ChainHash, record_hash};
use crate::export::{import, verify_export};
use crate::{
    Adopted, Appended, ConflictReason, Journal, JournalExt as _, NewRecord, Record, RecordKind, StoreError, TaskLabels,
    TaskList, TaskQuery,
};
use recovery_types::Timestamp;

pub(super) fn empty(make: Make<'_>) {
    let mut journal = make();
    let a = task("a");
    assert_eq!(journal.records(&a, 1).unwrap(), []);
    assert_eq!(journal.find(&a, &id("x")).unwrap(), None);
    assert_eq!(journal.snapshot(&a, "v1").unwrap(), None);
    assert_eq!(journal.tasks().unwrap(), []);
    assert_eq!(journal.all().unwrap(), []);
    assert_eq!(journal.latest(5).unwrap(), []);
    assert_eq!(journal.transact(&a, |chain| chain.head()).unwrap(), None);
    let found = journal.verify().unwrap();
    assert!(found.is_sound() && found.records == 0 && found.tasks == 0, "{found:?}");
}

pub(super) fn numbered_and_chained(make: Make<'_>) {
    let mut journal = make();
    let mut heads = [ChainHash::START; 2];
    for seq in 1..=5 {
        for (name, head) in ["a", "b"].into_iter().zip(&mut heads) {
            let Appended { record, new } = journal.append(&task(name), note(seq, &format!("{seq}"))).unwrap();
            assert!(new);
            assert_eq!((record.seq, record.prev), (seq, *head));
            assert_eq!(record.hash, record_hash(&record));
            *head = record.hash;
        }
    }
    assert_ne!(heads[0], heads[1], "the task is part of the hash");
    let found = journal.verify().unwrap();
    assert!(found.is_sound() && found.records == 10 && found.tasks == 2, "{found:?}");
}

pub(super) fn reads_back(make: Make<'_>) {
    let mut journal = make();
    let a = task("naïve task/ü 1; DROP TABLE records");
    let mut stored = Vec::new();
    for (n, kind) in RecordKind::ALL.into_iter().enumerate() {
        let new = NewRecord {
            at: Timestamp::from_ms(-1 + n as i64 * 1_000_003),
            kind,
            content_id: (n % 2 == 0).then(|| id(&format!("id {n}"))),
            body: format!(r#"{{ "z" : {n}, "a":"é\u0000\n", "n":1.50e3,"z":null }}"#),
        };
        let Appended { record, .. } = journal.append(&a, new.clone()).unwrap();
        assert_eq!(
            new,
            NewRecord {
                at: record.at,
                kind: record.kind.clone(),
                content_id: record.content_id.clone(),
                body: record.body.clone()
            }
        );
        stored.push(record);
    }
    assert_eq!(journal.records(&a, 0).unwrap(), stored);
    assert_eq!(journal.records(&a, 4).unwrap(), stored[3..]);
    assert_eq!(journal.records(&a, 1_000).unwrap(), []);
    assert_eq!(journal.records(&a, u64::MAX).unwrap(), []);
    assert_eq!(journal.all().unwrap(), stored);
}

pub(super) fn idempotent(make: Make<'_>) {
    let mut journal = make();
    let a = task("a");
    let first = journal.append(&a, event("toolu_1", "1")).unwrap();
    journal.append(&a, event("toolu_2", "2")).unwrap();
    // What came first stays, whatever the second delivery contains.
    let again = journal.append(&a, event("toolu_1", "\"another body\"")).unwrap();
    assert_eq!(again, Appended { record: first.record.clone(), new: false });
    assert_eq!(journal.find(&a, &id("toolu_1")).unwrap(), Some(first.record));
    assert_eq!(journal.records(&a, 1).unwrap().len(), 2);
    // No id: no two deliveries are the same.
    assert!(journal.append(&a, note(1, "1")).unwrap().new && journal.append(&a, note(1, "1")).unwrap().new);
}

pub(super) fn ids_per_task(make: Make<'_>) {
    let mut journal = make();
    assert!(journal.append(&task("a"), event("x", "1")).unwrap().new);
    assert!(journal.append(&task("b"), event("x", "1")).unwrap().new);
    assert_eq!(journal.find(&task("c"), &id("x")).unwrap(), None);
}

pub(super) fn sees_its_writes(make: Make<'_>) {
    let mut journal = make();
    let a = task("a");
    journal.append(&a, note(1, "1")).unwrap();
    let seen = journal
        .transact(&a, |chain| {
            assert_eq!(chain.head()?.map(|head| head.seq), Some(1));
            let second = chain.append(event("x", "2"))?.record;
            assert_eq!(chain.head()?, Some(second.head()));
            assert_eq!(chain.find(&id("x"))?.as_ref(), Some(&second));
            assert!(!chain.append(event("x", "2"))?.new);
            chain.put_snapshot("v1", b"two")?;
            assert_eq!(chain.snapshot("v1")?.map(|snapshot| snapshot.seq), Some(2));
            chain.append(note(3, "3"))?;
            chain.records(2)
        })
        .unwrap();
    assert_eq!(seen.iter().map(|record| record.seq).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(journal.records(&a, 2).unwrap(), seen);
}

pub(super) fn fails_whole(make: Make<'_>) {
    let mut journal = make();
    let a = task("a");
    let before = journal.append(&a, note(1, "1")).unwrap().record;
    journal
        .transact(&a, |chain| {
            chain.append(event("x", "2"))?;
            chain.put_snapshot("v1", b"two")?;
            Err::<(), _>(StoreError::Abandoned)
        })
        .unwrap_err();
    assert_eq!(journal.records(&a, 1).unwrap(), [before]);
    assert_eq!(journal.snapshot(&a, "v1").unwrap(), None);
    assert_eq!(journal.find(&a, &id("x")).unwrap(), None);
    // The place is free again, and nobody is locked out.
    assert_eq!(journal.append(&a, note(2, "2")).unwrap().record.seq, 2);
    assert!(journal.verify().unwrap().is_sound());
}

pub(super) fn own_error(make: Make<'_>) {
    #[derive(Debug)]
    struct Mine(String);
    impl From<StoreError> for Mine {
        fn from(error: StoreError) -> Self {
            Self(error.to_string())
        }
    }
    let error = make().transact(&task("a"), |_| Err::<(), _>(Mine("mine".to_owned()))).unwrap_err();
    assert_eq!(error.0, "mine");
}

pub(super) fn bad_body(make: Make<'_>) {
    let mut journal = make();
    for body in ["", "{", "{}\n", "[1,\n2]", " 1", "no"] {
        let error = journal.append(&task("a"), note(1, body)).unwrap_err();
        assert!(matches!(error, StoreError::InvalidBody { .. }), "{body:?}: {error}");
    }
    assert_eq!(journal.tasks().unwrap(), []);
}

pub(super) fn snapshots(make: Make<'_>) {
    let mut journal = make();
    let a = task("a");
    let put = |journal: &mut dyn Journal, tag: &str, state: &[u8]| {
        journal.transact(&a, |chain| chain.put_snapshot(tag, state))
    };
    assert!(matches!(put(&mut *journal, "v1", b"x"), Err(StoreError::NothingToCache { .. })));
    journal.append(&a, note(1, "1")).unwrap();
    put(&mut *journal, "v1", b"one").unwrap();
    journal.append(&a, note(2, "2")).unwrap();
    let snapshot = journal.snapshot(&a, "v1").unwrap().unwrap();
    assert_eq!((snapshot.seq, snapshot.state.as_slice()), (1, b"one".as_slice()));
    assert_eq!(journal.snapshot(&a, "v2").unwrap(), None, "another format");
    assert_eq!(journal.snapshot(&task("b"), "v1").unwrap(), None, "another task");
    put(&mut *journal, "v2", b"\0\xff").unwrap();
    assert_eq!(journal.snapshot(&a, "v1").unwrap(), None, "replaced");
    let snapshot = journal.snapshot(&a, "v2").unwrap().unwrap();
    assert_eq!((snapshot.seq, snapshot.state.as_slice()), (2, b"\0\xff".as_slice()));
}

pub(super) fn resources(make: Make<'_>) {
    let mut journal = make();
    assert_eq!(journal.resource("host:a").unwrap(), None);
    let put = journal.transact(&task("a"), |chain| {
        assert_eq!(chain.resource("host:a")?, None);
        chain.put_resource("host:a", b"1")?;
        assert_eq!(chain.resource("host:a")?.as_deref(), Some(b"1".as_slice()));
        chain.put_resource("host:a", b"\0\xff")
    });
    put.unwrap();
    let gave_up = journal.transact(&task("b"), |chain| {
        assert_eq!(chain.resource("host:a")?.as_deref(), Some(b"\0\xff".as_slice()), "another task finds it");
        chain.put_resource("host:a", b"3")?;
        Err::<(), _>(StoreError::Abandoned)
    });
    gave_up.unwrap_err();
    assert_eq!(journal.resource("host:a").unwrap().as_deref(), Some(b"\0\xff".as_slice()));
    assert_eq!(journal.resources().unwrap(), [("host:a".to_owned(), b"\0\xff".to_vec())]);
    assert_eq!(journal.tasks().unwrap(), [], "it is no task's record");
}

pub(super) fn listed(make: Make<'_>) {
    let mut journal = make();
    for name in ["b", "a", "c", "a"] {
        journal.append(&task(name), note(7, "1")).unwrap();
    }
    let last = journal.append(&task("a"), event("x", "1")).unwrap().record;
    let tasks = journal.tasks().unwrap();
    let names: Vec<_> = tasks.iter().map(|summary| (summary.task.as_str(), summary.records)).collect();
    assert_eq!(names, [("a", 3), ("b", 1), ("c", 1)]);
    assert_eq!((tasks[0].first_at, tasks[0].last_at), (Timestamp::from_ms(7), Timestamp::from_ms(0)));
    assert_eq!((&tasks[0].last_kind, tasks[0].hash), (&RecordKind::Event, last.hash));
}

pub(super) fn queried(make: Make<'_>) {
    let mut journal = make();
    let (closed, open, other) = (TaskList::CLOSED, TaskList::OPEN, TaskList(5));
    for (name, at, list, parent, due_at) in [
        ("a", 1, open, Some("S-1"), Some(70)),
        ("b", 3, closed, Some("S-1"), None),
        ("c", 2, other, None, Some(60)),
        ("d", 3, open, Some("S-2"), None),
    ] {
        let labels = TaskLabels { list, parent: parent.map(str::to_owned), due_at: due_at.map(Timestamp::from_ms) };
        let stored = journal.transact(&task(name), |chain| {
            chain.append(note(at, "1"))?;
            chain.put_labels(&labels)
        });
        stored.unwrap();
        assert_eq!(journal.task(&task(name)).unwrap().unwrap().labels, labels);
    }
    journal.append(&task("e"), note(9, "1")).unwrap();
    journal.append(&task("d"), note(3, "2")).unwrap();
    assert_eq!(journal.task(&task("d")).unwrap().unwrap().labels.due_at, None, "labels stay until they are put again");
    let names = |query: TaskQuery<'_>| -> String {
        journal.tasks_where(&query).unwrap().iter().map(|summary| summary.task.as_str().to_owned()).collect()
    };
    let all = TaskQuery::default();
    assert_eq!(names(all), "ebdca", "newest first, then by name");
    assert_eq!(names(TaskQuery { lists: &[open], ..all }), "eda", "a task that was never labelled is open");
    assert_eq!(names(TaskQuery { lists: &[other, open], ..all }), "edca", "lists are merged by time");
    assert_eq!(names(TaskQuery { lists: &[other, open], limit: 3, ..all }), "edc");
    assert_eq!(names(TaskQuery { parent: Some("S-1"), ..all }), "ba");
    assert_eq!(names(TaskQuery { parent: Some("S-1"), limit: 1, ..all }), "b");
    assert_eq!(names(TaskQuery { parent: Some("S-1"), lists: &[open], limit: 1, ..all }), "a");
    assert_eq!(names(TaskQuery { since: Some(Timestamp::from_ms(2)), ..all }), "ebd", "after, not at");
    assert_eq!(names(TaskQuery { until: Some(Timestamp::from_ms(2)), ..all }), "ca", "before or at");
    let page = journal.tasks_where(&TaskQuery { limit: 2, ..all }).unwrap();
    assert_eq!(names(TaskQuery { after: page.last(), limit: 2, ..all }), "dc", "the next page");
    assert_eq!(names(TaskQuery { limit: 0, ..all }), "");
    let page = |after: Option<&str>, limit| -> String {
        let page = journal.tasks_by_name(after.map(task).as_ref(), limit).unwrap();
        page.iter().map(|summary| summary.task.as_str().to_owned()).collect()
    };
    assert_eq!((page(None, 2), page(Some("b"), 9), page(Some("e"), 9)), ("ab".into(), "cde".into(), String::new()));
    assert_eq!((journal.task_count().unwrap(), journal.task(&task("x")).unwrap()), (5, None));
    let due = |by, limit| journal.tasks_due(Timestamp::from_ms(by), limit).unwrap();
    assert_eq!(due(59, 9), [task("e")], "a task that was never labelled is due at once");
    assert_eq!(due(70, 9), [task("e"), task("c"), task("a")], "the earliest first");
    assert_eq!(due(70, 1), [task("e")]);
}

pub(super) fn found_by_name(make: Make<'_>) {
    let mut journal = make();
    for (at, name) in ["cargo test", "Cargo build", "make", "100% of a_b"].into_iter().enumerate() {
        journal.append(&task(name), note(at as u64, "1")).unwrap();
    }
    let like = |part: &str, limit| journal.tasks_named_like(part, limit).unwrap();
    assert_eq!(like("CARGO", 9), [task("Cargo build"), task("cargo test")], "newest first, whatever the case");
    assert_eq!(like("cargo", 1), [task("Cargo build")]);
    assert_eq!(like("0% of a_", 9), [task("100% of a_b")]);
    assert_eq!(like("%", 9), [task("100% of a_b")], "no character is special");
    assert_eq!(like("gradle", 9), []);
}

pub(super) fn grouped(make: Make<'_>) {
    let mut journal = make();
    journal.append(&task("a"), note(1, "1")).unwrap();
    journal.begin_group().unwrap();
    journal.append(&task("a"), note(2, "2")).unwrap();
    let failed = journal.transact(&task("b"), |chain| {
        chain.append(event("x", "1"))?;
        Err::<(), _>(StoreError::Abandoned)
    });
    failed.unwrap_err();
    assert_eq!(journal.append(&task("b"), event("y", "1")).unwrap().record.seq, 1, "the failed step left nothing");
    assert_eq!(journal.records(&task("a"), 1).unwrap().len(), 2, "a group sees what it did");
    journal.commit_group().unwrap();
    journal.commit_group().unwrap();
    assert_eq!(journal.all().unwrap().len(), 3);
    journal.append(&task("b"), note(3, "3")).unwrap();
    assert!(journal.verify().unwrap().is_sound());
}

pub(super) fn newer_kinds(make: Make<'_>) {
    let mut journal = make();
    let newer = RecordKind::from_name("of_tomorrow").unwrap();
    let record = NewRecord { kind: newer.clone(), ..note(1, "{}") };
    journal.append(&task("a"), record).unwrap();
    assert_eq!(journal.records(&task("a"), 1).unwrap()[0].kind, newer);
    assert!(journal.verify().unwrap().is_sound());
    let mut there = make();
    import(&mut *there, &mut exported(&*journal).as_bytes()).unwrap();
    assert_eq!(there.all().unwrap(), journal.all().unwrap());
    for name in ["", "Event", "a b", "x\u{1b}", "a_name_that_is_longer_than_any_kind"] {
        assert_eq!(RecordKind::from_name(name), None, "{name:?}");
    }
}

pub(super) fn order(make: Make<'_>) {
    let mut journal = make();
    let names = ["b", "a", "b", "c", "a"];
    for name in names {
        journal.append(&task(name), note(1, "1")).unwrap();
    }
    let order = |records: &[Record]| records.iter().map(|record| record.task.to_string()).collect::<Vec<_>>();
    assert_eq!(order(&journal.all().unwrap()), names);
    assert_eq!(order(&journal.latest(2).unwrap()), names[3..]);
    assert_eq!(journal.latest(u64::MAX).unwrap().len(), 5);
    assert_eq!(journal.latest(0).unwrap(), []);
    let stop = journal.scan(&mut |_| Err(StoreError::Abandoned));
    assert!(matches!(stop, Err(StoreError::Abandoned)));
}

pub(super) fn adopted(make: Make<'_>) {
    let mut here = make();
    for seq in 0..4_u64 {
        here.append(&task(["a", "b"][seq as usize % 2]), event(&format!("{seq}"), "{}")).unwrap();
    }
    let text = exported(&*here);
    assert!(verify_export(&mut text.as_bytes()).unwrap().is_sound());

    let mut there = make();
    assert_eq!(import(&mut *there, &mut text.as_bytes()).unwrap(), Adopted { new: 4, known: 0 });
    assert_eq!(import(&mut *there, &mut text.as_bytes()).unwrap(), Adopted { new: 0, known: 4 });
    assert_eq!(there.all().unwrap(), here.all().unwrap());
    assert_eq!(exported(&*there), text);

    // What has grown since comes in; what went its own way does not, nor anything with it.
    here.append(&task("a"), note(9, "5")).unwrap();
    assert_eq!(import(&mut *there, &mut exported(&*here).as_bytes()).unwrap(), Adopted { new: 1, known: 4 });
    there.append(&task("b"), note(1, "\"there\"")).unwrap();
    here.append(&task("c"), note(1, "\"new\"")).unwrap();
    here.append(&task("b"), note(1, "\"here\"")).unwrap();
    let before = there.all().unwrap();
    let error = import(&mut *there, &mut exported(&*here).as_bytes()).unwrap_err();
    assert!(matches!(error, StoreError::Import { line: 7, .. }), "{error}");
    assert_eq!(there.all().unwrap(), before);

    // A record that links well but takes another's content id.
    let mut forged = there.records(&task("a"), 1).unwrap().pop().unwrap();
    (forged.seq, forged.prev) = (forged.seq + 1, forged.hash);
    forged.content_id = Some(id("0"));
    forged.hash = record_hash(&forged);
    let error = there.adopt(&mut std::iter::once(forged.clone())).unwrap_err();
    assert!(matches!(error, StoreError::Conflict { reason: ConflictReason::ContentIdTaken, .. }), "{error}");
    // And one that is not what its hash says.
    forged.content_id = None;
    let error = there.adopt(&mut std::iter::once(forged)).unwrap_err();
    assert!(matches!(error, StoreError::Conflict { reason: ConflictReason::Chain(_), .. }), "{error}");
    assert_eq!(there.all().unwrap(), before);

    // A gap is no chain.
    let without_first = text.split_once('\n').unwrap().1;
    let error = import(&mut *make(), &mut without_first.as_bytes()).unwrap_err();
    assert!(matches!(error, StoreError::Import { line: 2, .. }), "{error}");
}
