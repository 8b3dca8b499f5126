//! The facts that the F-rules need in addition to the event itself.
//!
//! In: an event, and either its `Diagnosis` ([`Facts::from_diagnosis`]) or nothing but the documented patterns
//! ([`Facts::from_patterns`]). Out: [`Facts`]: is it transient, is it an error of the code, its hash and the hashes
//! before it. The rules read only these, so that the classifier depends on no particular diagnosis.

use recovery_types::digest::sha256_hex;
use recovery_types::{Class, Diagnosis, ErrorType, FailureEvent, HistoryEntry, Permille, Problem, RepoPath};

/// Facts about the output, from whichever component parsed it.
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
    /// Evidence that the failure is transient, e.g. `error_type=rate_limit`.
    pub transient: Option<String>,
    /// Evidence of a build, test, type or lint error.
    pub code_error: Option<String>,
    /// SHA-256 of the output, in hexadecimal.
    pub stderr_hash: String,
    /// Other hashes of the same output that an earlier attempt may have recorded.
    pub other_hashes: Vec<String>,
    /// The name of the failed test, where the output shows one.
    pub test: Option<String>,
    /// The files of the failure, where the output names them: that of the root cause, and that of the failing test.
    pub failing_files: Vec<RepoPath>,
    /// The hash of each history entry, in the order of the event's history; `None` where it is not known.
    pub history_hashes: Vec<Option<String>>,
    /// The probability that the output was understood; `None` where the facts come from the document's patterns, whose
    /// confidence is that of the document.
    pub confidence: Option<Permille>,
}

/// Marks of a transient failure, in lower case; matched in any case.
const TRANSIENT: [(&str, &str); 6] = [
    ("econnreset", "ECONNRESET"),
    ("etimedout", "ETIMEDOUT"),
    ("eai_again", "EAI_AGAIN"),
    ("429", "429"),
    ("503", "503"),
    ("rate limit", "rate limit"),
];

/// Marks of an error in the code; matched in this case only.
const CODE_ERROR: [&str; 4] = ["TypeError", "SyntaxError", "test failed", "assertion"];

impl Facts {
    /// Derives the facts from the event alone: by the patterns of the failure-classifier document, and by hashes of the
    /// raw text.
    #[must_use]
    pub fn from_patterns(event: &FailureEvent) -> Self {
        let stderr = event.stderr_tail.as_str();
        let folded = stderr.to_ascii_lowercase();
        let transient = TRANSIENT
            .iter()
            .find(|(folded_mark, _)| folded.contains(folded_mark))
            .map(|(_, mark)| format!("stderr matches {mark}"));
        let code_error = code_error_mark(event);
        let hash = |text: &str| sha256_hex(text.as_bytes());
        let history_hashes = event
            .history
            .iter()
            .map(|entry| entry.stderr_hash.clone().or_else(|| entry.stderr_tail.as_ref().map(|text| hash(text))))
            .collect();
        let other_hashes = event.stderr_hash.iter().cloned().collect();
        let stderr_hash = hash_alone(event).unwrap_or_else(|| hash(stderr));
        Self {
            transient,
            code_error,
            stderr_hash,
            other_hashes,
            test: None,
            failing_files: Vec::new(),
            history_hashes,
            confidence: None,
        }
    }

