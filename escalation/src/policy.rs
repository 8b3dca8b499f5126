//! The numbers of the ladder: attempts, time limits, backoff, entry levels, judge thresholds.
//!
//! In: `[ladder]` of `recovery.toml`, or a [`Policy`] built in code. Out: a validated policy for
//! [`Ladder`](crate::Ladder). The defaults are the values of the escalation document. [`Policy::validate`] rejects
//! values that make no sense (a backoff longer than its level, a limit of zero) and names the field. A
//! new number gets a field here, its default and its check.

use crate::LadderFailure;
use recovery_types::ladder::Target;
use recovery_types::{ErrorType, Judge, Level, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What gives a failure its entry level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrySource {
    /// The error: its row of the matrix, or the level that the caller gives it.
    Error,
    /// Repeating the action unchanged is not safe, so level 1 is left out.
    NotIdempotent,
    /// A judge's scores or verdict.
    Judge,
    /// Similar actions in a row.
    Loop,
}

/// How far and how long each level goes. A level with no attempts is passed over.
///
/// ```
/// use escalation::Policy;
/// let policy = Policy::default();
/// assert_eq!(policy.retry.limit_ms, 30_000);
/// assert_eq!((1..=3).map(|n| policy.retry.backoff_ms(n)).collect::<Vec<_>>(), [1000, 2000, 4000]);
/// assert!(policy.validate().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Level 1: the same action again.
    pub retry: Retry,
    /// Level 2: the same approach with other parameters.
    pub nudge: Nudge,
    /// Level 3: a new approach.
    pub replan: Replan,
    /// Level 4: another agent or model.
    pub fallback: Fallback,
    /// How long the whole climb may take, waits included, in milliseconds. Off unless set.
    pub session_budget_ms: Option<u64>,
    /// Entry levels that differ from the documented matrix.
    pub entry: BTreeMap<ErrorType, Level>,
    /// Below which scores a judge's verdict is a failure.
    pub judge: JudgeThresholds,
    /// What counts as a loop, and how far each length of it lifts.
    #[serde(rename = "loop")]
    pub loops: LoopPolicy,
}

/// Level 1: the same action again, after an exponential backoff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Retry {
    /// Retries. Default 3.
    pub attempts: u32,
    /// Backoff before the first retry. Default 1000.
    pub first_backoff_ms: u64,
    /// Each backoff is this many times the one before. Default 2.
    pub backoff_factor: u32,
    /// Time limit of the level. Default 30,000 (30 s).
    pub limit_ms: u64,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 3, first_backoff_ms: 1000, backoff_factor: 2, limit_ms: 30_000 }
    }
}

impl Retry {
    /// The backoff before retry `attempt`, counted from 1.
    #[must_use]
    pub fn backoff_ms(&self, attempt: u32) -> u64 {
        let factor = u64::from(self.backoff_factor).saturating_pow(attempt.saturating_sub(1));
        self.first_backoff_ms.saturating_mul(factor)
    }
}

/// Level 2: the same approach with other parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Nudge {
    /// Variants to try. Default 3.
    pub variants: u32,
    /// Time limit of the level. Default 300,000 (5 min).
    pub limit_ms: u64,
}

impl Default for Nudge {
    fn default() -> Self {
        Self { variants: 3, limit_ms: 300_000 }
    }
}

/// Level 3: a new approach to the same goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Replan {
    /// Plans to try. Default 1.
    pub plans: u32,
    /// Time limit of the level. Default 900,000 (15 min).
    pub limit_ms: u64,
}

impl Default for Replan {
    fn default() -> Self {
        Self { plans: 1, limit_ms: 900_000 }
    }
}

/// Level 4: another agent or model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Fallback {
    /// Who takes over, in order, one attempt each. Default: the next model tier.
    pub targets: Vec<Target>,
    /// Model tiers, lowest first: with them, the next tier above the model at work is named. Default none.
    pub tiers: Vec<String>,
    /// Time limit of the level. Default 1,200,000 (20 min).
    pub limit_ms: u64,
}

impl Default for Fallback {
    fn default() -> Self {
        Self { targets: vec![Target::NextModelTier], tiers: Vec::new(), limit_ms: 1_200_000 }
    }
}

impl Fallback {
    /// The place of a model among the tiers; a model's full name has its tier's in it.
    fn tier_of(&self, model: Option<&str>) -> Option<usize> {
        let model = model?.to_ascii_lowercase();
        self.tiers.iter().position(|tier| model.contains(&tier.to_ascii_lowercase()))
    }

    fn is_at_the_top(&self, model: Option<&str>) -> bool {
        self.tier_of(model).is_some_and(|tier| tier + 1 == self.tiers.len())
            && self.targets.iter().all(|target| *target == Target::NextModelTier)
    }
}

/// Below which scores a judge's verdict is a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct JudgeThresholds {
    /// Less evidence of completion than this enters at level 2. Default 8.
    pub evidence_of_completion: u32,
    /// Less goal alignment than this enters at level 3. Default 15.
    pub goal_alignment: u32,
}

