//! rustc, cargo, clippy, rustfmt, libtest.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, FileNotFound, InvalidArgument, LintError, LockContention, MissingDependency, RuntimeException,
    TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("rustc.error-code", "error[e", CompileError, "error[E0308]: mismatched types", "see error[Eventually]").tool("rustc").pattern(r"^error\[E\d{4}\]"),
    decisive("rustc.crate-missing", "can't find crate for", MissingDependency, "error[E0463]: can't find crate for `serde`", "find crate").tool("rustc"),
    decisive("rustc.unresolved-crate", "use of unresolved module or unlinked crate", MissingDependency, "error[E0432]: use of unresolved module or unlinked crate `serde`", "unresolved").tool("rustc"),
    decisive("rustc.undeclared-crate", "use of undeclared crate or module", MissingDependency, "error[E0433]: failed to resolve: use of undeclared crate or module `serde`", "undeclared").tool("rustc"),
    suggestive("rustc.aborting", "aborting due to", CompileError, "error: aborting due to 2 previous errors", "aborting due to user").tool("rustc").pattern(r"^error: aborting due to (?:\d+ |one )?previous error"),
    decisive("cargo.could-not-compile", "could not compile `", CompileError, "error: could not compile `app` (bin \"app\") due to 1 previous error", "compiled `app`").tool("cargo"),
    decisive("rustc.expected-found", "error: expected", CompileError, "error: expected one of `!` or `::`, found `fn`", "a.c:3: error: expected").tool("rustc").pattern(r"^error: expected .*(?:found|after)"),
    decisive("rustc.old-error", "error: ", CompileError, "src/lib.rs:3:5: 3:6 error: unexpected token: `+`", "error: no").tool("rustc").pattern(r"\.rs:\d+:\d+: \d+:\d+ error:"),
    decisive("rustc.linker", "error: linking with", CompileError, "error: linking with `cc` failed: exit status: 1", "linking").tool("rustc"),
    decisive("rustc.linker-missing", "error: linker `", MissingDependency, "error: linker `cc` not found", "linker ok").tool("rustc"),
    decisive("cargo.no-matching-package", "no matching package", MissingDependency, "error: no matching package named `serde_jso` found", "a matching package").tool("cargo"),
    decisive("cargo.select-version", "failed to select a version for", MissingDependency, "error: failed to select a version for the requirement `serde = \"^9\"`", "selected a version").tool("cargo"),
    decisive("cargo.no-version", "candidate versions found which didn't match", MissingDependency, "candidate versions found which didn't match: 1.0.1", "versions").tool("cargo"),
    decisive("cargo.build-script", "failed to run custom build command", CompileError, "error: failed to run custom build command for `openssl-sys v0.9`", "custom build").tool("cargo"),
    decisive("cargo.openssl", "could not find directory of openssl installation", MissingDependency, "Could not find directory of OpenSSL installation", "openssl").tool("cargo"),
    decisive("cargo.no-toml", "could not find `cargo.toml`", FileNotFound, "error: could not find `Cargo.toml` in `/x` or any parent directory", "Cargo.toml found").tool("cargo"),
    decisive("cargo.manifest", "failed to parse manifest", CompileError, "error: failed to parse manifest at `/x/Cargo.toml`", "manifest parsed").tool("cargo"),
    decisive("cargo.load-manifest", "failed to load manifest", CompileError, "error: failed to load manifest for workspace member `/x`", "manifest").tool("cargo"),
    decisive("cargo.no-target", "no bin target named", InvalidArgument, "error: no bin target named `x`", "bin targets").tool("cargo"),
    decisive("cargo.no-test-target", "no test target named", InvalidArgument, "error: no test target named `x`", "test targets").tool("cargo"),
    decisive("cargo.package-spec", "did not match any packages", InvalidArgument, "error: package ID specification `x` did not match any packages", "matched").tool("cargo"),
    decisive("cargo.edition", "requires rustc", CompileError, "package `x v1` cannot be built because it requires rustc 1.80 or newer", "requires rustc"). tool("cargo").pattern(r"cannot be built|or newer|not supported"),
    decisive("cargo.lock-frozen", "--locked", MissingDependency, "error: the lock file /x/Cargo.lock needs to be updated but --locked was passed", "use --locked").tool("cargo").pattern(r"needs to be updated|cannot update the lock file"),
    suggestive("cargo.blocking", "blocking waiting for file lock", LockContention, "    Blocking waiting for file lock on build directory", "file lock").tool("cargo"),
    summary("libtest.failed", "test result: failed", TestFailure, "test result: FAILED. 3 passed; 1 failed; 0 ignored", "test result: ok. 3 passed; 0 failed").tool("cargo"),
    success("libtest.ok", "test result: ok", "test result: ok. 3 passed; 0 failed; 0 ignored", "test result: FAILED. 0 passed; 1 failed"),
    decisive("libtest.case", "... failed", TestFailure, "test parser::reads_empty ... FAILED", "3 jobs ... failed").tool("cargo").pattern(r"^test .* \.\.\. FAILED"),
    summary("nextest.failed", "summary [", TestFailure, "     Summary [   0.016s] 3 tests run: 2 passed, 1 failed, 0 skipped", "Summary [ 0.1s] 3 tests run: 3 passed").tool("nextest").pattern(r"[1-9]\d* (?:failed|timed out)"),
    decisive("rust.panic", "panicked at", RuntimeException, "thread 'main' panicked at src/main.rs:3:5:", "it panicked at noon").tool("rust").pattern(r"thread '.*' (?:\(\d+\) )?(?:has )?panicked at"),
    suggestive("rust.error-debug", "error: ", RuntimeException, "Error: Os { code: 2, kind: NotFound }", "Error: x").pattern(r"^Error: \w+ \{|^Error: \w+\("),
    decisive("rustfmt.diff", "diff in ", LintError, "Diff in /src/main.rs:3:", "diff in hand").tool("rustfmt").pattern(r"^Diff in \S+\.rs(?::\d+| at line \d+)"),
    decisive("clippy.deny", "clippy::", LintError, "   = note: `-D clippy::needless-return` implied by `-D warnings`", "#[allow(clippy::all)]").tool("clippy").pattern(r"-D clippy::|`#\[deny\(clippy::|forbid\(clippy").aside(),
    suggestive("clippy.warn", "clippy::", LintError, "   = note: `#[warn(clippy::needless_return)]` on by default", "clippy::x").tool("clippy").pattern(r"#\[warn\(clippy::").aside(),
    suggestive("cargo.error", "error: ", CompileError, "error: failed to compile `x`, intermediate artifacts can be found", "error: x").tool("cargo").pattern(r"^error: failed to (?:compile|verify|parse lock file|prepare local package)"),
    success("cargo.finished", "finished `", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.10s", "not finished").pattern(r"Finished `\w+` profile"),
    success("cargo.finished-old", "finished ", "    Finished dev [unoptimized + debuginfo] target(s) in 0.10s", "Finished: FAILURE").pattern(r"Finished (?:dev|release|test|bench) \["),
    decisive("rustc.missing-crate", "cannot find module or crate", MissingDependency, "error[E0433]: cannot find module or crate `tokio` in this scope", "crate").tool("rustc"),
    decisive("cargo.manifest-line", "--> cargo.toml:", CompileError, " --> Cargo.toml:1:9", "Cargo.toml").tool("cargo"),
];
