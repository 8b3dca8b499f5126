//! The recovery action that the failure-type document prescribes for each failure type and number of attempts.

use recovery_types::{FailureType, RecoveryAction, RecoveryVerb};

/// The third failed verification is skipped.
const VERIFICATION_ATTEMPTS: u32 = 3;
/// The second unknown failure is escalated to a person.
const UNKNOWN_ATTEMPTS: u32 = 2;

/// The recovery action for the failure type after `attempts` failures, this one included.
#[must_use]
pub fn recovery_action(failure_type: FailureType, attempts: u32, last_good_commit: Option<&str>) -> RecoveryAction {
    use RecoveryVerb::{Continue, Escalate, Retry, Rollback, Skip};
    let act = |action, escalate, reason: String| RecoveryAction { action, escalate, reason };
    match failure_type {
        FailureType::BrokenBuild => match last_good_commit {
            Some(commit) => act(Rollback, false, format!("the build is broken: go back to {commit}, then fix")),
            None => act(Escalate, true, "the build is broken and no good commit is known".into()),
        },
        FailureType::VerificationFailed if attempts < VERIFICATION_ATTEMPTS => act(
            Retry,
            false,
            format!("verification failed, attempt {attempts} of {VERIFICATION_ATTEMPTS}: try differently"),
        ),
        FailureType::VerificationFailed => act(Skip, true, format!("verification failed {attempts} times")),
        FailureType::CircularFix => act(Skip, true, "the same approach keeps failing".into()),
        FailureType::ContextExhausted => act(Continue, false, "commit what there is and go on in a new session".into()),
        FailureType::Unknown if attempts < UNKNOWN_ATTEMPTS => {
            act(Retry, false, "an unknown failure is tried once more".into())
        }
        FailureType::Unknown => act(Escalate, true, format!("an unknown failure, {attempts} times")),
    }
}
