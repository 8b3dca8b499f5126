//! The instruction counts of the scan, of the diagnosis of a real log, of a pathological line and of one `recovery decide`
//! from start to exit against committed numbers, so that a noisy machine can neither hide nor invent a regression.

use crate::output_of;
use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Instructions a work may take, one per line: the number, then the case's name.
const COUNTS: &str = "failure-taxonomy/benches/instructions.txt";
/// Compilers differ a little; more than this is a change of ours.
const TOLERANCE_PERCENT: u64 = 5;

/// The whole program, from start to exit, with a journal that is made anew.
const DECIDE: &str = "one `recovery decide`, whole process";

pub(super) fn run(root: &Path, compare: &Path, recovery: &Path, scratch: &Path, bless: bool) -> anyhow::Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("instruction counts: SKIPPED, valgrind is not installed");
        return Ok(());
    }
    if cfg!(not(target_arch = "x86_64")) {
        println!("instruction counts: SKIPPED, the committed numbers are for x86-64");
        return Ok(());
    }
    let cases = output_of(Command::new(compare).arg("list"))?;
    let path = root.join(COUNTS);
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let allowed = |case: &str| {
        committed.lines().filter_map(|line| line.trim().split_once(' ')).find(|(_, name)| name.trim() == case)
    };
    let (mut counts, mut worse) = (String::new(), Vec::new());
    let works = cases.lines().enumerate().map(|(number, case)| (Some(number), case));
    for (number, case) in works.chain([(None, DECIDE)]) {
        let count = match number {
            Some(number) => instructions(compare, number)?,
            None => decide_instructions(recovery, scratch)?,
        };
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
    let mut counted = counter();
    counted
        .args(["--collect-atstart=no", "--toggle-collect=*counted*"])
        .arg(compare)
        .args(["count", &case.to_string()]);
    count(&mut counted)
}

fn decide_instructions(recovery: &Path, scratch: &Path) -> anyhow::Result<u64> {
    let (state, log) = (scratch.join("gate-state"), scratch.join("gate.log"));
    let _ = std::fs::remove_dir_all(&state);
    std::fs::write(&log, LOG)?;
    let mut counted = counter();
    counted.arg(recovery).arg("--state-dir").arg(&state).args(["decide", "--task", "gate", "--exit-code", "101"]);
    count(counted.arg(&log))
}

const LOG: &str = "error[E0308]: mismatched types\n --> src/main.rs:4:18\nerror: could not compile `app`\n";

fn counter() -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind
}

fn count(valgrind: &mut Command) -> anyhow::Result<u64> {
    let output = valgrind.output().context("cannot run valgrind")?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split_once("Collected :")).and_then(|(_, n)| n.trim().parse().ok());
    count.with_context(|| format!("valgrind printed no count:\n{report}"))
}
