//! The tables that reconcile the four answers into one decision.
//!
//! The ladder decides how hard to push. What the other three answers add is here, as tables in order of precedence:
//!
//! - [`mod@entry`]: what a failure does to the ladder, one table.
//! - [`verb`]: the next action, by the state of the ladder, its level and the repair strategy.
//! - [`repeating`]: whether repeating the action unchanged is allowed.
//! - [`asks_a_person`], [`may_hold`]: whether a person has to decide, and whether the action may be denied.
//! - [`tree`]: the treatment of the working tree, by verb, level and failure type.
//! - [`scope`]: the scope of a replan, by class.
//! - [`overruled`]: recommendations that the decision does not follow, each with the rule that overruled it.
//!
//! Every cell is in one snapshot (`every_cell`), so each change is visible.

mod entry;

pub(crate) use entry::{Case, Entry, EntryRow, EntryRule, entry};
use escalation::EntrySource;
use recovery_types::diagnosis::RecoveryVerb;
use recovery_types::ladder::Cause;
use recovery_types::repair::{Repeating, Strategy};
use recovery_types::{Action, Class, FailureType, Level};
use serde::{Deserialize, Serialize};

/// The next action, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Repeat the same action, after the backoff.
    Retry,
    /// The same approach with the adjustment.
    Nudge,
    /// Replace the task by the sub-tasks.
    Decompose,
    /// Remove the task from the plan.
    Prune,
    /// Repair is off: a person chooses.
    Gate,
    /// A new approach.
    Replan,
    /// Another agent or model.
    Fallback,
    /// Nothing until the stated time.
    Wait,
    /// Commit and continue in a new session.
    Continue,
    /// Hand over the partial result.
    ForceDone,
    /// The arbiter decides.
    Arbitrate,
    /// Nothing: it succeeded.
    Done,
}

/// The treatment of the working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tree {
    /// Roll back to the last good commit, after saving everything.
    RollBack,
    /// Leave it unchanged.
    Keep,
    /// Commit the current state.
    Commit,
}

/// The scope of a replan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Scope {
    /// The task.
    Task,
    /// The story of the task.
    Story,
    /// The feature.
    Feature,
    /// A person decides.
    User,
    /// First the conflict.
    Arbiter,
}

/// As JSON spells it.
impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// As JSON spells it.
impl std::fmt::Display for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// As JSON spells it.
impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// A recommendation that the decision does not follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overruled {
    /// The rule that won, by its stable id.
    pub by: String,
    /// The recommendation, and the answer that it belongs to.
    pub what: String,
    /// Why the rule won.
    pub why: String,
}

/// The state of the ladder, as far as the verb depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ladder {
    /// It is at a level.
    At(Level),
    /// It is at a level, and the server asked to wait.
    Waiting(Level),
    /// It is at level 2 and the caller continues in a new session.
    Continuing,
    /// It is paused for the arbiter.
    Paused,
    /// It ended: the task is removed.
    Skipped,
}

/// The verb, by the state of the ladder and the repair strategy; without a strategy repair is off.
pub(crate) const fn verb(ladder: Ladder, strategy: Option<Strategy>) -> Verb {
    match ladder {
        Ladder::Paused => Verb::Arbitrate,
        Ladder::Skipped => Verb::Prune,
        Ladder::Waiting(_) => Verb::Wait,
        Ladder::Continuing => Verb::Continue,
        Ladder::At(Level::Retry) => Verb::Retry,
        Ladder::At(Level::Nudge) => match strategy {
            Some(Strategy::Decompose) => Verb::Decompose,
            Some(Strategy::Retry | Strategy::Escalate) => Verb::Nudge,
            Some(Strategy::Prune) => Verb::Prune,
            None => Verb::Gate,
        },
        Ladder::At(Level::Replan) => Verb::Replan,
        Ladder::At(Level::Fallback) => Verb::Fallback,
        Ladder::At(Level::ForceDone) => Verb::ForceDone,
    }
}

