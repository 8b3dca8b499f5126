//! Where HEAD is, parsed from the files of the repository.
//!
//! In: the root of a work tree. Out: the commit that HEAD names, or none. A hook needs it for every failed command,
//! and starting git would take longer than the decision itself. Loose refs, `packed-refs`, linked work trees and
//! submodules are parsed; only a repository with reftables is left to git.

use std::path::{Path, PathBuf};

/// The commit that HEAD names in the repository at `root`, where it can be read without git.
#[must_use]
pub fn head(root: &Path) -> Option<String> {
    let git_dir = git_dir(&root.join(".git"))?;
    let head = std::fs::read_to_string(git_dir.join("HEAD")).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else {
        return commit(head.trim());
    };
    // What a repository with reftables writes here; its refs are in a format that only git reads.
    if name == "refs/heads/.invalid" {
        let asked = crate::command(root).args(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).output().ok()?;
        return commit(String::from_utf8_lossy(&asked.stdout).trim());
    }
    let common = common_dir(&git_dir);
    if let Ok(loose) = std::fs::read_to_string(common.join(name)) {
        return commit(loose.trim());
    }
    let packed = std::fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| commit(line.strip_suffix(name)?.trim_end()))
}

/// What the work trees of a repository share: branches and settings of a linked work tree live in the main repository.
pub(crate) fn common_dir(git_dir: &Path) -> PathBuf {
    std::fs::read_to_string(git_dir.join("commondir"))
        .map_or_else(|_| git_dir.to_path_buf(), |dir| git_dir.join(dir.trim()))
}

/// The directory that `.git` is, or that it names in a linked work tree or a submodule.
pub(crate) fn git_dir(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return Some(dot_git.to_path_buf());
    }
    let link = std::fs::read_to_string(dot_git).ok()?;
    Some(dot_git.parent()?.join(link.strip_prefix("gitdir:")?.trim()))
}

fn commit(text: &str) -> Option<String> {
    let is_id = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_id.then(|| text.to_owned())
}
