//! Time zones as tools print them after a time: `UTC`, `(Asia/Kolkata)`, `+05:30`, `GMT-3`, `PT`.
//!
//! In: the text that follows a time, in lower case. Out: a `jiff` time zone, or none if the text states none.
//!
//! IANA names are looked up in the database that is compiled into `jiff`, so that the result does not depend on the
//! machine. Abbreviations are ambiguous (`IST` is India, Ireland and Israel; `CST` is Chicago and China): `SHORT` assigns
//! each the zone that is most often meant. Add an abbreviation there.

use super::cursor;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

/// Short names, each with the zone most people mean by it.
const SHORT: &[(&str, &str)] = &[
    ("utc", "UTC"),
    ("gmt", "UTC"),
    ("z", "UTC"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pt", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("mst", "America/Denver"),
    ("mdt", "America/Denver"),
    ("cst", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("et", "America/New_York"),
    ("eastern", "America/New_York"),
    ("bst", "Europe/London"),
    ("cet", "Europe/Berlin"),
    ("cest", "Europe/Berlin"),
    ("eet", "Europe/Athens"),
    ("eest", "Europe/Athens"),
    ("ist", "Asia/Kolkata"),
    ("jst", "Asia/Tokyo"),
    ("kst", "Asia/Seoul"),
    ("aest", "Australia/Sydney"),
    ("aedt", "Australia/Sydney"),
];

/// The zone at the start of `text` (in small letters): ` UTC`, ` (Asia/Kolkata)`, `+05:30`, ` GMT-3`.
pub(super) fn stated(text: &str) -> Option<TimeZone> {
    let text = cursor::after(text, " (,[");
    if let Some(offset) = offset(text) {
        return Some(offset);
    }
    let name = &text[..text.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"/_+-".contains(b)).count()];
    let word = cursor::word(name);
    match SHORT.iter().find(|(short, _)| *short == word).map(|(_, zone)| *zone) {
        Some("UTC") => Some(offset(&name[word.len()..]).unwrap_or(TimeZone::UTC)),
        Some(zone) => named(zone),
        None if name.contains('/') => named(name),
        None => None,
    }
}

/// The zone called `name`: an IANA name in any case, or an offset.
pub(super) fn named(name: &str) -> Option<TimeZone> {
    offset(name).or_else(|| TimeZoneDatabase::bundled().get(name).ok())
}

/// `+05:30`, `-0800`, `+2`.
fn offset(text: &str) -> Option<TimeZone> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'+' => (1, &text[1..]),
        b'-' => (-1, &text[1..]),
        _ => return None,
    };
    let (number, digits) = cursor::integer(rest)?;
    let (hours, minutes) = match (digits, rest[digits..].strip_prefix(':').and_then(cursor::integer)) {
        (1 | 2, Some((minutes, 2))) => (number, minutes),
        (1 | 2, _) => (number, 0),
        (4, _) => (number / 100, number % 100),
        _ => return None,
    };
    if hours > 14 || minutes > 59 {
        return None;
    }
    let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
    Some(TimeZone::fixed(Offset::from_seconds(sign * seconds).ok()?))
}
