//! The escalation document, statement by statement.

use crate::statement::{Statement, Step, statements};

statements! {
section "when to invoke":
    "unexpected-output" "a tool that returns unexpected output is a nudge" {
        "decide --exit-code 5 --task t --format json" <- "jq: parse error: Invalid numeric literal at line 1, column 5" => ["/0/diagnosis/error_type" "=wrong_output_format", "/0/ladder/level" "=2"];
    }
    "judge-simulate" "a judge's scores are read in the document's own spelling" {
        "simulate --format json" <- r#"{"at_ms":0,"event":"judge","evidenceOfCompletion":6,"goalAlignment":20}"# => ["/0/to" "=2", "/0/cause" "=judge"];
        "simulate --format json" <- r#"{"atMs":0,"event":"judge","goalAlignment":"3"}"# => ["/0/to" "=3"];
    }
    "success-loop" "actions that work the same way again and again are advised about, never held back" reading "from 8 identical ones on, the document's last threshold" {
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "=\"It works.\""];
        "decide --event --task t --format json" <- "{\"exit_code\": 0, \"action\": \"git status\"}" => ["/0/next/sentence" "~8 times in a row", "/0/next/verb" "=done", "/0/deny" "=null"];
    }
    "success-loop-hook" "a hook advises about a call that works the same way again and again" reading "counted once a project has a state directory" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"make\"}, \"tool_use_id\": \"0\", \"error\": \"Exit code 1\\nboom\"}" => [];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"1\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"2\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"3\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"4\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"5\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"6\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"7\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0" "=\"\""];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUse\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git branch\"}, \"tool_use_id\": \"8\", \"tool_response\": {\"stdout\": \"* main\", \"stderr\": \"\", \"interrupted\": false}}" => ["/0/hookSpecificOutput/additionalContext" "~8 times in a row"];
    }
    "success-loop-mcp" "MCP advises about a call that works the same way again and again" {
        "mcp" <- "record_outcome {\"task\":\"t\",\"attempt_id\":\"1\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"2\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"3\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"4\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"5\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"6\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"7\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"8\",\"tool\":\"Bash\",\"action\":\"git branch\",\"output\":\"* main\",\"ok\":true}" => ["/6/sentence" "!in a row", "/7/sentence" "~8 times in a row"];
    }
    "deadlines-recorded" "a limit that passed is recorded by whatever command comes next" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/ladder/level" "=1"];
        "status t --format json" <- "" => ["/0/ladder/level" "=2"];
        "updates --task t" <- "" => ["count" "=2", "/1/metadata/recoveryLevel" "=2"];
    }
    "deadlines-run" "a run of another task records a limit that passed" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/ladder/level" "=1"];
        "run --task other -- true" <- "" => [];
        "journal export --task t" <- "" => ["count" "=2", "/1/body/entry" "=moved"];
    }
    "deadlines-hook" "the start of an agent's session records a limit that passed" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/ladder/level" "=1"];
        "hook claude-code" <- "{\"hook_event_name\": \"SessionStart\", \"session_id\": \"s-1\", \"source\": \"startup\", \"cwd\": \".\"}" => [];
        "journal export --task t" <- "" => ["count" "=2", "/1/body/entry" "=moved"];
    }
    "deadlines-mcp" "a call of an MCP tool records a limit that passed" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/ladder/level" "=1"];
        "mcp" <- r#"record_outcome {"task":"other","attempt_id":"1","ok":true}"# => [];
        "journal export --task t" <- "" => ["count" "=2", "/1/body/entry" "=moved"];
    }
    "invoke-error" "a failed action has a level through decide, MCP and run" files ["fail.sh" = "echo \"EACCES: permission denied, open '/x'\" >&2\nexit 1\n"] {
        "decide --event --task a --format json" <- r#"{"exit_code":1,"stderr_tail":"EACCES: permission denied, open '/x'"}"# => ["/0/ladder/level" "=2"];
        "mcp" <- r#"decide_next_step {"task":"b","attempt_id":"1","output":"EACCES: permission denied, open '/x'","exit_code":1}"# => ["/0/level" "=2"];
        "run --task c -- sh fail.sh" <- "" => [];
        "journal export --task c" <- "" => ["/0/body/decision/diagnosis/entry_level" "=2"];
    }
    "invoke-judge" "a verdict alone is a failure: no exit code is needed" {
        "decide --event --task t --format json" <- r#"{"verdict":"FAIL"}"# => ["/0/failure" "=true", "/0/ladder/level" "=3"];
        "decide --event --task u --format json" <- r#"{"judge":{"evidenceOfCompletion":2,"goalAlignment":20}}"# => ["/0/failure" "=true", "/0/ladder/level" "=2"];
    }
