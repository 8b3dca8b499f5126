//! Classifies one failure: is a retry enough, or does something have to change?

use classifier_core::{Config, Facts, classify};
use recovery_types::{Class, FailureEvent};

fn main() {
    let event = FailureEvent::new(1, "read ECONNRESET");
    let answer = classify(&event, &Facts::from_patterns(&event), &Config::default()).expect("exit code 1 is a failure");
    assert_eq!(answer.class, Class::F1);
    println!("{:?}: {}", answer.class, answer.evidence.join(", "));
}
