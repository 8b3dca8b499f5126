//! The node repair document, statement by statement.

use crate::statement::{Statement, Step, statements};

statements! {
section "inputs":
    "inputs" "the four inputs under their own names" {
        "repair --format json" <- r#"{"FAILED_TASK":{"number":3,"name":"Count","done-criteria":["it runs"]},"ERROR":{"actual":"bash: jq: command not found"},"PLAN_CONTEXT":{"phase_goal":"count"},"REPAIR_BUDGET":"1"}"# => ["/0/budget_remaining" "=0", "/0/warnings" "=null"];
    }
    "inputs-text" "the inputs may be plain text" {
        "repair --format json" <- r#"{"FAILED_TASK":"Serve prices","ERROR":"bash: jq: command not found","PLAN_CONTEXT":"ship the tariffs","REPAIR_BUDGET":"2"}"# => ["/0/strategy" "=RETRY", "/0/budget_remaining" "=1", "/0/warnings" "=null"];
    }
    "inputs-expected" "the error is what was expected against what came out" {
        "repair --format json" <- r#"{"FAILED_TASK":{"number":3,"name":"Serve prices"},"ERROR":{"expected":"200","actual":"404"}}"# => ["/0/strategy" "=RETRY", "/0/directive" "~it should give 200 and gives 404"];
    }
    "repair-decide" "a task that fails its done-criteria is repaired as part of the decision" {
        "decide --event --task 3 --format json" <- r#"{"exit_code":1,"stderr_tail":"bash: jq: command not found","task":{"number":"3","name":"Count"}}"# => ["/0/repair/strategy" "=RETRY", "/0/repair/directive" "~install the command jq", "/0/next/sentence" "~install the command jq"];
    }
    "repair-mcp" "MCP proposes a repair and takes its outcome" {
        "mcp" <- "repair_task {\"task\":\"3\",\"request\":{\"task\":{\"number\":\"3\"},\"error\":{\"text\":\"bash: jq: command not found\"}}}\nrepair_outcome {\"task\":\"3\",\"ok\":true}" => ["/0/strategy" "=RETRY", "/1/log" "~[Node Repair - RETRY] Task 3: ", "/1/log" "~ - resolved"];
    }
section "constraints":
    "budget-default" "the budget is 2 per task, and each repair spends one" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=RETRY", "/0/budget_remaining" "=1"];
        "repair --task 3 --outcome failed --format json" <- "" => ["/0/ok" "=false"];
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"ModuleNotFoundError: No module named 'yaml'"}}"# => ["/0/budget_remaining" "=0"];
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"ModuleNotFoundError: No module named 'yaml'"}}"# => ["/0/strategy" "=ESCALATE"];
    }
    "budget-configured" "the budget is set by workflow.node_repair_budget in config.json" files [".planning/config.json" = "{\"workflow\":{\"node_repair_budget\":4}}"] {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/budget_remaining" "=3"];
    }
    "config-numbers" "the numbers of config.json may be written as text" files [".planning/config.json" = "{\"mode\":\"yolo\",\"workflow\":{\"node_repair_budget\":\"5\"}}"] {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"boom"}}"# => ["/0/budget_remaining" "=4"];
    }
    "plan-untouched" "the plan file is never written" files ["PLAN.md" = "- [ ] 3 Serve prices\n"] {
        "repair --task 3 --format json" <- r#"{"task":{"number":3,"name":"Serve prices","done_criteria":["GET /prices returns 200 and `prices.csv` exists"]},"error":{"text":"assert 404 == 200"}}"# => ["/0/strategy" "=DECOMPOSE", "file:PLAN.md" "=\"- [ ] 3 Serve prices\\n\""];
    }
    "single-outcome" "each sub-task has a single outcome; what does not fit into three stays with the task" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x","done_criteria":["login returns 200","logout clears the cookie","the docs page renders","the cli prints help","`make lint` passes"]},"error":{"text":"gap"}}"# => ["/0/directive" "=DECOMPOSE: login returns 200 | logout clears the cookie | the docs page renders", "/0/sub_tasks/0/done_criteria" "=[\"login returns 200\"]", "/0/remaining_criteria" "=[\"the cli prints help\",\"`make lint` passes\"]"];
    }
    "off" "workflow.node_repair false goes straight to the gate" files [".planning/config.json" = "{\"workflow\":{\"node_repair\":false}}"] {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=null", "/0/gate/name" "=verification_failure_gate"];
    }
    "gate-decide" "with repair off a decision goes to the gate" files [".planning/config.json" = "{\"workflow\":{\"node_repair\":false}}"] {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"bash: jq: command not found\"}" => ["/0/next/verb" "=gate", "/0/repair/gate/name" "=verification_failure_gate"];
        "gate t skip --reason later --format json" <- "" => ["/0/task" "=t"];
        "status t --format json" <- "" => ["/0/state" "=skipped"];
    }
    "sub-task-budget" "each sub-task has the budget of a task, and reports under its parent" {
        "repair --task 7 --format json" <- r#"{"task":{"number":"7","name":"x","done_criteria":["login returns 200","the docs page renders"]},"error":{"text":"gap"}}"# => ["/0/sub_tasks/0/number" "=\"7.1\"", "/0/sub_tasks/1/number" "=\"7.2\""];
        "repair --task 7.1 --outcome ok --format json" <- "" => ["/0/ok" "=true", "/0/log" "=null"];
        "repair --task 7.2 --format json" <- r#"{"task":{"number":"7.2","name":"the docs page renders"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/budget_remaining" "=1"];
        "repair --task 7.2 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - RETRY] Task 7.2: ", "/0/log" "~[Node Repair - DECOMPOSE] Task 7 split into 2 sub-tasks - all passed"];
    }
    "decompose-no-synonyms" "a sub-task is never the task in other words" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Serve prices","done_criteria":["prices are served","serve the prices"]},"error":{"text":"gap"}}"# => ["/0/strategy" "=RETRY", "/0/sub_tasks" "=null"];
    }
    "one-strategy" "exactly one of the four strategies is chosen, and its directive begins with it" {
        "repair --ndjson" <- "{\"task\":{\"number\":\"1\"},\"error\":{\"text\":\"read ECONNRESET\"}}\n{\"task\":{\"number\":\"2\",\"done_criteria\":[\"login returns 200\",\"the docs page renders\"]},\"error\":{\"text\":\"gap\"}}\n{\"task\":{\"number\":\"3\",\"name\":\"dark mode\"},\"error\":{\"text\":\"gap\"},\"plan\":{\"out_of_scope\":[\"dark mode\"]}}\n{\"task\":{\"number\":\"4\"},\"error\":{\"text\":\"gap\"},\"budget\":0}" => ["/0/strategy" "=RETRY", "/0/directive" "~RETRY: ", "/1/strategy" "=DECOMPOSE", "/1/directive" "~DECOMPOSE: ", "/2/strategy" "=PRUNE", "/2/directive" "~PRUNE: ", "/3/strategy" "=ESCALATE", "/3/directive" "~ESCALATE: "];
    }