section "iron laws":
    "law-correct-level" "a transient network error never begins at level 3" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 10.0.0.1:443"}"# => ["/0/ladder/level" "=1", "/0/next/verb" "=retry"];
    }
    "law-level-5-output" "level 5 always has an output, with nothing empty" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"fatal: Authentication failed for 'https://example.com/x.git/'"}"# => ["/0/ladder/command/report/status" "=partial", "/0/ladder/command/report/failedAt" "!null", "/0/ladder/command/report/failureReason" "~Authentication failed", "/0/ladder/command/report/escalationPath" "=[5]", "/0/ladder/command/report/recommendation" "~credentials"];
    }
    "never-down" "levels are entered upwards only; a higher entry lifts at once" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"goal_misalignment"}"# => ["/0/ladder/level" "=3"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=4", "/0/ladder/previousLevels" "=[3]"];
    }
    "law-timeouts" "each level ends when its time is up, whatever progress there is" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":9000000,\"event\":\"tick\"}" => ["/1/at_ms" "=30000", "/1/to" "=2", "/2/at_ms" "=330000", "/2/to" "=3", "/3/at_ms" "=1230000", "/3/to" "=4", "/4/at_ms" "=2430000", "/4/to" "=5"];
    }
    "law-recorded" "every transition is recorded, those by time included" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1"];
        "tick --format json" <- "" => [];
        "updates --task t" <- "" => ["/0/metadata/recoveryLevel" "=1", "/1/metadata/recoveryLevel" "=2", "/1/metadata/previousLevels" "=[1]"];
    }
    "law-force-done" "a force-done task is completed with a partial result, not failed" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials","completed_steps":["build"]}"# => ["/0/escalation/status" "=completed", "/0/ladder/command/report/status" "=partial", "/0/ladder/command/report/completedSteps" "=[\"build\"]"];
    }
