//! Two runs of the same failure read the same; different failures do not.

use failure_taxonomy::normalise::{FINGERPRINT_BYTES, fingerprint, normalise};
use proptest::prelude::*;

/// What differs between two runs, in the forms that tools print.
#[test]
fn what_changes_from_run_to_run_is_folded() {
    for (one, other) in [
        ("Finished in 0.01s", "Finished in 1m 02s"),
        ("took 5 hours 23 minutes", "took 850 ms"),
        ("[2026-01-24T10:00:00.123Z] x", "[2026-11-02T01:59:59Z] x"),
        ("2026/01/24 10:00:00 dial failed", "2026/11/02 23:59:59 dial failed"),
        ("Mon Jan  5 10:00:00 2026 x", "Tue Nov 24 1:02:03 2026 x"),
        ("Date: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Mon, 16 Nov 2026 05:27:41 GMT"),
        ("at 3:45pm", "at 11:05 am"),
        ("src/a.rs:1:2: error", "src/a.rs:120:31: error"),
        ("File \"a.py\", line 9, in f", "File \"a.py\", line 10, in f"),
        ("a.cs(1,2): error CS1002", "a.cs(120,31): error CS1002"),
        (" 9 | let x", "120 | let x"),
        ("at 0x7ffd12ab <main>", "at 0x55d0c3aa9010 <main>"),
        ("commit 1a2b3c4", "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432"),
        ("id 6f1c2f4e-8f2b-4a57-9d0a-0c7c2b6f9d11", "id 00000000-0000-4000-8000-000000000000"),
        ("request req_011CSHoEeqs5C35K2UUqR7Fy", "request req_9bX2fA71kLm0Qw3Er5Ty8"),
        ("connect 127.0.0.1:41234", "connect 10.1.0.8:80"),
        ("localhost:8080 refused", "localhost:39999 refused"),
        ("/tmp/tmpab12/x.py", "/tmp/zz/x.py"),
        ("/tmp/pytest-of-ada/pytest-3/test_a0/f", "/tmp/pytest-of-ada/pytest-12/test_a0/f"),
        ("/var/folders/ab/c1d2/T/tmp.x/f", "/private/var/folders/zz/q9/T/tmp.y/f"),
        (r"C:\Users\ada\AppData\Local\Temp\x1\f.py", r"D:\Users\bob\AppData\Local\Temp\q\f.py"),
        ("==12== ERROR", "==31337== ERROR"),
        ("pid 7 killed", "pid 31337 killed"),
        ("goroutine 1 [running]:", "goroutine 42 [running]:"),
        ("== 1 failed, 2 passed in 0.1s ==", "==== 2 failed, 31 passed in 12.31s ===="),
        ("FAILED (failures=1, errors=2)", "FAILED (failures=12, errors=3)"),
        ("Tests run: 3, Failures: 1", "Tests run: 30, Failures: 2"),
        (
            "aborting due to 1 previous error; 2 warnings emitted",
            "aborting due to 12 previous errors; 1 warning emitted",
        ),
        ("[ 50%] Building", "[100%] Building"),
        ("[2/7] RUN make", "[3/12] RUN make"),
        ("#7 0.311 error", "#12 14.2 error"),
        ("attempt 1 of 3", "attempt 2 of 3"),
        ("read 12 MB", "read 980 KB"),
        ("1,234,567 rows", "12 rows"),
        ("Compiling a v0.1.0\nerror: x", "Blocking waiting for file lock on package cache\nerror: x"),
        ("a\r\nb", "a\nb"),
        ("10%\r50%\rdone", "99%\rdone"),
        ("retrying\nretrying\nfailed", "retrying\n\nretrying\nretrying\nfailed"),
        ("\x1b[31merror\x1b[0m", "error"),
    ] {
        assert_eq!(normalise(one), normalise(other));
        assert_eq!(fingerprint(one.as_bytes()), fingerprint(other.as_bytes()));
    }
}

#[test]
fn different_failures_differ() {
    for (one, other) in [
        ("error[E0308]: mismatched types", "error[E0382]: mismatched types"),
        ("ORA-01017: denied", "ORA-12541: denied"),
        ("status code 503", "status code 404"),
        ("HTTP/1.1 502 Bad", "HTTP/1.1 404 Bad"),
        ("exit code 101", "exit code 137"),
        ("error: 404", "error: 429"),
        ("assert 3 == 4", "assert 3 == 5"),
        ("expected 2 arguments, got 1", "expected 2 arguments, got 3"),
        ("no module named foo", "no module named bar"),
        ("test_100 failed", "test_200 failed"),
        ("src/a.rs:1:2", "src/b.rs:1:2"),
        ("/tmp/x/src/a.rs", "/tmp/x/src/b.rs"),
        ("needs node 18.2.0", "needs node 20.1.0"),
        ("python3.11: not found", "python3.12: not found"),
        ("a", "a\nb"),
        ("Compiling a v0.1.0 failed", "Compiling b v0.1.0 failed"),
    ] {
        assert_ne!(normalise(one), normalise(other));
        assert_ne!(fingerprint(one.as_bytes()), fingerprint(other.as_bytes()));
    }
}

