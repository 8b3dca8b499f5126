//! The nine rules once more, as a plain cascade over the event's JSON. Written from the rules in words, not from the table,
//! and it shares no code with the crate.

use crate::answer_to;
use crate::events::any_event;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use recovery_types::Classification;
use regex::Regex;
use serde_json::Value;
use sha2::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static TRANSIENT: LazyLock<Regex> = LazyLock::new(|| regex("(?i)ECONNRESET|ETIMEDOUT|EAI_AGAIN|429|503|rate limit"));
static CODE_ERROR: LazyLock<Regex> = LazyLock::new(|| regex("TypeError|SyntaxError|test failed|assertion"));
static INSTALL: LazyLock<Regex> = LazyLock::new(|| regex("(?i)npm install"));
static DROP: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)drop\s+table"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The result of the cascade; the rest of an answer follows from it.
#[derive(Debug, PartialEq)]
struct CascadeAnswer {
    rule: &'static str,
    class: &'static str,
    thousandths: i64,
    action: &'static str,
}

fn cascade(event: &Value) -> Option<CascadeAnswer> {
    let text = |v: &Value| v.as_str().unwrap_or("").to_owned();
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let node = &event["node"];
    let stderr = text(&event["stderr_tail"]);
    let test_output = text(&event["test_output"]);
    let files: BTreeSet<String> = list(&event["files_touched"]).iter().map(text).collect();
    let history = list(&event["history"]);

    let replan = |e: &Value| text(&e["event"]).starts_with("replan");
    let worked = |e: &Value| e["exit_code"] == 0 || e["exit_code"].is_null() && e["event"] == "execution_succeeded";
    let failed = |e: &Value| {
        !e["exit_code"].is_null() && e["exit_code"] != 0
            || e["exit_code"].is_null() && (e["event"].is_null() || e["event"] == "execution_failed")
    };
    let own = |e: &Value| node.is_null() || e["node"].is_null() || e["node"] == node["id"];
    let sibling = |e: &Value| {
        !node.is_null()
            && !node["parent_id"].is_null()
            && e["parent"] == node["parent_id"]
            && !e["node"].is_null()
            && e["node"] != node["id"]
    };

    let attempts: Vec<&Value> = history.iter().filter(|e| own(e) && !replan(e) && (worked(e) || failed(e))).collect();
    let recorded = attempts.iter().filter(|e| failed(e)).count() as u64;
    let failed_attempts = node["failed_attempts"].as_u64().unwrap_or(recorded + 1);

    // Floats are fine here: the generated numbers are small, and a score is never closer than this to a threshold.
    let score = if node.is_null() {
        0.0
    } else if let Some(stated) = node["deviation_score"].as_f64() {
        stated
    } else {
        let (actual, budget) = (node["actual_tokens"].as_f64(), node["context_budget"].as_f64());
        let overrun = match (actual, budget) {
            (Some(actual), Some(budget)) if budget > 0.0 => ((actual - budget) / budget).max(0.0),
            _ => 0.0,
        };
        let revisions = node["revisions_since_planning"].as_f64().unwrap_or(0.0);
        0.4 * (failed_attempts as f64 / 2.5).min(1.0) + 0.3 * (revisions / 3.3).min(1.0) + 0.3 * overrun.min(1.0)
    };
    let reaches = |threshold: f64| score > threshold - 1e-9;

    let sha = |text: &str| {
        let mut hex = String::new();
        for byte in sha2::Sha256::digest(text) {
            hex.push_str(&format!("{byte:02x}"));
        }
        hex
    };
    let last_two: Vec<_> = attempts.iter().rev().take(2).map(|e| e["stderr_tail"].as_str().map(sha)).collect();
    let repeated = last_two.len() == 2 && last_two.iter().all(|hash| *hash == Some(sha(&stderr)));

    let overlap = history
        .iter()
        .filter(|e| sibling(e))
        .any(|e| list(&e["files_touched"]).iter().any(|file| files.contains(&text(file))));

    // Rule 8, for the constraints that the generator knows.
    let evidence =
        [&event["stderr_tail"], &event["test_output"], &event["approach"], &event["tool"]].map(text).join("\n");
    let constraints: BTreeSet<String> =
        list(&event["ancestor"]["constraints"]).iter().map(|c| text(&c["id"])).collect();
    let install = constraints.contains("no-new-deps") && INSTALL.is_match(&evidence);
    let drop = constraints.contains("keep-data") && DROP.is_match(&evidence);
    let database = constraints.contains("keep-data") && files.iter().any(|file| file.starts_with("db/"));
    let features = event["ancestor"]["features"].as_object().is_some_and(|features| features.len() == 2)
        && files.iter().any(|file| file.starts_with("src/auth/"))
        && files.iter().any(|file| file == "src/billing" || file.starts_with("src/billing/"));
    let patterns = i64::from(install) + i64::from(drop);
    let kinds = i64::from(patterns > 0) + i64::from(database) + i64::from(features);

    let part_of_name = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let names_own_file = [&stderr, &test_output].iter().any(|output| {
        output
            .split(|c| !part_of_name(c))
            .any(|name| files.contains(name.trim_start_matches("./").trim_end_matches('.')))
    });
    let drift = if (500..700).contains(&((score * 1000.0 + 1e-6) as i64)) { 100 } else { 0 };
    let own_file = if names_own_file { 30 } else { 0 };

    // Another story's replans draw on another budget.
    let family = |e: &Value| own(e) || sibling(e) || !e["node"].is_null() && e["node"] == node["parent_id"];
    let no_replan = |budget: u64, other: &str| {
        let replan = |e: &Value| replan(e) && family(e);
        let drawn = history.iter().filter(|e| replan(e) && !text(&e["event"]).contains(other)).count() as u64;
        let left = node["replan_budget_remaining"].as_u64().unwrap_or(budget.saturating_sub(drawn));
        let since = history.iter().rposition(|e| own(e) && worked(e) && !replan(e)).map_or(0, |at| at + 1);
        left == 0 || history[since..].iter().filter(|e| replan(e)).count() >= 3
    };
    let replan_story = || if no_replan(3, "feature") { "freeze_and_escalate" } else { "replan_story" };
    let replan_feature = || if no_replan(2, "story") { "freeze_and_escalate" } else { "replan_feature" };

    let answer = |rule, class, thousandths, action| Some(CascadeAnswer { rule, class, thousandths, action });
    if event["exit_code"] == 0 {
        return None;
    }
    if event["cause"] == "conflict" || !event["conflict_id"].is_null() {
        return answer("conflict", "F6", if overlap { 980 } else { 950 }, "arbitrate");
    }
    if TRANSIENT.is_match(&stderr) {
        let temporary_exit_code = event["exit_code"] == 75 || event["exit_code"] == 124;
        return answer("transient-pattern", "F1", if temporary_exit_code { 980 } else { 950 }, "retry_with_backoff");
    }
    if failed_attempts >= 3 && repeated {
        let edited = node["test_edits"].as_object().is_some_and(|tests| tests.values().any(|n| n.as_u64() >= Some(2)));
        let drifted = node["deviation_score"].as_f64().is_some_and(|stated| stated > 0.5);
        let sure = 750 + if edited { 30 } else { 0 } + if drifted { 30 } else { 0 };
        return answer("repeated-failure", "F3", sure, replan_story());
    }
    if overlap {
        return answer("sibling-files", "F4", if reaches(0.7) { 830 } else { 800 }, replan_feature());
    }
    if failed_attempts == 1 && (CODE_ERROR.is_match(&stderr) || CODE_ERROR.is_match(&test_output)) {
        return answer("first-code-error", "F2", 850 + own_file - drift, "self_heal_propose");
    }
    if reaches(0.7) {
        let broken = history.iter().any(|e| sibling(e) && failed(e) && !replan(e));
        return answer("deviation", "F4", if broken { 830 } else { 800 }, replan_feature());
    }
    if kinds > 0 {
        let sure = 650 + 30 * (kinds - 1) - if kinds == 1 && patterns == 1 { 100 } else { 0 };
        return if sure < 600 {
            answer("mission-contradicted", "F2", sure, "single_retry_then_escalate")
        } else {
            answer("mission-contradicted", "F5", sure, "freeze_and_escalate")
        };
    }
    answer("default", "F2", 850 + own_file - drift, "self_heal_propose")
}

