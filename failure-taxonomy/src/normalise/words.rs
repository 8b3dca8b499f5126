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

/// What is counted, with its plural. Beside a count only the singular stays: `1 error` and `2 errors` are the same.
/// Sorted.
const COUNTED: &[(&[u8], &[u8])] = &[
    (b"assertion", b"assertions"),
    (b"attempt", b"attempts"),
    (b"byte", b"bytes"),
    (b"check", b"checks"),
    (b"collected", b"collected"),
    (b"commit", b"commits"),
    (b"crate", b"crates"),
    (b"deselected", b"deselected"),
    (b"error", b"errors"),
    (b"example", b"examples"),
    (b"expectation", b"expectations"),
    (b"fail", b"fails"),
    (b"failed", b"failed"),
    (b"failing", b"failing"),
    (b"failure", b"failures"),
    (b"file", b"files"),
    (b"filtered", b"filtered"),
    (b"finished", b"finished"),
    (b"fixable", b"fixable"),
    (b"ignored", b"ignored"),
    (b"issue", b"issues"),
    (b"item", b"items"),
    (b"job", b"jobs"),
    (b"line", b"lines"),
    (b"measured", b"measured"),
    (b"module", b"modules"),
    (b"object", b"objects"),
    (b"offense", b"offenses"),
    (b"package", b"packages"),
    (b"pass", b"passes"),
    (b"passed", b"passed"),
    (b"passing", b"passing"),
    (b"pending", b"pending"),
    (b"previous", b"previous"),
    (b"problem", b"problems"),
    (b"process", b"processes"),
    (b"query", b"queries"),
    (b"request", b"requests"),
    (b"retry", b"retries"),
    (b"row", b"rows"),
    (b"run", b"runs"),
    (b"skipped", b"skipped"),
    (b"snapshot", b"snapshots"),
    (b"spec", b"specs"),
    (b"step", b"steps"),
    (b"suite", b"suites"),
    (b"target", b"targets"),
    (b"task", b"tasks"),
    (b"test", b"tests"),
    (b"thread", b"threads"),
    (b"time", b"times"),
    (b"todo", b"todo"),
    (b"token", b"tokens"),
    (b"total", b"total"),
    (b"vulnerability", b"vulnerabilities"),
    (b"warning", b"warnings"),
    (b"worker", b"workers"),
    (b"xfailed", b"xfailed"),
    (b"xpassed", b"xpassed"),
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
    let word = row(word).map_or(word, |(one, _)| one);
    POINTING.iter().any(|w| word.eq_ignore_ascii_case(w))
}

pub(super) fn is_counted(word: &[u8]) -> bool {
    row(word).is_some()
}

/// The singular of a counted word.
pub(super) fn singular(word: &[u8]) -> Option<&'static [u8]> {
    // Only what is written in small letters: headings keep their case.
    let (singular, plural) = row(word)?;
    (word == *singular || word == *plural).then_some(*singular)
}

/// Whether `text`, which is right after a number, names what is counted: ` failed`, ` unit tests`.
pub(super) fn counted_next(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b" ") else { return false };
    let word_len = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let first = word_len(text);
    if row(&text[..first]).is_some() {
        return true;
    }
    // One word may occur between: `3 unit tests`, `2 other errors`.
    let Some(second) = text[first..].strip_prefix(b" ") else { return false };
    first > 0 && row(&second[..word_len(second)]).is_some_and(|(_, plural)| second.starts_with(plural))
}

fn row(word: &[u8]) -> Option<&'static (&'static [u8], &'static [u8])> {
    // Every second word is looked up: only rows with its first letter are compared.
    let letter = usize::from(word.first()?.to_ascii_lowercase().checked_sub(b'a')?);
    let rows = COUNTED.get(usize::from(*BY_LETTER.get(letter)?)..usize::from(*BY_LETTER.get(letter + 1)?))?;
    rows.iter().find(|(one, many)| word.eq_ignore_ascii_case(one) || word.eq_ignore_ascii_case(many))
}

/// Where the rows of each letter begin in [`COUNTED`], and one more for the end.
static BY_LETTER: [u8; 27] = {
    let (mut starts, mut letter, mut row) = ([0; 27], 0, 0);
    while letter < starts.len() {
        while row < COUNTED.len() && (COUNTED[row].0[0] - b'a') < letter as u8 {
            assert!(row == 0 || COUNTED[row - 1].0[0] <= COUNTED[row].0[0], "sorted");
            row += 1;
        }
        starts[letter] = row as u8;
        letter += 1;
    }
    starts
};
