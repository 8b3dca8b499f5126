//! Steps over text that several facts share.

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

/// As [`str::split_once`], for a short line that seldom has the mark: nothing is prepared.
pub(super) fn split_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (letter, offset) = first_letter(mark)?;
    let mut places = memchr::memchr_iter(letter, text.as_bytes());
    places.find_map(|at| split_around(text, at.checked_sub(offset)?, mark))
}

/// As [`str::rsplit_once`], in the same way.
pub(super) fn rsplit_once<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (letter, offset) = first_letter(mark)?;
    let mut places = memchr::memrchr_iter(letter, text.as_bytes());
    places.find_map(|at| split_around(text, at.checked_sub(offset)?, mark))
}

/// The first byte of a mark that is not as common as a space.
fn first_letter(mark: &str) -> Option<(u8, usize)> {
    let mut bytes = mark.bytes().zip(0..);
    bytes.clone().find(|(byte, _)| *byte != b' ').or_else(|| bytes.next())
}

fn split_around<'a>(text: &'a str, start: usize, mark: &str) -> Option<(&'a str, &'a str)> {
    let (before, rest) = text.split_at_checked(start)?;
    Some((before, rest.strip_prefix(mark)?))
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

/// The lines of `text`, long ones cut.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| &line[..floor_char(line, line.len().min(LINE_BYTES))])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn marks_are_found_where_the_standard_library_finds_them(text in "[ linaé:*\\[]{0,30}") {
            for mark in [" line ", ": l", " in ", " [", "*** [", "n", "li", "  "] {
                prop_assert_eq!(super::split_once(&text, mark), text.split_once(mark));
                prop_assert_eq!(super::rsplit_once(&text, mark), text.rsplit_once(mark));
            }
        }
    }
}
