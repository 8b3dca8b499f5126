//! Error types of the escalation document's matrix, for the documented pack.
//!
//! The tables of the failure-type document have no row for a missing file or missing credentials: such a text is
//! `UNKNOWN`. The ladder's matrix is looked up by error type, so the words of the matrix and of its examples give the
//! error type here. They apply only where the tables found nothing, with one exception: an errno also overrides an
//! exhausted context, because the matrix's own example of a missing file has `context` in its path.

use recovery_types::{ErrorType, FailureType};

/// A word of the matrix or of its examples, in lower case; the first row that the text has decides.
const WORDS: [(&str, ErrorType); 14] = [
    ("missing credentials", ErrorType::MissingCredentials),
    ("external service down", ErrorType::ExternalServiceDown),
    ("service is down", ErrorType::ExternalServiceDown),
    ("service down", ErrorType::ExternalServiceDown),
    ("capability mismatch", ErrorType::CapabilityMismatch),
    ("goal misalignment", ErrorType::GoalMisalignment),
    ("network timeout", ErrorType::NetworkTimeout),
    ("rate limit", ErrorType::RateLimit),
    ("file not found", ErrorType::FileNotFound),
    ("enoent", ErrorType::FileNotFound),
    ("permission denied", ErrorType::PermissionDenied),
    ("eperm", ErrorType::PermissionDenied),
    ("eacces", ErrorType::PermissionDenied),
    ("wrong output format", ErrorType::WrongOutputFormat),
];

/// Errors of the operating system among them.
const ERRNO: [&str; 3] = ["enoent", "eperm", "eacces"];

/// The error type that the matrix has for a text of which the tables made `failure_type`.
pub(crate) fn error_type(text: &str, failure_type: FailureType) -> Option<ErrorType> {
    let counts = |word: &str| match failure_type {
        FailureType::Unknown => true,
        FailureType::ContextExhausted => ERRNO.contains(&word),
        FailureType::BrokenBuild | FailureType::VerificationFailed | FailureType::CircularFix => false,
    };
    let text = text.to_ascii_lowercase();
    WORDS.iter().find(|(word, _)| counts(word) && text.contains(word)).map(|(_, error_type)| *error_type)
}

#[cfg(test)]
mod tests {
    use crate::{Failure, Taxonomy};
    use recovery_types::{ErrorType, FailureType};

    #[test]
    fn the_matrix_counts_only_where_the_tables_find_nothing() {
        let read = |text: &str| {
            let diagnosis = Taxonomy::documented().diagnose(&Failure { text: text.as_bytes(), ..Failure::default() });
            (diagnosis.failure_type, diagnosis.error_type)
        };
        for (text, error_type) in [
            ("Missing credentials for the registry", ErrorType::MissingCredentials),
            ("External API service is down", ErrorType::ExternalServiceDown),
            ("agent capability mismatch", ErrorType::CapabilityMismatch),
            ("goal misalignment (judge FAIL)", ErrorType::GoalMisalignment),
            ("Read('.claude/context/data/index.db') → ENOENT", ErrorType::FileNotFound),
            ("Write('output/result.json', ...) → EPERM", ErrorType::PermissionDenied),
        ] {
            assert_eq!(read(text), (FailureType::Unknown, error_type), "{text}");
        }
        assert_eq!(read("context length").0, FailureType::ContextExhausted);
        assert_eq!(read("test failed: ENOENT"), (FailureType::VerificationFailed, ErrorType::TestFailure));
    }
}
