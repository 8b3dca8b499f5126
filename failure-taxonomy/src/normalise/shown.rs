//! What a terminal would leave of a line on the screen.
//!
//! In: the bytes of a line. Out: the line without control sequences, after the last `\r` that overwrote it, with single
//! spaces and with rulers of two characters, because the widths of columns and rulers vary with the numbers beside them.
//! `IS_PLAIN` lets the common bytes through without a look at their neighbours. Bytes that never form a ruler are in
//! `NO_RULER`.

use crate::ansi;
use std::borrow::Cow;

/// One line as a terminal shows it: no control sequences, of text overwritten after `\r` only the last, and any run of
/// spaces as one or, after a bracket, none. Columns are as wide as the numbers in them, and rulers fill the rest of the
/// line: of these two characters stay.
pub(super) fn shown(line: &[u8]) -> Vec<u8> {
    let line = ansi::strip(line).map_or(Cow::Borrowed(line), |plain| Cow::Owned(plain.text));
    let last = last_shown(&line);
    let mut shown: Vec<u8> = Vec::with_capacity(last.len());
    let mut rest = last;
    while let [byte, after @ ..] = rest {
        let (plain, others) = rest.split_at(rest.iter().take_while(|byte| IS_PLAIN[usize::from(**byte)]).count());
        if !plain.is_empty() {
            shown.extend_from_slice(plain);
            rest = others;
            continue;
        }
        rest = after;
        let byte = *byte;
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

/// What was not overwritten after `\r`.
fn last_shown(line: &[u8]) -> &[u8] {
    if memchr::memchr(b'\r', line).is_none() {
        return line;
    }
    line.split(|&b| b == b'\r').rfind(|part| !part.trim_ascii().is_empty()).unwrap_or_default()
}

/// Punctuation that no ruler is made of.
const NO_RULER: &[u8] = b"()[]{}<>\"'/\\:_";

/// Bytes that stay whatever is beside them.
static IS_PLAIN: [bool; 256] = {
    let (mut plain, mut byte) = ([false; 256], 0);
    while byte < 128 {
        plain[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut at = 0;
    while at < NO_RULER.len() {
        plain[NO_RULER[at] as usize] = true;
        at += 1;
    }
    plain
};

fn shorten_ruler(shown: &mut Vec<u8>) {
    let width = match shown.last() {
        Some(b) if b.is_ascii_punctuation() && !NO_RULER.contains(b) => 1,
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

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_progress_line_is_what_was_shown_last() {
        assert_eq!(shown(b" 10%\r 50%\r all \t done \r"), b"all done");
        assert_eq!(shown("──── x ────".as_bytes()), "── x ──".as_bytes());
    }
}
