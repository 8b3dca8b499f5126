//! tick, updates, plan, conflicts, gate, heal, step, and run's --verify, --judge, --rollback, --checkpoint, --handoff and
//! --events.

mod common;

use common::recovery;
use serde_json::{Value, json};
use std::path::Path;

fn out(dir: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let output = recovery(dir, args, input.as_bytes());
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn ok(dir: &Path, args: &[&str], input: &str) -> String {
    let (code, stdout, stderr) = out(dir, args, input);
    assert_eq!(code, 0, "{args:?}: {stdout}{stderr}");
    stdout
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q", "-b", "main"]);
    std::fs::write(dir.path().join(".gitignore"), ".recovery\n").unwrap();
    std::fs::write(dir.path().join("a.txt"), "good\n").unwrap();
    git(dir.path(), &["add", "."]);
    git(dir.path(), &["commit", "-qm", "good"]);
    dir
}

fn git(dir: &Path, args: &[&str]) -> String {
    let ran = std::process::Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=t", "-c", "user.email=t@t"])
        .args(args)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

#[test]
fn tables_are_aligned_in_colours_and_with_wide_characters() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
    ok(dir.path(), &["decide", "--task", "任務-登入", "--exit-code", "1"], "read ECONNRESET");
    ok(dir.path(), &["decide", "--task", "login", "--exit-code", "1"], "read ECONNRESET");
    ok(dir.path(), &["resolve", "login"], "");
    for command in ["status", "journal", "report"] {
        let plain = ok(dir.path(), &["--color", "never", command], "");
        let coloured = ok(dir.path(), &["--color", "always", command], "");
        assert_ne!(plain, coloured, "{command}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain, "{command}");
    }
    let status = ok(dir.path(), &["--color", "never", "status"], "");
    assert!(status.contains("\n任務-登入  failing"), "{status}");
    assert!(status.contains("\nlogin      resolved"), "{status}");
}

#[test]
fn tick_fires_what_is_due_and_updates_show_it() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    // Entered long ago: every limit has passed.
    let update = r#"{"taskId":"old","status":"in_progress","metadata":{"recoveryLevel":1,"errorType":"network_timeout","enteredAt":"2026-01-24T10:00:00Z"}}"#;
    ok(dir.path(), &["journal", "import", "-"], update);
    let fired = lines(&ok(dir.path(), &["tick", "--format", "json"], ""));
    let levels: Vec<&Value> = fired
        .iter()
        .map(|update| &update["metadata"])
        .map(|m| if m["partial"] == true { &m["escalationLevel"] } else { &m["recoveryLevel"] })
        .collect();
    assert_eq!(levels, [&json!(2), &json!(3), &json!(4), &json!(5)], "{fired:?}");
    assert!(ok(dir.path(), &["tick"], "").contains("no time limit has passed"));
    let issues = std::fs::read_to_string(dir.path().join(".recovery/issues.md")).unwrap();
    assert!(issues.contains("old"), "{issues}");
    assert_eq!(lines(&ok(dir.path(), &["updates", "--task", "old"], "")).len(), 5);
    let (code, shown, _) = out(dir.path(), &["updates", "--task", "unknown"], "");
    assert_eq!((code, shown.as_str()), (1, ""), "a task that does not exist is not one without updates");
}

#[test]
fn plan_freezes_thaws_with_a_budget_and_cascades() {
    let dir = tempfile::tempdir().unwrap();
    for task in ["T-1", "T-2"] {
        let event = json!({"exit_code": 1, "stderr_tail": "boom", "node": {"id": task, "parent_id": "S-1"}});
        ok(dir.path(), &["decide", "--event"], &event.to_string());
    }
    let frozen = ok(dir.path(), &["plan", "freeze", "S-1", "--reason", "the design changes"], "");
    assert!(frozen.contains("T-1 frozen") && frozen.contains("T-2 frozen"), "{frozen}");
    let event = json!({"exit_code": 1, "stderr_tail": "boom", "node": {"id": "T-1", "parent_id": "S-1"}}).to_string();
    let decision: Value =
        serde_json::from_str(&ok(dir.path(), &["decide", "--event", "--dry-run", "--format", "json"], &event)).unwrap();
    assert_eq!(decision["next"]["verb"], "force_done");
    assert!(decision["next"]["sentence"].as_str().unwrap().contains("Thaw"), "{}", decision["next"]);
    ok(dir.path(), &["plan", "thaw", "S-1", "--reason", "decided", "--budget", "0"], "");
    assert!(!ok(dir.path(), &["plan", "show"], "").contains("frozen"));
    // With no replans left, what would be a replan is a freeze.
    let drifted = json!({"exit_code": 1, "stderr_tail": "boom", "node": {"id": "T-2", "parent_id": "S-1", "deviation_score": 0.9}});
    let decision: Value = serde_json::from_str(&ok(
        dir.path(),
        &["decide", "--event", "--dry-run", "--format", "json"],
        &drifted.to_string(),
    ))
    .unwrap();
    assert_eq!(
        decision["classification"]["recommended_action"], "freeze_and_escalate",
        "{}",
        decision["classification"]
    );
    assert_eq!(out(dir.path(), &["plan", "freeze", "nobody", "--reason", "x"], "").0, 1);
}

#[test]
fn mission_of_the_settings_holds_for_every_event() {
    let dir = tempfile::tempdir().unwrap();
    let settings = "[mission]\nintent = \"no new dependencies\"\n[[mission.constraints]]\nid = \"no-new-deps\"\nprotect = [\"Cargo.toml\"]\n";
    std::fs::write(dir.path().join("recovery.toml"), settings).unwrap();
    let event = r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["Cargo.toml"]}"#;
    let decision: Value =
        serde_json::from_str(&ok(dir.path(), &["decide", "--event", "--format", "json"], event)).unwrap();
    assert_eq!(decision["classification"]["class"], "F5");
    assert!(
        decision["next"]["sentence"].as_str().unwrap().contains("no-new-deps")
            || decision["ladder"].to_string().contains("no-new-deps")
    );
}

