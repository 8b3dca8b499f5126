//! The walk-throughs of the escalation document, and the cases that its text leaves open.

use crate::script::{at, climbs, drain, fails, moves, run};
use escalation::{Input, Ladder, LadderFailure, Policy};
use recovery_types::ladder::{Target, WaitReason};
use recovery_types::{Cause, Command, ErrorType, Judge, Level, Transition};

fn policy() -> Policy {
    Policy::default()
}

fn commands(transitions: &[Transition]) -> Vec<Command> {
    transitions.iter().filter_map(|t| t.command().cloned()).collect()
}

/// Escalation document, level 1: three retries after 1, 2 and 4 s, then level 2.
#[test]
fn network_timeout_is_retried_three_times_then_nudged() {
    let script: Vec<_> = [0, 1500, 4000, 9000].map(|now| (now, fails(ErrorType::NetworkTimeout))).into();
    let done = run(&policy(), &script);
    assert_eq!(moves(&done), [(0, 0, 1), (1500, 1, 1), (4000, 1, 1), (9000, 1, 2)]);
    assert_eq!(
        commands(&done),
        [
            Command::Retry { attempt: 1, not_before: at(1000) },
            Command::Retry { attempt: 2, not_before: at(3500) },
            Command::Retry { attempt: 3, not_before: at(8000) },
            Command::Nudge { variant: 1, of: 3 },
        ]
    );
}

/// Escalation document, level 2: every variant of a path is refused (EPERM), then level 3.
#[test]
fn permission_denied_is_nudged_three_times_then_replanned() {
    let denied = |approach: &str| {
        Input::Failure(LadderFailure {
            approach: Some(approach.into()),
            ..LadderFailure::new(ErrorType::PermissionDenied)
        })
    };
    let script: Vec<_> = [(0, "write out/"), (10, "write tmp/"), (20, "write /tmp/"), (30, "write ~/")]
        .map(|(now, approach)| (now, denied(approach)))
        .into();
    let done = run(&policy(), &script);
    assert_eq!(moves(&done), [(0, 0, 2), (10, 2, 2), (20, 2, 2), (30, 2, 3)]);
    let known_bad = ["write out/", "write tmp/", "write /tmp/", "write ~/"].map(String::from).into();
    assert_eq!(commands(&done)[3], Command::Replan { known_bad });
}

/// Escalation document, level 3: the new plan fails too, then level 4.
#[test]
fn a_failed_plan_goes_to_the_fallback() {
    let done =
        run(&policy(), &[(0, fails(ErrorType::GoalMisalignment)), (60_000, fails(ErrorType::MissingDependency))]);
    assert_eq!(moves(&done), [(0, 0, 3), (60_000, 3, 4)]);
    assert_eq!(commands(&done)[1], Command::Fallback { target: Target::NextModelTier });
}

/// Escalation document, level 4: the other agent is still at it after 20 minutes, then level 5.
#[test]
fn a_fallback_that_takes_too_long_is_force_done() {
    let done = run(&policy(), &[(0, fails(ErrorType::CapabilityMismatch)), (5_000_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 4), (1_200_000, 4, 5)]);
    assert_eq!(done[1].cause, Cause::Deadline);
}

/// Escalation document, level 5: a service that is down cannot be fixed from here.
#[test]
fn an_external_service_that_is_down_is_force_done_at_once() {
    let down = LadderFailure {
        step: Some("fetch rates".into()),
        completed_steps: vec!["parse input".into()],
        message: Some("api.example.com: 521 web server is down".into()),
        ..LadderFailure::new(ErrorType::ExternalServiceDown)
    };
    let done = run(&policy(), &[(0, Input::Failure(down))]);
    assert_eq!(moves(&done), [(0, 0, 5)]);
    let Command::ForceDone { report } = &commands(&done)[0] else { panic!("no report") };
    assert_eq!(report.completed_steps, ["parse input"]);
    assert_eq!(report.failed_at, "fetch rates");
    assert!(report.failure_reason.contains("web server is down"), "{report:?}");
    assert!(report.recommendation.starts_with("Retry when the service is restored"), "{report:?}");
}

