//! Tokens that are known by characters in their middle or at their end, and password hashes.

use super::{Secret, looks_mixed, looks_random};

/// What comes before a mark, the mark, and what comes after it; lengths in bytes.
struct Marked {
    mark: &'static [u8],
    before: std::ops::RangeInclusive<usize>,
    after: std::ops::RangeInclusive<usize>,
    kind: &'static str,
    is_part: fn(u8) -> bool,
}

fn is_azure(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_~.-".contains(&b)
}

fn is_url(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-_=".contains(&b)
}

fn is_alnum(b: u8) -> bool {
    b.is_ascii_alphanumeric()
}

fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"+/=".contains(&b)
}

const MARKED: &[Marked] = &[
    Marked { mark: b"Q~", before: 4..=4, after: 31..=34, kind: "azure-secret", is_part: is_azure },
    Marked { mark: b".atlasv1.", before: 14..=14, after: 60..=70, kind: "terraform-token", is_part: is_url },
    Marked { mark: b"T3BlbkFJ", before: 20..=80, after: 20..=80, kind: "openai-key", is_part: is_url },
    Marked { mark: b"_mmk", before: 36..=36, after: 0..=0, kind: "maxmind-key", is_part: is_url },
    Marked { mark: b"FFFFNRAL", before: 32..=32, after: 0..=0, kind: "newrelic-key", is_part: is_alnum },
    Marked { mark: b"!", before: 15..=15, after: 90..=120, kind: "salesforce-token", is_part: is_azure },
    // Microsoft's identifiable keys: DevOps, storage, batch, Cosmos DB, Redis, search, container registry, functions
    Marked { mark: b"AZDO", before: 76..=76, after: 4..=4, kind: "azure-key", is_part: is_alnum },
    Marked { mark: b"+ASt", before: 76..=76, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"+ABa", before: 76..=76, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"ACDb", before: 76..=76, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"AzCa", before: 33..=33, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"AzSe", before: 42..=42, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"+ACR", before: 42..=42, after: 6..=6, kind: "azure-key", is_part: is_base64 },
    Marked { mark: b"AzFu", before: 44..=44, after: 6..=8, kind: "azure-key", is_part: is_base64 },
];

/// Whether a mark is here: asked before looking around it.
pub(super) fn is_mark(text: &[u8]) -> bool {
    MARKED.iter().any(|row| text.starts_with(row.mark)) || text.first() == Some(&b'.')
}

/// The token around the mark at `at`.
pub(super) fn token(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let row = MARKED.iter().find(|row| text[at..].starts_with(row.mark));
    let Some(row) = row else { return discord_token(text, at, from) };
    let end = at + row.mark.len();
    let run = |part: &mut dyn Iterator<Item = &u8>, most: usize| {
        part.take(most + 1).take_while(|b| (row.is_part)(**b)).count()
    };
    let before = run(&mut text[from..at].iter().rev(), *row.before.end());
    let after = run(&mut text[end..].iter(), *row.after.end());
    // A prefix that is part of a name may come before it; a token has its length.
    let fits = if row.before.start() == row.before.end() {
        before >= *row.before.start()
    } else {
        row.before.contains(&before)
    };
    let before = before.min(*row.before.end());
    let start = at - before;
    let is_apart = start == from || !is_alnum(text[start - 1]) || before == *row.before.end();
    // Before a mark the run is cut short: what was too long for a token stays too long.
    let is_whole = !text[end + after..].starts_with(b"[redacted:");
    let secret = fits && is_apart && is_whole && row.after.contains(&after) && looks_random(&text[start..end + after]);
    secret.then_some(Secret { range: start..end + after, kind: row.kind })
}

/// `MTk4….Cl2FMQ.ZnCj…`: three parts, the first of which begins with M, N or O. `at` is the first point.
fn discord_token(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let is_part = |b: u8| is_alnum(b) || b"-_".contains(&b);
    let run = |part: &[u8], most: usize| part.iter().take(most + 1).take_while(|b| is_part(**b)).count();
    let second = run(&text[at + 1..], 6);
    if second != 6 || text.get(at + 7) != Some(&b'.') {
        return None;
    }
    let third = run(&text[at + 8..], 40);
    let first = text[from..at].iter().rev().take(27).take_while(|b| is_part(**b)).count();
    let start = at - first;
    let secret = (24..=26).contains(&first) && b"MNO".contains(&text[start]) && (27..=38).contains(&third);
    secret.then_some(Secret { range: start..at + 8 + third, kind: "discord-token" })
}

