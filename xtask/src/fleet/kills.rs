//! Writers that are killed with `kill -9` at random moments: whether anything that they had acknowledged is lost.
//!
//! In: the tests of `recovery-store` that do it, with more runs than a test suite has time for. Out: the lines that they end
//! with. A record that is lost fails the test, and this command with it.

use anyhow::Context as _;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Each run kills eight writers: 2,000 kills on SQLite and 504 on PostgreSQL.
const RUNS: [(&str, &str, &[&str], &str); 2] = [
    ("SQLite", "250", &["--test", "crash", "nothing_acknowledged_is_lost"], "runs, "),
    ("PostgreSQL", "63", &["--features", "postgres", "--test", "postgres", "kill_9"], "postgres: "),
];

pub(super) fn section(root: &Path) -> anyhow::Result<String> {
    let mut page = String::new();
    for (store, runs, args, before) in RUNS {
        let mut test = Command::new("cargo");
        test.args(["test", "--quiet", "-p", "recovery-store"])
            .args(args)
            .args(["--", "--nocapture"])
            .env("RECOVERY_CRASH_RUNS", runs)
            .env("RECOVERY_REQUIRE_POSTGRES", "1")
            .current_dir(root);
        let text = crate::output_of(&mut test)?;
        let line = text.lines().find(|line| line.contains(" kills, ")).context("the test printed no result")?;
        let line = line.split_once(before).map_or(line, |(_, rest)| rest);
        writeln!(page, "- {store}: {line}")?;
    }
    Ok(page)
}