section "level 1: RETRY":
    "level-1-backoff" "the same action after 1, 2 and 4 s" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":1000,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":3000,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":7000,\"event\":\"failure\",\"error_type\":\"network_timeout\"}" => ["/0/to" "=1", "/0/command" "~retry", "/3/to" "=2"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/next/sentence" "=\"Run the same command again in 1 s (retry 1 of 3).\""];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/next/sentence" "~in 2 s (retry 2 of 3)"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/next/sentence" "~in 4 s (retry 3 of 3)"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/next/verb" "=nudge"];
    }
    "level-1-limit" "it ends after 30 s, whatever progress there is" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"network_timeout\"}\n{\"at_ms\":30000,\"event\":\"tick\"}" => ["/1/at_ms" "=30000", "/1/from" "=1", "/1/to" "=2", "/1/cause" "=deadline"];
    }
    "level-1-idempotent" "what is not safe to repeat never enters it" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","idempotent":false}"# => ["/0/ladder/level" "=2", "/0/next/sentence" "!Run the same command"];
    }
    "not-idempotent" "what is not safe to repeat overrules the retry, and says so" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 1.2.3.4:443","idempotent":false}"# => ["/0/next/verb" "=nudge", "/0/overruled/0/by" "=not-idempotent", "/0/next/sentence" "!run the same"];
    }
    "level-1-server" "a server's own delay is waited for" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP 429 Too Many Requests\nRetry-After: 120"}"# => ["/0/next/verb" "=wait", "/0/diagnosis/retry_after_ms" "=120000"];
    }
    "one-wait" "a rate limit without a delay has one wait" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"HTTP 429 Too Many Requests\"}" => ["/0/next/sentence" "~in 1 s", "/0/repair/adjustment/wait_ms" "=1000"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"HTTP 429 Too Many Requests\"}" => ["/0/next/sentence" "~in 2 s", "/0/repair/adjustment/wait_ms" "=2000"];
    }
    "level-1-example" "the document's missing file enters where the matrix says" reading "where the level-1 example and the matrix disagree, the matrix holds; `context` in the path is no exhausted context" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Read('.claude/context/data/index.db') \\u2192 ENOENT\"}" => ["/0/diagnosis/error_type" "=file_not_found", "/0/ladder/level" "=2"];
        "decide --event --task u --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Read('.claude/context/data/index.db') \\u2192 ENOENT\"}" => ["/0/diagnosis/error_type" "=file_not_found", "/0/ladder/level" "=2"];
    }
    "run-retries" "run retries a transient failure and ends with the command's success" files ["flaky.sh" = "if [ -e tried ]; then echo ok; exit 0; fi\ntouch tried\necho 'curl: (56) Recv failure: Connection reset by peer' >&2\nexit 56\n"] {
        "run --task t --delay 1ms -- sh flaky.sh" <- "" => [];
        "status t --format json" <- "" => ["/0/failures" "=0", "/0/recoveries" "=1"];
    }
    "retries-used-up" "after the retries nothing says to run the same again" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/next/verb" "=nudge", "/0/repair/directive" "!run the same", "/0/next/sentence" "!run the same"];
    }
    "hook-transient" "a hook says that a transient failure may be tried again" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"curl https://api.example.com\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 56\\ncurl: (56) Recv failure: Connection reset by peer\"}" => ["/0/hookSpecificOutput/additionalContext" "~again"];
    }
    "level-1-unavailable" "a temporary unavailability is retried" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP/1.1 503 Service Unavailable"}"# => ["/0/ladder/level" "=1", "/0/next/verb" "=retry"];
    }
    "level-1-then-2" "three failed retries lead to level 2" {
        "mcp" <- "decide_next_step {\"task\":\"t\",\"attempt_id\":\"1\",\"output\":\"read ECONNRESET\",\"exit_code\":1}\ndecide_next_step {\"task\":\"t\",\"attempt_id\":\"2\",\"output\":\"read ECONNRESET\",\"exit_code\":1}\ndecide_next_step {\"task\":\"t\",\"attempt_id\":\"3\",\"output\":\"read ECONNRESET\",\"exit_code\":1}\ndecide_next_step {\"task\":\"t\",\"attempt_id\":\"4\",\"output\":\"read ECONNRESET\",\"exit_code\":1}" => ["/2/level" "=1", "/3/level" "=2"];
    }
section "level 2: NUDGE":
    "level-2" "three variants within 5 min, then level 3" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":2,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":3,\"event\":\"failure\",\"error_type\":\"permission_denied\"}" => ["/0/to" "=2", "/3/to" "=3"];
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":300000,\"event\":\"tick\"}" => ["/1/at_ms" "=300000", "/1/to" "=3"];
    }
    "level-2-judge" "a judge with evidenceOfCompletion below 8 enters it" {
        "decide --event --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":7,"goalAlignment":20}}"# => ["/0/ladder/level" "=2"];
        "decide --event --task b --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":8,"goalAlignment":20}}"# => ["/0/failure" "=false"];
    }
    "level-2-example" "the document's EPERM enters at level 2" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Write('output/result.json', ...) \\u2192 EPERM\"}" => ["/0/diagnosis/error_type" "=permission_denied", "/0/ladder/level" "=2"];
    }
    "hook-never-unchanged" "a hook tells a model not to repeat what cannot pass by itself" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"cargo build\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 1\\nerror[E0308]: mismatched types\\n --> src/main.rs:4:18\"}" => ["/0/hookSpecificOutput/additionalContext" "~not: "];
    }
    "level-2-parameters" "wrong parameters enter it: a wrong path, a wrong option, malformed input" {
        "decide --event --task a --format json" <- r#"{"exit_code":1,"stderr_tail":"cat: /nope/x: No such file or directory"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task b --format json" <- r#"{"exit_code":2,"stderr_tail":"error: unexpected argument '--relase' found"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task c --format json" <- r#"{"exit_code":5,"stderr_tail":"jq: parse error: Invalid numeric literal at line 1, column 5"}"# => ["/0/ladder/level" "=2"];
    }
    "level-2-same-approach" "the approach stays, one thing of it changes" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"cat: src/utlis/index.ts: No such file or directory","candidates":["src/utils/index.ts"]}"# => ["/0/next/verb" "=nudge", "/0/next/sentence" "~Same approach, changed (variant 1 of 3)", "/0/next/sentence" "~src/utils/index.ts"];
    }