impl Default for JudgeThresholds {
    fn default() -> Self {
        Self { evidence_of_completion: 8, goal_alignment: 15 }
    }
}

/// What counts as a loop, and how far each length of it lifts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct LoopPolicy {
    /// Similar actions that lift to level 3. Default 3.
    pub replan: u32,
    /// Similar actions that lift to level 4. Default 5.
    pub fallback: u32,
    /// Similar actions that lift to level 5. Default 8.
    pub force_done: u32,
    /// How many of the last actions are looked at. Default 20.
    pub window: u32,
    /// From which likeness two actions are similar, in thousandths. Default 750.
    pub similarity_permille: u32,
    /// The longest cycle that is looked for. Default 5.
    pub longest_cycle: u32,
    /// Tools, or beginnings of commands, that repeat themselves by nature (polling). Default none.
    pub polling: Vec<String>,
}

impl Default for LoopPolicy {
    fn default() -> Self {
        Self {
            replan: 3,
            fallback: 5,
            force_done: 8,
            window: 20,
            similarity_permille: 750,
            longest_cycle: 5,
            polling: Vec::new(),
        }
    }
}

impl LoopPolicy {
    /// The level that this many similar actions lift to.
    #[must_use]
    pub fn entry(&self, similar: u32) -> Option<Level> {
        [(self.force_done, Level::ForceDone), (self.fallback, Level::Fallback), (self.replan, Level::Replan)]
            .into_iter()
            .find_map(|(threshold, level)| (similar >= threshold).then_some(level))
    }
}

impl JudgeThresholds {
    /// The level that this verdict enters at; none when no score is below its threshold and it is not FAIL.
    #[must_use]
    pub fn entry(&self, judge: Judge) -> Option<Level> {
        let below = |score: Option<u32>, threshold| score.is_some_and(|score| score < threshold);
        if below(judge.goal_alignment, self.goal_alignment) {
            Some(Level::Replan)
        } else if below(judge.evidence_of_completion, self.evidence_of_completion) {
            Some(Level::Nudge)
        } else {
            // The matrix has a judge's FAIL as a wrong approach.
            (judge.verdict == Some(Verdict::Fail)).then_some(Level::Replan)
        }
    }
}

impl Policy {
    /// Where a failure enters: the highest of the error matrix, the judge and the loop run. A non-idempotent action
    /// never enters level 1. A quota that is renewed at a known time is waited for, as a server's delay is.
    #[must_use]
    pub fn entry_level(&self, failure: &LadderFailure) -> Level {
        self.entry_of(failure).0
    }

    /// Where a failure enters, and what gives that level. Where several give the same one, the loop run comes first: it is
    /// the reason why the error is not enough; then the error itself.
    #[must_use]
    pub fn entry_of(&self, failure: &LadderFailure) -> (Level, EntrySource) {
        let waitable = failure.error_type == ErrorType::QuotaExhausted
            && (failure.resets_at.is_some() || failure.retry_after_ms.is_some());
        let row = failure.entry_level.or_else(|| self.entry.get(&failure.error_type).copied()).unwrap_or(if waitable {
            Level::Retry
        } else {
            crate::entry_level(failure.error_type)
        });
        let judge = failure.judge.and_then(|judge| self.judge.entry(judge));
        let sources = [
            (EntrySource::NotIdempotent, (!failure.idempotent).then_some(Level::Nudge)),
            (EntrySource::Judge, judge),
            (EntrySource::Error, Some(row)),
            (EntrySource::Loop, self.loops.entry(failure.similar)),
        ];
        let levels = sources.into_iter().filter_map(|(source, level)| Some((level?, source)));
        levels.max_by_key(|(level, _)| *level).unwrap_or((row, EntrySource::Error))
    }

    /// Attempts at a level; 0 when it is passed over. Level 5 has one: the report.
    #[must_use]
    pub fn attempts(&self, level: Level) -> u32 {
        match level {
            Level::Retry => self.retry.attempts,
            Level::Nudge => self.nudge.variants,
            Level::Replan => self.replan.plans,
            Level::Fallback => u32::try_from(self.fallback.targets.len()).unwrap_or(u32::MAX),
            Level::ForceDone => 1,
        }
    }

    /// Who takes over from `model` at attempt `attempt` of level 4, counted from 1; the last one stays.
    ///
    /// ```
    /// use escalation::{Fallback, Policy};
    /// use recovery_types::ladder::Target;
    /// let tiers = ["haiku", "sonnet", "opus"].map(str::to_owned).to_vec();
    /// let policy = Policy { fallback: Fallback { tiers, ..Fallback::default() }, ..Policy::default() };
    /// assert_eq!(policy.target(1, Some("claude-sonnet-4-5")), Target::Model("opus".into()));
    /// assert_eq!(policy.target(1, None), Target::NextModelTier);
    /// ```
    #[must_use]
    pub fn target(&self, attempt: u32, model: Option<&str>) -> Target {
        let last = self.fallback.targets.len().saturating_sub(1);
        let index = usize::try_from(attempt).unwrap_or(usize::MAX).saturating_sub(1).min(last);
        match self.fallback.targets.get(index).cloned().unwrap_or(Target::NextModelTier) {
            Target::NextModelTier => match self.fallback.tier_of(model) {
                Some(tier) => self.fallback.tiers.get(tier + 1).cloned().map_or(Target::NextModelTier, Target::Model),
                None => Target::NextModelTier,
            },
            named @ (Target::Model(_) | Target::Agent(_)) => named,
        }
    }