/// One 503 is transient; one that outlasts level 1, by attempts or by time, is a service that is down.
#[test]
fn a_service_that_stays_unavailable_for_level_1_is_down() {
    let script: Vec<_> = (0..4).map(|n| (n * 5000, fails(ErrorType::ServiceUnavailable))).collect();
    assert_eq!(moves(&run(&policy(), &script)), [(0, 0, 1), (5000, 1, 1), (10_000, 1, 1), (15_000, 1, 5)]);
    let script = [(0, fails(ErrorType::ServiceUnavailable)), (40_000, Input::Tick)];
    assert_eq!(moves(&run(&policy(), &script)), [(0, 0, 1), (30_000, 1, 5)]);
}

#[test]
fn one_far_tick_gives_every_deadline_at_its_own_time() {
    let done = run(&policy(), &[(0, fails(ErrorType::NetworkTimeout)), (100_000_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 1), (30_000, 1, 2), (330_000, 2, 3), (1_230_000, 3, 4), (2_430_000, 4, 5)]);
    assert!(done[1..].iter().all(|t| t.cause == Cause::Deadline));
}

#[test]
fn a_deadline_at_an_inputs_time_fires_first() {
    let done = run(&policy(), &[(0, fails(ErrorType::NetworkTimeout)), (30_000, fails(ErrorType::NetworkTimeout))]);
    assert_eq!(moves(&done), [(0, 0, 1), (30_000, 1, 2), (30_000, 2, 2)]);
    let done = run(&policy(), &[(0, fails(ErrorType::NetworkTimeout)), (29_999, fails(ErrorType::NetworkTimeout))]);
    assert_eq!(moves(&done), [(0, 0, 1), (29_999, 1, 1)]);
}

#[test]
fn a_failure_with_a_higher_entry_level_lifts_and_does_not_count() {
    let script = [
        (0, fails(ErrorType::NetworkTimeout)),
        (1, fails(ErrorType::FileNotFound)),
        (2, fails(ErrorType::NetworkTimeout)),
        (3, fails(ErrorType::NetworkTimeout)),
        (4, fails(ErrorType::NetworkTimeout)),
    ];
    assert_eq!(moves(&run(&policy(), &script)), [(0, 0, 1), (1, 1, 2), (2, 2, 2), (3, 2, 2), (4, 2, 3)]);
}

#[test]
fn a_non_idempotent_action_never_enters_level_1() {
    let failure = LadderFailure { idempotent: false, ..LadderFailure::new(ErrorType::NetworkTimeout) };
    assert_eq!(moves(&run(&policy(), &[(0, Input::Failure(failure))])), [(0, 0, 2)]);
}

#[test]
fn judges_fail_below_their_thresholds_only() {
    let judge = |evidence, goal| {
        Input::Judge(Judge { evidence_of_completion: Some(evidence), goal_alignment: Some(goal), verdict: None })
    };
    let entered = |input| run(&policy(), &[(0, input)]).first().map(|t| (t.cause, t.to.unwrap().number()));
    assert_eq!(entered(judge(8, 15)), None);
    assert_eq!(entered(judge(7, 15)), Some((Cause::Judge, 2)));
    assert_eq!(entered(judge(8, 14)), Some((Cause::Judge, 3)));
    assert_eq!(entered(judge(0, 0)), Some((Cause::Judge, 3)));
    assert_eq!(entered(Input::Judge(Judge::default())), None);
    // At level 2 a verdict of level 2 is one failed variant.
    let script = [(0, judge(7, 15)), (1, judge(7, 15)), (2, judge(7, 15)), (3, judge(7, 15))];
    assert_eq!(moves(&run(&policy(), &script)), [(0, 0, 2), (1, 2, 2), (2, 2, 2), (3, 2, 3)]);
}

#[test]
fn loops_only_lift() {
    let looped = |similar| Input::Loop { similar };
    assert_eq!(moves(&run(&policy(), &[(0, looped(2))])), []);
    assert_eq!(moves(&run(&policy(), &[(0, looped(3)), (1, looped(4)), (2, looped(5))])), [(0, 0, 3), (2, 3, 4)]);
    assert_eq!(moves(&run(&policy(), &[(0, looped(8)), (1, looped(20))])), [(0, 0, 5)]);
    let script = [(0, fails(ErrorType::NetworkTimeout)), (1, looped(7))];
    assert_eq!(moves(&run(&policy(), &script)), [(0, 0, 1), (1, 1, 4)]);
}

