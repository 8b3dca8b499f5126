//! The journal file among other files, other programs and other versions.

use recovery_store::{
    ContentId, DEFAULT_WAIT, FaultKind, Journal as _, JournalExt as _, NewRecord, Record, RecordKind, SqliteJournal,
    StoreError, TaskId, TaskList, TaskQuery,
};
use recovery_types::Timestamp;
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(40);

#[test]
fn the_state_directory_hides_itself_from_git() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("deep/.recovery");
    drop(SqliteJournal::open_in(&dir, DEFAULT_WAIT).unwrap());
    assert_eq!(std::fs::read_to_string(dir.join(".gitignore")).unwrap(), "*\n");
    assert!(SqliteJournal::path_in(&dir).exists());

    // A person's own file stays.
    std::fs::write(dir.join(".gitignore"), "*.db\n").unwrap();
    std::fs::remove_file(SqliteJournal::path_in(&dir)).unwrap();
    drop(SqliteJournal::open_in(&dir, DEFAULT_WAIT).unwrap());
    assert_eq!(std::fs::read_to_string(dir.join(".gitignore")).unwrap(), "*.db\n");
}

#[test]
fn what_is_not_a_journal_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let text = place.path().join("notes.txt");
    std::fs::write(&text, "remember the milk, ".repeat(100)).unwrap();
    let other = place.path().join("other.db");
    let conn = Connection::open(&other).unwrap();
    conn.execute_batch("CREATE TABLE songs (title TEXT); PRAGMA user_version = 2").unwrap();
    drop(conn);

    for path in [&text, &other] {
        let before = std::fs::read(path).unwrap();
        for error in
            [SqliteJournal::open(path, SHORT).unwrap_err(), SqliteJournal::open_read_only(path, SHORT).unwrap_err()]
        {
            assert!(matches!(error, StoreError::NotAJournal { .. }), "{error}");
            assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
        }
        assert_eq!(std::fs::read(path).unwrap(), before);
    }

    let error = SqliteJournal::open(&place.path().join("missing/journal.db"), SHORT).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");
    let error = SqliteJournal::open_read_only(&place.path().join("journal.db"), SHORT).unwrap_err();
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
}

/// SQLite would call these disk errors, find nothing, or wait for ever.
#[test]
fn what_stands_in_the_journals_place_is_named() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    std::fs::write(&file, "remember the milk").unwrap();
    for state_dir in [file.clone(), file.join("below")] {
        let path = SqliteJournal::path_in(&state_dir);
        for error in [
            SqliteJournal::open_in(&state_dir, SHORT).unwrap_err(),
            SqliteJournal::open_read_only(&path, SHORT).unwrap_err(),
            SqliteJournal::verify_at(&path, SHORT).unwrap_err(),
        ] {
            assert!(matches!(&error, StoreError::NotADirectory { path } if *path == file), "{error}");
        }
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "remember the milk");

    let dir = place.path().join("dir");
    std::fs::create_dir_all(SqliteJournal::path_in(&dir)).unwrap();
    for error in [
        SqliteJournal::open_in(&dir, SHORT).unwrap_err(),
        SqliteJournal::open_read_only(&SqliteJournal::path_in(&dir), SHORT).unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::NotAJournal { what: "a directory", .. }), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_says_why() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let (place, path) = journal_with(1);
    let round = place.path().join("round");
    symlink(&round, &round).unwrap();
    for error in
        [SqliteJournal::open(&round, SHORT).unwrap_err(), SqliteJournal::open_read_only(&round, SHORT).unwrap_err()]
    {
        assert!(matches!(error, StoreError::NotAJournal { what: "a symbolic link", .. }), "{error}");
    }

    let pipe = place.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for error in
        [SqliteJournal::open(&pipe, SHORT).unwrap_err(), SqliteJournal::open_read_only(&pipe, SHORT).unwrap_err()]
    {
        assert!(matches!(error, StoreError::NotAJournal { .. }), "{error}");
    }

    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever may read everything is not stopped by that.
    if let Err(refused) = std::fs::File::open(&path) {
        let error = SqliteJournal::open_read_only(&path, SHORT).unwrap_err().to_string();
        assert!(error.contains(&refused.to_string()), "{error}");
    }
}

