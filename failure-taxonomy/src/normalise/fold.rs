//! Folds one line: the lexer behind [`normalise`](super::normalise).
//!
//! In: a line as a terminal shows it. Out: the line with `<n>` for numbers that change from run to run and `<tmp>` for
//! temporary paths. One pass from left to right; `Context` keeps the last word, because the word before a number
//! decides whether the number identifies the error (`errno 13`) or changes (`line 13`). Shapes of numbers are in
//! `number.rs`, word lists in `words.rs`.

use super::number::{self, Number};
use super::words;

/// Longer lines are cut, counted in normalised bytes.
const LINE_BYTES: usize = 16 * 1024;

/// Appends what stays of `line`, a line as [`shown`](super::shown::shown).
pub(super) fn fold(line: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let mut lexer = Lexer { line, at: 0, out, start, context: Context::default() };
    while lexer.at < line.len() && lexer.out.len() - start < LINE_BYTES {
        lexer.step();
    }
    let cut = out.len().min(start + LINE_BYTES);
    let cut = (cut.saturating_sub(3)..=cut).rev().find(|&i| is_char_start(out, i)).unwrap_or(cut).max(start);
    out.truncate(cut);
    while out.len() > start && out.last() == Some(&b' ') {
        out.pop();
    }
}

fn is_char_start(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|b| b & 0xc0 != 0x80)
}

struct Lexer<'a, 'o> {
    line: &'a [u8],
    at: usize,
    out: &'o mut Vec<u8>,
    start: usize,
    context: Context,
}

/// What is before the cursor, as far as it decides whether a number is one that changes.
#[derive(Default)]
struct Context {
    /// The last word.
    word: std::ops::Range<usize>,
    /// Where the temporary path ends that the cursor is in.
    temporary_until: usize,
    /// How many words after a number may still be the thing that was counted.
    countable: u8,
}

