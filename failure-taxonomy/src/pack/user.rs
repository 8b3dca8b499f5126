//! Indicators that users add, and why one is refused.

use super::{Guard, Indicator, Role, Strength};
use recovery_types::ErrorType;

/// A row that a user adds to a pack, with the fields of a built-in one.
///
/// ```
/// use failure_taxonomy::{PackName, Taxonomy, UserIndicator};
/// let row = UserIndicator {
///     id: "acme.lease".into(),
///     text: "lease held by".into(),
///     error_type: "lock_contention".into(),
///     ..UserIndicator::default()
/// };
/// let taxonomy = Taxonomy::builder(PackName::Field).indicator(row).build().unwrap();
/// assert!(taxonomy.indicator("acme.lease").is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserIndicator {
    /// Stable name; no other row has it.
    pub id: String,
    /// What is looked for; ASCII case does not matter.
    pub text: String,
    /// One of the closed list of error types.
    pub error_type: String,
    /// How much it says on its own.
    #[serde(default = "decisive")]
    pub strength: Strength,
    /// Counts only as whole words.
    #[serde(default)]
    pub word: bool,
    /// Counts only where a line begins.
    #[serde(default)]
    pub line_start: bool,
    /// Counts on warnings and log notes as well.
    #[serde(default)]
    pub aside: bool,
    /// A regular expression that the line's content must match as well.
    #[serde(default)]
    pub pattern: Option<String>,
    /// The tool that prints it.
    #[serde(default)]
    pub tool: Option<String>,
    /// A line that must hit.
    #[serde(default)]
    pub hits: Option<String>,
    /// A line that must not hit.
    #[serde(default)]
    pub misses: Option<String>,
}

const fn decisive() -> Strength {
    Strength::Decisive
}

impl Default for UserIndicator {
    fn default() -> Self {
        Self {
            id: String::new(),
            text: String::new(),
            error_type: String::new(),
            strength: decisive(),
            word: false,
            line_start: false,
            aside: false,
            pattern: None,
            tool: None,
            hits: None,
            misses: None,
        }
    }
}

impl UserIndicator {
    /// The row as the engine reads it; `None` for an unknown error type.
    pub(crate) fn as_indicator(&self) -> Option<Indicator<'_>> {
        let error_type = ErrorType::from_name(&self.error_type)?;
        Some(Indicator {
            id: &self.id,
            text: &self.text,
            failure_type: error_type.failure_type(),
            error_type,
            strength: self.strength,
            role: Role::Report,
            guard: Guard {
                word: self.word,
                line_start: self.line_start,
                aside: self.aside,
                pattern: self.pattern.as_deref(),
            },
            tool: self.tool.as_deref(),
            hits: self.hits.as_deref().unwrap_or(""),
            misses: self.misses.as_deref().unwrap_or(""),
        })
    }
}

/// Why a pack could not be built. Every message names the row and the fix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// A row without a name.
    #[error("an indicator has no id; give it a name like \"mytool.timeout\"")]
    EmptyId,
    /// Two rows with one name.
    #[error("the indicator {id:?} exists already; choose another id, or disable the built-in one")]
    DuplicateId {
        /// The name.
        id: String,
    },
    /// A row that would match everything.
    #[error("the indicator {id:?} has an empty text; say what to look for")]
    EmptyText {
        /// The row.
        id: String,
    },
    /// A row that can never match: indicators stand on one line.
    #[error("the text of indicator {id:?} has a line break; an indicator stands on one line")]
    LineBreak {
        /// The row.
        id: String,
    },
    /// A text that is longer than any line is looked at.
    #[error("the text of indicator {id:?} has {length} bytes; at most {} are allowed", crate::evidence::MAX_TEXT_BYTES)]
    LongText {
        /// The row.
        id: String,
        /// Its length.
        length: usize,
    },
    /// An error type that is not on the list.
    #[error("the indicator {id:?} has the unknown error type {name:?}; it must be one of {}", error_type_names())]
    UnknownErrorType {
        /// The row.
        id: String,
        /// What it says.
        name: String,
    },
    /// A pattern that is no regular expression.
    #[error("the pattern of indicator {id:?} is no regular expression: {reason}")]
    BadPattern {
        /// The row.
        id: String,
        /// What the regular expression parser says.
        reason: String,
    },
    /// The row's own example does not hit.
    #[error("the indicator {id:?} does not hit its own example {line:?}; correct the example or the guards")]
    ExampleMissed {
        /// The row.
        id: String,
        /// The example.
        line: String,
    },
    /// The row's own counter-example hits.
    #[error("the indicator {id:?} hits {line:?}, which it says it must not; tighten its guards")]
    CounterExampleHit {
        /// The row.
        id: String,
        /// The counter-example.
        line: String,
    },
    /// An id to disable that no row has.
    #[error("there is no indicator {id:?} to disable")]
    UnknownId {
        /// The name.
        id: String,
    },
}

fn error_type_names() -> String {
    ErrorType::ALL.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ")
}
