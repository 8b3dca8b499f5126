//! Linters and static checkers that have no ecosystem of their own.

use super::{Row, decisive, suggestive, summary};
use recovery_types::ErrorType::LintError;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("lint.bracket-code", ": [", LintError, "roles/a.yml:2: [EANSIBLE0002] Trailing whitespace", "a.yml:2: [x] done").pattern(r"^\S+:\d+(?::\d+)?: \[(?:[A-Z]{1,12}-?\d{2,5}|[CRWEF](?:\d{4})?|error|warning)(?:\([\w-]+\))?(?:, ?[\w.]*)?\]"),
    decisive("lint.level-rule", ":error:", LintError, "a.inc:26:error:oelint.task.nomkdir:'mkdir' shall not be used", "x:error:y").pattern(r"^\S+:\d+:(?:error|warning):[\w.]+:"),
    decisive("lint.rule-level", ":error:", LintError, "a.pp:1:autoloader_layout:ERROR:failtest not in autoload module layout", "x:error:y").pattern(r"^\S+:\d+:[\w]+:(?:ERROR|WARNING):"),
    decisive("lint.prefix-code", "fc0", LintError, "FC001: Use strings in preference to symbols: ./a.rb:8", "fc0x").tool("foodcritic").pattern(r"^FC\d{3}: "),
    decisive("lint.rule-suffix", "] [", LintError, "a.h(245):  Line ends in whitespace.  [whitespace/end_of_line] [4]", "a.h(245): ok").tool("cpplint").pattern(r"\[\w+/\w+\] \[\d\]$"),
    decisive("lint.misra", "misrac", LintError, "\"a.c\",129 Severity-Low[MISRAC2012-Rule-14.4]:Type of if condition", "misra").pattern(r"MISRAC?\w*-(?:Rule|Dir)-"),
    decisive("lint.must-be-shorter", "it must be shorter than", LintError, "[a.proto:266:1] The line length is 86, but it must be shorter than 80", "shorter"),
    decisive("perlcritic", "(severity: ", LintError, "a.pl: Code is not tidy at line 1, column 1.  See page 33 of PBP.  (Severity: 1)", "severity").tool("perlcritic"),
    decisive("flawfinder", "final results:", LintError, "FINAL RESULTS:", "results").tool("flawfinder").line_start(),
    decisive("shellcheck.code", "-- sc", LintError, "     ^-- SC2086 (info): Double quote to prevent globbing", "scope").tool("shellcheck").pattern(r"\bSC[12]\d{3}\b(?: \((?:error|warning|info|style)\)|:)").aside(),
    decisive("shellcheck.in", ".sh line", LintError, "In a.sh line 3:", "in time").tool("shellcheck").pattern(r"^In \S+ line \d+:$"),
    decisive("hadolint", " dl3", LintError, "Dockerfile:3 DL3008 warning: Pin versions in apt get install", "dl").tool("hadolint").pattern(r"\bDL\d{4}\b").aside(),
    decisive("yamllint", "[error]", LintError, "  6:2  error  wrong indentation  (indentation) [error]", "[error] x").tool("yamllint").pattern(r"^\S*:?\d+:\d+:? .*\[error\]|\[error\] .*\([\w-]+\)$"),
    decisive("markdownlint", " md0", LintError, "README.md:3 MD013/line-length Line length [Expected: 80; Actual: 120]", "md").tool("markdownlint").pattern(r"\bMD\d{3}(?:/|\b)"),
    decisive("clang-tidy", "warnings-as-errors]", LintError, "a.cpp:3:5: error: x [bugprone-foo,-warnings-as-errors]", "warnings").tool("clang-tidy"),
    decisive("clang-format", "code should be clang-formatted", LintError, "a.c:3:5: error: code should be clang-formatted [-Wclang-format-violations]", "format").tool("clang-format"),
    decisive("cppcheck", "(error) ", LintError, "[a.c:3]: (error) Null pointer dereference", "an (error) x").tool("cppcheck").pattern(r"^(?:\[\S+:\d+\])?:? ?\(error\)"),
    decisive("checkstyle", "[checkstyle]", LintError, "[checkstyle] [ERROR] /x/A.java:3: Missing a Javadoc comment.", "checkstyle").tool("checkstyle").pattern(r"\[ERROR\]"),
    decisive("ktlint", ".kt:", LintError, "a.kt:3:1: Unexpected indentation (8) (should be 4) (standard:indent)", "a.kt:3:1: error").tool("ktlint").pattern(r"\((?:standard|cannot be auto-corrected)[:\w-]*\)"),
    decisive("codespell", " ==> ", LintError, "a.md:3: teh ==> the", "a ==> b").tool("codespell").pattern(r"^\S+:\d+: \S+ ==> "),
    decisive("gofmt.list", "files not formatted", LintError, "error: files not formatted: main.go", "formatted").pattern(r"(?i)files? (?:are )?not (?:properly )?formatted|needs? formatting|not gofmt-?ed"),
    decisive("license.header", "license header", LintError, "error: missing license header in a.rs", "license header").pattern(r"(?i)missing license header"),
    decisive("commitlint", "subject may not be empty", LintError, "\u{2716}   subject may not be empty [subject-empty]", "subject").tool("commitlint"),
    summary("lint.found-problems", "found", LintError, "error: lint found 3 issues", "found 0 issues").pattern(r"(?i)\blint\w*\b.*\bfound [1-9]\d* (?:issues?|problems?|errors?|violations?)|[1-9]\d* (?:lint|style) (?:errors?|violations?|issues?)|linting failed|lint (?:check )?failed"),
    summary("ansible-lint.count", "failure(s), ", LintError, "Failed: 1 failure(s), 0 warning(s) on 3 files.", "Passed: 0 failure(s), 0 warning(s) on 3 files.").tool("ansible-lint").pattern(r"^Failed: [1-9]\d* failure\(s\), \d+ warning"),
    summary("tflint.count", "issue(s) found:", LintError, "2 issue(s) found:", "0 issue(s) found:").tool("tflint").pattern(r"^[1-9]\d* issue\(s\) found:"),
    suggestive("lint.violations", "violation", LintError, "3 violations found", "0 violations").pattern(r"(?i)\b[1-9]\d* (?:\w+ )?violations?\b"),
    decisive("cppcheck.id", ": error: ", LintError, "leak.c:2:48: error: Memory leak: p [memleak]", "a.c:3:1: error: x [-Werror]").tool("cppcheck").pattern(r": error: .*\[(?:memleak|[a-z]+[A-Z]\w*)\]$"),
    decisive("shellcheck.gcc", "[sc", LintError, "a.sh:2:4: warning: In POSIX sh, [[ ]] is undefined. [SC3010]", "[scope]").tool("shellcheck").pattern(r"\[SC\d{4}\]").aside(),
    decisive("sqlfluff", "| p:", LintError, "L:   1 | P:   7 | LT01 | Expected only single space before naked identifier.", "| p: x").tool("sqlfluff").pattern(r"^L: +\d+ \| P: +\d+ \|"),
    decisive("fmt.would-reformat", "would be reformatted", LintError, "1 file would be reformatted", "reformatted").pattern(r"(?i)^(?:[1-9]\d* files?|unformatted: file) would be reformatted"),
    decisive("terraform.fmt", "--- old/", LintError, "--- old/main.tf", "--- a/main.tf").tool("terraform").line_start(),
];
