//! Calls that work, again and again, with the same result: a loop that no failure shows. Advice only, nothing is held back.
//!
//! Successes are not worth a record each, so the last one is kept in a small file of the state directory, with its count. Any
//! other call starts the count anew, and so does a pause: a check every hour is intended.

use super::state_file;
use recovery_engine::action_fingerprint;
use recovery_types::Timestamp;
use recovery_types::digest::sha256_hex;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "repeated.json";
/// Calls further apart than this are no loop.
const WITHIN_MS: u64 = 30 * 60_000;

#[derive(Serialize, Deserialize)]
struct Last {
    call: String,
    times: u32,
    at: Timestamp,
}

/// How often this call gave this result in a row, this time included. Nothing is counted where no state is kept.
pub(super) fn count(state_dir: &Path, session: &str, tool: &str, action: &str, output: &str, now: Timestamp) -> u32 {
    if !state_dir.is_dir() {
        return 0;
    }
    let path = state_dir.join(FILE);
    let call = sha256_hex(format!("{session}\n{}\n{output}", action_fingerprint(Some(tool), action)).as_bytes());
    let last = std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<Last>(&text).ok());
    let times = last.filter(|last| last.call == call && now.since(last.at) < WITHIN_MS).map_or(0, |last| last.times);
    let last = Last { call, times: times.saturating_add(1), at: now };
    // Without the count there is no advice, and a hook has no way to report the error.
    if let Ok(text) = serde_json::to_string(&last) {
        let _ = state_file::write(&path, &text);
    }
    last.times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_call_with_the_same_result_in_a_row_counts() {
        let dir = tempfile::tempdir().unwrap();
        let at = |ms| Timestamp::from_ms(ms);
        let list = |output: &str, now| count(dir.path(), "s", "Bash", "ls", output, at(now));
        assert_eq!([list("a", 0), list("a", 1000), list("a", 2000)], [1, 2, 3]);
        assert_eq!(list("b", 3000), 1, "another result");
        assert_eq!(count(dir.path(), "s", "Bash", "pwd", "b", at(4000)), 1, "another call");
        assert_eq!([list("a", 5000), list("a", 5000 + 31 * 60_000)], [1, 1], "a pause");
        assert_eq!(count(&dir.path().join("none"), "s", "Bash", "ls", "a", at(0)), 0);
    }
}
