//! The counts behind a score, and the figures made of them.
//!
//! In: one case after the other with its answer. Out: confusion tables, accuracy, the ordering and the calibration of the
//! confidence, for all cases or one area. What is compared with which label is [`compared`]; a new label set is a row there.

use crate::{Area, Confused, LabelScore, LabelledOutput, Reliability, ScoredAnswer, Sheet};
use recovery_types::{ErrorType, Permille};
use std::collections::{BTreeMap, BTreeSet};

/// What is compared: the name of the label set, the label, and the answer. What was not asked for is not compared.
pub(crate) fn compared(case: &LabelledOutput, answer: &ScoredAnswer) -> [(&'static str, Option<String>, String); 4] {
    let ScoredAnswer { diagnosis, class } = answer;
    let level = diagnosis.entry_level.map(|level| level.number().to_string());
    let expected_level = case.entry_level.map(|level| level.to_string());
    [
        ("failure_type", case.taxonomy.clone(), diagnosis.failure_type.name().to_owned()),
        ("class", case.fclass.clone().filter(|_| class.is_some()), class.clone().unwrap_or_default()),
        ("error_type", case.error_type.clone(), error_label(case, diagnosis.error_type)),
        ("entry_level", expected_level.filter(|_| level.is_some()), level.unwrap_or_default()),
    ]
}

/// The counts of some cases.
#[derive(Default)]
pub(crate) struct Tallies {
    /// In the order of [`compared`].
    pub labels: [Tally; 4],
    /// The confidence of each answer, and whether its error type is right.
    pub sure: Vec<(Permille, bool)>,
    pub failures: u64,
    pub benign: u64,
    /// Failures that read as one with their exit code hidden.
    pub seen: u64,
    /// Texts that are none and do so.
    pub alarms: u64,
}

impl Tallies {
    pub fn add(&mut self, case: &LabelledOutput, reads_as_failure: bool, answer: Option<&ScoredAnswer>) {
        let Some(answer) = answer else {
            self.benign += 1;
            self.alarms += u64::from(reads_as_failure);
            return;
        };
        self.failures += 1;
        self.seen += u64::from(reads_as_failure);
        let error_type = answer.diagnosis.error_type;
        if let (Some(confidence), Some(expected)) = (answer.diagnosis.confidence, &case.error_type) {
            self.sure.push((confidence, *expected == error_label(case, error_type)));
        }
        for ((_, expected, got), tally) in compared(case, answer).into_iter().zip(&mut self.labels) {
            if let Some(expected) = expected {
                tally.add(&expected, &got);
            }
        }
    }

    pub fn area(&self, name: &str) -> Area {
        let [failure_type, class, error_type, entry_level] = self.labels.each_ref().map(Tally::accuracy);
        let share = |part, of| (of > 0).then(|| Permille::ratio(part, of));
        Area {
            area: name.to_owned(),
            failures: self.failures,
            benign: self.benign,
            failure_type,
            class,
            error_type,
            entry_level,
            recall_without_exit_code: share(self.seen, self.failures),
            alarms_without_exit_code: share(self.alarms, self.benign),
            ordering: ordering(&self.sure),
            calibration_error: calibration_error(&self.sure),
        }
    }
}

/// The label for an error type. Sets that were labelled before there was `untrusted_certificate` call it `other`.
fn error_label(case: &LabelledOutput, error: ErrorType) -> String {
    let is_older = case.error_type.as_deref() == Some(ErrorType::Other.name());
    let error = if is_older && error == ErrorType::UntrustedCertificate { ErrorType::Other } else { error };
    error.name().to_owned()
}

/// Of all pairs of a right and a wrong answer, the share in which the right one has the higher confidence; `None` where there are
/// no pairs. Each answer is given by its confidence and whether it is right.
#[must_use]
pub fn ordering(sure: &[(Permille, bool)]) -> Option<Permille> {
    let (right, wrong): (Vec<_>, Vec<_>) = sure.iter().partition(|(_, is_right)| *is_right);
    let halves = |right: Permille, wrong: Permille| match right.cmp(&wrong) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    };
    let won: u64 = right.iter().map(|(r, _)| wrong.iter().map(|(w, _)| halves(*r, *w)).sum::<u64>()).sum();
    let pairs = (right.len() * wrong.len()) as u64;
    (pairs > 0).then(|| Permille::ratio(won, 2 * pairs))
}