#[test]
fn the_entry_level_is_the_highest_of_matrix_judge_and_loop() {
    let failure = LadderFailure {
        judge: Some(Judge { evidence_of_completion: Some(3), goal_alignment: None, verdict: None }),
        similar: 5,
        ..LadderFailure::new(ErrorType::NetworkTimeout)
    };
    assert_eq!(policy().entry_level(&failure), Level::Fallback);
    assert_eq!(policy().entry_level(&LadderFailure { similar: 0, ..failure.clone() }), Level::Nudge);
    let given = LadderFailure { entry_level: Some(Level::Replan), similar: 0, judge: None, ..failure };
    assert_eq!(policy().entry_level(&given), Level::Replan);
    let mut own = policy();
    own.entry.insert(ErrorType::NetworkTimeout, Level::Fallback);
    assert_eq!(own.entry_level(&LadderFailure::new(ErrorType::NetworkTimeout)), Level::Fallback);
}

#[test]
fn success_ends_the_ladder_and_the_next_failure_starts_a_new_one() {
    let script = [
        (0, fails(ErrorType::FileNotFound)),
        (10, Input::Success),
        (20, Input::Success),
        (30, fails(ErrorType::NetworkTimeout)),
    ];
    let done = run(&policy(), &script);
    assert_eq!(moves(&done), [(0, 0, 2), (10, 2, 0), (30, 0, 1)]);
    assert_eq!(done[1].command(), None);
}

#[test]
fn nothing_moves_after_force_done_until_a_person_resets() {
    let script = [
        (0, fails(ErrorType::MissingCredentials)),
        (1, fails(ErrorType::NetworkTimeout)),
        (2, Input::Success),
        (3, Input::Loop { similar: 9 }),
        (9_000_000, Input::Tick),
        (9_000_001, Input::Reset { reason: "token renewed".into() }),
        (9_000_002, fails(ErrorType::NetworkTimeout)),
    ];
    let done = run(&policy(), &script);
    assert_eq!(moves(&done), [(0, 0, 5), (9_000_001, 5, 0), (9_000_002, 0, 1)]);
    assert_eq!(done[1].reason.as_deref(), Some("token renewed"));
}

#[test]
fn a_servers_delay_stops_the_levels_clock() {
    let limited = LadderFailure { retry_after_ms: Some(60_000), ..LadderFailure::new(ErrorType::RateLimit) };
    let done = run(&policy(), &[(0, Input::Failure(limited)), (10_000_000, Input::Tick)]);
    assert_eq!(climbs(&done)[..2], [(0, 0, 1), (90_000, 1, 2)]);
    let then = Box::new(Command::Retry { attempt: 1, not_before: at(60_000) });
    assert_eq!(commands(&done)[0], Command::WaitUntil { until: at(60_000), reason: WaitReason::RetryAfter, then });
}

/// Whoever does not wait gets back only the time that really passed.
#[test]
fn a_wait_that_was_cut_short_stops_the_clock_no_longer_than_it_lasted() {
    let limited = LadderFailure { retry_after_ms: Some(60_000), ..LadderFailure::new(ErrorType::RateLimit) };
    let script = [(0, Input::Failure(limited)), (10_000, fails(ErrorType::NetworkTimeout)), (10_000_000, Input::Tick)];
    assert_eq!(climbs(&run(&policy(), &script))[..2], [(0, 0, 1), (40_000, 1, 2)]);
}

#[test]
fn a_quota_with_a_reset_time_is_waited_for() {
    let quota = LadderFailure { resets_at: Some(at(3_600_000)), ..LadderFailure::new(ErrorType::QuotaExhausted) };
    let done = run(&policy(), &[(0, Input::Failure(quota.clone())), (3_600_000 + 30_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 1), (3_630_000, 1, 2)]);
    assert!(matches!(
        commands(&done)[0],
        Command::WaitUntil { until, reason: WaitReason::QuotaReset, .. } if until == at(3_600_000)
    ));
    // Without a time there is nothing to wait for.
    assert_eq!(moves(&run(&policy(), &[(0, fails(ErrorType::QuotaExhausted))])), [(0, 0, 5)]);
}

