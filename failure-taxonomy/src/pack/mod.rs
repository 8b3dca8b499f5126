//! Packs: tables of indicators.
//!
//! The built-in ones are `packs/field/*.toml`, one file per ecosystem or subject, and `packs/documented.toml`. A row is
//! written as described in [`format`], `build/` makes constant tables of them ([`builtin`]) and chooses what is searched for
//! each (`build/literals.rs`), and [`rows`] joins them with a user's own. A row names what a tool always prints, never what one log
//! contains. Which row wins is up to the verdict, so the order of rows does not matter.

pub(crate) mod builtin;
pub(crate) mod format;
pub(crate) mod pattern;
pub(crate) mod rows;
pub(crate) mod user;

pub use builtin::RowSource;
pub use format::{Guard, Role, Strength};

use recovery_types::{ErrorType, FailureType};

/// The longest text of an indicator.
pub(crate) const MAX_TEXT_BYTES: usize = 256;

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
            Self::Field => &builtin::FIELD,
            Self::Documented => &builtin::DOCUMENTED,
        }
    }

    /// What the scan looks for, see [`scan`](crate::scan); for measurements.
    #[must_use]
    pub const fn literals(self) -> &'static [&'static str] {
        match self {
            Self::Field => &builtin::FIELD_LITERALS,
            Self::Documented => &builtin::DOCUMENTED_LITERALS,
        }
    }

    /// Calls `on_hit(literal, start)` wherever one of [`literals`](Self::literals) occurs, in no promised order.
    pub fn find_literals(self, haystack: &[u8], on_hit: impl FnMut(usize, usize)) {
        builtin::scanner(self).find(haystack, on_hit);
    }

    /// Where the row with this id is written down.
    #[must_use]
    pub fn source_of(self, id: &str) -> Option<RowSource> {
        builtin::source_of(self, id)
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

/// One row of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indicator<'a> {
    /// Stable name, `tool.what`.
    pub id: &'a str,
    /// What is looked for; ASCII case does not matter.
    pub text: &'a str,
    /// The failure type it indicates.
    pub failure_type: FailureType,
    /// The error type it indicates.
    pub error_type: ErrorType,
    /// How strongly it counts without others.
    pub strength: Strength,
    /// What it means for other indicators.
    pub role: Role,
    /// Where it must occur.
    pub guard: Guard<'a>,
    /// The tool that prints it, where only one does.
    pub tool: Option<&'a str>,
    /// A line on which it counts.
    pub hits: &'a str,
    /// A similar line on which it does not; empty where it has no guard.
    pub misses: &'a str,
}
