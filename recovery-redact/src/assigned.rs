//! Secrets that are known by the name before them.

use super::names::{Named, Sure, named_secret};
use super::{Secret, before_mark, looks_random, placed};
use std::ops::Range;

/// How a value is joined to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    /// `name=value`.
    Equals,
    /// `name: value`.
    Colon,
    /// `"name": "value"`: no sentence looks like this.
    Quoted,
    /// `--name value`.
    Flag,
}

/// The longest name that is looked at.
pub(super) const NAME_BYTES: usize = 80;

/// The secret after the `=` or `:` at `at`.
pub(super) fn after_separator(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let separator = text[at];
    if text.get(at + 1).is_some_and(|b| b"=:>/~".contains(b)) || at > from && b"=:!<>+~".contains(&text[at - 1]) {
        return None;
    }
    let (name, name_quoted) = name_before(text, at, from)?;
    let named = named_secret(&text[name.clone()])?;
    let start = skip_spaces(text, at + 1);
    let value = value_at(text, start, is_line_of_settings(text, name.start, separator));
    // `"password:"` ends here: the quote closes what the one before the name opened.
    let closes =
        value.quoted && name.start > from && text[name.start - 1] == text[value.range.start - 1] && !name_quoted;
    let joined = match (separator, name_quoted || value.quoted) {
        (b':', true) => Joined::Quoted,
        (b':', false) => Joined::Colon,
        _ => Joined::Equals,
    };
    if named.sure == Sure::Header {
        return placed::header(text, start, named.kind);
    }
    let whole_line = text.get(value.range.end).is_none_or(|b| b"\r\n,;}\"'\\".contains(b));
    let in_a_sentence = joined == Joined::Colon && !whole_line && !is_struct_field(text, &name, at, value.range.end);
    let in_code = joined == Joined::Equals && !value.quoted && is_code(text, &value.range);
    let secret =
        !closes && !in_a_sentence && !in_code && is_secret(named, &text[name], &text[value.range.clone()], joined);
    secret.then_some(Secret { range: value.range, kind: named.kind })
}

/// `{User:ada Password:x Host:db}`: how Go prints a struct. The name begins with a capital, nothing is between it and its
/// value, and a brace opened before it.
fn is_struct_field(text: &[u8], name: &Range<usize>, at: usize, end: usize) -> bool {
    let line = line_before(text, name.start);
    let follows = name.start.checked_sub(1).is_some_and(|i| b"{ ".contains(&text[i]));
    let joined = name.end == at && text.get(at + 1).is_some_and(|b| !b.is_ascii_whitespace());
    let ends = text.get(end).is_some_and(|b| b" }".contains(b));
    text[name.start].is_ascii_uppercase() && follows && joined && ends && line.contains(&b'{')
}

/// The secret after a flag that starts at `at`: `--password x`, `mysql -px`, `curl -u name:x`.
pub(super) fn after_flag(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    if at > from && !b" \t\n\"'[(".contains(&text[at - 1]) {
        return None;
    }
    let flag = &text[at..at + text[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count()];
    let end = at + flag.len();
    if let Some(name) = flag.strip_prefix(b"--") {
        if name == b"user" || name == b"proxy-user" {
            return user_and_password(text, end);
        }
        let named = named_secret(name)?;
        if text.get(end) != Some(&b' ') {
            return None;
        }
        let value = value_at(text, skip_spaces(text, end), false);
        let secret = is_secret(named, name, &text[value.range.clone()], Joined::Flag);
        return secret.then_some(Secret { range: value.range, kind: named.kind });
    }
    let line = line_before(text, at);
    let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    let value = match flag {
        b"-u" if has(b"curl") => return user_and_password(text, end),
        b"-p" if has(b"sshpass") || has(b"login") => value_at(text, skip_spaces(text, end), false).range,
        b"-a" if has(b"redis-cli") => value_at(text, skip_spaces(text, end), false).range,
        [b'-', b'p', _, ..] if has(b"mysql") || has(b"mariadb") => at + 2..value_at(text, at + 2, false).range.end,
        _ => return None,
    };
    let named = Named { kind: "password", sure: Sure::Certain };
    is_secret(named, b"password", &text[value.clone()], Joined::Flag)
        .then_some(Secret { range: value, kind: "password" })
}

/// The kind of secret that `value` is as the value of a field called `name`.
pub(super) fn field(name: &[u8], value: &[u8]) -> Option<&'static str> {
    let named = named_secret(name)?;
    is_secret(named, name, value, Joined::Quoted).then_some(named.kind)
}

fn user_and_password(text: &[u8], end: usize) -> Option<Secret> {
    let value = value_at(text, skip_spaces(text, end), false).range;
    let colon = value.start + text[value.clone()].iter().position(|&b| b == b':')?;
    let password = colon + 1..value.end;
    let named = Named { kind: "password", sure: Sure::Certain };
    is_secret(named, b"user", &text[password.clone()], Joined::Flag)
        .then_some(Secret { range: password, kind: "password" })
}

/// The name that ends before the separator at `at`, and whether it is quoted.
fn name_before(text: &[u8], at: usize, from: usize) -> Option<(Range<usize>, bool)> {
    let mut end = at;
    while end > from && text[end - 1] == b' ' && at - end < 8 {
        end -= 1;
    }
    let quoted = end > from && b"\"'`".contains(&text[end - 1]);
    if quoted {
        end -= 1;
        if end > from && text[end - 1] == b'\\' {
            end -= 1;
        }
    }
    let floor = from.max(end.saturating_sub(NAME_BYTES));
    let len = text[floor..end].iter().rev().take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
    (len > 0).then_some((end - len..end, quoted))
}