section "RETRY":
    "retry" "RETRY names the adjustment, and its log line says that it was resolved" reading "an outcome is logged when it is known" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/directive" "~RETRY: ", "/0/directive" "~jq"];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - RETRY] Task 3: ", "/0/log" "~ - resolved"];
    }
    "retry-command-error" "a command error is a RETRY that corrects the command" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"error: unexpected argument '--relase' found\n\n  tip: a similar argument exists: '--release'"}}"# => ["/0/strategy" "=RETRY", "/0/directive" "~--release"];
    }
    "repair-missing-dependency" "a missing dependency is a RETRY that names it" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"ModuleNotFoundError: No module named 'yaml'\"}}" => ["/0/strategy" "=RETRY", "/0/directive" "~PyYAML"];
    }
    "repair-wrong-path" "a wrong path is a RETRY with one that exists" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"cat: src/utlis/index.ts: No such file or directory\"}, \"candidates\": [\"src/utils/index.ts\"]}" => ["/0/strategy" "=RETRY", "/0/directive" "~src/utils/index.ts"];
    }
    "retry-environment" "an environment issue is a RETRY that names the variable" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"KeyError: 'DATABASE_URL'\nThe environment variable DATABASE_URL is not set"}}"# => ["/0/strategy" "=RETRY", "/0/directive" "~DATABASE_URL"];
    }
    "repair-transient" "a transient failure is a RETRY" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"read ECONNRESET\"}}" => ["/0/strategy" "=RETRY"];
    }
    "repair-wait" "a server's delay is in the adjustment" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"HTTP 429 Too Many Requests\\nRetry-After: 12\"}}" => ["/0/strategy" "=RETRY", "/0/directive" "~wait 12 s"];
    }
    "retry-differs" "what failed once is not proposed again" {
        "repair --format json" <- "{\"task\": {\"number\": \"3\"}, \"error\": {\"text\": \"bash: jq: command not found\"}, \"attempts\": [{\"strategy\": \"RETRY\", \"approach\": \"install jq\", \"ok\": false}]}" => ["/0/directive" "!RETRY: install jq"];
    }
    "retry-in-other-words" "what failed once is not proposed again, in however few words it was reported" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"bash: jq: command not found"},"attempts":[{"strategy":"RETRY","approach":"install jq","ok":false}]}"# => ["/0/directive" "!install the command jq"];
    }
