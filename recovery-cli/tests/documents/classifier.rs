//! The classifier document, statement by statement.

use crate::statement::{Statement, Step, statements};

statements! {
section "failure classes":
    "class-f1-action" "F1 recommends retry_with_backoff" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"fatal: Unable to create '/w/.git/index.lock': File exists.\"}" => ["/0/classification/class" "=F1", "/0/classification/recommended_action" "=retry_with_backoff"];
    }
    "class-f2-action" "F2 recommends self_heal_propose" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"error[E0308]: mismatched types\"}" => ["/0/classification/class" "=F2", "/0/classification/recommended_action" "=self_heal_propose"];
    }
    "self-heal" "F2 proposes a fix, or is retried once where that is off" files ["recovery.toml" = "[classifier]\nself_heal = false\n"] {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x is not a function"}"# => ["/0/classification/recommended_action" "=single_retry"];
    }
    "f2-lint" "a lint error and a type error are F2" {
        "classify --exit-code 1 --format json" <- "src/a.ts(4,18): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'." => ["/0/classification/class" "=F2"];
        "classify --exit-code 1 --format json" <- "src/a.py:3:1: F401 [*] `os` imported but unused\nFound 1 error." => ["/0/classification/class" "=F2"];
    }
    "f3-same-test" "the same test that fails after two fixes is F3" reading "the test is known by its name, whatever its message" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 1 == 2\"}" => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 7 == 9\"}" => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 3 == 4\"}" => ["/0/classification/class" "=F3", "/0/next/verb" "=replan"];
    }
    "f3-drift" "a drift of more than half from the plan makes F3 surer" reading "rule 4 decides; the stated deviation corroborates it" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3,"deviation_score":0.6},"history":[{"node":"T","event":"execution_failed","stderr_tail":"boom"},{"node":"T","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.78"];
    }
    "f3-not-two" "the second failure of the same output is not F3" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
    }
    "f4-action" "F4 replans the feature" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"node\": {\"id\": \"T\", \"deviation_score\": 0.8}}" => ["/0/classification/recommended_action" "=replan_feature", "/0/scope" "=feature", "/0/next/verb" "=replan"];
    }
    "f4-sibling-broken" "a failure in a file of a sibling's is F4, also where the sibling worked" reading "the sibling is broken: its file is known from the journal, whoever touched it last" {
        "decide --event --format json" <- r#"{"exit_code":0,"files_touched":["tests/test_b.py"],"node":{"id":"U","parent_id":"S"}}"# => ["/0/failure" "=false"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"FAILED tests/test_b.py::test_x - assert 1 == 2","files_touched":["src/a.py"],"node":{"id":"T","parent_id":"S"}}"# => ["/0/classification/class" "=F4", "/0/classification/evidence" "~tests/test_b.py, which sibling U touched", "/0/classification/recommended_action" "=replan_feature"];
    }
    "f4-contract" "an error in a file that a sibling provides is F4: the contract between them is violated" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"src/api.ts(4,18): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.","files_touched":["src/page.ts"],"node":{"id":"T","parent_id":"S"},"history":[{"node":"U","parent":"S","event":"execution_succeeded","exit_code":0,"files_touched":["src/api.ts"]}]}"# => ["/0/classification/class" "=F4", "/0/classification/evidence" "~src/api.ts, which sibling U touched"];
    }
    "f4-own-file" "an error in a file of its own is not a sibling's" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"src/page.ts(4,18): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.","files_touched":["src/page.ts"],"node":{"id":"T","parent_id":"S"},"history":[{"node":"U","parent":"S","event":"execution_succeeded","exit_code":0,"files_touched":["src/api.ts"]}]}"# => ["/0/classification/class" "=F2"];
    }
    "f5-freeze" "F5 freezes and goes to the user" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"files_touched\": [\"src/auth/a.rs\", \"src/pay/b.rs\"], \"ancestor\": {\"features\": {\"auth\": [\"src/auth/**\"], \"pay\": [\"src/pay/**\"]}}}" => ["/0/scope" "=user", "/0/next/verb" "=force_done"];
        "stuck --format json" <- "" => ["/0/task" "=t"];
        "hints t --format json" <- "" => ["/0/known" "~auth, pay"];
    }
    "f5-settings" "mission constraints may stand in the settings" files ["recovery.toml" = "[[mission.constraints]]\nid = \"frozen-deps\"\nprotect = [\"Cargo.lock\"]\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"Cargo.lock\"]}" => ["/0/classification/class" "=F5"];
    }
    "f5-named" "what F5 contradicts is named wherever the task is looked up" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"x","files_touched":["src/auth/a","src/pay/b"],"node":{"id":"N"},"ancestor":{"id":"I","features":{"auth":["src/auth/**"],"pay":["src/pay/**"]}}}"# => ["/0/next/verb" "=force_done", "file:.recovery/issues.md" "~features: auth, pay"];
        "hints N" <- "" => ["/0" "~features: auth, pay", "/2" "~constraint or the work"];
        "stuck" <- "" => ["/3" "~features: auth, pay"];
    }
    "freeze-question" "a freeze asks for the decision that is needed, not for more repair attempts" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3,"replan_budget_remaining":0},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/repair/directive" "~replan_budget_exhausted", "/0/repair/directive" "!no repair attempt left"];
    }
    "f6-mcp" "F6 through MCP waits for the arbiter" {
        "mcp" <- r#"decide_next_step {"task":"t","attempt_id":"1","output":"boom","exit_code":1,"conflict_id":"C-9"}"# => ["/0/step" "=arbitrate"];
        "conflicts list --format json" <- "" => ["/0/conflict" "=C-9"];
    }
    "arbitrate" "F6 pauses the task until the conflict is settled; a third arbitration asks a person" reading "failures while it waits are no attempts" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=arbitrate"];
        "status t --format json" <- "" => ["/0/state" "=waiting", "/0/failures" "=0"];
        "resolve C-1 --reason merged --format json" <- "" => ["/0/task" "=C-1"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=arbitrate"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=force_done"];
    }
    "explain-classes" "each class explains its trigger, algorithm, numbers, action and an example" {
        "explain F1" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F2" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F3" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F4" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F5" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F6" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
    "f1-network-timeout" "a network timeout in words is F1" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"error: network timeout at: https://registry.npmjs.org/left-pad"}"# => ["/0/classification/class" "=F1"];
    }
    "f1-flaky" "a flaky run is F1: it is retried, and said to be flaky" files ["flaky.sh" = "if test -e seen; then exit 0; fi\ntouch seen\necho 'read ECONNRESET' >&2\nexit 1\n", "recovery.toml" = "[ladder.retry]\nfirst_backoff_ms = 1\n"] {
        "run --task t -- sh flaky.sh" <- "" => ["/0" "~flaky"];
        "report --format json" <- "" => ["/0/flaky" "=[\"t\"]", "/0/tasks/0/outcome" "=flaky"];
    }
    "f1-three-retries" "F1 is retried three times at most" {
        "decide --event --ndjson --task t" <- "{\"exit_code\":1,\"stderr_tail\":\"read ECONNRESET\"}\n{\"exit_code\":1,\"stderr_tail\":\"read ECONNRESET\"}\n{\"exit_code\":1,\"stderr_tail\":\"read ECONNRESET\"}\n{\"exit_code\":1,\"stderr_tail\":\"read ECONNRESET\"}\n" => ["/2/next/verb" "=retry", "/3/next/verb" "=nudge"];
    }
    "f3-scope" "F3 plans the story again, and names it" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"STORY-0042","failed_attempts":3},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/classification/recommended_action" "=replan_story", "/0/scope" "=story", "/0/next/sentence" "~for the story STORY-0042"];
    }
    "f4-scope" "F4 plans the feature again, and names it" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"x","node":{"id":"T","parent_id":"S","feature_id":"FEAT-7","deviation_score":0.9}}"# => ["/0/classification/recommended_action" "=replan_feature", "/0/scope" "=feature", "/0/feature" "=FEAT-7", "/0/next/sentence" "~for the feature FEAT-7"];
    }
    "f4-sibling-test" "a failing test that is a sibling's is F4, by the test's name alone" {
        "decide --event --format json" <- r#"{"exit_code":101,"stderr_tail":"test auth::jwt ... FAILED\n\nfailures:\n\n---- auth::jwt stdout ----\nassertion failed: left == right\n\nfailures:\n    auth::jwt\n\ntest result: FAILED. 0 passed; 1 failed","node":{"id":"U","parent_id":"S"}}"# => ["/0/classification/class" "=F2"];
        "decide --event --format json" <- r#"{"exit_code":101,"stderr_tail":"test auth::jwt ... FAILED\n\nfailures:\n\n---- auth::jwt stdout ----\nindex out of bounds\n\nfailures:\n    auth::jwt\n\ntest result: FAILED. 0 passed; 1 failed","node":{"id":"T","parent_id":"S"}}"# => ["/0/classification/class" "=F4", "/0/classification/evidence" "~the failing test auth::jwt is sibling U's", "/0/classification/recommended_action" "=replan_feature"];
        "decide --event --format json" <- r#"{"exit_code":101,"stderr_tail":"test auth::jwt ... FAILED\n\nfailures:\n\n---- auth::jwt stdout ----\nindex out of bounds\n\nfailures:\n    auth::jwt\n\ntest result: FAILED. 0 passed; 1 failed","node":{"id":"V","parent_id":"OTHER"}}"# => ["/0/classification/class" "=F2"];
    }
    "f6-not-replanned" "F6 goes to the arbiter and not to a replan, whatever else holds" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","cause":"conflict","conflict_id":"C-1","node":{"id":"T","deviation_score":0.9}}"# => ["/0/classification/routes_to" "=conflict-arbiter", "/0/next/verb" "=arbitrate", "/0/scope" "=arbiter", "/0/ladder/level" "=null"];
    }
