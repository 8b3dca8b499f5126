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
        "classify --event --format json" <- r#"{"exit_code":1,"stderr_tail":"boom"}"# => ["/0/classification/recommended_action" "=single_retry"];
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
}
