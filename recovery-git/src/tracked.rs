//! Whether git tracks a path: what a clone brought is tracked, what the user made here is not.
//!
//! In: a path. Out: yes or no. The answer decides whether a state directory or a settings file may be believed, and a hook
//! asks it each time, so the index is read directly instead of starting git. Entries are sorted by path, and a dotfile sorts
//! near the beginning, so that reading stops after a few of them. Where the index is of a kind that cannot be read here (a
//! split index, an unknown version, damage), git is asked. Names are compared without case, because file systems of some
//! systems do the same.

use crate::head::git_dir;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Bytes of an entry before its flags: ten 32-bit numbers of stat data; then the object id.
const STAT_BYTES: usize = 40;
/// Flag of an entry that has two more bytes of flags.
const EXTENDED: u16 = 0x4000;

/// Whether git tracks `path`, or anything in it. Where nothing can be found out, the answer is yes: then it is not
/// believed.
#[must_use]
pub fn is_tracked(path: &Path) -> bool {
    let Some((top, git_dir)) = path.ancestors().skip(1).find_map(|dir| Some((dir, git_dir(&dir.join(".git"))?))) else {
        return false;
    };
    let Ok(relative) = path.strip_prefix(top) else { return true };
    let wanted = relative.to_string_lossy().to_lowercase().into_bytes();
    match in_index(&git_dir, &wanted) {
        Some(answer) => answer,
        None => is_listed_by_git(top, relative),
    }
}

/// What the index contains; none where it cannot be parsed here.
fn in_index(git_dir: &Path, wanted: &[u8]) -> Option<bool> {
    let file = match std::fs::File::open(git_dir.join("index")) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(false),
        Err(_) => return None,
    };
    // Part of a split index is in another file.
    let is_split = std::fs::read_dir(git_dir)
        .ok()?
        .flatten()
        .any(|entry| entry.file_name().as_encoded_bytes().starts_with(b"sharedindex."));
    if is_split {
        return None;
    }
    let id_bytes = if is_sha256(git_dir)? { 32 } else { 20 };
    find(&mut BufReader::with_capacity(32 << 10, file), id_bytes, wanted)
}

/// Looks for `wanted` or something below it among the entries.
fn find(index: &mut impl BufRead, id_bytes: usize, wanted: &[u8]) -> Option<bool> {
    let header: [u8; 12] = take(index)?;
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, entries) = (number(4), number(8));
    if &header[..4] != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    // Upper-case letters sort before lower-case ones, so what only differs in case comes before this.
    let past = [wanted, b"0"].concat();
    let mut path = Vec::new();
    for _ in 0..entries {
        skip(index, STAT_BYTES + id_bytes)?;
        let flags = u16::from_be_bytes(take(index)?);
        let extended = version >= 3 && flags & EXTENDED != 0;
        if extended {
            skip(index, 2)?;
        }
        if version == 4 {
            let dropped = varint(index)?;
            path.truncate(path.len().checked_sub(dropped)?);
            index.read_until(0, &mut path).ok()?;
            path.pop()?;
        } else {
            path.clear();
            index.read_until(0, &mut path).ok()?;
            path.pop()?;
            // Entries are filled with one to eight zero bytes to a multiple of eight.
            let length = STAT_BYTES + id_bytes + 2 + if extended { 2 } else { 0 } + path.len();
            skip(index, 7 - length % 8)?;
        }
        let folded = path.to_ascii_lowercase();
        if folded.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/")) {
            return Some(true);
        }
        if path > past {
            return Some(false);
        }
    }
    Some(false)
}

/// Git's variable-length number.
fn varint(index: &mut impl BufRead) -> Option<usize> {
    let [mut byte] = take(index)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        [byte] = take(index)?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}

fn take<const N: usize>(index: &mut impl BufRead) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    index.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn skip(index: &mut impl BufRead, bytes: usize) -> Option<()> {
    let skipped = std::io::copy(&mut index.take(bytes as u64), &mut std::io::sink()).ok()?;
    (skipped == bytes as u64).then_some(())
}

/// Whether the repository names objects by SHA-256; none where its settings cannot be read.
fn is_sha256(git_dir: &Path) -> Option<bool> {
    let common = crate::head::common_dir(git_dir);
    let config = std::fs::read_to_string(common.join("config")).ok()?.to_ascii_lowercase();
    let value =
        |line: &str| Some(line.trim().strip_prefix("objectformat")?.trim_start().strip_prefix('=')?.trim() == "sha256");
    Some(config.lines().find_map(value).unwrap_or(false))
}

/// What git reports, without running any program that the repository configures.
fn is_listed_by_git(top: &Path, relative: &Path) -> bool {
    let mut pathspec = std::ffi::OsString::from(":(top,literal,icase)");
    pathspec.push(relative);
    let listed = crate::command(top).args(["ls-files", "-z", "--"]).arg(PathBuf::from(pathspec)).output();
    listed.map_or(true, |listed| !listed.status.success() || !listed.stdout.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn git(dir: &Path, args: &[&str]) {
        let out = Command::new("git").current_dir(dir).args(args).output().unwrap();
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    #[test]
    fn every_kind_of_index() {
        for settings in [
            &[][..],
            &["--object-format=sha256"],
            &["-c", "index.version=3"],
            &["-c", "index.version=4"],
            &["-c", "core.splitIndex=true"],
        ] {
            let dir = tempfile::tempdir().unwrap();
            let top = dir.path();
            let (config, init): (Vec<&str>, Vec<&str>) = settings.iter().partition(|s| !s.starts_with("--object"));
            git(top, &[&["init", "--quiet"], &init[..]].concat());
            let write = |name: &str| {
                std::fs::create_dir_all(top.join(name).parent().unwrap()).unwrap();
                std::fs::write(top.join(name), name).unwrap();
            };
            for n in 0..40 {
                write(&format!(".github/workflows/a-rather-long-name-{n}.yml"));
                write(&format!("src/module_{n}.rs"));
            }
            for name in ["sub/.Recovery/journal.db", ".recovery-notes", "recovery.toml", "zz/.recoveryx/a"] {
                write(name);
            }
            let add = |paths: &[&str]| git(top, &[&config[..], &["add", "--force", "--"], paths].concat());
            assert!(!is_tracked(&top.join("recovery.toml")), "{settings:?}: no index yet");
            add(&["."]);
            for (path, tracked) in [
                (".recovery", false),
                ("sub/.recovery", true),
                ("recovery.toml", true),
                ("src/recovery.toml", false),
                ("zz/.recovery", false),
                ("src/module_39.rs", true),
            ] {
                assert_eq!(is_tracked(&top.join(path)), tracked, "{settings:?}: {path}");
            }
            std::fs::create_dir(top.join(".recovery")).unwrap();
            std::os::unix::fs::symlink("/etc/passwd", top.join(".recovery/learnings.md")).unwrap();
            add(&[".recovery"]);
            assert!(is_tracked(&top.join(".recovery")), "{settings:?}");
        }
    }

    #[test]
    fn an_index_that_cannot_be_read_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "--quiet"]);
        std::fs::write(dir.path().join(".git/index"), "no index at all").unwrap();
        assert!(is_tracked(&dir.path().join(".recovery")));
        assert!(!is_tracked(&tempfile::tempdir().unwrap().path().join(".recovery")), "no repository");
    }
}
