//! What the four documents ask for, one row each.

/// One statement of a document.
pub struct Statement {
    /// A stable name: document, section, number.
    pub id: &'static str,
    pub document: &'static str,
    pub section: &'static str,
    /// What it asks for, in our words.
    pub says: &'static str,
    /// How it was settled where the documents leave it open or disagree.
    pub reading: &'static str,
    /// Files of the project.
    pub files: &'static [(&'static str, &'static str)],
    pub steps: &'static [Step],
}

/// One command.
pub struct Step {
    pub args: &'static str,
    pub input: &'static str,
    /// A JSON pointer into the output's lines, and what must be there.
    pub expect: &'static [(&'static str, &'static str)],
}

macro_rules! statements {
    ($(document $document:literal / $section:literal: $($id:literal $says:literal $(reading $reading:literal)? $(files [$($file:literal = $text:literal),*])? {
        $($args:literal <- $input:literal => [$($place:literal $wanted:literal),* $(,)?];)*
    })*)*) => {
        /// Every statement.
        pub const STATEMENTS: &[Statement] = &[$($(Statement {
            id: $id, document: $document, section: $section, says: $says,
            reading: concat!("", $($reading)?),
            files: &[$($(($file, $text)),*)?],
            steps: &[$(Step { args: $args, input: $input, expect: &[$(($place, $wanted)),*] }),*],
        }),*),*];
    };
}

statements! {
document "classifier" / "decision rules":
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
document "classifier" / "output and confidence":
    "output-sample" "the sample answer, key for key" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"TASK-00101","parent_id":"STORY-0042","tier":"T4","failed_attempts":3,"test_edits":{"tests/auth/jwt.test.ts":4}},"history":[{"node":"TASK-00101","event":"execution_failed","stderr_tail":"boom"},{"node":"TASK-00101","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.78", "/0/classification/evidence/0" "=\"failed_attempts=3\"", "/0/classification/evidence/1" "~stderr_hash matches last 2 attempts", "/0/classification/evidence/2" "~tests/auth/jwt.test.ts has been edited 4 times", "/0/classification/recommended_action" "=replan_story", "/0/classification/node_id" "=TASK-00101", "/0/classification/parent_node_id" "=STORY-0042"];
    }
    "confidence-gate" "below 0.6 it is F2, one retry, and the user is told" reading "F5 with one pattern as its only evidence is 0.55" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"left-pad added","ancestor":{"constraints":[{"id":"c","forbid":["left-pad"]}]}}"# => ["/0/classification/class" "=F2", "/0/classification/recommended_action" "=single_retry_then_escalate", "/0/classification/surface_to_user" "=true", "/0/next/verb" "=retry"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"left-pad added","ancestor":{"constraints":[{"id":"c","forbid":["left-pad"]}]}}"# => ["/0/next/verb" "=force_done"];
    }
    "no-mutation" "classifying changes nothing" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/failure" "=true", "file:.recovery/journal.db" "=null"];
    }
    "deterministic" "the same input has the same answer, and no model is asked" {
        "classify --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"boom\"}\n{\"exit_code\":1,\"stderr_tail\":\"boom\"}\n" => ["count" "=2", "/0/classification/class" "=F2", "/1/classification/class" "=F2"];
    }
document "classifier" / "actions":
    "replan-budget" "a replan with no budget left is a freeze" reading "story 3, feature 2; what the node says is left comes first" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.9,"replan_budget_remaining":0}}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted", "/0/next/verb" "=force_done"];
    }
    "replan-cycle" "a fourth replan in a row is a freeze" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","deviation_score":0.9,"replan_budget_remaining":9},"history":[{"node":"T","event":"replanned"},{"node":"T","event":"replanned"},{"node":"T","event":"replanned"}]}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_cycle_detected"];
    }
    "self-heal" "F2 proposes a fix, or is retried once where that is off" files ["recovery.toml" = "[classifier]\nself_heal = false\n"] {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x is not a function"}"# => ["/0/classification/recommended_action" "=single_retry"];
    }
    "arbitrate" "F6 pauses the task until the conflict is settled; a third arbitration asks a person" reading "failures while it waits are no attempts" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=arbitrate"];
        "status t --format json" <- "" => ["/0/state" "=waiting", "/0/failures" "=0"];
        "resolve C-1 --reason merged --format json" <- "" => ["/0/task" "=C-1"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=arbitrate"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/next/verb" "=force_done"];
    }
document "failure types" / "indicators":
    "broken-build" "each indicator of a broken build" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"Syntax Error\"}\n{\"exit_code\":1,\"stderr_tail\":\"compilation error\"}\n{\"exit_code\":1,\"stderr_tail\":\"module not found\"}\n{\"exit_code\":1,\"stderr_tail\":\"import error\"}\n{\"exit_code\":1,\"stderr_tail\":\"cannot find module\"}\n{\"exit_code\":1,\"stderr_tail\":\"unexpected token\"}\n{\"exit_code\":1,\"stderr_tail\":\"indentation error\"}\n{\"exit_code\":1,\"stderr_tail\":\"parse error\"}" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD", "/1/diagnosis/failure_type" "=BROKEN_BUILD", "/2/diagnosis/failure_type" "=BROKEN_BUILD", "/3/diagnosis/failure_type" "=BROKEN_BUILD", "/4/diagnosis/failure_type" "=BROKEN_BUILD", "/5/diagnosis/failure_type" "=BROKEN_BUILD", "/6/diagnosis/failure_type" "=BROKEN_BUILD", "/7/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "broken-build-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Cannot find module './utils' from 'src/index.js'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
        "classify --exit-code 1 --format json" <- "Error: Cannot find module './utils' from 'src/index.js'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "verification" "each indicator of a failed verification" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"verification failed\"}\n{\"exit_code\":1,\"stderr_tail\":\"expected 3\"}\n{\"exit_code\":1,\"stderr_tail\":\"assertion\"}\n{\"exit_code\":1,\"stderr_tail\":\"test failed\"}\n{\"exit_code\":1,\"stderr_tail\":\"status code 500\"}" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED", "/1/diagnosis/failure_type" "=VERIFICATION_FAILED", "/2/diagnosis/failure_type" "=VERIFICATION_FAILED", "/3/diagnosis/failure_type" "=VERIFICATION_FAILED", "/4/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "verification-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "AssertionError: Expected 200 but got 404" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
        "classify --exit-code 1 --format json" <- "AssertionError: Expected 200 but got 404" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "context" "each indicator of an exhausted context" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"context\"}\n{\"exit_code\":1,\"stderr_tail\":\"token limit\"}\n{\"exit_code\":1,\"stderr_tail\":\"maximum length\"}" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/1/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/2/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
    }
    "context-example" "its example, under both packs" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Maximum context length (128k tokens) exceeded" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
        "classify --exit-code 1 --format json" <- "Error: Maximum context length (128k tokens) exceeded" => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED"];
    }
    "unknown-example" "what no indicator knows is UNKNOWN" reading "the field pack names the connection failure as its error type; the failure type stays UNKNOWN" {
        "classify --pack documented --exit-code 1 --format json" <- "Error: Connection refused to database server" => ["/0/diagnosis/failure_type" "=UNKNOWN"];
        "classify --exit-code 1 --format json" <- "Error: Connection refused to database server" => ["/0/diagnosis/failure_type" "=UNKNOWN"];
    }
