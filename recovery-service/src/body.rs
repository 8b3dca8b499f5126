//! How an entry is written as the body of its record, and parsed back.
//!
//! In: an [`Entry`]. Out: one line of JSON. Many fields of a decision are null, so they are left out; the rest is what `decide`
//! prints, so that `journal export` can be read with any JSON tool. A body that has them, as programs before 0.2 wrote it,
//! parses to the same entry.

use recovery_engine::Entry;
use recovery_store::Record;
use recovery_types::terminal::escaped_json;
use serde_json::Value;

/// The body of a record.
pub(crate) fn encode(entry: &Entry) -> Result<String, serde_json::Error> {
    let mut body = serde_json::to_value(entry)?;
    remove_nulls(&mut body);
    Ok(escaped_json(serde_json::to_string(&body)?))
}

/// The entry that a record's body holds.
///
/// # Errors
/// Where it holds none that this program knows.
pub(crate) fn decode(record: &Record) -> Result<Entry, serde_json::Error> {
    serde_json::from_str(&record.body)
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_engine::{Engine, PackName, TaskState, admit};
    use recovery_types::{FailureEvent, Timestamp};

    const OUTPUTS: [&str; 4] = [
        "HTTP 429 Too Many Requests\nRetry-After: 30\n",
        "error[E0308]: mismatched types\n --> src/main.rs:4:18\nerror: could not compile `app` due to 1 previous error\n",
        "bash: jq: command not found\n",
        "read ECONNRESET",
    ];

    /// Twelve failures of one task, as they are recorded.
    fn entries() -> Vec<Entry> {
        let mut engine = Engine::new(PackName::Field);
        let mut state = TaskState::default();
        let mut entries = Vec::new();
        for (n, output) in (0..12).zip(OUTPUTS.into_iter().cycle()) {
            engine.own_ladder = n % 2 == 0;
            let event = admit(FailureEvent { exit_code: 1, stderr_tail: output.into(), ..FailureEvent::default() });
            let decision = engine.decide("login", &state, &event, None, Timestamp::from_ms(n * 1_000));
            let observed = decision.diagnosis.clone().filter(|_| n % 3 == 0).map(Box::new);
            let policy = engine.own_ladder.then(|| Box::new(engine.ladder.clone()));
            let entry =
                Entry::Decided { event: Box::new(event), observed, head: None, policy, decision: Box::new(decision) };
            state.apply(&entry);
            entries.push(entry);
        }
        entries
    }

    #[test]
    fn what_is_left_out_comes_back() {
        let (mut written_bytes, mut whole_bytes) = (0, 0);
        for entry in entries() {
            let (text, whole) = (encode(&entry).unwrap(), serde_json::to_string(&entry).unwrap());
            assert!(!text.contains("null"), "{text}");
            for body in [&text, &whole] {
                assert_eq!(serde_json::from_str::<Entry>(body).unwrap(), entry);
            }
            written_bytes += text.len();
            whole_bytes += whole.len();
        }
        eprintln!("{written_bytes} of {whole_bytes} bytes");
        assert!(written_bytes * 10 < whole_bytes * 9, "{written_bytes} of {whole_bytes} bytes");
    }
}
