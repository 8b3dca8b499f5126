//! Lines that say the same.
//!
//! A long output is mostly the same few lines with other numbers in them: a counter, a place, a time. What a row makes of a
//! line depends on a number only where the row asks for that number (status 503, exit code 137), and else on how many digits
//! it has and on how it begins: a short one on its first digit (any 5xx), a code on two (NU11xx), a long one on whether that
//! is a zero. In a name (unit503) it is never asked for. So a line that differs from one judged before in nothing else, between lines that mean the same for it, need
//! not be judged again.

use crate::ansi;
use crate::evidence::GLANCE;
use crate::line::{Before, tells_of_retry};
use crate::scan::vector::with_wide_registers;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// The numbers that built-in rows ask for, `?` at the end for any digit; a test holds them against the rows.
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "00", "02", "05", "10", "11", "12", "17", "18", "20", "21", "26", "28", "32",
    "35", "37", "40", "50", "52", "55", "56", "60", "62", "67", "92", "94", "95", "000", "100", "110", "124",
    "132", "134", "135", "136", "137", "139", "159", "209", "210", "256", "400", "401", "402", "403", "404", "407",
    "408", "410", "413", "422", "429", "497", "499", "500", "501", "502", "503", "504", "505", "506", "507", "508",
    "509", "511", "516", "520", "522", "529", "0000", "0001", "0009", "0018", "0028", "0035", "0041", "0234", "0246",
    "10??", "1501", "2000", "2100", "2307", "6053", "00000", "08???", "10234", "11000", "18003", "28???", "32000", "32001", "32601",
    "32602", "40???", "53300",
];

/// Digits of the longest of them.
const LONGEST: usize = 5;
/// Where the numbers of each length begin in [`ASKED_FOR`].
const FIRST_OF_LENGTH: [usize; LONGEST + 2] = [0, 0, 10, 110, 1_110, 11_110, 111_110];

/// A bit for every number of up to [`LONGEST`] digits.
static ASKED_FOR: [u64; FIRST_OF_LENGTH[LONGEST + 1].div_ceil(64)] = {
    let (mut bits, mut i) = ([0; _], 0);
    while i < NUMBERS.len() {
        let digits = NUMBERS[i].as_bytes();
        let (mut value, mut count, mut k) = (0, 1, 0);
        while k < digits.len() {
            (value, count) = match digits[k] {
                b'?' => (10 * value, 10 * count),
                digit => (10 * value + (digit - b'0') as usize, count),
            };
            k += 1;
        }
        let first = FIRST_OF_LENGTH[digits.len()] + value;
        let mut at = first;
        while at < first + count {
            bits[at / 64] |= 1 << (at % 64);
            at += 1;
        }
        i += 1;
    }
    bits
};

/// Shelves for the kinds of lines seen. A full one forgets the kind that was met first.
const SHELVES: usize = 1 << 14;
const SHELF: usize = 4;
/// Where less than one part in this many was seen before, looking is not worth it for a while.
const WORTH: usize = 8;
const LONGEST_PAUSE: usize = 3;
/// So many kinds that tell something are judged again in each part, or else in each of so many parts.
const MOST_TELLING: usize = 16;
const TURN: usize = 16;

/// The kinds of lines that were judged. Of very many, some are forgotten, and judged again.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    seen: Vec<[Kind; SHELF]>,
    /// Parts that are left to pass without looking, and how many it will be the next time.
    pause: usize,
    next_pause: usize,
    /// Where the lines begin that were given to be judged, with their kinds.
    given: Vec<(usize, u64)>,
    /// Parts that were looked at.
    parts: usize,
    /// Judging takes long: the setting of a line is worth knowing when its kind is met for the first time.
    costly: bool,
}

/// A kind of line.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    mark: u32,
    /// What it means for the lines beside it, once somebody asked.
    beside: Option<Beside>,
    /// A bit for each of the [`Setting`]s that such a line was judged in.
    settings: u8,
    /// Such a line told something, or stood among lines that did.
    tells: bool,
}

/// What a line means for those beside it.
#[derive(Clone, Copy, Debug)]
struct Beside {
    heads: bool,
    frame: bool,
    option: bool,
    retries: bool,
}