/// Whether repeating the action unchanged is allowed: only while the ladder itself repeats it or waits.
pub(crate) const fn repeating(ladder: Ladder, is_idempotent: bool) -> Repeating {
    match (ladder, is_idempotent) {
        (Ladder::At(_) | Ladder::Waiting(_) | Ladder::Continuing | Ladder::Paused | Ladder::Skipped, false) => {
            Repeating::Unsafe
        }
        (Ladder::At(Level::Retry) | Ladder::Waiting(_) | Ladder::Paused | Ladder::Skipped, true) => Repeating::Allowed,
        (Ladder::At(Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone) | Ladder::Continuing, true) => {
            Repeating::Spent
        }
    }
}

/// Whether the repair budget is used up, so that a person has to decide.
pub(crate) const fn asks_a_person(ladder: Ladder) -> bool {
    match ladder {
        Ladder::At(Level::ForceDone) => true,
        Ladder::At(Level::Retry | Level::Nudge | Level::Replan | Level::Fallback)
        | Ladder::Waiting(_)
        | Ladder::Continuing
        | Ladder::Paused
        | Ladder::Skipped => false,
    }
}

/// Whether the failed action may be denied: not if the decision requires that very action.
pub(crate) const fn may_hold(verb: Verb) -> bool {
    match verb {
        Verb::Retry | Verb::Done => false,
        Verb::Nudge
        | Verb::Decompose
        | Verb::Prune
        | Verb::Gate
        | Verb::Replan
        | Verb::Fallback
        | Verb::Wait
        | Verb::Continue
        | Verb::ForceDone
        | Verb::Arbitrate => true,
    }
}

/// The treatment of the working tree.
pub(crate) const fn tree(verb: Verb, level: Level, failure: FailureType, good_commit_known: bool) -> Tree {
    match verb {
        Verb::Wait | Verb::Arbitrate | Verb::Prune | Verb::Done => return Tree::Keep,
        Verb::Retry
        | Verb::Nudge
        | Verb::Decompose
        | Verb::Gate
        | Verb::Replan
        | Verb::Fallback
        | Verb::Continue
        | Verb::ForceDone => {}
    }
    match (failure, level) {
        (
            FailureType::BrokenBuild
            | FailureType::VerificationFailed
            | FailureType::ContextExhausted
            | FailureType::CircularFix
            | FailureType::Unknown,
            Level::Retry,
        ) => Tree::Keep,
        (FailureType::ContextExhausted, Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone) => {
            Tree::Commit
        }
        (FailureType::BrokenBuild, Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone)
            if good_commit_known =>
        {
            Tree::RollBack
        }
        (
            FailureType::BrokenBuild
            | FailureType::VerificationFailed
            | FailureType::CircularFix
            | FailureType::Unknown,
            Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone,
        ) => Tree::Keep,
    }
}

/// The scope of a replan.
pub(crate) const fn scope(class: Class) -> Scope {
    match class {
        Class::F1 | Class::F2 => Scope::Task,
        Class::F3 => Scope::Story,
        Class::F4 => Scope::Feature,
        Class::F5 => Scope::User,
        Class::F6 => Scope::Arbiter,
    }
}

/// The cause of the ladder's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Winner {
    by: &'static str,
    why: &'static str,
}

/// What decides where no row of [`mod@entry`] is the reason.
const WAIT: Winner = Winner { by: "wait", why: "it was said when to go on" };
const REPAIR_OFF: Winner = Winner { by: "repair.disabled", why: "repair is off, so a person chooses" };
const NOT_IDEMPOTENT: Winner = Winner { by: "not-idempotent", why: "repeating the action unchanged is not safe" };
const JUDGE: Winner = Winner { by: "judge", why: "the judge's score or verdict asks for this level" };
const LOOP: Winner = Winner { by: "loop", why: "similar attempts were repeated, so another approach comes next" };
const DEADLINE: Winner = Winner { by: "deadline", why: "the time limit of the level below passed" };
const SESSION_BUDGET: Winner = Winner { by: "session-budget", why: "the session's time budget is used up" };
const LADDER: Winner =
    Winner { by: "ladder", why: "each level has its attempts before the next one, and none is left out" };

