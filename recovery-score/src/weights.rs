//! Fits the confidence of a verdict: a logistic regression with one weight per term.
//!
//! In: for each judged case what the verdict rests on ([`Support`]) and whether it was right. Out: [`ConfidenceWeights`], the
//! log-odds that `failure-taxonomy/src/verdict/confidence/table.rs` holds in thousandths. Weights are fitted by Newton steps with
//! a ridge penalty, so that few cases prove little. `cargo xtask eval` fits and writes them; a new term is a variant here and a
//! constant there.

use failure_taxonomy::{Agreement, Support, VerdictStepId};
use recovery_types::ErrorType;
use std::collections::BTreeMap;

/// What adds to the log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ConfidenceTerm {
    /// Always.
    Bias,
    /// The step that decided.
    Step(VerdictStepId),
    /// The error type.
    Error(ErrorType),
    /// Whether the other indicators agree.
    Agreement(Agreement),
    /// Only one tool prints the deciding row.
    OneTool,
    /// Other evidence made the answer more specific than the deciding row.
    Refined,
    /// So many other indicators indicate the same error type.
    Allies(u8),
    /// So many other error types are indicated.
    Rivals(u8),
}

impl ConfidenceTerm {
    fn of(support: Support) -> impl Iterator<Item = Self> {
        let Support { step, error_type, agreement, is_of_one_tool, is_refined, allies, rivals } = support;
        let always = [Self::Bias, Self::Step(step), Self::Error(error_type), Self::Agreement(agreement)];
        always
            .into_iter()
            .chain([Self::Allies(allies), Self::Rivals(rivals)])
            .chain(is_of_one_tool.then_some(Self::OneTool))
            .chain(is_refined.then_some(Self::Refined))
    }

    /// Whether the term adds to the log-odds of a verdict that rests on this.
    #[must_use]
    pub fn applies_to(self, support: Option<Support>) -> bool {
        support.is_some_and(|support| Self::of(support).any(|other| other == self))
    }
}

/// A weight per term, and the share of right answers where nothing was recognised.
#[derive(Clone, Debug)]
pub struct ConfidenceWeights {
    by_term: BTreeMap<ConfidenceTerm, f64>,
    nothing_recognised: f64,
}

impl ConfidenceWeights {
    /// Fits the weights to cases, each with what its verdict rests on (`None` where nothing was recognised) and whether it is
    /// right.
    #[must_use]
    pub fn fit(cases: impl IntoIterator<Item = (Option<Support>, bool)>) -> Self {
        const ITERATIONS: usize = 60;
        /// Smaller than a full Newton step, because the weights of one case move together.
        const STEP: f64 = 0.25;
        const PENALTY: f64 = 2.0;
        let (mut recognised, mut others) = (Vec::new(), (0.0, 0.0));
        for (support, is_right) in cases {
            let right = f64::from(u8::from(is_right));
            match support {
                Some(support) => recognised.push((ConfidenceTerm::of(support).collect::<Vec<_>>(), right)),
                None => others = (others.0 + right, others.1 + 1.0),
            }
        }
        // Drawn towards the highest confidence that is allowed where nothing was recognised, as if that were four cases.
        let nothing_recognised = (others.0 + 4.0 * 0.3) / (others.1 + 4.0);
        let mut weights = Self { by_term: BTreeMap::new(), nothing_recognised };
        for _ in 0..ITERATIONS {
            let mut slopes: BTreeMap<ConfidenceTerm, (f64, f64)> = BTreeMap::new();
            for (terms, right) in &recognised {
                let share = logistic(terms.iter().map(|term| weights.of(*term)).sum());
                for term in terms {
                    let slope = slopes.entry(*term).or_default();
                    *slope = (slope.0 + right - share, slope.1 + share * (1.0 - share));
                }
            }
            for (term, (slope, curvature)) in slopes {
                let penalty = if term == ConfidenceTerm::Bias { 0.0 } else { PENALTY };
                let weight = weights.by_term.entry(term).or_default();
                *weight += STEP * (slope - penalty * *weight) / (curvature + penalty + 1e-6);
            }
        }
        weights
    }

    /// The weight of a term; zero for one that no case had.
    #[must_use]
    pub fn of(&self, term: ConfidenceTerm) -> f64 {
        self.by_term.get(&term).copied().unwrap_or(0.0)
    }

    /// The probability that a verdict is right.
    #[must_use]
    pub fn probability(&self, support: Option<Support>) -> f64 {
        let log_odds = |support| ConfidenceTerm::of(support).map(|term| self.of(term)).sum();
        support.map_or(self.nothing_recognised, |support| logistic(log_odds(support)))
    }
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_cases_prove_little_and_many_much() {
        let support = |step| {
            let (error_type, agreement) = (ErrorType::RateLimit, Agreement::Alone);
            Some(Support {
                step,
                error_type,
                agreement,
                is_of_one_tool: false,
                is_refined: false,
                allies: 0,
                rivals: 0,
            })
        };
        let cases = |step, right: usize, wrong: usize| {
            (0..right + wrong).map(move |number| (support(step), number < right)).collect::<Vec<_>>()
        };
        let all = [cases(VerdictStepId::LastReport, 90, 10), cases(VerdictStepId::LastSuggestion, 20, 80)].concat();
        let weights = ConfidenceWeights::fit(all);
        let [report, suggestion, unseen] =
            [VerdictStepId::LastReport, VerdictStepId::LastSuggestion, VerdictStepId::Resource]
                .map(|step| weights.probability(support(step)));
        assert!(report > 0.8 && suggestion < 0.3 && unseen > suggestion && unseen < report);
    }
}
