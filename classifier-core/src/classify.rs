//! The classification: from an event to an answer.
//!
//! In: an event, its facts and the settings. Out: a `Classification`, or none for exit code 0. The first rule of the table
//! that fires gives the class, its base confidence is corrected by what corroborates or weakens it, and the class gives the
//! action. Below the gate of 0.6 the answer is F2 with one retry, and the class it would have been stays in the evidence.
//! No rule is here: the table is in `rules.rs`, the confidence in `confidence.rs`, the actions in `action.rs`.

use crate::action::action;
use crate::case::Case;
use crate::confidence::{GATE, confidence, is_trusted};
use crate::evidence::Evidence;
use crate::{Facts, RULES};
use recovery_types::{Action, Class, Classification, FailureEvent};

/// The settings of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Whether fixes may be proposed; otherwise a local failure is retried once.
    pub self_heal: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { self_heal: true }
    }
}

/// The role that handles conflicts.
const ARBITER: &str = "conflict-arbiter";

/// Classifies an event; `None` for exit code 0, which is no failure.
///
/// Total: every event has an answer. The first of [`RULES`] that fires decides the class. Where its confidence stays
/// below 0.6 the answer is F2 with one retry before a person is asked, and the class it would have been is evidence.
///
/// ```
/// use classifier_core::{Config, Facts, classify};
/// use recovery_types::{Action, FailureEvent};
/// let event = FailureEvent { exit_code: 1, stderr_tail: "TypeError: x is undefined".into(), ..Default::default() };
/// let facts = Facts::from_patterns(&event);
/// let answer = classify(&event, &facts, &Config { self_heal: false }).expect("a failure");
/// assert_eq!((answer.rule.as_str(), answer.recommended_action), ("first-code-error", Action::SingleRetry));
/// ```
#[must_use]
pub fn classify(event: &FailureEvent, facts: &Facts, config: &Config) -> Option<Classification> {
    let case = Case::new(event, facts, config);
    let (rule, mut evidence) = RULES.iter().find_map(|rule| Some((rule, (rule.when)(&case)?)))?;
    let found = rule.class?;
    let confidence = confidence(&case, rule, found, &mut evidence);
    let (class, recommended_action) = if is_trusted(confidence) {
        (found, action(&case, found, &mut evidence))
    } else {
        evidence.push(Evidence::BelowGate { class: found, confidence, gate: GATE });
        (Class::F2, Action::SingleRetryThenEscalate)
    };
    Some(Classification {
        class,
        name: class.name().to_owned(),
        confidence,
        evidence: evidence.iter().map(ToString::to_string).collect(),
        recommended_action,
        node_id: event.node.as_ref().map(|node| node.id.clone()),
        parent_node_id: event.node.as_ref().and_then(|node| node.parent_id.clone()),
        rule: rule.id.as_str().to_owned(),
        routes_to: (recommended_action == Action::Arbitrate).then(|| ARBITER.to_owned()),
        surface_to_user: matches!(recommended_action, Action::FreezeAndEscalate | Action::SingleRetryThenEscalate),
    })
}
