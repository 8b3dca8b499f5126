//! The taxonomy: a pack made ready to read output with.

use crate::action::recovery_action;
use crate::evidence::{Evidence, MAX_TEXT};
use crate::pack::{Guard, Indicator, PackName, Strength};
use crate::pattern::{Pattern, Room, Traits};
use crate::scan::Scanner;
use crate::user::{PackError, UserIndicator};
use crate::{Circularity, Failure, Observer, extract, normalise, observer, verdict};
use recovery_types::{Diagnosis, FailureType, IndicatorHit};
use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// A pack made ready: says what kind of failure some output is.
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
    pack: PackName,
    /// The ids of built-in rows that are left out.
    disabled: Vec<String>,
    /// Rows after the built-in ones, and what finds them.
    user: Vec<UserIndicator>,
    user_scanner: Option<Scanner>,
    user_patterns: Vec<Option<Regex>>,
    patterns: Patterns,
    loose_patterns: Patterns,
    with_digits: OnceLock<WithDigits>,
}

/// Of more digits on a line it takes long to tell which of them a pattern asks for.
const MOST_DIGITS: usize = 48;

/// What a pattern is looked for in.
pub(crate) struct PatternLine<'a> {
    pub pattern: &'a str,
    pub text: &'a [u8],
    /// Where the text stands in the block.
    pub from: usize,
    /// Those of the whole line that the text is a part of.
    pub traits: &'a Traits,
    pub room: &'a mut Room,
}

/// The rows with digits in their texts, and what finds them whatever digits stand there.
#[derive(Debug)]
struct WithDigits {
    rows: Vec<usize>,
    scanner: Scanner,
}

impl Taxonomy {
    /// The field pack, the default: what real tools really print.
    #[must_use]
    pub fn field() -> Self {
        Self::ready(PackName::Field, Vec::new(), Vec::new())
    }

    /// The pack with exactly the tables of the failure-type document.
    #[must_use]
    pub fn documented() -> Self {
        Self::ready(PackName::Documented, Vec::new(), Vec::new())
    }

    /// A pack with rows added and rows left out.
    #[must_use]
    pub fn builder(pack: PackName) -> TaxonomyBuilder {
        TaxonomyBuilder { pack, user: Vec::new(), disabled: Vec::new() }
    }

    /// The pack it was made from.
    #[must_use]
    pub const fn pack(&self) -> PackName {
        self.pack
    }

