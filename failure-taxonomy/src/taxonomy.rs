//! The entry point: [`Taxonomy`], a pack prepared for matching, and [`TaxonomyBuilder`].
//!
//! In: a `Failure`. Out: a `Diagnosis`. [`Taxonomy::diagnose`] collects the evidence, reaches the verdict and adds
//! fingerprint, circularity and recovery action. The builder adds a user's rows and checks each against its own
//! examples, so that a row that can never match is an error when the settings are loaded.

use crate::action::recovery_action;
use crate::evidence::{Evidence, ends};
use crate::pack::format::{Fragments, UserIndicator};
use crate::pack::rows::{self, Rows};
use crate::pack::user::PackError;
use crate::pack::{Indicator, MAX_TEXT_BYTES, PackName};
use crate::verdict::Verdict;
use crate::verdict::phase::ending;
use crate::{Circularity, Failure, Support, matrix_words, normalise, verdict};
use recovery_types::{Diagnosis, FailureType, IndicatorHit};
use std::borrow::Cow;

/// A pack prepared for matching: finds out what kind of failure some output is.
///
/// ```
/// use failure_taxonomy::{Failure, Taxonomy};
/// use recovery_types::FailureType;
/// let taxonomy = Taxonomy::field();
/// let diagnosis = taxonomy.diagnose(&Failure { text: b"AssertionError: Expected 200 but got 404", ..Failure::default() });
/// assert_eq!(diagnosis.failure_type, FailureType::VerificationFailed);
/// ```
#[derive(Debug)]
pub struct Taxonomy {
    rows: Rows,
}

impl Taxonomy {
    /// The field pack, the default: what real tools really print.
    #[must_use]
    pub fn field() -> Self {
        Self { rows: Rows::new(PackName::Field, Vec::new(), Vec::new()) }
    }

    /// The pack with exactly the tables of the failure-type document.
    #[must_use]
    pub fn documented() -> Self {
        Self { rows: Rows::new(PackName::Documented, Vec::new(), Vec::new()) }
    }

    /// A pack with rows added and rows left out.
    #[must_use]
    pub fn builder(pack: PackName) -> TaxonomyBuilder {
        TaxonomyBuilder { pack, user: Vec::new(), fragments: Fragments::new(), disabled: Vec::new() }
    }

    /// The pack it was made from.
    #[must_use]
    pub const fn pack(&self) -> PackName {
        self.rows.pack()
    }

    /// Every row, built-in ones first.
    pub fn indicators(&self) -> impl Iterator<Item = Indicator<'_>> {
        self.rows.iter()
    }

    /// The row with this id.
    #[must_use]
    pub fn indicator(&self, id: &str) -> Option<Indicator<'_>> {
        self.indicators().find(|row| row.id == id)
    }

    /// What kind of failure it is. Never fails, whatever the bytes are. Places, problems and waits are left empty: finding them
    /// is `problem-matcher`'s.
    #[must_use]
    pub fn diagnose(&self, failure: &Failure<'_>) -> Diagnosis {
        let text = ends(failure.text);
        let evidence = Evidence::of(&self.rows, failure.text);
        let verdict = verdict::reach(&self.rows, &evidence, &ending(failure.text, 0), failure.exit_code, failure.tool);
        self.conclude(verdict, &evidence, &Failure { text: &text, ..*failure })
    }

    /// Whether the text alone, its exit code unknown, shows a failure.
    #[must_use]
    pub fn reads_as_failure(&self, text: &[u8], tool: Option<&str>) -> bool {
        !self.reach(&Failure { text, tool, ..Failure::default() }).indicators.is_empty()
    }

    /// The ids of the rows that count somewhere in `text`.
    #[must_use]
    pub fn counting(&self, text: &[u8]) -> Vec<&str> {
        Evidence::of(&self.rows, text).found().filter_map(|hit| Some(self.rows.get(hit.row)?.id)).collect()
    }

    /// Whether the row with this id counts somewhere in `text`.
    #[must_use]
    pub fn hits(&self, id: &str, text: &[u8]) -> bool {
        self.counting(text).contains(&id)
    }

    /// What the verdict on a failure rests on; `None` where nothing was recognised, and in the documented pack.
    #[must_use]
    pub fn support(&self, failure: &Failure<'_>) -> Option<Support> {
        self.reach(failure).support
    }

    fn reach(&self, failure: &Failure<'_>) -> verdict::Verdict {
        let Failure { text, exit_code, tool, .. } = *failure;
        let evidence = Evidence::of(&self.rows, text);
        verdict::reach(&self.rows, &evidence, &ending(text, 0), exit_code, tool)
    }

    /// From a verdict to the answer; `failure.text` is what the fingerprint is taken from.
    pub(crate) fn conclude(&self, mut verdict: Verdict, evidence: &Evidence, failure: &Failure<'_>) -> Diagnosis {
        if self.rows.pack() == PackName::Documented
            && let Some(error_type) =
                matrix_words::error_type(&String::from_utf8_lossy(failure.text), verdict.failure_type)
        {
            (verdict.failure_type, verdict.error_type) = (FailureType::Unknown, error_type);
        }
        let approach = failure.approach.map_or_else(|| String::from_utf8_lossy(failure.text), Cow::Borrowed);
        let circularity = Circularity::of(&approach, failure.previous_approaches);
        let failure_type = match verdict.failure_type {
            FailureType::Unknown if circularity.circular => FailureType::CircularFix,
            other => other,
        };
        Diagnosis {
            failure_type,
            error_type: verdict.error_type,
            entry_level: None,
            indicators: self.hits_of(&verdict),
            circular: circularity.circular,
            similarities: circularity.similarities,
            recovery_action: recovery_action(failure_type, failure.attempts, failure.last_good_commit),
            fingerprint: normalise::fingerprint(failure.text),
            retry_after_ms: None,
            resets_at: None,
            location: None,
            missing: None,
            http_status: None,
            problem: None,
            problems: Vec::new(),
            confidence: verdict.confidence,
            step: verdict.support.map(|support| support.step.to_string()),
            row: verdict.row.and_then(|row| self.rows.get(row)).map(|row| row.id.to_owned()),
            skimmed: evidence.skimmed(),
        }
    }

    fn hits_of(&self, verdict: &verdict::Verdict) -> Vec<IndicatorHit> {
        let mut hits: Vec<IndicatorHit> = verdict
            .indicators
            .iter()
            .filter_map(|found| {
                let row = self.rows.get(found.row)?;
                let (id, text) = (row.id.to_owned(), row.text.to_owned());
                Some(IndicatorHit { id, text, offset: found.first.offset, line: found.first.line })
            })
            .collect();
        hits.sort_by_key(|hit| hit.offset);
        hits
    }

    pub(crate) const fn rows(&self) -> &Rows {
        &self.rows
    }
}

