//! What the rows see of a number.
//!
//! What a row makes of a line depends on a number only where the row asks for that number (status 503, exit code 137), and
//! else on how many digits it has and on how it begins: a short one on its first digit (any 5xx), a code on two (NU11xx), a
//! long one on whether that is a zero. In a name (unit503) it is never asked for.

use super::mix;
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

/// What the rows see of the numbers of a line, but for their lengths.
pub(super) fn asked(text: &[u8], line: Range<usize>) -> u64 {
    let (mut all, mut at) = (0, line.start);
    while at < line.end {
        let length = text[at..line.end].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length > 0 {
            all = mix(all, seen_of(text, at..at + length));
        }
        at += length + 1;
    }
    all
}

/// All that there is to see of the numbers of a line.
pub(super) fn every_digit(text: &[u8], line: Range<usize>) -> u64 {
    text[line].iter().filter(|byte| byte.is_ascii_digit()).fold(0, |all, digit| mix(all, u64::from(*digit)))
}

/// Marks a number that is asked for.
const ASKED: u64 = 1 << 63;

/// What the rows see of a number, but for its length.
fn seen_of(text: &[u8], number: Range<usize>) -> u64 {
    let before = |count: usize| number.start.checked_sub(count).map_or(b'\n', |at| text[at]);
    let is_in_name = [1, 2].iter().all(|count| matches!(before(*count), b'a'..=b'z' | b'_'));
    let is_code = before(1).is_ascii_uppercase();
    let digits = &text[number];
    if digits.len() <= LONGEST && !is_in_name {
        let value = digits.iter().fold(0, |value, digit| 10 * value + usize::from(digit - b'0'));
        let bit = FIRST_OF_LENGTH[digits.len()] + value;
        if ASKED_FOR[bit / 64] >> (bit % 64) & 1 == 1 {
            return ASKED | bit as u64;
        }
    }
    let first = |count: usize| digits[..count].iter().fold(0, |all, digit| all << 8 | u64::from(*digit));
    match digits.len() {
        ..4 => first(1),
        // NU1101
        ..6 if is_code => first(2),
        // 0xC0000005
        6..8 if digits.starts_with(b"0000") => first(digits.len()),
        _ => u64::from(digits[0] == b'0'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use crate::{PackName, Taxonomy};
    use std::collections::BTreeSet;

    fn is_asked_for(number: &str) -> bool {
        seen_of(number.as_bytes(), 0..number.len()) & ASKED != 0
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

    #[test]
    fn numbers_that_count_are_told_apart() {
        let alike = [
            ("[00001234] packed unit38.o in 61 ms", "[00009876] packed unit39.o in 69 ms"),
            ("1700000001", "1712345678"),
            ("at 10:31:59.123", "at 10:38:53.187"),
        ];
        let seen = |line: &str| asked(line.as_bytes(), 0..line.len());
        for (one, other) in alike {
            assert_eq!(seen(one), seen(other), "{one} {other}");
        }
        let unlike = [
            ("status 200", "status 503"),
            ("status 503", "status 504"),
            ("status 555", "status 444"),
            ("0 failed", "3 failed"),
            ("exit code 137", "exit code 138"),
            ("error TS2304", "error TS1005"),
        ];
        for (one, other) in unlike {
            assert_ne!(seen(one), seen(other), "{one} {other}");
        }
    }
}
