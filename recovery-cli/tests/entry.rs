//! What enters: names that can be used, numbers that make sense, and no secret that is kept.

mod common;

use common::{command, recovery};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::time::Duration;

const SECRET: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    dir
}

#[test]
fn a_task_that_nobody_knows_is_a_no_everywhere() {
    let dir = project();
    assert!(recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "known"], b"boom").status.success());
    let commands: [&[&str]; 9] = [
        &["status", "nosuch"],
        &["status", "nosuch", "--format", "json"],
        &["hints", "nosuch"],
        &["hints", "nosuch", "--format", "json"],
        &["resolve", "nosuch", "--reason", "x"],
        &["allow", "nosuch"],
        &["journal", "show", "--task", "nosuch"],
        &["journal", "export", "--task", "nosuch"],
        &["journal", "replay", "--task", "nosuch"],
    ];
    for args in commands {
        let out = recovery(dir.path(), args, b"");
        assert_eq!(out.status.code(), Some(1), "{args:?}: {out:?}");
        assert!(out.stdout.is_empty(), "{args:?}: {out:?}");
        assert_eq!(String::from_utf8_lossy(&out.stderr), "no task is called nosuch; `recovery status` lists them\n");
        let known: Vec<&str> = args.iter().map(|arg| if *arg == "nosuch" { "known" } else { arg }).collect();
        assert!(recovery(dir.path(), &known, b"").status.success(), "{known:?}");
    }
}

#[test]
fn names_that_cannot_be_used_are_refused() {
    let dir = project();
    for name in ["", " ", "\u{a0}\t", "a\u{1b}[31mb", "a\nb", "a\u{9b}b", &"x".repeat(201)] {
        for args in
            [&["decide", "--exit-code", "1", "--task", name][..], &["status", "--", name], &["hints", "--", name]]
        {
            let out = recovery(dir.path(), args, b"boom");
            assert_eq!(out.status.code(), Some(2), "{args:?}: {out:?}");
            assert!(String::from_utf8_lossy(&out.stderr).contains("not a task's name"), "{args:?}: {out:?}");
        }
        let event = serde_json::json!({"exit_code": 1, "node": {"id": name}}).to_string();
        let out = recovery(dir.path(), &["decide", "--ndjson"], event.as_bytes());
        let answer: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        assert!(answer["error"].as_str().unwrap().contains("not a task's name"), "{answer}");
        assert_eq!((out.status.code(), &answer["line"]), (Some(0), &1.into()));
    }
    assert!(!dir.path().join(".recovery/journal.db").exists());
}

