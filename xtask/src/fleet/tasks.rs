//! A journal of a million tasks: how fast `decide --ndjson` fills it, how large it gets, and what each interactive command
//! costs on it.
//!
//! In: the program. Out: a paragraph and a table. Bare durable inserts of 1 KiB rows (`recovery-store/examples/plain_inserts.rs`)
//! run before and after, because the speed of a disk changes with what else it does. To measure another command, add a row to
//! [`commands`].

use crate::bench::children_cpu;
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each command runs; the median counts.
const ROUNDS: usize = 15;

/// Rows that the bare inserts store: each is one sync of the disk.
const BARE_ROWS: u64 = 2_000;

/// What one run of a command took.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    elapsed: Duration,
}

pub(super) fn section(root: &Path, binary: &Path, tasks: u64) -> anyhow::Result<String> {
    let place = std::env::temp_dir().join(format!("recovery-fleet-{}", std::process::id()));
    std::fs::create_dir_all(place.join(".git"))?;
    let measured = measure(root, binary, &place, tasks);
    std::fs::remove_dir_all(&place)?;
    measured
}

fn measure(root: &Path, binary: &Path, place: &Path, tasks: u64) -> anyhow::Result<String> {
    let before = bare_inserts(root, place)?;
    let (began, cpu) = (Instant::now(), children_cpu()?);
    fill(binary, place, tasks)?;
    let (filled, cpu) = (began.elapsed(), children_cpu()?.saturating_sub(cpu));
    let bare = f64::midpoint(before, bare_inserts(root, place)?);
    let bytes = ["journal.db", "journal.db-wal"]
        .map(|name| std::fs::metadata(place.join(".recovery").join(name)).map_or(0, |file| file.len()));
    let rate = tasks as f64 / filled.as_secs_f64();
    let mut page = String::new();
    writeln!(
        page,
        "`decide --ndjson` of {tasks} failures, each of a task of its own: {rate:.0} per second, stored before they are\n\
         answered ({:.0} \u{b5}s of CPU time each). Bare durable SQLite inserts of 1 KiB rows on the same disk, one commit\n\
         each: {bare:.0} per second ({:.1}x). The file has {} bytes per task, with all indexes.\n",
        cpu.as_micros() as f64 / tasks as f64,
        rate / bare,
        bytes.iter().sum::<u64>() / tasks
    )?;
    writeln!(page, "| command, {tasks} tasks in SQLite | CPU time | start to exit | slowest of {ROUNDS} |")?;
    writeln!(page, "|---|---:|---:|---:|")?;
    for (shown, args, input) in commands(place, tasks) {
        let mut costs = (0..ROUNDS).map(|_| once(binary, place, &args, &input)).collect::<anyhow::Result<Vec<_>>>()?;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        costs.sort_by_key(|cost| cost.cpu);
        let cpu = ms(costs[ROUNDS / 2].cpu);
        costs.sort_by_key(|cost| cost.elapsed);
        let (median, slowest) = (ms(costs[ROUNDS / 2].elapsed), ms(costs[ROUNDS - 1].elapsed));
        writeln!(page, "| `{shown}` | {cpu:.1} ms | {median:.1} ms | {slowest:.1} ms |")?;
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
    let _ = std::fs::remove_file(&file);
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

fn once(binary: &Path, place: &Path, args: &[String], input: &str) -> anyhow::Result<Cost> {
    let (began, cpu) = (Instant::now(), children_cpu()?);
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
    Ok(Cost { elapsed: began.elapsed(), cpu: children_cpu()?.saturating_sub(cpu) })
}