document "failure types" / "priority":
    "priority-build" "a build error comes before a failed verification" {
        "classify --pack documented --exit-code 1 --format json" <- "parse error: expected ';'" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "priority-verification" "a failed verification comes before an exhausted context" {
        "classify --pack documented --exit-code 1 --format json" <- "test failed in context" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
    "priority-context" "an exhausted context comes before a circular fix" reading "`circular` is told whatever the type is" {
        "classify --event --pack documented --format json" <- r#"{"exit_code":1,"stderr_tail":"token limit","approach":"Using async await pattern","history":[{"event":"execution_failed","approach":"Using async await for fetch"},{"event":"execution_failed","approach":"Using async/await with try-catch"}]}"# => ["/0/diagnosis/failure_type" "=CONTEXT_EXHAUSTED", "/0/diagnosis/circular" "=true"];
    }
document "failure types" / "circular fix":
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
document "failure types" / "recovery actions":
    "action-rollback" "a broken build goes back to the last good commit, then fixes" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"error[E0308]: mismatched types\nerror: could not compile `x`","last_good_commit":"0123456789ab"}"# => ["/0/diagnosis/recovery_action/action" "=rollback", "/0/tree" "=roll_back", "/0/rollback_to" "=\"0123456789ab\"", "/0/next/sentence" "~Go back to 0123456789"];
    }
    "action-no-commit" "without a good commit a broken build escalates" reading "the ladder still has its levels; what it overrules is said" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"syntax error"}"# => ["/0/diagnosis/recovery_action/action" "=escalate", "/0/overruled" "~diagnosis.recovery_action escalate"];
    }
    "action-verification" "a failed verification is retried with another approach, three times at most" reading "attempts include this failure: the third skips and escalates" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: 1 != 2","node":{"id":"T","failed_attempts":2}}"# => ["/0/diagnosis/recovery_action/action" "=retry"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: 1 != 2","node":{"id":"T","failed_attempts":3}}"# => ["/0/diagnosis/recovery_action/action" "=skip", "/0/diagnosis/recovery_action/escalate" "=true"];
    }
    "action-context" "an exhausted context commits and goes on in a new session" files ["recovery.toml" = "continuation = true\n"] {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"Error: Maximum context length (128k tokens) exceeded"}"# => ["/0/diagnosis/recovery_action/action" "=continue", "/0/tree" "=commit", "/0/next/verb" "=continue"];
    }
    "action-unknown" "an unknown failure is retried once, then escalates" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":1}}"# => ["/0/diagnosis/recovery_action/action" "=retry"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":2}}"# => ["/0/diagnosis/recovery_action/action" "=escalate"];
    }
document "node repair" / "inputs and settings":
    "inputs" "the four inputs under their own names" {
        "repair --format json" <- r#"{"FAILED_TASK":{"number":3,"name":"Count","done-criteria":["it runs"]},"ERROR":{"actual":"bash: jq: command not found"},"PLAN_CONTEXT":{"phase_goal":"count"},"REPAIR_BUDGET":"1"}"# => ["/0/budget_remaining" "=0", "/0/warnings" "=null"];
    }
    "budget-default" "the budget is 2 per task, and each repair spends one" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=RETRY", "/0/budget_remaining" "=1"];
        "repair --task 3 --outcome failed --format json" <- "" => ["/0/ok" "=false"];
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"ModuleNotFoundError: No module named 'yaml'"}}"# => ["/0/budget_remaining" "=0"];
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"ModuleNotFoundError: No module named 'yaml'"}}"# => ["/0/strategy" "=ESCALATE"];
    }
    "budget-configured" "the budget is set by workflow.node_repair_budget in config.json" files [".planning/config.json" = "{\"workflow\":{\"node_repair_budget\":4}}"] {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/budget_remaining" "=3"];
    }
    "off" "workflow.node_repair false goes straight to the gate" files [".planning/config.json" = "{\"workflow\":{\"node_repair\":false}}"] {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=null", "/0/gate/name" "=verification_failure_gate"];
    }
    "plan-untouched" "the plan file is never written" files ["PLAN.md" = "- [ ] 3 Serve prices\n"] {
        "repair --task 3 --format json" <- r#"{"task":{"number":3,"name":"Serve prices","done_criteria":["GET /prices returns 200 and `prices.csv` exists"]},"error":{"text":"assert 404 == 200"}}"# => ["/0/strategy" "=DECOMPOSE", "file:PLAN.md" "=\"- [ ] 3 Serve prices\\n\""];
    }
