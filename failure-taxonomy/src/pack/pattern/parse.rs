//! Parses a pattern into its program, in one pass and without a syntax tree.
//!
//! In: the text of a pattern. Out: steps, byte classes and `Needs`, or `None` for syntax outside the supported
//! subset. Each parser method appends to the program what it has parsed; a repetition copies or wraps the steps since
//! its operand began, which is why jump targets are relative.

use super::class::Class;
use super::needs::Needs;
use super::{Pattern, Step};

/// Compiles a pattern while it is parsed.
pub(super) struct Parser<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// Whether letters match in either case.
    pub(super) fold: bool,
    pub(super) pattern: Pattern,
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
    pub(super) fn alternatives(&mut self) -> Option<Needs> {
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
                // Whether case matters is set for the rest of a group, and a group ends it.
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
