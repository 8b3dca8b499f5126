//! Removes secrets from text before it is stored, shown or sent.
//!
//! In: text of any kind, such as the output of a failed command. Out: the same text with `[redacted:kind]` in place of each
//! secret; every other byte stays. No clock, no files, no regular expressions to compile: one linear pass, and no allocation
//! where there is nothing to take out.
//!
//! ```
//! use recovery_redact::redact;
//! assert_eq!(redact("postgres://ada:s3cr3t@db/app refused"), "postgres://ada:[redacted:password]@db/app refused");
//! assert_eq!(redact("commit 1a2b3c4d is fine"), "commit 1a2b3c4d is fine");
//! ```
//!
//! | module | knows a secret by |
//! |---|---|
//! | `shapes` | its prefix and characters: tokens in published formats |
//! | `marked` | characters in its middle: Azure, Terraform, OpenAI, password hashes |
//! | `assigned`, `names` | the name before it: `DB_PASSWORD=`, `"apiKey":`, `--token`, `Cookie:` |
//! | `commands` | the program it is given to: `mysql -p`, `htpasswd -b`, `echo x \| sudo -S` |
//! | `placed` | its place: a URL, an authorization header, a private key, an XML element, SQL, `.netrc`, `.pgpass` |
//! | `kubernetes` | the `data` of a `Secret` around it |
//! | `coloured`, `escaped`, `prefixed` | the text below terminal codes, escapes and what loggers put before each line |
//!
//! **Redact first, then cut, quote and name.** A secret whose beginning is missing has lost what it is known by. For a
//! command given as words use [`redact_words`], for the value of a named field [`redact_field`]; both see what quoting
//! would hide. A token or private key that is cut off at the end of the text is still taken out.
//!
//! **Terminal codes.** A colour separates words and is otherwise ignored: within a token, or between a name, its `=` and its
//! value. Codes inside a secret go with it, all others stay. What a code itself carries, a title or a link, is text too.

mod assigned;
mod coloured;
mod commands;
mod escaped;
mod kubernetes;
mod marked;
mod names;
mod placed;
mod prefixed;
mod shapes;

use recovery_types::ansi;

pub use shapes::{SOURCES, Source};

use std::borrow::Cow;
use std::ops::Range;

/// `text` with `[redacted:kind]` in place of every secret.
///
/// ```
/// use recovery_redact::redact;
/// assert_eq!(redact("postgres://ada:s3cr3t@db/app refused"), "postgres://ada:[redacted:password]@db/app refused");
/// assert_eq!(redact("commit 1a2b3c4d is fine"), "commit 1a2b3c4d is fine");
/// ```
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut out = replaced(text, &all_secrets(text.as_bytes(), 0));
    // What is left beside a mark may be a secret itself now: the value of `token:"x-----BEGIN RSA PRIVATE KEY-----` has no end
    // before the key is taken out.
    for _ in 1..MAX_PASSES {
        let secrets = match &out {
            Cow::Borrowed(_) => break,
            Cow::Owned(once) => all_secrets(once.as_bytes(), 0),
        };
        if secrets.is_empty() {
            break;
        }
        out = Cow::Owned(replaced(&out, &secrets).into_owned());
    }
    out
}

/// A bound for the work on a text that a mark always changes again; none is known.
const MAX_PASSES: usize = 4;

