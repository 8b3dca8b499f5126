//! Lines that say the same.
//!
//! A long output is mostly the same few lines with other numbers in them: a counter, a place, a time. So lines are told apart
//! by their [`skeleton`], by what the lines beside them mean for them, and by those of their digits that a row asks for
//! on such a line. The first lines of a skeleton are read like any other; then one is studied, and what it says is known
//! of all that follow: the same, at the same places.

mod shelves;
mod skeleton;

use crate::ansi;
use crate::flood::Told;
use crate::line::{Before, tells_of_retry};
use crate::reader::{seen_from_above, seen_from_below};
use shelves::{Marked, Shelves, mark};
use skeleton::Line;
use std::borrow::Cow;
use std::num::NonZeroU32;
use std::ops::Range;

/// The longest line that is compared with others, its line break included.
pub(crate) const LONGEST: usize = 1024;
/// Of so many lines it is remembered what they say, and so much of it; then all is forgotten.
const MOST_SAYINGS: usize = 1 << 14;
const MOST_SAID: usize = 1 << 17;
/// Where less than one part in this many was seen before, looking is not worth it for a while.
const WORTH: usize = 8;
const LONGEST_PAUSE: usize = 3;
/// So many lines of a kind are read before one is studied: to study a line takes much longer.
const OFTEN: u8 = 8;
/// So many lines of a kind are studied before it is asked whether that is worth it.
const FEW_STUDIES: u16 = 1 << 10;

/// A row that counts on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub row: u16,
    /// Counted from where the line begins.
    pub at: u16,
    pub aside: bool,
}

/// What a line says.
#[derive(Debug)]
pub(crate) struct Study {
    /// Indicators that stand on it, whether they count or not.
    pub hits: usize,
    /// Where its digits stand that a row asks for, counted from where it begins: with others it may say something else.
    pub asks: Vec<u16>,
    pub says: Vec<Said>,
}

/// What is said at a place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heard {
    pub row: usize,
    pub aside: bool,
    pub at: usize,
    /// Lines between the beginning of the part and this one.
    pub line: usize,
}

/// A part of an output.
#[derive(Debug, Default)]
pub(crate) struct Sifted {
    /// What has to be read.
    pub unlike: Vec<Range<usize>>,
    /// What the other lines say: those that were studied, and of the others the last ones.
    pub heard: Vec<Heard>,
    /// What was studied.
    pub told: Told,
}

/// The lines that are known. Of very many, some are forgotten, and looked at again.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    kinds: Shelves<Kind>,
    /// What kinds ask for, by its place in `digits`; the first is nothing.
    asked: Vec<Range<u32>>,
    digits: Vec<u16>,
    /// Numbers of `sayings`, by kind, setting and the digits that are asked for.
    known: Shelves<u32>,
    sayings: Vec<Saying>,
    /// What sayings are made of.
    said: Vec<Said>,
    /// The sayings that were met in this part.
    met: Vec<u32>,
    /// Parts that are left to pass without looking, and how many it will be the next time.
    pause: usize,
    next_pause: usize,
}

/// Lines with one skeleton.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// What such a line means for the lines beside it, once somebody asked.
    beside: Option<Beside>,
    /// The number of what it asks for, from 1, once a line was studied.
    asks: Option<NonZeroU32>,
    /// How often such a line was read, up to [`OFTEN`].
    read: u8,
    /// How many lines were studied, and how many that ask for something were known.
    studied: u16,
    met: u16,
}

impl Kind {
    /// Whether lines ask for so much that hardly one says the same as another.
    fn is_in_vain(self) -> bool {
        self.studied > FEW_STUDIES && self.met < self.studied
    }
}

/// What a line means for those beside it.
#[derive(Clone, Copy, Debug)]
struct Beside(u8);

impl Beside {
    const HEADS: u8 = 1;
    const FRAME: u8 = 2;
    const RETRIES: u8 = 4;
    const OPTION: u8 = 8;

    fn of(line: &[u8]) -> Self {
        let line = ansi::strip(line).map_or(Cow::Borrowed(line), |plain| Cow::Owned(plain.text));
        let Before { heads, frame, option } = Before::of(seen_from_below(&line));
        let bit = |is_so: bool, bit: u8| if is_so { bit } else { 0 };
        let below = bit(heads, Self::HEADS) | bit(frame, Self::FRAME) | bit(option.is_some(), Self::OPTION);
        Self(below | bit(tells_of_retry(seen_from_above(&line)), Self::RETRIES))
    }

