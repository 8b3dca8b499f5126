//! Man pages and shell completions, written by an example of the CLI crate so that the chores need not build it.

use anyhow::{Context as _, ensure};
use std::path::Path;
use std::process::Command;

/// Writes them to `dir`.
pub(crate) fn run(dir: &Path) -> anyhow::Result<()> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(crate::root())
        .args(["run", "--quiet", "--package", "recovery-cli", "--example", "manual", "--"])
        .arg(std::path::absolute(dir)?)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "writing the manual failed");
    Ok(())
}
