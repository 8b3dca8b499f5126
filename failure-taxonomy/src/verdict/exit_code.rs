//! The meaning of an exit code where the text means little.

use recovery_types::ErrorType;

/// By the conventions of shells and signals, and by the codes that curl, wget and ssh document.
pub(super) fn error_type(code: i64, tool: Option<&str>) -> Option<ErrorType> {
    match (tool, code) {
        (Some("curl"), 5 | 6 | 7 | 18 | 35 | 52 | 55 | 56 | 92) => Some(ErrorType::ConnectionFailure),
        (Some("curl"), 28) => Some(ErrorType::NetworkTimeout),
        (Some("curl"), 1..=3) => Some(ErrorType::InvalidArgument),
        (Some("wget"), 4) | (Some("ssh" | "scp" | "rsync"), 255) => Some(ErrorType::ConnectionFailure),
        (Some("wget"), 6) => Some(ErrorType::MissingCredentials),
        (_, 124) => Some(ErrorType::NetworkTimeout),
        (_, 126) => Some(ErrorType::PermissionDenied),
        (_, 127) => Some(ErrorType::CommandNotFound),
        (_, 137 | -9) => Some(ErrorType::OutOfMemory),
        (_, 132 | 134 | 135 | 136 | 139 | -4 | -6 | -7 | -8 | -11) => Some(ErrorType::RuntimeException),
        _ => None,
    }
}
