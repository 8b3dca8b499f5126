//! A full disk and a read-only one: a clear error, and nothing broken.
//!
//! Each runs in a mount namespace of its own, where any user may mount a small or read-only disk. Where the system does
//! not allow that, the test says so and passes.

#![cfg(target_os = "linux")]

use recovery_store::{
    DEFAULT_WAIT, Journal as _, JournalExt as _, NewRecord, RecordKind, SqliteJournal, StoreError, TaskId,
};
use recovery_types::Timestamp;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn full() {
    let place = tempfile::tempdir().unwrap();
    on_disk("mount -t tmpfs -o size=400k none \"$DIR\"", "on_a_full_disk", place.path());
}

#[test]
fn read_only() {
    let place = tempfile::tempdir().unwrap();
    // One journal as a writer leaves it, one that is settled, and a directory with none.
    for name in ["with-log", "settled"] {
        let mut journal = SqliteJournal::open_in(&place.path().join(name), DEFAULT_WAIT).unwrap();
        (0..3).for_each(|_| drop(append(&mut journal, 10).unwrap()));
    }
    let settled = SqliteJournal::path_in(&place.path().join("settled"));
    rusqlite::Connection::open(settled)
        .unwrap()
        .execute_batch("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
        .unwrap();
    let read_only = "mount --bind \"$DIR\" \"$DIR\" && mount -o remount,ro,bind \"$DIR\"";
    on_disk(read_only, "on_a_read_only_disk", place.path());
}

#[test]
#[ignore = "run by `full` on a small disk"]
fn on_a_full_disk() {
    let dir = disk();
    let ballast = dir.join("ballast");
    std::fs::write(&ballast, vec![1; 100_000]).unwrap();
    let mut journal = SqliteJournal::open_in(&dir.join(".recovery"), DEFAULT_WAIT).unwrap();
    let mut stored = Vec::new();
    let error = loop {
        match append(&mut journal, 3_000) {
            Ok(record) => stored.push(record),
            Err(error) => break error,
        }
        assert!(stored.len() < 10_000, "the disk never filled");
    };
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
    assert!(error.to_string().contains("no space left"), "{error}");
    assert!(!stored.is_empty());
    assert_eq!(journal.all().unwrap(), stored, "what was acknowledged is there, and nothing else");

    // A new process on the full disk: clear too, whatever step it fails at.
    drop(journal);
    match SqliteJournal::open_in(&dir.join(".recovery"), DEFAULT_WAIT)
        .and_then(|mut journal| append(&mut journal, 3_000))
    {
        Ok(record) => stored.push(record),
        Err(error) => assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}"),
    }
    // And where not even the directory can be made.
    (0..1000).take_while(|n| std::fs::write(dir.join(format!("more-{n}")), [1; 4096]).is_ok()).for_each(drop);
    let error = SqliteJournal::open_in(&dir.join("other"), DEFAULT_WAIT).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}");

    std::fs::remove_file(ballast).unwrap();
    let mut journal = SqliteJournal::open_in(&dir.join(".recovery"), DEFAULT_WAIT).unwrap();
    stored.push(append(&mut journal, 3_000).unwrap());
    assert_eq!(journal.all().unwrap(), stored);
    assert!(journal.verify().unwrap().is_sound());
}

#[test]
#[ignore = "run by `read_only` on a read-only disk"]
fn on_a_read_only_disk() {
    let dir = disk();
    for name in ["with-log", "settled"] {
        let path = SqliteJournal::path_in(&dir.join(name));
        let error =
            SqliteJournal::open(&path, DEFAULT_WAIT).and_then(|mut journal| append(&mut journal, 10)).unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{name}: {error:?}");
        assert!(error.to_string().contains("--state-dir"), "{error}");
        let journal = SqliteJournal::open_read_only(&path, DEFAULT_WAIT).unwrap();
        assert_eq!(journal.all().unwrap().len(), 3, "{name}");
        assert!(journal.verify().unwrap().is_sound(), "{name}");
    }
    let error = SqliteJournal::open_in(&dir.join("none"), DEFAULT_WAIT).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
}

/// Runs the ignored test `name` after `mount`, in a mount namespace of its own.
fn on_disk(mount: &str, name: &str, dir: &Path) {
    let namespace = |script: &str| {
        Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", script])
            .env("DIR", dir)
            .env("TEST", std::env::current_exe().unwrap())
            .output()
    };
    if !namespace(mount).is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this system lets no user mount a disk in a namespace of its own (unshare --mount)");
        return;
    }
    let run = format!("{mount} && exec \"$TEST\" {name} --exact --ignored --nocapture");
    let output = namespace(&run).unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).join("\n");
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn disk() -> PathBuf {
    std::env::var_os("DIR").expect("set by the test that runs this").into()
}

fn append(journal: &mut SqliteJournal, length: usize) -> Result<recovery_store::Record, StoreError> {
    let new = NewRecord {
        at: Timestamp::from_ms(0),
        kind: RecordKind::Note,
        content_id: None,
        body: format!("\"{}\"", "x".repeat(length)),
    };
    journal.append(&TaskId::new("a").unwrap(), new).map(|appended| appended.record)
}
