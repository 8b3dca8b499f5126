//! The files of the four original systems: taken in, what they mean here, and written back. Each test is named in
//! docs/migrate.md beside the mapping that it shows.

mod common;

use common::recovery;
use serde_json::{Value, json};
use std::path::Path;

fn text(dir: &Path, args: &[&str], input: &str) -> String {
    let output = recovery(dir, args, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(dir: &Path, args: &[&str], input: &str) -> Value {
    let out = text(dir, &[args, &["--format", "json"]].concat(), input);
    serde_json::from_str(out.lines().next().unwrap_or("null")).unwrap_or_else(|error| panic!("{error}: {out}"))
}

fn import(dir: &Path, name: &str, contents: &str) -> Value {
    std::fs::write(dir.join(name), contents).unwrap();
    json(dir, &["journal", "import", name], "")
}

fn status(dir: &Path, task: &str) -> Value {
    json(dir, &["status", task], "")
}

/// Imports a file twice, exports it, imports that elsewhere and exports it again: nothing is lost and nothing doubled.
fn there_and_back(name: &str, contents: &str, new: u64, skipped: u64) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let first = import(dir.path(), name, contents);
    assert_eq!(first["new"], new, "{first}");
    assert_eq!(first["skipped"].as_array().unwrap().len() as u64, skipped, "{first}");
    let again = import(dir.path(), name, contents);
    assert_eq!((&again["new"], &again["known"]), (&json!(0), &json!(new)), "{again}");
    let out = text(dir.path(), &["journal", "export", "--as", name], "");
    let other = tempfile::tempdir().unwrap();
    import(other.path(), name, &out);
    assert_eq!(text(other.path(), &["journal", "export", "--as", name], ""), out, "there and back");
    (dir, out)
}

const ATTEMPTS: &str = r#"{"subtasks":{
  "subtask-1":{"attempts":[
    {"session":1,"timestamp":"2026-01-24T10:00:00.123456","approach":"Using async await for fetch","success":false,"error":"TypeError: x is not a function"},
    {"session":1,"timestamp":"2026-01-24T10:05:00","approach":"Using callbacks","success":true,"error":null}],"status":"completed"},
  "subtask-2":{"attempts":[{"timestamp":"2026-01-24T11:00:00","approach":"retry it","success":false,"error":"read ECONNRESET"},7],"status":"stuck"}},
 "stuck_subtasks":[{"subtask_id":"subtask-2","reason":"circular fix","escalated_at":"2026-01-24T12:00:00","attempt_count":1}],"metadata":{}}"#;

#[test]
fn attempt_history() {
    let (dir, out) = there_and_back("attempt_history.json", ATTEMPTS, 4, 1);
    assert_eq!(status(dir.path(), "subtask-1")["recoveries"], 1);
    let stuck = status(dir.path(), "subtask-2");
    assert_eq!(
        (&stuck["state"], &stuck["last_error"]),
        (&json!("stuck"), &json!("connection_failure")),
        "diagnosed like live text"
    );
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(out["subtasks"]["subtask-1"]["attempts"][0]["session"], 1, "what we have no word for is kept");
    assert_eq!(out["stuck_subtasks"][0]["attempt_count"], 1);
    assert_eq!(out["subtasks"]["subtask-2"]["status"], "stuck");
}

/// What was imported counts with what happens here: the same output is the same failure.
#[test]
fn imported_failures_count_with_live_ones() {
    let dir = tempfile::tempdir().unwrap();
    let line = |n: u32| {
        json!({"ts": format!("2026-01-24T10:0{n}:00Z"), "node": "T", "parent": "S", "event": "execution_failed",
        "exit_code": 1, "stderr_tail": "AssertionError: 3 != 4 at 10:00:0".to_owned() + &n.to_string()})
        .to_string()
    };
    import(dir.path(), "history.jsonl", &format!("{}\n{}\n", line(1), line(2)));
    let event = json!({"exit_code": 1, "stderr_tail": "AssertionError: 3 != 4 at 10:00:09", "node": {"id": "T", "parent_id": "S"}});
    let decision = json(dir.path(), &["decide", "--event"], &event.to_string());
    assert_eq!(decision["classification"]["class"], "F3", "{}", decision["classification"]);
}

