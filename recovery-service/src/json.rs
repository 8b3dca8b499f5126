//! Parsing JSON that people and other programs wrote: a mistake is named with its line, column and field, in words that its
//! reader knows and without quoting a secret.

use crate::{Accept, Accepted};
use recovery_engine::redact_json;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What is wrong with a JSON text, and where.
#[derive(Debug)]
#[non_exhaustive]
pub struct JsonError {
    message: String,
    line: usize,
    column: usize,
}

impl JsonError {
    /// Bytes that are no text.
    #[must_use]
    pub fn not_utf8(valid_up_to: usize) -> Self {
        Self { message: "not UTF-8 text".to_owned(), line: 1, column: valid_up_to + 1 }
    }

    /// Without the line, for callers that have a line number of their own.
    #[must_use]
    pub fn within_line(&self) -> String {
        if self.column == 0 { self.message.clone() } else { format!("column {}: {}", self.column, self.message) }
    }
}

impl std::error::Error for JsonError {}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 {
            f.write_str(&self.message)
        } else {
            write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
        }
    }
}

/// Reads a JSON object of any accepted spelling, without its secrets, and what of it nothing reads, one sentence each.
pub fn accepted<T: DeserializeOwned + JsonSchema>(
    accept: &Accept<T>,
    text: &str,
) -> Result<(T, Vec<String>), JsonError> {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return parse_object(text).map(|read| (read, Vec::new()));
    };
    let is_redacted = redact_json(&mut value);
    let Accepted { value, changed, warnings } = accept.spell(value);
    // What is spelt as ours is read from the text itself: a mistake in it has a line and a column.
    let read = if changed || is_redacted { of_value(value)? } else { parse_object(text)? };
    Ok((read, warnings))
}

fn of_value<T: DeserializeOwned>(value: Value) -> Result<T, JsonError> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        problem(error.inner(), if path == "." || path == "?" { None } else { Some(&path) })
    })
}

/// Reads a JSON object. A list is rejected: serde would take its items for the object's fields in order.
pub fn parse_object<T: DeserializeOwned>(text: &str) -> Result<T, JsonError> {
    match text.trim_start().chars().next() {
        Some('{') | None => parse(text),
        Some(_) => Err(JsonError { message: "expected a JSON object: {...}".to_owned(), line: 1, column: 1 }),
    }
}

/// Reads JSON; a wrong type is reported with the field it is in.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, JsonError> {
    if text.trim().is_empty() {
        let message = "it is empty; a JSON value is expected".to_owned();
        return Err(JsonError { message, line: 1, column: 0 });
    }
    // A text that was cut off ends where its last line does, not on the line after it.
    let text = text.trim_end();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        problem(error.inner(), if path == "." || path == "?" { None } else { Some(&path) })
    })?;
    deserializer.end().map_err(|error| problem(&error, None))?;
    Ok(value)
}

fn problem(error: &serde_json::Error, field: Option<&str>) -> JsonError {
    // The message quotes the value, which may be a secret in the wrong place.
    let full = recovery_redact::redact(&error.to_string()).into_owned();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = plain(full.strip_suffix(&place).unwrap_or(&full));
    let message = match field {
        Some(field) => format!("field `{field}`: {what}"),
        None => what,
    };
    JsonError { message, line: error.line(), column: error.column() }
}

/// The parser's words for what is wrong, in ours: it names Rust's types and its own states.
const WORDS: [(&str, &str); 17] = [
    ("EOF while parsing a value", "it ends where a value is expected"),
    ("EOF while parsing an object", "it ends within an object: a `}` is missing"),
    ("EOF while parsing a list", "it ends within a list: a `]` is missing"),
    ("EOF while parsing a string", "it ends within a text: a `\"` is missing"),
    ("trailing characters", "there is more after the JSON value; give one value only"),
    ("trailing comma", "a comma before the end; remove it"),
    ("key must be a string", "names have to be in double quotes"),
    ("expected value", "this is not JSON; expected a text, a number, true, false, null, [...] or {...}"),
    ("expected ident", "this is not JSON; expected true, false or null"),
    ("expected i64", "expected a whole number"),
    ("expected u64", "expected a whole number of 0 or more"),
    ("expected u32", "expected a whole number of 0 or more"),
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list: [...]"),
    ("expected a map", "expected an object: {...}"),
    ("expected struct ", "expected an object: {...}, "),
];