/// The table's answer in the cascade's terms.
fn same(answer: Option<&Classification>, expected: Option<&CascadeAnswer>) -> Result<(), TestCaseError> {
    prop_assert_eq!(answer.is_some(), expected.is_some());
    if let (Some(answer), Some(expected)) = (answer, expected) {
        let json = serde_json::to_value(answer).unwrap();
        let found = (&json["rule"], &json["class"], i64::from(answer.confidence.get()), &json["recommended_action"]);
        prop_assert_eq!(
            found,
            (&expected.rule.into(), &expected.class.into(), expected.thousandths, &expected.action.into())
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800) })]

    #[test]
    fn the_table_and_the_cascade_agree(event in any_event()) {
        same(answer_to(&event).as_ref(), cascade(&serde_json::to_value(&event).unwrap()).as_ref())?;
    }
}

/// Agreement means little where the generator never goes.
#[test]
fn random_events_reach_every_rule_and_action() {
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let events = any_event();
    for _ in 0..1000 {
        let event = events.new_tree(&mut runner).unwrap().current();
        let expected = cascade(&serde_json::to_value(&event).unwrap());
        for word in expected.map_or(vec!["not-a-failure"], |expected| vec![expected.rule, expected.action]) {
            *seen.entry(word).or_default() += 1;
        }
    }
    for rule in &classifier_core::RULES {
        assert!(seen.get(rule.id.as_str()).is_some_and(|n| *n >= 10), "{} is rare: {seen:?}", rule.id);
    }
    for action in ["replan_story", "replan_feature", "freeze_and_escalate", "single_retry_then_escalate"] {
        assert!(seen.get(action).is_some_and(|n| *n >= 5), "{action} is rare: {seen:?}");
    }
}
