//! The instruction counts of the scan, of the diagnosis of a real log and of a pathological line against committed numbers, so
//! that a noisy machine can neither hide nor invent a regression.

use super::run_quietly;
use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Instructions a work may take, one per line: the number, then the case's name.
const COUNTS: &str = "failure-taxonomy/benches/instructions.txt";
/// Compilers differ a little; more than this is a change of ours.
const TOLERANCE_PERCENT: u64 = 5;

pub(super) fn run(root: &Path, compare: &Path, bless: bool) -> anyhow::Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("instruction counts: SKIPPED, valgrind is not installed");
        return Ok(());
    }
    if cfg!(not(target_arch = "x86_64")) {
        println!("instruction counts: SKIPPED, the committed numbers are for x86-64");
        return Ok(());
    }
    let cases = run_quietly(Command::new(compare).arg("list"))?;
    let path = root.join(COUNTS);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let allowed = |case: &str| {
        committed.lines().filter_map(|line| line.trim().split_once(' ')).find(|(_, name)| name.trim() == case)
    };
    let (mut counts, mut worse) = (String::new(), Vec::new());
    for (number, case) in cases.lines().enumerate() {
        let count = instructions(compare, number)?;
        writeln!(counts, "{count:>12} {case}")?;
        if bless {
            continue;
        }
        let (before, _) =
            allowed(case).with_context(|| format!("{COUNTS} has no line for {case:?}; --bless writes it"))?;
        let before: u64 = before.parse().with_context(|| format!("{COUNTS}: {before:?} is no number"))?;
        println!("{case}: {count} instructions, {before} committed");
        if count * 100 > before * (100 + TOLERANCE_PERCENT) {
            worse.push(case);
        }
    }
    if bless {
        std::fs::write(&path, counts)?;
    }
    if !worse.is_empty() {
        bail!("more than {TOLERANCE_PERCENT} % more instructions than committed: {}", worse.join("; "));
    }
    Ok(())
}

/// What one of the works takes, without making its text.
fn instructions(compare: &Path, case: usize) -> anyhow::Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no"]);
    valgrind.arg("--toggle-collect=*counted*").arg(compare).args(["count", &case.to_string()]);
    let output = valgrind.output().context("cannot run valgrind")?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split_once("Collected :")).and_then(|(_, n)| n.trim().parse().ok());
    count.with_context(|| format!("valgrind printed no count:\n{report}"))
}
