//! The `recovery` command line: arguments, files, the clock, the terminal, processes. Everything else is in the crates
//! below it. One command is one file in [`commands`].

mod answer;
mod cli;
mod clock;
mod commands;
mod config;
pub mod exit;
#[doc(hidden)]
pub mod fuzz;
mod input;
mod mcp;
mod ndjson;
mod output;
mod project;
mod report;
mod trust;
mod version;

use recovery_git as git;
use recovery_install as install;
use recovery_service::ledger;

pub use cli::command;

/// Runs the command line and says how it ended.
#[must_use]
pub fn main() -> std::process::ExitCode {
    ledger::on_loss(|lost| eprintln!("recovery: {lost}"));
    exit::guarded(cli::run)
}
