//! The scanners of the built-in tables, laid out by the compiler: a process that starts has nothing to prepare.

use super::dense::Dense;
use super::every::{self, Every};
use super::needles::{self, Needles};
use super::strided::{self, STRIDE, Strided};
use super::windows::{Window, size};
use super::{Scanner, numbers_for};
use crate::extract::missing;
use crate::pack::{Indicator, builtin};
use std::borrow::Cow;

macro_rules! builtin {
    ($(#[$doc:meta])* $name:ident of $rows:path, $text:path) => {
        $(#[$doc])*
        #[allow(long_running_const_eval, reason = "many rows, and the compiler is slower at it than the program would be")]
        pub(crate) static $name: Scanner = {
            const NEEDLES: &[&[u8]] = &{
                let (mut texts, mut i): ([&[u8]; $rows.len()], _) = ([b""; _], 0);
                while i < texts.len() {
                    texts[i] = $text(&$rows[i]).as_bytes();
                    i += 1;
                }
                texts
            };
            const TOTAL: usize = needles::total_len(NEEDLES);
            const LAID_OUT: &needles::Layout<TOTAL, { NEEDLES.len() + 1 }> = &needles::Layout::of(NEEDLES);
            const TEXTS: needles::Texts<'_> = LAID_OUT.texts();

            const STRIDED: ([u32; NEEDLES.len()], usize) = {
                let mut numbers = [0; _];
                let count = numbers_for(true, TEXTS, &mut numbers);
                (numbers, count)
            };
            const OWNERS: usize = STRIDED.1 * STRIDE;
            static STRIDED_TABLES: strided::Layout<OWNERS, { size(OWNERS) }, { size(OWNERS) + 1 }> =
                strided::Layout::of(TEXTS, STRIDED.0.split_at(STRIDED.1).0);

            const EVERY: ([u32; NEEDLES.len()], usize) = {
                let mut numbers = [0; _];
                let count = numbers_for(false, TEXTS, &mut numbers);
                (numbers, count)
            };
            const CHOSEN: &[Window] = &{
                let mut chosen = [Window::NONE; EVERY.1];
                every::choose(TEXTS, EVERY.0.split_at(EVERY.1).0, &mut chosen);
                chosen
            };
            const SETS: usize = every::extent(TEXTS, CHOSEN).0;
            const MOST: usize = every::extent(TEXTS, CHOSEN).1;
            static EVERY_TABLES: [every::Layout<MOST, { size(MOST) }, { size(MOST) + 1 }>; SETS] =
                every::Layout::sets(TEXTS, CHOSEN);
            static EVERY_SETS: [Every; SETS] = {
                let mut sets = [const { Every::laid_out(&EVERY_TABLES[0]) }; SETS];
                let mut i = 1;
                while i < SETS {
                    // The compiler cannot drop, and there is nothing to drop.
                    std::mem::forget(std::mem::replace(&mut sets[i], Every::laid_out(&EVERY_TABLES[i])));
                    i += 1;
                }
                sets
            };

            Scanner {
                needles: Needles::laid_out(LAID_OUT),
                every: Cow::Borrowed(&EVERY_SETS),
                strided: Strided::laid_out(&STRIDED_TABLES),
                dense: Dense::new(TOTAL),
            }
        };
    };
}

builtin! {
    /// Of the field pack.
    FIELD of builtin::FIELD, Indicator::text
}

builtin! {
    /// Of the documented pack.
    DOCUMENTED of builtin::DOCUMENTED, Indicator::text
}

builtin! {
    /// Of the words around what is missing.
    MISSING of missing::ROWS, missing::Row::needle
}