document "node repair" / "strategies":
    "retry" "RETRY names the adjustment, and its log line says that it was resolved" reading "an outcome is logged when it is known" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/directive" "~RETRY: ", "/0/directive" "~jq"];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - RETRY] Task 3: ", "/0/log" "~ - resolved"];
    }
    "decompose" "DECOMPOSE makes two or three parts, each with one outcome, and its log line counts them" {
        "repair --task 3 --format json" <- r#"{"task":{"number":3,"name":"Serve prices","done_criteria":["GET /prices returns 200 and `prices.csv` exists"]},"error":{"text":"assert 404 == 200"}}"# => ["/0/strategy" "=DECOMPOSE", "/0/directive" "~DECOMPOSE: ", "/0/directive" "~ | ", "/0/sub_tasks/1/number" "=\"3.2\""];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - DECOMPOSE] Task 3 split into 2 sub-tasks - all passed"];
    }
    "prune" "PRUNE skips with one sentence, and is not a force-done" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Serve prices"},"error":{"text":"relation \"tariffs\" does not exist"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/strategy" "=PRUNE", "/0/directive" "~PRUNE: ", "/0/log" "~[Node Repair - PRUNE] Task 3 skipped: "];
        "decide --event --task 3 --format json" <- r#"{"exit_code":1,"stderr_tail":"relation \"tariffs\" does not exist","task":{"number":"3","name":"Serve prices"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/next/verb" "=prune", "/0/ladder/level" "=null"];
        "status 3 --format json" <- "" => ["/0/state" "=skipped"];
    }
    "escalate-budget" "ESCALATE when the budget is used up" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"},"budget":0}"# => ["/0/strategy" "=ESCALATE", "/0/directive" "~ESCALATE: ", "/0/directive" "~ | "];
    }
    "escalate-decision" "an architectural decision is a person's" {
        "repair --format json" <- r#"{"task":{"number":"3","decision":true},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=ESCALATE"];
    }
    "escalate-retries" "more than one failed RETRY with different approaches escalates" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"},"budget":5,"attempts":[{"strategy":"RETRY","approach":"install jq","ok":false},{"strategy":"RETRY","approach":"use python instead","ok":false}]}"# => ["/0/strategy" "=ESCALATE", "/0/log" "~attempts exhausted - escalated to user"];
    }
    "log-when-known" "a RETRY is logged as resolved when it worked" reading "an outcome is logged when it is known" {
        "decide --event --task 3 --format json" <- r#"{"exit_code":127,"stderr_tail":"bash: jq: command not found","task":{"number":"3"}}"# => ["/0/repair/strategy" "=RETRY", "/0/repair/log" "=null"];
        "decide --event --task 3 --format json" <- r#"{"exit_code":0}"# => ["/0/log" "~[Node Repair - RETRY] Task 3: ", "/0/log" "~resolved"];
    }
document "escalation" / "level 1, retry":
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
    "level-1-server" "a server's own delay is waited for" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"HTTP 429 Too Many Requests\nRetry-After: 120"}"# => ["/0/next/verb" "=wait", "/0/diagnosis/retry_after_ms" "=120000"];
    }
document "escalation" / "levels 2 to 4":
    "level-2" "three variants within 5 min, then level 3" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":2,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":3,\"event\":\"failure\",\"error_type\":\"permission_denied\"}" => ["/0/to" "=2", "/3/to" "=3"];
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"permission_denied\"}\n{\"at_ms\":300000,\"event\":\"tick\"}" => ["/1/at_ms" "=300000", "/1/to" "=3"];
    }
    "level-2-judge" "a judge with evidenceOfCompletion below 8 enters it" {
        "decide --event --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":7,"goalAlignment":20}}"# => ["/0/ladder/level" "=2"];
        "decide --event --task b --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":8,"goalAlignment":20}}"# => ["/0/failure" "=false"];
    }
    "level-3" "one new plan within 15 min, the old approach kept as known-bad, then level 4" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"passport\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"goal_misalignment\"}" => ["/0/to" "=3", "/0/command" "~passport", "/1/to" "=4"];
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\"}\n{\"at_ms\":900000,\"event\":\"tick\"}" => ["/1/at_ms" "=900000", "/1/to" "=4"];
    }
    "level-3-judge" "a judge with goalAlignment below 15 enters it" {
        "decide --event --format json" <- r#"{"exit_code":0,"judge":{"evidenceOfCompletion":9,"goalAlignment":14}}"# => ["/0/ladder/level" "=3", "/0/next/verb" "=replan"];
    }
    "level-4" "another agent or model within 20 min, then level 5" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"capability_mismatch\"}\n{\"at_ms\":1200000,\"event\":\"tick\"}" => ["/0/to" "=4", "/1/at_ms" "=1200000", "/1/to" "=5"];
    }
    "loops" "3, 5 and 8 similar actions lift to levels 3, 4 and 5" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"loop\",\"similar\":2}\n{\"at_ms\":1,\"event\":\"loop\",\"similar\":3}\n{\"at_ms\":2,\"event\":\"loop\",\"similar\":5}\n{\"at_ms\":3,\"event\":\"loop\",\"similar\":8}" => ["/0/to" "=3", "/1/to" "=4", "/2/to" "=5"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","similar":8}"# => ["/0/ladder/level" "=5"];
    }
document "escalation" / "level 5, force-done":
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
document "escalation" / "error matrix":
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
document "escalation" / "records and memory":
    "task-update" "each entry into a level is a TaskUpdate record" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"EACCES: permission denied, open '/x'"}"# => ["/0/escalation/taskId" "=t", "/0/escalation/status" "=in_progress", "/0/escalation/metadata/recoveryLevel" "=2", "/0/escalation/metadata/recoveryAction" "=nudge", "/0/escalation/metadata/errorType" "=permission_denied", "/0/escalation/metadata/previousLevels" "=[]"];
        "updates --task t" <- "" => ["count" "=1", "/0/taskId" "=t"];
    }
    "never-down" "levels are entered upwards only; a higher entry lifts at once" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"goal_misalignment"}"# => ["/0/ladder/level" "=3"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=4", "/0/ladder/previousLevels" "=[3]"];
    }
    "success-ends" "success ends the ladder" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1"];
        "decide --event --task t --format json" <- r#"{"exit_code":0}"# => ["/0/ladder/level" "=null", "/0/next/verb" "=done"];
    }
    "issues" "level 5 appends to issues.md with its root cause, and it is read before the next start" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"x","error_type":"missing_credentials"}"# => ["file:.recovery/issues.md" "~root cause"];
        "hints t --format json" <- "" => ["/0/known" "~root cause"];
    }
    "learnings" "an error that no rule knew appends to learnings.md" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"Frobnicator: gizmo misaligned"}"# => ["file:.recovery/learnings.md" "~gizmo misaligned"];
    }
    "schemas" "inputs and outputs have schemas" {
        "schema event" <- "" => ["count" "!=1"];
        "schema task-update" <- "" => ["count" "!=1"];
    }
