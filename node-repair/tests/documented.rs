//! What the node-repair document says, line by line.

use node_repair::{Directive, RepairConfig, RepairOutcome, log_line, parse_directive, select};
use recovery_types::repair::{AdjacentTask, FailedTask, RepairAttempt, RepairRequest, TaskStatus};
use recovery_types::{Class, GateOption, Repair, Strategy};

fn request(error: &str) -> RepairRequest {
    let mut request = RepairRequest::default();
    request.task.number = "4".to_owned();
    request.task.name = "Serve the price list".to_owned();
    request.error.text = error.to_owned();
    request
}

fn answer(request: &RepairRequest) -> Repair {
    select(request, &RepairConfig::default())
}

fn attempt(strategy: Strategy, approach: &str) -> RepairAttempt {
    RepairAttempt { strategy: Some(strategy), approach: approach.to_owned(), ok: false }
}

/// Node-repair document, RETRY, "Use when": command error, missing dependency, wrong path, env issue, transient failure.
#[test]
fn node_repair_document_use_when_retry() {
    let errors = [
        ("command error", "cargo: error: unexpected argument '--fats' found"),
        ("missing dependency", "ModuleNotFoundError: No module named 'httpx'"),
        ("wrong path", "cat: prices.csv: No such file or directory"),
        ("env issue", "bash: line 1: PRICE_DB: unbound variable"),
        ("transient failure", "curl: (56) Recv failure: Connection reset by peer"),
    ];
    for (use_when, error) in errors {
        // Even where other strategies would fit too.
        let mut request = request(error);
        request.task.done_criteria = vec!["GET /prices returns 200".into(), "the file `prices.json` exists".into()];
        assert_eq!(answer(&request).strategy, Some(Strategy::Retry), "{use_when}");
    }
}

/// Node-repair document, DECOMPOSE, "Use when": done-criteria covers multiple concerns, implementation gaps are
/// structural.
#[test]
fn node_repair_document_use_when_decompose() {
    let mut several = request("AssertionError: expected 200, got 404");
    several.task.done_criteria = vec!["GET /prices returns 200 and the nightly export writes prices.csv".into()];
    assert_eq!(answer(&several).strategy, Some(Strategy::Decompose));

    let mut gaps = request("error[E0046]: not all trait items implemented, missing: `load`, `save`");
    gaps.task.done_criteria = vec!["the store passes its tests".into()];
    let repair = answer(&gaps);
    assert_eq!(repair.strategy, Some(Strategy::Decompose));
    assert_eq!(
        repair.directive.unwrap(),
        "DECOMPOSE: implement `load` | implement `save` | the store passes its tests"
    );
}

/// Node-repair document, PRUNE, "Use when": prerequisite missing and not fixable here, out of scope, contradicts an
/// earlier decision.
#[test]
fn node_repair_document_use_when_prune() {
    let mut prerequisite = request("ERROR:  relation \"tariffs\" does not exist");
    prerequisite.plan.adjacent =
        vec![AdjacentTask { number: "2".into(), name: "Create the tariffs table".into(), status: TaskStatus::Failed }];
    let repair = answer(&prerequisite);
    assert_eq!(repair.directive.unwrap(), "PRUNE: its prerequisite, task 2 (Create the tariffs table), failed");

    let mut out_of_scope = request("AssertionError: no currency selector");
    out_of_scope.task.name = "Add currency conversion to the price list".into();
    out_of_scope.plan.out_of_scope = vec!["Currency conversion".into()];
    let repair = answer(&out_of_scope);
    assert_eq!(repair.directive.unwrap(), "PRUNE: the plan puts \"Currency conversion\" out of scope");

    let mut contradiction = request("AssertionError: cache miss");
    contradiction.task.name = "Cache prices in Redis".into();
    contradiction.plan.decisions = vec!["Cache in process, no Redis".into()];
    let repair = answer(&contradiction);
    assert_eq!(
        repair.directive.unwrap(),
        "PRUNE: it needs Redis, which contradicts the earlier decision \"Cache in process, no Redis\""
    );
}

