//! Readers of data formats, and small checkers.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "jq",
        language: None,
        needs: &["jq"],
        cases: &[
            case("jq-parse", BAD_FORMAT, "jq .name package.json", "a comma too many")
                .files(&[("package.json", "{\"name\": \"app\",, }\n")]),
            case("jq-html", BAD_FORMAT, "curl -s $SERVER/html/api | jq .id", "HTML where JSON is wanted")
                .needs(&["curl"]),
            case("jq-type", EXCEPTION, "echo '[1,2]' | jq .name", "a key of an array"),
            case("jq-null", EXCEPTION, "echo '{}' | jq '.items[]'", "a loop over null"),
            case("jq-program", COMPILE, "echo '{}' | jq '.a | select(.b'", "a filter that does not parse"),
            case("jq-file", MISSING_FILE, "jq . build/stats.json", "the file is not there"),
            case("jq-ok", BENIGN, "curl -s $SERVER/json/x | jq .", "an object with tempting keys").needs(&["curl"]),
        ],
    },
    Tool {
        name: "yaml",
        language: Some("YAML"),
        needs: &["yamllint"],
        cases: &[
            case("yaml-lint", LINT, "yamllint ci.yml", "findings")
                .files(&[("ci.yml", "jobs:\n   build:\n    steps: [ a,b ]\n    steps: []\n")]),
            case(
                "yaml-parse",
                BAD_FORMAT,
                "python3 -c \"import yaml; yaml.safe_load(open('ci.yml'))\"",
                "a mapping that is none",
            )
            .files(&[("ci.yml", "jobs:\n  build: a: b\n   test: [\n")]),
            case("yaml-ok", BENIGN, "yamllint -d relaxed ci.yml && echo 'ci.yml: no errors'", "nothing is found")
                .files(&[("ci.yml", "---\non_error: retry\n")]),
        ],
    },
    Tool {
        name: "xmllint",
        language: Some("XML"),
        needs: &["xmllint"],
        cases: &[
            case("xmllint-parse", BAD_FORMAT, "xmllint --noout feed.xml", "tags that do not match")
                .files(&[("feed.xml", "<feed><item>a</feed>\n")]),
            case("xmllint-file", MISSING_FILE, "xmllint --noout report.xml", "the file is not there"),
            case("xmllint-ok", BENIGN, "xmllint --format junit.xml", "a report of passing tests").files(&[(
                "junit.xml",
                "<testsuite tests=\"3\" failures=\"0\" errors=\"0\"><testcase \
                 name=\"timeout\"/></testsuite>\n",
            )]),
        ],
    },
    Tool {
        name: "shellcheck",
        language: Some("Shell"),
        needs: &["shellcheck"],
        cases: &[
            case("shellcheck-findings", LINT, "shellcheck deploy.sh", "unquoted variables")
                .files(&[("deploy.sh", "#!/bin/bash\ncd $1\nfor f in $(ls *.log); do rm $f; done\n")]),
            case("shellcheck-gcc", LINT, "shellcheck -f gcc deploy.sh", "findings in short form")
                .files(&[("deploy.sh", "#!/bin/sh\nif [[ $a == b ]]; then echo $c; fi\n")]),
            case("shellcheck-ok", BENIGN, "shellcheck deploy.sh && echo 'no issues detected'", "nothing is found")
                .files(&[("deploy.sh", "#!/bin/sh\necho \"error: $1\" >&2\nexit 1\n")]),
        ],
    },
    Tool {
        name: "bats",
        language: Some("Shell"),
        needs: &["bats"],
        cases: &[
            case("bats-fail", TEST, "bats cli.bats", "a test fails").files(&[(
                "cli.bats",
                "@test \"prints version\" {\n  run echo 1.0\n  [ \"$output\" = \"2.0\" ]\n}\n\
                 @test \"fails on error\" {\n  true\n}\n",
            )]),
            case("bats-ok", BENIGN, "bats cli.bats", "all pass").files(&[(
                "cli.bats",
                "@test \"exits 1 when connection is refused\" {\n  run false\n  [ \
                 \"$status\" -eq 1 ]\n\
                 }\n",
            )]),
        ],
    },
    Tool {
        name: "gpg",
        language: None,
        needs: &["gpg"],
        cases: &[
            case("gpg-verify", BAD_FORMAT, "gpg --verify release.sig release.txt", "the signature file holds none")
                .files(&[("release.sig", "not a signature\n"), ("release.txt", "x\n")]),
            case("gpg-secret", CREDENTIALS, "echo hi | gpg --batch --sign", "no secret key"),
            case("gpg-file", MISSING_FILE, "gpg --batch --import keys/team.asc", "the key file is not there"),
        ],
    },
    Tool {
        name: "rsync",
        language: None,
        needs: &["rsync"],
        cases: &[
            case(
                "rsync-refused",
                CONNECTION,
                "rsync -a . rsync://127.0.0.1:$CLOSED_PORT/backup/",
                "nothing listens on the port",
            ),
            case("rsync-reset", CONNECTION, "rsync -a . rsync://127.0.0.1:$RESET_PORT/backup/", "the server resets"),
            case("rsync-source", MISSING_FILE, "rsync -av dist/ out/", "the source is not there"),
            case(
                "rsync-full",
                DISK_FULL,
                "head -c 300000 /dev/urandom > blob; tiny-disk rsync -a blob disk/",
                "the target disk is full",
            ),
            case("rsync-ok", BENIGN, "mkdir src && touch src/error.log && rsync -av src/ dst/", "files are copied"),
        ],
    },
    Tool {
        name: "pandoc",
        language: None,
        needs: &["pandoc"],
        cases: &[
            case("pandoc-file", MISSING_FILE, "pandoc docs/manual.md -o manual.html", "the source is not there"),
            case("pandoc-format", BAD_ARGUMENT, "echo x | pandoc -f markdwon -t html", "a format pandoc does not know"),
            case(
                "pandoc-engine",
                MISSING_COMMAND,
                "echo x > a.md; pandoc a.md --pdf-engine=xelatex -o a.pdf",
                "the PDF engine is not installed",
            ),
        ],
    },
];
