//! Swift, Xcode, XCTest, SwiftPM, CocoaPods, SwiftLint, Flutter and Dart.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingCredentials, MissingDependency,
    RuntimeException, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Swift, Xcode
    decisive("swift.error", ".swift:", CompileError, "/x/App.swift:3:5: error: cannot find 'foo' in scope", "/x/App.swift:3:5: warning: unused").tool("swiftc").pattern(r"\.swift:\d+:\d+: error: "),
    decisive("swift.no-module", "no such module '", MissingDependency, "App.swift:1:8: error: no such module 'Alamofire'", "module").tool("swiftc"),
    decisive("swift.package", "error: dependencies could not be resolved", MissingDependency, "error: Dependencies could not be resolved because no versions of 'x' match", "dependencies").tool("swift"),
    decisive("swift.trap", "fatal error: ", RuntimeException, "App/main.swift:3: Fatal error: Index out of range", "fatal error: x").tool("swift").pattern(r"\.swift:\d+: Fatal error: |^Fatal error: (?:Unexpectedly found nil|Index out of range|Division by zero|'try!'|Range requires|Not enough bits|Can't )"),
    decisive("swiftpm.product", "required by package", MissingDependency, "error: product 'AcmeUI' required by package 'app' target 'App' not found.", "required by package").pattern(r"not found").tool("swift"),
    decisive("swiftpm.tools", "but the installed version is", MissingDependency, "error: package 'app' is using Swift tools version 6.9.0 but the installed version is 5.10.0", "installed version"),
    decisive("swiftpm.manifest", "could not find package.swift", FileNotFound, "error: Could not find Package.swift in this directory or any of its parent directories.", "package.swift").tool("swift"),
    decisive("swiftpm.clone", "failed to clone repository", ConnectionFailure, "error: Failed to clone repository https://git.example.org/ui.git:", "cloned repository").tool("swift"),
    summary("xcode.build-failed", "** build failed **", CompileError, "** BUILD FAILED **", "build").tool("xcodebuild"),
    summary("xcode.archive-failed", "** archive failed **", CompileError, "** ARCHIVE FAILED **", "archive").tool("xcodebuild"),
    summary("xcode.test-failed", "** test failed **", TestFailure, "** TEST FAILED **", "test").tool("xcodebuild"),
    success("xcode.build-ok", "** build succeeded **", "** BUILD SUCCEEDED **", "** BUILD FAILED **"),
    success("xcode.test-ok", "** test succeeded **", "** TEST SUCCEEDED **", "** TEST FAILED **"),
    decisive("xcode.signing", "code signing", MissingCredentials, "error: No signing certificate \"iOS Development\" found: code signing is required", "code signing ok").tool("xcodebuild").pattern(r"(?i)code ?sign\w* (?:error|failed|is required)|no signing certificate|requires a provisioning profile"),
    decisive("xcode.provisioning", "provisioning profile", MissingCredentials, "error: No profiles for 'com.x' were found: requires a provisioning profile", "a provisioning profile").tool("xcodebuild").pattern(r"(?i)no profiles for|requires a provisioning profile|doesn't (?:include|match|support)"),
    decisive("xcode.scheme", "does not contain a scheme named", InvalidArgument, "xcodebuild: error: The project named \"App\" does not contain a scheme named \"X\".", "scheme").tool("xcodebuild"),
    decisive("xcode.destination", "unable to find a destination matching", InvalidArgument, "xcodebuild: error: Unable to find a destination matching the provided destination specifier:", "a destination").tool("xcodebuild"),
    summary("xctest.case", "' failed (", TestFailure, "Test Case '-[AppTests testAdd]' failed (0.003 seconds).", "Test Case '-[AppTests testAdd]' passed (0.003 seconds).").tool("xctest").pattern(r"Test [Cc]ase .* failed \("),
    summary("xctest.count", " failure", TestFailure, "Executed 3 tests, with 1 failure (0 unexpected) in 0.010 (0.012) seconds", "Executed 3 tests, with 0 failures (0 unexpected) in 0.010 seconds").tool("xctest").pattern(r"Executed \d+ tests?, with [1-9]\d* failures?"),
    summary("xctest.error", ": error: -[", TestFailure, "/x/AppTests.m:85: error: -[AppTests testAdd] : failed - no", "error: x").tool("xctest"),
    decisive("swiftlint.error", ".swift:", LintError, "App.swift:3:5: error: Line Length Violation: x (line_length)", "App.swift:3:5: error: cannot find").tool("swiftlint").pattern(r"(?:error|warning): [\w ]+ Violation: "),
    summary("swiftlint.done", "done linting!", LintError, "Done linting! Found 2 violations, 1 serious in 5 files.", "Done linting! Found 0 violations, 0 serious in 5 files.").tool("swiftlint").pattern(r"Found [1-9]"),
    summary("swiftformat.count", "files require formatting", LintError, "2/5 files require formatting.", "0/5 files require formatting.").tool("swiftformat").pattern(r"(?:^|\D)[1-9]\d*/\d+ files require"),

    // CocoaPods
    decisive("cocoapods.spec", "unable to find a specification for", MissingDependency, "[!] Unable to find a specification for `Alamofire (~> 99)`", "specification").tool("pod"),
    decisive("cocoapods.compat", "cocoapods could not find compatible versions", MissingDependency, "[!] CocoaPods could not find compatible versions for pod \"X\":", "compatible").tool("pod"),
    decisive("cocoapods.sources", "none of your spec sources contain a spec satisfying", MissingDependency, "None of your spec sources contain a spec satisfying the dependency: `AcmeKit (~> 9.0)`.", "spec sources").tool("cocoapods"),
    decisive("cocoapods.podfile", "no `podfile' found", FileNotFound, "[!] No `Podfile' found in the project directory.", "podfile found").tool("cocoapods"),
    decisive("cocoapods.invalid", "invalid `podfile` file", CompileError, "[!] Invalid `Podfile` file: syntax error, unexpected end-of-input.", "podfile file").tool("cocoapods"),
    decisive("cocoapods.cdn", "couldn't be downloaded", ConnectionFailure, "[!] CDN: trunk URL couldn't be downloaded: https://cdn.example.org/all_pods.txt Response: couldn't connect", "downloaded").pattern(r"CDN:").tool("cocoapods"),
    decisive("cocoapods.target", "higher minimum deployment target", MissingDependency, "Specs satisfying the `AcmeKit` dependency were found, but they required a higher minimum deployment target.", "deployment target").tool("cocoapods"),
    decisive("cocoapods.sandbox", "the sandbox is not in sync with the podfile.lock", MissingDependency, "error: The sandbox is not in sync with the Podfile.lock. Run 'pod install'", "in sync").tool("cocoapods"),
    decisive("cocoapods.required-version", "required version (", MissingDependency, "Required version (AcmeKit (~> 9.0)) not found for `AcmeKit'.", "required version (x)").pattern(r"not found for").tool("cocoapods"),
    suggestive("cocoapods.lint", "did not pass validation, due to", LintError, "[!] ChatLibrary did not pass validation, due to 1 error.", "passed validation").tool("pod"),

    // Dart, Flutter
    decisive("dart.error", ".dart:", CompileError, "lib/main.dart:3:5: Error: Expected ';' after this.", "lib/main.dart:3:5: Warning: x").tool("dart").pattern(r"\.dart:\d+:\d+: Error: "),
    decisive("dart.analyze", "error \u{2022}", LintError, "  error \u{2022} Undefined name 'x' \u{2022} lib/main.dart:3:5 \u{2022} undefined_identifier", "error").tool("dart"),
    decisive("pub.solving", "version solving failed.", MissingDependency, "Because app depends on x any which doesn't exist, version solving failed.", "solving").tool("pub"),
    decisive("pub.no-package", "could not find package", MissingDependency, "Could not find package acme_log at https://pub.example.org", "found package").pattern(r"[Cc]ould not find package \S+ (?:at|in)").tool("pub"),
    decisive("pub.socket", "got socket error trying to find package", ConnectionFailure, "Got socket error trying to find package acme_log at https://pub.example.org.", "socket").tool("pub"),
    decisive("pub.no-spec", "could not find a file named \"pubspec.yaml\"", FileNotFound, "Could not find a file named \"pubspec.yaml\" in \"/srv/app\".", "pubspec.yaml").tool("pub"),
    decisive("pub.sdk", "requires sdk version", MissingDependency, "Because app requires SDK version ^3.99.0, version solving failed.", "sdk version").tool("pub"),
    decisive("pub.spec", "of pubspec.yaml", CompileError, "Error on line 3, column 1 of pubspec.yaml: Unexpected child of block mapping.", "see pubspec.yaml").pattern(r"^Error on line \d+").tool("pub"),
    summary("flutter.tests", "some tests failed.", TestFailure, "00:02 +3 -1: Some tests failed.", "tests passed").tool("flutter"),
    success("flutter.ok", "all tests passed!", "00:02 +3: All tests passed!", "Some tests failed."),
    summary("dartanalyzer.count", "issues found.", LintError, "2 issues found.", "No issues found!").tool("dart").pattern(r"^[1-9]\d* issues? found\."),
    decisive("dart.bullet", " \u{2022} ", LintError, "   info \u{2022} Unused import \u{2022} lib/main.dart:3:5 \u{2022} unused_import", "a \u{2022} b").tool("dart").pattern(r"\.dart:\d+:\d+ \xe2\x80\xa2 \w+$").aside(),
    decisive("dart.dash", ".dart:", LintError, "  error - lib/a.dart:3:5 - Undefined name 'x' - undefined_identifier", "lib/a.dart:3:5").tool("dart").pattern(r"^(?:error|warning|info) - .*\.dart:\d+:\d+").aside(),
];
