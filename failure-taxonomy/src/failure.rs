//! The input of a diagnosis: the output of a failed command, and what the caller knows about the run.
//!
//! Everything but the text is optional, because hooks and pipelines know different parts; a missing part never makes the
//! diagnosis fail. It borrows all it holds, so that outputs of many megabytes are not copied. A new fact about the run is a
//! field here with a `with_` method, and reaches the verdict through its `Run`.

/// A failed command: its output and what surrounds it. Everything but the text may be left out.
///
/// ```
/// use failure_taxonomy::Failure;
/// let failure = Failure::new(b"curl: (7) Failed to connect").with_exit_code(7).with_tool("curl");
/// assert_eq!((failure.attempts, failure.exit_code), (1, Some(7)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure<'a> {
    /// The output, any bytes.
    pub text: &'a [u8],
    /// The exit code; `128 + n` or `-n` for signal `n`.
    pub exit_code: Option<i64>,
    /// The tool that ran.
    pub tool: Option<&'a str>,
    /// What was being tried, in words.
    pub approach: Option<&'a str>,
    /// What was tried before, oldest first.
    pub previous_approaches: &'a [&'a str],
    /// How often the task has failed, this failure included.
    pub attempts: u32,
    /// Where the working tree was last good.
    pub last_good_commit: Option<&'a str>,
}

impl<'a> Failure<'a> {
    /// A first failure of which only the output is known.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, ..Self::default() }
    }

    /// With how the command ended.
    #[must_use]
    pub fn with_exit_code(self, exit_code: i64) -> Self {
        Self { exit_code: Some(exit_code), ..self }
    }

    /// With the tool that ran.
    #[must_use]
    pub fn with_tool(self, tool: &'a str) -> Self {
        Self { tool: Some(tool), ..self }
    }

    /// With what was being tried, and what was tried before, oldest first.
    #[must_use]
    pub fn with_approaches(self, approach: &'a str, previous_approaches: &'a [&'a str]) -> Self {
        Self { approach: Some(approach), previous_approaches, ..self }
    }

    /// With how often the task has failed, this failure included.
    #[must_use]
    pub fn with_attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// With the commit at which the working tree was last good.
    #[must_use]
    pub fn with_last_good_commit(self, commit: &'a str) -> Self {
        Self { last_good_commit: Some(commit), ..self }
    }
}

impl Default for Failure<'_> {
    fn default() -> Self {
        Self {
            text: b"",
            exit_code: None,
            tool: None,
            approach: None,
            previous_approaches: &[],
            attempts: 1,
            last_good_commit: None,
        }
    }
}