/// Found by fuzzing: a rate that ends in the middle of a word, after its size; a number after one that was folded, or
/// after a word that was.
#[test]
fn what_is_folded_is_folded_the_first_time() {
    for (text, folded) in [
        ("51MiB/s444A4444444444444444445", "<n>/<n>"),
        ("code:0:8/1", "code:<n>/<n>"),
        ("error 5s 404", "error <n> <n>"),
        ("430 x bytes 99", "<n> x byte <n>"),
    ] {
        assert_eq!(normalise(text), folded);
        assert_eq!(normalise(folded), folded);
    }
}

#[test]
fn a_fingerprint_is_the_hash_of_the_normalised_text() {
    let text = "error: x\n\nerror: x\nat 12:30:01\n";
    assert_eq!(normalise(text), "error: x\nat <n>");
    // sha256sum of the line above.
    assert_eq!(fingerprint(text.as_bytes()), "ff9746029000495f498e74e96aec2e7ee8aef19e1869194f32904335f5992740");
    assert_eq!(fingerprint(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn a_huge_log_is_read_from_its_end() {
    let log = |noise: &str, last: &str| {
        let lines: String =
            (0..40_000).map(|i| format!("{noise} step {} took {i}ms\n", ["a", "b", "c"][i % 3])).collect();
        lines + last
    };
    let (one, other) = (log("one", "error: x"), log("one", "error: y"));
    assert!(one.len() > 4 * FINGERPRINT_BYTES);
    assert_ne!(fingerprint(one.as_bytes()), fingerprint(other.as_bytes()));
    // What is before the last 64 KiB does not count, however long its numbers are.
    let longer = format!("different beginning 123456\n{one}");
    assert_eq!(fingerprint(one.as_bytes()), fingerprint(longer.as_bytes()));
    // One endless line is cut as well.
    let endless = "x ".repeat(FINGERPRINT_BYTES * 4);
    assert!(normalise(&endless).len() < FINGERPRINT_BYTES);
}

/// Pieces of output, some of them tempting.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,12}",
        1 => "\\PC{0,4}",
        2 => "[0-9]{1,6}",
        1 => "[0-9a-f]{1,12}",
        3 => prop::sample::select(vec![
            "/tmp/", "/tmp/ab/", "line ", " failed", " errors", "status ", "HTTP/1.1 ", "Mon ", "Nov ", " 16 ", "12:30", "2026-01-24",
            "T", "Z", " UTC", "+05:30", "pm", "ms", " seconds", "m ", "h", "%", "(", ",", ")", "/", "#", ":", "0x", "---", "====", "\x1b[0m",
            "\x1b", "\r", "\n", "\t", "  ", "|", "<n>", "<tmp>", ".", "µs", "C:\\Users\\x\\Temp\\", "-", "_", "ORA-", "é", "──────",
            "/var/folders/", "/private/tmp/",
        ]).prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800) })]

    #[test]
    fn normalising_twice_changes_nothing(text in text()) {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn the_fingerprint_is_that_of_the_normalised_text(text in text()) {
        prop_assert_eq!(fingerprint(normalise(&text).as_bytes()), fingerprint(text.as_bytes()));
    }

    #[test]
    fn any_bytes_have_a_fingerprint(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(fingerprint(&bytes).len(), 64);
    }

    #[test]
    fn numbers_times_and_ids_do_not_matter(
        values in prop::array::uniform2((100u64..1_000_000_000, 1u32..10_000, 0u32..86_400, any::<u128>(), 1u32..99, "[a-z0-9]{1,10}")),
    ) {
        let [one, other] = values.map(|(number, line, second, id, count, name)| {
            let clock = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
            let id = uuid(id);
            normalise(&format!(
                "2026-01-24T{clock}Z [{number}] {id} src/a.rs:{line}:{count}: bad value at 0x{number:x}\n\
                 {count} tests failed in {count}.{line}s, {number} bytes, see /tmp/{name}/out.log on port {line}"
            ))
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn another_word_is_another_failure(one in "[a-z]{1,12}", other in "[a-z]{1,12}") {
        let text = |word: &str| format!("12:30:01 error: cannot find `{word}` in 3 files");
        prop_assert_eq!(one == other, fingerprint(text(&one).as_bytes()) == fingerprint(text(&other).as_bytes()));
    }
}

fn uuid(id: u128) -> String {
    let hex = format!("{id:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