/// However many pages are left, checking finds a fault and does not itself fail.
#[test]
fn a_truncated_file_is_a_fault() {
    let (_place, path) = journal_with(40);
    sql(&path, "PRAGMA wal_checkpoint(TRUNCATE)");
    let whole = std::fs::read(&path).unwrap();
    for length in [50, 100, 512, 4096, 8192, whole.len() / 2, whole.len() - 4096] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let found = SqliteJournal::verify_at(&path, SHORT).unwrap_or_else(|error| panic!("{length}: {error}"));
        assert!(found.faults.iter().any(|fault| matches!(fault.kind, FaultKind::DamagedFile { .. })), "{length}");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(SqliteJournal::verify_at(&path, SHORT).unwrap().is_sound());
}

#[test]
fn a_newer_file_is_refused() {
    let (_place, path) = journal_with(3);
    sql(&path, "PRAGMA user_version = 99");
    let before = std::fs::read(&path).unwrap();
    for error in
        [SqliteJournal::open(&path, SHORT).unwrap_err(), SqliteJournal::open_read_only(&path, SHORT).unwrap_err()]
    {
        assert!(error.to_string().contains("written by a newer recovery"), "{error}");
        assert!(error.to_string().contains("upgrade"), "{error}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_of_format_1_is_brought_up_to_date() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal.db");
    sql(&path, include_str!("fixtures/journal-v1.sql"));

    let reader = SqliteJournal::open_read_only(&path, SHORT).unwrap();
    let records = reader.all().unwrap();
    assert_eq!(records.len(), 4);
    assert_eq!(reader.snapshot(&task("TASK-00101"), "v1").unwrap(), None);
    assert!(reader.verify().unwrap().is_sound());
    drop(reader);
    assert_eq!(version(&path), 1, "reading changes nothing");

    let mut journal = SqliteJournal::open(&path, SHORT).unwrap();
    assert_eq!(journal.all().unwrap(), records);
    let next = journal.append(&task("TASK-00101"), note("{}")).unwrap().record;
    assert_eq!((next.seq, next.prev), (4, records[3].hash));
    journal.transact(&task("TASK-00101"), |chain| chain.put_snapshot("v1", b"state")).unwrap();
    assert!(journal.verify().unwrap().is_sound());
    drop(journal);
    assert_eq!(version(&path), 6);
}

#[test]
fn a_file_without_a_list_of_tasks_gets_one() {
    let (_place, path) = journal_with(2);
    let mut journal = SqliteJournal::open(&path, SHORT).unwrap();
    let state = br#"{"parent":"S-1"}"#;
    journal.transact(&task("a"), |chain| chain.put_snapshot("v1", state)).unwrap();
    drop(journal);
    sql(
        &path,
        "DROP TRIGGER list_task; DROP TABLE tasks; DROP TABLE resources; ALTER TABLE records DROP COLUMN deflated;
        PRAGMA user_version = 2",
    );
    let reader = SqliteJournal::open_read_only(&path, SHORT).unwrap();
    let query = TaskQuery { limit: 1, ..TaskQuery::default() };
    assert_eq!(reader.tasks_where(&query).unwrap()[0].records, 2, "an older file is read as it is");
    drop(reader);
    let journal = SqliteJournal::open(&path, SHORT).unwrap();
    let children = journal.tasks_where(&TaskQuery { parent: Some("S-1"), ..query }).unwrap();
    assert_eq!((children[0].task.as_str(), children[0].records), ("a", 2));
    assert!(journal.verify().unwrap().is_sound());
}

/// Format 4 knew of a task only whether it was open.
#[test]
fn a_list_of_format_4_is_brought_up_to_date() {
    let (_place, path) = journal_with(2);
    let mut journal = SqliteJournal::open(&path, SHORT).unwrap();
    journal.append(&task("done"), note("{}")).unwrap();
    drop(journal);
    let back = "DROP INDEX tasks_by_list; DROP INDEX tasks_by_due;
        ALTER TABLE tasks ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1;
        UPDATE tasks SET is_open = 0 WHERE task = 'done';
        ALTER TABLE tasks DROP COLUMN list; ALTER TABLE tasks DROP COLUMN due_at;
        CREATE INDEX tasks_by_time ON tasks (last_at DESC, task);
        CREATE INDEX open_tasks_by_time ON tasks (last_at DESC, task) WHERE is_open;
        ALTER TABLE records DROP COLUMN deflated;
        PRAGMA user_version = 4";
    sql(&path, back);
    let now = Timestamp::from_ms(i64::MAX / 2);
    let check = |journal: &SqliteJournal| {
        let open = journal.tasks_where(&TaskQuery { lists: &[TaskList::OPEN], ..TaskQuery::default() }).unwrap();
        let closed = journal.tasks_where(&TaskQuery { lists: &[TaskList::CLOSED], ..TaskQuery::default() }).unwrap();
        let names = [open, closed].map(|list| list.into_iter().map(|task| task.task).collect::<Vec<_>>());
        assert_eq!(names, [vec![task("a")], vec![task("done")]]);
        assert_eq!(journal.tasks_due(now, 9).unwrap(), [task("a")], "open ones are to be labelled again");
        assert_eq!(journal.tasks_named_like("DON", 9).unwrap(), [task("done")]);
        assert_eq!(journal.tasks_by_name(Some(&task("a")), 9).unwrap()[0].task, task("done"));
        assert_eq!((journal.task_count().unwrap(), journal.task(&task("a")).unwrap().unwrap().records), (2, 2));
    };
    check(&SqliteJournal::open_read_only(&path, SHORT).unwrap());
    assert_eq!(version(&path), 4, "reading changes nothing");
    let journal = SqliteJournal::open(&path, SHORT).unwrap();
    check(&journal);
    assert!(journal.verify().unwrap().is_sound());
}

#[test]
fn a_long_body_is_stored_compressed_and_read_as_it_was() {
    let (_place, path) = journal_with(1);
    let body = format!("{{\"stderr_tail\":\"{}\"}}", "could not compile `app` due to 1 previous error; ".repeat(60));
    let record = SqliteJournal::open(&path, SHORT).unwrap().append(&task("a"), note(&body)).unwrap().record;
    let journal = SqliteJournal::open_read_only(&path, SHORT).unwrap();
    assert_eq!(journal.records(&task("a"), 2).unwrap(), [record]);
    drop(journal);
    let stored = "SELECT length(body) + length(deflated) FROM records WHERE seq = 2";
    let stored: u32 = Connection::open(&path).unwrap().query_row(stored, [], |row| row.get(0)).unwrap();
    assert!((stored as usize) * 10 < body.len(), "{stored} of {}", body.len());
    for change in ["body = '{}'", "deflated = x'00'", "deflated = NULL", "deflated = substr(deflated, 2)"] {
        let copy = path.with_file_name("copy.db");
        settle(&path);
        std::fs::copy(&path, &copy).unwrap();
        sql(&copy, &format!("UPDATE records SET {change} WHERE seq = 2"));
        let found = SqliteJournal::verify_at(&copy, SHORT).unwrap();
        assert_eq!(found.faults.first().and_then(|fault| fault.seq), Some(2), "{change}: {found:?}");
    }
}

#[test]
fn a_list_of_tasks_that_was_edited_is_noticed() {
    for change in ["DELETE FROM tasks", "UPDATE tasks SET records = 1"] {
        let (_place, path) = journal_with(2);
        sql(&path, change);
        let found = SqliteJournal::verify_at(&path, SHORT).unwrap();
        assert!(found.faults.iter().any(|fault| fault.kind == FaultKind::WrongList), "{change}: {found:?}");
    }
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal.db");
    sql(&path, include_str!("fixtures/journal-v1.sql"));
    // Something is in the way of the second step.
    sql(&path, "CREATE TABLE snapshots (other TEXT)");
    SqliteJournal::open(&path, SHORT).unwrap_err();
    assert_eq!(version(&path), 1);
    assert_eq!(SqliteJournal::open_read_only(&path, SHORT).unwrap().all().unwrap().len(), 4);
}

#[test]
fn waiting_for_another_writer_is_bounded() {
    let (_place, path) = journal_with(1);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut journal = SqliteJournal::open(&path, SHORT).unwrap();
    let start = std::time::Instant::now();
    let error = journal.append(&task("a"), note("{}")).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(4), "waited {:?}", start.elapsed());
    assert!(matches!(error, StoreError::Busy { waited_ms: 40, .. }), "{error}");
    assert!(error.to_string().contains("another process"), "{error}");
    assert_eq!(journal.records(&task("a"), 1).unwrap().len(), 1, "readers do not wait");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(journal.append(&task("a"), note("{}")).unwrap().record.seq, 2);
}