/// What the lines beside a line mean for it.
type Setting = u8;

/// A line that has to be judged, or does not.
struct Decision {
    judged: bool,
    /// Its kind and its setting, where they are known.
    says: Option<(u64, Setting)>,
    tells: bool,
}

impl Alike {
    /// What has to be judged of `part`: all but the lines that say the same as lines before.
    pub(crate) fn unlike(&mut self, text: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
        if self.pause > 0 {
            self.pause -= 1;
            return vec![part];
        }
        let lines = lines(text, part.clone());
        let mut decisions = self.decisions(text, &lines);
        self.parts += 1;
        judge_last_that_tell(&mut decisions, self.parts.is_multiple_of(TURN));
        let given = lines.iter().zip(&decisions).filter(|(_, decision)| decision.judged);
        self.given.extend(given.filter_map(|(line, _)| Some((line.range.start, line.key?))));
        let unlike = joined(&lines, decisions.iter().map(|decision| decision.judged));
        if unlike.iter().map(Range::len).sum::<usize>() * WORTH > part.len() * (WORTH - 1) {
            self.next_pause = (self.next_pause + 1).min(LONGEST_PAUSE);
            self.pause = self.next_pause;
        } else {
            self.next_pause = 0;
        }
        unlike
    }

    /// Lines of the last part were judged; `tells` says whether they told anything.
    pub(crate) fn judged(&mut self, lines: &Range<usize>, tells: bool) {
        let from = self.given.partition_point(|(start, _)| *start < lines.start);
        for at in from..self.given.partition_point(|(start, _)| *start < lines.end) {
            let (_, key) = self.given[at];
            if let Some(kind) = self.kind(key) {
                kind.tells = tells;
            }
        }
    }

    /// All of the last part that had to be judged was; `costly` says that this took long.
    pub(crate) fn end_part(&mut self, costly: bool) {
        self.given.clear();
        self.costly = costly;
    }

    /// What has to be judged of `part`, with nothing behind it: where lines say the same, the first ones unless they were
    /// seen before, and the last.
    pub(crate) fn unlike_at_end(&mut self, text: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
        let lines = lines(text, part);
        let mut decisions = self.decisions(text, &lines);
        let mut behind = HashSet::new();
        for decision in decisions.iter_mut().rev() {
            decision.judged |= decision.says.is_some_and(|says| behind.insert(says));
        }
        joined(&lines, decisions.iter().map(|decision| decision.judged))
    }

    /// A line need not be judged when its kind is known and was judged in this setting.
    fn decisions(&mut self, text: &[u8], lines: &[Line]) -> Vec<Decision> {
        if self.seen.is_empty() {
            self.seen = vec![Default::default(); SHELVES];
        }
        let known: Vec<bool> = lines.iter().map(|line| line.key.is_some_and(|key| self.meet(key))).collect();
        let decide = |at: usize| {
            let says = if known[at] || self.costly { self.says(text, lines, at) } else { None };
            let Some((kind, setting)) = says.and_then(|(key, setting)| Some((self.kind(key)?, setting))) else {
                return Decision { judged: true, says, tells: false };
            };
            let judged = kind.settings >> setting & 1 == 0;
            kind.settings |= 1 << setting;
            Decision { judged, says, tells: kind.tells }
        };
        (0..lines.len()).map(decide).collect()
    }

    /// A kind that is known.
    fn kind(&mut self, key: u64) -> Option<&mut Kind> {
        self.seen[shelf(key)].iter_mut().find(|kind| kind.mark == mark(key))
    }

    /// Whether this kind was known; now it is.
    fn meet(&mut self, key: u64) -> bool {
        let known = self.kind(key).is_some();
        if !known {
            let shelf = &mut self.seen[shelf(key)];
            shelf.rotate_right(1);
            shelf[0] = Kind { mark: mark(key), ..Kind::default() };
        }
        known
    }

