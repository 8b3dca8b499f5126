//! Why a project's settings or directories are not used.

use std::path::PathBuf;

/// What is wrong, with the place and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// A mistake in the settings, shown with its line and a caret.
    #[error("{0}")]
    Settings(String),
    /// What the settings or the directory ask for is not done; the message states why, and what to do.
    #[error("{0}")]
    Refused(String),
    /// A file could not be read or written.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// `read`, `write`, `find` or `remove`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The state directory or the store is not usable.
    #[error(transparent)]
    Store(#[from] recovery_store::StoreError),
    /// The journal could not be opened.
    #[error(transparent)]
    Service(#[from] recovery_service::ServiceError),
}

impl ProjectError {
    /// For `map_err` of what is done to a file.
    pub(crate) fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }

    /// For `map_err` of reading a file.
    pub(crate) fn unreadable(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        Self::io("read", path)
    }
}
