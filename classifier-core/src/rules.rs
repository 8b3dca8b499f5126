//! The nine rules, in order.
//!
//! In: nothing; this is the table. Out: [`RULES`], in order of precedence, each with its id, class, base confidence and
//! predicate. The first rule that fires decides. Table order is declaration order of [`RuleId`], checked by the compiler; the
//! pairwise winners are a snapshot. To change precedence, move the row and the variant; to add a rule, add both, a predicate
//! and a page.

use crate::case::Case;
use crate::evidence::Evidence;
use crate::predicates;
use recovery_types::{Class, Permille};

/// A rule, by its stable id. Declared in the order of precedence.
///
/// ```
/// use classifier_core::RuleId;
/// assert_eq!(RuleId::RepeatedFailure.as_str(), "repeated-failure");
/// assert_eq!(RuleId::named("repeated-failure"), Some(RuleId::RepeatedFailure));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleId {
    /// Exit code 0.
    NotAFailure,
    /// Two tasks collided.
    Conflict,
    /// The network, a server or a lock; the identical action may work.
    TransientPattern,
    /// The third failure in a row with the same output.
    RepeatedFailure,
    /// A sibling task touched the same files.
    SiblingFiles,
    /// The first failure, with an error in the code.
    FirstCodeError,
    /// The work has drifted from the plan.
    Deviation,
    /// The failure contradicts the mission's constraints.
    MissionContradicted,
    /// None of the others.
    Default,
}

/// One row of [`RULES`].
#[derive(Clone, Copy)]
pub struct Rule {
    /// Which rule.
    pub id: RuleId,
    /// The class of the rule; `None` where there is no failure to classify.
    pub class: Option<Class>,
    /// The confidence before corroboration.
    pub confidence: Permille,
    /// The evidence if the rule fires, otherwise `None`.
    pub(crate) when: fn(&Case<'_>) -> Option<Vec<Evidence>>,
}

/// All rules, highest precedence first: the first that fires decides.
#[rustfmt::skip]
pub const RULES: [Rule; 9] = [
    Rule { id: RuleId::NotAFailure,         class: None,            confidence: Permille::new(0),   when: predicates::not_a_failure },
    Rule { id: RuleId::Conflict,            class: Some(Class::F6), confidence: Permille::new(950), when: predicates::conflict },
    Rule { id: RuleId::TransientPattern,    class: Some(Class::F1), confidence: Permille::new(950), when: predicates::transient },
    Rule { id: RuleId::RepeatedFailure,     class: Some(Class::F3), confidence: Permille::new(750), when: predicates::repeated_failure },
    Rule { id: RuleId::SiblingFiles,        class: Some(Class::F4), confidence: Permille::new(800), when: predicates::sibling_files },
    Rule { id: RuleId::FirstCodeError,      class: Some(Class::F2), confidence: Permille::new(850), when: predicates::first_code_error },
    Rule { id: RuleId::Deviation,           class: Some(Class::F4), confidence: Permille::new(800), when: predicates::deviation },
    Rule { id: RuleId::MissionContradicted, class: Some(Class::F5), confidence: Permille::new(650), when: predicates::mission_contradicted },
    Rule { id: RuleId::Default,             class: Some(Class::F2), confidence: Permille::new(850), when: predicates::always },
];

/// Table order is declaration order, so that comparing ids compares precedence.
const _: () = assert!(in_declaration_order(&RULES));

const fn in_declaration_order(rules: &[Rule]) -> bool {
    let mut at = 0;
    while at < rules.len() {
        if rules[at].id as usize != at {
            return false;
        }
        at += 1;
    }
    true
}

impl RuleId {
    /// The stable id as answers and commands spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotAFailure => "not-a-failure",
            Self::Conflict => "conflict",
            Self::TransientPattern => "transient-pattern",
            Self::RepeatedFailure => "repeated-failure",
            Self::SiblingFiles => "sibling-files",
            Self::FirstCodeError => "first-code-error",
            Self::Deviation => "deviation",
            Self::MissionContradicted => "mission-contradicted",
            Self::Default => "default",
        }
    }

    /// The rule with this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        RULES.iter().map(|rule| rule.id).find(|rule| rule.as_str() == id)
    }

    /// The rule's row.
    #[must_use]
    pub const fn rule(self) -> &'static Rule {
        const TABLE: &[Rule; 9] = &RULES;
        &TABLE[self as usize]
    }
}

impl std::fmt::Display for RuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_out_of_order_is_noticed() {
        assert!(in_declaration_order(&RULES));
        for at in 1..RULES.len() {
            let mut swapped = RULES;
            swapped.swap(at - 1, at);
            assert!(!in_declaration_order(&swapped), "{} before {}", swapped[at - 1].id, swapped[at].id);
        }
    }
}
