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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::rows::compile;
    use std::collections::BTreeMap;

    /// What is searched for each row whose text is not.
    fn required_literals() -> BTreeMap<usize, Vec<&'static str>> {
        let mut by_row: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for (number, literal) in FIELD_LITERALS.iter().enumerate() {
            let of_literal = usize::from(FIELD_STARTS[number])..usize::from(FIELD_STARTS[number + 1]);
            for searcher in FIELD_SEARCHERS[of_literal].iter().filter(|searcher| !searcher.is_text) {
                by_row.entry(usize::from(searcher.row)).or_default().push(literal);
            }
        }
        by_row
    }

    #[test]
    fn what_a_pattern_matches_has_a_literal_that_is_searched_for() {
        let lines: Vec<&str> = FIELD.iter().flat_map(|row| [row.hits, row.misses]).collect();
        let lines: Vec<(&str, String)> = lines.into_iter().map(|line| (line, line.to_ascii_lowercase())).collect();
        for (row, literals) in required_literals() {
            let row = &FIELD[row];
            let regex = compile(row.guard.pattern.expect("literals come from a pattern")).unwrap();
            for (line, folded) in lines.iter().filter(|(_, folded)| folded.contains(row.text)) {
                let has_literal = literals.iter().any(|literal| folded.contains(literal));
                assert!(has_literal || !regex.is_match(line.as_bytes()), "{}: {literals:?} not in {line:?}", row.id);
            }
        }
    }
}
