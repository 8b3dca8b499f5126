//! The journal's file: opening it, waiting for it, and saying what is wrong with it.

use crate::error::StoreError;
use crate::schema::{self, Format};
use crate::state_dir::cannot_make;
use rusqlite::{Connection, OpenFlags};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the journal is and how long to wait for it: what an error message needs.
#[derive(Clone, Debug)]
pub(super) struct DbFile {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
}

impl DbFile {
    /// The journal at `path`. SQLite refuses links anywhere in a path. Those above the state directory are the user's,
    /// so they are resolved here; the state directory itself must not be one.
    pub(super) fn new(path: &Path, wait: Duration) -> Self {
        let resolved = || {
            let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let dir = match (dir.parent(), dir.file_name()) {
                (Some(above), Some(name)) => {
                    let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
                    above.canonicalize().ok()?.join(name)
                }
                _ => dir.canonicalize().ok()?,
            };
            Some(dir.join(path.file_name()?))
        };
        Self { path: resolved().unwrap_or_else(|| path.to_owned()), wait }
    }

    /// Makes the file, for the user alone: SQLite would make it for everybody, and gives the mode of the journal to the
    /// files beside it.
    pub(super) fn make(&self) -> Result<(), StoreError> {
        let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.path);
        match made {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(cannot_make(&self.path, &error)),
        }
    }

    /// Whether the file is there. Anything else at the path is refused: SQLite would call it a disk error, or
    /// wait for a pipe to be written to.
    pub(super) fn is_there(&self) -> Result<bool, StoreError> {
        use std::io::ErrorKind;
        let path = self.path.clone();
        match std::fs::symlink_metadata(&path) {
            Ok(file) if file.is_file() => Ok(true),
            Ok(file) if file.is_symlink() => Err(StoreError::NotAJournal { path, what: "a symbolic link" }),
            Ok(file) if file.is_dir() => Err(StoreError::NotAJournal { path, what: "a directory" }),
            Ok(_) => Err(StoreError::NotAJournal { path, what: "neither a file nor a directory" }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                let in_the_way = path.ancestors().skip(1).find(|above| above.exists() && !above.is_dir());
                Err(StoreError::NotADirectory { path: in_the_way.unwrap_or(&path).to_owned() })
            }
            Err(error) => Err(StoreError::CannotOpen { path, reason: error.to_string() }),
        }
    }

    pub(super) fn connect(&self, flags: OpenFlags, path: &Path) -> Result<Connection, StoreError> {
        let conn = Connection::open_with_flags(
            path,
            flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW,
        )
        .map_err(|e| self.explain(&e))?;
        conn.busy_timeout(self.wait).map_err(|e| self.explain(&e))?;
        Ok(conn)
    }

    /// Makes the names of new files durable. The files themselves are SQLite's matter, and a directory that cannot be
    /// synced must not keep a record from being written.
    pub(super) fn sync_directory(&self) {
        let directory = self.path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = std::fs::File::open(directory).and_then(|dir| dir.sync_all());
    }

    /// Makes what was written to the write-ahead log durable. SQLite holds no lock on the log that closing it here could
    /// release.
    pub(super) fn sync_log(&self) -> Result<(), StoreError> {
        let path = self.path.clone();
        std::fs::File::open(log_path(&path)).and_then(|log| log.sync_data()).map_err(|error| match error.kind() {
            std::io::ErrorKind::StorageFull => StoreError::DiskFull { path },
            _ => StoreError::Io { path, reason: error.to_string() },
        })
    }

    /// The format of the journal in the file; `None` where it is still empty.
    pub(super) fn format(&self, conn: &Connection) -> Result<Option<i64>, StoreError> {
        match schema::format(conn).map_err(|e| self.explain(&e))? {
            Format::Empty => Ok(None),
            Format::Journal(found) => self.known(found).map(Some),
            Format::Foreign => {
                Err(StoreError::NotAJournal { path: self.path.clone(), what: "another program's database" })
            }
        }
    }

    /// Makes the journal in an empty file, or brings an older one up to date.
    pub(super) fn bring_up_to_date(&self, conn: &mut Connection) -> Result<(), StoreError> {
        self.use_wal(conn)?;
        // Another process, a newer one perhaps, may have been faster.
        let reached = schema::migrate(conn).map_err(|e| self.explain(&e))?;
        self.known(reached).map(|_| ())
    }

    fn known(&self, found: i64) -> Result<i64, StoreError> {
        let supported = schema::CURRENT;
        if found <= supported {
            Ok(found)
        } else {
            Err(StoreError::NewerFile { path: self.path.clone(), found, supported })
        }
    }

    /// Turns the write-ahead log on. SQLite does not wait for other processes here, so this does.
    fn use_wal(&self, conn: &Connection) -> Result<(), StoreError> {
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        loop {
            match conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).map_err(|e| self.explain(&e)) {
                Err(StoreError::Busy { .. }) if waited < self.wait => {
                    std::thread::sleep(STEP);
                    waited += STEP;
                }
                other => return other,
            }
        }
    }

    /// SQLite only says that it cannot open some file. Where the journal or its directory is there, what is missing is
    /// the right to write.
    pub(super) fn blame_permissions(&self, error: StoreError) -> StoreError {
        let in_place =
            || if self.path.exists() { self.path.is_file() } else { self.path.parent().is_some_and(Path::is_dir) };
        match error {
            StoreError::CannotOpen { path, .. } if in_place() => StoreError::ReadOnly { path },
            other => other,
        }
    }

    /// SQLite only says that it cannot open the file; the system says why.
    pub(super) fn ask_system(&self, error: StoreError) -> StoreError {
        match (error, std::fs::File::open(&self.path)) {
            (StoreError::CannotOpen { path, .. }, Err(why)) => StoreError::CannotOpen { path, reason: why.to_string() },
            (error, _) => error,
        }
    }

    pub(super) fn explain(&self, error: &rusqlite::Error) -> StoreError {
        let waited_ms = u64::try_from(self.wait.as_millis()).unwrap_or(u64::MAX);
        StoreError::from_sqlite(error, &self.path, waited_ms)
    }
}

fn log_path(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

/// How much is in the write-ahead log; 0 where there is none.
pub(super) fn log_length(path: &Path) -> u64 {
    std::fs::metadata(log_path(path)).map_or(0, |log| log.len())
}

/// Whether there is a write-ahead log, be it empty.
pub(super) fn log_exists(path: &Path) -> bool {
    std::fs::symlink_metadata(log_path(path)).is_ok()
}

/// The file as one that nobody will change, which SQLite reads without any lock or second file.
pub(super) fn immutable_uri(path: &Path) -> PathBuf {
    let mut uri = std::ffi::OsString::from("file:");
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    uri.push(escaped);
    uri.push("?immutable=1");
    uri.into()
}
