//! Ratios and scores in whole thousandths, so that no answer depends on floating-point arithmetic.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number from 0 to 1 in steps of one thousandth. A decimal in JSON (`0.78`), an integer everywhere else.
///
/// ```
/// use recovery_types::Permille;
/// let base = Permille::new(750);
/// assert_eq!(base.plus(30), Permille::new(780));
/// assert_eq!(serde_json::to_string(&base.plus(30)).unwrap(), "0.78");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "f64"))]
pub struct Permille(u16);

impl Permille {
    /// `thousandths` out of 1000, capped at 1000.
    #[must_use]
    pub const fn new(thousandths: u16) -> Self {
        Self(if thousandths > 1000 { 1000 } else { thousandths })
    }

    /// The whole thousandths.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The sum with `thousandths`, capped at 1000.
    #[must_use]
    pub const fn plus(self, thousandths: u16) -> Self {
        Self::new(self.0.saturating_add(thousandths))
    }

    /// The difference with `thousandths`, at least 0.
    #[must_use]
    pub const fn minus(self, thousandths: u16) -> Self {
        Self(self.0.saturating_sub(thousandths))
    }

    /// `part / whole`, rounded down; 0 if `whole` is 0.
    #[must_use]
    pub const fn ratio(part: u64, whole: u64) -> Self {
        if whole == 0 {
            return Self(0);
        }
        let share = part as u128 * 1000 / whole as u128;
        Self(if share > 1000 { 1000 } else { share as u16 })
    }
}

impl std::fmt::Display for Permille {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", f64::from(self.0) / 1000.0)
    }
}

impl Serialize for Permille {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 1000.0)
    }
}

impl<'de> Deserialize<'de> for Permille {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if !(0.0..=1.0).contains(&value) {
            return Err(serde::de::Error::custom(format!("{value} is not between 0 and 1")));
        }
        Ok(Self((value * 1000.0).round() as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::Permille;

    #[test]
    fn json_is_a_decimal_and_reads_back() {
        for thousandths in 0..=1000 {
            let value = Permille::new(thousandths);
            let json = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Permille>(&json).unwrap(), value, "{json}");
        }
        assert!(serde_json::from_str::<Permille>("1.5").is_err());
        assert!(serde_json::from_str::<Permille>("-0.1").is_err());
    }

    #[test]
    fn stays_between_zero_and_one() {
        assert_eq!(Permille::new(990).plus(30), Permille::new(1000));
        assert_eq!(Permille::new(50).minus(100), Permille::new(0));
        assert_eq!(Permille::ratio(3, 0), Permille::new(0));
        assert_eq!(Permille::ratio(2, 3), Permille::new(666));
        assert_eq!(Permille::ratio(u64::MAX, 1), Permille::new(1000));
    }
}
