//! Scanners of constant tables, built by the compiler: a process that starts has nothing to prepare.
//!
//! `static_scanner!` is used where the rows are: [`crate::pack::builtin`].

pub(crate) use super::dense::Dense;
pub(crate) use super::needles::{self, Needles};
pub(crate) use super::strided_teddy::{self, STRIDE, StridedTeddy};
pub(crate) use super::teddy::{self, Teddy};
pub(crate) use super::windows::{Window, size};
pub(crate) use super::{Scanner, numbers_for};
pub(crate) use std::borrow::Cow;

macro_rules! static_scanner {
    ($(#[$doc:meta])* $name:ident of $rows:path, $text:path) => {
        $(#[$doc])*
        #[allow(long_running_const_eval, reason = "many rows, and the compiler is slower at it than the program would be")]
        pub(crate) static $name: $crate::scan::Scanner = {
            use $crate::scan::static_scanner::*;
            const NEEDLES: &[&[u8]] = &{
                let (mut texts, mut i): ([&[u8]; $rows.len()], _) = ([b""; _], 0);
                while i < texts.len() {
                    texts[i] = $text(&$rows[i]).as_bytes();
                    i += 1;
                }
                texts
            };
            const TOTAL: usize = needles::total_len(NEEDLES);
            const LAYOUT: &needles::Layout<TOTAL, { NEEDLES.len() + 1 }> = &needles::Layout::of(NEEDLES);
            const TEXTS: needles::Texts<'_> = LAYOUT.texts();

            const STRIDED: ([u32; NEEDLES.len()], usize) = {
                let mut numbers = [0; _];
                let count = numbers_for(true, TEXTS, &mut numbers);
                (numbers, count)
            };
            const OWNERS: usize = STRIDED.1 * STRIDE;
            static STRIDED_TABLES: strided_teddy::Layout<OWNERS, { size(OWNERS) }, { size(OWNERS) + 1 }> =
                strided_teddy::Layout::of(TEXTS, STRIDED.0.split_at(STRIDED.1).0);

            const TEDDY: ([u32; NEEDLES.len()], usize) = {
                let mut numbers = [0; _];
                let count = numbers_for(false, TEXTS, &mut numbers);
                (numbers, count)
            };
            const CHOSEN: &[Window] = &{
                let mut chosen = [Window::NONE; TEDDY.1];
                teddy::choose(TEXTS, TEDDY.0.split_at(TEDDY.1).0, &mut chosen);
                chosen
            };
            const SETS: usize = teddy::extent(TEXTS, CHOSEN).0;
            const MOST: usize = teddy::extent(TEXTS, CHOSEN).1;
            static TEDDY_TABLES: [teddy::Layout<MOST, { size(MOST) }, { size(MOST) + 1 }>; SETS] =
                teddy::Layout::sets(TEXTS, CHOSEN);
            static TEDDY_SETS: [Teddy; SETS] = {
                let mut sets = [const { Teddy::from_static(&TEDDY_TABLES[0]) }; SETS];
                let mut i = 1;
                while i < SETS {
                    // The compiler cannot drop, and there is nothing to drop.
                    std::mem::forget(std::mem::replace(&mut sets[i], Teddy::from_static(&TEDDY_TABLES[i])));
                    i += 1;
                }
                sets
            };

            Scanner {
                needles: Needles::from_static(LAYOUT),
                teddies: Cow::Borrowed(&TEDDY_SETS),
                strided: StridedTeddy::from_static(&STRIDED_TABLES),
                dense: Dense::new(TOTAL),
            }
        };
    };
}

pub(crate) use static_scanner;
