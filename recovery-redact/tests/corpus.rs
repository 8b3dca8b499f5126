//! Made-up secrets of every kind are taken out.

#[path = "common/kinds.rs"]
mod kinds;

use recovery_redact::redact;

/// Each secret as it is, and as it is in a log whose lines are JSON, in a message of such a log that is JSON itself, and in a
/// message that quotes it.
#[test]
fn no_secret_is_left() {
    let samples = kinds::samples(2 * kinds::KINDS);
    assert!(kinds::KINDS >= 150 && samples.len() >= 300, "{} kinds", kinds::KINDS);
    let mut left = Vec::new();
    for sample in &samples {
        let line = serde_json::json!({"level": "error", "message": sample.text}).to_string();
        let within = serde_json::json!({"log": line}).to_string();
        let quoted = format!("invalid value {:?} for the option", sample.text);
        for text in [&sample.text, &line, &within, &quoted] {
            if kinds::is_left(&sample.secret, &redact(text)) {
                let form = if sample.is_structured { "structured" } else { "plain" };
                left.push(format!("{} ({form}): {text:?} became {:?}", sample.kind, redact(text)));
            }
        }
    }
    // A plain value after the name of a secret has no form to recognise it by; those made here are known all the same.
    assert!(left.is_empty(), "{} of {}:\n{}", left.len(), 4 * samples.len(), left.join("\n"));
}
