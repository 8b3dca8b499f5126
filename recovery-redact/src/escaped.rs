//! Secrets in text that was escaped: a JSON log, a message that quotes a value, a string literal of a command, a URL
//! that is a parameter of another.
//!
//! In: text with escapes such as `\n`, `\"`, `\u003c` and `%3A`. Out: the text that they stand for, and the way back to where each of
//! its bytes is. What a secret is known by may be hidden by escapes: in `\nghp_…` the token follows a letter, and the
//! lines of a `.netrc` are one. So the text is searched twice, as it is and as it was before; a text that only looks escaped,
//! such as a Windows path, costs a second search and nothing else.

/// Text within text within text: a JSON log line whose message is JSON.
pub(super) const MAX_DEPTH: usize = 3;

/// Text without its escapes, or without other parts of it.
pub(super) struct Unescaped {
    pub(super) text: Vec<u8>,
    /// `(position in text, position as written)` of what follows each escape, both rising.
    jumps: Vec<(usize, usize)>,
    written: usize,
}

/// `text` without its escapes; `None` where it has none.
pub(super) fn unescape(text: &[u8]) -> Option<Unescaped> {
    without_escapes(text, b'\\', escape)
}

/// `text` without the escapes of URLs, such as `%3A`; `None` where it has none.
pub(super) fn unescape_url(text: &[u8]) -> Option<Unescaped> {
    without_escapes(text, b'%', |rest| {
        let byte = u8::from_str_radix(std::str::from_utf8(rest.get(..2)?).ok()?, 16).ok()?;
        (byte.is_ascii() && rest[0].is_ascii_digit()).then_some((byte, 2))
    })
}

/// `text` without the escapes that begin with `mark`; `escape` parses what follows it.
fn without_escapes(text: &[u8], mark: u8, escape: impl Fn(&[u8]) -> Option<(u8, usize)>) -> Option<Unescaped> {
    let mut plain = Unescaped { text: Vec::new(), jumps: Vec::new(), written: text.len() };
    let mut copied = 0;
    let mut from = 0;
    while let Some(at) = memchr::memchr(mark, &text[from..]).map(|n| from + n) {
        let Some((byte, len)) = escape(&text[at + 1..]) else {
            from = at + 1;
            continue;
        };
        plain.text.extend_from_slice(&text[copied..at]);
        plain.text.push(byte);
        from = at + 1 + len;
        copied = from;
        plain.jumps.push((plain.text.len(), from));
    }
    if plain.jumps.is_empty() {
        return None;
    }
    plain.text.extend_from_slice(&text[copied..]);
    Some(plain)
}

/// The ASCII character that is escaped by what follows a backslash, and the length of that.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    match rest.first()? {
        b'n' => Some((b'\n', 1)),
        b'r' => Some((b'\r', 1)),
        b't' => Some((b'\t', 1)),
        &byte @ (b'"' | b'\'' | b'\\' | b'/') => Some((byte, 1)),
        b'u' => {
            // JSON has four digits, Rust as many as needed, in braces.
            let (digits, len) = match rest.strip_prefix(b"u{") {
                Some(rest) => {
                    let digits = &rest[..memchr::memchr(b'}', rest.get(..6).unwrap_or(rest))?];
                    (digits, digits.len() + 3)
                }
                None => (rest.get(1..5)?, 5),
            };
            let byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            byte.is_ascii().then_some((byte, len))
        }
        _ => None,
    }
}

impl Unescaped {
    /// `text` without these parts of it, which are in order and apart.
    pub(super) fn without(text: &[u8], parts: impl Iterator<Item = std::ops::Range<usize>>) -> Self {
        let mut plain = Self { text: Vec::with_capacity(text.len()), jumps: Vec::new(), written: text.len() };
        let mut copied = 0;
        for part in parts {
            plain.text.extend_from_slice(&text[copied..part.start]);
            plain.jumps.push((plain.text.len(), part.end));
            copied = part.end;
        }
        plain.text.extend_from_slice(&text[copied..]);
        plain
    }

    /// Where the byte at this position of the text is written; an escape where it begins.
    pub(super) fn origin(&self, at: usize) -> usize {
        if at == self.text.len() {
            return self.written;
        }
        // The byte before a jump is the escape itself: it begins where what was copied before it ends.
        let i = self.jumps.partition_point(|&(text, _)| text <= at);
        match i.checked_sub(1) {
            None => at,
            Some(i) => self.jumps[i].1 + (at - self.jumps[i].0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_place() {
        let text = br#"a\n\"b\u003cc\u{1b}\\x\q\u00e9 C:\"#;
        let plain = unescape(text).unwrap();
        assert_eq!(plain.text, b"a\n\"b<c\x1b\\x\\q\\u00e9 C:\\");
        let origins: Vec<usize> = (0..=plain.text.len()).map(|at| plain.origin(at)).collect();
        assert_eq!(origins[..10], [0, 1, 3, 5, 6, 12, 13, 19, 21, 22]);
        assert_eq!(origins.last(), Some(&text.len()));
        assert!(unescape(br"C:\a\b \u00e9 \").is_none());
    }
}
