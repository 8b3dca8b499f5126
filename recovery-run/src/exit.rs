//! Exit codes of a run that are not the command's own.

/// Done.
pub const DONE: u8 = 0;
/// The command failed without a code of its own.
pub const FAILED: u8 = 1;
/// Another process is running the task; nothing was done.
pub const BUSY: u8 = 69;
/// A server stated when to come back, and the run does not wait that long.
pub const WAITING: u8 = 75;
/// Force-done: everything was tried, or the time is up; the partial result states how far it got.
pub const FORCE_DONE: u8 = 76;
/// An attempt was stopped at its deadline, as `timeout` has it.
pub const TIMED_OUT: u8 = 124;