/// How often answers of some confidence are right, by tenths.
#[must_use]
pub fn reliability(sure: &[(Permille, bool)]) -> Vec<Reliability> {
    let tenths = (0..10).map(|tenth| {
        let inside = || sure.iter().filter(|(c, _)| (c.get() / 100).min(9) == tenth);
        let (cases, right) = (inside().count() as u64, inside().filter(|(_, right)| *right).count() as u64);
        let sum: u64 = inside().map(|(c, _)| u64::from(c.get())).sum();
        let confidence = Permille::ratio(sum, 1000 * cases);
        Reliability { from: Permille::new(100 * tenth), cases, confidence, right: Permille::ratio(right, cases) }
    });
    tenths.filter(|tenth| tenth.cases > 0).collect()
}

/// The expected calibration error: the distances of [`reliability`], each weighted by its cases.
pub(crate) fn calibration_error(sure: &[(Permille, bool)]) -> Option<Permille> {
    let distance = |tenth: &Reliability| u64::from(tenth.confidence.get().abs_diff(tenth.right.get())) * tenth.cases;
    let sum: u64 = reliability(sure).iter().map(distance).sum();
    (!sure.is_empty()).then(|| Permille::ratio(sum, 1000 * sure.len() as u64))
}

/// Counts of `(expected, got)`.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<(String, String), u64>);

impl Tally {
    fn add(&mut self, expected: &str, got: &str) {
        *self.0.entry((expected.to_owned(), got.to_owned())).or_default() += 1;
    }

    fn count(&self, which: impl Fn(&str, &str) -> bool) -> u64 {
        self.0.iter().filter(|((expected, got), _)| which(expected, got)).map(|(_, cases)| cases).sum()
    }

    fn accuracy(&self) -> Option<Permille> {
        let cases = self.count(|_, _| true);
        (cases > 0).then(|| Permille::ratio(self.count(|expected, got| expected == got), cases))
    }

    pub fn sheet(&self) -> Sheet {
        let known: BTreeSet<&str> = self.0.keys().map(|(expected, _)| expected.as_str()).collect();
        let labels: Vec<LabelScore> = known.into_iter().map(|label| self.label(label)).collect();
        let cases = self.count(|_, _| true);
        let sum: u64 = labels.iter().map(|label| u64::from(label.f1.get())).sum();
        Sheet {
            cases,
            accuracy: Permille::ratio(self.count(|expected, got| expected == got), cases),
            macro_f1: Permille::ratio(sum, 1000 * labels.len() as u64),
            labels,
            confusion: self
                .0
                .iter()
                .map(|((expected, got), cases)| Confused {
                    expected: expected.clone(),
                    got: got.clone(),
                    cases: *cases,
                })
                .collect(),
        }
    }

    fn label(&self, label: &str) -> LabelScore {
        let right = self.count(|expected, got| expected == label && got == label);
        let cases = self.count(|expected, _| expected == label);
        let read = self.count(|_, got| got == label);
        LabelScore {
            label: label.to_owned(),
            cases,
            precision: Permille::ratio(right, read),
            recall: Permille::ratio(right, cases),
            f1: Permille::ratio(2 * right, cases + read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_answer_should_be_surer_than_a_wrong_one() {
        let sure = |answers: &[(u16, bool)]| {
            let answers: Vec<_> = answers.iter().map(|(c, right)| (Permille::new(*c), *right)).collect();
            (ordering(&answers), reliability(&answers).len())
        };
        assert_eq!(sure(&[(900, true), (300, false)]), (Some(Permille::new(1000)), 2));
        assert_eq!(sure(&[(900, true), (900, false), (200, true)]), (Some(Permille::new(250)), 2));
        assert_eq!(sure(&[(1000, true)]), (None, 1));
    }

    #[test]
    fn calibration_is_the_distance_of_confidence_and_truth() {
        let error = |answers: &[(u16, bool)]| {
            calibration_error(&answers.iter().map(|(c, right)| (Permille::new(*c), *right)).collect::<Vec<_>>())
        };
        assert_eq!(error(&[]), None);
        assert_eq!(error(&[(1000, true), (0, false)]), Some(Permille::new(0)));
        assert_eq!(error(&[(900, false), (500, true), (500, false), (500, false)]), Some(Permille::new(350)));
    }
}
