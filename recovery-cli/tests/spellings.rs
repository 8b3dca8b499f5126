//! The names that other systems use, through the commands: accepted, and unknown ones are reported.

mod common;

use common::recovery;
use serde_json::Value;

fn json(dir: &std::path::Path, args: &[&str], input: &str) -> Value {
    let output = recovery(dir, &[args, &["--format", "json"]].concat(), input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_failed_judge_is_a_failure_whatever_it_is_called() {
    let table = [
        (r#"{"exit_code":0,"judge":{"evidence_of_completion":7}}"#, 2),
        (r#"{"exit_code":0,"judge":{"evidenceOfCompletion":7}}"#, 2),
        (r#"{"exitCode":0,"judge":{"goalAlignment":"14","evidenceOfCompletion":"20"}}"#, 3),
        (r#"{"exit_code":0,"judge":{"verdict":"FAIL"}}"#, 3),
        (r#"{"exit_code":0,"verdict":"FAIL","judge":{"evidenceOfCompletion":3}}"#, 2),
        (r#"{"exit_code":"0","judge":"fail"}"#, 3),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (number, (event, level)) in table.into_iter().enumerate() {
        let answer = json(dir.path(), &["decide", "--event", "--task", &number.to_string()], event);
        assert_eq!((&answer["failure"], &answer["ladder"]["level"]), (&Value::Bool(true), &level.into()), "{event}");
        assert!(answer["warnings"].is_null(), "{answer}");
        assert_eq!(json(dir.path(), &["classify", "--event"], event)["failure"], true, "{event}");
    }
    let passed = json(dir.path(), &["decide", "--event"], r#"{"exit_code":0,"judge":{"verdict":"PASS"}}"#);
    assert_eq!(passed["failure"], false);
}

#[test]
fn a_repair_request_in_the_documents_names() {
    let request = r#"{"FAILED_TASK":{"number":3,"name":"Serve prices","done-criteria":["GET /prices returns 200"]},
        "ERROR":{"actual":"404","expected":"200"},"REPAIR_BUDGET":"0",
        "PLAN_CONTEXT":{"phase_goal":"prices","adjacent":[{"number":2,"name":"Route","status":"completed"},{"number":4,"name":"Cache","status":"in_progress"}]}}"#;
    let dir = tempfile::tempdir().unwrap();
    let answer = json(dir.path(), &["repair"], request);
    assert_eq!(answer["strategy"], "ESCALATE");
    assert!(answer["warnings"].is_null(), "{answer}");
}

#[test]
fn a_time_without_a_zone_is_read() {
    let event = r#"{"exit_code":1,"stderr_tail":"boom","history":[{"ts":"2026-01-24T10:00:00.123456","event":"execution_failed"}]}"#;
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(json(dir.path(), &["decide", "--event"], event)["failure"], true);
}

#[test]
fn an_unknown_field_is_said() {
    let event = r#"{"exit_code":1,"stderr_tial":"boom","node":{"id":"n","tire":"T4"}}"#;
    let dir = tempfile::tempdir().unwrap();
    let expected =
        ["stderr_tial", "node.tire"].map(|field| format!("field `{field}` is not known here and was not read"));
    for args in [
        &["decide", "--event", "--dry-run"][..],
        &["decide", "--ndjson", "--dry-run"],
        &["classify", "--event"],
        &["classify", "--ndjson"],
    ] {
        let answer = json(dir.path(), args, event);
        let mut warnings: Vec<&str> = answer["warnings"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        warnings.sort_by_key(|warning| !warning.contains("tial"));
        assert_eq!(warnings, expected, "{args:?}");
    }
    let people = recovery(dir.path(), &["classify", "--event"], event.as_bytes());
    let said = String::from_utf8(people.stderr).unwrap();
    assert!(said.contains("recovery: warning: field `stderr_tial` is not known"), "{said}");
}
