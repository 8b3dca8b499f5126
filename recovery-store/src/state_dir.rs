//! The directory that everything the program keeps for a project is in, opened so that nobody else can redirect a write.
//!
//! In: a path. Out: a handle on the directory, and files opened relative to that handle. The project may be a repository
//! from a stranger, so three things are refused rather than repaired: a directory that is a symbolic link, one that
//! belongs to another user, and a file in it that is a link, a pipe or anything else but a regular file. Files are opened
//! with `O_NOFOLLOW` relative to the handle, so that no rename or link made in between changes where bytes go. New
//! directories have mode 0700, new files 0600; a directory that others could enter is closed to them when it is opened
//! for writing.
//!
//! Whether the directory came with a repository (git tracks it) is for the caller to find out: this module knows files
//! only.

use crate::error::{StoreError, UntrustedReason};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Mode of every directory that is made.
const DIRECTORY_MODE: Mode = Mode::RWXU;
/// Mode of every file that is made.
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);
/// What others may do with a file.
const MODE_OF_OTHERS: Mode = Mode::RWXG.union(Mode::RWXO);

/// An open state directory.
///
/// ```
/// use recovery_store::StateDir;
/// use std::io::Write as _;
/// # let project = tempfile::tempdir().unwrap();
/// let dir = StateDir::create(&project.path().join(".recovery")).unwrap();
/// dir.append_to("issues.md").unwrap().write_all(b"one line\n").unwrap();
/// assert_eq!(dir.read("issues.md").unwrap().unwrap(), b"one line\n");
/// assert_eq!(dir.read("learnings.md").unwrap(), None);
/// ```
#[derive(Debug)]
pub struct StateDir {
    handle: OwnedFd,
    path: PathBuf,
}

impl StateDir {
    /// Opens the directory at `path` and makes it where it is missing, together with the directories above it.
    ///
    /// # Errors
    /// [`StoreError::Untrusted`] where it is a link or somebody else's; otherwise why it cannot be made.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        if let Some(dir) = Self::open(path)? {
            let others = Mode::from_raw_mode(dir.stat()?.st_mode) & MODE_OF_OTHERS;
            if !others.is_empty() {
                // On a file system without modes there is nothing to close.
                let _ = rustix::fs::fchmod(&dir.handle, DIRECTORY_MODE);
            }
            return Ok(dir);
        }
        if let Some(above) = path.parent() {
            std::fs::create_dir_all(above).map_err(|e| cannot_make(path, &e))?;
        }
        match rustix::fs::mkdir(path, DIRECTORY_MODE) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(cannot_make(path, &error.into())),
        }
        Self::open(path)?.ok_or_else(|| cannot_make(path, &ErrorKind::NotFound.into()))
    }

    /// Opens the directory at `path`; `None` where there is none.
    ///
    /// # Errors
    /// [`StoreError::Untrusted`] where it is a link or somebody else's, [`StoreError::NotADirectory`] where it is
    /// something else.
    pub fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        let found = match rustix::fs::statat(rustix::fs::CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => found,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(rustix::io::Errno::NOTDIR) => {
                let in_the_way = path.ancestors().skip(1).find(|above| above.exists() && !above.is_dir());
                return Err(StoreError::NotADirectory { path: in_the_way.unwrap_or(path).to_owned() });
            }
            Err(error) => return Err(cannot_open(path, &error.into())),
        };
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => {}
            FileType::Symlink => return Err(untrusted(path, UntrustedReason::Link)),
            _ => return Err(StoreError::NotADirectory { path: path.to_owned() }),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| cannot_open(path, &e.into()))?;
        let dir = Self { handle, path: path.to_owned() };
        let owner = dir.stat()?.st_uid;
        if is_trusted_owner(owner) { Ok(Some(dir)) } else { Err(untrusted(path, UntrustedReason::Owner { owner })) }
    }

    /// Opens the directory `name` within this one, making it where it is missing.
    ///
    /// # Errors
    /// As [`StateDir::create`].
    pub fn subdirectory(&self, name: &str) -> Result<Self, StoreError> {
        Self::create(&self.path.join(name))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file `name` holds; `None` where there is none.
    ///
    /// # Errors
    /// Where it is no regular file, or cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let mut file = match self.file(name, OFlags::RDONLY) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// The file `name`, made where it is missing, with every write at its end.
    ///
    /// # Errors
    /// Where it is no regular file, or cannot be opened.
    pub fn append_to(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)
    }

    /// The file `name` to be read and written, made where it is missing.
    ///
    /// # Errors
    /// Where it is no regular file, or cannot be opened.
    pub fn read_write(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::RDWR | OFlags::CREATE)
    }

    /// Hides the directory from git by a `.gitignore` of its own.
    pub(crate) fn hide_from_git(&self) -> Result<(), StoreError> {
        let ignore = || -> io::Result<()> {
            let mut file = self.append_to(".gitignore")?;
            // A process may have died between making the file and filling it.
            if file.metadata()?.len() == 0 { file.write_all(b"*\n") } else { Ok(()) }
        };
        ignore().map_err(|e| cannot_make(&self.path, &e))
    }

    /// Opens a file of this directory, which must be a regular one. A pipe is not waited for.
    fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        let is_plain_name = !name.is_empty() && name != "." && name != ".." && !name.contains('/');
        if !is_plain_name {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not the name of a file in the state directory"));
        }
        let always = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let handle =
            rustix::fs::openat(&self.handle, name, flags | always, FILE_MODE).map_err(|error| match error {
                rustix::io::Errno::LOOP => io::Error::other("it is a symbolic link, and the state directory has none"),
                other => other.into(),
            })?;
        let file = File::from(handle);
        if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        rustix::fs::fstat(&self.handle).map_err(|e| cannot_open(&self.path, &e.into()))
    }
}