impl<'a> Lexer<'a, '_> {
    fn step(&mut self) {
        let byte = self.line[self.at];
        match byte {
            b' ' => self.keep(1),
            b'0'..=b'9' => self.number(),
            b'/' | b'\\' if self.temporary_path() => {}
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                // A drive letter may lead to a temporary path.
                let drive = self.line.get(self.at + 1) == Some(&b':');
                if !(drive && self.temporary_path()) {
                    self.word();
                }
            }
            _ => self.punctuation(byte),
        }
    }

    fn keep(&mut self, len: usize) {
        self.out.extend_from_slice(&self.line[self.at..self.at + len]);
        self.at += len;
    }

    fn replace(&mut self, len: usize, with: &[u8]) {
        self.out.extend_from_slice(with);
        self.at += len;
    }

    fn fold(&mut self, len: usize) {
        self.replace(len, b"<n>");
        // What was before it means nothing for the next number.
        self.context.word = 0..0;
        self.context.countable = 3;
    }

    fn rest(&self) -> &'a [u8] {
        &self.line[self.at..]
    }

    /// What this line has become so far.
    fn folded(&self) -> &[u8] {
        &self.out[self.start..]
    }

    fn byte_before(&self, back: usize) -> Option<u8> {
        self.at.checked_sub(back).map(|i| self.line[i])
    }

    fn punctuation(&mut self, byte: u8) {
        if !b":=-([\"'#/.".contains(&byte) {
            self.context.word = 0..0;
        }
        if b";,.(|".contains(&byte) {
            self.context.countable = 0;
        }
        self.keep(1);
    }

    fn word(&mut self) {
        let rest = self.rest();
        let len = number::word_len(rest);
        let uuid = if len == 8 { number::uuid(rest) } else { None };
        let date = || if len <= 9 && rest[0].is_ascii_uppercase() { number::calendar(rest) } else { None };
        if let Some(len) = uuid.or_else(date) {
            self.fold(len);
            return;
        }
        let word = &rest[..len];
        // The version of a protocol belongs to its name: `HTTP/1.1 503`.
        let version = if word.eq_ignore_ascii_case(b"http") { number::protocol_version(&rest[len..]) } else { 0 };
        let singular = (self.context.countable > 0).then(|| words::singular(word)).flatten();
        self.context.countable = self.context.countable.saturating_sub(1);
        self.context.word = self.at..self.at + len;
        match singular {
            Some(singular) => self.replace(len, singular),
            None if word.iter().any(u8::is_ascii_digit) => self.word_with_digits(len),
            None => self.keep(len),
        }
        self.keep(version);
    }

    /// Ids are in words too: `req_011Qb5`, `build_9f8e7d6c5b`.
    fn word_with_digits(&mut self, len: usize) {
        if self.in_temporary_path() {
            let folded = number::temporary_name(&self.rest()[..len]);
            self.replace(len, &folded);
            return;
        }
        let end = self.at + len;
        while self.at < end {
            let part = self.line[self.at..end].iter().position(|&b| b == b'_').unwrap_or(end - self.at);
            let folds = number::is_id(&self.line[self.at..self.at + part]);
            match folds {
                true => self.replace(part, b"<n>"),
                false => self.keep(part),
            }
            if self.at < end {
                self.keep(1);
            }
        }
    }

    fn number(&mut self) {
        let rest = self.rest();
        if let Some(len) = number::uuid(rest).or_else(|| number::moment(rest)) {
            self.fold(len);
            return;
        }
        match number::number(rest) {
            Number::Id(len) | Number::Quantity(len) => {
                if self.names_an_error() && len <= 10 && rest.starts_with(b"0x") {
                    self.keep(len)
                } else {
                    self.fold(len)
                }
            }
            Number::Word(len) => {
                self.context.word = self.at..self.at + len;
                self.keep(len);
            }
            Number::Plain { len, digits, fraction } => {
                let counted = words::counted_next(&rest[len..]);
                let kept = !counted && digits <= 5 && (self.names_an_error() || self.is_code());
                let long = digits >= 3 || fraction >= 3 || self.in_temporary_path();
                if !kept && (long || counted || self.counts_or_points(len)) { self.fold(len) } else { self.keep(len) }
            }
        }
    }

    /// `status code 503`, `errno 13`: the number identifies the error.
    fn names_an_error(&self) -> bool {
        let word = &self.line[self.context.word.clone()];
        let gap = self.at - self.context.word.end;
        !word.is_empty() && gap <= 5 && words::ERROR_NUMBER.iter().any(|w| word.eq_ignore_ascii_case(w))
    }

    /// `ORA-01017`, `CVE-2024-1234`: capitals and a hyphen make a name of it.
    fn is_code(&self) -> bool {
        let word = &self.line[self.context.word.clone()];
        self.byte_before(1) == Some(b'-')
            && self.context.word.end + 1 == self.at
            && (2..=6).contains(&word.len())
            && word.iter().all(u8::is_ascii_uppercase)
    }

    /// Whether a short number at the cursor is a line, a port, a count or another that changes without the failure changing.
    fn counts_or_points(&self, len: usize) -> bool {
        let after = &self.line[self.at + len..];
        let next = after.first().copied();
        let after_pair = |separator: u8| {
            let digits = after.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
            (next == Some(separator) && digits > 0).then(|| after.get(1 + digits).copied())
        };
        match self.byte_before(1) {
            Some(b'#') => return true,
            Some(b'=') if next == Some(b'=') => return true,
            Some(b':') if self.byte_before(2).is_some_and(|b| !b" \"':".contains(&b)) => return true,
            Some(b'(') if after_pair(b',').is_some_and(|b| b == Some(b')')) => return true,
            Some(b',') if next == Some(b')') && self.folded().ends_with(b"(<n>,") => return true,
            Some(b'/') if self.folded().ends_with(b"<n>/") => return true,
            None | Some(b' ' | b'[' | b'(') if after_pair(b'/').is_some_and(|b| b != Some(b'/')) => return true,
            _ => {}
        }
        if next == Some(b'%') {
            return true;
        }
        let at_line_start = self.folded().iter().all(|b| matches!(b, b' ' | b'>' | b'|'));
        if at_line_start && matches!(after.trim_ascii_start().first(), Some(b'|' | b':' | b')')) {
            return true;
        }
        let word = &self.line[self.context.word.clone()];
        let gap = &self.line[self.context.word.end..self.at];
        if word.is_empty() || gap.len() > 3 || !gap.iter().all(|b| b" :=\"'#-".contains(b)) {
            return false;
        }
        words::is_pointing(word) || (words::is_counted(word) && gap.iter().any(|b| b":=".contains(b)))
    }

    /// Folds the part of a temporary path that differs from run to run, and returns whether there was one at the cursor.
    fn temporary_path(&mut self) -> bool {
        let boundary = self.byte_before(1).is_none_or(|b| !(b.is_ascii_alphanumeric() || b"._-\\>".contains(&b)))
            && !(self.byte_before(1) == Some(b'/') && self.byte_before(2) != Some(b'/'));
        if !boundary {
            return false;
        }
        let Some(root) = number::temporary_root(self.rest()) else { return false };
        let path_len = root + self.rest()[root..].iter().take_while(|b| number::is_path_byte(**b)).count();
        let path = &self.rest()[root..path_len];
        let first = path.iter().position(|&b| b == b'/' || b == b'\\').unwrap_or_else(|| {
            // A lone file keeps its extension.
            path.iter().rposition(|&b| b == b'.').filter(|dot| path.len() - dot <= 5).unwrap_or(path.len())
        });
        self.context.temporary_until = self.at + path_len;
        self.context.word = 0..0;
        self.replace(root + first, b"<tmp>");
        true
    }

    fn in_temporary_path(&self) -> bool {
        self.at < self.context.temporary_until
    }
}
