//! Exit codes of a run that are not the command's own.

/// Success.
pub const DONE: u8 = 0;
/// The command failed without an exit code of its own.
pub const FAILED: u8 = 1;
/// Another process runs the task; nothing was executed.
pub const BUSY: u8 = 69;
/// A server stated a time to return, and the run does not wait that long.
pub const WAITING: u8 = 75;
/// Force-done: everything was tried, or the time limit passed; the partial result has the progress.
pub const FORCE_DONE: u8 = 76;
/// An attempt was stopped at its deadline; the exit code of `timeout`.
pub const TIMED_OUT: u8 = 124;
