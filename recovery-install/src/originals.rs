//! What a settings file held before `recovery install` first changed it, so that uninstalling gives back every byte.
//!
//! One small file for each settings file, in the person's own state directory (`$XDG_STATE_HOME/recovery/installed`, else
//! `~/.local/state/recovery/installed`), named by the hash of the path. It counts only while the settings file is
//! exactly as we left it. In a file that was edited since, the edits stay and only our entries are removed.

use crate::InstallError;
use recovery_types::digest::sha256_hex;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A settings file as it was and as we left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Original {
    /// The settings file.
    path: PathBuf,
    /// What it held; none where there was no such file.
    pub before: Option<String>,
    /// What we left in it.
    after: String,
    /// Directories that had to be made for it, innermost first.
    pub made: Vec<PathBuf>,
}

fn file(dir: &Path, path: &Path) -> PathBuf {
    dir.join(format!("{}.json", sha256_hex(path.as_os_str().as_encoded_bytes())))
}

/// The original of `path`, where the file still holds what we left in it.
pub(crate) fn of(dir: &Path, path: &Path, now: Option<&str>) -> Option<Original> {
    let text = std::fs::read_to_string(file(dir, path)).ok()?;
    let original: Original = serde_json::from_str(&text).ok()?;
    (original.path == path && now == Some(original.after.as_str())).then_some(original)
}

/// Whether we have ever written to `path`.
pub(crate) fn is_known(dir: &Path, path: &Path) -> bool {
    file(dir, path).exists()
}

/// Remembers what `path` held before it is changed to `after`; what is remembered already stays.
pub(crate) fn remember(dir: &Path, path: &Path, before: Option<&str>, after: &str) -> Result<(), InstallError> {
    let known = of(dir, path, before);
    // What already holds hooks of ours, of an installation that was not remembered, is no original.
    let has_ours =
        before.is_some_and(|before| ["recovery hook ", "recovery' hook "].iter().any(|hook| before.contains(hook)));
    if known.is_none() && has_ours {
        return Ok(());
    }
    let original = Original {
        path: path.to_path_buf(),
        before: known.as_ref().map_or_else(|| before.map(str::to_owned), |known| known.before.clone()),
        after: after.to_owned(),
        made: known.map_or_else(|| missing_above(path), |known| known.made),
    };
    std::fs::create_dir_all(dir).map_err(InstallError::io("make", dir))?;
    let file = file(dir, path);
    let text = serde_json::to_string(&original)?;
    std::fs::write(&file, text).map_err(InstallError::io("write", file))
}

/// Nothing of ours is left in `path`.
pub(crate) fn forget(dir: &Path, path: &Path) {
    // One that stays is of no consequence: it counts only while the settings file is as we left it.
    let _ = std::fs::remove_file(file(dir, path));
    remove_empty(dir);
}

/// Takes away the directories that only held originals, as far as they are empty and have the names that they are made with.
fn remove_empty(dir: &Path) {
    let names = ["installed", "recovery", "state", ".local"];
    for (dir, name) in dir.ancestors().zip(names) {
        let is_default = name != "state" || dir.parent().is_some_and(|above| above.ends_with(".local"));
        if !dir.ends_with(name) || !is_default || std::fs::remove_dir(dir).is_err() {
            return;
        }
    }
}

/// Directories above `path` that are not there yet, innermost first.
fn missing_above(path: &Path) -> Vec<PathBuf> {
    path.ancestors().skip(1).take_while(|dir| !dir.exists()).map(Path::to_path_buf).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_the_originals_directory() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".local/state/recovery/installed");
        let (one, two) = (home.path().join("a.json"), home.path().join("b.json"));
        remember(&dir, &one, None, "{}").unwrap();
        remember(&dir, &two, Some("{ }"), "{}").unwrap();
        forget(&dir, &one);
        assert!(is_known(&dir, &two));
        forget(&dir, &two);
        assert!(!home.path().join(".local").exists());
        remember(&dir, &one, None, "{}").unwrap();
        std::fs::write(home.path().join(".local/other"), "").unwrap();
        forget(&dir, &one);
        assert!(home.path().join(".local/other").exists() && !home.path().join(".local/state").exists());
    }
}
