//! Done-criteria into two or three sub-tasks.
//!
//! A sub-task has exactly one verifiable outcome: a structural gap, or one concern of the done-criteria. A concern that
//! re-words the task or another sub-task is none. Where more than three are left, those that the error is about come
//! first. What no sub-task has stays with the task ([`Split::remaining`]): it is verified with the task once the
//! sub-tasks have passed, and the next DECOMPOSE starts with it.

mod concerns;
mod gaps;
mod words;

pub use concerns::{Concern, concerns};
pub use gaps::gaps;

use crate::directive::{Directive, one_line, parse_directive};
use recovery_types::repair::FailedTask;
use recovery_types::similarity::Words;
use recovery_types::{RepairRequest, Strategy, SubTask};

/// The most sub-tasks a task may fall into.
pub const MAX_PARTS: usize = 3;

/// Above this share of common words (thousandths) one text re-words the other.
pub const REWORDING: u64 = 750;

/// What a task falls into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The outcome of each sub-task; fewer than two means that the task does not fall apart, and there is none.
    pub parts: Vec<String>,
    /// The criteria that stay with the task.
    pub remaining: Vec<String>,
}

/// The sub-tasks of a task, and what stays with it.
#[must_use]
pub fn split(request: &RepairRequest, concerns: &[Concern]) -> Split {
    let gaps = gaps(&request.error.text);
    let verifiable = concerns.iter().filter(|c| c.verifiable).count();
    if verifiable < 2 && (gaps.is_empty() || gaps.len() + verifiable < 2) {
        return Split::default();
    }
    let passed = passed(request);
    let task = Words::keywords(&request.task.name);
    let mut fit: Vec<(String, Words)> = Vec::new();
    let texts = gaps.into_iter().chain(concerns.iter().filter(|c| c.verifiable).map(|c| c.text.clone()));
    for text in texts.filter(|text| !passed.contains(text)) {
        let words = Words::keywords(&text);
        let is_new = !words.is_empty()
            && !rewords(&words, &task)
            && fit.iter().all(|(_, other)| !rewords(&words, other) && !rewords(other, &words));
        if is_new {
            fit.push((text, words));
        }
    }
    if fit.len() < 2 {
        return Split::default();
    }
    let error = Words::keywords(&request.error.text);
    let shared = |words: &Words| words.iter().filter(|word| error.iter().any(|other| other == *word)).count();
    let mut order: Vec<usize> = (0..fit.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(shared(&fit[*at].1)));
    order.truncate(MAX_PARTS);
    order.sort_unstable();
    let parts: Vec<String> = order.into_iter().map(|at| fit[at].0.clone()).collect();
    let stays = |text: &&String| !parts.contains(text) && !passed.contains(text);
    let remaining = concerns.iter().map(|c| &c.text).filter(stays).cloned().collect();
    Split { parts, remaining }
}

/// The outcomes of sub-tasks that an earlier DECOMPOSE made and that passed.
fn passed(request: &RepairRequest) -> Vec<String> {
    let worked = request.attempts.iter().filter(|attempt| attempt.ok && attempt.strategy() == Strategy::Decompose);
    let outcomes = worked.flat_map(|attempt| {
        let approach = attempt.approach.trim_start_matches("DECOMPOSE: ");
        match parse_directive(&format!("{}: {approach}", Strategy::Decompose)) {
            Some(Directive::Decompose(parts)) => parts,
            _ => Vec::new(),
        }
    });
    outcomes.collect()
}

/// The outcomes as sub-tasks, numbered below the task, each with a budget of its own.
#[must_use]
pub fn number(parts: &[String], task: &FailedTask, budget: u32) -> Vec<SubTask> {
    let above = one_line(&task.number);
    let above = if above.is_empty() { above } else { format!("{above}.") };
    let numbered = parts.iter().enumerate().map(|(index, part)| SubTask {
        number: format!("{above}{}", index + 1),
        name: part.clone(),
        done_criteria: vec![part.clone()],
        budget,
    });
    numbered.collect()
}

/// Whether all words of `text` occur in `other`, or the Jaccard similarity of both exceeds [`REWORDING`].
#[must_use]
pub fn rewords(text: &Words, other: &Words) -> bool {
    let new = text.iter().any(|word| !other.iter().any(|o| o == word));
    !other.is_empty() && (!new || text.jaccard(other).exceeds(REWORDING))
}
