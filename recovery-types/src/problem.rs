//! One problem that a tool reported: the message, the place, the failing test.
//!
//! `problem-matcher` fills this type from tool output; the diagnosis carries the root cause and up to
//! [`MAX_PROBLEMS`] others. A field that the tool did not print is `None`, never a guess.

use crate::diagnosis::Location;
use serde::{Deserialize, Serialize};

/// The number of problems that a diagnosis carries besides the root cause.
pub const MAX_PROBLEMS: usize = 20;

/// The severity of a problem, as the tool printed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// An error, a failed test, an exception.
    Error,
    /// A warning.
    Warning,
    /// A note, a hint, a remark.
    Note,
}

impl Severity {
    /// The name as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One problem, in the words of the tool. Message and place always belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The tool's message, one line where the tool prints one.
    pub message: String,
    /// The file as printed.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
    /// The last line of the range, from 1.
    pub end_line: Option<u64>,
    /// The last column of the range, from 1.
    pub end_column: Option<u64>,
    /// The tool's code for it (`E0308`, `TS2345`, `no-unused-vars`).
    pub code: Option<String>,
    /// The tool that reported it (`rustc`, `pytest`).
    pub tool: Option<String>,
    /// The failing test, suites joined by ` > ` where the tool nests them.
    pub test: Option<String>,
    /// The expected value of a failed assertion.
    pub expected: Option<String>,
    /// The actual value of a failed assertion.
    pub actual: Option<String>,
    /// Deeper causes, outermost first (`Caused by: ...`).
    #[serde(default)]
    pub causes: Vec<String>,
    /// The line of the text that the message was read from, from 1.
    pub text_line: Option<u64>,
}

impl Problem {
    /// A problem of which only severity and message are known.
    #[must_use]
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            code: None,
            tool: None,
            test: None,
            expected: None,
            actual: None,
            causes: Vec::new(),
            text_line: None,
        }
    }

    /// `file:line:column`, as terminals and editors open it; empty without a file and a line.
    ///
    /// ```
    /// use recovery_types::{Problem, Severity};
    /// let mut problem = Problem::new(Severity::Error, "mismatched types");
    /// problem.file = Some("src/main.rs".to_owned());
    /// problem.line = Some(4);
    /// assert_eq!(problem.place(), "src/main.rs:4");
    /// ```
    #[must_use]
    pub fn place(&self) -> String {
        let numbers = [self.line, self.line.and(self.column)].into_iter().flatten();
        self.file.iter().cloned().chain(numbers.map(|number| number.to_string())).collect::<Vec<_>>().join(":")
    }

    /// Where it is, if it names a file.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        let file = self.file.clone()?;
        Some(Location { file, line: self.line, column: self.column, code: self.code.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_null_in_json() {
        let json = serde_json::to_value(Problem::new(Severity::Error, "boom")).unwrap();
        assert_eq!(json["severity"], "error");
        assert!(json["file"].is_null());
        assert_eq!(json["causes"], serde_json::json!([]));
    }
}
