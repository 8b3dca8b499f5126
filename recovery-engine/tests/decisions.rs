//! Decisions over a task's life: what the source documents ask for, and what a journal must be able to rely on.

use proptest::prelude::*;
use recovery_engine::reconcile::{Scope, Tree, Verb};
use recovery_engine::{Decision, Engine, Entry, Input, PackName, TaskState, admit};
use recovery_types::ladder::{Command, MemoryNote};
use recovery_types::{Action, Class, ErrorType, FailureCause, FailureEvent, Level, Timestamp};
use std::sync::LazyLock;

/// A task whose events are decided and recorded one after another.
struct Life {
    engine: &'static Engine,
    state: TaskState,
    entries: Vec<Entry>,
}

impl Life {
    fn new(pack: PackName) -> Self {
        static ENGINES: LazyLock<[Engine; 2]> = LazyLock::new(|| PackName::ALL.map(Engine::new));
        let engine = ENGINES.iter().find(|engine| engine.taxonomy.pack() == pack).unwrap();
        Self::with(engine)
    }

    fn with(engine: &'static Engine) -> Self {
        Self { engine, state: TaskState::default(), entries: Vec::new() }
    }

    fn event(&mut self, event: FailureEvent, at_ms: i64) -> Decision {
        let event = admit(event);
        let decision = self.engine.decide("TASK-1", &self.state, &event, None, Timestamp::from_ms(at_ms));
        self.keep(Entry::Decided {
            event: Box::new(event),
            observed: None,
            head: None,
            policy: None,
            decision: Box::new(decision.clone()),
        });
        decision
    }

    fn fails(&mut self, text: &str, at_ms: i64) -> Decision {
        self.event(failure(text), at_ms)
    }

    fn keep(&mut self, entry: Entry) {
        self.state.apply(&entry);
        self.entries.push(entry);
    }
}

fn failure(text: &str) -> FailureEvent {
    FailureEvent { exit_code: 1, stderr_tail: text.to_owned(), ..FailureEvent::default() }
}

fn levels(decisions: &[Decision]) -> Vec<Option<u8>> {
    decisions.iter().map(|d| d.ladder.level.map(Level::number)).collect()
}

/// Exit code 124 of a command that we stopped is ours, and is no evidence of a network error.
#[test]
fn a_stopped_command_is_no_network_failure_and_waits_for_its_limit() {
    let stopped = |text: &str, cause: Option<FailureCause>| {
        let event = FailureEvent { exit_code: 124, cause, ..failure(text) };
        Life::new(PackName::Field).event(event, 0)
    };
    let kind = |decision: &Decision| decision.diagnosis.as_ref().unwrap().error_type;
    let hang = stopped("working\nit ran past the limit", Some(FailureCause::TimeLimit));
    assert_eq!((kind(&hang), hang.ladder.level), (ErrorType::Other, Some(Level::Retry)));
    let facts = &hang.transitions.last().unwrap().climb.as_ref().unwrap().failure;
    assert_eq!((facts.message.as_deref(), facts.overran), (Some("it ran past the limit"), true));
    let problem = hang.diagnosis.as_ref().unwrap().problem.as_ref().unwrap();
    assert_eq!((problem.message.as_str(), problem.text_line), ("it ran past the limit", Some(2)));
    assert_eq!(kind(&stopped("working", None)), ErrorType::NetworkTimeout, "somebody else's timeout");
    let known = stopped("Error: read ECONNRESET\nit ran past the limit", Some(FailureCause::TimeLimit));
    assert_eq!(kind(&known), ErrorType::ConnectionFailure, "what it printed counts");
}

/// A colour is left out whole: without its escape character alone, `[31m` would stay in every note.
#[test]
fn what_is_remembered_has_no_colours() {
    let mut life = Life::new(PackName::Field);
    let text = "\u{1b}[1;31mflux\u{1b}[0m \u{1b}]8;;https://example.com\u{7}capacitor\u{1b}]8;;\u{7} \u{1b}[31mmisaligned\u{1b}[0m";
    let coloured = |text: &str| format!("\u{1b}[32m{text}\u{1b}[0m");
    let step = Some(coloured("step 2"));
    let decision = life.event(FailureEvent { step, ..failure(text) }, 0);
    let notes = decision.transitions.iter().flat_map(|transition| &transition.memory);
    let learnt: Vec<(&str, Option<&str>)> = notes
        .filter_map(|note| match note {
            MemoryNote::Learning { message, step, .. } => Some((message.as_str(), step.as_deref())),
            MemoryNote::Issue { .. } => None,
        })
        .collect();
    assert_eq!(learnt, [("flux capacitor misaligned", Some("step 2"))]);
}