#[test]
fn a_declared_error_type_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let event = r#"{"exit_code":1,"stderr_tail":"nothing that a rule knows","error_type":"missing_credentials"}"#;
    let decision: Value =
        serde_json::from_str(&ok(dir.path(), &["decide", "--event", "--format", "json"], event)).unwrap();
    assert_eq!(
        (&decision["diagnosis"]["error_type"], &decision["ladder"]["level"]),
        (&json!("missing_credentials"), &json!(5))
    );
}

#[test]
fn a_conflict_waits_and_is_settled() {
    let dir = tempfile::tempdir().unwrap();
    ok(
        dir.path(),
        &["decide", "--event", "--task", "T"],
        r#"{"exit_code":1,"stderr_tail":"x","conflict_id":"CONFLICT-7"}"#,
    );
    assert!(ok(dir.path(), &["conflicts", "list"], "").contains("CONFLICT-7"));
    assert!(ok(dir.path(), &["conflicts", "resolve", "CONFLICT-7", "--reason", "merged"], "").contains("T may go on"));
    assert_eq!(out(dir.path(), &["conflicts", "resolve", "CONFLICT-7", "--reason", "again"], "").0, 1);
    // The third time a person is asked, and the conflict's name is all that the person needs.
    for again in [true, false] {
        ok(dir.path(), &["decide", "--event", "--task", "T"], r#"{"exit_code":1,"conflict_id":"CONFLICT-7"}"#);
        if again {
            ok(dir.path(), &["resolve", "CONFLICT-7", "--reason", "merged again"], "");
        }
    }
    assert_eq!(out(dir.path(), &["stuck"], "").0, 1);
    ok(dir.path(), &["resolve", "CONFLICT-7", "--reason", "settled by hand"], "");
    assert_eq!(out(dir.path(), &["stuck"], "").0, 0, "nothing waits any more");
}

/// A task in two conflicts goes on when both are settled, in whatever order.
#[test]
fn a_task_waits_for_each_of_its_conflicts() {
    let dir = tempfile::tempdir().unwrap();
    for (task, conflict) in [("T", "C1"), ("T", "C2"), ("T", "C3"), ("U", "C1")] {
        let event = json!({"exit_code": 1, "stderr_tail": "x", "conflict_id": conflict}).to_string();
        ok(dir.path(), &["decide", "--event", "--task", task], &event);
    }
    let list = ok(dir.path(), &["conflicts", "list"], "");
    assert!(["C1", "C2", "C3"].iter().all(|conflict| list.contains(conflict)), "{list}");
    for (conflict, state) in [("C2", "waiting"), ("C1", "waiting"), ("C3", "ok")] {
        ok(dir.path(), &["resolve", conflict, "--reason", "merged"], "");
        let status: Value = serde_json::from_str(&ok(dir.path(), &["status", "T", "--format", "json"], "")).unwrap();
        assert_eq!(status["state"], state, "after {conflict}");
    }
}

/// Every command says what the task waits for.
#[test]
fn what_a_task_waits_for_is_said_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let conflict = r#"{"exit_code":1,"stderr_tail":"x","conflict_id":"CONFLICT-7"}"#;
    let said = ok(dir.path(), &["decide", "--event", "--task", "T"], conflict);
    assert!(said.contains("wait for the conflict arbiter, then `recovery resolve CONFLICT-7`"), "{said}");
    let status: Value = serde_json::from_str(&ok(dir.path(), &["status", "T", "--format", "json"], "")).unwrap();
    assert_eq!((&status["state"], &status["failures"]), (&json!("waiting"), &json!(0)));
    let hints = ok(dir.path(), &["hints", "T"], "");
    assert!(
        hints.starts_with("Waits for a conflict to be settled: CONFLICT-7\nnext  recovery resolve CONFLICT-7"),
        "{hints}"
    );
    assert!(out(dir.path(), &["heal", "T"], "").2.contains("waits for CONFLICT-7"));
    assert!(ok(dir.path(), &["report"], "").contains("WAITING FOR A CONFLICT TO BE SETTLED (1)\n  T "));
    let run =
        out(dir.path(), &["run", "--task", "T", "--", "sh", "-c", "echo 'connect ETIMEDOUT 1.2.3.4:443'; exit 1"], "")
            .2;
    assert!(
        run.contains("next  two tasks collided (CONFLICT-7): wait for the conflict arbiter, then `recovery resolve")
    );
    let run = out(dir.path(), &["run", "--task", "T", "--judge", "echo '{\"verdict\":\"FAIL\"}'", "--", "true"], "").2;
    assert!(
        run.contains("next  two tasks collided (CONFLICT-7): wait for the conflict arbiter, then `recovery resolve")
    );
    ok(dir.path(), &["resolve", "CONFLICT-7", "--reason", "merged"], "");
}

