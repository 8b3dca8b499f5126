//! The records' shapes, the report and the notes for the memory files.

use crate::script::{any_input, any_policy, at, drain, run};
use escalation::{Input, Ladder, LadderFailure, Policy};
use proptest::prelude::*;
use recovery_types::ladder::MemoryNote;
use recovery_types::{Command, ErrorType, ForceDoneReport, Level};

fn story() -> Vec<(i64, Input)> {
    let failure = LadderFailure {
        step: Some("step3".into()),
        completed_steps: vec!["step1".into(), "step2".into()],
        message: Some("connect ETIMEDOUT 10.0.0.7:443".into()),
        approach: Some("fetch with axios".into()),
        ..LadderFailure::new(ErrorType::NetworkTimeout)
    };
    vec![(0, Input::Failure(failure)), (10_000_000, Input::Tick)]
}

/// Escalation document, TaskUpdate protocol and output contract: the same keys in the same order.
#[test]
fn every_level_has_the_documented_record() {
    let records = run(&Policy::default(), &story());
    let updates: Vec<_> = records.iter().map(|t| t.update.as_ref()).collect();
    insta::assert_json_snapshot!("task_updates", updates);
    insta::assert_json_snapshot!("force_done", records[4].command());
    insta::assert_json_snapshot!("transition", records[1]);
}

#[test]
fn ends_are_recorded_with_the_level_that_ended() {
    let reset = Input::Reset { reason: "start over".into() };
    let script = [
        (0, Input::Failure(LadderFailure::new(ErrorType::NetworkTimeout))),
        (31_000, Input::Success),
        (32_000, Input::Failure(LadderFailure::new(ErrorType::FileNotFound))),
        (33_000, reset),
    ];
    let ends: Vec<_> =
        run(&Policy::default(), &script).into_iter().filter(|t| t.to.is_none()).map(|t| t.update).collect();
    insta::assert_json_snapshot!("ends", ends);
}

#[test]
fn force_done_is_noted_with_its_root_cause() {
    let records = run(&Policy::default(), &story());
    assert!(records[..4].iter().all(|t| t.memory.is_empty()));
    insta::assert_json_snapshot!("issue", records[4].memory);
}

#[test]
fn an_error_that_no_rule_knew_is_noted_once() {
    let unknown = |message: &str| {
        Input::Failure(LadderFailure { message: Some(message.into()), ..LadderFailure::new(ErrorType::Other) })
    };
    let script =
        [(0, unknown("flux capacitor misaligned")), (1, unknown("flux capacitor misaligned")), (2, unknown("other"))];
    let notes: Vec<_> = run(&Policy::default(), &script).into_iter().map(|t| t.memory.len()).collect();
    assert_eq!(notes, [1, 0, 1]);
    let records = run(&Policy::default(), &script);
    let MemoryNote::Learning { message, .. } = &records[0].memory[0] else { panic!("no learning") };
    assert_eq!(message, "flux capacitor misaligned");
    assert_eq!(records[0].memory[0].file(), "learnings.md");
}

/// Steps and approaches add up over the climb; what a later failure leaves out is kept.
#[test]
fn what_was_said_once_stays_known() {
    let failed = |step: Option<&str>, done: &str, approach: &str| {
        Input::Failure(LadderFailure {
            step: step.map(String::from),
            completed_steps: vec![done.into()],
            approach: Some(approach.into()),
            ..LadderFailure::new(ErrorType::FileNotFound)
        })
    };
    let script = [
        (0, failed(Some("step3"), "step1", "npm ci")),
        (1, failed(None, "step2", "yarn install")),
        (2, failed(None, "step1", " npm ci\n")),
        (3, Input::Loop { similar: 8 }),
    ];
    let records = run(&Policy::default(), &script);
    let last = records[3].climb.as_ref().unwrap();
    assert_eq!(last.known_bad, ["npm ci", "yarn install"]);
    let Command::ForceDone { report } = &last.command else { panic!("no report") };
    assert_eq!(
        (report.failed_at.as_str(), report.completed_steps.as_slice()),
        ("step3", ["step1", "step2"].map(String::from).as_slice())
    );
}

/// What a command was doing when its time was up is not why it failed, and its error type's remedy would not help.
#[test]
fn a_command_that_ran_past_its_limit_needs_time() {
    let failure = |overran: bool| LadderFailure {
        message: Some("it ran past its limit".into()),
        entry_level: Some(Level::ForceDone),
        overran,
        ..LadderFailure::new(ErrorType::NetworkTimeout)
    };
    let told = |overran: bool| {
        let records = run(&Policy::default(), &[(0, Input::Failure(failure(overran)))]);
        let Some(Command::ForceDone { report }) = records[0].command() else { panic!("no report") };
        let remedy = report.recommendation.split(',').next().unwrap().to_owned();
        (report.failure_reason.clone(), remedy)
    };
    let says = |reason: &str, remedy: &str| (reason.to_owned(), remedy.to_owned());
    assert_eq!(told(true), says("it ran past its limit", "Give it more time or find out what it waits for"));
    assert_eq!(told(false), says("network_timeout: it ran past its limit", "Retry when the service is restored"));
}

#[test]
fn a_log_is_not_an_error_message() {
    let long =
        LadderFailure { message: Some("é".repeat(50_000)), ..LadderFailure::new(ErrorType::MissingCredentials) };
    let records = run(&Policy::default(), &[(0, Input::Failure(long))]);
    let Some(Command::ForceDone { report }) = records[0].command() else { panic!("no report") };
    assert!(report.failure_reason.chars().count() < 1100);
}

fn has_no_empty_field(report: &ForceDoneReport) -> bool {
    let ForceDoneReport { status: _, completed_steps, failed_at, failure_reason, escalation_path, recommendation } =
        report;
    let texts = completed_steps.iter().chain([failed_at, failure_reason, recommendation]);
    !completed_steps.is_empty() && !escalation_path.is_empty() && texts.clone().all(|text| !text.trim().is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_field_of_a_report_is_ever_empty(
        policy in any_policy(),
        inputs in proptest::collection::vec(any_input(), 0..6),
        step in proptest::option::of("[ \tx]{0,3}"),
        message in proptest::option::of("\\PC{0,5}"),
        steps in proptest::collection::vec("[ x]{0,2}", 0..3),
        error in proptest::sample::select(ErrorType::ALL),
    ) {
        let mut ladder = Ladder::new(policy, "TASK-1");
        let failure = LadderFailure { step, message, completed_steps: steps, ..LadderFailure::new(error) };
        ladder.handle(Input::Failure(failure), at(0));
        for (now, input) in (1..).zip(inputs) {
            ladder.handle(input, at(now));
        }
        ladder.handle(Input::Loop { similar: 8 }, at(100));
        for t in drain(&mut ladder) {
            if let Some(Command::ForceDone { report }) = t.command() {
                prop_assert!(has_no_empty_field(report), "{:?}", report);
                prop_assert_eq!(t.to.map(|l| l.number()), Some(5));
            }
        }
        prop_assert!(ladder.state().is_some_and(|climb| climb.is_done()));
    }
}
