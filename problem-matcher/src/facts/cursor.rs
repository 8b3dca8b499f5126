//! String primitives that the facts share: windows of whole lines, numbers, words, occurrences of a literal.
//!
//! In and out: slices of the text or byte offsets into it, always on character boundaries; nothing is copied.
//!
//! Work is bounded: numbers have at most 18 digits (so that they fit into a `u64`), and `line_around` looks at no more than
//! `LINE_BYTES` on either side, which keeps a text without line breaks linear. Occurrences are found with `memchr::memmem`.

/// The first `bytes` of `text`, ending with a whole line where there is one.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let cut = floor_char(text, bytes);
    let line = text[..cut].rfind('\n').map_or(cut, |n| n + 1);
    &text[..line]
}

/// The last `bytes` of `text`, starting with a whole line where there is one.
pub(super) fn tail(text: &str, bytes: usize) -> &str {
    let Some(start) = text.len().checked_sub(bytes) else { return text };
    let cut = floor_char(text, start);
    let line = text[cut..].find('\n').map_or(cut, |n| cut + n + 1);
    if line == text.len() { &text[cut..] } else { &text[line..] }
}

fn floor_char(text: &str, at: usize) -> usize {
    (at.saturating_sub(3)..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

/// The number at the start of `text` and how many digits it has; at most 18 of them.
pub(super) fn integer(text: &str) -> Option<(u64, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 18 {
        return None;
    }
    Some((text[..digits].parse().ok()?, digits))
}

/// `text` after any of `skipped` at its start.
pub(super) fn after<'a>(text: &'a str, skipped: &str) -> &'a str {
    text.trim_start_matches(|c| skipped.contains(c))
}

/// The run of letters at the start of `text`.
pub(super) fn word(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

/// Whether a word starts at `at`.
pub(super) fn at_word_start(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|c: char| c.is_alphanumeric())
}

/// Every place where `needle` occurs in `text`.
pub(super) fn places<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + use<'a> {
    memchr::memmem::find_iter(text.as_bytes(), needle.as_bytes())
}

/// Longer lines are read in part, so that a text without line breaks stays cheap.
const LINE_BYTES: usize = 4096;

/// The part of the line around `at`: where it starts and ends.
pub(super) fn line_around(text: &str, at: usize) -> (usize, usize) {
    let low = floor_char(text, at.saturating_sub(LINE_BYTES));
    let high = floor_char(text, text.len().min(at + LINE_BYTES)).max(at);
    let start = text[low..at].rfind('\n').map_or(low, |n| low + n + 1);
    let end = text[at..high].find('\n').map_or(high, |n| at + n);
    (start, end)
}
