//! Which rule wins over which.

use crate::events::any_event;
use crate::{answer, answer_to, event};
use classifier_core::{CORROBORATIONS, RULES, RuleId};
use proptest::prelude::*;
use recovery_types::{Ancestor, Constraint, FailureEvent, HistoryEntry, Node, RepoPath};

/// Adds to an event what makes a rule fire, and nothing more.
fn witness(rule: RuleId, event: &mut FailureEvent) {
    fn node(event: &mut FailureEvent) -> &mut Node {
        event.node.get_or_insert_with(|| self::event(r#"{"exit_code":1,"node":{"id":"TASK-1"}}"#).node.unwrap())
    }
    match rule {
        RuleId::NotAFailure => event.exit_code = 0,
        RuleId::Conflict => event.conflict_id = Some("C-7".into()),
        RuleId::TransientPattern => add_output(event, "ETIMEDOUT"),
        RuleId::RepeatedFailure => {
            node(event).failed_attempts = Some(3);
            let hash = Some("0".repeat(64));
            let attempt = HistoryEntry { stderr_hash: hash, ..HistoryEntry::default() };
            event.history.extend([attempt.clone(), attempt]);
        }
        RuleId::SiblingFiles => {
            node(event).parent_id = Some("STORY-1".into());
            event.files_touched.push(RepoPath::new("src/a.rs"));
            event.history.push(HistoryEntry {
                node: Some("TASK-2".into()),
                parent: Some("STORY-1".into()),
                event: Some("moved".into()),
                files_touched: vec![RepoPath::new("src/a.rs")],
                ..HistoryEntry::default()
            });
        }
        RuleId::FirstCodeError => {
            node(event).failed_attempts = Some(1);
            add_output(event, "TypeError");
        }
        RuleId::Deviation => node(event).deviation_score = Some(0.7),
        RuleId::MissionContradicted => {
            event.files_touched.push(RepoPath::new("db/schema.sql"));
            let constraint = Constraint { id: "schema".into(), protect: vec!["db/**".into()], ..Constraint::default() };
            event.ancestor.get_or_insert_with(Ancestor::default).constraints.push(constraint);
        }
        RuleId::Default => {}
    }
}

fn add_output(event: &mut FailureEvent, text: &str) {
    event.stderr_tail = format!("{} {text}", event.stderr_tail);
}

/// The winner, with the repeated hash of the witness taken for that of the output.
fn winner(event: &FailureEvent) -> Option<recovery_types::Classification> {
    let mut facts = classifier_core::Facts::from_patterns(event);
    facts.stderr_hash = "0".repeat(64);
    classifier_core::classify(event, &facts, &classifier_core::Config::default())
}

fn winner_id(event: &FailureEvent) -> &'static str {
    winner(event).map_or(RuleId::NotAFailure, |answer| RuleId::named(&answer.rule).expect("a known rule")).as_str()
}

fn failure() -> FailureEvent {
    event(r#"{"exit_code":1}"#)
}

#[test]
fn every_rule_has_a_witness() {
    for rule in &RULES {
        let mut event = failure();
        witness(rule.id, &mut event);
        assert_eq!(winner_id(&event), rule.id.as_str());
    }
}

/// Row first, then column: where the two need different facts of one field, the column's are used.
#[test]
fn pairwise_winners() {
    let mut matrix = String::new();
    for row in &RULES {
        matrix += &format!("{}\n", row.id);
        for column in &RULES {
            let mut event = failure();
            witness(row.id, &mut event);
            witness(column.id, &mut event);
            matrix += &format!("    + {:<22} {}\n", column.id.as_str(), winner_id(&event));
        }
    }
    insta::assert_snapshot!(matrix);
}

/// The rules whose answers read this rule's facts, beyond the rule itself: by corroboration, or (F2) by doubt.
fn readers(lower: RuleId) -> Vec<RuleId> {
    match lower {
        RuleId::SiblingFiles => vec![RuleId::Conflict, RuleId::Deviation],
        RuleId::Deviation => {
            vec![RuleId::RepeatedFailure, RuleId::SiblingFiles, RuleId::FirstCodeError, RuleId::Default]
        }
        RuleId::NotAFailure
        | RuleId::Conflict
        | RuleId::TransientPattern
        | RuleId::RepeatedFailure
        | RuleId::FirstCodeError
        | RuleId::MissionContradicted
        | RuleId::Default => Vec::new(),
    }
}

#[test]
fn a_lower_rules_fact_never_changes_the_answer() {
    for (at, higher) in RULES.iter().enumerate() {
        // These two need different counts of attempts, so neither can be added to the other.
        let exclusive = |lower: RuleId| higher.id == RuleId::RepeatedFailure && lower == RuleId::FirstCodeError;
        for lower in RULES[at + 1..].iter().filter(|lower| !exclusive(lower.id)) {
            let mut event = failure();
            witness(higher.id, &mut event);
            let alone = winner(&event);
            witness(lower.id, &mut event);
            let both = winner(&event);
            if readers(lower.id).contains(&higher.id) {
                let (alone, both) = (alone.unwrap(), both.unwrap());
                assert_eq!((both.class, both.rule), (alone.class, alone.rule), "{} with {}", higher.id, lower.id);
                assert!(both.evidence.starts_with(&alone.evidence), "{} with {}", higher.id, lower.id);
            } else {
                let blank = |answer: Option<recovery_types::Classification>| {
                    answer.map(|answer| recovery_types::Classification {
                        node_id: None,
                        parent_node_id: None,
                        ..answer
                    })
                };
                assert_eq!(blank(both), blank(alone), "{} with {}", higher.id, lower.id);
            }
        }
    }
}

#[test]
fn corroborations_speak_for_known_rules_in_words() {
    for row in &CORROBORATIONS {
        assert!(!row.rules.is_empty() && !row.what.is_empty());
        assert!(!row.rules.contains(&RuleId::NotAFailure), "{}", row.what);
    }
}

#[test]
fn shared_files_show_once_and_in_order() {
    let answer = answer(
        r#"{"exit_code":1,"files_touched":["b.rs","a.rs","./b.rs"],"node":{"id":"T1","parent_id":"S"},"history":[
        {"node":"T3","parent":"S","files_touched":["b.rs"]},{"node":"T2","parent":"S","files_touched":["b.rs"]},
        {"node":"T2","parent":"S","files_touched":["a.rs","b.rs","c.rs"]}]}"#,
    );
    let shared =
        ["files_touched shared with sibling T2: a.rs and 1 more", "files_touched shared with sibling T3: b.rs"];
    assert_eq!(answer.evidence, shared);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn shuffled_evidence_changes_nothing(
        (event, shuffled) in any_event().prop_flat_map(|event| {
            let files = Just(event.files_touched.clone()).prop_shuffle();
            let constraints = Just(event.ancestor.clone().unwrap_or_default().constraints).prop_shuffle();
            (Just(event), files, constraints).prop_map(|(event, files_touched, constraints)| {
                let mut shuffled = FailureEvent { files_touched, ..event.clone() };
                if let Some(ancestor) = &mut shuffled.ancestor {
                    ancestor.constraints = constraints;
                }
                (event, shuffled)
            })
        })
    ) {
        prop_assert_eq!(answer_to(&event), answer_to(&shuffled));
    }

    #[test]
    fn same_input_same_bytes(event in any_event()) {
        let bytes = |event: &FailureEvent| serde_json::to_vec(&answer_to(event)).unwrap();
        let read_back: FailureEvent = serde_json::from_slice(&serde_json::to_vec(&event).unwrap()).unwrap();
        prop_assert_eq!(bytes(&event), bytes(&read_back));
    }

    #[test]
    fn a_conflict_or_a_transient_failure_stays_one_whatever_else_is_known(event in any_event()) {
        let mut conflict = FailureEvent { exit_code: 1, ..event.clone() };
        witness(RuleId::Conflict, &mut conflict);
        prop_assert_eq!(winner_id(&conflict), "conflict");
        let mut transient = FailureEvent { exit_code: 1, cause: None, conflict_id: None, ..event };
        witness(RuleId::TransientPattern, &mut transient);
        prop_assert_eq!(winner_id(&transient), "transient-pattern");
    }
}
