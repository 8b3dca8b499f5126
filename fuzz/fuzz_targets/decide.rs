//! A life of any events: decisions without a panic, and the same ones from a journal that was read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use recovery_engine::{Engine, Entry, PackName, TaskState, admit};
use recovery_types::{FailureEvent, Timestamp};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(PackName::Field));

fuzz_target!(|text: &str| {
    let mut state = TaskState::default();
    for (number, line) in text.lines().take(20).enumerate() {
        let Ok(event) = serde_json::from_str::<FailureEvent>(line) else { continue };
        let event = admit(event);
        let now = Timestamp::from_ms(number as i64 * 7000);
        let decision = ENGINE.decide("task", &state, &event, None, now);
        let entry = Entry::Decided {
            event: Box::new(event),
            observed: None,
            head: None,
            policy: None,
            decision: Box::new(decision),
        };
        let json = serde_json::to_string(&entry).expect("an entry is JSON");
        let read: Entry = serde_json::from_str(&json).expect("and reads back");
        state.apply(&read);
    }
});