section "classifier inputs":
    "inputs-event" "the event has tool, exit code, stderr and files touched" {
        "decide --event --task t --format json" <- "{\"tool\": \"Bash\", \"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"src/a.rs\"]}" => ["/0/failure" "=true", "/0/warnings" "=null"];
    }
    "inputs-node" "the node has status, failed attempts and a replan budget" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"node\": {\"id\": \"T\", \"status\": \"active\", \"failed_attempts\": 2, \"replan_budget_remaining\": 1}}" => ["/0/classification/node_id" "=T"];
    }
    "inputs-test-output" "the failed test's output is read too" reading "rule 6 reads stderr and the test's output" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"\", \"test_output\": \"assertion mismatch\"}" => ["/0/classification/rule" "=first-code-error"];
    }
    "history-ten" "the history of the task is what counts, not that of others" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","parent_id":"S","failed_attempts":3},"history":[{"node":"X","parent":"O","event":"execution_failed","stderr_tail":"boom"},{"node":"X","parent":"O","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F2"];
    }
    "classify-run" "a failed run is classified and recorded" files ["fail.sh" = "echo \"error[E0308]: mismatched types\" >&2\nexit 1\n"] {
        "run --task t -- sh fail.sh" <- "" => [];
        "status t --format json" <- "" => ["/0/failures" "=1", "/0/last_error" "=compile_error"];
    }
    "history-last-ten" "the last events of the history decide, however many came before" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":12},"history":[{"stderr_tail":"a"},{"stderr_tail":"b"},{"stderr_tail":"c"},{"stderr_tail":"d"},{"stderr_tail":"e"},{"stderr_tail":"f"},{"stderr_tail":"g"},{"stderr_tail":"h"},{"stderr_tail":"i"},{"stderr_tail":"boom"},{"stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3"];
    }
    "hook-classifies" "the hook after a failed execution classifies and records it" {
        "hook claude-code" <- r#"{"hook_event_name":"PostToolUseFailure","session_id":"s-1","tool_name":"Bash","tool_input":{"command":"curl https://api.example.com"},"tool_use_id":"1","cwd":".","error":"Exit code 56\ncurl: (56) Recv failure: Connection reset by peer"}"# => [];
        "journal export" <- "" => ["/0/body/decision/classification/class" "=F1", "/0/body/decision/classification/rule" "=transient-pattern"];
    }
    "inputs-mcp" "MCP takes the same inputs: files, node and history" {
        "mcp" <- r#"decide_next_step {"task":"t","attempt_id":"1","output":"boom","exit_code":1,"files_touched":["src/a.rs"],"node":{"id":"T","parent_id":"S"},"history":[{"node":"U","parent":"S","event":"execution_failed","files_touched":["src/a.rs"]}]}"# => ["/0/step" "=replan"];
        "journal export --task t" <- "" => ["/0/body/decision/classification/class" "=F4"];
    }
    "inputs-frozen" "a node whose status is frozen is not worked on" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","node":{"id":"T","status":"frozen"}}"# => ["/0/next/verb" "=force_done", "/0/overruled/0/by" "=frozen"];
    }
