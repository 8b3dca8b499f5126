//! A wait that every task keeps which uses the same resource.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A resource that everybody waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cooldown {
    /// The resource, such as `registry:registry.npmjs.org`.
    pub resource: String,
    /// Until when this task waits.
    pub until: Timestamp,
    /// What for.
    pub state: CooldownState,
}

/// The state of a resource's circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CooldownState {
    /// Nobody waits.
    Closed,
    /// A server said until when to wait.
    Cooling,
    /// Several tasks failed: nobody tries.
    Open,
    /// One task tries, the others wait for it.
    HalfOpen,
}

impl CooldownState {
    /// Its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Cooling => "cooling",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }
}
