//! `recovery simulate` as people and programs see it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn simulate(args: &[&str], script: &str) -> Output {
    let empty = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .arg("simulate")
        .args(args)
        .current_dir(empty.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A story with every kind of line.
const STORY: &str = r#"{"policy":{"fallback":{"targets":[{"agent":"devops-troubleshooter"},{"model":"opus"}]}}}
{"at_ms":0,"event":"failure","error_type":"network_timeout","step":"step3","completed_steps":["step1","step2"],"message":"read \u001b[31mETIMEDOUT","approach":"fetch with axios"}
{"at_ms":1500,"event":"failure","error_type":"rate_limit","retry_after_ms":60000}
{"at_ms":70000,"event":"judge","evidence_of_completion":6,"goal_alignment":20}
{"event":"loop","similar":4}
{"at_ms":80000,"event":"pause","reason":"two tasks collided"}
{"at_ms":90000,"event":"failure","error_type":"test_failure"}
{"at_ms":91000,"event":"failure","error_type":"test_failure","message":"2 \u001b[31mfailed"}
{"at_ms":9000000,"event":"tick"}
{"at_ms":9000000,"event":"reset","reason":"network is back"}
{"at_ms":9000001,"event":"failure","error_type":"disk_full","idempotent":false}
{"at_ms":9000002,"event":"success"}
"#;

#[test]
fn a_timeline_for_people() {
    insta::assert_snapshot!(text(&simulate(&[], STORY)));
}

#[test]
fn transitions_for_programs() {
    insta::assert_snapshot!(text(&simulate(&["--format", "json", "-", "--task", "TASK-7"], STORY)));
}

#[test]
fn one_far_tick_gives_every_level_at_its_time() {
    let script = "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":9999999999,\"event\":\"tick\"}";
    let lines: Vec<serde_json::Value> = text(&simulate(&["--format", "json"], script))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let levels: Vec<_> =
        lines.iter().map(|line| (line["at_ms"].as_u64().unwrap(), line["to"].as_u64().unwrap())).collect();
    assert_eq!(levels, [(0, 1), (30_000, 2), (330_000, 3), (1_230_000, 4), (2_430_000, 5)]);
}

#[test]
fn bad_lines_are_named_with_their_place() {
    for (script, problem) in [
        ("nonsense", "line 1, column 1: expected an object like {\"at_ms\""),
        ("[1]", "line 1, column 1: expected an object"),
        ("{\"at_ms\":0", "line 1, column 10: it ends within an object"),
        (
            "\n{\"event\":\"boom\"}",
            "line 2, column 15: field `event`: unknown variant `boom`, expected one of `failure`",
        ),
        ("{}", "line 1, column 1: field `event` is missing: expected one of failure, success"),
        ("{\"event\":\"failure\"}", "field `error_type` is missing"),
        ("{\"event\":\"loop\"}", "field `similar` is missing"),
        ("{\"event\":\"tick\",\"at_ms\":\"x\"}", "column 27: field `at_ms`: wrong type: string"),
        (
            "{\"event\":\"tick\",\"at_ms\":5}\n{\"event\":\"tick\",\"at_ms\":4}",
            "line 2, column 17: field `at_ms` goes back: 4 is before 5",
        ),
        ("{\"policy\":{\"rety\":{}}}", "field `policy.rety`: there is no field `rety`"),
        ("{\"policy\":{\"retry\":{\"attempts\":9}}}", "line 1, column 2: field `policy` is refused: the backoffs"),
        ("{\"event\":\"tick\"}\n{\"policy\":{}}", "line 2, column 2: field `policy` belongs on the first line"),
    ] {
        let output = simulate(&[], script);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{script}");
        assert!(error.contains(problem), "{script}: {error}");
    }
}

#[test]
fn the_policy_can_be_drawn() {
    assert!(text(&simulate(&["--dot"], "")).starts_with("digraph ladder {"));
    let drawn = text(&simulate(&["--dot", "-"], "{\"policy\":{\"nudge\":{\"variants\":0}}}"));
    assert!(drawn.contains("level1 -> level3") && !drawn.contains("level2"), "{drawn}");
}

#[test]
fn every_line_matches_the_published_schema() {
    let schema = Command::new(env!("CARGO_BIN_EXE_recovery")).args(["schema", "simulate"]).output().unwrap();
    let schema = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in text(&simulate(&["--format", "json"], STORY)).lines() {
        let line = serde_json::from_str(line).unwrap();
        assert!(validator.is_valid(&line), "{line}: {:?}", validator.iter_errors(&line).collect::<Vec<_>>());
    }
}
