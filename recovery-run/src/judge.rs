//! The verdict of a judge command: the scores in its output, or its exit code where it printed none.

use recovery_types::{Judge, Verdict};
use serde_json::Value;

/// The verdict of a judge. Scores are the last JSON object of its output, in our field names or those of the document;
/// without scores its exit code decides. Scores that cannot be read are a FAIL.
#[must_use]
pub fn verdict(output: &str, exit_code: u8) -> Judge {
    let starts = output.match_indices('{').map(|(at, _)| at).rev();
    let scores =
        starts.filter_map(|at| serde_json::Deserializer::from_str(&output[at..]).into_iter::<Value>().next()?.ok());
    let number = |object: &Value, names: [&str; 2]| {
        let found = names.iter().find_map(|name| object.get(*name))?;
        let number = found.as_f64().or_else(|| found.as_str()?.trim().parse().ok())?;
        (number >= 0.0).then_some(number as u32)
    };
    let mut judges = scores.filter_map(|object| {
        let names = ["evidence_of_completion", "evidenceOfCompletion", "goal_alignment", "goalAlignment", "verdict"];
        let is_judge = names.iter().any(|name| object.get(*name).is_some_and(|value| !value.is_null()));
        let judge = Judge {
            evidence_of_completion: number(&object, ["evidence_of_completion", "evidenceOfCompletion"]),
            goal_alignment: number(&object, ["goal_alignment", "goalAlignment"]),
            verdict: object.get("verdict").and_then(|verdict| serde_json::from_value(verdict.clone()).ok()),
        };
        // A verdict that cannot be read must not pass as one that was not given.
        let unreadable = || Judge { verdict: Some(Verdict::Fail), ..Judge::default() };
        is_judge.then(|| if judge == Judge::default() { unreadable() } else { judge })
    });
    let by_code = if exit_code == 0 { Verdict::Pass } else { Verdict::Fail };
    judges.next().unwrap_or(Judge { verdict: Some(by_code), ..Judge::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_in_what_it_prints() {
        let scores =
            |evidence, goal, verdict| Judge { evidence_of_completion: evidence, goal_alignment: goal, verdict };
        let table = [
            ("looking\n{\"evidenceOfCompletion\": 6, \"goalAlignment\": \"20\"}\n", 0, scores(Some(6), Some(20), None)),
            ("{\"verdict\":\"FAIL\"}", 0, scores(None, None, Some(Verdict::Fail))),
            ("{\"scores\":{\"goal_alignment\":3}}", 0, scores(None, Some(3), None)),
            ("no scores {", 0, scores(None, None, Some(Verdict::Pass))),
            ("", 3, scores(None, None, Some(Verdict::Fail))),
            ("{\"verdict\":\"REJECTED\"}", 0, scores(None, None, Some(Verdict::Fail))),
            ("{\"evidenceOfCompletion\":-3}", 0, scores(None, None, Some(Verdict::Fail))),
            ("{\"evidenceOfCompletion\":null}", 0, scores(None, None, Some(Verdict::Pass))),
        ];
        for (output, code, expected) in table {
            assert_eq!(verdict(output, code), expected, "{output}");
        }
    }
}
