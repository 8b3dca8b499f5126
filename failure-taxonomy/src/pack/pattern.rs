//! The patterns of built-in rows, compiled when they are first tried.
//!
//! In: the `pattern` or `unless` of a row, and the part of a line around the row's text. Out: whether it matches there. The
//! syntax is that of the `regex` crate, over bytes with ASCII classes.
//!
//! A process that diagnoses one failure tries the patterns of some dozens of rows on a line or two each, so that compiling
//! counts more than matching. A pattern starts as a bounded backtracker (RE2's BitState) of `regex-automata`, which compiles in
//! a quarter of the time of `regex`. One that was tried on [`HOT_BYTES`] is compiled by `regex`, which is several times as fast
//! afterwards. Most patterns are never compiled: `build/literals.rs` finds literals that a match must contain, and a line
//! without any of them is ruled out first (`Rows::may_match`).

use regex::bytes::{Regex, RegexBuilder};
use regex_automata::nfa::thompson::backtrack::{BoundedBacktracker, Cache};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::syntax;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A pattern that was tried on more than this is worth compiling for speed.
const HOT_BYTES: usize = 64 << 10;

/// A pattern that is tried on lines.
#[derive(Debug)]
pub(crate) struct Pattern {
    backtracker: Option<BoundedBacktracker>,
    tried_bytes: AtomicUsize,
    regex: OnceLock<Option<Regex>>,
}

/// Memory of the searches of one diagnosis, reused from pattern to pattern.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    cache: Option<Cache>,
    /// Tests count the bytes that were looked at.
    #[cfg(test)]
    pub(crate) steps: u64,
}

impl Scratch {
    #[inline]
    pub(crate) fn count_steps(&mut self, steps: usize) {
        #[cfg(test)]
        {
            self.steps += steps as u64;
        }
        let _ = steps;
    }
}

impl Pattern {
    /// A pattern that the build has checked; one that cannot be compiled never matches.
    pub(crate) fn new(pattern: &str) -> Self {
        let backtracker = BoundedBacktracker::builder()
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .thompson(thompson::Config::new().utf8(false).which_captures(WhichCaptures::None))
            .build(pattern);
        Self { backtracker: backtracker.ok(), tried_bytes: AtomicUsize::new(0), regex: OnceLock::new() }
    }

    /// Whether the pattern matches anywhere in `text`. `source` is what it was made from.
    pub(crate) fn is_match(&self, source: &str, text: &[u8], scratch: &mut Scratch) -> bool {
        scratch.count_steps(text.len());
        let is_hot = self.tried_bytes.fetch_add(text.len(), Ordering::Relaxed) > HOT_BYTES;
        if let Some(backtracker) = self.backtracker.as_ref().filter(|_| !is_hot) {
            let cache = scratch.cache.get_or_insert_with(|| backtracker.create_cache());
            backtracker.reset_cache(cache);
            // An error means that the text is too long for the memory of a backtracker.
            if let Ok(is_match) = backtracker.try_is_match(cache, text) {
                return is_match;
            }
        }
        let regex = self.regex.get_or_init(|| compile(source).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// Compiles a pattern with `regex`: a user's, or one that is tried often.
pub(crate) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).size_limit(1 << 20).build()
}