section "DECOMPOSE":
    "decompose" "DECOMPOSE makes two or three parts, each with one outcome, and its log line counts them" {
        "repair --task 3 --format json" <- r#"{"task":{"number":3,"name":"Serve prices","done_criteria":["GET /prices returns 200 and `prices.csv` exists"]},"error":{"text":"assert 404 == 200"}}"# => ["/0/strategy" "=DECOMPOSE", "/0/directive" "~DECOMPOSE: ", "/0/directive" "~ | ", "/0/sub_tasks/1/number" "=\"3.2\""];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - DECOMPOSE] Task 3 split into 2 sub-tasks - all passed"];
    }
    "decompose-gaps" "structural gaps are a DECOMPOSE into what is to be implemented" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Store"},"error":{"text":"error[E0046]: not all trait items implemented, missing: `load`, `save`"}}"# => ["/0/strategy" "=DECOMPOSE", "/0/directive" "=DECOMPOSE: implement `load` | implement `save`"];
    }
    "decompose-max" "at most three sub-tasks" {
        "repair --format json" <- "{\"task\": {\"number\": 3, \"name\": \"Serve\", \"done_criteria\": [\"GET /a returns 200\", \"GET /b returns 200\", \"`c.csv` exists\", \"`make lint` passes\"]}, \"error\": {\"text\": \"assert 404 == 200\"}}" => ["/0/strategy" "=DECOMPOSE", "/0/sub_tasks/2/number" "=\"3.3\"", "/0/sub_tasks/3" "=null"];
    }
section "PRUNE":
    "prune" "PRUNE skips with one sentence, and is not a force-done" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Serve prices"},"error":{"text":"relation \"tariffs\" does not exist"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/strategy" "=PRUNE", "/0/directive" "~PRUNE: ", "/0/log" "~[Node Repair - PRUNE] Task 3 skipped: "];
        "decide --event --task 3 --format json" <- r#"{"exit_code":1,"stderr_tail":"relation \"tariffs\" does not exist","task":{"number":"3","name":"Serve prices"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/next/verb" "=prune", "/0/ladder/level" "=null"];
        "status 3 --format json" <- "" => ["/0/state" "=skipped"];
    }
    "prune-prerequisite" "a prerequisite that failed, and cannot be fixed here, is a PRUNE" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"Serve prices","depends_on":["2"]},"error":{"text":"no such table: tariffs"},"plan":{"adjacent":[{"number":"2","name":"Create tariffs","status":"failed"}]}}"# => ["/0/strategy" "=PRUNE", "/0/log" "~[Node Repair - PRUNE] Task 3 skipped:"];
    }
    "prune-scope" "out of scope is pruned" {
        "repair --format json" <- "{\"task\": {\"number\": \"4\", \"name\": \"dark mode\"}, \"error\": {\"text\": \"assertion failed\"}, \"plan\": {\"out_of_scope\": [\"dark mode\"]}}" => ["/0/strategy" "=PRUNE"];
    }
    "prune-decision" "what contradicts an earlier decision is pruned" {
        "repair --format json" <- "{\"task\": {\"number\": \"4\", \"name\": \"Store sessions in Redis\"}, \"error\": {\"text\": \"assertion failed\"}, \"plan\": {\"decisions\": [\"Do not use Redis; sessions are stored in PostgreSQL\"]}}" => ["/0/strategy" "=PRUNE"];
    }