/// The words of a command without their secrets, each as [`redact`] would treat it in the command's line. Quote them after:
/// quoting hides what a secret is known by.
///
/// ```
/// use recovery_redact::redact_words;
/// let words = ["sh", "-c", "deploy --password='s3cr3t x'"];
/// assert_eq!(redact_words(&words), ["sh", "-c", "deploy --password='[redacted:password]'"]);
/// assert_eq!(redact_words(&["mysql", "-u", "root", "--password", "a b"])[4], "[redacted:password]");
/// ```
#[must_use]
pub fn redact_words<S: AsRef<str>>(words: &[S]) -> Vec<String> {
    // A word with spaces in it is one value: a secret in it may not end at the space.
    let line: Vec<String> = words.iter().map(|word| word.as_ref().to_owned()).collect();
    let joined = line.join(" ");
    let secrets = all_secrets(joined.as_bytes(), 0);
    let mut start = 0;
    let mut flag: Option<&str> = None;
    let mut out = Vec::with_capacity(line.len());
    for word in &line {
        let end = start + word.len();
        let within = secrets.iter().filter(|secret| secret.range.start < end && secret.range.end > start);
        let within: Vec<Secret> = within
            .map(|secret| secret.at(secret.range.start.max(start) - start..secret.range.end.min(end) - start))
            .collect();
        let named = flag.map(|name| redact_field(name, word));
        out.push(match named {
            // The flag before it names it: all of it is the value.
            Some(Cow::Owned(value)) if value.starts_with("[redacted:") => value,
            _ => replaced(word, &within).into_owned(),
        });
        flag = word.strip_prefix("--").filter(|name| !name.contains('='));
        start = end + 1;
    }
    out
}

/// What every mark begins with.
const MARK: &[u8] = b"[redacted:";

/// The secrets of `text`, which is the text that `depth` levels of escapes stood for.
fn all_secrets(text: &[u8], depth: usize) -> Vec<Secret> {
    let mut found = match ansi::strip(text) {
        None => secrets(text, |_| false, |_| None),
        Some(plain) => coloured::secrets(text, &plain),
    };
    if let Some(plain) = prefixed::strip(text) {
        found = with_view(found, &plain, secrets(&plain.text, |_| false, |_| None));
    }
    if depth < escaped::MAX_DEPTH {
        for plain in [escaped::unescape(text), escaped::unescape_url(text)].into_iter().flatten() {
            let below = all_secrets(&plain.text, depth + 1);
            found = with_view(found, &plain, below);
        }
    }
    around_marks(text, found)
}

/// `found` and what was found in another view of the text.
fn with_view(mut found: Vec<Secret>, view: &escaped::Unescaped, below: Vec<Secret>) -> Vec<Secret> {
    found.extend(below.iter().map(|s| s.at(view.origin(s.range.start)..view.origin(s.range.end))));
    apart(found)
}

/// `found` with no end of a secret within a mark that `text` already has: a terminal code or an escape may hide where the mark begins.
fn around_marks(text: &[u8], mut found: Vec<Secret>) -> Vec<Secret> {
    let mut next = 0;
    for start in memchr::memmem::find_iter(text, MARK) {
        let kind = &text[start + MARK.len()..];
        let end = start + MARK.len() + kind.iter().take_while(|b| b.is_ascii_lowercase() || **b == b'-').count();
        if text.get(end) != Some(&b']') {
            continue;
        }
        let end = end + 1;
        next += found[next..].iter().take_while(|secret| secret.range.end <= start).count();
        for secret in found[next..].iter_mut().take_while(|secret| secret.range.start < end) {
            let range = &mut secret.range;
            if (start + 1..end).contains(&range.start) {
                range.start = end;
            }
            if (start + 1..end).contains(&range.end) {
                range.end = start;
            }
        }
    }
    found.retain(|secret| secret.range.start < secret.range.end);
    found
}

/// `found` in order, what overlaps as one; the longer of two that start together names the kind.
fn apart(mut found: Vec<Secret>) -> Vec<Secret> {
    found.sort_by_key(|secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    found.dedup_by(|next, last| {
        let overlaps = next.range.start < last.range.end;
        if overlaps {
            last.range.end = last.range.end.max(next.range.end);
        }
        overlaps
    });
    found
}

/// `text` with a mark in place of each of `secrets`, which are in order and apart.
fn replaced<'a>(text: &'a str, secrets: &[Secret]) -> Cow<'a, str> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for secret in secrets {
        // Both its ends are next to an ASCII character or at an end of the text.
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
/// use recovery_redact::redact_field;
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
/// where `is_parted` returns true; `known` gives what is left, from a place on, of a secret that does not show in
/// `text` itself.
fn secrets(text: &[u8], is_parted: impl Fn(usize) -> bool, known: impl Fn(usize) -> Option<Secret>) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut from = 0;
    // A secret that a name or a flag announces further on; another may occur before it: `curl -u token:password`.
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

    /// Both, with the text between them: rather too much than a part of one left.
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
    let marks = b":=-Bb<$Q.TPpIi_{@|%vmhonS(,A+!F";
    i = 0;
    while i < marks.len() {
        table[marks[i] as usize] = true;
        i += 1;
    }
    table
};

