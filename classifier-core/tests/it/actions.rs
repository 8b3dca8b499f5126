//! Replan budgets and the cycle guard.

use crate::answer;
use classifier_core::replan_budget;
use recovery_types::{Action, Tier};
use serde_json::{Value, json};

const CYCLE: &str = "replan_cycle_detected";
const SPENT: &str = "replan_budget_exhausted";

/// A drifted node asks for `replan_feature`, the third equal failure for `replan_story`.
fn asked(story: bool, remaining: Option<u32>, replans: &[Value]) -> (Action, Vec<String>) {
    let attempt = json!({"node":"T","event":"execution_failed","stderr_tail":""});
    let history: Vec<_> = replans.iter().cloned().chain([attempt.clone(), attempt]).collect();
    let mut node = json!({"id":"T","tier":"T4","failed_attempts":3,"replan_budget_remaining":remaining});
    if !story {
        node["failed_attempts"] = json!(2);
        node["deviation_score"] = json!(0.9);
    }
    let answer = answer(&json!({"exit_code":1,"node":node,"history":history}).to_string());
    assert_eq!(answer.class.name(), if story { "local-design" } else { "story-level" });
    assert_eq!(answer.surface_to_user, answer.recommended_action == Action::FreezeAndEscalate);
    (answer.recommended_action, answer.evidence.into_iter().filter(|line| line.starts_with("replan_")).collect())
}

fn replanned(event: &str, times: usize) -> Vec<Value> {
    vec![json!({"node":"T","event":event}); times]
}

#[test]
fn failure_classifier_document_budgets_by_tier() {
    assert_eq!([Tier::T1, Tier::T2, Tier::T3, Tier::T4].map(replan_budget), [0, 2, 3, 0]);
}

#[test]
fn a_replan_draws_on_the_tier_that_is_decomposed_again() {
    for (story, replan, budget) in [(true, Action::ReplanStory, 3), (false, Action::ReplanFeature, 2)] {
        for done in 0..5 {
            let (action, reasons) = asked(story, None, &replanned("replanned", done));
            let mut expected = Vec::new();
            expected.extend((done >= 3).then_some(CYCLE));
            expected.extend((done >= budget).then_some(SPENT));
            assert_eq!(reasons, expected, "{done} done, story {story}");
            assert_eq!(action, if expected.is_empty() { replan } else { Action::FreezeAndEscalate });
        }
    }
}

#[test]
fn replans_of_one_tier_leave_the_others_budget_alone() {
    assert_eq!(asked(false, None, &replanned("replan_story", 2)).0, Action::ReplanFeature);
    assert_eq!(asked(false, None, &replanned("replan_feature", 2)).1, [SPENT]);
    assert_eq!(asked(true, None, &replanned("replan_feature", 2)).0, Action::ReplanStory);
    let mixed = [replanned("replan_story", 2), replanned("replan_feature", 1)].concat();
    assert_eq!(asked(true, None, &mixed).1, [CYCLE], "three in a row, whichever");
}

#[test]
fn what_the_node_says_is_left_comes_first() {
    for story in [true, false] {
        assert_eq!(asked(story, Some(0), &[]), (Action::FreezeAndEscalate, vec![SPENT.to_owned()]));
        assert_ne!(asked(story, Some(1), &replanned("replanned", 2)).0, Action::FreezeAndEscalate);
        assert_eq!(asked(story, Some(9), &replanned("replanned", 3)).1, [CYCLE]);
        assert_eq!(asked(story, Some(0), &replanned("replanned", 3)).1, [CYCLE, SPENT]);
    }
}

#[test]
fn only_the_tasks_own_success_breaks_the_row() {
    let with = |between: Value| {
        let history = [replanned("replanned", 2), vec![between], replanned("replanned", 1)].concat();
        asked(true, Some(9), &history).0
    };
    assert_eq!(with(json!({"node":"T","exit_code":0})), Action::ReplanStory);
    assert_eq!(with(json!({"node":"T","event":"execution_succeeded"})), Action::ReplanStory);
    assert_eq!(with(json!({"event":"tests_passed"})), Action::ReplanStory);
    assert_eq!(with(json!({"node":"T","exit_code":1})), Action::FreezeAndEscalate);
    assert_eq!(with(json!({"node":"U","exit_code":0})), Action::FreezeAndEscalate);
    assert_eq!(with(json!({"node":"T","event":"moved"})), Action::FreezeAndEscalate);
    let late = [replanned("replanned", 3), vec![json!({"exit_code":0})]].concat();
    assert_eq!(asked(true, Some(9), &late).0, Action::ReplanStory);
}

#[test]
fn no_other_class_asks_for_a_replan() {
    let history = replanned("replanned", 9);
    for (more, action) in [
        (json!({"stderr_tail":"503"}), Action::RetryWithBackoff),
        (json!({}), Action::SelfHealPropose),
        (json!({"conflict_id":"C"}), Action::Arbitrate),
    ] {
        let mut event = json!({"exit_code":1,"node":{"id":"T","replan_budget_remaining":0},"history":history});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = answer(&event.to_string());
        assert_eq!((answer.recommended_action, answer.surface_to_user), (action, false));
    }
}

/// Another story's replans, and replans that were only proposed or refused, draw on nothing.
#[test]
fn only_replans_of_the_same_story_that_happened_count() {
    let foreign = json!({"node": "X", "parent": "OTHER", "event": "replanned"});
    let refused = json!({"node": "T", "event": "replan_refused_budget"});
    let proposed = json!({"node": "T", "event": "replan_proposed"});
    for entry in [foreign, refused, proposed] {
        let replans = vec![entry.clone(); 4];
        assert_eq!(asked(true, None, &replans).0, Action::ReplanStory, "{entry}");
    }
}
