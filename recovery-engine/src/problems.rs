//! How many problems some output shows, and how far the action got, so that fewer or further than before counts as progress.
//!
//! In: an output. Out: the number in its last summary line (`3 failed`, `found 12 errors`), or none; and the last share
//! (`imported 400/2000 rows`, `60%`), or none. An agent that fixes one of twelve errors runs the same command again and is
//! not in a loop, and neither is one that resumes a download; fingerprints fold both numbers, so they are compared from
//! attempt to attempt. Only a number before one of a few words counts: a wrong number would hide a loop.

/// Words after a number that count problems.
const COUNTED: [&str; 6] = ["failed", "failure", "failures", "error", "errors", "failing"];

/// How many lines at the end of the output are searched.
const SEARCHED_LINES: usize = 40;

/// The number in the last summary such as `3 failed` or `found 12 errors`.
pub(crate) fn problems(text: &str) -> Option<u32> {
    text.lines().rev().take(SEARCHED_LINES).find_map(|line| {
        let words: Vec<&str> = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
        words.windows(2).find_map(|pair| {
            let counts = COUNTED.iter().any(|word| pair[1].eq_ignore_ascii_case(word));
            pair[0].parse::<u32>().ok().filter(|n| counts && *n > 0)
        })
    })
}

/// How far the action got, in millionths: the last `400/2000`, `3 of 50` or `60%`.
pub(crate) fn progress(text: &str) -> Option<u32> {
    text.lines().rev().take(SEARCHED_LINES).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().map(|word| word.trim_matches(PUNCTUATION)).collect();
        (0..words.len()).rev().find_map(|at| share(&words, at))
    })
}

const PUNCTUATION: [char; 9] = ['(', ')', '[', ']', ',', ';', ':', '.', '='];

fn share(words: &[&str], at: usize) -> Option<u32> {
    let (done, all) = match words[at] {
        "of" => (*words.get(at.checked_sub(1)?)?, *words.get(at + 1)?),
        // What `time` prints is no progress.
        _ if words.get(at + 1) == Some(&"cpu") => return None,
        word => match word.split_once('%') {
            Some((percent, _)) => (percent.split('.').next()?, "100"),
            None => word.split_once('/')?,
        },
    };
    let (done, all) = (done.parse::<u64>().ok()?, all.parse::<u64>().ok().filter(|all| *all > 1)?);
    u32::try_from(done.checked_mul(1_000_000)? / all).ok().filter(|share| *share <= 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::{problems, progress};

    #[test]
    fn the_last_share_counts() {
        assert_eq!(progress("imported 100/2000 rows\nimported 400/2000 rows\nError at row 400"), Some(200_000));
        assert_eq!(progress("processed 3 of 50 batches."), Some(60_000));
        assert_eq!(progress("  45.3% 10MB 2MB/s"), Some(450_000));
        for other in ["src/a/b.rs", "2026/11", "0.1s user 98% cpu", "1/1", "of", "a of b", "18446744073709551615/3"] {
            assert_eq!(progress(other), None, "{other}");
        }
    }

    #[test]
    fn the_last_summary_counts() {
        assert_eq!(problems("1 failed\ntest result: FAILED. 10 passed; 3 failed; 0 ignored"), Some(3));
        assert_eq!(problems("error: could not compile `x` due to 2 previous errors"), None);
        assert_eq!(problems("Found 12 errors in 3 files"), Some(12));
        assert_eq!(problems("0 failed"), None);
        assert_eq!(problems("99999999999999 errors"), None);
    }
}
