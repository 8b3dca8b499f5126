//! Whose earlier events are, what they were, and how attempts are counted.

use crate::answer;
use classifier_core::{Config, Facts, classify};
use serde_json::{Value, json};

/// The rule that decides a failure with output `x` in this history.
fn decided(node: &Value, history: &[Value]) -> String {
    answer(&json!({"exit_code":1,"stderr_tail":"x","node":node,"history":history}).to_string()).rule
}

fn same() -> Value {
    json!({"node":"T","event":"execution_failed","stderr_tail":"x"})
}

#[test]
fn repeated_needs_the_last_two_attempts_of_this_node() {
    let node = json!({"id":"T","parent_id":"S","failed_attempts":3});
    let other = json!({"node":"T","event":"execution_failed","stderr_tail":"y"});
    let unknown = json!({"node":"T","event":"execution_failed"});
    let nameless = json!({"stderr_tail":"x"});
    let sibling = json!({"node":"U","parent":"S","event":"execution_failed","stderr_tail":"y"});
    let success = json!({"node":"T","exit_code":0,"stderr_tail":"y"});
    let note = json!({"node":"T","event":"status_changed"});
    let replanned = json!({"node":"T","event":"replanned","exit_code":0});
    let s = same;
    for history in [
        vec![s(), s()],
        vec![other.clone(), s(), s()],
        vec![s(), nameless.clone()],
        vec![nameless.clone(), nameless.clone()],
        vec![s(), sibling.clone(), s(), sibling.clone()],
        vec![s(), note.clone(), s(), note],
        vec![s(), replanned.clone(), s(), replanned],
    ] {
        assert_eq!(decided(&node, &history), "repeated-failure", "{history:?}");
    }
    for history in [
        vec![],
        vec![s()],
        vec![s(), s(), other.clone()],
        vec![s(), other, s()],
        vec![s(), unknown, s()],
        vec![s(), success, s()],
        vec![s(), json!({"node":"U","parent":"S","stderr_tail":"x"})],
    ] {
        assert_eq!(decided(&node, &history), "default", "{history:?}");
    }
    for (attempts, rule) in [(2, "default"), (3, "repeated-failure"), (4, "repeated-failure")] {
        assert_eq!(decided(&json!({"id":"T","failed_attempts":attempts}), &[s(), s()]), rule, "{attempts}");
    }
}

#[test]
fn hashes_of_any_case_and_either_kind_are_compared() {
    let x = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let node = json!({"id":"T","failed_attempts":3});
    for hash in [x.to_owned(), x.to_uppercase()] {
        assert_eq!(decided(&node, &[json!({"stderr_hash":hash}), same()]), "repeated-failure");
    }
    let both = json!({"stderr_hash":"y","stderr_tail":"x"});
    assert_eq!(decided(&node, &[both, same()]), "default", "a stated hash comes first");
}

/// An event that has a hash and no text is compared by that hash, and outputs that were not sent are not all the same.
#[test]
fn a_hash_without_text_stands_for_the_output() {
    let x = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let rule = |own: &str, earlier: serde_json::Value| {
        let event =
            json!({"exit_code":1,"stderr_hash":own,"node":{"id":"T","failed_attempts":3},"history":[earlier, earlier]});
        let event = crate::event(&event.to_string());
        classify(&event, &Facts::from_patterns(&event), &Config::default()).unwrap().rule
    };
    assert_eq!(rule(&format!("sha256:{}", &x[..12]), json!({"stderr_tail":"x"})), "repeated-failure");
    assert_eq!(rule(x, json!({"stderr_hash":x})), "repeated-failure");
    assert_eq!(rule("aaaaaaaaaaaa11", json!({"stderr_tail":""})), "default");
}

