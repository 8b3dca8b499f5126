//! The `recovery` command line: arguments, files, the clock, the terminal, processes. Everything else is in the crates
//! below it. One command is one file in [`commands`].

mod cli;
mod clock;
mod commands;
pub mod exit;
mod input;
mod ndjson;
mod output;
mod version;

use recovery_git as git;
use recovery_install as install;
use recovery_service::{answer, ledger};

pub use cli::command;

/// Runs the command line and returns its exit code.
#[must_use]
pub fn main() -> std::process::ExitCode {
    ledger::on_loss(|lost| eprintln!("recovery: {lost}"));
    exit::guarded(cli::run)
}
