//! How long a server asked the client to wait, in milliseconds.
//!
//! In: a text in lower case and the current time. Out: the last wait that is stated. Two tables decide: `FIELDS` are
//! headers and JSON fields with the unit of a bare number (`Retry-After` of RFC 9110, in seconds or as an HTTP date;
//! OpenAI's `retry-after-ms`; Google's `retryDelay`), `SENTENCES` are phrases after which a number must have a unit (`again
//! in 6m0s`).
//!
//! A tool's report about its own retry (`will retry in 1 second`) is no request of a server and is skipped. Durations are
//! parsed by `span`, dates by `moment`. To recognise a new field or phrase, add a row and a case to `tests/facts.rs`.

use super::moment::{self, Clock};
use super::{cursor, span};

/// Headers and fields, with the milliseconds of one of their units.
const FIELDS: &[(&str, u64)] = &[
    ("retry-after-ms", 1),
    ("retry_after_ms", 1),
    ("retryafterms", 1),
    ("retry-after", 1000),
    ("retry_after_seconds", 1000),
    ("retry_after", 1000),
    ("retryafterseconds", 1000),
    ("retryafter", 1000),
    ("retrydelay", 1000),
];

/// Sentences; a length of time with its unit must follow.
const SENTENCES: &[&str] = &[
    "again in ",
    "again after ",
    "retry after ",
    "retry in ",
    "retry your request in ",
    "retry your request after ",
    "retry this request in ",
    "please wait ",
    "wait for ",
    "wait at least ",
    "must wait ",
    "need to wait ",
    "available in ",
    "available again in ",
    "wait ",
];

/// Words between the sentence and the length of time.
const FILLERS: &[&str] = &["about ", "approximately ", "another ", "at least ", "around ", "for "];

/// The last wait that `text` (in small letters) states.
pub(super) fn retry_after_ms(text: &str, clock: &Clock<'_>) -> Option<u64> {
    let mut last: Option<(usize, u64)> = None;
    let mut found = |at: usize, ms: u64| {
        if last.is_none_or(|(place, _)| at >= place) {
            last = Some((at, ms));
        }
    };
    // Most texts have no such field: one search rules them out.
    if memchr::memmem::find(text.as_bytes(), b"retry").is_some() {
        for (name, unit_ms) in FIELDS {
            for at in cursor::places(text, name) {
                if let Some(ms) = field_ms(&text[at + name.len()..], *unit_ms, clock) {
                    found(at, ms);
                }
            }
        }
    }
    let contains = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    if !["retry", "again", "wait", "available"].into_iter().any(contains) {
        return last.map(|(_, ms)| ms);
    }
    for sentence in SENTENCES {
        for at in
            cursor::places(text, sentence).filter(|&at| cursor::at_word_start(text, at) && !is_own_retry(text, at))
        {
            let rest = &text[at + sentence.len()..];
            let rest = FILLERS.iter().find_map(|filler| rest.strip_prefix(filler)).unwrap_or(rest);
            if let Some(ms) = span::span_ms(rest) {
                found(at, ms);
            }
        }
    }
    last.map(|(_, ms)| ms)
}

/// The value of a header or field: seconds, a length of time, or a date.
fn field_ms(rest: &str, unit_ms: u64, clock: &Clock<'_>) -> Option<u64> {
    // The name continues: a longer field, which has a row of its own.
    let value = cursor::after(rest, " \t\"'\\:=(");
    if value.len() == rest.len() {
        return None;
    }
    span::span_or_number_ms(value, unit_ms).or_else(|| Some(moment::http_date(value)?.since(clock.now?)))
}

/// `Will retry in 1 second`, `failed after 3 retry in 1.8s`: the tool's own retry, which is over.
fn is_own_retry(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    text[at..].starts_with("retry") && (before.ends_with("will") || before.ends_with(|c: char| c.is_ascii_digit()))
}
