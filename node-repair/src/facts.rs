//! The facts that the strategy table decides on, computed once per request.
//!
//! In: a [`RepairRequest`] and the [`RepairConfig`]. Out: [`RepairFacts`], plain values without further logic, so that each
//! row of [`RULES`](crate::RULES) is a condition that fits on one line and can be tested with hand-made facts.
//!
//! Most come from `step`, `prune` and `decompose`; two are computed here. The budget is the caller's where it is given,
//! else the configured one less the attempts that count. Approaches count as different only if their keywords differ, so
//! that a reworded retry is not a new approach. A new condition of the table starts as a field here.

use crate::{RepairConfig, decompose, prune, step};
use recovery_types::repair::RepairAttempt;
use recovery_types::similarity::Words;
use recovery_types::{Adjustment, AdjustmentKind, Class, RepairRequest, Strategy};

/// What the table reads.
#[derive(Clone, Debug)]
pub struct RepairFacts {
    /// Whether repair is on.
    pub enabled: bool,
    /// Repair attempts that remain.
    pub budget: u32,
    /// Whether only a person can decide.
    pub architectural: bool,
    /// RETRYs that failed.
    pub failed_retries: usize,
    /// Different approaches among the RETRYs that failed.
    pub failed_approaches: usize,
    /// Whether a DECOMPOSE failed.
    pub decompose_failed: bool,
    /// Whether only a person can go on: a quota, a bill, an expired key.
    pub needs_person: bool,
    /// The next step after this failure, whatever becomes of the task.
    pub step: Adjustment,
    /// What can be changed here so that the same task may work.
    pub adjustment: Option<Adjustment>,
    /// What to work on or to look at first when nothing better is known.
    pub first_look: Adjustment,
    /// Whether every step that the output suggests was tried and failed.
    pub all_tried: bool,
    /// What the task falls into.
    pub split: decompose::Split,
    /// Done-criteria that nothing could verify.
    pub unverifiable: Vec<String>,
    /// What in the plan makes the task infeasible.
    pub infeasible: Option<prune::Reason>,
}

impl RepairFacts {
    /// Reads a request.
    #[must_use]
    pub fn read(request: &RepairRequest, config: &RepairConfig) -> Self {
        let step::Choice { best, adjustment, first_look, all_tried } = step::choose(request);
        let infeasible = prune::reason(request, adjustment.as_ref());
        let concerns = decompose::concerns(&request.task.done_criteria);
        Self {
            enabled: config.enabled,
            budget: request.budget.unwrap_or_else(|| config.budget.saturating_sub(spent(&request.attempts))),
            architectural: request.task.decision || request.class == Some(Class::F5),
            failed_retries: failed_retries(request).count(),
            failed_approaches: different_approaches(request),
            // What the plan rules out cannot be fixed here.
            decompose_failed: request.attempts.iter().any(|a| !a.ok && a.strategy() == Strategy::Decompose),
            needs_person: best.kind == AdjustmentKind::AskHuman,
            step: best,
            adjustment: adjustment.filter(|a| !infeasible.as_ref().is_some_and(|reason| reason.forbids(a))),
            first_look,
            all_tried,
            split: decompose::split(request, &concerns),
            unverifiable: concerns.iter().filter(|c| !c.verifiable).map(|c| c.text.clone()).collect(),
            infeasible,
        }
    }
}

fn spent(attempts: &[RepairAttempt]) -> u32 {
    u32::try_from(attempts.iter().filter(|a| a.strategy().spends_budget()).count()).unwrap_or(u32::MAX)
}

fn failed_retries(request: &RepairRequest) -> impl Iterator<Item = &RepairAttempt> {
    request.attempts.iter().filter(|a| !a.ok && a.strategy() == Strategy::Retry)
}

/// Approaches differ when their words do: case, punctuation and word order make no new approach.
fn different_approaches(request: &RepairRequest) -> usize {
    let mut seen: Vec<Words> = Vec::new();
    for attempt in failed_retries(request) {
        let words = Words::keywords(&attempt.approach);
        if !seen.contains(&words) {
            seen.push(words);
        }
    }
    seen.len()
}