/// Events that have a hash instead of the text: the same one three times is F3, three different ones are not.
#[test]
fn a_hash_stands_for_an_output_that_was_not_sent() {
    let dir = tempfile::tempdir().unwrap();
    let class_of_third = |task: &str, hashes: [&str; 3]| {
        let classes = hashes.map(|hash| {
            let event = json!({"exit_code": 1, "stderr_hash": hash, "node": {"id": task}});
            let args = ["decide", "--event", "--task", task, "--format", "json"];
            let decision: Value = serde_json::from_str(&ok(dir.path(), &args, &event.to_string())).unwrap();
            decision["classification"]["class"].clone()
        });
        classes[2].clone()
    };
    assert_eq!(class_of_third("same", ["sha256:aaaaaaaaaaaa11", "aaaaaaaaaaaa11", "AAAAAAAAAAAA"]), "F3");
    assert_eq!(class_of_third("other", ["aaaaaaaaaaaa11", "bbbbbbbbbbbb22", "cccccccccccc33"]), "F2");
}

/// What was reported as failed is proposed by no command again.
#[test]
fn a_failed_proposal_is_not_shown_again() {
    let dir = tempfile::tempdir().unwrap();
    let request = r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"#;
    ok(dir.path(), &["repair", "--task", "3"], request);
    assert!(ok(dir.path(), &["heal", "3"], "").contains("install the command jq"));
    assert!(ok(dir.path(), &["hints", "3", "--format", "json"], "").contains("install the command jq"));
    ok(dir.path(), &["repair", "--task", "3", "--outcome", "failed"], "");
    assert_eq!(out(dir.path(), &["heal", "3"], "").0, 1);
    assert!(!ok(dir.path(), &["hints", "3", "--format", "json"], "").contains("jq"));
    assert!(ok(dir.path(), &["repair", "--task", "3"], request).contains("do it without jq"));
    // A decision that has nothing left to propose ends the last proposal as well.
    for _ in 0..3 {
        ok(
            dir.path(),
            &["decide", "--event", "--task", "D"],
            r#"{"exit_code":127,"stderr_tail":"bash: jq: command not found"}"#,
        );
    }
    assert!(!ok(dir.path(), &["hints", "D", "--format", "json"], "").contains("without jq"));
    ok(dir.path(), &["resolve", "D", "--reason", "installed"], "");
    assert_eq!(out(dir.path(), &["heal", "D"], "").0, 1);
}

