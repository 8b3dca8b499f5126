//! Scanners of constant tables, computed by the compiler: a process that starts has nothing to prepare.
//!
//! In: a constant list of literals, given to `static_scanner!` where the literals are ([`crate::pack::builtin`]). Out: a
//! static with the folded needles and two window filters, for long and for short needles. README.md beside this file
//! explains the algorithm and its figures. A user's own rows are known only at run time and are searched with Aho-Corasick
//! (`super::Scanner`).

pub(crate) use super::needles::{self, Needles};
pub(crate) use super::window_filter::{self, Kind, WindowFilter};
pub(crate) use super::windows::{Window, size};

/// Finds every occurrence of many needles: see the README of this module.
#[derive(Debug)]
pub(crate) struct StaticScanner {
    pub(crate) needles: Needles,
    pub(crate) filters: [WindowFilter; 2],
}

impl StaticScanner {
    #[cfg(test)]
    pub(crate) fn new<N: AsRef<[u8]>>(needles: &[N]) -> Self {
        let needles: Vec<&[u8]> = needles.iter().map(AsRef::as_ref).collect();
        let needles = Needles::new(&needles);
        let filters = [Kind::LONG, Kind::SHORT].map(|kind| WindowFilter::new(kind, needles.texts()));
        Self { needles, filters }
    }

    /// Calls `on_hit(needle, start)` for every occurrence, overlapping ones included, in no promised order.
    pub(crate) fn find(&self, haystack: &[u8], mut on_hit: impl FnMut(usize, usize)) {
        self.filters.iter().for_each(|filter| filter.find(&self.needles, haystack, &mut on_hit));
    }
}

macro_rules! static_scanner {
    ($(#[$doc:meta])* $name:ident of $literals:path) => {
        $(#[$doc])*
        #[allow(long_running_const_eval, reason = "many literals, and the compiler is slower at it than the program would be")]
        pub(crate) static $name: $crate::scan::static_scanner::StaticScanner = {
            use $crate::scan::static_scanner::*;
            const NEEDLES: &[&[u8]] = &{
                let (mut texts, mut i): ([&[u8]; $literals.len()], _) = ([b""; _], 0);
                while i < texts.len() {
                    texts[i] = $literals[i].as_bytes();
                    i += 1;
                }
                texts
            };
            const TOTAL: usize = needles::total_len(NEEDLES);
            const LAYOUT: &needles::Layout<TOTAL, { NEEDLES.len() + 1 }> = &needles::Layout::of(NEEDLES);
            const TEXTS: needles::Texts<'_> = LAYOUT.texts();

            const fn numbers_of(kind: Kind) -> ([u32; NEEDLES.len()], usize) {
                let mut numbers = [0; _];
                let count = kind.numbers(TEXTS, &mut numbers);
                (numbers, count)
            }
            const LONG: ([u32; NEEDLES.len()], usize) = numbers_of(Kind::LONG);
            const LONG_WINDOWS: usize = LONG.1 * Kind::LONG.stride;
            const LONG_CHOSEN: &[Window] = &{
                let mut chosen = [Window::NONE; LONG_WINDOWS];
                window_filter::choose(Kind::LONG, TEXTS, LONG.0.split_at(LONG.1).0, &mut chosen);
                chosen
            };
            static LONG_TABLES: window_filter::Layout<
                LONG_WINDOWS,
                { size(LONG_WINDOWS) },
                { size(LONG_WINDOWS) + 1 },
            > = window_filter::Layout::of(Kind::LONG, TEXTS, LONG_CHOSEN);
            const SHORT: ([u32; NEEDLES.len()], usize) = numbers_of(Kind::SHORT);
            const SHORT_CHOSEN: &[Window] = &{
                let mut chosen = [Window::NONE; SHORT.1];
                window_filter::choose(Kind::SHORT, TEXTS, SHORT.0.split_at(SHORT.1).0, &mut chosen);
                chosen
            };
            static SHORT_TABLES: window_filter::Layout<
                { SHORT.1 },
                { size(SHORT.1) },
                { size(SHORT.1) + 1 },
            > = window_filter::Layout::of(Kind::SHORT, TEXTS, SHORT_CHOSEN);

            StaticScanner {
                needles: Needles::from_static(LAYOUT),
                filters: [
                    WindowFilter::from_static(Kind::LONG, &LONG_TABLES),
                    WindowFilter::from_static(Kind::SHORT, &SHORT_TABLES),
                ],
            }
        };
    };
}

pub(crate) use static_scanner;