/// What a subtask's status says and its attempts do not is kept, in both directions.
#[test]
fn attempt_history_statuses() {
    let attempt = r#"{"timestamp":"2026-01-24T10:00:00","approach":"a","success":false,"error":"E"}"#;
    let file = format!(
        r#"{{"subtasks":{{"given-up":{{"attempts":[{attempt}],"status":"stuck"}},
            "done":{{"attempts":[{attempt}],"status":"completed"}},"untried":{{"attempts":[],"status":"completed"}},
            "open":{{"attempts":[{attempt}],"status":"failed"}}}},"stuck_subtasks":[]}}"#
    );
    let (dir, out) = there_and_back("attempt_history.json", &file, 6, 0);
    let state = |task: &str| status(dir.path(), task)["state"].clone();
    assert_eq!((state("given-up"), state("done"), state("open")), (json!("stuck"), json!("ok"), json!("failing")));
    let out: Value = serde_json::from_str(&out).unwrap();
    for (task, status, attempts) in
        [("given-up", "stuck", 1), ("done", "completed", 1), ("untried", "completed", 0), ("open", "failed", 1)]
    {
        let subtask = &out["subtasks"][task];
        assert_eq!((&subtask["status"], subtask["attempts"].as_array().unwrap().len()), (&json!(status), attempts));
    }
}

#[test]
fn what_is_no_commit_is_none_to_roll_back_to() {
    let dir = tempfile::tempdir().unwrap();
    let report = import(
        dir.path(),
        "build_commits.json",
        r#"{"commits":[{"hash":"--upload-pack=x"},{"hash":"aaaa111"}],"last_good_commit":"main"}"#,
    );
    let why = json!([{"place": "commits[0]", "why": "it is no commit hash"}, {"place": "last_good_commit", "why": "it is no commit hash"}]);
    assert_eq!((&report["new"], &report["skipped"]), (&json!(1), &why));
}

#[test]
fn build_commits() {
    let text = r#"{"commits":[{"hash":"aaaa111","subtask_id":"subtask-1","timestamp":"2026-01-24T10:00:00"},
        {"hash":"bbbb222","subtask_id":"subtask-2","timestamp":"2026-01-24T11:00:00"},{"subtask_id":"x"}],
        "last_good_commit":"aaaa111","metadata":{}}"#;
    let (dir, out) = there_and_back("build_commits.json", text, 3, 1);
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&out["last_good_commit"], out["commits"].as_array().unwrap().len()), (&json!("aaaa111"), 2));
    let broken = json!({"exit_code": 1, "stderr_tail": "error[E0308]: mismatched types\nerror: could not compile `x`"});
    let decision = json(dir.path(), &["decide", "--event", "--task", "any"], &broken.to_string());
    assert_eq!(decision["rollback_to"], "aaaa111", "it serves the whole project, and last_good_commit wins");
}