/// A parser's message in words that its reader knows.
#[must_use]
pub fn plain(message: &str) -> String {
    if let Some(field) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the field `{field}` is missing; add it");
    }
    if let Some(rest) = message.strip_prefix("unknown field `") {
        return format!("there is no field `{rest}");
    }
    let mut text = message.to_owned();
    for (theirs, ours) in WORDS {
        if let Some(at) = text.find(theirs) {
            let end = at + theirs.len();
            let is_whole = !text[end..].starts_with(|c: char| c.is_alphanumeric());
            if is_whole || theirs.ends_with(' ') {
                // A struct's name is Rust's, too.
                let rest = if theirs.ends_with(' ') { "" } else { &text[end..] };
                text = format!("{}{}{rest}", &text[..at], ours.trim_end_matches(", "));
            }
        }
    }
    let text = text.replace("invalid type: ", "wrong type: ").replace("invalid value: ", "wrong value: ");
    text.replace("sequence", "list").replace("map,", "object,")
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_types::FailureEvent;

    #[test]
    fn a_wrong_type_names_its_field_and_place() {
        let problem = parse::<FailureEvent>("{\"exit_code\":1,\n\"node\":{\"id\":7}}").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "line 2, column 14: field `node.id`: wrong type: integer `7`, expected a string"
        );
    }

    #[test]
    fn a_text_that_ends_too_early_is_not_called_empty() {
        let message = |text: &str| parse::<FailureEvent>(text).unwrap_err().to_string();
        assert_eq!(message("{\"exit_code\":1,\n"), "line 1, column 15: it ends where a value is expected");
        assert_eq!(message(" \n"), "line 1, column 0: it is empty; a JSON value is expected");
    }

    #[test]
    fn no_message_and_no_path_keeps_a_secret() {
        // Escaped in a message the last line of `.netrc` has lost its line, a normalised address its slashes.
        let secrets = ["machine h\n  login ada\n  password s3cr3tpw\n", "<entry key=\"password\">s3cr3tpw</entry>"];
        for secret in secrets {
            let text = serde_json::json!({"exit_code": secret}).to_string();
            for error in [
                accepted(&Accept::<FailureEvent>::default(), &text).map(|_| ()),
                parse::<FailureEvent>(&text).map(|_| ()),
            ] {
                let message = error.unwrap_err().to_string();
                assert!(message.contains("exit_code") && !message.contains("s3cr3tpw"), "{message}");
            }
        }
        let text = r#"{"exit_code":1,"files_touched":["postgres://ada:ab/s3cr3tpw@db:5432/app"]}"#;
        let (event, _) = accepted(&Accept::<FailureEvent>::default(), text).unwrap();
        assert_eq!(event.files_touched[0].as_str(), "postgres:/ada:[redacted:password]@db:5432/app");
    }

    #[test]
    fn truncated_and_trailing_json_are_named() {
        assert!(parse::<FailureEvent>("{\"exit_code\":1").unwrap_err().to_string().contains("a `}` is missing"));
        assert!(parse::<FailureEvent>("{\"exit_code\":1} x").unwrap_err().to_string().contains("more after"));
    }

    #[test]
    fn the_parsers_own_words_never_show() {
        let texts = [
            "",
            "{",
            "{\"exit_code\"",
            "{\"exit_code\":\"x\"}",
            "{}",
            "{\"exit_code\":1.5}",
            "{\"exit_code\":1,}",
            "{x:1}",
            "{\"exit_code\":1,\"node\":[]}",
            "{\"exit_code\":1,\"files_touched\":{}}",
            "{\"exit_code\":tru}",
            "nope",
            "{\"exit_code\":1,\"history\":7}",
            "{\"exit_code\":1,\"judge\":\"good\"}",
        ];
        for text in texts {
            let said = parse::<FailureEvent>(text).unwrap_err().to_string();
            for theirs in
                ["EOF", "i64", "u64", "u32", "struct", "ident", "sequence", "map", "invalid type", "missing field"]
            {
                assert!(!said.contains(theirs), "{text:?}: {said}");
            }
        }
    }
}
