//! The command line over a PostgreSQL store that two directories share.

#[path = "../../recovery-store/tests/support/server.rs"]
mod server;

use serde_json::{Value, json};
use server::Server;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn main() {
    if std::env::args().any(|arg| arg == "--list") {
        return;
    }
    let Some(server) = Server::start("the PostgreSQL tests of recovery-cli") else { return };
    for (name, check) in [("one_journal_for_two_machines", machines as fn(&Server)), ("mcp", mcp), ("outage", outage)] {
        check(&server);
        println!("postgres: {name}: ok");
    }
}

fn recovery(dir: &Path, store: &str, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    command.current_dir(dir).args(args).env("RECOVERY_STORE", store);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn machines(server: &Server) {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = server.address("cli");
    let decide = |dir: &Path, task: &str, text: &str| -> Value {
        let event = json!({ "exit_code": 1, "stderr_tail": text }).to_string();
        let out = recovery(dir, &store, &["decide", "--event", "--task", task, "--format", "json"], &event);
        serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"))
    };
    let said = |dir: &Path, args: &[&str]| {
        let out = recovery(dir, &store, args, "");
        assert!(out.status.success(), "{args:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    // A task that fails here goes on there.
    assert_eq!(decide(here.path(), "shared", "Error: read ECONNRESET")["record"]["seq"], 1);
    let again = decide(there.path(), "shared", "Error: read ECONNRESET");
    assert_eq!((&again["record"]["seq"], &again["ladder"]["attempt"]), (&json!(2), &json!(2)), "{again}");
    // What one is told to wait for, the other keeps.
    let limited = "429 Too Many Requests https://api.example.com/v1\nRetry-After: 600";
    decide(here.path(), "a", limited);
    let other = decide(there.path(), "b", "503 Service Unavailable https://api.example.com/v1");
    assert_eq!(other["cooldown"]["resource"], "host:api.example.com", "{other}");
    assert!(said(there.path(), &["breaker", "list"]).contains("host:api.example.com"));
    assert!(said(there.path(), &["status"]).contains("shared"));
    assert!(said(there.path(), &["report"]).contains("4 failures"), "{}", said(there.path(), &["report"]));
    assert!(said(there.path(), &["journal", "verify"]).contains("sound: 4 records of 3 tasks"));
    assert!(said(there.path(), &["journal", "replay"]).contains("4 decisions replayed"));
    assert!(said(there.path(), &["metrics"]).ends_with("# EOF\n"));
    let export = said(there.path(), &["journal", "export"]);
    assert_eq!(export.lines().count(), 4);
    // An export goes into a file of one machine and is the same there.
    let file = tempfile::tempdir().unwrap();
    let local = format!("sqlite:{}", file.path().join("journal.db").display());
    assert!(recovery(here.path(), &local, &["journal", "import"], &export).status.success());
    assert_eq!(String::from_utf8(recovery(here.path(), &local, &["journal", "export"], "").stdout).unwrap(), export);
    // A run is recorded there, and works also where the server is gone.
    assert!(said(here.path(), &["run", "--task", "r", "--", "true"]).is_empty());
    let gone = "postgres://me:hunter2@127.0.0.1:1/db";
    let run = recovery(here.path(), gone, &["run", "--task", "r", "--", "echo", "ran"], "");
    assert_eq!((run.status.code(), run.stdout.as_slice()), (Some(0), b"ran\n".as_slice()), "{run:?}");
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(error.contains("postgres://me@127.0.0.1:1/db") && !error.contains("hunter2"), "{error}");
}

/// Nothing that happens while the server is away is lost, and a decision goes on from what this machine knows.
fn outage(server: &Server) {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = server.address("outage");
    let decide = |dir: &Path| -> Value {
        let event = json!({ "exit_code": 1, "stderr_tail": "Error: read ECONNRESET" }).to_string();
        let out = recovery(dir, &store, &["decide", "--event", "--task", "t", "--format", "json"], &event);
        serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"))
    };
    let text = |dir: &Path, args: &[&str]| {
        let out = recovery(dir, &store, args, "");
        assert!(out.status.success(), "{args:?}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    assert_eq!(decide(here.path())["ladder"]["attempt"], 1);
    assert_eq!(decide(here.path())["ladder"]["attempt"], 2);
    server.crash();
    let away = decide(here.path());
    assert_eq!(away["ladder"]["attempt"], 3, "{away}");
    let run = recovery(here.path(), &store, &["run", "--task", "r", "--", "sh", "-c", "echo ran; exit 3"], "");
    assert_eq!((run.status.code(), run.stdout.as_slice()), (Some(3), b"ran\n".as_slice()), "{run:?}");
    let payload = json!({
        "hook_event_name": "PostToolUseFailure", "session_id": "s", "cwd": here.path(), "tool_name": "Bash",
        "tool_use_id": "toolu_1", "tool_input": { "command": "npm ci" },
        "error": "Exit code 1\nnpm error code ECONNRESET\nnpm error network read ECONNRESET"
    });
    let hook = recovery(here.path(), &store, &["hook", "claude-code"], &payload.to_string());
    assert!(hook.status.success() && !hook.stdout.is_empty(), "{hook:?}");
    // What is kept here is not the journal: whoever asks for that is told.
    let status = recovery(here.path(), &store, &["status"], "");
    assert_eq!(status.status.code(), Some(2), "{status:?}");
    let push = recovery(here.path(), &store, &["journal", "push"], "");
    assert_eq!(push.status.code(), Some(2), "{push:?}");
    server.resume();
    assert_eq!(server.sql("SELECT count(*) FROM outage.records WHERE task = 't'"), "2");
    let pushed = text(here.path(), &["journal", "push"]);
    assert!(pushed.contains("shipped to postgres://"), "{pushed}");
    assert_eq!(text(here.path(), &["journal", "push"]), "nothing to ship\n");
    assert_eq!(server.sql("SELECT count(*) FROM outage.records WHERE task = 't'"), "3");
    assert!(text(there.path(), &["status", "r"]).contains('r'));
    assert!(text(there.path(), &["report"]).contains("npm ci"), "{}", text(there.path(), &["report"]));
    assert_eq!(decide(there.path())["record"]["seq"], 4);
    // The next call ships by itself.
    server.crash();
    decide(here.path());
    server.resume();
    let after = decide(here.path());
    assert_eq!(after["record"]["seq"], 6, "{after}");
    assert!(text(there.path(), &["journal", "verify"]).contains("sound"));
}

/// The server's tools run within a runtime of their own.
fn mcp(server: &Server) {
    let dir = tempfile::tempdir().unwrap();
    let call = |id: u32, method: &str, params: Value| {
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    };
    let initialize = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
    });
    let event = json!({ "task": "m", "attempt_id": "1", "output": "read ECONNRESET" });
    let input = [
        call(1, "initialize", initialize),
        format!("{}\n", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })),
        call(2, "tools/call", json!({ "name": "decide_next_step", "arguments": event })),
    ];
    let out = recovery(dir.path(), &server.address("mcp"), &["mcp"], &input.concat());
    let out = String::from_utf8(out.stdout).unwrap();
    assert!(out.contains("\"id\":2") && !out.contains("\"isError\":true"), "{out}");
    assert_eq!(server.sql("SELECT count(*) FROM mcp.records"), "1", "{out}");
}