#[test]
fn history_with_all_its_verbs() {
    let verbs = [
        ("execution_failed", json!({"exit_code": 1, "stderr_tail": "assert 1 == 2", "files_touched": ["src/a.rs"]})),
        ("replanned story", json!({})),
        ("replan_refused", json!({})),
        ("freeze_proposed", json!({})),
        ("status_changed", json!({})),
        ("node_frozen", json!({"reason": "the design changes"})),
    ];
    let lines: Vec<String> = verbs
        .iter()
        .enumerate()
        .map(|(n, (verb, more))| {
            let mut line =
                json!({"ts": format!("2026-01-24T10:0{n}:00Z"), "node": "TASK-1", "parent": "STORY-1", "event": verb});
            line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            line.to_string()
        })
        .collect();
    let file = format!("{}\nnot json\n{{\"node\":\"x\"}}\n", lines.join("\n"));
    let (dir, out) = there_and_back("history.jsonl", &file, 6, 2);
    assert_eq!(out.lines().count(), 6);
    let frozen = status(dir.path(), "TASK-1");
    assert_eq!(
        (&frozen["failures_ever"], &frozen["state"]),
        (&json!(1), &json!("frozen")),
        "only a failure is a failure"
    );
    assert_eq!(frozen["reason"], "the design changes");
    import(dir.path(), "more.jsonl", r#"{"ts":"2026-01-24T11:00:00Z","node":"TASK-1","event":"node_thawed"}"#);
    assert_ne!(status(dir.path(), "TASK-1")["state"], "frozen");
    // A sibling that touches the same file meets it.
    let event = json!({"exit_code": 1, "stderr_tail": "boom", "files_touched": ["./src/a.rs"], "node": {"id": "TASK-2", "parent_id": "STORY-1"}});
    let decision = json(dir.path(), &["decide", "--event"], &event.to_string());
    assert_eq!(decision["classification"]["class"], "F4", "{}", decision["classification"]);
}

/// The other spelling of the classifier's history: `verb` and `target`, and lines that are about no task.
#[test]
fn history_with_verb_and_target() {
    let file = concat!(
        r#"{"ts":"2026-01-24T10:00:00","verb":"execution_failed","target":"TASK-1","parent":"STORY-1","exit_code":1,"stderr_tail":"boom"}"#,
        "\n",
        r#"{"ts":"2026-01-24T10:01:00","verb":"session_start"}"#,
        "\n",
        r#"{"ts":"2026-01-24T10:02:00","verb":"replan_proposed","target":"TASK-1"}"#,
        "\n",
        r#"{"ts":"2026-01-24T10:03:00","verb":"node_frozen","target":"TASK-1","reason":"the design changes"}"#,
        "\n",
        r#"{"ts":"2026-01-24T10:04:00","verb":"conflict_arbitrated","target":"CONFLICT-7"}"#,
        "\n"
    );
    let (dir, out) = there_and_back("history.jsonl", file, 4, 1);
    assert!(out.contains("\"verb\":\"execution_failed\""), "as it was found: {out}");
    assert!(out.contains("\"target\":\"CONFLICT-7\""), "a verb about a conflict is kept: {out}");
    let tasks = text(dir.path(), &["status", "--all"], "");
    assert!(!tasks.contains("CONFLICT-7"), "a conflict is no task: {tasks}");
    let status = status(dir.path(), "TASK-1");
    assert_eq!((&status["state"], &status["failures_ever"]), (&json!("frozen"), &json!(1)), "{status}");
    let again = import(dir.path(), "history.jsonl", file);
    assert_eq!(again["skipped"][0]["why"], "`session_start` is about no task");
}

/// Files that are half broken, or made to break something: what can be read is stored, the rest is counted with its reason.
#[test]
fn hostile_and_half_broken_files() {
    let dir = tempfile::tempdir().unwrap();
    let bom = "\u{feff}[{\"ts\":1706090400,\"node\":\"A\",\"event\":\"execution_failed\",\"exit_code\":1},\n7,\n{\"ts\":1706090400000,\"node\":\"A\",\"event\":\"execution_failed\",\"exit_code\":\"1\"}]";
    let report = import(dir.path(), "history.jsonl", bom);
    assert_eq!(report["new"], 2, "one array, a mark at its start, seconds and milliseconds: {report}");
    assert_eq!(report["skipped"][0]["why"], "it is no JSON object");
    assert_eq!(status(dir.path(), "A")["last_at"], "2024-01-24T10:00:00.000Z");

    let attempts = json!({"subtasks": [
        {"id": "L", "attempts": [{"success": "true"}, {"success": false, "error": {"message": "read ECONNRESET"}}, null]},
        {"attempts": []}, {"id": "empty", "attempts": []}],
        "stuck_subtasks": [{"reason": "x"}, {"subtask_id": "@project", "reason": "not theirs to write"}, {"subtask_id": "a\u{7}b"}]});
    let report = import(dir.path(), "attempt_history.json", &attempts.to_string());
    assert_eq!(report["new"], 2, "{report}");
    let why: Vec<&str> =
        report["skipped"].as_array().unwrap().iter().map(|skipped| skipped["why"].as_str().unwrap()).collect();
    assert_eq!(
        why,
        [
            "it has no id",
            "an attempt is an object",
            "it has no attempts",
            "it names no subtask",
            "its task has no usable name",
            "its task has no usable name"
        ],
        "{report}"
    );
    assert_eq!(status(dir.path(), "L")["last_error"], "connection_failure", "an error that is an object is read too");
    for (name, nothing) in
        [("attempt_history.json", "[1,2]"), ("build_commits.json", "{\"commit\":\"a\"}"), ("active.json", "{}")]
    {
        let report = import(dir.path(), name, nothing);
        assert_eq!((&report["new"], report["skipped"].as_array().unwrap().len()), (&json!(0), 1), "{name}: {report}");
    }
    // A file that breaks off is refused whole, with the place; its neighbours are taken in all the same.
    let plan = dir.path().join("theirs");
    std::fs::create_dir(&plan).unwrap();
    std::fs::write(plan.join("attempt_history.json"), "{\"subtasks\": {\"x\": {\"attempts\": [").unwrap();
    let mut line = br#"{"node":"B","event":"execution_failed","exit_code":1,"stderr_tail":"caf"#.to_vec();
    line.extend([0xe9, b'"', b'}', b'\n']);
    std::fs::write(plan.join("history.jsonl"), line).unwrap();
    let output = recovery(dir.path(), &["journal", "import", "theirs"], b"");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("attempt_history.json") && told.contains("line 1, column"), "{told}");
    assert_eq!(status(dir.path(), "B")["failures_ever"], 1, "text that is not UTF-8 is read");
}

