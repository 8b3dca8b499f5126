//! `recovery man`: the manual pages, made from the same definitions as the help.

use crate::{cli, exit, output};
use anyhow::Context as _;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery man | man -l -\n  recovery man --dir ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Write one page per command into this directory instead of printing the first one
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.dir {
        Some(dir) => {
            std::fs::create_dir_all(dir)
                .and_then(|()| clap_mangen::generate_to(cli::command(), dir))
                .with_context(|| format!("cannot write the manual pages to {}", dir.display()))?;
        }
        None => {
            let mut out = output::stdout();
            clap_mangen::Man::new(cli::command().disable_help_subcommand(true)).render(&mut out)?;
            out.flush()?;
        }
    }
    Ok(exit::DONE)
}
