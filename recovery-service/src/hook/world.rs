//! Whether anything that an action's outcome depends on may have changed.
//!
//! Two signs are kept apart. The mark is a file in the state directory with the time of the last tool call that may have
//! changed something: one cheap write for each such call, of any session or sub-agent. What happens outside the agent
//! (a person's editor, `git pull` in another terminal) shows in the times of the project's files: anything whose status
//! changed (`ctime`, so that preserved modification times do not hide it) after the failure was recorded is a change,
//! because whatever the failing command wrote itself is older than its record.
//!
//! Looking at files costs time, so it is bounded; it happens only where an action has failed before. When a thorough look
//! does not get to the end, something is taken to have changed: a hold must never rest on a guess.

use recovery_types::Timestamp;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The mark's name in the state directory.
const MARK: &str = "changed";
/// Directories that tools fill: their own entry is looked at, what is in them is not.
const FILLED_BY_TOOLS: [&str; 20] = [
    "node_modules",
    "target",
    ".venv",
    "venv",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".next",
    ".nuxt",
    ".cache",
    ".gradle",
    ".terraform",
    ".svelte-kit",
    ".turbo",
    "coverage",
    ".idea",
    ".vs",
];

/// How long to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// A few milliseconds; not finding anything in time is no sign of a change.
    Quick,
    /// As long as it takes within reason: an action is about to be held back.
    Thorough,
}

impl Effort {
    const fn budget(self) -> Duration {
        match self {
            Self::Quick => Duration::from_millis(3),
            Self::Thorough => Duration::from_millis(250),
        }
    }
}

/// The project's files and the mark.
pub(super) struct World {
    root: PathBuf,
    cwd: PathBuf,
    state_dir: PathBuf,
    notes_dir: PathBuf,
}

impl World {
    pub fn new(root: PathBuf, cwd: PathBuf, state_dir: PathBuf, notes_dir: PathBuf) -> Self {
        Self { root, cwd, state_dir, notes_dir }
    }

    /// Records that something may have changed at `now`. Nothing depends on it where nothing ever failed.
    pub fn mark(&self, now: Timestamp) {
        if self.state_dir.join("journal.db").exists() {
            // Without the mark the files' own times still tell; a hook has nobody to complain to.
            let _ = write_private(&self.state_dir.join(MARK), &now.ms().to_string());
        }
    }

    /// When a tool call last may have changed something, where that was after `since`.
    pub fn mark_after(&self, since: Timestamp) -> Option<Timestamp> {
        let text = std::fs::read_to_string(self.state_dir.join(MARK)).ok()?;
        let marked = Timestamp::from_ms(text.trim().parse().ok()?);
        (marked > since).then_some(marked)
    }

    pub fn marked_after(&self, since: Timestamp) -> bool {
        self.mark_after(since).is_some()
    }

    /// Whether a file of the project, or one that `action` names elsewhere, has changed after `since`.
    pub fn changed_since(&self, since: Timestamp, action: &str, effort: Effort) -> bool {
        let Some(since) = u64::try_from(since.ms()).ok().map(|ms| UNIX_EPOCH + Duration::from_millis(ms)) else {
            return true;
        };
        let mut look = Look { world: self, since, until: Instant::now() + effort.budget(), pending: Vec::new() };
        let git = self.root.join(".git");
        let commits = ["HEAD", "index", "logs/HEAD"].map(|name| git.join(name));
        if commits.iter().any(|path| look.is_newer(path)) {
            return true;
        }
        if self.named_in_filled(action).any(|path| look.is_newer(&path)) {
            return true;
        }
        look.pending.push(self.root.clone());
        look.pending.extend(named_elsewhere(action, &self.root));
        look.walk().unwrap_or(effort == Effort::Thorough)
    }
}

impl World {
    /// Paths that the action names within directories that tools fill, each with the directory that it is in: the
    /// product of a build in the background may be there by now.
    fn named_in_filled<'a>(&'a self, action: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
        let is_filled = |word: &&str| word.split('/').any(|part| FILLED_BY_TOOLS.contains(&part));
        let paths = words(action).filter(is_filled).take(8).map(|word| self.cwd.join(word));
        paths.flat_map(|path| [path.parent().map(Path::to_path_buf), Some(path)]).flatten()
    }
}

fn words(action: &str) -> impl Iterator<Item = &str> {
    action.split(|c: char| c.is_whitespace() || "'\"=;&|()<>".contains(c))
}

/// Paths outside the project that the action names.
fn named_elsewhere<'a>(action: &'a str, root: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
    let paths = words(action).filter(|word| word.len() > 1).filter_map(move |word| match word.strip_prefix("~/") {
        Some(rest) => std::env::var_os("HOME").map(|home| PathBuf::from(home).join(rest)),
        None if word.starts_with('/') => Some(PathBuf::from(word)),
        None if word.starts_with("../") => Some(root.join(word)),
        None => None,
    });
    // The system's own files do not change for a project; walking them would take all the time there is.
    let system = ["/dev", "/proc", "/sys", "/usr", "/bin", "/lib", "/etc", "/sbin", "/opt"];
    paths.filter(move |path| !path.starts_with(root) && !system.iter().any(|dir| path.starts_with(dir))).take(4)
}

struct Look<'a> {
    world: &'a World,
    since: SystemTime,
    until: Instant,
    pending: Vec<PathBuf>,
}