/// Adds rows to a pack and leaves rows out.
#[derive(Clone, Debug)]
pub struct TaxonomyBuilder {
    pack: PackName,
    user: Vec<UserIndicator>,
    fragments: Fragments,
    disabled: Vec<String>,
}

impl TaxonomyBuilder {
    /// Adds a row.
    #[must_use]
    pub fn indicator(mut self, row: UserIndicator) -> Self {
        self.user.push(row);
        self
    }

    /// Adds rows.
    #[must_use]
    pub fn indicators(mut self, rows: impl IntoIterator<Item = UserIndicator>) -> Self {
        self.user.extend(rows);
        self
    }

    /// Defines parts of patterns that the added rows share.
    #[must_use]
    pub fn fragments(mut self, fragments: Fragments) -> Self {
        self.fragments.extend(fragments);
        self
    }

    /// Leaves the built-in row with this id out.
    #[must_use]
    pub fn disable(mut self, id: impl Into<String>) -> Self {
        self.disabled.push(id.into());
        self
    }

    /// Checks everything and prepares the pack.
    ///
    /// # Errors
    /// A row that can never match, matches everything, or contradicts its own examples; see [`PackError`].
    pub fn build(mut self) -> Result<Taxonomy, PackError> {
        for row in &mut self.user {
            if let Err(name) = row.expand(&self.fragments) {
                return Err(PackError::UnknownFragment { id: row.id.clone(), name });
            }
        }
        let built_in = || self.pack.rows().iter();
        if let Some(id) = self.disabled.iter().find(|id| !built_in().any(|row| row.id == **id)) {
            return Err(PackError::UnknownId { id: id.clone() });
        }
        for (at, row) in self.user.iter().enumerate() {
            let taken_by_built_in = built_in().any(|b| b.id == row.id) && !self.disabled.contains(&row.id);
            if taken_by_built_in || self.user[..at].iter().any(|other| other.id == row.id) {
                return Err(PackError::DuplicateId { id: row.id.clone() });
            }
            check(row)?;
        }
        let taxonomy = Taxonomy { rows: Rows::new(self.pack, self.user, self.disabled) };
        for row in taxonomy.rows.user() {
            let id = || row.id.clone();
            if let Some(line) = row.hits.as_ref().filter(|line| !taxonomy.hits(&row.id, line.as_bytes())) {
                return Err(PackError::ExampleMissed { id: id(), line: line.clone() });
            }
            if let Some(line) = row.misses.as_ref().filter(|line| taxonomy.hits(&row.id, line.as_bytes())) {
                return Err(PackError::CounterExampleHit { id: id(), line: line.clone() });
            }
        }
        Ok(taxonomy)
    }
}

fn check(row: &UserIndicator) -> Result<(), PackError> {
    let id = row.id.clone();
    if id.trim().is_empty() {
        return Err(PackError::EmptyId);
    }
    if row.text.trim().is_empty() {
        return Err(PackError::EmptyText { id });
    }
    if row.text.contains(['\n', '\r']) {
        return Err(PackError::LineBreak { id });
    }
    if row.text.len() > MAX_TEXT_BYTES {
        return Err(PackError::LongText { id, length: row.text.len() });
    }
    if row.as_indicator().is_none() {
        return Err(PackError::UnknownErrorType { id, name: row.error_type.clone() });
    }
    for pattern in [&row.pattern, &row.unless].into_iter().flatten() {
        rows::compile(pattern)
            .map_err(|error| PackError::BadPattern { id: row.id.clone(), reason: error.to_string() })?;
    }
    Ok(())
}
