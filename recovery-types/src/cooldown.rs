//! A wait shared by every task that uses the same resource.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A wait for a shared resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cooldown {
    /// The resource, such as `registry:registry.npmjs.org`.
    pub resource: String,
    /// Until when this task waits.
    pub until: Timestamp,
    /// The reason of the wait.
    pub state: CooldownState,
}

/// The state of a resource's circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CooldownState {
    /// Closed: no task waits.
    Closed,
    /// A server stated until when to wait.
    Cooling,
    /// Open: several tasks failed, so no task tries.
    Open,
    /// Half open: one task tries, the others wait for its outcome.
    HalfOpen,
}

impl CooldownState {
    /// The name as JSON spells it.
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
