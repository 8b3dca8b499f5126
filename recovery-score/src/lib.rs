//! How often a pack of `failure-taxonomy` is right on labelled outputs.
//!
//! In: a taxonomy and labelled [`LabelledOutput`]s. Out: a [`Score`]: confusion tables, precision, recall, macro-F1, calibration, and
//! what came out wrong, for all outputs and by area. `recovery eval` prints its [`ScoreTable`]s, `cargo xtask eval` writes
//! docs/accuracy.md from it. [`ConfidenceWeights`] fits the confidence of verdicts to judged cases,
//! [`leave_one_source_out`] measures how a pack does on sources that its rows were not written for.
//!
//! ```
//! use failure_taxonomy::Taxonomy;
//! use recovery_score::{LabelledOutput, Score};
//! let case = LabelledOutput {
//!     id: "pip-1".into(),
//!     text: "ERROR: No matching distribution found for left-pad".into(),
//!     exit_code: Some(1),
//!     error_type: Some("missing_dependency".into()),
//!     ..LabelledOutput::default()
//! };
//! let score = Score::of(&Taxonomy::field(), &[case]);
//! assert_eq!(score.error_type.accuracy.get(), 1000);
//! ```

mod table;
mod tally;
mod unseen;
mod weights;

pub use table::{ScoreTable, percent};
pub use tally::{ordering, reliability};
pub use unseen::{UnseenVerdict, cross_validated_confidence, leave_one_source_out};
pub use weights::{ConfidenceTerm, ConfidenceWeights};

use failure_taxonomy::Failure;
pub use failure_taxonomy::{Agreement, PackError, PackName, Support, Taxonomy, VerdictStepId};
pub use recovery_engine::Engine;
use recovery_engine::{FailureEvent, Timestamp, admit};
pub use recovery_types::{Diagnosis, ErrorType, Permille};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tally::{Tallies, Tally, compared};

/// A labelled output. Labels that are absent are not scored; unknown fields are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct LabelledOutput {
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
    /// What it belongs to, for figures by area.
    #[serde(default)]
    pub area: Option<String>,
    /// The area of a case that names none.
    #[serde(default)]
    pub ecosystem: Option<String>,
}

impl LabelledOutput {
    fn area(&self) -> &str {
        self.area.as_deref().or(self.ecosystem.as_deref()).unwrap_or("none")
    }
}

/// The answer about a case.
#[derive(Clone, Debug)]
pub struct ScoredAnswer {
    /// The diagnosis.
    pub diagnosis: Diagnosis,
    /// The class, as its name is written, where a classifier was asked.
    pub class: Option<String>,
}

/// The scores of one pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The pack.
    pub pack: PackName,
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
    /// The mean distance between the confidence of answers and the share of them that is right, over the tenths of
    /// [`reliability`](Self::reliability). `None` for a pack without confidence.
    pub calibration_error: Option<Permille>,
    /// The share of failures that are read as one, their exit code hidden.
    pub recall_without_exit_code: Permille,
    /// The share of texts that are no failures and read as one, their exit code hidden.
    pub alarms_without_exit_code: Permille,
    /// How often answers of some confidence are right.
    pub reliability: Vec<Reliability>,
    /// The figures of each area, by its name.
    pub areas: Vec<Area>,
    /// What came out wrong.
    pub wrong: Vec<Wrong>,
}

/// The figures of one area. A share of no cases is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Area {
    /// Its name.
    pub area: String,
    /// Failures in it.
    pub failures: u64,
    /// Texts that are no failures.
    pub benign: u64,
    /// The failure type is right.
    pub failure_type: Option<Permille>,
    /// The class is right.
    pub class: Option<Permille>,
    /// The error type is right.
    pub error_type: Option<Permille>,
    /// The entry level is right.
    pub entry_level: Option<Permille>,
    /// A failure reads as one, its exit code hidden.
    pub recall_without_exit_code: Option<Permille>,
    /// A text that is no failure reads as one, its exit code hidden.
    pub alarms_without_exit_code: Option<Permille>,
    /// See [`Score::ordering`].
    pub ordering: Option<Permille>,
    /// See [`Score::calibration_error`].
    pub calibration_error: Option<Permille>,
}

