//! Whether the project's files have changed since a failure, by their times.
//!
//! In: the moment when the failure was recorded and the action that failed. Out: [`Seen`]. Anything whose status changed
//! (`ctime`, so that preserved modification times do not hide it) after that moment is a change, because whatever the
//! failing command wrote itself is older than its record. Besides the project these count: HEAD and index, what the action
//! names elsewhere, programs on the `PATH`, what an installation leaves in a directory that tools fill.
//!
//! Looking costs time, so it is bounded; it happens only where an action has failed before. When the walk does not
//! finish in time, the answer is [`Seen::Unknown`]: the call runs, because a hold must never rest on a guess, but it still
//! counts as a repetition, because no change was seen either. To let another directory or file count, change the
//! tables here.

use super::world::World;
use recovery_types::Timestamp;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Directories that tools fill: their own entry and what [`INSTALL_MARKERS`] names in them is looked at, the rest is not.
const FILLED_BY_TOOLS: [&str; 20] = [
    "node_modules", "target", ".venv", "venv", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox",
    ".nox", ".next", ".nuxt", ".cache", ".gradle", ".terraform", ".svelte-kit", ".turbo", "coverage", ".idea", ".vs",
];

/// What an installation leaves in a directory that tools fill, whoever ran it.
const INSTALL_MARKERS: [&str; 4] = [".package-lock.json", ".yarn-integrity", ".modules.yaml", "pyvenv.cfg"];
/// The system's directories: walking them would take all the time there is.
const SYSTEM: [&str; 9] = ["/dev", "/proc", "/sys", "/usr", "/bin", "/lib", "/etc", "/sbin", "/opt"];

/// The times of files are those of the last tick of the system's clock, so a file may look this much older than it is.
const CLOCK_TICK: Duration = Duration::from_millis(4);
/// Directories that everybody writes to: what else is in them has nothing to do with a file there.
const SHARED_DIRS: [&str; 3] = ["/tmp", "/var/tmp", "/home"];
/// How long to look. It happens only where the action has failed before.
const LOOK: Duration = Duration::from_millis(400);

/// What a look at the files came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Something is newer.
    Changed,
    /// Nothing is.
    Unchanged,
    /// Time ran out first.
    Unknown,
}

impl From<bool> for Seen {
    fn from(is_changed: bool) -> Self {
        if is_changed { Self::Changed } else { Self::Unchanged }
    }
}

impl World {
    /// When the state directory was made: git's file in it is written once, right after that.
    fn made(&self) -> SystemTime {
        let written = self.state_dir.join(".gitignore").symlink_metadata().and_then(|meta| meta.modified());
        written.unwrap_or(UNIX_EPOCH)
    }

