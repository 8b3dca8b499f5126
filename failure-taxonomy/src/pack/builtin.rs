//! The rows of the built-in packs as constant tables, and their scanners.
//!
//! In: `packs.rs`, which `build/` generates from `packs/*.toml` at compile time. Out: the rows with their place in the TOML
//! files (`source_of`), and every occurrence of a searched literal with the rows it belongs to (`find`). A row is not
//! searched for by its text where its pattern requires a rarer literal; `build/literals.rs` chooses that one. To change
//! rows, edit the TOML.

use super::{Guard, Indicator, PackName, Role, Strength};
use crate::scan::needles::Needles;
use crate::scan::static_scanner::StaticScanner;
use crate::scan::window_filter::{Kind, WindowFilter};
use crate::scan::windows::{Owner, Shape, Windows};
use recovery_types::ErrorType;

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// A row that a literal is searched for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Searcher {
    pub(crate) row: u16,
    /// The literal is the row's text; otherwise the row's pattern requires it, and the text is somewhere on the line.
    pub(crate) is_text: bool,
}

/// Finds what is searched for a pack, by number.
pub(super) const fn scanner(pack: PackName) -> &'static StaticScanner {
    match pack {
        PackName::Field => &FIELD_SCANNER,
        PackName::Documented => &DOCUMENTED_SCANNER,
    }
}

/// Calls `on_hit(searcher, start)` wherever a literal of the pack occurs, in no promised order.
pub(super) fn find(pack: PackName, haystack: &[u8], mut on_hit: impl FnMut(Searcher, usize)) {
    let (searchers, starts): (&[Searcher], &[u16]) = match pack {
        PackName::Field => (&FIELD_SEARCHERS, &FIELD_STARTS),
        PackName::Documented => (&DOCUMENTED_SEARCHERS, &DOCUMENTED_STARTS),
    };
    scanner(pack).find(haystack, |literal, start| {
        let of_literal = usize::from(starts[literal])..usize::from(starts[literal + 1]);
        searchers[of_literal].iter().for_each(|searcher| on_hit(*searcher, start));
    });
}

/// Literals in lower case of which each match of the row's pattern contains one; empty where none is known.
pub(super) fn required(pack: PackName, row: usize) -> &'static [&'static str] {
    let required: &[&[&str]] = match pack {
        PackName::Field => &FIELD_REQUIRED,
        PackName::Documented => &DOCUMENTED_REQUIRED,
    };
    required.get(row).copied().unwrap_or_default()
}

/// Where a built-in row is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowSource {
    /// The file, from the root of the crate `failure-taxonomy`.
    pub file: &'static str,
    /// The line that its `[[indicator]]` is on.
    pub line: u16,
}

impl std::fmt::Display for RowSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Where the row with this id is written down.
pub(super) fn source_of(pack: PackName, id: &str) -> Option<RowSource> {
    let (files, lines): (&[(&'static str, usize)], &[u16]) = match pack {
        PackName::Field => (&FIELD_FILES, &FIELD_LINES),
        PackName::Documented => (&DOCUMENTED_FILES, &DOCUMENTED_LINES),
    };
    let row = pack.rows().iter().position(|row| row.id == id)?;
    let (file, _) = files.iter().find(|(_, end)| row < *end)?;
    Some(RowSource { file, line: lines[row] })
}