/// A freeze holds for what is added below it later, for every task of the node, and by the task's own name.
#[test]
fn a_freeze_reaches_everything_below() {
    let dir = tempfile::tempdir().unwrap();
    let failed = |task: &str, node: &str, parent: &str| {
        let event = json!({"exit_code": 1, "stderr_tail": "boom", "node": {"id": node, "parent_id": parent}});
        let args = ["decide", "--event", "--task", task, "--format", "json"];
        let decision: Value = serde_json::from_str(&ok(dir.path(), &args, &event.to_string())).unwrap();
        decision["next"]["verb"].as_str().unwrap().to_owned()
    };
    failed("build", "N-1", "S-1");
    failed("sub", "N-2", "N-1");
    let frozen = ok(dir.path(), &["plan", "freeze", "build", "--reason", "redesign"], "");
    assert!(frozen.contains("build frozen") && frozen.contains("sub frozen"), "{frozen}");
    ok(dir.path(), &["plan", "thaw", "build", "--reason", "decided"], "");
    assert_eq!(failed("sub", "N-2", "N-1"), "nudge");
    ok(dir.path(), &["plan", "freeze", "S-1", "--reason", "redesign"], "");
    assert_eq!(failed("new", "N-3", "S-1"), "force_done");
    assert_eq!(failed("other", "N-1", "S-1"), "force_done");
    ok(dir.path(), &["plan", "thaw", "S-1", "--reason", "decided"], "");
    assert_ne!(failed("newer", "N-4", "S-1"), "force_done");
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(ok(empty.path(), &["plan", "show", "--format", "json"], ""), "");
}

#[test]
fn a_gate_is_answered_and_a_proposal_shown() {
    let dir = tempfile::tempdir().unwrap();
    let event = r#"{"exit_code":127,"stderr_tail":"bash: jq: command not found"}"#;
    ok(dir.path(), &["decide", "--event", "--task", "T"], event);
    assert!(ok(dir.path(), &["heal", "T"], "").contains("jq"));
    assert_eq!(out(dir.path(), &["heal", "nobody"], "").0, 1);
    std::fs::write(dir.path().join("recovery.toml"), "[workflow]\nnode_repair = false\n").unwrap();
    let gate: Value =
        serde_json::from_str(&ok(dir.path(), &["decide", "--event", "--task", "G", "--format", "json"], event))
            .unwrap();
    assert_eq!(gate["next"]["verb"], "gate");
    let hints = ok(dir.path(), &["hints", "G"], "");
    assert!(hints.contains("next  repair is off: retry, skip and mark incomplete, or stop"), "{hints}");
    assert!(hints.contains("`recovery gate` records the choice"), "{hints}");
    ok(dir.path(), &["gate", "G", "skip", "--reason", "not needed"], "");
    let status: Value = serde_json::from_str(&ok(dir.path(), &["status", "G", "--format", "json"], "")).unwrap();
    assert_eq!((&status["state"], &status["reason"]), (&json!("skipped"), &json!("not needed")));
}

/// What a person chose counts where nothing was left to try too.
#[test]
fn a_gate_is_answered_after_everything_was_tried() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "[workflow]\nnode_repair = false\n").unwrap();
    let state = |task: &str| -> Value {
        let status: Value = serde_json::from_str(&ok(dir.path(), &["status", task, "--format", "json"], "")).unwrap();
        status["state"].clone()
    };
    let event = r#"{"exit_code":1,"stderr_tail":"missing credentials"}"#;
    for (task, option, after) in [("R", "retry", "ok"), ("S", "skip", "skipped"), ("T", "stop", "stuck")] {
        ok(dir.path(), &["decide", "--event", "--task", task], event);
        assert_eq!(state(task), "stuck");
        ok(dir.path(), &["gate", task, option, "--reason", "chosen"], "");
        assert_eq!(state(task), after);
    }
    out(dir.path(), &["run", "--quiet", "--task", "U", "--", "sh", "-c", "echo 'AssertionError: x'; exit 1"], "");
    ok(dir.path(), &["gate", "U", "skip", "--reason", "chosen"], "");
    assert_eq!(state("U"), "skipped");
}

