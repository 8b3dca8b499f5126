//! One failed attempt, with the fields that later decisions need.
//!
//! In: a failed event with its decision. Out: an [`Attempt`]: fingerprints instead of output, the approach or the distinct
//! words of the error, the files and the test. Twenty are remembered per task, so an attempt is small. Circular fixes,
//! loops, repeated failures, siblings and denials are all recognised from these fields; a rule that needs more of an attempt
//! gets a field here with a default for older journals.

use crate::holds::action_fingerprint;
use recovery_types::{Class, ErrorType, Level, RepoPath, Timestamp};
use serde::{Deserialize, Serialize};

/// One failed attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The time of the failure.
    pub at: Timestamp,
    /// The id of the event, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The action.
    pub action: Option<String>,
    /// The approach; the distinct words of the error if none was stated.
    pub approach: String,
    /// Whether the caller stated `approach`.
    pub stated: bool,
    /// SHA-256 of the normalised output.
    pub fingerprint: String,
    /// The hash by which the classifier recognises repeated failures.
    pub stderr_hash: String,
    /// The error type.
    pub error_type: ErrorType,
    /// The class.
    pub class: Class,
    /// The ladder level it led to.
    pub level: Option<Level>,
    /// Files it changed.
    pub files: Vec<RepoPath>,
    /// The exit code.
    pub exit_code: i64,
    /// The number of problems it showed, if they could be counted.
    pub problems: Option<u32>,
    /// How far it got, in millionths, if the output shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<u32>,
    /// The test that failed, where the output shows one.
    #[serde(default)]
    pub test: Option<String>,
    /// The duration, if it was stated.
    #[serde(default)]
    pub duration_ms: Option<u64>,
}

impl Attempt {
    /// Whether the attempt executed this action, by fingerprint.
    #[must_use]
    pub fn is_of(&self, action: &str) -> bool {
        self.action.as_deref().is_some_and(|own| action_fingerprint(self.tool.as_deref(), own) == action)
    }
}
