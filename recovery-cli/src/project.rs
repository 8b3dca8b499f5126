//! Where the project is, and where its state is kept.

use std::path::{Path, PathBuf};

/// What marks a project's root, in the nearest ancestor.
const MARKS: [&str; 3] = [".recovery", "recovery.toml", ".git"];

/// The project root above `start`: the nearest ancestor with `.recovery`, `recovery.toml` or `.git`, else `start`.
pub(crate) fn root(start: &Path) -> PathBuf {
    start.ancestors().find(|dir| MARKS.iter().any(|mark| dir.join(mark).exists())).unwrap_or(start).to_path_buf()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_mark_wins() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(super::root(&deep), dir.path());
        std::fs::write(dir.path().join("a/recovery.toml"), "").unwrap();
        assert_eq!(super::root(&deep), dir.path().join("a"));
    }
}
