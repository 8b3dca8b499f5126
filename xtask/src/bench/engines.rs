//! The ways to search for the field pack, on real logs; writes the table that decides into the README of the scan.

use crate::output_of;
use anyhow::Context as _;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const README: &str = "failure-taxonomy/src/scan/README.md";
/// What encloses the table.
const MARKS: [&str; 2] = ["<!-- written by `cargo xtask bench --engines` -->", "<!-- end -->"];

/// A line of `compare engines`.
#[derive(Deserialize)]
struct Measurement {
    logs: String,
    engine: String,
    /// Nanoseconds to prepare the search.
    build: f64,
    nanos: f64,
    bytes: f64,
}

pub(super) fn run(root: &Path, compare: &Path, logs: &Path) -> anyhow::Result<()> {
    let output = output_of(Command::new(compare).arg("engines").arg(logs))?;
    let mut table =
        "| logs | what | to build first | search | both, for these logs once |\n|---|---|---:|---:|---:|\n".to_owned();
    for line in output.lines() {
        let Measurement { logs, engine, build, nanos, bytes } =
            serde_json::from_str(line).context("a line of `compare engines`")?;
        writeln!(
            table,
            "| {logs} ({:.1} MB) | {engine} | {:.1} ms | {:.0} MB/s | {:.1} ms |",
            bytes / 1e6,
            build / 1e6,
            bytes * 1e3 / nanos,
            (build + nanos) / 1e6
        )?;
    }
    println!("{table}");
    crate::write_between(root, README, MARKS, &format!("\n\n{table}\n"))
}
