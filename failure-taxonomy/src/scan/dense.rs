//! Text full of near misses: an automaton that reads every byte once, whatever the text is.

use super::needles::Needles;
use aho_corasick::automaton::{Automaton as _, StateID};
use aho_corasick::{Anchored, StartKind, dfa};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Parts of a block that are read side by side: one automaton's steps depend on each other, four are independent.
const LANES: usize = 4;
/// Bytes per comparison from which on the automaton is the faster way.
const DENSE: usize = 8;
/// Comparisons that take as long as building the automaton does, per byte of needles.
const BUILD_WORK: usize = 128;
/// Blocks that go to the automaton before the filter is tried again; doubled each time that was in vain.
const BLOCKS: usize = 1;
const MOST_BLOCKS: usize = 64;

/// The automaton, once it is worth its build cost, and what the filter has wasted so far.
#[derive(Debug)]
pub(crate) struct Dense {
    automaton: OnceLock<Automaton>,
    wasted: AtomicUsize,
    build_cost: usize,
}

impl Dense {
    /// For needles of so many bytes in all.
    pub(crate) const fn new(total_len: usize) -> Self {
        Self { automaton: OnceLock::new(), wasted: AtomicUsize::new(0), build_cost: BUILD_WORK * total_len }
    }

    #[cfg(test)]
    pub(crate) fn is_built(&self) -> bool {
        self.automaton.get().is_some()
    }

    /// The choice between filter and automaton for the blocks of one text.
    pub(crate) fn chooser(&self) -> EngineChooser<'_> {
        EngineChooser { dense: self, left: 0, next: BLOCKS }
    }
}

/// Chooses for each block.
#[derive(Debug)]
pub(crate) struct EngineChooser<'d> {
    dense: &'d Dense,
    left: usize,
    next: usize,
}

impl<'d> EngineChooser<'d> {
    /// The automaton if the next block is one for it.
    #[inline]
    pub(crate) fn automaton(&mut self, needles: &Needles) -> Option<&'d Automaton> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(self.dense.automaton.get_or_init(|| Automaton::new(needles)))
    }

    /// A block was filtered, with so many comparisons.
    #[inline]
    pub(crate) fn filtered(&mut self, bytes: usize, work: usize) {
        if work * DENSE <= bytes {
            self.next = BLOCKS;
        } else if self.dense.wasted.fetch_add(work, Ordering::Relaxed) + work > self.dense.build_cost {
            self.left = self.next;
            self.next = (2 * self.next).min(MOST_BLOCKS);
        }
    }
}

/// An Aho-Corasick automaton over all needles.
#[derive(Debug)]
pub(crate) struct Automaton {
    dfa: dfa::DFA,
    /// The numbers of the needles that are not empty.
    numbers: Vec<usize>,
    overlap: usize,
}

impl Automaton {
    pub(crate) fn new(needles: &Needles) -> Self {
        let numbers: Vec<usize> = (0..needles.count()).filter(|&n| !needles.get(n).is_empty()).collect();
        let dfa = dfa::Builder::new()
            .ascii_case_insensitive(true)
            .start_kind(StartKind::Unanchored)
            .build(numbers.iter().map(|&n| needles.get(n)))
            .expect("fewer needles than the automaton can number");
        Self { dfa, numbers, overlap: needles.overlap() }
    }

    /// Calls `on_hit(needle, start)` for the occurrences that start in `region`.
    pub(crate) fn find(&self, haystack: &[u8], region: Range<usize>, on_hit: &mut impl FnMut(usize, usize)) {
        let lane = region.len().div_ceil(LANES);
        let starts: [usize; LANES] = std::array::from_fn(|i| region.end.min(region.start + i * lane));
        let ends: [usize; LANES] = std::array::from_fn(|i| region.end.min(starts[i] + lane));
        // Each lane reads on until what started in it has ended.
        let texts = ends.map(|end| haystack.len().min(end + self.overlap));
        let texts: [&[u8]; LANES] = std::array::from_fn(|i| &haystack[starts[i]..texts[i]]);
        let common = texts.iter().map(|text| text.len()).min().unwrap_or(0);
        let start_state = self.dfa.start_state(Anchored::No).expect("built for unanchored search");
        let mut states = [start_state; LANES];
        for at in 0..common {
            let bytes = texts.map(|text| text[at]);
            let mut special = false;
            for (state, byte) in states.iter_mut().zip(bytes) {
                *state = self.dfa.next_state(Anchored::No, *state, byte);
                special |= self.dfa.is_special(*state);
            }
            if special {
                for i in 0..LANES {
                    self.report(states[i], starts[i] + at + 1, ends[i], on_hit);
                }
            }
        }
        for i in 0..LANES {
            for (at, &byte) in texts[i].iter().enumerate().skip(common) {
                states[i] = self.dfa.next_state(Anchored::No, states[i], byte);
                self.report(states[i], starts[i] + at + 1, ends[i], on_hit);
            }
        }
    }

    /// Reports the needles that end at `end` and start before `before`.
    #[inline]
    fn report(&self, state: StateID, end: usize, before: usize, on_hit: &mut impl FnMut(usize, usize)) {
        if !self.dfa.is_match(state) {
            return;
        }
        for index in 0..self.dfa.match_len(state) {
            let pattern = self.dfa.match_pattern(state, index);
            let start = end - self.dfa.pattern_len(pattern);
            if start < before {
                on_hit(self.numbers[pattern.as_usize()], start);
            }
        }
    }
}
