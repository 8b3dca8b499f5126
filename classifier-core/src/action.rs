//! What a class recommends, and when a replan is no longer an answer.
//!
//! In: a case and its class. Out: one of the eight actions; why a replan was refused joins the evidence. Each tier has a
//! budget of replans (feature 2, story 3), shared by everything below it: the budget that the node states takes
//! precedence, else it is the tier's less the replans in the history. A fourth replan in a row is a cycle. Both turn the
//! recommendation into a freeze, because another plan of the same kind would not help. The numbers are here; which replans
//! count is in `history.rs`.

use crate::case::Case;
use crate::evidence::Evidence;
use crate::history;
use recovery_types::{Action, Class, Tier};

/// Replans in a row; one more is a cycle.
const REPLANS_IN_A_ROW: u32 = 3;

/// The replan budget of a tier, where the plan does not state one. A task (T4) is never decomposed again, and the
/// initiative (T1) belongs to a person.
#[must_use]
pub const fn replan_budget(tier: Tier) -> u32 {
    match tier {
        Tier::T1 => 0,
        Tier::T2 => 2,
        Tier::T3 => 3,
        Tier::T4 => 0,
    }
}

/// The recommended action for a failure of this class. The reason for a refused replan joins the evidence.
pub(crate) fn action(case: &Case<'_>, class: Class, evidence: &mut Vec<Evidence>) -> Action {
    match class {
        Class::F1 => Action::RetryWithBackoff,
        Class::F2 if case.config.self_heal => Action::SelfHealPropose,
        Class::F2 => Action::SingleRetry,
        Class::F3 => unless_spent(case, Action::ReplanStory, Tier::T3, evidence),
        Class::F4 => unless_spent(case, Action::ReplanFeature, Tier::T2, evidence),
        Class::F5 => Action::FreezeAndEscalate,
        Class::F6 => Action::Arbitrate,
    }
}

/// The replan, or a freeze where the budget is used up. The budget is that of the decomposed tier less the recorded
/// replans; a budget that the node states takes precedence.
fn unless_spent(case: &Case<'_>, replan: Action, tier: Tier, evidence: &mut Vec<Evidence>) -> Action {
    let done = history::replans(case.event);
    let drawn = if tier == Tier::T3 { done.story } else { done.feature };
    let stated = case.event.node.as_ref().and_then(|node| node.replan_budget_remaining);
    let left = stated.unwrap_or(replan_budget(tier).saturating_sub(drawn));
    let before = evidence.len();
    evidence.extend((done.in_a_row >= REPLANS_IN_A_ROW).then_some(Evidence::ReplanCycle));
    evidence.extend((left == 0).then_some(Evidence::ReplanBudgetExhausted));
    if evidence.len() > before { Action::FreezeAndEscalate } else { replan }
}
