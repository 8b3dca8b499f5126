//! Words beside a number that decide whether the number stays.
//!
//! `ERROR_NUMBER` words keep it (`exit code 2`), `POINTING` words fold it (`line 12`), and `COUNTED` words fold
//! it and become singular (`2 errors`), so that one failure more or less gives the same fingerprint. `PROGRESS` lines
//! are left out altogether.

/// After these a number identifies the error, and stays.
pub(super) const ERROR_NUMBER: &[&[u8]] = &[
    b"status", b"code", b"errno", b"error", b"err", b"exit", b"exited", b"exitcode", b"exit_code", b"http", b"signal",
    b"hresult", b"statuscode", b"status_code", b"returned", b"errcode", b"sqlstate",
];

/// After these a number is a place, a process or a try.
const POINTING: &[&[u8]] = &[
    b"line", b"lines", b"column", b"col", b"char", b"character", b"position", b"offset", b"row", b"byte", b"ln",
    b"pid", b"ppid", b"tid", b"process", b"thread", b"goroutine", b"worker", b"port", b"attempt", b"attempts",
    b"retry", b"retries", b"try", b"job", b"step", b"iteration", b"seed", b"shard", b"gw", b"fd", b"index", b"took",
    b"elapsed", b"of",
];

/// What is counted. Beside a count only the singular stays: `1 error` and `2 errors` are the same. Sorted.
const COUNTED: &[&str] = &[
    "assertion", "attempt", "byte", "check", "commit", "crate", "error", "example", "expectation", "fail", "failure",
    "file", "issue", "item", "job", "line", "module", "object", "offense", "package", "problem", "request", "row",
    "run", "snapshot", "spec", "step", "suite", "target", "task", "test", "thread", "time", "token", "warning",
    "worker",
];

/// What is counted and has another plural than with `s`.
const IRREGULAR: &[(&str, &str)] = &[
    ("pass", "passes"),
    ("process", "processes"),
    ("query", "queries"),
    ("retry", "retries"),
    ("vulnerability", "vulnerabilities"),
];

/// What is counted and has no plural. Sorted.
const INVARIABLE: &[&str] = &[
    "collected", "deselected", "failed", "failing", "filtered", "finished", "fixable", "ignored", "measured", "passed",
    "passing", "pending", "previous", "skipped", "todo", "total", "xfailed", "xpassed",
];

/// How progress lines begin: a second run finds it done, or waits for no lock.
const PROGRESS: &[&[u8]] = &[
    b"Blocking waiting for file lock",
    b"Collecting ",
    b"Compiling ",
    b"Checking ",
    b"Downloaded ",
    b"Downloading ",
    b"Fresh ",
    b"Installing collected packages",
    b"Locking ",
    b"Requirement already satisfied",
    b"Updating ",
    b"Using cached ",
];

/// Whether a line only reports progress.
pub(super) fn is_progress(line: &[u8]) -> bool {
    let contains = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    PROGRESS.iter().any(|begin| line.starts_with(begin)) && !contains(b"rror") && !contains(b"ail")
}

pub(super) fn is_pointing(word: &[u8]) -> bool {
    // `bytes` points where `byte` does: folding may make the one of the other.
    let word = Counted::of(word).map_or(word, |counted| counted.singular.as_bytes());
    POINTING.iter().any(|w| word.eq_ignore_ascii_case(w))
}

pub(super) fn is_counted(word: &[u8]) -> bool {
    Counted::of(word).is_some()
}

/// The singular of a counted word.
pub(super) fn singular(word: &[u8]) -> Option<&'static [u8]> {
    // Only what is written in small letters: headings keep their case.
    let counted = Counted::of(word).filter(|_| word.iter().all(u8::is_ascii_lowercase))?;
    Some(counted.singular.as_bytes())
}

/// Whether `text`, which is right after a number, names what is counted: ` failed`, ` unit tests`.
pub(super) fn counted_next(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b" ") else { return false };
    let word_len = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let first = word_len(text);
    if is_counted(&text[..first]) {
        return true;
    }
    // One word may occur between: `3 unit tests`, `2 other errors`.
    let Some(second) = text[first..].strip_prefix(b" ") else { return false };
    let second = &second[..word_len(second)];
    first > 0 && second.iter().all(u8::is_ascii_lowercase) && Counted::of(second).is_some_and(|word| word.is_plural)
}

/// A counted word.
struct Counted {
    singular: &'static str,
    is_plural: bool,
}

impl Counted {
    /// The word in either number and case, or nothing where it is not counted. Every second word is looked up.
    fn of(word: &[u8]) -> Option<Self> {
        const LONGEST: usize = 16;
        let mut small = [0; LONGEST];
        let small = small.get_mut(..word.len())?;
        small.copy_from_slice(word);
        small.make_ascii_lowercase();
        let small = str::from_utf8(small).ok()?;
        let among = |words: &'static [&str], word: &str| Some(words[words.binary_search(&word).ok()?]);
        if let Some(singular) = among(COUNTED, small) {
            return Some(Self { singular, is_plural: false });
        }
        if let Some(singular) = small.strip_suffix('s').and_then(|word| among(COUNTED, word)) {
            return Some(Self { singular, is_plural: true });
        }
        if let Some(singular) = among(INVARIABLE, small) {
            return Some(Self { singular, is_plural: true });
        }
        let (singular, many) = IRREGULAR.iter().find(|(one, many)| small == *one || small == *many)?;
        Some(Self { singular, is_plural: small == *many })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_plurals_are_found() {
        assert!(COUNTED.is_sorted() && INVARIABLE.is_sorted());
        for (word, singular_form) in [("errors", "error"), ("queries", "query"), ("failed", "failed"), ("pass", "pass")]
        {
            assert_eq!(singular(word.as_bytes()), Some(singular_form.as_bytes()), "{word}");
        }
        assert_eq!(singular(b"Errors"), None, "a heading keeps its case");
        assert!(is_counted(b"ERRORS") && !is_counted(b"passs") && !is_counted(b"passeds"));
    }
}