section "decision rules":
    "rule-1" "exit code 0 is no failure" {
        "classify --event --format json" <- r#"{"exit_code":0,"stderr_tail":"ECONNRESET"}"# => ["/0/failure" "=false", "/0/classification" "=null"];
    }
    "rule-1-judge" "what a judge failed is a failure" reading "a judge below its threshold, or FAIL, is a failure with exit code 0 too" {
        "decide --event --format json" <- r#"{"exit_code":0,"judge":{"verdict":"FAIL"}}"# => ["/0/failure" "=true", "/0/ladder/level" "=3"];
    }
    "rule-2-cause" "the cause conflict is F6" {
        "classify --event --format json" <- r#"{"exit_code":1,"cause":"conflict"}"# => ["/0/classification/class" "=F6", "/0/classification/confidence" "=0.95"];
    }
    "rule-2-id" "a conflict id is F6 and goes to the arbiter" {
        "classify --event --format json" <- r#"{"exit_code":1,"conflict_id":"C-1","stderr_tail":"ECONNRESET"}"# => ["/0/classification/class" "=F6", "/0/classification/routes_to" "=conflict-arbiter", "/0/classification/recommended_action" "=arbitrate"];
    }
    "rule-3-econnreset" "ECONNRESET is F1" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/classification/class" "=F1", "/0/classification/confidence" "=0.95"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-3-etimedout" "ETIMEDOUT is F1" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 10.0.0.1:443"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 10.0.0.1:443"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-3-eai-again" "EAI_AGAIN is F1" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"getaddrinfo EAI_AGAIN registry.npmjs.org"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"getaddrinfo EAI_AGAIN registry.npmjs.org"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-3-429" "429 is F1" reading "the field pack reads a status, not a line number like :429:" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP 429"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP 429 Too Many Requests"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"src/a.py:429: AssertionError"}"# => ["/0/classification/class" "=F2"];
    }
    "rule-3-503" "503 is F1" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP 503"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP/1.1 503 Service Unavailable"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-3-rate-limit" "rate limit is F1, in any case" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"RATE LIMIT reached"}"# => ["/0/classification/class" "=F1"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"Error: Rate limit exceeded"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-3-lock" "a lock that another process holds is F1" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"fatal: Unable to create '/w/.git/index.lock': File exists.\nAnother git process seems to be running in this repository"}"# => ["/0/classification/class" "=F1"];
    }
    "rule-4" "the third failure with the hash of the last two is F3" {
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F3", "/0/classification/recommended_action" "=replan_story"];
    }
    "rule-4-other" "another output among the last two is not F3" reading "rule 4 asks that the last two attempts, whichever they were, have the current hash" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3},"history":[{"event":"execution_failed","stderr_tail":"boom"},{"event":"execution_failed","stderr_tail":"other"}]}"# => ["/0/classification/class" "=F2"];
    }
    "rule-5" "a file that a sibling touched is F4" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["./src/a.rs"],"node":{"id":"T","parent_id":"S"},"history":[{"node":"U","parent":"S","event":"execution_failed","files_touched":["src/a.rs"]}]}"# => ["/0/classification/class" "=F4", "/0/classification/confidence" "=0.8", "/0/classification/recommended_action" "=replan_feature"];
    }
    "rule-5-journal" "the sibling is known from the journal" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"x","files_touched":["src/a.rs"],"node":{"id":"U","parent_id":"S"}}"# => ["/0/failure" "=true"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["src/a.rs"],"node":{"id":"T","parent_id":"S"}}"# => ["/0/classification/class" "=F4"];
    }
    "rule-6" "a first TypeError, SyntaxError, failed test or assertion is F2" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x"}"# => ["/0/classification/class" "=F2", "/0/classification/rule" "=first-code-error", "/0/classification/confidence" "=0.85"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"SyntaxError: x"}"# => ["/0/classification/rule" "=first-code-error"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"1 test failed"}"# => ["/0/classification/rule" "=first-code-error"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"assertion mismatch"}"# => ["/0/classification/rule" "=first-code-error"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: Cannot read properties of undefined (reading 'x')"}"# => ["/0/classification/class" "=F2"];
    }
    "rule-6-case" "its patterns are read as they are written" reading "rule 3 ignores case, rule 6 does not" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"typeerror"}"# => ["/0/classification/rule" "=default"];
    }
    "rule-6-field" "a first TypeError is F2 under the field pack too, whatever the deviation" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x","node":{"id":"T","failed_attempts":1,"deviation_score":0.9}}"# => ["/0/classification/class" "=F2", "/0/classification/rule" "=first-code-error"];
    }
    "rule-7" "a deviation of 0.7 is F4" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.7}}"# => ["/0/classification/class" "=F4"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.69}}"# => ["/0/classification/class" "=F2"];
    }
    "rule-8" "what contradicts the mission is F5" reading "constraints state what must not show up, which paths are protected and which belong to a feature" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["Cargo.toml","src/a.rs"],"ancestor":{"id":"I","constraints":[{"id":"no-new-deps","protect":["Cargo.toml"]}]}}"# => ["/0/classification/class" "=F5", "/0/classification/recommended_action" "=freeze_and_escalate", "/0/next/verb" "=force_done", "/0/classification/evidence" "~no-new-deps"];
    }
    "rule-8-features" "files of two features are cross-feature impact" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["src/auth/a.rs","src/pay/b.rs"],"ancestor":{"features":{"auth":["src/auth/**"],"pay":["src/pay/**"]}}}"# => ["/0/classification/class" "=F5", "/0/classification/confidence" "=0.65"];
    }
    "rule-9" "everything else is F2" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2", "/0/classification/rule" "=default"];
    }
    "rules-first-match" "the first rule that matches decides" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError after ECONNRESET","node":{"id":"T","deviation_score":0.9}}"# => ["/0/classification/class" "=F1"];
    }
    "rule-order-f6" "a conflict comes before everything else, a transient error before F3 to F5" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","conflict_id":"C","node":{"id":"T","deviation_score":0.9}}"# => ["/0/classification/class" "=F6"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","files_touched":["Cargo.toml"],"node":{"id":"T","deviation_score":0.9,"failed_attempts":5},"ancestor":{"constraints":[{"id":"c","protect":["Cargo.toml"]}]}}"# => ["/0/classification/class" "=F1"];
    }
    "rule-2-null" "neither another cause nor a conflict id of null is F6" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","cause":"crash","conflict_id":null}"# => ["/0/classification/class" "=F2"];
    }
    "rule-3-decide" "a transient pattern decides through decide and MCP too" {
        "decide --event --pack documented --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"getaddrinfo EAI_AGAIN registry.npmjs.org"}"# => ["/0/classification/class" "=F1", "/0/next/verb" "=retry"];
        "mcp" <- r#"decide_next_step {"task":"u","attempt_id":"1","output":"HTTP 429 Too Many Requests","exit_code":1}"# => ["/0/step" "=retry", "/0/level" "=1"];
    }
    "rule-4-hash" "the hash may be named instead of the text, whole or cut" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3},"history":[{"stderr_hash":"sha256:81f52337ebb4cb1669bb802c708807dde0519d15cb102a6313d26ad5cd821713"},{"stderr_hash":"81F52337EBB4"}]}"# => ["/0/classification/class" "=F3"];
    }
    "rule-6-second" "the second failure is no longer a first one" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x","node":{"id":"T","failed_attempts":2}}"# => ["/0/classification/rule" "=default", "/0/classification/class" "=F2"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x","node":{"id":"T","failed_attempts":2,"deviation_score":0.8}}"# => ["/0/classification/rule" "=deviation", "/0/classification/class" "=F4"];
    }
    "rule-7-formula" "the deviation is computed where the node does not state it" reading "0.4 for failed attempts, 0.3 for revisions, 0.3 for tokens over the budget, each up to its full share" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3,"revisions_since_planning":4}}"# => ["/0/classification/class" "=F4", "/0/classification/evidence/0" "=\"deviation_score=0.7\""];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":2,"revisions_since_planning":3}}"# => ["/0/classification/class" "=F2"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3,"actual_tokens":2000,"context_budget":1000}}"# => ["/0/classification/class" "=F4"];
    }