document "classifier" / "classes and inputs":
    "class-f1-action" "F1 recommends retry_with_backoff" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"fatal: Unable to create '/w/.git/index.lock': File exists.\"}" => ["/0/classification/class" "=F1", "/0/classification/recommended_action" "=retry_with_backoff"];
    }
    "class-f2-action" "F2 recommends self_heal_propose" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"error[E0308]: mismatched types\"}" => ["/0/classification/class" "=F2", "/0/classification/recommended_action" "=self_heal_propose"];
    }
    "inputs-event" "the event has tool, exit code, stderr and files touched" {
        "decide --event --task t --format json" <- "{\"tool\": \"Bash\", \"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"src/a.rs\"]}" => ["/0/failure" "=true", "/0/warnings" "=null"];
    }
    "inputs-node" "the node has status, failed attempts and a replan budget" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"node\": {\"id\": \"T\", \"status\": \"active\", \"failed_attempts\": 2, \"replan_budget_remaining\": 1}}" => ["/0/classification/node_id" "=T"];
    }
    "inputs-test-output" "the failed test's output is read too" reading "rule 6 reads stderr and the test's output" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"\", \"test_output\": \"assertion mismatch\"}" => ["/0/classification/rule" "=first-code-error"];
    }
    "f3-same-test" "the same test that fails after two fixes is F3" reading "the test is known by its name, whatever its message" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 1 == 2\"}" => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 7 == 9\"}" => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"FAILED tests/test_a.py::test_x - assert 3 == 4\"}" => ["/0/classification/class" "=F3", "/0/next/verb" "=replan"];
    }
    "f4-action" "F4 replans the feature" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"node\": {\"id\": \"T\", \"deviation_score\": 0.8}}" => ["/0/classification/recommended_action" "=replan_feature", "/0/scope" "=feature", "/0/next/verb" "=replan"];
    }
    "f5-freeze" "F5 freezes and goes to the user" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"files_touched\": [\"src/auth/a.rs\", \"src/pay/b.rs\"], \"ancestor\": {\"features\": {\"auth\": [\"src/auth/**\"], \"pay\": [\"src/pay/**\"]}}}" => ["/0/scope" "=user", "/0/next/verb" "=force_done"];
        "stuck --format json" <- "" => ["/0/task" "=t"];
        "hints t --format json" <- "" => ["/0/known" "~auth, pay"];
    }
    "f5-settings" "mission constraints may stand in the settings" files ["recovery.toml" = "[[mission.constraints]]\nid = \"frozen-deps\"\nprotect = [\"Cargo.lock\"]\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"Cargo.lock\"]}" => ["/0/classification/class" "=F5"];
    }
    "f6-mcp" "F6 through MCP waits for the arbiter" {
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"decide_next_step\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"1\", \"output\": \"boom\", \"exit_code\": 1, \"conflict_id\": \"C-9\"}}}\n" => ["/1/result/structuredContent/step" "=arbitrate"];
        "conflicts list --format json" <- "" => ["/0/conflict" "=C-9"];
    }
    "classify-run" "a failed run is classified and recorded" files ["fail.sh" = "echo \"error[E0308]: mismatched types\" >&2\nexit 1\n"] {
        "run --task t -- sh fail.sh" <- "" => [];
        "status t --format json" <- "" => ["/0/failures" "=1", "/0/last_error" "=compile_error"];
    }
    "feature-budget" "the stories of a feature share its replans" reading "two replans per feature, whichever story asked" {
        "plan show --format json" <- "" => [];
        "decide --event --task a --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"node\": {\"id\": \"A\", \"parent_id\": \"S1\", \"feature_id\": \"F\", \"deviation_score\": 0.9}, \"history\": [{\"node\": \"F\", \"event\": \"replanned feature\"}, {\"node\": \"F\", \"event\": \"replanned feature\"}]}" => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted"];
    }
    "confidence-f1" "F1 has 0.95, and 0.03 more with a temporary exit code" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 75, \"stderr_tail\": \"ECONNRESET\"}" => ["/0/classification/confidence" "=0.98"];
    }
    "confidence-f4" "a file of a sibling has 0.80" {
        "classify --event --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"boom\", \"files_touched\": [\"a\"], \"node\": {\"id\": \"T\", \"parent_id\": \"S\"}, \"history\": [{\"node\": \"U\", \"parent\": \"S\", \"files_touched\": [\"a\"]}]}" => ["/0/classification/confidence" "=0.8"];
    }
document "failure types" / "through every way in":
    "types-hook" "a hook tells a broken build from a failed test" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"cargo build\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 1\\nerror[E0308]: mismatched types\\n --> src/main.rs:4:18\\nerror: could not compile `x`\"}" => ["/0/hookSpecificOutput/additionalContext" "~compile error"];
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"pytest\"}, \"tool_use_id\": \"2\", \"cwd\": \".\", \"error\": \"Exit code 1\\nFAILED tests/test_a.py::test_x - assert 1 == 2\"}" => ["/0/hookSpecificOutput/additionalContext" "~test failed"];
    }
    "types-mcp" "MCP answers with the failure type and its action" {
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"classify_failure\", \"arguments\": {\"output\": \"AssertionError: Expected 200 but got 404\", \"exit_code\": 1}}}\n" => ["/1/result/structuredContent/diagnosis/failure_type" "=VERIFICATION_FAILED", "/1/result/structuredContent/diagnosis/recovery_action/action" "=retry"];
    }
    "rollback-decide" "after a checkpoint a broken build rolls back" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"SyntaxError: invalid syntax\", \"last_good_commit\": \"abcdef0123\"}" => ["/0/tree" "=roll_back", "/0/next/sentence" "~recovery rollback"];
    }
    "verification-three" "the third failed verification skips and escalates" reading "the ladder goes on to a new plan; the decision says what it overrules" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion one\"}" => ["/0/diagnosis/recovery_action/action" "=retry"];
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion two\"}" => ["/0/diagnosis/recovery_action/action" "=retry"];
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"assertion three\"}" => ["/0/diagnosis/recovery_action/action" "=skip", "/0/diagnosis/recovery_action/escalate" "=true", "/0/overruled" "~diagnosis.recovery_action skip"];
    }
    "unknown-twice" "the second unknown failure escalates" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"odd\"}" => ["/0/diagnosis/recovery_action/action" "=retry", "/0/overruled" "=null"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"quite another thing\"}" => ["/0/diagnosis/recovery_action/action" "=escalate", "/0/overruled" "~diagnosis.recovery_action escalate"];
    }
    "circular-two" "two similar attempts of the last three make a circle; one does not" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"approach\": \"retry upload with chunks\", \"history\": [{\"event\": \"execution_failed\", \"approach\": \"retry upload with chunks\"}, {\"event\": \"execution_failed\", \"approach\": \"rewrite parser\"}]}" => ["/0/diagnosis/circular" "=false"];
    }
    "circular-last-three" "only the last three attempts count" {
        "classify --event --pack documented --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"approach\": \"alpha beta\", \"history\": [{\"event\": \"execution_failed\", \"approach\": \"alpha beta\"}, {\"event\": \"execution_failed\", \"approach\": \"alpha beta\"}, {\"event\": \"execution_failed\", \"approach\": \"one\"}, {\"event\": \"execution_failed\", \"approach\": \"two\"}, {\"event\": \"execution_failed\", \"approach\": \"three\"}]}" => ["/0/diagnosis/circular" "=false"];
    }
    "case-insensitive" "indicators are matched in lower case" {
        "classify --pack documented --exit-code 1 --format json" <- "PARSE ERROR" => ["/0/diagnosis/failure_type" "=BROKEN_BUILD"];
    }
    "inside-words" "an indicator counts inside another word" reading "`expected` is in `unexpected`" {
        "classify --pack documented --exit-code 1 --format json" <- "Unexpected thing" => ["/0/diagnosis/failure_type" "=VERIFICATION_FAILED"];
    }