section "level 3: REPLAN":
    "level-3" "one new plan within 15 min, the old approach kept as known-bad, then level 4" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"passport\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"goal_misalignment\"}" => ["/0/to" "=3", "/0/command" "~passport", "/1/to" "=4"];
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\"}\n{\"at_ms\":900000,\"event\":\"tick\"}" => ["/1/at_ms" "=900000", "/1/to" "=4"];
    }
    "level-3-judge" "a judge with goalAlignment below 15 enters it" {
        "decide --event --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":9,"goalAlignment":14}}"# => ["/0/ladder/level" "=3", "/0/next/verb" "=replan"];
    }
    "level-3-blocker" "a circular fix is a new plan" reading "a circular fix counts as a loop of 3" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"a\", \"approach\": \"Using async await for fetch\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"b\", \"approach\": \"Using async/await with try-catch\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"c\", \"approach\": \"Using async await pattern\"}" => ["/0/ladder/level" "=3", "/0/ladder/command/known_bad" "~Using async await for fetch"];
    }
    "judge-overrules" "a judge's score lifts a transient failure, and the decision says that it did" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","judge":{"goalAlignment":3}}"# => ["/0/next/verb" "=replan", "/0/overruled/0/by" "=judge"];
    }
    "level-3-known-bad" "the old approach is kept as known not to work" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"goal_misalignment","approach":"passport middleware"}"# => ["/0/ladder/level" "=3", "/0/ladder/command/known_bad" "~passport middleware", "/0/next/sentence" "~known not to work: passport middleware"];
    }
    "level-3-example" "the document's replan that fails as well goes to level 4" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"goal_misalignment","approach":"passport"}"# => ["/0/ladder/level" "=3"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"npm ERR! code ERESOLVE","error_type":"goal_misalignment","approach":"jose"}"# => ["/0/ladder/level" "=4", "/0/escalation/metadata/previousLevels" "=[3]"];
    }
    "level-3-loop" "three similar failed actions in a row enter it" {
        "decide --event --ndjson --task t" <- "{\"exit_code\":1,\"tool\":\"Bash\",\"action\":\"make test\",\"stderr_tail\":\"AssertionError: Expected 200 but got 404\"}\n{\"exit_code\":1,\"tool\":\"Bash\",\"action\":\"make test\",\"stderr_tail\":\"AssertionError: Expected 200 but got 404\"}\n{\"exit_code\":1,\"tool\":\"Bash\",\"action\":\"make test\",\"stderr_tail\":\"AssertionError: Expected 200 but got 404\"}" => ["/1/ladder/level" "=2", "/2/ladder/level" "=3"];
    }
    "run-replan" "run spawns the planner at level 3, and goes on with its plan" files ["work.sh" = "test -e plan && exit 0\necho 'AssertionError: Expected 200 but got 404' >&2\nexit 1\n"] {
        "run --task t --replan touch␣plan -- sh work.sh" <- "" => [];
        "updates --task t" <- "" => ["/0/metadata/recoveryAction" "=replan", "/1/status" "=completed"];
        "status t --format json" <- "" => ["/0/state" "=ok", "/0/recoveries" "=1"];
    }
