//! One failed test as its runner reports it, for output that is cut before the closing count.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::TestFailure;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Python, Ruby, PHP, Perl, Lua
    decisive("case.unittest-error", "error: ", TestFailure, "ERROR: test_add (calc.TestCalc.test_add)", "ERROR: no such table (1)").tool("unittest").pattern(r"^ERROR: test\w* \([\w.]+\)$"),
    decisive("case.minitest", "#test_", TestFailure, "CartTest#test_adds_two_items [test/cart_test.rb:12]:", "see CartTest#test_adds").tool("minitest").pattern(r"^(?:\d+\) (?:Failure|Error):)?\s*[A-Z][\w:]*#test_.*(?::|\.rb:\d+\])$"),
    decisive("case.minitest-assertion", "minitest::assertion", TestFailure, "Minitest::Assertion: Expected true to not be truthy.", "minitest::assertions").tool("minitest").word(),
    decisive("case.rspec", "failure/error:", TestFailure, "     Failure/Error: expect(1).to eq 2", "failure or error").tool("rspec").line_start(),
    decisive("case.phpunit", "::test", TestFailure, "1) App\\Tests\\CartTest::testAdds", "CartTest::testAdds").tool("phpunit").pattern(r"^\d+\) [\w\\]+::test\w*"),
    decisive("case.busted", "failure -> ", TestFailure, "Failure -> spec/cart_spec.lua @ 3", "Failure -> retry").tool("busted").pattern(r"^Failure -> \S+ @ \d+$"),
    decisive("case.table", "failed", TestFailure, "feature_shutdown.py      | Failed  | 2 s", "| Failed login | 3 |").pattern(r"^\S+\.\w+.* \|\s*(?:[^\x00-\x7f]+ )?(?:FAILED|Failed|failed)\s*\|"),
    decisive("case.robot", "| fail |", TestFailure, "Total Is Right                                                        | FAIL |", "| PASS |").tool("robot"),

    // JavaScript
    decisive("case.jasmine", "expected ", TestFailure, "Expected 2 to be 3.", "expected to be done soon").pattern(r"^(?:Error: )?Expected .+ (?:not )?to (?:be|equal|have|contain|match|throw|include|resolve|reject)\w*\b"),
    decisive("case.jest-values", "received: ", TestFailure, "    Received: 2", "received: 12 packets").tool("jest").pattern(r"^Received:\s+\S+$"),
    decisive("case.deno", "failures", TestFailure, " FAILURES ", "failures happen").tool("deno").pattern(r"^FAILURES\s*$"),

    // The JVM and .NET
    decisive("case.arrow-failed", " failed", TestFailure, "CartTest > addsTwoItems() FAILED", "> Task :app:deploy FAILED").pattern(r"^[\w.$]+ > .+ FAILED$"),
    decisive("case.karma", " failed", TestFailure, "Chrome Headless 120.0.0 (Linux x86_64) cart adds two items FAILED", "Step (deploy) of it FAILED").tool("karma").pattern(r"^[A-Z]\w+(?: \w+)* [\d.]+ \([^)]+\) .+ FAILED$"),
    decisive("case.surefire", "tests in error:", TestFailure, "Tests in error:", "no tests in error: fine").tool("junit").line_start(),
    decisive("case.ant", "caused an error", TestFailure, "\tCaused an ERROR", "it caused an error in us").tool("junit").pattern(r"^Caused an ERROR$"),
    decisive("case.scalatest", "*** failed ***", TestFailure, "- the cart is empty *** FAILED ***", "failed").tool("scalatest"),
    decisive("case.clojure", " in (", TestFailure, "FAIL in (adds-two-items) (cart_test.clj:7)", "ERROR in (some) case").tool("clojure").pattern(r"^(?:FAIL|ERROR) in \([^)]+\) \("),
    decisive("case.nunit", ") failed : ", TestFailure, "1) Failed : App.Tests.Adds", "(x) failed : y").tool("nunit").pattern(r"^\d+\) Failed : "),
    decisive("case.nunit-values", "but was: ", TestFailure, "  But was:  2", "it works but was: slow").tool("nunit").line_start(),
    decisive("case.vstest", "failed ", TestFailure, "  Failed AddsTwoItems [12 ms]", "Failed deploys [2]").tool("vstest").pattern(r"^Failed \S+(?:\(.*\))? \[(?:< )?\d+ m?s\]$"),
    decisive("case.spock", "condition not satisfied", TestFailure, "Condition not satisfied:", "a condition not satisfied").tool("spock").pattern(r"^Condition not satisfied"),

    // C, C++, Objective-C, Swift
    decisive("case.gtest", ": failure", TestFailure, "cart_test.cc:12: Failure", "Result: failure").tool("gtest").pattern(r"\.\w+:\d+: Failure$"),
    decisive("case.gtest-values", "expected equality of these values", TestFailure, "Expected equality of these values:", "equality").tool("gtest"),
    decisive("case.catch2", "failed:", TestFailure, "cart_test.cpp:12: FAILED:", "step failed: x").tool("catch2").pattern(r"^(?:\S+:\d+: )?FAILED:$"),
    decisive("case.doctest", "is not correct!", TestFailure, "cart.cpp:12: ERROR: CHECK( a == b ) is NOT correct!", "is correct!").tool("doctest"),
    decisive("case.boost", ": error: in \"", TestFailure, "a.cpp(7): error: in \"suite/adds\": check a == b has failed", "error: in \"x\"").tool("boost").pattern(r"has failed|exception thrown|fatal error"),
    decisive("case.unity", ":fail", TestFailure, "test_a.c:12:test_adds:FAIL: Expected 1 Was 2", "a:failover").tool("unity").pattern(r"^\S+:\d+:\w+:FAIL(?::|$)"),
    decisive("case.xctassert", "xctassert", TestFailure, "CartTests.testAdds : XCTAssertEqual failed: (\"2\") is not equal to (\"3\")", "XCTAssertEqual(a, b)").tool("xctest").pattern(r"XCTAssert\w* failed"),
    decisive("case.xcpretty-crash", ", test crashed", TestFailure, "\u{2717} adds_two_items, Test crashed", "the test crashed").tool("xctest"),
    decisive("case.swift-testing", "recorded an issue at", TestFailure, "\u{2718} Test addsTwoItems() recorded an issue at CartTests.swift:7:5: Expectation failed", "an issue").tool("swift"),
    decisive("case.kunit", "expectation failed at ", TestFailure, "    # adds: EXPECTATION FAILED at lib/cart_test.c:12", "expectation failed").tool("kunit"),
    decisive("case.ctest", "***", TestFailure, "2/3 Test #2: cart .............................***Failed    0.01 sec", "*** done").tool("ctest").pattern(r"\*\*\*(?:Failed|Timeout|Exception: \w+|Not Run) +"),
    decisive("case.meson", " fail", TestFailure, "2/3 cart                 FAIL            0.01s   exit status 1", "2/3 may fail").tool("meson").pattern(r"^\d+/\d+ \S.* FAIL +[\d.]+ ?s"),
    decisive("case.bazel", "failed in ", TestFailure, "//cart:cart_test                                                        FAILED in 0.3s", "//cart:cart_test PASSED in 0.3s").tool("bazel").pattern(r"^//\S+ +FAILED in "),

    // Functional languages, R, Dart
    decisive("case.exunit", ") test ", TestFailure, "  1) test adds two items (CartTest)", "see (a) test of it").tool("exunit").pattern(r"^\d+\) test .+ \([A-Z][\w.]*\)$"),
    decisive("case.exunit-assertion", "assertion with ", TestFailure, "     Assertion with == failed", "an assertion with care").tool("exunit").pattern(r"^Assertion with \S+ failed"),
    decisive("case.eunit", "*failed*", TestFailure, "cart_tests: adds_test...*failed*", "failed").tool("eunit"),
    decisive("case.hspec", "failed [", TestFailure, "  adds two items FAILED [1]", "failed [x]").tool("hspec").pattern(r"FAILED \[\d+\]$"),
    decisive("case.tasty", "fail", TestFailure, "  adds two items: FAIL (0.01s)", "adds: fail").tool("tasty").pattern(r"\S: +FAIL(?: \([\d.]+s\))?$"),
    decisive("case.hunit", "### ", TestFailure, "### Failure in: 0:adds two items", "### Failures").tool("hunit").pattern(r"^### (?:Failure|Error) in: "),
    decisive("case.quickcheck", "*** failed! ", TestFailure, "*** Failed! Falsified (after 3 tests):", "failed").tool("quickcheck"),
    decisive("case.falsifying", "falsifying example", TestFailure, "E       Falsifying example: test_adds(", "examples").tool("hypothesis"),
    decisive("case.testthat", "failure (", TestFailure, "-- Failure ('test-cart.R:12'): adds two items -----", "failure (x)").tool("R").pattern(r"(?:Failure|Error) \('?\S+\.[Rr]:\d+"),
    decisive("case.dart", " [e]", TestFailure, "00:01 +2 -1: adds two items [E]", "x [e]").tool("dart").pattern(r"^\d\d:\d\d \+\d+(?: ~\d+)? -[1-9]\d*: .*\[E\]$"),
    decisive("case.flutter", "exception caught by flutter test framework", TestFailure, "EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK", "exception caught").tool("flutter"),
    decisive("case.libtest", " stdout ----", TestFailure, "---- cart::adds stdout ----", "stdout").tool("cargo").pattern(r"^---- .+ stdout ----$"),

    // Any language
    suggestive("make.test-target", "*** [", TestFailure, "make: *** [Makefile:12: check] Error 1", "make: *** [Makefile:12: all] Error 2").tool("make").pattern(r"\*\*\* \[(?:[^\]]*: )?(?:test|check|spec|unittest)[\w-]*\] Error "),
    suggestive("just.test-recipe", "error: recipe `", TestFailure, "error: Recipe `test` failed on line 12 with exit code 1", "error: Recipe `build` failed on line 3").tool("just").pattern(r"(?i)recipe `(?:test|check|spec)[\w-]*` failed"),
    suggestive("rake.test-task", "tasks: top => ", TestFailure, "Tasks: TOP => default => test", "Tasks: TOP => deploy").tool("rake").pattern(r"=> (?:\w+:)*(?:test|spec|features|cucumber)\b"),
    decisive("case.did-not-pass", " not pass", TestFailure, "3 of 120 scenarios did not pass", "it may not pass").pattern(r"(?i)(?:^|[^\d.])[1-9]\d*(?: of \d+)? (?:tests?|specs?|checks?|examples?|scenarios?|cases?) (?:did|do|does) not pass"),
    decisive("behave.hook", "hook-error in ", TestFailure, "HOOK-ERROR in before_all: RuntimeError: no", "no hook-error in it").tool("behave").line_start(),
    decisive("cucumber.undefined", "undefined", TestFailure, "1 scenario (1 undefined)", "0 undefined").tool("cucumber").pattern(r"\d+ (?:scenarios?|steps?) \(.*[1-9]\d* (?:undefined|ambiguous)"),
    decisive("perl.looks-like", "# looks like you failed", TestFailure, "# Looks like you failed 1 test of 3.", "# Looks like").tool("perl"),
    decisive("perl.failed-test", "#   failed test", TestFailure, "#   Failed test 'adds'", "# failed tests: 0").tool("perl"),
    decisive("perl.subtests", " subtests", TestFailure, "Failed 1/3 subtests", "3 subtests").tool("perl").pattern(r"^Failed [1-9]\d*/\d+ subtests"),
    decisive("status.fail-line", "fail", TestFailure, "FAIL! : ParserTest::empty() Compared values are not the same", "FAILED to fetch").pattern(r"^FAIL(?:!|:)?\s+:?\s*\S"),
    decisive("status.automake", ":test-result: fail", TestFailure, ":test-result: FAIL adds", ":test-result: PASS adds").tool("automake"),
    decisive("status.unittest", " ... ", TestFailure, "test_add (calc.TestCalc.test_add) ... FAIL", "test_add (calc.TestCalc.test_add) ... ok").tool("unittest").pattern(r"^\w+ \(.*\) \.\.\. (?:FAIL|ERROR)$"),
    decisive("status.autopkgtest", " fail ", TestFailure, "smoke                FAIL non-zero exit status 1", "may fail now").tool("autopkgtest").pattern(r"^\S+ +FAIL (?:non-zero exit status|stderr: |timed out|badpkg)"),
    decisive("tap.bail", "bail out!", TestFailure, "Bail out!  No database", "bail out").tool("tap").line_start(),
    decisive("tap.not-ok", "not ok ", TestFailure, "not ok 2 - adds", "ok 2 - adds").tool("tap").line_start(),
    decisive("ltp.tfail", "tfail", TestFailure, "open01.c:52: TFAIL: open() failed: EACCES (13)", "tfailed").tool("ltp").word(),
    decisive("test.assertion-failed", "assertion failed", TestFailure, "Assertion failed: expected 1 to be 2", "assertions failed: 0").word(),
    decisive("test.expected-value", "expected", TestFailure, "Expected 'cart: 3' but got 'cart: 2'", "expected string, but got integer").pattern(r#"(?i)\bexpected:? ['"<\[{(\d-].{0,80}?,? but (?:got|was|received|found|actual was):? (?:['"<\[{(\d-]|nil|null|none|undefined|nothing)"#),
    suggestive("test.expected-got", "expected", TestFailure, "AssertionError: Expected 200 but got 404", "expected 3 arguments").pattern(r"(?i)\bexpected:? .{1,80}(?:,| but)? (?:but )?(?:got|received|was|found|actual):? (?:[^n]|n[^o])"),
    decisive("test.mismatch", "left == right", TestFailure, "assertion `left == right` failed", "left == right"). pattern(r"failed"),
    decisive("test.not-equal", "not equal", TestFailure, "Error: Not equal:", "not equal to it").pattern(r"^(?:Error: +)?Not equal:"),
    suggestive("test.failed-word", "failed", TestFailure, "test_add FAILED", "0 failed").pattern(r"[tT]est\S* (?:\.+ )?FAILED\b"),
    suggestive("test.assert-line", "assert ", TestFailure, "E   assert 1 == 2", "we assert that").pattern(r"^assert .+ (?:==|!=|in|is|not|<|>) "),
    decisive("snapshot.mismatch", "snapshot", TestFailure, "\u{203a} 1 snapshot failed.", "1 snapshot written").pattern(r"(?i)\b[1-9]\d* snapshots? (?:failed|obsolete and failed)|snapshot assertion .* failed|snapshot .*mismatch|does not match (?:the )?(?:stored )?snapshot"),
    decisive("testify.trace", "error trace:", TestFailure, "        Error Trace:\t/x/a_test.go:12", "trace").tool("go"),
];
