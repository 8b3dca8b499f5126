//! The error matrix of the escalation document: the level at which each error type enters the ladder.
//!
//! The documented rows are the nine of `documented_entry_levels`; the others follow the same reasons. An error of the code
//! itself has no row: how far it reaches decides, so its class gives the level. To change a level for one project, set
//! `ladder.entry` in its settings; to change it for all, change the row here.

use recovery_types::ErrorType::{self as E};
use recovery_types::Level::{self as L};

/// The matrix, in the order of [`ErrorType::ALL`](E::ALL).
#[rustfmt::skip]
pub const MATRIX: [(E, Option<L>); E::ALL.len()] = [
    (E::NetworkTimeout,       Some(L::Retry)),
    (E::ConnectionFailure,    Some(L::Retry)),
    (E::RateLimit,            Some(L::Retry)),
    (E::ServiceUnavailable,   Some(L::Retry)),
    (E::LockContention,       Some(L::Retry)),
    (E::FileNotFound,         Some(L::Nudge)),
    (E::PermissionDenied,     Some(L::Nudge)),
    (E::CommandNotFound,      Some(L::Nudge)),
    (E::InvalidArgument,      Some(L::Nudge)),
    (E::WrongOutputFormat,    Some(L::Nudge)),
    (E::MissingCredentials,   Some(L::ForceDone)),
    (E::QuotaExhausted,       Some(L::ForceDone)),
    (E::DiskFull,             Some(L::Nudge)),
    (E::OutOfMemory,          Some(L::Nudge)),
    (E::CompileError,         None),
    (E::MissingDependency,    None),
    (E::TypeError,            None),
    (E::LintError,            None),
    (E::TestFailure,          None),
    (E::RuntimeException,     None),
    (E::ContextExhausted,     Some(L::Fallback)),
    (E::MergeConflict,        Some(L::Nudge)),
    (E::GoalMisalignment,     Some(L::Replan)),
    (E::CapabilityMismatch,   Some(L::Fallback)),
    (E::ExternalServiceDown,  Some(L::ForceDone)),
    (E::UntrustedCertificate, Some(L::Nudge)),
    (E::Other,                None),
];

const _: () = {
    let mut at = 0;
    while at < MATRIX.len() {
        assert!(MATRIX[at].0 as usize == at && E::ALL[at] as usize == at, "the matrix has a row for every error type");
        at += 1;
    }
};

/// The row of an error type; `None` where the class decides.
#[must_use]
pub const fn matrix_level(error: E) -> Option<L> {
    MATRIX[error as usize].1
}

/// The entry level of an error type if nothing else is known: without a row, something has to be changed first.
///
/// ```
/// use recovery_types::{ErrorType, Level};
/// assert_eq!(escalation::entry_level(ErrorType::RateLimit), Level::Retry);
/// assert_eq!(escalation::entry_level(ErrorType::CompileError), Level::Nudge);
/// ```
#[must_use]
pub const fn entry_level(error: E) -> L {
    match matrix_level(error) {
        Some(level) => level,
        None => L::Nudge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Error matrix of the escalation document.
    #[test]
    fn documented_entry_levels() {
        let matrix = [
            ("network_timeout", 1),
            ("rate_limit", 1),
            ("file_not_found", 2),
            ("permission_denied", 2),
            ("wrong_output_format", 2),
            ("goal_misalignment", 3),
            ("capability_mismatch", 4),
            ("external_service_down", 5),
            ("missing_credentials", 5),
        ];
        for (name, level) in matrix {
            assert_eq!(entry_level(E::from_name(name).unwrap()).number(), level, "{name}");
        }
    }

    /// `ErrorType` itself identifies code errors; an exception and the unknown type have no level of their own either.
    #[test]
    fn errors_of_the_code_have_no_row() {
        for (error, level) in MATRIX {
            let has_none = error.is_code_error() || matches!(error, E::RuntimeException | E::Other);
            assert_eq!(level.is_none(), has_none, "{error}");
        }
    }
}
