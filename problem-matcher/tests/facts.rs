//! Facts are read from what tools really print.

use problem_matcher::facts::{extract, extract_in};
use proptest::prelude::*;
use recovery_types::Timestamp;

const NOW: &str = "2026-11-16T10:00:00Z"; // a Monday

fn moment(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn how_long_to_wait() {
    for (text, ms) in [
        ("Retry-After: 20", 20_000),
        ("< retry-after: 7\r\n", 7_000),
        ("retry-after-ms: 340", 340),
        (r#"{"retry_after": 1.5}"#, 1_500),
        (r#"{"error":{"retryAfterMs":250}}"#, 250),
        (r#"'retry_after_seconds': 30"#, 30_000),
        (r#""retryDelay": "17s""#, 17_000),
        (r#""retryDelay": "0.5s""#, 500),
        ("Retry-After: Mon, 16 Nov 2026 10:00:30 GMT", 30_000),
        ("Rate limit reached. Please try again in 6m0s.", 360_000),
        ("Please try again in 340ms. Visit https://x", 340),
        ("Please try again in 5.064s.", 5_064),
        ("Please retry after 1m30s", 90_000),
        ("Rate limit exceeded, please retry after 30 seconds.", 30_000),
        ("Retry in 2h", 7_200_000),
        ("retry in 5 minutes", 300_000),
        ("Try again in 23h 59m", 86_340_000),
        ("try again in about an hour", 3_600_000),
        ("Please wait 12 seconds before retrying", 12_000),
        ("you must wait at least 3 minutes", 180_000),
        // The last one counts.
        ("Retry-After: 1\nRetry-After: 9", 9_000),
    ] {
        let facts = extract(text, Some(moment(NOW)));
        assert_eq!(facts.retry_after_ms, Some(ms), "{text}");
        assert_eq!(facts.resets_at.is_some(), text.contains("GMT"), "a wait is no reset: {text}");
    }
    for text in [
        "",
        "Warning: Problem : HTTP error. Will retry in 1 seconds. 5 retries left.",
        "error: Request failed after 1 retry in 1.8s",
        "Retrying in 5 seconds",
        "try again later",
        "retry after fixing 3 errors",
        "Retry-After: never",
        "Retry-After: 99999999999999999999",
        "await 5 seconds",
        "in 20s",
    ] {
        assert_eq!(extract(text, Some(moment(NOW))).retry_after_ms, None, "{text}");
    }
}

#[test]
fn when_a_limit_is_lifted() {
    for (text, at) in [
        ("You've hit your session limit · resets 3:45pm", "2026-11-16T15:45:00Z"),
        ("limit reached ∙ resets 9am", "2026-11-17T09:00:00Z"),
        ("You've hit your session limit, resets 9:30am (Asia/Kolkata)", "2026-11-17T04:00:00Z"),
        ("resets 3pm (America/New_York)", "2026-11-16T20:00:00Z"),
        ("resets Mon 12:00am", "2026-11-23T00:00:00Z"),
        ("resets Tuesday at 9am (UTC)", "2026-11-17T09:00:00Z"),
        ("resets Nov 18 at 3pm (Europe/Berlin)", "2026-11-18T14:00:00Z"),
        ("resets Nov 18, 3pm (Europe/Berlin)", "2026-11-18T14:00:00Z"),
        ("resets on January 2", "2027-01-02T00:00:00Z"),
        ("Your limit will reset at 6 PM PST", "2026-11-17T02:00:00Z"),
        ("quota resets at midnight Pacific time", "2026-11-17T08:00:00Z"),
        ("resets tomorrow at 8:00 UTC+2", "2026-11-17T06:00:00Z"),
        ("Your quota will reset after 23h14m10s.", "2026-11-17T09:14:10Z"),
        ("It will reset in 5 hours 23 minutes.", "2026-11-16T15:23:00Z"),
        ("x-ratelimit-reset-requests: 6m0s", "2026-11-16T10:06:00Z"),
        ("x-ratelimit-reset: 60", "2026-11-16T10:01:00Z"),
        ("Please try again at 18:30", "2026-11-16T18:30:00Z"),
        ("try again at 9:00 AM.", "2026-11-17T09:00:00Z"),
    ] {
        assert_eq!(extract(text, Some(moment(NOW))).resets_at, Some(moment(at)), "{text}");
        assert_eq!(extract(text, None).resets_at, None, "{text}");
    }
    // Complete moments need no clock.
    for (text, at) in [
        (r#"{"resetsAt":1794830400}"#, "2026-11-16T12:00:00Z"),
        ("X-RateLimit-Reset: 1794830400", "2026-11-16T12:00:00Z"),
        (r#""resets_at": 1794830400123"#, "2026-11-16T12:00:00.123Z"),
        ("AI usage limit reached|1794830400", "2026-11-16T12:00:00Z"),
        ("try again at 2026-11-20T08:00:00+02:00", "2026-11-20T06:00:00Z"),
        ("resets at 2026-11-20 08:00:00 UTC", "2026-11-20T08:00:00Z"),
        ("Limit resets on 2026-12-01", "2026-12-01T00:00:00Z"),
        (r#""quotaResetTimeStamp": "2026-11-20T08:00:00.250Z""#, "2026-11-20T08:00:00.250Z"),
        ("anthropic-ratelimit-requests-reset: 2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"),
        ("Retry-After: Fri, 20 Nov 2026 08:00:00 GMT", "2026-11-20T08:00:00Z"),
        ("resets Nov 20, 2026 at 8am UTC", "2026-11-20T08:00:00Z"),
    ] {
        assert_eq!(extract(text, None).resets_at, Some(moment(at)), "{text}");
        assert_eq!(extract(text, Some(moment(NOW))).resets_at, Some(moment(at)), "{text}");
    }
    for text in [
        "Connection reset by 127.0.0.1 port 7001",
        "read: connection reset by peer",
        "git reset --hard 1794830400abc",
        "connection reset at 10:30:01",
        "resets 25:00",
        "resets Feb 30",
        "preset 3pm-ish things",
        "reset password in 3 easy steps",
    ] {
        let found = extract(text, Some(moment(NOW))).resets_at;
        assert!(found.is_none() || text.starts_with("preset"), "{text} {found:?}");
    }
}

#[test]
fn clock_times_are_the_machine_s() {
    let at = |zone| extract_in("resets 3pm", Some(moment(NOW)), zone).resets_at;
    assert_eq!(at(None), Some(moment("2026-11-16T15:00:00Z")));
    assert_eq!(at(Some("Europe/Berlin")), Some(moment("2026-11-16T14:00:00Z")));
    assert_eq!(at(Some("+05:30")), Some(moment("2026-11-17T09:30:00Z")));
    assert_eq!(at(Some("no/such")), at(None));
    // Not printed in spring in Berlin: the clock goes from 2:00 to 3:00.
    let spring = extract_in("resets 2:30am", Some(moment("2026-03-28T12:00:00Z")), Some("Europe/Berlin"));
    assert_eq!(spring.resets_at, Some(moment("2026-03-29T01:30:00Z")));
}

#[test]
fn statuses() {
    for (text, status) in [
        ("HTTP/1.1 502 Bad Gateway", 502),
        ("< HTTP/2 429\r\n", 429),
        ("HTTP 503", 503),
        ("HTTP Error 404: Not Found", 404),
        ("Request failed with status code 404", 404),
        ("unexpected status code: 503", 503),
        ("curl: (22) The requested URL returned error: 404", 404),
        (r#"{"status":429,"x":1}"#, 429),
        (r#"{"error":{"code": 403}}"#, 403),
        ("Error code: 429 - {'error'", 429),
        ("API Error: 529 {\"type\":\"error\"}", 529),
        ("npm error 404 Not Found - GET https://x", 404),
        ("server responded with a 503", 503),
        ("got 401 Unauthorized from x", 401),
        ("error: failed, status=500,", 500),
        ("HTTP/1.1 503 x\nHTTP/1.1 429 x", 429),
        ("requests.exceptions.HTTPError: 404 Client Error: Not Found for url: x", 404),
        ("The remote server returned an error: (403) Forbidden.", 403),
    ] {
        assert_eq!(extract(text, None).http_status, Some(status), "{text}");
    }
    for text in [
        "src/x.rs:429:7: error", "x.py:404: Not found", "exit status 404", "exited with status 500", "429",
        "HTTP/1.1 200 OK", "status code 1429", "took 503 ms", "port 404", "\"exit_code\": 500", "http://host:443/x",
        "E404", "status 503.5",
    ] {
        assert_eq!(extract(text, None).http_status, None, "{text}");
    }
}

#[test]
fn what_is_missing() {
    for (text, expected) in [
        ("ModuleNotFoundError: No module named 'foo.bar'", "module foo.bar"),
        ("/usr/bin/python3: No module named pytest", "module pytest"),
        ("ERROR: No matching distribution found for foo==9", "package foo==9"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a b.txt'", "path a b.txt"),
        ("python: can't open file '/w/x.py': [Errno 2] No such file or directory", "path /w/x.py"),
        ("NameError: name 'x' is not defined", "variable x"),
        ("Error: Cannot find module './x'\nRequire stack:", "module ./x"),
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /w/a.mjs", "package x"),
        ("a.ts(1,2): error TS2307: Cannot find module '@a/b' or its corresponding", "module @a/b"),
        ("Module not found: Error: Can't resolve './x' in '/w'", "module ./x"),
        ("npm error 404  'left-padx@*' is not in this registry.", "package left-padx@*"),
        ("npm error Missing script: \"biuld\"", "script biuld"),
        ("Error: ENOENT: no such file or directory, open '/w/x.json'", "path /w/x.json"),
        ("Error: spawn foo ENOENT", "command foo"),
        ("ReferenceError: x is not defined", "variable x"),
        ("error[E0432]: unresolved import `foo::bar`", "module foo::bar"),
        ("error[E0463]: can't find crate for `foo`", "crate foo"),
        ("error: no matching package named `foo` found", "package foo"),
        ("error: could not find `Cargo.toml` in `/w` or any parent directory", "path Cargo.toml"),
        ("error: linker `cc` not found", "command cc"),
        ("main.go:3:2: no required module provides package github.com/a/b; to add it:", "package github.com/a/b"),
        ("main.go:4:2: package foo/bar is not in std (/usr/local/go/src/foo/bar)", "package foo/bar"),
        ("exec: \"foo\": executable file not found in $PATH", "command foo"),
        ("open config.yaml: no such file or directory", "path config.yaml"),
        ("a.c:1:10: fatal error: foo/x.h: No such file or directory", "header foo/x.h"),
        ("a.c:1:10: fatal error: 'x.h' file not found", "header x.h"),
        ("cc1: fatal error: src/x.c: No such file or directory", "path src/x.c"),
        ("clang: error: no such file or directory: 'x.c'", "path x.c"),
        ("/usr/bin/ld: cannot find -lfoo: No such file or directory", "library foo"),
        ("./a: error while loading shared libraries: libx.so.1: cannot open shared object file", "library libx.so.1"),
        ("make: *** No rule to make target 'x', needed by 'all'.  Stop.", "target x"),
        ("A.java:1: error: package org.foo does not exist", "package org.foo"),
        ("Could not find artifact a:b:jar:1.0 in central", "artifact a:b:jar:1.0"),
        ("> Could not resolve a.b:c:1.0.", "artifact a.b:c:1.0"),
        ("java.lang.ClassNotFoundException: a.B", "class a.B"),
        ("cannot load such file -- foo (LoadError)", "module foo"),
        ("Could not find gem 'foo' in any of the gem sources", "package foo"),
        ("PHP Fatal error:  Uncaught Error: Class \"A\\B\" not found in /w/a.php:3", "class A\\B"),
        ("error NU1101: Unable to find package Foo. No packages", "package Foo"),
        ("Can't locate Foo/Bar.pm in @INC (you may need", "module Foo/Bar.pm"),
        ("Error in library(x) : there is no package called ‘x’", "package x"),
        ("error: no such module 'X'", "module X"),
        ("E: Unable to locate package foo", "package foo"),
        ("bash: line 1: foo: command not found", "command foo"),
        ("bash: ./a.sh: /bin/foo: bad interpreter: No such file or directory", "command /bin/foo"),
        ("zsh: command not found: foo", "command foo"),
        ("sh: 1: foo: not found", "command foo"),
        ("/bin/sh: foo: not found", "command foo"),
        ("fish: Unknown command: foo", "command foo"),
        ("'foo' is not recognized as an internal or external command,", "command foo"),
        ("foo : The term 'foo' is not recognized as the name of a cmdlet", "command foo"),
        ("git: 'foo' is not a git command. See 'git --help'.", "command foo"),
        ("make: foo: No such file or directory", "command foo"),
        ("/usr/bin/env: ‘foo’: No such file or directory", "command foo"),
        ("bash: FOO: unbound variable", "variable FOO"),
        ("error: Environment variable not found: DATABASE_URL.", "variable DATABASE_URL"),
        ("Error: environment variable FOO is not set", "variable FOO"),
        ("cat: a b/x.txt: No such file or directory", "path a b/x.txt"),
        ("ls: cannot access 'x y': No such file or directory", "path x y"),
        ("bash: ./x.sh: No such file or directory", "path ./x.sh"),
        ("tar: x: Cannot stat: No such file or directory", "path x"),
        ("src/x.py: error: Cannot read file: No such file or directory", "path src/x.py"),
        ("error: pathspec 'x' did not match any file(s) known to git", "path x"),
        ("ERROR:  relation \"x\" does not exist", "table x"),
        ("sqlite3.OperationalError: no such table: x", "table x"),
        ("curl: (6) Could not resolve host: x.invalid", "host x.invalid"),
        ("Error: getaddrinfo ENOTFOUND x.invalid", "host x.invalid"),
        // The first line counts, whatever is below.
        ("cat: x: No such file or directory\nModuleNotFoundError: No module named 'y'", "path x"),
    ] {
        let missing = extract(text, None).missing;
        assert_eq!(missing.map(|m| format!("{} {}", m.kind, m.name)).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "",
        "all tests passed",
        "page not found",
        "No such file or directory",
        "command not found",
        "Error: x\n  is missing",
    ] {
        assert_eq!(extract(text, None).missing, None, "{text}");
    }
}

/// Hostile texts must not take quadratic time: that would be minutes here.
#[test]
#[allow(clippy::disallowed_methods)] // a watch is what is needed
fn time_is_linear() {
    let start = std::time::Instant::now();
    for piece in
        ["No module named ", "status 404x ", "reset ", "retry after ", "a:", "at (", ": ", "File \"", "500 ", ".c:1"]
    {
        let _ = extract(&piece.repeat(100_000 / piece.len()), Some(moment(NOW)));
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "\\PC{0,8}",
        2 => "[0-9]{1,20}",
        6 => prop::sample::select(vec![
            "resets ", "reset", "Retry-After: ", "try again in ", "Nov ", "18", " at ", "3pm", "(", ")", "Europe/Berlin", "+05:30", "Mon ", "2026-",
            "11-", "T10:00:00", "Z", "s", "m", "h", " minutes", ":", "\n", "  File \"a.py\", line ", "    at f (a.js", "error[E", "--> ", "a.rs", ".c",
            "error", "é", "‘", "’", "'", "\"", "`", "No module named ", ": command not found", "HTTP/1.1 ", "status ", "4", "5", ",", "on a.tf line ",
            "In a.sh line ", "SC", "panicked at ", " in a.php on line ", "\t", "[", "]", "-", "\x1b[0m", ".",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800) })]

    #[test]
    fn any_text_has_an_answer(pieces in prop::collection::vec(piece(), 0..20), ms in any::<i64>()) {
        let text = pieces.concat();
        let _ = extract(&text, None);
        let _ = extract_in(&text, Some(Timestamp::from_ms(ms)), Some(&text));
    }

    /// A time of day is within the next day, whatever the clock and the zone are.
    #[test]
    fn the_next_such_moment(ms in 0i64..4_000_000_000_000, hour in 0u8..24, minute in 0u8..60, zone in prop::sample::select(vec!["UTC", "Asia/Kolkata", "America/New_York"])) {
        let now = Timestamp::from_ms(ms);
        let at = extract(&format!("resets {hour:02}:{minute:02} ({zone})"), Some(now)).resets_at.unwrap();
        prop_assert!(at > now);
        // A day may have 25 hours.
        prop_assert!(at.since(now) <= 25 * 3_600_000);
    }

    #[test]
    fn waits_are_read_back(h in 0u64..24, m in 0u64..60, s in 1u64..60) {
        let text = format!("Please try again in {h}h{m}m{s}s.");
        prop_assert_eq!(extract(&text, None).retry_after_ms, Some(((h * 60 + m) * 60 + s) * 1000));
    }
}
