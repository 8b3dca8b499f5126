//! The rows in force: those of a built-in pack without the disabled ones, and those that a user added.
//!
//! In: a [`PackName`], user rows, ids to leave out. Out: each row by its number (built-in rows first), the occurrences of
//! their texts, and whether a row's pattern matches. Evidence and verdict know rows only through this type.

use super::builtin::{self, Searcher};
use super::format::UserIndicator;
use super::pattern::{Cache, Pattern, Traits};
use super::{Guard, Indicator, PackName, Role, Strength};
use crate::scan::Scanner;
use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct Rows {
    pack: PackName,
    /// The ids of built-in rows that are left out.
    disabled: Vec<String>,
    user: Vec<UserIndicator>,
    user_scanner: Option<Scanner>,
    /// By [`PatternPart`], as are `patterns`.
    user_patterns: [Vec<Option<Regex>>; 2],
    patterns: [Patterns; 2],
    /// Made when a long output is first skimmed.
    deciding: OnceLock<Vec<bool>>,
}

/// Which of the two patterns of a guard.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PatternPart {
    Pattern,
    Unless,
}

/// A row that may count on the line of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub row: usize,
    /// Its text begins at the place; otherwise something is there that its pattern requires.
    pub is_text: bool,
}

/// The part of a line that a pattern is tried on.
pub(crate) struct PatternWindow<'a> {
    pub text: &'a [u8],
    /// Those of the whole line.
    pub traits: &'a Traits,
    pub cache: &'a mut Cache,
}

impl Rows {
    pub(crate) fn new(pack: PackName, user: Vec<UserIndicator>, disabled: Vec<String>) -> Self {
        let user_scanner = (!user.is_empty()).then(|| Scanner::new(user.iter().map(|row| &row.text)));
        let compiled = |pattern: Option<&str>| compile(pattern?).ok();
        let user_patterns = [
            user.iter().map(|row| compiled(row.pattern.as_deref())).collect(),
            user.iter().map(|row| compiled(row.unless.as_deref())).collect(),
        ];
        let patterns = [(); 2].map(|()| Patterns::for_rows(pack.rows().len()));
        Self { pack, disabled, user, user_scanner, user_patterns, patterns, deciding: OnceLock::new() }
    }

    pub(crate) const fn pack(&self) -> PackName {
        self.pack
    }

    pub(crate) fn user(&self) -> &[UserIndicator] {
        &self.user
    }

    pub(crate) fn count(&self) -> usize {
        self.pack.rows().len() + self.user.len()
    }

