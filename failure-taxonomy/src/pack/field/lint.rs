//! Linters and static checkers of no single language. The others stand in the table of their language.

use super::{Row, decisive, success, suggestive, summary};
use recovery_types::ErrorType::LintError;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("lint.bracket-code", ": [", LintError, "roles/a.yml:2: [EANSIBLE0002] Trailing whitespace", "a.yml:2: [x] done").pattern(r"^\S+:\d+(?::\d+)?: \[(?:[A-Z]{1,12}-?\d{2,5}|[CRWEF](?:\d{4})?|error|warning)(?:\([\w-]+\))?(?:, ?[\w.]*)?\]"),
    decisive("lint.level-rule", ":error:", LintError, "a.inc:26:error:oelint.task.nomkdir:'mkdir' shall not be used", "x:error:y").pattern(r"^\S+:\d+:(?:error|warning):[\w.]+:"),
    decisive("lint.rule-level", ":error:", LintError, "a.pp:1:autoloader_layout:ERROR:failtest not in autoload module layout", "x:error:y").pattern(r"^\S+:\d+:[\w]+:(?:ERROR|WARNING):"),
    decisive("lint.script", "lint", LintError, "failure in scripts/lint-shell.sh", "lint passed").pattern(r"(?i)\bfail\w* (?:generated )?(?:from|in|by) \S*\blint\S*|\blint[\w-]*\.(?:sh|py|js) (?:failed|exited with)"),
    decisive("foodcritic.code", "fc0", LintError, "FC001: Use strings in preference to symbols: ./a.rb:8", "fc0x").tool("foodcritic").pattern(r"^FC\d{3}: "),
    decisive("lint.misra", "misrac", LintError, "\"a.c\",129 Severity-Low[MISRAC2012-Rule-14.4]:Type of if condition", "misra").pattern(r"MISRAC?\w*-(?:Rule|Dir)-"),
    decisive("protolint.line-length", "it must be shorter than", LintError, "[a.proto:266:1] The line length is 86, but it must be shorter than 80", "shorter"),
    decisive("shellcheck.code", "-- sc", LintError, "     ^-- SC2086 (info): Double quote to prevent globbing", "scope").tool("shellcheck").pattern(r"\bSC[12]\d{3}\b(?: \((?:error|warning|info|style)\)|:)").aside(),
    decisive("shellcheck.in", ".sh line", LintError, "In a.sh line 3:", "in time").tool("shellcheck").pattern(r"^In \S+ line \d+:$"),
    decisive("hadolint.code", " dl3", LintError, "Dockerfile:3 DL3008 warning: Pin versions in apt get install", "dl").tool("hadolint").pattern(r"\bDL\d{4}\b").aside(),
    decisive("yamllint.error", "[error]", LintError, "  6:2  error  wrong indentation  (indentation) [error]", "[error] x").tool("yamllint").pattern(r"^\S*:?\d+:\d+:? .*\[error\]"),
    decisive("codespell.word", " ==> ", LintError, "a.md:3: teh ==> the", "a ==> b").tool("codespell").pattern(r"^\S+:\d+: \S+ ==> "),
    decisive("license.header", "license header", LintError, "error: missing license header in a.rs", "license header").pattern(r"(?i)missing license header"),
    decisive("commitlint.subject", "subject may not be empty", LintError, "\u{2716}   subject may not be empty [subject-empty]", "subject").tool("commitlint"),
    summary("lint.found-problems", "found", LintError, "error: lint found 3 issues", "found 0 issues").pattern(r"(?i)\blint\w*\b.*\bfound [1-9]\d* (?:issues?|problems?|errors?|violations?)|[1-9]\d* (?:lint|style) (?:errors?|violations?|issues?)"),
    summary("ansible-lint.count", "failure(s), ", LintError, "Failed: 1 failure(s), 0 warning(s) on 3 files.", "Passed: 0 failure(s), 0 warning(s) on 3 files.").tool("ansible-lint").pattern(r"^Failed: [1-9]\d* failure\(s\), \d+ warning"),
    summary("tflint.count", "issue(s) found:", LintError, "2 issue(s) found:", "0 issue(s) found:").tool("tflint").pattern(r"^[1-9]\d* issue\(s\) found:"),
    suggestive("lint.violations", "violation", LintError, "3 violations found", "0 violations").pattern(r"(?i)\b[1-9]\d* (?:\w+ )?violations?\b"),
    decisive("shellcheck.gcc", "[sc", LintError, "a.sh:2:4: warning: In POSIX sh, [[ ]] is undefined. [SC3010]", "[scope]").tool("shellcheck").pattern(r"\[SC\d{4}\]").aside(),
    decisive("sqlfluff.place", "| p:", LintError, "L:   1 | P:   7 | LT01 | Expected only single space before naked identifier.", "| p: x").tool("sqlfluff").pattern(r"^L: +\d+ \| P: +\d+ \|"),
    decisive("fmt.would-reformat", "would be reformatted", LintError, "1 file would be reformatted", "reformatted").pattern(r"(?i)^(?:[1-9]\d* files?|unformatted: file) would be reformatted"),

    // Closing words of linters
    summary("checkov.count", "failed checks: ", LintError, "Passed checks: 5, Failed checks: 2, Skipped checks: 0", "Passed checks: 5, Failed checks: 0, Skipped checks: 0").tool("checkov").pattern(r"Failed checks: [1-9]"),
    summary("tfsec.count", "potential problem(s) detected", LintError, "  2 passed, 3 potential problem(s) detected.", "2 passed, 0 potential problem(s) detected.").tool("tfsec").pattern(r"[1-9]\d* potential"),
    summary("kube-linter.count", "lint errors", LintError, "Error: found 3 lint errors", "found 0 lint errors").tool("kube-linter").pattern(r"found [1-9]\d* lint errors"),
    summary("kubeconform.count", ", invalid: ", LintError, "Summary: 3 resources found in 1 file - Valid: 2, Invalid: 1, Errors: 0, Skipped: 0", "Summary: 3 resources found - Valid: 3, Invalid: 0, Errors: 0").tool("kubeconform").pattern(r"^Summary: .*(?:Invalid|Errors): [1-9]"),
    summary("cspell.count", "issues found: ", LintError, "CSpell: Files checked: 3, Issues found: 2 in 1 file.", "CSpell: Files checked: 3, Issues found: 0 in 0 files.").tool("cspell").pattern(r"Issues found: [1-9]"),
    summary("semgrep.count", "findings", LintError, "Ran 5 rules on 3 files: 2 findings.", "Ran 5 rules on 3 files: 0 findings.").tool("semgrep").pattern(r"^Ran \d+ rules? on \d+ files?: [1-9]\d* findings?|\b[1-9]\d* Code Findings?"),
    summary("gitleaks.count", "leaks found", LintError, "leaks found: 2", "no leaks found").tool("gitleaks").pattern(r"leaks found: [1-9]").aside(),
    decisive("detect-secrets.found", "potential secrets about to be committed", LintError, "ERROR: Potential secrets about to be committed to git repo!", "secrets").tool("detect-secrets"),
    summary("dprint.count", "not formatted file", LintError, "Found 2 not formatted files.", "Found 0 not formatted files.").tool("dprint").pattern(r"Found [1-9]"),
    success("lint.clean", " 0 issues", "Found 0 issues", "Found 10 issues").pattern(r"(?i)^(?:found |detected )0 issues"),

    // Shapes of findings: a place with a rule's name or code
    decisive("lint.place-warning", " [w] ", LintError, "app/a.haml:33 [W] ImplicitDiv: `%div` is implicit", "app/a.haml: [W] done").pattern(r"^\S+:\d+(?::\d+)? \[W\] "),
    decisive("lint.place-fault", " [e] ", LintError, "app/a.slim:33 [E] EmptyControlStatement: Empty control statement", "app/a.slim: [E] done").pattern(r"^\S+:\d+(?::\d+)? \[E\] "),
    decisive("lint.place-dash", "error - ", LintError, "/x/main.php:258:4:error - UndefinedConstant: Const X is not defined", "error - x").pattern(r"^\S+:\d+:\d+: ?(?:error|warning) - \w+: "),
    decisive("misspell.word", "is a misspelling of", LintError, "a.md:3:5: \"teh\" is a misspelling of \"the\"", "misspelling").tool("misspell"),
    decisive("typos.word", "` should be `", LintError, "error: `teh` should be `the`", "it should be").tool("typos").pattern(r"^error: `"),
    decisive("cspell.word", "unknown word (", LintError, "a.md:3:5 - Unknown word (teh)", "unknown word").tool("cspell"),
    decisive("checkbashisms.possible", "possible bashism in", LintError, "possible bashism in a.sh line 3 (alternative test command ([[ foo ]])):", "bashism").tool("checkbashisms"),
    decisive("gitlint.rule", "exceeds max length (", LintError, "1: T1 Title exceeds max length (90>72): \"x\"", "max length").tool("gitlint").pattern(r"^\d+: [TBM]\d+ "),
    decisive("actionlint.rule", ".yml:", LintError, ".github/workflows/ci.yml:3:5: unexpected key \"step\" for \"job\" section [syntax-check]", "ci.yml:3:5: ok").tool("actionlint").pattern(r"\.ya?ml:\d+:\d+: .*\[[a-z-]+\]$"),
];
