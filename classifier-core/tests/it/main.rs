//! The classifier from outside.

mod actions;
mod confidence;
mod document;
mod events;
mod history;
mod mission;
mod oracle;
mod precedence;

use classifier_core::{Config, Facts, classify};
use recovery_types::{Classification, FailureEvent};

/// The event that `json` writes.
fn event(json: &str) -> FailureEvent {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// The answer to `event` as the crate gives it alone.
fn answer_to(event: &FailureEvent) -> Option<Classification> {
    classify(event, &Facts::from_patterns(event), &Config::default())
}

/// The answer to the failure that `json` writes.
fn answer(json: &str) -> Classification {
    answer_to(&event(json)).unwrap_or_else(|| panic!("not a failure: {json}"))
}