document "node repair" / "through every way in":
    "repair-missing-dependency" "a missing dependency is a RETRY that names it" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"ModuleNotFoundError: No module named 'yaml'\"}}" => ["/0/strategy" "=RETRY", "/0/directive" "~PyYAML"];
    }
    "repair-wrong-path" "a wrong path is a RETRY with one that exists" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"cat: src/utlis/index.ts: No such file or directory\"}, \"candidates\": [\"src/utils/index.ts\"]}" => ["/0/strategy" "=RETRY", "/0/directive" "~src/utils/index.ts"];
    }
    "repair-transient" "a transient failure is a RETRY" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"read ECONNRESET\"}}" => ["/0/strategy" "=RETRY"];
    }
    "repair-wait" "a server's delay is in the adjustment" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"HTTP 429 Too Many Requests\\nRetry-After: 12\"}}" => ["/0/strategy" "=RETRY", "/0/directive" "~wait 12 s"];
    }
    "decompose-max" "at most three sub-tasks" {
        "repair --format json" <- "{\"task\": {\"number\": 3, \"name\": \"Serve\", \"done_criteria\": [\"GET /a returns 200\", \"GET /b returns 200\", \"`c.csv` exists\", \"`make lint` passes\"]}, \"error\": {\"text\": \"assert 404 == 200\"}}" => ["/0/strategy" "=DECOMPOSE", "/0/sub_tasks/2/number" "=\"3.3\"", "/0/sub_tasks/3" "=null"];
    }
    "prune-scope" "out of scope is pruned" {
        "repair --format json" <- "{\"task\": {\"number\": \"4\", \"name\": \"dark mode\"}, \"error\": {\"text\": \"assertion failed\"}, \"plan\": {\"out_of_scope\": [\"dark mode\"]}}" => ["/0/strategy" "=PRUNE"];
    }
    "prune-decision" "what contradicts an earlier decision is pruned" {
        "repair --format json" <- "{\"task\": {\"number\": \"4\", \"name\": \"Store sessions in Redis\"}, \"error\": {\"text\": \"assertion failed\"}, \"plan\": {\"decisions\": [\"Do not use Redis; sessions are stored in PostgreSQL\"]}}" => ["/0/strategy" "=PRUNE"];
    }
    "gate-decide" "with repair off a decision goes to the gate" files [".planning/config.json" = "{\"workflow\":{\"node_repair\":false}}"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"bash: jq: command not found\"}" => ["/0/next/verb" "=gate", "/0/repair/gate/name" "=verification_failure_gate"];
        "gate t skip --reason later --format json" <- "" => ["/0/task" "=t"];
        "status t --format json" <- "" => ["/0/state" "=skipped"];
    }
    "retry-differs" "what failed once is not proposed again" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"bash: jq: command not found\"}, \"attempts\": [{\"strategy\": \"RETRY\", \"approach\": \"install jq\", \"ok\": false}]}" => ["/0/directive" "!RETRY: install jq"];
    }
    "escalate-overruled" "ESCALATE beside a level that still has attempts is said to be overruled" reading "the ladder decides how hard to push; the decision names what it overrules" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"TypeError: x is not a function\", \"task\": {\"number\": \"3\", \"decision\": true}}" => ["/0/repair/strategy" "=ESCALATE", "/0/next/verb" "=nudge", "/0/overruled" "~repair.strategy ESCALATE"];
    }
