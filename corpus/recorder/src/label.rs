//! The labels that a case can have, as one table: failure type, class, entry level and error type.
//!
//! In: the name that `case.toml` gives. Out: the expected answers of a diagnosis. A label belongs to the definition of a
//! case and is never derived from the recorded text, because a label read off the text would measure the engine against
//! itself.
//!
//! A field is `None` where readers of the failure would disagree. A new kind of failure is a row of `labels!`. A case
//! without a label is benign, a run that must not be diagnosed as a failure.

use recovery_types::{Class, ErrorType, FailureType, Level};

/// The four answers a reader of the failure would give. `None` where readers would disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    pub taxonomy: FailureType,
    pub class: Option<Class>,
    pub entry_level: Option<Level>,
    pub error_type: ErrorType,
}

/// Declares the labels as one table: name, failure type, class, entry level, error type.
macro_rules! labels {
    ($($name:literal $taxonomy:ident $class:expr, $level:expr, $error:ident;)+) => {
        const LABELS: &[(&str, Label)] = &[$(($name, Label {
            taxonomy: FailureType::$taxonomy,
            class: $class,
            entry_level: $level,
            error_type: ErrorType::$error,
        }),)+];
    };
}

/// The label that `case.toml` calls `name`.
pub fn by_name(name: &str) -> Option<Label> {
    LABELS.iter().find(|(known, _)| *known == name).map(|(_, label)| *label)
}

const F1: Option<Class> = Some(Class::F1);
const F2: Option<Class> = Some(Class::F2);
const RETRY: Option<Level> = Some(Level::Retry);
const NUDGE: Option<Level> = Some(Level::Nudge);
const FALLBACK: Option<Level> = Some(Level::Fallback);
const PERSON: Option<Level> = Some(Level::ForceDone);
const OPEN: Option<Level> = None;

labels! {
    // Worth the identical action again.
    "timeout"         Unknown            F1,   RETRY,    NetworkTimeout;
    "connection"      Unknown            F1,   RETRY,    ConnectionFailure;
    "rate_limit"      Unknown            F1,   RETRY,    RateLimit;
    "unavailable"     Unknown            F1,   RETRY,    ServiceUnavailable;
    "lock"            Unknown            F1,   RETRY,    LockContention;
    // The call must change.
    "missing_file"    Unknown            F2,   NUDGE,    FileNotFound;
    "missing_command" Unknown            F2,   NUDGE,    CommandNotFound;
    "bad_argument"    Unknown            F2,   NUDGE,    InvalidArgument;
    "bad_format"      Unknown            F2,   NUDGE,    WrongOutputFormat;
    "exception"       Unknown            F2,   NUDGE,    RuntimeException;
    "conflict"        Unknown            F2,   NUDGE,    MergeConflict;
    // The code must change.
    "compile"         BrokenBuild        F2,   NUDGE,    CompileError;
    "dependency"      BrokenBuild        F2,   NUDGE,    MissingDependency;
    "types"           VerificationFailed F2,   NUDGE,    TypeError;
    "lint"            VerificationFailed F2,   NUDGE,    LintError;
    "test"            VerificationFailed F2,   NUDGE,    TestFailure;
    // The session must change.
    "context"         ContextExhausted   None, FALLBACK, ContextExhausted;
    // A person is needed.
    "credentials"     Unknown            None, PERSON,   MissingCredentials;
    "quota"           Unknown            None, PERSON,   QuotaExhausted;
    // The machine or its policy is the obstacle; readers differ on how hard to push.
    "denied"          Unknown            None, NUDGE,    PermissionDenied;
    "forbidden"       Unknown            None, OPEN,     PermissionDenied;
    "disk_full"       Unknown            None, OPEN,     DiskFull;
    "out_of_memory"   Unknown            None, OPEN,     OutOfMemory;
    "untrusted"       Unknown            F2,   OPEN,     UntrustedCertificate;
    // None of the above: refused because of the state of things, or data that breaks a rule.
    "state"           Unknown            None, OPEN,     Other;
    "refused_data"    Unknown            F2,   NUDGE,    Other;
}
