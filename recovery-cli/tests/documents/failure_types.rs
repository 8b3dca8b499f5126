//! The failure types document, statement by statement.

use crate::statement::{Statement, Step, statements};

statements! {
section "BROKEN_BUILD":
    "broken-build" "each indicator of a broken build" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"Syntax Error\"}\n{\"exit_code\":1,\"stderr_tail\":\"compilation error\"}\n{\"exit_code\":1,\"stderr_tail\":\"module not found\"}\n{\"exit_code\":1,\"stderr_tail\":\"import error\"}\n{\"exit_code\":1,\"stderr_tail\":\"cannot find module\"}\n{\"exit_code\":1,\"stderr_tail\":\"unexpected token\"}\n{\"exit_code\":1,\"stderr_tail\":\"indentation error\"}\n{\"exit_code\":1,\"stderr_tail\":\"parse error\"}" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD", "/1/diagnosis/failure_type" "=BROKEN_BUILD", "/2/diagnosis/failure_type" "=BROKEN_BUILD", "/3/diagnosis/failure_type" "=BROKEN_BUILD", "/4/diagnosis/failure_type" "=BROKEN_BUILD", "/5/diagnosis/failure_type" "=BROKEN_BUILD", "/6/diagnosis/failure_type" "=BROKEN_BUILD", "/7/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "broken-build-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Cannot find module './utils' from 'src/index.js'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
        "classify --exit-code 1 --format json" <- "Error: Cannot find module './utils' from 'src/index.js'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "action-rollback" "a broken build goes back to the last good commit, then fixes" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"error[E0308]: mismatched types\nerror: could not compile `x`","last_good_commit":"0123456789ab"}"# => ["/0/diagnosis/recovery_action/action" "=rollback", "/0/tree" "=roll_back", "/0/rollback_to" "=\"0123456789ab\"", "/0/next/sentence" "~Go back to 0123456789"];
    }
    "action-no-commit" "without a good commit a broken build escalates" reading "the ladder still has its levels; what it overrules is said" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"syntax error"}"# => ["/0/diagnosis/recovery_action/action" "=escalate", "/0/overruled" "~diagnosis.recovery_action escalate"];
    }
    "rollback-decide" "after a checkpoint a broken build rolls back" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"SyntaxError: invalid syntax\", \"last_good_commit\": \"abcdef0123\"}" => ["/0/tree" "=roll_back", "/0/next/sentence" "~recovery rollback"];
    }
    "rollback-at-the-end" "a build that stays broken goes back to the good commit, also where nothing else is left to try" reading "at level 5 it is the person's choice; nothing is rolled back without being asked" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"error: could not compile `x`","last_good_commit":"abc123","node":{"id":"T","status":"frozen"}}"# => ["/0/next/verb" "=force_done", "/0/tree" "=roll_back", "/0/rollback_to" "=abc123", "/0/next/sentence" "~recovery rollback"];
    }
section "VERIFICATION_FAILED":
    "verification" "each indicator of a failed verification" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"verification failed\"}\n{\"exit_code\":1,\"stderr_tail\":\"expected 3\"}\n{\"exit_code\":1,\"stderr_tail\":\"assertion\"}\n{\"exit_code\":1,\"stderr_tail\":\"test failed\"}\n{\"exit_code\":1,\"stderr_tail\":\"status code 500\"}" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED", "/1/diagnosis/failure_type" "=VERIFICATION_FAILED", "/2/diagnosis/failure_type" "=VERIFICATION_FAILED", "/3/diagnosis/failure_type" "=VERIFICATION_FAILED", "/4/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "verification-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "AssertionError: Expected 200 but got 404" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
        "classify --exit-code 1 --format json" <- "AssertionError: Expected 200 but got 404" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "action-verification" "a failed verification is retried with another approach, three times at most" reading "attempts include this failure: the third skips and escalates" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: 1 != 2","node":{"id":"T","failed_attempts":2}}"# => ["/0/diagnosis/recovery_action/action" "=retry"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: 1 != 2","node":{"id":"T","failed_attempts":3}}"# => ["/0/diagnosis/recovery_action/action" "=skip", "/0/diagnosis/recovery_action/escalate" "=true"];
    }
    "verification-three" "the third failed verification skips and escalates" reading "the ladder goes on to a new plan; the decision says what it overrules" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion one\"}" => ["/0/diagnosis/recovery_action/action" "=retry"];
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion two\"}" => ["/0/diagnosis/recovery_action/action" "=retry"];
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion three\"}" => ["/0/diagnosis/recovery_action/action" "=skip", "/0/diagnosis/recovery_action/escalate" "=true", "/0/overruled" "~diagnosis.recovery_action skip"];
    }
