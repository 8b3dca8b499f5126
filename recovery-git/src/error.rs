//! The error of this crate: a refused precondition, a failure of git, or an I/O error.
//!
//! In: errors of the standard library, messages of git and preconditions that do not hold. Out: a [`GitError`].
//! `Refused` is a precondition that does not hold, with the next step in its message. The trait `Context` adds what
//! was being done to any of them, as that of `anyhow` does, and keeps the error typed; `ensure!` returns a `Refused`
//! unless a condition holds.
//!
//! A cause that callers have to tell apart is a new variant; the enum is `#[non_exhaustive]`.

use std::fmt::Display;

/// The errors of this crate. The chain of [`std::error::Error::source`]s states what was being done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// A precondition does not hold; the message states which, and what to do.
    #[error("{0}")]
    Refused(String),
    /// Git itself failed; its own message.
    #[error("git: {0}")]
    Git(String),
    /// A file could not be read or written, or git could not be started.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The caller could not record the rollback.
    #[error(transparent)]
    NotRecorded(Box<dyn std::error::Error + Send + Sync>),
    /// One of the others, with what was being done.
    #[error("{doing}")]
    While {
        /// What was being done.
        doing: String,
        /// What went wrong.
        source: Box<GitError>,
    },
}

/// Adds to an error what was being done.
pub(crate) trait Context<T> {
    /// `doing` in front of the error.
    fn context(self, doing: impl Display) -> Result<T, GitError>;
    /// The same, made only where there is an error.
    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T, GitError>;
}

impl<T, E: Into<GitError>> Context<T> for Result<T, E> {
    fn context(self, doing: impl Display) -> Result<T, GitError> {
        self.with_context(|| doing)
    }

    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T, GitError> {
        self.map_err(|error| GitError::While { doing: doing().to_string(), source: Box::new(error.into()) })
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, doing: impl Display) -> Result<T, GitError> {
        self.with_context(|| doing)
    }

    fn with_context<D: Display>(self, doing: impl FnOnce() -> D) -> Result<T, GitError> {
        self.ok_or_else(|| GitError::Refused(doing().to_string()))
    }
}

/// Refuses with a message unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::GitError::Refused(format!($($message)+)));
        }
    };
}
pub(crate) use ensure;
