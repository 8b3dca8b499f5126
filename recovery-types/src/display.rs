//! `Display` for every shared enum: each prints the name that JSON uses, a ladder level its action.

use crate::classification::{Action, Class};
use crate::cooldown::CooldownState;
use crate::diagnosis::{FailureType, RecoveryVerb};
use crate::event::{Tier, Verdict};
use crate::ladder::{Level, PartialStatus, UpdateStatus, WaitReason};
use crate::repair::{AdjustmentKind, GateOption, Repeating, TaskStatus};
use std::fmt::{Display, Formatter, Result};

/// Displays words by a function.
macro_rules! display_by {
    ($($word:ty => $name:path;)+) => {
        $(impl Display for $word {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.write_str($name(*self))
            }
        })+
    };
}

/// Displays words by a table.
macro_rules! display_as {
    ($($word:ty { $($variant:ident => $name:literal,)+ })+) => {
        $(impl Display for $word {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.write_str(match self { $(Self::$variant => $name,)+ })
            }
        })+

        #[cfg(test)]
        fn listed() -> Vec<(serde_json::Value, String)> {
            vec![$($((serde_json::to_value(<$word>::$variant).unwrap(), <$word>::$variant.to_string()),)+)+]
        }
    };
}

display_by! {
    FailureType => FailureType::name;
    AdjustmentKind => AdjustmentKind::name;
    GateOption => GateOption::name;
    CooldownState => CooldownState::name;
    Level => Level::action;
}

display_as! {
    Class { F1 => "F1", F2 => "F2", F3 => "F3", F4 => "F4", F5 => "F5", F6 => "F6", }
    Tier { T1 => "T1", T2 => "T2", T3 => "T3", T4 => "T4", }
    Verdict { Pass => "PASS", Fail => "FAIL", }
    Action {
        RetryWithBackoff => "retry_with_backoff",
        SelfHealPropose => "self_heal_propose",
        SingleRetry => "single_retry",
        SingleRetryThenEscalate => "single_retry_then_escalate",
        ReplanStory => "replan_story",
        ReplanFeature => "replan_feature",
        FreezeAndEscalate => "freeze_and_escalate",
        Arbitrate => "arbitrate",
    }
    RecoveryVerb {
        Rollback => "rollback",
        Retry => "retry",
        Skip => "skip",
        Continue => "continue",
        Escalate => "escalate",
    }
    WaitReason { RetryAfter => "retry_after", QuotaReset => "quota_reset", Cooldown => "cooldown", }
    Repeating { Allowed => "allowed", Spent => "spent", Unsafe => "unsafe", }
    PartialStatus { Partial => "partial", }
    UpdateStatus { InProgress => "in_progress", Completed => "completed", Pending => "pending", }
    TaskStatus { Done => "done", Failed => "failed", Skipped => "skipped", Pending => "pending", }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_displayed_as_json_spells_them() {
        for (json, displayed) in listed() {
            assert_eq!(json, displayed);
        }
        assert_eq!(FailureType::BrokenBuild.to_string(), "BROKEN_BUILD");
        assert_eq!(Level::ForceDone.to_string(), "force-done");
    }
}
