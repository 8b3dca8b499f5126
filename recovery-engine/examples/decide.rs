//! Makes one decision about one failure, in memory.

use recovery_engine::{Engine, PackName, TaskState, admit};
use recovery_types::{FailureEvent, Timestamp};

fn main() {
    let engine = Engine::new(PackName::Field);
    let event = FailureEvent::new(1, "Error: read ECONNRESET");
    let decision = engine.decide("TASK-1", &TaskState::default(), &admit(event), None, Timestamp::from_ms(0));
    println!("{}", decision.next.sentence);
}
