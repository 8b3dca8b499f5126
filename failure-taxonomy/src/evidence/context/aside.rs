//! Words that make a line, or the rest of it, an aside: a warning, a note, something that was tried again.
//!
//! In: a line. Out: where such words end (`aside_ends`), and whether the line reports a retry (`reports_retry`). A failure
//! in an aside counts only if nothing else explains the run. Both checks run on every line with an indicator, so words are
//! ruled out by their first letter and phrases are searched by a rare one. Add a word to `ASIDES` (and its first letter in
//! `is_aside_word`) or a phrase to `RETRIES`.

/// Words that make the rest of their line an aside.
const ASIDES: [&[u8]; 18] = [
    b"warn", b"warning", b"warnings", b"info", b"debug", b"note", b"hint", b"notice", b"retrying", b"deprecated",
    b"means", b"recovered", b"recovering", b"ignoring", b"caught", b"fix", b"fixed", b"fixes",
];

/// How far such a word reaches.
pub(super) const ASIDE_REACH_BYTES: usize = 160;

/// Where such words end on the line.
pub(super) fn aside_ends(line: &[u8]) -> Vec<usize> {
    let (mut ends, mut end) = (Vec::new(), 0);
    for word in line.split(|b| !is_part(b)) {
        end += word.len();
        if is_aside_word(word) {
            ends.push(end);
        }
        end += 1;
    }
    ends
}

/// Whether the last word of a text, which may go on behind it, is such a word.
pub(super) fn ends_in_aside_word(text: &[u8]) -> bool {
    let longest = ASIDES.iter().map(|word| word.len()).max().unwrap_or(0) + 1;
    let near = &text[text.len().saturating_sub(longest + 1)..];
    match near.iter().rposition(|b| !is_part(b)) {
        Some(at) => is_aside_word(&near[at + 1..]),
        None => near.len() == text.len() && is_aside_word(near),
    }
}

/// A part of a path or of a name is no word.
pub(super) fn is_part(byte: &u8) -> bool {
    IS_PART[usize::from(*byte)]
}

static IS_PART: [bool; 256] = {
    let (mut part, mut byte) = ([false; 256], 0);
    while byte < 256 {
        part[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'/' | b'\\' | b'.' | b'_' | b'-');
        byte += 1;
    }
    part
};

pub(super) fn is_aside_word(word: &[u8]) -> bool {
    // Most words are ruled out by their first letter.
    if !word.first().is_some_and(|first| b"wdihnrmcf".contains(&first.to_ascii_lowercase())) {
        return false;
    }
    let word = word.strip_suffix(b".").unwrap_or(word);
    word.len() >= 3 && ASIDES.iter().any(|aside| aside.len() == word.len() && aside.eq_ignore_ascii_case(word))
}

/// Words, each with the index of the letter that is looked for first.
type Words = [(&'static [u8], usize); 4];

/// What is printed about a matter that was tried again, by a rare letter of each.
pub(super) const RETRIES: [(u8, Words); 2] = [
    (b'y', [(b"retrying", 4), (b"will retry", 9), (b"retry in ", 4), (b"attempting retry", 15)]),
    (b'g', [(b"reconnecting", 11), (b"falling back", 6), (b"(ignored)", 2), (b"...ignoring", 4)]),
];

/// Whether the line shows that the matter was tried again.
pub(in crate::evidence) fn reports_retry(line: &[u8]) -> bool {
    const SCANNED_BYTES: usize = 400;
    let line = &line[..line.len().min(SCANNED_BYTES)];
    RETRIES.iter().any(|(letter, words)| {
        memchr::memchr2_iter(*letter, letter.to_ascii_uppercase(), line).any(|at| {
            words.iter().any(|(word, offset)| {
                at.checked_sub(*offset)
                    .and_then(|start| line.get(start..start + word.len()))
                    .is_some_and(|text| text.eq_ignore_ascii_case(word))
            })
        })
    })
}