section "level 4: FALLBACK":
    "level-4" "another agent or model within 20 min, then level 5" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"capability_mismatch\"}\n{\"at_ms\":1200000,\"event\":\"tick\"}" => ["/0/to" "=4", "/1/at_ms" "=1200000", "/1/to" "=5"];
    }
    "run-fallback" "run hands over to something else at level 4" files ["work.sh" = "echo 'AssertionError: Expected 200 but got 404' >&2\nexit 1\n"] {
        "run --task t --fallback clean=true -- sh work.sh" <- "" => [];
        "updates --task t" <- "" => ["/0/metadata/recoveryAction" "=fallback", "/1/status" "=completed"];
    }
    "level-4-tiers" "the next model tier is named" reading "above the highest tier there is none, and the level is passed over" files ["recovery.toml" = "[ladder.fallback]\ntiers = [\"haiku\", \"sonnet\", \"opus\"]\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"capability_mismatch\", \"model\": \"claude-haiku-4-5\"}" => ["/0/ladder/level" "=4", "/0/next/sentence" "~the model sonnet"];
        "decide --event --task u --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"capability_mismatch\", \"model\": \"opus\"}" => ["/0/ladder/level" "=5"];
    }
    "fallback-context" "a fallback is given what was tried" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"passport\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"jose\"}\n" => ["/0/to" "=3", "/1/to" "=4", "/1/update/metadata/previousLevels" "=[3]"];
    }
section "level 5: FORCE-DONE":
    "force-done-output" "the output names what is done, where it failed, why, the path and what a person should do" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials","step":"step3","completed_steps":["step1","step2"]}"# => ["/0/ladder/level" "=5", "/0/ladder/command" "~partial", "/0/escalation/status" "=completed", "/0/escalation/metadata/partial" "=true", "/0/escalation/metadata/escalationLevel" "=5", "/0/escalation/metadata/escalationPath" "=[5]", "/0/escalation/metadata/completedSteps" "=[\"step1\",\"step2\"]", "/0/escalation/metadata/failedAt" "=step3", "/0/escalation/metadata/summary" "~Force-done: partial results"];
        "stuck --format json" <- "" => ["/0/task" "=t", "/0/state" "=stuck"];
    }
    "force-done-terminal" "after it nothing moves until a person resets the task" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials"}"# => ["/0/ladder/level" "=5"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=5"];
        "reset t --reason fixed --format json" <- "" => ["/0/task" "=t"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1"];
    }
    "session-budget" "the whole climb may have a time budget" reading "off by default" {
        "simulate --format json" <- "{\"policy\":{\"session_budget_ms\":60000}}\n{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":60000,\"event\":\"tick\"}" => ["/1/to" "=5"];
    }
    "external-service" "a service that stays away for all of level 1 is force-done" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"service_unavailable\",\"completed_steps\":[\"a\",\"b\"],\"step\":\"c\"}\n{\"at_ms\":31000,\"event\":\"tick\"}" => ["/1/to" "=5", "/1/command" "~Retry when the service is restored"];
    }
    "run-force-done" "what only a person can fix is not repeated" files ["login.sh" = "echo \"fatal: Authentication failed for 'https://example.com/x.git/'\" >&2\nexit 128\n"] {
        "run --task t -- sh login.sh" <- "" => [];
        "updates --task t" <- "" => ["/0/metadata/escalationLevel" "=5", "/0/metadata/partial" "=true"];
    }
    "steps" "completed steps are in the partial result" {
        "step done build --task t --format json" <- "" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"missing_credentials\", \"step\": \"push\"}" => ["/0/escalation/metadata/completedSteps" "~build", "/0/escalation/metadata/failedAt" "=push"];
    }
    "late-success" "a success after a ladder that only ran out of time closes it" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"service_unavailable\"}\n{\"at_ms\":31000,\"event\":\"success\"}" => ["/1/to" "=5", "/2/to" "=null"];
    }
    "level-5-example" "the document's API outage: partial result, explanation, retry when the service is restored" {
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"External API service is down","completed_steps":["fetch","parse"],"step":"publish"}"# => ["/0/ladder/level" "=5", "/0/ladder/command/report/completedSteps" "=[\"fetch\",\"parse\"]", "/0/ladder/command/report/failedAt" "=publish", "/0/ladder/command/report/failureReason" "~External API service is down", "/0/ladder/command/report/recommendation" "~Retry when the service is restored", "/0/escalation/metadata/partial" "=true"];
    }
    "level-5-mcp" "MCP hands over the partial result" {
        "mcp" <- r#"decide_next_step {"task":"t","attempt_id":"1","output":"x","exit_code":1,"error_type":"missing_credentials","completed_steps":["build"],"step":"push"}"# => ["/0/step" "=force_done", "/0/level" "=5"];
        "updates --task t" <- "" => ["/0/metadata/completedSteps" "=[\"build\"]", "/0/metadata/failedAt" "=push"];
    }
