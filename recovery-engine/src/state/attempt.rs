//! One failed attempt, as much of it as later decisions need.
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
    /// When.
    pub at: Timestamp,
    /// The event's id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The action.
    pub action: Option<String>,
    /// What was being tried; the distinct words of the error are used where it is not given.
    pub approach: String,
    /// Whether `approach` is in the caller's own words.
    pub stated: bool,
    /// SHA-256 of the text that stays the same from run to run.
    pub fingerprint: String,
    /// The hash by which the classifier recognises repeated failures.
    pub stderr_hash: String,
    /// What went wrong.
    pub error_type: ErrorType,
    /// How far it reached.
    pub class: Class,
    /// The level it led to.
    pub level: Option<Level>,
    /// Files it changed.
    pub files: Vec<RepoPath>,
    /// The exit code.
    pub exit_code: i64,
    /// How many problems it showed, where they could be counted.
    pub problems: Option<u32>,
    /// The test that failed, where the output shows one.
    #[serde(default)]
    pub test: Option<String>,
    /// How long it ran, where that was said.
    #[serde(default)]
    pub duration_ms: Option<u64>,
}

impl Attempt {
    /// Whether it was this action, by fingerprint.
    #[must_use]
    pub fn is_of(&self, action: &str) -> bool {
        self.action.as_deref().is_some_and(|own| action_fingerprint(self.tool.as_deref(), own) == action)
    }
}
