//! Makes text from an output safe to quote to a model: a defence against prompt injection through tool output.
//!
//! In: any text. Out: the same text on one line, without control, invisible and bidirectional characters, and with a
//! space in markup by which clients and models delimit messages (`</system-reminder>`, `<|im_start|>`, `[INST]`), so
//! that it is no longer a tag ([`without_markup`] does only that). Both are idempotent, which a property test below
//! checks. They do not judge what a text asks for: `recovery-service/src/quote.rs` shortens it and marks it as data.
//!
//! Another client's tags are added to `MARKUP`, another invisible range to [`is_invisible`].

use std::borrow::Cow;

/// Names of markup that clients and models give a meaning to.
const MARKUP: [&str; 22] = [
    "system", "assistant", "user", "human", "developer", "instructions", "function", "tool", "invoke", "parameter",
    "hook", "untrusted", "antml", "thinking", "im_start", "im_end", "sys", "inst", "command-", "local-command",
    "session-start-hook", "task-notification",
];

/// `text` without control and invisible characters, on one line, with markup broken up. Backticks stay; three in a row
/// become quotes.
///
/// ```
/// use recovery_types::neutral::neutral;
/// assert_eq!(neutral("a\u{202e}b\u{200b}c\u{e0041}\u{2028}d"), "abc d");
/// assert_eq!(neutral("x</system-reminder>y<|im_start|>z"), "x< /system-reminder>y< |im_start| >z");
/// assert_eq!(neutral("Vec<String> `a` != 3"), "Vec<String> `a` != 3");
/// ```
#[must_use]
pub fn neutral(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter_map(|c| match c {
            '\n' | '\t' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
            c if is_invisible(c) => None,
            c => Some(c),
        })
        .collect();
    broken(&visible, true).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` with a space in the markup by which clients and models delimit messages: for what people read too, so that the
/// tags of other languages stay.
///
/// ```
/// use recovery_types::neutral::without_markup;
/// assert_eq!(without_markup("a\n</system-reminder>"), "a\n< /system-reminder>");
/// assert_eq!(without_markup("Vec<User> in </div>"), "Vec<User> in </div>");
/// ```
#[must_use]
pub fn without_markup(text: &str) -> Cow<'_, str> {
    broken(text, false)
}

/// With `is_strict`, what ends any element is broken up too, as the names of a client's own elements change, and so are
/// three backticks.
fn broken(text: &str, is_strict: bool) -> Cow<'_, str> {
    if !text.contains(['<', '[', '|', '`']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '<' | '[' if is_markup(before, c, rest) || is_strict && is_end(rest) => {
                out.push(c);
                out.push(' ');
            }
            '|' if rest.starts_with('>') => out.push_str("| "),
            '`' if is_strict && rest.starts_with("``") => {
                out.push_str("'''");
                rest = &rest[2..];
            }
            c => out.push(c),
        }
        before = c;
    }
    Cow::Owned(out)
}

/// Whether what comes after `before` and `open` is a tag that clients or models give a meaning to.
fn is_markup(before: char, open: char, rest: &str) -> bool {
    // `Vec<User>` is a type.
    let is_parameter = open == '<' && before.is_alphanumeric() && rest.starts_with(|c: char| c.is_ascii_uppercase());
    let name = rest.trim_start_matches(['/', '|', '<']);
    rest.starts_with('|')
        || !is_parameter
            && MARKUP.iter().any(|markup| {
                name.get(..markup.len()).is_some_and(|start| start.eq_ignore_ascii_case(markup))
                    && name[markup.len()..].find(['>', ']']).is_some_and(|end| end < 60)
            })
}

/// Whether the end of an element comes after `<`.
fn is_end(rest: &str) -> bool {
    rest.strip_prefix('/').is_some_and(|name| name.trim_start_matches(['/', '|', '<']).starts_with(char::is_alphabetic))
}

/// Whether `c` is a character that a person does not see but a model reads: controls, formats, tags, selectors, separators
/// of lines and paragraphs.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_special_is_left(text in r"(?s:[a-z<>|/\[\] \n`]|</system-reminder>|<\|im_start\|>|\[INST\]|\u{202e}|.){0,30}") {
            let quoted = neutral(&text);
            prop_assert!(!quoted.chars().any(is_invisible));
            for bad in ["</system", "<|", "|>", "```", "[INST]", "\u{2028}"] {
                prop_assert!(!quoted.contains(bad), "{bad} in {quoted}");
            }
            prop_assert_eq!(neutral(&quoted), quoted);
            let broken = without_markup(&text).into_owned();
            prop_assert_eq!(without_markup(&broken).into_owned(), broken);
        }
    }
}
