//! What a caller knows about a failure.

/// A failed command: its output and what surrounds it. Everything but the text may be left out.
///
/// ```
/// use failure_taxonomy::Failure;
/// let failure = Failure { text: b"curl: (7) Failed to connect", exit_code: Some(7), ..Failure::default() };
/// assert_eq!(failure.attempts, 1);
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
