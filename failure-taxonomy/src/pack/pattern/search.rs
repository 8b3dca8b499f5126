//! Bounded backtracking: runs the program of a pattern on a line.
//!
//! In: a program, a line and a start position. Out: whether it matches from there. A bit per branch and position
//! records what was tried, so each is entered at most once and the time is linear in the length of the line.

use super::class::Class;
use super::{Pattern, Step};
use std::ops::Range;

/// Memory of a search, to be used again by the next one.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// A bit per branch and position: it was entered there before, in vain.
    pub(super) visited: Vec<u64>,
    /// Steps that are still to be tried, each with its position.
    pub(super) stack: Vec<(usize, usize)>,
    /// By branch.
    pub(super) repeats: Vec<RepeatMemo>,
    #[cfg(test)]
    pub(crate) steps: u64,
}

impl Cache {
    /// Tests count the work that is done.
    #[inline]
    pub(crate) fn count_steps(&mut self, steps: usize) {
        #[cfg(test)]
        {
            self.steps += steps as u64;
        }
        let _ = steps;
    }
}

/// What a bounded repetition need not do again.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatMemo {
    /// Positions in a row that hold bytes of the class.
    run: Range<usize>,
    /// Positions in a row from which the step after the repetition was tried.
    tried: Range<usize>,
}

impl RepeatMemo {
    /// How many bytes of the class follow from `at` on, and how many bytes had to be looked at.
    fn run_length(&mut self, line: &[u8], at: usize, class: Class) -> (usize, usize) {
        if self.run.contains(&at) {
            return (self.run.end - at, 1);
        }
        // A run that was found before is not looked at again.
        let limit = if at < self.run.start { self.run.start } else { line.len() };
        let end = line[at..limit].iter().position(|&byte| !class.has(byte)).map_or(limit, |length| at + length);
        self.run = at..if at < self.run.start && end == self.run.start { self.run.end } else { end };
        (self.run.end - at, end - at + 1)
    }

    /// The part of `ends` that was not tried yet, in two ranges.
    fn untried(&mut self, ends: Range<usize>) -> [Range<usize>; 2] {
        let Range { start, end } = self.tried;
        if start == end || ends.end < start || ends.start > end {
            self.tried = ends.clone();
            return [ends.clone(), ends.end..ends.end];
        }
        self.tried = start.min(ends.start)..end.max(ends.end);
        [ends.start..start.max(ends.start), end.min(ends.end)..ends.end]
    }
}

pub(super) struct Search<'p, 'l> {
    pub(super) pattern: &'p Pattern,
    pub(super) line: &'l [u8],
    pub(super) cache: &'l mut Cache,
}

impl Search<'_, '_> {
    pub(super) fn run_from(&mut self, start: usize) -> bool {
        let mut next = Some((0, start));
        while let Some((step, at)) = next {
            if self.follow(step, at) {
                return true;
            }
            next = self.cache.stack.pop();
        }
        false
    }

    /// Runs from a step until the pattern has matched or a step does not fit. Alternatives go to the stack.
    fn follow(&mut self, mut step: usize, mut at: usize) -> bool {
        let (program, classes) = (&self.pattern.program, &self.pattern.classes);
        let word = |at: usize| self.line.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        loop {
            self.cache.count_steps(1);
            let fits = match program[step] {
                Step::Byte(byte) => {
                    at += 1;
                    self.line.get(at - 1) == Some(&byte)
                }
                Step::Class(class) => {
                    at += 1;
                    self.line.get(at - 1).is_some_and(|&byte| classes[usize::from(class)].has(byte))
                }
                Step::Start => at == 0,
                Step::End => at == self.line.len(),
                Step::Border(wanted) => (at.checked_sub(1).is_some_and(word) != word(at)) == wanted,
                Step::Jump(target) => {
                    step = step.wrapping_add_signed(target as isize);
                    continue;
                }
                Step::Either { target, branch } => {
                    if self.was_at(branch, at) {
                        return false;
                    }
                    self.cache.stack.push((step.wrapping_add_signed(target as isize), at));
                    true
                }
                Step::Repeat { class, min, max, branch } => {
                    if !self.was_at(branch, at) {
                        self.repeat(step, at, classes[usize::from(class)], (min, max), branch);
                    }
                    return false;
                }
                Step::Found => return true,
            };
            if !fits {
                return false;
            }
            step += 1;
        }
    }

    /// Puts what follows a repetition on the stack, once per position where the repetition can end.
    fn repeat(&mut self, step: usize, at: usize, class: Class, (min, max): (u16, u16), branch: u16) {
        let Cache { stack, repeats, .. } = self.cache;
        if repeats.is_empty() {
            repeats.resize_with(self.pattern.branches, RepeatMemo::default);
        }
        let memo = &mut repeats[usize::from(branch)];
        let (run, looked_at) = memo.run_length(self.line, at, class);
        let (least, most) = (usize::from(min), run.min(usize::from(max)));
        if least <= most {
            let ends = memo.untried(at + least..at + most + 1);
            stack.extend(ends.into_iter().flatten().map(|end| (step + 1, end)));
        }
        self.cache.count_steps(looked_at);
    }

    /// Whether a branch was entered at a position before; from now on it was.
    fn was_at(&mut self, branch: u16, at: usize) -> bool {
        let visited = &mut self.cache.visited;
        if visited.is_empty() {
            visited.resize((self.pattern.branches * (self.line.len() + 1)).div_ceil(64), 0);
        }
        let bit = usize::from(branch) * (self.line.len() + 1) + at;
        let (word, mask) = (&mut visited[bit / 64], 1 << (bit % 64));
        let was = *word & mask != 0;
        *word |= mask;
        was
    }
}
