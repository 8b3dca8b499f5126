//! Where text enters: secrets out. And where it is stored: sizes bounded.

use crate::Engine;
use failure_taxonomy::redact::redact;
use recovery_types::{Diagnosis, FailureEvent, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// The most that is kept of one text, and how much of it from its beginning.
const KEPT: usize = 16 * 1024;
const HEAD: usize = 4 * 1024;

/// `input` without secrets, in whichever of its texts they stand. Everything after this sees only what may be stored
/// and printed.
///
/// ```
/// use recovery_types::FailureEvent;
/// let event = FailureEvent { exit_code: 1, conflict_id: Some("password=correct-horse-9".into()), ..Default::default() };
/// let admitted = recovery_engine::admit(event);
/// assert_eq!(admitted.conflict_id.as_deref(), Some("password=[redacted:password]"));
/// ```
#[must_use]
pub fn admit<T: Serialize + DeserializeOwned + Default>(input: T) -> T {
    // What was just written reads back; if it did not, nothing is safer than something unclean.
    let Ok(mut value) = serde_json::to_value(&input) else { return T::default() };
    if each_text(&mut value, &mut |text| match redact(text) {
        Cow::Owned(redacted) => Some(redacted),
        Cow::Borrowed(_) => None,
    }) {
        serde_json::from_value(value).unwrap_or_default()
    } else {
        input
    }
}

impl Engine {
    /// The event as the journal keeps it: long texts cut in the middle. Where that loses output, the diagnosis is made
    /// first, from all of it, and kept beside the event, so that a decision and its replay see the same.
    #[must_use]
    pub fn bound(
        &self,
        event: FailureEvent,
        observed: Option<Diagnosis>,
        now: Timestamp,
    ) -> (FailureEvent, Option<Diagnosis>) {
        let is_long = |text: &str| text.len() > KEPT;
        let long = is_long(&event.stderr_tail) || event.test_output.as_deref().is_some_and(is_long);
        let read_first = || if long { self.assess(&event, now).map(|assessed| assessed.diagnosis) } else { None };
        let observed = observed.or_else(read_first);
        let Ok(mut value) = serde_json::to_value(&event) else { return (FailureEvent::default(), observed) };
        let cut_any = each_text(&mut value, &mut |text| is_long(text).then(|| cut(text))) | shorten(&mut value);
        let event = if cut_any { serde_json::from_value(value).unwrap_or_default() } else { event };
        (event, observed)
    }
}

/// Replaces a name that came from output which has not been through [`admit`].
pub(crate) fn clean(text: &mut String) {
    if let Cow::Owned(redacted) = redact(text) {
        *text = redacted;
    }
}

/// Changes every text of `value` that `change` has a new one for; says whether any was changed.
fn each_text(value: &mut Value, change: &mut impl FnMut(&str) -> Option<String>) -> bool {
    match value {
        Value::String(text) => match change(text) {
            Some(new) => {
                *text = new;
                true
            }
            None => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |any, item| each_text(item, change) | any),
        Value::Object(fields) => {
            let mut any = false;
            // Names are texts too where the caller chooses them: a test's path, a feature.
            for key in fields.keys().cloned().collect::<Vec<_>>() {
                if let Some(new) = change(&key)
                    && let Some(field) = fields.remove(&key)
                {
                    fields.insert(new, field);
                    any = true;
                }
            }
            fields.iter_mut().fold(any, |any, (_, field)| each_text(field, change) | any)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Keeps the last entries of long lists: nothing reads further back, and a record must stay a record.
fn shorten(value: &mut Value) -> bool {
    const LONGEST: usize = 200;
    match value {
        Value::Array(items) => {
            let excess = items.len().saturating_sub(LONGEST);
            items.drain(..excess);
            items.iter_mut().fold(excess > 0, |any, item| shorten(item) | any)
        }
        Value::Object(fields) => fields.iter_mut().fold(false, |any, (_, field)| shorten(field) | any),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn cut(text: &str) -> String {
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - (KEPT - HEAD));
    format!("{}\n[... {} bytes left out ...]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PackName;

    const SECRET: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

    #[test]
    fn no_field_keeps_a_secret() {
        let json = format!(
            r#"{{"exit_code":1,"tool":"{SECRET}","stderr_tail":"x {SECRET}","conflict_id":"{SECRET}","zone":"{SECRET}",
            "files_touched":["{SECRET}"],"node":{{"id":"n","status":"{SECRET}","test_edits":{{"{SECRET}":1}}}},"candidates":["{SECRET}"],
            "ancestor":{{"intent":"{SECRET}","constraints":[{{"id":"c","forbid":["{SECRET}"]}}]}},
            "task":{{"name":"{SECRET}","done_criteria":["{SECRET}"]}},"history":[{{"approach":"{SECRET}"}}]}}"#
        );
        let event: FailureEvent = serde_json::from_str(&json).unwrap();
        let admitted = serde_json::to_string(&admit(event)).unwrap();
        assert!(!admitted.contains(SECRET), "{admitted}");
    }

    #[test]
    fn what_is_cut_was_read_first() {
        let engine = Engine::new(PackName::Documented);
        let filler = "é filler\n".repeat(4000);
        let text = format!("first line\n{filler}a syntax error\n{filler}last line");
        let event = FailureEvent { exit_code: 1, stderr_tail: text, ..FailureEvent::default() };
        let (kept, observed) = engine.bound(event, None, Timestamp::from_ms(0));
        assert!(kept.stderr_tail.starts_with("first line") && kept.stderr_tail.ends_with("last line"));
        assert!(kept.stderr_tail.len() < KEPT + 100);
        assert_eq!(observed.unwrap().failure_type.name(), "BROKEN_BUILD");
        let (again, nothing) =
            engine.bound(FailureEvent { stderr_tail: "short".into(), ..kept }, None, Timestamp::from_ms(0));
        assert_eq!((again.stderr_tail.as_str(), nothing), ("short", None));
    }
}