    /// The kind and the setting of a line; `None` beside a line that is cut or long, or has to be seen whole.
    fn says(&mut self, text: &[u8], lines: &[Line], at: usize) -> Option<(u64, Setting)> {
        let before = self.beside(text, lines.get(at.checked_sub(1)?)?)?;
        let after = self.beside(text, lines.get(at + 1)?)?;
        let setting = u8::from(before.heads) | u8::from(before.frame) << 1 | u8::from(after.retries) << 2;
        lines[at].key.filter(|_| !before.option).map(|key| (key, setting))
    }

    /// What a line means for those beside it.
    fn beside(&mut self, text: &[u8], line: &Line) -> Option<Beside> {
        let key = line.key?;
        let read = || {
            let line = &text[line.range.start..line.range.end - 1];
            let line = ansi::strip(line).map_or(Cow::Borrowed(line), |plain| Cow::Owned(plain.text));
            let Before { heads, frame, option } = Before::of(&line);
            Beside { heads, frame, option: option.is_some(), retries: tells_of_retry(&line) }
        };
        Some(match self.kind(key) {
            Some(kind) => *kind.beside.get_or_insert_with(read),
            None => read(),
        })
    }
}

/// What was said last counts: of lines that told something, the last of each kind is judged again. Where they are of many
/// kinds that would take too long, and is done now and then.
fn judge_last_that_tell(decisions: &mut [Decision], is_turn: bool) {
    let mut last = Vec::with_capacity(MOST_TELLING);
    for at in (0..decisions.len()).rev() {
        let Decision { says: Some(says), tells: true, .. } = decisions[at] else { continue };
        if last.iter().any(|(known, _)| *known == says) {
            continue;
        }
        if last.len() == MOST_TELLING {
            if !is_turn {
                return;
            }
            break;
        }
        last.push((says, at));
    }
    for (_, at) in last {
        decisions[at].judged = true;
    }
}

const fn shelf(key: u64) -> usize {
    key as usize % SHELVES
}

/// Tells the kinds of one shelf apart.
const fn mark(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The lines that are judged, those in a row as one.
fn joined(lines: &[Line], judged: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for (Line { range, .. }, _) in lines.iter().zip(judged).filter(|(_, judged)| *judged) {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range.clone()),
        }
    }
    joined
}

/// A line, its line break included.
#[derive(Debug)]
struct Line {
    range: Range<usize>,
    /// The same for lines that say the same. One that is cut or long has none.
    key: Option<u64>,
}

/// The lines of a part of a text; the first and the last may be cut.
fn lines(text: &[u8], part: Range<usize>) -> Vec<Line> {
    let (mut lines, mut start) = (Vec::with_capacity(part.len() / 32), part.start);
    with_wide_registers(
        #[inline(always)]
        || {
            for at in memchr::memchr_iter(b'\n', &text[part.clone()]) {
                let range = start..part.start + at + 1;
                let is_whole = start > part.start && range.len() <= GLANCE;
                lines.push(Line { key: if is_whole { key_of(text, start..range.end - 1) } else { None }, range });
                start = part.start + at + 1;
            }
        },
    );
    if start < part.end {
        lines.push(Line { range: start..part.end, key: None });
    }
    lines
}

/// Bytes that are taken in at a time.
const BLOCK: usize = 32;
/// Words of a block.
const WORDS: usize = BLOCK / 4;

/// The key of a line; `None` too near the end of the text to read a whole block.
#[inline(always)]
fn key_of(text: &[u8], line: Range<usize>) -> Option<u64> {
    let (mut words, mut numbers, mut digit_before) = ([line.len() as u32; WORDS], 0, 0);
    for start in line.clone().step_by(BLOCK) {
        let block = text.get(start..)?.first_chunk::<BLOCK>()?;
        let (mut block, mut digits) = without_digits(block);
        let left = line.end - start;
        if left < BLOCK {
            block.iter_mut().zip(&FIRST_BYTES[left]).for_each(|(word, first)| *word &= first);
            digits &= !(!0 << left);
        }
        for (word, new) in words.iter_mut().zip(block) {
            let product = (*word ^ new).wrapping_mul(0x9E37_79B1);
            *word = product ^ product >> 15;
        }
        let mut first_digits = digits & !(digits << 1 | digit_before);
        digit_before = digits >> (BLOCK - 1);
        while first_digits != 0 {
            numbers = mix(numbers, number_at(text, start + first_digits.trailing_zeros() as usize));
            first_digits &= first_digits - 1;
        }
    }
    let pair = |i: usize| u64::from(words[i]) | u64::from(words[i + 1]) << 32;
    let half = |i: usize| pair(i) ^ pair(i + 2).rotate_left(29);
    Some(mix(mix(numbers, half(0)), half(4)))
}

