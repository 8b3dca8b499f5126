//! Reading foreign JSON without trusting any of it.

use crate::Call;
use recovery_types::digest::sha256_hex;
use serde_json::Value;

/// The text at `key`; nothing where there is none.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// The text at `key` as an owned string.
pub(crate) fn owned(value: &Value, key: &str) -> Option<String> {
    text(value, key).map(str::to_owned)
}

/// Whether `key` holds true.
pub(crate) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// A tool call from the tool's name and its arguments. A shell's arguments hold a command line.
pub(crate) fn call(tool: &str, input: Option<&Value>, id: Option<String>, shells: &[&str]) -> Call {
    let is_shell = shells.contains(&tool);
    let command = input.and_then(|input| text(input, "command")).filter(|_| is_shell);
    let action = command.map_or_else(|| input.map(Value::to_string).unwrap_or_default(), str::to_owned);
    Call { id, tool: tool.to_owned(), action, is_shell }
}

/// An id for a call of an agent that gives none: the same call reported twice has the same time, arguments and result.
pub(crate) fn derived_id(payload: &Value) -> String {
    const PARTS: [&str; 7] =
        ["session_id", "timestamp", "tool_name", "tool_input", "tool_response", "tool_result", "error"];
    let parts = PARTS.iter().filter_map(|key| payload.get(*key));
    let known: String = parts.map(|part| format!("{part}\0")).collect();
    sha256_hex(known.as_bytes())
}

/// Every text in a value that may be a text, a list of parts with texts, or an object with one.
pub(crate) fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(texts).filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n"),
        Value::Object(part) => part.get("text").or_else(|| part.get("content")).map(texts).unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}