/// Every rule that a decision may name under `overruled`, with its reason.
pub fn reasons() -> impl Iterator<Item = (&'static str, &'static str)> {
    let others = [WAIT, REPAIR_OFF, NOT_IDEMPOTENT, JUDGE, LOOP, DEADLINE, SESSION_BUDGET, LADDER];
    entry::ENTRY
        .iter()
        .map(|row| (row.id.as_str(), row.why))
        .chain(others.into_iter().map(|other| (other.by, other.why)))
}

/// The rule that brought the decision about: the gate, a wait, the entry row, another cause of the entry level, a
/// limit, or the attempts used up before.
pub(crate) fn winner(
    row: &EntryRow,
    entered: Option<(Level, EntrySource)>,
    ladder: Ladder,
    verb: Verb,
    cause: Cause,
) -> Winner {
    let by_row = Winner { by: row.id.as_str(), why: row.why };
    let level = match ladder {
        Ladder::Paused | Ladder::Skipped | Ladder::Continuing => return by_row,
        Ladder::Waiting(_) => return WAIT,
        Ladder::At(level) => level,
    };
    if verb == Verb::Gate {
        return REPAIR_OFF;
    }
    match (entered, row.then) {
        // A row that names a level needs no other reason.
        (Some((at, _)), Entry::Level(named)) if at == level && named == level => return by_row,
        (Some((at, source)), _) if at == level => {
            return match source {
                EntrySource::Error => by_row,
                EntrySource::NotIdempotent => NOT_IDEMPOTENT,
                EntrySource::Judge => JUDGE,
                EntrySource::Loop => LOOP,
            };
        }
        _ => {}
    }
    match cause {
        Cause::Deadline => DEADLINE,
        Cause::SessionBudget => SESSION_BUDGET,
        Cause::Failure | Cause::Judge | Cause::Loop | Cause::Success | Cause::Reset | Cause::Pause | Cause::Skip => {
            LADDER
        }
    }
}

/// Whether the verb follows the action of the classifier.
pub(crate) const fn follows(action: Action, verb: Verb) -> bool {
    match action {
        Action::RetryWithBackoff => matches!(verb, Verb::Retry | Verb::Wait),
        Action::SelfHealPropose => {
            matches!(verb, Verb::Nudge | Verb::Decompose | Verb::Gate | Verb::Continue | Verb::Wait)
        }
        Action::SingleRetry => matches!(verb, Verb::Retry | Verb::Nudge | Verb::Wait),
        Action::SingleRetryThenEscalate => matches!(verb, Verb::Retry | Verb::ForceDone | Verb::Wait),
        Action::ReplanStory | Action::ReplanFeature => matches!(verb, Verb::Replan),
        Action::FreezeAndEscalate => matches!(verb, Verb::ForceDone),
        Action::Arbitrate => matches!(verb, Verb::Arbitrate),
    }
}

/// Whether verb and tree follow the recovery action of the failure type.
pub(crate) const fn carries_out(action: RecoveryVerb, verb: Verb, tree: Tree) -> bool {
    match action {
        RecoveryVerb::Rollback => matches!(tree, Tree::RollBack),
        RecoveryVerb::Retry => {
            matches!(verb, Verb::Retry | Verb::Wait | Verb::Nudge | Verb::Decompose | Verb::Continue)
        }
        RecoveryVerb::Skip => matches!(verb, Verb::Prune | Verb::ForceDone),
        RecoveryVerb::Continue => matches!(verb, Verb::Continue) || matches!(tree, Tree::Commit),
        RecoveryVerb::Escalate => matches!(verb, Verb::ForceDone | Verb::Gate | Verb::Arbitrate),
    }
}