/// Answers whose confidence lies in the same tenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reliability {
    /// The lowest confidence of the tenth.
    pub from: Permille,
    /// Answers with such a confidence.
    pub cases: u64,
    /// Their mean confidence.
    pub confidence: Permille,
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
    /// One row per label.
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
    /// Scores the taxonomy alone, which knows neither class nor level.
    #[must_use]
    pub fn of(taxonomy: &Taxonomy, cases: &[LabelledOutput]) -> Self {
        Self::by(taxonomy, cases, |case| {
            let (text, tool) = (case.text.as_bytes(), case.tool.as_deref());
            let failure = Failure { text, exit_code: case.exit_code, tool, ..Failure::default() };
            let diagnosis = taxonomy.diagnose(&failure);
            ScoredAnswer { diagnosis, class: None }
        })
    }

    /// Scores the whole engine: the class is the classifier's.
    #[must_use]
    pub fn of_engine(engine: &Engine, cases: &[LabelledOutput]) -> Self {
        // Reset times are not labelled, so any moment will do.
        let now = Timestamp::from_ms(0);
        Self::by(&engine.taxonomy, cases, |case| {
            let event = admit(FailureEvent {
                tool: case.tool.clone(),
                exit_code: case.exit_code.filter(|code| *code != 0).unwrap_or(1),
                stderr_tail: case.text.clone(),
                ..FailureEvent::default()
            });
            let assessment = engine.assess(&event, now).expect("an exit code other than 0 is a failure");
            let class = Some(format!("{:?}", assessment.classification.class));
            ScoredAnswer { class, diagnosis: assessment.diagnosis }
        })
    }

    /// Scores what `answer` returns for each failure. Whether a text reads as a failure with its exit code hidden is asked of
    /// the taxonomy.
    pub fn by(taxonomy: &Taxonomy, cases: &[LabelledOutput], answer: impl Fn(&LabelledOutput) -> ScoredAnswer) -> Self {
        let mut by_area: BTreeMap<&str, Tallies> = BTreeMap::new();
        let (mut all, mut wrong, mut alarms) = (Tallies::default(), Vec::new(), Vec::new());
        for case in cases {
            let reads = taxonomy.reads_as_failure(case.text.as_bytes(), case.tool.as_deref());
            if reads && case.benign {
                let diagnosis = taxonomy.diagnose(&Failure { text: case.text.as_bytes(), ..Failure::default() });
                let got = diagnosis.error_type.name().to_owned();
                alarms.push(Wrong::new(case, "benign", "no failure".to_owned(), got, &diagnosis));
            }
            let answer = (!case.benign).then(|| answer(case));
            for tallies in [&mut all, by_area.entry(case.area()).or_default()] {
                tallies.add(case, reads, answer.as_ref());
            }
            for (what, expected, got) in answer.iter().flat_map(|answer| compared(case, answer)) {
                if let (Some(expected), Some(answer)) = (expected.filter(|expected| *expected != got), &answer) {
                    wrong.push(Wrong::new(case, what, expected, got, &answer.diagnosis));
                }
            }
        }
        wrong.extend(alarms);
        let areas = by_area.iter().map(|(name, tallies)| tallies.area(name)).collect();
        let [failure_type, class, error_type, entry_level] = all.labels.each_ref().map(Tally::sheet);
        Self {
            pack: taxonomy.pack(),
            failures: all.failures,
            benign: all.benign,
            benign_read_as_failure: all.alarms,
            failure_type,
            class,
            error_type,
            entry_level,
            ordering: ordering(&all.sure),
            calibration_error: tally::calibration_error(&all.sure),
            recall_without_exit_code: Permille::ratio(all.seen, all.failures),
            alarms_without_exit_code: Permille::ratio(all.alarms, all.benign),
            reliability: reliability(&all.sure),
            areas,
            wrong,
        }
    }
}

impl Wrong {
    fn new(case: &LabelledOutput, what: &'static str, expected: String, got: String, diagnosis: &Diagnosis) -> Self {
        let indicators = diagnosis.indicators.iter().map(|hit| hit.id.clone()).collect();
        Self { id: case.id.clone(), what, expected, got, indicators }
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str, text: &str, error_type: &str, taxonomy: &str) -> LabelledOutput {
        LabelledOutput {
            id: id.to_owned(),
            text: text.to_owned(),
            error_type: Some(error_type.to_owned()),
            taxonomy: Some(taxonomy.to_owned()),
            exit_code: Some(1),
            ..LabelledOutput::default()
        }
    }

    #[test]
    fn figures_by_area() {
        let cases = [
            LabelledOutput {
                area: Some("net".into()),
                ..case("a", "curl: (7) Failed to connect to x", "connection_failure", "UNKNOWN")
            },
            LabelledOutput {
                ecosystem: Some("python".into()),
                ..case("b", "nothing known", "test_failure", "VERIFICATION_FAILED")
            },
            LabelledOutput {
                id: "c".into(),
                text: "5 passed in 0.1s".into(),
                benign: true,
                ..LabelledOutput::default()
            },
        ];
        let score = Score::of(&Taxonomy::field(), &cases);
        let [net, none, python] = &score.areas[..] else { panic!("{:?}", score.areas) };
        assert_eq!([&net.area, &none.area, &python.area], ["net", "none", "python"]);
        assert_eq!(
            (net.error_type, net.recall_without_exit_code),
            (Some(Permille::new(1000)), Some(Permille::new(1000)))
        );
        assert_eq!(
            (python.error_type, python.recall_without_exit_code),
            (Some(Permille::new(0)), Some(Permille::new(0)))
        );
        assert_eq!((none.failures, none.error_type, none.alarms_without_exit_code), (0, None, Some(Permille::new(0))));
    }

    #[test]
    fn counts_right_and_wrong() {
        let cases = [
            case("a", "curl: (7) Failed to connect to x port 80", "connection_failure", "UNKNOWN"),
            case("b", "ModuleNotFoundError: No module named 'yaml'", "missing_dependency", "BROKEN_BUILD"),
            case("c", "ModuleNotFoundError: No module named 'yaml'", "test_failure", "VERIFICATION_FAILED"),
            LabelledOutput {
                id: "d".into(),
                text: "5 passed in 0.1s".into(),
                benign: true,
                ..LabelledOutput::default()
            },
            LabelledOutput {
                id: "e".into(),
                text: "FAILED (failures=1)".into(),
                benign: true,
                ..LabelledOutput::default()
            },
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
        assert_eq!(score.recall_without_exit_code, Permille::new(1000));
        assert_eq!(score.alarms_without_exit_code, Permille::new(500));
        assert_eq!(score.wrong.iter().map(|w| w.id.as_str()).collect::<Vec<_>>(), ["c", "c", "e"]);
    }
}