    /// What the lines beside a line mean for it; `None` where that depends on how far they are indented.
    fn setting(before: Self, after: Self) -> Option<u64> {
        let bits = before.0 & (Self::HEADS | Self::FRAME) | after.0 & Self::RETRIES;
        (before.0 & Self::OPTION == 0).then_some(u64::from(bits))
    }
}

/// What lines of a kind say in a setting.
#[derive(Clone, Debug)]
struct Saying {
    /// Where that stands in `said`.
    said: Range<u32>,
    /// The last such line of this part.
    last: usize,
}

/// The lines of a part, with the ones before and after it where they are known.
struct Part<'t> {
    text: &'t [u8],
    start: usize,
    lines: Vec<Line>,
    /// Which of them belong to the part.
    inside: Range<usize>,
}

impl<'t> Part<'t> {
    fn new(text: &'t [u8], part: Range<usize>) -> Self {
        let is_line_start = text[..part.start].ends_with(b"\n");
        let before = part.start.saturating_sub(LONGEST + 1)..part.start.saturating_sub(1);
        let start = memchr::memrchr(b'\n', &text[before.clone()]).filter(|_| is_line_start);
        let start = start.map_or(part.start, |at| before.start + at + 1);
        let after = part.end..text.len().min(part.end + LONGEST);
        let end = memchr::memchr(b'\n', &text[after]).filter(|_| text[..part.end].ends_with(b"\n"));
        let end = end.map_or(part.end, |at| part.end + at + 1);
        let mut lines = skeleton::lines(text, start..end);
        if let (false, Some(first)) = (is_line_start, lines.first_mut()) {
            first.skeleton = None;
        }
        let inside = usize::from(start < part.start)..lines.len() - usize::from(end > part.end);
        Self { text, start, lines, inside }
    }

    /// Where a line stands.
    fn range(&self, line: usize) -> Range<usize> {
        line.checked_sub(1).map_or(self.start, |before| self.lines[before].end)..self.lines[line].end
    }

    /// Whether the lines beside it are of its own kind.
    fn is_in_run(&self, line: usize) -> bool {
        let skeleton = |line: usize| self.lines.get(line).and_then(|line| line.skeleton);
        line.checked_sub(1).is_some_and(|before| {
            skeleton(line).is_some() && skeleton(before) == skeleton(line) && skeleton(line) == skeleton(line + 1)
        })
    }

    fn beside(&self, line: usize) -> Beside {
        let Range { start, end } = self.range(line);
        Beside::of(&self.text[start..end - 1])
    }

    fn heard(&self, line: usize, said: &Said) -> Heard {
        let at = self.range(line).start + usize::from(said.at);
        Heard { row: usize::from(said.row), aside: said.aside, at, line: line - self.inside.start }
    }
}

impl Alike {
    /// Tells the lines of `part` that say what lines before said; `study` says what one says, and what it asks for where that
    /// is wanted.
    pub(crate) fn sift(
        &mut self,
        text: &[u8],
        part: Range<usize>,
        study: impl Fn(&Range<usize>, bool) -> Study,
    ) -> Sifted {
        let mut sifted = Sifted::default();
        if self.pause > 0 {
            self.pause -= 1;
            sifted.unlike.push(part);
            return sifted;
        }
        if !self.has_room() {
            *self = Self { next_pause: self.next_pause, ..Self::default() };
        }
        let lines = Part::new(text, part.clone());
        let slots = self.slots(&lines);
        // What the line before says, where the one before that and this one are of its kind, and nothing is asked for.
        let mut run = None;
        for at in lines.inside.clone() {
            if let Some(saying) = run.filter(|_| lines.is_in_run(at)) {
                self.meet(saying, at);
                continue;
            }
            run = None;
            let range = lines.range(at);
            let Some(kind) = self.known_kind(&lines, &slots, at) else {
                match sifted.unlike.last_mut() {
                    Some(last) if last.end == range.start => last.end = range.end,
                    _ => sifted.unlike.push(range),
                }
                continue;
            };
            match self.saying(text, &kind, &range) {
                Some(saying) => {
                    self.meet(saying, at);
                    if self.asked_by(kind.slot) != Some(&[]) {
                        let met = &mut self.kinds.slots[kind.slot].value.met;
                        *met = met.saturating_add(1);
                    } else if lines.is_in_run(at) {
                        run = Some(saying);
                    }
                }
                None => {
                    let study = study(&range, self.asked_by(kind.slot).is_none());
                    sifted.told = sifted.told.and(Told { bytes: range.len(), hits: study.hits, news: false });
                    sifted.heard.extend(study.says.iter().map(|said| lines.heard(at, said)));
                    if self.has_room() {
                        self.learn(text, &kind, &range, study);
                    }
                }
            }
        }
        for met in self.met.drain(..) {
            let saying = &mut self.sayings[met as usize];
            let last = std::mem::replace(&mut saying.last, usize::MAX);
            let said = &self.said[saying.said.start as usize..saying.said.end as usize];
            sifted.heard.extend(said.iter().map(|said| lines.heard(last, said)));
        }
        let work = sifted.told.bytes + sifted.unlike.iter().map(Range::len).sum::<usize>();
        self.settle_pause(work * WORTH > part.len() * (WORTH - 1));
        sifted
    }