    /// Takes the facts from a diagnosis of the output, so that a line number is not a rate limit. `fingerprint` hashes
    /// the normalised text.
    #[must_use]
    pub fn from_diagnosis(event: &FailureEvent, diagnosis: &Diagnosis, fingerprint: impl Fn(&str) -> String) -> Self {
        let error = diagnosis.error_type;
        let named = |holds: bool| holds.then(|| format!("error_type={error}"));
        let hash = |entry: &HistoryEntry| {
            entry.stderr_hash.clone().or_else(|| entry.stderr_tail.as_ref().map(|text| fingerprint(text)))
        };
        Self {
            transient: named(error.is_transient()),
            // An exception of the program under work is an error of its code where the document's patterns show it.
            code_error: named(error.is_code_error())
                .or_else(|| code_error_mark(event).filter(|_| error == ErrorType::RuntimeException)),
            stderr_hash: hash_alone(event).unwrap_or_else(|| fingerprint(&event.stderr_tail)),
            other_hashes: Some(sha256_hex(event.stderr_tail.as_bytes()))
                .filter(|_| hash_alone(event).is_none())
                .into_iter()
                .chain(event.stderr_hash.clone())
                .collect(),
            test: diagnosis.problem.as_ref().and_then(|problem| problem.test.clone()),
            failing_files: diagnosis.problem.as_ref().map(failing_files).unwrap_or_default(),
            history_hashes: event.history.iter().map(hash).collect(),
            confidence: diagnosis.confidence,
        }
    }

    /// Whether `earlier` is one of the hashes of the output.
    pub(crate) fn has_hash(&self, earlier: &str) -> bool {
        std::iter::once(&self.stderr_hash).chain(&self.other_hashes).any(|hash| is_same_hash(hash, earlier))
    }
}

/// The hash of an output of which nothing else is known: outputs that were not sent are not all the same.
#[must_use]
pub fn hash_alone(event: &FailureEvent) -> Option<String> {
    event.stderr_hash.clone().filter(|_| event.stderr_tail.is_empty())
}

/// The file of a problem, and the one that its test names (`tests/test_a.py::test_x`).
fn failing_files(problem: &Problem) -> Vec<RepoPath> {
    let of_test = problem.test.as_deref().and_then(|test| test.split_once("::")).map(|(file, _)| file);
    let of_test = of_test.filter(|file| file.contains(['/', '.']));
    let mut files: Vec<RepoPath> = problem.file.as_deref().into_iter().chain(of_test).map(RepoPath::new).collect();
    files.dedup();
    files
}

/// The first mark of an error in the code, in stderr or else in the failed test's output.
fn code_error_mark(event: &FailureEvent) -> Option<String> {
    let test_output = event.test_output.as_deref().unwrap_or_default();
    [("stderr", event.stderr_tail.as_str()), ("test_output", test_output)].into_iter().find_map(|(place, text)| {
        CODE_ERROR.iter().find(|mark| text.contains(**mark)).map(|mark| format!("{place} matches {mark}"))
    })
}

/// The class of a first failure of this error type, without any history.
///
/// ```
/// use recovery_types::{Class, ErrorType};
/// assert_eq!(classifier_core::first_class(ErrorType::RateLimit), Class::F1);
/// assert_eq!(classifier_core::first_class(ErrorType::TestFailure), Class::F2);
/// ```
#[must_use]
pub const fn first_class(error: ErrorType) -> Class {
    if error.is_transient() { Class::F1 } else { Class::F2 }
}

/// The minimum number of digits: fewer could be the prefix of two hashes.
const MIN_HASH_DIGITS: usize = 12;

/// Whether two spellings are the same hash: with or without `sha256:`, in either case, complete or its first digits.
fn is_same_hash(one: &str, other: &str) -> bool {
    let digits = |hash: &str| {
        let hash = hash.trim().to_ascii_lowercase();
        hash.strip_prefix("sha256:").map(str::to_owned).unwrap_or(hash)
    };
    let (one, other) = (digits(one), digits(other));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_hex = short.bytes().all(|byte| byte.is_ascii_hexdigit());
    short == long || (short.len() >= MIN_HASH_DIGITS && is_hex && long.starts_with(&short))
}

#[cfg(test)]
mod tests {
    use super::is_same_hash;

    #[test]
    fn a_hash_has_several_spellings() {
        let full = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        for same in [full, "sha256:0123456789abcdef", "0123456789AB", &format!("SHA256:{full}")] {
            assert!(is_same_hash(full, same) && is_same_hash(same, full), "{same}");
        }
        for other in ["0123456789a", "0123456789ac", "sha256:", "", "not hex at all"] {
            assert!(!is_same_hash(full, other), "{other}");
        }
    }
}
