//! The ordered table of step rules: the first row that is admitted and makes a step gives the next step.
//!
//! A row is admitted by the error type of the diagnosis; without a diagnosis every row is. Rows are ordered from what is
//! certain by its kind (a conflict, an exhausted quota, a failing test) over what a message names (a package, a port, a
//! path) to what is left when no message is known (the code at its place, the line that says most).

use super::{
    Case, call, code, command, conflict, library, limit, lock, package, path, permission, quota, resource, service,
};
use super::{tokens, transient, variable, version};
use recovery_types::ErrorType::{self as E};
use recovery_types::{Adjustment, AdjustmentKind as K};

/// Declares [`StepId`] and [`STEPS`] together, so that the table's order is the declared order.
macro_rules! steps {
    ($($(#[doc = $doc:literal])+ $id:ident $name:literal $kinds:expr, $types:expr, $make:expr;)+) => {
        /// The step rules by their stable ids, in order of precedence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum StepId {
            $($(#[doc = $doc])+ $id,)+
        }

        impl StepId {
            /// All rules in order of precedence.
            pub const ALL: [Self; [$($name,)+].len()] = [$(Self::$id,)+];

            /// The stable id.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name,)+ }
            }

            /// When the rule gives its step, in a sentence or two.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$id => concat!($($doc),+),)+ }
            }
        }

        /// The table.
        pub const STEPS: [StepRule; StepId::ALL.len()] = [
            $(StepRule { id: StepId::$id, kinds: &$kinds, types: $types, make: $make },)+
        ];
    };
}

/// One row.
#[derive(Clone, Copy)]
pub struct StepRule {
    /// Its id.
    pub id: StepId,
    /// The kinds of step it makes.
    pub kinds: &'static [K],
    /// The error types it is admitted for.
    pub types: Types,
    /// The step, where the evidence supports one.
    pub make: fn(&Case<'_>) -> Option<Adjustment>,
}

/// Which error types admit a row.
#[derive(Clone, Copy)]
pub enum Types {
    /// Any, and none.
    Any,
    /// These, and where there is no diagnosis.
    Of(&'static [E]),
    /// These, and only with a diagnosis: the type itself is what the step rests on.
    Only(&'static [E]),
}

impl StepRule {
    /// Whether the row may make a step for a failure of this type.
    #[must_use]
    pub fn admits(&self, error: Option<E>) -> bool {
        match (self.types, error) {
            (Types::Any, _) | (Types::Of(_), None) => true,
            (Types::Only(_), None) => false,
            (Types::Of(types) | Types::Only(types), Some(error)) => types.contains(&error),
        }
    }
}

/// The network and servers: what passes by itself.
const PASSING: &[E] = &[E::NetworkTimeout, E::ConnectionFailure, E::ServiceUnavailable, E::ExternalServiceDown];

/// Types under which a message that names something missing may appear.
const MISSING: &[E] = &[
    E::MissingDependency,
    E::CompileError,
    E::TypeError,
    E::LintError,
    E::RuntimeException,
    E::CommandNotFound,
    E::FileNotFound,
    E::Other,
    E::InvalidArgument,
    E::WrongOutputFormat,
];

steps! {
    /// Version control could not merge: resolve the files in conflict, by name.
    Conflict "step.conflict" [K::ResolveConflict],
        Types::Of(&[E::MergeConflict, E::InvalidArgument, E::Other]), conflict::resolve;
    /// The request is larger than the model or server takes: give less, by the stated difference.
    InputTooLong "step.input-too-long" [K::ShrinkInput], Types::Of(&[E::ContextExhausted]), tokens::shrink;
    /// A quota, credit or plan is used up: wait for its renewal where that is stated, else only a person can go on.
    QuotaUsedUp "step.quota-used-up" [K::Wait, K::AskHuman], Types::Of(&[E::QuotaExhausted]), quota::used_up;
    /// The server said how long to wait.
    StatedWait "step.stated-wait" [K::Wait],
        Types::Of(&[E::RateLimit, E::NetworkTimeout, E::ConnectionFailure, E::ServiceUnavailable, E::LockContention]),
        transient::stated_wait;
    /// Too many requests were made, and nothing says how long to wait.
    SlowDown "step.slow-down" [K::Wait], Types::Of(&[E::RateLimit]), transient::slow_down;
    /// A test failed: whatever it printed, the test and the code disagree.
    FailingTest "step.failing-test" [K::FixTestOrCode],
        Types::Only(&[E::TestFailure, E::TypeError, E::RuntimeException, E::CompileError, E::Other]), code::failing_test;
    /// A limit of the operating system (file watchers, open files) or of `recovery run` (time) was reached.
    SystemLimit "step.system-limit" [K::FixConfig],
        Types::Of(&[E::DiskFull, E::OutOfMemory, E::Other, E::RuntimeException, E::CompileError, E::NetworkTimeout,
                    E::LockContention]), limit::raise;
    /// A disk is full: free space where the path is that could not be written.
    DiskFull "step.disk-full" [K::FreeDisk], Types::Of(&[E::DiskFull]), resource::disk;
    /// Memory ran out: use less or allow more.
    MemoryShort "step.memory-short" [K::FreeMemory], Types::Of(&[E::OutOfMemory]), resource::memory;
    /// A port is taken: free it or use another.
    PortInUse "step.port-in-use" [K::FreePort],
        Types::Of(&[E::Other, E::RuntimeException, E::ConnectionFailure, E::ServiceUnavailable, E::InvalidArgument]),
        service::port_in_use;
    /// A database broke off a transaction in favour of another: run it again.
    TransactionLost "step.transaction-lost" [K::Repeat],
        Types::Of(&[E::LockContention, E::RuntimeException, E::Other]), lock::transaction;
    /// Another process holds a lock that the message names.
    LockHeld "step.lock-held" [K::ReleaseLock],
        Types::Of(&[E::LockContention, E::RuntimeException, E::Other]), lock::held_by_another;
    /// Another process holds a lock.
    SomeLockHeld "step.some-lock-held" [K::ReleaseLock], Types::Only(&[E::LockContention]), lock::some_lock;
    /// A tool rejects a setting, a manifest or a certificate, and says so.
    RejectedSetting "step.rejected-setting" [K::FixConfig],
        Types::Of(&[E::InvalidArgument, E::WrongOutputFormat, E::CompileError, E::LintError, E::MissingDependency,
                    E::UntrustedCertificate, E::MissingCredentials, E::Other]), code::rejected_setting;
    /// A certificate is not trusted, and the message is not known.
    SomeCertificate "step.some-certificate" [K::FixConfig], Types::Only(&[E::UntrustedCertificate]), code::untrusted;
    /// Two versions do not fit, or the version asked for does not exist: both sides are named.
    VersionMismatch "step.version-mismatch" [K::MatchVersion], Types::Of(MISSING), version::mismatched;
    /// A name is imported from a module that is there but does not have it.
    BrokenImport "step.broken-import" [K::FixCode], Types::Of(MISSING), package::broken_import;
    /// The linker misses symbols of a well-known library: link it.
    NotLinked "step.not-linked" [K::FixConfig], Types::Of(&[E::CompileError, E::MissingDependency]), library::not_linked;
    /// A module or package of a language is missing.
    MissingPackage "step.missing-package" [K::InstallPackage, K::CorrectPath, K::CorrectCommand, K::MatchVersion, K::FixCode],
        Types::Of(MISSING), package::missing;
    /// A system library or header is missing.
    MissingLibrary "step.missing-library" [K::InstallLibrary, K::CorrectPath, K::FixConfig], Types::Of(MISSING), library::missing;
    /// A key, a license or an account has expired or was revoked: only a person can renew it, repeating does not help.
    KeyEnded "step.key-ended" [K::AskHuman],
        Types::Of(&[E::MissingCredentials, E::PermissionDenied, E::Other]), quota::key_ended;
    /// An environment variable is not set; an undefined name in code never is one.
    UnsetVariable "step.unset-variable" [K::SetVariable],
        Types::Of(&[E::MissingCredentials, E::RuntimeException, E::Other, E::CompileError, E::InvalidArgument,
                    E::MissingDependency, E::WrongOutputFormat]), variable::unset;
    /// A program is not installed, or its name is misspelt.
    MissingCommand "step.missing-command" [K::InstallCommand, K::CorrectCommand, K::CorrectPath, K::FixConfig],
        Types::Of(&[E::CommandNotFound, E::MissingDependency, E::FileNotFound, E::CompileError, E::InvalidArgument, E::Other]),
        command::missing;
    /// A program is not installed, and the message does not say which.
    SomeMissingCommand "step.some-missing-command" [K::InstallCommand], Types::Only(&[E::CommandNotFound]), command::some_missing;
    /// A login or key is missing or wrong, or a login has expired.
    Login "step.login" [K::Authenticate],
        Types::Of(&[E::MissingCredentials, E::PermissionDenied, E::ConnectionFailure]), permission::login;
    /// The operating system or a server forbids it.
    Denied "step.denied" [K::GrantPermission],
        Types::Of(&[E::PermissionDenied, E::Other, E::RuntimeException, E::CommandNotFound]), permission::denied;
    /// A connection to this machine was refused, or the tool says that a daemon does not run here: start it.
    NotRunning "step.not-running" [K::StartService],
        Types::Of(&[E::ConnectionFailure, E::Other, E::ServiceUnavailable, E::ExternalServiceDown, E::RuntimeException]),
        service::not_running;
    /// A host name did not resolve: the network is down, or the name is wrong.
    UnresolvedHost "step.unresolved-host" [K::Repeat], Types::Of(PASSING), transient::unresolved_host;
    /// The network or a server failed for a passing reason: the same again.
    Passing "step.passing" [K::Repeat], Types::Of(PASSING), transient::again;
    /// The call is wrong: an option, sub-command, target or script that does not exist, an argument that is missing.
    WrongCall "step.wrong-call" [K::CorrectCommand],
        Types::Of(&[E::InvalidArgument, E::CommandNotFound, E::FileNotFound, E::MissingDependency, E::Other]), call::wrong;
    /// The tool was called wrongly, in words that many tools share.
    WrongCallInGeneral "step.wrong-call-in-general" [K::CorrectCommand],
        Types::Only(&[E::InvalidArgument, E::CommandNotFound]), call::wrong_in_general;
    /// The tool names a command that helps, and it takes nothing away.
    ToolSuggests "step.tool-suggests" [K::CorrectCommand, K::InstallPackage, K::FixConfig],
        Types::Of(&[E::InvalidArgument, E::MissingDependency, E::Other, E::WrongOutputFormat]), code::suggested_by_tool;
    /// The tool was called wrongly, and the message is not known.
    SomeWrongCall "step.some-wrong-call" [K::CorrectCommand], Types::Only(&[E::InvalidArgument]), call::some_wrong;
    /// A module or package is missing that no known message names, only the diagnosis.
    SomeMissingPackage "step.some-missing-package" [K::InstallPackage, K::CorrectPath, K::FixCode],
        Types::Only(&[E::MissingDependency]), package::some_missing;
    /// A path does not exist: the nearest that does, or make it first.
    WrongPath "step.wrong-path" [K::CorrectPath, K::CorrectCommand],
        Types::Of(&[E::FileNotFound, E::InvalidArgument, E::Other]), path::wrong;
    /// Something is not there, and the message does not say what.
    SomeWrongPath "step.some-wrong-path" [K::CorrectPath], Types::Only(&[E::FileNotFound]), path::some_wrong;
    /// A table, column or role of a database is missing.
    MissingInDatabase "step.missing-in-database" [K::FixCode],
        Types::Of(&[E::RuntimeException, E::Other, E::FileNotFound, E::InvalidArgument]), code::missing_in_database;
    /// A setting, a manifest or a data file is wrong.
    WrongConfig "step.wrong-config" [K::FixConfig],
        Types::Of(&[E::WrongOutputFormat, E::CompileError, E::LintError, E::MissingDependency, E::Other]), code::fix_config;
    /// The code is wrong: its place and message.
    BrokenCode "step.broken-code" [K::FixCode],
        Types::Only(&[E::CompileError, E::TypeError, E::LintError, E::RuntimeException, E::MissingDependency]), code::fix;
    /// Nothing certain: where to look first.
    Look "step.look" [K::Look], Types::Any, code::look;
}

const _: () = {
    let mut at = 0;
    while at < STEPS.len() {
        assert!(STEPS[at].id as usize == at, "the table's order is the declared order");
        assert!(StepId::ALL[at] as usize == at, "ALL lists every rule in order");
        at += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks and judgements about the work itself: nothing in the surroundings is to be changed for them.
    const OF_THE_WORK: &[E] = &[
        E::TestFailure,
        E::ContextExhausted,
        E::MergeConflict,
        E::QuotaExhausted,
        E::GoalMisalignment,
        E::CapabilityMismatch,
        E::DiskFull,
        E::OutOfMemory,
        E::RateLimit,
        E::MissingCredentials,
    ];

    #[test]
    fn checks_of_the_work_change_nothing_around_it() {
        let around =
            [K::InstallPackage, K::InstallCommand, K::InstallLibrary, K::StartService, K::FreePort, K::CorrectPath];
        for rule in STEPS {
            for error in OF_THE_WORK {
                let changes = rule.kinds.iter().any(|kind| around.contains(kind));
                assert!(!changes || !rule.admits(Some(*error)), "{} for {error}", rule.id.name());
            }
        }
    }
}
