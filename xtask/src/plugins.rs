//! The plugin files below `plugins/`, written by an example of `recovery-install` so that the chores need not build it.

use anyhow::{Context as _, ensure};
use std::process::Command;

/// Writes them; a test of that crate fails when they are stale.
pub(crate) fn run() -> anyhow::Result<()> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(crate::root())
        .args(["run", "--quiet", "--package", "recovery-install", "--example", "plugins", "--", "plugins"])
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "writing the plugins failed");
    Ok(())
}