section "error classification matrix":
    "matrix-1" "network timeout and rate limit enter at level 1" {
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"network_timeout\"}" => ["/0/to" "=1"];
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"rate_limit\"}" => ["/0/to" "=1"];
    }
    "matrix-2" "file not found, permission denied and wrong output format enter at level 2" reading "where the level-1 example (a missing file) and the matrix disagree, the matrix holds" {
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"file_not_found\"}" => ["/0/to" "=2"];
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"permission_denied\"}" => ["/0/to" "=2"];
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"wrong_output_format\"}" => ["/0/to" "=2"];
    }
    "matrix-3" "goal misalignment enters at level 3" {
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"goal_misalignment\"}" => ["/0/to" "=3"];
    }
    "matrix-4" "agent capability mismatch enters at level 4" {
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"capability_mismatch\"}" => ["/0/to" "=4"];
    }
    "matrix-5" "a service that is down and missing credentials enter at level 5" reading "a single 503 is level 1; a service that stays away for all of level 1 is down" {
        "simulate --format json" <- "{\"event\":\"failure\",\"error_type\":\"missing_credentials\"}" => ["/0/to" "=5"];
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"service_unavailable\"}\n{\"at_ms\":30000,\"event\":\"tick\"}" => ["/0/to" "=1", "/1/to" "=5"];
    }
    "matrix-words" "the matrix's own words are recognised under the documented pack" reading "they name the error type where the failure types' tables know nothing; the failure type stays UNKNOWN" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"missing credentials\"}\n{\"exit_code\":1,\"stderr_tail\":\"external service down\"}\n{\"exit_code\":1,\"stderr_tail\":\"agent capability mismatch\"}\n{\"exit_code\":1,\"stderr_tail\":\"goal misalignment\"}" => ["/0/diagnosis/entry_level" "=5", "/1/diagnosis/entry_level" "=5", "/2/diagnosis/entry_level" "=4", "/3/diagnosis/entry_level" "=3", "/3/diagnosis/failure_type" "=UNKNOWN"];
    }
    "matrix-decide" "every row of the matrix through decide" {
        "decide --event --task 1 --format json" <- r#"{"exit_code":1,"error_type":"network_timeout"}"# => ["/0/ladder/level" "=1"];
        "decide --event --task 2 --format json" <- r#"{"exit_code":1,"error_type":"rate_limit"}"# => ["/0/ladder/level" "=1"];
        "decide --event --task 3 --format json" <- r#"{"exit_code":1,"error_type":"file_not_found"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task 4 --format json" <- r#"{"exit_code":1,"error_type":"permission_denied"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task 5 --format json" <- r#"{"exit_code":1,"error_type":"wrong_output_format"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task 6 --format json" <- r#"{"exit_code":1,"error_type":"goal_misalignment"}"# => ["/0/ladder/level" "=3"];
        "decide --event --task 7 --format json" <- r#"{"exit_code":1,"error_type":"capability_mismatch"}"# => ["/0/ladder/level" "=4"];
        "decide --event --task 8 --format json" <- r#"{"exit_code":1,"error_type":"external_service_down"}"# => ["/0/ladder/level" "=5"];
        "decide --event --task 9 --format json" <- r#"{"exit_code":1,"error_type":"missing_credentials"}"# => ["/0/ladder/level" "=5"];
    }
    "matrix-mcp" "the matrix through MCP" {
        "mcp" <- "decide_next_step {\"task\":\"a\",\"attempt_id\":\"1\",\"output\":\"\",\"exit_code\":1,\"error_type\":\"network_timeout\"}\ndecide_next_step {\"task\":\"b\",\"attempt_id\":\"1\",\"output\":\"\",\"exit_code\":1,\"error_type\":\"wrong_output_format\"}\ndecide_next_step {\"task\":\"c\",\"attempt_id\":\"1\",\"output\":\"\",\"exit_code\":1,\"error_type\":\"goal_misalignment\"}\ndecide_next_step {\"task\":\"d\",\"attempt_id\":\"1\",\"output\":\"\",\"exit_code\":1,\"error_type\":\"capability_mismatch\"}\ndecide_next_step {\"task\":\"e\",\"attempt_id\":\"1\",\"output\":\"\",\"exit_code\":1,\"error_type\":\"missing_credentials\"}" => ["/0/level" "=1", "/1/level" "=2", "/2/level" "=3", "/3/level" "=4", "/4/level" "=5"];
    }