impl Look<'_> {
    /// Whether anything is newer; none where time ran out before that was clear.
    fn walk(&mut self) -> Option<bool> {
        while let Some(path) = self.pending.pop() {
            if Instant::now() > self.until {
                return None;
            }
            if self.is_ours(&path) {
                continue;
            }
            if self.is_newer(&path) {
                return Some(true);
            }
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name == ".git" || FILLED_BY_TOOLS.contains(&name) {
                continue;
            }
            let Ok(entries) = std::fs::read_dir(&path) else { continue };
            for entry in entries.flatten() {
                let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let path = entry.path();
                if is_dir {
                    self.pending.push(path);
                } else if !self.is_ours(&path) && self.is_newer(&path) {
                    return Some(true);
                }
                if Instant::now() > self.until {
                    return None;
                }
            }
        }
        Some(false)
    }

    /// What recovery itself writes after it has recorded a failure.
    fn is_ours(&self, path: &Path) -> bool {
        path == self.world.state_dir
            || path.parent() == Some(&self.world.notes_dir)
                && path.file_name().is_some_and(|name| name == "issues.md" || name == "learnings.md")
    }

    fn is_newer(&self, path: &Path) -> bool {
        let Ok(meta) = path.symlink_metadata() else { return false };
        let modified = meta.modified().is_ok_and(|time| time > self.since);
        #[cfg(unix)]
        let status_changed = {
            use std::os::unix::fs::MetadataExt as _;
            let seconds = u64::try_from(meta.ctime()).unwrap_or(0);
            let nanoseconds = u32::try_from(meta.ctime_nsec()).unwrap_or(0);
            UNIX_EPOCH + Duration::new(seconds, nanoseconds) > self.since
        };
        #[cfg(not(unix))]
        let status_changed = false;
        modified || status_changed
    }
}

/// Writes a small file of the state directory: never through a link, readable by its owner only.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> (tempfile::TempDir, World) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().to_path_buf();
        std::fs::create_dir_all(root.join(".recovery")).unwrap();
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        std::fs::write(root.join(".recovery/journal.db"), "").unwrap();
        std::fs::write(root.join("src/deep/a.rs"), "a").unwrap();
        let state = root.join(".recovery");
        (dir, World::new(root.clone(), root, state.clone(), state))
    }

    /// A moment after everything that has been written so far.
    fn after_that() -> Timestamp {
        std::thread::sleep(Duration::from_millis(20));
        let now = crate::Clock::now(&crate::SystemClock);
        std::thread::sleep(Duration::from_millis(20));
        now
    }

    #[test]
    fn a_persons_edit_deletion_or_preserved_time_is_a_change() {
        let (dir, world) = world();
        let changed = |since| world.changed_since(since, "make", Effort::Thorough);
        let since = after_that();
        assert!(!changed(since));
        std::fs::write(dir.path().join("src/deep/a.rs"), "b").unwrap();
        assert!(changed(since));
        let since = after_that();
        let file = std::fs::File::options().write(true).open(dir.path().join("src/deep/a.rs")).unwrap();
        file.set_modified(UNIX_EPOCH).unwrap();
        assert!(changed(since), "a preserved time does not hide it");
        let since = after_that();
        std::fs::remove_file(dir.path().join("src/deep/a.rs")).unwrap();
        assert!(changed(since));
    }

    #[test]
    fn what_recovery_and_tools_write_is_no_change() {
        let (dir, world) = world();
        std::fs::create_dir(dir.path().join("target")).unwrap();
        std::fs::create_dir(dir.path().join("target/debug")).unwrap();
        let since = after_that();
        std::fs::write(dir.path().join(".recovery/issues.md"), "x").unwrap();
        std::fs::write(dir.path().join("target/debug/a.o"), "x").unwrap();
        assert!(!world.changed_since(since, "make", Effort::Thorough));
    }

    #[test]
    fn what_a_build_in_the_background_makes_is_a_change_for_who_asks_for_it() {
        let (dir, world) = world();
        std::fs::create_dir_all(dir.path().join("target/release")).unwrap();
        let since = after_that();
        std::fs::write(dir.path().join("target/release/app"), "x").unwrap();
        assert!(world.changed_since(since, "ls target/release/app", Effort::Thorough));
        assert!(!world.changed_since(since, "cargo test", Effort::Thorough));
    }

    #[test]
    fn a_commit_and_a_file_elsewhere_count() {
        let (dir, world) = world();
        let other = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".git/logs")).unwrap();
        std::fs::write(dir.path().join(".git/logs/HEAD"), "1").unwrap();
        let action = format!("make -C {}", other.path().display());
        let since = after_that();
        assert!(!world.changed_since(since, &action, Effort::Thorough));
        std::fs::write(other.path().join("x"), "x").unwrap();
        assert!(world.changed_since(since, &action, Effort::Thorough));
        assert!(!world.changed_since(since, "make", Effort::Thorough));
        std::fs::write(dir.path().join(".git/logs/HEAD"), "12").unwrap();
        assert!(world.changed_since(since, "make", Effort::Thorough));
    }

    #[test]
    fn the_mark_is_kept_and_never_written_through_a_link() {
        let (dir, world) = world();
        assert_eq!(world.mark_after(Timestamp::from_ms(0)), None);
        world.mark(Timestamp::from_ms(7));
        assert_eq!(world.mark_after(Timestamp::from_ms(6)), Some(Timestamp::from_ms(7)));
        assert!(!world.marked_after(Timestamp::from_ms(7)));
        let mark = dir.path().join(".recovery/changed");
        std::fs::remove_file(&mark).unwrap();
        #[cfg(unix)]
        {
            let target = dir.path().join("target.txt");
            std::os::unix::fs::symlink(&target, &mark).unwrap();
            world.mark(Timestamp::from_ms(8));
            assert!(!target.exists());
        }
    }
}