/// `123456789:AAE…`: a Telegram bot's token, whose colon is at `at`.
pub(super) fn bot_token(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    if text.get(at + 1) != Some(&b'A') {
        return None;
    }
    let digits = text[from..at].iter().rev().take(17).take_while(|b| b.is_ascii_digit()).count();
    let after = text[at + 1..].iter().take(41).take_while(|b| is_url(**b)).count();
    let start = at - digits;
    // The address of the service has `/bot` right before it.
    let is_apart = start == from || !is_alnum(text[start - 1]) || text[from..start].ends_with(b"/bot");
    ((5..=16).contains(&digits) && after == 35 && is_apart)
        .then_some(Secret { range: start..at + 36, kind: "telegram-token" })
}

/// `2/1201234567890123/1201234567890124:5f4d…`: an Asana token, whose colon is at `at`.
pub(super) fn asana_token(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let is_id = |b: &&u8| b.is_ascii_digit() || **b == b'/';
    let ids = text[from..at].iter().rev().take(50).take_while(is_id).count();
    let start = at - ids;
    let last = text[start..at].rsplit(|b| *b == b'/').next().unwrap_or_default();
    let digits = text[at + 1..].iter().take(33).take_while(|b| b.is_ascii_hexdigit()).count();
    let is_apart = start == from || !is_alnum(text[start - 1]);
    let secret = last.len() >= 15 && last.len() < ids && digits == 32 && is_apart;
    secret.then_some(Secret { range: start..at + 1 + digits, kind: "asana-token" })
}

/// `123456789012345|kq29…`: a Facebook access token, whose bar (or its escape's `%`) is at `at`.
pub(super) fn facebook_token(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let digits = text[from..at].iter().rev().take(17).take_while(|b| b.is_ascii_digit()).count();
    let after = text[at + 1..].iter().take(43).take_while(|b| is_alnum(**b) || b"-_".contains(b)).count();
    let start = at - digits;
    let is_apart = start == from || !is_alnum(text[start - 1]);
    let secret = (15..=16).contains(&digits) && is_apart && (27..=42).contains(&after);
    (secret && looks_random(&text[at + 1..at + 1 + after]))
        .then_some(Secret { range: start..at + 1 + after, kind: "facebook-token" })
}

/// 32 hexadecimal digits and `-us12`, a Mailchimp key with its data centre; `at` is the dash.
pub(super) fn mailchimp_key(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let digits = text[at..].strip_prefix(b"-us")?.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
    let before = text[from..at].iter().rev().take(33).take_while(|b| b.is_ascii_hexdigit()).count();
    let end = at + 3 + digits;
    let is_apart = text.get(end).is_none_or(|b| !is_alnum(*b));
    ((1..=2).contains(&digits) && before == 32 && is_apart)
        .then(|| Secret { range: at - 32..end, kind: "mailchimp-key" })
}

/// Password hashes as `htpasswd`, `crypt` and directories write them.
const HASHES: &[&[u8]] = &[
    b"$apr1$", b"$2a$", b"$2b$", b"$2y$", b"$1$", b"$5$", b"$6$", b"$y$", b"$argon2", b"$scrypt$", b"$pbkdf2",
    b"{SHA}", b"{SSHA}",
];

/// The password hash at `at`.
pub(super) fn password_hash(text: &[u8], at: usize) -> Option<Secret> {
    let prefix = HASHES.iter().find(|prefix| text[at..].starts_with(prefix))?;
    let body = &text[at + prefix.len()..];
    let len = body.iter().take(300).take_while(|b| b.is_ascii_alphanumeric() || b"./$+=,-".contains(b)).count();
    (len >= 20 && looks_mixed(&body[..len]))
        .then_some(Secret { range: at..at + prefix.len() + len, kind: "password-hash" })
}
