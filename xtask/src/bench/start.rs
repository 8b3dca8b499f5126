//! From the start of a process to its end, against a program that only reads its input and prints, and against Node doing
//! nothing: what a hook costs that runs once for each failed command.

use super::optimised;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 100;
/// The least that a program can do.
const READS_AND_PRINTS: &str = "xtask/examples/reads_and_prints.rs";

pub(super) fn run(root: &Path, recovery: &Path, scratch: &Path, page: &mut String) -> anyhow::Result<()> {
    let reads_and_prints = optimised(root, READS_AND_PRINTS, scratch)?;
    let tail = scratch.join("2.text");
    let project = scratch.join("project");
    let _ = std::fs::remove_dir_all(&project);
    std::fs::create_dir_all(project.join(".git"))?;
    let payload = scratch.join("payload.json");

    let program = |args: &[&str]| {
        let mut command = Command::new(recovery);
        command.args(args);
        command
    };
    let mut runs = [
        Run::new("reads and prints 4 KiB", Command::new(&reads_and_prints), &tail),
        Run::new("classify, field pack", program(&["classify"]), &tail),
        Run::new("classify, documented pack", program(&["classify", "--pack", "documented"]), &tail),
        Run::new("reads and prints 10 KB, one fsync", Command::new(&reads_and_prints), &payload),
        Run::new("hook, 10 KB payload, journal on disk", program(&["hook", "claude-code"]), &payload),
        Run::new("node -e 0", Command::new("node"), &payload),
    ];
    runs[3].command.arg(project.join("log"));
    runs[5].command.args(["-e", "0"]);
    for round in 0..ROUNDS {
        std::fs::write(&payload, failed_call(&project, round).to_string())?;
        for run in &mut runs {
            run.once();
        }
    }
    say!(
        page,
        "\n## Start to exit\n\nProcess start to exit, in turn, {ROUNDS} times each. The aims for a hook: 3.5x of a program that does nothing but one\n\
         fsync, and a fifteenth of `node -e 0`:\n"
    );
    say!(page, "| what | best | best, against reading and printing | median, the same |\n|---|---:|---:|---:|");
    for (number, run) in runs.iter().enumerate() {
        let least = &runs[number / 3 * 3];
        let (Some((best, median)), Some((least_best, least_median))) = (run.times(), least.times()) else {
            say!(page, "| {} | skipped, it is not installed | | |", run.name);
            continue;
        };
        let of = |time: Duration, least: Duration| time.as_secs_f64() / least.as_secs_f64();
        say!(
            page,
            "| {} | {:.2} ms | {:.1}x | {:.1}x |",
            run.name,
            best.as_secs_f64() * 1e3,
            of(best, least_best),
            of(median, least_median)
        );
    }
    Ok(())
}

/// A payload as Claude Code sends it after a failed command; each is another call.
fn failed_call(project: &Path, round: usize) -> serde_json::Value {
    let output: String = (0..240).map(|n| format!("line {n} of the ordinary output of a build\n")).collect();
    serde_json::json!({
        "hook_event_name": "PostToolUseFailure",
        "session_id": format!("s{}", round % 50),
        "cwd": project,
        "tool_name": "Bash",
        "tool_input": { "command": "make check" },
        "tool_use_id": format!("t{round}"),
        "error": format!("Exit code 2\n{output}error: could not compile `app` (bin \"app\") due to 1 previous error"),
    })
}

struct Run<'a> {
    name: &'static str,
    command: Command,
    input: &'a Path,
    times: Vec<Duration>,
}

impl<'a> Run<'a> {
    fn new(name: &'static str, command: Command, input: &'a Path) -> Self {
        Self { name, command, input, times: Vec::new() }
    }

    fn once(&mut self) {
        // What is not installed has no times.
        let Ok(input) = File::open(self.input) else { return };
        let start = Instant::now();
        if self.command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok() {
            self.times.push(start.elapsed());
        }
    }

    /// The best and the median.
    fn times(&self) -> Option<(Duration, Duration)> {
        let mut times = self.times.clone();
        times.sort_unstable();
        Some((*times.first()?, times[times.len() / 2]))
    }
}