#[test]
fn many_may_start_at_once() {
    for _ in 0..5 {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join(".recovery");
        together(8, |n| {
            let mut journal = SqliteJournal::open_in(&dir, Duration::from_secs(60)).unwrap();
            journal.append(&task(&format!("t{n}")), note("{}")).unwrap();
        });
        let journal = SqliteJournal::open_in(&dir, DEFAULT_WAIT).unwrap();
        assert_eq!(journal.tasks().unwrap().len(), 8);
        assert!(journal.verify().unwrap().is_sound());
    }
}

#[test]
fn the_same_delivery_from_many_is_one_record() {
    let (_place, path) = journal_with(0);
    let appended = together(8, |n| {
        let mut journal = SqliteJournal::open(&path, Duration::from_secs(60)).unwrap();
        (0..5)
            .map(|delivery| {
                let id = Some(ContentId::new(format!("toolu_{delivery}")).unwrap());
                let new = NewRecord { content_id: id, ..note(&format!(r#"{{"from":{n}}}"#)) };
                journal.append(&task("a"), new).unwrap()
            })
            .collect::<Vec<_>>()
    });
    assert_eq!(appended.iter().flatten().filter(|appended| appended.new).count(), 5);
    let stored = SqliteJournal::open(&path, SHORT).unwrap().records(&task("a"), 1).unwrap();
    for all in &appended {
        let acknowledged: Vec<&Record> = all.iter().map(|appended| &appended.record).collect();
        assert_eq!(acknowledged.len(), 5);
        assert!(acknowledged.iter().all(|record| stored.contains(record)), "every acknowledged record is stored");
    }
}

#[test]
fn reading_deciding_and_appending_is_one_step() {
    let (_place, path) = journal_with(0);
    together(8, |_| {
        let mut journal = SqliteJournal::open(&path, Duration::from_secs(60)).unwrap();
        for _ in 0..6 {
            journal
                .transact(&task("a"), |chain| {
                    let attempt = chain.records(1)?.len() + 1;
                    chain.append(note(&attempt.to_string()))
                })
                .unwrap();
        }
    });
    let stored = SqliteJournal::open(&path, SHORT).unwrap().records(&task("a"), 1).unwrap();
    assert_eq!(stored.len(), 48);
    assert!(stored.iter().all(|record| record.body == record.seq.to_string()), "no two counted the same attempt");
}

#[test]
fn verify_names_the_record_that_was_changed() {
    type Expected = fn(&FaultKind) -> bool;
    let cases: [(&str, u64, Expected); 7] = [
        ("UPDATE records SET body = '{}' WHERE seq = 3", 3, |kind| *kind == FaultKind::WrongHash),
        ("UPDATE records SET at = at + 1 WHERE seq = 2", 2, |kind| *kind == FaultKind::WrongHash),
        ("UPDATE records SET prev = zeroblob(32) WHERE seq = 4", 4, |kind| *kind == FaultKind::WrongPrevious),
        ("DELETE FROM records WHERE seq = 2", 3, |kind| *kind == FaultKind::OutOfSequence { expected: 2 }),
        ("UPDATE records SET kind = 'Gossip!' WHERE seq = 5", 5, |kind| matches!(kind, FaultKind::Unreadable { .. })),
        ("UPDATE records SET hash = x'00' WHERE seq = 1", 1, |kind| matches!(kind, FaultKind::Unreadable { .. })),
        ("UPDATE records SET at = 1 << 62 WHERE seq = 1", 1, |kind| matches!(kind, FaultKind::Unreadable { .. })),
    ];
    for (change, seq, expected) in cases {
        let (_place, path) = journal_with(5);
        sql(&path, change);
        let found = SqliteJournal::open(&path, SHORT).unwrap().verify().unwrap();
        let [fault] = &found.faults[..] else { panic!("{change}: {found:?}") };
        assert_eq!((fault.task.as_ref().map(TaskId::as_str), fault.seq), (Some("a"), Some(seq)), "{change}");
        assert!(expected(&fault.kind), "{change}: {fault}");
    }
}

#[test]
fn a_stale_snapshot_is_not_shown() {
    let (_place, path) = journal_with(2);
    let mut journal = SqliteJournal::open(&path, SHORT).unwrap();
    journal.transact(&task("a"), |chain| chain.put_snapshot("v1", b"state")).unwrap();
    assert!(journal.snapshot(&task("a"), "v1").unwrap().is_some());
    // A chain that went another way since, say from a restored backup.
    sql(&path, "UPDATE snapshots SET hash = zeroblob(32)");
    assert_eq!(journal.snapshot(&task("a"), "v1").unwrap(), None);
}

#[test]
fn a_damaged_file_is_noticed_or_harmless() {
    let (_place, path) = journal_with(12);
    let original = SqliteJournal::open(&path, SHORT).unwrap().all().unwrap();
    settle(&path);
    let bytes = std::fs::read(&path).unwrap();
    let mut noticed = 0;
    for at in (0..bytes.len()).step_by(61) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x15;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("journal.db");
        std::fs::write(&path, damaged).unwrap();
        let Ok(journal) = SqliteJournal::open_read_only(&path, SHORT) else {
            noticed += 1;
            continue;
        };
        match journal.verify() {
            Ok(found) if found.is_sound() => assert_eq!(journal.all().unwrap(), original, "byte {at}"),
            _ => noticed += 1,
        }
    }
    assert!(noticed > 20, "only {noticed} flipped bytes were noticed");
}

fn journal_with(records: usize) -> (tempfile::TempDir, std::path::PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("journal.db");
    let mut journal = SqliteJournal::open(&path, DEFAULT_WAIT).unwrap();
    for n in 0..records {
        journal.append(&task("a"), note(&format!(r#"{{"n":{n}}}"#))).unwrap();
    }
    drop(journal);
    (place, path)
}

/// Runs `work` on `count` threads that start at the same moment.
fn together<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = std::sync::Barrier::new(count);
    let (start, work) = (&start, &work);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|n| {
                scope.spawn(move || {
                    start.wait();
                    work(n)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Moves the log into the file, so that the file is all there is.
fn settle(path: &Path) {
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
}

fn sql(path: &Path, text: &str) {
    Connection::open(path).unwrap().execute_batch(text).unwrap();
}

fn version(path: &Path) -> i64 {
    Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

fn task(name: &str) -> TaskId {
    TaskId::new(name).unwrap()
}

fn note(body: &str) -> NewRecord {
    NewRecord { at: Timestamp::from_ms(0), kind: RecordKind::Note, content_id: None, body: body.to_owned() }
}