/// Whether the verb follows the repair strategy; no strategy is the gate.
pub(crate) const fn repairs(strategy: Option<Strategy>, verb: Verb) -> bool {
    match strategy {
        Some(Strategy::Retry) => matches!(verb, Verb::Retry | Verb::Wait | Verb::Nudge),
        Some(Strategy::Decompose) => matches!(verb, Verb::Decompose),
        Some(Strategy::Prune) => matches!(verb, Verb::Prune),
        Some(Strategy::Escalate) => matches!(verb, Verb::ForceDone),
        None => matches!(verb, Verb::Gate),
    }
}

/// The recommendations of the four answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recommended {
    /// The action of the classifier.
    pub action: Action,
    /// The recovery action of the failure type.
    pub recovery: RecoveryVerb,
    /// The strategy of the repair, if the task is repaired at all; the inner `None` is the gate.
    pub repair: Option<Option<Strategy>>,
}

/// The recommendations that `verb` and `tree` do not follow.
pub(crate) fn overruled(recommended: &Recommended, verb: Verb, tree: Tree, winner: Winner) -> Vec<Overruled> {
    let Recommended { action, recovery, repair } = recommended;
    let by = |what: String| Overruled { by: winner.by.to_owned(), what, why: winner.why.to_owned() };
    let classified = (!follows(*action, verb)).then(|| format!("classification.recommended_action {}", word(action)));
    let diagnosed =
        (!carries_out(*recovery, verb, tree)).then(|| format!("diagnosis.recovery_action {}", word(recovery)));
    let repaired = repair.filter(|strategy| !repairs(*strategy, verb)).map(|strategy| match strategy {
        Some(strategy) => format!("repair.strategy {strategy}"),
        None => "repair.gate".to_owned(),
    });
    [classified, diagnosed, repaired].into_iter().flatten().map(by).collect()
}