#[test]
fn steps_are_part_of_the_partial_result() {
    let dir = tempfile::tempdir().unwrap();
    ok(dir.path(), &["step", "done", "schema", "--task", "T"], "");
    ok(dir.path(), &["step", "done", "data", "--task", "T"], "");
    ok(dir.path(), &["step", "done", "data", "--task", "T"], "");
    assert_eq!(ok(dir.path(), &["step", "list", "--task", "T"], ""), "schema\ndata\n");
    let event = r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials","step":"publish"}"#;
    let decision: Value =
        serde_json::from_str(&ok(dir.path(), &["decide", "--event", "--task", "T", "--format", "json"], event))
            .unwrap();
    let update = &decision["escalation"]["metadata"];
    assert_eq!(
        (&update["completedSteps"], &update["failedAt"]),
        (&json!(["schema", "data"]), &json!("publish")),
        "{update}"
    );
    assert_eq!(out(dir.path(), &["step", "done", "x"], "").0, 2);
    // Under `run` the task is the run's.
    let script = format!("{} step done built; exit 1", env!("CARGO_BIN_EXE_recovery"));
    out(dir.path(), &["run", "--quiet", "--task", "R", "--result", "result.json", "--", "sh", "-c", &script], "");
    let result: Value = serde_json::from_slice(&std::fs::read(dir.path().join("result.json")).unwrap()).unwrap();
    assert_eq!(result["completedSteps"], json!(["built"]), "{result}");
}

