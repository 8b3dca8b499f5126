//! Which characters must not reach a terminal, and text without them.

use std::borrow::Cow;

/// Whether `c` is a control character, or an invisible one that reorders what a person reads. Newlines and tabs are
/// harmless.
///
/// ```
/// use recovery_types::terminal::is_unsafe_for_terminal;
/// assert!(['\x1b', '\r', '\u{9b}', '\u{202e}'].into_iter().all(is_unsafe_for_terminal));
/// assert!(!['a', 'é', '\n', '\t'].into_iter().any(is_unsafe_for_terminal));
/// ```
#[must_use]
pub fn is_unsafe_for_terminal(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

/// The same JSON with such characters escaped; JSON itself lets some of them through.
///
/// ```
/// let json = recovery_types::terminal::escaped_json("[\"a\u{9b}b\"]".to_owned());
/// assert_eq!(json, r#"["a\u009bb"]"#);
/// ```
#[must_use]
pub fn escaped_json(json: String) -> String {
    if !json.contains(is_unsafe_for_terminal) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        // They are only within strings, and all of them are below U+FFFF.
        if is_unsafe_for_terminal(c) { escaped.push_str(&format!("\\u{:04x}", c as u32)) } else { escaped.push(c) }
    }
    escaped
}

/// `text` with such characters escaped, so that a log cannot control the terminal. Newlines and tabs stay.
///
/// ```
/// assert_eq!(recovery_types::terminal::printable("\x1b[31mred"), "\\u{1b}[31mred");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe_for_terminal) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe_for_terminal(c) { escaped.extend(c.escape_unicode()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// [`printable`] on one line, cut at `width` characters.
///
/// ```
/// assert_eq!(recovery_types::terminal::one_line("a\nbcd", 4), "a b\u{2026}");
/// ```
#[must_use]
pub fn one_line(text: &str, width: usize) -> String {
    let line = printable(text).replace(['\n', '\t'], " ");
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['\u{2026}']).collect()
}
