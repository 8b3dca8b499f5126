//! What a durable record costs, against bare SQLite inserts of the same rows and against a journal that has grown.
//!
//! `cargo bench -p recovery-store` prints the times and fails where a promise is broken: at least half the speed of bare
//! inserts, and at most twice the time in a journal of 100,000 records. The two sides of each comparison take turns, so
//! that a busy machine slows both.

use recovery_store::{
    ContentId, DEFAULT_WAIT, Journal, JournalExt as _, NewRecord, Record, RecordKind, SqliteJournal, StoreError, TaskId,
};
use recovery_types::Timestamp;
use rusqlite::{Connection, params};
use std::path::Path;
use std::time::{Duration, Instant};

const STEPS: usize = 600;
const GROWN: usize = 100_000;

fn main() {
    // `cargo test` runs this too, without the argument: then it only has to build.
    let asked = |wanted: &str| std::env::args().any(|arg| arg == wanted);
    if !asked("--bench") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    if asked("--test") {
        // Once, for the answers: times mean nothing here.
        (0..3).for_each(|n| open_and_append(&place.path().join("once"), n));
        (0..3).for_each(bare_inserts(&place.path().join("bare.db")));
        return;
    }
    let empty = place.path().join("empty");
    let grown = place.path().join("grown");
    grow(&grown);

    let kept = [
        at_most(
            "appends against bare inserts, connection kept open",
            2.0,
            turns(&mut appends(&empty), &mut bare_inserts(&place.path().join("bare.db"))),
        ),
        at_most(
            "open, append, close against the same in bare SQLite",
            2.0,
            turns(&mut |n| open_and_append(&empty, n), &mut |n| open_and_insert(&place.path().join("bare.db"), n)),
        ),
        at_most(
            "appends in a journal of 100,000 against an empty one",
            2.0,
            turns(&mut appends(&grown), &mut appends(&empty)),
        ),
        at_most(
            "open, append, close in a journal of 100,000 against an empty one",
            2.0,
            turns(&mut |n| open_and_append(&grown, n), &mut |n| open_and_append(&empty, n)),
        ),
    ];
    if kept.contains(&false) {
        std::process::exit(1);
    }
}

/// Prints the median times of both sides and whether the first stays within `limit` times the second.
fn at_most(what: &str, limit: f64, (ours, theirs): (Duration, Duration)) -> bool {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    let kept = ratio <= limit;
    println!(
        "{what}\n    {ours:>10.1?} a record ({:.0}/s) against {theirs:.1?} ({:.0}/s): {ratio:.2}x the time, at most \
         {limit}x: {}",
        1.0 / ours.as_secs_f64(),
        1.0 / theirs.as_secs_f64(),
        if kept { "ok" } else { "BROKEN" }
    );
    kept
}

/// Runs both sides in turns, step by step; the median time of each.
fn turns(ours: &mut dyn FnMut(usize), theirs: &mut dyn FnMut(usize)) -> (Duration, Duration) {
    let timed = |step: &mut dyn FnMut(usize), n: usize| {
        let start = Instant::now();
        step(n);
        start.elapsed()
    };
    let (mut a, mut b): (Vec<_>, Vec<_>) = (0..STEPS).map(|n| (timed(ours, n), timed(theirs, n))).unzip();
    a.sort_unstable();
    b.sort_unstable();
    (a[STEPS / 2], b[STEPS / 2])
}

fn appends(dir: &Path) -> impl FnMut(usize) {
    let mut journal = SqliteJournal::open_in(dir, DEFAULT_WAIT).unwrap();
    move |_| append(&mut journal)
}

fn open_and_append(dir: &Path, _: usize) {
    append(&mut SqliteJournal::open_in(dir, DEFAULT_WAIT).unwrap());
}

fn append(journal: &mut SqliteJournal) {
    assert!(journal.append(&task(), record(fresh())).unwrap().new);
}

fn bare_inserts(path: &Path) -> impl FnMut(usize) {
    let conn = bare(path);
    conn.execute_batch(
        "PRAGMA journal_mode = WAL;
         CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, task TEXT, seq INTEGER, at INTEGER, kind TEXT,
            content_id TEXT, body TEXT, prev BLOB, hash BLOB)",
    )
    .unwrap();
    move |n| insert(&conn, n)
}

fn open_and_insert(path: &Path, n: usize) {
    insert(&bare(path), n);
}

fn bare(path: &Path) -> Connection {
    let conn = Connection::open(path).unwrap();
    conn.execute_batch("PRAGMA synchronous = FULL").unwrap();
    conn
}

fn insert(conn: &Connection, n: usize) {
    let (task, new) = (task(), record(fresh()));
    let id = new.content_id.unwrap();
    let sql = "INSERT INTO records (task, seq, at, kind, content_id, body, prev, hash) VALUES (?,?,?,?,?,?,?,?)";
    let row =
        params![task.as_str(), n as i64, new.at.ms(), new.kind.as_str(), id.as_str(), new.body, [7_u8; 32], [9_u8; 32]];
    conn.prepare_cached(sql).unwrap().execute(row).unwrap();
}

/// A journal with many tasks and many records.
fn grow(dir: &Path) {
    let mut journal = SqliteJournal::open_in(dir, DEFAULT_WAIT).unwrap();
    for n in 0..100 {
        let task = TaskId::new(format!("TASK-{n:05}")).unwrap();
        journal
            .transact(&task, |chain| {
                (0..GROWN / 100).try_for_each(|_| chain.append(record(fresh())).map(|_| ()))?;
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }
    let mut count = 0;
    journal
        .scan(&mut |_: Record| {
            count += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(count, GROWN);
}

/// A number not used before.
fn fresh() -> usize {
    static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

fn task() -> TaskId {
    TaskId::new("TASK-00042").unwrap()
}

/// A record about as large as a decision.
fn record(n: usize) -> NewRecord {
    NewRecord {
        at: Timestamp::from_ms(n as i64),
        kind: RecordKind::Decision,
        content_id: Some(ContentId::new(format!("toolu_{n:020}")).unwrap()),
        body: format!(r#"{{"n":{n},"evidence":"{}"}}"#, "tests failed ".repeat(80)),
    }
}