    /// Looks the lines of a part up; from now on they are known.
    fn slots(&mut self, part: &Part<'_>) -> Vec<Slot> {
        let mut last = (None, Slot::NONE);
        let slot = |at: usize| {
            let Some(skeleton) = part.lines[at].skeleton else { return Slot::NONE };
            if last.0 == Some(skeleton) {
                return last.1;
            }
            let slot = match self.kinds.find(skeleton.get()) {
                Some(slot) => Slot { slot: slot as u32, is_known: true },
                // Lines beside the part are not read here.
                None if !part.inside.contains(&at) => return Slot::NONE,
                None => Slot { slot: self.kinds.put(skeleton.get(), Kind::default()) as u32, is_known: false },
            };
            last = (Some(skeleton), Slot { is_known: true, ..slot });
            slot
        };
        (0..part.lines.len()).map(slot).collect()
    }

    /// The kind of a line that is known, between lines of which it is known what they mean for it.
    fn known_kind(&mut self, part: &Part<'_>, slots: &[Slot], at: usize) -> Option<InSetting> {
        let Slot { slot, is_known: true } = slots[at] else { return None };
        let before = self.beside(part, slots, at.checked_sub(1)?)?;
        let after = self.beside(part, slots, at + 1)?;
        let skeleton = part.lines[at].skeleton?.get();
        let key = mix(skeleton, Beside::setting(before, after)?);
        let slot = slot as usize;
        let Marked { mark: shelved, value } = &mut self.kinds.slots[slot];
        if *shelved != mark(skeleton) || value.is_in_vain() {
            return None;
        }
        let was_read_often = value.read == OFTEN;
        value.read += u8::from(!was_read_often);
        was_read_often.then_some(InSetting { slot, key })
    }

    /// What a line means for those beside it; `None` for a line that is cut or long.
    fn beside(&mut self, part: &Part<'_>, slots: &[Slot], at: usize) -> Option<Beside> {
        let skeleton = part.lines.get(at)?.skeleton?.get();
        Some(match self.kinds.slots.get_mut(slots[at].slot as usize) {
            Some(kind) if kind.mark == mark(skeleton) => *kind.value.beside.get_or_insert_with(|| part.beside(at)),
            _ => part.beside(at),
        })
    }

    fn has_room(&self) -> bool {
        self.sayings.len() < MOST_SAYINGS && self.said.len() + self.digits.len() < MOST_SAID
    }

    /// Where the digits stand that are asked for on lines of a kind.
    fn asked_by(&self, kind: usize) -> Option<&[u16]> {
        let Range { start, end } = self.asked[self.kinds.slots[kind].value.asks?.get() as usize - 1];
        Some(&self.digits[start as usize..end as usize])
    }

    /// What a line is known to say.
    fn saying(&self, text: &[u8], kind: &InSetting, line: &Range<usize>) -> Option<u32> {
        let key = kind.with_digits(text, line, self.asked_by(kind.slot)?);
        self.known.find(key).map(|slot| self.known.slots[slot].value)
    }

    fn learn(&mut self, text: &[u8], kind: &InSetting, line: &Range<usize>, Study { asks, says, .. }: Study) {
        if self.asked.is_empty() {
            self.asked.push(0..0);
        }
        let value = &mut self.kinds.slots[kind.slot].value;
        value.studied = value.studied.saturating_add(1);
        if value.asks.is_none() {
            if !asks.is_empty() {
                let from = self.digits.len() as u32;
                self.digits.extend(&asks);
                self.asked.push(from..self.digits.len() as u32);
            }
            value.asks = NonZeroU32::new(if asks.is_empty() { 1 } else { self.asked.len() as u32 });
        }
        let asked = self.asked_by(kind.slot).unwrap_or_default();
        self.known.put(kind.with_digits(text, line, asked), self.sayings.len() as u32);
        let from = self.said.len() as u32;
        self.said.extend(says);
        self.sayings.push(Saying { said: from..self.said.len() as u32, last: usize::MAX });
    }