/// Node-repair document, ESCALATE, "Use when": RETRY failed more than once with different approaches, or fix requires
/// structural change. And: budget exhausted, or an architectural decision.
#[test]
fn node_repair_document_use_when_escalate() {
    let mut failed_twice = request("AssertionError: expected 200, got 404");
    failed_twice.budget = Some(1);
    failed_twice.attempts =
        vec![attempt(Strategy::Retry, "register the route"), attempt(Strategy::Retry, "mount the router at /")];
    let repair = answer(&failed_twice);
    assert_eq!(
        repair.directive.unwrap(),
        "ESCALATE: 1. RETRY register the route (failed); 2. RETRY mount the router at / (failed) | Task 4 (Serve the price \
         list) still fails after different approaches. Next step: look at this line first: AssertionError: expected 200, got \
         404. Which approach should be taken, or should it be skipped?"
    );

    let mut structural = request("AssertionError");
    structural.class = Some(Class::F5);
    assert_eq!(answer(&structural).strategy, Some(Strategy::Escalate));

    let mut decision = request("");
    decision.task.decision = true;
    assert_eq!(answer(&decision).strategy, Some(Strategy::Escalate));

    let mut exhausted = request("ModuleNotFoundError: No module named 'httpx'");
    exhausted.budget = Some(0);
    assert_eq!(answer(&exhausted).strategy, Some(Strategy::Escalate));
}

/// Node-repair document: it takes *different* approaches; the same one in other letters is not different.
#[test]
fn the_same_approach_twice_is_one_approach() {
    let mut request = request("curl: (56) Recv failure: Connection reset by peer");
    request.budget = Some(1);
    request.attempts = vec![attempt(Strategy::Retry, "run it again"), attempt(Strategy::Retry, "Run it again!")];
    assert_eq!(answer(&request).strategy, Some(Strategy::Retry));
    request.attempts.push(attempt(Strategy::Retry, "use the mirror"));
    assert_eq!(answer(&request).strategy, Some(Strategy::Escalate));
}

/// Node-repair document, "Output" of each strategy.
#[test]
fn node_repair_document_output_lines() {
    let lines = [
        ("RETRY: install `httpx`", Directive::Retry("install `httpx`".into())),
        (
            "DECOMPOSE: write the parser | print the totals",
            Directive::Decompose(vec!["write the parser".into(), "print the totals".into()]),
        ),
        ("PRUNE: task 2 failed", Directive::Prune("task 2 failed".into())),
        (
            "ESCALATE: two retries | which database?",
            Directive::Escalate { tried: "two retries".into(), decision: "which database?".into() },
        ),
    ];
    for (line, directive) in lines {
        assert_eq!(directive.to_string(), line);
        assert_eq!(parse_directive(line), Some(directive));
    }
}

/// Node-repair document, the table of log formats.
#[test]
fn node_repair_document_log_formats() {
    let task = FailedTask { number: "4".into(), ..FailedTask::default() };
    let lines = [
        (
            RepairOutcome::Resolved { adjustment: "install `httpx`".into() },
            "[Node Repair - RETRY] Task 4: install `httpx` - resolved",
        ),
        (
            RepairOutcome::Exhausted { attempts: 2 },
            "[Node Repair - RETRY] Task 4: 2 attempts exhausted - escalated to user",
        ),
        (
            RepairOutcome::AllPassed { sub_tasks: 3 },
            "[Node Repair - DECOMPOSE] Task 4 split into 3 sub-tasks - all passed",
        ),
        (
            RepairOutcome::Skipped { justification: "task 2 failed".into() },
            "[Node Repair - PRUNE] Task 4 skipped: task 2 failed",
        ),
    ];
    for (outcome, line) in lines {
        assert_eq!(log_line(&task, &outcome), line);
    }
}

/// The line in the answer is what is true now: nothing is resolved or exhausted before it was tried.
#[test]
fn an_answer_logs_only_what_is_known() {
    let mut request = request("ModuleNotFoundError: No module named 'httpx'");
    assert_eq!(answer(&request).log, None);

    request.budget = Some(0);
    assert_eq!(answer(&request).log, None);
    request.attempts = vec![attempt(Strategy::Retry, "a"), attempt(Strategy::Decompose, "b")];
    let log = answer(&request).log.unwrap();
    assert_eq!(log, "[Node Repair - RETRY] Task 4: 2 attempts exhausted - escalated to user");
}

/// Node-repair document: REPAIR_BUDGET defaults to 2 per task, `workflow.node_repair_budget` configures it, and each
/// sub-task has its own.
#[test]
fn node_repair_document_budget() {
    let mut request = request("AssertionError");
    request.task.done_criteria = vec!["`prices --json` prints a list".into(), "the export file exists".into()];
    let first = answer(&request);
    assert_eq!(first.budget_remaining, 1);
    assert!(first.sub_tasks.iter().all(|sub_task| sub_task.budget == 2));

    let five = RepairConfig { budget: 5, ..RepairConfig::default() };
    let repair = select(&request, &five);
    assert_eq!((repair.budget_remaining, repair.sub_tasks[0].budget), (4, 5));

    // Without a stated remainder, the attempts listed are counted against the budget.
    request.attempts = vec![attempt(Strategy::Retry, "a"), attempt(Strategy::Retry, "a")];
    assert_eq!(answer(&request).strategy, Some(Strategy::Escalate));
    assert_eq!(answer(&request).budget_remaining, 0);
}

