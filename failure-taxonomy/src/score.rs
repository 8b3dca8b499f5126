//! How well a pack does on labelled failures: confusion tables, precision, recall, macro-F1, and what came out wrong.

use crate::{Failure, Taxonomy};
use recovery_types::{Diagnosis, ErrorType, Permille};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A labelled output. Labels that are absent are not scored; unknown fields are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// What was printed.
    pub text: String,
    /// The tool that ran.
    #[serde(default)]
    pub tool: Option<String>,
    /// How it ended.
    #[serde(default)]
    pub exit_code: Option<i64>,
    /// The failure type (`taxonomy` in the files).
    #[serde(default, alias = "failure_type")]
    pub taxonomy: Option<String>,
    /// The class of a first failure.
    #[serde(default)]
    pub fclass: Option<String>,
    /// The error type.
    #[serde(default)]
    pub error_type: Option<String>,
    /// The ladder level it enters at.
    #[serde(default)]
    pub entry_level: Option<u8>,
    /// Not a failure at all, though it may hold tempting words.
    #[serde(default)]
    pub benign: bool,
}

/// The answer about a case.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The diagnosis.
    pub diagnosis: Diagnosis,
    /// The class, as its name is written.
    pub class: String,
}

/// The scores of one pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The pack.
    pub pack: String,
    /// How many failures were read.
    pub failures: u64,
    /// How many texts that are no failures were read.
    pub benign: u64,
    /// How many of those read as failures, their exit code hidden.
    pub benign_read_as_failure: u64,
    /// The failure type.
    pub failure_type: Sheet,
    /// F1 against F2.
    pub class: Sheet,
    /// The error type.
    pub error_type: Sheet,
    /// The ladder's entry level.
    pub entry_level: Sheet,
    /// Of all pairs of a right and a wrong error type, the share in which the right one has the higher confidence; pairs with
    /// equal confidence count half. `None` where there are no pairs, and for a pack without confidence.
    pub ordering: Option<Permille>,
    /// How often answers of some confidence are right.
    pub reliability: Vec<Reliability>,
    /// What came out wrong.
    pub wrong: Vec<Wrong>,
}

/// Answers whose confidence lies in the same tenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reliability {
    /// The lowest confidence of the tenth.
    pub from: Permille,
    /// Answers with such a confidence.
    pub cases: u64,
    /// The share that is right.
    pub right: Permille,
}

/// One label set's scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sheet {
    /// Cases that carry this label.
    pub cases: u64,
    /// The share that is right.
    pub accuracy: Permille,
    /// The mean of the labels' F1, each label counting the same.
    pub macro_f1: Permille,
    /// One row a label.
    pub labels: Vec<LabelScore>,
    /// How often each label was read as which; right ones included.
    pub confusion: Vec<Confused>,
}

/// How well one label does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelScore {
    /// The label.
    pub label: String,
    /// Cases that carry it.
    pub cases: u64,
    /// Of those that were read as it, the share that is.
    pub precision: Permille,
    /// Of those that are it, the share that was read so.
    pub recall: Permille,
    /// Their harmonic mean.
    pub f1: Permille,
}

/// One cell of a confusion table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confused {
    /// The label.
    pub expected: String,
    /// What it was read as.
    pub got: String,
    /// How often.
    pub cases: u64,
}

/// A case that came out wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// The case.
    pub id: String,
    /// Which label set.
    pub what: &'static str,
    /// The label.
    pub expected: String,
    /// The answer.
    pub got: String,
    /// The indicators it was read from.
    pub indicators: Vec<String>,
}

impl Score {
    /// Scores the taxonomy alone: the class is that of the error type.
    #[must_use]
    pub fn of(taxonomy: &Taxonomy, cases: &[Case]) -> Self {
        Self::by(taxonomy, cases, |case| {
            let (text, tool) = (case.text.as_bytes(), case.tool.as_deref());
            let failure = Failure { text, exit_code: case.exit_code, tool, ..Failure::default() };
            let diagnosis = taxonomy.diagnose(&failure);
            let class = format!("{:?}", diagnosis.error_type.class());
            Answer { diagnosis, class }
        })
    }

