//! How many problems some output shows, so that fewer than before counts as progress.
//!
//! In: an output. Out: the number in its last summary line (`3 failed`, `found 12 errors`), or none. An agent that fixes one
//! of twelve errors runs the same command again and is not in a loop; the loop detector compares this number from attempt to
//! attempt. Only a number before one of a few words counts: a wrong number would hide a loop.

/// Words after a number that count problems.
const COUNTED: [&str; 6] = ["failed", "failure", "failures", "error", "errors", "failing"];

/// The number in the last summary such as `3 failed` or `found 12 errors`.
pub(crate) fn problems(text: &str) -> Option<u32> {
    text.lines().rev().take(40).find_map(|line| {
        let words: Vec<&str> = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
        words.windows(2).find_map(|pair| {
            let counts = COUNTED.iter().any(|word| pair[1].eq_ignore_ascii_case(word));
            pair[0].parse::<u32>().ok().filter(|n| counts && *n > 0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::problems;

    #[test]
    fn the_last_summary_counts() {
        assert_eq!(problems("1 failed\ntest result: FAILED. 10 passed; 3 failed; 0 ignored"), Some(3));
        assert_eq!(problems("error: could not compile `x` due to 2 previous errors"), None);
        assert_eq!(problems("Found 12 errors in 3 files"), Some(12));
        assert_eq!(problems("0 failed"), None);
        assert_eq!(problems("99999999999999 errors"), None);
    }
}
