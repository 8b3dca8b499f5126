//! How a failure enters the ladder: one table in order of precedence; the first row whose condition holds decides.
//!
//! In: a [`Case`]. Out: a row of [`ENTRY`]: a pause, a skip, a level, or whose row of the matrix gives the level. Most failures
//! enter at their error type's row of the ladder's matrix; an error of the code itself has no row there, so its class
//! decides, because how far it reaches is what matters. The rows above are the recommendations that bind the ladder. The id
//! and the reason of the row are what a decision shows where it overrules another answer. Pairwise winners are a snapshot.

use escalation::matrix_level;
use recovery_types::repair::Strategy;
use recovery_types::{Action, Class, ErrorType, Level};

/// The input of the [`ENTRY`] table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub class: Class,
    pub action: Action,
    pub error: ErrorType,
    pub strategy: Option<Strategy>,
    /// The number of times that this conflict was given to the arbiter before.
    pub arbitrations: u32,
    /// Whether the plan has frozen the node.
    pub is_frozen: bool,
    /// Whether the classification of the last failure was uncertain too.
    pub was_unsure: bool,
    /// Whether it is uncertain because the output was hardly recognised: one retry, then the ladder continues as usual.
    pub is_unclear: bool,
    /// Whether the context is exhausted and the caller continues in a new session.
    pub is_continued: bool,
    /// Whether the command was stopped at its time limit.
    pub overran: bool,
    /// Whether a run inside the command has retried it and given up.
    pub was_retried_inside: bool,
    /// Whether the user's settings have a row for the error type.
    pub is_configured: bool,
}

/// A row of [`ENTRY`], by its stable id. Declared in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryRule {
    ConflictAgain,
    Conflict,
    Frozen,
    UnsureAgain,
    Pruned,
    Continuation,
    TimeLimit,
    RetriedInside,
    Configured,
    Unclear,
    Unsure,
    Matrix,
    ClassLevel,
}

/// The effect of a failure on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It is paused: another party decides first.
    Pause,
    /// It ends: the task is removed.
    Skip,
    /// It enters this level, or stays above it.
    Level(Level),
    /// It enters at the error type's row of the matrix.
    Matrix,
    /// It enters at the level of the class.
    Class,
}

/// One row of [`ENTRY`].
pub(crate) struct EntryRow {
    pub id: EntryRule,
    when: fn(&Case) -> bool,
    pub then: Entry,
    /// The reason for which it overrules a different recommendation.
    pub why: &'static str,
}

impl EntryRow {
    /// The level that it names for a class; `None` if the matrix decides, or no level is entered.
    pub const fn level(&self, class: Class) -> Option<Level> {
        match self.then {
            Entry::Level(level) => Some(level),
            Entry::Class => Some(class_level(class)),
            Entry::Matrix | Entry::Pause | Entry::Skip => None,
        }
    }
}

/// The number of arbitrations of one conflict before a person is asked.
const ARBITRATIONS: u32 = 2;

/// The effect of a failure on the ladder, highest precedence first.
#[rustfmt::skip]
pub(crate) const ENTRY: [EntryRow; 13] = [
    EntryRow { id: EntryRule::ConflictAgain, when: |c| c.class == Class::F6 && c.arbitrations >= ARBITRATIONS, then: Entry::Level(Level::ForceDone),
        why: "the conflict came back after two arbitrations" },
    EntryRow { id: EntryRule::Conflict, when: |c| c.class == Class::F6, then: Entry::Pause,
        why: "the conflict has to be settled first" },
    EntryRow { id: EntryRule::Frozen, when: |c| c.is_frozen || c.action == Action::FreezeAndEscalate, then: Entry::Level(Level::ForceDone),
        why: "a frozen node waits for a person" },
    EntryRow { id: EntryRule::UnsureAgain, when: |c| c.action == Action::SingleRetryThenEscalate && c.was_unsure && !c.is_unclear, then: Entry::Level(Level::ForceDone),
        why: "the one retry of an unsure classification is used up" },
    EntryRow { id: EntryRule::Pruned, when: |c| c.strategy == Some(Strategy::Prune), then: Entry::Skip,
        why: "a task that cannot be done here is left out" },
    EntryRow { id: EntryRule::Continuation, when: |c| c.is_continued, then: Entry::Level(Level::Nudge),
        why: "the work goes on in a new session" },
    EntryRow { id: EntryRule::TimeLimit, when: |c| c.overran, then: Entry::Level(Level::Retry),
        why: "time alone decides about a command that was stopped at its limit" },
    EntryRow { id: EntryRule::RetriedInside, when: |c| c.was_retried_inside && !is_above_nudge(c.error) && is_within_task(c.class), then: Entry::Level(Level::Nudge),
        why: "a run inside the command has retried it and given up" },
    EntryRow { id: EntryRule::Configured, when: |c| c.is_configured, then: Entry::Matrix,
        why: "the settings name a level for this error type" },
    EntryRow { id: EntryRule::Unclear, when: |c| c.is_unclear && !c.was_unsure && !is_above_nudge(c.error), then: Entry::Level(Level::Retry),
        why: "the output was hardly recognised, so it is tried once more" },
    EntryRow { id: EntryRule::Unsure, when: |c| c.action == Action::SingleRetryThenEscalate && !c.is_unclear && !is_above_nudge(c.error), then: Entry::Level(Level::Retry),
        why: "the classifier is not sure, so it is tried once more" },
    EntryRow { id: EntryRule::Matrix, when: |c| matrix_level(c.error).is_some(), then: Entry::Matrix,
        why: "the error type has a level of its own" },
    EntryRow { id: EntryRule::ClassLevel, when: |_| true, then: Entry::Class,
        why: "how far the failure reaches decides the level" },
];

/// Table order is declaration order.
const _: () = {
    let mut at = 0;
    while at < ENTRY.len() {
        assert!(ENTRY[at].id as usize == at);
        at += 1;
    }
};

impl EntryRule {
    /// The stable id.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ConflictAgain => "conflict-again",
            Self::Conflict => "conflict",
            Self::Frozen => "frozen",
            Self::UnsureAgain => "unsure-again",
            Self::Pruned => "pruned",
            Self::Continuation => "continuation",
            Self::TimeLimit => "time-limit",
            Self::RetriedInside => "retried-inside",
            Self::Configured => "configured",
            Self::Unclear => "unclear",
            Self::Unsure => "unsure",
            Self::Matrix => "matrix",
            Self::ClassLevel => "class",
        }
    }
}

/// The row that decides about the failure.
pub(crate) fn entry(case: &Case) -> &'static EntryRow {
    const TABLE: &[EntryRow; 13] = &ENTRY;
    TABLE.iter().find(|row| (row.when)(case)).unwrap_or(&TABLE[EntryRule::ClassLevel as usize])
}

/// The level of a class, for error types without a row in the matrix.
pub(crate) const fn class_level(class: Class) -> Level {
    match class {
        Class::F1 => Level::Retry,
        Class::F2 | Class::F6 => Level::Nudge,
        Class::F3 | Class::F4 => Level::Replan,
        Class::F5 => Level::ForceDone,
    }
}

const fn is_within_task(class: Class) -> bool {
    matches!(class, Class::F1 | Class::F2)
}

fn is_above_nudge(error: ErrorType) -> bool {
    matrix_level(error) > Some(Level::Nudge)
}
