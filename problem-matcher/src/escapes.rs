//! Removes terminal escape sequences: in goes the output of a tool, out comes the text, borrowed if there was nothing to
//! remove.
//!
//! Recognised are the sequences of ECMA-48: CSI (colours, cursor movements), OSC, APC, DCS and PM strings (titles, links,
//! Buildkite's timestamps), character set selection (`ESC ( B`, from `tput sgr0`), other two-byte sequences and the
//! backspace. Some log collectors drop the escape byte, so `[31m` and the `[m` that ends it on the same line are removed as
//! well.
//!
//! Line breaks are kept, even inside an unterminated sequence, so that line numbers of the result are those of the input.
//! This runs over every text: `memchr` jumps between candidates. A new sequence is a case in `escape_end`.

use std::borrow::Cow;

/// `text` without terminal escape sequences; also without colour codes whose escape character was lost (`[31m`).
/// Line breaks are kept, so that line numbers stay right.
pub(crate) fn without_escapes(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut clean = String::new();
    let mut copied = 0;
    let mut lost_colour = 0;
    for at in memchr::memchr3_iter(0x1b, b'[', 0x08, bytes) {
        if at < copied {
            continue;
        }
        // `[m` ends a colour only where one began on the same line.
        let ends_colour = bytes[at..].starts_with(b"[m")
            && lost_colour > 0
            && memchr::memchr(b'\n', &bytes[lost_colour..at]).is_none();
        let Some(end) = escape_end(bytes, at).or(ends_colour.then_some(at + 2)) else { continue };
        if bytes[at] == b'[' {
            lost_colour = end;
        }
        clean.push_str(&text[copied..at]);
        copied = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[copied..]);
    Cow::Owned(clean)
}

/// The end of the escape sequence at `at`, always on a character boundary; a line break is never inside one.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        0x08 => Some(at + 1),
        b'[' => colour_end(bytes, at + 1),
        _ => match bytes.get(at + 1) {
            Some(b'[') => {
                let mut end = at + 2;
                while bytes.get(end).is_some_and(|byte| (0x20..0x40).contains(byte)) {
                    end += 1;
                }
                Some(if bytes.get(end).is_some_and(|byte| (0x40..0x7f).contains(byte)) { end + 1 } else { end })
            }
            // Operating system commands, application program commands (Buildkite's times) and the like.
            Some(b']' | b'_' | b'P' | b'^') => {
                let mut end = at + 2;
                while let Some(&byte) = bytes.get(end) {
                    match byte {
                        0x07 => return Some(end + 1),
                        0x1b if bytes.get(end + 1) == Some(&b'\\') => return Some(end + 2),
                        b'\n' | 0x1b => return Some(end),
                        _ => end += 1,
                    }
                }
                Some(end)
            }
            // A character set is chosen by one more character: `ESC ( B`, which `tput sgr0` prints.
            Some(b'(' | b')' | b'*' | b'+') if bytes.get(at + 2).is_some_and(u8::is_ascii_graphic) => Some(at + 3),
            Some(byte) if byte.is_ascii_graphic() => Some(at + 2),
            _ => Some(at + 1),
        },
    }
}

/// The end of `31m`, `1;31m` or `0m`.
fn colour_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = (from..bytes.len().min(from + 16)).find(|&at| !matches!(bytes[at], b'0'..=b'9' | b';'))?;
    // `[134ms]` is how long a test took.
    let is_duration = bytes[end..].starts_with(b"ms]");
    (end > from && bytes[end] == b'm' && !is_duration).then_some(end + 1)
}
