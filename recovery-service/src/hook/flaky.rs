//! Calls that failed and then passed with nothing changed between: repeating those is no loop.
//!
//! In: the task that has just worked. Out: whether a task was seen to do that lately. The names are kept in a small file of
//! the state directory, the newest last; a task that is not in it is held back like any other.

use super::state_file;
use recovery_types::Timestamp;
use std::path::Path;

const FILE: &str = "flaky.json";
/// How many tasks are remembered.
const MAX_TASKS: usize = 32;
/// For how long one that passed by itself is taken to do so again.
const FLAKY_FOR_MS: u64 = 2 * 3_600_000;

/// Remembers that `task` passed at `now` with nothing changed since it had failed.
pub(super) fn remember(state_dir: &Path, task: &str, now: Timestamp) {
    let mut seen = read(state_dir);
    seen.retain(|(name, _)| name != task);
    seen.push((task.to_owned(), now));
    let excess = seen.len().saturating_sub(MAX_TASKS);
    seen.drain(..excess);
    // Without it the call is held back once more; a hook has nowhere to report the error.
    if let Ok(text) = serde_json::to_string(&seen) {
        let _ = state_file::write(&state_dir.join(FILE), &text);
    }
}

/// Whether `task` passed by itself lately.
pub(super) fn is_flaky(state_dir: &Path, task: &str, now: Timestamp) -> bool {
    read(state_dir).iter().any(|(name, at)| name == task && now.since(*at) < FLAKY_FOR_MS)
}

fn read(state_dir: &Path) -> Vec<(String, Timestamp)> {
    let text = std::fs::read_to_string(state_dir.join(FILE)).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_remembered_for_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let at = |ms| Timestamp::from_ms(ms);
        for n in 0..40 {
            remember(dir.path(), &format!("t{n}"), at(n));
        }
        assert!(!is_flaky(dir.path(), "t7", at(50)) && is_flaky(dir.path(), "t8", at(50)));
        assert!(!is_flaky(dir.path(), "t39", at(3 * 3_600_000)));
        std::fs::write(dir.path().join(FILE), "{").unwrap();
        assert!(!is_flaky(dir.path(), "t39", at(50)));
    }
}