/// Masks for the first bytes of a block, by their number.
static FIRST_BYTES: [[u32; WORDS]; BLOCK] = {
    let (mut masks, mut count) = ([[0; WORDS]; BLOCK], 0);
    while count < BLOCK {
        let mut i = 0;
        while i < count {
            masks[count][i / 4] |= 0xff << (8 * (i % 4));
            i += 1;
        }
        count += 1;
    }
    masks
};

/// A block with `0` for each of its digits, and a bit for each of them.
#[inline(always)]
fn without_digits(block: &[u8; BLOCK]) -> ([u32; WORDS], u32) {
    let (mut words, mut all) = ([0; WORDS], 0);
    for (i, eight) in block.as_chunks().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let digits = digits(eight) >> 7;
        let rest = eight & !(digits * 0xff) | (digits * 0x30);
        (words[2 * i], words[2 * i + 1]) = (rest as u32, (rest >> 32) as u32);
        // The lowest bits of eight bytes, side by side.
        all |= ((digits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * i);
    }
    (words, all)
}

/// Marks a number that is asked for.
const ASKED: u64 = 1 << 63;

/// What the rows see of the number that begins at `at`, but for its length.
#[inline(always)]
fn number_at(text: &[u8], at: usize) -> u64 {
    let eight = match text[at..].first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => text[at..].iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte)),
    };
    let length = (!digits(eight) & HIGH).trailing_zeros() as usize / 8;
    let [name, before] = *text[..at].last_chunk().unwrap_or(b"\n\n");
    let is_in_name = [name, before].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    if length <= LONGEST && !is_in_name {
        let bit = FIRST_OF_LENGTH[length] + value(eight, length) as usize;
        if ASKED_FOR[bit / 64] >> (bit % 64) & 1 == 1 {
            return ASKED | bit as u64;
        }
    }
    let first = |count: usize| eight & !(!0 << (8 * count));
    match length {
        ..4 => first(1),
        // A code (NU1101).
        ..6 if before.is_ascii_uppercase() => first(2),
        // One with few digits behind many zeros (0xC0000005).
        6..8 if eight as u32 == u32::from_le_bytes(*b"0000") => first(length),
        _ => u64::from(first(1) == u64::from(b'0')),
    }
}

/// The number that the first `length` of eight bytes are, at least one.
const fn value(eight: u64, length: usize) -> u64 {
    // Pairs, then fours, then all: each step adds ten, a hundred, ten thousand times the one before to its neighbour.
    let ones = (eight << (64 - 8 * length)) & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = ones.wrapping_mul(10 << 8 | 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000 << 32 | 1) >> 32
}

const HIGH: u64 = 0x8080_8080_8080_8080;
const EACH: u64 = 0x0101_0101_0101_0101;

/// The high bit of every byte that is a digit.
const fn digits(eight: u64) -> u64 {
    let off = eight ^ (EACH * b'0' as u64);
    !(((off & !HIGH) + EACH * (0x7f - 9)) | off) & HIGH
}

