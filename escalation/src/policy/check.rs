//! Rejects settings of the ladder that make no sense.
//!
//! In: a [`Policy`] as a user wrote it. Out: the first setting that contradicts itself or another one, as a
//! [`PolicyError`] with the reason and the names of the settings as a file spells them, so that a caller can point at
//! their lines. Without the checks a backoff could be longer than its level, a level could end the moment it starts, or
//! a longer loop could lift less than a shorter one. A new number of the policy gets its check here.

use super::{LoopPolicy, Policy};
use recovery_types::Level;
use recovery_types::ladder::Target;

impl Policy {
    /// Rejects contradictory settings, with the reason.
    ///
    /// # Errors
    /// The first setting that contradicts itself or another one.
    pub fn validate(&self) -> Result<(), PolicyError> {
        let most = |setting, value: u64, most: u64| {
            if value > most { Err(PolicyError::TooMuch { setting, value, most }) } else { Ok(()) }
        };
        let limits = [
            ("retry.limit_ms", Level::Retry),
            ("nudge.limit_ms", Level::Nudge),
            ("replan.limit_ms", Level::Replan),
            ("fallback.limit_ms", Level::Fallback),
        ];
        for (setting, level) in limits {
            let limit = self.limit_ms(level).unwrap_or(0);
            if limit == 0 && self.attempts(level) > 0 {
                return Err(PolicyError::NoTime { setting });
            }
            most(setting, limit, MAX_LIMIT_MS)?;
        }
        most("retry.attempts", self.retry.attempts.into(), MAX_ATTEMPTS)?;
        most("nudge.variants", self.nudge.variants.into(), MAX_ATTEMPTS)?;
        most("replan.plans", self.replan.plans.into(), MAX_ATTEMPTS)?;
        most("fallback.targets", self.fallback.targets.len() as u64, MAX_ATTEMPTS)?;
        most("session_budget_ms", self.session_budget_ms.unwrap_or(0), MAX_LIMIT_MS)?;
        if self.session_budget_ms == Some(0) {
            return Err(PolicyError::NoTime { setting: "session_budget_ms" });
        }
        if self.retry.backoff_factor == 0 {
            return Err(PolicyError::NoFactor);
        }
        let backoffs = (1..=self.retry.attempts).fold(0u64, |sum, n| sum.saturating_add(self.retry.backoff_ms(n)));
        if self.retry.attempts > 0 && backoffs >= self.retry.limit_ms {
            return Err(PolicyError::BackoffBeyondLimit { backoffs, limit: self.retry.limit_ms });
        }
        let named = |target: &Target| match target {
            Target::NextModelTier => true,
            Target::Model(name) | Target::Agent(name) => !name.trim().is_empty(),
        };
        if let Some(position) = self.fallback.targets.iter().position(|target| !named(target)) {
            return Err(PolicyError::NamelessTarget { position: position + 1 });
        }
        if let Some(position) = self.fallback.tiers.iter().position(|tier| tier.trim().is_empty()) {
            return Err(PolicyError::NamelessTier { position: position + 1 });
        }
        self.loops.validate()
    }
}

impl LoopPolicy {
    fn validate(&self) -> Result<(), PolicyError> {
        let Self { replan, fallback, force_done, window, similarity_permille, longest_cycle, .. } = *self;
        if replan < 2 {
            return Err(PolicyError::LoopOfOne { replan });
        }
        if !(replan <= fallback && fallback <= force_done) {
            return Err(PolicyError::ThresholdsFall { replan, fallback, force_done });
        }
        if window < force_done || window > MAX_WINDOW {
            return Err(PolicyError::Window { window, force_done, most: MAX_WINDOW });
        }
        if similarity_permille == 0 || similarity_permille > 1000 {
            return Err(PolicyError::Similarity { similarity_permille });
        }
        if longest_cycle > window / 2 {
            return Err(PolicyError::CycleBeyondWindow { longest_cycle, window });
        }
        Ok(())
    }
}

