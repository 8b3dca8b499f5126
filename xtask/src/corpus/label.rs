//! What a case provokes. A label belongs to the case's definition; it is never read off the recorded text.

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
    ($($name:ident $taxonomy:ident $class:expr, $level:expr, $error:ident;)+) => {
        $(pub const $name: Option<Label> = Some(Label {
            taxonomy: FailureType::$taxonomy,
            class: $class,
            entry_level: $level,
            error_type: ErrorType::$error,
        });)+
    };
}

const F1: Option<Class> = Some(Class::F1);
const F2: Option<Class> = Some(Class::F2);
const RETRY: Option<Level> = Some(Level::Retry);
const NUDGE: Option<Level> = Some(Level::Nudge);
const FALLBACK: Option<Level> = Some(Level::Fallback);
const PERSON: Option<Level> = Some(Level::ForceDone);
const OPEN: Option<Level> = None;

/// Not a failure.
pub const BENIGN: Option<Label> = None;

labels! {
    // Worth the identical action again.
    TIMEOUT         Unknown            F1,   RETRY,    NetworkTimeout;
    CONNECTION      Unknown            F1,   RETRY,    ConnectionFailure;
    RATE_LIMIT      Unknown            F1,   RETRY,    RateLimit;
    UNAVAILABLE     Unknown            F1,   RETRY,    ServiceUnavailable;
    LOCK            Unknown            F1,   RETRY,    LockContention;
    // The call must change.
    MISSING_FILE    Unknown            F2,   NUDGE,    FileNotFound;
    MISSING_COMMAND Unknown            F2,   NUDGE,    CommandNotFound;
    BAD_ARGUMENT    Unknown            F2,   NUDGE,    InvalidArgument;
    BAD_FORMAT      Unknown            F2,   NUDGE,    WrongOutputFormat;
    EXCEPTION       Unknown            F2,   NUDGE,    RuntimeException;
    CONFLICT        Unknown            F2,   NUDGE,    MergeConflict;
    // The code must change.
    COMPILE         BrokenBuild        F2,   NUDGE,    CompileError;
    DEPENDENCY      BrokenBuild        F2,   NUDGE,    MissingDependency;
    TYPES           VerificationFailed F2,   NUDGE,    TypeError;
    LINT            VerificationFailed F2,   NUDGE,    LintError;
    TEST            VerificationFailed F2,   NUDGE,    TestFailure;
    // The session must change.
    CONTEXT         ContextExhausted   None, FALLBACK, ContextExhausted;
    // A person is needed.
    CREDENTIALS     Unknown            None, PERSON,   MissingCredentials;
    QUOTA           Unknown            None, PERSON,   QuotaExhausted;
    // The machine or its policy stands in the way; readers differ on how hard to push.
    DENIED          Unknown            None, NUDGE,    PermissionDenied;
    FORBIDDEN       Unknown            None, OPEN,     PermissionDenied;
    DISK_FULL       Unknown            None, OPEN,     DiskFull;
    OUT_OF_MEMORY   Unknown            None, OPEN,     OutOfMemory;
    // None of the above: refused because of the state of things, an untrusted peer, data that breaks a rule.
    STATE           Unknown            None, OPEN,     Other;
    UNTRUSTED       Unknown            F2,   OPEN,     Other;
    REFUSED_DATA    Unknown            F2,   NUDGE,    Other;
}
