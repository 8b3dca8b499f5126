//! `recovery run` against `cmd | cat`: how fast a flood of output passes, and how much memory that takes.

use super::{quietly, ratio, run_quietly};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BYTES: u64 = 1 << 30;
const ROUNDS: usize = 3;

/// Prints lines of a kind until there are enough bytes; about as fast as a program that makes its lines can be.
const GENERATOR: &str = r#"
use std::io::Write;
fn word(n: u64) -> String {
    (0..8).map(|i| char::from(b'a' + (n >> (4 * i) & 15) as u8)).collect()
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes: u64 = args[2].parse().unwrap();
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let (mut written, mut i) = (0, 0u64);
    let mut line = Vec::new();
    while written < bytes {
        line.clear();
        let (a, b) = (i % 997, i % 61);
        match (args[1].as_str(), i % 4) {
            ("plain", _) => writeln!(line, "[{i:08}] packed unit{a}.o in {b} ms, nothing to report here"),
            ("same", _) => writeln!(line, "src/main.c:12:5: warning: unused variable 'x' [-Wunused-variable]"),
            ("warning", _) => writeln!(line, "src/unit{a}.c:{b}:5: warning: unused variable 'x{i}' [-Wunused-variable]"),
            ("binary", _) => line.write_all(&i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes().repeat(8)),
            ("endless", _) => write!(line, "token {i} not found, "),
            ("count", _) => writeln!(line, "{i}"),
            ("words", _) => writeln!(line, "{}: error: '{}' undeclared", word(i), word(i.wrapping_mul(0x9E37_79B9))),
            ("error", _) => writeln!(line, "src/unit{a}.c:{b}:5: error: expected ';' before 'x{i}'"),
            (_, 0) => writeln!(line, "src/unit{a}.c:{b}:5: error: 'x{i}' undeclared (first use in this function)"),
            (_, 1) => writeln!(line, "2024-05-01T10:00:{b:02}Z WARN pool{a}: connection refused, retrying in {b} s"),
            (_, 2) => writeln!(line, "FAILED tests/test_{a}.py::test_{i} - AssertionError: assert {a} == {b}"),
            (_, _) => writeln!(line, "[INFO] module {a} built in {b} s"),
        }
        .unwrap();
        out.write_all(&line).unwrap();
        (written, i) = (written + line.len() as u64, i + 1);
    }
}
"#;

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

pub(super) fn run(recovery: &Path, scratch: &Path, page: &mut String) -> anyhow::Result<()> {
    let (source, generator) = (scratch.join("flood.rs"), scratch.join("flood"));
    std::fs::write(&source, GENERATOR)?;
    run_quietly(Command::new("rustc").args(["-O", "-o"]).arg(&generator).arg(&source))?;
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
        let asks = format!("{}; grep VmHWM /proc/$PPID/status >&2", command(kind));
        let output = supervised(recovery, scratch, &asks).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let peak = printed.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok());
        let peak = peak.map_or("not told".to_owned(), |kb| format!("{} MiB", kb.div_ceil(1024)));
        say!(page, "| {what} | {:.2}x | {peak} |", ratio(cat, ours));
    }
    quietly(Command::new("rm").arg("-r").arg(state_dir(scratch)))
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