#[test]
fn conflicts() {
    let file = concat!(
        r#"{"conflict_id":"CONFLICT-7","ts":"2026-01-24T10:00:00Z","tasks":["TASK-1","TASK-2"],"status":"open","description":"both write src/a.rs"}"#,
        "\n",
        r#"{"conflict_id":"CONFLICT-8","ts":"2026-01-24T10:00:00Z","tasks":["TASK-3"],"status":"open"}"#,
        "\n",
        r#"{"conflict_id":"CONFLICT-8","ts":"2026-01-24T11:00:00Z","tasks":["TASK-3"],"status":"resolved","resolution":"the first wins"}"#,
        "\n",
        r#"{"ts":"2026-01-24T11:00:00Z"}"#,
        "\n"
    );
    let dir = tempfile::tempdir().unwrap();
    let report = import(dir.path(), "conflicts.jsonl", file);
    assert_eq!(
        (&report["new"], &report["skipped"][0]["why"]),
        (&json!(4), &json!("it has no conflict id")),
        "{report}"
    );
    assert_eq!(import(dir.path(), "conflicts.jsonl", file)["new"], 0);
    let waiting = text(dir.path(), &["conflicts", "list"], "");
    assert!(
        waiting.contains("CONFLICT-7") && waiting.contains("both write") && !waiting.contains("CONFLICT-8"),
        "{waiting}"
    );
    assert_eq!(status(dir.path(), "TASK-2")["state"], "waiting");
    text(dir.path(), &["conflicts", "resolve", "CONFLICT-7", "--reason", "merged"], "");
    let out = text(dir.path(), &["journal", "export", "--as", "conflicts.jsonl"], "");
    let back = tempfile::tempdir().unwrap();
    import(back.path(), "conflicts.jsonl", &out);
    assert!(text(back.path(), &["conflicts", "list"], "").contains("no task waits"), "{out}");
}

/// Who waits is decided by the whole status; a verdict that names no task is about all who wait for the conflict.
#[test]
fn conflicts_are_open_until_somebody_settles_them() {
    let dir = tempfile::tempdir().unwrap();
    let decided = r#"{"exit_code":1,"stderr_tail":"x","conflict_id":"C-7"}"#;
    json(dir.path(), &["decide", "--event", "--task", "LIVE"], decided);
    let open = concat!(
        r#"{"conflict_id":5,"ts":"2026-01-24T10:00:00Z","tasks":["TASK-6"],"status":"unresolved"}"#,
        "\n",
        r#"{"conflict_id":"C-7","ts":"2026-01-24T10:00:00Z","tasks":["TASK-8","TASK-9"],"status":"open"}"#,
        "\n"
    );
    import(dir.path(), "conflicts.jsonl", open);
    assert_eq!(status(dir.path(), "TASK-6")["state"], "waiting", "unresolved is not resolved");
    let settled = r#"{"conflict_id":"C-7","ts":"2026-01-24T12:00:00Z","status":"resolved","resolution":"TASK-8 wins"}"#;
    let report = import(dir.path(), "conflicts.jsonl", &format!("{open}{settled}\n"));
    assert_eq!((&report["new"], &report["skipped"]), (&json!(2), &json!([])), "{report}");
    for task in ["TASK-8", "TASK-9", "LIVE"] {
        assert_eq!(status(dir.path(), task)["state"], "ok", "{task}");
    }
    let unnamed = tempfile::tempdir().unwrap();
    json(unnamed.path(), &["decide", "--event", "--task", "T"], r#"{"exit_code":1,"cause":"conflict"}"#);
    let out = text(unnamed.path(), &["journal", "export", "--as", "conflicts.jsonl"], "");
    assert!(out.contains("\"tasks\":[\"T\"]"), "a conflict without an id is written too: {out}");
}

const ACTIVE: &str = r#"{"active":"TASK-00101","nodes":[
  {"id":"INIT-1","tier":"T1","intent":"no new dependencies","constraints":[{"id":"no-new-deps","protect":["Cargo.toml"]}]},
  {"id":"STORY-0042","tier":"T3","parent":"INIT-1","budget":2},
  {"id":"TASK-00101","tier":"T4","parent_id":"STORY-0042","status":"in_progress","failed_attempts":2,"deviation":0.2},
  {"id":"TASK-00102","tier":"T4","parent_id":"STORY-0042","status":"frozen"},{"tier":"T4"}]}"#;

#[test]
fn active_plan() {
    let (dir, out) = there_and_back("active.json", ACTIVE, 6, 1);
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&out["active"], out["nodes"].as_array().unwrap().len()), (&json!("TASK-00101"), 4));
    let node = |id: &str| out["nodes"].as_array().unwrap().iter().find(|node| node["id"] == id).cloned().unwrap();
    assert_eq!(node("TASK-00101")["status"], "in_progress", "what nothing here has changed is written as it was");
    assert!(node("TASK-00102").get("test_edits").is_none(), "{}", node("TASK-00102"));
    assert_eq!(status(dir.path(), "TASK-00102")["state"], "frozen");
    let decision = json(dir.path(), &["decide", "--task", "TASK-00101", "--exit-code", "1"], "boom");
    let class = &decision["classification"];
    assert_eq!((&class["node_id"], &class["parent_node_id"]), (&json!("TASK-00101"), &json!("STORY-0042")), "{class}");
    // The mission holds for a task that says nothing of it.
    let event = json!({"exit_code": 1, "stderr_tail": "boom", "files_touched": ["Cargo.toml"]});
    let decision = json(dir.path(), &["decide", "--event", "--task", "other"], &event.to_string());
    assert_eq!(
        (&decision["classification"]["class"], &decision["next"]["verb"]),
        (&json!("F5"), &json!("force_done")),
        "{decision}"
    );
}

