//! Shells, core utilities and archivers.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "bash",
        language: Some("Shell"),
        needs: &["bash"],
        cases: &[
            case("bash-command", MISSING_COMMAND, "terragrunt plan -out plan.bin", "a program that is not installed"),
            case(
                "bash-command-script",
                MISSING_COMMAND,
                "bash deploy.sh",
                "a script calls a program that is not installed",
            )
            .files(&[(
                "deploy.sh",
                "set -euo pipefail\necho 'building'\nbuildctl build --progress plain\necho done\n",
            )]),
            case("bash-sh-command", MISSING_COMMAND, "sh -c 'bmake all'", "dash cannot find a program"),
            case(
                "bash-env-command",
                MISSING_COMMAND,
                "chmod +x run.py && ./run.py",
                "the interpreter named by the script is not installed",
            )
            .files(&[("run.py", "#!/usr/bin/env python3.4\nprint('hi')\n")]),
            case("bash-syntax", COMPILE, "bash build.sh", "a script that does not parse")
                .files(&[("build.sh", "#!/bin/bash\nif [ -d out ]; then\n  echo ok\n\necho end\n")]),
            case("bash-quote", COMPILE, "bash -c 'echo \"unfinished; exit 1'", "a quote that is not closed"),
            case("bash-unbound", EXCEPTION, "bash release.sh", "a variable that was never set, under set -u")
                .files(&[("release.sh", "set -eu\necho \"releasing\"\necho \"tag $RELEASE_TAG\"\n")]),
            case("bash-cd", MISSING_FILE, "cd packages/api && ls", "a directory that is not there"),
            case(
                "bash-redirect",
                MISSING_FILE,
                "sort < input/words.txt > sorted.txt",
                "a file to read that is not there",
            ),
            case("bash-denied", DENIED, "./tool.sh --version", "a script without the execute bit")
                .files(&[("tool.sh", "#!/bin/sh\necho 1.0\n")]),
            case(
                "bash-write-denied",
                DENIED,
                "mkdir cfg && chmod 555 cfg && unprivileged bash -c 'echo level=debug > cfg/app.ini'",
                "a directory the user may not write",
            ),
            case(
                "bash-timeout",
                TIMEOUT,
                "echo 'waiting for the database on port 5432'; timeout 1 bash -c 'while :; \
                 do sleep 0.2; done'",
                "a wait for a service is ended by timeout(1)",
            ),
            case(
                "bash-killed",
                OUT_OF_MEMORY,
                "ulimit -v 60000; bash -c 'x=a; while :; do x=$x$x; done'",
                "the shell may not have more memory",
            ),
            case(
                "bash-disk",
                DISK_FULL,
                "tiny-disk bash -c 'for i in $(seq 30000); do echo \"line $i of the \
                 report\"; done > disk/report.txt'",
                "writing to a full disk",
            ),
            case(
                "bash-read-only",
                DENIED,
                "read-only-disk bash -c 'echo cached > disk/state.json'",
                "writing to a read-only file system",
            ),
            case(
                "bash-lock",
                LOCK,
                "flock deploy.lock sleep 3 & sleep 0.3; flock --nonblock --verbose deploy.lock true",
                "another process holds the lock file",
            ),
            case(
                "bash-lock-wait",
                LOCK,
                "flock deploy.lock sleep 4 & sleep 0.3; flock --timeout 1 --verbose \
                 deploy.lock echo deploying",
                "the lock is not free in time",
            ),
            case("bash-tcp", CONNECTION, "exec 3<>/dev/tcp/127.0.0.1/$CLOSED_PORT", "nothing listens on the port"),
            case("bash-segfault", EXCEPTION, "bash -c 'kill -SEGV $$'", "a process dies of a segmentation fault"),
            case("bash-ok", BENIGN, "bash ci.sh", "a script that retries and reports no failures").files(&[(
                "ci.sh",
                "for i in 1 2 3; do echo \"attempt $i: connection refused, retrying...\"; [ \
                 $i = 2 ] && break; done\n\
                 echo 'connected'\necho 'checks: 14 passed, 0 failed, 0 errors'\n",
            )]),
            case("bash-ok-grep", BENIGN, "grep -n -i error app.log", "a search that finds lines about errors").files(
                &[(
                    "app.log",
                    "10:02:11 INFO  error handling enabled\n10:02:12 INFO  start\n\
                 10:02:13 WARN  retrying after error: timed out (1/3)\n\
                 10:02:14 INFO  request ok after retry, errors=0\n",
                )],
            ),
            case(
                "bash-ok-fallback",
                BENIGN,
                "command -v podman-compose || echo 'podman-compose: not found, falling back \
                 to docker'",
                "a probe with a fallback",
            ),
        ],
    },
    Tool {
        name: "coreutils",
        language: None,
        needs: &["cp", "sort"],
        cases: &[
            case("coreutils-cp", MISSING_FILE, "cp dist/bundle.js public/", "the source is not there"),
            case(
                "coreutils-mv",
                MISSING_FILE,
                "mkdir a; touch a/x; mv a/x b/c/d/",
                "the target directory is not there",
            ),
            case("coreutils-cat-dir", BAD_ARGUMENT, "mkdir src && cat src", "a directory where a file is wanted"),
            case("coreutils-option", BAD_ARGUMENT, "ls --sort-by=size", "an option ls does not have"),
            case("coreutils-date", BAD_ARGUMENT, "date -d 'the day after never' +%F", "a date that is none"),
            case(
                "coreutils-rm",
                DENIED,
                "mkdir keep && touch keep/a && chmod 555 keep && unprivileged rm keep/a",
                "the directory may not be changed",
            ),
            case(
                "coreutils-read",
                DENIED,
                "umask 077; echo secret > token && unprivileged cat token",
                "the file may not be read",
            ),
            case("coreutils-full", DISK_FULL, "seq 100000 > /dev/full", "the device is full"),
            case(
                "coreutils-cp-full",
                DISK_FULL,
                "head -c 300000 /dev/zero > image.bin; tiny-disk cp image.bin disk/",
                "the target disk is full",
            ),
            case("coreutils-read-only", DENIED, "read-only-disk touch disk/marker", "the file system is read-only"),
            case(
                "coreutils-memory",
                OUT_OF_MEMORY,
                "ulimit -v 80000; head -c 400000000 /dev/zero | tail -c 300000000 > \
                 /dev/null; exit ${PIPESTATUS[1]}",
                "tail may not have more memory",
            ),
            case("coreutils-rmdir", REFUSED_DATA, "mkdir -p build/obj && rmdir build", "the directory is not empty"),
            case("coreutils-checksum", STATE, "sha256sum --check SUMS", "a download does not match its checksum")
                .files(&[
                    ("app.bin", "abc"),
                    ("SUMS", "0000000000000000000000000000000000000000000000000000000000000000  app.bin\n"),
                ]),
            case("coreutils-ok-wc", BENIGN, "wc -l *.log", "line counts that look like status codes")
                .files(&[("error.log", "a\nb\n"), ("timeout.log", "c\n")])
                .after("seq 429 > rate.log; seq 503 > gateway.log"),
            case("coreutils-ok-ls", BENIGN, "ls", "file names full of failure words").files(&[
                ("permission_denied.md", ""),
                ("connection-reset.test.js", ""),
                ("panic_handler.rs", ""),
                ("OutOfMemoryError.java", ""),
            ]),
        ],
    },
    Tool {
        name: "tar",
        language: None,
        needs: &["tar", "gzip"],
        cases: &[
            case("tar-missing", MISSING_FILE, "tar czf app.tgz build/ README", "nothing to pack"),
            case("tar-format", BAD_FORMAT, "tar xzf app.tgz", "an HTML page saved as an archive")
                .files(&[("app.tgz", "<html><body>Not here</body></html>\n")]),
            case("tar-cut", BAD_FORMAT, "tar xzf cut.tgz", "an archive that was cut off")
                .after("seq 90000 > a; tar czf whole.tgz a; head -c 20000 whole.tgz > cut.tgz; rm a"),
            case(
                "tar-full",
                DISK_FULL,
                "head -c 200000 /dev/urandom > blob; cp blob copy; tar cf blob.tar blob \
                 copy; tiny-disk tar xf blob.tar -C disk",
                "unpacking onto a full disk",
            ),
            case(
                "tar-denied",
                DENIED,
                "mkdir data && touch data/a && umask 077 && echo x > data/private.key && \
                 chmod 755 data && unprivileged tar cf - data | wc -c; exit ${PIPESTATUS[0]}",
                "a file that may not be read",
            ),
            case("tar-option", BAD_ARGUMENT, "tar --extract-all -f a.tar", "an option tar does not have"),
            case(
                "tar-ok",
                BENIGN,
                "mkdir errors && touch errors/failed.txt errors/fatal.txt && tar cvzf e.tgz \
                 errors && gzip -tv e.tgz",
                "an archive is made and tested",
            ),
        ],
    },
    Tool {
        name: "zip",
        language: None,
        needs: &["zip", "unzip"],
        cases: &[
            case("zip-nothing", MISSING_FILE, "zip -r site.zip public/", "nothing to pack"),
            case("zip-format", BAD_FORMAT, "unzip plugin.zip", "not an archive")
                .files(&[("plugin.zip", "{\"message\":\"Not Found\"}")]),
            case("zip-missing", MISSING_FILE, "unzip -o downloads/plugin.zip", "the archive is not there"),
            case(
                "zip-full",
                DISK_FULL,
                "head -c 200000 /dev/urandom > b; zip -q b.zip b; tiny-disk unzip -o b.zip \
                 -d disk < /dev/null",
                "unpacking onto a full disk",
            ),
            case(
                "zip-ok",
                BENIGN,
                "echo a > error.txt && zip r.zip error.txt && unzip -t r.zip",
                "an archive is made and tested, no errors detected",
            ),
        ],
    },
    Tool {
        name: "awk",
        language: Some("awk"),
        needs: &["awk", "sed"],
        cases: &[
            case("awk-syntax", COMPILE, "awk '{ print $1 ' data.txt", "a program that does not parse")
                .files(&[("data.txt", "a b\n")]),
            case(
                "awk-missing",
                MISSING_FILE,
                "awk -F, '{ s += $2 } END { print s }' totals.csv",
                "the data file is not there",
            ),
            case("awk-sed", COMPILE, "sed 's/old/new' a.txt", "a sed expression that is not finished")
                .files(&[("a.txt", "old\n")]),
            case("awk-grep", BAD_ARGUMENT, "grep -E '(unclosed' a.txt", "a regular expression that is none")
                .files(&[("a.txt", "old\n")]),
            case(
                "awk-ok",
                BENIGN,
                "awk '/error/ { n++ } END { print n+0, \"errors found\" }' a.txt",
                "a count of zero errors",
            )
            .files(&[("a.txt", "fine\n")]),
        ],
    },
];