document "escalation" / "through every way in":
    "run-retries" "run retries a transient failure and ends with the command's success" files ["flaky.sh" = "if [ -e tried ]; then echo ok; exit 0; fi\ntouch tried\necho 'curl: (56) Recv failure: Connection reset by peer' >&2\nexit 56\n"] {
        "run --task t --delay 1ms -- sh flaky.sh" <- "" => [];
        "status t --format json" <- "" => ["/0/failures" "=0", "/0/recoveries" "=1"];
    }
    "run-verify" "done-criteria are checked after exit 0" {
        "run --task t --verify false -- true" <- "" => [];
        "status t --format json" <- "" => ["/0/failures" "=1"];
    }
    "run-force-done" "what only a person can fix is not repeated" files ["login.sh" = "echo \"fatal: Authentication failed for 'https://example.com/x.git/'\" >&2\nexit 128\n"] {
        "run --task t -- sh login.sh" <- "" => [];
        "updates --task t" <- "" => ["/0/metadata/escalationLevel" "=5", "/0/metadata/partial" "=true"];
    }
    "hook-never-unchanged" "a hook tells a model not to repeat what cannot pass by itself" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"cargo build\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 1\\nerror[E0308]: mismatched types\\n --> src/main.rs:4:18\"}" => ["/0/hookSpecificOutput/additionalContext" "~not: "];
    }
    "hook-transient" "a hook says that a transient failure may be tried again" {
        "hook claude-code" <- "{\"hook_event_name\": \"PostToolUseFailure\", \"session_id\": \"s-1\", \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"curl https://api.example.com\"}, \"tool_use_id\": \"1\", \"cwd\": \".\", \"error\": \"Exit code 56\\ncurl: (56) Recv failure: Connection reset by peer\"}" => ["/0/hookSpecificOutput/additionalContext" "~again"];
    }
    "mcp-ladder" "MCP climbs the same ladder, and success ends it" {
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"decide_next_step\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"1\", \"output\": \"read ECONNRESET\", \"exit_code\": 1}}}\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"decide_next_step\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"2\", \"output\": \"read ECONNRESET\", \"exit_code\": 1}}}\n{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"3\", \"ok\": true}}}\n" => ["/1/result/structuredContent/level" "=1", "/2/result/structuredContent/attempt" "=2", "/3/result/structuredContent/state" "=ok"];
    }
    "judge-mcp" "a judge's verdict counts through MCP" {
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"decide_next_step\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"1\", \"output\": \"\", \"exit_code\": 0, \"judge\": {\"verdict\": \"FAIL\"}}}}\n" => ["/1/result/structuredContent/level" "=3"];
    }
    "level-1-example" "the document's missing file enters where the matrix says" reading "where the level-1 example and the matrix disagree, the matrix holds; `context` in the path is no exhausted context" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Read('.claude/context/data/index.db') \\u2192 ENOENT\"}" => ["/0/diagnosis/error_type" "=file_not_found", "/0/ladder/level" "=2"];
        "decide --event --task u --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Read('.claude/context/data/index.db') \\u2192 ENOENT\"}" => ["/0/diagnosis/error_type" "=file_not_found", "/0/ladder/level" "=2"];
    }
    "level-2-example" "the document's EPERM enters at level 2" {
        "decide --event --pack documented --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"Write('output/result.json', ...) \\u2192 EPERM\"}" => ["/0/diagnosis/error_type" "=permission_denied", "/0/ladder/level" "=2"];
    }
    "level-3-blocker" "a circular fix is a new plan" reading "a circular fix counts as a loop of 3" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"a\", \"approach\": \"Using async await for fetch\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"b\", \"approach\": \"Using async/await with try-catch\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"c\", \"approach\": \"Using async await pattern\"}" => ["/0/ladder/level" "=3", "/0/ladder/command/known_bad" "~Using async await for fetch"];
    }
    "level-4-tiers" "the next model tier is named" reading "above the highest tier there is none, and the level is passed over" files ["recovery.toml" = "[ladder.fallback]\ntiers = [\"haiku\", \"sonnet\", \"opus\"]\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"capability_mismatch\", \"model\": \"claude-haiku-4-5\"}" => ["/0/ladder/level" "=4", "/0/next/sentence" "~the model sonnet"];
        "decide --event --task u --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"capability_mismatch\", \"model\": \"opus\"}" => ["/0/ladder/level" "=5"];
    }
    "matrix-words" "the matrix's own words are recognised under the documented pack" reading "they name the error type where the failure types' tables know nothing; the failure type stays UNKNOWN" {
        "classify --pack documented --ndjson" <- "{\"exit_code\":1,\"stderr_tail\":\"missing credentials\"}\n{\"exit_code\":1,\"stderr_tail\":\"external service down\"}\n{\"exit_code\":1,\"stderr_tail\":\"agent capability mismatch\"}\n{\"exit_code\":1,\"stderr_tail\":\"goal misalignment\"}" => ["/0/diagnosis/entry_level" "=5", "/1/diagnosis/entry_level" "=5", "/2/diagnosis/entry_level" "=4", "/3/diagnosis/entry_level" "=3", "/3/diagnosis/failure_type" "=UNKNOWN"];
    }
    "external-service" "a service that stays away for all of level 1 is force-done" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"service_unavailable\",\"completed_steps\":[\"a\",\"b\"],\"step\":\"c\"}\n{\"at_ms\":31000,\"event\":\"tick\"}" => ["/1/to" "=5", "/1/command" "~Retry when the service is restored"];
    }
    "late-success" "a success after a ladder that only ran out of time closes it" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"service_unavailable\"}\n{\"at_ms\":31000,\"event\":\"success\"}" => ["/1/to" "=5", "/2/to" "=null"];
    }
    "one-wait" "a rate limit without a delay has one wait" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"HTTP 429 Too Many Requests\"}" => ["/0/next/sentence" "~in 1 s", "/0/repair/adjustment/wait_ms" "=1000"];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"HTTP 429 Too Many Requests\"}" => ["/0/next/sentence" "~in 2 s", "/0/repair/adjustment/wait_ms" "=2000"];
    }
    "retries-used-up" "after the retries nothing says to run the same again" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/next/verb" "=nudge", "/0/repair/directive" "!run the same", "/0/next/sentence" "!run the same"];
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
    "steps" "completed steps are in the partial result" {
        "step done build --task t --format json" <- "" => [];
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"x\", \"error_type\": \"missing_credentials\", \"step\": \"push\"}" => ["/0/escalation/metadata/completedSteps" "~build", "/0/escalation/metadata/failedAt" "=push"];
    }
    "explain-level" "each level explains its trigger, numbers and action" {
        "explain nudge" <- "" => ["count" "!=1"];
        "explain level-3 --format json" <- "" => ["/0/lines" "~trigger", "/0/lines" "~15 min"];
    }
    "deadlines-recorded" "a limit that passed is recorded by whatever command comes next" files ["recovery.toml" = "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 1\nlimit_ms = 2\n"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"read ECONNRESET\"}" => ["/0/ladder/level" "=1"];
        "status t --format json" <- "" => ["/0/ladder/level" "=2"];
        "updates --task t" <- "" => ["count" "=2", "/1/metadata/recoveryLevel" "=2"];
    }
    "feature-budget-journal" "replans that tasks of another story asked for count, from the journal" {
        "decide --event --task S1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xS1\", \"node\": {\"id\": \"S1\", \"parent_id\": \"F\"}}" => [];
        "decide --event --task S2 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xS2\", \"node\": {\"id\": \"S2\", \"parent_id\": \"F\"}}" => [];
        "decide --event --task A1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xA1\", \"node\": {\"id\": \"A1\", \"parent_id\": \"S1\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=replan_feature"];
        "decide --event --task A2 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xA2\", \"node\": {\"id\": \"A2\", \"parent_id\": \"S1\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=replan_feature"];
        "decide --event --task B1 --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"xB1\", \"node\": {\"id\": \"B1\", \"parent_id\": \"S2\", \"deviation_score\": 0.9}}" => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/classification/evidence" "~replan_budget_exhausted"];
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
document "classifier" / "one decision":
    "rule-6-field" "a first TypeError is F2 under the field pack too, whatever the deviation" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"TypeError: x","node":{"id":"T","failed_attempts":1,"deviation_score":0.9}}"# => ["/0/classification/class" "=F2", "/0/classification/rule" "=first-code-error"];
    }
    "f5-named" "what F5 contradicts is named wherever the task is looked up" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"x","files_touched":["src/auth/a","src/pay/b"],"node":{"id":"N"},"ancestor":{"id":"I","features":{"auth":["src/auth/**"],"pay":["src/pay/**"]}}}"# => ["/0/next/verb" "=force_done", "file:.recovery/issues.md" "~features: auth, pay"];
        "hints N" <- "" => ["/0" "~features: auth, pay", "/2" "~constraint or the work"];
        "stuck" <- "" => ["/2" "~features: auth, pay"];
    }
    "freeze-question" "a freeze asks for the decision that is needed, not for more repair attempts" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3,"replan_budget_remaining":0},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/repair/directive" "~replan_budget_exhausted", "/0/repair/directive" "!no repair attempt left"];
    }
