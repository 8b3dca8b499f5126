//! The mission's constraints.

use crate::{answer, event};
use classifier_core::unreadable_patterns;
use serde_json::{Value, json};

fn evidence(event: Value) -> Vec<String> {
    let answer = answer(&event.to_string());
    if answer.rule == "mission-contradicted" { answer.evidence } else { Vec::new() }
}

fn is_forbidden(pattern: &str, text: &str) -> bool {
    let ancestor = json!({"constraints":[{"id":"C","forbid":[pattern]}]});
    !evidence(json!({"exit_code":1,"stderr_tail":text,"ancestor":ancestor})).is_empty()
}

fn is_protected(glob: &str, file: &str) -> bool {
    let ancestor = json!({"constraints":[{"id":"C","protect":[glob]}]});
    !evidence(json!({"exit_code":1,"files_touched":[file],"ancestor":ancestor})).is_empty()
}

#[test]
fn forbidden_text_in_any_case() {
    assert!(is_forbidden("npm install", "ran NPM Install x"));
    assert!(is_forbidden("ÄRGER", "kein ärger"));
    assert!(is_forbidden("a.c", "xa.cx") && !is_forbidden("a.c", "abc"), "plain text, not a pattern language");
    assert!(is_forbidden("//", "a//b") && !is_forbidden("//", "ab"), "two slashes are text");
    assert!(is_forbidden("/", "a/b") && !is_forbidden("/a", "a/b") && is_forbidden("b/", "ab/"));
    assert!(!is_forbidden("", "anything"));
}

#[test]
fn forbidden_regular_expressions() {
    assert!(is_forbidden(r"/drop\s+table/", "DROP  TABLE x") && !is_forbidden(r"/drop\s+table/", "droptable"));
    assert!(!is_forbidden("/x*/", "abc"), "an empty match is none");
    assert!(is_forbidden("/x*/", "abxc"));
    assert!(!is_forbidden("/(/", "("), "what cannot be read matches nothing");
    assert!(!is_forbidden("/(a{1000}){1000}/", &"a".repeat(10)), "nor does what costs too much");
}

#[test]
fn forbidden_is_looked_for_in_what_was_printed_and_tried() {
    for (field, place) in
        [("stderr_tail", "stderr"), ("test_output", "test_output"), ("approach", "approach"), ("tool", "tool")]
    {
        let mut event = json!({"exit_code":1,"ancestor":{"constraints":[{"id":"no-deps","forbid":["npm"]}]}});
        event[field] = json!("npm i");
        assert_eq!(evidence(event)[0], format!("constraint no-deps: forbidden \"npm\" in {place}"));
    }
}

#[test]
fn protected_paths() {
    for (glob, file) in [
        ("db/**", "db/a/b.sql"),
        ("db/*.sql", "./db/a.sql"),
        ("./db/*.sql", "db\\a.sql"),
        ("**/*.lock", "a/b/x.lock"),
        ("**/*.lock", "x.lock"),
        ("{a,b}/x", "b/x"),
        ("[ab]/x", "a/x"),
        ("?/x", "a/x"),
        ("db", "db/a.sql"),
        ("db/", "db/a/b.sql"),
        ("./db/a.sql", "db/a.sql"),
        ("*.toml", "Cargo.toml"),
    ] {
        assert!(is_protected(glob, file), "{glob} {file}");
    }
    for (glob, file) in [
        ("db/*.sql", "db/a/b.sql"),
        ("*.toml", "a/Cargo.toml"),
        ("db", "dbx/a.sql"),
        ("db", "a/db"),
        ("db/**", "src/db/a.sql"),
        ("[", "["),
        ("", "a"),
        ("db/**", "DB/a.sql"),
    ] {
        assert!(!is_protected(glob, file), "{glob} {file}");
    }
}

#[test]
fn a_match_names_the_constraint_and_the_first_file() {
    let constraints = json!([{"id":"schema","protect":["db/**"]},{"id":"api","protect":["api.json"]}]);
    let files = json!(["db/b.sql", "db/a.sql", "db/a.sql", "api.json"]);
    let event = json!({"exit_code":1,"files_touched":files,"ancestor":{"constraints":constraints}});
    let expected = [
        "constraint api: protected \"api.json\" touched: api.json",
        "constraint schema: protected \"db/**\" touched: db/a.sql and 1 more",
    ];
    assert_eq!(evidence(event), expected);
}

#[test]
fn two_features_are_cross_feature_and_one_is_not() {
    let spans = |files: &[&str]| {
        let features = json!({"auth":["src/auth/**","src/login/**"],"billing":["src/billing"],"shop":["src/shop/*"]});
        evidence(json!({"exit_code":1,"files_touched":files,"ancestor":{"features":features}}))
    };
    assert!(spans(&[]).is_empty());
    assert!(spans(&["src/auth/a", "src/login/b", "README.md"]).is_empty());
    assert_eq!(spans(&["src/billing/x", "src/login/b"]), ["files_touched spans features: auth, billing"]);
    assert_eq!(
        spans(&["src/shop/x", "src/billing/x", "src/auth/b"]),
        ["files_touched spans features: auth, billing, shop"]
    );
}

#[test]
fn the_mission_is_only_read_by_its_rule() {
    let contradicted = json!({"exit_code":1,"stderr_tail":"503","files_touched":["db"],"ancestor":{"constraints":[{"id":"C","protect":["db"]}]}});
    assert_eq!(answer(&contradicted.to_string()).rule, "transient-pattern");
}

#[test]
fn unreadable_patterns_are_told_with_their_place() {
    let event = event(
        r#"{"exit_code":1,"ancestor":{
        "constraints":[{"id":"a","forbid":["ok","/(/",""],"protect":["ok","x[",""]}],"features":{"f":["ok/**","{"]}}}"#,
    );
    let reported: Vec<String> = unreadable_patterns(&event.ancestor.unwrap())
        .into_iter()
        .map(|bad| format!("{} {:?}: {}", bad.place, bad.pattern, bad.why.replace('\n', " | ")))
        .collect();
    insta::assert_snapshot!(reported.join("\n"));
}