section "CIRCULAR_FIX":
    "circular-example" "its example" reading "words are split at everything that is no letter or digit: async/await is two" {
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"a","approach":"Using async await for fetch"}"# => ["/0/diagnosis/circular" "=false"];
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"b","approach":"Using async/await with try-catch"}"# => ["/0/diagnosis/circular" "=false"];
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"c","approach":"Using async await pattern"}"# => ["/0/diagnosis/failure_type" "=CIRCULAR_FIX", "/0/diagnosis/recovery_action/action" "=skip", "/0/overruled" "~diagnosis.recovery_action skip"];
    }
    "circular-stop-words" "stop words do not count" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"x","approach":"trying with the using a","history":[{"event":"execution_failed","approach":"trying with the using a"},{"event":"execution_failed","approach":"trying with the using a"}]}"# => ["/0/diagnosis/circular" "=false"];
    }
    "circular-threshold" "a similarity of 0.3 is not similar, and two of the last three have to be" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"x","approach":"one two three four","history":[{"event":"execution_failed","approach":"one two three four"},{"event":"execution_failed","approach":"seven eight"},{"event":"execution_failed","approach":"nine ten"}]}"# => ["/0/diagnosis/circular" "=false"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"x","approach":"one two three four","history":[{"event":"execution_failed","approach":"one two three four"},{"event":"execution_failed","approach":"seven eight"},{"event":"execution_failed","approach":"one two three nine"}]}"# => ["/0/diagnosis/circular" "=true"];
    }
    "circular-two" "two similar attempts of the last three make a circle; one does not" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"approach\": \"retry upload with chunks\", \"history\": [{\"event\": \"execution_failed\", \"approach\": \"retry upload with chunks\"}, {\"event\": \"execution_failed\", \"approach\": \"rewrite parser\"}]}" => ["/0/diagnosis/circular" "=false"];
    }
    "circular-last-three" "only the last three attempts count" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"approach\": \"alpha beta\", \"history\": [{\"event\": \"execution_failed\", \"approach\": \"alpha beta\"}, {\"event\": \"execution_failed\", \"approach\": \"alpha beta\"}, {\"event\": \"execution_failed\", \"approach\": \"one\"}, {\"event\": \"execution_failed\", \"approach\": \"two\"}, {\"event\": \"execution_failed\", \"approach\": \"three\"}]}" => ["/0/diagnosis/circular" "=false"];
    }
    "circular-error-text" "without an approach the error text is compared instead" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"zorb gizmo misaligned","history":[{"stderr_tail":"zorb gizmo misaligned"},{"stderr_tail":"zorb gizmo misaligned again"}]}"# => ["/0/diagnosis/circular" "=true", "/0/diagnosis/failure_type" "=CIRCULAR_FIX"];
    }
    "circular-action" "a circular fix skips and escalates; the ladder's new plan overrules it, and says so" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"zorb","approach":"Using async await pattern","history":[{"approach":"Using async await for fetch","stderr_tail":"a"},{"approach":"Using async/await with try-catch","stderr_tail":"b"}]}"# => ["/0/diagnosis/failure_type" "=CIRCULAR_FIX", "/0/diagnosis/recovery_action/action" "=skip", "/0/diagnosis/recovery_action/escalate" "=true", "/0/next/verb" "=replan", "/0/overruled" "~diagnosis.recovery_action skip"];
    }
    "circular-empty" "two empty sets of keywords are not similar" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"zorb","approach":"using the","history":[{"approach":"with a"},{"approach":"trying an"}]}"# => ["/0/diagnosis/circular" "=false"];
    }
section "CONTEXT_EXHAUSTED":
    "context" "each indicator of an exhausted context" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"context\"}\n{\"exit_code\":1,\"stderr_tail\":\"token limit\"}\n{\"exit_code\":1,\"stderr_tail\":\"maximum length\"}" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/1/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/2/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
    }
    "context-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Maximum context length (128k tokens) exceeded" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
        "classify --exit-code 1 --format json" <- "Error: Maximum context length (128k tokens) exceeded" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
    }
    "action-context" "an exhausted context commits and goes on in a new session" files ["recovery.toml" = "continuation = true\n"] {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"Error: Maximum context length (128k tokens) exceeded"}"# => ["/0/diagnosis/recovery_action/action" "=continue", "/0/tree" "=commit", "/0/next/verb" "=continue"];
    }
    "context-phrases" "the document's own phrases mean the same under the field pack" reading "a bare `context` is no failure there: too much output has the word" {
        "classify --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"maximum length exceeded\"}\n{\"exit_code\":1,\"stderr_tail\":\"token limit\"}\n{\"exit_code\":1,\"stderr_tail\":\"Error: token limit exceeded\"}" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/1/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/2/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
    }
    "context-continues" "where a new session follows, the decision says to commit and go on there" files ["recovery.toml" = "continuation = true\n"] {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"Error: Maximum context length (128k tokens) exceeded"}"# => ["/0/next/verb" "=continue", "/0/tree" "=commit", "/0/diagnosis/recovery_action/action" "=continue"];
    }