#[inline]
const fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ b ^ 0x9E37_79B9_7F4A_7C15) as u128 * 0xD6E8_FEB8_6659_FD93;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use crate::{PackName, Taxonomy};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn is_asked_for(number: &str) -> bool {
        let text = format!("{number}        ");
        number_at(text.as_bytes(), 0) & ASKED != 0
    }

    /// The numbers that one with `?` for any digit stands for.
    fn any_digit(number: &str) -> Vec<String> {
        match number.split_once('?') {
            None => vec![number.to_owned()],
            Some((head, rest)) => (0..10).flat_map(|digit| any_digit(&format!("{head}{digit}{rest}"))).collect(),
        }
    }

    #[test]
    fn the_numbers_that_rows_ask_for_are_known() {
        let mut asked = BTreeSet::new();
        for row in PackName::Field.rows() {
            let numbers = row.guard.pattern.map(|pattern| Pattern::new(pattern).expect("a row's pattern").numbers());
            let in_text = row.text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
            asked.extend(numbers.unwrap_or_default());
            asked.extend(in_text.map(|number| (None, number.to_owned())));
        }
        // The length and the beginning always count.
        let beyond = |(before, number): &(Option<u8>, String)| {
            let counts = match number.len() {
                ..4 => 1,
                ..6 if before.is_some_and(|byte| byte.is_ascii_uppercase()) => 2,
                _ => 0,
            };
            number.chars().skip(counts).any(|c| c != '?')
        };
        let asked = asked.into_iter().filter(beyond).flat_map(|(_, number)| any_digit(&number));
        let mut asked: BTreeSet<String> = asked.collect();
        asked.retain(|number| number.len() <= LONGEST);
        let unknown: Vec<&String> = asked.iter().filter(|number| !is_asked_for(number)).take(20).collect();
        assert!(unknown.is_empty(), "missing in NUMBERS: {unknown:?}");
        let unused = |number: &&&str| !any_digit(number).iter().any(|number| asked.contains(number));
        let unused: Vec<&&str> = NUMBERS.iter().filter(unused).collect();
        assert!(unused.is_empty(), "in NUMBERS, but no row asks for them: {unused:?}");
    }

    /// `line` with other numbers that the rows see no difference in, `turn` of them further.
    fn renumbered(line: &str, turn: u64) -> String {
        let mut other = String::new();
        let mut rest = line;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, number) = rest.split_at(at);
            let length = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
            let (number, after) = number.split_at(length);
            let kept = match length {
                ..4 => 1,
                ..6 if other.ends_with(|c: char| c.is_ascii_uppercase())
                    || before.ends_with(|c: char| c.is_ascii_uppercase()) =>
                {
                    2
                }
                6..8 if number.starts_with("0000") => length,
                _ => 1,
            };
            let room = 10u64.saturating_pow((length - kept) as u32);
            let turned = |by: u64| match number[kept..].parse::<u64>() {
                Ok(value) if length <= 18 => {
                    format!("{}{:02$}", &number[..kept], (value + by) % room, length - kept)
                }
                _ => number.to_owned(),
            };
            let mut name = before.bytes().rev().map(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let in_name = name.next() == Some(true) && name.next() == Some(true);
            let may_turn = length > kept && (in_name || !is_asked_for(number));
            let turned = (turn..turn + room).map(turned).find(|turned| may_turn && (in_name || !is_asked_for(turned)));
            other.extend([before, turned.as_deref().unwrap_or(number)]);
            rest = after;
        }
        other + rest
    }

    #[test]
    fn no_row_sees_a_difference_between_lines_that_are_alike() {
        let taxonomy = Taxonomy::field();
        for row in PackName::Field.rows() {
            for line in [row.hits, row.misses] {
                for turn in [1, 23, 456] {
                    let other = renumbered(line, turn);
                    let [hits, still] = [line, &other].map(|line| taxonomy.hits(row.id, line.as_bytes()));
                    assert_eq!(hits, still, "{}: {line:?} {other:?}", row.id);
                }
            }
        }
    }

    fn key(line: &str) -> u64 {
        let text = format!("{line}\n{:40}", "");
        key_of(text.as_bytes(), 0..line.len()).expect("far from the end")
    }

    #[test]
    fn numbers_that_count_are_told_apart() {
        let alike = [
            ("[00001234] packed unit38.o in 61 ms", "[00009876] packed unit39.o in 69 ms"),
            ("1700000001", "1712345678"),
            ("at 10:31:59.123", "at 10:38:53.187"),
        ];
        for (one, other) in alike {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        let unlike = [
            ("status 200", "status 503"),
            ("status 503", "status 504"),
            ("status 555", "status 444"),
            ("0 failed", "3 failed"),
            ("exit code 137", "exit code 138"),
            ("error TS2304", "error TS1005"),
            ("12", "123"),
            ("123456789", "1234567890"),
            ("a 23 b", "a 2 3 b"),
            ("x", "x "),
            ("longer than eight", "longer than night"),
            ("", " "),
        ];
        for (one, other) in unlike {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn two_lines_of_a_kind_are_judged_and_at_the_end_the_last() {
        let text: String = (0..100).map(|n| format!("step {} of 5000, nothing else\n", 7000 + n)).collect();
        let (text, line) = (text.as_bytes(), text.len() / 100);
        let mut alike = Alike::default();
        // The first line may be cut. The next makes the kind known, and one more its setting, or that one both.
        assert_eq!(alike.unlike(text, 0..text.len()), [0..3 * line, 99 * line..100 * line]);
        assert_eq!(alike.unlike(text, line / 2..text.len()), [line / 2..2 * line, 99 * line..100 * line]);
        assert_eq!(alike.unlike_at_end(text, 0..text.len()), [0..2 * line, 98 * line..100 * line]);
        assert_eq!(Alike::default().unlike_at_end(text, 0..text.len()), [0..3 * line, 98 * line..100 * line]);
        let mut alike = Alike { costly: true, ..Alike::default() };
        assert_eq!(alike.unlike(text, 0..text.len()), [0..3 * line, 99 * line..100 * line]);
    }

    #[test]
    fn a_line_is_judged_again_where_its_neighbours_mean_something_else_for_it() {
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
            let first = alike.unlike(text.as_bytes(), 0..text.len());
            let beside = quiet.len() + if neighbour.starts_with('R') { 0 } else { neighbour.len() };
            assert!(first.iter().any(|part| part.contains(&beside)), "{neighbour:?} {first:?}");
            let again = alike.unlike(text.as_bytes(), 0..text.len());
            let is_option = neighbour.starts_with("  -");
            assert_eq!(again.iter().any(|part| part.contains(&beside)), is_option, "{neighbour:?} {again:?}");
        }
    }

    #[test]
    fn what_was_judged_is_said_of_the_lines_of_its_own_part_only() {
        let text = "connection refused by host 7000\n".repeat(10);
        let mut alike = Alike::default();
        for part in alike.unlike(text.as_bytes(), 0..text.len()) {
            alike.judged(&part, true);
        }
        alike.end_part(false);
        alike.judged(&(0..text.len()), false);
        let key = lines(text.as_bytes(), 0..text.len())[2].key.unwrap();
        assert!(alike.kind(key).unwrap().tells);
    }

    #[test]
    fn looking_pauses_where_nothing_is_alike() {
        let word = |n: u32| -> String { (0..6).map(|i| char::from(b'a' + (n >> (2 * i) & 3) as u8)).collect() };
        let text: String = (0..3000).map(|n| format!("{} is a word\n", word(n))).collect();
        let mut alike = Alike::default();
        let pauses: Vec<usize> = (0..12)
            .map(|_| {
                alike.seen.clear();
                alike.unlike(text.as_bytes(), 0..text.len());
                alike.pause
            })
            .collect();
        assert_eq!(pauses, [1, 0, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1]);
    }

    proptest! {
        #[test]
        fn eight_bytes_at_once_are_read_as_one_by_one(bytes: [u8; 8], some in "[0-9:/]{8}") {
            for bytes in [bytes, some.into_bytes().try_into().unwrap()] {
                let eight = u64::from_le_bytes(bytes);
                let high = |wanted: fn(u8) -> bool| u64::from_le_bytes(bytes.map(|byte| u8::from(wanted(byte)) << 7));
                prop_assert_eq!(digits(eight), high(|byte| byte.is_ascii_digit()));
            }
        }

        #[test]
        fn a_number_has_its_value(number in "[0-9]{1,5}") {
            let text = format!("{number}        ");
            let eight = u64::from_le_bytes(*text.as_bytes().first_chunk().unwrap());
            prop_assert_eq!(value(eight, number.len()), number.parse::<u64>().unwrap());
        }
    }
}
