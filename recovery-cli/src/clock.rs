//! The one file that reads the clock, and where on earth it hangs.

use recovery_types::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
pub(crate) fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_ms(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}

/// The machine's time zone as an IANA name, where it can be told: `TZ`, else where /etc/localtime points.
pub(crate) fn zone() -> Option<String> {
    if let Ok(name) = std::env::var("TZ")
        && !name.trim().is_empty()
    {
        return Some(name.trim_start_matches(':').to_owned());
    }
    let target = std::fs::read_link("/etc/localtime").ok()?;
    let (_, name) = target.to_str()?.split_once("zoneinfo/")?;
    Some(name.to_owned())
}
