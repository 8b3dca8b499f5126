//! How sure answers are, at the borders.

use crate::{answer, event};
use classifier_core::{Config, Facts, classify};
use recovery_types::{Action, Class, FailureEvent, Permille};
use serde_json::{Value, json};

fn sure(event: &Value) -> u16 {
    answer(&event.to_string()).confidence.get()
}

/// The third failure in a row with this node.
fn repeated(node: Value) -> Value {
    let mut event =
        json!({"exit_code":1,"node":{"id":"T","failed_attempts":3},"history":[{"stderr_tail":""},{"stderr_tail":""}]});
    event["node"].as_object_mut().unwrap().extend(node.as_object().unwrap().clone());
    event
}

#[test]
fn repeated_failure_is_surer_with_an_edited_test_and_a_stated_drift() {
    assert_eq!(sure(&repeated(json!({}))), 750);
    assert_eq!(sure(&repeated(json!({"test_edits":{"a":1}}))), 750);
    assert_eq!(sure(&repeated(json!({"test_edits":{"a":2}}))), 780);
    assert_eq!(sure(&repeated(json!({"test_edits":{"a":2,"b":9}}))), 780, "one revision history, one signal");
    assert_eq!(sure(&repeated(json!({"deviation_score":0.5}))), 750);
    assert_eq!(sure(&repeated(json!({"deviation_score":0.501}))), 780);
    assert_eq!(sure(&repeated(json!({"deviation_score":0.9,"test_edits":{"a":4}}))), 810);
    assert_eq!(sure(&repeated(json!({"revisions_since_planning":4}))), 750, "computed from the attempts themselves");
}

#[test]
fn the_test_edited_most_is_named() {
    let evidence = answer(&repeated(json!({"test_edits":{"a":2,"b":5,"c":5,"d":1}})).to_string()).evidence;
    assert_eq!(evidence[2], "test_ref b has been edited 5 times in revision history");
}