#[test]
fn node_frontmatter() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("plan/nodes")).unwrap();
    let node = "---\nid: TASK-7\ntier: T4\nparent: STORY-1\nstatus: frozen\nreplan_budget_remaining: 1\n---\n# Title\n";
    std::fs::write(dir.path().join("plan/nodes/TASK-7.md"), node).unwrap();
    std::fs::write(
        dir.path().join("plan/history.jsonl"),
        r#"{"node":"TASK-7","event":"execution_failed","exit_code":1,"ts":"2026-01-24T10:00:00Z"}"#,
    )
    .unwrap();
    std::fs::write(dir.path().join("plan/other.md"), "# Not a node\n").unwrap();
    let told = text(dir.path(), &["journal", "import", "plan"], "");
    assert_eq!(told.lines().count(), 2, "{told}");
    let shown = text(dir.path(), &["plan", "show"], "");
    assert!(shown.contains("STORY-1") && shown.contains("TASK-7  frozen"), "{shown}");
}

/// As editors and other systems write it: line ends, a mark at the start, quotes, comments, values on the lines below.
#[test]
fn node_frontmatter_as_it_is_written_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let nodes = dir.path().join("plan/nodes");
    std::fs::create_dir_all(&nodes).unwrap();
    std::fs::write(nodes.join("crlf.md"), "---\r\nid: TASK-7\r\nstatus: frozen\r\n---\r\n# T\r\n").unwrap();
    std::fs::write(nodes.join("mark.md"), "\u{feff}---\nid: TASK-8\n---\n").unwrap();
    let quoted = "---\nid: \"00101\"\ntitle: \"2.10\"\nparent: STORY-1 # the story\nstatus:\nchildren:\n  - X\n\
        test_edits:\n  tests/a.rs: 3\n---\n";
    std::fs::write(nodes.join("quoted.md"), quoted).unwrap();
    let report = text(dir.path(), &["journal", "import", "plan", "--format", "json"], "");
    assert_eq!(report.matches("\"new\":1").count(), 3, "{report}");
    assert_eq!(status(dir.path(), "TASK-7")["state"], "frozen");
    let out = json_of(&text(dir.path(), &["journal", "export", "--as", "active.json"], ""));
    let node = &out["nodes"][0];
    assert_eq!(
        (&node["id"], &node["title"], &node["parent_id"], &node["test_edits"], &node["children"]),
        (&json!("00101"), &json!("2.10"), &json!("STORY-1"), &json!({"tests/a.rs": 3}), &json!(["X"])),
        "{out}"
    );
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn task_updates_keep_what_a_person_was_told_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let file = r#"{"taskId":"T","status":"completed","metadata":{"partial":true,"escalationLevel":5,"escalationPath":[1,5],"completedSteps":["a"],"failedAt":"b","failureReason":"the server is gone","recommendation":"call the operators"}}"#;
    import(dir.path(), "updates.jsonl", file);
    let stuck = recovery(dir.path(), &["stuck"], b"");
    let stuck = String::from_utf8(stuck.stdout).unwrap();
    assert!(stuck.contains("the server is gone") && stuck.contains("next  call the operators"), "{stuck}");
    let hints = text(dir.path(), &["hints", "T"], "");
    assert!(hints.starts_with("Waits for a person\nnext  call the operators"), "{hints}");
    let update: Value = serde_json::from_str(&text(dir.path(), &["updates"], "")).unwrap();
    let metadata = &update["metadata"];
    assert_eq!(
        (&metadata["escalationPath"], &metadata["completedSteps"], &metadata["failedAt"]),
        (&json!([1, 5]), &json!(["a"]), &json!("b"))
    );
}

/// The levels before the one of a task's first record are not forgotten.
#[test]
fn task_updates_of_a_ladder_that_was_climbed_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let at = |level: u8, minute: u8, previous: &[u8]| {
        let metadata = json!({"recoveryLevel": level, "errorType": "test_failure", "previousLevels": previous,
            "enteredAt": format!("2126-01-24T10:0{minute}:00.000Z")});
        json!({"taskId": "T", "status": "in_progress", "metadata": metadata}).to_string() + "\n"
    };
    import(dir.path(), "updates.jsonl", &(at(3, 0, &[1, 2]) + &at(4, 1, &[1, 2, 3])));
    let updates = text(dir.path(), &["updates"], "");
    let previous: Vec<Value> = updates
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["metadata"]["previousLevels"].clone())
        .collect();
    assert_eq!(previous, [json!([1, 2]), json!([1, 2, 3])], "{updates}");
}

