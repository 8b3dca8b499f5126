//! Nothing from outside plays with the terminal: whatever a command is given, it prints no control character.

#![cfg(unix)]

mod common;

use common::recovery;
use recovery_types::terminal::is_unsafe_for_terminal;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Colours, a bell, a C1 code, a reordering mark, a return, a backspace, a delete, and what only a model sees: a zero-width
/// space, a line separator, a tag.
const HOSTILE: &str = "a\u{1b}[31mb\u{7}c\u{9b}5nd\u{202e}e\rf\u{8}g\u{7f}h\u{1b}]0;i\u{7}\u{200b}j\u{2028}k\u{e0041}";
/// A name may not hold control characters; a reordering mark is none.
const TASK: &str = "t\u{202e}a\u{200b}s\u{e0041}k";

struct Project {
    dir: PathBuf,
    tried: BTreeSet<String>,
    /// What was printed around each control character.
    printed: Vec<String>,
}

impl Project {
    fn run(&mut self, args: &[&str], input: &str) {
        // JSON is written in one place; one try a command shows that it is used.
        let first = self.tried.insert(args[0].to_owned());
        for format in ["text", "json"].into_iter().take(1 + usize::from(first)) {
            let args = [&["--format", format], args].concat();
            let out = recovery(&self.dir, &args, input.as_bytes());
            assert!(!matches!(out.status.code(), None | Some(70)), "{args:?}: {out:?}");
            for printed in [&out.stdout, &out.stderr] {
                let text = std::str::from_utf8(printed).unwrap();
                if let Some(at) = text.find(is_unsafe_for_terminal) {
                    let around = text.floor_char_boundary(at.saturating_sub(80))..text.ceil_char_boundary(at + 20);
                    self.printed.push(format!("{args:?}: {:?}", &text[around]));
                }
            }
        }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.join(name), text).unwrap();
    }
}

