//! `recovery mcp`: an MCP server on standard input and output.

use crate::cli::Global;
use crate::{exit, mcp};

#[derive(clap::Args)]
#[command(after_help = "The client starts it and speaks to it over standard input and output.\n\nExamples:\n  \
    recovery install claude-code --mcp\n  codex mcp add recovery -- recovery mcp")]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, global: &Global) -> anyhow::Result<u8> {
    mcp::serve(global)?;
    Ok(exit::DONE)
}