#[test]
fn task_updates() {
    let lines = concat!(
        r#"{"taskId":"T-1","status":"in_progress","metadata":{"recoveryLevel":2,"recoveryAction":"nudge","errorType":"permission_denied","previousLevels":[],"enteredAt":"2026-01-24T10:00:00.000Z"}}"#,
        "\n",
        r#"{"taskId":"T-1","status":"in_progress","metadata":{"recoveryLevel":3,"recoveryAction":"replan","errorType":"permission_denied","previousLevels":[2],"enteredAt":"2026-01-24T10:01:00.000Z"}}"#,
        "\n",
        r#"{"taskId":"T-2","status":"completed","metadata":{"partial":true,"escalationLevel":5,"failureReason":"the API is down","escalationPath":[5]}}"#,
        "\n",
        r#"{"status":"completed"}"#,
        "\n"
    );
    let (dir, out) = there_and_back("updates.jsonl", lines, 3, 1);
    assert_eq!(out.lines().count(), 3, "{out}");
    assert_eq!(status(dir.path(), "T-2")["state"], "stuck");
    let exported = text(dir.path(), &["journal", "export", "--task", "T-1"], "");
    assert!(exported.contains("\"to\":3"), "the ladder is where the record says");
}

/// A record that names a level may be about its end: what we write ourselves when a task works or is reset.
#[test]
fn task_updates_that_end_a_level() {
    let level = |task: &str, status: &str| {
        let metadata = json!({"recoveryLevel": 1, "recoveryAction": "retry", "errorType": "Network timeout",
            "previousLevels": [], "enteredAt": "2026-01-24T10:00:00.000Z"});
        json!({"taskId": task, "status": status, "metadata": metadata}).to_string() + "\n"
    };
    let partial = json!({"taskId": 9, "status": "completed", "metadata": {"partial": true, "failureReason": "gone"}});
    let lines = [
        level("T-1", "in_progress"),
        level("T-1", "completed"),
        level("T-2", "in_progress"),
        level("T-2", "pending"),
        partial.to_string(),
    ];
    let dir = tempfile::tempdir().unwrap();
    import(dir.path(), "updates.jsonl", &lines.concat());
    assert_eq!(status(dir.path(), "T-1")["state"], "resolved");
    assert_eq!(status(dir.path(), "T-2")["state"], "ok");
    assert_eq!(status(dir.path(), "9")["state"], "stuck", "`partial` alone is force-done");
    let first = text(dir.path(), &["updates", "--task", "T-1"], "");
    assert!(first.contains("\"errorType\":\"network_timeout\""), "the documents' own words: {first}");
}