#[test]
fn no_command_prints_control_characters_from_its_input() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join(HOSTILE);
    std::fs::create_dir(&dir).unwrap();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(&dir).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(args);
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    std::fs::create_dir(dir.join("logs")).unwrap();
    let mut project = Project { dir, tried: BTreeSet::new(), printed: Vec::new() };
    let log = format!("{HOSTILE}\nerror[E0308]: {HOSTILE} mismatched types\n --> src/{HOSTILE}.rs:1:2\n");
    let file = format!("log {HOSTILE}");
    project.write(&file, &log);
    project.write(&format!("logs/{HOSTILE}.log"), &log);
    project.write("gone.log.gz", "\u{1f}\u{8b}");
    let event = json!({
        "exit_code": 1, "stderr_tail": log, "tool": HOSTILE, "approach": HOSTILE, "action": HOSTILE, "step": HOSTILE,
        "completed_steps": [HOSTILE], "files_touched": [HOSTILE], "cause": HOSTILE, "conflict_id": HOSTILE,
        "node": {"id": TASK, "parent_id": HOSTILE, "test_edits": {HOSTILE: 9}},
        "history": [{"approach": HOSTILE, "stderr_tail": HOSTILE}],
        "ancestor": {"constraints": [{"id": HOSTILE, "forbid": ["/(/", HOSTILE], "protect": [HOSTILE, "[" ]}],
                     "features": {HOSTILE: ["**"]}},
        "task": {"number": HOSTILE, "name": HOSTILE, "done_criteria": [HOSTILE, "x works and y refreshes"]},
    })
    .to_string();
    let wrong = json!({"exit_code": HOSTILE}).to_string();
    let raw = format!("{{\"exit_code\": {HOSTILE}}}");

    for name in ["classify", "decide"] {
        project.run(&[name, &file, "--tool", HOSTILE], "");
        project.run(&[name, HOSTILE], "");
        project.run(&[name, "--event"], &event);
        for bad in [&wrong, &raw] {
            project.run(&[name, "--event"], bad);
            project.run(&[name, "--ndjson"], bad);
        }
    }
    for _ in 0..4 {
        project.run(&["decide", "--exit-code", "1", "--task", TASK, "--approach", HOSTILE, &file], "");
    }
    project.run(&["decide", "--exit-code", "1", "--task", HOSTILE, &file], "");
    let request = json!({
        "task": {"number": HOSTILE, "name": HOSTILE, "done_criteria": [HOSTILE, "a works", "looks good\u{9b}"]},
        "error": {"text": log, "expected": HOSTILE, "actual": HOSTILE},
        "plan": {"decisions": [HOSTILE], "out_of_scope": [HOSTILE], "adjacent": [{"number": HOSTILE, "name": HOSTILE, "status": "failed"}]},
        "attempts": [{"strategy": "RETRY", "approach": HOSTILE, "ok": false}, {"strategy": "RETRY", "approach": "b", "ok": false}],
    })
    .to_string();
    for input in [&request, &wrong, &raw] {
        project.run(&["repair"], input);
        project.run(&["repair", "--ndjson"], input);
    }
    for task in [TASK, HOSTILE, "nosuch\u{202e}"] {
        project.run(&["status", task], "");
        project.run(&["hints", task], "");
        project.run(&["journal", "show", "--task", task], "");
        project.run(&["rollback", "--task", task, "--dry-run"], "");
        project.run(&["run", "--task", task, "--approach", HOSTILE, "--", "sh", "-c", "exit 3", HOSTILE], "");
    }
    project.run(&["status"], "");
    project.run(&["stuck"], "");
    project.run(&["run", HOSTILE], "");
    project.run(&["run", "--", HOSTILE], "");
    project.run(&["run", "--limit", HOSTILE, "--", "true"], "");
    project.run(&["run", "--dry-run", "--task", TASK, "--nudge", HOSTILE, "--", HOSTILE], "");
    project.run(&["checkpoint", HOSTILE], "");
    project.run(&["rollback", "--undo", HOSTILE], "");
    for command in ["show", "verify", "export", "replay"] {
        project.run(&["journal", command], "");
    }
    project.run(&["journal", "verify", &file], "");
    project.run(&["journal", "import", &file], "");
    let history = json!({"ts": "2026-01-24T10:00:00Z", "event": "execution_failed", "approach": HOSTILE}).to_string();
    project.run(&["journal", "import", "--task", TASK], &format!("{history}\n"));
    project.run(&["journal", "import", "--task", TASK], &format!("{history}\n{{{HOSTILE}}}\n"));
    project.run(&["report"], "");
    project.run(&["report", "--html", &format!("{HOSTILE}.html")], "");
    project.run(&["resolve", TASK, "--reason", HOSTILE], "");
    project.run(&["reset", TASK, "--reason", HOSTILE], "");
    project.run(&["reset", HOSTILE, "--reason", HOSTILE], "");
    project.run(&["journal", "show"], "");
    project.run(&["heal", TASK], "");
    project.run(&["heal", HOSTILE], "");
    project.run(&["gate", TASK, "retry", "--reason", HOSTILE], "");
    let conflict = json!({"exit_code": 1, "stderr_tail": HOSTILE, "conflict_id": HOSTILE}).to_string();
    project.run(&["decide", "--event", "--task", TASK], &conflict);
    project.run(&["conflicts", "list"], "");
    project.run(&["conflicts", "resolve", HOSTILE, "--reason", HOSTILE], "");
    project.run(&["conflicts", "resolve", HOSTILE, "--reason", HOSTILE], "");
    project.run(&["plan", "freeze", TASK, "--reason", HOSTILE], "");
    project.run(&["plan", "show"], "");
    project.run(&["plan", "thaw", TASK, "--reason", HOSTILE], "");
    project.run(&["plan", "thaw", HOSTILE, "--reason", HOSTILE], "");
    project.run(&["uninstall", HOSTILE], "");
    project.run(&["tick"], "");
    project.run(&["allow", HOSTILE], "");
    project.run(&["problems", &file], "");
    project.run(&["problems", HOSTILE], "");
    project.run(&["trust"], "");
    project.run(&["updates"], "");
    project.run(&["step", "done", HOSTILE, "--task", TASK], "");
    project.run(&["step", "list", "--task", TASK], "");
    project.run(&["breaker", "list"], "");
    project.run(&["breaker", "reset", HOSTILE], "");
    project.run(&["metrics"], "");

    project.run(&["scan", "logs", &file, HOSTILE, "gone.log.gz"], "");
    project.run(&["scan", "--ndjson", "logs", HOSTILE], "");
    project.run(&["rules", "list"], "");
    project.run(&["rules", "test", HOSTILE, &file], "");
    project.run(&["rules", "test", "rustc.error-code", &file], "");
    project.run(&["explain", HOSTILE], "");
    project.run(&["schema", HOSTILE], "");
    project.run(&["completions", HOSTILE], "");
    project.run(&["man", "--dir", &format!("{file}/{HOSTILE}")], "");
    let case = json!({"id": HOSTILE, "text": log, "failure_type": "UNKNOWN", "error_type": "other", "class": "F2"});
    project.write("cases.jsonl", &format!("{case}\n"));
    project.run(&["eval", "cases.jsonl"], "");
    project.run(&["eval", "cases.jsonl", "--wrong"], "");
    project.run(&["eval", &file], "");
    let failure = json!({"at_ms": 0, "event": "failure", "error_type": "other", "message": HOSTILE, "step": HOSTILE});
    project.run(&["simulate"], &failure.to_string());
    project.run(&["simulate"], &json!({"at_ms": 0, "event": HOSTILE}).to_string());

    let payload = json!({
        "session_id": HOSTILE, "cwd": project.dir, "hook_event_name": "PostToolUseFailure", "tool_name": HOSTILE,
        "tool_input": {"command": HOSTILE}, "tool_use_id": "t", "error": log,
    });
    project.run(&["hook", "claude-code"], &payload.to_string());
    project.run(&["hook", HOSTILE], &payload.to_string());
    project.run(&["install", HOSTILE], "");
    std::fs::create_dir(project.dir.join(".claude")).unwrap();
    let settings = json!({"env": {"A": HOSTILE}, "hooks": {"PreToolUse": [{"matcher": HOSTILE, "hooks": []}]}});
    for settings in
        [settings.to_string(), format!("{{\"a\": \"{}\"}}", HOSTILE.replace(['\u{1b}', '\u{7}', '\r', '\u{8}'], ""))]
    {
        project.write(".claude/settings.json", &settings);
        project.run(&["install", "claude-code", "--dry-run"], "");
        project.run(&["install", "claude-code"], "");
        project.run(&["doctor"], "");
    }
    project.write(".claude/settings.json", HOSTILE);
    project.run(&["install", "claude-code"], "");
    project.run(&["doctor"], "");

    project.run(&["status", "--config", HOSTILE], "");
    project.run(&["status", "--state-dir", &file], "");
    project.run(&["status", "--pack", HOSTILE], "");
    project.run(&["status", &format!("--{HOSTILE}")], "");
    for settings in [
        format!("[[indicator]]\nid = \"{TASK}\"\ntext = \"\"\nerror_type = \"other\"\n"),
        format!("pack = \"{TASK}\"\n"),
        format!("{HOSTILE}\n"),
    ] {
        project.write("recovery.toml", &settings);
        project.run(&["classify"], "boom");
    }

    // `mcp` writes JSON for a program.
    let all: BTreeSet<String> = recovery_cli::command().get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let missing: Vec<_> = all.difference(&project.tried).filter(|name| *name != "mcp").collect();
    assert!(missing.is_empty(), "not tried: {missing:?}");
    assert!(project.printed.is_empty(), "{}", project.printed.join("\n"));
}

