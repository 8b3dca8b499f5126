//! How steps are worded, and what may enter a command.
//!
//! A step states first what to do, in plain English, then the command where there is one. A name from the output enters a
//! command only when it is a plain word ([`is_plain_word`], [`is_package_name`]) or quoted for a POSIX shell
//! ([`shell_quoted`]); a URL never does.

use crate::directive::{one_line, uncoloured};
use recovery_types::{Adjustment, AdjustmentKind};
use std::borrow::Cow;

/// The longest part of an output that a step quotes, in characters.
pub const MAX_QUOTE_CHARS: usize = 220;

/// A step with nothing but its kind and words.
pub(super) fn step(kind: AdjustmentKind, text: impl AsRef<str>) -> Adjustment {
    Adjustment {
        kind,
        text: one_line(text.as_ref()),
        subject: None,
        command: None,
        candidates: Vec::new(),
        holder: None,
        wanted: None,
        found: None,
        wait_ms: None,
        location: None,
    }
}

/// A step about `subject`, made by `command` where there is one.
pub(super) fn about(kind: AdjustmentKind, subject: &str, text: impl AsRef<str>, command: Option<String>) -> Adjustment {
    let text = match &command {
        Some(command) => format!("{}: {command}", text.as_ref()),
        None => text.as_ref().to_owned(),
    };
    Adjustment { subject: Some(one_line(subject)), command, ..step(kind, text) }
}

/// `text` cut to about `longest` characters.
#[must_use]
pub fn shorten(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// A line of the output as a step quotes it: on one line, without what a log puts before it, not too long. Of a body of
/// JSON only its message is quoted.
#[must_use]
pub fn quote(line: &str) -> String {
    let line = one_line(super::evidence::without_prefix(line));
    shorten(&message_in_json(&line).unwrap_or(line), MAX_QUOTE_CHARS)
}

/// `RateLimitError: 429: slow down` of `RateLimitError: 429 {"error":{"message":"slow down"}}`.
fn message_in_json(line: &str) -> Option<String> {
    const KEYS: &[&str] = &["\"message\"", "'message'", "\"error\"", "\"detail\""];
    let start = if line.starts_with("\"message\"") { 0 } else { line.find('{')? };
    let (before, body) = line.split_at(start);
    // The value of a key, where it is a text.
    let text_of = |key: &&str| {
        body.match_indices(*key).find_map(|(at, key)| {
            let value = body[at + key.len()..].trim_start().strip_prefix(':')?.trim_start();
            value.starts_with(['"', '\'']).then_some(value)
        })
    };
    let value = KEYS.iter().find_map(text_of)?;
    let quote = value.chars().next()?;
    let mut message = String::new();
    let mut escaped = false;
    for c in value[1..].chars() {
        match c {
            _ if escaped => {
                message.push(if c == 'n' { ' ' } else { c });
                escaped = false;
            }
            '\\' => escaped = true,
            c if c == quote => break,
            c => message.push(c),
        }
    }
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "-:".contains(c)).trim();
    let before = before.strip_prefix("data").filter(|rest| rest.is_empty()).unwrap_or(before);
    let is_said = message.trim().len() > 3;
    is_said.then(|| if before.is_empty() { message } else { format!("{before}: {message}") })
}

/// Whether a shell reads `name` as one plain word that is no option.
#[must_use]
pub fn is_plain_word(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"@/._+:-=~^".contains(&b);
    !name.is_empty()
        && name.len() <= 120
        && name.bytes().all(allowed)
        && !name.starts_with(['-', '~', '='])
        && !is_address(name)
}

/// `https://host/x`, `git+ssh://host/x` or `git@host:x`: whoever reads the command would fetch something from there.
fn is_address(name: &str) -> bool {
    name.contains("://") || name.split_once('@').is_some_and(|(user, rest)| !user.is_empty() && rest.contains(':'))
}

/// Whether `name` can be a package: a plain word that is no path, no URL and no option.
#[must_use]
pub fn is_package_name(name: &str) -> bool {
    is_plain_word(name)
        && !name.contains("..")
        && !name.starts_with(['.', '/', ':'])
        && name.contains(|c: char| c.is_ascii_alphanumeric())
}

/// `path` as a shell reads it back.
#[must_use]
pub fn shell_quoted(path: &str) -> String {
    if is_plain_word(path) { path.to_owned() } else { format!("'{}'", one_line(path).replace('\'', r"'\''")) }
}

/// `text` without terminal colours and with straight quotes, as the tables have them.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    let text = uncoloured(text);
    if text.contains(['‘', '’']) { Cow::Owned(text.replace(['‘', '’'], "'")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_typographic_quotes_are_folded() {
        assert_eq!(plain("\u{1b}[1;31mERROR\u{1b}[0m: ‘a’ \u{1b}"), "ERROR: 'a' ");
        assert_eq!(plain("as it is"), "as it is");
    }

    #[test]
    fn of_a_json_body_its_message_is_quoted() {
        let body = r#"Error: 429 {"type":"error","error":{"message":"Slow \"down\" now","code":1}}"#;
        assert_eq!(quote(body), r#"Error: 429: Slow "down" now"#);
        assert_eq!(quote("data: {'error': {'message': \"it's over\"}}"), "it's over");
        assert_eq!(quote(r#"data: {"type":"error","error":"credit too low"}"#), "credit too low");
        assert_eq!(quote(r#"  "message": "too many tokens","#), "too many tokens");
        assert_eq!(quote("fn main() { message }"), "fn main() { message }");
    }

    #[test]
    fn only_plain_words_enter_commands() {
        for plain in ["left-pad", "@acme/theme", "JSON::XS", "./run.sh", "g++", "react@^18.2.0"] {
            assert!(is_plain_word(plain), "{plain}");
            assert_eq!(shell_quoted(plain), plain);
        }
        for address in ["https://example.org/x", "git+ssh://example.org/x", "git@example.org:x/y.git"] {
            assert!(!is_plain_word(address), "{address}");
        }
        for unsafe_name in ["", "-rf", "a b", "a;b", "$(id)", "`id`", "a|b", "a'b", "a\nb", "~root", "é"] {
            assert!(!is_plain_word(unsafe_name), "{unsafe_name}");
        }
        assert_eq!(shell_quoted("it's here"), r"'it'\''s here'");
        for no_package in ["https://example.org/x.whl", "./here", "/etc/passwd", "../up", "::", "-e"] {
            assert!(!is_package_name(no_package), "{no_package}");
        }
        assert!(is_package_name("@types/node"));
    }
}
