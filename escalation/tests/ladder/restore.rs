//! A ladder restored from any prefix of the records has the same future as one that never stopped.

use crate::script::{any_policy, any_script, at, drain, stepping_back};
use escalation::{Ladder, Policy};
use proptest::prelude::*;
use recovery_types::Transition;

/// The last record of a prefix, as a journal gives it back.
fn from_journal(record: Option<&Transition>) -> Option<Transition> {
    record.map(|record| serde_json::from_str(&serde_json::to_string(record).unwrap()).unwrap())
}

fn restored(policy: &Policy, last: Option<&Transition>) -> Ladder {
    Ladder::restore(policy.clone(), "TASK-1", from_journal(last).as_ref())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_prefix_has_the_same_future(policy in any_policy(), script in stepping_back(any_script())) {
        let mut ladder = Ladder::new(policy.clone(), "TASK-1");
        // Each record with the input that brought it about.
        let mut records = Vec::new();
        for (index, (now, input)) in script.iter().enumerate() {
            ladder.handle(input.clone(), at(*now));
            records.extend(drain(&mut ladder).into_iter().map(|record| (index, record)));
        }
        for kept in 0..=records.len() {
            let mut again = restored(&policy, records[..kept].last().map(|(_, record)| record));
            // The input whose records were not all kept is delivered again.
            let next = records.get(kept).map_or(script.len(), |(index, _)| *index);
            for (now, input) in &script[next..] {
                again.handle(input.clone(), at(*now));
            }
            let future: Vec<_> = records[kept..].iter().map(|(_, record)| record.clone()).collect();
            prop_assert_eq!(drain(&mut again), future);
            prop_assert_eq!(again.state(), ladder.state());
            prop_assert_eq!(again.poll_timeout(), ladder.poll_timeout());
        }
    }
}

#[test]
fn without_a_record_it_is_idle() {
    let ladder = restored(&Policy::default(), None);
    assert_eq!((ladder.state(), ladder.poll_timeout()), (None, None));
}
