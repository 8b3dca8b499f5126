//! What a CI system, a logger or a terminal puts before the content of a line: time stamps, tags, marks.
//!
//! In: a line. Out: where its content begins. Prefixes are recognised by shape, several in a row. A new CI system's
//! prefix is added here for the verdict and in `problem-matcher/src/prefixes.rs` for the problems.

/// Where the content of a line begins, after blanks, time stamps, log tags and marks.
pub(in crate::evidence) fn content_start(line: &[u8]) -> usize {
    let mut at = columns(line);
    at += service(&line[at..]);
    // Prefixes come in stacks of a few; more would not be prefixes.
    for _ in 0..8 {
        let rest = &line[at..];
        let skip = blanks(rest).max(time_stamp(rest)).max(tag(rest)).max(mark(rest)).max(logger(rest));
        if skip == 0 {
            break;
        }
        at += skip;
    }
    at
}

/// Where a line goes on after `2024-01-31T10:00:00Z `, `[10:00:00] ` or `#12 3.456 `; the blanks that indent it stay.
pub(super) fn stamp(line: &[u8]) -> usize {
    let mut at = columns(line);
    for _ in 0..3 {
        // A log within a log: `2024-01-31T10:00:00Z  2024-01-31 10:00:00.123 UTC [7] `.
        let apart = blanks(&line[at..]);
        at += if at > 0 && time_stamp(&line[at + apart..]) > 0 { apart } else { 0 };
        let rest = &line[at..];
        let bracketed = rest.strip_prefix(b"[").map_or(0, time_stamp);
        let step = if rest.starts_with(b"#") && !rest.starts_with(b"##") { tag(rest) } else { 0 };
        let skip = match rest.get(bracketed + 1) {
            Some(b']') if bracketed > 0 => bracketed + 2,
            _ => time_stamp(rest).max(step),
        };
        if skip == 0 {
            break;
        }
        at += skip;
        at += usize::from(line.get(at) == Some(&b' '));
    }
    at
}

/// `job<tab>step<tab>2024-01-31T10:00:00Z `, as `gh run view --log` prints.
pub(super) fn columns(line: &[u8]) -> usize {
    const SCANNED_BYTES: usize = 240;
    let mut tabs = memchr::memchr_iter(b'\t', &line[..line.len().min(SCANNED_BYTES)]);
    let Some(stamp) = tabs.nth(1).map(|tab| tab + 1) else { return 0 };
    if time_stamp(&line[stamp..]) > 0 { stamp } else { 0 }
}

pub(super) fn blanks(text: &[u8]) -> usize {
    text.iter().position(|b| !matches!(b, b' ' | b'\t' | 0x08)).unwrap_or(text.len())
}

/// `2024-01-31T10:00:00.123Z`, `2024/01/31 10:00:00`, `10:00:00,123`.
pub(super) fn time_stamp(text: &[u8]) -> usize {
    let shape = |from: usize, shape: &[u8]| {
        text.len() >= from + shape.len()
            && shape.iter().zip(&text[from..]).all(|(s, b)| match s {
                b'0' => b.is_ascii_digit(),
                b'-' => matches!(b, b'-' | b'/'),
                b'T' => matches!(b, b'T' | b' '),
                _ => s == b,
            })
    };
    let clock = if shape(0, b"0000-00-00T00:00:00") {
        19
    } else if shape(0, b"00:00:00") {
        8
    } else {
        return 0;
    };
    let rest = &text[clock..];
    clock + rest.iter().position(|b| !matches!(b, b'0'..=b'9' | b'.' | b',' | b'Z' | b'+')).unwrap_or(rest.len())
}

/// `[INFO]`, `[exec]`, `[12:33:44]`, `##[error]`, `#12 3.456`, `23>`.
fn tag(text: &[u8]) -> usize {
    const MAX_PREFIX_BYTES: usize = 40;
    let hashes = text.iter().take(2).take_while(|b| **b == b'#').count();
    if text.get(hashes) == Some(&b'[') {
        let inside = &text[hashes + 1..];
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b" :.+-_".contains(b);
        let end = inside.iter().take(MAX_PREFIX_BYTES).position(|b| !plain(b));
        // A tag that has its line to itself is the content of the line.
        let is_tag = |end: &usize| inside[*end] == b']' && !inside[*end + 1..].trim_ascii().is_empty();
        return end.filter(is_tag).map_or(0, |end| hashes + 1 + end + 1);
    }
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if hashes == 1 && digits(1) > 0 {
        let number = 1 + digits(1);
        if text.get(number) != Some(&b' ') {
            return 0;
        }
        let whole = digits(number + 1);
        let decimal = whole > 0 && text.get(number + 1 + whole) == Some(&b'.');
        return if decimal { number + 2 + whole + digits(number + 2 + whole) } else { number + 1 };
    }
    match digits(0) {
        0 => 0,
        n if text.get(n) == Some(&b'>') => n + 1,
        _ => 0,
    }
}

/// `web-1  | ` of docker compose, `Step #0: ` of Cloud Build: which part of a whole printed it.
fn service(text: &[u8]) -> usize {
    const MAX_PREFIX_BYTES: usize = 40;
    let step = text.strip_prefix(b"Step #").map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
    if step > 0 && text[6 + step..].starts_with(b": ") {
        return 6 + step + 2;
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let name = text.iter().take(MAX_PREFIX_BYTES).take_while(|b| is_name(b)).count();
    let pad = blanks(&text[name..]);
    // A number before a bar is the number of a quoted line.
    let named = text[..name].iter().any(u8::is_ascii_alphabetic);
    if named && pad > 0 && text[name + pad..].starts_with(b"| ") { name + pad + 2 } else { 0 }
}

/// `FATA[0007] ` (logrus), `E1116 02:54:13.842838   31941 memcache.go:265] ` (klog), `level=error msg="` (logfmt).
fn logger(text: &[u8]) -> usize {
    const MAX_PREFIX_BYTES: usize = 80;
    let head = &text[..text.len().min(MAX_PREFIX_BYTES)];
    let shape = |shape: &[u8]| {
        head.len() >= shape.len()
            && shape.iter().zip(head).all(|(s, b)| match s {
                b'A' => b.is_ascii_uppercase(),
                b'0' => b.is_ascii_digit(),
                _ => s == b,
            })
    };
    if shape(b"AAAA[0000]") {
        return 10;
    }
    if shape(b"A0000 00:00:00.") {
        return memchr::memmem::find(head, b"] ").map_or(0, |at| at + 2);
    }
    if head.starts_with(b"time=") || head.starts_with(b"level=") {
        let message = memchr::memmem::find(head, b" msg=").map_or(0, |at| at + 5);
        return if message > 0 && head.get(message) == Some(&b'"') { message + 1 } else { message };
    }
    0
}

/// A mark that sets a line off: `> `, `| `, `E   ` (pytest), `remote: ` (git), a symbol or box character.
fn mark(text: &[u8]) -> usize {
    for mark in [&b"> "[..], b"| ", b"* ", b"E   ", b"remote: ", b"stderr: ", b"::error::"] {
        if text.starts_with(mark) {
            return mark.len();
        }
    }
    let symbol = text.iter().take_while(|b| !b.is_ascii()).count();
    if (1..=6).contains(&symbol) && text.get(symbol).is_none_or(|b| *b == b' ') { symbol } else { 0 }
}
