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
    /// What failed, before lines that only report that something failed.
    NotAConsequence,
    /// Errors before warnings and notes.
    Errors,
    /// What the last command of a shell that traces its commands reported.
    LastCommand,
    /// A compile error before the tests that could not run.
    Compile,
    /// A failed test before the exceptions that tests provoke and log.
    Test,
    /// What reads most like an error, where no format is known.
    MostTelling,
    /// Known formats before lines that only read like an error.
    KnownFormat,
    /// A line of the project's own code before libraries and before files as a whole.
    ProjectCode,
}

/// One row of [`STEPS`].
#[derive(Clone, Copy)]
pub(crate) struct Step {
    id: RootStep,
    prefers: fn(&Candidate<'_>) -> bool,
}

/// A problem with what the lines around it show about it.
pub(crate) struct Candidate<'f> {
    pub found: &'f Found,
    /// Whether it belongs to the phase that ended the run.
    pub in_ending_phase: bool,
    /// Whether it comes after the last command that the shell traced.
    pub is_of_last_command: bool,
    /// Whether it reads most like an error among lines of no known format.
    pub is_most_telling: bool,
}

/// All preferences, highest precedence first.
#[rustfmt::skip]
pub(crate) const STEPS: [Step; 9] = [
    Step { id: RootStep::EndingPhase,     prefers: |c| c.in_ending_phase },
    Step { id: RootStep::NotAConsequence, prefers: |c| c.found.kind != Kind::Consequence },
    Step { id: RootStep::Errors,          prefers: |c| c.found.problem.severity == Severity::Error },
    Step { id: RootStep::LastCommand,     prefers: |c| c.is_of_last_command },
    Step { id: RootStep::Compile,         prefers: |c| c.found.kind == Kind::Compile },
    Step { id: RootStep::Test,            prefers: |c| c.found.kind == Kind::Test },
    Step { id: RootStep::MostTelling,     prefers: |c| c.is_most_telling },
    Step { id: RootStep::KnownFormat,     prefers: |c| c.found.kind != Kind::Generic },
    Step { id: RootStep::ProjectCode,     prefers: |c| c.found.problem.line.is_some() && c.found.problem.file.as_deref().is_some_and(is_project_file) },
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

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_types::Problem;

    #[test]
    fn a_table_out_of_order_is_noticed() {
        for at in 1..STEPS.len() {
            let mut swapped = STEPS;
            swapped.swap(at - 1, at);
            assert!(!in_declaration_order(&swapped));
        }
    }

    fn found(kind: Kind, severity: Severity, file: Option<&str>) -> Found {
        let mut problem = Problem::new(severity, "x");
        problem.file = file.map(str::to_owned);
        problem.line = file.map(|_| 1);
        Found { problem, kind, matcher: "test".into(), lines: 1 }
    }

    /// Every sort of problem against every other, the later one in the text first, so that only the table can prefer it.
    #[test]
    fn pairwise_winners() {
        let sorts = [
            ("compile error", found(Kind::Compile, Severity::Error, Some("src/a.rs"))),
            ("failed test", found(Kind::Test, Severity::Error, Some("tests/a.rs"))),
            ("exception", found(Kind::Exception, Severity::Error, Some("src/a.py"))),
            ("library exception", found(Kind::Exception, Severity::Error, None)),
            ("tool's line", found(Kind::Tool, Severity::Error, None)),
            ("lint warning", found(Kind::Lint, Severity::Warning, Some("src/a.rs"))),
            ("telling line", found(Kind::Generic, Severity::Error, None)),
            ("consequence", found(Kind::Consequence, Severity::Error, None)),
        ];
        let mut table = String::new();
        for (first, one) in &sorts {
            for (second, other) in &sorts {
                if first == second {
                    continue;
                }
                let candidates = [one, other].map(|found| Candidate {
                    found,
                    in_ending_phase: true,
                    is_of_last_command: true,
                    is_most_telling: false,
                });
                let winner = if choose(&candidates) == Some(0) { first } else { second };
                table += &format!("{first}, then {second}: {winner}\n");
            }
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn the_ending_phase_outranks_everything() {
        let compile = found(Kind::Compile, Severity::Error, Some("src/a.rs"));
        let consequence = found(Kind::Consequence, Severity::Error, None);
        let candidates = [
            Candidate { found: &compile, in_ending_phase: false, is_of_last_command: false, is_most_telling: false },
            Candidate { found: &consequence, in_ending_phase: true, is_of_last_command: false, is_most_telling: false },
        ];
        assert_eq!(choose(&candidates), Some(1));
    }
}
