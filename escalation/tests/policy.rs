//! The numbers: the documented ones by default, all of them settable, nonsense refused with a reason.

use escalation::{Policy, PolicyError};
use proptest::prelude::*;
use recovery_types::Level;

fn read(json: &str) -> Result<Policy, String> {
    let policy: Policy = serde_json::from_str(json).map_err(|e| e.to_string())?;
    policy.validate().map_err(|e| e.to_string())?;
    Ok(policy)
}

/// Escalation document: attempts and timeouts of each level, thresholds of judge and loops.
#[test]
fn documented_numbers_are_the_defaults() {
    insta::assert_json_snapshot!(Policy::default());
    assert_eq!(read("{}").unwrap(), Policy::default());
}

#[test]
fn each_number_can_be_set() {
    let policy = read(
        r#"{"retry":{"attempts":5,"first_backoff_ms":10,"backoff_factor":1,"limit_ms":60000},
            "nudge":{"variants":0},"replan":{"plans":2,"limit_ms":1},
            "fallback":{"targets":[{"agent":"devops"},{"model":"opus"},"next_model_tier"]},
            "session_budget_ms":7200000,"entry":{"disk_full":5},
            "judge":{"goal_alignment":20},"loop":{"replan":4,"polling":["sleep"]}}"#,
    )
    .unwrap();
    assert_eq!(policy.retry.backoff_ms(4), 10);
    assert_eq!(policy.attempts(Level::Fallback), 3);
    assert_eq!(policy.at_or_above(Level::Nudge, None), Level::Replan);
    let again = serde_json::from_str::<Policy>(&serde_json::to_string(&policy).unwrap()).unwrap();
    assert_eq!(again, policy);
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let all = serde_json::to_value(Policy::default()).unwrap();
    for (json, reason) in [
        (r#"{"retries":3}"#, "unknown field `retries`"),
        (r#"{"retry":{"limit":1}}"#, "unknown field `limit`"),
        (r#"{"retry":{"attempts":-1}}"#, "invalid value"),
        (r#"{"nudge":{"limit_ms":0}}"#, "nudge.limit_ms is 0"),
        (r#"{"session_budget_ms":0}"#, "session_budget_ms is 0"),
        (r#"{"retry":{"backoff_factor":0}}"#, "retry.backoff_factor is 0"),
        (r#"{"retry":{"attempts":5}}"#, "add up to 31000 ms"),
        (r#"{"retry":{"attempts":4000000000}}"#, "retry.attempts is 4000000000, more than 1000"),
        (r#"{"replan":{"limit_ms":9999999999999999}}"#, "replan.limit_ms"),
        (r#"{"fallback":{"targets":[{"agent":" "}]}}"#, "number 1 has an empty name"),
        (r#"{"loop":{"replan":1}}"#, "no loop"),
        (r#"{"loop":{"fallback":9}}"#, "thresholds fall"),
        (r#"{"loop":{"window":7}}"#, "loop.window is 7"),
        (r#"{"loop":{"similarity_permille":1001}}"#, "from 1 to 1000"),
        (r#"{"loop":{"longest_cycle":11}}"#, "fit twice"),
        (r#"{"loop":{"longest_cycle":4294967295}}"#, "fit twice"),
        (r#"{"entry":{"disk_full":6}}"#, "6 is not a level"),
        (r#"{"entry":{"full_disk":5}}"#, "unknown variant"),
    ] {
        let refused = read(json).expect_err(json);
        assert!(refused.contains(reason), "{json}: {refused}");
        let Ok(policy) = serde_json::from_str::<Policy>(json) else { continue };
        for setting in policy.validate().expect_err(json).settings() {
            let place = format!("/{}", setting.replace('.', "/"));
            assert!(all.pointer(&place).is_some(), "{json}: there is no setting {setting}");
        }
    }
    let zero = Policy { session_budget_ms: Some(0), ..Policy::default() };
    assert_eq!(zero.validate(), Err(PolicyError::NoTime { setting: "session_budget_ms" }));
}

#[test]
fn the_ladder_can_be_drawn() {
    let mut policy = Policy { session_budget_ms: Some(7_200_000), ..Policy::default() };
    insta::assert_snapshot!("drawn", policy.to_dot());
    policy.nudge.variants = 0;
    assert!(policy.to_dot().contains("level1 -> level3") && !policy.to_dot().contains("level2"));
}

proptest! {
    #[test]
    fn no_backoff_overflows(attempt in any::<u32>(), first_backoff_ms in any::<u64>(), backoff_factor in any::<u32>()) {
        let mut policy = Policy::default();
        (policy.retry.first_backoff_ms, policy.retry.backoff_factor) = (first_backoff_ms, backoff_factor);
        prop_assert!(backoff_factor < 2 || policy.retry.backoff_ms(attempt) >= first_backoff_ms);
    }
}