#[test]
fn a_stated_time_that_has_passed_is_no_wait() {
    for failure in [
        LadderFailure { retry_after_ms: Some(0), ..LadderFailure::new(ErrorType::RateLimit) },
        LadderFailure { resets_at: Some(at(5000)), ..LadderFailure::new(ErrorType::QuotaExhausted) },
    ] {
        let done = run(&policy(), &[(5000, Input::Failure(failure))]);
        assert_eq!(commands(&done), [Command::Retry { attempt: 1, not_before: at(6000) }]);
    }
}

#[test]
fn a_wait_beyond_the_session_budget_is_force_done_with_the_resume_time() {
    let budget = Policy { session_budget_ms: Some(600_000), ..policy() };
    let quota = LadderFailure { resets_at: Some(at(3_600_000)), ..LadderFailure::new(ErrorType::QuotaExhausted) };
    let done = run(&budget, &[(0, Input::Failure(quota))]);
    assert_eq!(moves(&done), [(0, 0, 5)]);
    assert_eq!(done[0].cause, Cause::SessionBudget);
    let Command::ForceDone { report } = &commands(&done)[0] else { panic!("no report") };
    assert!(report.recommendation.starts_with("Resume at 1970-01-01T01:00:00.000Z"), "{report:?}");
    // A wait that just fits is kept.
    let fits = LadderFailure { retry_after_ms: Some(600_000), ..LadderFailure::new(ErrorType::RateLimit) };
    let done = run(&budget, &[(0, Input::Failure(fits)), (700_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 1), (600_000, 1, 5)]);
}

#[test]
fn the_session_budget_bites_at_its_instant() {
    let budget = Policy { session_budget_ms: Some(100_000), ..policy() };
    let done = run(&budget, &[(0, fails(ErrorType::NetworkTimeout)), (1_000_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 1), (30_000, 1, 2), (100_000, 2, 5)]);
    assert_eq!(done[2].cause, Cause::SessionBudget);
}

#[test]
fn a_pause_stops_the_levels_clock_until_the_ladder_moves() {
    let pause = || Input::Pause { reason: "two tasks collided".into() };
    let script = [
        (0, fails(ErrorType::NetworkTimeout)),
        (10_000, pause()),
        (20_000, pause()),
        (5_000_000, Input::Tick),
        (6_000_000, fails(ErrorType::NetworkTimeout)),
        (7_000_000, Input::Tick),
    ];
    let done = run(&policy(), &script);
    assert_eq!(moves(&done)[..4], [(0, 0, 1), (10_000, 1, 1), (6_000_000, 1, 1), (6_020_000, 1, 2)]);
    assert_eq!(done[1].command(), None);
}

#[test]
fn levels_with_nothing_to_try_are_passed_over_and_recorded_as_such() {
    let mut own = policy();
    own.nudge.variants = 0;
    own.fallback.targets.clear();
    let done = run(&own, &[(0, fails(ErrorType::NetworkTimeout)), (9_000_000, Input::Tick)]);
    assert_eq!(moves(&done), [(0, 0, 1), (30_000, 1, 3), (930_000, 3, 5)]);
    assert_eq!(done[1].passed_over, [Level::Nudge]);
    assert_eq!(done[2].passed_over, [Level::Fallback]);
    let Command::ForceDone { report } = done[2].command().unwrap() else { panic!("no report") };
    assert_eq!(report.escalation_path, [Level::Retry, Level::Replan, Level::ForceDone]);
}

#[test]
fn each_target_of_the_fallback_gets_one_failure() {
    let mut own = policy();
    own.fallback.targets = vec![Target::Agent("devops-troubleshooter".into()), Target::Model("opus".into())];
    let script: Vec<_> = (0..3).map(|n| (n, fails(ErrorType::CapabilityMismatch))).collect();
    let done = run(&own, &script);
    assert_eq!(moves(&done), [(0, 0, 4), (1, 4, 4), (2, 4, 5)]);
    assert_eq!(commands(&done)[1], Command::Fallback { target: Target::Model("opus".into()) });
}

#[test]
fn an_idle_ladder_wants_no_wake_up() {
    let mut ladder = Ladder::new(policy(), "TASK-1");
    assert_eq!(ladder.poll_timeout(), None);
    ladder.handle_timeout(at(i64::MAX));
    assert_eq!(drain(&mut ladder), []);
}
