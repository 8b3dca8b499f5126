//! `recovery run` against `cmd | cat`: how fast a flood of output passes, and how much memory that takes.

use super::{optimised, ratio};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BYTES: u64 = 1 << 30;
const ROUNDS: usize = 3;

/// Prints such lines.
const GENERATOR: &str = "xtask/examples/flood.rs";

/// What the lines hold, and the generator's name for it.
const KINDS: [(&str, &str); 9] = [
    ("plain lines", "plain"),
    ("one warning, repeated", "same"),
    ("a warning on every line", "warning"),
    ("a compile error on every line", "error"),
    ("errors, warnings, failed tests in turn", "mixed"),
    ("numbers alone, as `seq` prints them", "count"),
    ("compile errors in ever different words", "words"),
    ("binary", "binary"),
    ("one endless line", "endless"),
];

pub(super) fn run(root: &Path, recovery: &Path, scratch: &Path, page: &mut String) -> anyhow::Result<()> {
    let generator = optimised(root, GENERATOR, scratch)?;
    let command = |kind: &str| format!("{} {kind} {BYTES}", generator.display());
    say!(
        page,
        "\n## Floods\n\n`recovery run -- cmd` against `cmd | cat` for 1 GiB, in turn, {ROUNDS} times each, by medians; the aim is 0.8x:\n"
    );
    say!(page, "| what | throughput | peak memory |\n|---|---:|---:|");
    for (what, kind) in KINDS {
        let line = format!("{} | cat", command(kind));
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(timed(Command::new("sh").args(["-c", &line]))?);
            times[1].push(timed(&mut supervised(recovery, scratch, &command(kind)))?);
        }
        let [cat, ours] = times.map(median);
        // The command's shell prints the peak memory of its parent, which is this process.
        let with_peak = format!("{}; grep VmHWM /proc/$PPID/status >&2", command(kind));
        let output = supervised(recovery, scratch, &with_peak).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let peak = printed.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok());
        let peak = peak.map_or("not known".to_owned(), |kb| format!("{} MiB", kb.div_ceil(1024)));
        say!(page, "| {what} | {:.2}x | {peak} |", ratio(cat, ours));
    }
    Ok(std::fs::remove_dir_all(state_dir(scratch))?)
}

fn state_dir(scratch: &Path) -> std::path::PathBuf {
    scratch.join("flood-state")
}

fn supervised(recovery: &Path, scratch: &Path, line: &str) -> Command {
    let mut command = Command::new(recovery);
    command.arg("--state-dir").arg(state_dir(scratch)).args(["run", "--quiet", "--", "sh", "-c", line]);
    command
}

fn timed(command: &mut Command) -> anyhow::Result<Duration> {
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    anyhow::ensure!(status.success(), "{:?} ended with {status}", command.get_program());
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
