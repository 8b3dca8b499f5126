//! The place and the code of the root cause, in the shortest form that each tool prints them.

use problem_matcher::explain;

/// `file line column code` of the root cause, `-` for what is not there.
fn place(text: &str) -> String {
    let report = explain(text);
    report.root.and_then(|root| report.problems[root].location()).map_or("none".to_owned(), |l| {
        let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
        format!("{} {} {} {}", l.file, number(l.line), number(l.column), l.code.as_deref().unwrap_or("-"))
    })
}

#[test]
fn the_root_cause_has_its_place() {
    let mut wrong = Vec::new();
    for (tool, text, expected) in [
        (
            "rustc",
            "warning: unused\n --> src/a.rs:1:2\n\nerror[E0308]: mismatched types\n  --> src/b.rs:3:9\n",
            "src/b.rs 3 9 E0308",
        ),
        ("rustc", "error: expected `;`\n --> src/b.rs:3:9\n", "src/b.rs 3 9 -"),
        ("rust panic", "thread 'main' panicked at src/main.rs:2:5:\nboom\n", "src/main.rs 2 5 -"),
        ("rust panic", "thread 'x' panicked at 'boom: a, b', src/main.rs:2:5\n", "src/main.rs 2 5 -"),
        ("gcc", "a.c: In function 'main':\na.c:1:2: warning: x\na.c:3:5: error: 'y' undeclared\n", "a.c 3 5 -"),
        ("gcc", "In file included from a.c:1:\n/usr/include/x.h:7:2: error: x\na.c:9:1: error: y\n", "a.c 9 1 -"),
        ("clang", "a.c:3:5: error: unused variable 'x' [-Werror,-Wunused-variable]\n", "a.c 3 5 unused-variable"),
        ("clang", "a.c:3:5: fatal error: 'x.h' file not found\n", "a.c 3 5 -"),
        ("javac", "src/A.java:3: error: ';' expected\n", "src/A.java 3 - -"),
        ("maven", "[INFO] x\n[ERROR] /w/src/A.java:[3,5] ';' expected\n", "/w/src/A.java 3 5 -"),
        ("go", "# example.com/x\n./main.go:3:5: undefined: x\n", "./main.go 3 5 -"),
        ("go test", "--- FAIL: TestX (0.00s)\n    x_test.go:7: got 1\n", "x_test.go 7 - -"),
        (
            "go panic",
            "panic: boom\n\ngoroutine 1 [running]:\nruntime.x()\n\t/usr/local/go/src/runtime/p.go:1 +0x1\nmain.f()\n\t/w/main.go:7 +0x1d\nexit status 2\n",
            "/w/main.go 7 - -",
        ),
        ("tsc", "src/a.ts(3,5): error TS2322: Type 'x'\n", "src/a.ts 3 5 TS2322"),
        ("tsc pretty", "src/a.ts:3:5 - error TS2322: Type 'x'\n", "src/a.ts 3 5 TS2322"),
        (
            "eslint",
            "\n/w/src/a.js\n  1:1  warning  x  no-y\n  3:5  error  'z' is not defined  no-undef\n\n✖ 2 problems\n",
            "/w/src/a.js 3 5 no-undef",
        ),
        (
            "python",
            "Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in <module>\n    f()\n  File \"/w/b.py\", line 7, in f\n    g()\n  File \"/x/site-packages/r.py\", line 9, in g\n    raise X\nX: boom\n",
            "/w/b.py 7 - -",
        ),
        ("python", "  File \"a.py\", line 3\n    x =\n       ^\nSyntaxError: invalid syntax\n", "a.py 3 - -"),
        (
            "python",
            "Traceback (most recent call last):\n  File \"/usr/lib/python3.11/x.py\", line 9, in g\nX: y\n",
            "none",
        ),
        (
            "pytest",
            "    def test_x():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_x.py:3: AssertionError\n",
            "tests/test_x.py 3 - -",
        ),
        ("mypy", "a.py:3: error: Incompatible types  [arg-type]\n", "a.py 3 - arg-type"),
        ("mypy", "a.py:1: note: x\na.py:3:5: error: Bad  [misc]\n", "a.py 3 5 misc"),
        ("ruff", "a.py:1:8: F401 [*] `os` imported but unused\n", "a.py 1 8 F401"),
        ("ruff full", "F401 [*] `os` imported but unused\n --> a.py:1:8\n  |\n", "a.py 1 8 F401"),
        (
            "pytest, syntax",
            "/x/site-packages/_pytest/python.py:5: in f\n    m = g()\nE     File \"/w/test_a.py\", line 3\nE       def f(:\nE   SyntaxError: invalid syntax\n",
            "/w/test_a.py 3 - -",
        ),
        ("babel", "    SyntaxError: /w/a.test.js: Unexpected token (3:5)\n", "/w/a.test.js 3 5 -"),
        ("ruby", "a.rb:3:in 'f': boom (RuntimeError)\n\tfrom a.rb:7:in '<main>'\n", "a.rb 3 - -"),
        ("ruby", "a.rb:3: syntax error, unexpected end\n", "a.rb 3 - -"),
        (
            "rspec",
            "  1) x\n     Failure/Error: y\n     # ./spec/a_spec.rb:7:in 'block'\n\nFinished\n",
            "./spec/a_spec.rb 7 - -",
        ),
        ("php", "PHP Parse error:  syntax error, unexpected '}' in /w/a.php on line 3\n", "/w/a.php 3 - -"),
        ("php", "PHP Fatal error:  Uncaught Error: x in /w/a.php:3\nStack trace:\n", "/w/a.php 3 - -"),
        ("msbuild", "A.cs(12,5): error CS1002: ; expected [/w/a.csproj]\n", "A.cs 12 5 CS1002"),
        ("dotnet", "Unhandled exception. X: y\n   at A.B() in /w/A.cs:line 7\n", "/w/A.cs 7 - -"),
        ("msvc", "a.cpp(3): error C2065: 'x': undeclared identifier\n", "a.cpp 3 - C2065"),
        ("swift", "/w/a.swift:3:5: error: cannot find 'x' in scope\n", "/w/a.swift 3 5 -"),
        ("ghc", "A.hs:3:5: error: [GHC-88464]\n    Variable not in scope: x\n", "A.hs 3 5 GHC-88464"),
        ("elixir", "** (SyntaxError) lib/a.ex:3:5: unexpected token\n", "lib/a.ex 3 5 -"),
        (
            "elixir",
            "error: undefined variable \"x\"\n  │\n3 │ x\n  │ ^\n  │\n  └─ lib/a.ex:3:5: A.b/0\n",
            "lib/a.ex 3 5 -",
        ),
        (
            "node",
            "/w/a.js:3\n  foo(\n  ^\n\nReferenceError: foo is not defined\n    at Object.<anonymous> (/w/a.js:3:5)\n    at node:internal/main:1:1\n",
            "/w/a.js 3 5 -",
        ),
        (
            "node",
            "node:internal/modules/cjs/loader:1145\n  throw err;\n  ^\n\nError: Cannot find module './x'\n    at Module._resolve (node:internal/modules/cjs/loader:1142:15)\n    at Object.<anonymous> (/w/a.js:3:5)\n\nNode.js v20\n",
            "/w/a.js 3 5 -",
        ),
        (
            "jest",
            "  ● x\n\n    expect(1).toBe(2)\n\n      at Object.toBe (src/a.test.js:3:13)\n      at x (node_modules/j/k.js:1:2)\n\nTests: 1 failed\n",
            "src/a.test.js 3 13 -",
        ),
        ("vitest", " FAIL  src/a.test.ts > x\nAssertionError: y\n ❯ src/a.test.ts:3:13\n\nz\n", "src/a.test.ts 3 13 -"),
        ("kotlin", "e: file:///w/A.kt:3:5 Unresolved reference: x\n", "/w/A.kt 3 5 -"),
        ("kotlin", "e: /w/A.kt: (3, 5): Unresolved reference: x\n", "/w/A.kt 3 5 -"),
        ("scala", "[error] /w/A.scala:3:5: type mismatch\n", "/w/A.scala 3 5 -"),
        (
            "scala 3",
            "-- [E007] Type Mismatch Error: A.scala:3:5 -----\n3 |  x\n  |  ^\n  |  Found: Int\n",
            "A.scala 3 5 E007",
        ),
        (
            "java",
            "Exception in thread \"main\" java.lang.X: y\n\tat java.base/java.util.L.get(L.java:1)\n\tat com.x.A.main(A.java:7)\n",
            "A.java 7 - -",
        ),
        ("cmake", "CMake Error at CMakeLists.txt:3 (find_package):\n  By not providing\n", "CMakeLists.txt 3 - -"),
        ("make", "Makefile:3: *** missing separator.  Stop.\n", "Makefile 3 - -"),
        ("make", "cc: fatal\nmake: *** [Makefile:7: all] Error 1\n", "none"),
        ("shellcheck", "\nIn a.sh line 3:\necho $x\n     ^-- SC2086 (info): Double quote\n", "a.sh 3 6 SC2086"),
        ("shellcheck gcc", "a.sh:3:6: note: Double quote [SC2086]\na.sh:4:1: error: x [SC1073]\n", "a.sh 4 1 SC1073"),
        (
            "terraform",
            "╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource \"x\" \"y\":\n",
            "main.tf 3 - -",
        ),
        ("bash", "./a.sh: line 3: foo: command not found\n", "./a.sh 3 - -"),
        ("perl", "Can't locate X.pm in @INC at a.pl line 3.\n", "a.pl 3 - -"),
        ("esbuild", "✘ [ERROR] Could not resolve \"x\"\n\n    src/a.ts:3:5:\n      3 │ import\n", "src/a.ts 3 5 -"),
        ("webpack", "ERROR in ./src/a.ts 3:5-10\nModule not found\n", "./src/a.ts 3 5 -"),
        ("prettier", "[error] src/a.js: SyntaxError: Unexpected token (3:5)\n", "src/a.js 3 5 -"),
        ("black", "error: cannot format a.py: Cannot parse: 3:5: x =\n", "a.py 3 5 -"),
        ("windows", "C:\\w\\A.cs(12,5): error CS1002: ; expected\n", "C:\\w\\A.cs 12 5 CS1002"),
        ("in CI", "2026-11-16T06:12:46.1234567Z ./main.go:3:5: undefined: x\n", "./main.go 3 5 -"),
        ("in CI", "2026-11-16T06:12:46.1234567Z ##[error]a/b.go:3:5: undefined: x\n", "a/b.go 3 5 -"),
        ("in CI", "::error file=a/b.go,line=3,col=5::undefined: x\n", "a/b.go 3 5 -"),
        ("ant", "    [javac] /w/A.java:3: error: ';' expected\n", "/w/A.java 3 - -"),
        (
            "node, async",
            "file:///w/node_modules/o/e.mjs:44\n    x\n\nError: y\n    at O.f (file:///w/node_modules/o/c.mjs:2:3)\n    at async file:///w/a.mjs:3:11 {\n  status: 401\n",
            "/w/a.mjs 3 11 -",
        ),
        ("minitest", "  1) Failure:\nT#test_a [t.rb:3]:\nExpected: 1\n", "t.rb 3 - -"),
        ("sun cc", "\"a.cpp\", line 2: Warning: x\n\"a.cpp\", line 8: Error: y\n", "a.cpp 8 - -"),
        ("nix", "error: undefined variable 'x'\n\n       at /w/flake.nix:18:23:\n\nz\n", "/w/flake.nix 18 23 -"),
        ("psql", "psql:a.sql:3: ERROR:  syntax error\n", "a.sql 3 - -"),
        ("nothing", "connect to localhost:8080 failed at 12:30:01, see http://x.com:80/y", "none"),
        ("nothing", "example.com:443: connection refused\n127.0.0.1:5432: refused", "none"),
    ] {
        let found = place(text);
        if found != expected {
            wrong.push(format!("{tool}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
