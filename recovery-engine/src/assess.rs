//! What kind of failure it is, and how far it reaches: diagnosis, facts, problems, class.
//!
//! In: an admitted event, or output that was observed while the command ran. Out: an [`Assessment`]. The taxonomy
//! diagnoses the text, the problem matcher adds facts and problems, and the classifier gets both as
//! [`Facts`](classifier_core::Facts). An error type that the caller states replaces the one that was recognised. No
//! rule is here.

use crate::{Admitted, Engine, PackName};
use classifier_core::{Facts, classify, failed_attempts, own_attempts, touched_features};
use failure_taxonomy::normalise::fingerprint;
use failure_taxonomy::{Circularity, Failure, Observer, ends, recovery_action};
use problem_matcher::{ProblemReport, UserMatchers, facts};
use recovery_types::problem::MAX_PROBLEMS;
use recovery_types::{
    Ancestor, Classification, Diagnosis, ErrorType, FailureCause, FailureEvent, FailureType, HistoryEntry, Problem,
    Severity, Timestamp,
};
use serde::Serialize;
use std::borrow::Cow;

/// A text up to this length is diagnosed as a whole.
const WHOLE: usize = 64 * 1024;

/// The diagnosis and the class of a failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// How far it reaches.
    pub classification: Classification,
    /// The diagnosis.
    pub diagnosis: Diagnosis,
}

impl Engine {
    /// Assesses an admitted event; `None` when it is not a failure.
    #[must_use]
    pub fn assess(&self, event: &Admitted<FailureEvent>, now: Timestamp) -> Option<Assessment> {
        self.assess_text(event, now)
    }

    pub(crate) fn assess_text(&self, event: &FailureEvent, now: Timestamp) -> Option<Assessment> {
        let text = output(event);
        self.assess_by(event, is_diagnosed_by_tail(event), |failure| {
            let mut diagnosis = self.taxonomy.diagnose(&Failure { text: text.as_bytes(), ..*failure });
            attach_facts(&mut diagnosis, &ends(text.as_bytes()), event, now);
            diagnosis
        })
    }

    /// Assesses an event whose output was observed while the command ran.
    #[must_use]
    pub fn assess_observed(
        &self,
        event: &Admitted<FailureEvent>,
        observer: Observer<'_>,
        now: Timestamp,
    ) -> Option<Assessment> {
        let by_tail = observer.whole() == Some(event.stderr_tail.as_bytes());
        self.assess_by(event, by_tail, |failure| {
            let ends = observer.ends();
            let mut diagnosis = observer.finish(failure);
            attach_facts(&mut diagnosis, &ends, event, now);
            diagnosis
        })
    }

    /// Assesses an event whose output was diagnosed elsewhere: only what depends on the history of the task is
    /// recomputed.
    pub(crate) fn assess_diagnosed(&self, event: &FailureEvent, diagnosis: &Diagnosis) -> Option<Assessment> {
        self.assess_by(event, false, |failure| {
            let approach = failure.approach.unwrap_or(&event.stderr_tail);
            let Circularity { circular, similarities } = Circularity::of(approach, failure.previous_approaches);
            let failure_type = match diagnosis.error_type.failure_type() {
                FailureType::Unknown if circular => FailureType::CircularFix,
                other => other,
            };
            let recovery_action = recovery_action(failure_type, failure.attempts, failure.last_good_commit);
            Diagnosis { failure_type, circular, similarities, recovery_action, ..diagnosis.clone() }
        })
    }

    /// The event with the constraints and features of the settings beside its own.
    fn with_mission<'e>(&self, event: &'e FailureEvent) -> Cow<'e, FailureEvent> {
        if self.mission == Ancestor::default() {
            return Cow::Borrowed(event);
        }
        let mut event = event.clone();
        let ancestor = event.ancestor.get_or_insert_default();
        ancestor.constraints.extend(self.mission.constraints.iter().cloned());
        for (feature, paths) in &self.mission.features {
            ancestor.features.entry(feature.clone()).or_default().extend(paths.iter().cloned());
        }
        Cow::Owned(event)
    }

    /// The feature of the event: the one that its node states, otherwise the only one of the mission's map that
    /// contains its files. Files of several features belong to none.
    #[must_use]
    pub fn feature_of(&self, event: &FailureEvent) -> Option<String> {
        if let Some(stated) = event.node.as_ref().and_then(|node| node.feature_id.clone()) {
            return Some(stated);
        }
        let event = self.with_mission(event);
        let mut touched = touched_features(&event, event.ancestor.as_ref()?);
        touched.pop().filter(|_| touched.is_empty())
    }

    /// `by_tail`: the diagnosis was made from `stderr_tail` alone, so its fingerprint is that of the tail.
    fn assess_by(
        &self,
        event: &FailureEvent,
        by_tail: bool,
        diagnose: impl FnOnce(&Failure<'_>) -> Diagnosis,
    ) -> Option<Assessment> {
        if event.exit_code == 0 {
            return None;
        }
        let event = &*self.with_mission(event);
        let previous: Vec<&str> = own_attempts(event).filter_map(|(_, entry)| what_was_tried(entry)).collect();
        let mut diagnosis = diagnose(&Failure {
            text: b"",
            // The exit code of a command that was stopped comes from the supervisor, not from the command.
            exit_code: Some(if overran(event) { 1 } else { event.exit_code }),
            tool: event.tool.as_deref(),
            approach: event.approach.as_deref(),
            previous_approaches: &previous,
            attempts: failed_attempts(event).max(1),
            last_good_commit: event.last_good_commit.as_deref(),
        });
        if diagnosis.problem.is_none() {
            attach_problems(&mut diagnosis, &output(event), &self.matchers);
        }
        if overran(event) && diagnosis.error_type == ErrorType::Other {
            diagnosis.problem = stopped_by_limit(event);
        }
        redact_facts(&mut diagnosis);
        let declared = event.error_type.as_deref().and_then(ErrorType::from_words);
        if let Some(declared) = declared {
            declare(&mut diagnosis, declared, event);
        }
        diagnosis.entry_level = Some(escalation::entry_level(diagnosis.error_type));
        let mut facts = match self.taxonomy.pack() {
            PackName::Documented => Facts::from_patterns(event),
            PackName::Field => classifier_facts(event, &diagnosis, by_tail),
        };
        if declared.is_some() {
            // The confidence of the recognition does not limit a stated error type.
            facts.confidence = None;
        }
        let classification = classify(event, &facts, &self.classifier)?;
        Some(Assessment { classification, diagnosis })
    }
}

