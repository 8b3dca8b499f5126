//! The numbers of the ladder: attempts, time limits, backoff, entry levels, judge thresholds.
//!
//! In: `[ladder]` of `recovery.toml`, or a [`Policy`] built in code. Out: a policy for [`Ladder`](crate::Ladder), which
//! queries it: the entry level of a failure, the attempts of a level, its time limit, its successor.
//! The defaults are the values of the escalation document. A new number gets a field here, its default, and its check in
//! `policy/check.rs`, which rejects values that make no sense.

mod check;

pub use check::PolicyError;

use crate::LadderFailure;
use recovery_types::ladder::Target;
use recovery_types::{ErrorType, Judge, Level, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The cause of an entry level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrySource {
    /// The error type: its row of the matrix, or the level that the caller states.
    Error,
    /// Repeating the action unchanged is not safe, so level 1 is skipped.
    NotIdempotent,
    /// The scores or the verdict of a judge.
    Judge,
    /// Similar actions in a row.
    Loop,
}

/// The limits of each level. A level without attempts is skipped.
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
    /// The time limit of the whole climb, waits included, in milliseconds. Off by default.
    pub session_budget_ms: Option<u64>,
    /// Entry levels that differ from the documented matrix.
    pub entry: BTreeMap<ErrorType, Level>,
    /// The scores below which a judge's verdict is a failure.
    pub judge: JudgeThresholds,
    /// What counts as a loop, and the level that each length of it lifts to.
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
    /// The factor between one backoff and the next. Default 2.
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
    /// The agents that take over, in order, one attempt each. Default: the next model tier.
    pub targets: Vec<Target>,
    /// Model tiers, lowest first. With them, the next tier above the current model is named. Default none.
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
    /// The index of a model among the tiers; the full name of a model contains that of its tier.
    fn tier_of(&self, model: Option<&str>) -> Option<usize> {
        let model = model?.to_ascii_lowercase();
        self.tiers.iter().position(|tier| model.contains(&tier.to_ascii_lowercase()))
    }

    fn is_at_the_top(&self, model: Option<&str>) -> bool {
        self.tier_of(model).is_some_and(|tier| tier + 1 == self.tiers.len())
            && self.targets.iter().all(|target| *target == Target::NextModelTier)
    }
}

/// The scores below which a judge's verdict is a failure.
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

/// What counts as a loop, and the level that each length of it lifts to.
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
    /// The number of latest actions that are compared. Default 20.
    pub window: u32,
    /// The similarity, in thousandths, from which two actions are similar. Default 750.
    pub similarity_permille: u32,
    /// The longest cycle that is looked for. Default 5.
    pub longest_cycle: u32,
    /// Tools, or prefixes of commands, that poll: repeating them is no loop. Default none.
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
    /// The entry level for this verdict; `None` if no score is below its threshold and it is not FAIL.
    #[must_use]
    pub fn entry(&self, judge: Judge) -> Option<Level> {
        let below = |score: Option<u32>, threshold| score.is_some_and(|score| score < threshold);
        if below(judge.goal_alignment, self.goal_alignment) {
            Some(Level::Replan)
        } else if below(judge.evidence_of_completion, self.evidence_of_completion) {
            Some(Level::Nudge)
        } else {
            // According to the matrix, FAIL is a wrong approach.
            (judge.verdict == Some(Verdict::Fail)).then_some(Level::Replan)
        }
    }
}

impl Policy {
    /// With other limits of level 1.
    ///
    /// ```
    /// use escalation::{Policy, Retry};
    /// use recovery_types::{ErrorType, Level};
    /// let policy = Policy::default()
    ///     .with_retry(Retry { attempts: 2, ..Retry::default() })
    ///     .with_session_budget_ms(3_600_000)
    ///     .with_entry(ErrorType::RateLimit, Level::Fallback);
    /// assert!(policy.validate().is_ok());
    /// ```
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Self {
        Self { retry, ..self }
    }

    /// With other limits of level 2.
    #[must_use]
    pub fn with_nudge(self, nudge: Nudge) -> Self {
        Self { nudge, ..self }
    }

    /// With other limits of level 3.
    #[must_use]
    pub fn with_replan(self, replan: Replan) -> Self {
        Self { replan, ..self }
    }

    /// With other targets and limits of level 4.
    #[must_use]
    pub fn with_fallback(self, fallback: Fallback) -> Self {
        Self { fallback, ..self }
    }

    /// With a time limit of the whole climb, in milliseconds.
    #[must_use]
    pub fn with_session_budget_ms(self, session_budget_ms: u64) -> Self {
        Self { session_budget_ms: Some(session_budget_ms), ..self }
    }

    /// With an entry level that differs from the matrix.
    #[must_use]
    pub fn with_entry(mut self, error_type: ErrorType, level: Level) -> Self {
        self.entry.insert(error_type, level);
        self
    }

    /// With other scores below which a judge's verdict is a failure.
    #[must_use]
    pub fn with_judge(self, judge: JudgeThresholds) -> Self {
        Self { judge, ..self }
    }

    /// With another definition of a loop.
    #[must_use]
    pub fn with_loops(self, loops: LoopPolicy) -> Self {
        Self { loops, ..self }
    }

    /// The entry level of a failure: the highest of the error matrix, the judge and the loop. A non-idempotent action
    /// never enters level 1. A quota with a known renewal time is waited for, like a delay that a server states.
    #[must_use]
    pub fn entry_level(&self, failure: &LadderFailure) -> Level {
        self.entry_of(failure).0
    }

    /// The entry level of a failure with its cause. Of several causes of the same level, the loop takes precedence,
    /// because it is the reason why the error type does not suffice; then the error type.
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

    /// The attempts at a level; 0 if it is skipped. Level 5 has one: the report.
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

    /// The target of attempt `attempt` of level 4, counted from 1, after `model`; the last target repeats.
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

    /// The first level from `level` upwards that has attempts for a task at work with `model`. Above the highest tier
    /// there is no fallback.
    #[must_use]
    pub fn at_or_above(&self, level: Level, model: Option<&str>) -> Level {
        let has_more = |l: Level| l != Level::Fallback || !self.fallback.is_at_the_top(model);
        Level::ALL
            .into_iter()
            .find(|l| *l >= level && self.attempts(*l) > 0 && has_more(*l))
            .unwrap_or(Level::ForceDone)
    }

    /// The successor of a level that is used up, whether or not that level has attempts. A service that stays
    /// unavailable for the whole of level 1 is down, and no level in between can bring it back.
    #[must_use]
    pub fn after(&self, level: Level, error: ErrorType) -> Level {
        if level == Level::Retry && error == ErrorType::ServiceUnavailable { Level::ForceDone } else { level.above() }
    }
}
