//! Whether anything that an action's outcome depends on may have changed.
//!
//! Two signs are kept apart. The mark, here, is a file in the state directory with the time of the last tool call that may
//! have changed something: one cheap write for each such call, of any session or sub-agent. What happens outside the
//! agent (a person's editor, `git pull` in another terminal) shows in the times of the project's files
//! (`super::files`).

use super::state_file;
use recovery_engine::Attempt;
use recovery_types::Timestamp;
use std::path::PathBuf;

/// The mark's name in the state directory.
const MARK: &str = "changed";

/// The project's files and the mark.
pub(super) struct World {
    pub root: PathBuf,
    pub cwd: PathBuf,
    pub state_dir: PathBuf,
    pub notes_dir: PathBuf,
    /// Whether the journal is kept elsewhere, so that there may be no state directory yet.
    pub is_shared: bool,
}

impl World {
    /// Records that something may have changed at `now`. Nothing depends on it where nothing ever failed.
    pub fn mark(&self, now: Timestamp) {
        let is_ready = if self.is_shared {
            recovery_store::StateDir::create(&self.state_dir).is_ok()
        } else {
            self.state_dir.is_dir()
        };
        if is_ready {
            // Without the mark the files' own times are still compared; a hook has nowhere to report the error.
            let _ = state_file::write(&self.state_dir.join(MARK), &now.ms().to_string());
        }
    }

    /// The time that a small file of the state directory holds.
    fn time_in(&self, name: &str) -> Option<Timestamp> {
        let text = std::fs::read_to_string(self.state_dir.join(name)).ok()?;
        Some(Timestamp::from_ms(text.trim().parse().ok()?))
    }

    /// When a tool call last may have changed something, where that was after the last of `attempts` had begun. What that
    /// attempt itself did is marked with its own time and does not count.
    pub fn changed_after(&self, attempts: &[Attempt]) -> Option<Timestamp> {
        let (last, earlier) = attempts.split_last()?;
        let marked = self.time_in(MARK)?;
        let duration_ms = i64::try_from(last.duration_ms.unwrap_or_default()).ok()?;
        let begun = Timestamp::from_ms(last.at.ms().saturating_sub(duration_ms));
        // An attempt begins after the one before it has ended, whatever duration a client reports.
        let begun = earlier.last().map_or(begun, |before| begun.max(before.at));
        (marked > begun && marked != last.at).then_some(marked)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::path::Path;

    /// A project with one source file and an empty journal.
    pub(in crate::hook) fn world() -> (tempfile::TempDir, World) {
        let dir = tempfile::tempdir().unwrap();
        let world = world_of(dir.path());
        std::fs::create_dir_all(&world.state_dir).unwrap();
        std::fs::create_dir_all(world.root.join("src/deep")).unwrap();
        std::fs::write(world.state_dir.join("journal.db"), "").unwrap();
        std::fs::write(world.root.join("src/deep/a.rs"), "a").unwrap();
        (dir, world)
    }

    /// The project in this directory.
    pub(in crate::hook) fn world_of(root: &Path) -> World {
        let (root, state) = (root.to_path_buf(), root.join(".recovery"));
        World { root: root.clone(), cwd: root, state_dir: state.clone(), notes_dir: state, is_shared: false }
    }

    fn attempt(at: i64, duration_ms: Option<u64>) -> Attempt {
        let attempt = serde_json::json!({"at": Timestamp::from_ms(at), "tool": "Bash", "action": "make", "approach": "",
            "stated": false, "fingerprint": "", "stderr_hash": "", "error_type": "other", "class": "F2", "level": null,
            "files": [], "exit_code": 1, "problems": null, "duration_ms": duration_ms});
        serde_json::from_value(attempt).unwrap()
    }

    #[test]
    fn a_change_while_the_command_ran_counts_and_its_own_does_not() {
        let (_dir, world) = world();
        assert_eq!(world.changed_after(&[attempt(0, None)]), None);
        world.mark(Timestamp::from_ms(7_000));
        assert_eq!(world.changed_after(&[attempt(6_000, None)]), Some(Timestamp::from_ms(7_000)));
        assert_eq!(world.changed_after(&[attempt(7_000, Some(5_000))]), None, "its own");
        assert_eq!(world.changed_after(&[attempt(8_000, Some(500))]), None, "before it began");
        assert!(world.changed_after(&[attempt(8_000, Some(5_000))]).is_some());
        let attempts = [attempt(7_000, None), attempt(7_100, Some(60_000))];
        assert_eq!(world.changed_after(&attempts), None, "what the attempt before it did");
    }

    #[test]
    fn the_mark_is_never_written_through_a_link() {
        let (dir, world) = world();
        let target = dir.path().join("target.txt");
        std::os::unix::fs::symlink(&target, dir.path().join(".recovery/changed")).unwrap();
        world.mark(Timestamp::from_ms(8));
        assert!(!target.exists());
    }

    #[test]
    fn a_shared_journal_needs_a_mark_too() {
        let (dir, mut world) = world();
        world.state_dir = dir.path().join("elsewhere");
        world.mark(Timestamp::from_ms(7));
        assert!(!world.state_dir.exists(), "nothing failed here");
        world.is_shared = true;
        world.mark(Timestamp::from_ms(7));
        assert!(world.changed_after(&[attempt(6, None)]).is_some());
    }
}