section "UNKNOWN":
    "unknown-example" "what no indicator knows is UNKNOWN" reading "the field pack names the connection failure as its error type; the failure type stays UNKNOWN" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Connection refused to database server" => ["/0/diagnosis/failure_type" "=UNKNOWN"];
        "classify --exit-code 1 --format json" <- "Error: Connection refused to database server" => ["/0/diagnosis/failure_type" "=UNKNOWN"];
    }
    "action-unknown" "an unknown failure is retried once, then escalates" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":1}}"# => ["/0/diagnosis/recovery_action/action" "=retry"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":2}}"# => ["/0/diagnosis/recovery_action/action" "=escalate"];
    }
    "unknown-twice" "the second unknown failure escalates" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"odd\"}" => ["/0/diagnosis/recovery_action/action" "=retry", "/0/overruled" "=null"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"quite another thing\"}" => ["/0/diagnosis/recovery_action/action" "=escalate", "/0/overruled" "~diagnosis.recovery_action escalate"];
    }
    "unknown-connection" "the document's example is UNKNOWN and worth a retry" reading "its error type is a connection failure, which enters at level 1" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"Error: Connection refused to database server"}"# => ["/0/diagnosis/failure_type" "=UNKNOWN", "/0/diagnosis/error_type" "=connection_failure", "/0/diagnosis/recovery_action/action" "=retry", "/0/ladder/level" "=1"];
    }
section "classification priority":
    "priority-build" "a build error comes before a failed verification" {
        "classify --pack documented --exit-code 1 --format json" <- "parse error: expected ';'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "priority-verification" "a failed verification comes before an exhausted context" {
        "classify --pack documented --exit-code 1 --format json" <- "test failed in context" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "priority-context" "an exhausted context comes before a circular fix" reading "`circular` is told whatever the type is" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"token limit","approach":"Using async await pattern","history":[{"event":"execution_failed","approach":"Using async await for fetch"},{"event":"execution_failed","approach":"Using async/await with try-catch"}]}"# => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/0/diagnosis/circular" "=true"];
    }
    "priority-circular" "a circular fix comes before unknown" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"zorb","approach":"retry the zorb","history":[{"approach":"retry the zorb"},{"approach":"retry zorb"}]}"# => ["/0/diagnosis/failure_type" "=CIRCULAR_FIX"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"test failed","approach":"retry the zorb","history":[{"approach":"retry the zorb"},{"approach":"retry zorb"}]}"# => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED", "/0/diagnosis/circular" "=true"];
    }
section "integration with the recovery manager":
    "case-insensitive" "indicators are matched in lower case" {
        "classify --pack documented --exit-code 1 --format json" <- "PARSE ERROR" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "inside-words" "an indicator counts inside another word" reading "`expected` is in `unexpected`" {
        "classify --pack documented --exit-code 1 --format json" <- "Unexpected thing" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "types-hook" "a hook tells a broken build from a failed test" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"cargo build\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 1\\nerror[E0308]: mismatched types\\n --> src/main.rs:4:18\\nerror: could not compile `x`\"}" => ["/0/hookSpecificOutput/additionalContext" "~compile error"];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"pytest\"}, \"tool_use_id\": \"2\", \"cwd\": \".\", \"error\": \"Exit code 1\\nFAILED tests/test_a.py::test_x - assert 1 == 2\"}" => ["/0/hookSpecificOutput/additionalContext" "~test failed"];
    }
    "types-mcp" "MCP answers with the failure type and its action" {
        "mcp" <- r#"classify_failure {"output":"AssertionError: Expected 200 but got 404","exit_code":1}"# => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED", "/0/diagnosis/recovery_action/action" "=retry"];
    }
    "explain-types" "each failure type explains its trigger, algorithm, numbers, action and an example" {
        "explain BROKEN_BUILD" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain VERIFICATION_FAILED" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain CIRCULAR_FIX" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain CONTEXT_EXHAUSTED" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain UNKNOWN" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
    "types-run" "a run tells the failure types apart" files ["build.sh" = "echo \"Error: Cannot find module './utils' from 'src/index.js'\" >&2\nexit 1\n"] {
        "run --task t -- sh build.sh" <- "" => [];
        "journal export --task t" <- "" => ["/0/body/decision/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "without-exit-code" "a text is classified by its words alone" {
        "classify --pack documented --format json" <- "missing credentials" => ["/0/failure" "=true", "/0/diagnosis/error_type" "=missing_credentials"];
        "classify --pack documented --format json" <- "all is well" => ["/0/failure" "=false"];
    }
}