document "failure types" / "one decision":
    "rollback-at-the-end" "a build that stays broken goes back to the good commit, also where nothing else is left to try" reading "at level 5 it is the person's choice; nothing is rolled back without being asked" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"error: could not compile `x`","last_good_commit":"abc123","node":{"id":"T","status":"frozen"}}"# => ["/0/next/verb" "=force_done", "/0/tree" "=roll_back", "/0/rollback_to" "=abc123", "/0/next/sentence" "~recovery rollback"];
    }
document "node repair" / "one decision":
    "single-outcome" "each sub-task has a single outcome; what does not fit into three stays with the task" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x","done_criteria":["login returns 200","logout clears the cookie","the docs page renders","the cli prints help","`make lint` passes"]},"error":{"text":"gap"}}"# => ["/0/directive" "=DECOMPOSE: login returns 200 | logout clears the cookie | the docs page renders", "/0/sub_tasks/0/done_criteria" "=[\"login returns 200\"]", "/0/remaining_criteria" "=[\"the cli prints help\",\"`make lint` passes\"]"];
    }
    "failed-decompose-log" "a failed DECOMPOSE is not logged as a RETRY" {
        "repair --format json" <- r#"{"task":{"number":"6","name":"x"},"error":{"text":"gap"},"budget":0,"attempts":[{"strategy":"DECOMPOSE","approach":"q","ok":false}]}"# => ["/0/strategy" "=ESCALATE", "/0/log" "=null"];
    }
    "retry-in-other-words" "what failed once is not proposed again, in however few words it was reported" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"bash: jq: command not found"},"attempts":[{"strategy":"RETRY","approach":"install jq","ok":false}]}"# => ["/0/directive" "!install the command jq"];
    }
    "config-numbers" "the numbers of config.json may be written as text" files [".planning/config.json" = "{\"mode\":\"yolo\",\"workflow\":{\"node_repair_budget\":\"5\"}}"] {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"boom"}}"# => ["/0/budget_remaining" "=4"];
    }
document "escalation" / "one decision":
    "judge-simulate" "a judge's scores are read in the document's own spelling" {
        "simulate --format json" <- r#"{"at_ms":0,"event":"judge","evidenceOfCompletion":6,"goalAlignment":20}"# => ["/0/to" "=2", "/0/cause" "=judge"];
        "simulate --format json" <- r#"{"atMs":0,"event":"judge","goalAlignment":"3"}"# => ["/0/to" "=3"];
    }
    "not-idempotent" "what is not safe to repeat overrules the retry, and says so" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 1.2.3.4:443","idempotent":false}"# => ["/0/next/verb" "=nudge", "/0/overruled/0/by" "=not-idempotent", "/0/next/sentence" "!run the same"];
    }
    "judge-overrules" "a judge's score lifts a transient failure, and the decision says that it did" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","judge":{"goalAlignment":3}}"# => ["/0/next/verb" "=replan", "/0/overruled/0/by" "=judge"];
    }
