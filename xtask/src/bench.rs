//! `cargo xtask bench`: tables of ratios, measured side by side in one run; writes docs/speed.md whole, and the table that
//! decided the scan into its README.
//!
//! [`real`] measures whole commands on logs that [`LOGS`] makes by running real tools, [`start`] one hook call, [`flood`] the
//! throughput of `recovery run`, [`engines`] the ways to search for the pack. Micro-benchmarks on made-up texts are measured
//! in one process by the bench `compare` of failure-taxonomy. [`PEERS`] installs the programs that are compared with.

/// Prints a line and adds it to the page.
macro_rules! say {
    ($page:expr, $($line:tt)*) => {{
        let line = format!($($line)*);
        println!("{line}");
        $page.push_str(&line);
        $page.push('\n');
    }};
}

mod engines;
mod flood;
mod gate;
mod programs;
mod real;
mod start;

use crate::output_of;
use anyhow::{Context as _, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use programs::Hyperscan;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
    /// Only compare the ways to search for the pack and write the table into the scan's README
    #[arg(long)]
    engines: bool,
    /// Only install the programs that are compared with (Debian, as root)
    #[arg(long)]
    peers: bool,
    /// Only make the real logs in target/bench-logs, by running real tools; takes half an hour
    #[arg(long)]
    logs: bool,
}

/// Makes the real logs.
const LOGS: &str = "xtask/src/bench/logs.sh";
/// Installs the other programs.
const PEERS: &str = "xtask/src/bench/peers.sh";
const PAGE: &str = "docs/speed.md";

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let logs = root.join("target/bench-logs");
    let mut page = String::new();
    if options.peers {
        return script(root, PEERS, &logs);
    }
    if options.logs {
        return script(root, LOGS, &logs);
    }
    let scratch = root.join("target/bench");
    std::fs::create_dir_all(&scratch)?;
    let recovery = || built(root, &["build", "--release", "-p", "recovery-cli", "--bin", "recovery"]);
    if options.flood {
        return flood::run(root, &recovery()?, &scratch, &mut page);
    }
    let compare = built(root, &["bench", "-p", "failure-taxonomy", "--bench", "compare", "--no-run"])?;
    if options.engines {
        return engines::run(root, &compare, &logs);
    }
    let recovery = recovery()?;
    if options.gate {
        return gate::run(root, &compare, &recovery, &scratch, options.bless);
    }
    if !logs.join("red").is_dir() {
        script(root, LOGS, &logs)?;
    }
    output_of(Command::new(&compare).arg("write").arg(&scratch))?;
    let hyperscan = Hyperscan::installed(root, &scratch);
    say!(
        page,
        "# How fast\n\nWritten by `cargo xtask bench` ({}). Ratios measured side by side in one run; absolute times mean nothing\n\
         elsewhere. `cargo xtask bench --logs` makes the real logs, `cargo xtask bench --peers` installs the other programs. What decided\n\
         the algorithms of the scan is in [its README]({SCAN_README}).",
        machine()
    );
    real::run(&recovery, hyperscan.as_ref(), &scratch, &logs, &mut page)?;
    if !options.real {
        start::run(root, &recovery, &scratch, &mut page)?;
        flood::run(root, &recovery, &scratch, &mut page)?;
        searches(&compare, hyperscan.as_ref(), &scratch, &mut page)?;
        std::fs::write(root.join(PAGE), page)?;
        engines::run(root, &compare, &logs)?;
    }
    Ok(())
}

const SCAN_README: &str = "https://github.com/recovery-engine/recovery/blob/main/failure-taxonomy/src/scan/README.md";

fn script(root: &Path, script: &str, argument: &Path) -> anyhow::Result<()> {
    let status = Command::new("bash").arg(root.join(script)).arg(argument).status().context("cannot run bash")?;
    ensure!(status.success(), "{script} ended with {status}");
    Ok(())
}

/// What was measured on: processors and their name.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    format!("{cores} cores of {}", name.unwrap_or(std::env::consts::ARCH))
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
fn searches(compare: &Path, hyperscan: Option<&Hyperscan>, scratch: &Path, page: &mut String) -> anyhow::Result<()> {
    let output = output_of(&mut Command::new(compare))?;
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
    if let Some(hyperscan) = hyperscan {
        contenders.push("Hyperscan".to_owned());
        for (number, case) in cases.iter().enumerate() {
            let file = |kind: &str| scratch.join(format!("{number}.{kind}"));
            let bytes = std::fs::metadata(file("text"))?.len() as f64;
            // It refuses some needles; then its cell stays empty.
            if let Ok(nanos) = hyperscan.nanos(&file("needles"), &file("text")) {
                gb_per_s.insert((case.clone(), "Hyperscan".to_owned()), bytes / nanos);
            }
        }
    }
    say!(
        page,
        "\n## Micro-benchmarks of the scan\n\nMade-up texts, 8 MiB each, which no tool printed: they show the extremes. Times as fast as the others on the same text (ours in GB/s):\n"
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

/// Runs each in turn, so many times; the least CPU time that the children of each took counts.
fn cpu_best_of(rounds: usize, runs: &[&dyn Fn() -> anyhow::Result<()>]) -> anyhow::Result<Vec<Duration>> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..rounds {
        for (run, best) in runs.iter().zip(&mut best) {
            let start = children_cpu()?;
            run()?;
            *best = (*best).min(children_cpu()?.saturating_sub(start));
        }
    }
    Ok(best)
}

/// User and system time of all children that have ended.
pub(crate) fn children_cpu() -> anyhow::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(u64::try_from(micros)?))
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// Compiles a program of one file that depends on nothing but the standard library.
fn optimised(root: &Path, source: &str, scratch: &Path) -> anyhow::Result<PathBuf> {
    let source = root.join(source);
    let program = scratch.join(source.file_stem().context("a source file")?);
    output_of(Command::new("rustc").args(["--edition", "2024", "-O", "-o"]).arg(&program).arg(&source))?;
    Ok(program)
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
