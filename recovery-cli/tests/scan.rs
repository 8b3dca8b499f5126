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
    // Two members, as concatenated logs have them; the failure is in the second.
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

/// The journal quotes the failures of the project; it is no log of one.
#[test]
fn the_state_directory_is_no_log() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    std::fs::write(dir.path().join(".recovery/learnings.md"), "Error: read ECONNRESET\n").unwrap();
    std::fs::write(dir.path().join("build.log"), "fine\n").unwrap();
    assert!(stdout(&scan(dir.path(), &["."])).starts_with("1 log read"));
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
fn problems_of_each_failed_log() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.log"), "cc -c a.c\na.c:3:5: error: expected ';'\nmake: *** [a.o] Error 1\n")
        .unwrap();
    std::fs::write(dir.path().join("b.log"), "all good\n").unwrap();
    let text = stdout(&scan(dir.path(), &["--problems", "."]));
    assert!(text.contains("a.log\n  error a.c:3:5: expected ';'\n"), "{text}");
    assert!(!text.contains("b.log\n  "), "{text}");
    let answers = ndjson(&scan(dir.path(), &["--problems", "--ndjson", "."]));
    assert_eq!(answers[0]["problems"][0]["message"], "expected ';'");
    assert_eq!(answers[0]["problems"][0]["text_line"], 2);
    assert!(answers[1].get("problems").is_none());
}

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
            "./a/build.log", "./a/deep/er/clean.log", "./b/empty.log", "./b/junk.bin", "./c/net.log.gz",
            "./c/net.log.zst", "./d/cut.gz"
        ]
    );
    assert_eq!(lines[0]["error_type"], "missing_dependency");
    assert_eq!(lines[0]["indicators"][0]["line"], 1);
    assert_eq!(
        lines[1],
        serde_json::json!({
            "file": "./a/deep/er/clean.log", "bytes": 190_000, "ci": null, "exit_code": null, "failure": false,
            "failure_type": null, "class": null, "error_type": null, "indicators": [], "fingerprint": null, "tests": [],
            "new_lines": null,
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

fn ndjson(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// An archive as GitHub gives it: the whole job, and each of its steps in a folder.
fn github_archive(path: &Path, job: &str, steps: &[(&str, &str)]) {
    let mut zip = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    let mut put = |name: &str, text: &str| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        for (number, line) in text.lines().enumerate() {
            let mark = if number == 0 { "\u{feff}" } else { "" };
            writeln!(zip, "{mark}2026-05-01T10:00:0{}.1234567Z {line}\r", number % 10).unwrap();
        }
    };
    let whole: String = steps.iter().map(|(_, text)| format!("{text}\n")).collect();
    put(&format!("0_{job}.txt"), &whole);
    put("1_lint.txt", "all fine");
    for (name, text) in steps {
        put(&format!("{job}/{name}"), text);
    }
    zip.add_directory("empty/", zip::write::SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap();
}

#[test]
fn github_archives_are_read_step_by_step() {
    let dir = tempfile::tempdir().unwrap();
    let failed = "##[group]Run cargo test\n##[endgroup]\nerror[E0308]: mismatched types\n --> src/main.rs:4:18\n\
                  ##[error]Process completed with exit code 101.";
    let odd = "Frobnicator: gizmo misaligned\n##[error]Process completed with exit code 3.";
    let steps = [
        ("1_Set up job.txt", "Current runner version"),
        ("2_Test.txt", failed),
        ("10_Odd.txt", odd),
        ("11_Post.txt", "ok"),
    ];
    github_archive(&dir.path().join("logs_1.zip"), "build", &steps);
    let lines = ndjson(&scan(dir.path(), &["--ndjson", "."]));
    let files: Vec<&str> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(
        files,
        [
            "./logs_1.zip/1_lint.txt",
            "./logs_1.zip/build/1_Set up job.txt",
            "./logs_1.zip/build/2_Test.txt",
            "./logs_1.zip/build/10_Odd.txt",
            "./logs_1.zip/build/11_Post.txt",
        ]
    );
    let failing: Vec<_> = lines.iter().map(|line| line["failure"].as_bool().unwrap()).collect();
    assert_eq!(failing, [false, false, true, true, false]);
    assert_eq!((&lines[2]["error_type"], &lines[2]["exit_code"]), (&"compile_error".into(), &101.into()));
    assert_eq!(lines[2]["indicators"][0]["line"], 3);
    // No rule knows the text, but GitHub reports that the step failed.
    assert_eq!((&lines[3]["error_type"], &lines[3]["ci"]), (&"other".into(), &"github".into()));
}

#[test]
fn a_damaged_archive_is_skipped() {
    let dir = tempfile::tempdir().unwrap();
    github_archive(&dir.path().join("whole.zip"), "build", &[("1_A.txt", "fine")]);
    let bytes = std::fs::read(dir.path().join("whole.zip")).unwrap();
    std::fs::write(dir.path().join("cut.zip"), &bytes[..bytes.len() / 2]).unwrap();
    let output = scan(dir.path(), &["--format", "json", "."]);
    assert_eq!(output.status.code(), Some(0));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["unreadable"][0]["file"], "./cut.zip");
    assert_eq!(summary["read"], 2);
}

#[test]
fn the_word_of_the_ci_system_counts() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        (
            "gitlab-failed.log",
            "2026-05-01T10:00:00.123456Z 00O section_start:1714557600:step_script\r\u{1b}[0KExecuting\n\
             2026-05-01T10:00:01.123456Z 01E npm error code ECONNRESET\n\
             2026-05-01T10:00:02.123456Z 00O \u{1b}[31;1mERROR: Job failed: exit code 1\n",
        ),
        ("gitlab-green.log", "error: this one is expected\nConnection refused\n\u{1b}[32;1mJob succeeded\u{1b}[0;m\n"),
        ("jenkins-failed.log", "[Pipeline] sh\n+ ./odd\nmisaligned\n[Pipeline] End of Pipeline\nFinished: FAILURE\n"),
        ("jenkins-aborted.log", "[Pipeline] sh\n+ sleep 100\nAborted by admin\nFinished: ABORTED\n"),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let lines = ndjson(&scan(dir.path(), &["--ndjson", "."]));
    let told = |number: usize| {
        let line = &lines[number];
        (
            line["failure"].as_bool().unwrap(),
            line["exit_code"].as_i64(),
            line["ci"].as_str(),
            line["error_type"].as_str(),
        )
    };
    assert_eq!(told(0), (true, Some(1), Some("gitlab"), Some("connection_failure")));
    assert_eq!(told(1), (false, Some(0), Some("gitlab"), None));
    assert_eq!(told(2), (false, None, Some("jenkins"), None));
    assert_eq!(told(3), (true, Some(1), Some("jenkins"), Some("other")));
    // What the user states takes precedence.
    let given = ndjson(&scan(dir.path(), &["--ndjson", "--exit-code", "0", "."]));
    assert!(given.iter().all(|line| line["failure"] == false));
}

#[test]
fn junit_reports_name_the_failing_tests() {
    let dir = tempfile::tempdir().unwrap();
    let case = |name: &str| {
        format!(
            "<testcase classname=\"shop.Cart\" name=\"{name}\"><failure message=\"expected 3 got 4\">x</failure></testcase>\n"
        )
    };
    let xml = |cases: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"s\" tests=\"2\" failures=\"2\">\n{cases}</testsuite></testsuites>\n"
        )
    };
    std::fs::write(dir.path().join("bad.xml"), xml(&(case("total") + &case("empty")))).unwrap();
    let green =
        "<testsuite name=\"s\" tests=\"1\" failures=\"0\" errors=\"0\">\n<testcase name=\"a\"/>\n</testsuite>\n";
    std::fs::write(dir.path().join("green.xml"), green).unwrap();
    let lines = ndjson(&scan(dir.path(), &["--ndjson", "."]));
    assert_eq!(lines[0]["tests"], serde_json::json!(["shop.Cart > total", "shop.Cart > empty"]));
    assert_eq!(lines[0]["error_type"], "test_failure");
    assert_eq!((&lines[1]["failure"], &lines[1]["tests"]), (&false.into(), &serde_json::json!([])));
    let table = stdout(&scan(dir.path(), &["."]));
    assert!(table.contains("./bad.xml: shop.Cart > total and 1 more"), "{table}");
}

