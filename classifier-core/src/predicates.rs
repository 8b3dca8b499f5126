//! The condition of each rule, and the evidence it found. No condition depends on the order of the rules.
//!
//! In: a [`Case`]. Out: the evidence, or none where the rule does not fire. One function per rule of `rules.rs`, named after
//! it; the order in which they are evaluated is the table's alone, so each is tested by itself. Thresholds (three failures,
//! a deviation of 0.7) are constants here. What an output shows comes as `Facts`; what the plan and the history show is read
//! from the event.

use crate::case::Case;
use crate::evidence::{Evidence, FirstOf};
use crate::history;
use recovery_types::digest::sha256_hex;
use recovery_types::{FailureCause, HistoryEntry, Permille, RepoPath};
use std::collections::{BTreeMap, BTreeSet};

/// From this deviation, in permille, the work counts as drifted from the plan.
pub(crate) const DEVIATED: Permille = Permille::new(700);

/// From this number of failures a failure counts as repeated.
const REPEATED: u32 = 3;

pub(crate) fn not_a_failure(case: &Case<'_>) -> Option<Vec<Evidence>> {
    (case.event.exit_code == 0).then(Vec::new)
}

pub(crate) fn conflict(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let by_cause = case.event.cause == Some(FailureCause::Conflict);
    let id = case.event.conflict_id.clone();
    let evidence: Vec<_> =
        by_cause.then_some(Evidence::ConflictCause).into_iter().chain(id.map(Evidence::ConflictId)).collect();
    some_unless_empty(evidence)
}

pub(crate) fn transient(case: &Case<'_>) -> Option<Vec<Evidence>> {
    Some(vec![Evidence::Fact(case.facts.transient.clone()?)])
}

/// The last two recorded attempts of this task, both with the current hash, or both with the same failing test.
pub(crate) fn repeated_failure(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let hash = |at: usize| case.facts.history_hashes.get(at).and_then(Option::as_ref);
    let last_two = || history::own_attempts(case.event).rev().take(2);
    // A stated hash may be of the raw text, whatever the pack compares.
    let has_raw_text = |entry: &HistoryEntry| {
        let is_comparable = case.event.stderr_hash.is_some() && entry.stderr_hash.is_none();
        let text = entry.stderr_tail.as_ref().filter(|_| is_comparable);
        text.is_some_and(|text| case.facts.has_hash(&sha256_hex(text.as_bytes())))
    };
    let has_hash = |at: usize| hash(at).is_some_and(|earlier| case.facts.has_hash(earlier));
    let same_hash = last_two().filter(|(at, entry)| has_hash(*at) || has_raw_text(entry)).count();
    let same_test = last_two().filter(|(_, entry)| entry.test.is_some() && entry.test == case.facts.test).count();
    let shown = match (same_hash, same_test, &case.facts.test) {
        (2, _, _) => Evidence::RepeatedHash,
        (_, 2, Some(test)) => Evidence::RepeatedTest(test.clone()),
        _ => return None,
    };
    (case.failed_attempts >= REPEATED).then(|| vec![Evidence::FailedAttempts(case.failed_attempts), shown])
}

/// The attempt changed a file of a sibling, or the failure is in a file or a test of the sibling.
pub(crate) fn sibling_files(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let touched: BTreeSet<&RepoPath> = case.event.files_touched.iter().collect();
    let mut shared: BTreeMap<&str, BTreeSet<&RepoPath>> = BTreeMap::new();
    for (sibling, entry) in case.siblings() {
        for file in entry.files_touched.iter().filter(|file| touched.contains(file)) {
            shared.entry(sibling).or_default().insert(file);
        }
    }
    let evidence = shared.into_iter().filter_map(|(sibling, files)| {
        Some(Evidence::SharedFiles { sibling: sibling.to_owned(), files: FirstOf::new(files)? })
    });
    some_unless_empty(evidence.collect()).or_else(|| some_unless_empty(broken_siblings(case)))
}

/// The files and tests of siblings that fail, one per sibling.
fn broken_siblings(case: &Case<'_>) -> Vec<Evidence> {
    let mut broken: BTreeMap<&str, Evidence> = BTreeMap::new();
    for (sibling, entry) in case.siblings() {
        let file =
            entry.files_touched.iter().find(|own| case.facts.failing_files.iter().any(|file| is_file(file, own)));
        let test = entry.test.as_ref().filter(|test| Some(*test) == case.facts.test.as_ref());
        let found = match (file, test) {
            (Some(file), _) => Evidence::SiblingsFile { sibling: sibling.to_owned(), file: file.clone() },
            (None, Some(test)) => Evidence::SiblingsTest { sibling: sibling.to_owned(), test: test.clone() },
            (None, None) => continue,
        };
        broken.entry(sibling).or_insert(found);
    }
    broken.into_values().collect()
}

/// Whether a file as a tool prints it, possibly as an absolute path, is the file of the repository.
fn is_file(printed: &RepoPath, own: &RepoPath) -> bool {
    let printed_from_root = printed.as_str().strip_suffix(own.as_str()).is_some_and(|dir| dir.ends_with('/'));
    printed == own || (printed.as_str().starts_with('/') && printed_from_root)
}

pub(crate) fn first_code_error(case: &Case<'_>) -> Option<Vec<Evidence>> {
    let error = case.facts.code_error.clone()?;
    (case.failed_attempts == 1).then(|| vec![Evidence::FailedAttempts(1), Evidence::Fact(error)])
}

pub(crate) fn deviation(case: &Case<'_>) -> Option<Vec<Evidence>> {
    (case.deviation >= DEVIATED).then(|| vec![Evidence::Deviation(case.deviation)])
}

/// The first kind of contradiction; further kinds corroborate it.
pub(crate) fn mission_contradicted(case: &Case<'_>) -> Option<Vec<Evidence>> {
    case.contradictions().by_kind().into_iter().find(|hits| !hits.is_empty()).map(<[_]>::to_vec)
}

pub(crate) fn always(case: &Case<'_>) -> Option<Vec<Evidence>> {
    Some(vec![Evidence::ExitCode(case.event.exit_code)])
}

pub(crate) fn some_unless_empty(evidence: Vec<Evidence>) -> Option<Vec<Evidence>> {
    (!evidence.is_empty()).then_some(evidence)
}
