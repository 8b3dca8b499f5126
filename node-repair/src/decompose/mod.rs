//! Done-criteria into two or three sub-tasks.
//!
//! Each concern of the criteria is a sub-task of its own as long as there are at most three; more are grouped by likeness.
//! A part that would only re-word the task, or another part, joins the part it is nearest to, so that no word is lost.

mod concerns;
mod gaps;
mod words;

pub use concerns::{Concern, concerns};
pub use gaps::gaps;

use crate::directive::one_line;
use recovery_types::repair::FailedTask;
use recovery_types::similarity::Words;
use recovery_types::{RepairRequest, SubTask};

/// The most sub-tasks a task may fall into.
pub const MAX_PARTS: usize = 3;

/// Above this share of common words (thousandths) one text re-words the other.
pub const REWORDING: u64 = 750;

/// More concerns than this are first taken together in the order they stand, to keep grouping cheap.
const MOST_GROUPED: usize = 24;

/// One part of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What must hold, one text a concern.
    pub criteria: Vec<String>,
}

impl Part {
    /// What it is to do: its criteria in one line.
    #[must_use]
    pub fn name(&self) -> String {
        self.criteria.join("; ")
    }

    fn words(&self) -> Words {
        Words::keywords(&self.name())
    }

    fn absorb(&mut self, other: Self) {
        for criterion in other.criteria {
            if !self.criteria.contains(&criterion) {
                self.criteria.push(criterion);
            }
        }
    }
}

/// The parts a task falls into; fewer than two means that it does not.
#[must_use]
pub fn parts(request: &RepairRequest, concerns: &[Concern]) -> Vec<Part> {
    let gaps = gaps(&request.error.text);
    let verifiable = concerns.iter().filter(|c| c.verifiable).count();
    if verifiable < 2 && (gaps.is_empty() || gaps.len() + verifiable < 2) {
        return Vec::new();
    }
    let texts = gaps.into_iter().map(|gap| (gap, true));
    let texts = texts.chain(concerns.iter().map(|c| (c.text.clone(), c.verifiable)));
    let (sound, vague): (Vec<_>, Vec<_>) = texts.partition(|(_, verifiable)| *verifiable);
    let mut parts = chunked(sound.into_iter().map(|(text, _)| text).collect());
    // A criterion that cannot be verified is no outcome of its own; it stays with the part it is nearest to.
    for (text, _) in vague {
        let part = Part { criteria: vec![text] };
        let nearest = nearest_to(&part, &parts);
        if let Some(nearest) = nearest.and_then(|i| parts.get_mut(i)) {
            nearest.absorb(part);
        }
    }
    let task = Words::keywords(&request.task.name);
    while parts.len() > 1 {
        let Some((keep, gone)) = to_merge(&parts, &task) else { return parts };
        let gone = parts.remove(gone);
        if let Some(keep) = parts.get_mut(keep) {
            keep.absorb(gone);
        }
    }
    Vec::new()
}

/// The parts as sub-tasks, numbered below the task, each with a budget of its own.
#[must_use]
pub fn number(parts: &[Part], task: &FailedTask, budget: u32) -> Vec<SubTask> {
    let above = one_line(&task.number);
    let above = if above.is_empty() { above } else { format!("{above}.") };
    let numbered = parts.iter().enumerate().map(|(index, part)| SubTask {
        number: format!("{above}{}", index + 1),
        name: part.name(),
        done_criteria: part.criteria.clone(),
        budget,
    });
    numbered.collect()
}

/// Whether `text` says nothing that `other` does not say, or nearly so.
#[must_use]
pub fn rewords(text: &Words, other: &Words) -> bool {
    let new = text.iter().any(|word| !other.iter().any(|o| o == word));
    !other.is_empty() && (!new || text.jaccard(other).exceeds(REWORDING))
}

/// Which two parts to take together next, as (kept, removed); none when the parts are fit.
fn to_merge(parts: &[Part], task: &Words) -> Option<(usize, usize)> {
    let words: Vec<Words> = parts.iter().map(Part::words).collect();
    for (index, own) in words.iter().enumerate() {
        if rewords(own, task) {
            let nearest = nearest_to(&parts[index], parts)?;
            return Some(ordered(index, nearest));
        }
    }
    let pairs = || (0..words.len()).flat_map(|i| (i + 1..words.len()).map(move |j| (i, j)));
    if let Some(pair) = pairs().find(|&(i, j)| rewords(&words[i], &words[j]) || rewords(&words[j], &words[i])) {
        return Some(pair);
    }
    if parts.len() <= MAX_PARTS {
        return None;
    }
    // The most alike pair; among equals the smallest, then the first.
    let size = |i: usize| parts[i].criteria.len();
    pairs().min_by_key(|&(i, j)| {
        let alike = words[i].jaccard(&words[j]).permille();
        (std::cmp::Reverse(alike), size(i) + size(j), j - i, i)
    })
}

/// The part most like `part`, itself left out; the next one where none is alike.
fn nearest_to(part: &Part, parts: &[Part]) -> Option<usize> {
    let words = part.words();
    let own = parts.iter().position(|p| std::ptr::eq(p, part));
    let others = parts.iter().enumerate().filter(|(index, _)| Some(*index) != own);
    others
        .map(|(index, other)| {
            let after = own.is_some_and(|own| index > own);
            (std::cmp::Reverse(words.jaccard(&other.words()).permille()), !after, index)
        })
        .min()
        .map(|(_, _, index)| index)
}

const fn ordered(a: usize, b: usize) -> (usize, usize) {
    if a < b { (a, b) } else { (b, a) }
}

fn chunked(texts: Vec<String>) -> Vec<Part> {
    let size = texts.len().div_ceil(MOST_GROUPED).max(1);
    texts.chunks(size).map(|criteria| Part { criteria: criteria.to_vec() }).collect()
}