#[test]
fn planning_config_is_found_and_merged() {
    let request = r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"#;
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    std::fs::create_dir(dir.path().join(".planning")).unwrap();
    let config = dir.path().join(".planning/config.json");
    std::fs::write(&config, r#"{"mode":"yolo","workflow":{"node_repair":true,"node_repair_budget":5}}"#).unwrap();
    assert_eq!(json(dir.path(), &["repair"], request)["budget_remaining"], 4);
    std::fs::write(dir.path().join("recovery.toml"), "[workflow]\nnode_repair_budget = 3\n").unwrap();
    assert_eq!(json(dir.path(), &["repair"], request)["budget_remaining"], 2, "recovery.toml wins");
    std::fs::write(&config, r#"{"workflow":{"node_repair":false}}"#).unwrap();
    assert!(json(dir.path(), &["repair"], request)["gate"].is_object(), "and what it does not say is taken over");
}

#[test]
fn notes_in_free_form() {
    let dir = tempfile::tempdir().unwrap();
    let issues = "# Known blockers\n\n- The staging database is down until Monday; `deploy-staging` cannot work.\n- Flaky DNS on runner 7.\n";
    assert_eq!(import(dir.path(), "issues.md", issues)["new"], 3);
    assert_eq!(import(dir.path(), "issues.md", issues)["new"], 0);
    import(dir.path(), "decisions.md", "- Cache in process, no Redis\n");
    let hints = json(dir.path(), &["hints", "deploy-staging"], "");
    assert!(hints["known"][0].as_str().unwrap().contains("staging database is down"), "{hints}");
    let first = recovery(dir.path(), &["run", "--task", "deploy-staging", "--", "true"], b"");
    let said = String::from_utf8(first.stderr).unwrap();
    assert!(said.contains("known: The staging database is down"), "shown before the first attempt: {said}");
    let again = recovery(dir.path(), &["run", "--task", "deploy-staging", "--", "true"], b"");
    assert!(!String::from_utf8(again.stderr).unwrap().contains("known:"));
    let request = r#"{"task":{"number":"3","name":"Cache sessions in Redis"},"error":{"text":"connect ECONNREFUSED 127.0.0.1:6379"}}"#;
    let repair = json(dir.path(), &["repair", "--task", "3"], request);
    assert_eq!(repair["strategy"], "PRUNE", "a decision feeds PRUNE: {repair}");
}

/// What was decided here is written in the originals' shapes too, and read back as the same.
#[test]
fn our_own_records_in_their_formats() {
    let dir = tempfile::tempdir().unwrap();
    let event = json!({"exit_code": 1, "stderr_tail": "assert 1 == 2", "approach": "first idea", "files_touched": ["src/a.rs"], "node": {"id": "T-1", "parent_id": "S-1"}});
    json(dir.path(), &["decide", "--event"], &event.to_string());
    json(dir.path(), &["decide", "--event", "--task", "T-1"], r#"{"exit_code":0}"#);
    json(
        dir.path(),
        &["decide", "--event", "--task", "T-2"],
        r#"{"exit_code":1,"stderr_tail":"x","conflict_id":"CONFLICT-1"}"#,
    );
    for (file, expected) in [
        ("attempt_history.json", "first idea"),
        ("history.jsonl", "execution_succeeded"),
        ("conflicts.jsonl", "CONFLICT-1"),
        ("active.json", "S-1"),
        ("updates.jsonl", "recoveryLevel"),
    ] {
        let out = text(dir.path(), &["journal", "export", "--as", file], "");
        assert!(out.contains(expected), "{file}: {out}");
        let other = tempfile::tempdir().unwrap();
        let report = import(other.path(), file, &out);
        assert!(report["new"].as_u64().unwrap() > 0 && report["skipped"] == json!([]), "{file}: {report}");
    }
}

/// F4 from an agent: the plan says whose node it is, git which files are touched, the journal what a sibling touched.
#[test]
fn a_hook_knows_the_plan() {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let ran = std::process::Command::new("git")
            .current_dir(dir.path())
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(args)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    git(&["init", "-q"]);
    std::fs::write(dir.path().join("a.rs"), "1").unwrap();
    git(&["add", "a.rs"]);
    git(&["commit", "-qm", "one"]);
    std::fs::write(dir.path().join("a.rs"), "2").unwrap();
    let plan =
        r#"{"active":"TASK-1","nodes":[{"id":"TASK-1","parent_id":"STORY-1"},{"id":"TASK-2","parent_id":"STORY-1"}]}"#;
    json(dir.path(), &["journal", "import", "-"], plan);
    let sibling = r#"{"ts":"2026-01-24T10:00:00Z","node":"TASK-2","parent":"STORY-1","event":"execution_failed","exit_code":1,"files_touched":["a.rs"]}"#;
    json(dir.path(), &["journal", "import", "-"], sibling);
    let payload = json!({"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": "Bash", "tool_use_id": "1",
        "tool_input": {"command": "make check"}, "error": "Exit code 1\nAssertionError: 3 != 4\n1 failed", "cwd": dir.path()});
    let answered = recovery(dir.path(), &["hook", "claude-code"], payload.to_string().as_bytes());
    assert_eq!(answered.status.code(), Some(0));
    let exported = text(dir.path(), &["journal", "export"], "");
    assert!(exported.contains("\"class\":\"F4\""), "{exported}");
}

/// An agent is told what the plan or the mission stops, and why; a step of its own would say something else.
#[test]
fn a_hook_says_what_the_plan_stops() {
    let dir = tempfile::tempdir().unwrap();
    let plan = r#"{"active":"TASK-1","nodes":[{"id":"TASK-1","parent_id":"STORY-1"}]}"#;
    json(dir.path(), &["journal", "import", "-"], plan);
    let call = |id: &str, command: &str| {
        let payload = json!({"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": "Bash",
            "tool_use_id": id, "tool_input": {"command": command}, "error": "Exit code 1\nboom", "cwd": dir.path()});
        let answered = recovery(dir.path(), &["hook", "claude-code"], payload.to_string().as_bytes());
        String::from_utf8(answered.stdout).unwrap()
    };
    text(dir.path(), &["plan", "freeze", "STORY-1", "--reason", "the design changes"], "");
    let frozen = call("1", "make a");
    assert!(frozen.contains("stopped: the plan has frozen this node") && frozen.contains("ask a person"), "{frozen}");
    text(dir.path(), &["plan", "thaw", "STORY-1", "--reason", "decided"], "");
    assert!(!call("2", "make b").contains("stopped:"));
    // While the node waits for the arbiter, failures are no attempts and no new conflicts.
    let conflict = r#"{"conflict_id":"CONFLICT-7","ts":"2026-01-24T10:00:00Z","tasks":["TASK-1"],"status":"open"}"#;
    json(dir.path(), &["journal", "import", "-"], conflict);
    for id in ["3", "4", "5", "6"] {
        let answer = call(id, "make c");
        assert!(answer.contains("wait for the conflict arbiter"), "{id}: {answer}");
    }
    text(dir.path(), &["resolve", "CONFLICT-7", "--reason", "merged"], "");
    assert!(!call("7", "make c").contains("arbiter"));
}

/// The commits since a task began: an edited test makes F3 surer, revisions count towards the deviation, cosmetic ones do
/// not, and no program that the repository names runs.
#[test]
fn git_knows_edited_tests_and_revisions() {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let ran = std::process::Command::new("git")
            .current_dir(dir.path())
            .args(["-c", "user.name=t", "-c", "user.email=t@t"])
            .args(args)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    };
    let commit = |file: &str, text: &str| {
        std::fs::write(dir.path().join(file), text).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-qm", "one"]);
    };
    git(&["init", "-q"]);
    std::fs::create_dir(dir.path().join("tests")).unwrap();
    commit("tests/a.rs", "0\n");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let plan = r#"{"nodes":[{"id":"T","parent_id":"S","tier":"T4"}]}"#;
    json(dir.path(), &["journal", "import", "-"], plan);
    let event = json!({"exit_code": 1, "stderr_tail": "boom", "files_touched": ["src.rs"], "node": {"id": "T", "parent_id": "S"}});
    let decide = || json(dir.path(), &["decide", "--event"], &event.to_string());
    decide();
    commit("tests/a.rs", "1\n");
    commit("src.rs", "fn a() {}\n");
    commit("src.rs", "fn  a()  {}\n");
    decide();
    commit("tests/a.rs", "2\n");
    for program in ["diff.external", "core.fsmonitor", "diff.x.textconv", "core.hooksPath"] {
        git(&["config", program, "touch ran"]);
    }
    std::fs::write(dir.path().join(".gitattributes"), "* diff=x filter=x\n").unwrap();
    let third = decide();
    let class = &third["classification"];
    assert_eq!((&class["class"], &class["confidence"]), (&json!("F3"), &json!(0.78)), "{class}");
    let evidence = class["evidence"].to_string();
    assert!(evidence.contains("test_ref tests/a.rs has been edited 2 times in revision history"), "{evidence}");
    let exported = text(dir.path(), &["journal", "export", "--task", "T"], "");
    let last: Value = serde_json::from_str(exported.lines().last().unwrap()).unwrap();
    assert_eq!(last["body"]["event"]["node"]["revisions_since_planning"], 1, "white space is cosmetic");
    assert!(!dir.path().join("ran").exists());
}

/// Each row of docs/migrate.md names the test that shows it.
#[test]
fn every_mapping_has_its_test() {
    let page = include_str!("../../docs/migrate.md");
    let tests = [include_str!("migrate.rs"), include_str!("commands.rs"), include_str!("spellings.rs")].concat();
    let statements = [
        include_str!("documents/classifier.rs"),
        include_str!("documents/failure_types.rs"),
        include_str!("documents/node_repair.rs"),
        include_str!("documents/escalation.rs"),
    ]
    .concat();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.ends_with("| test |"));
    let mut count = 0;
    for row in rows {
        let test = row.trim_end_matches([' ', '|']).rsplit("| ").next().unwrap().trim();
        let is_statement = statements.contains(&format!("\n    \"{test}\" \""));
        assert!(is_statement || tests.contains(&format!("fn {test}(")), "{row}");
        count += 1;
    }
    assert!(count > 30, "{count}");
}

/// A story that was planned again elsewhere has as many replans less, also where the history names the story itself.
#[test]
fn imported_replans_of_a_story_draw_on_its_budget() {
    let dir = tempfile::tempdir().unwrap();
    let line = |node: &str, minute: u8| {
        json!({"ts": format!("2026-01-24T10:0{minute}:00"), "event": "replanned", "node": node}).to_string() + "\n"
    };
    let lines: String = (1..4).map(|minute| line("STORY-1", minute)).chain([line("STORY-2", 4)]).collect();
    import(dir.path(), "history.jsonl", &lines);
    let action_of_third = |task: &str, parent: &str| {
        let event = json!({"exit_code": 1, "stderr_tail": "worker crashed", "node": {"id": task, "parent_id": parent}});
        let answers = [(); 3].map(|()| json(dir.path(), &["decide", "--event", "--task", task], &event.to_string()));
        answers[2]["classification"]["recommended_action"].clone()
    };
    assert_eq!(action_of_third("TASK-1", "STORY-1"), "freeze_and_escalate");
    assert_eq!(action_of_third("TASK-2", "STORY-2"), "replan_story");
}
