//! What time it is here, and in which time zone.

use recovery_service::{Clock as _, SystemClock};
use recovery_types::Timestamp;

/// Now.
pub(crate) fn now() -> Timestamp {
    SystemClock.now()
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
