//! The four source documents, statement by statement, through the public commands. `statements.rs` has the table; each row
//! says what a document asks for (in our words), runs commands in a scratch project and names what must come out.
//! docs/conformance.md is written from the same table: `RECOVERY_WRITE=1 cargo test -p recovery-cli --test documents`.

mod statements;

use serde_json::Value;
use statements::{STATEMENTS, Statement, Step};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a step printed: each line of standard output as JSON, or as text.
fn run(dir: &Path, step: &Step) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    command.current_dir(dir).args(step.args.split_whitespace()).env("HOME", dir).env_remove("RECOVERY_TASK");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(step.input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned())))
        .collect();
    if lines.is_empty() {
        lines.push(Value::String(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    lines
}

/// What a place of the output holds; `file:NAME` is a file of the project.
fn found(dir: &Path, lines: &[Value], place: &str) -> Value {
    if let Some(name) = place.strip_prefix("file:") {
        return std::fs::read_to_string(dir.join(name)).map_or(Value::Null, Value::String);
    }
    if place == "count" {
        return lines.len().into();
    }
    Value::Array(lines.to_vec()).pointer(place).cloned().unwrap_or(Value::Null)
}

/// `~text` is part of it, `=JSON` is all of it.
fn holds(found: &Value, wanted: &str) -> bool {
    match wanted.split_at(1) {
        ("~", part) => found.as_str().map_or_else(|| found.to_string(), str::to_owned).contains(part),
        ("!", part) => !found.as_str().map_or_else(|| found.to_string(), str::to_owned).contains(part),
        _ => {
            let json = wanted.trim_start_matches('=');
            *found == serde_json::from_str::<Value>(json).unwrap_or_else(|_| Value::String(json.to_owned()))
        }
    }
}

fn check(statement: &Statement) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    for (name, text) in statement.files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut wrong = Vec::new();
    for step in statement.steps {
        let lines = run(dir.path(), step);
        for (place, wanted) in step.expect {
            let found = found(dir.path(), &lines, place);
            if !holds(&found, wanted) {
                wrong.push(format!("{} {}: {place} is {found}, expected {wanted}", statement.id, statement.says));
            }
        }
    }
    wrong
}

#[test]
fn every_statement_holds() {
    let wrong: Vec<String> = STATEMENTS.iter().flat_map(check).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_statement_has_a_name_of_its_own() {
    let mut ids: Vec<&str> = STATEMENTS.iter().map(|statement| statement.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), STATEMENTS.len());
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance.md");
    let page = page();
    if std::env::var_os("RECOVERY_WRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "run RECOVERY_WRITE=1 cargo test -p recovery-cli --test documents");
}

fn page() -> String {
    let mut page = String::from(
        "# Conformance with the source documents\n\nWritten from the table in `recovery-cli/tests/documents/statements.rs`, which runs \
         each statement through\nthe public commands (`cargo test -p recovery-cli --test documents`). Do not edit it by \
         hand.\n\n| document | statements |\n|---|---|\n",
    );
    let documents = ["classifier", "failure types", "node repair", "escalation"];
    let of = |document: &str| STATEMENTS.iter().filter(|s| s.document == document).collect::<Vec<_>>();
    for document in documents {
        writeln!(page, "| {document} | {} |", of(document).len()).unwrap();
    }
    for document in documents {
        writeln!(
            page,
            "\n## {}\n\n| test | section | statement | tried with | settled reading |\n|---|---|---|---|---|",
            document
        )
        .unwrap();
        for statement in of(document) {
            let mut tried: Vec<&str> =
                statement.steps.iter().filter_map(|step| step.args.split_whitespace().next()).collect();
            tried.dedup();
            let cell = |text: &str| text.replace('|', "\\|");
            writeln!(
                page,
                "| {} | {} | {} | `{}` | {} |",
                statement.id,
                cell(statement.section),
                cell(statement.says),
                tried.join("`, `"),
                cell(statement.reading)
            )
            .unwrap();
        }
    }
    page
}
