//! The confidence of a class: the base value of the rule, raised by corroboration and lowered by doubts.
//!
//! In: the rule that decided, the event and its facts. Out: a confidence in permille, and the signals that changed it
//! as evidence. Each signal of [`CORROBORATIONS`] comes from another source than the rule's own condition, so each adds
//! the same amount, up to a maximum. Below the gate ([`is_below_gate`]) the class is reported as uncertain.

use crate::case::Case;
use crate::evidence::Evidence;
use crate::history::{self, EntryKind};
use crate::predicates::{self, DEVIATED, some_unless_empty};
use crate::{Rule, RuleId};
use recovery_types::{Class, Classification, Permille, RepoPath};
use std::collections::BTreeSet;

/// A signal that raises the confidence of a rule. It comes from another source than the rule's own condition, so
/// signals are independent of each other.
#[derive(Clone, Copy)]
pub struct Corroboration {
    /// The rules that it applies to.
    pub rules: &'static [RuleId],
    /// The signal in words.
    pub what: &'static str,
    find: fn(&Case<'_>) -> Option<Vec<Evidence>>,
}

/// All corroborating signals.
#[rustfmt::skip]
pub const CORROBORATIONS: [Corroboration; 9] = [
    Corroboration { rules: &[RuleId::Conflict], what: "a sibling task touched the same files", find: predicates::sibling_files },
    Corroboration { rules: &[RuleId::TransientPattern], what: "the exit code means a temporary failure (75) or a timeout (124)", find: temporary_exit },
    Corroboration { rules: &[RuleId::RepeatedFailure], what: "a test was edited two times or more since it was planned", find: edited_test },
    Corroboration { rules: &[RuleId::RepeatedFailure], what: "the plan itself states a deviation above 0.5", find: stated_drift },
    Corroboration { rules: &[RuleId::SiblingFiles], what: "the work has drifted from the plan", find: predicates::deviation },
    Corroboration { rules: &[RuleId::Deviation], what: "a sibling task failed too", find: failed_sibling },
    Corroboration { rules: &[RuleId::FirstCodeError, RuleId::Default], what: "the output names a file that this attempt touched", find: own_file_named },
    Corroboration { rules: &[RuleId::MissionContradicted], what: "protected files were touched besides", find: protected_besides },
    Corroboration { rules: &[RuleId::MissionContradicted], what: "files of two or more features were touched besides", find: cross_feature_besides },
];

/// The permille that each corroboration adds, and the maximum.
const CORROBORATED: u16 = 30;
const MAX_CONFIDENCE: Permille = Permille::new(990);

/// The permille that each doubt subtracts.
const DOUBTED: u16 = 100;

/// Below this confidence, in permille, the class is not trusted.
pub(crate) const GATE: Permille = Permille::new(600);

/// From this deviation up to [`DEVIATED`] the work may have drifted; a stated score above it corroborates.
const DRIFTING: Permille = Permille::new(500);

/// Whether a class with this confidence is reported as it is.
pub(crate) fn is_trusted(confidence: Permille) -> bool {
    confidence >= GATE
}

/// The confidence of `rule` for `class` in this case. Corroborations and doubts join the evidence.
pub(crate) fn confidence(case: &Case<'_>, rule: &Rule, class: Class, evidence: &mut Vec<Evidence>) -> Permille {
    let mut sure = rule.confidence;
    for corroboration in CORROBORATIONS.iter().filter(|row| row.rules.contains(&rule.id)) {
        if let Some(found) = (corroboration.find)(case) {
            evidence.extend(found);
            sure = sure.plus(CORROBORATED).min(MAX_CONFIDENCE);
        }
    }
    let sure = match class {
        Class::F2 if (DRIFTING..DEVIATED).contains(&case.deviation) => {
            evidence.push(Evidence::Deviation(case.deviation));
            sure.minus(DOUBTED)
        }
        Class::F5 if is_one_pattern(evidence) => sure.minus(DOUBTED),
        Class::F1 | Class::F2 | Class::F3 | Class::F4 | Class::F5 | Class::F6 => sure,
    };
    match case.facts.confidence.filter(|read| *read < sure && rests_on_output(rule.id)) {
        Some(read) => {
            evidence.push(Evidence::OutputUncertain(read));
            read
        }
        None => sure,
    }
}

/// Whether the class is uncertain because the output was hardly understood; `read` is the confidence of the diagnosis.
///
/// ```
/// use classifier_core::{Config, Facts, classify, is_below_gate};
/// use recovery_types::{FailureEvent, Permille};
/// let event = FailureEvent { exit_code: 1, stderr_tail: "hello world".into(), ..Default::default() };
/// let facts = Facts { confidence: Some(Permille::new(74)), ..Facts::from_patterns(&event) };
/// let answer = classify(&event, &facts, &Config::default()).expect("a failure");
/// assert!(is_below_gate(&answer, facts.confidence));
/// ```
#[must_use]
pub fn is_below_gate(answer: &Classification, read: Option<Permille>) -> bool {
    let rests_on_output = RuleId::named(&answer.rule).is_some_and(rests_on_output);
    rests_on_output && !is_trusted(answer.confidence) && read == Some(answer.confidence)
}

/// Whether the conclusion depends on how the output was understood. Other rules rest on the plan, on the history and on
/// sibling tasks, which do not depend on the output.
const fn rests_on_output(rule: RuleId) -> bool {
    matches!(rule, RuleId::TransientPattern | RuleId::FirstCodeError | RuleId::Default)
}

/// Whether one forbidden pattern is the only evidence, however many constraints name it.
fn is_one_pattern(evidence: &[Evidence]) -> bool {
    let patterns: Option<BTreeSet<&str>> = evidence
        .iter()
        .map(|piece| if let Evidence::Forbidden { pattern, .. } = piece { Some(pattern.as_str()) } else { None })
        .collect();
    patterns.is_some_and(|patterns| patterns.len() == 1)
}

/// 75 is `EX_TEMPFAIL`, 124 is what `timeout` exits with.
fn temporary_exit(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let code = case.event.exit_code;
    matches!(code, 75 | 124).then(|| vec![Evidence::TemporaryExit(code)])
}

/// The test edited most often; the first by name among equals.
fn edited_test(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let edits = &case.event.node.as_ref()?.test_edits;
    let (test, times) = edits.iter().rev().max_by_key(|(_, times)| **times)?;
    (*times >= 2).then(|| vec![Evidence::EditedTest { test: test.clone(), times: *times }])
}

/// Only a stated score is independent: a computed one counts the same attempts that made the rule fire.
fn stated_drift(case: &Case<'_>) -> Option<Vec<Evidence>> {
    case.event.node.as_ref()?.deviation_score?;
    (case.deviation > DRIFTING).then(|| vec![Evidence::Deviation(case.deviation)])
}

fn failed_sibling(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let failed =
        case.siblings().filter(|(_, entry)| history::kind(entry) == EntryKind::Failure).map(|(id, _)| id).min()?;
    Some(vec![Evidence::SiblingFailed(failed.to_owned())])
}

fn own_file_named(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let output = [Some(&case.event.stderr_tail), case.event.test_output.as_ref()];
    let named = |file: &&RepoPath| output.iter().flatten().any(|text| names(text, file.as_str()));
    let file = case.event.files_touched.iter().filter(named).min()?;
    Some(vec![Evidence::OwnFileNamed(file.clone())])
}

fn protected_besides(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let found = case.contradictions();
    some_unless_empty(if found.forbidden.is_empty() { Vec::new() } else { found.protected.clone() })
}

fn cross_feature_besides(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let found = case.contradictions();
    let alone = found.forbidden.is_empty() && found.protected.is_empty();
    some_unless_empty(if alone { Vec::new() } else { found.cross_feature.clone() })
}

/// Whether `text` has `path` by itself and not within a longer name.
fn names(text: &str, path: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !path.is_empty()
        && text.match_indices(path).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + path.len()..].chars().next();
            !before.is_some_and(|c| within(c) || c == '.') && !after.is_some_and(|c| within(c) || c == '/')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_is_at_six_tenths() {
        assert!(!is_trusted(Permille::new(599)));
        assert!(is_trusted(Permille::new(600)));
    }
}
