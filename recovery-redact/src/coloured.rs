//! Secrets in text with terminal codes.

use super::{Secret, shapes};
use recovery_types::ansi::{ESCAPE, Plain, code_length};

/// The secrets of `text`, whose codes are taken out in `plain`, as [`super::secrets`] gives them.
pub(super) fn secrets(text: &[u8], plain: &Plain) -> Vec<Secret> {
    let mut found = parted_tokens(text);
    let parted: Vec<Secret> = found.iter().map(|token| token.at(plain.range(&token.range))).collect();
    let known = |at: usize| {
        let i = parted.partition_point(|token| token.range.end <= at);
        parted.get(i).filter(|token| token.range.start <= at).map(|token| token.at(at..token.range.end))
    };
    let shown = super::secrets(&plain.text, |at| plain.follows_code(at), known);
    found.extend(shown.iter().map(|Secret { range, kind }| Secret {
        range: plain.origin(range.start)..plain.origin(range.end - 1) + 1,
        kind,
    }));
    found.extend(carried(text));
    let mut found = super::apart(found);
    let mut floor = 0;
    for secret in &mut found {
        secret.range.start = without_broken_codes(text, floor, secret.range.start);
        floor = secret.range.end;
    }
    found
}

/// Tokens that end at a code: those of a fixed length are not known with the next word joined to them.
fn parted_tokens(text: &[u8]) -> Vec<Secret> {
    let mut parted = text.to_vec();
    let mut ends = Vec::new();
    for (at, len) in codes(text) {
        ends.push(at + len);
        // A letter after a lone escape, or what a code carries, may be text.
        let len = if is_sequence(&text[at..at + len]) { len } else { 1 };
        parted[at..at + len].fill(b'\n');
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < parted.len() {
        let starts = super::TRIGGER[usize::from(parted[at])]
            && (at == 0 || !parted[at - 1].is_ascii_alphanumeric() || ends.binary_search(&at).is_ok());
        match if starts { shapes::token(&parted, at) } else { None } {
            Some(token) => {
                at = token.range.end;
                found.push(token);
            }
            None => at += 1,
        }
    }
    found
}

/// Secrets in titles and links, each a text of its own.
fn carried(text: &[u8]) -> Vec<Secret> {
    let mut found = Vec::new();
    for (at, len) in codes(text).filter(|&(at, len)| len > 2 && !is_sequence(&text[at..at + len])) {
        let start = at + 1;
        let inside = &text[start..at + len];
        let inside = &inside[..memchr::memchr2(ESCAPE, 0x07, inside).unwrap_or(inside.len())];
        found.extend(
            super::secrets(inside, |_| false, |_| None)
                .into_iter()
                .map(|Secret { range, kind }| Secret { range: start + range.start..start + range.end, kind }),
        );
    }
    found
}

/// Where each code is, and its length.
fn codes(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + memchr::memchr(ESCAPE, &text[from..])?;
        let len = code_length(&text[at..]);
        from = at + len;
        Some((at, len))
    })
}

/// Whether the code is a colour, a cursor move or a character set: nothing in it is text.
fn is_sequence(code: &[u8]) -> bool {
    matches!(code.get(1), Some(b'[' | 0x20..=0x2f))
}

/// `start`, or where the codes right before it begin that lack their end: they would take it from the mark.
fn without_broken_codes(text: &[u8], floor: usize, mut start: usize) -> usize {
    while let Some(escape) = memchr::memrchr(ESCAPE, &text[floor..start]).map(|n| floor + n) {
        let code = &text[escape..start];
        let ends_here = code.len() == 1 || code_length(&text[escape..]) == code.len();
        if !ends_here || code_length(&[code, b"["].concat()) == code.len() {
            break;
        }
        start = escape;
    }
    start
}
