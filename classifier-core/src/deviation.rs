//! How far the work has drifted from the plan.
//!
//! In: a node of the plan and how often its task failed. Out: a score from 0 to 1000 thousandths; from 700 on rule 7 fires.
//! The score that the node states takes precedence. Otherwise it is computed from attempts, revisions and tokens, in whole
//! numbers over a common denominator: with floating point the threshold would be missed by a rounding error on some
//! machines. The weights are the document's; to change them, change [`deviation_score`] and its tests.

use recovery_types::{Node, Permille};

/// The node's stated score, or
/// `0.4 min(attempts / 2.5, 1) + 0.3 min(revisions / 3.3, 1) + 0.3 min(overrun, 1)`, rounded down.
///
/// In thousandths that is 160 for each attempt up to 400, 1000/11 for each revision up to 300, and 300 times the
/// overrun up to 300: whole numbers over the common denominator `11 budget`, so that a threshold is hit exactly.
/// Without a token budget, or with one of 0, there is no overrun.
pub(crate) fn deviation_score(node: &Node, failed_attempts: u32) -> Permille {
    if let Some(stated) = node.deviation_score {
        return thousandths(stated);
    }
    let budget = u128::from(node.context_budget.unwrap_or(0).max(1));
    let overrun = match (node.actual_tokens, node.context_budget) {
        (Some(actual), Some(planned)) if planned > 0 => u128::from(actual.saturating_sub(planned)).min(budget),
        (Some(_) | None, Some(_) | None) => 0,
    };
    let attempts = (160 * u128::from(failed_attempts)).min(400) * 11 * budget;
    let revisions = (1000 * u128::from(node.revisions_since_planning)).min(300 * 11) * budget;
    let score = (attempts + revisions + 300 * 11 * overrun) / (11 * budget);
    Permille::new(u16::try_from(score).unwrap_or(1000))
}

/// A decimal from JSON in whole thousandths, rounded down so that 0.6999 does not reach 0.7. The small addend
/// compensates for binary fractions: 0.57, which is stored as slightly less, stays 570.
fn thousandths(decimal: f64) -> Permille {
    // The cast saturates, and turns NaN into 0.
    Permille::new((decimal * 1000.0 + 1e-9) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn node(revisions_since_planning: u32, actual_tokens: Option<u64>, context_budget: Option<u64>) -> Node {
        Node {
            id: "T".to_owned(),
            parent_id: None,
            feature_id: None,
            tier: None,
            status: None,
            failed_attempts: None,
            replan_budget_remaining: None,
            deviation_score: None,
            revisions_since_planning,
            actual_tokens,
            context_budget,
            test_edits: BTreeMap::new(),
        }
    }

    #[test]
    fn each_part_and_its_cap() {
        let attempts = |n| deviation_score(&node(0, None, None), n).get();
        assert_eq!([0, 1, 2, 3, u32::MAX].map(attempts), [0, 160, 320, 400, 400]);
        let revisions = |n| deviation_score(&node(n, None, None), 0).get();
        assert_eq!([0, 1, 2, 3, 4, u32::MAX].map(revisions), [0, 90, 181, 272, 300, 300]);
        let tokens = |actual, budget| deviation_score(&node(0, actual, budget), 0).get();
        assert_eq!(tokens(Some(150), Some(100)), 150);
        assert_eq!(tokens(Some(100), Some(100)), 0);
        assert_eq!(tokens(Some(1), Some(100)), 0);
        assert_eq!(tokens(Some(200), Some(100)), 300);
        assert_eq!(tokens(Some(u64::MAX), Some(1)), 300);
        assert_eq!(tokens(Some(u64::MAX), Some(u64::MAX - 1)), 0);
        assert_eq!(tokens(Some(9), Some(0)), 0);
        assert_eq!(tokens(Some(9), None), 0);
        assert_eq!(tokens(None, Some(9)), 0);
    }

    #[test]
    fn the_parts_add_up_before_rounding() {
        // 160 + 90.9.. + 0.09.. (300 x 1/3300) = 251 exactly; rounding each part down would give 250.
        assert_eq!(deviation_score(&node(1, Some(3301), Some(3300)), 1).get(), 251);
        assert_eq!(deviation_score(&node(4, Some(2), Some(1)), 3).get(), 1000);
        assert_eq!(deviation_score(&node(4, None, None), 3).get(), 700);
    }
}
