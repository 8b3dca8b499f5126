//! The HTTP status of the last failed response that a text reports: 400 to 599.
//!
//! In: a text in lower case. Out: the status. Candidates are three digits on their own that begin with 4 or 5, searched
//! from the end. A bare number is not a status: either a phrase of `BEFORE` precedes it (`HTTP/1.1 503`, `"code": 429`,
//! `npm error 404`) or a reason phrase of RFC 9110 follows it (`404 Not Found`, table `REASONS`).
//!
//! Excluded are the line number in `src/x.rs:404: not found` and `exit status 404`. For a client with a new wording add it
//! to one of the tables, with a case in `tests/facts.rs`.

use super::cursor;

/// Words before a status, in small letters. What is between may be a colon, a sign, a quote or a bracket.
const BEFORE: &[&str] = &[
    "http/1.0", "http/1.1", "http/2.0", "http/2", "http/3", "http", "http error", "http status", "http status code",
    "http code", "http response code", "http response", "status code", "status_code", "statuscode", "status-code",
    "status", "response code", "returned error", "error code", "\"code\"", "'code'", "api error",
    "server responded with", "responded with", "server returned", "npm error", "npm err!", "response status",
    "unexpected http status", "returned code", "got status", "failed with status",
];

/// Reason phrases that follow a status.
const REASONS: &[&str] = &[
    "bad request",
    "unauthorized",
    "payment required",
    "forbidden",
    "not found",
    "method not allowed",
    "not acceptable",
    "proxy authentication required",
    "request timeout",
    "conflict",
    "gone",
    "precondition failed",
    "payload too large",
    "content too large",
    "request entity too large",
    "unsupported media type",
    "unprocessable",
    "too early",
    "too many requests",
    "internal server error",
    "not implemented",
    "bad gateway",
    "service unavailable",
    "service temporarily unavailable",
    "gateway timeout",
    "gateway time-out",
    "client error",
    "server error",
    "overloaded",
];

/// The status of the last answer in `text` (in small letters) that was an error: 400 to 599.
pub(super) fn last_error_status(text: &str) -> Option<u16> {
    let bytes = text.as_bytes();
    let mut at = text.len();
    // From the end: three digits that are alone and start with 4 or 5.
    while let Some(found) = memchr::memrchr2(b'4', b'5', &bytes[..at]) {
        at = found;
        let Some(status) = number_at(bytes, found) else { continue };
        if is_status(text, found) {
            return Some(status);
        }
    }
    None
}

fn number_at(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 3)?;
    let before = at.checked_sub(1).map(|i| text[i]);
    let alone = before.is_none_or(|b| !b.is_ascii_alphanumeric() && !b"._-/#".contains(&b))
        && match text[at + 3..] {
            [b'.', digit, ..] => !digit.is_ascii_digit(),
            [next, ..] => !next.is_ascii_alphanumeric() && next != b'_',
            [] => true,
        };
    if !alone || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + u16::from(d - b'0')))
}

fn is_status(text: &str, at: usize) -> bool {
    let after = cursor::after(&text[at + 3..], " -:()\"',[");
    // `src/x.rs:404: not found` is a line, so the number must not follow a name and a colon at once.
    let after_name = text[..at].strip_suffix(':').is_some_and(|name| name.ends_with(|c: char| c.is_alphanumeric()));
    if REASONS.iter().any(|reason| after.starts_with(reason)) && !after_name {
        return true;
    }
    let before = text[..at].trim_end_matches([' ', ':', '=', '(', '[', '"', '\'', '\\', ',', '{', '<', '-']);
    let quoted = before.len() < at && matches!(text.as_bytes()[before.len()], b'"' | b'\'');
    let Some(named) = BEFORE.iter().find(|name| {
        let closing = name.ends_with(['"', '\'']);
        let (name, before) = if closing { (&name[1..name.len() - 1], before) } else { (**name, before) };
        before.ends_with(name) && (!closing || quoted) && cursor::at_word_start(text, before.len() - name.len())
    }) else {
        return before.ends_with(" a") && text[..before.len() - 2].ends_with("with");
    };
    let start = before.len() - named.trim_matches(['"', '\'']).len();
    // `exit status 404` is that of a process.
    let before = text[..start].trim_end_matches([' ', '_', '-', '"', '\'']);
    !["exit", "exited with", "exits with", "exited with a"].iter().any(|exit| before.ends_with(exit))
}
