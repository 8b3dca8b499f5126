//! Swift, Xcode, XCTest, CocoaPods, Flutter and Dart.

use super::{Row, decisive, success, summary};
use recovery_types::ErrorType::{
    CompileError, InvalidArgument, LintError, MissingCredentials, MissingDependency, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("swift.error", ".swift:", CompileError, "/x/App.swift:3:5: error: cannot find 'foo' in scope", "/x/App.swift:3:5: warning: unused").tool("swiftc").pattern(r"\.swift:\d+:\d+: error: "),
    decisive("swift.no-module", "no such module '", MissingDependency, "App.swift:1:8: error: no such module 'Alamofire'", "module").tool("swiftc"),
    decisive("swift.package", "error: dependencies could not be resolved", MissingDependency, "error: Dependencies could not be resolved because no versions of 'x' match", "dependencies").tool("swift"),
    summary("xcode.build-failed", "** build failed **", CompileError, "** BUILD FAILED **", "build").tool("xcodebuild"),
    summary("xcode.archive-failed", "** archive failed **", CompileError, "** ARCHIVE FAILED **", "archive").tool("xcodebuild"),
    summary("xcode.test-failed", "** test failed **", TestFailure, "** TEST FAILED **", "test").tool("xcodebuild"),
    success("xcode.build-ok", "** build succeeded **", "** BUILD SUCCEEDED **", "** BUILD FAILED **"),
    success("xcode.test-ok", "** test succeeded **", "** TEST SUCCEEDED **", "** TEST FAILED **"),
    summary("xctest.case", "' failed (", TestFailure, "Test Case '-[AppTests testAdd]' failed (0.003 seconds).", "Test Case '-[AppTests testAdd]' passed (0.003 seconds).").tool("xctest").pattern(r"Test [Cc]ase .* failed \("),
    summary("xctest.count", " failure", TestFailure, "Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds", "Executed 3 tests, with 0 failures (0 unexpected) in 0.010 seconds").tool("xctest").pattern(r"Executed \d+ tests?, with [1-9]\d* failures?"),
    summary("xctest.error", ": error: -[", TestFailure, "/x/AppTests.m:85: error: -[AppTests testAdd] : failed - no", "error: x").tool("xctest"),
    decisive("xcode.signing", "code signing", MissingCredentials, "error: No signing certificate \"iOS Development\" found: code signing is required", "code signing ok").tool("xcodebuild").pattern(r"(?i)code ?sign\w* (?:error|failed|is required)|no signing certificate|requires a provisioning profile"),
    decisive("xcode.provisioning", "provisioning profile", MissingCredentials, "error: No profiles for 'com.x' were found: requires a provisioning profile", "a provisioning profile").tool("xcodebuild").pattern(r"(?i)no profiles for|requires a provisioning profile|doesn't (?:include|match|support)"),
    decisive("xcode.scheme", "does not contain a scheme named", InvalidArgument, "xcodebuild: error: The project named \"App\" does not contain a scheme named \"X\".", "scheme").tool("xcodebuild"),
    decisive("xcode.destination", "unable to find a destination matching", InvalidArgument, "xcodebuild: error: Unable to find a destination matching the provided destination specifier:", "a destination").tool("xcodebuild"),
    decisive("cocoapods.spec", "unable to find a specification for", MissingDependency, "[!] Unable to find a specification for `Alamofire (~> 99)`", "specification").tool("pod"),
    decisive("cocoapods.compat", "cocoapods could not find compatible versions", MissingDependency, "[!] CocoaPods could not find compatible versions for pod \"X\":", "compatible").tool("pod"),
    decisive("swiftlint.error", ".swift:", LintError, "App.swift:3:5: error: Line Length Violation: x (line_length)", "App.swift:3:5: error: cannot find").tool("swiftlint").pattern(r"(?:error|warning): [\w ]+ Violation: "),
    decisive("dart.error", ".dart:", CompileError, "lib/main.dart:3:5: Error: Expected ';' after this.", "lib/main.dart:3:5: Warning: x").tool("dart").pattern(r"\.dart:\d+:\d+: Error: "),
    decisive("dart.analyze", "error \u{2022}", LintError, "  error \u{2022} Undefined name 'x' \u{2022} lib/main.dart:3:5 \u{2022} undefined_identifier", "error").tool("dart"),
    decisive("pub.solving", "version solving failed.", MissingDependency, "Because app depends on x any which doesn't exist, version solving failed.", "solving").tool("pub"),
    summary("flutter.tests", "some tests failed.", TestFailure, "00:02 +3 -1: Some tests failed.", "tests passed").tool("flutter"),
    success("flutter.ok", "all tests passed!", "00:02 +3: All tests passed!", "Some tests failed."),
];
