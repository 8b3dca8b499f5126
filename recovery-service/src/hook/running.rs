//! Calls that have begun and whose end nobody has reported: a command in the background, one that Codex has let go on, one
//! that a person did not allow, a patch that a client does not report. Whatever they may do, nothing is held back meanwhile.
//!
//! In: a call before and after it runs. Out: whether another one is under way. They are kept in a small file of the state
//! directory and forgotten after a while, because most servers run until the session ends.

use super::world::write_private;
use recovery_agents::Call;
use recovery_engine::action_fingerprint;
use recovery_types::Timestamp;
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "running.json";
/// How many calls are remembered.
const REMEMBERED: usize = 32;
/// For how long a call without a reported end is taken to go on.
const RUNNING_FOR_MS: u64 = 10 * 60_000;

#[derive(Serialize, Deserialize)]
struct Running {
    caller: String,
    id: Option<String>,
    action: String,
    at: Timestamp,
}

impl Running {
    /// A hook of somebody else may have rewritten the action since, and not every client gives its calls an id.
    fn is(&self, other: &Self) -> bool {
        let has_same_id = self.id.is_some() && self.id == other.id;
        self.caller == other.caller && (has_same_id || self.action == other.action)
    }
}

/// Remembers that `call` has begun. Nothing depends on it where nothing ever failed.
pub(super) fn started(state_dir: &Path, caller: &str, call: &Call, now: Timestamp) {
    if state_dir.is_dir() {
        change(state_dir, caller, call, now, true);
    }
}

/// Forgets `call`, which has ended.
pub(super) fn ended(state_dir: &Path, caller: &str, call: &Call, now: Timestamp) {
    if state_dir.join(FILE).is_file() {
        change(state_dir, caller, call, now, false);
    }
}

/// Whether a call may still be under way.
pub(super) fn is_any(state_dir: &Path, now: Timestamp) -> bool {
    read(state_dir).iter().any(|running| is_recent(running, now))
}

fn change(state_dir: &Path, caller: &str, call: &Call, now: Timestamp, begins: bool) {
    let action = action_fingerprint(Some(&call.tool), &call.action);
    let this = Running { caller: caller.to_owned(), id: call.id.clone(), action, at: now };
    let mut running = read(state_dir);
    let before = running.len();
    running.retain(|other| is_recent(other, now) && !other.is(&this));
    if !begins && running.len() == before {
        return;
    }
    running.extend(begins.then_some(this));
    let excess = running.len().saturating_sub(REMEMBERED);
    running.drain(..excess);
    // Without it a call may be held back too early or too late; a hook has nowhere to report the error.
    if let Ok(text) = serde_json::to_string(&running) {
        let _ = write_private(&state_dir.join(FILE), &text);
    }
}

fn is_recent(running: &Running, now: Timestamp) -> bool {
    running.at <= now && now.since(running.at) < RUNNING_FOR_MS
}

fn read(state_dir: &Path) -> Vec<Running> {
    let text = std::fs::read_to_string(state_dir.join(FILE)).ok();
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_under_way_until_its_end_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let call = |id: &str, action: &str| Call {
            id: Some(id.to_owned()),
            tool: "Bash".to_owned(),
            action: action.to_owned(),
            is_shell: true,
            ..Call::default()
        };
        let at = |seconds: i64| Timestamp::from_ms(1_000 * seconds);
        started(dir.path(), "s", &call("1", "make"), at(1));
        started(dir.path(), "s", &call("2", "npm run dev"), at(2));
        ended(dir.path(), "s", &call("2", "rewritten"), at(3));
        assert!(is_any(dir.path(), at(4)));
        ended(dir.path(), "another", &call("1", "make"), at(4));
        assert!(is_any(dir.path(), at(4)));
        ended(dir.path(), "s", &call("9", "make"), at(4));
        assert!(!is_any(dir.path(), at(4)));
        started(dir.path(), "s", &call("3", "npm run dev"), at(5));
        assert!(is_any(dir.path(), at(600)) && !is_any(dir.path(), at(700)) && !is_any(dir.path(), at(4)));
    }
}
