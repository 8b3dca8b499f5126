//! What time it is here, and in which time zone.

pub(crate) use recovery_service::clock::zone;
use recovery_service::{Clock as _, SystemClock};
use recovery_types::Timestamp;

pub(crate) fn now() -> Timestamp {
    SystemClock.now()
}