#[test]
fn transient_is_surer_where_the_exit_code_says_so() {
    for (code, expected) in [(1, 950), (74, 950), (75, 980), (76, 950), (124, 980), (125, 950)] {
        assert_eq!(sure(&json!({"exit_code":code,"stderr_tail":"503"})), expected, "{code}");
    }
    assert_eq!(
        answer(r#"{"exit_code":124,"stderr_tail":"503"}"#).evidence,
        ["stderr matches 503", "exit_code=124 means a temporary failure or a timeout"]
    );
}

#[test]
fn conflict_is_surer_where_a_sibling_touched_the_same_files() {
    let mut event = json!({"exit_code":1,"conflict_id":"C","files_touched":["a"],"node":{"id":"T","parent_id":"S"},
        "history":[{"node":"U","parent":"S","files_touched":["a"]}]});
    assert_eq!(sure(&event), 980);
    event["files_touched"] = json!(["b"]);
    assert_eq!(sure(&event), 950);
}

#[test]
fn story_level_is_surer_with_both_of_its_signals() {
    let mut event = json!({"exit_code":1,"files_touched":["a"],"node":{"id":"T","parent_id":"S","deviation_score":0.7},
        "history":[{"node":"U","parent":"S","files_touched":["a"],"event":"execution_failed"}]});
    assert_eq!((answer(&event.to_string()).rule.as_str(), sure(&event)), ("sibling-files", 830));
    event["node"]["deviation_score"] = json!(0.699);
    assert_eq!(sure(&event), 800);
    event["node"]["deviation_score"] = json!(0.7);
    event["files_touched"] = json!([]);
    assert_eq!((answer(&event.to_string()).rule.as_str(), sure(&event)), ("deviation", 830));
    assert_eq!(answer(&event.to_string()).evidence, ["deviation_score=0.7", "sibling U failed too"]);
    event["history"][0]["event"] = json!("execution_succeeded");
    assert_eq!(sure(&event), 800);
}

#[test]
fn local_logic_is_surer_where_the_output_names_a_touched_file() {
    let with = |stderr: &str, test_output: &str, file: &str| {
        sure(&json!({"exit_code":1,"stderr_tail":stderr,"test_output":test_output,"files_touched":[file]}))
    };
    for named in
        ["src/a.rs", "src/a.rs:3:1 boom", "at /home/x/src/a.rs.", "./src/a.rs", "(src/a.rs)", "data_src/a.rs src/a.rs"]
    {
        assert_eq!(with(named, "", "src/a.rs"), 880, "{named}");
        assert_eq!(with("", named, "src/a.rs"), 880, "{named}");
    }
    for not in [
        "", "boom", "src/a.rsx", "src/a.rs_", "src/a.rs-old", "src/a.rs/b", "xsrc/a.rs", "-src/a.rs", "_src/a.rs",
        ".src/a.rs", "ésrc/a.rs",
    ] {
        assert_eq!(with(not, "", "src/a.rs"), 850, "{not}");
    }
    assert_eq!(with("anything", "", "."), 850, "the project itself is no file");
    assert_eq!(sure(&json!({"exit_code":1,"stderr_tail":"TypeError in a.rs","files_touched":["b.rs","a.rs"]})), 880);
    assert_eq!(
        answer(r#"{"exit_code":1,"stderr_tail":"b.rs a.rs","files_touched":["b.rs","a.rs"]}"#).evidence,
        ["exit_code=1", "output names a.rs, which this attempt touched"]
    );
}

#[test]
fn local_logic_is_less_sure_while_the_deviation_is_in_between() {
    for (score, expected) in [(0.0, 850), (0.499, 850), (0.5, 750), (0.57, 750), (0.699, 750), (0.6999, 750)] {
        for stderr in ["", "TypeError"] {
            let node = json!({"id":"T","failed_attempts":1,"deviation_score":score});
            let event = json!({"exit_code":1,"stderr_tail":stderr,"node":node});
            assert_eq!(sure(&event), expected, "{score} {stderr}");
        }
    }
    let with_score = |score: f64| answer(&json!({"exit_code":1,"node":{"id":"T","deviation_score":score}}).to_string());
    assert_eq!(with_score(0.57).evidence, ["exit_code=1", "deviation_score=0.57"]);
    assert_eq!(with_score(0.7).class, Class::F4);
}

#[test]
fn no_stated_score_is_out_of_bounds() {
    let mut event = event(r#"{"exit_code":1,"node":{"id":"T"}}"#);
    for (score, class, evidence) in [
        (f64::NAN, Class::F2, "exit_code=1"),
        (f64::NEG_INFINITY, Class::F2, "exit_code=1"),
        (-0.8, Class::F2, "exit_code=1"),
        (f64::INFINITY, Class::F4, "deviation_score=1"),
        (7e300, Class::F4, "deviation_score=1"),
    ] {
        event.node.as_mut().unwrap().deviation_score = Some(score);
        let answer = classify(&event, &Facts::from_patterns(&event), &Config::default()).unwrap();
        assert_eq!((answer.class, answer.evidence[0].as_str()), (class, evidence), "{score}");
    }
}

fn mission(forbid: &[&str], protect: &[&str], files: &[&str]) -> recovery_types::Classification {
    let features = json!({"a":["a/**"],"b":["b/**"]});
    let ancestor = json!({"constraints":[{"id":"C","forbid":forbid,"protect":protect}],"features":features});
    answer(&json!({"exit_code":1,"stderr_tail":"one two","files_touched":files,"ancestor":ancestor}).to_string())
}

#[test]
fn architectural_confidence_by_kinds_of_evidence() {
    type List = &'static [&'static str];
    let cases: [(List, List, List, u16); 9] = [
        (&["one"], &[], &[], 550),
        (&["one", "two"], &[], &[], 650),
        (&[], &["a/x"], &["a/x"], 650),
        (&[], &["a/x", "a/*"], &["a/x"], 650),
        (&[], &[], &["a/x", "b/x"], 650),
        (&["one"], &["a/x"], &["a/x"], 680),
        (&["one"], &[], &["a/x", "b/x"], 680),
        (&[], &["a/x"], &["a/x", "b/x"], 680),
        (&["one", "two"], &["a/x"], &["a/x", "b/x"], 710),
    ];
    for (forbid, protect, files, expected) in cases {
        let answer = mission(forbid, protect, files);
        assert_eq!(answer.rule, "mission-contradicted", "{forbid:?} {protect:?} {files:?}");
        assert_eq!(answer.confidence.get(), expected, "{forbid:?} {protect:?} {files:?}");
        assert_eq!(answer.class, if expected < 600 { Class::F2 } else { Class::F5 });
        assert!(answer.surface_to_user);
    }
}

#[test]
fn below_the_gate_a_person_hears_of_it_and_sees_the_class_it_would_have_been() {
    let answer = mission(&["one"], &[], &[]);
    assert_eq!((answer.class, answer.name.as_str()), (Class::F2, "local-logic"));
    assert_eq!(answer.confidence, Permille::new(550));
    assert_eq!(answer.recommended_action, Action::SingleRetryThenEscalate);
    assert!(answer.surface_to_user);
    assert_eq!(
        answer.evidence,
        ["constraint C: forbidden \"one\" in stderr", "would be F5 architectural, but confidence 0.55 is below 0.6"]
    );
}

#[test]
fn one_pattern_named_by_two_constraints_is_one_pattern() {
    let constraints = json!([{"id":"B","forbid":["one"]},{"id":"A","forbid":["one"]}]);
    let event = json!({"exit_code":1,"stderr_tail":"one","ancestor":{"constraints":constraints}});
    assert_eq!(sure(&event), 550);
}

#[test]
fn an_output_that_was_hardly_understood_limits_what_rests_on_it() {
    let answer = |event: serde_json::Value, sure: u16| {
        let event: FailureEvent = serde_json::from_value(event).unwrap();
        let facts = Facts { confidence: Some(Permille::new(sure)), ..Facts::from_patterns(&event) };
        classify(&event, &facts, &Config::default()).unwrap()
    };
    let plain = || json!({"exit_code":1,"stderr_tail":"hello world"});
    let limited = answer(plain(), 74);
    assert_eq!((limited.confidence.get(), limited.class), (74, Class::F2));
    assert_eq!(limited.recommended_action, Action::SingleRetryThenEscalate);
    assert!(limited.surface_to_user);
    assert_eq!(answer(plain(), 600).confidence.get(), 600);
    assert_eq!(answer(plain(), 600).recommended_action, Action::SelfHealPropose);
    assert_eq!(answer(plain(), 990).confidence.get(), 850);
    let transient = json!({"exit_code":1,"stderr_tail":"ECONNRESET"});
    assert_eq!((answer(transient.clone(), 700).class, answer(transient, 700).confidence.get()), (Class::F1, 700));
    let conflict = json!({"exit_code":1,"stderr_tail":"hello world","cause":"conflict"});
    assert_eq!((answer(conflict.clone(), 74).class, answer(conflict, 74).confidence.get()), (Class::F6, 950));
}
