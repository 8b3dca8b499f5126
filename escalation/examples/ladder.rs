//! Climbs the ladder in virtual time: what happens, and when.

use escalation::{Input, Ladder, LadderFailure, Policy};
use recovery_types::{ErrorType, Timestamp};

fn main() {
    let mut ladder = Ladder::new(Policy::default(), "TASK-1");
    for at_ms in [0, 1_000, 3_000, 7_000] {
        ladder.handle(Input::Failure(LadderFailure::new(ErrorType::NetworkTimeout)), Timestamp::from_ms(at_ms));
        while let Some(step) = ladder.poll_transition() {
            println!("{at_ms:>5} ms: level {:?} -> {:?}", step.from, step.to);
        }
    }
}
