//! Small files of the state directory, beside the journal: marks and counts that are not worth a record.
//!
//! Hooks run at the same time (a sub-agent's beside its parent's, two for one call), so a file is replaced as a whole: a
//! reader sees the old text or the new one, never a part. What several hooks change at once has a file for each
//! (`super::running`). The name may be a link that somebody has put there: it is replaced and never followed.

use std::io::Write as _;
use std::path::Path;

/// Writes a small file, readable by its owner only.
pub(super) fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    let draft = Path::new(&draft);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    let written = options.open(draft)?.write_all(text.as_bytes()).and_then(|()| std::fs::rename(draft, path));
    if written.is_err() {
        let _ = std::fs::remove_file(draft);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_replaced_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("target"), dir.path().join("mark"));
        std::fs::write(&target, "theirs").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write(&link, "ours").unwrap();
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "theirs");
        assert_eq!(std::fs::read_to_string(&link).unwrap(), "ours");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
