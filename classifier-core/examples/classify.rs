//! Classifies one failure: is a retry enough, or does something have to change?

use classifier_core::{Config, Facts, classify};
use recovery_types::{Class, FailureEvent};

fn main() {
    let event = FailureEvent { exit_code: 1, stderr_tail: "read ECONNRESET".into(), ..Default::default() };
    let answer = classify(&event, &Facts::from_patterns(&event), &Config::default()).expect("exit code 1 is a failure");
    assert_eq!(answer.class, Class::F1);
    println!("{:?}: {}", answer.class, answer.evidence.join(", "));
}
