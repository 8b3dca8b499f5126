//! The closing words of test runners, by the shape of their counts first and by their name second.

use super::{Row, success, suggestive, summary};
use recovery_types::ErrorType::{MissingDependency, Other, TestFailure};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Counts: `3 passed, 1 failed`, `1 failed, 3 passed`, `Passed: 3 Failed: 1`, `PASS 3 | FAIL 1`, `failed: 1`
    summary("count.passed-failed", " fail", TestFailure, "Totals: 3 passed, 1 failed, 0 skipped", "Totals: 3 passed, 0 failed, 1 skipped").pattern(r"(?i)\b\d+ (?:\w+ )?(?:pass(?:ed|es|ing)?|tests?|cases?|specs?|specifications?|examples?|scenarios?|features?|steps?|suites?|assertions?|asserts?|checks?|successes)\b.{0,60}?[^\d.][1-9]\d* (?:tests? |assertions? |checks? |examples? )?(?:fail(?:ed|ures?|ing|s)?\b|errors?(?: and\b|[,.;)|/]|$))"),
    // Files and suites that fail to load (`Test Suites: 1 failed, 2 passed`) are no failed tests.
    summary("count.failed-passed", " fail", TestFailure, "2 failures! in 0.1s. 3 tests run.", "Test Suites: 1 failed, 2 passed, 3 total").pattern(r"(?i)^(?:[1-9]|(?:[^t]|t[^e]|te[^s]|tes[^t]|test[^ ]|test [^fs]).*?[^\d.][1-9])\d* (?:tests? |assertions? |checks? |examples? )?fail(?:ed|ures?|ing|s)?\b.{0,40}?\b\d+ (?:\w+ )?(?:pass(?:ed|es|ing)?|tests?|cases?|specs?|examples?|scenarios?|assertions?|checks?)\b"),
    summary("count.label-passed", "fail", TestFailure, "Passed: 3, Failed: 1, Skipped: 0", "Passed: 3, Failed: 0, Skipped: 1").pattern(r"(?i)\b(?:tests?(?: run| cases?| count)?|pass(?:ed|es|ing)?|tested|tried|cases|ran|run|count|successes|checks|assertions)\s*[:=]\s*\d+\b.{0,80}?\bfail(?:ed|ures?|ing|s)?\s*[:=]\s*[1-9]"),
    summary("count.label-failed", "fail", TestFailure, "Failed: 1.  Skipped: 0.  Passed: 2.", "Failed: 0.  Skipped: 0.  Passed: 3.").pattern(r"(?i)\bfail(?:ed|ures?|ing|s)?\s*[:=]\s*[1-9]\d*\b.{0,80}?\b(?:pass(?:ed|es|ing)?|tests?)\s*[:=]\s*\d"),
    summary("count.label-total", "failed: ", TestFailure, "App.Tests  Total: 3, Errors: 0, Failed: 1, Skipped: 0", "Copied: 3, Failed: 1").pattern(r"(?i)total: \d+, errors: \d+, failed: [1-9]|test summary: .*failed: [1-9]"),
    summary("count.word-number", "fail", TestFailure, "RESULTS    : PASS 2 | ERROR 0 | FAIL 1 | SKIP 0", "RESULTS    : PASS 3 | ERROR 0 | FAIL 0 | SKIP 0").pattern(r"(?i)\b(?:pass(?:ed)?|succeeded|tests)\s+\d+\b.{0,60}?\bfail(?:ed|ures?)?\s+[1-9]"),
    summary("count.own-line", "fail", TestFailure, "- Failed: 1", "- Failed: 0").pattern(r"(?i)^(?:- |# )?(?:unexpected |tests? |total )?fail(?:ed|ures?|ing|s)?\s*:\s*[1-9]\d*(?: ?\(.*\)|\.)?$"),
    summary("count.errors-own-line", "# error:", TestFailure, "# ERROR: 1", "# ERROR: 0").tool("automake").pattern(r"^# (?:ERROR|XPASS): +[1-9]\d*$"),
    summary("count.of", " failed", TestFailure, "1 of 3 unit tests has failed.", "0 of 3 unit tests has failed.").pattern(r"(?i)(?:^|[^\d.])[1-9]\d*(?: ?/ ?| of | out of )\d+ (?:(?:[a-gi-z]\w*|h[a-tv-z]\w*) ){0,3}failed\b"),
    summary("count.failed-n", "failed ", TestFailure, "Failed 3 test cases, failed 5 assertions.", "failed 3 times").pattern(r"(?i)^(?:# )?failed [1-9]\d* (?:tests?\b|of \d+ tests?|among \d+ test|and skipped \d+ of)"),
    summary("count.failures-paren", "failure(s)", TestFailure, "2 success(es) 1 failure(s) 0 error(s) 3 test(s) run", "0 failure(s), 3 test(s) run").pattern(r"\b(?:[1-9]\d* failure\(s\)|[1-9]\d* error\(s\)).*test\(s\)"),
    summary("count.failures-errors", " failures, ", TestFailure, "1 failures, 0 errors.", "0 failures, 0 errors.").pattern(r"^(?:[1-9]\d* failures, \d+ errors|\d+ failures, [1-9]\d* errors)\.?$"),
    summary("count.tests-verdict", "failed", TestFailure, "*** 1 TEST FAILED ***", "*** ALL TESTS PASSED ***").pattern(r"\b[1-9]\d* (?:TESTS?|SPECS?|SUITES?) FAILED\b"),
    summary("count.n-tests-failed", " failed", TestFailure, "1 test failed", "0 tests failed").pattern(r"(?i)^[1-9]\d* (?:tests?|specs?|checks?|examples?|scenarios?|test cases?) failed\b"),
    success("count.n-tests-passed", " passed", "3 tests passed", "3 tests passed, 1 failed").pattern(r"(?i)^(?:all )?\d+ (?:tests?|specs?|checks?|examples?|scenarios?|test cases?) (?:have |has )?passed\b[^,|]*$"),
    suggestive("count.again", "run", Other, "Rerunning 1 failed test (attempt 2 of 3)", "run it again").tool("retry").aside().pattern(r"(?i)^(?:re-?running|re-?run of|running again)\b.{0,40}\b(?:tests?|failed|failures?|suites?|attempt)"),
    suggestive("count.attempt", "attempt", Other, "Test attempt 2 of 3", "attempt 1 of 3").tool("retry").aside().pattern(r"(?i)\battempt #?(?:[2-9]|\d\d)(?: of |/)\d|\bretry(?:ing)? (?:attempt )?#?[1-9]\d*(?: of |/)\d|\bretrying (?:failed )?(?:tests?|specs?|suites?|build|job)\b"),
    success("count.zero-failures", "0 failures", "3 tests, 0 failures", "10 failures").pattern(r"(?:^|[^\d])0 failures(?:, (?:0 \w+|[1-9]\d* (?:pending|skip\w*|ignored|excluded|inconclusive|todo|omissions|notifications))|[^,]|$)"),
    success("count.all-ok", "tests successful", "All 3 tests successful.", "no tests successful").pattern(r"(?i)^all (?:\d+ )?tests (?:were )?successful"),
    summary("count.tests-failures", " tests, ", TestFailure, "3 tests, 1 failure", "3 tests, 0 failures").pattern(r"\d+ (?:doc)?tests?, .*[1-9]\d* failures?"),

    // Runners by name
    summary("zope.import", "test-modules with import problems", MissingDependency, "Test-modules with import problems:", "modules").tool("zope"),
    summary("boost.detected", "detected in the test module", TestFailure, "*** 1 failure is detected in the test module \"parser\"", "*** No errors detected").tool("boost").pattern(r"\b[1-9]\d* failures? (?:is|are) detected|failures? detected"),
    success("boost.ok", "*** no errors detected", "*** No errors detected", "*** 1 failure is detected in the test module \"parser\""),
    summary("cppunit.failures", "!!!failures!!!", TestFailure, "!!!FAILURES!!!", "OK (3)").tool("cppunit"),
    success("cppunit.ok", "ok (", "OK (3)", "OK (x)").pattern(r"^OK \(\d+(?: tests?)?\)$"),
    summary("cunit.row", "asserts ", TestFailure, "             asserts      5      5      4      1      n/a", "             asserts      5      5      5      0      n/a").tool("cunit").pattern(r"^asserts +\d+ +\d+ +\d+ +[1-9]"),
    summary("dejagnu.unexpected", "# of unexpected ", TestFailure, "# of unexpected failures\t2", "# of unexpected successes").tool("dejagnu").pattern(r"^# of unexpected (?:failures|successes)\s+[1-9]"),
    summary("lit.failed", "failed tests (", TestFailure, "Failed Tests (1):", "Passed Tests (1):").tool("lit").pattern(r"^(?:Unexpectedly )?Failed Tests \([1-9]"),
    summary("scalatest.tests", "tests: succeeded", TestFailure, "Tests: succeeded 2, failed 1, canceled 0, ignored 0, pending 0", "Tests: succeeded 3, failed 0, canceled 0, ignored 0, pending 0").tool("scalatest").pattern(r"failed [1-9]"),
    summary("tcltest.total", "total\t", TestFailure, "all.tcl:\tTotal\t3\tPassed\t2\tSkipped\t0\tFailed\t1", "all.tcl:\tTotal\t3\tPassed\t3\tSkipped\t0\tFailed\t0").tool("tcl").pattern(r"Total\t\d+\tPassed\t\d+\tSkipped\t\d+\tFailed\t[1-9]"),
    summary("ert.unexpected", " unexpected", TestFailure, "Ran 3 tests, 2 results as expected, 1 unexpected (2024-01-01)", "Ran 3 tests, 3 results as expected, 0 unexpected").tool("emacs").pattern(r"results? as expected, [1-9]\d* unexpected|^[1-9]\d* unexpected results?:"),
    summary("runit.number", "number of ", TestFailure, "Number of failures: 1", "Number of failures: 0").tool("R").pattern(r"^Number of (?:failures|errors): [1-9]"),
    summary("rcheck.status", "status: ", TestFailure, "Status: 1 ERROR, 2 NOTEs", "Status: OK").tool("R").pattern(r"^Status: [1-9]\d* ERRORs?\b"),
    summary("swift-testing.run", "test run with", TestFailure, "Test run with 3 tests failed after 0.010 seconds with 1 issue.", "Test run with 3 tests passed after 0.010 seconds.").tool("swift").pattern(r"\bfailed after"),
    success("swift-testing.ok", "test run with", "Test run with 3 tests passed after 0.010 seconds.", "Test run with 3 tests failed after 0.010 seconds with 1 issue.").pattern(r"passed after"),
    summary("nunit.overall", "overall result: ", TestFailure, "Overall result: Failed", "Overall result: Passed").tool("nunit").pattern(r"Failed"),
    summary("inspec.summary", "test summary: ", TestFailure, "Test Summary: 2 successful, 1 failure, 0 skipped", "Test Summary: 3 successful, 0 failures, 0 skipped").tool("inspec").pattern(r"\b[1-9]\d* failures?"),
    summary("testcafe.broken", "tests run.", TestFailure, "3 tests run. Some tests failed.", "3 tests run. All passed.").pattern(r"(?i)some tests failed"),
    summary("k6.threshold", "have been crossed", TestFailure, "thresholds on metrics 'http_req_duration' have been crossed", "lines have been crossed").tool("k6").pattern(r"thresholds? on metrics"),
    summary("alcotest.count", " error", TestFailure, "1 error! in 0.001s. 3 tests run.", "1 error in 3 tests run").tool("alcotest").pattern(r"^[1-9]\d* errors?! in "),
    success("alcotest.ok", "test successful in", "Test Successful in 0.001s. 4 tests run.", "test unsuccessful in").pattern(r"^Test Successful in \S+s\. \d+ tests? run\."),
];
