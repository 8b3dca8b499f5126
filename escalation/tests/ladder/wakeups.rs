//! Late, early, repeated and missing wake-ups, and a clock that steps back, give the same records as punctual ones.

use crate::script::{Script, any_policy, any_script, at, drain, run, stepping_back};
use escalation::{Input, Ladder, Policy};
use proptest::prelude::*;
use recovery_types::Transition;

/// Woken exactly when it asked to be.
fn punctual(policy: &Policy, script: &[(i64, Input)]) -> Vec<Transition> {
    let mut ladder = Ladder::new(policy.clone(), "TASK-1");
    for (now, input) in script {
        while let Some(wake) = ladder.poll_timeout().filter(|wake| *wake <= at(*now)) {
            ladder.handle_timeout(wake);
        }
        ladder.handle(input.clone(), at(*now));
    }
    drain(&mut ladder)
}

/// Woken at any time between two inputs, twice, and in the past.
fn noisy(policy: &Policy, script: &[(i64, Input)], noise: &[(i64, i64)]) -> Vec<Transition> {
    let mut ladder = Ladder::new(policy.clone(), "TASK-1");
    let mut last = 0;
    for ((now, input), (share, back)) in script.iter().zip(noise.iter().cycle()) {
        let between = last + (now - last) * share / 100;
        for wake in [between, between, between - back, i64::MIN, between] {
            ladder.handle_timeout(at(wake));
        }
        ladder.handle(input.clone(), at(*now));
        ladder.handle(Input::Tick, at(now - back));
        last = *now;
    }
    drain(&mut ladder)
}

fn records_never_go_back(records: &[Transition]) -> bool {
    records.windows(2).all(|pair| pair[0].at <= pair[1].at)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wake_ups_change_no_record(
        policy in any_policy(),
        script in any_script(),
        noise in proptest::collection::vec((0i64..=100, 0i64..2_000_000), 1..8),
    ) {
        let expected = punctual(&policy, &script);
        prop_assert_eq!(&run(&policy, &script), &expected);
        prop_assert_eq!(&noisy(&policy, &script, &noise), &expected);
    }

    /// An input whose clock stepped back counts as if it came when the ladder last moved.
    #[test]
    fn a_clock_that_steps_back_is_held(
        policy in any_policy(),
        stepping in stepping_back(any_script()),
    ) {
        let mut ladder = Ladder::new(policy.clone(), "TASK-1");
        let (mut held, mut records) = (Script::new(), Vec::<Transition>::new());
        for (now, input) in stepping {
            held.push((records.last().map_or(now, |last| last.at.ms().max(now)), input.clone()));
            ladder.handle(input, at(now));
            records.extend(drain(&mut ladder));
        }
        prop_assert!(records_never_go_back(&records));
        prop_assert_eq!(run(&policy, &held), records);
    }

    #[test]
    fn no_time_panics(policy in any_policy(), script in any_script(), times in proptest::collection::vec(any::<i64>(), 25)) {
        let script: Script = script.into_iter().zip(times).map(|((_, input), now)| (now, input)).collect();
        prop_assert!(records_never_go_back(&run(&policy, &script)));
    }
}
