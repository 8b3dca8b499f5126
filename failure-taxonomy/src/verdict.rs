//! How a verdict is reached when several indicators are present.

use crate::Taxonomy;
use crate::evidence::{Evidence, Found};
use crate::pack::PackName;
use recovery_types::{ErrorType, FailureType};

/// What the text says.
pub(crate) struct Verdict {
    pub failure_type: FailureType,
    pub error_type: ErrorType,
    /// What it was read from.
    pub indicators: Vec<Found>,
}

/// Weighs what was found.
pub(crate) fn reach(taxonomy: &Taxonomy, evidence: &Evidence, _exit_code: Option<i64>, _tool: Option<&str>) -> Verdict {
    match taxonomy.pack() {
        PackName::Documented | PackName::Field => documented(taxonomy, evidence),
    }
}

/// The document's order: the first failure type that any indicator speaks for. Its error type is that of the indicator
/// which stands first.
fn documented(taxonomy: &Taxonomy, evidence: &Evidence) -> Verdict {
    let indicators: Vec<Found> = evidence.found().collect();
    let winner = indicators
        .iter()
        .filter_map(|found| Some((found, taxonomy.row(found.row)?)))
        .min_by_key(|(found, row)| (row.failure_type, found.first));
    let (failure_type, error_type) =
        winner.map_or((FailureType::Unknown, ErrorType::Other), |(_, row)| (row.failure_type, row.error_type));
    Verdict { failure_type, error_type, indicators }
}
