//! Fields as other systems write them: tolerant where one reading is certain.
//!
//! In: JSON values from outside. Out: texts, numbers, flags and times, or none. A number may be written as text, a time with
//! or without a zone, in seconds or milliseconds. Where two readings are possible the entry is skipped with its place and
//! the reason, never guessed. Also here: the two file shapes, a JSON object and one object per line, with what is half broken
//! counted and the rest read.

use super::{ImportReport, Parsed};
use recovery_types::Timestamp;
use recovery_types::terminal::escaped_json;
use serde_json::Value;

/// Some editors put it before the first character of a file.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// A number of this size counts milliseconds since 1970, not seconds: seconds reach it in the year 5138.
const MILLISECONDS_FROM: f64 = 1e11;

pub(super) fn json_of(text: &str) -> Result<Value, String> {
    crate::json::parse(text).map_err(|error| error.to_string())
}

/// The text of the first of these fields that has one; a whole number is the text of an id.
pub(super) fn text_of(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match value.get(*name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    })
}

/// A field in words: a text as it is, anything else as JSON.
pub(super) fn words_of(value: &Value, name: &str) -> Option<String> {
    match value.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A yes or no, also where it is written as text.
pub(super) fn flag_of(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.trim().to_ascii_lowercase().parse().ok())
}

pub(super) fn number_of(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// The time that an entry names: a text, with or without a zone, or seconds or milliseconds since 1970. The default where it names none.
pub(super) fn time_of(value: &Value, names: &[&str], place: &str, report: &mut ImportReport) -> Option<Timestamp> {
    let Some(found) = names.iter().find_map(|name| value.get(*name).filter(|found| !found.is_null())) else {
        return Some(Timestamp::default());
    };
    let read = match found {
        Value::Number(number) => number.as_f64().map(|number| {
            let ms = if number < MILLISECONDS_FROM { number * 1000.0 } else { number };
            Timestamp::from_ms(ms as i64)
        }),
        other => serde_json::from_value(other.clone()).ok(),
    };
    if read.is_none() {
        report.skip(place.to_owned(), &format!("{found} is no time"));
    }
    read
}

/// Parses one line each; what is no JSON is skipped, unless nothing is. A file that is one JSON array has its elements for
/// lines.
pub(super) fn each_line(
    text: &str,
    report: &mut ImportReport,
    mut one: impl FnMut(&Value, &str, &mut ImportReport) -> Vec<Parsed>,
) -> Result<Vec<Parsed>, String> {
    let mut parsed = Vec::new();
    let mut first_problem = None;
    let mut any = false;
    let mut take = |value: &Value, place: String, report: &mut ImportReport| {
        if value.is_object() {
            any = true;
            parsed.extend(one(value, &place, report));
        } else {
            report.skip(place, "it is no JSON object");
        }
    };
    if let Ok(Value::Array(all)) = serde_json::from_str(text) {
        for (number, value) in all.iter().enumerate() {
            take(value, format!("element {}", number + 1), report);
        }
        return Ok(parsed);
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", number + 1);
        match crate::json::parse::<Value>(line) {
            Ok(value) => take(&value, place, report),
            Err(error) => {
                let why = error.within_line();
                first_problem.get_or_insert_with(|| format!("{place}: {why}"));
                report.skip(place, &why);
            }
        }
    }
    match first_problem {
        Some(problem) if !any => Err(problem),
        _ => Ok(parsed),
    }
}

pub(super) fn pretty(value: &Value) -> String {
    escaped_json(serde_json::to_string_pretty(value).unwrap_or_default()) + "\n"
}

pub(super) fn lines_out(lines: impl Iterator<Item = Value>) -> String {
    lines.map(|line| escaped_json(line.to_string()) + "\n").collect()
}