/// Node-repair document: with `workflow.node_repair` false, straight to the verification failure gate.
#[test]
fn node_repair_document_gate() {
    let off: RepairConfig = serde_json::from_str(r#"{"node_repair":false}"#).unwrap();
    let repair = select(&request("ModuleNotFoundError: No module named 'httpx'"), &off);
    assert_eq!((repair.strategy, repair.directive, repair.log), (None, None, None));
    assert_eq!(repair.gate.unwrap().options, GateOption::ALL);
    assert_eq!(repair.budget_remaining, 2);
}

/// Node-repair document: at most 3 sub-tasks, each with a single verifiable outcome, none a synonymous rewrite.
#[test]
fn node_repair_document_sub_tasks() {
    let mut request = request("AssertionError");
    request.task.done_criteria = vec!["Serve the price list".into(), "the price list is served".into()];
    // Nothing but the task in other words: there is nothing to split.
    assert_ne!(answer(&request).strategy, Some(Strategy::Decompose));

    request.task.done_criteria = vec!["GET /prices returns 200; an empty list returns 204; prices.csv exists".into()];
    let names: Vec<String> =
        answer(&request).sub_tasks.into_iter().map(|t| format!("{} {}", t.number, t.name)).collect();
    assert_eq!(names, ["4.1 GET /prices returns 200", "4.2 an empty list returns 204", "4.3 prices.csv exists"]);
}

/// Node-repair document: five concerns are at most three sub-tasks of one outcome each, those of the error first. What is
/// left stays with the task, and comes next once the sub-tasks have passed.
#[test]
fn node_repair_document_single_outcome() {
    let mut request = request("AssertionError: the cli prints nothing");
    request.task.done_criteria = [
        "login returns 200",
        "logout clears the cookie",
        "the docs page renders",
        "the cli prints help",
        "`make lint` passes",
    ]
    .map(String::from)
    .to_vec();
    let first = answer(&request);
    assert_eq!(
        first.directive.as_deref(),
        Some("DECOMPOSE: login returns 200 | logout clears the cookie | the cli prints help")
    );
    assert!(first.sub_tasks.iter().all(|part| part.done_criteria.len() == 1));
    assert_eq!(first.remaining_criteria, ["the docs page renders", "`make lint` passes"]);

    let approach = first.directive.unwrap().trim_start_matches("DECOMPOSE: ").to_owned();
    request.attempts.push(RepairAttempt { strategy: Some(Strategy::Decompose), approach, ok: true });
    let second = answer(&request);
    assert_eq!(second.directive.as_deref(), Some("DECOMPOSE: the docs page renders | `make lint` passes"));
    assert_eq!(second.remaining_criteria, Vec::<String>::new());
}

/// Node-repair document: the line of exhausted attempts is a RETRY's; a failed DECOMPOSE alone has none.
#[test]
fn node_repair_document_log_of_a_failed_decompose() {
    let mut request = request("gap");
    request.budget = Some(0);
    let tried = |strategy| RepairAttempt { strategy: Some(strategy), approach: "q".into(), ok: false };
    request.attempts = vec![tried(Strategy::Decompose)];
    assert_eq!(answer(&request).log, None);
    request.attempts.push(tried(Strategy::Retry));
    let line = "[Node Repair - RETRY] Task 4: 2 attempts exhausted - escalated to user";
    assert_eq!(answer(&request).log.as_deref(), Some(line));
}

/// Node-repair document: what failed is not proposed again, in however few words it was reported.
#[test]
fn node_repair_document_same_adjustment() {
    let mut request = request("bash: jq: command not found");
    let first = answer(&request).directive;
    assert!(first.as_deref().is_some_and(|line| line.contains("install the command jq")), "{first:?}");
    request.attempts = vec![RepairAttempt { strategy: None, approach: "install jq".into(), ok: false }];
    assert_ne!(answer(&request).directive, first);
    request.attempts = vec![RepairAttempt { strategy: None, approach: "install yq".into(), ok: false }];
    assert_eq!(answer(&request).directive, first);
}
