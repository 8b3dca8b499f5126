//! What the rules need to know beyond the event itself.

use recovery_types::FailureEvent;
use recovery_types::digest::sha256_hex;

/// What the output says, in plain words, from whoever read it.
///
/// ```
/// use classifier_core::Facts;
/// use recovery_types::FailureEvent;
/// let event = FailureEvent { exit_code: 1, stderr_tail: "HTTP 429, TypeError".into(), ..Default::default() };
/// let facts = Facts::from_patterns(&event);
/// assert_eq!(facts.transient.as_deref(), Some("stderr matches 429"));
/// assert_eq!(facts.code_error.as_deref(), Some("stderr matches TypeError"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// What shows that the failure is transient, e.g. `error_type=rate_limit`.
    pub transient: Option<String>,
    /// What shows a build, test, type or lint error.
    pub code_error: Option<String>,
    /// SHA-256 of what was printed, in hexadecimal.
    pub stderr_hash: String,
    /// The same of each history entry, in the order of the event's history; none where it is not known.
    pub history_hashes: Vec<Option<String>>,
}

/// Marks of a transient failure, in lower case; any case counts.
const TRANSIENT: [(&str, &str); 6] = [
    ("econnreset", "ECONNRESET"),
    ("etimedout", "ETIMEDOUT"),
    ("eai_again", "EAI_AGAIN"),
    ("429", "429"),
    ("503", "503"),
    ("rate limit", "rate limit"),
];

/// Marks of an error in the code; only this case counts.
const CODE_ERROR: [&str; 4] = ["TypeError", "SyntaxError", "test failed", "assertion"];

impl Facts {
    /// Reads the facts from the event alone: by the failure-classifier document's patterns, and by hashes of the raw
    /// text.
    #[must_use]
    pub fn from_patterns(event: &FailureEvent) -> Self {
        let stderr = event.stderr_tail.as_str();
        let folded = stderr.to_ascii_lowercase();
        let transient = TRANSIENT
            .iter()
            .find(|(folded_mark, _)| folded.contains(folded_mark))
            .map(|(_, mark)| format!("stderr matches {mark}"));
        let test_output = event.test_output.as_deref().unwrap_or_default();
        let code_error = [("stderr", stderr), ("test_output", test_output)].into_iter().find_map(|(place, text)| {
            CODE_ERROR.iter().find(|mark| text.contains(**mark)).map(|mark| format!("{place} matches {mark}"))
        });
        let hash = |text: &str| sha256_hex(text.as_bytes());
        let history_hashes = event
            .history
            .iter()
            .map(|entry| entry.stderr_hash.clone().or_else(|| entry.stderr_tail.as_ref().map(|text| hash(text))))
            .collect();
        Self { transient, code_error, stderr_hash: hash(stderr), history_hashes }
    }
}
