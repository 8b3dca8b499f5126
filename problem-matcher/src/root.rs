//! Which of all problems is the root cause.
//!
//! [`STEPS`] are preferences in order of precedence. Each keeps the candidates it prefers, if there are any, and leaves
//! the rest to the next one; the first candidate in the text that is left is the root cause. A new preference is one
//! row and one variant; the order is checked at compile time and shown in a snapshot.

use crate::frames::is_project_file;
use crate::matcher::{Found, Kind};
use recovery_types::Severity;

/// A preference, by its stable id. Declared in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootStep {
    /// A problem of the phase that ended the run.
    EndingPhase,
    /// What failed before what only says that something failed.
    NotAConsequence,
    /// Errors before warnings and notes.
    Errors,
    /// What the last command of a shell that traces its commands reported.
    LastCommand,
    /// A compile error before the tests that could not run.
    Compile,
    /// A failed test before the exceptions that tests provoke and log.
    Test,
    /// Known formats before lines that only read like an error.
    KnownFormat,
    /// The project's own code before libraries.
    ProjectCode,
}

/// One row of [`STEPS`].
#[derive(Clone, Copy)]
pub(crate) struct Step {
    id: RootStep,
    prefers: fn(&Candidate<'_>) -> bool,
}

/// A problem with what its surroundings say about it.
pub(crate) struct Candidate<'f> {
    pub found: &'f Found,
    /// Whether it belongs to the phase that ended the run.
    pub in_ending_phase: bool,
    /// Whether it comes after the last command that the shell traced.
    pub is_of_last_command: bool,
}

/// All preferences, highest precedence first.
#[rustfmt::skip]
pub(crate) const STEPS: [Step; 8] = [
    Step { id: RootStep::EndingPhase,     prefers: |c| c.in_ending_phase },
    Step { id: RootStep::NotAConsequence, prefers: |c| c.found.kind != Kind::Consequence },
    Step { id: RootStep::Errors,          prefers: |c| c.found.problem.severity == Severity::Error },
    Step { id: RootStep::LastCommand,     prefers: |c| c.is_of_last_command },
    Step { id: RootStep::Compile,         prefers: |c| c.found.kind == Kind::Compile },
    Step { id: RootStep::Test,            prefers: |c| c.found.kind == Kind::Test },
    Step { id: RootStep::KnownFormat,     prefers: |c| c.found.kind != Kind::Generic },
    Step { id: RootStep::ProjectCode,     prefers: |c| c.found.problem.file.as_deref().is_some_and(is_project_file) },
];

/// Table order is declaration order, so that comparing ids compares precedence.
const _: () = assert!(in_declaration_order(&STEPS));

const fn in_declaration_order(steps: &[Step]) -> bool {
    let mut at = 0;
    while at < steps.len() {
        if steps[at].id as usize != at {
            return false;
        }
        at += 1;
    }
    true
}

/// The index of the root cause among `candidates`.
pub(crate) fn choose(candidates: &[Candidate<'_>]) -> Option<usize> {
    let mut left: Vec<usize> = (0..candidates.len()).collect();
    for step in &STEPS {
        if left.iter().any(|&index| (step.prefers)(&candidates[index])) {
            left.retain(|&index| (step.prefers)(&candidates[index]));
        }
    }
    left.first().copied()
}