/// Whether `owner` may control what this user's program does: the user, root, and with `sudo` the user who called it.
#[must_use]
pub fn is_trusted_owner(owner: u32) -> bool {
    let user = rustix::process::geteuid();
    let behind_sudo = || std::env::var("SUDO_UID").ok()?.parse::<u32>().ok();
    owner == 0 || owner == user.as_raw() || (user.is_root() && behind_sudo() == Some(owner))
}

/// Why a file or directory of the state directory could not be made, in the journal's words.
pub(crate) fn cannot_make(path: &Path, error: &io::Error) -> StoreError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::DiskFull { path },
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => StoreError::ReadOnly { path },
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            let in_the_way = path.ancestors().find(|above| above.exists() && !above.is_dir()).map(Path::to_owned);
            StoreError::NotADirectory { path: in_the_way.unwrap_or(path) }
        }
        _ => StoreError::CannotOpen { path, reason: error.to_string() },
    }
}

fn cannot_open(path: &Path, error: &io::Error) -> StoreError {
    StoreError::CannotOpen { path: path.to_owned(), reason: error.to_string() }
}

fn untrusted(path: &Path, reason: UntrustedReason) -> StoreError {
    StoreError::Untrusted { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_for_the_user_alone() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("deep/.recovery");
        let dir = StateDir::create(&path).unwrap();
        dir.append_to("notes.md").unwrap().write_all(b"x").unwrap();
        assert_eq!((mode(&path), mode(&path.join("notes.md"))), (0o700, 0o600));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        StateDir::create(&path).unwrap();
        assert_eq!(mode(&path), 0o700, "closed to others when opened for writing");
    }

    #[test]
    fn links_and_pipes_are_refused_and_what_they_lead_to_is_untouched() {
        let place = tempfile::tempdir().unwrap();
        let elsewhere = place.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        std::fs::write(elsewhere.join("file"), "precious").unwrap();
        let linked = place.path().join("linked");
        symlink(&elsewhere, &linked).unwrap();
        for refused in [StateDir::open(&linked).map(|_| ()), StateDir::create(&linked).map(|_| ())] {
            let error = refused.unwrap_err();
            assert!(matches!(error, StoreError::Untrusted { reason: UntrustedReason::Link, .. }), "{error}");
        }
        let dir = StateDir::create(&place.path().join("state")).unwrap();
        symlink(elsewhere.join("file"), dir.path().join("notes.md")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, dir.path().join("pipe"), FileType::Fifo, FILE_MODE, 0).unwrap();
        for name in ["notes.md", "pipe", "../elsewhere/file", "..", "", "a/b"] {
            assert!(dir.append_to(name).is_err(), "{name}");
            assert!(dir.read_write(name).is_err(), "{name}");
            assert!(dir.read(name).is_err(), "{name}");
        }
        assert_eq!(std::fs::read_to_string(elsewhere.join("file")).unwrap(), "precious");
    }

    #[test]
    fn a_directory_of_another_user_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(".recovery");
        std::fs::create_dir(&path).unwrap();
        if std::os::unix::fs::chown(&path, Some(4711), None).is_err() {
            return; // Only root can give a directory away.
        }
        let error = StateDir::create(&path).unwrap_err();
        assert!(
            matches!(error, StoreError::Untrusted { reason: UntrustedReason::Owner { owner: 4711 }, .. }),
            "{error}"
        );
    }
}
