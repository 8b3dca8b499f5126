//! The tables of a score: every figure as the text that a reader sees.
//!
//! In: the [`Score`]s of one or more packs. Out: [`ScoreTable`]s of header and rows, without a layout: `recovery eval` aligns
//! their columns on a terminal. A share of no cases is `-`. A new figure is a new row of [`ScoreTable::by_pack`].

use crate::{Reliability, Score, Sheet};
use recovery_types::Permille;
use recovery_types::terminal::one_line;

/// A header, and rows of as many cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreTable {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl ScoreTable {
    /// The figures of several packs, one column per pack.
    #[must_use]
    pub fn by_pack(packs: &[Score]) -> Self {
        type Figure = (&'static str, fn(&Score) -> String);
        const FIGURES: [Figure; 9] = [
            ("failure type, macro-F1", |score| percent(score.failure_type.macro_f1)),
            ("failure type, right", |score| percent(score.failure_type.accuracy)),
            ("F1 against F2, right", |score| percent(score.class.accuracy)),
            ("error type, right", |score| percent(score.error_type.accuracy)),
            ("entry level, right", |score| percent(score.entry_level.accuracy)),
            ("right surer than wrong, of pairs", |score| share(score.ordering)),
            ("confidence, mean error", |score| share(score.calibration_error)),
            ("failure, read as one without its exit code", |score| percent(score.recall_without_exit_code)),
            ("no failure, read as one", |score| percent(score.alarms_without_exit_code)),
        ];
        let row =
            |(name, figure): &Figure| std::iter::once((*name).to_owned()).chain(packs.iter().map(figure)).collect();
        Self {
            header: std::iter::once(String::new()).chain(packs.iter().map(|score| score.pack.to_string())).collect(),
            rows: FIGURES.iter().map(row).collect(),
        }
    }

    /// One row per area; `None` where there are not several.
    #[must_use]
    pub fn by_area(score: &Score) -> Option<Self> {
        let header = [
            "area", "failures", "others", "type", "class", "error", "level", "recall", "alarms", "ordering",
            "conf. error",
        ];
        let rows = score.areas.iter().map(|area| {
            let shares = [
                area.failure_type,
                area.class,
                area.error_type,
                area.entry_level,
                area.recall_without_exit_code,
                area.alarms_without_exit_code,
                area.ordering,
                area.calibration_error,
            ];
            let counts = [area.failures, area.benign].map(|count| count.to_string());
            std::iter::once(one_line(&area.area, 24)).chain(counts).chain(shares.map(share)).collect()
        });
        (score.areas.len() > 1).then(|| Self::new(header, rows))
    }

    /// How often answers of some confidence are right; `None` for a pack without confidence.
    #[must_use]
    pub fn by_confidence(reliability: &[Reliability]) -> Option<Self> {
        let rows = reliability
            .iter()
            .map(|tenth| vec![percent(tenth.confidence), tenth.cases.to_string(), percent(tenth.right)]);
        (!reliability.is_empty()).then(|| Self::new(["confidence", "cases", "right"], rows))
    }

    /// One row per label of a label set called `name`, with what the label was wrongly read as.
    #[must_use]
    pub fn by_label(name: &str, sheet: &Sheet) -> Self {
        let rows = sheet.labels.iter().map(|label| {
            let confused =
                sheet.confusion.iter().filter(|cell| cell.expected == label.label && cell.got != label.label);
            let confused: Vec<String> = confused.map(|cell| format!("{} {}", cell.cases, cell.got)).collect();
            vec![
                label.label.clone(),
                label.cases.to_string(),
                percent(label.precision),
                percent(label.recall),
                percent(label.f1),
                confused.join(", "),
            ]
        });
        Self::new([name, "cases", "precision", "recall", "F1", "read as"], rows)
    }

    fn new<const N: usize>(header: [&str; N], rows: impl Iterator<Item = Vec<String>>) -> Self {
        Self { header: header.map(str::to_owned).to_vec(), rows: rows.collect() }
    }
}

fn share(share: Option<Permille>) -> String {
    share.map_or_else(|| "-".to_owned(), percent)
}

/// A share as a reader sees it: `97.5 %`.
#[must_use]
pub fn percent(share: Permille) -> String {
    format!("{}.{} %", share.get() / 10, share.get() % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LabelledOutput;
    use failure_taxonomy::Taxonomy;

    fn case(id: &str, text: &str, error_type: &str, area: &str) -> LabelledOutput {
        LabelledOutput {
            id: id.into(),
            text: text.into(),
            exit_code: Some(1),
            error_type: Some(error_type.into()),
            area: Some(area.into()),
            ..LabelledOutput::default()
        }
    }

    #[test]
    fn tables_hold_the_figures_as_text() {
        let missing = "ERROR: No matching distribution found for left-pad";
        let right = case("pip-1", missing, "missing_dependency", "pip");
        let wrong = case("pip-2", missing, "disk_full", "other");
        let score = Score::of(&Taxonomy::field(), &[right.clone(), wrong]);
        let packs = ScoreTable::by_pack(std::slice::from_ref(&score));
        assert_eq!(packs.header, ["", "field"]);
        assert!(packs.rows.contains(&vec!["error type, right".to_owned(), "50.0 %".to_owned()]), "{packs:?}");
        let labels = ScoreTable::by_label("error type", &score.error_type);
        let confused = labels.rows.iter().find(|row| row[0] == "disk_full").unwrap();
        assert_eq!(confused[1..], ["1", "0.0 %", "0.0 %", "0.0 %", "1 missing_dependency"]);
        let areas = ScoreTable::by_area(&score).unwrap();
        assert_eq!(areas.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["other", "pip"]);
        // No benign text: there is no share of them.
        assert_eq!((areas.header[8].as_str(), areas.rows[0][8].as_str()), ("alarms", "-"));
        assert!(areas.rows.iter().all(|row| row.len() == areas.header.len()));
        assert_eq!(ScoreTable::by_area(&Score::of(&Taxonomy::field(), std::slice::from_ref(&right))), None);
        assert!(ScoreTable::by_confidence(&score.reliability).is_some());
        assert_eq!(ScoreTable::by_confidence(&Score::of(&Taxonomy::documented(), &[right]).reliability), None);
    }
}