/// One hundred years: a longer limit is a typing error.
const MAX_LIMIT_MS: u64 = 100 * 365 * 86_400_000;
const MAX_ATTEMPTS: u64 = 1000;
const MAX_WINDOW: u32 = 1000;

/// Why a policy is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A limit of zero.
    #[error("{setting} is 0: it would pass the moment it starts; leave it out, or give the level no attempts")]
    NoTime {
        /// The name of the limit.
        setting: &'static str,
    },
    /// A number above the maximum.
    #[error("{setting} is {value}, more than {most}")]
    TooMuch {
        /// The name of the setting.
        setting: &'static str,
        /// Its value.
        value: u64,
        /// The maximum.
        most: u64,
    },
    /// A backoff factor of zero.
    #[error("retry.backoff_factor is 0: use 1 for a constant backoff")]
    NoFactor,
    /// The last retry could never run.
    #[error(
        "the backoffs of retry add up to {backoffs} ms, not less than retry.limit_ms ({limit}): raise the limit or lower the attempts"
    )]
    BackoffBeyondLimit {
        /// The sum of all backoffs.
        backoffs: u64,
        /// The limit of the level.
        limit: u64,
    },
    /// A fallback target without a name.
    #[error("fallback.targets: number {position} has an empty name")]
    NamelessTarget {
        /// Its position, from 1.
        position: usize,
    },
    /// A model tier without a name.
    #[error("fallback.tiers: number {position} is empty")]
    NamelessTier {
        /// Its position, from 1.
        position: usize,
    },
    /// A loop of a single action.
    #[error("loop.replan is {replan}: fewer than 2 similar actions are no loop")]
    LoopOfOne {
        /// Its value.
        replan: u32,
    },
    /// A longer loop lifts less than a shorter one.
    #[error("loop thresholds fall: replan {replan}, fallback {fallback}, force_done {force_done} must not get smaller")]
    ThresholdsFall {
        /// Threshold of level 3.
        replan: u32,
        /// Threshold of level 4.
        fallback: u32,
        /// Threshold of level 5.
        force_done: u32,
    },
    /// A window that is shorter than the longest run, or above the maximum.
    #[error("loop.window is {window}: it must hold loop.force_done ({force_done}) actions and at most {most}")]
    Window {
        /// Its value.
        window: u32,
        /// The minimum.
        force_done: u32,
        /// The maximum.
        most: u32,
    },
    /// A similarity outside of 1 to 1000 thousandths.
    #[error("loop.similarity_permille is {similarity_permille}: it must be from 1 to 1000")]
    Similarity {
        /// Its value.
        similarity_permille: u32,
    },
    /// A cycle that does not fit into the window twice.
    #[error("loop.longest_cycle is {longest_cycle}: a cycle must fit twice into loop.window ({window})")]
    CycleBeyondWindow {
        /// Its value.
        longest_cycle: u32,
        /// The window.
        window: u32,
    },
}

impl PolicyError {
    /// The settings that contradict each other, most likely cause first, as they are named in a file.
    #[must_use]
    pub fn settings(&self) -> Vec<&'static str> {
        match self {
            Self::NoTime { setting } | Self::TooMuch { setting, .. } => vec![setting],
            Self::NoFactor => vec!["retry.backoff_factor"],
            Self::BackoffBeyondLimit { .. } => {
                vec!["retry.limit_ms", "retry.attempts", "retry.first_backoff_ms", "retry.backoff_factor"]
            }
            Self::NamelessTarget { .. } => vec!["fallback.targets"],
            Self::NamelessTier { .. } => vec!["fallback.tiers"],
            Self::LoopOfOne { .. } => vec!["loop.replan"],
            Self::ThresholdsFall { .. } => vec!["loop.replan", "loop.fallback", "loop.force_done"],
            Self::Window { .. } => vec!["loop.window", "loop.force_done"],
            Self::Similarity { .. } => vec!["loop.similarity_permille"],
            Self::CycleBeyondWindow { .. } => vec!["loop.longest_cycle", "loop.window"],
        }
    }
}