    /// Every row, built-in ones first.
    pub fn indicators(&self) -> impl Iterator<Item = Indicator<'_>> {
        (0..self.row_count()).filter_map(|row| self.row(row))
    }

    /// The row with this id.
    #[must_use]
    pub fn indicator(&self, id: &str) -> Option<Indicator<'_>> {
        self.indicators().find(|row| row.id == id)
    }

    /// What kind of failure it is. Never fails, whatever the bytes are.
    #[must_use]
    pub fn diagnose(&self, failure: &Failure<'_>) -> Diagnosis {
        let text = observer::windows(failure.text);
        self.conclude(&Evidence::of(self, failure.text), &Failure { text: &text, ..*failure })
    }

    /// Reads output as it arrives, in pieces of any size and with constant memory.
    #[must_use]
    pub fn observe(&self) -> Observer<'_> {
        Observer::new(self)
    }

    /// Whether the text alone, its exit code unknown, tells of a failure.
    #[must_use]
    pub fn reads_as_failure(&self, text: &[u8], tool: Option<&str>) -> bool {
        !verdict::reach(self, &Evidence::of(self, text), None, tool).indicators.is_empty()
    }

    /// Whether the row with this id counts somewhere in `text`.
    #[must_use]
    pub fn hits(&self, id: &str, text: &[u8]) -> bool {
        Evidence::of(self, text).found().any(|found| self.row(found.row).is_some_and(|row| row.id == id))
    }

    /// From what was found to the answer; `failure.text` is what the facts are taken from.
    pub(crate) fn conclude(&self, evidence: &Evidence, failure: &Failure<'_>) -> Diagnosis {
        let verdict = verdict::reach(self, evidence, failure.exit_code, failure.tool);
        let text = String::from_utf8_lossy(failure.text);
        let facts = extract::extract_in(&text, failure.now, failure.zone);
        let circularity = Circularity::of(failure.approach.unwrap_or(&text), failure.previous_approaches);
        let failure_type = match verdict.failure_type {
            FailureType::Unknown if circularity.circular => FailureType::CircularFix,
            other => other,
        };
        Diagnosis {
            failure_type,
            error_type: verdict.error_type,
            entry_level: verdict.error_type.entry_level(),
            indicators: self.hits_of(&verdict),
            circular: circularity.circular,
            similarities: circularity.similarities,
            recovery_action: recovery_action(failure_type, failure.attempts, failure.last_good_commit),
            fingerprint: normalise::fingerprint(failure.text),
            retry_after_ms: facts.retry_after_ms,
            resets_at: facts.resets_at,
            location: facts.location,
            missing: facts.missing,
            http_status: facts.http_status,
            problem: None,
            problems: Vec::new(),
            confidence: None,
            step: None,
            row: None,
            skimmed: 0,
        }
    }

    fn hits_of(&self, verdict: &verdict::Verdict) -> Vec<IndicatorHit> {
        let mut hits: Vec<IndicatorHit> = verdict
            .indicators
            .iter()
            .filter_map(|found| {
                let row = self.row(found.row)?;
                let (id, text) = (row.id.to_owned(), row.text.to_owned());
                Some(IndicatorHit { id, text, offset: found.first.offset, line: found.first.line })
            })
            .collect();
        hits.sort_by_key(|hit| hit.offset);
        hits
    }

    fn ready(pack: PackName, user: Vec<UserIndicator>, disabled: Vec<String>) -> Self {
        let user_scanner = (!user.is_empty()).then(|| Scanner::new(user.iter().map(|row| &row.text)));
        let user_patterns = user.iter().map(|row| compile(row.pattern.as_deref()?).ok()).collect();
        let patterns = Patterns::for_rows(pack.rows().len(), Pattern::new);
        let loose_patterns = Patterns::for_rows(pack.rows().len(), Pattern::loose);
        let with_digits = OnceLock::new();
        Self { pack, disabled, user, user_scanner, user_patterns, patterns, loose_patterns, with_digits }
    }

    /// A row by its number; `None` for one that is left out.
    pub(crate) fn row(&self, row: usize) -> Option<Indicator<'_>> {
        match self.pack.rows().get(row) {
            Some(row) => (!self.disabled.iter().any(|id| id == row.id)).then_some(*row),
            None => self.user.get(row - self.pack.rows().len())?.as_indicator(),
        }
    }

    /// What a row's hits are weighed by: the length of its text, its strength and its guard.
    pub(crate) fn terms<'a>(&'a self, row: usize) -> Option<(usize, Strength, Guard<'a>)> {
        let terms = |row: &Indicator<'a>| (row.text.len(), row.strength, row.guard);
        // A built-in row is not copied for it: this is asked for every hit.
        match self.pack.rows().get(row) {
            Some(row) if self.disabled.is_empty() => Some(terms(row)),
            _ => self.row(row).as_ref().map(terms),
        }
    }

    /// Whether lines can be told apart by what [`alike`](crate::alike) knows of the rows.
    pub(crate) fn compares_lines(&self) -> bool {
        self.pack == PackName::Field && self.row_count() <= usize::from(u16::MAX)
    }

    pub(crate) fn row_count(&self) -> usize {
        self.pack.rows().len() + self.user.len()
    }

    /// Calls `on_hit(row, start)` wherever the text of a row stands, in no promised order.
    pub(crate) fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        self.pack.scanner().find(haystack, &mut on_hit);
        if let Some(scanner) = &self.user_scanner {
            scanner.find(haystack, |row, start| on_hit(self.pack.rows().len() + row, start));
        }
    }

    /// Calls `on_hit(row, start)` wherever the text of a row with digits would stand with other digits in their places.
    pub(crate) fn find_whatever_digits(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        let WithDigits { rows, scanner } = self.with_digits.get_or_init(|| {
            let has_digits =
                |row: &usize| self.row(*row).is_some_and(|row| row.text.bytes().any(|b| b.is_ascii_digit()));
            let rows: Vec<usize> = (0..self.row_count()).filter(has_digits).collect();
            let texts = rows.iter().filter_map(|row| self.row(*row)).map(|row| with_digits_alike(row.text.as_bytes()));
            let scanner = Scanner::new(texts);
            WithDigits { rows, scanner }
        });
        scanner.find(&with_digits_alike(haystack), |at, start| on_hit(rows[at], start));
    }

    /// Whether a row's pattern stands in a line.
    pub(crate) fn pattern_stands(&self, row: usize, mut line: PatternLine<'_>) -> bool {
        match row.checked_sub(self.pack.rows().len()) {
            None => self.patterns.get(row, line.pattern).is_some_and(|pattern| line.holds(pattern)),
            Some(row) => {
                self.user_patterns.get(row).and_then(Option::as_ref).is_some_and(|regex| regex.is_match(line.text))
            }
        }
    }

    /// Where the digits stand in a line's text that a row's pattern asks for; `None` where no digits could make it stand,
    /// or where it does not matter which ones there are, also not to the row's text (`has_digits`). A user's pattern may
    /// ask for any, and of very many it is not asked which.
    pub(crate) fn digits_asked_for(
        &self,
        row: usize,
        mut line: PatternLine<'_>,
        has_digits: bool,
    ) -> Option<Vec<usize>> {
        let all = (0..line.text.len()).filter(|at| line.text[*at].is_ascii_digit()).collect::<Vec<_>>();
        if row >= self.pack.rows().len() {
            return Some(all);
        }
        let loose = self.loose_patterns.get(row, line.pattern)?;
        let matters = (has_digits || loose.asks_for_digits()) && line.holds(loose);
        matters.then(|| if all.len() > MOST_DIGITS { all } else { loose.digits_asked_for(line.text) })
    }
}

