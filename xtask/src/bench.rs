//! `cargo xtask bench`: tables of ratios, measured side by side in one run; writes docs/speed.md, whole.
//!
//! [`real`] measures whole commands on logs that [`LOGS`] makes by running real tools. The rest are micro-benchmarks on
//! made-up texts: Rust contenders are measured in one process by the bench `compare` of failure-taxonomy; everything else that
//! is installed (Hyperscan or Vectorscan, ripgrep, Python, Node) is given the same needles and texts.

/// Prints a line and adds it to the page.
macro_rules! say {
    ($page:expr, $($line:tt)*) => {{
        let line = format!($($line)*);
        println!("{line}");
        $page.push_str(&line);
        $page.push('\n');
    }};
}

mod flood;
mod gate;
mod programs;
mod real;
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
    /// Only measure whole commands on real logs
    #[arg(long)]
    real: bool,
    /// Only make the real logs in target/bench-logs, by running real tools; takes a quarter of an hour
    #[arg(long)]
    logs: bool,
}

/// Makes the real logs.
const LOGS: &str = "xtask/src/bench/logs.sh";
const PAGE: &str = "docs/speed.md";

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let logs = root.join("target/bench-logs");
    let mut page = String::new();
    if options.logs {
        let status = Command::new("bash").arg(root.join(LOGS)).arg(&logs).status().context("cannot run bash")?;
        ensure!(status.success(), "{LOGS} ended with {status}");
        return Ok(());
    }
    if options.flood || options.real {
        let (recovery, scratch) = prepared(root)?;
        return if options.flood {
            flood::run(&recovery, &scratch, &mut page)
        } else {
            real::run(&recovery, &scratch, &logs, &mut page)
        };
    }
    let compare = built(root, &["bench", "-p", "failure-taxonomy", "--bench", "compare", "--no-run"])?;
    if options.gate {
        return gate::run(root, &compare, options.bless);
    }
    let (recovery, scratch) = prepared(root)?;
    run_quietly(Command::new(&compare).arg("write").arg(&scratch))?;

    say!(
        page,
        "# How fast\n\nWritten by `cargo xtask bench`. Ratios measured side by side in one run; absolute times mean nothing elsewhere."
    );
    say!(
        page,
        "`cargo xtask bench --logs` makes the real logs. `xtask/src/bench/peers.sh` installs the other programs."
    );
    real::run(&recovery, &scratch, &logs, &mut page)?;
    start::run(&recovery, &scratch, &mut page)?;
    flood::run(&recovery, &scratch, &mut page)?;
    searches(root, &compare, &scratch, &mut page)?;
    std::fs::write(root.join(PAGE), page)?;
    Ok(())
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
fn searches(root: &Path, compare: &Path, scratch: &Path, page: &mut String) -> anyhow::Result<()> {
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
    say!(
        page,
        "\n## Micro-benchmarks of the scan\n\nMade-up texts, 64 MiB each. Times as fast as the others on the same text (ours in GB/s):\n"
    );
    say!(page, "| case | ours | {} |", contenders[1..].join(" | "));
    say!(page, "|---|---:|{}", "---:|".repeat(contenders.len() - 1));
    for case in &cases {
        let speed = |contender: &String| gb_per_s.get(&(case.clone(), contender.clone()));
        let ours = speed(&contenders[0]).with_context(|| format!("{case} was not measured"))?;
        let others = contenders[1..]
            .iter()
            .map(|other| speed(other).map_or(String::new(), |other| format!("{:.1}x", ours / other)));
        say!(page, "| {case} | {ours:.2} | {} |", others.collect::<Vec<_>>().join(" | "));
    }
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
