//! Holds: actions that are denied because the identical call failed identically again and again.
//!
//! In: a task's state and the call that an agent is about to make. Out: whether to deny it, and until when. Most holds
//! end when something in the project changes. A transient failure leaves no such sign, so for one only repeating it
//! without a pause is denied, and only as long as that pause. Reasons against a hold that need more than the state are
//! checked by the caller (`recovery-service/src/hook/exempt.rs`).

use crate::Engine;
use crate::decision::Denial;
use crate::state::{Attempt, TaskState};
use crate::text::headline;
use recovery_types::digest::sha256_hex;
use recovery_types::{Class, Diagnosis, FailureEvent, Timestamp};

/// The number of identical failures after which an action is denied, the last one included; one more if it is
/// transient.
const FAILURES_BEFORE_HOLD: usize = 3;
/// After an interval of this length, repeating a failure of an external service is not a loop. It is also the duration
/// of the denial if the server does not state a wait.
pub const PAUSE_MS: u64 = 30_000;
/// Failures further apart than this are no loop, of whatever type: changes in between may be unknown.
pub(crate) const MAX_INTERVAL_MS: u64 = 10 * 60_000;

/// The identity of an action: SHA-256 over the tool and its arguments, whitespace aside. Nothing else is normalised: an
/// action that is only similar to another one must never be denied for it.
///
/// ```
/// use recovery_engine::action_fingerprint;
/// let of = |action| action_fingerprint(Some("Bash"), action);
/// assert_eq!(of("make  check "), of("make check"));
/// assert_ne!(of("curl :3000/health"), of("curl :4000/health"));
/// assert_ne!(of("echo 'a  b'"), of("echo 'a b'"));
/// ```
#[must_use]
pub fn action_fingerprint(tool: Option<&str>, action: &str) -> String {
    // Between quotes, and from line to line, whitespace is significant.
    let has_meaning = action.trim().contains(['\'', '"', '\\', '\n', '`']);
    let plain =
        if has_meaning { action.trim().to_owned() } else { action.split_whitespace().collect::<Vec<_>>().join(" ") };
    sha256_hex(format!("{}\n{plain}", tool.unwrap_or_default()).as_bytes())
}

impl crate::Decision {
    /// The number of identical failures in a row that deny the action, this one included.
    #[must_use]
    pub fn held_after(&self) -> usize {
        let is_transient = self.classification.as_ref().is_some_and(|class| class.class == Class::F1);
        match self.diagnosis.as_ref().and_then(|diagnosis| diagnosis.resets_at) {
            Some(at) if at > self.at => FAILURES_BEFORE_HOLD - 1,
            _ => FAILURES_BEFORE_HOLD + usize::from(is_transient),
        }
    }
}

impl Engine {
    /// An action that failed identically again and again, while no change is known, is denied: until the end of the
    /// ladder's `wait` if there is one, until the time that the server stated if it did, otherwise for the configured
    /// duration.
    pub(crate) fn deny(
        &self,
        past: &TaskState,
        event: &FailureEvent,
        diagnosis: &Diagnosis,
        transient: bool,
        wait: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<Denial> {
        let fingerprint = action_fingerprint(event.tool.as_deref(), event.action.as_deref()?);
        let pause_ms = diagnosis.retry_after_ms.unwrap_or(PAUSE_MS);
        let in_a_row_ms = if transient { pause_ms } else { MAX_INTERVAL_MS };
        let mut next_at = now;
        let problems = crate::problems::problems(&event.stderr_tail);
        let mut progress = crate::problems::progress(&event.stderr_tail);
        let same_outcome = |attempt: &&Attempt| {
            let is_in_a_row = next_at.since(attempt.at) < in_a_row_ms;
            next_at = attempt.at;
            // Further than before: it resumes, and each run does a part of the work.
            let got_further = attempt.progress.is_some() && progress > attempt.progress;
            progress = attempt.progress;
            is_in_a_row
                && !got_further
                && attempt.fingerprint == diagnosis.fingerprint
                && attempt.exit_code == event.exit_code
                && attempt.problems == problems
                && past.changed_at.is_none_or(|changed| attempt.at > changed)
        };
        let identical = 1 + past
            .attempts
            .iter()
            .rev()
            .filter(|attempt| attempt.is_of(&fingerprint))
            .take_while(same_outcome)
            .count();
        let resets_at = diagnosis.resets_at.filter(|at| *at > now);
        // As in `held_after`, which the caller has only after this decision.
        let (enough, until) = match resets_at {
            // The server stated a time: one run is allowed to confirm it.
            Some(at) => (FAILURES_BEFORE_HOLD - 1, at),
            None if transient => (FAILURES_BEFORE_HOLD + 1, now.plus_ms(pause_ms.min(self.deny_ms))),
            None => (FAILURES_BEFORE_HOLD, now.plus_ms(self.deny_ms)),
        };
        (identical >= enough).then(|| Denial {
            action: fingerprint,
            until: wait.unwrap_or(until),
            reason: format!("it failed {identical} times in the same way: {}", headline(event, diagnosis)),
        })
    }
}
