//! The input of the rules: one failure with the values that several rules need.
//!
//! In: an event, the facts of its output and the settings. Out: a `Case`, which the predicates read: it adds what more than
//! one of them needs (attempts, deviation, contradictions of the mission), each computed once. Contradictions are computed
//! only when a rule needs them, because they compile globs. A value that several rules need belongs here.

use crate::deviation::deviation_score;
use crate::history::{self, failed_attempts};
use crate::mission::{Contradictions, contradictions};
use crate::{Config, Facts};
use recovery_types::{FailureEvent, HistoryEntry, Permille};
use std::cell::OnceCell;

/// An event with what the rules derive from it.
pub(crate) struct Case<'a> {
    pub event: &'a FailureEvent,
    pub facts: &'a Facts,
    pub config: &'a Config,
    /// The number of failed attempts, this failure included.
    pub failed_attempts: u32,
    pub deviation: Permille,
    contradictions: OnceCell<Contradictions>,
}

impl<'a> Case<'a> {
    pub fn new(event: &'a FailureEvent, facts: &'a Facts, config: &'a Config) -> Self {
        let failed_attempts = failed_attempts(event);
        let deviation = event.node.as_ref().map_or(Permille::new(0), |node| deviation_score(node, failed_attempts));
        Self { event, facts, config, failed_attempts, deviation, contradictions: OnceCell::new() }
    }

    /// Contradictions of the mission. Computed lazily and once, because globs are compiled for it.
    pub fn contradictions(&self) -> &Contradictions {
        self.contradictions.get_or_init(|| contradictions(self.event))
    }

    /// The history entries of sibling tasks, each with the id of its node.
    pub fn siblings(&self) -> impl Iterator<Item = (&'a str, &'a HistoryEntry)> {
        let node = self.event.node.as_ref();
        self.event.history.iter().filter_map(move |entry| Some((history::sibling(node?, entry)?, entry)))
    }
}