#[test]
fn numbers_that_make_no_sense_are_named_with_their_field() {
    let dir = project();
    for (field, value) in [
        ("node.deviation_score", "-5"),
        ("node.deviation_score", "1.5"),
        ("node.deviation_score", "1e999"),
        ("node.deviation_score", "NaN"),
        ("node.failed_attempts", "-1"),
        ("node.failed_attempts", "4294967296"),
        ("node.context_budget", "1.5"),
        ("judge.goal_alignment", "-1"),
    ] {
        let (section, name) = field.split_once('.').unwrap();
        let event = format!(r#"{{"exit_code":1,"{section}":{{"id":"n","{name}":{value}}}}}"#);
        for command in ["classify", "decide"] {
            let out = recovery(dir.path(), &[command, "--event"], event.as_bytes());
            let error = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{event}: {error}");
            assert!(error.contains(&format!("field `{field}`")), "{event}: {error}");
            assert!(error.contains("line 1, column"), "{event}: {error}");
        }
    }
}

/// Wherever a secret may be typed, none of it reaches the disk.
#[test]
fn no_text_that_is_stored_keeps_a_secret() {
    let dir = project();
    let run = |args: &[&str], input: &str| {
        let out = recovery(dir.path(), args, input.as_bytes());
        assert!(!matches!(out.status.code(), Some(2 | 70)), "{args:?}: {out:?}");
        for shown in [&out.stdout, &out.stderr] {
            assert!(!String::from_utf8_lossy(shown).contains(SECRET), "{args:?}: {out:?}");
        }
    };
    let named = format!("deploy {SECRET}");
    let log = format!("boom {SECRET}");
    run(&["decide", "--exit-code", "1", "--task", &named, "--approach", SECRET, "--tool", SECRET], &log);
    let event = serde_json::json!({
        "id": SECRET, "exit_code": 1, "stderr_tail": log, "approach": SECRET, "action": SECRET, "step": SECRET,
        "completed_steps": [SECRET], "files_touched": [SECRET], "cause": SECRET, "zone": SECRET, "candidates": [SECRET],
        "node": {"id": named, "parent_id": SECRET, "status": SECRET, "test_edits": {SECRET: 2}},
        "history": [{"approach": SECRET, "node": SECRET}], "task": {"number": SECRET, "name": SECRET},
        "ancestor": {"intent": SECRET, "features": {SECRET: [SECRET]}},
    })
    .to_string();
    run(&["decide", "--event"], &event);
    run(&["decide", "--ndjson"], &event);
    run(&["status", &named], "");
    run(&["hints", &named], "");
    run(&["run", "--task", &named, "--approach", SECRET, "--step", SECRET, "--", "sh", "-c", "exit 3", SECRET], "");
    let history = serde_json::json!({"ts": "2026-01-24T10:00:00Z", "event": "execution_failed", "approach": SECRET});
    std::fs::write(dir.path().join("history.jsonl"), format!("{history}\n")).unwrap();
    run(&["journal", "import", "history.jsonl", "--task", &named], "");
    run(&["resolve", &named, "--reason", SECRET], "");
    run(&["reset", &named, "--reason", SECRET], "");

    let payload = serde_json::json!({
        "session_id": SECRET, "cwd": dir.path(), "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": format!("curl -H 'Authorization: Bearer {SECRET}'")}, "error": log,
    });
    for task in [None, Some(named.as_str())] {
        let mut hook = command(dir.path(), &["hook", "claude-code"]);
        task.map(|task| hook.env("RECOVERY_TASK", task));
        let mut child = hook.spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success() && !String::from_utf8_lossy(&out.stdout).contains(SECRET), "{out:?}");
    }

    let kept = bytes_below(&dir.path().join(".recovery"));
    assert!(kept.windows(10).any(|part| part == b"[redacted:"), "nothing was stored at all");
    assert!(!kept.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
}

fn bytes_below(dir: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        bytes.extend(if path.is_dir() { bytes_below(&path) } else { std::fs::read(path).unwrap() });
    }
    bytes
}

/// Whoever writes a line and waits gets its answer before the next line is written.
#[test]
fn each_line_is_answered_at_once() {
    let dir = project();
    for name in ["classify", "decide", "repair"] {
        let mut child = command(dir.path(), &[name, "--ndjson"]).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (told, answers) = std::sync::mpsc::channel();
        let listener = std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| told.send(line)));
        for line in [r#"{"exit_code":1,"task":{"number":"1"},"error":{"text":"x"}}"#, "nonsense"] {
            writeln!(input, "{line}").unwrap();
            let answer = answers.recv_timeout(Duration::from_secs(60)).expect("an answer while the input stays open");
            assert_eq!(answer.contains(r#""line":2"#), line == "nonsense", "{answer}");
        }
        drop(input);
        assert!(child.wait().unwrap().success());
        listener.join().unwrap().unwrap();
    }
}

#[test]
fn help_says_what_bad_lines_do_to_the_exit_code() {
    let dir = project();
    for name in ["classify", "decide", "repair", "scan"] {
        let out = recovery(dir.path(), &[name, "--help"], b"");
        let help = String::from_utf8_lossy(&out.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, ndjson) = help.split_once("--ndjson ").unwrap();
        let ndjson = ndjson.split(" --").next().unwrap();
        assert!(ndjson.contains("exit code"), "{name}: {ndjson}");
    }
}
