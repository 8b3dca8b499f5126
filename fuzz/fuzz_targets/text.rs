//! Normalising, redacting and extracting never fail, and redacting twice changes nothing. Normalising twice may: what a number
//! is depends on the words beside it, which the first time folds. Nothing normalises twice.
#![no_main]

use failure_taxonomy::normalise;
use libfuzzer_sys::fuzz_target;
use problem_matcher::facts;
use recovery_redact as redact;
use recovery_types::Timestamp;

fuzz_target!(|text: &str| {
    let once = redact::redact(text).into_owned();
    assert_eq!(redact::redact(&once), once);
    let _ = normalise::normalise(text);
    let _ = facts::extract(text, Some(Timestamp::from_ms(1_700_000_000_000)));
});
