//! Logs of any size in constant memory. One test alone in this file: it measures the largest of all its children.

#![cfg(target_os = "linux")]

mod common;

use common::{command, recovery};
use nix::sys::resource::{UsageWho, getrusage};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const MIB: usize = 1 << 20;
/// The smaller input; the larger has four times as much. Both are long enough for everything that is made only once it
/// is worth its memory.
const SMALL: usize = 4 * MIB;
/// What two runs may differ by without saying anything; far below the twelve MiB that holding the input would cost.
const SLACK_KIB: i64 = 4 << 10;

#[test]
fn four_times_the_input_takes_no_more_memory() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    for (name, run) in [("classify", classify as fn(&Path, usize)), ("scan", scan)] {
        run(dir.path(), SMALL);
        let small = largest_child_kib();
        run(dir.path(), 4 * SMALL);
        let large = largest_child_kib();
        assert!(large - small < SLACK_KIB, "{name}: {small} KiB for {SMALL} bytes, {large} KiB for four times as many");
    }
}

/// Over all children that have ended; it never falls, so each pair of runs starts from what was seen before.
fn largest_child_kib() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss()
}

fn classify(dir: &Path, size: usize) {
    let mut child = command(dir, &["classify"]).stdout(Stdio::null()).spawn().unwrap();
    write_log(&mut child.stdin.take().unwrap(), size);
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{out:?}");
}

fn scan(dir: &Path, size: usize) {
    write_log(&mut std::fs::File::create(dir.join("big.log")).unwrap(), size);
    let out = recovery(dir, &["scan", "--jobs", "1", "big.log"], b"");
    assert!(out.status.success(), "{out:?}");
}

/// Progress, failures of many kinds, colours, bytes that are no text, and lines without an end.
fn write_log(out: &mut impl Write, size: usize) {
    let mut block = Vec::new();
    for n in 0..600 {
        writeln!(block, "ok {n} the quick brown fox jumps over the lazy dog again").unwrap();
    }
    block.extend_from_slice(b"\x1b[31merror[E0308]\x1b[0m: mismatched types\n  --> src/main.rs:10:5\n");
    block.extend_from_slice(b"npm ERR! code ECONNRESET\nFAILED tests/test_a.py::test_b - AssertionError: 1 != 2\n");
    block.extend_from_slice(b"HTTP 429 Too Many Requests, retry-after: 12\n\xff\xfe\x00 no text\n");
    block.resize(48 << 10, b'x');
    let mut left = size;
    while left > 0 {
        let part = &block[..block.len().min(left)];
        out.write_all(part).unwrap();
        left -= part.len();
    }
}