/// A shared word as JSON spells it.
fn word(word: &impl Serialize) -> String {
    serde_json::to_value(word).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::entry::class_level;
    use super::*;
    use recovery_types::ErrorType;
    use std::fmt::Write as _;

    const ACTIONS: [Action; 8] = [
        Action::RetryWithBackoff,
        Action::SelfHealPropose,
        Action::SingleRetry,
        Action::SingleRetryThenEscalate,
        Action::ReplanStory,
        Action::ReplanFeature,
        Action::FreezeAndEscalate,
        Action::Arbitrate,
    ];
    const VERBS: [Verb; 12] = [
        Verb::Retry,
        Verb::Nudge,
        Verb::Decompose,
        Verb::Prune,
        Verb::Gate,
        Verb::Replan,
        Verb::Fallback,
        Verb::Wait,
        Verb::Continue,
        Verb::ForceDone,
        Verb::Arbitrate,
        Verb::Done,
    ];

    fn case(class: Class, action: Action) -> Case {
        Case {
            class,
            action,
            error: ErrorType::TestFailure,
            strategy: None,
            arbitrations: 0,
            is_frozen: false,
            was_unsure: false,
            is_unclear: false,
            is_continued: false,
            overran: false,
            was_retried_inside: false,
            is_configured: false,
        }
    }

    /// Every cell of the tables, so that each change is visible.
    #[test]
    fn every_cell() {
        let mut cells = String::new();
        let strategies = Strategy::ALL.into_iter().map(Some).chain([None]);
        let ladders = Level::ALL.map(Ladder::At).into_iter().chain([
            Ladder::Waiting(Level::Retry),
            Ladder::Continuing,
            Ladder::Paused,
            Ladder::Skipped,
        ]);
        for ladder in ladders {
            let verbs: Vec<String> = strategies.clone().map(|s| format!("{:?}", verb(ladder, s))).collect();
            let (again, asks) = (repeating(ladder, true), asks_a_person(ladder));
            writeln!(cells, "{ladder:?}: {}; repeating {again:?}, asks a person {asks}", verbs.join(" ")).unwrap();
        }
        for level in Level::ALL {
            let trees: Vec<String> = FailureType::ALL
                .map(|f| {
                    let at = verb(Ladder::At(level), Some(Strategy::Retry));
                    format!("{:?}/{:?}", tree(at, level, f, true), tree(at, level, f, false))
                })
                .to_vec();
            writeln!(cells, "tree at level {}: {}", level.number(), trees.join(" ")).unwrap();
        }
        for class in Class::ALL {
            writeln!(cells, "{class:?}: scope {:?}, level {}", scope(class), class_level(class).number()).unwrap();
        }
        for action in ACTIONS {
            let follow: Vec<String> = VERBS.iter().filter(|v| follows(action, **v)).map(|v| format!("{v:?}")).collect();
            writeln!(cells, "{} is followed by {}", word(&action), follow.join(" ")).unwrap();
        }
        use RecoveryVerb::{Continue, Escalate, Retry, Rollback, Skip};
        for action in [Rollback, Retry, Skip, Continue, Escalate] {
            let out: Vec<String> = VERBS
                .iter()
                .flat_map(|v| [Tree::Keep, Tree::RollBack, Tree::Commit].map(|t| (*v, t)))
                .filter(|(v, t)| carries_out(action, *v, *t))
                .map(|(v, t)| format!("{v:?}/{t:?}"))
                .collect();
            writeln!(cells, "{} is carried out by {}", word(&action), out.join(" ")).unwrap();
        }
        for strategy in strategies {
            let out: Vec<String> = VERBS.iter().filter(|v| repairs(strategy, **v)).map(|v| format!("{v:?}")).collect();
            writeln!(cells, "{strategy:?} is done by {}", out.join(" ")).unwrap();
        }
        let held: Vec<String> = VERBS.iter().filter(|v| may_hold(**v)).map(|v| format!("{v:?}")).collect();
        writeln!(cells, "held back at {}", held.join(" ")).unwrap();
        insta::assert_snapshot!("tables", cells);
    }

    /// The winner of each pair of entry rows, where both hold.
    #[test]
    fn every_pair_of_entry_rows() {
        type Witness = (EntryRule, fn(&mut Case));
        let witnesses: [Witness; 12] = [
            (EntryRule::ConflictAgain, |c| (c.class, c.arbitrations) = (Class::F6, 2)),
            (EntryRule::Conflict, |c| c.class = Class::F6),
            (EntryRule::Frozen, |c| c.is_frozen = true),
            (EntryRule::UnsureAgain, |c| (c.action, c.was_unsure) = (Action::SingleRetryThenEscalate, true)),
            (EntryRule::Pruned, |c| c.strategy = Some(Strategy::Prune)),
            (EntryRule::Continuation, |c| c.is_continued = true),
            (EntryRule::TimeLimit, |c| c.overran = true),
            (EntryRule::RetriedInside, |c| c.was_retried_inside = true),
            (EntryRule::Configured, |c| c.is_configured = true),
            (EntryRule::Unclear, |c| (c.action, c.is_unclear) = (Action::SingleRetryThenEscalate, true)),
            (EntryRule::Unsure, |c| c.action = Action::SingleRetryThenEscalate),
            (EntryRule::Matrix, |c| c.error = ErrorType::FileNotFound),
        ];
        let mut cells = String::new();
        for (one, set_one) in witnesses {
            let winners: Vec<&str> = witnesses
                .iter()
                .map(|(_, set_other)| {
                    let mut both = case(Class::F2, Action::SelfHealPropose);
                    set_one(&mut both);
                    set_other(&mut both);
                    entry(&both).id.as_str()
                })
                .collect();
            writeln!(cells, "{:14} {}", one.as_str(), winners.join(" ")).unwrap();
        }
        insta::assert_snapshot!("entry_rows", cells);
    }
}
