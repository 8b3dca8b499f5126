//! Wall-clock time as the caller gives it: milliseconds since 1970, RFC 3339 in JSON.
//!
//! Nothing here reads a clock. An `Instant` cannot survive a restart, so the whole engine uses these values.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
///
/// ```
/// use recovery_types::Timestamp;
/// let t: Timestamp = "2026-01-24T10:00:00Z".parse().unwrap();
/// assert_eq!(t.plus_ms(1500).to_string(), "2026-01-24T10:00:01.500Z");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Timestamp(i64);

/// Why a text is not a [`Timestamp`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATimestamp(String);

impl std::fmt::Display for NotATimestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} is not a time like 2026-01-24T10:00:00Z", self.0)
    }
}

impl std::error::Error for NotATimestamp {}

/// The last millisecond of the year 9999 and the first of the year 0: what RFC 3339 can write.
const RANGE: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_300_799_999;
const DAY_MS: i64 = 86_400_000;

impl Timestamp {
    /// `ms` since 1970, clamped to the years that RFC 3339 can represent.
    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        if ms < *RANGE.start() {
            Self(*RANGE.start())
        } else if ms > *RANGE.end() {
            Self(*RANGE.end())
        } else {
            Self(ms)
        }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// Later by `ms` milliseconds.
    #[must_use]
    pub const fn plus_ms(self, ms: u64) -> Self {
        let ms = if ms > i64::MAX as u64 { i64::MAX } else { ms as i64 };
        Self::from_ms(self.0.saturating_add(ms))
    }

    /// The milliseconds since `earlier`; 0 if it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        let ms = self.0.saturating_sub(earlier.0);
        if ms < 0 { 0 } else { ms as u64 }
    }
}

/// Fractions of a millisecond are dropped; a time outside of RFC 3339 is clamped to its range.
impl From<std::time::SystemTime> for Timestamp {
    fn from(time: std::time::SystemTime) -> Self {
        let ms = |duration: std::time::Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        match time.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => Self::from_ms(ms(after)),
            Err(before) => Self::from_ms(-ms(before.duration())),
        }
    }
}

impl Timestamp {
    /// For people: the day and the minute, `2026-01-24 10:00 UTC`.
    #[must_use]
    pub fn to_minute(self) -> String {
        let text = self.to_string();
        match text.split_once('T') {
            Some((date, time)) => format!("{date} {} UTC", time.get(..5).unwrap_or(time)),
            None => text,
        }
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, ms) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = civil_from_days(days);
        let (h, m, s, ms) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{ms:03}Z")
    }
}

impl std::str::FromStr for Timestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        parse(text.as_bytes()).ok_or_else(|| NotATimestamp(text.chars().take(40).collect()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        // Some programs print the time without a zone; it is taken as UTC.
        text.parse().or_else(|error| format!("{text}Z").parse().map_err(|_| error)).map_err(serde::de::Error::custom)
    }
}

/// A duration in words.
///
/// ```
/// assert_eq!(recovery_types::time::span(4000), "4 s");
/// assert_eq!(recovery_types::time::span(5_400_000), "90 min");
/// ```
#[must_use]
pub fn span(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..120_000 => format!("{} s", ms.div_ceil(1000)),
        120_000..7_200_000 => format!("{} min", ms.div_ceil(60_000)),
        _ => format!("{} h", ms.div_ceil(3_600_000)),
    }
}

/// Days since 1970 of a proleptic Gregorian date (counting years from March, so that leap days come last).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.iter().try_fold(0, |n, d| d.is_ascii_digit().then(|| n * 10 + i64::from(d - b'0')))
    };
    let is = |at: usize, allowed: &[u8]| text.get(at).is_some_and(|b| allowed.contains(b));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = days_from_civil(year, month, day);
    if civil_from_days(days) != (year, month, day) {
        return None;
    }
    let mut at = 19;
    let mut ms = 0;
    if is(at, b".") {
        let start = at + 1;
        at = start;
        while text.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at == start {
            return None;
        }
        ms = (start..start + 3).fold(0, |n, i| n * 10 + if i < at { i64::from(text[i] - b'0') } else { 0 });
    }
    let offset_minutes = match (text.get(at)?, text.len() - at) {
        (b'Z' | b'z', 1) => 0,
        (sign @ (b'+' | b'-'), 6) if is(at + 3, b":") => {
            let minutes = number(at + 1..at + 3)? * 60 + number(at + 4..at + 6)?;
            if *sign == b'+' { minutes } else { -minutes }
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset_minutes * 60;
    Some(Timestamp::from_ms(seconds * 1000 + ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comes_from_the_systems_clock() {
        use std::time::{Duration, UNIX_EPOCH};
        assert_eq!(Timestamp::from(UNIX_EPOCH + Duration::from_micros(1_500_900)), Timestamp::from_ms(1500));
        assert_eq!(Timestamp::from(UNIX_EPOCH - Duration::from_secs(2)), Timestamp::from_ms(-2000));
    }

    #[test]
    fn known_moments() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("2026-01-24T10:00:00+05:30", 1_769_229_000_000),
            ("1969-12-31T23:59:59.5Z", -500),
        ];
        for (text, ms) in cases {
            assert_eq!(text.parse::<Timestamp>().unwrap().ms(), ms, "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "", "2026-01-24", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-24T10:00:00",
            "2026-01-24T10:00:00.Z", "2026-01-24T24:00:00Z", "é026-01-24T10:00:00Z",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn json_may_leave_the_zone_out() {
        let read = |text: &str| serde_json::from_str::<Timestamp>(text);
        assert_eq!(read("\"2026-01-24T10:00:00.25\"").unwrap(), "2026-01-24T10:00:00.25Z".parse().unwrap());
        assert!(read("\"2026-01-24\"").unwrap_err().to_string().contains("\"2026-01-24\" is not a time"));
    }

    proptest! {
        #[test]
        fn text_reads_back(ms in RANGE) {
            let t = Timestamp::from_ms(ms);
            prop_assert_eq!(t.to_string().parse::<Timestamp>().unwrap(), t);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = text.parse::<Timestamp>();
        }
    }
}
