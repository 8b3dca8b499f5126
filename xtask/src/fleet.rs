//! `cargo xtask fleet`: makes a journal of a million tasks, measures every interactive command on it, and writes the tables of
//! docs/fleet.md.
//!
//! In: the release build of `recovery`. Out: how fast `decide --ndjson` filled the journal, against bare durable inserts of
//! 1 KiB rows (`recovery-store/examples/plain_inserts.rs`), the bytes per record, and the median time of each command from start
//! to exit. To measure another command, add a row to [`commands`].

use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each command runs; the median counts.
const ROUNDS: usize = 21;

/// Rows that the bare inserts store: each is one sync of the disk.
const BARE_ROWS: u64 = 2_000;

/// The tables are between these lines of docs/fleet.md.
const BEGIN: &str = "<!-- tasks: cargo xtask fleet -->\n";
const END: &str = "<!-- end of tasks -->\n";

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many tasks
    #[arg(long, default_value_t = 1_000_000)]
    tasks: u64,
    /// The program to measure [default: the release build, made now]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Print the tables, and leave docs/fleet.md as it is
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            cargo(root, &["build", "--release", "--quiet", "-p", "recovery-cli"])?;
            root.join("target/release/recovery")
        }
    };
    let place = std::env::temp_dir().join(format!("recovery-fleet-{}", std::process::id()));
    std::fs::create_dir_all(place.join(".git"))?;
    let measured = measure(root, &binary, &place, options.tasks);
    std::fs::remove_dir_all(&place)?;
    let page = measured?;
    println!("{page}");
    if options.print {
        return Ok(());
    }
    let path = root.join("docs/fleet.md");
    let text = std::fs::read_to_string(&path)?;
    let (before, rest) = text.split_once(BEGIN).context("docs/fleet.md has no place for the tables")?;
    let (_, after) = rest.split_once(END).context("the place for the tables has no end")?;
    std::fs::write(&path, format!("{before}{BEGIN}{page}{END}{after}"))?;
    Ok(())
}

fn measure(root: &Path, binary: &Path, place: &Path, tasks: u64) -> anyhow::Result<String> {
    let began = Instant::now();
    fill(binary, place, tasks)?;
    let filled = began.elapsed();
    let bytes = std::fs::metadata(place.join(".recovery/journal.db"))?.len();
    let bare_rate = bare_inserts(root, place)?;
    let rate = tasks as f64 / filled.as_secs_f64();
    let mut page = String::new();
    writeln!(
        page,
        "`decide --ndjson` of {tasks} failures, each of a task of its own: {rate:.0} per second, stored before"
    )?;
    writeln!(page, "they are answered; bare durable SQLite inserts of 1 KiB rows on the same disk, one commit each:")?;
    writeln!(
        page,
        "{bare_rate:.0} per second ({:.1}x). {} bytes of file per record, indexes included.\n",
        rate / bare_rate,
        bytes / tasks
    )?;
    writeln!(
        page,
        "| command, {tasks} tasks in SQLite | median, start to exit | slowest of {ROUNDS} |\n|---|---:|---:|"
    )?;
    for (shown, args, input) in commands(place, tasks) {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            times.push(once(binary, place, &args, &input)?);
        }
        times.sort();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(page, "| `{shown}` | {:.1} ms | {:.1} ms |", ms(times[ROUNDS / 2]), ms(times[ROUNDS - 1]))?;
    }
    Ok(page)
}

/// What is measured: what is shown, the arguments, and the standard input.
fn commands(place: &Path, tasks: u64) -> Vec<(&'static str, Vec<String>, String)> {
    let middle = format!("task {}", tasks / 2);
    let hook = |event: serde_json::Value| {
        let mut payload = serde_json::json!({"session_id": "s", "cwd": place});
        if let (Some(fields), Some(more)) = (payload.as_object_mut(), event.as_object()) {
            fields.extend(more.clone());
        }
        payload.to_string()
    };
    let args = |line: &[&str]| line.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>();
    let edit = serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "e",
        "tool_input": {"file_path": place.join("a.rs"), "old_string": "a", "new_string": "b"}, "tool_response": {}});
    let failed = serde_json::json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "f",
        "tool_input": {"command": "make"}, "error": "Exit code 2\nmake: *** No rule to make target 'x'.  Stop."});
    vec![
        ("status", args(&["status"]), String::new()),
        ("status --format json", args(&["status", "--format", "json"]), String::new()),
        ("status --line", args(&["status", "--line"]), String::new()),
        ("status TASK", args(&["status", &middle]), String::new()),
        ("status 'part of a name'", args(&["status", &middle[2..]]), String::new()),
        ("stuck", args(&["stuck"]), String::new()),
        ("hints TASK", args(&["hints", &middle]), String::new()),
        ("tick", args(&["tick"]), String::new()),
        ("journal", args(&["journal"]), String::new()),
        ("breaker list", args(&["breaker", "list"]), String::new()),
        (
            "decide --task TASK",
            args(&["decide", "--task", &middle, "--exit-code", "1"]),
            "read ECONNRESET\n".to_owned(),
        ),
        (
            "hook: session start",
            args(&["hook", "claude-code"]),
            hook(serde_json::json!({"hook_event_name": "SessionStart"})),
        ),
        ("hook: after an edit", args(&["hook", "claude-code"]), hook(edit)),
        ("hook: a failed command", args(&["hook", "claude-code"]), hook(failed)),
    ]
}

/// Failures of different kinds, one per task, through the program itself.
fn fill(binary: &Path, place: &Path, tasks: u64) -> anyhow::Result<()> {
    const OUTPUTS: [&str; 4] = [
        "npm ERR! code ECONNRESET\nnpm ERR! network request failed, reason: read ECONNRESET\n",
        "error[E0308]: mismatched types\n --> src/main.rs:4:18\nerror: could not compile `app` due to 1 previous error\n",
        "FAILED tests/test_login.py::test_ok - AssertionError: assert 1 == 2\n1 failed, 12 passed in 0.34s\n",
        "bash: jq: command not found\n",
    ];
    let mut child = Command::new(binary)
        .args(["decide", "--ndjson"])
        .current_dir(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut input = BufWriter::new(child.stdin.take().context("a pipe")?);
    for (n, output) in (0..tasks).zip(OUTPUTS.into_iter().cycle()) {
        let event = serde_json::json!({"id": format!("e{n}"), "tool": "Bash", "exit_code": 1, "stderr_tail": output,
            "node": {"id": format!("task {n}")}});
        writeln!(input, "{event}")?;
    }
    drop(input);
    ensure!(child.wait()?.success(), "decide --ndjson failed");
    Ok(())
}

fn bare_inserts(root: &Path, place: &Path) -> anyhow::Result<f64> {
    let file = place.join("bare.db");
    let output = Command::new("cargo")
        .args(["run", "--release", "--quiet", "-p", "recovery-store", "--example", "plain_inserts", "--"])
        .arg(&file)
        .arg(BARE_ROWS.to_string())
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the example failed");
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

fn once(binary: &Path, place: &Path, args: &[String], input: &str) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut child = Command::new(binary)
        .args(args)
        .current_dir(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().context("a pipe")?.write_all(input.as_bytes());
    let status = child.wait()?;
    ensure!(status.code().is_some_and(|code| code < 2), "{args:?}: {status}");
    Ok(began.elapsed())
}

fn cargo(root: &Path, args: &[&str]) -> anyhow::Result<()> {
    ensure!(Command::new("cargo").args(args).current_dir(root).status()?.success(), "cargo {args:?} failed");
    Ok(())
}
