//! Terminal escape codes: colours, cursor moves, window titles.

use std::borrow::Cow;

/// The character that begins a code.
pub const ESCAPE: u8 = 0x1b;

/// Text without escape codes, and the way back to where each byte was printed.
pub struct Plain {
    /// The text without codes.
    pub text: Vec<u8>,
    /// `(position in text, position as printed)` after each removed code, both rising.
    jumps: Vec<(usize, usize)>,
}

/// The block without its escape codes; `None` when it has none.
pub fn strip(block: &[u8]) -> Option<Plain> {
    memchr::memchr(ESCAPE, block)?;
    let mut plain = Plain { text: Vec::with_capacity(block.len()), jumps: Vec::new() };
    let mut at = 0;
    while let Some(escape) = memchr::memchr(ESCAPE, &block[at..]) {
        plain.text.extend_from_slice(&block[at..at + escape]);
        at += escape;
        at += code_length(&block[at..]);
        plain.jumps.push((plain.text.len(), at));
    }
    plain.text.extend_from_slice(&block[at..]);
    Some(plain)
}

/// `text` without colours, cursor movements, links and other terminal control sequences.
///
/// ```
/// assert_eq!(recovery_types::ansi::strip_ansi("\x1b[1;31merror\x1b[0m: x"), "error: x");
/// ```
#[must_use]
pub fn strip_ansi(text: &str) -> Cow<'_, str> {
    // Only whole ASCII characters are taken out.
    strip(text.as_bytes())
        .map_or(Cow::Borrowed(text), |plain| Cow::Owned(String::from_utf8_lossy(&plain.text).into_owned()))
}

impl Plain {
    /// Where the byte at this position of the text was printed.
    pub fn origin(&self, at: usize) -> usize {
        match self.jumps.partition_point(|&(text, _)| text <= at).checked_sub(1) {
            None => at,
            Some(i) => self.jumps[i].1 + (at - self.jumps[i].0),
        }
    }

    /// Whether a code was printed right before this position of the text.
    pub fn follows_code(&self, at: usize) -> bool {
        self.jumps.binary_search_by_key(&at, |&(text, _)| text).is_ok()
    }

    /// The positions of the text that were printed within `printed`.
    pub fn range(&self, printed: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        self.position(printed.start)..self.position(printed.end)
    }

    fn position(&self, printed: usize) -> usize {
        match self.jumps.partition_point(|&(_, origin)| origin <= printed).checked_sub(1) {
            None => printed.min(self.jumps.first().map_or(usize::MAX, |&(text, _)| text)),
            Some(i) => {
                let limit = self.jumps.get(i + 1).map_or(self.text.len(), |&(text, _)| text);
                (self.jumps[i].0 + (printed - self.jumps[i].1)).min(limit)
            }
        }
    }
}

/// The length of the escape code at the beginning of `text`: whole ASCII characters, never across a line break.
pub fn code_length(text: &[u8]) -> usize {
    let run = |from: usize, range: std::ops::RangeInclusive<u8>| {
        from + text[from..].iter().take_while(|b| range.contains(b)).count()
    };
    let with_final = |at: usize, range: std::ops::RangeInclusive<u8>| {
        if text.get(at).is_some_and(|b| range.contains(b)) { at + 1 } else { at }
    };
    match text.get(1) {
        Some(b'[') => with_final(run(run(2, 0x30..=0x3f), 0x20..=0x2f), 0x40..=0x7e),
        // Titles and links run to BEL or ESC \; without one, to the end of the line.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let end = text[2..].iter().position(|&b| matches!(b, 0x07 | ESCAPE | b'\n')).map_or(text.len(), |n| n + 2);
            match text.get(end) {
                Some(0x07) => end + 1,
                Some(&ESCAPE) if text.get(end + 1) == Some(&b'\\') => end + 2,
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
    use super::strip;

    #[test]
    fn colours_go_and_every_byte_knows_where_it_was() {
        let printed = b"\x1b[1m\x1b[31merror\x1b[0m: \x1b]0;title\x07bad\x1b";
        let plain = strip(printed).unwrap();
        assert_eq!(plain.text, b"error: bad");
        for (at, byte) in plain.text.iter().enumerate() {
            assert_eq!(printed[plain.origin(at)], *byte);
        }
        assert_eq!(plain.range(&(0..printed.len())), 0..plain.text.len());
        assert!(strip(b"plain").is_none());
    }

    #[test]
    fn links_titles_and_character_sets_go() {
        for (printed, plain) in [
            ("\x1b[38;5;9m\x1b[1merror[E0308]\x1b[0m", "error[E0308]"),
            ("\x1b]8;;https://a.b/c\x1b\\link\x1b]8;;\x1b\\!", "link!"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1b(Bok\x1b[K", "ok"),
            ("cut \x1b[3", "cut "),
            ("\x1b\x1b[0m[0m", "[0m"),
            ("\x1bé", "é"),
        ] {
            assert_eq!(strip(printed.as_bytes()).unwrap().text, plain.as_bytes(), "{printed:?}");
        }
    }

    #[test]
    fn a_broken_code_does_not_swallow_the_next_line() {
        assert_eq!(strip(b"\x1b[31\nerror").unwrap().text, b"\nerror");
    }
}
