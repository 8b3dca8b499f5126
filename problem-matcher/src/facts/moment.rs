//! The moment at which a limit resets, as servers and agents state it: HTTP dates, ISO dates, epoch seconds, times of
//! day.
//!
//! In: a text in lower case, the current time and the caller's time zone. Out: the last moment that the text states for
//! a renewal. `BEFORE` are the texts that precede such a moment. A date or time that leaves a part out means the
//! first such moment after now.

use super::{cursor, span, zone};
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use recovery_types::Timestamp;

/// The moment and the zone that stated times are read in.
pub(super) struct Clock<'a> {
    pub(super) now: Option<Timestamp>,
    pub(super) local_zone: Option<&'a str>,
}

/// What is before a stated moment.
const BEFORE: &[&str] = &[
    "reset", "again at ", "again on ", "available at ", "available on ", "retry after", "retry-after", "retry at ",
    "limit reached|", "renews ", "blocked until ", "limited until ", "wait until ", "available until ", "again until ",
    "quota until ", "refreshes ",
];

/// Words between that and the moment.
const FILLERS: &[&str] = &[
    "at", "on", "in", "after", "is", "for", "your", "limit", "limits", "usage", "quota", "time", "the", "window",
    "will", "be", "about", "approximately", "around", "again", "epoch", "timestamp", "until", "by",
];

/// The last moment that `text` (in small letters) names for a renewal.
pub(super) fn resets_at(text: &str, clock: &Clock<'_>) -> Option<Timestamp> {
    let contains = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    if !["reset", "again", "available", "retry", "reached|", "until", "renews", "refreshes"].into_iter().any(contains) {
        return None;
    }
    let mut last: Option<(usize, Timestamp)> = None;
    for needle in BEFORE {
        for at in cursor::places(text, needle) {
            if last.is_some_and(|(place, _)| place > at) || text[..at].trim_end().ends_with("connection") {
                continue;
            }
            if let Some(moment) = after_needle(&text[at + needle.len()..], needle.starts_with("reset"), clock) {
                last = Some((at, moment));
            }
        }
    }
    last.map(|(_, moment)| moment)
}

/// An HTTP date in small letters: `sun, 06 nov 1994 08:49:37 gmt`.
pub(super) fn http_date(text: &str) -> Option<Timestamp> {
    let (date, rest) = dated(text)?;
    date.year?;
    let (time, _) = time_of_day(cursor::after(rest, " ,"))?;
    resolve(date, time, &TimeZone::UTC, None)
}

fn after_needle(rest: &str, is_reset: bool, clock: &Clock<'_>) -> Option<Timestamp> {
    // `resets`, `resetsAt`, `x-ratelimit-reset-requests`: the name goes on.
    let name =
        if is_reset { rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"-_".contains(b)).count() } else { 0 };
    let mut rest = &rest[name..];
    let is_field = rest.starts_with([':', '=', '"', '\'', '\\']);
    for _ in 0..5 {
        rest = cursor::after(rest, " \t:=\"'\\(,");
        let word = cursor::word(rest);
        if word.is_empty() || !FILLERS.contains(&word) {
            break;
        }
        rest = &rest[word.len()..];
    }
    let seconds = || {
        let (number, digits) = cursor::integer(rest).filter(|(_, digits)| is_field && *digits <= 7)?;
        let alone = !rest[digits..].starts_with(|c: char| c.is_alphanumeric() || ":-/".contains(c));
        alone.then(|| Some(clock.now?.plus_ms(number * 1000)))?
    };
    let absolute = epoch(rest).or_else(|| stated(rest, clock));
    // `retry after 30s` is a wait, not a reset.
    if absolute.is_some() || !is_reset {
        return absolute;
    }
    span::span_ms(rest).and_then(|ms| Some(clock.now?.plus_ms(ms))).or_else(seconds)
}

/// Seconds, milliseconds or microseconds since 1970, told apart by their digits.
fn epoch(text: &str) -> Option<Timestamp> {
    let (number, digits) = cursor::integer(text)?;
    if text[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return None;
    }
    let ms = match digits {
        10 => number * 1000,
        13 => number,
        16 => number / 1000,
        _ => return None,
    };
    i64::try_from(ms).ok().map(Timestamp::from_ms)
}

/// A date, a weekday or a time of day, with its zone.
fn stated(text: &str, clock: &Clock<'_>) -> Option<Timestamp> {
    let (date, rest) = dated(text).unwrap_or((Day::default(), text));
    let named_day = rest.len() < text.len();
    let rest_of_day = cursor::after(rest, " ,t");
    let rest_of_day = rest_of_day.strip_prefix("at ").unwrap_or(rest_of_day);
    let (time, rest) = match time_of_day(if named_day { rest_of_day } else { rest }) {
        Some(found) => found,
        None if named_day => (Time::midnight(), rest),
        None => return None,
    };
    let zone = zone::stated(rest).or_else(|| zone::named(clock.local_zone?)).unwrap_or(TimeZone::UTC);
    resolve(date, time, &zone, clock.now)
}

/// What is known of a date.
#[derive(Clone, Copy, Default)]
struct Day {
    year: Option<i16>,
    month_and_day: Option<(i8, i8)>,
    weekday: Option<Weekday>,
    /// `tomorrow`.
    later: bool,
}

/// The date, or part of one, at the start of `text`, and what follows it.
fn dated(text: &str) -> Option<(Day, &str)> {
    if let Some(found) = iso_date(text) {
        return Some(found);
    }
    let word = cursor::word(text);
    if word == "tomorrow" || word == "today" {
        return Some((Day { later: word == "tomorrow", ..Day::default() }, &text[word.len()..]));
    }
    if let Some(weekday) = weekday(word) {
        let rest = &text[word.len()..];
        // A full date is more specific than its weekday.
        return calendar_date(cursor::after(rest, " ,"))
            .or(Some((Day { weekday: Some(weekday), ..Day::default() }, rest)));
    }
    calendar_date(text)
}