document "classifier" / "siblings and history":
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
    "f3-not-two" "the second failure of the same output is not F3" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/class" "=F2"];
    }
    "history-ten" "the history of the task is what counts, not that of others" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","parent_id":"S","failed_attempts":3},"history":[{"node":"X","parent":"O","event":"execution_failed","stderr_tail":"boom"},{"node":"X","parent":"O","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F2"];
    }
    "story-shares-budget" "the tasks of a story share its three replans" {
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"a","node":{"id":"A","parent_id":"S","failed_attempts":3},"history":[{"node":"A","stderr_tail":"a"},{"node":"A","stderr_tail":"a"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"b","node":{"id":"B","parent_id":"S","failed_attempts":3},"history":[{"node":"B","stderr_tail":"b"},{"node":"B","stderr_tail":"b"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"c","node":{"id":"C","parent_id":"S","failed_attempts":3},"history":[{"node":"C","stderr_tail":"c"},{"node":"C","stderr_tail":"c"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"d","node":{"id":"D","parent_id":"S","failed_attempts":3},"history":[{"node":"D","stderr_tail":"d"},{"node":"D","stderr_tail":"d"}]}"# => ["/0/classification/recommended_action" "=freeze_and_escalate", "/0/next/verb" "=force_done"];
        "decide --event --format json" <- r#"{"exit_code":1,"stderr_tail":"e","node":{"id":"E","parent_id":"OTHER","failed_attempts":3},"history":[{"node":"E","stderr_tail":"e"},{"node":"E","stderr_tail":"e"}]}"# => ["/0/classification/recommended_action" "=replan_story"];
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
document "escalation" / "loops and deadlines through MCP":
    "success-loop-mcp" "MCP advises about a call that works the same way again and again" {
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"1\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"2\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"3\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 4, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"4\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"5\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 6, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"6\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"7\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"t\", \"attempt_id\": \"8\", \"tool\": \"Bash\", \"action\": \"git branch\", \"output\": \"* main\", \"ok\": true}}}\n" => ["/7/result/structuredContent/sentence" "!in a row", "/8/result/structuredContent/sentence" "~8 times in a row"];
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
        "mcp" <- "{\"jsonrpc\": \"2.0\", \"id\": 0, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}}\n{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"record_outcome\", \"arguments\": {\"task\": \"other\", \"attempt_id\": \"1\", \"ok\": true}}}\n" => [];
        "journal export --task t" <- "" => ["count" "=2", "/1/body/entry" "=moved"];
    }
document "classifier" / "every trigger of the class table":
    "f3-drift" "a drift of more than half from the plan makes F3 surer" reading "rule 4 decides; the stated deviation corroborates it" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3,"deviation_score":0.6},"history":[{"node":"T","event":"execution_failed","stderr_tail":"boom"},{"node":"T","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.78"];
    }
    "confidence-f3" "F3 has 0.75 without corroboration" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom","node":{"id":"T","failed_attempts":3},"history":[{"node":"T","event":"execution_failed","stderr_tail":"boom"},{"node":"T","event":"execution_failed","stderr_tail":"boom"}]}"# => ["/0/classification/class" "=F3", "/0/classification/confidence" "=0.75"];
    }
    "f2-lint" "a lint error and a type error are F2" {
        "classify --exit-code 1 --format json" <- "src/a.ts(4,18): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'." => ["/0/classification/class" "=F2"];
        "classify --exit-code 1 --format json" <- "src/a.py:3:1: F401 [*] `os` imported but unused\nFound 1 error." => ["/0/classification/class" "=F2"];
    }
    "rule-order-f6" "a conflict comes before everything else, a transient error before F3 to F5" {
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","conflict_id":"C","node":{"id":"T","deviation_score":0.9}}"# => ["/0/classification/class" "=F6"];
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET","files_touched":["Cargo.toml"],"node":{"id":"T","deviation_score":0.9,"failed_attempts":5},"ancestor":{"constraints":[{"id":"c","protect":["Cargo.toml"]}]}}"# => ["/0/classification/class" "=F1"];
    }
    "no-dispatch" "arbitration is recommended, not carried out: the plan stays as it is" files ["active.json" = "{}"] {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"conflict_id":"C-1"}"# => ["/0/classification/routes_to" "=conflict-arbiter", "/0/repair" "=null", "file:active.json" "~{}"];
    }
    "explain-classes" "each class explains its trigger, algorithm, numbers, action and an example" {
        "explain F1" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F2" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F3" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F4" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F5" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain F6" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
document "failure types" / "pages":
    "explain-types" "each failure type explains its trigger, algorithm, numbers, action and an example" {
        "explain BROKEN_BUILD" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain VERIFICATION_FAILED" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain CIRCULAR_FIX" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain CONTEXT_EXHAUSTED" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain UNKNOWN" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
document "node repair" / "every use of a strategy":
    "retry-command-error" "a command error is a RETRY that corrects the command" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"error: unexpected argument '--relase' found\n\n  tip: a similar argument exists: '--release'"}}"# => ["/0/strategy" "=RETRY", "/0/directive" "~--release"];
    }
    "retry-environment" "an environment issue is a RETRY that names the variable" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"KeyError: 'DATABASE_URL'\nThe environment variable DATABASE_URL is not set"}}"# => ["/0/strategy" "=RETRY", "/0/directive" "~DATABASE_URL"];
    }
    "decompose-gaps" "structural gaps are a DECOMPOSE into what is to be implemented" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Store"},"error":{"text":"error[E0046]: not all trait items implemented, missing: `load`, `save`"}}"# => ["/0/strategy" "=DECOMPOSE", "/0/directive" "=DECOMPOSE: implement `load` | implement `save`"];
    }
    "prune-prerequisite" "a prerequisite that failed, and cannot be fixed here, is a PRUNE" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Serve prices","depends_on":["2"]},"error":{"text":"no such table: tariffs"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/strategy" "=PRUNE", "/0/log" "~[Node Repair - PRUNE] Task 3 skipped:"];
    }
    "escalate-structural" "a fix that requires a structural change is a person's" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"boom"},"class":"F5"}"# => ["/0/strategy" "=ESCALATE", "/0/directive" "~ESCALATE: nothing yet | "];
    }
    "explain-strategies" "each strategy explains its trigger, algorithm, numbers, action and an example" {
        "explain RETRY" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain DECOMPOSE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain PRUNE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain ESCALATE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
    "repair-outcome" "each strategy's line is logged once its outcome is reported" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=RETRY", "/0/log" "=null"];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - RETRY] Task 3: install the command jq", "/0/log" "~ - resolved"];
    }
document "escalation" / "laws, records and integration":
    "law-correct-level" "a transient network error never begins at level 3" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT 10.0.0.1:443"}"# => ["/0/ladder/level" "=1", "/0/next/verb" "=retry"];
    }
    "law-level-5-output" "level 5 always has an output, with nothing empty" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"fatal: Authentication failed for 'https://example.com/x.git/'"}"# => ["/0/ladder/command/report/status" "=partial", "/0/ladder/command/report/failedAt" "!null", "/0/ladder/command/report/failureReason" "~Authentication failed", "/0/ladder/command/report/escalationPath" "=[5]", "/0/ladder/command/report/recommendation" "~credentials"];
    }
    "level-5-update" "the TaskUpdate of level 5 is completed and partial, with path, steps and summary" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"fatal: Authentication failed for 'https://example.com/x.git/'","step":"push","completed_steps":["build"]}"# => ["/0/escalation/status" "=completed", "/0/escalation/metadata/partial" "=true", "/0/escalation/metadata/escalationLevel" "=5", "/0/escalation/metadata/completedSteps" "=[\"build\"]", "/0/escalation/metadata/failedAt" "=push", "/0/escalation/metadata/summary" "~Force-done: partial results"];
    }
    "unexpected-output" "a tool that returns unexpected output is a nudge" {
        "decide --exit-code 5 --task t --format json" <- "jq: parse error: Invalid numeric literal at line 1, column 5" => ["/0/diagnosis/error_type" "=wrong_output_format", "/0/ladder/level" "=2"];
    }
    "fallback-context" "a fallback is given what was tried" {
        "simulate --format json" <- "{\"at_ms\":0,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"passport\"}\n{\"at_ms\":1,\"event\":\"failure\",\"error_type\":\"goal_misalignment\",\"approach\":\"jose\"}\n" => ["/0/to" "=3", "/1/to" "=4", "/1/update/metadata/previousLevels" "=[3]"];
    }
    "observability" "each decision can be written as an observability event" {
        "decide --event --task t --events events.jsonl --format json" <- r#"{"exit_code":1,"stderr_tail":"read ECONNRESET"}"# => ["/0/ladder/level" "=1", "file:events.jsonl" "~\"task"];
    }
    "assume-interruption" "what is not recorded did not happen: a decision is in the journal when it is returned" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/record/seq" "=1"];
        "journal export --task t" <- "" => ["count" "=1", "/0/seq" "=1", "/0/body/decision/task" "=t"];
    }
}
