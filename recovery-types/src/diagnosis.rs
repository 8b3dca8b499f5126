//! What kind of failure it is.

use crate::{Level, Permille, Problem, Timestamp};
use serde::{Deserialize, Serialize};

/// What kind of failure it is; decides what happens to the working tree. A closed set, matched without `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureType {
    /// The code does not compile, load or parse.
    BrokenBuild,
    /// The code runs but fails its tests or checks.
    VerificationFailed,
    /// The agent ran out of context.
    ContextExhausted,
    /// The same approach was tried again and again.
    CircularFix,
    /// None of these.
    Unknown,
}

impl FailureType {
    /// All types, in the documented order of priority.
    pub const ALL: [Self; 5] =
        [Self::BrokenBuild, Self::VerificationFailed, Self::ContextExhausted, Self::CircularFix, Self::Unknown];

    /// The name as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BrokenBuild => "BROKEN_BUILD",
            Self::VerificationFailed => "VERIFICATION_FAILED",
            Self::ContextExhausted => "CONTEXT_EXHAUSTED",
            Self::CircularFix => "CIRCULAR_FIX",
            Self::Unknown => "UNKNOWN",
        }
    }
}

/// Declares [`ErrorType`] together with its table, so that every variant has a complete row.
macro_rules! error_types {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $failure:ident $nature:ident;)+) => {
        /// What went wrong, as a closed list with stable names. Each has its failure type and its nature.
        /// `classifier-core` decides how far it reaches, `escalation` at which ladder level it enters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum ErrorType {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl ErrorType {
            /// All error types.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// One line that explains it.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+),)+ }
            }

            /// The failure type it belongs to.
            #[must_use]
            pub const fn failure_type(self) -> FailureType {
                match self { $(Self::$variant => FailureType::$failure,)+ }
            }

            const fn nature(self) -> Nature {
                match self { $(Self::$variant => Nature::$nature,)+ }
            }
        }
    };
}

error_types! {
    /// The network or a server did not answer in time.
    NetworkTimeout "network_timeout" Unknown Transient;
    /// A connection could not be established, or was lost.
    ConnectionFailure "connection_failure" Unknown Transient;
    /// Too many requests; waiting helps.
    RateLimit "rate_limit" Unknown Transient;
    /// The server responds but cannot serve the request now.
    ServiceUnavailable "service_unavailable" Unknown Transient;
    /// Another process has a lock.
    LockContention "lock_contention" Unknown Transient;
    /// A file or directory does not exist.
    FileNotFound "file_not_found" Unknown Lasting;
    /// The operating system or a server denies the access.
    PermissionDenied "permission_denied" Unknown Lasting;
    /// The program is not installed or not on the path.
    CommandNotFound "command_not_found" Unknown Lasting;
    /// The command line is wrong: an unknown option, a missing argument.
    InvalidArgument "invalid_argument" Unknown Lasting;
    /// Data is not in the form that its reader accepts.
    WrongOutputFormat "wrong_output_format" Unknown Lasting;
    /// A key, token or login is missing, wrong or expired.
    MissingCredentials "missing_credentials" Unknown Lasting;
    /// A quota, credit or plan is used up until it is renewed.
    QuotaExhausted "quota_exhausted" Unknown Lasting;
    /// No space left.
    DiskFull "disk_full" Unknown Lasting;
    /// Memory ran out, or the kernel killed the process for it.
    OutOfMemory "out_of_memory" Unknown Lasting;
    /// The code does not compile, link or parse.
    CompileError "compile_error" BrokenBuild Code;
    /// A module, package, header or library is missing or does not resolve.
    MissingDependency "missing_dependency" BrokenBuild Code;
    /// A type checker that gates found an error.
    TypeError "type_error" VerificationFailed Code;
    /// A linter or formatter that gates found an error.
    LintError "lint_error" VerificationFailed Code;
    /// A test or a check failed.
    TestFailure "test_failure" VerificationFailed Code;
    /// A program ended with an uncaught exception, a panic or a crash.
    RuntimeException "runtime_exception" Unknown Lasting;
    /// The model's context or output limit is reached.
    ContextExhausted "context_exhausted" ContextExhausted Lasting;
    /// Version control could not merge.
    MergeConflict "merge_conflict" Unknown Lasting;
    /// The work does not serve the goal, according to a judge.
    GoalMisalignment "goal_misalignment" VerificationFailed Lasting;
    /// The agent or model cannot do it.
    CapabilityMismatch "capability_mismatch" Unknown Lasting;
    /// An external service is permanently unavailable.
    ExternalServiceDown "external_service_down" Unknown Lasting;
    /// The certificate of a server is not trusted, has expired, or belongs to another host.
    UntrustedCertificate "untrusted_certificate" Unknown Lasting;
    /// No other error type applies.
    Other "other" Unknown Lasting;
}

/// The nature of an error: who or what has to change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// The environment; the error may disappear without a change.
    Transient,
    /// The code that is being worked on.
    Code,
    /// Anything else, which stays until it is changed.
    Lasting,
}