/// The secret that is recognised by the text at `at`, if any; nothing before `from` may be part of it.
fn secret_at(text: &[u8], at: usize, from: usize, is_parted: impl Fn(usize) -> bool) -> Option<Secret> {
    match text[at] {
        b':' => placed::url_password(text, at)
            .or_else(|| placed::pgpass(text, at, from))
            .or_else(|| marked::bot_token(text, at, from))
            .or_else(|| marked::asana_token(text, at, from))
            .or_else(|| commands::after_slash_flag(text, at))
            .or_else(|| assigned::after_separator(text, at, from)),
        b'=' => assigned::after_separator(text, at, from),
        b'<' => placed::xml_element(text, at).or_else(|| commands::here_string(text, at)),
        b'$' | b'{' => marked::password_hash(text, at),
        b'Q' | b'.' | b'T' | b'_' | b'A' | b'+' | b'!' | b'F' if marked::is_mark(&text[at..]) => {
            marked::token(text, at, from)
        }
        b'@' => placed::go_dsn(text, at, from).or_else(|| placed::oracle_dsn(text, at, from)),
        b',' => assigned::in_pair(text, at, from),
        b'(' => assigned::in_call(text, at, from),
        b'|' | b'%' => marked::facebook_token(text, at, from)
            .or_else(|| assigned::in_table(text, at, from))
            .or_else(|| if text[at] == b'|' { commands::piped(text, at, from) } else { None }),
        b'-' => placed::private_key(text, at, from)
            .or_else(|| marked::mailchimp_key(text, at, from))
            .or_else(|| assigned::after_flag(text, at, from))
            .or_else(|| assigned::after_arrow(text, at, from)),
        _ if at > from && text[at - 1].is_ascii_alphanumeric() && !is_parted(at) => None,
        b'B' | b'b' if text.get(at + 1).is_some_and(|b| b"aAeE".contains(b)) => {
            placed::after_scheme(text, at).or_else(|| shapes::token(text, at))
        }
        b'b' if text[at..].starts_with(b"bindpw ") => assigned::after_setter(text, at),
        b's' | b'E' | b'c' | b'C' | b'S' | b'r' | b'm' | b'v' | b't' | b'h' | b'o' | b'n' => {
            assigned::after_setter(text, at)
                .or_else(|| commands::argument(text, at))
                .or_else(|| shapes::token(text, at))
        }
        b'P' | b'p' | b'I' | b'i' => placed::after_word(text, at).or_else(|| shapes::token(text, at)),
        _ => shapes::token(text, at),
    }
}

/// The part of `range` that was not taken out already.
fn before_mark(text: &[u8], range: Range<usize>) -> Range<usize> {
    let mark = memchr::memmem::find(&text[range.clone()], MARK);
    range.start..mark.map_or(range.end, |n| range.start + n)
}

/// As [`looks_random`], or with capitals and small letters mixed as in no name: for what a prefix already speaks for.
fn looks_mixed(value: &[u8]) -> bool {
    let class = |b: &u8| (b.is_ascii_uppercase(), b.is_ascii_digit());
    let changes = value.windows(2).filter(|pair| class(&pair[0]) != class(&pair[1])).count();
    looks_random(value) || value.len() >= 16 && 2 * changes >= value.len()
}

/// Letters and digits mixed as no word or number is.
fn looks_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    digits >= 2 && letters >= 2
}
