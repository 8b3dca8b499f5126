//! The rows of the built-in packs, as `build.rs` writes them from `packs/`, and their scanners.

use super::{Guard, Indicator, PackName, Role, Strength};
use crate::scan::static_scanner::static_scanner;
use recovery_types::ErrorType;

include!(concat!(env!("OUT_DIR"), "/packs.rs"));

static_scanner! {
    /// Finds the texts of the field pack.
    FIELD_SCANNER of FIELD, Indicator::text
}

static_scanner! {
    /// Finds the texts of the documented pack.
    DOCUMENTED_SCANNER of DOCUMENTED, Indicator::text
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
