//! `recovery scan` as people and programs see it.

use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// A directory with a log of each kind: failed, clean, packed in both ways, empty, junk, and one packed log cut short.
fn logs() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let module = b"Error: Cannot find module './utils'\nRequire stack:\n- /app/index.js\n";
    let reset = b"npm error code ECONNRESET\nnpm error network read ECONNRESET\n";
    put("a/build.log", module);
    put("a/deep/er/clean.log", "everything is fine\n".repeat(10_000).as_bytes());
    put("b/empty.log", b"");
    put("b/junk.bin", &(0..=255u8).cycle().take(100_000).collect::<Vec<_>>());
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    // Two members, as concatenated logs have them; the failure stands in the second.
    put("c/net.log.gz", &[gzip(b"starting\n"), gzip(reset)].concat());
    put("c/net.log.zst", &ruzstd::encoding::compress_to_vec(&reset[..], ruzstd::encoding::CompressionLevel::Fastest));
    let whole = gzip(&module.repeat(1000));
    put("d/cut.gz", &whole[..whole.len() / 2]);
    dir
}

fn scan(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_recovery")).arg("scan").args(args).current_dir(dir).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_table_for_people() {
    let dir = logs();
    let output = scan(dir.path(), &["a", "b", "c", "missing"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("skipped: missing: No such file or directory"));
    insta::assert_snapshot!(stdout(&output));
}

#[test]
fn a_summary_for_programs() {
    let dir = logs();
    let output = scan(dir.path(), &[".", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["logs"], 7);
    assert_eq!(summary["read"], 6);
    assert_eq!(summary["failures"], 3);
    assert_eq!(summary["interrupted"], false);
    assert_eq!(summary["unreadable"][0]["file"], "./d/cut.gz");
    assert_eq!(
        summary["kinds"],
        serde_json::json!([
            {"failure_type": "BROKEN_BUILD", "class": "F2", "error_type": "missing_dependency", "logs": 1},
            {"failure_type": "UNKNOWN", "class": "F1", "error_type": "connection_failure", "logs": 2},
        ])
    );
}

/// Whichever log is read first, the lines come in the order of the paths.
#[test]
fn one_line_a_log_in_order() {
    let dir = logs();
    let one = scan(dir.path(), &["--ndjson", "--jobs", "1", "."]);
    let many = scan(dir.path(), &["--ndjson", "--jobs", "4", "."]);
    assert_eq!(stdout(&one), stdout(&many));
    let lines: Vec<Value> = stdout(&one).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<&str> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(
        files,
        [
            "./a/build.log",
            "./a/deep/er/clean.log",
            "./b/empty.log",
            "./b/junk.bin",
            "./c/net.log.gz",
            "./c/net.log.zst",
            "./d/cut.gz"
        ]
    );
    assert_eq!(lines[0]["error_type"], "missing_dependency");
    assert_eq!(lines[0]["indicators"][0]["line"], 1);
    assert_eq!(
        lines[1],
        serde_json::json!({
            "file": "./a/deep/er/clean.log", "bytes": 190_000, "failure": false, "failure_type": null, "class": null,
            "error_type": null, "indicators": [], "fingerprint": null,
        })
    );
    // Both ways of packing are read to the end.
    assert_eq!(lines[4]["error_type"], "connection_failure");
    assert_eq!(lines[5]["error_type"], "connection_failure");
    assert_eq!(lines[4]["bytes"], lines[5]["bytes"].as_u64().unwrap() + 9);
    assert!(lines[6]["error"].is_string());
}

#[test]
fn nothing_readable_is_bad_input() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(scan(dir.path(), &["missing"]).status.code(), Some(2));
    assert_eq!(scan(dir.path(), &["."]).status.code(), Some(0));
    assert_eq!(scan(dir.path(), &[]).status.code(), Some(2));
}

/// A link to the directory above does not send the scan round in circles.
#[cfg(unix)]
#[test]
fn links_to_directories_are_not_followed() {
    let dir = logs();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("a/up")).unwrap();
    let summary: Value = serde_json::from_slice(&scan(dir.path(), &["a", "--format", "json"]).stdout).unwrap();
    assert_eq!(summary["logs"], 2);
}

/// Ctrl-C prints what was done so far.
#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_was_read() {
    let dir = logs();
    // A sparse file reads as zeros for long enough to be interrupted in.
    std::fs::File::create(dir.path().join("z.log")).unwrap().set_len(64 << 30).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .args(["scan", "--format", "json", "--jobs", "2", "."])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["interrupted"], true);
    assert_eq!(summary["logs"], 8);
    assert!(summary["read"].as_u64().unwrap() < 8);
    assert!(String::from_utf8_lossy(&output.stderr).contains("of 8 logs were read"));
}
