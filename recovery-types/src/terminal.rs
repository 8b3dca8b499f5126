//! Removes characters that could control a terminal or mislead a reader.

use crate::neutral::{is_invisible, without_markup};
use std::borrow::Cow;

/// Whether `c` is a control character, or one that a person does not see: it may reorder what is shown, or hide words that
/// only a model reads. Newlines, tabs and the selectors that choose how an emoji is drawn are harmless.
///
/// ```
/// use recovery_types::terminal::is_unsafe_for_terminal;
/// let unsafe_ones = ['\x1b', '\r', '\u{9b}', '\u{202e}', '\u{200b}', '\u{2028}', '\u{e0041}'];
/// assert!(unsafe_ones.into_iter().all(is_unsafe_for_terminal));
/// assert!(!['a', 'é', '\n', '\t', '\u{fe0f}'].into_iter().any(is_unsafe_for_terminal));
/// ```
#[must_use]
pub fn is_unsafe_for_terminal(c: char) -> bool {
    match c {
        '\n' | '\t' | '\u{fe00}'..='\u{fe0f}' => false,
        _ => is_invisible(c),
    }
}

/// JSON with such characters escaped; JSON itself permits some of them.
///
/// ```
/// let json = recovery_types::terminal::escaped_json("[\"a\u{9b}b\"]".to_owned());
/// assert_eq!(json, r#"["a\u009bb"]"#);
/// let json = recovery_types::terminal::escaped_json("\"\u{e0041}\"".to_owned());
/// assert_eq!(json, r#""\udb40\udc41""#);
/// ```
#[must_use]
pub fn escaped_json(json: String) -> String {
    if !json.contains(is_unsafe_for_terminal) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unsafe_for_terminal(c) {
            // They are only within strings.
            escaped.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// `text` with such characters escaped, so that a log cannot control the terminal, and without the markup of models, who
/// read it too. Newlines and tabs stay.
///
/// ```
/// assert_eq!(recovery_types::terminal::printable("\x1b[31mred <system>"), "\\u{1b}[31mred < system>");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe_for_terminal) {
        return without_markup(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe_for_terminal(c) { escaped.extend(c.escape_unicode()) } else { escaped.push(c) }
    }
    Cow::Owned(without_markup(&escaped).into_owned())
}

/// [`printable`] on one line, truncated at `width` characters.
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
