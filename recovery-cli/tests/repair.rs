//! `recovery repair` as people and programs see it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn repair_in(dir: &std::path::Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .arg("repair")
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn repair(args: &[&str], input: &str) -> Output {
    repair_in(tempfile::tempdir().unwrap().path(), args, input)
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// One request for each strategy.
const REQUESTS: [&str; 4] = [
    r#"{"task":{"number":"3","name":"Load the feed"},"error":{"text":"ModuleNotFoundError: No module named 'yaml'"},"candidates":["uv.lock"]}"#,
    r#"{"task":{"number":3,"name":"Serve prices","done_criteria":["GET /prices returns 200 and `prices.csv` exists","looks nice"]},"error":{"text":"assert 404 == 200"}}"#,
    r#"{"task":{"number":"3","name":"Serve prices"},"error":{"text":"relation \"tariffs\" does not exist"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"#,
    r#"{"task":{"number":"3","name":"Serve prices"},"error":{"text":"","expected":"200","actual":"404 \u001b[31m"},"budget":0,"attempts":[{"strategy":"RETRY","approach":"mount | route","ok":false}]}"#,
];

#[test]
fn for_people() {
    insta::assert_snapshot!(REQUESTS.map(|request| text(&repair(&[], request))).join("\n"));
}

#[test]
fn for_programs() {
    let one_by_one = REQUESTS.map(|request| text(&repair(&["--format", "json", "-"], request))).concat();
    assert_eq!(
        text(&repair(&["--ndjson"], &REQUESTS.join("\n"))),
        one_by_one,
        "lines are answered like single requests"
    );
    insta::assert_snapshot!(one_by_one);
}

#[test]
fn a_bad_line_is_answered_and_the_rest_goes_on() {
    let lines = format!("{}\n\n{{\"task\":7}}\nnot json\n{}\n", REQUESTS[0], REQUESTS[2]);
    let answers: Vec<serde_json::Value> =
        text(&repair(&["--ndjson"], &lines)).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["strategy"], "RETRY");
    assert_eq!(answers[1]["line"], 3);
    assert!(answers[1]["error"].as_str().unwrap().contains("field `task`"), "{}", answers[1]);
    assert_eq!(answers[2]["line"], 4);
    assert_eq!(answers[3]["strategy"], "PRUNE");
}

#[test]
fn a_bad_request_says_where_and_ends_with_2() {
    let output = repair(&[], "{\"task\":{},\n\"budget\":-1}");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("line 2") && error.contains("field `budget`"), "{error}");
}

#[test]
fn settings_from_recovery_toml_and_from_a_plan_executors_config() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "[workflow]\nnode_repair_budget = 5\n").unwrap();
    let answer: serde_json::Value =
        serde_json::from_str(&text(&repair_in(dir.path(), &["--format", "json"], REQUESTS[0]))).unwrap();
    assert_eq!(answer["budget_remaining"], 4);

    std::fs::write(dir.path().join("config.json"), r#"{"workflow":{"node_repair":false,"verifier":true}}"#).unwrap();
    let args = ["--config", "config.json", "--format", "json"];
    let answer: serde_json::Value = serde_json::from_str(&text(&repair_in(dir.path(), &args, REQUESTS[0]))).unwrap();
    assert_eq!(answer["strategy"], serde_json::Value::Null);
    let options = serde_json::json!(["retry", "skip and mark incomplete", "stop and investigate"]);
    assert_eq!(answer["gate"]["options"], options);
}

/// The plan on disk is never touched.
#[test]
fn nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("PLAN.md"), "# Plan\n").unwrap();
    for request in REQUESTS {
        text(&repair_in(dir.path(), &[], request));
    }
    let files: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["PLAN.md"]);
    assert_eq!(std::fs::read_to_string(dir.path().join("PLAN.md")).unwrap(), "# Plan\n");
}

#[test]
fn secrets_do_not_pass() {
    let request =
        r#"{"task":{"number":"1"},"error":{"text":"error: cannot log in to postgres://ada:hunter22@db/app"}}"#;
    let shown = text(&repair(&["--format", "json"], request));
    assert!(!shown.contains("hunter22"), "{shown}");
}

/// The project's decisions count without a task's name too.
#[test]
fn a_decision_of_the_notes_is_not_contradicted() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(".recovery");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("decisions.md"), "- We do not use Redis; caching stays in process\n").unwrap();
    let request = r#"{"task":{"number":"9","name":"Add Redis cache"},"error":"nothing is cached"}"#;
    for args in [&[][..], &["--ndjson"], &["--task", "9"]] {
        let said = text(&repair_in(dir.path(), args, request));
        assert!(said.contains("PRUNE") && said.contains("contradicts"), "{args:?}: {said}");
    }
}