impl PatternLine<'_> {
    fn holds(&mut self, pattern: &Pattern) -> bool {
        pattern.may_stand(self.traits) && pattern.is_match(self.text, self.room)
    }
}

/// The text with `0` for each digit.
fn with_digits_alike(text: &[u8]) -> Vec<u8> {
    text.iter().map(|byte| if byte.is_ascii_digit() { b'0' } else { *byte }).collect()
}

/// A slot a built-in row for its pattern, translated when the row's text is first found. Few rows of a pack are ever found
/// in one process, so the slots come in groups that are made when needed.
#[derive(Debug)]
struct Patterns {
    make: fn(&str) -> Option<Pattern>,
    groups: Vec<OnceLock<Group>>,
}

type Group = Box<[OnceLock<Option<Pattern>>; GROUP]>;
const GROUP: usize = 32;

impl Patterns {
    fn for_rows(rows: usize, make: fn(&str) -> Option<Pattern>) -> Self {
        Self { make, groups: (0..rows.div_ceil(GROUP)).map(|_| OnceLock::new()).collect() }
    }

    fn get(&self, row: usize, pattern: &str) -> Option<&Pattern> {
        let group = self.groups.get(row / GROUP)?.get_or_init(|| Box::new([const { OnceLock::new() }; GROUP]));
        group[row % GROUP].get_or_init(|| (self.make)(pattern)).as_ref()
    }
}

/// A user's pattern, which may use all that `regex` knows.
fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).size_limit(1 << 20).build()
}

/// Adds rows to a pack and leaves rows out.
#[derive(Clone, Debug)]
pub struct TaxonomyBuilder {
    pack: PackName,
    user: Vec<UserIndicator>,
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

    /// Leaves the built-in row with this id out.
    #[must_use]
    pub fn disable(mut self, id: impl Into<String>) -> Self {
        self.disabled.push(id.into());
        self
    }

    /// Checks everything and makes the pack ready.
    ///
    /// # Errors
    /// A row that can never match, matches everything, or contradicts its own examples; see [`PackError`].
    pub fn build(self) -> Result<Taxonomy, PackError> {
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
        let taxonomy = Taxonomy::ready(self.pack, self.user, self.disabled);
        for row in &taxonomy.user {
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
    if row.text.len() > MAX_TEXT {
        return Err(PackError::LongText { id, length: row.text.len() });
    }
    if row.as_indicator().is_none() {
        return Err(PackError::UnknownErrorType { id, name: row.error_type.clone() });
    }
    if let Some(Err(error)) = row.pattern.as_deref().map(compile) {
        return Err(PackError::BadPattern { id, reason: error.to_string() });
    }
    Ok(())
}