    /// Whether a file of the project, or one that `action` names elsewhere, has changed after `since`.
    pub fn changed_since(&self, since: Timestamp, action: &str) -> Seen {
        let Some(since) = u64::try_from(since.ms()).ok().map(|ms| UNIX_EPOCH + Duration::from_millis(ms)) else {
            return Seen::Changed;
        };
        let until = Instant::now() + LOOK;
        let since = since.checked_sub(CLOCK_TICK).unwrap_or(since);
        let mut look =
            Look { world: self, since, made: self.made(), until, pending: Vec::new(), linked: HashSet::new() };
        let git = git_dir(&self.root);
        let commits = ["HEAD", "index", "logs/HEAD"].map(|name| git.join(name));
        if commits.iter().any(|path| look.is_newer(path)) {
            return Seen::Changed;
        }
        if self.named_in_filled(action).any(|path| look.is_newer(&path)) {
            return Seen::Changed;
        }
        let (system, elsewhere): (Vec<PathBuf>, Vec<PathBuf>) = named_elsewhere(action, &self.cwd, &self.root)
            .partition(|path| SYSTEM.iter().any(|dir| path.starts_with(dir)));
        let mut named = system.iter().flat_map(|path| [Some(path.as_path()), path.parent()]).flatten();
        if named.any(|path| look.is_newer(path)) {
            return Seen::Changed;
        }
        if programs().any(|dir| look.is_newer(&dir)) {
            return Seen::Changed;
        }
        // A script reads what is beside it.
        if elsewhere.iter().filter_map(|path| path.parent()).any(|dir| look.has_newer_entry(dir)) {
            return Seen::Changed;
        }
        look.pending.push(self.root.clone());
        look.pending.extend(elsewhere);
        look.walk().map_or(Seen::Unknown, Seen::from)
    }

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

/// Paths outside the project that the action names, in `cwd`.
fn named_elsewhere<'a>(action: &'a str, cwd: &'a Path, root: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
    let paths = words(action).filter(|word| word.len() > 1).filter_map(move |word| match word.strip_prefix("~/") {
        Some(rest) => std::env::var_os("HOME").map(|home| PathBuf::from(home).join(rest)),
        None if word.starts_with('/') => Some(PathBuf::from(word)),
        None if word.starts_with("../") => Some(without_parents(&cwd.join(word))),
        None => None,
    });
    paths.filter(move |path| !path.starts_with(root)).take(4)
}

/// The path without `..`, which would make a path outside the project look like one inside.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Where programs are found: one that was installed meanwhile may be what was missing.
fn programs() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).filter(|dir| dir.is_absolute()).take(64).collect::<Vec<_>>().into_iter()
}

/// The directory with HEAD and index; that of a linked work tree is elsewhere.
fn git_dir(root: &Path) -> PathBuf {
    let git = root.join(".git");
    let linked = std::fs::read_to_string(&git).ok();
    let linked = linked.as_deref().and_then(|text| text.strip_prefix("gitdir:"));
    linked.map_or(git, |dir| root.join(dir.trim()))
}

/// Whether tools fill the directory. Some of the names are common for sources, too.
fn is_filled_by_tools(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let has = |names: &[&str]| names.iter().any(|name| path.join(name).exists());
    match name {
        "target" => has(&["CACHEDIR.TAG", ".rustc_info.json", "../pom.xml", "../build.sbt", "../Cargo.toml"]),
        "coverage" => has(&["lcov.info", "coverage-final.json", "lcov-report", "index.html", "clover.xml", ".tmp"]),
        "venv" => has(&["pyvenv.cfg"]),
        name => FILLED_BY_TOOLS.contains(&name),
    }
}

