//! Output of real tools stays as it is.

use recovery_redact::redact;
use std::collections::BTreeSet;

/// Of the distinct lines of the repository's corpus, which has no secrets in it, fewer than one in a hundred may be
/// changed.
#[test]
fn lines_of_real_output_stay() {
    let corpus = include_str!("../../corpus/own.jsonl");
    let mut lines = BTreeSet::new();
    for case in corpus.lines() {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        texts(&case, &mut |text| lines.extend(text.lines().map(str::to_owned)));
    }
    let changed: Vec<&String> = lines.iter().filter(|line| redact(line) != line.as_str()).collect();
    println!("{} of {} lines changed", changed.len(), lines.len());
    assert!(lines.len() > 1000, "{} lines", lines.len());
    assert!(changed.len() * 100 < lines.len(), "{} of {}: {changed:#?}", changed.len(), lines.len());
}

fn texts(value: &serde_json::Value, visit: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => visit(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, visit)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| texts(field, visit)),
        _ => {}
    }
}
