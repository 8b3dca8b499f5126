//! The part of an output that stays the same from run to run, and its fingerprint.
//!
//! No tool prints the same bytes twice: times, durations, addresses, ids, ports, temporary paths, line numbers, counts and
//! colours differ. They are folded into `<n>` and `<tmp>`; words, names, error codes (`E0308`, `ORA-01017`), HTTP statuses,
//! exit codes, versions and small values (`assert 3 == 4`) stay, so that different failures differ.
//!
//! Progress lines of builds and installers are removed too: a second run has less to do and prints fewer of them.
//!
//! Folding works line by line with one hand-written lexer: linear, nothing compiled at start.

mod fold;
mod number;
mod shown;
mod words;

pub use recovery_types::ansi::strip_ansi;
use recovery_types::digest::sha256_hex;

/// How much normalised text a fingerprint covers: the last lines of it that fit.
pub const FINGERPRINT_BYTES: usize = 64 * 1024;
/// How much raw text is looked at for it.
const FINGERPRINT_RAW_BYTES: usize = 4 * 1024 * 1024;

/// `text` without what changes from run to run. Blank lines go, and so do repetitions of the line before;
/// of a line no more than 16 KiB stay.
///
/// ```
/// use failure_taxonomy::normalise::normalise;
/// let first = "\x1b[31mFAILED\x1b[0m src/a.rs:12:5 after 1.31s (pid 4711)";
/// let second = "FAILED src/a.rs:140:9 after 2m 3s (pid 99)";
/// assert_eq!(normalise(first), "FAILED src/a.rs:<n> after <n> (pid <n>)");
/// assert_eq!(normalise(first), normalise(second));
/// ```
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len().min(FINGERPRINT_BYTES));
    let mut previous = 0..0;
    for line in text.as_bytes().split(|&b| b == b'\n') {
        let start = out.len();
        fold_line(line, &mut out);
        if start == out.len() || out[start..] == out[previous.clone()] {
            out.truncate(start);
        } else {
            previous = start..out.len();
            out.push(b'\n');
        }
    }
    out.pop();
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// SHA-256, in hex, of what [`normalise`] leaves of `text`.
///
/// A huge log costs a bounded amount: lines are taken from the end until [`FINGERPRINT_BYTES`] of normalised text are
/// together (at most 4 MiB of raw text). The bound counts normalised bytes, so that a time that is printed a digit longer
/// does not move it.
///
/// ```
/// use failure_taxonomy::normalise::fingerprint;
/// assert_eq!(fingerprint(b"error after 10 ms"), fingerprint(b"error after 2.5 s"));
/// assert_ne!(fingerprint(b"error: no such table"), fingerprint(b"error: no such column"));
/// ```
#[must_use]
pub fn fingerprint(text: &[u8]) -> String {
    let text = &text[text.len().saturating_sub(FINGERPRINT_RAW_BYTES)..];
    // Folded lines are in `folded` last line first, one after the other; `lines` has their positions.
    let mut folded = Vec::new();
    let mut lines: Vec<std::ops::Range<usize>> = Vec::new();
    for line in text.rsplit(|&b| b == b'\n') {
        let start = folded.len();
        fold_line(line, &mut folded);
        let below = lines.last().cloned().unwrap_or(0..0);
        if folded.len() + lines.len() > FINGERPRINT_BYTES && !lines.is_empty() {
            break;
        }
        if start == folded.len() || folded[start..] == folded[below] {
            folded.truncate(start);
        } else {
            lines.push(start..folded.len());
        }
    }
    let lines: Vec<&[u8]> = lines.into_iter().rev().map(|line| &folded[line]).collect();
    sha256_hex(&lines.join(&b'\n'))
}

fn fold_line(line: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    fold::fold(&shown::shown(line), out);
    if words::is_progress(&out[start..]) {
        out.truncate(start);
    }
}