struct Look<'a> {
    world: &'a World,
    since: SystemTime,
    /// When the state directory was made.
    made: SystemTime,
    until: Instant,
    pending: Vec<PathBuf>,
    /// Directories outside the project that links lead to.
    linked: HashSet<PathBuf>,
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
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if is_filled_by_tools(&path) {
                if self.is_installed_into(&path) {
                    return Some(true);
                }
                continue;
            }
            let Ok(entries) = std::fs::read_dir(&path) else { continue };
            for entry in entries.flatten() {
                let kind = entry.file_type().ok();
                let path = entry.path();
                if kind.is_some_and(|kind| kind.is_symlink()) {
                    self.follow(&path);
                }
                if kind.is_some_and(|kind| kind.is_dir()) {
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

    /// A link to a directory outside the project is a part of it; one to a file is, too.
    fn follow(&mut self, link: &Path) {
        let Ok(target) = link.canonicalize() else { return };
        let is_outside = !target.starts_with(&self.world.root) && !SYSTEM.iter().any(|dir| target.starts_with(dir));
        if is_outside && self.linked.insert(target.clone()) {
            self.pending.push(target);
        }
    }

    /// Whether something was installed into a directory that tools fill.
    fn is_installed_into(&self, dir: &Path) -> bool {
        let libraries = std::fs::read_dir(dir.join("lib")).into_iter().flatten().flatten();
        let packages = libraries.map(|entry| entry.path().join("site-packages"));
        INSTALL_MARKERS.iter().map(|name| dir.join(name)).chain(packages).any(|path| self.is_newer(&path))
    }

    /// Whether an entry of a directory is newer, where the directory is not everybody's.
    fn has_newer_entry(&self, dir: &Path) -> bool {
        let is_shared = dir == Path::new("/") || SHARED_DIRS.iter().any(|shared| dir == Path::new(shared));
        let is_home = std::env::var_os("HOME").is_some_and(|home| dir == Path::new(&home));
        if is_shared || is_home || self.world.root.starts_with(dir) {
            return false;
        }
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        entries.take_while(|_| Instant::now() <= self.until).any(|entry| self.is_newer(&entry.path()))
    }

    /// What recovery itself writes after it has recorded a failure.
    fn is_ours(&self, path: &Path) -> bool {
        path == self.world.state_dir
            || path.parent() == Some(&self.world.notes_dir)
                && path.file_name().is_some_and(|name| name == "issues.md" || name == "learnings.md")
    }

    fn is_newer(&self, path: &Path) -> bool {
        let Ok(meta) = path.symlink_metadata() else { return false };
        // That our own directory was made has changed the one above it.
        let since = if self.world.state_dir.parent() == Some(path) { self.since.max(self.made) } else { self.since };
        let modified = meta.modified().is_ok_and(|time| time > since);
        #[cfg(unix)]
        let status_changed = {
            use std::os::unix::fs::MetadataExt as _;
            let seconds = u64::try_from(meta.ctime()).unwrap_or(0);
            let nanoseconds = u32::try_from(meta.ctime_nsec()).unwrap_or(0);
            UNIX_EPOCH + Duration::new(seconds, nanoseconds) > since
        };
        #[cfg(not(unix))]
        let status_changed = false;
        modified || status_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::world::tests::{world, world_of};

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
        let changed = |since| world.changed_since(since, "make") == Seen::Changed;
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
        std::fs::write(dir.path().join("target/CACHEDIR.TAG"), "").unwrap();
        let since = after_that();
        std::fs::write(dir.path().join(".recovery/issues.md"), "x").unwrap();
        std::fs::write(dir.path().join("target/debug/a.o"), "x").unwrap();
        assert_eq!(world.changed_since(since, "make"), Seen::Unchanged);
    }

    #[test]
    fn what_a_build_in_the_background_makes_is_a_change_for_who_asks_for_it() {
        let (dir, world) = world();
        std::fs::create_dir_all(dir.path().join("target/release")).unwrap();
        std::fs::write(dir.path().join("target/CACHEDIR.TAG"), "").unwrap();
        let since = after_that();
        std::fs::write(dir.path().join("target/release/app"), "x").unwrap();
        assert_eq!(world.changed_since(since, "ls target/release/app"), Seen::Changed);
        assert_eq!(world.changed_since(since, "cargo test"), Seen::Unchanged);
    }

    #[test]
    fn a_commit_and_a_file_elsewhere_count() {
        let (dir, world) = world();
        let other = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".git/logs")).unwrap();
        std::fs::write(dir.path().join(".git/logs/HEAD"), "1").unwrap();
        let action = format!("make -C {}", other.path().display());
        let since = after_that();
        assert_eq!(world.changed_since(since, &action), Seen::Unchanged);
        std::fs::write(other.path().join("x"), "x").unwrap();
        assert_eq!(world.changed_since(since, &action), Seen::Changed);
        let beside = other.path().file_name().unwrap().to_str().unwrap();
        assert_eq!(world.changed_since(since, &format!("./load ../{beside}/x")), Seen::Changed, "by a relative path");
        assert_eq!(world.changed_since(since, "make"), Seen::Unchanged);
        std::fs::write(dir.path().join(".git/logs/HEAD"), "12").unwrap();
        assert_eq!(world.changed_since(since, "make"), Seen::Changed);
    }

    #[test]
    fn what_others_install_or_edit_behind_a_link_counts() {
        let (dir, world) = world();
        let other = tempfile::tempdir().unwrap();
        let packages = dir.path().join(".venv/lib/python3.12/site-packages");
        std::fs::create_dir_all(&packages).unwrap();
        std::fs::create_dir_all(dir.path().join("node_modules/a")).unwrap();
        std::fs::create_dir_all(dir.path().join("src/target")).unwrap();
        std::fs::write(dir.path().join("node_modules/.package-lock.json"), "{}").unwrap();
        std::os::unix::fs::symlink(other.path(), dir.path().join("shared")).unwrap();
        let changed = |since| world.changed_since(since, "make") == Seen::Changed;
        let since = after_that();
        std::fs::write(dir.path().join("node_modules/a/cache"), "x").unwrap();
        assert!(!changed(since));
        std::fs::create_dir(packages.join("requests")).unwrap();
        assert!(changed(since), "pip install");
        let since = after_that();
        std::fs::write(dir.path().join("node_modules/.package-lock.json"), "{ }").unwrap();
        assert!(changed(since), "npm install");
        let since = after_that();
        std::fs::write(dir.path().join("src/target/mod.rs"), "x").unwrap();
        assert!(changed(since), "a directory of sources with a tool's name");
        let since = after_that();
        std::fs::write(other.path().join("a.rs"), "x").unwrap();
        assert!(changed(since), "behind a link");
    }

    #[test]
    fn our_own_directory_is_no_change_of_the_one_above_it() {
        let dir = tempfile::tempdir().unwrap();
        let world = world_of(dir.path());
        let state = world.state_dir.clone();
        let since = after_that();
        std::fs::create_dir(&state).unwrap();
        std::fs::write(state.join(".gitignore"), "*\n").unwrap();
        assert_eq!(world.changed_since(since, "make"), Seen::Unchanged);
        std::thread::sleep(Duration::from_millis(20));
        std::fs::create_dir(dir.path().join("new")).unwrap();
        std::fs::remove_dir(dir.path().join("new")).unwrap();
        assert_eq!(world.changed_since(since, "make"), Seen::Changed, "a file that has gone");
    }

    #[test]
    fn what_a_script_elsewhere_has_beside_it_counts() {
        let (_dir, world) = world();
        let other = tempfile::tempdir().unwrap();
        std::fs::write(other.path().join("run.py"), "").unwrap();
        let action = format!("python3 {}/run.py", other.path().display());
        let since = after_that();
        assert_eq!(world.changed_since(since, &action), Seen::Unchanged);
        std::fs::write(other.path().join("settings.toml"), "a = 1").unwrap();
        assert_eq!(world.changed_since(since, &action), Seen::Changed);
    }

    #[test]
    fn a_time_that_is_a_tick_behind_is_newer() {
        let (dir, world) = world();
        let written = dir.path().join("src/deep/a.rs").metadata().unwrap().modified().unwrap();
        let written = written.duration_since(UNIX_EPOCH).unwrap().as_millis();
        let since = |later_ms| Timestamp::from_ms(i64::try_from(written).unwrap() + later_ms);
        assert_eq!(world.changed_since(since(3), "make"), Seen::Changed);
        assert_eq!(world.changed_since(since(500), "make"), Seen::Unchanged);
    }

    #[test]
    fn a_commit_in_a_linked_work_tree_counts() {
        let (dir, world) = world();
        let main = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".git"), format!("gitdir: {}\n", main.path().display())).unwrap();
        let since = after_that();
        assert_eq!(world.changed_since(since, "make"), Seen::Unchanged);
        std::fs::write(main.path().join("HEAD"), "ref: refs/heads/x").unwrap();
        assert_eq!(world.changed_since(since, "make"), Seen::Changed);
    }
}
