//! `recovery classify` as people and programs meet it: the documents' examples, good input, bad input.

use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn recovery(args: &[&str], input: &[u8]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .current_dir(dir.path())
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn answer(args: &[&str], input: &str) -> Value {
    let out = recovery(&[&["classify", "--format", "json"], args].concat(), input.as_bytes());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    serde_json::from_slice(&out.stdout).unwrap()
}

/// The message of a refused call.
fn refusal(args: &[&str], input: &[u8]) -> String {
    let out = recovery(args, input);
    assert_eq!(out.status.code(), Some(2), "{out:?}");
    assert!(out.stdout.is_empty());
    String::from_utf8(out.stderr).unwrap()
}

const PACKS: [&str; 2] = ["field", "documented"];

/// The examples of the failure-type document, under both packs.
#[test]
fn the_failure_type_documents_examples() {
    let examples = [
        ("Error: Cannot find module './utils' from 'src/index.js'", "BROKEN_BUILD"),
        ("AssertionError: Expected 200 but got 404", "VERIFICATION_FAILED"),
        ("Error: Maximum context length (128k tokens) exceeded", "CONTEXT_EXHAUSTED"),
        ("Error: Connection refused to database server", "UNKNOWN"),
    ];
    for pack in PACKS {
        for (text, expected) in examples {
            let found = answer(&["--exit-code", "1", "--pack", pack], text);
            assert_eq!(found["diagnosis"]["failure_type"], expected, "{pack}: {text}");
            assert_eq!(found["pack"], pack);
        }
    }
}

/// The failure-type document's circular fix, under both packs.
#[test]
fn the_failure_type_documents_circular_fix() {
    let attempts = ["Using async await for fetch", "Using async/await with try-catch", "Using async await pattern"];
    let history: Vec<Value> =
        attempts[..2].iter().map(|a| json!({"event": "execution_failed", "approach": a})).collect();
    let event = json!({"exit_code": 1, "stderr_tail": "it still fails", "approach": attempts[2], "history": history});
    for pack in PACKS {
        let found = answer(&["--event", "--pack", pack], &event.to_string());
        assert_eq!(found["diagnosis"]["failure_type"], "CIRCULAR_FIX", "{pack}");
        assert_eq!(found["diagnosis"]["circular"], true);
        assert_eq!(found["diagnosis"]["recovery_action"]["action"], "skip");
        assert_eq!(found["diagnosis"]["recovery_action"]["escalate"], true);
    }
}

/// The failure-classifier document's sample answer, key for key, under both packs.
#[test]
fn the_failure_classifier_documents_sample() {
    let event = json!({"exit_code": 1, "stderr_tail": "jwt must be provided",
        "node": {"id": "TASK-00101", "parent_id": "STORY-0042", "tier": "T4", "failed_attempts": 3,
                 "test_edits": {"tests/auth/jwt.test.ts": 4}},
        "history": [{"node": "TASK-00101", "event": "execution_failed", "stderr_tail": "jwt must be provided"},
                    {"node": "TASK-00101", "event": "execution_failed", "stderr_tail": "jwt must be provided"}]});
    let sample = json!({"class": "F3", "confidence": 0.78,
        "evidence": ["failed_attempts=3", "stderr_hash matches last 2 attempts",
                     "test_ref tests/auth/jwt.test.ts has been edited 4 times in revision history"],
        "recommended_action": "replan_story", "node_id": "TASK-00101", "parent_node_id": "STORY-0042"});
    for pack in PACKS {
        let found = answer(&["--event", "--pack", pack], &event.to_string());
        for (key, value) in sample.as_object().unwrap() {
            assert_eq!(&found["classification"][key], value, "{pack}: {key}");
        }
    }
}

#[test]
fn exit_code_zero_is_no_failure() {
    let found = answer(&["--exit-code", "0"], "429 tests passed");
    assert_eq!(found, json!({"failure": false, "classification": null, "diagnosis": null, "pack": "field"}));
}

#[test]
fn a_line_number_is_no_rate_limit() {
    let text = "error[E0308]: mismatched types\n --> src/x.rs:429:7\nerror: could not compile `x` (lib)";
    assert_eq!(answer(&[], text)["classification"]["class"], "F2");
    assert_eq!(
        answer(&["--exit-code", "1", "--pack", "documented"], text)["classification"]["class"],
        "F1",
        "the document's own reading"
    );
}

#[test]
fn offsets_and_lines_point_at_the_evidence() {
    let text = "one\ntwo\nthe test failed here\n";
    let found = answer(&["--pack", "documented"], text);
    let hit = &found["diagnosis"]["indicators"][0];
    assert_eq!((hit["offset"].as_u64(), hit["line"].as_u64()), (Some(12), Some(3)));
}

#[test]
fn odd_input_is_answered() {
    for input in [&b""[..], b"\n\n", b"\xff\xfe\x00\x80 junk \x1b[2J", &[0; 70_000]] {
        let out = recovery(&["classify"], input);
        assert_eq!(out.status.code(), Some(0));
        assert!(!out.stdout.contains(&0x1b), "no raw control characters: {out:?}");
    }
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let wrong = refusal(&["classify", "--event"], b"{\"exit_code\":1,\n \"node\":{\"id\":7}}");
    assert!(wrong.contains("standard input: line 2") && wrong.contains("`node.id`"), "{wrong}");
    assert!(refusal(&["classify", "--event"], b"{\"exit_code\":1").contains("a `}` is missing"));
    assert!(refusal(&["classify", "--event"], b"{}").contains("exit_code"));
    assert!(refusal(&["classify", "--pack", "nope"], b"").contains("field"));
    assert!(refusal(&["classify", "no-such-file"], b"").contains("cannot read no-such-file"));
    assert!(refusal(&["classify", "."], b"").contains("directory"));
    assert!(refusal(&["classify", "--config", "no-such.toml"], b"").contains("no-such.toml"));
    assert!(refusal(&["schema", "nope"], b"").contains("did you mean"));
    assert!(refusal(&["explain", "nope"], b"").contains("rules list"));
}

#[test]
fn one_bad_line_among_thousands_does_not_stop_the_rest() {
    let mut input = String::new();
    for n in 0..3000 {
        input +=
            &if n == 1234 { "{\"exit_code\":\"one\"}\n".to_owned() } else { format!("{{\"exit_code\":{}}}\n", n % 2) };
    }
    let out = recovery(&["classify", "--ndjson"], input.as_bytes());
    assert_eq!(out.status.code(), Some(0));
    let lines: Vec<Value> =
        String::from_utf8(out.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3000);
    assert_eq!(lines[1234]["line"], 1235);
    assert!(lines[1234]["error"].as_str().unwrap().contains("exit_code"));
    assert!((0..3000).filter(|n| *n != 1234).all(|n| lines[n]["failure"] == (n % 2 == 1)), "answers keep their order");
}

#[test]
fn secrets_are_not_printed() {
    let text =
        "fatal: Authentication failed for 'https://me:ghp_abcdefghijklmnopqrstuvwxyz0123456789@example.org/x.git'";
    let out = recovery(&["classify", "--format", "json"], text.as_bytes());
    assert!(!String::from_utf8(out.stdout).unwrap().contains("ghp_abcdef"));
}

/// Every answer matches the schema that is published for it.
#[test]
fn answers_match_their_schemas() {
    let schema = |name: &str| -> Value { serde_json::from_slice(&recovery(&["schema", name], b"").stdout).unwrap() };
    let check = |name: &str, value: &Value| {
        let errors: Vec<String> = jsonschema::validator_for(&schema(name))
            .unwrap()
            .iter_errors(value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}\n{value}");
    };
    let event = json!({"exit_code": 1, "stderr_tail": "Retry-After: 20\nHTTP 429", "node": {"id": "T"}});
    check("event", &event);
    check("classify", &answer(&["--event"], &event.to_string()));
    check("classify", &answer(&["--exit-code", "0"], ""));
    let decided = recovery(&["decide", "--event", "--dry-run", "--format", "json"], event.to_string().as_bytes());
    check("decide", &serde_json::from_slice(&decided.stdout).unwrap());
    let bad = recovery(&["classify", "--ndjson"], b"x\n");
    check("bad-line", &serde_json::from_slice(&bad.stdout).unwrap());
}

/// A long log needs constant memory, and what is in its middle still counts.
#[test]
fn a_long_log_is_read_through() {
    let filler = "an ordinary line of a long log, nothing to see here\n".repeat(40_000);
    let text = format!(
        "{filler}error[E0425]: cannot find value `x` in this scope\n --> src/a.rs:1:1\n{filler}error: could not compile `a` (lib) due to 1 previous error\n"
    );
    let found = answer(&[], &text);
    assert_eq!(found["diagnosis"]["error_type"], "compile_error");
    let lines: Vec<u64> =
        found["diagnosis"]["indicators"].as_array().unwrap().iter().filter_map(|hit| hit["line"].as_u64()).collect();
    assert!(lines.contains(&40_001), "{lines:?}");
}

/// Without an exit code nothing is invented: the text alone shows whether anything failed.
#[test]
fn a_passing_log_without_an_exit_code_is_no_failure_and_is_not_recorded() {
    let passing =
        b"running 3 tests\ntest a_failure_is_reported ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
    for command in [&["classify"][..], &["decide", "--task", "t"]] {
        let out = recovery(command, passing);
        let shown = String::from_utf8(out.stdout).unwrap();
        assert!(shown.starts_with("No failure seen") && shown.contains("${PIPESTATUS[0]}"), "{command:?}: {shown}");
        assert_eq!(out.status.code(), Some(0));
    }
    assert_eq!(answer(&[], "all is well\n")["failure"], false);
    // The caller's word counts.
    assert_eq!(answer(&["--exit-code", "1"], "all is well\n")["failure"], true);
}

#[test]
fn a_failure_event_that_is_not_announced_as_one_is_noticed() {
    let event = "{\"exit_code\":1,\"stderr_tail\":\"boom\"}\n";
    for command in [&["classify"][..], &["decide", "--task", "t"]] {
        for (input, option) in [(event.to_owned(), "--event"), (event.repeat(2), "--ndjson")] {
            let shown = String::from_utf8(recovery(command, input.as_bytes()).stdout).unwrap();
            assert!(shown.starts_with("No failure seen") && shown.contains(&format!("add {option}")), "{shown}");
        }
    }
}

/// What, where, the next step, why; codes of our own only with --verbose.
#[test]
fn people_read_what_and_where_and_what_to_do() {
    let text = b"error[E0308]: mismatched types\n --> src/main.rs:4:18\n  |\n4 | let x: u8 = \"a\";\n\nerror: could not compile `x` (bin \"x\") due to 1 previous error\n";
    let shown = String::from_utf8(recovery(&["classify"], text).stdout).unwrap();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("Compile error at src/main.rs:4:18"), "{shown}");
    assert!(lines[1].starts_with("next  "), "{shown}");
    assert!(lines[2].starts_with("why   line 1 `error[E0308]"), "{shown}");
    for code in ["F2", "UNKNOWN", "BROKEN_BUILD", "level", "compile_error", "rustc."] {
        assert!(!shown.contains(code), "{code}: {shown}");
    }
    let verbose = String::from_utf8(recovery(&["classify", "--verbose"], text).stdout).unwrap();
    assert!(verbose.starts_with(&shown) && verbose.contains("F2") && verbose.contains("rustc."), "{verbose}");

    let limited = b"HTTP/1.1 429 Too Many Requests\nRetry-After: 30\n";
    let shown = String::from_utf8(recovery(&["classify", "--exit-code", "1"], limited).stdout).unwrap();
    assert!(shown.starts_with("Rate limited (HTTP 429), temporary"), "{shown}");
    assert!(shown.contains("next  wait 30 s (the server asked for it), then run it again\n"), "{shown}");

    let odd = b"starting\nFrobnicator: gizmo misaligned at quadrant 7\n";
    let shown = String::from_utf8(recovery(&["classify", "--exit-code", "1"], odd).stdout).unwrap();
    let expected = "Not recognised: no rule knows this output\n\
        last  \"Frobnicator: gizmo misaligned at quadrant 7\"\n\
        next  read the output; to teach it, add an [[indicator]] to recovery.toml\n";
    assert_eq!(shown, expected);
}

/// Colours are no part of a line's content.
#[test]
fn evidence_is_quoted_without_colours() {
    let out = recovery(
        &["classify", "--exit-code", "1"],
        "\u{1b}[31m\u{1b}[1mModuleNotFoundError: No module named 'yaml'\u{1b}[0m\n".as_bytes(),
    );
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        text.starts_with("Missing dependency: ModuleNotFoundError: No module named 'yaml'\nnext  install"),
        "{text}"
    );
    assert!(!text.contains("u{1b}"), "{text}");
}
