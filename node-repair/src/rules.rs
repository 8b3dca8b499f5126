//! The ordered strategy table: the first row that holds decides.
//!
//! In: [`RepairFacts`]. Out: RETRY, DECOMPOSE, PRUNE, ESCALATE or, where repair is switched off, the gate. The last row
//! always holds, so that every request has an answer.
//!
//! The order is the policy: limits first (switched off, budget spent), then what only a person can decide, then what can be
//! fixed here, then splitting, pruning, and one retry without a known cause. To change precedence, move a variant of
//! [`RepairRuleId`], its entry in `ALL` and its row together; the check at the end of the file fails to compile if they
//! disagree. `tests/precedence.rs` covers the order.

use crate::RepairFacts;
use recovery_types::Strategy;

/// The rules by their stable ids, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RepairRuleId {
    /// Repair is switched off.
    Disabled,
    /// No repair attempt is left.
    BudgetSpent,
    /// Only a person can decide this.
    Architectural,
    /// Only a person can go on: a quota, a bill, an expired key.
    NeedsPerson,
    /// More than one RETRY failed, with different approaches.
    RetriesFailed,
    /// Something here and now can be changed, and then the same task may work.
    FixableHere,
    /// The task has more than one verifiable concern.
    TooCoarse,
    /// The plan does not allow the task.
    Infeasible,
    /// Nothing better is known, and nothing was retried yet.
    FirstRetry,
    /// Nothing better is known, and the one RETRY failed.
    NothingLeft,
}

impl std::fmt::Display for RepairRuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl RepairRuleId {
    /// All rules in order of precedence.
    pub const ALL: [Self; 10] = [
        Self::Disabled,
        Self::BudgetSpent,
        Self::Architectural,
        Self::NeedsPerson,
        Self::RetriesFailed,
        Self::FixableHere,
        Self::TooCoarse,
        Self::Infeasible,
        Self::FirstRetry,
        Self::NothingLeft,
    ];

    /// The stable id.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "repair.disabled",
            Self::BudgetSpent => "repair.budget-spent",
            Self::Architectural => "repair.architectural",
            Self::NeedsPerson => "repair.needs-person",
            Self::RetriesFailed => "repair.retries-failed",
            Self::FixableHere => "repair.fixable-here",
            Self::TooCoarse => "repair.too-coarse",
            Self::Infeasible => "repair.infeasible",
            Self::FirstRetry => "repair.first-retry",
            Self::NothingLeft => "repair.nothing-left",
        }
    }
}

/// One row: when it holds, its strategy is the answer. No strategy is the gate.
#[derive(Clone, Copy)]
pub struct RepairRule {
    /// Its id.
    pub id: RepairRuleId,
    /// What it answers; none is the gate.
    pub strategy: Option<Strategy>,
    /// One line that states when it holds.
    pub summary: &'static str,
    /// Whether it holds.
    pub when: fn(&RepairFacts) -> bool,
}

/// The table.
#[rustfmt::skip]
pub const RULES: [RepairRule; 10] = [
    RepairRule { id: RepairRuleId::Disabled, strategy: None, when: |f| !f.enabled,
           summary: "`workflow.node_repair` is false" },
    RepairRule { id: RepairRuleId::BudgetSpent, strategy: Some(Strategy::Escalate), when: |f| f.budget == 0,
           summary: "no repair attempt is left" },
    RepairRule { id: RepairRuleId::Architectural, strategy: Some(Strategy::Escalate), when: |f| f.architectural,
           summary: "the failure is architectural (F5), or the task is a decision" },
    RepairRule { id: RepairRuleId::NeedsPerson, strategy: Some(Strategy::Escalate), when: |f| f.needs_person,
           summary: "only a person can go on: a quota is used up, a key has expired" },
    RepairRule { id: RepairRuleId::RetriesFailed, strategy: Some(Strategy::Escalate), when: |f| f.failed_approaches > 1,
           summary: "RETRY failed more than once, with different approaches" },
    RepairRule { id: RepairRuleId::FixableHere, strategy: Some(Strategy::Retry), when: |f| f.adjustment.is_some(),
           summary: "a command error, missing dependency, wrong path, environment issue or transient failure" },
    RepairRule { id: RepairRuleId::TooCoarse, strategy: Some(Strategy::Decompose), when: |f| !f.split.parts.is_empty() && !f.decompose_failed,
           summary: "the done-criteria cover several concerns, or the implementation gaps are structural" },
    RepairRule { id: RepairRuleId::Infeasible, strategy: Some(Strategy::Prune), when: |f| f.infeasible.is_some(),
           summary: "a prerequisite is missing, the task is out of scope, or it contradicts an earlier decision" },
    RepairRule { id: RepairRuleId::FirstRetry, strategy: Some(Strategy::Retry), when: |f| f.failed_retries == 0 && !f.all_tried,
           summary: "nothing better is known, and nothing was retried yet" },
    RepairRule { id: RepairRuleId::NothingLeft, strategy: Some(Strategy::Escalate), when: |_| true,
           summary: "nothing better is known, and the one RETRY failed" },
];

/// The first row that holds.
#[must_use]
pub fn first_match(facts: &RepairFacts) -> &'static RepairRule {
    // The last row always holds; a constant promoted to a static keeps this free of panics.
    static LAST: RepairRule = RULES[RULES.len() - 1];
    static TABLE: [RepairRule; 10] = RULES;
    TABLE.iter().find(|rule| (rule.when)(facts)).unwrap_or(&LAST)
}

const _: () = {
    let mut row = 0;
    while row < RULES.len() {
        assert!(RULES[row].id as usize == row, "the table's order is the declared order");
        assert!(RepairRuleId::ALL[row] as usize == row, "ALL lists every rule in order");
        row += 1;
    }
};
