//! Access to the JSON of other programs, where any field may be missing or have another type.
//!
//! In: the bytes of a hook payload. Out: values, texts and [`Call`]s; a field that is absent or of the wrong type is
//! `None` or empty, never an error. A hook must not fail on a payload that a newer client sends, so the clients'
//! payloads are read by key and not deserialized into structs. `read` also accepts lone surrogates and broken UTF-8,
//! which clients leave when they truncate an output in the middle of a character; property tests below cover both.
//!
//! Arguments of a shell call that do not change what it does are listed in `IRRELEVANT_ARGUMENTS`, the names of its working
//! directory in `DIRECTORIES`.

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

/// Where a shell call runs, by the names that the clients have for it.
const DIRECTORIES: [&str; 4] = ["dir_path", "directory", "workdir", "cwd"];
/// Arguments of a shell call that have no bearing on what it does.
const IRRELEVANT_ARGUMENTS: [&str; 7] =
    ["command", "description", "justification", "explanation", "shellId", "sessionId", "session_id"];

/// A tool call from the tool's name and its arguments. A shell's arguments hold a command line.
pub(crate) fn call(tool: &str, input: Option<&Value>, id: Option<String>, shells: &[&str]) -> Call {
    let is_shell = shells.contains(&tool);
    let arguments = input.and_then(Value::as_object);
    let command = input.and_then(|input| text(input, "command")).filter(|_| is_shell);
    let (Some(command), Some(arguments)) = (command, arguments) else {
        let action = input.map(Value::to_string).unwrap_or_default();
        return Call { id, tool: tool.to_owned(), action, is_shell, dir: None };
    };
    let dir = DIRECTORIES.iter().find_map(|key| arguments.get(*key)?.as_str()).filter(|dir| !dir.is_empty());
    // A longer timeout is another call. As a comment it distinguishes calls and does not change what the line is about.
    let options = arguments.iter().filter(|(key, value)| {
        let is_set = !matches!(value, Value::Null | Value::Bool(false));
        is_set && !IRRELEVANT_ARGUMENTS.contains(&key.as_str()) && !DIRECTORIES.contains(&key.as_str())
    });
    let options: Vec<String> = options.map(|(key, value)| format!("{key}={value}").replace('\n', " ")).collect();
    let mut action = command.to_owned();
    if !options.is_empty() {
        action.push_str(&format!("\n# {}", options.join(" ")));
    }
    Call { id, tool: tool.to_owned(), action, is_shell, dir: dir.map(str::to_owned) }
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

/// Reads JSON as agents write it: output that was cut in the middle of a character leaves half of one.
pub(crate) fn read(payload: &[u8]) -> Option<Value> {
    let whole = || serde_json::from_str(&with_whole_characters(&String::from_utf8_lossy(payload))).ok();
    serde_json::from_slice(payload).ok().or_else(whole)
}

/// `json` with U+FFFD for each `\ud83d` that has no second half, and for each second half without a first.
fn with_whole_characters(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (half(escape), half(escape.get(6..).unwrap_or_default())) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(_), _) => {
                whole.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            // The character after the backslash belongs to it.
            (None, _) => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole + rest
}

/// The surrogate (half of a character) that an escape at the start of `text` encodes.
fn half(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|code| (0xd800..0xe000).contains(code))
}

#[cfg(test)]
mod tests {
    use super::read;
    use proptest::prelude::*;

    #[test]
    fn half_a_character_does_not_hide_the_rest() {
        for (json, text) in [
            (r#"{"a":"x \ud83d"}"#, "x \u{fffd}"),
            (r#"{"a":"\ude00\ud83d\ud83d\ude00 \u00e9\\\\ud83d"}"#, "\u{fffd}\u{fffd}\u{1f600} \u{e9}\\\\ud83d"),
            (r#"{"a":"\ud83dx\n"}"#, "\u{fffd}x\n"),
        ] {
            assert_eq!(read(json.as_bytes()).unwrap()["a"], text, "{json}");
        }
        assert_eq!(read(b"{\"a\":\"\xf0\x9f\"}").unwrap()["a"], "\u{fffd}");
        assert_eq!(read(br#"{"a":"\ud83"#), None);
    }

    proptest! {
        #[test]
        fn what_is_whole_stays(text in r#"(?s:.|\\u|d83d|"){0,12}"#) {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(super::with_whole_characters(&json), json);
        }

        #[test]
        fn nothing_is_too_odd(bytes: Vec<u8>, text in r#"(\\|u|d8|dc|00|"|é){0,16}"#) {
            let _ = (read(&bytes), super::with_whole_characters(&text));
        }
    }
}
