//! The patterns of built-in rows: a bounded backtracker with a cheap compile step.
//!
//! In: the `pattern` of a row, and the part of a line around the row's text. Out: whether the pattern matches there.
//!
//! A process that diagnoses one failure needs the patterns of some dozens of rows and tries each on a line or two, so the
//! cost of compiling counts more than the speed of matching. A pattern is compiled here in one pass into a short program,
//! which is run by bounded backtracking (as in RE2's BitState): each branch is entered at most once per position, so the
//! time is linear in the line whatever the pattern. [`needs`] rules most lines out before a pattern is tried.
//!
//! Why not a library: compiling one pattern of the field pack and trying it on one line takes regex-lite 3.0 times as long,
//! regex-automata's bounded backtracker 7.8 times, `regex` 28 times. To measure it:
//! `cargo test --release -p failure-taxonomy --lib -- --ignored --nocapture start_up_cost`. In the whole program the bounded
//! backtracker took 4.7 times the instructions for a diagnosis of 8 KiB, and 1.8 times for one `recovery decide`
//! (`cargo xtask bench --gate` counts both).
//!
//! The syntax is the part of the `regex` crate's that the rows use, over bytes with ASCII classes. Tests compare every
//! pattern of the pack, and random ones, with `regex`. Patterns of users, which may use the whole syntax, are compiled by
//! `regex` itself. To support more syntax, extend `Parser::atom` in [`parse`] and the generator of patterns in the tests.

mod class;
mod needs;
mod parse;
mod search;

use class::Class;
use needs::Needs;
pub(crate) use needs::Traits;
use parse::Parser;
pub(crate) use search::Cache;
use search::Search;

/// A pattern as a program.
#[derive(Debug)]
pub(crate) struct Pattern {
    program: Vec<Step>,
    classes: Vec<Class>,
    /// Steps that branch, each with a number of its own.
    branches: usize,
    /// The bytes that a match can begin with; `None` where it can also begin at the end of the line.
    first: Option<Class>,
    needs: Needs,
}

/// One step. Targets are relative to the step, so that a part of a program can be copied and moved.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Exactly this byte.
    Byte(u8),
    /// A byte of a class.
    Class(u16),
    /// From `min` to `max` bytes of a class.
    Repeat {
        class: u16,
        min: u16,
        max: u16,
        branch: u16,
    },
    Start,
    End,
    /// A word begins or ends here, or does not.
    Border(bool),
    /// Goes on at the next step and at the target.
    Either {
        target: i32,
        branch: u16,
    },
    Jump(i32),
    Found,
}

impl Pattern {
    /// Compiles a pattern; `None` for syntax that the rows' patterns do not use.
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let this = Self {
            program: Vec::with_capacity(pattern.len() + 8),
            classes: Vec::new(),
            branches: 0,
            first: None,
            needs: Needs::nothing(),
        };
        let mut parser = Parser { text: pattern.as_bytes(), at: 0, fold: false, pattern: this };
        let needs = parser.alternatives()?;
        if parser.at < parser.text.len() {
            return None;
        }
        let mut this = parser.pattern;
        this.needs = needs;
        this.program.push(Step::Found);
        this.number_branches();
        this.first = this.first_bytes();
        Some(this)
    }

    /// Copies of a part share nothing, so branches are numbered when all is there.
    fn number_branches(&mut self) {
        for step in &mut self.program {
            if let Step::Either { branch, .. } | Step::Repeat { branch, .. } = step {
                *branch = self.branches as u16;
                self.branches += 1;
            }
        }
    }

    fn first_bytes(&self) -> Option<Class> {
        let mut first = Class::NONE;
        let mut seen = vec![false; self.program.len()];
        let mut open = vec![0];
        while let Some(step) = open.pop() {
            if std::mem::replace(&mut seen[step], true) {
                continue;
            }
            match self.program[step] {
                Step::Byte(byte) => first.insert(byte),
                Step::Class(class) => first = first.or(self.classes[usize::from(class)]),
                Step::Repeat { class, min, .. } => {
                    first = first.or(self.classes[usize::from(class)]);
                    if min == 0 {
                        open.push(step + 1);
                    }
                }
                Step::Start | Step::Border(_) => open.push(step + 1),
                Step::Either { target, .. } => open.extend([step + 1, step.wrapping_add_signed(target as isize)]),
                Step::Jump(target) => open.push(step.wrapping_add_signed(target as isize)),
                Step::End | Step::Found => return None,
            }
        }
        Some(first)
    }

    /// Whether it can match in a line with these traits; `false` is certain.
    pub(crate) fn may_match(&self, line: &Traits) -> bool {
        self.needs.are_met_by(line)
    }

    /// Whether the pattern matches anywhere in `line`.
    pub(crate) fn is_match(&self, line: &[u8], cache: &mut Cache) -> bool {
        cache.visited.clear();
        cache.stack.clear();
        cache.repeats.clear();
        cache.count_steps(line.len());
        let mut search = Search { pattern: self, line, cache };
        match (self.program.first(), self.first) {
            (Some(Step::Start), _) => search.run_from(0),
            (Some(&Step::Byte(byte)), _) => memchr::memchr_iter(byte, line).any(|at| search.run_from(at)),
            (_, Some(first)) => (0..line.len()).any(|at| first.has(line[at]) && search.run_from(at)),
            _ => (0..=line.len()).any(|at| search.run_from(at)),
        }
    }
}

#[cfg(test)]
mod tests;