section "ESCALATE":
    "escalate-budget" "ESCALATE when the budget is used up" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"},"budget":0}"# => ["/0/strategy" "=ESCALATE", "/0/directive" "~ESCALATE: ", "/0/directive" "~ | "];
    }
    "escalate-decision" "an architectural decision is a person's" {
        "repair --format json" <- r#"{"task":{"number":"3","decision":true},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=ESCALATE"];
    }
    "escalate-retries" "more than one failed RETRY with different approaches escalates" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"bash: jq: command not found"},"budget":5,"attempts":[{"strategy":"RETRY","approach":"install jq","ok":false},{"strategy":"RETRY","approach":"use python instead","ok":false}]}"# => ["/0/strategy" "=ESCALATE", "/0/log" "~attempts exhausted - escalated to user"];
    }
    "escalate-structural" "a fix that requires a structural change is a person's" {
        "repair --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"boom"},"class":"F5"}"# => ["/0/strategy" "=ESCALATE", "/0/directive" "~ESCALATE: nothing yet | "];
    }
    "escalate-overruled" "ESCALATE beside a level that still has attempts is said to be overruled" reading "the ladder decides how hard to push; the decision names what it overrules" {
        "decide --event --task t --format json" <- "{\"exit_code\": 1, \"stderr_tail\": \"TypeError: x is not a function\", \"task\": {\"number\": \"3\", \"decision\": true}}" => ["/0/repair/strategy" "=ESCALATE", "/0/next/verb" "=nudge", "/0/overruled" "~repair.strategy ESCALATE"];
    }
    "escalate-tried" "an escalation names what was tried, and the decision that is needed" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"boom"},"budget":0,"attempts":[{"strategy":"RETRY","approach":"install jq","ok":false}]}"# => ["/0/directive" "~ESCALATE: 1. RETRY install jq (failed) | ", "/0/directive" "~?"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","failed_attempts":3,"replan_budget_remaining":0},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"# => ["/0/repair/directive" "~ESCALATE: 3 attempts without a repair between them | "];
    }
section "log lines":
    "log-when-known" "a RETRY is logged as resolved when it worked" reading "an outcome is logged when it is known" {
        "decide --event --task 3 --format json" <- r#"{"exit_code":127,"stderr_tail":"bash: jq: command not found","task":{"number":"3"}}"# => ["/0/repair/strategy" "=RETRY", "/0/repair/log" "=null"];
        "decide --event --task 3 --format json" <- r#"{"exit_code":0}"# => ["/0/log" "~[Node Repair - RETRY] Task 3: ", "/0/log" "~resolved"];
    }
    "repair-outcome" "each strategy's line is logged once its outcome is reported" {
        "repair --task 3 --format json" <- r#"{"task":{"number":"3","name":"x"},"error":{"text":"bash: jq: command not found"}}"# => ["/0/strategy" "=RETRY", "/0/log" "=null"];
        "repair --task 3 --outcome ok --format json" <- "" => ["/0/log" "~[Node Repair - RETRY] Task 3: install the command jq", "/0/log" "~ - resolved"];
    }
    "failed-decompose-log" "a failed DECOMPOSE is not logged as a RETRY" {
        "repair --format json" <- r#"{"task":{"number":"6","name":"x"},"error":{"text":"gap"},"budget":0,"attempts":[{"strategy":"DECOMPOSE","approach":"q","ok":false}]}"# => ["/0/strategy" "=ESCALATE", "/0/log" "=null"];
    }
    "explain-strategies" "each strategy explains its trigger, algorithm, numbers, action and an example" {
        "explain RETRY" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain DECOMPOSE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain PRUNE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
        "explain ESCALATE" <- "" => ["/2" "~why", "/3" "~trigger", "/4" "~algorithm", "/5" "~numbers", "/6" "~action", "/7" "~example"];
    }
    "log-exhausted" "RETRY that failed and goes to the user is logged with the number of attempts" {
        "repair --format json" <- r#"{"task":{"number":"3"},"error":{"text":"boom"},"budget":0,"attempts":[{"strategy":"RETRY","approach":"a","ok":false},{"strategy":"RETRY","approach":"b","ok":false}]}"# => ["/0/log" "=[Node Repair - RETRY] Task 3: 2 attempts exhausted - escalated to user"];
    }
    "log-overruled" "an escalation that the ladder overrules is not logged as one" {
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: Expected 200 but got 401"}"# => ["/0/repair/strategy" "=RETRY"];
        "decide --event --task t --format json" <- r#"{"exit_code":1,"stderr_tail":"AssertionError: Expected 200 but got 402"}"# => ["/0/repair/strategy" "=ESCALATE", "/0/next/verb" "=nudge", "/0/overruled" "~repair.strategy ESCALATE", "/0/repair/log" "=null", "/0/log" "=null"];
    }
}
