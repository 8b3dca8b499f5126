//! Exit codes, and the one place where an error becomes one.

use std::process::ExitCode;

/// Done.
pub const DONE: u8 = 0;
/// The answer is no: a check failed, a rule did not match.
pub const NO: u8 = 1;
/// Bad usage or bad input; the message states where, and what was expected.
pub const BAD_INPUT: u8 = 2;
/// `run`: another process is running the task; nothing was done.
pub const BUSY: u8 = 69;
/// `run`: a server asked to wait longer than `--max-wait` allows.
pub const WAITING: u8 = 75;
/// `run`: force-done. Everything was tried, or the time is up; the partial result states how far it got.
pub const FORCE_DONE: u8 = 76;
/// A bug in `recovery`.
pub const BUG: u8 = 70;

/// Runs `body`, prints its error, and turns the outcome into an exit code. A panic is a bug, reported as such.
pub(crate) fn guarded(body: fn() -> anyhow::Result<u8>) -> ExitCode {
    survive_file_limits();
    let outcome = std::panic::catch_unwind(body);
    ExitCode::from(match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(error)) if is_closed_pipe(&error) => DONE,
        Ok(Err(error)) => {
            anstream::eprintln!("{} {}", crate::output::bad("error:"), crate::output::message(&format!("{error:#}")));
            BAD_INPUT
        }
        Err(_) => {
            anstream::eprintln!("this is a bug in recovery {}; please report it", env!("CARGO_PKG_VERSION"));
            BUG
        }
    })
}

/// Under `ulimit -f` a write that is too long is an error like any other: a journal that cannot grow must not end the command
/// that runs. A handler and not "ignore", which our children would inherit.
fn survive_file_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// The reader of our output closed it, which is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}
