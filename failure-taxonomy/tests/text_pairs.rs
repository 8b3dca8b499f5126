//! Real failures, each made twice by running the tool: in another directory, at another time, with other process ids,
//! ports and addresses, and where the tool reads a file, with the error on another line.

#![allow(clippy::disallowed_methods)] // the recorded runs are files

use failure_taxonomy::extract::{Facts, extract};
use failure_taxonomy::normalise::{fingerprint, normalise};

/// Each pair with the facts of its first run: place, missing thing, status, wait.
#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("bash-command", "a.sh:2, no command no-such-command"),
    ("bash-unbound", "b.sh:2, no variable NOWHERE"),
    ("cargo-build", "main.rs:2:5 [E0425]"),
    ("cat-missing", "no path rec-0qia3xb4/nowhere/file.txt"),
    ("cmake", "CMakeLists.txt:3, no package Nowhere"),
    ("curl-429-verbose", "status 429, wait 20000"),
    ("curl-503", "status 503"),
    ("curl-dns", "no host nowhere.invalid"),
    ("curl-refused", ""),
    ("dash-command", "no command no-such-command"),
    ("eslint", "a.js:1:1 [no-undef]"),
    ("gcc-asan", "d.c:5"),
    ("gcc-header", "b.c:1:10, no header nowhere.h"),
    ("gcc-link", "no symbol outside"),
    ("gcc-undeclared", "a.c:2:12, no variable value"),
    ("git-conflict", ""),
    ("git-pathspec", "no path nowhere.txt"),
    ("git-remote", ""),
    ("go-build", "main.go:4:2, no variable undefined"),
    ("go-panic", "main.go:5"),
    ("go-test", "x_test.go:6"),
    ("java-trace", "B.java:2"),
    ("javac", "A.java:2"),
    ("jest", "a.test.js:3:17"),
    ("make-command", "Makefile:2, no command no-such-command"),
    ("make-target", "no target nowhere.o"),
    ("mypy", "a.py:2 [return-value]"),
    ("node-module", "a.js:1:1, no module ./nowhere"),
    ("node-refused", ""),
    ("node-type", "b.js:3"),
    ("npm-enoent", "no path job_vqkko71c/package.json"),
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

fn run(name: &str, nth: u8) -> String {
    let path = format!("{}/tests/pairs/{name}.{nth}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn two_runs_of_a_failure_have_one_fingerprint() {
    for (name, _) in PAIRS {
        let (one, other) = (run(name, 1), run(name, 2));
        assert_eq!(normalise(&one), normalise(&other), "{name}");
        assert_eq!(fingerprint(one.as_bytes()), fingerprint(other.as_bytes()), "{name}");
    }
}

#[test]
fn different_failures_have_different_fingerprints() {
    let all: std::collections::BTreeSet<String> =
        PAIRS.iter().map(|(name, _)| fingerprint(run(name, 1).as_bytes())).collect();
    assert_eq!(all.len(), PAIRS.len());
}

#[test]
fn every_pair_is_listed() {
    let dir = format!("{}/tests/pairs", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 2 * PAIRS.len());
}

#[test]
fn facts_of_real_output() {
    let wrong: Vec<String> = PAIRS
        .iter()
        .map(|(name, facts)| (name, facts, written(&extract(&run(name, 1), None))))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(name, expected, found)| format!("{name}: expected {expected:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn written(facts: &Facts) -> String {
    let mut words = Vec::new();
    if let Some(at) = &facts.location {
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