impl ErrorType {
    /// Whether repeating the identical action is sensible.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        matches!(self.nature(), Nature::Transient)
    }

    /// Whether the code that is being worked on is at fault: a build, test, type or lint error.
    #[must_use]
    pub const fn is_code_error(self) -> bool {
        matches!(self.nature(), Nature::Code)
    }

    /// The error type with this stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|e| e.name() == name)
    }

    /// The error type that `words` name in any spelling: `Network timeout`, `file-not-found`, `Goal misalignment (judge FAIL)`.
    #[must_use]
    pub fn from_words(words: &str) -> Option<Self> {
        let words = words.split('(').next().unwrap_or(words).trim().to_ascii_lowercase().replace([' ', '-'], "_");
        Self::from_name(words.strip_prefix("agent_").unwrap_or(&words))
    }
}

impl std::fmt::Display for ErrorType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One indicator found in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IndicatorHit {
    /// The indicator's stable id.
    pub id: String,
    /// Its text.
    pub text: String,
    /// The offset of its first occurrence, in bytes from the start.
    pub offset: u64,
    /// The line it is on, from 1.
    pub line: u64,
}

/// What to do with the working tree and the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecoveryVerb {
    /// Go back to the last good commit, then fix.
    Rollback,
    /// Try again, differently.
    Retry,
    /// Skip the task.
    Skip,
    /// Commit the current state and continue in a new session.
    Continue,
    /// Ask a person.
    Escalate,
}

/// The recovery action for a failure type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecoveryAction {
    /// What to do.
    pub action: RecoveryVerb,
    /// Whether a person must be notified.
    pub escalate: bool,
    /// Why, in one sentence.
    pub reason: String,
}

/// Where in the user's code the first error is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// The file as printed.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
    /// The tool's own code for the error (`E0308`, `TS2322`).
    pub code: Option<String>,
}

/// Something that the output reports as missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Missing {
    /// `module`, `command`, `path`, `variable`, ...
    pub kind: String,
    /// Its name as printed.
    pub name: String,
}

/// The answer of the taxonomy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosis {
    /// What kind of failure it is.
    pub failure_type: FailureType,
    /// What went wrong.
    pub error_type: ErrorType,
    /// The ladder level at which the error type enters; not set by the taxonomy alone.
    #[serde(default)]
    pub entry_level: Option<Level>,
    /// The indicators that the answer rests on, in order of offset.
    pub indicators: Vec<IndicatorHit>,
    /// Whether the same approach was tried repeatedly, whatever the failure type is.
    pub circular: bool,
    /// The similarity of each of the last three attempts to the current approach, oldest first.
    pub similarities: Vec<Permille>,
    /// What to do about it.
    pub recovery_action: RecoveryAction,
    /// SHA-256 of the normalised text, without the parts that change from run to run.
    pub fingerprint: String,
    /// The wait that the server asked for.
    pub retry_after_ms: Option<u64>,
    /// The time at which the quota is renewed.
    pub resets_at: Option<Timestamp>,
    /// Where the first error is.
    pub location: Option<Location>,
    /// What is missing.
    pub missing: Option<Missing>,
    /// The HTTP status that was printed.
    pub http_status: Option<u16>,
    /// The root cause among the problems that the tools reported.
    #[serde(default)]
    pub problem: Option<Problem>,
    /// The other problems, up to [`MAX_PROBLEMS`](crate::problem::MAX_PROBLEMS).
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// The estimated probability that `error_type` is right.
    #[serde(default)]
    pub confidence: Option<Permille>,
    /// The step of the verdict table that decided, by its stable id.
    #[serde(default)]
    pub step: Option<String>,
    /// The indicator that decided, by its stable id.
    #[serde(default)]
    pub row: Option<String>,
    /// How many bytes of a long output were only skimmed.
    #[serde(default)]
    pub skimmed: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_json_says() {
        for error in ErrorType::ALL {
            assert_eq!(serde_json::to_value(error).unwrap(), error.name());
            assert_eq!(ErrorType::from_name(error.name()), Some(*error));
        }
        for failure in FailureType::ALL {
            assert_eq!(serde_json::to_value(failure).unwrap(), failure.name());
        }
    }

    #[test]
    fn an_error_type_is_known_in_the_documents_words() {
        let matrix = [
            ("Network timeout", ErrorType::NetworkTimeout),
            ("Rate limit", ErrorType::RateLimit),
            ("File not found", ErrorType::FileNotFound),
            ("Permission denied", ErrorType::PermissionDenied),
            ("Wrong output format", ErrorType::WrongOutputFormat),
            ("Goal misalignment (judge FAIL)", ErrorType::GoalMisalignment),
            ("Agent capability mismatch", ErrorType::CapabilityMismatch),
            ("External service down", ErrorType::ExternalServiceDown),
            ("missing-credentials", ErrorType::MissingCredentials),
            ("lock_contention", ErrorType::LockContention),
        ];
        for (words, error) in matrix {
            assert_eq!(ErrorType::from_words(words), Some(error), "{words}");
        }
        assert_eq!(ErrorType::from_words("nothing of ours"), None);
    }
}
