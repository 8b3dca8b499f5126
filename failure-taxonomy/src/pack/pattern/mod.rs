//! The patterns of built-in rows: a bounded backtracker with a cheap compile step.
//!
//! In: the `pattern` of a row, and the part of a line around the row's text. Out: whether the pattern matches there.
//!
//! A process that diagnoses one failure needs the patterns of some dozens of rows and tries each on a line or two, so the
//! cost of compiling counts more than the speed of matching. A pattern is compiled here in one pass into a short program,
//! which is run by bounded backtracking (as in RE2's BitState): each branch is entered at most once per position, so the
//! time is linear in the line whatever the pattern. [`needs`] rules most lines out before a pattern is tried.
//!
//! The syntax is the part of the `regex` crate's that the rows use, over bytes with ASCII classes. Tests compare every
//! pattern of the pack, and random ones, with `regex`. Patterns of users, which may use the whole syntax, are compiled by
//! `regex` itself. To support more syntax, extend `Parser::atom` and the generator of patterns in the tests.

mod needs;

use needs::Needs;
pub(crate) use needs::Traits;
use std::ops::Range;

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

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class([u64; 4]);

impl Class {
    const NONE: Self = Self([0; 4]);

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn range(from: u8, to: u8) -> Self {
        let mut class = Self::NONE;
        (from..=to).for_each(|byte| class.insert(byte));
        class
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn or(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn not(self) -> Self {
        Self(self.0.map(|bits| !bits))
    }

    /// With both cases of its letters.
    fn folded(mut self) -> Self {
        for byte in b'a'..=b'z' {
            if self.has(byte) || self.has(byte.to_ascii_uppercase()) {
                self.insert(byte);
                self.insert(byte.to_ascii_uppercase());
            }
        }
        self
    }

    /// `\d` and its like.
    fn named(letter: u8) -> Option<Self> {
        let digit = || Self::range(b'0', b'9');
        let word = || digit().or(Self::range(b'a', b'z')).or(Self::range(b'A', b'Z')).or(Self::range(b'_', b'_'));
        let space = || Self::range(b'\t', b'\r').or(Self::range(b' ', b' '));
        Some(match letter {
            b'd' => digit(),
            b'D' => digit().not(),
            b'w' => word(),
            b'W' => word().not(),
            b's' => space(),
            b'S' => space().not(),
            _ => return None,
        })
    }
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

/// Memory of a search, to be used again by the next one.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// A bit per branch and position: it was entered there before, in vain.
    visited: Vec<u64>,
    /// Steps that are still to be tried, each with its position.
    stack: Vec<(usize, usize)>,
    /// By branch.
    repeats: Vec<RepeatMemo>,
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
struct RepeatMemo {
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

struct Search<'p, 'l> {
    pattern: &'p Pattern,
    line: &'l [u8],
    cache: &'l mut Cache,
}

impl Search<'_, '_> {
    fn run_from(&mut self, start: usize) -> bool {
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

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether letters match in either case.
    fold: bool,
    pattern: Pattern,
}

/// One part of a pattern.
enum Atom {
    /// A place, or how to read what follows.
    Nothing,
    Byte(u8),
    Class,
    Group(Needs),
}

/// Bounds of a repetition; `None` is without end.
type Bounds = (u16, Option<u16>);

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        self.at += 1;
        self.text.get(self.at - 1).copied()
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let eaten = self.text[self.at..].starts_with(text);
        self.at += if eaten { text.len() } else { 0 };
        eaten
    }

    fn len(&self) -> usize {
        self.pattern.program.len()
    }

    /// `a|b|c`, up to the end or a closing bracket.
    fn alternatives(&mut self) -> Option<Needs> {
        let mut jumps = Vec::new();
        let mut needs: Option<Needs> = None;
        loop {
            let start = self.len();
            let way = self.sequence()?;
            match &mut needs {
                Some(needs) => needs.or(way),
                None => needs = Some(way),
            }
            if !self.eat(b"|") {
                break;
            }
            self.pattern.program.push(Step::Jump(0));
            let target = (self.len() + 1 - start) as i32;
            self.pattern.program.insert(start, Step::Either { target, branch: 0 });
            jumps.push(self.len() - 1);
        }
        let end = self.len();
        for jump in jumps {
            self.pattern.program[jump] = Step::Jump((end - jump) as i32);
        }
        needs
    }

    fn sequence(&mut self) -> Option<Needs> {
        let (mut needs, mut before) = (Needs::nothing(), None);
        while !matches!(self.peek(), None | Some(b'|' | b')')) {
            let (start, fold) = (self.len(), self.fold);
            let atom = self.atom()?;
            let bounds = self.bounds()?;
            if let Some(bounds) = bounds {
                self.repeat(start, bounds)?;
            }
            let is_needed = bounds.is_none_or(|(min, _)| min > 0);
            before = match atom {
                Atom::Nothing => before,
                Atom::Byte(byte) if is_needed => needs.and_byte(byte, fold, before).filter(|_| bounds.is_none()),
                Atom::Group(inner) if is_needed => {
                    needs.and(inner);
                    None
                }
                Atom::Byte(_) | Atom::Class | Atom::Group(_) => None,
            };
        }
        Some(needs)
    }

    fn atom(&mut self) -> Option<Atom> {
        Some(match self.next()? {
            b'(' => {
                // Whether case matters is said for the rest of a group, and a group ends it.
                if self.eat(b"?i)") {
                    self.fold = true;
                    return Some(Atom::Nothing);
                }
                let fold = self.fold;
                if self.eat(b"?i:") {
                    self.fold = true;
                } else if self.eat(b"?-i:") {
                    self.fold = false;
                } else if !self.eat(b"?:") && self.peek() == Some(b'?') {
                    return None;
                }
                let needs = self.alternatives()?;
                self.fold = fold;
                return self.eat(b")").then_some(Atom::Group(needs));
            }
            b'^' => self.border(Step::Start),
            b'$' => self.border(Step::End),
            b'.' => self.class(Class::range(b'\n', b'\n').not()),
            b'[' => {
                let class = self.bracket()?;
                self.class(class)
            }
            b'\\' => match self.next()? {
                b'b' => self.border(Step::Border(true)),
                b'B' => self.border(Step::Border(false)),
                letter => match Class::named(letter) {
                    Some(class) => self.class(class),
                    None => {
                        let byte = self.escaped(letter)?;
                        self.byte(byte)
                    }
                },
            },
            b'*' | b'+' | b'?' | b'{' => return None,
            byte => {
                let mut atom = self.byte(byte);
                // The other bytes of a character beyond ASCII belong to it.
                while let Some(more @ 0x80..=0xbf) = self.peek() {
                    self.byte(more);
                    self.at += 1;
                    atom = Atom::Class;
                }
                atom
            }
        })
    }

    /// The byte of an escape that is no class.
    fn escaped(&mut self, letter: u8) -> Option<u8> {
        match letter {
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            b'x' => {
                let digits = self.text.get(self.at..self.at + 2)?;
                self.at += 2;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
            }
            _ if letter.is_ascii_punctuation() || letter == b' ' => Some(letter),
            _ => None,
        }
    }

    /// `[^a-z\d]`, after the opening bracket.
    fn bracket(&mut self) -> Option<Class> {
        let negated = self.eat(b"^");
        let mut class = Class::NONE;
        let mut first = true;
        loop {
            let byte = match self.next()? {
                b']' if !first => break,
                b'[' | 0x80.. => return None,
                b'\\' => {
                    let letter = self.next()?;
                    if let Some(named) = Class::named(letter) {
                        class = class.or(named);
                        first = false;
                        continue;
                    }
                    self.escaped(letter)?
                }
                byte => byte,
            };
            first = false;
            let range = self.peek() == Some(b'-') && !matches!(self.text.get(self.at + 1), None | Some(b']'));
            if range {
                self.at += 1;
                let to = match self.next()? {
                    b'\\' => {
                        let letter = self.next()?;
                        self.escaped(letter)?
                    }
                    to => to,
                };
                class = class.or(Class::range(byte, to));
            } else {
                class.insert(byte);
            }
        }
        let class = if self.fold { class.folded() } else { class };
        Some(if negated { class.not() } else { class })
    }

    fn border(&mut self, step: Step) -> Atom {
        self.pattern.program.push(step);
        Atom::Nothing
    }

    fn byte(&mut self, byte: u8) -> Atom {
        if self.fold && byte.is_ascii_alphabetic() {
            self.class(Class::range(byte, byte).folded());
        } else {
            self.pattern.program.push(Step::Byte(byte));
        }
        Atom::Byte(byte)
    }

    fn class(&mut self, class: Class) -> Atom {
        let classes = &mut self.pattern.classes;
        let number = classes.iter().position(|known| *known == class).unwrap_or_else(|| {
            classes.push(class);
            classes.len() - 1
        });
        self.pattern.program.push(Step::Class(number as u16));
        Atom::Class
    }

    /// `*`, `+`, `?`, `{2,5}`; whether it is lazy makes no difference to what matches.
    fn bounds(&mut self) -> Option<Option<Bounds>> {
        let bounds = match self.peek() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            Some(b'{') => {
                let end = self.at + self.text[self.at..].iter().position(|&b| b == b'}')?;
                let inner = std::str::from_utf8(&self.text[self.at + 1..end]).ok()?;
                self.at = end;
                match inner.split_once(',') {
                    None => (inner.parse().ok()?, Some(inner.parse().ok()?)),
                    Some((min, "")) => (min.parse().ok()?, None),
                    Some((min, max)) => (min.parse().ok()?, Some(max.parse().ok()?)),
                }
            }
            _ => return Some(None),
        };
        self.at += 1;
        self.eat(b"?");
        // A repetition of a repetition is not in use.
        (!matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{'))).then_some(Some(bounds))
    }

    /// Repeats the steps from `start` on.
    fn repeat(&mut self, start: usize, (min, max): Bounds) -> Option<()> {
        let program = &mut self.pattern.program;
        let length = program.len() - start;
        let split = |target: usize| Step::Either { target: target as i32, branch: 0 };
        if let (Some(max), &[Step::Class(class)]) = (max, &program[start..]) {
            program[start] = Step::Repeat { class, min, max, branch: 0 };
            return (min <= max).then_some(());
        }
        let copies = usize::from(max.unwrap_or(min.max(1)).max(1));
        if copies * length > 4096 || max.is_some_and(|max| max < min) {
            return None;
        }
        for _ in 1..copies {
            program.extend_from_within(start..start + length);
        }
        match max {
            // The last copy is entered again and again.
            None if min > 0 => program.push(Step::Either { target: -(length as i32), branch: 0 }),
            None => {
                program.push(Step::Jump(-(length as i32) - 1));
                program.insert(start, split(length + 2));
            }
            // From the first copy that need not be there, each may be left out with all that follow.
            Some(0) => program.truncate(start),
            Some(_) => {
                for optional in (usize::from(min)..copies).rev() {
                    let left = (copies - optional) * (length + 1);
                    program.insert(start + optional * length, split(left));
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, Pattern, Traits};
    use crate::PackName;
    use proptest::prelude::*;
    use regex::bytes::{Regex, RegexBuilder};

    fn full(pattern: &str) -> Regex {
        RegexBuilder::new(pattern).unicode(false).build().expect("a pattern that regex knows")
    }

    fn agree(pattern: &str, line: &[u8]) {
        let ours = Pattern::new(pattern).unwrap_or_else(|| panic!("{pattern} is not understood"));
        let (matches, told) = (ours.is_match(line, &mut Cache::default()), || {
            format!("{pattern} on {:?}", String::from_utf8_lossy(line))
        });
        assert_eq!(matches, full(pattern).is_match(line), "{}", told());
        let around = [b"before ", line, b" after"].concat();
        assert!(!matches || [line, &around].iter().all(|line| ours.may_match(&Traits::of(line))), "{}", told());
    }

    #[test]
    fn every_row_is_read_as_regex_reads_it() {
        let rows = PackName::Field.rows();
        // Each pattern on its own lines and on those of some others, whole and cut.
        let lines: Vec<&str> = rows.iter().flat_map(|row| [row.hits, row.misses]).collect();
        for (at, row) in rows.iter().enumerate() {
            let Some(pattern) = row.guard.pattern else { continue };
            let ours = Pattern::new(pattern).unwrap_or_else(|| panic!("{}: {pattern} is not understood", row.id));
            let full = full(pattern);
            let others = (0..8).map(|i| lines[(at * 31 + i * 577) % lines.len()]);
            for line in [row.hits, row.misses].into_iter().chain(others) {
                for line in [line.as_bytes(), &line.as_bytes()[line.len() / 3..], line.to_uppercase().as_bytes()] {
                    let told = || format!("{}: {pattern} on {:?}", row.id, String::from_utf8_lossy(line));
                    assert_eq!(ours.is_match(line, &mut Cache::default()), full.is_match(line), "{}", told());
                    assert!(
                        !ours.is_match(line, &mut Cache::default()) || ours.may_match(&Traits::of(line)),
                        "{}",
                        told()
                    );
                }
            }
        }
    }

    #[test]
    fn a_line_that_lacks_what_a_pattern_needs_is_ruled_out() {
        for (pattern, may, cannot) in [
            (r"(?i)\bfailed to (?:open|read)\b", "FAILED TO x READ", "failed to write"),
            (r"^ERROR: \S+", "an ERROR: x", "an error: x"),
            ("ab?c+", "a c", "a b"),
            ("(?:xy)?(?:ab|cd)+", "cd", "ac bd xy"),
            (r"\d{3}", "", "none"),
        ] {
            let ours = Pattern::new(pattern).unwrap();
            assert!(ours.may_match(&Traits::of(may.as_bytes())), "{pattern} {may}");
            assert_eq!(ours.may_match(&Traits::of(cannot.as_bytes())), pattern == r"\d{3}", "{pattern} {cannot}");
        }
    }

    #[test]
    fn what_the_rows_do_not_use_is_not_understood() {
        for pattern in ["(?x)a", "a(?=b)", "(a", "a)", "[[:alpha:]]", "[a", "a**", r"\p{L}", "a{3,2}", "*a", "a{x}"] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
    }

    #[test]
    fn a_line_made_to_be_slow_is_not() {
        let line = vec![b'a'; 8192];
        agree(r"(?:a*)*b", &line);
        agree(r"(?:a|aa)+$", &line);
        agree(r"a*a*a*a*a*a*c", &line);
        agree(r"(?:.{0,160}a){3}b", &line);
    }

    /// Patterns of the syntax that is understood.
    fn patterns() -> impl Strategy<Value = String> {
        let atom = prop_oneof![
            "[abA0 -]".prop_map(|s| s),
            prop::sample::select(vec![
                ".", r"\d", r"\w", r"\s", r"\S", r"\W", "[a-c]", "[^ab]", r"[\d_.-]", "[1-9]", "[^0a]", r"\x30", r"\.",
                r"\x60", "é", r"\b", r"\B", "^", "$",
            ])
            .prop_map(String::from),
        ];
        let quantified =
            (atom, prop::sample::select(vec!["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"]));
        let piece = quantified.prop_map(|(atom, times)| match atom.as_str() {
            r"\b" | r"\B" | "^" | "$" => atom,
            _ => format!("{atom}{times}"),
        });
        let leaf = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
        let tree = leaf.prop_recursive(3, 12, 3, |inner| {
            (
                prop::collection::vec(inner, 1..4),
                prop::sample::select(vec!["", "*", "+", "?", "{2}", "{0,2}", "{1,}"]),
                prop::sample::select(vec!["", "?:", "?i:", "?-i:", "?:(?i)"]),
            )
                .prop_map(|(parts, times, opening)| format!("({opening}{}){times}", parts.join("|")))
        });
        (any::<bool>(), prop::collection::vec(tree, 1..3))
            .prop_map(|(fold, parts)| format!("{}{}", if fold { "(?i)" } else { "" }, parts.concat()))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn any_pattern_is_read_as_regex_reads_it(pattern in patterns(), lines in prop::collection::vec("[abcABé0_. `\t-]{0,12}", 1..6)) {
            for line in lines {
                agree(&pattern, line.as_bytes());
            }
        }

    }
}
