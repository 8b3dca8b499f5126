//! Secrets, taken out where text enters.
//!
//! Each is replaced by `[redacted:kind]`; every other byte stays. Known token shapes are found anywhere; passwords and
//! values without a shape of their own by the name before them (`DB_PASSWORD=`, `"apiKey":`, `--token`, `Cookie:`) or by the
//! place they stand in (a URL, an authorization header, a private key block).
//!
//! **Text that was cut.** A token or private key that is cut off at the end of the text is still taken out, from a few
//! characters on. One whose beginning is missing has lost what it is known by, so: redact first, cut after. For the same
//! reason a stream is redacted by the line or the whole, never by blocks of bytes; a private key block needs the whole.
//!
//! **Terminal codes.** A colour parts words and is otherwise not there: within a token, or between a name, its `=` and its
//! value. Codes inside a secret go with it, all others stay. What a code itself carries, a title or a link, is text too.
//!
//! Linear, nothing compiled at start; text without terminal codes takes one pass, and no allocation when there is nothing to
//! take out.

mod assigned;
mod coloured;
mod names;
mod placed;
mod shapes;

use crate::ansi;
use std::borrow::Cow;
use std::ops::Range;

/// `text` with `[redacted:kind]` in place of every secret.
///
/// ```
/// use failure_taxonomy::redact::redact;
/// assert_eq!(redact("postgres://ada:s3cr3t@db/app refused"), "postgres://ada:[redacted:password]@db/app refused");
/// assert_eq!(redact("commit 1a2b3c4d is fine"), "commit 1a2b3c4d is fine");
/// ```
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let secrets = match ansi::strip(bytes) {
        None => secrets(bytes, |_| false, |_| None),
        Some(plain) => coloured::secrets(bytes, &plain),
    };
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in secrets {
        // Both its ends stand beside an ASCII character or at an end of the text.
        out.push_str(&text[copied..secret.range.start]);
        out.push_str("[redacted:");
        out.push_str(secret.kind);
        out.push(']');
        copied = secret.range.end;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The value of a field of the given name, as [`redact`] would treat `name=value`: for JSON objects and environments.
///
/// ```
/// use failure_taxonomy::redact::redact_field;
/// assert_eq!(redact_field("client_secret", "a-b-c-d"), "[redacted:secret]");
/// assert_eq!(redact_field("user", "ada"), "ada");
/// ```
#[must_use]
pub fn redact_field<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
    match assigned::field(name.as_bytes(), value.as_bytes()) {
        Some(kind) => Cow::Owned(format!("[redacted:{kind}]")),
        None => redact(value),
    }
}

/// The secrets of `text` in order, none empty, none over another. A word starts after whatever is no letter or digit, and
/// where `is_parted` says so; `known` gives what is left, from a place on, of a secret that does not show in
/// `text` itself.
fn secrets(text: &[u8], is_parted: impl Fn(usize) -> bool, known: impl Fn(usize) -> Option<Secret>) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut from = 0;
    // A secret that a name or a flag announces further on; another may stand before it: `curl -u token:password`.
    let mut announced: Option<Secret> = None;
    let mut at = 0;
    while at < text.len() {
        if let Some(secret) = announced.take_if(|secret| secret.range.start <= at) {
            from = secret.range.end;
            at = from;
            found.push(secret);
            continue;
        }
        let secret = if TRIGGER[usize::from(text[at])] { secret_at(text, at, from, &is_parted) } else { None };
        match secret.or_else(|| known(at)).filter(|secret| !secret.range.is_empty()) {
            None => at += 1,
            Some(secret) if secret.range.start > at => {
                announced = Some(match announced.take() {
                    Some(other) => secret.with(other),
                    None => secret,
                });
                at += 1;
            }
            Some(secret) => {
                from = secret.range.end;
                at = from;
                found.push(secret);
                announced = announced.filter(|other| other.range.end > at).map(|other| other.after(at));
            }
        }
    }
    found
}

/// A secret's place and its kind.
struct Secret {
    range: Range<usize>,
    kind: &'static str,
}

impl Secret {
    /// The same in another text, where its place is `range`.
    fn at(&self, range: Range<usize>) -> Self {
        Self { range, kind: self.kind }
    }

    /// Both, with what stands between them: rather too much than a part of one left.
    fn with(self, other: Self) -> Self {
        let range = self.range.start.min(other.range.start)..self.range.end.max(other.range.end);
        Self { range, kind: other.kind }
    }

    /// What is left of it from `at` on.
    fn after(self, at: usize) -> Self {
        Self { range: self.range.start.max(at)..self.range.end, kind: self.kind }
    }
}

/// Bytes at which a secret, or the mark before one, can start.
static TRIGGER: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < shapes::SHAPES.len() {
        table[shapes::SHAPES[i].prefix.as_bytes()[0] as usize] = true;
        i += 1;
    }
    let marks = b":=-Bb";
    i = 0;
    while i < marks.len() {
        table[marks[i] as usize] = true;
        i += 1;
    }
    table
};

/// The secret that is known by what stands at `at`, if any; nothing before `from` may be part of it.
fn secret_at(text: &[u8], at: usize, from: usize, is_parted: impl Fn(usize) -> bool) -> Option<Secret> {
    match text[at] {
        b':' => placed::url_password(text, at).or_else(|| assigned::after_separator(text, at, from)),
        b'=' => assigned::after_separator(text, at, from),
        b'-' => placed::private_key(text, at, from).or_else(|| assigned::after_flag(text, at, from)),
        _ if at > from && text[at - 1].is_ascii_alphanumeric() && !is_parted(at) => None,
        b'B' | b'b' if text.get(at + 1).is_some_and(|b| b"aAeE".contains(b)) => {
            placed::after_scheme(text, at).or_else(|| shapes::token(text, at))
        }
        _ => shapes::token(text, at),
    }
}

/// The part of `range` that was not taken out already.
fn before_mark(text: &[u8], range: Range<usize>) -> Range<usize> {
    let mark = memchr::memmem::find(&text[range.clone()], b"[redacted:");
    range.start..mark.map_or(range.end, |n| range.start + n)
}

/// Letters and digits mixed as no word or number is.
fn looks_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    digits >= 2 && letters >= 2
}
