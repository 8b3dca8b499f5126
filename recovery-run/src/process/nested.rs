//! A run within a run: the inner one reports what it gave up on, so that the outer one does not repeat its retries.
//!
//! The outer run names a file in the environment of its command ([`OUTER`]); an inner run that ends without success appends
//! the error type to it, one per line. The outer run compares it with what it sees itself: a command may fail for another
//! reason after an inner run gave up. A file that cannot be written or read changes nothing but that.

use recovery_types::ErrorType;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The variable that names the file.
const OUTER: &str = "RECOVERY_OUTER";
/// More is not from us.
const MAX_BYTES: u64 = 64 << 10;

/// The file that the runs within one command write to.
#[derive(Debug)]
pub(super) struct Reports(PathBuf);

impl Reports {
    /// An empty file in `dir`.
    pub(super) fn begin(dir: &Path) -> std::io::Result<Self> {
        let path = std::path::absolute(dir.join(format!("inner-{}", std::process::id())))?;
        super::private_file(&path)?.set_len(0)?;
        Ok(Self(path))
    }

    /// What the command's environment needs.
    pub(super) fn variable(&self) -> (&'static str, &Path) {
        (OUTER, &self.0)
    }

    /// What was reported.
    pub(super) fn read(self) -> Vec<ErrorType> {
        let mut text = String::new();
        let read = std::fs::File::open(&self.0).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
        if read.is_err() {
            return Vec::new();
        }
        text.lines().filter_map(ErrorType::from_name).collect()
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Reports to the run that this process is within, if there is one.
pub(super) fn report(error: ErrorType) {
    let Some(path) = std::env::var_os(OUTER) else { return };
    use rustix::fs::{Mode, OFlags};
    // Only a file that the outer run has made: nothing is created, and no link is followed.
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(Path::new(&path), flags, Mode::empty()) else { return };
    let _ = writeln!(std::fs::File::from(file), "{}", error.name());
}
