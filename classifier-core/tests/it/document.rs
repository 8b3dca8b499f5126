//! The failure-classifier document's own tables and sample.

use crate::{answer, answer_to, event};
use classifier_core::{Config, Facts, RULES, RuleId, classify};
use recovery_types::{Action, Class, Permille};
use serde_json::{Value, json};

#[test]
fn failure_classifier_document_sample_answer_key_for_key() {
    let answer = answer(
        r#"{"tool":"Bash","exit_code":1,"stderr_tail":"expected 401, got 200","files_touched":["src/auth/jwt.ts"],
        "node":{"id":"TASK-00101","parent_id":"STORY-0042","tier":"T4","status":"active","failed_attempts":3,
                "replan_budget_remaining":2,"test_edits":{"tests/auth/jwt.test.ts":4}},
        "history":[{"node":"TASK-00101","parent":"STORY-0042","event":"execution_failed","exit_code":1,
                    "stderr_tail":"expected 401, got 200"},
                   {"node":"TASK-00101","parent":"STORY-0042","event":"execution_failed","exit_code":1,
                    "stderr_hash":"SAMPLE_HASH"}]}"#
            .replace("SAMPLE_HASH", SAMPLE_HASH)
            .as_str(),
    );
    let expected = json!({
        "class": "F3",
        "confidence": 0.78,
        "evidence": [
            "failed_attempts=3",
            "stderr_hash matches last 2 attempts",
            "test_ref tests/auth/jwt.test.ts has been edited 4 times in revision history"
        ],
        "recommended_action": "replan_story",
        "node_id": "TASK-00101",
        "parent_node_id": "STORY-0042",
        // Beyond the document's keys:
        "name": "local-design",
        "rule": "repeated-failure",
        "routes_to": null,
        "surface_to_user": false
    });
    assert_eq!(serde_json::to_value(&answer).unwrap(), expected);
    assert!(serde_json::to_string(&answer).unwrap().contains(r#""confidence":0.78,"#), "as a reader sees it");
}

/// `printf %s 'expected 401, got 200' | sha256sum`
const SAMPLE_HASH: &str = "e814aab3a4dccf3167619f089552ba684b5c7cb0ca390b2d0d03283a9551540c";

#[test]
fn failure_classifier_document_table_of_classes() {
    let table = [
        (r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"#, Class::F1, "transient", Action::RetryWithBackoff),
        (r#"{"exit_code":1,"stderr_tail":"1 test failed"}"#, Class::F2, "local-logic", Action::SelfHealPropose),
        (RuleId::RepeatedFailure.page().fires_on, Class::F3, "local-design", Action::ReplanStory),
        (r#"{"exit_code":1,"node":{"id":"T","deviation_score":0.7}}"#, Class::F4, "story-level", Action::ReplanFeature),
        (RuleId::MissionContradicted.page().fires_on, Class::F5, "architectural", Action::FreezeAndEscalate),
        (r#"{"exit_code":1,"conflict_id":"C-7"}"#, Class::F6, "conflict-induced", Action::Arbitrate),
    ];
    for (json, class, name, action) in table {
        let answer = answer(json);
        assert_eq!((answer.class, answer.name.as_str(), answer.recommended_action), (class, name, action), "{json}");
        assert_eq!(answer.routes_to.as_deref(), (class == Class::F6).then_some("conflict-arbiter"), "{json}");
        assert_eq!(answer.surface_to_user, class == Class::F5, "{json}");
    }
}

#[test]
fn failure_classifier_document_single_retry_where_self_healing_is_off() {
    let event = event(r#"{"exit_code":1,"stderr_tail":"TypeError"}"#);
    let action = |self_heal| {
        classify(&event, &Facts::from_patterns(&event), &Config { self_heal }).map(|answer| answer.recommended_action)
    };
    assert_eq!(action(true), Some(Action::SelfHealPropose));
    assert_eq!(action(false), Some(Action::SingleRetry));
    assert!(Config::default().self_heal);
}

#[test]
fn failure_classifier_document_confidence_by_class() {
    for rule in &RULES {
        let documented = match rule.class {
            None => 0,
            Some(Class::F1) => 950,
            Some(Class::F2) => 850,
            Some(Class::F3) => 750,
            Some(Class::F4) => 800,
            Some(Class::F5) => 650,
            Some(Class::F6) => 950,
        };
        assert_eq!(rule.confidence, Permille::new(documented), "{}", rule.id);
    }
}

#[test]
fn failure_classifier_document_decision_rules_in_order() {
    let order: Vec<_> = RULES.iter().map(|rule| rule.class).collect();
    let f = Some;
    use Class::{F1, F2, F3, F4, F5, F6};
    assert_eq!(order, [None, f(F6), f(F1), f(F3), f(F4), f(F2), f(F4), f(F5), f(F2)]);
}

#[test]
fn failure_classifier_document_rule_2_conflicts() {
    for (event, evidence) in [
        (json!({"exit_code":1,"cause":"conflict"}), vec!["cause=conflict"]),
        (json!({"exit_code":1,"conflict_id":"C-7"}), vec!["conflict_id=C-7"]),
        (json!({"exit_code":1,"conflict_id":""}), vec!["conflict_id="]),
        (json!({"exit_code":1,"cause":"conflict","conflict_id":"C-7"}), vec!["cause=conflict", "conflict_id=C-7"]),
    ] {
        let answer = answer(&event.to_string());
        assert_eq!(
            (answer.rule.as_str(), answer.evidence),
            ("conflict", evidence.iter().map(|s| s.to_string()).collect())
        );
        assert_eq!(answer.confidence, Permille::new(950));
    }
    assert_eq!(answer(r#"{"exit_code":1,"cause":"timeout"}"#).rule, "default");
}

#[test]
fn failure_classifier_document_rule_3_patterns_in_any_case() {
    for mark in ["ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "429", "503", "rate limit"] {
        for text in [mark.to_owned(), format!("x{}y", mark.to_lowercase()), format!("ä\n{}", mark.to_uppercase())] {
            let answer = answer(&json!({"exit_code":1,"stderr_tail":text}).to_string());
            assert_eq!((answer.rule.as_str(), answer.class), ("transient-pattern", Class::F1), "{text}");
            assert_eq!(answer.evidence, [format!("stderr matches {mark}")]);
            assert_eq!(answer.confidence, Permille::new(950));
        }
    }
    for near in ["ECONNREFUSED", "42 9", "50 3", "rate-limit", "ratelimit", ""] {
        assert_eq!(answer(&json!({"exit_code":1,"stderr_tail":near}).to_string()).rule, "default", "{near}");
    }
    let elsewhere = answer(r#"{"exit_code":1,"test_output":"ECONNRESET","approach":"429"}"#);
    assert_eq!(elsewhere.rule, "default", "only stderr counts");
}

#[test]
fn failure_classifier_document_rule_6_patterns_in_this_case() {
    for mark in ["TypeError", "SyntaxError", "test failed", "assertion"] {
        for (place, event) in [
            ("stderr", json!({"exit_code":1,"stderr_tail":format!("x{mark}y")})),
            ("test_output", json!({"exit_code":1,"test_output":format!("- {mark}")})),
        ] {
            let answer = answer(&event.to_string());
            assert_eq!((answer.rule.as_str(), answer.class), ("first-code-error", Class::F2), "{event}");
            assert_eq!(answer.evidence, ["failed_attempts=1".to_owned(), format!("{place} matches {mark}")]);
        }
        for other_case in [mark.to_lowercase(), mark.to_uppercase()].iter().filter(|text| *text != mark) {
            let event: Value = json!({"exit_code":1,"stderr_tail":other_case});
            assert_eq!(answer(&event.to_string()).rule, "default", "{other_case}");
        }
    }
    for attempts in [0, 2, 3] {
        let event = json!({"exit_code":1,"stderr_tail":"TypeError","node":{"id":"T","failed_attempts":attempts}});
        assert_eq!(answer(&event.to_string()).rule, "default", "{attempts} failed attempts");
    }
}

#[test]
fn every_page_example_comes_out_as_the_page_says() {
    for rule in &RULES {
        let page = rule.id.page();
        let decided_by = |json: &str| match answer_to(&event(json)) {
            None => "not-a-failure".to_owned(),
            Some(answer) => answer.rule,
        };
        assert_eq!(decided_by(page.fires_on), rule.id.as_str());
        assert_ne!(decided_by(page.does_not_fire_on), rule.id.as_str());
        assert!(page.what.ends_with('.') && page.why.ends_with('.'), "{}", rule.id);
    }
}

#[test]
fn rules_are_found_by_their_id() {
    for rule in &RULES {
        assert_eq!(RuleId::named(rule.id.as_str()), Some(rule.id));
        assert_eq!(rule.id.rule().id, rule.id);
        assert_eq!(rule.id.to_string(), rule.id.as_str());
    }
    assert_eq!(RuleId::named("nonsense"), None);
}