    /// Scores what `answer` returns for each failure; benign texts are read by the taxonomy, their exit code hidden.
    pub fn by(taxonomy: &Taxonomy, cases: &[Case], answer: impl Fn(&Case) -> Answer) -> Self {
        let mut tallies = [Tally::default(), Tally::default(), Tally::default(), Tally::default()];
        let (mut wrong, mut sure) = (Vec::new(), Vec::new());
        let (benign, failures): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| case.benign);
        for case in &failures {
            let Answer { diagnosis, class } = answer(case);
            let level = case.entry_level.map(|level| level.to_string());
            let compared = [
                ("failure_type", case.taxonomy.clone(), diagnosis.failure_type.name().to_owned()),
                ("class", case.fclass.clone(), class),
                ("error_type", case.error_type.clone(), error_label(case, diagnosis.error_type)),
                ("entry_level", level, diagnosis.entry_level.number().to_string()),
            ];
            if let (Some(confidence), Some(expected)) = (diagnosis.confidence, &case.error_type) {
                sure.push((confidence, *expected == error_label(case, diagnosis.error_type)));
            }
            for ((what, expected, got), tally) in compared.into_iter().zip(&mut tallies) {
                let Some(expected) = expected else { continue };
                tally.add(&expected, &got);
                if expected != got {
                    let indicators = diagnosis.indicators.iter().map(|hit| hit.id.clone()).collect();
                    wrong.push(Wrong { id: case.id.clone(), what, expected, got, indicators });
                }
            }
        }
        let read: Vec<&&Case> = benign
            .iter()
            .filter(|case| taxonomy.reads_as_failure(case.text.as_bytes(), case.tool.as_deref()))
            .collect();
        wrong.extend(read.iter().map(|case| {
            let diagnosis = taxonomy.diagnose(&Failure { text: case.text.as_bytes(), ..Failure::default() });
            let indicators = diagnosis.indicators.iter().map(|hit| hit.id.clone()).collect();
            let got = diagnosis.error_type.name().to_owned();
            Wrong { id: case.id.clone(), what: "benign", expected: "no failure".to_owned(), got, indicators }
        }));
        let [failure_type, class, error_type, entry_level] = tallies.map(|tally| tally.sheet());
        Self {
            pack: taxonomy.pack().to_string(),
            failures: failures.len() as u64,
            benign: benign.len() as u64,
            benign_read_as_failure: read.len() as u64,
            failure_type,
            class,
            error_type,
            entry_level,
            ordering: ordering(&sure),
            reliability: reliability(&sure),
            wrong,
        }
    }
}

/// The label for an error type. Sets that were labelled before there was `untrusted_certificate` call it `other`.
fn error_label(case: &Case, error: ErrorType) -> String {
    let is_older = case.error_type.as_deref() == Some(ErrorType::Other.name());
    let error = if is_older && error == ErrorType::UntrustedCertificate { ErrorType::Other } else { error };
    error.name().to_owned()
}

fn ordering(sure: &[(Permille, bool)]) -> Option<Permille> {
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

fn reliability(sure: &[(Permille, bool)]) -> Vec<Reliability> {
    let tenths = (0..10).map(|tenth| {
        let inside: Vec<bool> =
            sure.iter().filter(|(c, _)| (c.get() / 100).min(9) == tenth).map(|(_, is_right)| *is_right).collect();
        let (cases, right) = (inside.len() as u64, inside.iter().filter(|right| **right).count() as u64);
        Reliability { from: Permille::new(100 * tenth), cases, right: Permille::ratio(right, cases) }
    });
    tenths.filter(|tenth| tenth.cases > 0).collect()
}

/// Counts of `(expected, got)`.
#[derive(Default)]
struct Tally(BTreeMap<(String, String), u64>);

impl Tally {
    fn add(&mut self, expected: &str, got: &str) {
        *self.0.entry((expected.to_owned(), got.to_owned())).or_default() += 1;
    }

    fn count(&self, which: impl Fn(&str, &str) -> bool) -> u64 {
        self.0.iter().filter(|((expected, got), _)| which(expected, got)).map(|(_, cases)| cases).sum()
    }

    fn sheet(&self) -> Sheet {
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

    fn case(id: &str, text: &str, error_type: &str, taxonomy: &str) -> Case {
        Case {
            id: id.to_owned(),
            text: text.to_owned(),
            error_type: Some(error_type.to_owned()),
            taxonomy: Some(taxonomy.to_owned()),
            exit_code: Some(1),
            ..Case::default()
        }
    }

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
    fn counts_right_and_wrong() {
        let cases = [
            case("a", "curl: (7) Failed to connect to x port 80", "connection_failure", "UNKNOWN"),
            case("b", "ModuleNotFoundError: No module named 'yaml'", "missing_dependency", "BROKEN_BUILD"),
            case("c", "ModuleNotFoundError: No module named 'yaml'", "test_failure", "VERIFICATION_FAILED"),
            Case { id: "d".into(), text: "5 passed in 0.1s".into(), benign: true, ..Case::default() },
            Case { id: "e".into(), text: "FAILED (failures=1)".into(), benign: true, ..Case::default() },
        ];
        let score = Score::of(&Taxonomy::field(), &cases);
        assert_eq!((score.failures, score.benign, score.benign_read_as_failure), (3, 2, 1));
        assert_eq!(score.error_type.accuracy, Permille::new(666));
        assert_eq!(score.class.cases, 0, "absent labels are not scored");
        let broken = score.failure_type.labels.iter().find(|label| label.label == "BROKEN_BUILD").unwrap();
        assert_eq!(
            (broken.precision, broken.recall, broken.f1),
            (Permille::new(500), Permille::new(1000), Permille::new(666))
        );
        // F1 of 0.666, 0 and 1.
        assert_eq!(score.failure_type.macro_f1, Permille::new(555));
        assert_eq!(score.wrong.iter().map(|w| w.id.as_str()).collect::<Vec<_>>(), ["c", "c", "e"]);
    }
}
