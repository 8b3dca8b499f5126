//! Whatever is lost of the journal is noticed, said, and not overwritten.

use recovery_store::{
    DEFAULT_WAIT, FaultKind, Journal as _, JournalExt as _, NewRecord, RecordKind, SqliteJournal, Store, TaskId,
};
use recovery_types::Timestamp;
use std::path::{Path, PathBuf};

const RECORDS: u64 = 12;

fn note(n: u64) -> NewRecord {
    NewRecord {
        at: Timestamp::from_ms(n.cast_signed()),
        kind: RecordKind::Note,
        content_id: None,
        body: format!(r#"{{"text":"record number {n} of this journal"}}"#),
    }
}

fn task(n: u64) -> TaskId {
    TaskId::new(format!("task {}", n % 3)).unwrap()
}

/// A state directory whose journal has [`RECORDS`] records, with all of them in its log.
fn filled() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..RECORDS {
        // A process per record, as hooks are.
        let mut journal = SqliteJournal::open_in(dir.path(), DEFAULT_WAIT).unwrap();
        journal.append(&task(n), note(n)).unwrap();
    }
    let path = SqliteJournal::path_in(dir.path());
    (dir, path)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn records(path: &Path) -> u64 {
    let mut number = 0;
    SqliteJournal::open_read_only(path, DEFAULT_WAIT)
        .unwrap()
        .scan(&mut |_| {
            number += 1;
            Ok(())
        })
        .unwrap();
    number
}

/// Verifying says so; opening says so, keeps the evidence as it was, and goes on.
fn is_noticed(path: &Path, left: u64, words: &str) {
    let found = SqliteJournal::verify_at(path, DEFAULT_WAIT).unwrap();
    assert!(!found.is_sound(), "{words}");
    let evidence = std::fs::read(path).ok();
    let log = std::fs::read(beside(path, "-wal")).ok();
    let mut journal = SqliteJournal::open(path, DEFAULT_WAIT).unwrap();
    let aside = journal.set_aside().unwrap_or_else(|| panic!("{words}: silent")).clone();
    assert!(aside.to_string().contains(words), "{aside}");
    assert_eq!((aside.carried, aside.missing), (left, RECORDS - left), "{aside}");
    assert_eq!(evidence.is_some(), aside.evidence.is_some());
    if let Some(kept) = &aside.evidence {
        assert!(std::fs::read(kept).ok() == evidence, "{words}: the evidence was changed");
        assert!(std::fs::read(beside(kept, "-wal")).ok() == log, "{words}: the evidence was changed");
    }
    journal.append(&task(0), note(99)).unwrap();
    drop(journal);
    assert!(SqliteJournal::verify_at(path, DEFAULT_WAIT).unwrap().is_sound());
    assert_eq!(records(path), left + 1);
    let again = SqliteJournal::open(path, DEFAULT_WAIT).unwrap();
    assert!(again.set_aside().is_none(), "said once");
}

#[test]
fn a_sound_journal_is_not_suspected() {
    let (_dir, path) = filled();
    assert!(SqliteJournal::open(&path, DEFAULT_WAIT).unwrap().set_aside().is_none());
    let found = SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap();
    assert!(found.is_sound() && found.records == RECORDS, "{found:?}");
}

#[test]
fn a_journal_without_anchors_is_as_good_as_before() {
    let (dir, path) = filled();
    std::fs::remove_file(dir.path().join("journal.heads")).unwrap();
    assert!(SqliteJournal::open(&path, DEFAULT_WAIT).unwrap().set_aside().is_none());
    assert!(SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap().is_sound());
}

/// Anchors that were deleted or overwritten come back, of every task, with the next process that writes.
#[test]
fn deleted_anchors_come_back() {
    for anchors in [None, Some(&b""[..]), Some(b"\xff\xfe no anchor")] {
        let (dir, path) = filled();
        let heads = dir.path().join("journal.heads");
        match anchors {
            None => std::fs::remove_file(&heads).unwrap(),
            Some(bytes) => std::fs::write(&heads, bytes).unwrap(),
        }
        drop(SqliteJournal::open(&path, DEFAULT_WAIT).unwrap());
        std::fs::remove_file(beside(&path, "-wal")).unwrap();
        let found = SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap();
        let lost = found.faults.iter().filter(|fault| matches!(fault.kind, FaultKind::Lost { .. })).count();
        assert_eq!(lost, 3, "{anchors:?}: {found:?}");
    }
}

#[test]
fn what_is_no_file_in_the_place_of_the_anchors_is_a_fault() {
    let (dir, path) = filled();
    let heads = dir.path().join("journal.heads");
    std::fs::remove_file(&heads).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", &heads).unwrap();
    let found = SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap();
    assert!(found.faults.iter().any(|fault| matches!(fault.kind, FaultKind::DamagedFile { .. })), "{found:?}");
}

/// Also a program that only reads learns of it.
#[test]
fn a_reader_is_told_of_a_loss() {
    let loss =
        |dir: &tempfile::TempDir| Store::Directory(dir.path().to_owned()).open_existing(DEFAULT_WAIT).unwrap().loss;
    let (dir, path) = filled();
    assert_eq!(loss(&dir), None);
    std::fs::remove_file(beside(&path, "-wal")).unwrap();
    assert!(loss(&dir).is_some());
    let (dir, path) = filled();
    for suffix in ["", "-wal", "-shm"] {
        std::fs::remove_file(beside(&path, suffix)).unwrap();
    }
    assert_eq!(loss(&dir).as_deref(), Some("the journal is gone"));
}

#[test]
fn a_deleted_log() {
    let (_dir, path) = filled();
    std::fs::remove_file(beside(&path, "-wal")).unwrap();
    let found = SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap();
    let lost = |kind: &FaultKind| matches!(kind, FaultKind::Lost { .. } | FaultKind::DamagedFile { .. });
    assert!(found.faults.iter().any(|fault| lost(&fault.kind)), "{found:?}");
    is_noticed(&path, 0, "journal");
}

#[test]
fn a_deleted_journal() {
    let (_dir, path) = filled();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&path, suffix));
    }
    is_noticed(&path, 0, "the journal is gone");
}