#[test]
fn run_verifies_what_exits_with_0() {
    let dir = tempfile::tempdir().unwrap();
    let (code, _, said) = out(dir.path(), &["run", "--task", "V", "--verify", "test -f made", "--", "true"], "");
    assert_eq!(code, 1, "{said}");
    std::fs::write(dir.path().join("made"), "").unwrap();
    assert_eq!(out(dir.path(), &["run", "--task", "V", "--verify", "test -f made", "--", "true"], "").0, 0);
    // A variant that makes it counts once it is verified.
    std::fs::remove_file(dir.path().join("made")).unwrap();
    let (code, _, said) =
        out(dir.path(), &["run", "--task", "W", "--verify", "test -f made", "--nudge", "touch made", "--", "true"], "");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn run_asks_the_judge() {
    let dir = tempfile::tempdir().unwrap();
    let judged =
        |task: &str, judge: &str| out(dir.path(), &["run", "--task", task, "--judge", judge, "--", "true"], "");
    assert_eq!(judged("J1", "echo '{\"evidenceOfCompletion\":9,\"goalAlignment\":20}'").0, 0);
    let (code, _, said) = judged("J2", "echo '{\"goalAlignment\":3}'");
    assert_eq!(code, 1, "a failed judge is no success: {said}");
    assert_eq!(judged("J3", "exit 4").0, 1);
    assert_eq!(judged("J4", "echo fine").0, 0);
    let records = ok(dir.path(), &["journal", "export", "--task", "J2"], "");
    assert!(records.contains("goal_alignment"), "{records}");
}

const BROKEN: &str = "echo 'error[E0308]: mismatched types'; echo 'error: could not compile `x`'; exit 101";

#[test]
fn run_checkpoints_and_rolls_back() {
    let dir = repository();
    let good = git(dir.path(), &["rev-parse", "HEAD"]);
    let (_, _, said) = out(dir.path(), &["run", "--task", "B", "--checkpoint", "--", "true"], "");
    assert!(said.contains(&format!("good commit recorded: {good}")), "{said}");
    std::fs::write(dir.path().join("a.txt"), "bad\n").unwrap();
    let (_, _, said) = out(dir.path(), &["run", "--task", "C", "--checkpoint", "--", "true"], "");
    assert!(said.contains("a.txt is not committed"), "{said}");
    git(dir.path(), &["commit", "-qam", "bad"]);
    let (_, _, said) = out(dir.path(), &["run", "--task", "D", "--nudge", BROKEN, "--", "sh", "-c", BROKEN], "");
    assert!(said.contains("recovery rollback"), "without --rollback it is said: {said}");
    assert_ne!(git(dir.path(), &["rev-parse", "HEAD"]), good);
    let (_, _, said) =
        out(dir.path(), &["run", "--task", "E", "--rollback", "--nudge", "true", "--", "sh", "-c", BROKEN], "");
    assert!(said.contains("everything is saved as E-"), "{said}");
    assert_eq!(git(dir.path(), &["rev-parse", "HEAD"]), good);
}

#[test]
fn run_hands_off_when_the_context_is_exhausted() {
    let dir = repository();
    std::fs::write(dir.path().join("progress.txt"), "half\n").unwrap();
    let exhausted = "echo 'Error: This model maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.'; exit 1";
    let (_, _, said) =
        out(dir.path(), &["run", "--task", "H", "--handoff", "--fallback", "false", "--", "sh", "-c", exhausted], "");
    assert!(said.contains("progress is committed on recovery/handoff/H-"), "{said}");
    let branches = git(dir.path(), &["branch", "--format", "%(refname:short)"]);
    let branch = branches.lines().find(|name| name.starts_with("recovery/handoff/")).unwrap();
    let switch = format!("git stash --include-untracked && git switch {branch}");
    let next = format!("recovery: next  go on in a new session from the committed progress: {switch}\n");
    assert!(said.ends_with(&next), "{said}");
    assert_eq!(git(dir.path(), &["show", &format!("{branch}:progress.txt")]), "half");
    assert_eq!(git(dir.path(), &["branch", "--show-current"]), "main", "never the user's branch");
    assert_eq!(git(dir.path(), &["status", "--porcelain"]), "?? progress.txt");
    // The next step works as it is printed, though the same changes are still in the work tree.
    let switched = std::process::Command::new("sh").current_dir(dir.path()).args(["-c", &switch]).output().unwrap();
    assert!(switched.status.success(), "{}", String::from_utf8_lossy(&switched.stderr));
    assert_eq!(std::fs::read_to_string(dir.path().join("progress.txt")).unwrap(), "half\n");
}

#[test]
fn events_are_appended_for_other_programs() {
    let dir = tempfile::tempdir().unwrap();
    ok(
        dir.path(),
        &["decide", "--event", "--task", "T", "--events", "events.jsonl"],
        r#"{"exit_code":1,"stderr_tail":"EACCES: permission denied"}"#,
    );
    out(dir.path(), &["run", "--quiet", "--task", "R", "--events", "events.jsonl", "--", "sh", "-c", "exit 3"], "");
    let seen = lines(&std::fs::read_to_string(dir.path().join("events.jsonl")).unwrap());
    assert_eq!(
        (&seen[0]["event"], &seen[0]["error_type"], &seen[0]["to"]),
        (&json!("decision"), &json!("permission_denied"), &json!(2))
    );
    assert_eq!(seen[1]["update"]["metadata"]["recoveryLevel"], 2);
    assert!(seen.iter().any(|event| event["task"] == "R"), "{seen:?}");
    for schema in ["task-update", "observation"] {
        ok(dir.path(), &["schema", schema], "");
    }
}

/// What may have taken effect is not told to run again as if it had not, whatever failed and whoever asked to wait.
#[test]
fn an_unsafe_action_is_checked_first() {
    for output in [
        "connect ETIMEDOUT 1.2.3.4:443",
        "read ECONNRESET",
        "HTTP 429 Too Many Requests: retry after 2 seconds",
        "HTTP/1.1 503 Service Unavailable",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let event = json!({"exit_code": 1, "stderr_tail": output, "idempotent": false}).to_string();
        let said = ok(dir.path(), &["decide", "--event", "--task", "pay"], &event);
        let next = said.lines().find(|line| line.starts_with("next  ")).unwrap();
        let unchecked = next.replace("run it again only where it did not", "");
        assert!(
            next.contains("check whether the action took effect") && !unchecked.contains("again"),
            "{output}: {next}"
        );
    }
}

/// Where a rule stops a task, the decision and every list give that rule's reason, not the output's.
#[test]
fn what_a_rule_stopped_is_said_by_every_command() {
    let dir = tempfile::tempdir().unwrap();
    let event = json!({"exit_code": 1, "stderr_tail": "w",
        "node": {"id": "T", "parent_id": "S", "failed_attempts": 3, "replan_budget_remaining": 0},
        "history": [{"node": "T", "stderr_tail": "w"}, {"node": "T", "stderr_tail": "w"}]});
    let decided = ok(dir.path(), &["decide", "--event"], &event.to_string());
    let listed = out(dir.path(), &["stuck"], "").1;
    for said in [decided, listed, ok(dir.path(), &["hints", "T"], "")] {
        let why =
            "Stopped: it cannot be planned again: it failed 3 times; the last outputs are the same; no replan is left";
        assert!(said.contains(why) && said.contains("next  decide how to go on, or allow more replans"), "{said}");
    }
    // The constraint that a failure may violate is named at once.
    let mission = "[mission]\nconstraints = [{ id = \"nodeps\", forbid = [\"left-pad\"] }]\n";
    std::fs::write(dir.path().join("recovery.toml"), mission).unwrap();
    let first =
        ok(dir.path(), &["decide", "--event", "--task", "new"], r#"{"exit_code":1,"stderr_tail":"adds left-pad"}"#);
    assert!(first.contains("why   constraint nodeps: forbidden \"left-pad\" in stderr"), "{first}");
}

/// One failure has one answer: the step is the same, whoever asks for it.
#[test]
fn every_command_gives_the_same_next_step() {
    let refused = "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server\n";
    let in_use = "Traceback (most recent call last):\n  File \"<string>\", line 4, in <module>\n\
        OSError: [Errno 98] Address already in use\n";
    let unresolved =
        "fatal: unable to access 'https://nosuchhost.invalid/x/': Could not resolve host: nosuchhost.invalid\n";
    let too_long = "Error: prompt is too long: 210000 tokens > 200000 maximum\n";
    let locked = "fatal: Unable to create '/x/.git/index.lock': File exists.\n\nAnother git process seems to be running in \
        this repository, e.g.\nan editor opened by 'git commit'.\n";
    let header = "h.c:1:10: fatal error: zlibx.h: No such file or directory\n    1 | #include <zlibx.h>\n      |          \
        ^~~~~~~~~\ncompilation terminated.\n";
    for (command, code, output, step) in [
        ("curl -sS http://127.0.0.1:9/", 7, refused, "start the service on 127.0.0.1:9, nothing listens there"),
        ("python3 serve.py", 1, in_use, "free the port, or use another; see who listens: ss -ltnp"),
        ("git ls-remote https://nosuchhost.invalid/x", 128, unresolved, "correct the host name nosuchhost.invalid"),
        ("git add z", 128, locked, "let the other git process end; only if none runs, remove the stale lock"),
        ("cc h.c", 1, header, "correct the include path, or install what has zlibx.h"),
        ("make", 2, "Makefile:2: *** missing separator.  Stop.\n", "begin the recipe line at Makefile:2 with a tab"),
        ("npm test", 1, "\n> np@1.0.0 test\n\nError: no test specified\n", "give package.json a test script"),
        (
            "./crash",
            139,
            "Segmentation fault (core dumped)\n",
            "find the place of the crash, in a debugger for example",
        ),
        ("./agent", 1, too_long, "give it less input: 210000 tokens were sent, 200000 are allowed"),
        ("./frob", 5, "Frobnicator: gizmo misaligned at quadrant 7\n", "read the output"),
        ("./quiet", 3, "", "run it once more with more output, such as its --verbose option"),
        ("./crash", 139, "", "find the place of the crash, in a debugger for example; retrying will not help"),
        ("./big", 137, "", "use less memory (smaller input, fewer jobs at once) or allow more"),
        ("timeout 1 ./slow", 124, "", "give it more time, or find out what it waits for"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        std::fs::write(dir.path().join("output"), output).unwrap();
        let (code, script) = (code.to_string(), format!("cat output >&2; exit {code}"));
        let payload = serde_json::json!({
            "session_id": "s", "transcript_path": "/nowhere", "cwd": dir.path(), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u",
            "error": format!("Exit code {code}\n{output}"), "is_interrupt": false,
        });
        let asked: [(&[&str], &str); 5] = [
            (&["classify", "--exit-code", &code], output),
            (&["decide", "--task", "t", "--exit-code", &code], output),
            (&["hints", "t"], ""),
            (&["run", "--retries", "0", "--", "sh", "-c", &script], ""),
            (&["hook", "claude-code"], &payload.to_string()),
        ];
        for (args, input) in asked {
            let out = recovery(dir.path(), args, input.as_bytes());
            let printed = [out.stdout, out.stderr].concat();
            assert!(
                String::from_utf8_lossy(&printed).contains(step),
                "{args:?}: {}",
                String::from_utf8_lossy(&printed)
            );
        }
    }
}
