//! The answer to "what kind of failure is this?", with nothing recorded.

use recovery_engine::{Assessment, Engine, PackName};
use recovery_types::{Classification, Diagnosis, FailureEvent};
use serde::Serialize;

/// What kind of failure some output shows; the answer of `recovery classify` in JSON.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Answer")]
pub struct Classified {
    /// Whether it is a failure at all.
    pub failure: bool,
    /// How far it reaches; null when it is not a failure.
    pub classification: Option<Classification>,
    /// What kind it is; null when it is not a failure.
    pub diagnosis: Option<Diagnosis>,
    /// The indicators it was read with.
    #[schemars(with = "String")]
    pub pack: PackName,
}

impl Classified {
    /// From the engine's answer to `event`. What a judge failed is a failure that no output shows.
    #[must_use]
    pub fn of(engine: &Engine, event: &FailureEvent, assessment: Option<Assessment>) -> Self {
        let failure = assessment.is_some() || engine.is_failed_by_judge(event);
        let (classification, diagnosis) = assessment.map(|a| (a.classification, a.diagnosis)).unzip();
        Self { failure, classification, diagnosis, pack: engine.taxonomy.pack() }
    }
}
