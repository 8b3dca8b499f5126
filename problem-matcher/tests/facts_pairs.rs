//! Facts of real failures: the outputs are the first runs of `failure-taxonomy/tests/pairs`.

#![allow(clippy::disallowed_methods)] // the recorded runs are files

use problem_matcher::explain;
use problem_matcher::facts::extract;

/// Each output with its facts: place, missing thing, status, wait.
#[rustfmt::skip]
const OUTPUTS: &[(&str, &str)] = &[
    ("bash-command", "a.sh:2, no command no-such-command"),
    ("bash-unbound", "b.sh:2, no variable NOWHERE"),
    ("cargo-build", "main.rs:2:5 [E0425]"),
    ("cat-missing", "file.txt, no path rec-0qia3xb4/nowhere/file.txt"),
    ("cmake", "CMakeLists.txt:3, no package Nowhere"),
    ("curl-429-verbose", "status 429, wait 20000"),
    ("curl-503", "status 503"),
    ("curl-dns", "no host nowhere.invalid"),
    ("curl-refused", ""),
    ("dash-command", "no command no-such-command"),
    ("eslint", "a.js:1:1 [no-undef]"),
    ("gcc-asan", "d.c:5"),
    ("gcc-header", "b.c:1:10, no header nowhere.h"),
    ("gcc-link", "c.c, no symbol outside"),
    ("gcc-undeclared", "a.c:2:12, no variable value"),
    ("git-conflict", "f.txt [content]"),
    ("git-pathspec", "nowhere.txt, no path nowhere.txt"),
    ("git-remote", ""),
    ("go-build", "main.go:4:2, no variable undefined"),
    ("go-panic", "main.go:5"),
    ("go-test", "x_test.go:6"),
    ("java-trace", "B.java:2"),
    ("javac", "A.java:2:13"),
    ("jest", "a.test.js:3:17"),
    ("make-command", "Makefile:2, no command no-such-command"),
    ("make-target", "no target nowhere.o"),
    ("mypy", "a.py:2 [return-value]"),
    ("node-module", "a.js:1:1, no module ./nowhere"),
    ("node-refused", ""),
    ("node-type", "b.js:3:17"),
    ("npm-enoent", "package.json, no path job_vqkko71c/package.json"),
    ("npm-script", "no script biuld"),
    ("perl-locate", "a.pl:1, no module Nowhere/Here.pm"),
    ("php-parse", "a.php:2"),
    ("pytest-assert", "test_a.py:9"),
    ("pytest-import", "test_b.py:1, no module no_such_thing"),
    ("python-object", "b.py:3"),
    ("python-refused", "d.py:2"),
    ("python-syntax", "c.py:1"),
    ("python-trace", "a.py:4"),
    ("ruby-load", "b.rb:1, no module nowhere"),
    ("ruby-trace", "a.rb:2"),
    ("ruff", "a.py:1:8 [F401]"),
    ("rust-test", "c.rs:4:5"),
    ("rustc-import", "b.rs:1:5 [E0432], no module missing_crate"),
    ("rustc-type", "a.rs:2:18 [E0308]"),
    ("sqlite", "a.py:2, no table nowhere"),
    ("tar-missing", "no path nowhere-dir"),
    ("timeout-kill", ""),
    ("tsc", "a.ts:1:7 [TS2322]"),
    ("unittest", "test_c.py:5"),
];

fn output(name: &str) -> String {
    let path = format!("{}/../failure-taxonomy/tests/pairs/{name}.1.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn facts_of_real_output() {
    let wrong: Vec<String> = OUTPUTS
        .iter()
        .map(|(name, facts)| (name, facts, written(&output(name))))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(name, expected, found)| format!("{name}: expected {expected:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn written(text: &str) -> String {
    let facts = extract(text, None);
    let mut words = Vec::new();
    let report = explain(text);
    if let Some(at) = report.root.and_then(|root| report.problems[root].location()) {
        let number = |n: Option<u64>| n.map(|n| format!(":{n}")).unwrap_or_default();
        let code = at.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        // The directory differs from run to run.
        let file = at.file.rsplit('/').next().unwrap_or_default();
        words.push(format!("{file}{}{}{code}", number(at.line), number(at.column)));
    }
    if let Some(missing) = &facts.missing {
        words.push(format!("no {} {}", missing.kind, missing.name.rsplit("/tmp/").next().unwrap_or_default()));
    }
    words.extend(facts.http_status.map(|status| format!("status {status}")));
    words.extend(facts.retry_after_ms.map(|ms| format!("wait {ms}")));
    words.join(", ")
}