section "TaskUpdate protocol":
    "task-update" "each entry into a level is a TaskUpdate record" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"EACCES: permission denied, open '/x'"}"# => ["/0/escalation/taskId" "=t", "/0/escalation/status" "=in_progress", "/0/escalation/metadata/recoveryLevel" "=2", "/0/escalation/metadata/recoveryAction" "=nudge", "/0/escalation/metadata/errorType" "=permission_denied", "/0/escalation/metadata/previousLevels" "=[]"];
        "updates --task t" <- "" => ["count" "=1", "/0/taskId" "=t"];
    }
    "level-5-update" "the TaskUpdate of level 5 is completed and partial, with path, steps and summary" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"fatal: Authentication failed for 'https://example.com/x.git/'","step":"push","completed_steps":["build"]}"# => ["/0/escalation/status" "=completed", "/0/escalation/metadata/partial" "=true", "/0/escalation/metadata/escalationLevel" "=5", "/0/escalation/metadata/completedSteps" "=[\"build\"]", "/0/escalation/metadata/failedAt" "=push", "/0/escalation/metadata/summary" "~Force-done: partial results"];
    }
    "task-update-time" "each record has when the level was entered, as an ISO time" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/escalation/metadata/enteredAt" "~T", "/0/escalation/metadata/enteredAt" "~Z", "/0/escalation/metadata/errorType" "=connection_failure"];
    }
    "level-5-path" "the record of level 5 has the path, the reason and what a person should do" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"cat: /nope/x: No such file or directory"}"# => ["/0/ladder/level" "=2"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials"}"# => ["/0/escalation/metadata/escalationPath" "=[2,5]", "/0/escalation/metadata/failureReason" "~missing_credentials", "/0/escalation/metadata/recommendation" "!null"];
    }
section "integration points":
    "loops" "3, 5 and 8 similar actions lift to levels 3, 4 and 5" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"loop\",\"similar\":2}\n{\"at_ms\":1,\"event\":\"loop\",\"similar\":3}\n{\"at_ms\":2,\"event\":\"loop\",\"similar\":5}\n{\"at_ms\":3,\"event\":\"loop\",\"similar\":8}" => ["/0/to" "=3", "/1/to" "=4", "/2/to" "=5"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","similar":8}"# => ["/0/ladder/level" "=5"];
    }
    "judge-mcp" "a judge's verdict counts through MCP" {
        "mcp" <- r#"decide_next_step {"task":"t","attempt_id":"1","output":"","exit_code":0,"judge":{"verdict":"FAIL"}}"# => ["/0/level" "=3"];
    }
    "mcp-ladder" "MCP climbs the same ladder, and success ends it" {
        "mcp" <- "decide_next_step {\"task\":\"t\",\"attempt_id\":\"1\",\"output\":\"read ECONNRESET\",\"exit_code\":1}\ndecide_next_step {\"task\":\"t\",\"attempt_id\":\"2\",\"output\":\"read ECONNRESET\",\"exit_code\":1}\nrecord_outcome {\"task\":\"t\",\"attempt_id\":\"3\",\"ok\":true}" => ["/0/level" "=1", "/1/attempt" "=2", "/2/state" "=ok"];
    }
    "run-verify" "done-criteria are checked after exit 0" {
        "run --task t --verify false -- true" <- "" => ["/0" "~failed after 1 run, exit code 1: Test failed: verification failed: false ended with exit code 1"];
        "status t --format json" <- "" => ["/0/failures" "=1", "/0/last_error" "=test_failure"];
    }
    "success-ends" "success ends the ladder" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1"];
        "decide --event --task t --format json" <- r#"{"exit_code":0}"# => ["/0/ladder/level" "=null", "/0/next/verb" "=done"];
    }
    "explain-level" "each level explains its trigger, numbers and action" {
        "explain nudge" <- "" => ["count" "!=1"];
        "explain level-3 --format json" <- "" => ["/0/lines" "~trigger", "/0/lines" "~15 min"];
    }
    "loop-decide" "a loop detector's count lifts a decision: 3, 5 and 8" {
        "decide --event --task a --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","similar":2}"# => ["/0/ladder/level" "=1"];
        "decide --event --task b --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","similar":3}"# => ["/0/ladder/level" "=3"];
        "decide --event --task c --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","similar":5}"# => ["/0/ladder/level" "=4"];
    }
    "root-cause" "the root cause is known before a new plan is made" {
        "decide --event --task t --format json" <- r#"{"exit_code":101,"stderr_tail":"error[E0308]: mismatched types\n --> src/main.rs:4:18","similar":3}"# => ["/0/ladder/level" "=3", "/0/diagnosis/problem/file" "=src/main.rs", "/0/diagnosis/problem/line" "=4"];
    }
    "run-judge" "run asks the judge after exit 0, and its FAIL is a failure" files ["judge.sh" = "echo '{\"verdict\":\"FAIL\"}'\n"] {
        "run --task t --judge sh␣judge.sh -- true" <- "" => ["/0" "~FAIL"];
        "status t --format json" <- "" => ["/0/failures" "=1"];
    }
