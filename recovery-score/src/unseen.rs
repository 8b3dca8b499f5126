//! How a pack does on sources that its rows were not written for: leave-one-group-out cross-validation.
//!
//! In: labelled failures by source (a project, a set of tools). Out: an [`UnseenVerdict`] per failure, reached without the rows
//! that fire in no other source's failures ([`leave_one_source_out`]); then the confidence of each, by weights that were
//! fitted to other sources ([`cross_validated_confidence`]). Both estimate what to expect of output that nobody here has seen.

use crate::{ConfidenceWeights, LabelledOutput};
use failure_taxonomy::{Failure, PackError, PackName, Support, Taxonomy};
use recovery_types::Permille;
use std::collections::{BTreeMap, BTreeSet};

/// The verdict on a failure of a source that the rows were not written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnseenVerdict {
    /// The number of the source.
    pub source: usize,
    /// What the verdict rests on; `None` where nothing was recognised.
    pub support: Option<Support>,
    /// Whether the error type is the label's.
    pub is_right: bool,
}

/// Diagnoses each source as if it had never been seen: rows that fire in no other source's failures are disabled.
///
/// # Errors
/// The pack cannot be built without those rows.
pub fn leave_one_source_out(
    pack: PackName,
    failures_by_source: &BTreeMap<String, Vec<LabelledOutput>>,
) -> Result<Vec<UnseenVerdict>, PackError> {
    let all = Taxonomy::builder(pack).build()?;
    let mut sources_of_row: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, failures) in failures_by_source {
        for id in failures.iter().flat_map(|failure| all.counting(failure.text.as_bytes())) {
            sources_of_row.entry(id).or_default().insert(source);
        }
    }
    let mut verdicts = Vec::new();
    for (number, (source, failures)) in failures_by_source.iter().enumerate() {
        let only_here = sources_of_row.iter().filter(|(_, sources)| sources.iter().eq([source]));
        let unseen = only_here.fold(Taxonomy::builder(pack), |pack, (id, _)| pack.disable(*id)).build()?;
        for output in failures {
            let (text, tool) = (output.text.as_bytes(), output.tool.as_deref());
            let failure = Failure { text, exit_code: output.exit_code, tool, ..Failure::default() };
            let is_right = output.error_type.as_deref() == Some(unseen.diagnose(&failure).error_type.name());
            verdicts.push(UnseenVerdict { source: number, support: unseen.support(&failure), is_right });
        }
    }
    Ok(verdicts)
}

/// The confidence of each verdict, and whether it is right. The sources are divided into `groups`; each group's confidence
/// comes from weights that were fitted to the others.
#[must_use]
pub fn cross_validated_confidence(verdicts: &[UnseenVerdict], groups: usize) -> Vec<(Permille, bool)> {
    let of_group = |group: usize| {
        let is_in_group = move |verdict: &&UnseenVerdict| verdict.source % groups == group;
        let others = verdicts.iter().filter(move |verdict| !is_in_group(verdict));
        let weights = ConfidenceWeights::fit(others.map(|verdict| (verdict.support, verdict.is_right)));
        let confidence = move |verdict: &UnseenVerdict| {
            let thousandths = (1000.0 * weights.probability(verdict.support)).round();
            (Permille::new(thousandths as u16), verdict.is_right)
        };
        verdicts.iter().filter(is_in_group).map(confidence)
    };
    (0..groups).flat_map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(text: &str, error_type: &str) -> LabelledOutput {
        let (text, error_type) = (text.to_owned(), Some(error_type.to_owned()));
        LabelledOutput { text, error_type, exit_code: Some(1), ..LabelledOutput::default() }
    }

    #[test]
    fn only_rows_that_another_source_has_too_are_used() {
        let missing = || failure("ERROR: No matching distribution found for left-pad", "missing_dependency");
        let failures_by_source = BTreeMap::from([
            ("one".to_owned(), vec![missing()]),
            (
                "two".to_owned(),
                vec![missing(), failure("curl: (7) Failed to connect to x port 80", "connection_failure")],
            ),
        ]);
        let verdicts = leave_one_source_out(PackName::Field, &failures_by_source).unwrap();
        assert_eq!(
            verdicts.iter().map(|v| (v.source, v.is_right)).collect::<Vec<_>>(),
            [(0, true), (1, true), (1, false)]
        );
        assert_eq!(verdicts[2].support, None);
        let confidence = cross_validated_confidence(&verdicts, 2);
        assert_eq!(confidence.iter().map(|(_, is_right)| *is_right).collect::<Vec<_>>(), [true, true, false]);
        assert!(confidence[1].0 > confidence[2].0);
    }
}
