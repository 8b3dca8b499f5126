//! What test runners of any language print.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::TestFailure;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("test.assertion-failed", "assertion failed", TestFailure, "Assertion failed: expected 1 to be 2", "assertions failed: 0").word(),
    decisive("test.expected-value", "expected", TestFailure, "Expected 'cart: 3' but got 'cart: 2'", "expected string, but got integer").pattern(r#"(?i)\bexpected:? ['"<\[{(\d-].{0,80}?,? but (?:got|was|received|found|actual was):? (?:['"<\[{(\d-]|nil|null|none|undefined|nothing)"#),
    suggestive("test.expected-got", "expected", TestFailure, "AssertionError: Expected 200 but got 404", "expected 3 arguments").pattern(r"(?i)\bexpected:? .{1,80}(?:,| but)? (?:but )?(?:got|received|was|found|actual):? (?:[^n]|n[^o])"),
    decisive("test.verification-failed", "verification failed", TestFailure, "Verification failed for step 2", "signature verification failed").pattern(r"(?i)^verification failed|(?:step|task|check|criteria|output|result|build|test)\w* verification failed"),
    decisive("test.test-failed", "test failed", TestFailure, "error: test failed, to rerun pass `--lib`", "latest failed").word(),
    decisive("test.tests-failed", "tests failed", TestFailure, "3 tests failed", "0 tests failed").pattern(r"(?i)(?:^|[^\d ]\s*|\b[1-9]\d* (?:of \d+ )?)tests failed(?:$|[^:\w]|: *(?:[^0\s]|$))"),
    summary("test.scenarios", "scenarios (", TestFailure, "3 scenarios (1 failed, 2 passed)", "3 scenarios (3 passed)").pattern(r"\([1-9]\d* failed"),
    summary("test.failing-scenarios", "failing scenarios:", TestFailure, "Failing scenarios:", "scenarios"),
    summary("karma.count", "executed ", TestFailure, "Chrome: Executed 3 of 3 (1 FAILED) (0.01 secs)", "Chrome: Executed 3 of 3 SUCCESS").pattern(r"Executed \d+ of \d+ .*\([1-9]\d* FAILED\)"),
    summary("junit-xml.failures", "failures=\"", TestFailure, "<testsuites name=\"t\" tests=\"8\" failures=\"2\" errors=\"0\">", "<testsuites tests=\"8\" failures=\"0\">").pattern(r"<testsuites?\b.*failures=\x22[1-9]"),
    summary("junit-xml.errors", "errors=\"", TestFailure, "<testsuites name=\"t\" tests=\"8\" failures=\"0\" errors=\"3\">", "<testsuites tests=\"8\" errors=\"0\">").pattern(r"<testsuites?\b.*errors=\x22[1-9]"),
    summary("test.failures-errors", "failures: ", TestFailure, "Failures: 1, Errors: 0", "Failures: 0, Errors: 0").pattern(r"\b[Ff]ailures: [1-9]"),
    summary("test.coverage", "coverage threshold", TestFailure, "Jest: \"global\" coverage threshold for statements (80%) not met: 62.5%", "coverage threshold met").pattern(r"(?i)not met|not reached"),
    summary("jacoco.rule", "rule violated for", TestFailure, "Rule violated for bundle app: lines covered ratio is 0.50, but expected minimum is 0.80", "rule violated").tool("jacoco").pattern(r"ratio is"),
    summary("mutation.threshold", "threshold", TestFailure, "Mutation score of 50 is below threshold of 80", "the threshold is 80").pattern(r"(?i)(?:coverage|score)\b.{0,60}(?:below|under|less than) (?:the )?(?:\w+ )?threshold"),
    summary("mutation.msi", "minimum required ", TestFailure, "The minimum required MSI percentage should be 80%, but actual is 50%.", "minimum required version").pattern(r"(?:MSI|coverage) percentage should be"),
    summary("pester.count", "tests passed: ", TestFailure, "Tests Passed: 4, Failed: 1, Skipped: 0 NotRun: 0", "Tests Passed: 5, Failed: 0, Skipped: 0 NotRun: 0").tool("pester").pattern(r"^Tests Passed: \d+, Failed: [1-9]"),
    summary("tap.count", "# fail", TestFailure, "# fail  1", "# fail  0").tool("tap").pattern(r"^# fail +[1-9]\d*$"),
    decisive("snapshot.mismatch", "snapshot", TestFailure, "\u{203a} 1 snapshot failed.", "1 snapshot written").pattern(r"(?i)\b[1-9]\d* snapshots? (?:failed|obsolete and failed)|snapshot assertion .* failed|snapshot .*mismatch|does not match (?:the )?(?:stored )?snapshot"),
    decisive("test.mismatch", "left == right", TestFailure, "assertion `left == right` failed", "left == right"). pattern(r"failed"),
    decisive("test.not-equal", "not equal", TestFailure, "Error: Not equal:", "not equal to it").pattern(r"^(?:Error: +)?Not equal:"),
    decisive("testify.trace", "error trace:", TestFailure, "        Error Trace:\t/x/a_test.go:12", "trace").tool("go"),
    suggestive("test.failed-word", "failed", TestFailure, "test_add FAILED", "0 failed").pattern(r"(?:^| )\S*[tT]est\S* (?:\.+ )?FAILED\b"),
    suggestive("test.assert-line", "assert ", TestFailure, "E   assert 1 == 2", "we assert that").pattern(r"^assert .+ (?:==|!=|in|is|not|<|>) "),
    success("test.all-passed", "all tests passed", "All tests passed", "not all tests passed").pattern(r"(?i)^(?:ok[:,]? )?all (?:\d+ )?tests? (?:have )?passed"),
    success("test.ok-zero-failed", "0 failed", "Build: 3 succeeded, 0 failed", "10 failed").pattern(r"(?:^|[^\d])0 failed\b"),
];
