//! Runs the example of every library crate, so that what the READMEs show keeps working.
//!
//! A published library crate without an example is an error: the list comes from `cargo metadata`, not from a file that
//! someone has to keep.

use anyhow::{Context as _, bail};
use cargo_metadata::{MetadataCommand, TargetKind};
use std::process::{Command, Stdio};

/// Runs them all, and stops at the first that fails.
pub(crate) fn run() -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(crate::root().join("Cargo.toml")).no_deps().exec()?;
    for package in &metadata.packages {
        let is_published = package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
        let is_library = package.targets.iter().any(|target| target.kind.contains(&TargetKind::Lib));
        let is_binary = package.targets.iter().any(|target| target.kind.contains(&TargetKind::Bin));
        if !is_published || !is_library || is_binary {
            continue;
        }
        let example = package.targets.iter().find(|target| target.kind.contains(&TargetKind::Example));
        let example = example.with_context(|| format!("{} has no example in examples/", package.name))?;
        println!("example {} of {}", example.name, package.name);
        let status = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--locked", "--package", package.name.as_str(), "--example", &example.name])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            bail!("example {} of {} failed: {status}", example.name, package.name);
        }
    }
    Ok(())
}