/// The escalation document: three retries, then level 2; repeating on purpose is no loop.
#[test]
fn a_transient_failure_is_retried_three_times() {
    let mut life = Life::new(PackName::Documented);
    let decisions: Vec<Decision> = (0..4).map(|n| life.fails("read ECONNRESET", n * 5000)).collect();
    assert_eq!(levels(&decisions), [Some(1), Some(1), Some(1), Some(2)]);
    assert_eq!(decisions[1].next.sentence, "Run the same command again in 2 s (retry 2 of 3).");
    assert!(decisions[3].escalation.is_some() && decisions[1].escalation.is_none());
}

/// The failure-type document: a third similar approach is a circular fix; it asks for a new plan.
#[test]
fn a_circular_fix_asks_for_a_new_plan() {
    let mut life = Life::new(PackName::Documented);
    let approaches = ["Using async await for fetch", "Using async/await with try-catch", "Using async await pattern"];
    let mut last = None;
    for (n, approach) in approaches.into_iter().enumerate() {
        let event = FailureEvent { approach: Some(approach.into()), ..failure(&format!("broken {n}")) };
        last = Some(life.event(event, n as i64 * 1000));
    }
    let last = last.unwrap();
    assert!(last.diagnosis.unwrap().circular);
    assert_eq!(last.next.verb, Verb::Replan);
    assert_eq!(last.ladder.command, Some(Command::Replan { known_bad: approaches.map(str::to_owned).to_vec() }));
}

#[test]
fn a_conflict_pauses_the_ladder_for_the_arbiter() {
    let mut life = Life::new(PackName::Documented);
    life.fails("assertion failed", 0);
    let decision = life.event(FailureEvent { cause: Some(FailureCause::Conflict), ..failure("x") }, 1000);
    assert_eq!((decision.next.verb, decision.scope), (Verb::Arbitrate, Scope::Arbiter));
    assert_eq!(decision.ladder.command, None);
    assert_eq!(decision.ladder.deadline, None);
}

/// The id of the rule that won over each recommendation, with the recommendation.
fn overruled(decision: &Decision) -> Vec<(&str, &str)> {
    decision.overruled.iter().map(|o| (o.by.as_str(), o.what.split('.').next_back().unwrap_or_default())).collect()
}

fn event(json: &str) -> FailureEvent {
    serde_json::from_str(json).unwrap()
}

/// A replan without a budget is a freeze, and the ladder goes to its end with the reason.
#[test]
fn what_is_frozen_is_not_planned_again() {
    let mut life = Life::new(PackName::Field);
    let frozen = event(
        r#"{"exit_code":1,"stderr_tail":"w","node":{"id":"T","parent_id":"S","failed_attempts":3,
        "replan_budget_remaining":0},"history":[{"node":"T","stderr_tail":"w"},{"node":"T","stderr_tail":"w"}]}"#,
    );
    let decision = life.event(frozen, 0);
    assert_eq!((decision.next.verb, decision.ladder.level), (Verb::ForceDone, Some(Level::ForceDone)));
    assert_eq!(overruled(&decision), []);
    let Some(Command::ForceDone { report }) = &decision.ladder.command else { panic!("no report") };
    assert!(report.failure_reason.contains("replan_budget_exhausted"), "{}", report.failure_reason);
}

