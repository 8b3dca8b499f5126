//! Calls that have begun and whose end nobody has reported: a command in the background, one that Codex has let go on, one
//! that a person did not allow. Whatever they may do, nothing that depends on it is held back meanwhile.
//!
//! In: a call before and after it runs. Out: what is under way. Each call has a small file of its own in the state
//! directory, because hooks of several calls run at the same time and must not overwrite each other's. A call is
//! forgotten after a while, because most servers run until the session ends.

use super::state_file;
use recovery_agents::Call;
use recovery_engine::action_fingerprint;
use recovery_types::Timestamp;
use recovery_types::digest::sha256_hex;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How the files' names begin.
const PREFIX: &str = "running-";
/// For how long a call without a reported end is taken to go on.
const RUNNING_FOR_MS: u64 = 10 * 60_000;

#[derive(Serialize, Deserialize)]
struct Running {
    caller: String,
    action: String,
    at: Timestamp,
    /// Whether it serves or watches until it is ended: it makes nothing that a build waits for.
    is_server: bool,
}

/// What is under way beside a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Beside {
    #[default]
    Nothing,
    /// Only what serves or watches until it is ended.
    Servers,
    /// A command that may end with a result.
    Commands,
}

/// Remembers that `call` has begun. Nothing depends on it where nothing ever failed.
pub(super) fn started(state_dir: &Path, caller: &str, call: &Call, now: Timestamp) {
    if !state_dir.is_dir() {
        return;
    }
    let action = action_fingerprint(Some(&call.tool), &call.action);
    let running = Running { caller: caller.to_owned(), action, at: now, is_server: call.is_server() };
    // Without it a call may be held back too early; a hook has nowhere to report the error.
    if let Ok(text) = serde_json::to_string(&running) {
        let _ = state_file::write(&file_of(state_dir, caller, call), &text);
    }
}

/// Forgets `call`, which has ended. Returns when it had begun, where that is known.
pub(super) fn ended(state_dir: &Path, caller: &str, call: &Call) -> Option<Timestamp> {
    let file = file_of(state_dir, caller, call);
    let (file, running) = match read(&file) {
        Some(running) => (file, running),
        // A client may leave out the id on one side.
        None => {
            let action = action_fingerprint(Some(&call.tool), &call.action);
            files(state_dir)
                .filter_map(|file| read(&file).map(|running| (file, running)))
                .find(|(_, running)| running.caller == caller && running.action == action)?
        }
    };
    let _ = std::fs::remove_file(file);
    Some(running.at)
}

/// What may still be under way.
pub(super) fn beside(state_dir: &Path, now: Timestamp) -> Beside {
    let mut beside = Beside::Nothing;
    for file in files(state_dir) {
        match read(&file) {
            Some(running) if running.at <= now && now.since(running.at) < RUNNING_FOR_MS => match running.is_server {
                true if beside == Beside::Nothing => beside = Beside::Servers,
                true => {}
                false => beside = Beside::Commands,
            },
            // Another hook may have removed it at this moment.
            _ => drop(std::fs::remove_file(file)),
        }
    }
    beside
}

fn file_of(state_dir: &Path, caller: &str, call: &Call) -> PathBuf {
    let known_by = match &call.id {
        Some(id) => id.clone(),
        None => action_fingerprint(Some(&call.tool), &call.action),
    };
    state_dir.join(format!("{PREFIX}{}", &sha256_hex(format!("{caller}\n{known_by}").as_bytes())[..16]))
}

fn files(state_dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(state_dir).into_iter().flatten().flatten();
    let is_one = |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| name.starts_with(PREFIX));
    entries.filter(move |entry| is_one(&entry.file_name())).map(|entry| entry.path())
}

fn read(file: &Path) -> Option<Running> {
    serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: Option<&str>, action: &str) -> Call {
        Call {
            id: id.map(str::to_owned),
            tool: "Bash".to_owned(),
            action: action.to_owned(),
            is_shell: true,
            ..Call::default()
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_ms(1_000 * seconds)
    }

    #[test]
    fn a_call_is_under_way_until_its_end_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        started(dir.path(), "s", &call(Some("1"), "make"), at(1));
        started(dir.path(), "s", &call(Some("2"), "npm ci"), at(2));
        assert_eq!(ended(dir.path(), "s", &call(Some("2"), "rewritten")), Some(at(2)));
        assert_eq!(beside(dir.path(), at(4)), Beside::Commands);
        assert_eq!(ended(dir.path(), "another", &call(Some("1"), "make")), None);
        assert_eq!(beside(dir.path(), at(4)), Beside::Commands);
        assert_eq!(ended(dir.path(), "s", &call(None, "make")), Some(at(1)));
        assert_eq!(beside(dir.path(), at(4)), Beside::Nothing);
    }

    #[test]
    fn a_call_is_forgotten_after_ten_minutes() {
        let dir = tempfile::tempdir().unwrap();
        started(dir.path(), "s", &call(Some("3"), "npm run dev"), at(5));
        assert_eq!(beside(dir.path(), at(600)), Beside::Servers);
        started(dir.path(), "s", &call(None, "npm ci"), at(6));
        assert_eq!(beside(dir.path(), at(604)), Beside::Commands);
        assert_eq!(beside(dir.path(), at(700)), Beside::Nothing);
    }

    #[test]
    fn calls_that_begin_and_end_at_the_same_time_do_not_disturb_each_other() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let dir = dir.path();
                scope.spawn(move || {
                    for number in 0..20 {
                        let one = call(Some(&format!("{thread}-{number}")), "make");
                        started(dir, "s", &one, at(1));
                        assert_eq!(ended(dir, "s", &one), Some(at(1)));
                    }
                });
            }
        });
        assert_eq!(beside(dir.path(), at(2)), Beside::Nothing);
    }
}
