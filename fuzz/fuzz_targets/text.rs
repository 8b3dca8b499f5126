//! Normalising, redacting and extracting never fail, and redacting or normalising twice changes nothing.
#![no_main]

use failure_taxonomy::normalise;
use problem_matcher::facts;
use recovery_redact as redact;
use libfuzzer_sys::fuzz_target;
use recovery_types::Timestamp;

fuzz_target!(|text: &str| {
    let once = redact::redact(text).into_owned();
    assert_eq!(redact::redact(&once), once);
    let once = normalise::normalise(text);
    assert_eq!(normalise::normalise(&once), once);
    let _ = facts::extract(text, Some(Timestamp::from_ms(1_700_000_000_000)));
});
