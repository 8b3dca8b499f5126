//! The error of planning or carrying out an installation: why settings were left as they are.
//!
//! In: a parse error, an I/O error or a refusal of ours. Out: an [`InstallError`] whose chain of sources names the
//! file first and the cause after it. `Refused` is for content that must not be changed, such as another program's
//! MCP server of the same name; its message states why. [`InstallError::io`] and
//! [`InstallError::within`] are made for `map_err`, so that every call site adds the path, and `refuse!` returns a
//! `Refused` from the enclosing function.
//!
//! A cause that a caller has to tell apart is a new variant; the enum is `#[non_exhaustive]`.

use crate::jsonc::Broken;
use std::path::PathBuf;

/// What kept an installation from being planned or carried out. Nothing is written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// What is there must not be changed; the message states why, and what to do.
    #[error("{0}")]
    Refused(String),
    /// A settings file is not JSON.
    #[error(transparent)]
    Json(#[from] Broken),
    /// A settings file is not TOML.
    #[error(transparent)]
    Toml(#[from] toml_edit::TomlError),
    /// An entry cannot be written as JSON.
    #[error(transparent)]
    Entry(#[from] serde_json::Error),
    /// A file could not be read or written.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// `read`, `write`, `make` or `remove`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// One of the others, in a settings file.
    #[error("{} stays as it is", path.display())]
    In {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<InstallError>,
    },
}

impl InstallError {
    /// For `map_err` of what is done to a file.
    pub(crate) fn io(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }

    /// For `map_err` of what is found in a file.
    pub(crate) fn within(path: impl Into<PathBuf>) -> impl FnOnce(Self) -> Self {
        let path = path.into();
        move |source| Self::In { path, source: Box::new(source) }
    }
}

/// Returns with a message that states why nothing is changed.
macro_rules! refuse {
    ($($message:tt)+) => {
        return Err($crate::InstallError::Refused(format!($($message)+)))
    };
}
pub(crate) use refuse;
