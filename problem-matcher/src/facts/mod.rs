//! What the next step needs to know beside the problems: how long to wait, until when, what to install.
//!
//! Each fact is read from the words that tools put around it, never from a bare number. Of several, the first
//! missing thing counts (later ones follow from it), and the last wait, reset time and status (earlier ones are past).
//! Literals are looked for first; nothing is compiled at start. Total over any text; of a huge one, the first and the last
//! [`WINDOW_BYTES`] are read.
//!
//! A new way to name a missing thing is a row in `missing`, a new word for a wait one in `wait`; `moment` and `zone` turn what
//! is stated into a time.

mod cursor;
mod missing;
mod moment;
mod span;
mod status;
mod wait;
mod zone;

use recovery_types::Timestamp;
use recovery_types::ansi::strip_ansi;
use recovery_types::diagnosis::{Diagnosis, Missing};

/// How much of each end of the text is read.
pub const WINDOW_BYTES: usize = 512 * 1024;

/// The facts found in an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextFacts {
    /// How long the server asked to wait.
    pub retry_after_ms: Option<u64>,
    /// When the quota is renewed.
    pub resets_at: Option<Timestamp>,
    /// What is missing.
    pub missing: Option<Missing>,
    /// The HTTP status of the last answer that was an error.
    pub http_status: Option<u16>,
}

impl TextFacts {
    /// Writes them into a diagnosis of the same text.
    pub fn add_to(self, diagnosis: &mut Diagnosis) {
        diagnosis.retry_after_ms = self.retry_after_ms;
        diagnosis.resets_at = self.resets_at;
        diagnosis.missing = self.missing;
        diagnosis.http_status = self.http_status;
    }
}

/// The facts in `text`, clock times without a zone taken as UTC. See [`extract_in`].
///
/// ```
/// use problem_matcher::facts::extract;
/// assert_eq!(extract("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 20\r\n", None).retry_after_ms, Some(20_000));
/// ```
#[must_use]
pub fn extract(text: &str, now: Option<Timestamp>) -> TextFacts {
    extract_in(text, now, None)
}

/// The facts in `text`. Times of day, weekdays and days of the year become the next such moment after `now`; without `now`
/// only complete ones are read.
///
/// `local_zone` is the zone of the machine that printed the text, as an IANA name (`Europe/Berlin`) or an offset (`+05:30`):
/// tools print local clock times, so a caller on the same machine passes its own. It is used only for times without a zone
/// of their own; without it, or where it is unknown, they are taken as UTC. Zones are read from a bundled database, never
/// from the system's, so that the same input has the same answer everywhere.
///
/// ```
/// use problem_matcher::facts::extract_in;
/// let now = "2026-01-24T10:00:00Z".parse().ok();
/// let facts = extract_in("You've hit your limit, resets 9:30am (Asia/Kolkata)", now, None);
/// assert_eq!(facts.resets_at, "2026-01-25T04:00:00Z".parse().ok());
/// let facts = extract_in("limit reached, resets 3pm", now, Some("Europe/Berlin"));
/// assert_eq!(facts.resets_at, "2026-01-24T14:00:00Z".parse().ok());
/// ```
#[must_use]
pub fn extract_in(text: &str, now: Option<Timestamp>, local_zone: Option<&str>) -> TextFacts {
    let (head, tail) = (strip_ansi(cursor::head(text, WINDOW_BYTES)), strip_ansi(cursor::tail(text, WINDOW_BYTES)));
    // Offsets in the folded text are offsets in the text: only ASCII letters change.
    let folded = tail.to_ascii_lowercase();
    let clock = moment::Clock { now, local_zone };
    TextFacts {
        retry_after_ms: wait::retry_after_ms(&folded, &clock),
        resets_at: moment::resets_at(&folded, &clock),
        missing: missing::first_missing(&head),
        http_status: status::last_error_status(&folded),
    }
}
