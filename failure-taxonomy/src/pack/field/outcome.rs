//! The closing words of runs that went well, error words that belong to no tool, and what begins a document.

use super::{Role, Row, success, suggestive};
use recovery_types::ErrorType::Other;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    success("outcome.build-successful", "build successful", "BUILD SUCCESSFUL in 5s", "build unsuccessful").pattern(r"BUILD SUCCESSFUL|[Bb]uild successful").role(Role::WholeRun),
    success("outcome.no-errors", "no errors", "Done, no errors", "there were no errors before this").pattern(r"(?i)(?:^|, |with |found )no errors(?: found)?[.!]?$"),
    success("outcome.zero-errors", "0 errors", "job completed: 5030 rows, 0 errors", "10 errors").pattern(r"(?:^|[^\d(])0 errors?\b(?:$|[.,;) ])"),
    success("outcome.succeeded", "succeeded", "INFO attempt 3 succeeded: HTTP 200", "none succeeded").pattern(r"(?i)\battempt \d+ succeeded|(?:request|retry|download|operation|upload|connection|deployment|pipeline|job) succeeded|succeeded after \d+"),
    success("outcome.recovered", "recovered", "INFO recovered after 2 attempts, status=200", "not recovered").pattern(r"(?i)\brecovered after"),
    success("outcome.http-200", "< http/", "< HTTP/1.1 200 OK", "< HTTP/1.1 503 Service Unavailable").pattern(r"HTTP/[\d.]+ 2\d\d"),
    suggestive("outcome.error", "error", Other, "ERROR: the frobnicator said no", "0 errors").pattern(r"(?i)^(?:fatal |critical )?error\b(?:[^\w.-]|$)|: (?:fatal )?error: |\berror:"),
    suggestive("outcome.failed", "failed", Other, "Step 3 failed: no reason given", "0 failed").pattern(r"(?i)(?:^|[^0-9 ] +|step \d+ )failed\b"),
    suggestive("outcome.fatal", "fatal", Other, "FATAL: cannot go on", "non-fatal").pattern(r"(?i)^fatal\b"),
    // What stands below them is a document: it may speak of anything.
    suggestive("prose.heading", "## ", Other, "### 2. Detection of errors", "##[error] Process completed").role(Role::Document).pattern(r"^#{2,4} (?:\d+\. )?[A-Z][^:!]{2,80}$"),
    suggestive("prose.label", "**:", Other, "**Cause**: too many requests", "x**: y").role(Role::Document).pattern(r"^(?:[-*] )?\*\*[A-Z][\w /()-]{1,40}\*\*:"),
    suggestive("prose.label-inside", ":**", Other, "**Key Finding:** the agent passed", "x:** y").role(Role::Document).pattern(r"^(?:[-*] )?\*\*[A-Z][\w /()-]{1,40}:\*\*"),
    suggestive("source.import", "import ", Other, "from asyncio import TimeoutError", "an import tax").role(Role::Document).pattern(r#"^(?:from [\w.]+ import [\w.*(, ]+|import [\w.]+(?: as \w+|, [\w., ]+)?|import .{1,80} from ["'].*)$"#),
    suggestive("source.include", "#include ", Other, "#include <errno.h>", "# include").role(Role::Document).pattern(r#"^#include [<"]"#),
    suggestive("source.use", "use ", Other, "use std::io::ErrorKind;", "use it").role(Role::Document).pattern(r"^(?:pub )?use [\w:]+;$"),
    suggestive("source.package", "package ", Other, "package com.acme.retry;", "package not found").role(Role::Document).pattern(r"^package [\w.]+;?$"),
    suggestive("source.commit", "commit ", Other, "commit 0123456789abcdef0123456789abcdef01234567", "commit it").role(Role::Document).pattern(r"^commit [0-9a-f]{40}\b"),
    suggestive("source.diff", "diff --git ", Other, "diff --git a/retry.py b/retry.py", "diff --git").role(Role::Document).pattern(r"^diff --git a/"),
    suggestive("help.options", "options:", Other, "Options:", "bad options: x").role(Role::Document).pattern(r"(?i)^(?:available |global |common |main )?options:$"),
    suggestive("help.commands", "commands:", Other, "Available Commands:", "bad commands: x").role(Role::Document).pattern(r"(?i)^(?:available |core |common |main |additional )?commands:$"),
    suggestive("help.flags", "flags:", Other, "Flags:", "bad flags: x").role(Role::Document).pattern(r"(?i)^(?:global |inherited )?flags:$"),
];