section "output schema":
    "output-sample" "the sample answer, key for key" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"TASK-00101","parent_id":"STORY-0042","tier":"T4","failed_attempts":3,"test_edits":{"tests/auth/jwt.test.ts":4}},"history":[{"node":"TASK-00101","event":"execution_failed","stderr_tail":"boom"},{"node":"TASK-00101","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.78", "/0/classification/evidence/0" "=\"failed_attempts=3\"", "/0/classification/evidence/1" "~stderr_hash matches last 2 attempts", "/0/classification/evidence/2" "~tests/auth/jwt.test.ts has been edited 4 times", "/0/classification/recommended_action" "=replan_story", "/0/classification/node_id" "=TASK-00101", "/0/classification/parent_node_id" "=STORY-0042"];
    }
    "output-keys" "the answer has the document's keys through decide too" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","node":{"id":"TASK-00101","parent_id":"STORY-0042"}}"# => ["/0/classification/class" "=F1", "/0/classification/confidence" "=0.95", "/0/classification/evidence/0" "~error_type=connection_failure", "/0/classification/recommended_action" "=retry_with_backoff", "/0/classification/node_id" "=TASK-00101", "/0/classification/parent_node_id" "=STORY-0042"];
    }
section "confidence scoring":
    "confidence-f1" "F1 has 0.95, and 0.03 more with a temporary exit code" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 75, \"stderr_tail\": \"ECONNRESET\"}" => ["/0/classification/confidence" "=0.98"];
    }
    "confidence-f3" "F3 has 0.75 without corroboration" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3},"history":[{"node":"T","event":"execution_failed","stderr_tail":"boom"},{"node":"T","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.75"];
    }
    "confidence-f4" "a file of a sibling has 0.80" {
        "classify --event --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"a\"], \"node\": {\"id\": \"T\", \"parent_id\": \"S\"}, \"history\": [{\"node\": \"U\", \"parent\": \"S\", \"files_touched\": [\"a\"]}]}" => ["/0/classification/confidence" "=0.8"];
    }
    "confidence-gate" "below 0.6 it is F2, one retry, and the user is told" reading "F5 with one pattern as its only evidence is 0.55" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"left-pad added","ancestor":{"constraints":[{"id":"c","forbid":["left-pad"]}]}}"# => ["/0/classification/class" "=F2", "/0/classification/recommended_action" "=single_retry_then_escalate", "/0/classification/surface_to_user" "=true", "/0/next/verb" "=retry"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"left-pad added","ancestor":{"constraints":[{"id":"c","forbid":["left-pad"]}]}}"# => ["/0/next/verb" "=force_done"];
    }
    "confidence-f2" "F2 has 0.85, less 0.10 while the deviation is in [0.5, 0.7)" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/confidence" "=0.85"];
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.5}}"# => ["/0/classification/confidence" "=0.75"];
    }
    "confidence-f5" "F5 has 0.65, and 0.55 where one pattern is its only evidence" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["db/schema.sql"],"ancestor":{"constraints":[{"id":"schema","protect":["db/**"]}]}}"# => ["/0/classification/class" "=F5", "/0/classification/confidence" "=0.65"];
    }
    "confidence-gate-unclear" "an output that is hardly recognised is retried once; then the ladder goes on" reading "the rules are sure that it is local, only the output was not understood: the second time the next level comes, and the decision says what it overrules" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"alpha bravo"}"# => ["/0/classification/recommended_action" "=single_retry_then_escalate", "/0/next/verb" "=retry"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"charly delta"}"# => ["/0/next/verb" "=nudge", "/0/overruled" "~classification.recommended_action single_retry_then_escalate"];
    }
