//! `recovery mcp`: an MCP server on standard input and output.

use crate::cli::Global;
use crate::exit;
use recovery_mcp::McpError;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "The client starts it and speaks to it over standard input and output.\n\nExamples:\n  \
    recovery install claude-code --mcp\n  codex mcp add recovery -- recovery mcp")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> anyhow::Result<u8> {
    // Claude Code passes the project's directory; its servers start in any directory.
    if let Some(dir) = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|dir| dir.is_dir()) {
        global.start_from(dir);
    }
    let setup = global.setup().map_err(|error| format!("{:#}", anyhow::Error::from(error)));
    match recovery_mcp::serve(setup, global.root().unwrap_or_default()) {
        Err(error @ McpError::Handshake(_)) => {
            eprintln!("recovery: {}", crate::output::one_line(&crate::output::message(&error.to_string()), 300))
        }
        ended => ended?,
    }
    Ok(exit::DONE)
}