/// The memory files and the page are read in terminals too.
#[test]
fn what_is_written_for_people_holds_none_either() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    let text = "\u{1b}[31mflux\u{1b}[0m capacitor \u{9b}1mmisaligned";
    let event = json!({"exit_code": 1, "stderr_tail": text, "step": HOSTILE, "completed_steps": [HOSTILE], "idempotent": false});
    let loops = json!({"exit_code": 1, "stderr_tail": text, "action": HOSTILE});
    for input in std::iter::repeat_n(&event, 2).chain(std::iter::repeat_n(&loops, 12)) {
        assert!(recovery(dir.path(), &["decide", "--event"], input.to_string().as_bytes()).status.success());
    }
    for name in ["learnings.md", "issues.md"] {
        let notes = std::fs::read_to_string(dir.path().join(".recovery").join(name)).unwrap();
        assert_eq!(notes.chars().find(|c| is_unsafe_for_terminal(*c)), None, "{notes:?}");
        assert!(!notes.contains("[31m") && !notes.contains("[0m"), "half of a colour: {notes}");
        assert!(notes.contains("flux capacitor"), "{notes}");
    }
    assert!(recovery(dir.path(), &["report", "--html", "page.html"], b"").status.success());
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert_eq!(page.chars().find(|c| is_unsafe_for_terminal(*c)), None);
}