section "what it does not do":
    "no-mutation" "classifying changes nothing" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/failure" "=true", "file:.recovery/journal.db" "=null"];
    }
    "deterministic" "the same input has the same answer, and no model is asked" {
        "classify --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"boom\"}\n{\"exit_code\":1,\"stderr_tail\":\"boom\"}\n" => ["count" "=2", "/0/classification/class" "=F2", "/1/classification/class" "=F2"];
    }
    "no-dispatch" "arbitration is recommended, not carried out: the plan stays as it is" files ["active.json" = "{}"] {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/classification/routes_to" "=conflict-arbiter", "/0/repair" "=null", "file:active.json" "~{}"];
    }
    "no-decision" "classifying decides nothing: no level, no next step" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/next" "=null", "/0/ladder" "=null", "/0/classification/recommended_action" "!null"];
    }
section "replan thresholds":
    "replan-budget" "a replan with no budget left is a freeze" reading "story 3, feature 2; what the node says is left comes first" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.9,"replan_budget_remaining":0}}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted", "/0/next/verb" "=force_done"];
    }
    "replan-cycle" "a fourth replan in a row is a freeze" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.9,"replan_budget_remaining":9},"history":[{"node":"T","event":"replanned"},{"node":"T","event":"replanned"},{"node":"T","event":"replanned"}]}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_cycle_detected"];
    }
    "story-shares-budget" "the tasks of a story share its three replans" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"a","node":{"id":"A","parent_id":"S","failed_attempts":3},"history":[{"node":"A","stderr_tail":"a"},{"node":"A","stderr_tail":"a"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"b","node":{"id":"B","parent_id":"S","failed_attempts":3},"history":[{"node":"B","stderr_tail":"b"},{"node":"B","stderr_tail":"b"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"c","node":{"id":"C","parent_id":"S","failed_attempts":3},"history":[{"node":"C","stderr_tail":"c"},{"node":"C","stderr_tail":"c"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"d","node":{"id":"D","parent_id":"S","failed_attempts":3},"history":[{"node":"D","stderr_tail":"d"},{"node":"D","stderr_tail":"d"}]}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/next/verb" "=force_done"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"e","node":{"id":"E","parent_id":"OTHER","failed_attempts":3},"history":[{"node":"E","stderr_tail":"e"},{"node":"E","stderr_tail":"e"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
    }
    "feature-budget" "the stories of a feature share its replans" reading "two replans per feature, whichever story asked" {
        "plan show --format json" <- "" => [];
        "decide --event --task a --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"node\": {\"id\": \"A\", \"parent_id\": \"S1\", \"feature_id\": \"F\", \"deviation_score\": 0.9}, \"history\": [{\"node\": \"F\", \"event\": \"replanned feature\"}, {\"node\": \"F\", \"event\": \"replanned feature\"}]}" => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted"];
    }
    "thaw-budget" "a thawed node goes on, with the replans that it was given" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3,"replan_budget_remaining":0},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/next/verb" "=force_done"];
        "plan freeze T --reason design" <- "" => [];
        "status T --format json" <- "" => ["/0/state" "=frozen"];
        "plan thaw T --budget 1 --reason decided" <- "" => [];
        "reset T" <- "" => [];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/classification/recommended_action" "=replan_story", "/0/next/verb" "=replan"];
        "reset T" <- "" => [];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/classification/recommended_action" "=freeze_and_escalate"];
    }
    "feature-budget-journal" "replans that tasks of another story asked for count, from the journal" {
        "decide --event --task S1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xS1\", \"node\": {\"id\": \"S1\", \"parent_id\": \"F\"}}" => [];
        "decide --event --task S2 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xS2\", \"node\": {\"id\": \"S2\", \"parent_id\": \"F\"}}" => [];
        "decide --event --task A1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xA1\", \"node\": {\"id\": \"A1\", \"parent_id\": \"S1\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=replan_feature"];
        "decide --event --task A2 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xA2\", \"node\": {\"id\": \"A2\", \"parent_id\": \"S1\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=replan_feature"];
        "decide --event --task B1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xB1\", \"node\": {\"id\": \"B1\", \"parent_id\": \"S2\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted"];
    }
    "feature-budget-files" "a feature is known by its files: its replans count across tasks without a plan" files ["recovery.toml" = "[mission.features]\nauth = [\"src/auth/**\"]\npay = [\"src/pay/**\"]\n"] {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"a","files_touched":["src/auth/a.rs"],"node":{"id":"A","parent_id":"S1","deviation_score":0.9}}"# => ["/0/classification/recommended_action" "=replan_feature", "/0/feature" "=auth", "/0/next/sentence" "~for the feature auth"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"b","files_touched":["src/auth/b.rs"],"node":{"id":"B","parent_id":"S2","deviation_score":0.9}}"# => ["/0/classification/recommended_action" "=replan_feature"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"c","files_touched":["src/auth/c.rs"],"node":{"id":"C","deviation_score":0.9}}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"d","files_touched":["src/pay/d.rs"],"node":{"id":"D","parent_id":"S3","deviation_score":0.9}}"# => ["/0/classification/recommended_action" "=replan_feature"];
    }
    "replanner-classes" "a replan covers the task for F2, the story for F3, the feature for F4; F1, F5 and F6 have none" {
        "decide --event --task a --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/next/verb" "=retry"];
        "decide --event --task b --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x is not a function"}"# => ["/0/scope" "=task"];
        "decide --event --task c --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","files_touched":["Cargo.toml"],"ancestor":{"constraints":[{"id":"c","protect":["Cargo.toml"]}]}}"# => ["/0/scope" "=user", "/0/next/verb" "=force_done"];
    }
    "thaw-cascade" "a thaw reaches what is below the node, also where an event did not name the parent, and it goes back to work" files ["active.json" = "{\"nodes\":[{\"id\":\"STORY-1\",\"tier\":\"T3\",\"parent_id\":\"FEAT-1\"},{\"id\":\"TASK-1\",\"tier\":\"T4\",\"parent_id\":\"STORY-1\"}]}"] {
        "journal import active.json" <- "" => [];
        "plan freeze STORY-1 --reason design" <- "" => ["count" "=2"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","node":{"id":"TASK-1"}}"# => ["/0/next/verb" "=force_done", "/0/overruled/0/by" "=frozen"];
        "plan thaw STORY-1 --reason decided" <- "" => ["count" "=2"];
        "status TASK-1 --format json" <- "" => ["/0/state" "=ok"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","node":{"id":"TASK-1"}}"# => ["/0/next/verb" "=retry"];
    }
}