section "enforcement hooks":
    "schemas" "inputs and outputs have schemas" {
        "schema event" <- "" => ["count" "!=1"];
        "schema task-update" <- "" => ["count" "!=1"];
    }
    "observability" "each decision can be written as an observability event" {
        "decide --event --task t --events events.jsonl --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1", "file:events.jsonl" "~\"task"];
    }
    "input-validated" "input that does not fit its schema is refused, and the field is named" {
        "decide --event --format json" <- r#"{"exit_code":"many"}"# => ["/0" "~exit_code"];
        "simulate" <- "{\"at_ms\":0,\"event\":\"explosion\"}" => ["/0" "~explosion"];
    }
    "unknown-field" "a field that nothing reads is a warning" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","mood":1}}"# => ["/0/warnings" "~node.mood"];
    }
    "hook-before" "before an execution the hook is silent about what has not failed" {
        "hook claude-code" <- r#"{"hook_event_name":"PreToolUse","session_id":"s-1","tool_name":"Bash","tool_input":{"command":"cargo build"},"tool_use_id":"1","cwd":"."}"# => ["count" "=1", "/0" "="];
    }
section "memory protocol":
    "issues" "level 5 appends to issues.md with its root cause, and it is read before the next start" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials"}"# => ["file:.recovery/issues.md" "~root cause"];
        "hints t --format json" <- "" => ["/0/known" "~root cause"];
    }
    "learnings" "an error that no rule knew appends to learnings.md" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"Frobnicator: gizmo misaligned"}"# => ["file:.recovery/learnings.md" "~gizmo misaligned"];
    }
    "assume-interruption" "what is not recorded did not happen: a decision is in the journal when it is returned" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/record/seq" "=1"];
        "journal export --task t" <- "" => ["count" "=1", "/0/seq" "=1", "/0/body/decision/task" "=t"];
    }
    "known-blockers" "known blockers are shown before a task's first attempt" files [".recovery/issues.md" = "## Payment gateway down\nthe payment sandbox refuses connections since Monday\n"] {
        "hints payment-gateway" <- "" => ["/1" "~Payment gateway down"];
        "run --task payment-gateway -- true" <- "" => ["/0" "~Payment gateway down"];
    }
    "known-patterns" "known error patterns are read before the next attempt" files [".recovery/learnings.md" = "## Login tests are flaky\nlogin tests need the mail stub\n"] {
        "hints login-tests --format json" <- "" => ["/0/known" "~mail stub"];
    }
    "interrupted" "what was recorded is known to the next process" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"cat: /nope/x: No such file or directory"}"# => ["/0/ladder/attempt" "=1"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"cat: /nope/y: No such file or directory"}"# => ["/0/ladder/attempt" "=2"];
    }
}