/// Noise that a run that worked prints too is not taken for the cause.
#[test]
fn lines_of_a_green_run_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    for part in ["green", "red"] {
        std::fs::create_dir(dir.path().join(part)).unwrap();
    }
    let noise = |ms: u32| format!("2026-05-01T10:00:00Z npm error code ECONNRESET (after {ms} ms)\nwarming up\n");
    std::fs::write(dir.path().join("green/1.log"), noise(12)).unwrap();
    std::fs::write(dir.path().join("red/1.log"), noise(340) + "ModuleNotFoundError: No module named 'yaml'\n").unwrap();
    std::fs::write(dir.path().join("red/2.log"), noise(7)).unwrap();

    let without = ndjson(&scan(dir.path(), &["--ndjson", "--exit-code", "1", "red"]));
    assert_eq!(without[0]["error_type"], "connection_failure");
    assert_eq!(without[0]["new_lines"], Value::Null);
    let with = ndjson(&scan(dir.path(), &["--ndjson", "--since-green", "green", "red"]));
    assert_eq!(with[0]["error_type"], "missing_dependency");
    // Offsets and line numbers are those of the log.
    assert_eq!(with[0]["indicators"][0]["line"], 3);
    assert_eq!((&with[0]["new_lines"], &with[1]["new_lines"]), (&1.into(), &0.into()));
    assert_eq!(with[1]["failure"], false);
    assert_eq!(with[0]["bytes"], without[0]["bytes"]);

    let missing = scan(dir.path(), &["--since-green", "nowhere", "red"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read the baseline nowhere: "));
    let text = stdout(&scan(dir.path(), &["--since-green", "green", "red"]));
    assert!(text.contains("left out: 2 lines of the baseline"), "{text}");
}
