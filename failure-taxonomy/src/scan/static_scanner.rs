//! Scanners whose tables are constants: a process that starts has nothing to prepare.
//!
//! In: the tables that `build/scanner.rs` makes of a list of literals. Out: every occurrence of every literal, letters in
//! either case. Long and short needles have a window filter each. README.md beside this file explains the algorithm and its
//! figures. A user's own rows are known only at run time and are searched with Aho-Corasick (`super::Scanner`).

use super::needles::Needles;
use super::window_filter::WindowFilter;

/// Finds every occurrence of many needles: see the README of this module.
#[derive(Debug)]
pub(crate) struct StaticScanner {
    pub(crate) needles: Needles,
    pub(crate) filters: [WindowFilter; 2],
}

impl StaticScanner {
    /// Calls `on_hit(needle, start)` for every occurrence, overlapping ones included, in no promised order.
    pub(crate) fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        self.filters.iter().for_each(|filter| filter.find(&self.needles, haystack, &mut on_hit));
    }
}
