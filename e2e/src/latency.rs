//! What a hook call costs: the time from starting `recovery hook` to its end, with a journal on disk that has a history.
//!
//! Each kind of call is measured many times, in turn with a program that does nothing (`true`), so that the cost of starting
//! any process on this machine is seen beside it.

use super::clients::Stage;
use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each kind is measured.
const ROUNDS: usize = 200;
/// How many tasks the journal knows of before.
const HISTORY: usize = 100;

/// The table for docs/e2e.md.
pub(super) fn measure(recovery: &Path) -> anyhow::Result<String> {
    let dir = std::env::temp_dir().join(format!("recovery-latency-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let stage = Stage { dir: dir.clone(), port: 0 };
    let project = stage.project();
    std::fs::create_dir_all(&project)?;
    std::fs::create_dir_all(dir.join("home"))?;
    let made = Command::new("git").args(["init", "--quiet"]).current_dir(&project).status()?;
    ensure!(made.success(), "git init failed");
    for file in 0..500 {
        std::fs::create_dir_all(project.join(format!("src/part{}", file % 20)))?;
        std::fs::write(project.join(format!("src/part{}/file{file}.rs", file % 20)), "fn main() {}\n")?;
    }
    let hook = |payload: &Value| -> anyhow::Result<Duration> {
        timed(stage.command(recovery, &[recovery])?.args(["hook", "claude-code"]), payload.to_string().as_bytes())
    };
    for task in 0..HISTORY {
        hook(&after(&project, &format!("make part{task}"), task, Some("src/a.c:4:5: error: expected expression")))?;
    }
    let mut kinds: [(&str, Vec<Duration>); 6] = [
        ("a program that does nothing (`true`)", Vec::new()),
        ("before a call, nothing known of it", Vec::new()),
        ("before a call that has failed before", Vec::new()),
        ("after a call that worked", Vec::new()),
        ("after a call that failed, advice given", Vec::new()),
        ("after an edit", Vec::new()),
    ];
    for round in 0..ROUNDS {
        let number = HISTORY + round;
        let known = format!("make part{}", round % HISTORY);
        let failing = format!("npm test -- part{}", round % 50);
        let took = [
            timed(&mut Command::new("true"), b"")?,
            hook(&before(&project, "cargo build", number))?,
            hook(&before(&project, &known, number))?,
            hook(&after(&project, "cargo build", number, None))?,
            hook(&after(
                &project,
                &failing,
                number,
                Some("FAIL src/login.test.ts\n  expected 3, received 4\nTests: 1 failed"),
            ))?,
            hook(&json!({"hook_event_name": "PostToolUse", "session_id": "s", "cwd": project, "tool_name": "Edit",
                "tool_use_id": format!("e{number}"), "tool_input": {"file_path": "a.rs"}, "tool_response": {}}))?,
        ];
        for ((_, all), took) in kinds.iter_mut().zip(took) {
            all.push(took);
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    let mut text = format!(
        "\n## What a hook call costs\n\nFrom start to end of `recovery hook claude-code`, {ROUNDS} calls of each kind, a journal on disk with \
         {HISTORY} tasks, a project of 500 files.\n\n| call | median | 95 of 100 within |\n|---|---|---|\n"
    );
    for (kind, mut all) in kinds {
        all.sort_unstable();
        let at = |share: usize| all.get(all.len() * share / 100).copied().unwrap_or_default().as_secs_f64() * 1000.0;
        writeln!(text, "| {kind} | {:.1} ms | {:.1} ms |", at(50), at(95))?;
    }
    Ok(text)
}

fn before(project: &Path, command: &str, number: usize) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": project, "tool_name": "Bash",
        "tool_use_id": format!("t{number}"), "tool_input": {"command": command}})
}

/// `error` is what a failed call printed.
fn after(project: &Path, command: &str, number: usize, error: Option<&str>) -> Value {
    let mut payload = before(project, command, number);
    match error {
        Some(error) => {
            payload["hook_event_name"] = json!("PostToolUseFailure");
            payload["error"] = json!(format!("Exit code 1\n{error}"));
        }
        None => {
            payload["hook_event_name"] = json!("PostToolUse");
            payload["tool_response"] = json!({"stdout": "ok", "stderr": "", "interrupted": false});
        }
    }
    payload
}

fn timed(command: &mut Command, input: &[u8]) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // A program that does nothing reads nothing, either.
    let _ = child.stdin.take().context("it has a standard input")?.write_all(input);
    ensure!(child.wait()?.success(), "{} failed", command.get_program().display());
    Ok(begun.elapsed())
}
