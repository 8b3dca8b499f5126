//! `recovery completions`: what a shell needs to complete the command line.

use crate::{cli, exit, output};
use clap_complete::Shell;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    recovery completions bash > ~/.local/share/bash-completion/completions/recovery\n  \
    recovery completions zsh > \"${fpath[1]}/_recovery\"\n  \
    recovery completions fish > ~/.config/fish/completions/recovery.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    // In memory first: the generator panics when the reader of our output goes away.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "recovery", &mut script);
    let mut out = output::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(exit::DONE)
}
