//! The evidence of an answer, as data; it is worded only at the end.
//!
//! In: what a predicate or a corroboration found. Out: an [`Evidence`], whose `Display` is the sentence in the answer. It is
//! data so that evidence can be compared, sorted and deduplicated before it is worded, and so that every wording is in one
//! place. The sample answer of the document fixes some of the wordings (`failed_attempts=3`). Long lists are cut to their
//! first item and a count. New evidence is a variant here with its sentence.

use recovery_types::{Class, Permille, RepoPath};
use std::collections::BTreeSet;
use std::fmt;

/// One piece of evidence. Ordered, so that the order of the inputs does not show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    ExitCode(i64),
    ConflictCause,
    ConflictId(String),
    /// An observation in the output, as the caller words it.
    Fact(String),
    FailedAttempts(u32),
    RepeatedHash,
    RepeatedTest(String),
    SharedFiles {
        sibling: String,
        files: FirstOf,
    },
    /// The failure is in a file that a sibling touched.
    SiblingsFile {
        sibling: String,
        file: RepoPath,
    },
    /// The failing test belongs to the work of a sibling.
    SiblingsTest {
        sibling: String,
        test: String,
    },
    Deviation(Permille),
    Forbidden {
        pattern: String,
        constraint: String,
        place: &'static str,
    },
    Protected {
        constraint: String,
        glob: String,
        files: FirstOf,
    },
    CrossFeature {
        features: Vec<String>,
    },
    TemporaryExit(i64),
    EditedTest {
        test: String,
        times: u32,
    },
    OwnFileNamed(RepoPath),
    SiblingFailed(String),
    /// The probability that the output was understood, where it is below the rule's own confidence.
    OutputUncertain(Permille),
    BelowGate {
        class: Class,
        confidence: Permille,
        gate: Permille,
    },
    ReplanCycle,
    ReplanBudgetExhausted,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitCode(code) => write!(f, "exit_code={code}"),
            Self::ConflictCause => f.write_str("cause=conflict"),
            Self::ConflictId(id) => write!(f, "conflict_id={id}"),
            Self::Fact(text) => f.write_str(text),
            Self::FailedAttempts(n) => write!(f, "failed_attempts={n}"),
            Self::RepeatedHash => f.write_str("stderr_hash matches last 2 attempts"),
            Self::RepeatedTest(test) => write!(f, "test {test} failed in the last 2 attempts too"),
            Self::SharedFiles { sibling, files } => write!(f, "files_touched shared with sibling {sibling}: {files}"),
            Self::SiblingsFile { sibling, file } => {
                write!(f, "the failure is in {file}, which sibling {sibling} touched")
            }
            Self::SiblingsTest { sibling, test } => write!(f, "the failing test {test} is sibling {sibling}'s"),
            Self::Deviation(score) => write!(f, "deviation_score={score}"),
            Self::Forbidden { constraint, pattern, place } => {
                write!(f, "constraint {constraint}: forbidden {pattern:?} in {place}")
            }
            Self::Protected { constraint, glob, files } => {
                write!(f, "constraint {constraint}: protected {glob:?} touched: {files}")
            }
            Self::CrossFeature { features } => write!(f, "files_touched spans features: {}", features.join(", ")),
            Self::TemporaryExit(code) => write!(f, "exit_code={code} means a temporary failure or a timeout"),
            Self::EditedTest { test, times } => {
                write!(f, "test_ref {test} has been edited {times} times in revision history")
            }
            Self::OwnFileNamed(file) => write!(f, "output names {file}, which this attempt touched"),
            Self::SiblingFailed(sibling) => write!(f, "sibling {sibling} failed too"),
            Self::OutputUncertain(confidence) => write!(f, "diagnosis.confidence={confidence}"),
            Self::BelowGate { class, confidence, gate } => {
                write!(f, "would be {class:?} {}, but confidence {confidence} is below {gate}", class.name())
            }
            Self::ReplanCycle => f.write_str("replan_cycle_detected"),
            Self::ReplanBudgetExhausted => f.write_str("replan_budget_exhausted"),
        }
    }
}

/// The first of some files and the number of the others, so that long lists stay readable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FirstOf {
    first: RepoPath,
    more: usize,
}

impl FirstOf {
    pub fn new(files: BTreeSet<&RepoPath>) -> Option<Self> {
        let first = (*files.first()?).clone();
        Some(Self { first, more: files.len() - 1 })
    }
}

impl fmt::Display for FirstOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.more {
            0 => write!(f, "{}", self.first),
            more => write!(f, "{} and {more} more", self.first),
        }
    }
}
