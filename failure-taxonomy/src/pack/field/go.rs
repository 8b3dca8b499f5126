//! The go tool, its compiler, vet and tests.

use super::{Row, decisive, success, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, LintError, MissingDependency, OutOfMemory,
    RuntimeException, TestFailure,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("go.compile", ".go:", CompileError, "./main.go:7:2: undefined: foo", "./main.go:7:2: warning").tool("go")
        .pattern(r"^(?:vet: )?\S+\.go:\d+(?::\d+)?: (?:undefined|syntax error|cannot use|declared and not used|\S+ declared (?:and|but) not used|missing return|too many|not enough|invalid operation|\S+ redeclared|assignment mismatch|undeclared|expected|non-|multiple-value|cannot|unexpected|\x22[^\x22]+\x22 imported (?:and|but) not used|\S+ undefined|mismatched types|import cycle|duplicate|method redeclared|impossible|first argument|no new variables|label|invalid|unknown field|undefined:|initialization cycle|use of|could not import|other declaration|unresolved reference|missing (?:function body|package|init expr|condition|,|;))"),
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
    success("go.pass", "pass", "PASS", "PASSED").pattern(r"^PASS$"),
    decisive("go.http-eof", ": eof", ConnectionFailure, "Get \"http://127.0.0.1/items\": EOF", "x: eof").tool("go").pattern(r"(?:Get|Post|Put|Head|Delete|Patch) \x22?https?://\S+: EOF$"),
    decisive("go.module-404", "@v/", MissingDependency, "example.com/x@v1.2.0: reading https://proxy.golang.org/example.com/x/@v/v1.2.0.zip: 404 Not Found", "@v/list").tool("go").pattern(r"reading https?://\S+: (?:404|410) "),
];
