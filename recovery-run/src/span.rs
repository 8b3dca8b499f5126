//! Durations as people write them: `2h`, `90s`, `1h30m`, `500ms`, `0.5s`.
//!
//! In: text from a flag, a playbook or `recovery.toml`. Out: a [`Span`] in milliseconds, or a sentence that names what
//! is wrong with it. A number without a unit is refused, since seconds and minutes are equally likely to be meant. A
//! fraction is rounded down to whole milliseconds; it has at most three digits.

use serde::{Deserialize, Deserializer};
use std::str::FromStr;

/// A duration in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub u64);

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not a duration like 90s, 10m, 2h or 1h30m");
        let mut rest = text.trim();
        let nothing = || Err(format!("{text:?} is too short: at least 1ms is expected"));
        if !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()) {
            if rest.bytes().all(|byte| byte == b'0') {
                return nothing();
            }
            return Err(format!("{rest} has no unit: write {rest}s for seconds, {rest}m for minutes"));
        }
        if rest.is_empty() {
            return Err(wrong());
        }
        let mut sum = 0u64;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let (number, after) = rest.split_at(digits);
            let (thousandths, after) = match after.strip_prefix('.') {
                Some(fraction) => thousandths(fraction).ok_or_else(wrong)?,
                None => (0, after),
            };
            let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (unit, after) = after.split_at(letters);
            let (_, ms) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
            let part = number.parse::<u64>().ok().and_then(|n| n.checked_mul(ms)).ok_or_else(wrong)?;
            sum = sum.checked_add(part).and_then(|sum| sum.checked_add(thousandths * ms / 1000)).ok_or_else(wrong)?;
            rest = after;
        }
        if sum == 0 { nothing() } else { Ok(Self(sum)) }
    }
}

/// The digits after a decimal point as thousandths, and what follows them.
fn thousandths(text: &str) -> Option<(u64, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, after) = text.split_at(digits);
    let scale = [0, 100, 10, 1].get(number.len()).filter(|_| !number.is_empty())?;
    Some((number.parse::<u64>().ok()? * scale, after))
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&recovery_types::time::span(self.0))
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A duration: 90s, 10m, 2h, 1h30m, 500ms, 0.5s.",
            "pattern": "^([0-9]+([.][0-9]{1,3})?(ms|s|m|h|d))+$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn durations_as_people_write_them() {
        for (text, ms) in [
            ("2h", 7_200_000),
            ("90s", 90_000),
            ("1h30m", 5_400_000),
            ("250ms", 250),
            ("0.5s", 500),
            ("1.25h", 4_500_000),
        ] {
            assert_eq!(text.parse(), Ok(Span(ms)), "{text}");
        }
        assert_eq!("5".parse::<Span>().unwrap_err(), "5 has no unit: write 5s for seconds, 5m for minutes");
        for text in ["0", "0s", "0h0ms"] {
            assert!(text.parse::<Span>().unwrap_err().ends_with("at least 1ms is expected"), "{text}");
        }
        for text in [
            "", "0", "h", "2 h", "0s", "-1s", "1.s", ".5s", "1.5", "0.0001s", "99999999999999999999s",
            "9999999999999999999d",
        ] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }
}
