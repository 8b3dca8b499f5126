//! SARIF 2.1.0 (Static Analysis Results Interchange Format, an OASIS standard), as GitHub code scanning and editors import
//! it.
//!
//! In: problems. Out: one log with a `run` per tool, because a run has exactly one `tool.driver`. A problem's code becomes
//! a rule of its run (`ruleId`, `ruleIndex`); its file becomes a URI reference with forward slashes and percent-encoding.
//!
//! ```json
//! {"level": "error", "message": {"text": "expected ';'"}, "locations": [{"physicalLocation":
//!  {"artifactLocation": {"uri": "src/a.c"}, "region": {"startLine": 3, "startColumn": 5}}}]}
//! ```
//!
//! Columns that are absent or 0 are left out, since the schema requires them to be at least 1.

use super::{tool, tools};
use recovery_types::{Problem, Severity};
use serde_json::{Value, json};

/// The SARIF log with all problems.
#[must_use]
pub fn sarif(problems: &[Problem]) -> Value {
    let runs: Vec<Value> = tools(problems)
        .into_iter()
        .map(|name| run(name, problems.iter().filter(|problem| tool(problem) == name)))
        .collect();
    json!({ "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": runs })
}

fn run<'p>(tool: &str, problems: impl Iterator<Item = &'p Problem>) -> Value {
    let mut rules: Vec<&str> = Vec::new();
    let results: Vec<Value> = problems
        .map(|problem| {
            let mut result = json!({
                "level": match problem.severity { Severity::Error => "error", Severity::Warning => "warning", Severity::Note => "note" },
                "message": { "text": problem.message },
            });
            if let Some(code) = problem.code.as_deref() {
                let index = rules.iter().position(|rule| *rule == code).unwrap_or_else(|| {
                    rules.push(code);
                    rules.len() - 1
                });
                result["ruleId"] = json!(code);
                result["ruleIndex"] = json!(index);
            }
            if let Some(file) = &problem.file {
                result["locations"] = json!([{ "physicalLocation": physical_location(file, problem) }]);
            }
            result
        })
        .collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    json!({ "tool": { "driver": { "name": tool, "rules": rules } }, "results": results })
}

fn physical_location(file: &str, problem: &Problem) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(line) = problem.line {
        let mut region = json!({ "startLine": line });
        let end_line = problem.end_line.filter(|end| *end >= line);
        let rest = [("startColumn", problem.column), ("endLine", end_line), ("endColumn", problem.end_column)];
        for (name, value) in rest {
            if let Some(value) = value.filter(|value| *value > 0) {
                region[name] = json!(value);
            }
        }
        location["region"] = region;
    }
    location
}

/// A path as a URI reference: forward slashes, and what a URI does not allow percent-encoded.
fn uri(file: &str) -> String {
    let path = file.replace('\\', "/");
    let mut uri = if path.as_bytes().get(1) == Some(&b':') { "file:///".to_owned() } else { String::new() };
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
    for (index, byte) in path.bytes().enumerate() {
        if allowed(byte) || byte == b':' && index == 1 {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_is_a_uri() {
        assert_eq!(uri("src/a b.rs"), "src/a%20b.rs");
        assert_eq!(uri(r"C:\x\a.cs"), "file:///C:/x/a.cs");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
