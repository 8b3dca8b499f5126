//! Loop detection: runs of similar actions, and cycles of a few actions in the same order.
//!
//! In: each action of a task with its outcome. Out: how often the loop it belongs to has been repeated. Actions are
//! compared by the similarity of their normalised arguments (`loops/normal.rs`). An outcome that is better than the
//! last one of the same action is progress and starts the count again. [`LoopDetector`] has no dependency on the ladder
//! and can be used alone.

mod normal;

pub use normal::normalise;

use crate::LoopPolicy;
use recovery_types::similarity::Words;
use std::collections::VecDeque;

/// Watches the last actions of a task for loops.
///
/// A run is a number of similar actions in a row, each like the run's first one. A cycle is the same few actions again
/// in the same order (A, B, A, B). Blocked actions and actions that change nothing count like failed ones. An action
/// with a better outcome than it had before is progress, and counting starts anew with it.
///
/// ```
/// use escalation::{ObservedAction, LoopDetector, LoopPolicy, ActionOutcome};
/// let mut loops = LoopDetector::new(LoopPolicy::default());
/// let test = ObservedAction::new("Bash", "npm test --timeout 30000");
/// assert_eq!(loops.observe(&test, ActionOutcome::Failed { problems: Some(4) }), 1);
/// assert_eq!(loops.observe(&ObservedAction::new("Bash", "npm test --timeout 60000"), ActionOutcome::Failed { problems: Some(4) }), 2);
/// // Fewer failing tests: progress.
/// assert_eq!(loops.observe(&test, ActionOutcome::Failed { problems: Some(2) }), 1);
/// ```
#[derive(Clone, Debug)]
pub struct LoopDetector {
    policy: LoopPolicy,
    /// The last actions, newest last.
    seen: VecDeque<Seen>,
    /// The length of the current run.
    run: usize,
    /// For each cycle length from 2, the number of actions in a row that equal the action that many before.
    repeats: Vec<usize>,
}

/// An action of an agent: a tool and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedAction {
    /// The tool.
    pub tool: String,
    /// The arguments, as one text.
    pub arguments: String,
}

impl ObservedAction {
    /// `tool` with `arguments`.
    pub fn new(tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { tool: tool.into(), arguments: arguments.into() }
    }

    fn words(&self) -> Words {
        Words::all(&format!("{} {}", self.tool, normalise(&self.arguments)))
    }
}

/// The outcome of an action, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionOutcome {
    /// It was denied.
    Blocked,
    /// It failed.
    Failed {
        /// The number of problems it showed (failed tests, errors), if known.
        problems: Option<u32>,
    },
    /// It succeeded without a change.
    NoOp,
    /// It succeeded.
    Succeeded,
}

impl ActionOutcome {
    /// Whether this is progress after `earlier`. An action without a change is no better than a failure, and numbers of
    /// problems are compared only if both are known.
    #[must_use]
    pub fn is_better_than(self, earlier: Self) -> bool {
        match (self, earlier) {
            (Self::Succeeded, earlier) => earlier != Self::Succeeded,
            (Self::Failed { problems: Some(now) }, Self::Failed { problems: Some(before) }) => now < before,
            (Self::Failed { .. } | Self::Blocked | Self::NoOp, _) => false,
        }
    }
}

#[derive(Clone, Debug)]
struct Seen {
    words: Words,
    outcome: ActionOutcome,
}

impl LoopDetector {
    /// An empty detector.
    #[must_use]
    pub fn new(policy: LoopPolicy) -> Self {
        let repeats = vec![0; (policy.longest_cycle as usize).saturating_sub(1)];
        Self { policy, seen: VecDeque::new(), run: 0, repeats }
    }

    /// Records one more action and returns the number of similar actions in a row, this one included; 0 for a polling
    /// action, which changes nothing. In a cycle every action that repeats an earlier one counts, plus one: A, B, A, B
    /// is 3, as A, A, A is.
    pub fn observe(&mut self, action: &ObservedAction, outcome: ActionOutcome) -> u32 {
        if self.is_polling(action) {
            return 0;
        }
        let new = Seen { words: action.words(), outcome };
        if self.is_progress(&new) {
            self.clear();
        }
        let window = (self.policy.window as usize).max(1);
        if self.seen.len() >= window {
            self.seen.pop_front();
            self.run = self.run.min(self.seen.len());
        }
        let first_of_run = self.seen.len() - self.run;
        let same_run = self.seen.get(first_of_run).is_some_and(|first| self.similar(first, &new));
        self.run = if same_run { self.run + 1 } else { 1 };
        for length in 2..self.repeats.len() + 2 {
            let before = self.seen.len().checked_sub(length).and_then(|index| self.seen.get(index));
            let repeated = before.is_some_and(|before| self.similar(before, &new));
            let count = &mut self.repeats[length - 2];
            *count = if repeated { (*count + 1).min(window.saturating_sub(length)) } else { 0 };
        }
        self.seen.push_back(new);
        self.count()
    }

    /// The number of similar actions in a row: the longest of the run and the cycles that were completed twice.
    #[must_use]
    pub fn count(&self) -> u32 {
        let cycles = (2..).zip(&self.repeats).filter(|(length, repeats)| *repeats >= length);
        let longest = cycles.map(|(_, repeats)| repeats + 1).chain([self.run]).max().unwrap_or(0);
        u32::try_from(longest).unwrap_or(u32::MAX)
    }

    /// Forgets all recorded actions.
    pub fn clear(&mut self) {
        self.seen.clear();
        self.run = 0;
        self.repeats.fill(0);
    }

    fn similar(&self, a: &Seen, b: &Seen) -> bool {
        a.words.jaccard(&b.words).reaches(u64::from(self.policy.similarity_permille))
    }

    /// Better than every earlier time, so that alternating between two outcomes is no progress.
    fn is_progress(&self, new: &Seen) -> bool {
        let mut earlier = self.seen.iter().filter(|seen| self.similar(seen, new)).peekable();
        earlier.peek().is_some() && earlier.all(|seen| new.outcome.is_better_than(seen.outcome))
    }

    fn is_polling(&self, action: &ObservedAction) -> bool {
        self.policy.polling.iter().any(|name| {
            action.tool.eq_ignore_ascii_case(name)
                || action
                    .arguments
                    .strip_prefix(name.as_str())
                    .is_some_and(|rest| !name.is_empty() && rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
        })
    }
}
