//! `kill -9` at any moment: every decision that was printed is in the journal, and the journal is sound.

#![cfg(unix)]

mod common;

use common::{command, recovery};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::time::Duration;

/// Hash by task and number.
type Records = BTreeMap<(String, u64), String>;

#[test]
fn every_decision_that_was_told_is_in_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(std::process::id()));
    let mut told = Records::new();
    for round in 0.. {
        // Two stream their events, two decide once; each dies at a moment of its own.
        let deaths: Vec<_> = (0..4)
            .map(|writer| {
                let life = Duration::from_millis(40 + random.below(400));
                let (dir, task) = (dir.path().to_owned(), format!("task-{}", writer % 2));
                std::thread::spawn(move || killed_after(&dir, &task, writer < 2, round, life))
            })
            .collect();
        told.extend(deaths.into_iter().flat_map(|death| death.join().unwrap()));

        // The next start, with no step in between.
        let out = recovery(dir.path(), &["journal", "verify"], b"");
        assert!(out.status.success() || told.is_empty(), "round {round}: {out:?}");
        let stored = stored(dir.path());
        for (place, hash) in &told {
            assert_eq!(stored.get(place), Some(hash), "round {round}: {place:?} was told");
        }
        // On a slow machine many die before they print anything.
        if round >= 3 && told.len() >= 40 {
            return;
        }
        assert!(round < 60, "only {} decisions were told", told.len());
    }
}

/// Decides until it is killed, and gives back what it printed.
fn killed_after(dir: &Path, task: &str, streams: bool, round: u64, life: Duration) -> Records {
    let args: &[&str] = if streams { &["--ndjson"] } else { &["--format", "json"] };
    let mut child = command(dir, &[&["decide", "--exit-code", "1", "--task", task], args].concat()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let answers = BufReader::new(child.stdout.take().unwrap());
    let feeder = std::thread::spawn(move || {
        if streams {
            let event = |n: u64| format!("{{\"exit_code\":1,\"stderr_tail\":\"boom {round} {n}\"}}");
            (0..).take_while(|n| writeln!(input, "{}", event(*n)).is_ok()).count();
        } else {
            let _ = input.write_all(b"boom");
        }
    });
    let listener = std::thread::spawn(move || answers.lines().map_while(Result::ok).collect::<Vec<_>>());
    std::thread::sleep(life);
    let _ = child.kill();
    child.wait().unwrap();
    feeder.join().unwrap();
    // The last line may be torn; then nothing was reported by it.
    let whole = listener.join().unwrap().into_iter().filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    whole.map(|answer| (place(&answer, &answer["record"]), hash(&answer["record"]))).collect()
}

fn stored(dir: &Path) -> Records {
    let out = recovery(dir, &["journal", "export"], b"");
    let lines = String::from_utf8(out.stdout).unwrap();
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.map(|record| (place(&record, &record), hash(&record))).collect()
}

fn place(named: &Value, numbered: &Value) -> (String, u64) {
    (named["task"].as_str().unwrap().to_owned(), numbered["seq"].as_u64().unwrap())
}

fn hash(record: &Value) -> String {
    record["hash"].as_str().unwrap().to_owned()
}

/// xorshift, for moments nobody chose.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
