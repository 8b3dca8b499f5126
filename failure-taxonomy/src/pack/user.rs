//! Indicators that users add in `recovery.toml`, and the reasons for which one is refused.
//!
//! In: a `UserIndicator` as deserialised. Out: the same [`Indicator`] that built-in rows are, so that nothing after this
//! distinguishes them, or a [`PackError`] that names the row and the fix. The checks are in `TaxonomyBuilder::build`; a new
//! one adds a variant here. Unlike built-in rows they are checked at every start, including their own examples.

use super::Indicator;
use super::format::UserIndicator;
use recovery_types::ErrorType;

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
            role: self.role,
            guard: self.guard(),
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
    /// A row that can never match: indicators are on one line.
    #[error("the text of indicator {id:?} has a line break; an indicator is on one line")]
    LineBreak {
        /// The row.
        id: String,
    },
    /// A text that is longer than any line is looked at.
    #[error("the text of indicator {id:?} has {length} bytes; at most {} are allowed", super::MAX_TEXT_BYTES)]
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
        /// The name that was given.
        name: String,
    },
    /// A pattern that is no regular expression.
    #[error("the pattern of indicator {id:?} is no regular expression: {reason}")]
    BadPattern {
        /// The row.
        id: String,
        /// What the regular expression parser reports.
        reason: String,
    },
    /// A pattern with a fragment that is not defined.
    #[error("the pattern of indicator {id:?} has the unknown fragment {name:?}; define it in [fragment]")]
    UnknownFragment {
        /// The row.
        id: String,
        /// The fragment.
        name: String,
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
    #[error("the indicator {id:?} hits {line:?}, which it must not by its `misses`; tighten its guards")]
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
