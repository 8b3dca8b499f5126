//! The go tool, its compiler, modules, vet and tests, golangci-lint.

use super::{Row, decisive, success, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingDependency, Other, OutOfMemory,
    RuntimeException, TestFailure,
};

/// A file of Go and a place in it.
macro_rules! place {
    () => {
        r"^(?:vet: )?\S+\.go:\d+(?::\d+)?: "
    };
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("go.types", ".go:", CompileError, "./main.go:7:2: cannot use x (variable of type int) as string value", "./main.go:7:2: warning").tool("go").pattern(concat!(place!(), r"(?:cannot|invalid|mismatched types|assignment mismatch|multiple-value|non-|too many|not enough|missing return|impossible|first argument|use of)")),
    decisive("go.undefined", ".go:", CompileError, "./main.go:7:2: undefined: foo", "./main.go:7:2: foo").tool("go").pattern(concat!(place!(), r"(?:undefined|\S+ undefined|undeclared|unknown field|unresolved reference|could not import|label)")),
    decisive("go.unused", ".go:", CompileError, "./main.go:7:2: declared and not used: foo", "./main.go:7:2: not used").tool("go").pattern(concat!(place!(), r"(?:(?:\S+ )?declared (?:and|but) not used|\x22[^\x22]+\x22 imported (?:and|but) not used|no new variables)")),
    decisive("go.redeclared", ".go:", CompileError, "./main.go:7:2: foo redeclared in this block", "./main.go:7:2: in this block").tool("go").pattern(concat!(place!(), r"(?:\S+ redeclared|duplicate|other declaration|import cycle|initialization cycle)")),
    decisive("go.syntax", ".go:", CompileError, "./main.go:7:2: syntax error: unexpected newline", "./main.go:7:2: syntax").tool("go").pattern(concat!(place!(), r"(?:syntax error|expected|unexpected|missing (?:function body|package|init expr|condition|,|;))")),
    decisive("go.build-failed", "[build failed]", CompileError, "FAIL\texample.com/app [build failed]", "build failed").tool("go"),
    decisive("go.setup-failed", "[setup failed]", CompileError, "FAIL\texample.com/app [setup failed]", "setup failed").tool("go"),
    decisive("go.no-required-module", "no required module provides package", MissingDependency, "main.go:4:2: no required module provides package github.com/x/y; to add it:", "required module").tool("go"),
    decisive("go.cannot-find-package", "cannot find package", MissingDependency, "main.go:4:2: cannot find package \"github.com/x/y\" in any of:", "find packages").tool("go"),
    decisive("go.cannot-find-module", "cannot find module providing package", MissingDependency, "cannot find module providing package github.com/x/y", "module").tool("go"),
    decisive("go.missing-sum", "missing go.sum entry", MissingDependency, "missing go.sum entry for module providing package x; to add:", "go.sum entry").tool("go"),
    decisive("go.not-in-std", "is not in std", MissingDependency, "package foo/bar is not in std (/usr/lib/go/src/foo/bar)", "in std").tool("go"),
    decisive("go.not-in-goroot", "is not in goroot", MissingDependency, "package foo is not in GOROOT (/usr/lib/go/src/foo)", "in goroot").tool("go"),
    decisive("go.does-not-contain", "but does not contain package", MissingDependency, "module github.com/x/y@latest found (v1.0.0), but does not contain package github.com/x/y/z", "contains package").tool("go"),
    decisive("go.invalid-version", "invalid version:", MissingDependency, "go: github.com/x/y@v9: invalid version: unknown revision v9", "npm ERR! Invalid Version: ^8.0.1").tool("go").pattern(r"@\S+: invalid version:|: invalid version: (?:unknown|git |module |should|missing|go\.mod)"),
    decisive("go.unknown-revision", "unknown revision", MissingDependency, "go: github.com/x/y@v9.9.9: unknown revision v9.9.9", "revisions").tool("go").pattern(r"@\S+: (?:.*: )?unknown revision"),
    decisive("go.no-matching-versions", "no matching versions for query", MissingDependency, "go: module x: no matching versions for query \"v9\"", "versions").tool("go"),
    decisive("go.checksum", "checksum mismatch", MissingDependency, "verifying github.com/x/y@v1: checksum mismatch", "checksums match").tool("go").pattern(r"^(?:go: )?verifying "),
    decisive("go.ambiguous-import", "ambiguous import:", CompileError, "main.go:3:2: ambiguous import: found package x in multiple modules", "import").tool("go"),
    decisive("go.mod-parse", "go.mod:", CompileError, "go: errors parsing go.mod:", "see go.mod: it is fine").tool("go").pattern(r"(?:errors? (?:parsing|loading)|parsing) (?:\S*/)?go\.mod:|^go: .*go\.mod:\d+:"),
    decisive("go.mod-tidy", "go: updates to go.mod needed", CompileError, "go: updates to go.mod needed", "go.mod").tool("go"),
    decisive("go.import-cycle", "import cycle not allowed", CompileError, "import cycle not allowed in test", "import cycle").tool("go"),
    decisive("go.expected-package", "expected 'package'", CompileError, "main.go:1:1: expected 'package', found 'EOF'", "package").tool("go"),
    decisive("go.no-go-files", "no go files in", InvalidArgument, "no Go files in /app", "go files").tool("go"),
    decisive("go.no-mod", "go.mod file not found", FileNotFound, "go: go.mod file not found in current directory or any parent directory", "go.mod").tool("go"),
    decisive("go.cannot-find-main", "cannot find main module", FileNotFound, "go: cannot find main module, but found .git/config in /app", "main module").tool("go"),
    decisive("go.link", "link: ", CompileError, "/usr/lib/go/pkg/tool/link: running gcc failed: exit status 1", "link: x").tool("go").pattern(r"link: running \w+ failed"),
    decisive("go.vet", ".go:", LintError, "./a.go:46: missing argument for Fatalf(\"%d\"): format reads arg 2", "./a.go:46: ok").tool("go").pattern(r"\.go:\d+(?::\d+)?: (?:missing argument for|\S+ format %|\S+ (?:call|arg list) |unreachable code|missing cases in switch|struct field tag|self-assignment|possible misuse|result of \S+ call not used|composite literal uses|\S+ (?:call )?(?:has|copies|passes) )"),
    summary("go.test-fail", "--- fail:", TestFailure, "--- FAIL: TestParse (0.00s)", "--- PASS: TestParse (0.00s)").tool("go"),
    decisive("go.package-fail", "fail\t", TestFailure, "FAIL\texample.com/app/parser\t0.004s", "fail\tsafe").tool("go").pattern(r"^FAIL\t\S+\t[\d.]+s"),
    decisive("go.test-panic", "panic: test timed out after", TestFailure, "panic: test timed out after 10m0s", "panic").tool("go"),
    decisive("go.panic", "panic: ", RuntimeException, "panic: runtime error: index out of range [5] with length 3", "don't panic: it is fine").tool("go").line_start(),
    decisive("go.fatal", "fatal error: ", RuntimeException, "fatal error: all goroutines are asleep - deadlock!", "fatal error: x").tool("go").pattern(r"^fatal error: (?:all goroutines|concurrent map|stack overflow|unexpected signal)"),
    decisive("go.oom", "runtime: out of memory", OutOfMemory, "runtime: out of memory: cannot allocate 4096-byte block", "memory").tool("go"),
    decisive("golangci.issue", ".go:", LintError, "main.go:3:5: Error return value of `f` is not checked (errcheck)", "main.go:3:5 done").tool("golangci-lint").pattern(r"\.go:\d+(?::\d+)?: .+ \((?:errcheck|govet|staticcheck|unused|gosimple|ineffassign|typecheck|revive|gocritic|gosec|gofmt|goimports|lll|stylecheck|misspell|unconvert|deadcode|structcheck|varcheck|[a-z]{4,16}lint|U1000|SA?\d{4}|ST\d{4}|QF\d{4})\)$"),
    decisive("golangci.errcheck", " is not checked (errcheck)", LintError, "Error return value of `w.Write` is not checked (errcheck)", "is not checked").tool("golangci-lint"),
    decisive("golangci.ineffassign", "(ineffassign)", LintError, "Error: ineffectual assignment to err (ineffassign)", "ineffassign").tool("golangci-lint"),
    decisive("golangci.staticcheck", "(staticcheck)", LintError, "Error: SA4006: this value of `err` is never used (staticcheck)", "staticcheck").tool("golangci-lint"),
    decisive("golangci.revive", "(revive)", LintError, "Error: exported: exported func X should have comment (revive)", "revive").tool("golangci-lint"),
    decisive("golangci.govet", "(govet)", LintError, "Error: shadow: declaration of \"err\" shadows declaration (govet)", "govet").tool("golangci-lint"),
    summary("golangci.issues", "error: issues found", LintError, "Error: issues found", "issues found").tool("golangci-lint").pattern(r"issues found$"),
    success("go.pass", "pass", "PASS", "PASSED").pattern(r"^PASS$"),
    decisive("go.http-eof", ": eof", ConnectionFailure, "Get \"http://127.0.0.1/items\": EOF", "x: eof").tool("go").pattern(r"(?:Get|Post|Put|Head|Delete|Patch) \x22?https?://\S+: EOF$"),
    decisive("go.module-404", "@v/", MissingDependency, "example.com/x@v1.2.0: reading https://proxy.golang.org/example.com/x/@v/v1.2.0.zip: 404 Not Found", "@v/list").tool("go").pattern(r"reading https?://\S+: (?:404|410) "),
    decisive("go.tidy", "updates to go.mod needed", MissingDependency, "go: updates to go.mod needed; to update it: go mod tidy", "go.mod updated").tool("go"),
    decisive("go.path-mismatch", "module declares its path as", CompileError, "	module declares its path as: acme.example/lib/v2", "declares its path").tool("go"),
    decisive("go.toolchain", "(running go", MissingDependency, "go: go.mod requires go >= 1.99 (running go 1.22.1; GOTOOLCHAIN=local)", "running go vet").pattern(r"requires go >=").tool("go"),
    decisive("go.vendor", "inconsistent vendoring", MissingDependency, "go: inconsistent vendoring in /srv/app:", "vendoring").tool("go"),
    decisive("go.verify", "verifying module", Other, "verifying module: checksum mismatch", "module verified").pattern(r"mismatch|SECURITY ERROR").tool("go"),
    decisive("go.race", "data race", RuntimeException, "WARNING: DATA RACE", "we avoid data races").pattern(r"^WARNING: DATA RACE|^Found \d+ data race").aside(),
    decisive("gosec.issue", "(cwe-", LintError, "[/x/a.go:3] - G101 (CWE-798): Potential hardcoded credentials (Confidence: LOW, Severity: HIGH)", "(cwe-x)").tool("gosec").pattern(r"\bG\d{3}\b"),
    decisive("gofmt.list", "files not formatted", LintError, "error: files not formatted: main.go", "formatted").pattern(r"(?i)files? (?:are )?not (?:properly )?formatted"),
    decisive("gometalinter.warning", ":warning: ", LintError, "pkg/config.go:1::warning: file is not gofmted with -s (gofmt)", "a.c:3:5: warning: unused (x)").tool("gometalinter").pattern(r"^\S+:\d+:\d*:warning: .+ \([\w-]+\)$").aside(),
];
