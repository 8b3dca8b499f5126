//! The clock, as an argument: the machine's own in programs, any other in tests.

use recovery_types::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// What time it is.
pub trait Clock: Send {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_ms(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that is stopped.
impl Clock for Timestamp {
    fn now(&self) -> Timestamp {
        *self
    }
}

/// The machine's time zone as an IANA name, where it is known: `TZ`, else where /etc/localtime points.
#[must_use]
pub fn zone() -> Option<String> {
    if let Ok(name) = std::env::var("TZ")
        && !name.trim().is_empty()
    {
        return Some(name.trim_start_matches(':').to_owned());
    }
    let target = std::fs::read_link("/etc/localtime").ok()?;
    let (_, name) = target.to_str()?.split_once("zoneinfo/")?;
    Some(name.to_owned())
}