    /// A row by its number; `None` for one that is left out.
    pub(crate) fn get(&self, row: usize) -> Option<Indicator<'_>> {
        match self.pack.rows().get(row) {
            Some(row) => (!self.disabled.iter().any(|id| id == row.id)).then_some(*row),
            None => self.user.get(row - self.pack.rows().len())?.as_indicator(),
        }
    }

    /// Every row, built-in ones first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Indicator<'_>> {
        (0..self.count()).filter_map(|row| self.get(row))
    }

    /// What an occurrence of a row is judged by: the length of its text, its strength and its guard.
    pub(crate) fn terms<'a>(&'a self, row: usize) -> Option<(usize, Strength, Guard<'a>)> {
        let terms = |row: &Indicator<'a>| (row.text.len(), row.strength, row.guard);
        // The common case does not copy the row: this is called for every occurrence.
        match self.pack.rows().get(row) {
            Some(row) if self.disabled.is_empty() => Some(terms(row)),
            _ => self.get(row).as_ref().map(terms),
        }
    }

    /// The text of a row.
    pub(crate) fn text(&self, row: usize) -> Option<&str> {
        match row.checked_sub(self.pack.rows().len()) {
            None => Some(self.pack.rows()[row].text),
            Some(row) => Some(&self.user.get(row)?.text),
        }
    }

    /// By row, whether it can change a verdict that others decide: all rows but those that merely suggest.
    pub(crate) fn deciding(&self) -> &[bool] {
        let decides = |row: Indicator<'_>| row.strength != Strength::Suggestive || row.role != Role::Report;
        self.deciding.get_or_init(|| (0..self.count()).map(|row| self.get(row).is_some_and(decides)).collect())
    }

    /// Calls `on_hit(candidate, start)` wherever something occurs that is searched for a row, in no promised order.
    pub(crate) fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(Candidate, usize)) {
        builtin::find(self.pack, haystack, |Searcher { row, is_text }, start| {
            on_hit(Candidate { row: usize::from(row), is_text }, start);
        });
        if let Some(scanner) = &self.user_scanner {
            let first = self.pack.rows().len();
            scanner.find(haystack, |row, start| on_hit(Candidate { row: first + row, is_text: true }, start));
        }
    }

    /// Whether the pattern of a row can match on a line with these traits; `false` is certain.
    pub(crate) fn may_match(&self, row: usize, pattern: &str, line: &Traits) -> bool {
        if row >= self.pack.rows().len() {
            return true;
        }
        let compiled = self.patterns[PatternPart::Pattern as usize].get(row, pattern);
        compiled.is_some_and(|compiled| compiled.pattern.may_match(line))
    }

    /// Whether a pattern of a row matches in a window of a line.
    pub(crate) fn pattern_matches(
        &self,
        (row, part): (usize, PatternPart),
        pattern: &str,
        window: PatternWindow<'_>,
    ) -> bool {
        match row.checked_sub(self.pack.rows().len()) {
            None => {
                let compiled = self.patterns[part as usize].get(row, pattern);
                compiled.is_some_and(|compiled| compiled.is_match(pattern, window))
            }
            Some(row) => {
                let regex = self.user_patterns[part as usize].get(row).and_then(Option::as_ref);
                regex.is_some_and(|regex| regex.is_match(window.text))
            }
        }
    }
}

/// A slot per built-in row for its compiled pattern, filled when the row's text first occurs. One process meets few rows of
/// a pack, so the slots are allocated in groups when they are needed.
#[derive(Debug)]
struct Patterns(Vec<OnceLock<Group>>);

type Group = Box<[OnceLock<Option<RowPattern>>; GROUP]>;
const GROUP: usize = 32;

/// The pattern of a built-in row. It starts as a [`Pattern`], which costs little to compile; one that was tried on
/// [`HOT_BYTES`] is compiled by `regex`, which takes as long as that and is several times as fast afterwards.
#[derive(Debug)]
struct RowPattern {
    pattern: Pattern,
    tried_bytes: AtomicUsize,
    regex: OnceLock<Option<Regex>>,
}

const HOT_BYTES: usize = 64 << 10;

impl RowPattern {
    fn new(pattern: &str) -> Option<Self> {
        Some(Self { pattern: Pattern::new(pattern)?, tried_bytes: AtomicUsize::new(0), regex: OnceLock::new() })
    }

    /// `source` is what it was made from.
    fn is_match(&self, source: &str, PatternWindow { text, traits, cache }: PatternWindow<'_>) -> bool {
        if !self.pattern.may_match(traits) {
            return false;
        }
        if self.tried_bytes.fetch_add(text.len(), Ordering::Relaxed) > HOT_BYTES
            && let Some(regex) = self.regex.get_or_init(|| compile(source).ok())
        {
            cache.count_steps(text.len());
            return regex.is_match(text);
        }
        self.pattern.is_match(text, cache)
    }
}

impl Patterns {
    fn for_rows(rows: usize) -> Self {
        Self((0..rows.div_ceil(GROUP)).map(|_| OnceLock::new()).collect())
    }

    fn get(&self, row: usize, pattern: &str) -> Option<&RowPattern> {
        let group = self.0.get(row / GROUP)?.get_or_init(|| Box::new([const { OnceLock::new() }; GROUP]));
        group[row % GROUP].get_or_init(|| RowPattern::new(pattern)).as_ref()
    }
}

/// Compiles a pattern with `regex`: a user's, which may use its whole syntax, or one that is tried often.
pub(crate) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).size_limit(1 << 20).build()
}