fn skip_spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|b| **b == b' ' || **b == b'\t').count()
}

/// `NAME=value` or `export NAME=value` alone on its line: the value may hold any character but a space.
fn is_line_of_settings(text: &[u8], name: usize, separator: u8) -> bool {
    separator == b'='
        && matches!(line_before(text, name).trim_ascii(), b"" | b"export" | b"set" | b"ENV" | b"ARG" | b"+" | b"-e")
}

/// The line before `at`, as much of it as matters.
fn line_before(text: &[u8], at: usize) -> &[u8] {
    let near = &text[at.saturating_sub(200)..at];
    near.rsplit(|&b| b == b'\n').next().unwrap_or(near)
}

struct Value {
    range: Range<usize>,
    quoted: bool,
}

/// The value at `start`: quoted, up to the closing quote; else a word.
fn value_at(text: &[u8], start: usize, line_of_settings: bool) -> Value {
    let escaped = usize::from(text.get(start) == Some(&b'\\') && text.get(start + 1) == Some(&b'"'));
    if let Some(&quote @ (b'"' | b'\'')) = text.get(start + escaped) {
        let start = start + escaped + 1;
        let mut end = start;
        while end < text.len() && text[end] != quote && text[end] != b'\n' {
            if text[end] == b'\\' && escaped == 1 {
                break;
            }
            end +=
                1 + usize::from(text[end] == b'\\' && text.get(end + 1).is_some_and(|b| b.is_ascii() && *b != b'\n'));
        }
        return Value { range: before_mark(text, start..end.min(text.len())), quoted: true };
    }
    let ends = |b: &u8| b.is_ascii_whitespace() || !line_of_settings && b",;&)}]\"'<>|`\\".contains(b);
    let len = text[start.min(text.len())..].iter().take_while(|b| !ends(b)).count();
    Value { range: before_mark(text, start..start + len), quoted: false }
}

/// Words that occur where a value would, in sentences, types and placeholders.
const NO_VALUE: &[&[u8]] = &[
    b"null",
    b"none",
    b"nil",
    b"undefined",
    b"true",
    b"false",
    b"yes",
    b"no",
    b"required",
    b"missing",
    b"invalid",
    b"incorrect",
    b"empty",
    b"unset",
    b"set",
    b"expired",
    b"wrong",
    b"failed",
    b"denied",
    b"string",
    b"str",
    b"text",
    b"any",
    b"bytes",
    b"int",
    b"optional",
    b"is",
    b"was",
    b"and",
    b"or",
    b"to",
    b"must",
    b"not",
    b"cannot",
    b"requires",
    b"argument",
    b"with",
    b"for",
    b"value",
    b"from",
    b"in",
    b"the",
    b"has",
    b"flag",
    b"option",
    b"if",
    b"on",
    b"at",
    b"mismatch",
    b"authentication",
    b"error",
    b"as",
    b"via",
    b"of",
    b"by",
    b"rejected",
    b"hidden",
    b"redacted",
    b"changeme",
    b"unknown",
    b"disabled",
    b"enabled",
    b"[secure",
];

fn is_secret(named: Named, name: &[u8], value: &[u8], joined: Joined) -> bool {
    let placeholder = value.is_empty()
        || b"$%<{*".contains(&value[0])
        || value.iter().all(|b| *b == value[0] && (value.len() > 2 || b.is_ascii_punctuation()))
        || value == name
        || value.ends_with(b"(")
        || memchr::memmem::find(value, b".*").is_some()
        || NO_VALUE.iter().any(|word| value.eq_ignore_ascii_case(word));
    if placeholder {
        return false;
    }
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let type_name = value[0].is_ascii_uppercase() && value.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_');
    let metavariable = value.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    let environment = name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase);
    let path = value[0] == b'/' || value.starts_with(b"./") || value.starts_with(b"~/");
    match (named.sure, joined) {
        (_, Joined::Flag) if metavariable => false,
        (Sure::Header, _) => true,
        (Sure::Weak, _) => joined == Joined::Equals && value.len() >= 16 && looks_random(value) && !path,
        (Sure::Certain, Joined::Colon) => !type_name && !value.starts_with(b"&"),
        (Sure::Certain, _) => true,
        (Sure::Likely, Joined::Equals) if environment => {
            !path && !value.iter().all(u8::is_ascii_digit) && value.len() >= 4
        }
        (Sure::Likely, Joined::Quoted) => {
            value.len() >= 8 && !path && (has_digit || value.len() >= 16) && !value.contains(&b' ')
        }
        (Sure::Likely, _) => value.len() >= 8 && has_digit && !path && !value.iter().all(u8::is_ascii_digit),
    }
}

/// Whether the value is an expression: `password=config.password)`, `secret=getpass()`.
fn is_code(text: &[u8], value: &Range<usize>) -> bool {
    let letters = text[value.clone()].iter().all(|b| b.is_ascii_alphabetic() || b"_.(".contains(b));
    letters && text.get(value.end).is_some_and(|b| b",)".contains(b))
}