#[test]
fn the_callers_hashes_count_and_may_be_fewer_than_the_entries() {
    let event = crate::event(r#"{"exit_code":1,"node":{"id":"T","failed_attempts":3},"history":[{},{}]}"#);
    let decided = |history_hashes: Vec<Option<String>>| {
        let facts = Facts { stderr_hash: "h".into(), history_hashes, ..Facts::default() };
        classify(&event, &facts, &Config::default()).unwrap().rule
    };
    let h = || Some("h".to_owned());
    assert_eq!(decided(vec![h(), h()]), "repeated-failure");
    assert_eq!(decided(vec![h(), None]), "default");
    assert_eq!(decided(vec![h()]), "default");
    assert_eq!(decided(vec![]), "default");
}

#[test]
fn the_callers_facts_decide_rules_3_and_6() {
    let event = crate::event(r#"{"exit_code":1,"stderr_tail":"src/a.rs:429: TypeError"}"#);
    let facts = Facts { code_error: Some("error_type=type_error".into()), ..Facts::default() };
    let first = classify(&event, &facts, &Config::default()).unwrap();
    assert_eq!((first.rule.as_str(), first.evidence[1].as_str()), ("first-code-error", "error_type=type_error"));
    let facts = Facts { transient: Some("error_type=lock_contention".into()), ..facts };
    let second = classify(&event, &facts, &Config::default()).unwrap();
    assert_eq!(second.evidence, ["error_type=lock_contention"]);
    assert_eq!(classify(&event, &Facts::default(), &Config::default()).unwrap().rule, "default");
}

/// The count shows in the evidence of rule 4 (three and more) and in whether rule 6 fires (one).
#[test]
fn attempts_are_counted_from_the_history_where_the_node_does_not_say() {
    let counted = |node: Value, history: Vec<Value>| {
        let event = json!({"exit_code":1,"stderr_tail":"test failed","node":node,"history":history});
        answer(&event.to_string()).evidence[0].clone()
    };
    let failed = |node: &str| json!({"node":node,"event":"execution_failed","stderr_tail":"test failed"});
    let success = json!({"exit_code":0});
    let node = json!({"id":"T"});
    assert_eq!(counted(Value::Null, vec![]), "failed_attempts=1");
    assert_eq!(counted(Value::Null, vec![success]), "failed_attempts=1");
    assert_eq!(counted(Value::Null, vec![failed("T")]), "exit_code=1", "the second");
    assert_eq!(counted(Value::Null, vec![failed("T"), failed("U")]), "failed_attempts=3", "all are the task's");
    assert_eq!(counted(node.clone(), vec![failed("T"), failed("T")]), "failed_attempts=3");
    assert_eq!(counted(node.clone(), vec![failed("T"), failed("U"), failed("T"), failed("T")]), "failed_attempts=4");
    assert_eq!(counted(node, vec![failed("U"), failed("U")]), "failed_attempts=1");
    assert_eq!(counted(json!({"id":"T","failed_attempts":1}), vec![failed("T")]), "failed_attempts=1", "as stated");
}

#[test]
fn which_entries_are_failures() {
    let counts = |entry: Value| {
        let event = json!({"exit_code":1,"stderr_tail":"test failed","history":[entry]});
        answer(&event.to_string()).rule == "default"
    };
    for failure in [
        json!({}),
        json!({"exit_code":2}),
        json!({"exit_code":2,"event":"completed"}),
        json!({"event":"execution_failed"}),
        json!({"event":"build_error"}),
        json!({"approach":"x"}),
    ] {
        assert!(counts(failure.clone()), "{failure}");
    }
    for none in [
        json!({"exit_code":0}),
        json!({"exit_code":0,"event":"execution_failed"}),
        json!({"event":"execution_succeeded"}),
        json!({"event":"replanned","exit_code":1}),
        json!({"event":"moved"}),
    ] {
        assert!(!counts(none.clone()), "{none}");
    }
}

#[test]
fn siblings_are_other_nodes_with_the_same_parent() {
    let decided = |node: Value, entry: Value| {
        let event = json!({"exit_code":1,"files_touched":["src/a.rs"],"node":node,"history":[entry]});
        answer(&event.to_string()).rule
    };
    let node = || json!({"id":"T","parent_id":"S"});
    for file in ["src/a.rs", "./src/a.rs", "src//a.rs", "src\\a.rs", "src/x/../a.rs"] {
        assert_eq!(decided(node(), json!({"node":"U","parent":"S","files_touched":[file]})), "sibling-files", "{file}");
    }
    for (node, entry) in [
        (node(), json!({"node":"T","parent":"S","files_touched":["src/a.rs"]})),
        (node(), json!({"node":"U","parent":"R","files_touched":["src/a.rs"]})),
        (node(), json!({"node":"U","files_touched":["src/a.rs"]})),
        (node(), json!({"parent":"S","files_touched":["src/a.rs"]})),
        (node(), json!({"node":"U","parent":"S","files_touched":["src/b.rs"]})),
        (node(), json!({"node":"U","parent":"S","files_touched":[]})),
        (json!({"id":"T"}), json!({"node":"U","files_touched":["src/a.rs"]})),
        (Value::Null, json!({"node":"U","parent":"S","files_touched":["src/a.rs"]})),
    ] {
        assert_eq!(decided(node.clone(), entry.clone()), "default", "{node} {entry}");
    }
}