/// `nov 18, 2026`, `18th november`.
fn calendar_date(text: &str) -> Option<(Day, &str)> {
    let word = cursor::word(text);
    let (month, day, mut rest) = match month(word) {
        Some(month) => {
            let after = cursor::after(&text[word.len()..], " .");
            let (day, digits) = cursor::integer(after).filter(|(_, digits)| *digits <= 2)?;
            (month, day, &after[digits..])
        }
        None => {
            let (day, digits) = cursor::integer(text).filter(|(_, digits)| *digits <= 2)?;
            let after = cursor::after(&text[digits..], " -");
            let name = cursor::word(after);
            (month(name)?, day, &after[name.len()..])
        }
    };
    rest = ["st", "nd", "rd", "th"].iter().find_map(|ordinal| rest.strip_prefix(ordinal)).unwrap_or(rest);
    let mut date = Day { month_and_day: Some((month, i8::try_from(day).ok()?)), ..Day::default() };
    let after = cursor::after(rest, " ,-");
    if let Some((year, 4)) = cursor::integer(after) {
        date.year = i16::try_from(year).ok();
        rest = &after[4..];
    }
    Some((date, rest))
}

fn iso_date(text: &str) -> Option<(Day, &str)> {
    let (year, 4) = cursor::integer(text)? else { return None };
    let rest = text[4..].strip_prefix(['-', '/'])?;
    let (month, 2) = cursor::integer(rest)? else { return None };
    let rest = rest[2..].strip_prefix(['-', '/'])?;
    let (day, 2) = cursor::integer(rest)? else { return None };
    let month_and_day = Some((i8::try_from(month).ok()?, i8::try_from(day).ok()?));
    Some((Day { year: i16::try_from(year).ok(), month_and_day, ..Day::default() }, &rest[2..]))
}

/// `3pm`, `3:45 p.m.`, `15:45:30.5`, `midnight`, and what follows.
fn time_of_day(text: &str) -> Option<(Time, &str)> {
    for (name, hour) in [("midnight", 0), ("noon", 12)] {
        if let Some(rest) = text.strip_prefix(name) {
            return Some((Time::new(hour, 0, 0, 0).ok()?, rest));
        }
    }
    let (mut hour, digits) = cursor::integer(text).filter(|(_, digits)| *digits <= 2)?;
    let mut rest = &text[digits..];
    let mut parts = [0, 0];
    let mut read = 0;
    while read < 2 {
        let Some((part, 2)) = rest.strip_prefix(':').and_then(cursor::integer) else { break };
        parts[read] = part;
        rest = &rest[3..];
        read += 1;
    }
    let mut nanosecond = 0;
    if let Some((_, digits)) = rest.strip_prefix(['.', ',']).and_then(cursor::integer).filter(|_| read == 2) {
        let nine: String = rest[1..=digits].bytes().map(char::from).chain("000000000".chars()).take(9).collect();
        nanosecond = nine.parse().ok()?;
        rest = &rest[1 + digits..];
    }
    let spaced = rest.strip_prefix(' ').unwrap_or(rest);
    let half =
        [("a.m.", 0), ("p.m.", 12), ("am", 0), ("pm", 12)].into_iter().find(|(name, _)| spaced.starts_with(name));
    match half {
        Some((name, noon)) if (1..=12).contains(&hour) => {
            hour = hour % 12 + noon;
            rest = &spaced[name.len()..];
        }
        Some(_) => return None,
        None if read == 0 => return None,
        None => {}
    }
    let time =
        Time::new(i8::try_from(hour).ok()?, i8::try_from(parts[0]).ok()?, i8::try_from(parts[1]).ok()?, nanosecond);
    Some((time.ok()?, rest))
}

fn month(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ];
    let found = MONTHS.iter().position(|name| word.len() >= 3 && (name == &word || name[..3] == *word))?;
    i8::try_from(found + 1).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let found = DAYS.iter().position(|name| word.len() >= 3 && (name == &word || name[..3] == *word))?;
    Weekday::from_monday_zero_offset(i8::try_from(found).ok()?).ok()
}

/// The moment itself: of what is not stated, the first that lies after `now`.
fn resolve(day: Day, time: Time, zone: &TimeZone, now: Option<Timestamp>) -> Option<Timestamp> {
    let moment = |date: Date| -> Option<Timestamp> {
        let at = zone.to_ambiguous_timestamp(date.to_datetime(time)).compatible().ok()?;
        Some(Timestamp::from_ms(at.as_millisecond()))
    };
    if let (Some(year), Some((month, day))) = (day.year, day.month_and_day) {
        return moment(Date::new(year, month, day).ok()?);
    }
    let now = now?;
    let today = zone.to_datetime(jiff::Timestamp::from_millisecond(now.ms()).ok()?).date();
    let is_next = |at: &Timestamp| *at > now;
    if let Some((month, day)) = day.month_and_day {
        // A 29th of February is at most eight years away.
        return (0..=8).filter_map(|n| moment(Date::new(today.year() + n, month, day).ok()?)).find(is_next);
    }
    let mut date = if day.later { today.tomorrow().ok()? } else { today };
    for _ in 0..=8 {
        let is_the_day = day.weekday.is_none_or(|weekday| weekday == date.weekday());
        if let Some(at) = moment(date).filter(|at| is_the_day && is_next(at)) {
            return Some(at);
        }
        date = date.tomorrow().ok()?;
    }
    None
}
