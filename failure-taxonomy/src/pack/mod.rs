//! Packs: tables of indicators.

pub mod documented;
pub mod field;
pub(crate) mod pattern;
pub(crate) mod rows;
pub(crate) mod user;

use crate::scan::{Scanner, planned};
use recovery_types::{ErrorType, FailureType};

/// Which built-in table of indicators is read.
///
/// ```
/// use failure_taxonomy::PackName;
/// assert_eq!("documented".parse(), Ok(PackName::Documented));
/// assert_eq!(PackName::default().to_string(), "field");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackName {
    /// What real tools really print.
    #[default]
    Field,
    /// Exactly the tables of the failure-type document.
    Documented,
}

impl PackName {
    /// Both packs.
    pub const ALL: [Self; 2] = [Self::Field, Self::Documented];

    /// The name that options and answers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Documented => "documented",
        }
    }

    /// The pack's rows.
    #[must_use]
    pub const fn rows(self) -> &'static [Indicator<'static>] {
        match self {
            Self::Field => &field::ROWS,
            Self::Documented => &documented::ROWS,
        }
    }

    /// Finds the texts of [`rows`](Self::rows), by their numbers.
    #[must_use]
    pub(crate) const fn scanner(self) -> &'static Scanner {
        match self {
            Self::Field => &planned::FIELD,
            Self::Documented => &planned::DOCUMENTED,
        }
    }
}

impl std::fmt::Display for PackName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no pack.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no pack {0:?}; the packs are \"field\" and \"documented\"")]
pub struct UnknownPack(String);

impl std::str::FromStr for PackName {
    type Err = UnknownPack;

    fn from_str(name: &str) -> Result<Self, UnknownPack> {
        Self::ALL.into_iter().find(|pack| pack.name() == name).ok_or_else(|| UnknownPack(name.to_owned()))
    }
}

/// The indicators of one subject.
type Table = &'static [Indicator<'static>];

/// How many rows the tables have together.
const fn count(tables: &[Table]) -> usize {
    let (mut count, mut t) = (0, 0);
    while t < tables.len() {
        count += tables[t].len();
        t += 1;
    }
    count
}

/// The rows of all tables, one after another.
const fn flatten<const COUNT: usize>(tables: &[Table]) -> [Indicator<'static>; COUNT] {
    let mut rows = [tables[0][0]; COUNT];
    let (mut at, mut t) = (0, 0);
    while t < tables.len() {
        let mut i = 0;
        while i < tables[t].len() {
            rows[at] = tables[t][i];
            at += 1;
            i += 1;
        }
        t += 1;
    }
    rows
}

/// How much an indicator says on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// The closing word of a run: how many tests failed, that the compilation failed.
    Summary,
    /// Only a failure of this kind prints it.
    Decisive,
    /// It points there, and gives way to a decisive one.
    Suggestive,
    /// The closing word of a run that went well: what stands before it was no failure.
    Success,
}

/// What an indicator means for other indicators, besides what its strength says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Nothing.
    #[default]
    Report,
    /// A success of the whole run: it clears the summaries of parts that failed before it.
    WholeRun,
    /// Something that failed is run again: a success after it clears the summaries before it.
    Rerun,
    /// The heading of a document or the start of source code: without an exit code, what follows is no report.
    Document,
    /// A tool that runs others says that one of them failed, and not how.
    Echo,
}

/// Where an indicator's text must stand to count. All conditions hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard<'a> {
    /// No letter, digit or underscore touches the text.
    pub word: bool,
    /// Nothing but blanks, a time stamp, a log tag or a mark stands before it on its line.
    pub line_start: bool,
    /// Counts on warnings and log notes as well.
    pub aside: bool,
    /// A regular expression that must match the line's content, which begins after time stamps and log tags.
    pub pattern: Option<&'a str>,
}

/// One row of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indicator<'a> {
    /// Stable name, `tool.what`.
    pub id: &'a str,
    /// What is looked for; ASCII case does not matter.
    pub text: &'a str,
    /// The failure type it speaks for.
    pub failure_type: FailureType,
    /// The error type it speaks for.
    pub error_type: ErrorType,
    /// How much it says on its own.
    pub strength: Strength,
    /// What it means for other indicators.
    pub role: Role,
    /// Where it must occur.
    pub guard: Guard<'a>,
    /// The tool that prints it, where only one does.
    pub tool: Option<&'a str>,
    /// A line on which it counts.
    pub hits: &'a str,
    /// A tempting line on which it does not.
    pub misses: &'a str,
}

impl<'a> Indicator<'a> {
    pub(crate) const fn text(&self) -> &'a str {
        self.text
    }

    /// A row with no guards yet.
    #[must_use]
    pub const fn new(id: &'a str, text: &'a str, error_type: ErrorType, strength: Strength) -> Self {
        let guard = Guard { word: false, line_start: false, aside: false, pattern: None };
        let failure_type = error_type.failure_type();
        Self {
            id,
            text,
            failure_type,
            error_type,
            strength,
            role: Role::Report,
            guard,
            tool: None,
            hits: "",
            misses: "",
        }
    }

    /// Counts only as whole words.
    #[must_use]
    pub const fn word(mut self) -> Self {
        self.guard.word = true;
        self
    }

    /// Counts only where a line begins.
    #[must_use]
    pub const fn line_start(mut self) -> Self {
        self.guard.line_start = true;
        self
    }

    /// Counts on warnings and log notes as well.
    #[must_use]
    pub const fn aside(mut self) -> Self {
        self.guard.aside = true;
        self
    }

    /// Counts only on lines whose content matches this regular expression.
    #[must_use]
    pub const fn pattern(mut self, pattern: &'a str) -> Self {
        self.guard.pattern = Some(pattern);
        self
    }

    /// Means this for other indicators.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Printed by this tool.
    #[must_use]
    pub const fn tool(mut self, tool: &'a str) -> Self {
        self.tool = Some(tool);
        self
    }

    /// A line that must hit and one that must not.
    #[must_use]
    pub const fn examples(mut self, hits: &'a str, misses: &'a str) -> Self {
        self.hits = hits;
        self.misses = misses;
        self
    }
}