#[test]
fn a_frozen_node_is_left_alone() {
    let mut life = Life::new(PackName::Field);
    let decision = life.event(
        event(r#"{"exit_code":1,"stderr_tail":"TypeError: x is not a function","node":{"id":"T","status":"frozen"}}"#),
        0,
    );
    assert_eq!(decision.ladder.level, Some(Level::ForceDone));
    assert_eq!(
        overruled(&decision),
        [("frozen", "recommended_action self_heal_propose"), ("frozen", "recovery_action retry")]
    );
}

/// Below the confidence gate there is one retry, then a person.
#[test]
fn an_unsure_classification_is_retried_once() {
    let mut life = Life::new(PackName::Field);
    let unsure = || {
        event(
            r#"{"exit_code":1,"stderr_tail":"odd thing","approach":"npm install left-pad",
            "ancestor":{"constraints":[{"id":"no-new-deps","forbid":["npm install"]}]}}"#,
        )
    };
    let first = life.event(unsure(), 0);
    assert_eq!(first.classification.as_ref().unwrap().recommended_action, Action::SingleRetryThenEscalate);
    assert_eq!((first.next.verb, first.ladder.level), (Verb::Retry, Some(Level::Retry)));
    assert!(first.next.sentence.contains("once more"), "{}", first.next.sentence);
    let second = life.event(unsure(), 5000);
    assert_eq!(second.next.verb, Verb::ForceDone);
    assert!(life.state.is_stuck());
    let Some(Command::ForceDone { report }) = &second.ladder.command else { panic!("no report") };
    assert!(report.failure_reason.contains("constraint no-new-deps"), "{}", report.failure_reason);
}

/// An output that no rule recognises is tried once more, then the ladder goes on: nudges, plans and fallbacks are not lost.
#[test]
fn an_unclear_output_is_retried_once_and_then_climbs() {
    let mut life = Life::new(PackName::Field);
    let unclear = || event(r#"{"exit_code":1,"stderr_tail":"hello world"}"#);
    let first = life.event(unclear(), 0);
    let class = first.classification.as_ref().unwrap();
    assert!(class.confidence.get() <= 300 && class.surface_to_user, "{class:?}");
    assert_eq!(class.recommended_action, Action::SingleRetryThenEscalate);
    assert_eq!((first.next.verb, first.ladder.level), (Verb::Retry, Some(Level::Retry)));
    let second = life.event(unclear(), 5000);
    assert_eq!((second.next.verb, second.ladder.level), (Verb::Nudge, Some(Level::Nudge)));
}

/// An F5 states in issues.md which features or which constraint it is about.
#[test]
fn an_architectural_failure_names_its_constraint() {
    let mut life = Life::new(PackName::Field);
    let decision = life.event(
        event(
            r#"{"exit_code":1,"stderr_tail":"x","files_touched":["src/auth/a.rs","src/pay/b.rs"],
            "node":{"id":"T","failed_attempts":2},"ancestor":{"features":{"auth":["src/auth/**"],"pay":["src/pay/**"]}}}"#,
        ),
        0,
    );
    let notes: Vec<&MemoryNote> = decision.transitions.iter().flat_map(|t| &t.memory).collect();
    let MemoryNote::Issue { root_cause, .. } = notes.last().unwrap() else { panic!("no issue") };
    assert!(root_cause.contains("files_touched spans features: auth, pay"), "{root_cause}");
}

/// Each case in which the failure type's document and the ladder disagree, with the rule that wins.
#[test]
fn what_the_ladder_overrules_is_said() {
    let mut rows = Vec::new();
    let mut row = |name: &str, decision: &Decision| {
        let asked = &decision.diagnosis.as_ref().unwrap().recovery_action;
        rows.push(format!(
            "{name}: asked {:?}, next {:?}, overruled {:?}",
            asked.action,
            decision.next.verb,
            overruled(decision)
        ));
    };
    let mut life = Life::new(PackName::Documented);
    let approaches = ["Using async await for fetch", "Using async/await with try-catch", "Using async await pattern"];
    for (n, approach) in approaches.into_iter().enumerate() {
        let decision = life.event(
            FailureEvent { approach: Some(approach.into()), ..failure(&format!("broken {n}")) },
            n as i64 * 1000,
        );
        if n == 2 {
            row("circular fix", &decision);
        }
    }
    let mut life = Life::new(PackName::Documented);
    for n in 0..3 {
        let decision = life.fails(&format!("assertion {}", ["one", "two", "three"][n]), n as i64 * 1000);
        if n == 2 {
            row("third verification failure", &decision);
        }
    }
    let mut life = Life::new(PackName::Documented);
    life.fails("odd", 0);
    row("second unknown", &life.fails("quite another thing", 1000));
    row("broken build, no good commit", &Life::new(PackName::Documented).fails("syntax error", 0));
    let mut life = Life::new(PackName::Documented);
    life.fails("read ECONNRESET", 0);
    row("transient twice", &life.fails("read ECONNRESET", 2000));
    insta::assert_snapshot!(rows.join("\n"));
}

