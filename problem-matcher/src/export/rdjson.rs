//! reviewdog's Diagnostic Format (`rdjson`): one object with all diagnostics.

use recovery_types::{Problem, Severity};
use serde_json::{Map, Value, json};

/// The result with all problems that have a file: a diagnostic needs one.
#[must_use]
pub fn rdjson(problems: &[Problem]) -> Value {
    let diagnostics: Vec<Value> =
        problems.iter().filter_map(|problem| Some(diagnostic(problem.file.as_deref()?, problem))).collect();
    json!({ "source": { "name": "recovery" }, "diagnostics": diagnostics })
}

fn diagnostic(file: &str, problem: &Problem) -> Value {
    let severity = match problem.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Note => "INFO",
    };
    let mut location = json!({ "path": file });
    if let Some(start) = position(problem.line, problem.column) {
        location["range"] = json!({ "start": start });
        if let Some(end) = position(problem.end_line, problem.end_column) {
            location["range"]["end"] = end;
        }
    }
    let mut diagnostic = json!({ "message": problem.message, "location": location, "severity": severity });
    if let Some(tool) = &problem.tool {
        diagnostic["source"] = json!({ "name": tool });
    }
    if let Some(code) = &problem.code {
        diagnostic["code"] = json!({ "value": code });
    }
    diagnostic
}

fn position(line: Option<u64>, column: Option<u64>) -> Option<Value> {
    let mut position = Map::new();
    position.insert("line".to_owned(), json!(line?));
    if let Some(column) = column {
        position.insert("column".to_owned(), json!(column));
    }
    Some(position.into())
}
