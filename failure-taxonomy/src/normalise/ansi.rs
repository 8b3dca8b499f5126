//! What a terminal would leave on the screen.

use std::borrow::Cow;

const ESC: u8 = 0x1b;

/// `text` without colours, cursor movements, links and other terminal control sequences.
///
/// ```
/// assert_eq!(failure_taxonomy::normalise::strip_ansi("\x1b[1;31merror\x1b[0m: x"), "error: x");
/// ```
#[must_use]
pub fn strip_ansi(text: &str) -> Cow<'_, str> {
    match strip(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        // Only whole ASCII characters were taken out.
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// One line as a terminal shows it: no control sequences, of text overwritten after `\r` only the last, and any run of
/// spaces as one or, after a bracket, none. Columns are as wide as the numbers in them, and rulers fill the rest of the
/// line: of these two characters stay.
pub(super) fn shown(line: &[u8]) -> Vec<u8> {
    let line = strip(line);
    let last = line.split(|&b| b == b'\r').rfind(|part| !part.trim_ascii().is_empty()).unwrap_or_default();
    let mut shown: Vec<u8> = Vec::with_capacity(last.len());
    for &byte in last {
        match byte {
            b' ' | b'\t' if matches!(shown.last(), None | Some(b' ' | b'[' | b'(')) => {}
            b' ' | b'\t' => shown.push(b' '),
            _ if byte.is_ascii_control() => {}
            _ => {
                shown.push(byte);
                shorten_ruler(&mut shown);
            }
        }
    }
    if shown.last() == Some(&b' ') {
        shown.pop();
    }
    shown
}

fn shorten_ruler(shown: &mut Vec<u8>) {
    let width = match shown.last() {
        Some(b) if b.is_ascii_punctuation() && !b"()[]{}<>\"'/\\:_".contains(b) => 1,
        Some(0x80..=0xbf) => 3,
        _ => return,
    };
    let Some(start) = shown.len().checked_sub(3 * width) else { return };
    let last = &shown[start..];
    let repeats = last[..width] == last[width..2 * width] && last[..width] == last[2 * width..];
    if repeats && (width == 1 || last[0] == 0xe2) {
        shown.truncate(start + 2 * width);
    }
}

fn strip(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(ESC, text) else { return Cow::Borrowed(text) };
    let mut kept = text[..first].to_vec();
    let mut rest = &text[first..];
    while let Some(at) = memchr::memchr(ESC, rest) {
        kept.extend_from_slice(&rest[..at]);
        rest = &rest[at + sequence_len(&rest[at..])..];
    }
    kept.extend_from_slice(rest);
    Cow::Owned(kept)
}

/// The length of the control sequence at the start of `text`; 1 for an escape character that starts none.
fn sequence_len(text: &[u8]) -> usize {
    let run = |from: usize, range: std::ops::RangeInclusive<u8>| {
        text[from..].iter().take_while(|b| range.contains(b)).count() + from
    };
    let with_final = |at: usize, range: std::ops::RangeInclusive<u8>| {
        if text.get(at).is_some_and(|b| range.contains(b)) { at + 1 } else { at }
    };
    match text.get(1) {
        Some(b'[') => with_final(run(run(2, 0x30..=0x3f), 0x20..=0x2f), 0x40..=0x7e),
        // Titles and links run to BEL or ESC \; without one, to the end of the line.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let end = text[2..].iter().position(|&b| matches!(b, 0x07 | ESC | b'\n')).map_or(text.len(), |n| n + 2);
            match text.get(end) {
                Some(0x07) => end + 1,
                Some(&ESC) if text.get(end + 1) == Some(&b'\\') => end + 2,
                _ => end,
            }
        }
        Some(0x20..=0x2f) => with_final(run(1, 0x20..=0x2f), 0x30..=0x7e),
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_sequences_go() {
        for (raw, plain) in [
            ("plain é", "plain é"),
            ("\x1b[38;5;9m\x1b[1merror[E0308]\x1b[0m", "error[E0308]"),
            ("\x1b]8;;https://a.b/c\x1b\\link\x1b]8;;\x1b\\!", "link!"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1b(Bok\x1b[K", "ok"),
            ("cut \x1b[3", "cut "),
            ("\x1b\x1b[0m[0m", "[0m"),
        ] {
            assert_eq!(strip_ansi(raw), plain, "{raw:?}");
        }
    }

    #[test]
    fn a_progress_line_is_what_was_shown_last() {
        assert_eq!(shown(b" 10%\r 50%\r all \t done \r"), b"all done");
    }
}
