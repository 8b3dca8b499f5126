//! The four source documents, statement by statement, through the public commands. Each document has a file with a table, in
//! the order of its sections; each row says what the document asks for (in our words), runs commands in a scratch project
//! and names what must come out. docs/conformance.md is written from the same tables:
//! `RECOVERY_WRITE=1 cargo test -p recovery-cli --test documents`. `STATEMENT=rule-4` tries only rows of that name.

mod classifier;
mod escalation;
mod failure_types;
mod node_repair;
mod statement;

use serde_json::{Value, json};
use statement::{Statement, Step};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The documents with their statements.
const DOCUMENTS: [(&str, &[Statement]); 4] = [
    ("classifier", classifier::STATEMENTS),
    ("failure types", failure_types::STATEMENTS),
    ("node repair", node_repair::STATEMENTS),
    ("escalation", escalation::STATEMENTS),
];

fn all() -> impl Iterator<Item = &'static Statement> {
    DOCUMENTS.into_iter().flat_map(|(_, statements)| statements)
}

/// What a step printed: each line of standard output as JSON, or as text.
fn run(dir: &Path, step: &Step) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    // `␣` is a space within an argument.
    let args = step.args.split_whitespace().map(|arg| arg.replace('␣', " "));
    command.current_dir(dir).args(args).env("HOME", dir).env_remove("RECOVERY_TASK");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let is_mcp = step.args == "mcp";
    let input = if is_mcp { mcp_calls(step.input) } else { step.input.to_owned() };
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned())))
        .collect();
    if is_mcp {
        lines.remove(0);
        lines = lines.iter().map(|answer| answer["result"]["structuredContent"].clone()).collect();
    }
    if lines.is_empty() {
        lines.push(Value::String(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    lines
}

/// What a client sends that calls a tool for each line: the tool's name, and its arguments as JSON. The answers are what the
/// tools return.
fn mcp_calls(input: &str) -> String {
    let start = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
        "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let calls = input.lines().enumerate().map(|(at, line)| {
        let (tool, arguments) = line.split_once(' ').unwrap();
        let arguments: Value = serde_json::from_str(arguments).unwrap();
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": at + 1, "method": "tools/call", "params": params})
    });
    [start, ready].into_iter().chain(calls).map(|message| format!("{message}\n")).collect()
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
    let only = std::env::var("STATEMENT").ok();
    let asked = all().filter(|statement| only.as_ref().is_none_or(|only| statement.id.starts_with(only)));
    let wrong: Vec<String> = asked.flat_map(check).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_statement_has_a_name_of_its_own() {
    let mut ids: Vec<&str> = all().map(|statement| statement.id).collect();
    ids.sort_unstable();
    let repeated: Vec<&str> = ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert!(repeated.is_empty(), "{repeated:?}");
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/conformance.md");
    let page = page();
    if std::env::var_os("RECOVERY_WRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "run RECOVERY_WRITE=1 cargo test -p recovery-cli --test documents");
}

fn page() -> String {
    let mut page = String::from(
        "# Conformance with the source documents\n\nWritten from the tables in `recovery-cli/tests/documents/`, which run \
         each statement through the public commands\n(`cargo test -p recovery-cli --test documents`). Do not edit it by \
         hand.\n\n| document | statements |\n|---|---|\n",
    );
    for (document, statements) in DOCUMENTS {
        writeln!(page, "| {document} | {} |", statements.len()).unwrap();
    }
    for (document, statements) in DOCUMENTS {
        let head = "| test | section | statement | tried with | settled reading |\n|---|---|---|---|---|";
        writeln!(page, "\n## {document}\n\n{head}").unwrap();
        for Statement { id, section, says, reading, steps, .. } in statements {
            let mut tried: Vec<&str> = steps.iter().filter_map(|step| step.args.split_whitespace().next()).collect();
            tried.dedup();
            let (tried, cell) = (tried.join("`, `"), |text: &str| text.replace('|', "\\|"));
            writeln!(page, "| {id} | {section} | {} | `{tried}` | {} |", cell(says), cell(reading)).unwrap();
        }
    }
    page
}