#[test]
fn an_empty_journal() {
    let (_dir, path) = filled();
    let _ = std::fs::remove_file(beside(&path, "-wal"));
    let _ = std::fs::remove_file(beside(&path, "-shm"));
    std::fs::write(&path, "").unwrap();
    is_noticed(&path, 0, "the journal is empty");
}

/// One byte after another of the log and of the database is changed: whatever record is missing or different then, it is
/// noticed. `RECOVERY_FLIPS` says how many bytes.
#[test]
fn a_changed_byte_is_never_silent() {
    let flips: usize = std::env::var("RECOVERY_FLIPS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (dir, path) = filled();
    let log = std::fs::read(beside(&path, "-wal")).unwrap();
    let base = std::fs::read(&path).unwrap();
    let anchors = std::fs::read(dir.path().join("journal.heads")).unwrap();
    let whole = SqliteJournal::verify_at(&path, DEFAULT_WAIT).unwrap();
    let original: Vec<String> = bodies(&path);
    {
        let journal = rusqlite::Connection::open(&path).unwrap();
        journal.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    }
    let checkpointed = std::fs::read(&path).unwrap();
    let mut harmless = 0;
    for flip in 0..flips {
        let place = tempfile::tempdir().unwrap();
        let path = SqliteJournal::path_in(place.path());
        let (mut database, mut frames) =
            if flip % 2 == 0 { (base.clone(), log.clone()) } else { (checkpointed.clone(), Vec::new()) };
        let changed = if flip % 2 == 0 { &mut frames } else { &mut database };
        let at = (flip / 2 * 7919 + 13) % changed.len();
        changed[at] ^= 1 << (flip % 8);
        std::fs::write(&path, &database).unwrap();
        if !frames.is_empty() {
            std::fs::write(beside(&path, "-wal"), &frames).unwrap();
        }
        std::fs::write(place.path().join("journal.heads"), &anchors).unwrap();
        let found = match SqliteJournal::verify_at(&path, DEFAULT_WAIT) {
            Ok(found) => found,
            // Said loudly: not a journal any more.
            Err(_) => continue,
        };
        if found.is_sound() {
            harmless += 1;
            assert_eq!(found.records, whole.records, "flip {flip} at {at}");
            assert_eq!(bodies(&path), original, "flip {flip} at {at}");
        }
    }
    println!("{harmless} of {flips} changes touched nothing that is stored");
    println!("attack: tried {flips}, lost 0");
}

fn bodies(path: &Path) -> Vec<String> {
    let mut bodies = Vec::new();
    SqliteJournal::open_read_only(path, DEFAULT_WAIT)
        .unwrap()
        .scan(&mut |record| {
            bodies.push(record.body);
            Ok(())
        })
        .unwrap();
    bodies
}