    /// The time limit of a level; none for level 5.
    #[must_use]
    pub fn limit_ms(&self, level: Level) -> Option<u64> {
        match level {
            Level::Retry => Some(self.retry.limit_ms),
            Level::Nudge => Some(self.nudge.limit_ms),
            Level::Replan => Some(self.replan.limit_ms),
            Level::Fallback => Some(self.fallback.limit_ms),
            Level::ForceDone => None,
        }
    }

    /// The first level from `level` upwards that has something to try for whom `model` works. Above the highest tier there
    /// is none to hand over to.
    #[must_use]
    pub fn at_or_above(&self, level: Level, model: Option<&str>) -> Level {
        let has_more = |l: Level| l != Level::Fallback || !self.fallback.is_at_the_top(model);
        Level::ALL
            .into_iter()
            .find(|l| *l >= level && self.attempts(*l) > 0 && has_more(*l))
            .unwrap_or(Level::ForceDone)
    }

    /// Where a level leads that is used up, whether or not that level has something to try. A service that stays
    /// unavailable for the whole of level 1 is down, and nothing in between can bring it back.
    #[must_use]
    pub fn after(&self, level: Level, error: ErrorType) -> Level {
        if level == Level::Retry && error == ErrorType::ServiceUnavailable { Level::ForceDone } else { level.above() }
    }

    /// Refuses what makes no sense, with the reason.
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
            most(setting, limit, LONGEST_MS)?;
        }
        most("retry.attempts", self.retry.attempts.into(), MOST_ATTEMPTS)?;
        most("nudge.variants", self.nudge.variants.into(), MOST_ATTEMPTS)?;
        most("replan.plans", self.replan.plans.into(), MOST_ATTEMPTS)?;
        most("fallback.targets", self.fallback.targets.len() as u64, MOST_ATTEMPTS)?;
        most("session_budget_ms", self.session_budget_ms.unwrap_or(0), LONGEST_MS)?;
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
        if window < force_done || window > MOST_WINDOW {
            return Err(PolicyError::Window { window, force_done, most: MOST_WINDOW });
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

/// One hundred years: beyond it a limit is a typing error.
const LONGEST_MS: u64 = 100 * 365 * 86_400_000;
const MOST_ATTEMPTS: u64 = 1000;
const MOST_WINDOW: u32 = 1000;

/// Why a policy is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A limit of zero.
    #[error("{setting} is 0: it would pass the moment it starts; leave it out, or give the level no attempts")]
    NoTime {
        /// Which one.
        setting: &'static str,
    },
    /// A number beyond reason.
    #[error("{setting} is {value}, more than {most}")]
    TooMuch {
        /// Which one.
        setting: &'static str,
        /// What it is.
        value: u64,
        /// What it may be.
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
        /// All backoffs together.
        backoffs: u64,
        /// The level's limit.
        limit: u64,
    },
    /// A fallback target without a name.
    #[error("fallback.targets: number {position} has an empty name")]
    NamelessTarget {
        /// Which one, from 1.
        position: usize,
    },
    /// A model tier without a name.
    #[error("fallback.tiers: number {position} is empty")]
    NamelessTier {
        /// Which one, from 1.
        position: usize,
    },
    /// One action is no loop.
    #[error("loop.replan is {replan}: fewer than 2 similar actions are no loop")]
    LoopOfOne {
        /// What it is.
        replan: u32,
    },
    /// A longer loop must not lift less.
    #[error("loop thresholds fall: replan {replan}, fallback {fallback}, force_done {force_done} must not get smaller")]
    ThresholdsFall {
        /// Threshold of level 3.
        replan: u32,
        /// Threshold of level 4.
        fallback: u32,
        /// Threshold of level 5.
        force_done: u32,
    },
    /// A window that cannot hold the longest run, or is beyond reason.
    #[error("loop.window is {window}: it must hold loop.force_done ({force_done}) actions and at most {most}")]
    Window {
        /// What it is.
        window: u32,
        /// What it must hold.
        force_done: u32,
        /// What it may be.
        most: u32,
    },
    /// A likeness outside of 1 to 1000 thousandths.
    #[error("loop.similarity_permille is {similarity_permille}: it must be from 1 to 1000")]
    Similarity {
        /// What it is.
        similarity_permille: u32,
    },
    /// A cycle that cannot be seen twice.
    #[error("loop.longest_cycle is {longest_cycle}: a cycle must fit twice into loop.window ({window})")]
    CycleBeyondWindow {
        /// What it is.
        longest_cycle: u32,
        /// The window.
        window: u32,
    },
}

impl PolicyError {
    /// The settings that do not go together, most likely culprit first, as they are named in a file.
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
