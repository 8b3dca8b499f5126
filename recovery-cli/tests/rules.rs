//! `recovery rules`: where rows are written down, and a rule of the user's own on text and logs.

use std::path::Path;
use std::process::{Command, Output};

const SETTINGS: &str = "[[indicator]]\nid = \"acme.licence\"\ntext = \"licence server\"\nerror_type = \"service_unavailable\"\nword = true\n";

fn recovery(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_recovery")).current_dir(dir).args(args).output().unwrap()
}

#[test]
fn a_users_rule_fires_is_shown_and_counts() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), SETTINGS).unwrap();
    let out = recovery(dir.path(), &["rules", "test", "--text", "all fine\nthe licence server is gone"]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(0));
    assert!(text.contains("acme.licence") && text.contains("line 2: the licence server is gone"), "{text}");
    let out = recovery(dir.path(), &["rules", "test", "--text", "the licence servers are fine"]);
    assert_eq!(out.status.code(), Some(1));
    std::fs::write(dir.path().join("x.log"), "error: the licence server is gone\n").unwrap();
    let out = recovery(dir.path(), &["classify", "--format", "json", "x.log"]);
    let answer: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["diagnosis"]["error_type"], "service_unavailable");
}

#[test]
fn a_rule_that_fires_on_successful_logs_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), SETTINGS).unwrap();
    std::fs::create_dir(dir.path().join("green")).unwrap();
    for n in 0..10 {
        let text = if n < 2 { "licence server answered\nok" } else { "ok" };
        std::fs::write(dir.path().join(format!("green/{n}.log")), text).unwrap();
    }
    let args = ["rules", "test", "--text", "licence server down", "--passing", "green"];
    let out = recovery(dir.path(), &args);
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8(out.stdout).unwrap().contains("refused: fires on 2 of 10"));
    std::fs::remove_file(dir.path().join("green/0.log")).unwrap();
    std::fs::write(dir.path().join("green/10.log"), "ok").unwrap();
    assert_eq!(recovery(dir.path(), &args).status.code(), Some(0), "one in ten is tolerated");
}

#[test]
fn nonsense_rows_are_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    for (row, reason) in [
        ("id = \"a\"\ntext = \"\"\nerror_type = \"other\"", "a"),
        ("id = \"a\"\ntext = \"x\"\nerror_type = \"no_such_type\"", "no_such_type"),
        ("id = \"a\"\ntext = \"x\"\nerror_type = \"other\"\ncolour = 1", "colour"),
    ] {
        std::fs::write(dir.path().join("recovery.toml"), format!("[[indicator]]\n{row}\n")).unwrap();
        let out = recovery(dir.path(), &["rules", "list"]);
        assert_eq!(out.status.code(), Some(2));
        let told = String::from_utf8(out.stderr).unwrap();
        assert!(told.contains("settings") && told.contains(reason), "{told}");
    }
}

#[test]
fn every_indicator_has_a_file_and_a_line() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), format!("disable = [\"git.conflict\"]\n\n{SETTINGS}")).unwrap();
    let out = recovery(dir.path(), &["rules", "list", "--source"]);
    let text = String::from_utf8(out.stdout).unwrap();
    let source = |id: &str| text.lines().find(|line| line.split_whitespace().next() == Some(id)).map(str::to_owned);
    assert!(source("acme.licence").unwrap().ends_with("recovery.toml:3"), "{text}");
    assert!(source("git.unmerged").unwrap().contains("packs/field/git.toml:"));
    assert_eq!(source("git.conflict"), None);
    let plain = tempfile::tempdir().unwrap();
    let out = recovery(plain.path(), &["rules", "list", "--source", "--format", "json", "--pack", "documented"]);
    let lines: Vec<serde_json::Value> =
        out.stdout.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert!(lines.len() > 10 && lines.iter().all(|line| line["source"].is_string()), "{lines:?}");
}