/// A conflict is no attempt of the task's; it waits, and a third arbitration is a person's.
#[test]
fn a_conflict_is_no_attempt_and_its_third_arbitration_escalates() {
    let mut life = Life::new(PackName::Field);
    let conflict = || event(r#"{"exit_code":1,"stderr_tail":"same text","conflict_id":"CONFLICT-7"}"#);
    for n in 0..2 {
        let decision = life.event(conflict(), n * 1000);
        assert_eq!(decision.next.verb, Verb::Arbitrate);
        assert!(decision.next.sentence.contains("recovery resolve CONFLICT-7"), "{}", decision.next.sentence);
    }
    assert_eq!((life.state.failures, life.state.attempts.len()), (0, 0));
    assert_eq!(life.state.waiting.as_ref().unwrap().conflict, "CONFLICT-7");
    // What fails before the conflict is settled is no attempt either, and asks no arbiter once more.
    let mut paused = Life::with(life.engine);
    life.entries.iter().cloned().for_each(|entry| paused.keep(entry));
    for n in 2..5 {
        let decision = paused.fails("same text", n * 1000);
        assert_eq!(decision.next.verb, Verb::Arbitrate);
        assert!(decision.next.sentence.contains("recovery resolve CONFLICT-7"), "{}", decision.next.sentence);
    }
    let judged = paused.event(event(r#"{"exit_code":0,"judge":{"verdict":"FAIL"}}"#), 4500);
    assert!(judged.failure && judged.transitions.is_empty(), "a judge's verdict is no attempt either");
    assert!(judged.next.sentence.contains("recovery resolve CONFLICT-7"), "{}", judged.next.sentence);
    assert_eq!(
        (paused.state.failures, paused.state.attempts.len(), paused.state.arbitrations("CONFLICT-7")),
        (0, 0, 2)
    );
    let (at, conflict_id) = (Timestamp::from_ms(5000), "CONFLICT-7".to_owned());
    paused.keep(Entry::Arbitrated { at, conflict: conflict_id, reason: "ours wins".to_owned() });
    assert_eq!(paused.fails("same text", 6000).classification.unwrap().class, Class::F2, "the first real failure");
    let unnamed = Life::new(PackName::Field).event(event(r#"{"exit_code":1,"conflict_id":""}"#), 0);
    assert!(unnamed.next.sentence.contains("then `recovery resolve` the task"), "{}", unnamed.next.sentence);
    let third = life.event(conflict(), 3000);
    assert_eq!(third.next.verb, Verb::ForceDone);
    let Some(Command::ForceDone { report }) = &third.ladder.command else { panic!("no report") };
    assert!(report.failure_reason.contains("CONFLICT-7 came back"), "{}", report.failure_reason);
}

#[test]
fn a_pruned_task_is_skipped_and_not_forced_done() {
    let mut life = Life::new(PackName::Field);
    let out = event(
        r#"{"exit_code":1,"stderr_tail":"assertion failed","task":{"number":"4","name":"dark mode"},
        "plan":{"out_of_scope":["dark mode"]}}"#,
    );
    let decision = life.event(out, 0);
    assert_eq!((decision.next.verb, decision.ladder.level), (Verb::Prune, None));
    assert!(!life.state.is_stuck() && life.state.failures == 0);
    assert!(life.state.skipped.as_ref().is_some_and(|why| why.contains("dark mode")), "{:?}", life.state.skipped);
}

/// One 503 and a success 31 s later: the ladder had only run out of time.
#[test]
fn a_late_success_closes_a_ladder_that_ran_out_of_time() {
    let mut life = Life::new(PackName::Field);
    life.fails("HTTP 503 Service Unavailable", 0);
    let decision = life.event(FailureEvent::default(), 31_000);
    assert_eq!((decision.next.verb, decision.ladder.level), (Verb::Done, None));
    assert!(!life.state.is_stuck() && life.state.recoveries == 1);
}

/// A repair's line is true once its outcome is known.
#[test]
fn a_repair_is_logged_when_it_worked() {
    let mut life = Life::new(PackName::Field);
    let decision = life.event(FailureEvent { exit_code: 127, ..failure("bash: jq: command not found") }, 0);
    let repair = decision.repair.unwrap();
    assert!(repair.directive.unwrap().starts_with("RETRY: ") && repair.log.is_none() && decision.log.is_none());
    let worked = life.event(FailureEvent::default(), 1000);
    let log = worked.log.unwrap();
    assert!(log.starts_with("[Node Repair - RETRY] Task TASK-1: ") && log.ends_with("- resolved"), "{log}");
}

#[test]
fn what_is_not_idempotent_is_never_repeated_unchanged() {
    let mut life = Life::new(PackName::Field);
    let decision = life.event(FailureEvent { idempotent: Some(false), ..failure("connect ETIMEDOUT 1.2.3.4:443") }, 0);
    assert_eq!(decision.ladder.level, Some(Level::Nudge));
    let directive = decision.repair.unwrap().directive.unwrap();
    assert!(directive.contains("took effect") && decision.next.sentence.contains("took effect"), "{directive}");
}

#[test]
fn a_broken_build_goes_back_only_where_a_good_commit_is_known() {
    let mut life = Life::new(PackName::Documented);
    assert_eq!(life.fails("syntax error", 0).tree, Tree::Keep);
    life.keep(Entry::Checkpoint { at: Timestamp::from_ms(1), commit: "0123456789abcdef".into() });
    let decision = life.fails("another syntax error", 2000);
    assert_eq!(decision.tree, Tree::RollBack);
    assert!(decision.next.sentence.starts_with("Go back to 0123456789 first"), "{}", decision.next.sentence);
}

#[test]
fn an_exhausted_context_falls_back_or_continues_in_a_new_session() {
    let mut life = Life::new(PackName::Documented);
    let text = "Error: Maximum context length (128k tokens) exceeded";
    let decision = life.fails(text, 0);
    assert_eq!((decision.ladder.level, decision.tree), (Some(Level::Fallback), Tree::Commit));
    let engine = Engine { continuation: true, ..Engine::new(PackName::Documented) };
    let mut life = Life::with(Box::leak(Box::new(engine)));
    assert_eq!(life.fails(text, 0).next.verb, Verb::Continue);
}

#[test]
fn success_ends_the_ladder_and_is_counted_as_a_recovery() {
    let mut life = Life::new(PackName::Documented);
    life.fails("read ECONNRESET", 0);
    let decision = life.event(FailureEvent::default(), 1500);
    assert!(!decision.failure && decision.ladder.level.is_none());
    assert_eq!((life.state.failures, life.state.failures_ever, life.state.recoveries), (0, 1, 1));
    let next = life.fails("read ECONNRESET", 9000);
    assert_eq!(next.ladder.attempt, Some(1), "a later failure starts afresh");
}

#[test]
fn a_judge_can_fail_what_the_exit_code_passed() {
    let mut life = Life::new(PackName::Documented);
    let judge = recovery_types::Judge { evidence_of_completion: Some(6), goal_alignment: Some(20), verdict: None };
    let decision = life.event(FailureEvent { judge: Some(judge), ..FailureEvent::default() }, 0);
    assert_eq!(levels(&[decision]), [Some(2)]);
}

#[test]
fn after_force_done_only_a_person_moves_the_task() {
    let mut life = Life::new(PackName::Documented);
    let decision = life.fails("assertion", 0);
    assert_eq!(decision.ladder.level, Some(Level::Nudge));
    let late = life.fails("assertion of another kind", 10_000_000);
    assert_eq!(late.ladder.level, Some(Level::ForceDone), "the deadlines had passed");
    assert_eq!(late.ladder.previous_levels, [Level::Nudge, Level::Replan, Level::Fallback]);
    assert!(life.state.is_stuck());
    let still = life.fails("read ECONNRESET", 10_001_000);
    assert_eq!(still.ladder.level, Some(Level::ForceDone));
    let at = Timestamp::from_ms(10_002_000);
    let transitions = life.engine.advance("TASK-1", &life.state, Input::Reset { reason: "looked at".into() }, at);
    life.keep(Entry::Reset { at, reason: "looked at".into(), transitions });
    assert!(!life.state.is_stuck());
    assert_eq!(life.state.failures_ever, 3, "nobody's word lowers it");
    assert_eq!(life.fails("read ECONNRESET", 10_003_000).ladder.level, Some(Level::Retry));
}

#[test]
fn an_identical_failure_of_the_identical_action_is_denied_after_the_third() {
    let mut life = Life::new(PackName::Documented);
    let event =
        || FailureEvent { tool: Some("Bash".into()), action: Some("make all".into()), ..failure("assertion x") };
    let decisions: Vec<Decision> = (0..3).map(|n| life.event(event(), n * 1000)).collect();
    assert_eq!(levels(&decisions), [Some(2), Some(2), Some(3)]);
    let denial = decisions[2].deny.as_ref().unwrap();
    assert_eq!(denial.action, recovery_engine::action_fingerprint(Some("Bash"), "make all"));
    assert_eq!(denial.until.ms(), 2000 + 600_000);
    assert!(life.state.denial(&denial.action, Timestamp::from_ms(3000)).is_some());
    assert!(life.state.denial(&denial.action, denial.until).is_none());
    life.event(FailureEvent::default(), 4000);
    assert!(life.state.denied.is_empty(), "success clears it");
}

#[test]
fn a_change_starts_the_count_of_identical_failures_anew() {
    let mut life = Life::new(PackName::Field);
    let event =
        || FailureEvent { tool: Some("Bash".into()), action: Some("make all".into()), ..failure("assertion x") };
    for n in 0..2 {
        life.event(event(), n * 1000);
    }
    life.keep(Entry::Changed { at: Timestamp::from_ms(1500) });
    let after: Vec<bool> = (2..5).map(|n| life.event(event(), n * 1000).deny.is_some()).collect();
    assert_eq!(after, [false, false, true]);
}

#[test]
fn actions_that_only_look_alike_are_not_one() {
    let mut life = Life::new(PackName::Field);
    for (n, port) in [3000, 4000, 5000, 6000, 7000].into_iter().enumerate() {
        let action = Some(format!("curl localhost:{port}/src/api/index.ts"));
        let event = FailureEvent { tool: Some("Bash".into()), action, ..failure("assertion x") };
        assert_eq!(life.event(event, n as i64 * 1000).deny, None);
    }
}

#[test]
fn a_quota_is_held_until_its_own_reset_time() {
    let mut life = Life::new(PackName::Field);
    let text = "You've hit your session limit · resets 1970-01-01T03:00:00Z";
    let event = || FailureEvent { tool: Some("Bash".into()), action: Some("ask".into()), ..failure(text) };
    assert_eq!(life.event(event(), 0).deny, None);
    assert_eq!(life.event(event(), 1000).deny.unwrap().until.ms(), 3 * 3_600_000);
}

#[test]
fn a_transient_failure_may_be_tried_once_more_and_is_held_back_briefly() {
    let mut life = Life::new(PackName::Field);
    let event = || FailureEvent {
        tool: Some("Bash".into()),
        action: Some("npm ci".into()),
        ..failure("npm error code ECONNRESET")
    };
    let denials: Vec<_> = (0..4).map(|n| life.event(event(), n * 100).deny.map(|denial| denial.until.ms())).collect();
    assert_eq!(denials, [None, None, None, Some(300 + 30_000)]);
}

/// The state is cached with the journal: a task that fails for weeks must not make each of its decisions slower.
#[test]
fn the_state_of_a_noisy_task_stays_small() {
    let mut life = Life::new(PackName::Documented);
    let mut sizes = Vec::new();
    for n in 0..900 {
        let event = FailureEvent {
            tool: Some("Bash".into()),
            action: Some(format!("make part-{}", n / 4 % 90)),
            conflict_id: (n % 3 == 2).then(|| format!("conflict-{n:04}")),
            ..failure("the same failure")
        };
        life.event(event, n * 1000);
        sizes.push(serde_json::to_vec(&life.state).unwrap().len());
    }
    let largest = sizes.iter().max().unwrap();
    assert!(*largest < 40_000, "{largest} bytes");
    assert!(sizes[899] <= sizes[700] + 1_000, "it still grows: {} and {} bytes", sizes[700], sizes[899]);
    let action = recovery_engine::action_fingerprint(Some("Bash"), "make part-1");
    assert!(life.state.denied.iter().filter(|denial| denial.action == action).count() <= 1);
}

#[test]
fn errors_that_change_are_no_loop() {
    let mut life = Life::new(PackName::Field);
    let outputs = [
        "error[E0425]: cannot find value `alpha`",
        "error[E0308]: mismatched types in beta",
        "undefined reference to gamma",
    ];
    let decisions: Vec<Decision> = outputs
        .iter()
        .enumerate()
        .map(|(n, text)| {
            let action = Some("cargo build".to_owned());
            life.event(FailureEvent { tool: Some("Bash".into()), action, ..failure(text) }, n as i64 * 1000)
        })
        .collect();
    assert!(decisions.iter().all(|d| d.deny.is_none()));
    assert_eq!(levels(&decisions), [Some(2), Some(2), Some(2)]);
}

/// The failure-classifier document's rule 4, from the journal's own history.
#[test]
fn the_third_failure_with_the_same_output_is_a_design_problem() {
    for pack in PackName::ALL {
        let mut life = Life::new(pack);
        let output = || Some("1 of 3 at 2026-01-24".to_owned());
        let event = || FailureEvent { test_output: output(), ..failure("it is 10:00:01 and it broke") };
        let classes: Vec<_> = (0..3).map(|n| life.event(event(), n * 1000).classification.unwrap().class).collect();
        assert_eq!(classes, [Class::F2, Class::F2, Class::F3], "{pack}");
    }
}

#[test]
fn a_siblings_history_does_not_hide_the_tasks_own() {
    let mut life = Life::new(PackName::Field);
    let node = || serde_json::from_str(r#"{"id":"T-1","parent_id":"S"}"#).unwrap();
    let sibling = || serde_json::from_str(r#"{"node":"T-2","parent":"S","event":"execution_failed"}"#).unwrap();
    let mut escalates = Vec::new();
    for (n, text) in ["odd", "quite another thing", "and a third"].into_iter().enumerate() {
        let event = FailureEvent { node: Some(node()), history: vec![sibling()], ..failure(text) };
        escalates.push(life.event(event, n as i64 * 1000).diagnosis.unwrap().recovery_action.escalate);
    }
    assert_eq!(escalates, [false, true, true], "the second unknown failure escalates");
}

#[test]
fn what_works_after_force_done_still_waits_for_a_person() {
    let mut life = Life::new(PackName::Documented);
    life.fails("assertion", 0);
    life.fails("assertion of another kind", 10_000_000);
    let decision = life.event(FailureEvent::default(), 10_000_001);
    assert!(decision.next.sentence.contains("recovery reset"), "{}", decision.next.sentence);
    assert!(life.state.is_stuck() && life.state.failures == 2);
}

fn texts() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "read ECONNRESET",
        "assertion failed",
        "syntax error",
        "Maximum context length exceeded",
        "HTTP 429, retry-after: 20",
        "permission denied",
        "something odd",
        "",
        "\u{1b}[31mexpected \u{0} é",
    ])
    .prop_map(str::to_owned)
}

fn events() -> impl Strategy<Value = FailureEvent> {
    let words = prop::option::of(prop::sample::select(vec!["one way", "another way", "one way again"]));
    (texts(), prop_oneof![Just(0i64), Just(1), Just(124)], words, any::<bool>(), any::<bool>()).prop_map(
        |(stderr_tail, exit_code, approach, idempotent, acts)| FailureEvent {
            stderr_tail,
            exit_code,
            approach: approach.map(str::to_owned),
            idempotent: Some(idempotent),
            action: acts.then(|| "make all".to_owned()),
            ..FailureEvent::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Same input, same history, same clock value: same bytes. And a journal that went through JSON goes on the same.
    #[test]
    fn the_same_life_gives_the_same_bytes(story in prop::collection::vec((events(), 0i64..2_000_000), 1..12)) {
        for pack in PackName::ALL {
            let mut life = Life::new(pack);
            let mut now = 0;
            for (event, later) in &story {
                now += later;
                let read_back: Vec<Entry> = life
                    .entries
                    .iter()
                    .map(|entry| serde_json::from_str(&serde_json::to_string(entry).unwrap()).unwrap())
                    .collect();
                let restored = TaskState::of(&read_back);
                prop_assert_eq!(&restored, &life.state);
                let again = life.engine.decide("TASK-1", &restored, &admit(event.clone()), None, Timestamp::from_ms(now));
                let decision = life.event(event.clone(), now);
                prop_assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&decision).unwrap());
            }
        }
    }

    /// Until it works or a person resets it, the level of a task never falls.
    #[test]
    fn levels_never_fall(story in prop::collection::vec((events(), 0i64..100_000), 1..20)) {
        let mut life = Life::new(PackName::Field);
        let (mut now, mut before) = (0, None);
        for (event, later) in story {
            now += later;
            let worked = event.exit_code == 0;
            let decision = life.event(event, now);
            if worked && decision.ladder.level.is_none() {
                before = None;
            } else {
                prop_assert!(decision.ladder.level >= before);
                before = decision.ladder.level;
            }
        }
    }
}
