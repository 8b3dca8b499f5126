//! The user's consent to what a repository's `recovery.toml` may run and write.
//!
//! In: a project root. Out: whether the user has trusted it. Consent is one file per project in the user's own state
//! directory (`$XDG_STATE_HOME/recovery/trusted`, else `~/.local/state/recovery/trusted`), named by the hash of the
//! project's path and holding that path: outside the repository, so that no repository can give it to itself. A place that
//! git tracks gives none, for the same reason.

use crate::ProjectError;
use recovery_git as git;
use recovery_store::{ContentId, StateDir};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Whether the user trusts the settings of the project at `root`.
#[must_use]
pub fn is_given(root: &Path) -> bool {
    let given = || {
        let (place, root) = (place()?, root.canonicalize().ok()?);
        let recorded = StateDir::open(&place).ok()??.read(&name(&root)).ok()??;
        Some(recorded == root.as_os_str().as_bytes() && !git::is_tracked(&place))
    };
    given().unwrap_or(false)
}

/// Records that the user trusts the settings of the project at `root`, and returns the record's path.
///
/// # Errors
/// Where that cannot be written.
pub fn give(root: &Path) -> Result<PathBuf, ProjectError> {
    let (place, root) = (place_or_error()?, root.canonicalize().map_err(ProjectError::io("find", root))?);
    let dir = StateDir::create(&place)?;
    let path = dir.path().join(name(&root));
    let write = || -> std::io::Result<()> {
        let mut file = dir.read_write(&name(&root))?;
        file.set_len(0)?;
        file.write_all(root.as_os_str().as_bytes())
    };
    write().map_err(ProjectError::io("write", &path))?;
    Ok(path)
}

/// Takes the consent back; false where there was none.
///
/// # Errors
/// Where its file cannot be removed.
pub fn revoke(root: &Path) -> Result<bool, ProjectError> {
    let path = place_or_error()?.join(name(&root.canonicalize().map_err(ProjectError::io("find", root))?));
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(ProjectError::io("remove", path)(error)),
    }
}

fn place_or_error() -> Result<PathBuf, ProjectError> {
    let reason = "there is no place for your consent: neither XDG_STATE_HOME nor HOME is set";
    place().ok_or_else(|| ProjectError::Refused(reason.to_owned()))
}

fn place() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("recovery/trusted"))
}

fn name(root: &Path) -> String {
    ContentId::of(root.as_os_str().as_bytes()).as_str().to_owned()
}
