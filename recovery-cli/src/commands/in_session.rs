//! `recovery __in-session`: becomes a command that leads a session of its own. `recovery run` starts commands through it
//! when a terminal is involved, because only the process itself can do that.

use crate::output;
use recovery_run::process::{become_leader, reason_not_started};
use std::ffi::OsString;

/// What `recovery run` calls this command.
pub(crate) const NAME: &str = "__in-session";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The stream that is to be the session's terminal
    #[arg(long, value_name = "FD")]
    terminal: Option<u8>,
    /// The command with its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let error = become_leader(args.terminal, &args.command);
    let program = args.command.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
    let (reason, code) = reason_not_started(&program, &error);
    anstream::eprintln!("{}", output::printable(&reason));
    Ok(code)
}
