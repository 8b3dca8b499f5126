//! The one table that makes one decision of four answers.
//!
//! The ladder is the spine: its level, and nothing else, says how hard to push. What the other three add is here.
//!
//! **Entry level** ([`entry`]): the error type's row of the ladder's matrix. An error of the code itself (build, test,
//! type, lint, an uncaught exception, one that no rule knows) has no row: there the class decides, because how far it
//! reaches is what matters. F5 always goes to a person, F6 pauses the ladder for the arbiter, a PRUNE ends the task.
//!
//! **What to do** ([`verb`]), by level and repair strategy:
//!
//! | level | RETRY | DECOMPOSE | PRUNE | ESCALATE | repair off |
//! |---|---|---|---|---|---|
//! | 1 retry | retry | retry | retry | retry | retry |
//! | 2 nudge | nudge | decompose | prune | nudge | gate |
//! | 3 replan | replan | replan | prune | replan | replan |
//! | 4 fallback | fallback | fallback | prune | fallback | fallback |
//! | 5 force-done | `force_done` | `force_done` | prune | `force_done` | `force_done` |
//!
//! **The working tree** ([`tree`]), by level and failure type:
//!
//! | level | `BROKEN_BUILD` | `VERIFICATION_FAILED` | `CONTEXT_EXHAUSTED` | `CIRCULAR_FIX` | `UNKNOWN` |
//! |---|---|---|---|---|---|
//! | 1 | keep | keep | keep | keep | keep |
//! | 2 to 4 | roll back (keep without a good commit) | keep | commit | keep | keep |
//! | 5 | keep | keep | commit | keep | keep |
//!
//! **The scope of a replan** ([`scope`]), by class: F1 and F2 the task, F3 the story, F4 the feature, F5 the user, F6
//! the arbiter.

use recovery_types::repair::Strategy;
use recovery_types::{Class, ErrorType, FailureType, Level};
use serde::{Deserialize, Serialize};

/// What to do now, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// The same action again, after the backoff.
    Retry,
    /// The same approach with the adjustment.
    Nudge,
    /// The sub-tasks in place of the task.
    Decompose,
    /// Leave the task out.
    Prune,
    /// Repair is off: a person chooses.
    Gate,
    /// A new approach.
    Replan,
    /// Another agent or model.
    Fallback,
    /// Nothing until the stated time.
    Wait,
    /// Commit and go on in a new session.
    Continue,
    /// Hand over what there is.
    ForceDone,
    /// Let the arbiter decide.
    Arbitrate,
    /// Nothing: it works.
    Done,
}

/// What happens to the working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tree {
    /// Back to the last good commit, with everything saved first.
    RollBack,
    /// It stays as it is.
    Keep,
    /// Commit what there is.
    Commit,
}

/// What a replan covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The task.
    Task,
    /// The story it belongs to.
    Story,
    /// The feature.
    Feature,
    /// Only a person can say.
    User,
    /// The conflict, first.
    Arbiter,
}

/// The level that stands in for the matrix, where another answer knows better.
pub(crate) fn entry(error: ErrorType, class: Class, strategy: Option<Strategy>) -> Option<Level> {
    if strategy == Some(Strategy::Prune) || class == Class::F5 {
        return Some(Level::ForceDone);
    }
    if has_row(error) {
        return None;
    }
    match class {
        Class::F1 => Some(Level::Retry),
        Class::F2 | Class::F6 => Some(Level::Nudge),
        Class::F3 | Class::F4 => Some(Level::Replan),
        Class::F5 => Some(Level::ForceDone),
    }
}

/// Errors of the code itself have no row in the ladder's matrix.
fn has_row(error: ErrorType) -> bool {
    !error.is_code_error() && !matches!(error, ErrorType::RuntimeException | ErrorType::Other)
}

/// What to do, by level and repair strategy; no strategy means that repair is off.
pub(crate) const fn verb(level: Level, strategy: Option<Strategy>) -> Verb {
    match (level, strategy) {
        (Level::Retry, _) => Verb::Retry,
        (Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone, Some(Strategy::Prune)) => Verb::Prune,
        (Level::Nudge, Some(Strategy::Decompose)) => Verb::Decompose,
        (Level::Nudge, Some(Strategy::Retry | Strategy::Escalate)) => Verb::Nudge,
        (Level::Nudge, None) => Verb::Gate,
        (Level::Replan, _) => Verb::Replan,
        (Level::Fallback, _) => Verb::Fallback,
        (Level::ForceDone, _) => Verb::ForceDone,
    }
}

/// What happens to the working tree.
pub(crate) const fn tree(level: Level, failure: FailureType, good_commit_known: bool) -> Tree {
    match (failure, level) {
        (_, Level::Retry) => Tree::Keep,
        (FailureType::ContextExhausted, _) => Tree::Commit,
        (FailureType::BrokenBuild, Level::Nudge | Level::Replan | Level::Fallback) if good_commit_known => {
            Tree::RollBack
        }
        (
            FailureType::BrokenBuild
            | FailureType::VerificationFailed
            | FailureType::CircularFix
            | FailureType::Unknown,
            _,
        ) => Tree::Keep,
    }
}

/// What a replan covers.
pub(crate) const fn scope(class: Class) -> Scope {
    match class {
        Class::F1 | Class::F2 => Scope::Task,
        Class::F3 => Scope::Story,
        Class::F4 => Scope::Feature,
        Class::F5 => Scope::User,
        Class::F6 => Scope::Arbiter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// The whole of the three tables, so that a change of any cell is seen.
    #[test]
    fn every_cell() {
        let mut cells = String::new();
        let strategies = Strategy::ALL.into_iter().map(Some).chain([None]);
        for level in Level::ALL {
            let verbs: Vec<String> = strategies.clone().map(|s| format!("{:?}", verb(level, s))).collect();
            let trees: Vec<String> =
                FailureType::ALL.map(|f| format!("{:?}/{:?}", tree(level, f, true), tree(level, f, false))).to_vec();
            writeln!(cells, "level {}: {} | {}", level.number(), verbs.join(" "), trees.join(" ")).unwrap();
        }
        for class in Class::ALL {
            let entries: Vec<String> = [ErrorType::TestFailure, ErrorType::FileNotFound]
                .map(|e| entry(e, class, None).map_or("matrix".to_owned(), |level| level.number().to_string()))
                .to_vec();
            let pruned = entry(ErrorType::TestFailure, class, Some(Strategy::Prune));
            writeln!(cells, "{class:?}: scope {:?}, entry {}, pruned {pruned:?}", scope(class), entries.join(" "))
                .unwrap();
        }
        insta::assert_snapshot!("tables", cells);
    }

    /// An error type has a row of its own, or the class decides: those of the code itself.
    #[test]
    fn errors_of_the_code_have_no_row() {
        let without: Vec<&str> = ErrorType::ALL.iter().filter(|e| !has_row(**e)).map(|e| e.name()).collect();
        let code = [
            "compile_error",
            "missing_dependency",
            "type_error",
            "lint_error",
            "test_failure",
            "runtime_exception",
            "other",
        ];
        assert_eq!(without, code);
    }
}