/// The error type that the caller states replaces the recognised one.
fn declare(diagnosis: &mut Diagnosis, error_type: ErrorType, event: &FailureEvent) {
    diagnosis.error_type = error_type;
    diagnosis.failure_type = match error_type.failure_type() {
        FailureType::Unknown if diagnosis.circular => FailureType::CircularFix,
        declared => declared,
    };
    diagnosis.recovery_action =
        recovery_action(diagnosis.failure_type, failed_attempts(event).max(1), event.last_good_commit.as_deref());
}

/// Whether the command was stopped because it exceeded its limit.
pub(crate) fn overran(event: &FailureEvent) -> bool {
    event.cause == Some(FailureCause::TimeLimit)
}

/// A command that printed no error failed because it was stopped; the last line of the supervisor names the limit.
fn stopped_by_limit(event: &FailureEvent) -> Option<Problem> {
    let (index, line) = event.stderr_tail.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).last()?;
    Some(Problem {
        tool: Some("recovery run".to_owned()),
        text_line: Some(index as u64 + 1),
        ..Problem::new(Severity::Error, line.trim())
    })
}

/// The hash by which repeated failures are recognised: over the raw text if the documents require that, otherwise over
/// the normalised text. `observed` is the diagnosis of more output than the event holds.
pub(crate) fn stderr_hash(
    pack: PackName,
    event: &FailureEvent,
    diagnosis: &Diagnosis,
    observed: Option<&Diagnosis>,
) -> String {
    if let Some(stated) = classifier_core::hash_alone(event) {
        return stated;
    }
    match pack {
        PackName::Documented => Facts::from_patterns(event).stderr_hash,
        // Every decision reads all records of its task again, and this is most of the work.
        PackName::Field if observed.is_none() && is_diagnosed_by_tail(event) => diagnosis.fingerprint.clone(),
        PackName::Field => fingerprint(event.stderr_tail.as_bytes()),
    }
}

/// Whether the event was not observed and is diagnosed by its `stderr_tail` alone.
fn is_diagnosed_by_tail(event: &FailureEvent) -> bool {
    event.test_output.as_deref().is_none_or(str::is_empty) && event.stderr_tail.len() <= WHOLE
}

/// The complete output of the failed command.
pub(crate) fn output(event: &FailureEvent) -> Cow<'_, str> {
    match &event.test_output {
        Some(test) if !test.is_empty() => format!("{}\n{test}", event.stderr_tail).into(),
        _ => event.stderr_tail.as_str().into(),
    }
}

/// Adds waits, reset times, missing things and the place to inspect, as the output states them.
fn attach_facts(diagnosis: &mut Diagnosis, text: &[u8], event: &FailureEvent, now: Timestamp) {
    facts::extract_in(&String::from_utf8_lossy(text), Some(now), event.zone.as_deref()).add_to(diagnosis);
}

/// Adds the reported problems: the root cause, and the first others.
fn attach_problems(diagnosis: &mut Diagnosis, text: &str, matchers: &UserMatchers) {
    let ProblemReport { mut problems, root, .. } = problem_matcher::explain_with(text, matchers);
    diagnosis.problem = root.map(|index| problems.remove(index));
    diagnosis.location = diagnosis.problem.as_ref().and_then(Problem::location);
    problems.truncate(MAX_PROBLEMS);
    diagnosis.problems = problems;
}

/// Names from observed output have not been through [`admit`](crate::admit()).
fn redact_facts(diagnosis: &mut Diagnosis) {
    let missing = diagnosis.missing.as_mut().map(|missing| &mut missing.name);
    let file = diagnosis.location.as_mut().map(|place| &mut place.file);
    for name in missing.into_iter().chain(file) {
        crate::admit::clean(name);
    }
}

/// The facts for the classifier, with the field pack. The fingerprint of the diagnosis is not recomputed.
fn classifier_facts(event: &FailureEvent, diagnosis: &Diagnosis, by_tail: bool) -> Facts {
    Facts::from_diagnosis(event, diagnosis, |text| {
        if by_tail && text == event.stderr_tail { diagnosis.fingerprint.clone() } else { fingerprint(text.as_bytes()) }
    })
}

/// The approach in the words of the caller, otherwise the error text.
fn what_was_tried(entry: &HistoryEntry) -> Option<&str> {
    entry.approach.as_deref().or(entry.stderr_tail.as_deref())
}
