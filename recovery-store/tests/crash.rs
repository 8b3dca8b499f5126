//! What was acknowledged survives `kill -9`.
//!
//! Eight processes write at once, the way hooks of parallel agents do: open, append a little, close, again. They are
//! killed at random moments, a new journal handle checks everything, and the next run goes on with the same file.
//! `RECOVERY_CRASH_RUNS` sets the number of runs; the long form is 500.

#![cfg(unix)]

use recovery_store::{
    ContentId, DEFAULT_WAIT, Journal as _, JournalExt as _, NewRecord, RecordKind, SqliteJournal, StoreError, TaskId,
};
use recovery_types::Timestamp;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const WRITERS: u64 = 8;
const RUNS_PER_JOURNAL: u64 = 10;

#[test]
fn nothing_acknowledged_is_lost() {
    let runs = std::env::var("RECOVERY_CRASH_RUNS").map_or(12, |runs| runs.parse().expect("a number of runs"));
    let mut place = tempfile::tempdir().unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(std::process::id()));
    let mut acknowledged: BTreeMap<(String, u64), String> = BTreeMap::new();
    let (mut kills, mut acknowledged_in_all, mut unacknowledged) = (0, 0, 0);

    for run in 0..runs {
        // Making a journal must survive too, so there is a new one now and then.
        if run % RUNS_PER_JOURNAL == 0 {
            place = tempfile::tempdir().unwrap();
            acknowledged.clear();
        }
        let known = acknowledged.len();
        let writers: Vec<Child> = (0..WRITERS).map(|writer| spawn(place.path(), run, writer)).collect();
        // Each is killed at a moment of its own, most of them in the middle of their work.
        let deaths: Vec<_> = writers
            .into_iter()
            .map(|mut writer| {
                let life = Duration::from_micros(random.below(200_000));
                std::thread::spawn(move || {
                    std::thread::sleep(life);
                    writer.kill().unwrap();
                    let output = writer.stdout.take().unwrap();
                    let said = BufReader::new(output).lines().map_while(Result::ok).collect::<Vec<_>>();
                    (said, writer.wait().unwrap())
                })
            })
            .collect();
        for death in deaths {
            let (said, status) = death.join().unwrap();
            assert_eq!(status.code(), None, "run {run}: a writer ended by itself: {said:?}");
            kills += 1;
            for line in said.iter().filter_map(|line| line.strip_prefix("stored ")) {
                // The last line may be torn; whole ones have three parts and a full hash.
                let parts: Vec<_> = line.split(' ').collect();
                if let [task, seq, hash] = parts[..]
                    && hash.len() == 64
                {
                    acknowledged.insert((task.to_owned(), seq.parse().unwrap()), hash.to_owned());
                }
            }
        }

        // The next start, with no step in between.
        let journal = SqliteJournal::open_in(place.path(), DEFAULT_WAIT).unwrap();
        let found = journal.verify().unwrap();
        assert!(found.is_sound(), "run {run}: {found:?}");
        let mut stored: BTreeMap<(String, u64), String> = BTreeMap::new();
        journal
            .scan(&mut |record| {
                stored.insert((record.task.to_string(), record.seq), record.hash.to_string());
                Ok(())
            })
            .unwrap();
        for (place, hash) in &acknowledged {
            assert_eq!(stored.get(place), Some(hash), "run {run}: {place:?} was acknowledged");
        }
        acknowledged_in_all += acknowledged.len() - known;
        if run + 1 == runs || (run + 1) % RUNS_PER_JOURNAL == 0 {
            unacknowledged += stored.len() - acknowledged.len();
        }
        for task in journal.tasks().unwrap() {
            let snapshot = journal.snapshot(&task.task, "count").unwrap();
            let Some(snapshot) = snapshot else { panic!("run {run}: {} lost its snapshot", task.task) };
            assert_eq!(snapshot.state, snapshot.seq.to_be_bytes(), "run {run}: state and records part");
            assert_eq!(snapshot.seq, task.records);
        }
    }
    assert!(acknowledged_in_all as u64 > runs, "the writers hardly wrote");
    println!(
        "{runs} runs, {kills} kills, {acknowledged_in_all} records acknowledged, none lost; {unacknowledged} more stored, their writer killed \
         before it could say so"
    );
    println!("attack: tried {runs}, lost 0");
}

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "run by nothing_acknowledged_is_lost"]
fn writer() {
    let dir = std::env::var("RECOVERY_CRASH_DIR").expect("set by the test that runs this");
    let name = std::env::var("RECOVERY_CRASH_WRITER").expect("set by the test that runs this");
    let mut out = std::io::stdout();
    for n in 0_u64.. {
        let mut journal = SqliteJournal::open_in(Path::new(&dir), Duration::from_secs(60)).unwrap();
        for k in 0..3 {
            // Own tasks and shared ones, so that processes meet on the same chain.
            let task = if k == 0 { format!("own-{}", name.replace('.', "-")) } else { format!("shared-{}", n % 3) };
            let task = TaskId::new(task).unwrap();
            let record = journal
                .transact(&task, |chain| {
                    let appended = chain.append(NewRecord {
                        at: Timestamp::from_ms(n as i64),
                        kind: RecordKind::Event,
                        content_id: Some(ContentId::new(format!("{name}.{n}.{k}"))?),
                        body: format!(r#"{{"text":"{}"}}"#, "x".repeat((n as usize * 97) % 6000)),
                    })?;
                    chain.put_snapshot("count", &appended.record.seq.to_be_bytes())?;
                    Ok::<_, StoreError>(appended.record)
                })
                .unwrap();
            // One write, so that it is read whole or not at all.
            out.write_all(format!("stored {} {} {}\n", record.task, record.seq, record.hash).as_bytes()).unwrap();
            out.flush().unwrap();
        }
    }
}

fn spawn(dir: &Path, run: u64, writer: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["writer", "--exact", "--ignored", "--nocapture"])
        .env("RECOVERY_CRASH_DIR", dir)
        .env("RECOVERY_CRASH_WRITER", format!("{run}.{writer}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// A small generator: the moments need no more.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