    /// `line` says it too.
    fn meet(&mut self, saying: u32, line: usize) {
        let Saying { said, last } = &mut self.sayings[saying as usize];
        if said.start == said.end {
            return;
        }
        if *last == usize::MAX {
            self.met.push(saying);
        }
        *last = line;
    }

    fn settle_pause(&mut self, is_in_vain: bool) {
        self.next_pause = if is_in_vain { (self.next_pause + 1).min(LONGEST_PAUSE) } else { 0 };
        self.pause = self.next_pause;
    }
}

/// Where a kind is shelved, and the key for its lines in one setting, but for digits that are asked for.
struct InSetting {
    slot: usize,
    key: u64,
}

impl InSetting {
    /// The key for a line with its digits that are asked for.
    fn with_digits(&self, text: &[u8], line: &Range<usize>, asked: &[u16]) -> u64 {
        asked.iter().fold(self.key, |key, at| mix(key, u64::from(text[line.start + usize::from(*at)])))
    }
}

/// Where a line is shelved, and whether it was before this part.
#[derive(Clone, Copy)]
struct Slot {
    slot: u32,
    is_known: bool,
}

impl Slot {
    const NONE: Self = Self { slot: u32::MAX, is_known: false };
}

#[inline]
pub(crate) const fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15) as u128 * (b ^ 0xD6E8_FEB8_6659_FD93) as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// What is read, what is studied, and where something is heard, by their lines. The digits behind `?` are asked for.
    fn sift(alike: &mut Alike, text: &str) -> [Vec<usize>; 3] {
        let line_of = |at: usize| memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
        let studied = RefCell::new(Vec::new());
        let sifted = alike.sift(text.as_bytes(), 0..text.len(), |line, _| {
            studied.borrow_mut().push(line_of(line.start));
            let line = &text[line.clone()];
            let says = line.find("refused").map(|at| Said { row: 7, at: at as u16, aside: false });
            let asks = line.match_indices('?').map(|(at, _)| at as u16 + 1);
            Study { hits: 0, asks: asks.collect(), says: says.into_iter().collect() }
        });
        for heard in &sifted.heard {
            assert!(text[heard.at..].starts_with("refused"));
            assert_eq!(line_of(heard.at), heard.line);
        }
        let read = sifted.unlike.into_iter().flat_map(|range| line_of(range.start)..line_of(range.end));
        [read.collect(), studied.into_inner(), sifted.heard.iter().map(|heard| heard.line).collect()]
    }

    #[test]
    fn of_lines_that_say_the_same_some_are_read_one_is_studied_and_the_last_is_heard() {
        let text: String = (0..100).map(|n| format!("step {} of 5000: refused\n", 7000 + n)).collect();
        let mut alike = Alike::default();
        let read = |first: Range<usize>| first.chain([99]).collect::<Vec<_>>();
        // The first line may be cut, so it says nothing of what it means for the second, and nothing is known of what is
        // behind the last.
        assert_eq!(sift(&mut alike, &text), [read(0..10), vec![10], vec![10, 98]]);
        assert_eq!(sift(&mut alike, &text), [read(0..2), vec![], vec![98]]);
        let other = text.replace("refused", "granted");
        assert_eq!(sift(&mut alike, &other), [read(0..10), vec![10], vec![]]);
        assert_eq!(sift(&mut alike, &other), [read(0..2), vec![], vec![]]);
    }

    #[test]
    fn lines_next_to_a_part_are_looked_at_but_not_taken_for_read() {
        let (line, other) = ("connection refused by host 7000\n", "something else\n");
        let text = [&line.repeat(20), other, &line.repeat(20)].concat();
        let mut alike = Alike::default();
        let mut sift = |text: &str, part: Range<usize>| {
            let sifted =
                alike.sift(text.as_bytes(), part, |_, _| Study { hits: 0, asks: Vec::new(), says: Vec::new() });
            let kinds = alike.kinds.slots.iter().filter(|slot| slot.mark != 0).count();
            alike = Alike::default();
            let [unlike] = <[_; 1]>::try_from(sifted.unlike).expect("lines in a row");
            (unlike, sifted.told.bytes, kinds)
        };
        // The other line comes right behind the part.
        let length = line.len();
        assert_eq!(sift(&text, 0..20 * length), (0..10 * length, length, 1));
        // What is not known of the line before is learnt from the next.
        assert_eq!(sift(&text, 3 * length..20 * length), (3 * length..12 * length, length, 1));
    }

    #[test]
    fn digits_count_where_they_are_asked_for() {
        let text: String = (0..1000).map(|n| format!("status ?{} of {n:03}: refused\n", n / 100)).collect();
        let mut alike = Alike::default();
        let [_, studied, heard] = sift(&mut alike, &text);
        assert_eq!(studied, [vec![10], (1..10).map(|n| 100 * n).collect()].concat());
        assert_eq!(heard[10..], [99, 199, 299, 399, 499, 599, 699, 799, 899, 998]);
        assert_eq!(sift(&mut alike, &text)[1], [0; 0]);
        // Two that are asked for are asked for in their places.
        let text: String = (0..20).map(|n| format!("?{} ?{}\n", n % 2, (n + 1) % 2)).collect();
        assert_eq!(sift(&mut alike, &text)[1], [10, 11]);
    }

    #[test]
    fn where_hardly_a_line_says_the_same_as_another_they_are_read() {
        let digits = |n: usize| format!("?{} ?{} ?{} ?{}: refused\n", n % 10, n / 10 % 10, n / 100 % 10, n / 1000);
        let text: String = (0..5000).map(digits).collect();
        let mut alike = Alike::default();
        let [read, studied, _] = sift(&mut alike, &text);
        let few = usize::from(FEW_STUDIES);
        assert_eq!((studied.len(), read.len()), (few + 1, 4999 - few));
        // Lines that ask for as much, but more seldom for something new.
        let text: String = (0..4500).map(|n| digits(n / 3)).collect();
        let [_, studied, _] = sift(&mut Alike::default(), &text);
        assert_eq!(studied.len(), 1497);
    }

    #[test]
    fn a_line_is_studied_again_where_its_neighbours_mean_something_else_for_it() {
        let quiet = "connection refused by host 7000\n".repeat(50);
        for neighbour in [
            "Warning message:\n",
            "\x1b[33mWarning message:\x1b[0m\n",
            "  File \"a.py\", line 3\n",
            "  -v, --verbose  say more\n",
            "Retrying in 3 s\n",
        ] {
            let text = [&quiet, neighbour, &quiet, neighbour, &quiet].concat();
            let mut alike = Alike::default();
            let [read, studied, _] = sift(&mut alike, &text);
            let beside = if neighbour.starts_with('R') { 49 } else { 51 };
            let is_option = neighbour.starts_with("  -");
            assert_eq!(studied.contains(&beside), !is_option, "{neighbour:?} {studied:?}");
            assert_eq!(read.contains(&beside), is_option, "{neighbour:?} {read:?}");
            let [read, studied, _] = sift(&mut alike, &text);
            assert_eq!((studied.len(), read.contains(&beside)), (0, is_option), "{neighbour:?} {read:?}");
        }
    }

    #[test]
    fn looking_pauses_where_nothing_is_alike() {
        let word = |n: u32| -> String { (0..6).map(|i| char::from(b'a' + (n >> (2 * i) & 3) as u8)).collect() };
        let text: String = (0..3000).map(|n| format!("{} is a word\n", word(n))).collect();
        let mut alike = Alike::default();
        let pauses: Vec<usize> = (0..12)
            .map(|_| {
                alike.kinds = Shelves::default();
                sift(&mut alike, &text);
                alike.pause
            })
            .collect();
        assert_eq!(pauses, [1, 0, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1]);
    }

    #[test]
    fn what_is_too_much_to_remember_is_studied_again() {
        let mut alike = Alike::default();
        let text = "connection refused by host 7000\n".repeat(50);
        sift(&mut alike, &text);
        alike.sayings.resize(MOST_SAYINGS, Saying { said: 0..0, last: usize::MAX });
        assert_eq!(sift(&mut alike, &text)[1], [10]);
        assert_eq!(alike.sayings.len(), 1);
        // Where there is no room in the middle of a part, nothing is learnt.
        let other = text.replace("host", "port");
        alike.sayings.resize(MOST_SAYINGS - 1, Saying { said: 0..0, last: usize::MAX });
        let text = [other.as_str(), &other.replace("port", "post")].concat();
        let [_, studied, heard] = sift(&mut alike, &text);
        assert_eq!(studied, [vec![10], (59..99).collect()].concat());
        assert_eq!(heard, [vec![10], (59..99).collect(), vec![49]].concat());
    }
}
