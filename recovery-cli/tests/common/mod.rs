//! The binary, run in a scratch project.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// `recovery ARGS` in `dir`, with that as its home too: nobody's own settings are read.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    command.current_dir(dir).args(args).env("HOME", dir).env_remove("RECOVERY_TASK");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it with `input` to its end.
pub fn recovery(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = command(dir, args).spawn().unwrap();
    // A command that does not read its input is not asked to.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}
