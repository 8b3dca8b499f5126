//! Real failures, each made twice by running the tool: in another directory, at another time, with other process ids,
//! ports and addresses, and where the tool reads a file, with the error on another line.

#![allow(clippy::disallowed_methods)] // the recorded runs are files

use failure_taxonomy::normalise::{fingerprint, normalise};

/// The tools and what went wrong. What facts they state is in `problem-matcher/tests/facts_pairs.rs`.
#[rustfmt::skip]
const PAIRS: &[&str] = &[
    "bash-command",
    "bash-unbound",
    "cargo-build",
    "cat-missing",
    "cmake",
    "curl-429-verbose",
    "curl-503",
    "curl-dns",
    "curl-refused",
    "dash-command",
    "eslint",
    "gcc-asan",
    "gcc-header",
    "gcc-link",
    "gcc-undeclared",
    "git-conflict",
    "git-pathspec",
    "git-remote",
    "go-build",
    "go-panic",
    "go-test",
    "java-trace",
    "javac",
    "jest",
    "make-command",
    "make-target",
    "mypy",
    "node-module",
    "node-refused",
    "node-type",
    "npm-enoent",
    "npm-script",
    "perl-locate",
    "php-parse",
    "pytest-assert",
    "pytest-import",
    "python-object",
    "python-refused",
    "python-syntax",
    "python-trace",
    "ruby-load",
    "ruby-trace",
    "ruff",
    "rust-test",
    "rustc-import",
    "rustc-type",
    "sqlite",
    "tar-missing",
    "timeout-kill",
    "tsc",
    "unittest",
];

fn run(name: &str, nth: u8) -> String {
    let path = format!("{}/tests/pairs/{name}.{nth}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn two_runs_of_a_failure_have_one_fingerprint() {
    for name in PAIRS {
        let (one, other) = (run(name, 1), run(name, 2));
        assert_eq!(normalise(&one), normalise(&other), "{name}");
        assert_eq!(fingerprint(one.as_bytes()), fingerprint(other.as_bytes()), "{name}");
    }
}

#[test]
fn different_failures_have_different_fingerprints() {
    let all: std::collections::BTreeSet<String> =
        PAIRS.iter().map(|name| fingerprint(run(name, 1).as_bytes())).collect();
    assert_eq!(all.len(), PAIRS.len());
}

#[test]
fn every_pair_is_listed() {
    let dir = format!("{}/tests/pairs", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 2 * PAIRS.len());
}
