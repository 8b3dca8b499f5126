//! Redaction at the entrance of the engine, and the size limit of what is stored.
//!
//! In: an event or a repair request from outside. Out: [`Admitted`], the same value without secrets. Only [`admit`]
//! makes one, and everything that decides or stores takes one, so the compiler rejects a path around redaction. It
//! fails closed: where a text cannot be rewritten it is dropped. Texts are redacted before they are truncated, because
//! a secret that was cut is no longer recognised. What is redacted is up to `recovery-redact`.

use crate::Engine;
use recovery_redact::redact;
use recovery_types::repair::{AdjacentTask, RepairRequest};
use recovery_types::{Ancestor, Cooldown, Diagnosis, FailureCause, FailureEvent, HistoryEntry, Node, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The maximum length of one stored text, and the part of it that is kept from its beginning.
const MAX_TEXT_BYTES: usize = 16 * 1024;
const HEAD_BYTES: usize = 4 * 1024;

/// A value whose texts have been through redaction. [`admit`] is the only way to make one, so whatever decides or stores
/// events requires it by its type.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Admitted<T>(T);

impl<T> Admitted<T> {
    /// The value itself; it has to be admitted again before it is used as an event.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> std::ops::Deref for Admitted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl Admitted<FailureEvent> {
    /// The event with `commit` as its last good commit, where it names none.
    #[must_use]
    pub fn or_good_commit(mut self, commit: Option<&str>) -> Self {
        self.0.last_good_commit = self.0.last_good_commit.or_else(|| commit.map(|commit| redact(commit).into_owned()));
        self
    }

    /// The event with the recorded history of the siblings, latest entries only, before the history that the caller
    /// states. Entries that the caller names too, by node and time, are not repeated.
    #[must_use]
    pub fn with_siblings(mut self, mut siblings: Vec<HistoryEntry>) -> Self {
        const MAX_SIBLING_ENTRIES: usize = 100;
        let stated = &self.0.history;
        siblings.retain(|entry| stated.iter().all(|other| other.node != entry.node || other.ts != entry.ts));
        siblings.sort_by_key(|entry| entry.ts);
        siblings.drain(..siblings.len().saturating_sub(MAX_SIBLING_ENTRIES));
        self.0.history.splice(0..0, siblings);
        self
    }

    /// The event with the feature of its story, if the caller does not state it, and the `replans` of the feature for
    /// other stories.
    #[must_use]
    pub fn with_feature(mut self, feature: String, replans: Vec<HistoryEntry>) -> Self {
        if let Some(node) = &mut self.0.node {
            node.feature_id.get_or_insert(feature);
        }
        self.with_siblings(replans)
    }

    /// The event with the status `frozen` for its node, which is `id` where the event names none.
    #[must_use]
    pub fn with_frozen_node(mut self, id: &str) -> Self {
        let node = self.0.node.get_or_insert_with(|| Node { id: id.to_owned(), ..Node::default() });
        node.status = Some("frozen".to_owned());
        self
    }

    /// The event with the mission of the plan, if the caller states none, and with earlier `decisions`.
    #[must_use]
    pub fn with_plan(mut self, mission: Option<&Ancestor>, decisions: Vec<String>) -> Self {
        if self.0.ancestor.is_none() {
            self.0.ancestor = mission.cloned();
        }
        if !decisions.is_empty() {
            self.0.plan.get_or_insert_default().decisions.extend(decisions);
        }
        self
    }

    /// The event with the states of the tasks that it depends on, from the journal, if the caller does not state them.
    #[must_use]
    pub fn with_skipped(mut self, skipped: Vec<AdjacentTask>) -> Self {
        let adjacent = &mut self.0.plan.get_or_insert_default().adjacent;
        for task in skipped {
            if adjacent.iter().all(|known| known.number != task.number) {
                adjacent.push(task);
            }
        }
        self
    }

    /// The event with the shared wait for the resource of the failure, if the caller does not state it.
    #[must_use]
    pub fn with_cooldown(mut self, cooldown: Option<Cooldown>) -> Self {
        self.0.cooldown = self.0.cooldown.or(cooldown);
        self
    }

    /// The event with the cause of the failure that the supervisor knows.
    #[must_use]
    pub fn with_cause(mut self, cause: FailureCause) -> Self {
        self.0.cause = Some(cause);
        self
    }

    /// The event as the journal holds it: it was admitted before it was stored.
    pub(crate) fn from_journal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Box<Self>, D::Error> {
        FailureEvent::deserialize(deserializer).map(|event| Box::new(Self(event)))
    }
}

/// The types that [`admit`] accepts.
pub trait Admit: Serialize + DeserializeOwned {
    /// What remains if the texts cannot be rewritten: numbers and closed words, no text from outside.
    #[must_use]
    fn without_texts(&self) -> Self;
}

impl Admit for FailureEvent {
    fn without_texts(&self) -> Self {
        Self {
            exit_code: self.exit_code,
            stderr_tail: "[redacted: the output could not be searched for secrets]".to_owned(),
            idempotent: self.idempotent,
            judge: self.judge,
            ..Self::default()
        }
    }
}

impl Admit for RepairRequest {
    fn without_texts(&self) -> Self {
        Self { budget: self.budget, class: self.class, error_type: self.error_type, ..Self::default() }
    }
}

/// `input` without secrets, in whichever of its texts they are. Only the result may be stored and printed. It fails
/// closed: texts that cannot be rewritten are removed, and the failure stays a failure.
///
/// ```
/// use recovery_types::FailureEvent;
/// let event = FailureEvent { exit_code: 1, conflict_id: Some("password=correct-horse-9".into()), ..Default::default() };
/// let admitted = recovery_engine::admit(event);
/// assert_eq!(admitted.conflict_id.as_deref(), Some("password=[redacted:password]"));
/// ```
#[must_use]
pub fn admit<T: Admit>(input: T) -> Admitted<T> {
    Admitted(rewritten(&input).unwrap_or_else(|()| Some(input.without_texts())).unwrap_or(input))
}

/// `input` with its secrets replaced; `None` if it has none.
fn rewritten<T: Admit>(input: &T) -> Result<Option<T>, ()> {
    let mut value = serde_json::to_value(input).map_err(|_| ())?;
    if redact_json(&mut value) { serde_json::from_value(value).map(Some).map_err(|_| ()) } else { Ok(None) }
}

/// Redacts JSON from outside before it is deserialised: a type may normalise its text, as a path does, and lose the
/// marks by which [`admit`] would recognise a secret. Returns whether anything was changed.
///
/// ```
/// let mut event = serde_json::json!({"files_touched": ["postgres://ada:ab/s3cr3t@db:5432/app"]});
/// assert!(recovery_engine::redact_json(&mut event));
/// assert_eq!(event["files_touched"][0], "postgres://ada:[redacted:password]@db:5432/app");
/// ```
pub fn redact_json(value: &mut Value) -> bool {
    each_text(value, &mut |text| match redact(text) {
        Cow::Owned(redacted) => Some(redacted),
        Cow::Borrowed(_) => None,
    })
}

impl Engine {
    /// The event as the journal stores it: long texts truncated in the middle. If that loses output, the diagnosis is
    /// made first, from all of it, and stored with the event, so that a decision and its replay have the same input.
    #[must_use]
    pub fn truncate_for_storage(
        &self,
        event: Admitted<FailureEvent>,
        observed: Option<Diagnosis>,
        now: Timestamp,
    ) -> (Admitted<FailureEvent>, Option<Diagnosis>) {
        let is_long = |text: &str| text.len() > MAX_TEXT_BYTES;
        let long = is_long(&event.stderr_tail) || event.test_output.as_deref().is_some_and(is_long);
        let read_first = || if long { self.assess(&event, now).map(|assessed| assessed.diagnosis) } else { None };
        let observed = observed.or_else(read_first);
        let Ok(mut value) = serde_json::to_value(&event.0) else { return (event, observed) };
        let cut_any = each_text(&mut value, &mut |text| is_long(text).then(|| cut(text))) | shorten(&mut value);
        let event = if cut_any { serde_json::from_value(value).map_or(event, Admitted) } else { event };
        (event, observed)
    }
}

/// Redacts a name from output that has not been through [`admit`].
pub(crate) fn clean(text: &mut String) {
    if let Cow::Owned(redacted) = redact(text) {
        *text = redacted;
    }
}

/// Replaces every text of `value` for which `change` returns a new one; returns whether any was replaced.
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
            // Keys are texts too where the caller chooses them: a test's path, a feature.
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

/// Keeps the last entries of long lists: nothing reads further back, and the size of a record stays bounded.
fn shorten(value: &mut Value) -> bool {
    const MAX_ENTRIES: usize = 200;
    match value {
        Value::Array(items) => {
            let excess = items.len().saturating_sub(MAX_ENTRIES);
            items.drain(..excess);
            items.iter_mut().fold(excess > 0, |any, item| shorten(item) | any)
        }
        Value::Object(fields) => fields.iter_mut().fold(false, |any, (_, field)| shorten(field) | any),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn cut(text: &str) -> String {
    let head = text.floor_char_boundary(HEAD_BYTES);
    let tail = text.ceil_char_boundary(text.len() - (MAX_TEXT_BYTES - HEAD_BYTES));
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

    /// A value that cannot be serialised as JSON, so that it cannot be searched.
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Unwritable {
        #[serde(serialize_with = "refuse")]
        text: String,
        exit_code: i64,
    }

    fn refuse<S: serde::Serializer>(_: &str, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("refused"))
    }

    impl Admit for Unwritable {
        fn without_texts(&self) -> Self {
            Self { text: String::new(), exit_code: self.exit_code }
        }
    }

    #[test]
    fn what_cannot_be_searched_is_left_out_and_stays_a_failure() {
        let admitted = admit(Unwritable { text: SECRET.to_owned(), exit_code: 1 });
        assert_eq!(*admitted, Unwritable { text: String::new(), exit_code: 1 });
        let bare = FailureEvent { exit_code: 7, stderr_tail: SECRET.into(), ..FailureEvent::default() }.without_texts();
        assert!(bare.exit_code == 7 && !bare.stderr_tail.contains(SECRET));
    }

    #[test]
    fn what_is_cut_was_read_first() {
        let engine = Engine::new(PackName::Documented);
        let filler = "é filler\n".repeat(4000);
        let text = format!("first line\n{filler}a syntax error\n{filler}last line");
        let event = FailureEvent { exit_code: 1, stderr_tail: text, ..FailureEvent::default() };
        let (kept, observed) = engine.truncate_for_storage(admit(event), None, Timestamp::from_ms(0));
        assert!(kept.stderr_tail.starts_with("first line") && kept.stderr_tail.ends_with("last line"));
        assert!(kept.stderr_tail.len() < MAX_TEXT_BYTES + 100);
        assert_eq!(observed.unwrap().failure_type.name(), "BROKEN_BUILD");
        let short = admit(FailureEvent { stderr_tail: "short".into(), ..kept.into_inner() });
        let (again, nothing) = engine.truncate_for_storage(short, None, Timestamp::from_ms(0));
        assert_eq!((again.stderr_tail.as_str(), nothing), ("short", None));
    }
}
