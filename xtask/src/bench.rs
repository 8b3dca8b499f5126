//! `cargo xtask bench`: one table of ratios, measured side by side in one run. The README's figures come from it.
//!
//! Rust contenders are measured in one process by the bench `compare` of failure-taxonomy; everything else that is
//! installed (Hyperscan or Vectorscan, ripgrep, Python, Node) is given the same needles and texts.

mod flood;
mod gate;
mod programs;
mod start;

use anyhow::{Context as _, bail, ensure};
use programs::Program;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only count instructions and compare them with benches/instructions.txt of failure-taxonomy, as CI does
    #[arg(long)]
    gate: bool,
    /// With --gate: write the counts instead of comparing them
    #[arg(long, requires = "gate")]
    bless: bool,
    /// Only measure how fast a flood of output passes through `recovery run`
    #[arg(long)]
    flood: bool,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    if options.flood {
        let (recovery, scratch) = prepared(root)?;
        return flood::run(&recovery, &scratch);
    }
    let compare = built(root, &["bench", "-p", "failure-taxonomy", "--bench", "compare", "--no-run"])?;
    if options.gate {
        return gate::run(root, &compare, options.bless);
    }
    let (recovery, scratch) = prepared(root)?;
    run_quietly(Command::new(&compare).arg("write").arg(&scratch))?;

    searches(root, &compare, &scratch)?;
    scan(&recovery, &scratch)?;
    start::run(&recovery, &scratch)?;
    flood::run(&recovery, &scratch)
}

/// The program as it is shipped, and a directory for what is measured with.
fn prepared(root: &Path) -> anyhow::Result<(PathBuf, PathBuf)> {
    let recovery = built(root, &["build", "--release", "-p", "recovery-cli", "--bin", "recovery"])?;
    let scratch = root.join("target/bench");
    std::fs::create_dir_all(&scratch)?;
    Ok((recovery, scratch))
}

/// A line of `compare`.
#[derive(Deserialize)]
struct Measurement {
    case: String,
    contender: String,
    nanos: f64,
    bytes: f64,
}

/// Every contender on every case: throughput of ours, and how many times as fast as each other one it is.
fn searches(root: &Path, compare: &Path, scratch: &Path) -> anyhow::Result<()> {
    let output = run_quietly(&mut Command::new(compare))?;
    let mut cases: Vec<String> = Vec::new();
    let mut contenders: Vec<String> = Vec::new();
    let mut gb_per_s: BTreeMap<(String, String), f64> = BTreeMap::new();
    for line in output.lines() {
        let m: Measurement = serde_json::from_str(line).context("a line of `compare`")?;
        for (list, name) in [(&mut cases, &m.case), (&mut contenders, &m.contender)] {
            if !list.contains(name) {
                list.push(name.clone());
            }
        }
        gb_per_s.insert((m.case, m.contender), m.bytes / m.nanos);
    }
    for program in Program::installed(root, scratch)? {
        contenders.push(program.name.to_owned());
        for (number, case) in cases.iter().enumerate() {
            if let Some(speed) = program.measure(scratch, number)? {
                gb_per_s.insert((case.clone(), program.name.to_owned()), speed);
            }
        }
    }
    println!("Times as fast as, on the same text in the same run (ours in GB/s):\n");
    print!("| case | ours |");
    contenders[1..].iter().for_each(|name| print!(" {name} |"));
    println!("\n|---|---:|{}", "---:|".repeat(contenders.len() - 1));
    for case in &cases {
        let speed = |contender: &String| gb_per_s.get(&(case.clone(), contender.clone()));
        let ours = speed(&contenders[0]).with_context(|| format!("{case} was not measured"))?;
        print!("| {case} | {ours:.2} |");
        for other in contenders[1..].iter().map(speed) {
            other.map_or_else(|| print!(" |"), |other| print!(" {:.1}x |", ours / other));
        }
        println!();
    }
    Ok(())
}

/// `recovery scan` on one large log against ripgrep, and on many logs with one and two workers.
fn scan(recovery: &Path, scratch: &Path) -> anyhow::Result<()> {
    let large = scratch.join("large.log");
    let text = std::fs::read(scratch.join("0.text"))?;
    std::fs::write(&large, text.repeat(4))?;
    let many = scratch.join("many");
    std::fs::create_dir_all(&many)?;
    for (number, part) in text.chunks(text.len() / 32).enumerate() {
        std::fs::write(many.join(format!("{number}.log")), part)?;
    }
    println!("\n`recovery scan`:\n\n| what | ratio |\n|---|---:|");
    for (pack, number) in [("documented", 0), ("field", 2)] {
        let ours = || quietly(Command::new(recovery).args(["scan", "--pack", pack]).arg(&large));
        let needles = scratch.join(format!("{number}.needles"));
        let ripgrep = || quietly(Command::new("rg").args(["-i", "-c", "-a", "-F", "-f"]).arg(&needles).arg(&large));
        match best_of(3, &[&ours, &ripgrep]) {
            Ok(times) => {
                println!("| 256 MiB log, {pack} pack, against `rg -i -c` | {:.1}x |", ratio(times[1], times[0]))
            }
            Err(error) => println!("| 256 MiB log, {pack} pack, against `rg -i -c` | skipped: {error} |"),
        }
    }
    let workers = |jobs: &'static str| {
        let many = many.clone();
        move || quietly(Command::new(recovery).args(["scan", "--jobs", jobs]).arg(&many))
    };
    let times = best_of(3, &[&workers("1"), &workers("2")])?;
    println!("| 32 logs, 64 MiB in all: 2 workers against 1 | {:.2}x |", ratio(times[0], times[1]));
    Ok(())
}

/// Runs each in turn, so many times; the best time of each counts.
fn best_of(rounds: usize, runs: &[&dyn Fn() -> anyhow::Result<()>]) -> anyhow::Result<Vec<Duration>> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..rounds {
        for (run, best) in runs.iter().zip(&mut best) {
            let start = Instant::now();
            run()?;
            *best = (*best).min(start.elapsed());
        }
    }
    Ok(best)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn quietly(command: &mut Command) -> anyhow::Result<()> {
    run_quietly(command).map(drop)
}

/// Runs a program and gives what it printed.
fn run_quietly(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{:?} ended with {}: {complaint}", command.get_program(), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Has cargo build something and gives the path of the program.
fn built(root: &Path, args: &[&str]) -> anyhow::Result<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(args).arg("--message-format=json-render-diagnostics");
    let output = cargo.stderr(std::process::Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo {} failed", args.join(" "));
    for message in cargo_metadata::Message::parse_stream(&output.stdout[..]) {
        if let cargo_metadata::Message::CompilerArtifact(artifact) = message?
            && let Some(program) = artifact.executable
        {
            return Ok(program.into());
        }
    }
    bail!("cargo {} built no program", args.join(" "))
}
