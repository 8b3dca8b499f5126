//! Memory is allocated for records, and for nothing else.

use allocation_counter::measure;
use escalation::{Input, Ladder, LadderFailure, Policy};
use recovery_types::{ErrorType, Judge, Timestamp};

fn failure() -> Input {
    Input::Failure(LadderFailure {
        step: Some("step3".into()),
        message: Some("connect ETIMEDOUT".into()),
        approach: Some("fetch with axios".into()),
        ..LadderFailure::new(ErrorType::NetworkTimeout)
    })
}

#[test]
fn a_step_that_changes_nothing_allocates_nothing() {
    let mut ladder = Ladder::new(Policy::default(), "TASK-1");
    ladder.handle(failure(), Timestamp::from_ms(0));
    let judge = Judge { evidence_of_completion: Some(9), goal_alignment: Some(20), verdict: None };
    let allocated = measure(|| {
        for now in 0..1000 {
            for input in [Input::Tick, Input::Judge(judge), Input::Loop { similar: 2 }] {
                ladder.handle(input, Timestamp::from_ms(now));
            }
            ladder.handle_timeout(Timestamp::from_ms(now));
            assert!(ladder.poll_timeout().is_some());
        }
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_step_with_a_record_allocates_for_it_and_the_state_it_leaves() {
    let mut ladder = Ladder::new(Policy::default(), "TASK-1");
    // The queue of records gets its memory once.
    ladder.handle(failure(), Timestamp::from_ms(0));
    while ladder.poll_transition().is_some() {}
    for now in 1..9 {
        let input = failure();
        let step = measure(|| ladder.handle(input, Timestamp::from_ms(now))).count_total;
        let record = ladder.poll_transition().expect("each failure moves it");
        let mut copies = (None, None);
        let both = measure(|| copies = (Some(record.clone()), ladder.state().cloned())).count_total;
        assert!(step <= both, "step {now}: {step} allocations for a record and a state of {both}");
    }
}
