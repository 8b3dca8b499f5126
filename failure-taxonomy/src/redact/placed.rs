//! Secrets that are known by the place they stand in: URLs, headers, private key blocks.

use super::{Secret, before_mark, looks_random};
use std::ops::Range;

/// The password in `scheme://user:password@host`, or a token in place of the user, after the `:` at `at`.
pub(super) fn url_password(text: &[u8], at: usize) -> Option<Secret> {
    let rest = text[at..].strip_prefix(b"://")?;
    if at == 0 || !text[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let ends = |b: &u8| b.is_ascii_whitespace() || b"/?#\"'<>\\`,;)}|".contains(b);
    let authority = &rest[..rest.iter().take_while(|b| !ends(b)).count()];
    let user_info = &authority[..authority.iter().rposition(|&b| b == b'@')?];
    if before_mark(user_info, 0..user_info.len()).len() < user_info.len() {
        return None;
    }
    let start = at + 3;
    let user = user_info.iter().position(|&b| b == b':').unwrap_or(user_info.len());
    if user >= 16 && looks_random(&user_info[..user]) {
        return Some(Secret { range: start..start + user_info.len(), kind: "token" });
    }
    let password = user_info.get(user + 1..)?;
    let placeholder =
        password.is_empty() || b"$<{*%".contains(&password[0]) && !password.iter().any(u8::is_ascii_digit);
    (!placeholder).then_some(Secret { range: start + user + 1..start + user_info.len(), kind: "password" })
}

/// The value of an `Authorization` or `Cookie` header that starts at `start`; a scheme stays.
pub(super) fn header(text: &[u8], start: usize, kind: &'static str) -> Option<Secret> {
    let quote = start.checked_sub(1).map(|i| text[i]).filter(|b| b"\"'".contains(b));
    let opens = text.get(start).copied().filter(|b| b"\"'".contains(b));
    let mut from = start + usize::from(opens.is_some());
    let ends = |b: &u8| b"\r\n".contains(b) || b"\"'\\".contains(b) || Some(*b) == opens || Some(*b) == quote;
    let len = text[from..].iter().take_while(|b| !ends(b)).count();
    let value = text[from..from + len].trim_ascii_end();
    let end = from + value.len();
    if kind == "authorization" {
        let scheme = value.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'-').count();
        if scheme > 0 && value.get(scheme) == Some(&b' ') {
            from += scheme + 1;
        }
    }
    let Range { start: from, end } = before_mark(text, from..end);
    let secret = &text[from..end];
    // `Authorization: required`, `Cookie: none` are words.
    let words = kind == "authorization" && !secret.iter().any(|b| b.is_ascii_digit() || b"=+/_".contains(b));
    (secret.len() >= 4 && !words && secret[0] != b'$').then_some(Secret { range: from..end, kind })
}

/// What follows `Bearer ` or `Basic ` anywhere.
pub(super) fn after_scheme(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let is = |word: &[u8]| rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let (scheme, kind) = if is(b"bearer ") {
        (7, "bearer")
    } else if is(b"basic ") {
        (6, "basic")
    } else {
        return None;
    };
    let run =
        |allowed: &[u8]| rest[scheme..].iter().take_while(|b| b.is_ascii_alphanumeric() || allowed.contains(b)).count();
    let len = if kind == "bearer" { run(b"-._~+/=") } else { run(b"+/") };
    let value = &rest[scheme..scheme + len];
    if kind == "bearer" {
        let secret = len >= 12 && value.iter().any(u8::is_ascii_digit);
        return secret.then_some(Secret { range: at + scheme..at + scheme + len, kind });
    }
    // Base64 of `user:password`; words are not padded and have no digits amid capitals.
    let padding = rest[scheme + len..].iter().take(2).take_while(|b| **b == b'=').count();
    let ends = rest.get(scheme + len + padding).is_none_or(|b| !b.is_ascii_alphanumeric() && !b"[_-".contains(b));
    let random = looks_random(value) && value.iter().any(u8::is_ascii_uppercase);
    let secret = len >= 6 && ends && (padding > 0 || len >= 8 && random);
    secret.then_some(Secret { range: at + scheme..at + scheme + len + padding, kind })
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// Longer than any key; a bound, so that many beginnings without an end stay cheap.
const KEY_BYTES: usize = 32 * 1024;

/// The private key block that begins at `at`, or that ends there and lost its beginning.
pub(super) fn private_key(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let rest = &text[at..];
    let kind = "private-key";
    if rest.starts_with(BEGIN) {
        let title = title_len(&rest[BEGIN.len()..])? + BEGIN.len();
        let end = memchr::memmem::find(&rest[title..rest.len().min(title + KEY_BYTES)], END).map(|n| n + title);
        let end = match end.and_then(|end| Some(end + END.len() + title_len(&rest[end + END.len()..])?)) {
            Some(end) => end,
            None => title + key_lines(&rest[title..]),
        };
        return Some(Secret { range: at..at + end, kind });
    }
    if rest.starts_with(END) {
        let end = at + END.len() + title_len(&rest[END.len()..])?;
        let start = key_start(text, at, from.max(at.saturating_sub(KEY_BYTES)));
        return Some(Secret { range: start..end, kind });
    }
    None
}

/// The length of `RSA PRIVATE KEY-----`, if that stands there.
fn title_len(text: &[u8]) -> Option<usize> {
    let len = text.iter().take(60).take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b' ').count();
    let private = memchr::memmem::find(&text[..len], b"PRIVATE KEY").is_some();
    let dashes = text[len..].iter().take(5).take_while(|b| **b == b'-').count();
    // Cut off within the dashes it is still a private key.
    (private && (dashes == 5 || len + dashes == text.len())).then_some(len + dashes)
}

/// Where the key begins that ends at `at` and lost its beginning: lines of Base64, only the last of which may be short.
fn key_start(text: &[u8], at: usize, floor: usize) -> usize {
    let mut start = at;
    while start > floor {
        let above = text[floor..start].trim_ascii_end();
        let line = above.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let key = line.iter().rev().take_while(|b| is_key_byte(**b)).count();
        let is_whole = line.trim_ascii_start().len() == key;
        if key == 0 || (is_whole && key < 16 && start < at) {
            break;
        }
        start = floor + above.len() - if is_whole { line.len() } else { key };
        if !is_whole {
            break;
        }
    }
    start
}

/// How much of `text` can be the inside of a key whose end is missing: Base64 by the line, indented or not, with
/// `Proc-Type: 4,ENCRYPTED` and the like before it.
fn key_lines(text: &[u8]) -> usize {
    let mut len = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let inside = line.trim_ascii();
        if !inside.iter().all(|b| is_key_byte(*b)) && !is_key_header(inside) {
            // The rest of the line may still be of the key, up to a quote.
            return len + line.iter().take_while(|b| is_key_byte(**b) || **b == b' ').count();
        }
        len += line.len();
    }
    text[..len].trim_ascii_end().len()
}

fn is_key_header(line: &[u8]) -> bool {
    [&b"Proc-Type: "[..], b"DEK-Info: ", b"Version: ", b"Comment: ", b"Key-Info: "]
        .iter()
        .any(|name| line.starts_with(name))
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=\r\n\\".contains(&byte)
}
