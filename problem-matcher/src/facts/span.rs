//! Durations: `20s`, `1m30s`, `5 hours 23 minutes`, `an hour`, `2 minute(s)`.
//!
//! In: a text in lower case that begins with the duration; what follows it is ignored. Out: milliseconds. `span_ms`
//! requires a unit for every number, `span_or_number_ms` lets the caller supply the unit of a bare number, as a header
//! field defines it.
//!
//! This is not a parser of ISO 8601 or of `jiff`'s friendly format: it has to accept a prefix of prose and to reject `20x`
//! and `2026-01-01`. Values above a year are rejected as misparsed. Add a unit to `UNITS`, before any unit that is a prefix
//! of it.

use super::cursor;

/// The longest duration that is accepted: a year.
const LONGEST_MS: u64 = 366 * DAY;

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Units in small letters, longest first where one begins another.
const UNITS: &[(&str, u64)] = &[
    ("milliseconds", 1),
    ("millisecond", 1),
    ("msecs", 1),
    ("msec", 1),
    ("ms", 1),
    ("seconds", SECOND),
    ("second", SECOND),
    ("secs", SECOND),
    ("sec", SECOND),
    ("s", SECOND),
    ("minutes", MINUTE),
    ("minute", MINUTE),
    ("mins", MINUTE),
    ("min", MINUTE),
    ("m", MINUTE),
    ("hours", HOUR),
    ("hour", HOUR),
    ("hrs", HOUR),
    ("hr", HOUR),
    ("h", HOUR),
    ("days", DAY),
    ("day", DAY),
    ("d", DAY),
    ("weeks", 7 * DAY),
    ("week", 7 * DAY),
];

/// The milliseconds at the start of `text` (in small letters), each number with its unit.
pub(super) fn span_ms(text: &str) -> Option<u64> {
    let mut total: Option<u64> = None;
    let mut rest = text;
    while let Some((ms, len)) = amount(rest) {
        total = Some(total.unwrap_or(0).saturating_add(ms));
        rest = &rest[len..];
        let next = rest.trim_start_matches([' ', ',']);
        rest = next.strip_prefix("and ").unwrap_or(next);
    }
    total.filter(|ms| *ms <= LONGEST_MS)
}

/// As [`span_ms`]; a number without a unit counts `unit_ms` each.
pub(super) fn span_or_number_ms(text: &str, unit_ms: u64) -> Option<u64> {
    if let Some(ms) = span_ms(text) {
        return Some(ms);
    }
    let (ms, len) = decimal(text, unit_ms)?;
    // `20x` or `2026-01-01` is something else.
    let ends = text[len..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != ':' && c != '/');
    Some(ms).filter(|ms| ends && *ms <= LONGEST_MS)
}

fn amount(text: &str) -> Option<(u64, usize)> {
    for one in ["a ", "an ", "one "] {
        if let Some(rest) = text.strip_prefix(one) {
            let (unit_ms, len) = unit(rest).filter(|(_, len)| *len > 2)?;
            return Some((unit_ms, one.len() + len));
        }
    }
    let (_, len) = decimal(text, 1)?;
    let rest = text[len..].trim_start_matches([' ', '-']);
    let gap = text.len() - len - rest.len();
    if gap > 1 {
        return None;
    }
    let (unit_ms, unit_len) = unit(rest)?;
    let (ms, _) = decimal(text, unit_ms)?;
    Some((ms, len + gap + unit_len))
}

fn unit(text: &str) -> Option<(u64, usize)> {
    let (name, ms) = UNITS.iter().find(|(name, _)| text.starts_with(name))?;
    let next = text[name.len()..].chars().next();
    // `(s)` in `second(s)` ends the unit too.
    next.is_none_or(|c| !c.is_alphabetic())
        .then_some((*ms, name.len() + if text[name.len()..].starts_with("(s)") { 3 } else { 0 }))
}

/// A decimal number times `unit_ms`, in whole milliseconds, and its length.
fn decimal(text: &str, unit_ms: u64) -> Option<(u64, usize)> {
    let (whole, mut len) = cursor::integer(text)?;
    let mut ms = whole.saturating_mul(unit_ms);
    if let Some((_, digits)) = text[len..].strip_prefix('.').and_then(cursor::integer) {
        let (fraction, scale) = text[len + 1..len + 1 + digits.min(9)]
            .bytes()
            .fold((0u64, 1u64), |(n, scale), digit| (n * 10 + u64::from(digit - b'0'), scale * 10));
        ms = ms.saturating_add(fraction.saturating_mul(unit_ms) / scale);
        len += 1 + digits;
    }
    Some((ms, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_as_printed() {
        for (text, ms) in [
            ("20s.", Some(20_000)),
            ("1m30s", Some(90_000)),
            ("6m0s", Some(360_000)),
            ("340ms", Some(340)),
            ("5.064s. visit", Some(5_064)),
            ("1.5 hours", Some(5_400_000)),
            ("5 hours 23 minutes", Some(19_380_000)),
            ("23h14m10s", Some(83_650_000)),
            ("1 hour, 2 minutes and 3 seconds", Some(3_723_000)),
            ("an hour", Some(3_600_000)),
            ("30 second(s)", Some(30_000)),
            ("0.000000001s", Some(0)),
            ("2 days", Some(172_800_000)),
            ("20", None),
            ("20 files", None),
            ("a few minutes", None),
            ("99999999 days", None),
            ("", None),
        ] {
            assert_eq!(span_ms(text), ms, "{text}");
        }
        assert_eq!(span_or_number_ms("20\r\n", 1000), Some(20_000));
        assert_eq!(span_or_number_ms("2026-01-24", 1000), None);
    }
}
