//! Where the project is, where its state is kept, and which of its settings are believed.
//!
//! A project may be an untrusted repository, so its files are not the user's consent. Its state directory is used only
//! where it is a directory of the user's own that did not come with the repository; its `recovery.toml` only where it is a
//! regular file of the user's or root's. What `--state-dir` and `--config` name was chosen by the user and is used as given.
//! docs/security.md has the whole trust model.

use crate::{ProjectError, ProjectSettings, trust};
use recovery_git as git;
use recovery_store::state_dir::is_trusted_owner;
use recovery_store::{StateDir, StoreError, UntrustedReason};
use rustix::fs::{Mode, OFlags};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What marks a project's root, in the nearest ancestor.
const MARKS: [&str; 3] = [STATE_DIR, SETTINGS, ".git"];
/// The state directory in the project root.
const STATE_DIR: &str = ".recovery";
/// The settings in the project root.
const SETTINGS: &str = "recovery.toml";
/// A plan executor's settings; only its repair settings are read.
const PLAN_SETTINGS: &str = ".planning/config.json";

/// The project root above `start`: the nearest ancestor with `.recovery`, `recovery.toml` or `.git`, else `start`.
#[must_use]
pub fn root(start: &Path) -> PathBuf {
    start.ancestors().find(|dir| has_mark(dir)).unwrap_or(start).to_path_buf()
}

fn has_mark(dir: &Path) -> bool {
    MARKS.iter().any(|mark| dir.join(mark).symlink_metadata().is_ok())
}

/// Where the record is kept of what happens in `dir`, which is in no project: a folder of its own in the user's state
/// directory, as the XDG base directory specification has it. Nobody wants a `.recovery` in every folder that they try
/// something in. `None` where the user has no home.
fn user_state_dir(dir: &Path) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let states = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    let name: String = dir.file_name().unwrap_or_default().to_string_lossy().chars().take(40).collect();
    let id = recovery_engine::action_fingerprint(None, &dir.to_string_lossy());
    Some(states.join("recovery").join(format!("{name}-{}", &id[..12])))
}

/// The project's state directory, whether it is there yet or not. Refuses one that is a link, somebody else's, or part of
/// the repository.
pub(crate) fn state_dir(root: &Path) -> Result<PathBuf, ProjectError> {
    if let Some(dir) = user_state_dir(root).filter(|_| !has_mark(root)) {
        return Ok(dir);
    }
    let path = root.join(STATE_DIR);
    StateDir::open(&path)?;
    if git::is_tracked(&path) {
        return Err(StoreError::Untrusted { path, reason: UntrustedReason::Tracked }.into());
    }
    Ok(path)
}

/// Where the record of a folder without a project is about to be made; none where it is there, or in a project.
pub(crate) fn announcement(root: &Path, state_dir: &Path) -> Option<String> {
    let is_new = !has_mark(root) && !state_dir.exists() && user_state_dir(root).is_some_and(|dir| dir == state_dir);
    is_new.then(|| {
        format!(
            "this folder is in no project (no .git, no recovery.toml), so its record is kept in {}",
            state_dir.display()
        )
    })
}

/// The project's settings, or the defaults where it has none that are believed, with what a plan executor's own settings
/// say of repair.
pub(crate) fn settings(root: &Path, warn: fn(&str)) -> Result<ProjectSettings, ProjectError> {
    let mut config = own_settings(root, warn)?;
    let path = root.join(PLAN_SETTINGS);
    match read_settings(&path) {
        Ok(Some(text)) => config.fill_from(&path, &text)?,
        Ok(None) => {}
        Err(reason) => warn(&format!("{} is not used: {reason}", path.display())),
    }
    Ok(config)
}

fn own_settings(root: &Path, warn: fn(&str)) -> Result<ProjectSettings, ProjectError> {
    let path = root.join(SETTINGS);
    match read_settings(&path) {
        Ok(Some(text)) => {
            let mut config = ProjectSettings::parse(&path, text)?;
            if config.needs_consent() && git::is_tracked(&path) && !trust::is_given(root) {
                config.withhold();
            }
            Ok(config)
        }
        Ok(None) => Ok(ProjectSettings::default()),
        Err(reason) => {
            warn(&format!("{} is not used: {reason}; --config names one that is", path.display()));
            Ok(ProjectSettings::default())
        }
    }
}

/// The longest settings, or file of matchers, that is read.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// The text of the settings, or of a file that they name; why it is not believed where it is there. Never waits for a pipe
/// and never reads a device.
pub(crate) fn read_settings(path: &Path) -> Result<Option<String>, String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(handle) => std::fs::File::from(handle),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(rustix::io::Errno::LOOP) => return Err("it is a symbolic link".to_owned()),
        Err(error) => return Err(error.to_string()),
    };
    let meta = file.metadata().map_err(|error| error.to_string())?;
    if !meta.is_file() {
        return Err("it is no regular file".to_owned());
    }
    if !is_trusted_owner(meta.uid()) {
        return Err(format!("it belongs to user {}, not to you", meta.uid()));
    }
    if meta.len() > MAX_SETTINGS_BYTES {
        return Err(format!("it has more than {MAX_SETTINGS_BYTES} bytes"));
    }
    let mut text = String::new();
    file.take(MAX_SETTINGS_BYTES).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(Some(text))
}

/// The directory `dir` within the project, for notes. Refuses a way out of the project, through `..` or through links.
pub(crate) fn notes_dir(root: &Path, dir: &Path) -> Result<PathBuf, ProjectError> {
    let is_plain = dir.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let path = root.join(dir);
    let real = |path: &Path| path.ancestors().find_map(|above| above.canonicalize().ok());
    let stays_inside = || real(&path).zip(root.canonicalize().ok()).is_some_and(|(dir, root)| dir.starts_with(root));
    if is_plain && stays_inside() {
        return Ok(path);
    }
    Err(ProjectError::Refused(format!(
        "[memory] dir = {dir:?} leads out of the project; give a directory within {}",
        root.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_nearest_mark_wins() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(root(&deep), dir.path());
        std::fs::write(dir.path().join("a/recovery.toml"), "").unwrap();
        assert_eq!(root(&deep), dir.path().join("a"));
    }

    #[test]
    fn notes_stay_in_the_project() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("project");
        std::fs::create_dir_all(root.join("docs")).unwrap();
        std::fs::create_dir(place.path().join("elsewhere")).unwrap();
        symlink("../elsewhere", root.join("link")).unwrap();
        for inside in ["docs", "docs/new/deep", "new"] {
            assert_eq!(notes_dir(&root, Path::new(inside)).unwrap(), root.join(inside));
        }
        for outside in ["../elsewhere", "docs/../../elsewhere", "/tmp", "link", "link/deep", "./docs/.."] {
            let error = notes_dir(&root, Path::new(outside)).unwrap_err().to_string();
            assert!(error.contains("leads out of the project"), "{outside}: {error}");
        }
    }
}
